//! Arithmetic with units and names: "outlet / 2", "-tan(angle) * 40 mm", "sqrt(2 * 9.81 m/s2 * drop)".
//!
//! | stronger first | |
//! |---|---|
//! | `40 mm`, `2 m/s`, `pi`, `outlet`, `sqrt(x)`, `(x)` | a number and the unit behind it are one value |
//! | `x ^ y` | from right to left |
//! | `-x` | |
//! | `x * y`, `x / y` | from left to right |
//! | `x + y`, `x - y` | from left to right |

mod parser;

use std::ops::Range;

use self::parser::Parser;
use super::magnitude::{FUNCTIONS, Magnitude, Refusal, call};
use super::reader::nearest;
use super::units;

/// Largest length of an expression in bytes.
const LONGEST: usize = 1000;

/// Arithmetic that was read, and can be computed again and again.
#[derive(Clone, Debug)]
pub struct Expression(Term);

/// A fault and the bytes of the expression that it is about.
pub type PlacedRefusal = (Refusal, Range<usize>);

#[derive(Clone, Debug)]
struct Term {
    part: Part,
    at: Range<usize>,
}

#[derive(Clone, Debug)]
enum Part {
    Magnitude(Magnitude),
    Name(String),
    Negated(Box<Term>),
    Combined(char, Box<[Term; 2]>),
    Call(&'static str, Vec<Term>),
}

impl Expression {
    /// Reads an expression. Names are words of letters, digits and `_`; `known` are names that may also have other
    /// characters, or mean a unit.
    pub fn parse(text: &str, known: &[&str]) -> Result<Expression, PlacedRefusal> {
        if text.len() > LONGEST {
            let message = format!("an expression ends after {LONGEST} letters, this one has {}", text.len());
            return Err((Refusal::of_form(message, "give parts of it names in [parameters]"), 0..0));
        }
        Parser::new(text, known).whole().map(Expression)
    }

    /// Names in it, in their order, each as often as it occurs.
    pub fn names(&self) -> Vec<&str> {
        let (mut names, mut left) = (Vec::new(), vec![&self.0]);
        while let Some(term) = left.pop() {
            match &term.part {
                Part::Magnitude(_) => {}
                Part::Name(name) => names.push(name.as_str()),
                Part::Negated(inner) => left.push(inner),
                Part::Combined(_, pair) => left.extend(pair.iter().rev()),
                Part::Call(_, arguments) => left.extend(arguments.iter().rev()),
            }
        }
        names
    }

    /// Its value, with the values of names.
    pub fn evaluate(&self, value: &dyn Fn(&str) -> Result<Magnitude, Refusal>) -> Result<Magnitude, PlacedRefusal> {
        let magnitude = self.0.evaluate(value)?;
        match magnitude.si.is_finite() {
            true => Ok(magnitude),
            false => {
                let message = format!("the result is {}", magnitude.si);
                let help = "numbers end at 1e308";
                Err((Refusal { is_of_numbers: true, ..Refusal::of_form(message, help) }, self.0.at.clone()))
            }
        }
    }
}

impl Term {
    fn evaluate(&self, value: &dyn Fn(&str) -> Result<Magnitude, Refusal>) -> Result<Magnitude, PlacedRefusal> {
        let placed = |fault: Refusal| (fault, self.at.clone());
        match &self.part {
            Part::Magnitude(magnitude) => Ok(*magnitude),
            Part::Name(name) => value(name).map_err(placed),
            Part::Negated(inner) => inner.evaluate(value).map(Magnitude::negated),
            Part::Combined(operator, pair) => {
                let (one, other) = (pair[0].evaluate(value)?, pair[1].evaluate(value)?);
                one.combined(*operator, other).map_err(placed)
            }
            Part::Call(function, arguments) => {
                let arguments = arguments.iter().map(|term| term.evaluate(value)).collect::<Result<Vec<_>, _>>()?;
                call(function, &arguments).map_err(placed)
            }
        }
    }
}

/// Words that a name must not be, because they mean something already: what they are.
pub fn meaning(word: &str) -> Option<&'static str> {
    if word == "pi" {
        return Some("a constant");
    }
    if FUNCTIONS.iter().any(|(function, ..)| *function == word) {
        return Some("a function");
    }
    units::is_unit(word).then_some("a unit")
}

/// The fault of a name that has no value; `what` it could be, such as "parameter".
pub fn unknown(name: &str, what: &str, known: &[&str]) -> Refusal {
    if meaning(name) == Some("a unit") {
        return Refusal::of_form(format!("the unit `{name}` needs a number"), format!("write 1 {name}"));
    }
    let help = match (nearest(name, known.iter().copied()), known.is_empty()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, true) => format!("give `{name}` a value in [parameters]"),
        (None, false) => format!("known: {}", known.join(", ")),
    };
    Refusal { code: "E006", ..Refusal::of_form(format!("there is no {what} `{name}`"), help) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that tests compute with: a length, an angle, a number without a unit, a time.
    fn value(name: &str) -> Result<Magnitude, Refusal> {
        let text = match name {
            "outlet" => "40 mm",
            "angle" => "45 deg",
            "n" => "20",
            "pause" => "2 s",
            _ => return Err(unknown(name, "parameter", &["outlet", "angle", "n", "pause"])),
        };
        units::parse(text).map(Magnitude::from).map_err(|why| Refusal::of_form(why, ""))
    }

    fn compute(text: &str) -> Result<Magnitude, PlacedRefusal> {
        Expression::parse(text, &[])?.evaluate(&value)
    }

    /// Value and unit, "" for a number without one.
    fn result(text: &str) -> (f64, String) {
        let magnitude = compute(text).unwrap_or_else(|(fault, at)| panic!("{text}: {} at {at:?}", fault.message));
        (magnitude.si, magnitude.unit.map_or(String::new(), |unit| unit.symbol()))
    }

    #[test]
    fn operators_bind_as_in_a_textbook() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("10 - 4 - 3", 3.0),
            ("12 / 3 / 2", 2.0),
            ("-2 ^ 2", -4.0),
            ("2 ^ 3 ^ 2", 512.0),
            ("2 ^ -1", 0.5),
            ("2 * -3", -6.0),
            ("2 - -3", 5.0),
            ("1e-3 * 1_000", 1.0),
            ("n / 2 − 3", 7.0),
            ("max(1, n, 3) - min(4, 2)", 18.0),
            ("floor(2.5) + ceil(2.5) + round(2.5) + abs(-1)", 9.0),
        ] {
            assert_eq!(compute(text).unwrap().si, expected, "{text}");
        }
    }

    #[test]
    fn units_are_computed_with() {
        for (text, si, unit) in [
            ("outlet / 2", 0.02, "m"),
            ("2 * outlet + 1 mm", 0.081, "m"),
            ("(2 mm)^2", 4e-6, "m2"),
            ("3 mm^2 * 2", 6e-6, "m2"),
            ("outlet / 2 s", 0.02, "m/s"),
            ("outlet / pause", 0.02, "m/s"),
            ("outlet / 2 m/s", 0.02, "s"),
            ("2 1/s * pause", 4.0, "1"),
            ("outlet / 2 / 1 s", 0.02, "m/s"),
            ("3 N·s/m * 2", 6.0, "N s/m"),
            ("10 kN / (2 m)^2", 2500.0, "Pa"),
            ("sqrt(2 * 9.81 m/s2 * 2 m)", 39.24f64.sqrt(), "m/s"),
            ("outlet / outlet", 1.0, "1"),
            ("0.5 * n", 10.0, ""),
            ("n * 1 mm", 0.02, "m"),
            ("50 % * outlet", 0.02, "m"),
            ("outlet * angle", 0.04 * std::f64::consts::FRAC_PI_4, "m rad"),
            ("(1 m)^2.5", 1.0, "m^2.5"),
            ("(8 m3)^(1/3)", 2.0, "m"),
        ] {
            let (found, symbol) = result(text);
            assert!((found - si).abs() <= 1e-15 * si.abs(), "{text}: {found}");
            assert_eq!(symbol, unit, "{text}");
        }
    }

    /// A number that is written with a unit keeps its bits: 0.1 mm is 1e-4, not 0.1 times 0.001.
    #[test]
    fn numbers_with_units_are_exact_inside_too() {
        assert_eq!(result("0 mm + 0.1 mm").0.to_bits(), 1e-4f64.to_bits());
    }

    #[test]
    fn angles_are_plain_in_trigonometry_alone() {
        let near = |text: &str, expected: f64| assert!((result(text).0 - expected).abs() < 1e-15, "{text}");
        near("tan(angle)", 1.0);
        near("-tan(angle) * 40 mm", -0.04);
        near("sin(pi / 6)", 0.5);
        near("cos(60 deg)", 0.5);
        near("atan(1) - angle", 0.0);
        near("atan2(-1 mm, -1 mm) + 3 * angle", 0.0);
        near("asin(0.5) - 30 deg", 0.0);
        near("log(exp(0.5))", 0.5);
        assert_eq!(result("atan(1)").1, "rad");
        assert!(compute("exp(angle)").is_err() && compute("tan(outlet)").is_err());
    }

    /// Both dimensions are named, and the place is the part that has them.
    #[test]
    fn dimensions_that_do_not_fit_are_named() {
        for (text, code, words, place) in [
            ("1 + (outlet + pause)", "E004", "no sum of a length (m) and a time (s)", "(outlet + pause)"),
            ("outlet - 0.02", "E004", "no difference of a length (m) and a number without unit", "outlet - 0.02"),
            ("n + outlet", "E004", "no sum of a number without unit and a length (m)", "n + outlet"),
            ("tan(outlet)", "E004", "`tan` takes an angle or a plain number, not a length (m)", "tan(outlet)"),
            ("2 ^ outlet", "E004", "an exponent must be a plain number, not a length (m)", "2 ^ outlet"),
            ("outlet ^ 0.123", "E004", "a length (m) to the power of 0.123 has no dimension", "outlet ^ 0.123"),
            ("max(outlet, 3)", "E004", "`max` of a length (m) and a number without unit", "max(outlet, 3)"),
            ("2 * oulet", "E006", "there is no parameter `oulet`", "oulet"),
            ("2 * s", "E034", "the unit `s` needs a number", "s"),
            ("outlet / 2 / s", "E034", "the unit `s` needs a number", "s"),
            ("outlet / (n - 20)", "E034", "division by zero", "outlet / (n - 20)"),
            ("sqrt(-4)", "E034", "`sqrt` of -4 is no number", "sqrt(-4)"),
            ("asin(n)", "E034", "`asin` of 20 is no number", "asin(n)"),
            ("1e300 * 1e300", "E034", "the result is inf", "1e300 * 1e300"),
        ] {
            let (fault, at) = compute(text).unwrap_err();
            assert_eq!((fault.code, fault.message.replace("a unit", "unit").as_str()), (code, words), "{text}");
            assert_eq!(&text[at], place, "{text}");
            assert!(!fault.help.is_empty(), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused_at_its_place() {
        for (text, words) in [
            ("", "there is nothing in it"),
            ("2 *", "it ends too early"),
            ("(1 + 2", "a bracket is not closed"),
            ("1 + 2)", "`)` does not belong there"),
            ("2 outlet", "`outlet` is not a unit"),
            ("5 furlong + 1 m", "`furlong` is not a unit"),
            ("outlet 2", "an operator is missing before `2`"),
            ("n(3)", "there is no function `n`"),
            ("sine(3)", "there is no function `sine`"),
            ("sin", "`sin` is a function"),
            ("sin(1, 2)", "`sin` takes 1 arguments, not 2"),
            ("max(1)", "`max` takes 2 or more arguments, not 1"),
            ("--3", "`-` and `-` in a row"),
            ("2 $ 3", "`$` does not belong there"),
            ("* 3", "a number or a name must stand where `*` is"),
            ("1.2.3 + 1", "`1.2.3` is not a number"),
            ("2 m ^ n", "whether `2 m` or its unit has this power is not clear"),
        ] {
            let (fault, at) = compute(text).unwrap_err();
            assert!(fault.message.contains(words), "{text}: {}", fault.message);
            assert!(at.end <= text.len() && !fault.help.is_empty(), "{text}: {at:?}");
        }
    }

    /// Text that nobody would write must not crash the program: brackets, signs and powers without end, characters of
    /// other scripts.
    #[test]
    fn depth_and_length_end() {
        for text in ["(".repeat(900), "-(".repeat(400), "2^".repeat(450), "sin(".repeat(200), "1+".repeat(2000)] {
            assert!(compute(&text).is_err());
        }
        assert_eq!(compute(&format!("1{}", "+1".repeat(499))).unwrap().si, 500.0);
        for text in ["2 µm + 1 μm²", "λ * 2", "2 − ", "²", "3 m² + 1 m^2", "1 + ☃", "2 ☃", "0.5 m³ ^ 2", "5·m"]
        {
            let _ = compute(text);
        }
        assert_eq!(result("3 m² + 1 m^2").1, "m2");
    }

    #[test]
    fn known_names_may_have_other_signs_and_be_units() {
        let value = |name: &str| match name {
            "g" => Ok(Magnitude::bare(3.0)),
            "left-wall.x" => Ok(Magnitude::bare(5.0)),
            "left" => Ok(Magnitude::bare(7.0)),
            _ => Err(unknown(name, "column", &[])),
        };
        for (text, expected) in [("2 * g", 6.0), ("left-wall.x - g", 2.0), ("left - g", 4.0), ("2 / g * 3", 2.0)] {
            let expression = Expression::parse(text, &["g", "left", "left-wall.x"]).unwrap();
            assert_eq!(expression.evaluate(&value).unwrap().si, expected, "{text}");
        }
    }
}
