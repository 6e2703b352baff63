//! Magnitudes: numbers that are computed with, and their dimensions.
//!
//! A number without a unit is in SI units of a dimension that is not stated. Alone or among others of its kind it takes
//! whatever dimension is wanted, as in a scenario; beside a magnitude with a unit it is a factor, and cannot be added.

use super::units::{self, Dimension, NumberWithUnit};

/// Parts of a whole exponent: a root of a root still has a dimension.
const PARTS: i16 = 12;

/// Largest exponent of a base unit.
const HIGHEST: i16 = 100;

/// Exponents of kilogram, metre, second and radian, in twelfths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exponents([i16; 4]);

/// A number in SI units with its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Magnitude {
    /// Its value in SI units.
    pub si: f64,
    /// Its dimension; `None` if it was written without a unit.
    pub unit: Option<Exponents>,
}

/// Why a magnitude cannot be computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Code of the mistake.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
    /// Whether an operation has no result for these numbers, although the expression makes sense.
    pub is_of_numbers: bool,
}

impl Refusal {
    /// An expression that makes no sense.
    pub fn of_form(message: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal { code: "E034", message: message.into(), help: help.into(), is_of_numbers: false }
    }
    /// A fault that was reported before.
    pub fn told() -> Refusal {
        Refusal { code: "", ..Refusal::of_form("", "") }
    }
    /// Dimensions that do not fit.
    fn of_dimension(message: String, help: impl Into<String>) -> Refusal {
        Refusal { code: "E004", message, help: help.into(), is_of_numbers: false }
    }
    /// Numbers for which an operation has no result.
    fn of_numbers(message: String, help: &str) -> Refusal {
        Refusal { code: "E034", message, help: help.into(), is_of_numbers: true }
    }
}

impl Exponents {
    /// The exponents of a plain number.
    pub const PLAIN: Exponents = Exponents([0; 4]);
    const ANGLE: Exponents = Exponents([0, 0, 0, PARTS]);

    /// The dimension, if all exponents are whole.
    pub fn whole(self) -> Option<Dimension> {
        let mut dimension = [0; 4];
        for (whole, parts) in dimension.iter_mut().zip(self.0) {
            *whole = (parts % PARTS == 0).then(|| i8::try_from(parts / PARTS).ok()).flatten()?;
        }
        Some(dimension)
    }

    /// "a length (m)", "a quantity in m^0.5/s": its name in messages.
    pub fn name(self) -> String {
        match self.whole() {
            Some(dimension) => units::name(dimension),
            None => format!("a quantity in {}", self.symbol()),
        }
    }

    /// "kg/m3", "m^0.5/s".
    pub fn symbol(self) -> String {
        if let Some(dimension) = self.whole() {
            return units::symbol(dimension);
        }
        let power = |parts: i16| match f64::from(parts.abs()) / f64::from(PARTS) {
            1.0 => String::new(),
            power => format!("^{}", (power * 1e3).round() / 1e3),
        };
        let named: Vec<(&str, i16)> = ["kg", "m", "s", "rad"].into_iter().zip(self.0).collect();
        let above: Vec<String> =
            named.iter().filter(|(_, p)| *p > 0).map(|(unit, p)| format!("{unit}{}", power(*p))).collect();
        let below: String =
            named.iter().filter(|(_, p)| *p < 0).map(|(unit, p)| format!("/{unit}{}", power(*p))).collect();
        format!("{}{below}", if above.is_empty() { "1".into() } else { above.join(" ") })
    }

    /// The unit of a factor that would make these exponents the wanted ones.
    pub fn lacking(self, wanted: Exponents) -> String {
        Exponents([0, 1, 2, 3].map(|k| wanted.0[k] - self.0[k])).symbol()
    }

    /// These exponents and `factor` times others, unless they become too large.
    fn plus(self, factor: i16, other: Exponents) -> Result<Exponents, Refusal> {
        let mut sum = self.0;
        for (sum, other) in sum.iter_mut().zip(other.0) {
            *sum = (*sum + factor * other).clamp(-HIGHEST * PARTS - 1, HIGHEST * PARTS + 1);
        }
        match sum.iter().all(|parts| parts.abs() <= HIGHEST * PARTS) {
            true => Ok(Exponents(sum)),
            false => {
                Err(Refusal::of_dimension("the power of a unit is beyond all measure".into(), "check the exponents"))
            }
        }
    }

    /// All of them times a number.
    fn times(self, power: f64) -> Result<Exponents, Refusal> {
        let mut parts = [0; 4];
        for (parts, own) in parts.iter_mut().zip(self.0) {
            let exact = f64::from(own) * power;
            let is_whole = (exact - exact.round()).abs() <= 1e-9 * exact.abs().max(1.0);
            if !is_whole || exact.abs() > f64::from(HIGHEST * PARTS) {
                let message = format!("{} to the power of {power} has no dimension", self.name());
                return Err(Refusal::of_dimension(
                    message,
                    "take whole powers, or halves, thirds and quarters of them",
                ));
            }
            *parts = exact.round() as i16;
        }
        Ok(Exponents(parts))
    }
}

impl From<Dimension> for Exponents {
    fn from(dimension: Dimension) -> Exponents {
        Exponents(dimension.map(|exponent| i16::from(exponent) * PARTS))
    }
}

impl From<NumberWithUnit> for Magnitude {
    fn from(number: NumberWithUnit) -> Magnitude {
        Magnitude { si: number.si, unit: number.dimension.map(Exponents::from) }
    }
}

impl Magnitude {
    /// A number without a unit.
    pub const fn bare(si: f64) -> Magnitude {
        Magnitude { si, unit: None }
    }
    /// A plain number, which is of no other dimension.
    pub const fn plain(si: f64) -> Magnitude {
        Magnitude { si, unit: Some(Exponents::PLAIN) }
    }

    /// Name of its dimension in messages.
    pub fn kind(&self) -> String {
        self.unit.map_or("a number without a unit".into(), Exponents::name)
    }

    /// "0.03 m", "0.5".
    pub fn text(&self) -> String {
        match self.unit {
            None | Some(Exponents::PLAIN) => format!("{}", self.si),
            Some(unit) => format!("{} {}", self.si, unit.symbol()),
        }
    }

    fn is_plain(&self) -> bool {
        matches!(self.unit, None | Some(Exponents::PLAIN))
    }

    /// The dimension of a sum: that of both.
    fn common(&self, other: &Magnitude, what: &str) -> Result<Option<Exponents>, Refusal> {
        match (self.unit, other.unit) {
            (one, two) if one == two => Ok(one),
            (None, Some(Exponents::PLAIN)) | (Some(Exponents::PLAIN), None) => Ok(Some(Exponents::PLAIN)),
            (None, Some(unit)) | (Some(unit), None) => {
                let number = if self.unit.is_none() { self.si } else { other.si };
                let help = format!("{number} has no unit: write \"{number} {}\" if that is meant", unit.symbol());
                Err(Refusal::of_dimension(format!("{what} {} and {}", self.kind(), other.kind()), help))
            }
            _ => {
                let message = format!("{what} {} and {}", self.kind(), other.kind());
                Err(Refusal::of_dimension(message, "both must have the same dimension"))
            }
        }
    }

    /// The dimension of a product with `other`, or of a quotient if `sign` is -1.
    fn product(&self, other: &Magnitude, sign: i16) -> Result<Option<Exponents>, Refusal> {
        match (self.unit, other.unit) {
            (None, None | Some(Exponents::PLAIN)) | (Some(Exponents::PLAIN), None) => Ok(None),
            (one, two) => one.unwrap_or(Exponents::PLAIN).plus(sign, two.unwrap_or(Exponents::PLAIN)).map(Some),
        }
    }

    /// The magnitude with the other sign.
    pub fn negated(self) -> Magnitude {
        Magnitude { si: -self.si, ..self }
    }

    /// One of + - * / ^ with another magnitude.
    pub fn combined(self, operator: char, other: Magnitude) -> Result<Magnitude, Refusal> {
        Ok(match operator {
            '+' => Magnitude { unit: self.common(&other, "no sum of")?, si: self.si + other.si },
            '-' => Magnitude { unit: self.common(&other, "no difference of")?, si: self.si - other.si },
            '*' => Magnitude { unit: self.product(&other, 1)?, si: self.si * other.si },
            '/' => {
                let unit = self.product(&other, -1)?;
                if other.si == 0.0 {
                    return Err(Refusal::of_numbers(
                        "division by zero".into(),
                        "what it is divided by must not be zero",
                    ));
                }
                Magnitude { unit, si: self.si / other.si }
            }
            _ => self.power(other)?,
        })
    }

    fn power(self, exponent: Magnitude) -> Result<Magnitude, Refusal> {
        if !exponent.is_plain() {
            let message = format!("an exponent must be a plain number, not {}", exponent.kind());
            return Err(Refusal::of_dimension(message, "write the unit at the base: (2 mm)^3"));
        }
        let unit = self.unit.map(|unit| unit.times(exponent.si)).transpose()?;
        let si = libm::pow(self.si, exponent.si);
        if self.si < 0.0 && si.is_nan() || self.si == 0.0 && exponent.si < 0.0 {
            let message = format!("{} to the power of {} is no number", self.si, exponent.si);
            return Err(Refusal::of_numbers(message, "the base must be more than zero"));
        }
        Ok(Magnitude { si, unit })
    }

    /// The number that a function of plain numbers takes.
    fn of(self, function: &str, takes_angle: bool) -> Result<f64, Refusal> {
        if self.is_plain() || takes_angle && self.unit == Some(Exponents::ANGLE) {
            return Ok(self.si);
        }
        let wanted = if takes_angle { "an angle or a plain number" } else { "a plain number" };
        let help = format!("divide by {} first", self.unit.map_or("it".into(), |unit| format!("1 {}", unit.symbol())));
        Err(Refusal::of_dimension(format!("`{function}` takes {wanted}, not {}", self.kind()), help))
    }
}

/// Functions, and how many arguments each takes at least and at most.
pub const FUNCTIONS: &[(&str, usize, usize)] = &[
    ("sqrt", 1, 1),
    ("sin", 1, 1),
    ("cos", 1, 1),
    ("tan", 1, 1),
    ("asin", 1, 1),
    ("acos", 1, 1),
    ("atan", 1, 1),
    ("atan2", 2, 2),
    ("exp", 1, 1),
    ("log", 1, 1),
    ("abs", 1, 1),
    ("min", 2, usize::MAX),
    ("max", 2, usize::MAX),
    ("floor", 1, 1),
    ("ceil", 1, 1),
    ("round", 1, 1),
];

/// The value of a function of [`FUNCTIONS`], for as many arguments as it takes.
pub fn call(function: &str, arguments: &[Magnitude]) -> Result<Magnitude, Refusal> {
    let x = arguments[0];
    let within = |number: f64, holds: bool, where_defined: &str| match holds || number.is_nan() {
        true => Ok(number),
        false => {
            let message = format!("`{function}` of {number} is no number");
            Err(Refusal::of_numbers(message, &format!("`{function}` takes numbers {where_defined}")))
        }
    };
    let plain = || x.of(function, false);
    let angle = |si: f64| Magnitude { si, unit: Some(Exponents::ANGLE) };
    let from_sine = || plain().and_then(|sine| within(sine, sine.abs() <= 1.0, "from -1 to 1"));
    Ok(match function {
        "sqrt" => {
            let unit = x.unit.map(|unit| unit.times(0.5)).transpose()?;
            Magnitude { si: within(x.si, x.si >= 0.0, "of zero or more")?.sqrt(), unit }
        }
        "sin" => Magnitude::plain(libm::sin(x.of(function, true)?)),
        "cos" => Magnitude::plain(libm::cos(x.of(function, true)?)),
        "tan" => Magnitude::plain(libm::tan(x.of(function, true)?)),
        "asin" => angle(libm::asin(from_sine()?)),
        "acos" => angle(libm::acos(from_sine()?)),
        "atan" => angle(libm::atan(plain()?)),
        "atan2" => {
            x.common(&arguments[1], "`atan2` of")?;
            angle(libm::atan2(x.si, arguments[1].si))
        }
        "exp" => Magnitude::plain(libm::exp(plain()?)),
        "log" => Magnitude::plain(libm::log(plain().and_then(|x| within(x, x > 0.0, "above zero"))?)),
        "abs" => Magnitude { si: x.si.abs(), ..x },
        "min" | "max" => {
            let mut found = x;
            for other in &arguments[1..] {
                let unit = found.common(other, &format!("`{function}` of"))?;
                let is_better = if function == "min" { other.si < found.si } else { other.si > found.si };
                found = Magnitude { si: if is_better || other.si.is_nan() { other.si } else { found.si }, unit };
            }
            found
        }
        "floor" => Magnitude::plain(plain()?.floor()),
        "ceil" => Magnitude::plain(plain()?.ceil()),
        _ => Magnitude::plain(plain()?.round()),
    })
}
