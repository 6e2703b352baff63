//! Units at the border: a bare number is SI, a string may carry a unit, a wrong dimension is named.
//!
//! Decimal prefixes never multiply: "50 us" becomes the text `50e-6` and is read once, so that the same length
//! written in mm and in m gives the same bits.

/// Exponents of kilogram, metre, second and radian.
pub type Dimension = [i8; 4];

/// Named dimensions: name, SI unit, exponents. The first match names a dimension in messages.
const NAMED: &[(&str, &str, Dimension)] = &[
    ("a plain number", "1", [0, 0, 0, 0]),
    ("a length", "m", [0, 1, 0, 0]),
    ("a mass", "kg", [1, 0, 0, 0]),
    ("a time", "s", [0, 0, 1, 0]),
    ("an angle", "rad", [0, 0, 0, 1]),
    ("an area", "m2", [0, 2, 0, 0]),
    ("a volume", "m3", [0, 3, 0, 0]),
    ("a density", "kg/m3", [1, -3, 0, 0]),
    ("a velocity", "m/s", [0, 1, -1, 0]),
    ("an acceleration", "m/s2", [0, 1, -2, 0]),
    ("a frequency", "Hz", [0, 0, -1, 0]),
    ("an angular velocity", "rad/s", [0, 0, -1, 1]),
    ("a force", "N", [1, 1, -2, 0]),
    ("a pressure", "Pa", [1, -1, -2, 0]),
    ("a stiffness", "N/m", [1, 0, -2, 0]),
    ("a damping", "N s/m", [1, 0, -1, 0]),
    ("an energy", "J", [1, 2, -2, 0]),
    ("a momentum", "kg m/s", [1, 1, -1, 0]),
];

/// Units that take decimal prefixes: symbol, exponents, power of ten that leads to SI.
const PREFIXED: &[(&str, Dimension, i32)] = &[
    ("m", [0, 1, 0, 0], 0),
    ("g", [1, 0, 0, 0], -3),
    ("s", [0, 0, 1, 0], 0),
    ("N", [1, 1, -2, 0], 0),
    ("Pa", [1, -1, -2, 0], 0),
    ("J", [1, 2, -2, 0], 0),
    ("Hz", [0, 0, -1, 0], 0),
];

/// Units that stand alone: symbol, exponents, power of ten, and a factor that is no power of ten.
const ALONE: &[(&str, Dimension, i32, f64)] = &[
    ("1", [0, 0, 0, 0], 0, 1.0),
    ("%", [0, 0, 0, 0], -2, 1.0),
    ("rad", [0, 0, 0, 1], 0, 1.0),
    ("deg", [0, 0, 0, 1], 0, std::f64::consts::PI / 180.0),
    ("min", [0, 0, 1, 0], 0, 60.0),
    ("h", [0, 0, 1, 0], 0, 3600.0),
    ("t", [1, 0, 0, 0], 3, 1.0),
];

const PREFIXES: &[(&str, i32)] = &[
    ("G", 9),
    ("M", 6),
    ("k", 3),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("u", -6),
    ("µ", -6),
    ("μ", -6),
    ("n", -9),
    ("p", -12),
];

/// A number with the dimension that its text carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberWithUnit {
    /// Value in SI units.
    pub si: f64,
    /// Its dimension; `None` if the text was a bare number.
    pub dimension: Option<Dimension>,
}

/// Reads "0.5 mm", "2650 kg/m3", "1e5 N s/m", "30 deg", or a bare number.
pub fn parse(text: &str) -> Result<NumberWithUnit, String> {
    let text = text.trim();
    let (number, unit) = text.split_at(number_length(text));
    if number.is_empty() {
        return Err(format!("`{text}` does not start with a number"));
    }
    let unit = unit.trim();
    if unit.is_empty() {
        let si = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
        return Ok(NumberWithUnit { si, dimension: None });
    }
    let Unit { dimension, power, factor } = parse_unit(unit)?;
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent: i32 = exponent.parse().map_err(|_| format!("`{number}` is not a number"))?;
    let decimal: f64 = format!("{mantissa}e{}", exponent.saturating_add(power))
        .parse()
        .map_err(|_| format!("`{number}` is not a number"))?;
    Ok(NumberWithUnit { si: if factor == 1.0 { decimal } else { decimal * factor }, dimension: Some(dimension) })
}

/// "a length (m)", "kg m2/s" ...: the name of a dimension in messages.
pub fn name(dimension: Dimension) -> String {
    match NAMED.iter().find(|(.., d)| *d == dimension) {
        Some((name, _, [0, 0, 0, 0])) => name.to_string(),
        Some((name, unit, _)) => format!("{name} ({unit})"),
        None => format!("a quantity in {}", symbol(dimension)),
    }
}

/// The SI unit of a dimension: "kg/m3", "N s/m" ...
pub fn symbol(dimension: Dimension) -> String {
    if let Some((_, unit, _)) = NAMED.iter().find(|(.., d)| *d == dimension) {
        return unit.to_string();
    }
    let bases = ["kg", "m", "s", "rad"];
    let part = |keep: fn(i8) -> bool| -> String {
        let shown = bases.iter().zip(dimension).filter(|(_, p)| keep(*p));
        let words: Vec<String> =
            shown.map(|(b, p)| if p.abs() == 1 { b.to_string() } else { format!("{b}{}", p.abs()) }).collect();
        words.join(" ")
    };
    match (part(|p| p > 0), part(|p| p < 0)) {
        (above, below) if below.is_empty() => above,
        (above, below) => format!("{}/{}", if above.is_empty() { "1" } else { &above }, below.replace(' ', "/")),
    }
}

/// How many leading bytes of `text` are a number.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let after_exponent = end > 0 && matches!(bytes[end - 1], b'e' | b'E');
        let starts_exponent = matches!(bytes[end], b'e' | b'E')
            && end > 0
            && bytes.get(end + 1).is_some_and(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-'));
        match bytes[end] {
            b'0'..=b'9' | b'.' => {}
            b'+' | b'-' if end == 0 || after_exponent => {}
            _ if starts_exponent => {}
            _ => break,
        }
        end += 1;
    }
    end
}

struct Unit {
    dimension: Dimension,
    power: i32,
    factor: f64,
}

/// Factors side by side multiply; a slash divides by the one factor after it.
fn parse_unit(text: &str) -> Result<Unit, String> {
    let mut unit = Unit { dimension: [0; 4], power: 0, factor: 1.0 };
    let spaced = text.replace(['*', '·'], " ").replace('/', " / ").replace('²', "2").replace('³', "3");
    let mut sign = 1;
    let words: Vec<&str> = spaced.split_whitespace().collect();
    for (k, &word) in words.iter().enumerate() {
        let is_below_one = words.get(k + 1) == Some(&"/") && (k == 0 || words[k - 1] != "/");
        if word == "1" && words.len() > 1 && !is_below_one {
            return Err(format!("in `{text}` a number stands among the units"));
        }
        if word == "/" {
            if sign < 0 {
                return Err(format!("`{text}` has two slashes in a row"));
            }
            sign = -1;
            continue;
        }
        let (symbol, exponent) = split_exponent(word).ok_or_else(|| format!("`{word}` is not a unit"))?;
        let (dimension, power, factor) = look_up(symbol).ok_or_else(|| {
            format!("`{symbol}` is not a unit (known: m g s N Pa J Hz with prefixes, and rad deg min h t %)")
        })?;
        let exponent = sign * exponent;
        sign = 1;
        for (sum, d) in unit.dimension.iter_mut().zip(dimension) {
            *sum = sum.checked_add(d * exponent).ok_or_else(|| format!("`{text}` has powers beyond all measure"))?;
        }
        unit.power += power * i32::from(exponent);
        unit.factor *= factor.powi(i32::from(exponent));
    }
    if sign < 0 {
        return Err(format!("`{text}` ends with a slash"));
    }
    Ok(unit)
}

/// "m3" and "m^-3" into symbol and exponent. The lone "1" of "1/s" is a symbol.
fn split_exponent(word: &str) -> Option<(&str, i8)> {
    if word == "1" {
        return Some((word, 1));
    }
    let end = word.find(|c: char| c == '^' || c == '-' || c.is_ascii_digit()).unwrap_or(word.len());
    let (symbol, exponent) = word.split_at(end);
    let exponent = exponent.trim_start_matches('^');
    if exponent.is_empty() {
        Some((symbol, 1))
    } else {
        Some((symbol, exponent.parse().ok().filter(|e: &i8| (1..=9).contains(&e.abs()))?))
    }
}

/// Whether a word is a unit, with an exponent or without: "mm", "m2", but not "1".
pub fn is_unit(word: &str) -> bool {
    word != "1" && split_exponent(word).is_some_and(|(symbol, _)| look_up(symbol).is_some())
}

fn look_up(symbol: &str) -> Option<(Dimension, i32, f64)> {
    if let Some((_, dimension, power, factor)) = ALONE.iter().find(|(s, ..)| *s == symbol) {
        return Some((*dimension, *power, *factor));
    }
    let prefixes = std::iter::once(&("", 0)).chain(PREFIXES);
    for (prefix, prefix_power) in prefixes {
        let Some(rest) = symbol.strip_prefix(prefix) else { continue };
        if let Some((_, dimension, power)) = PREFIXED.iter().find(|(s, ..)| *s == rest) {
            return Some((*dimension, power + prefix_power, 1.0));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn si(text: &str) -> f64 {
        parse(text).unwrap().si
    }

    #[test]
    fn prefixes_do_not_cost_a_bit() {
        for (text, plain) in [
            ("50 us", 5e-5),
            ("0.1 mm", 1e-4),
            ("2.65 g/cm3", 2650.0),
            ("100 kPa", 1e5),
            ("0.3 ms", 3e-4),
            ("1e-1 um", 1e-7),
        ] {
            assert_eq!(si(text).to_bits(), f64::to_bits(plain), "{text}");
        }
    }

    #[test]
    fn exponents_without_end_are_no_number() {
        assert_eq!((si("1e2147483647 km"), si("1e-2147483648 mm")), (f64::INFINITY, 0.0));
    }

    #[test]
    fn products_and_quotients() {
        assert_eq!(parse("3 N s/m").unwrap(), NumberWithUnit { si: 3.0, dimension: Some([1, 0, -1, 0]) });
        assert_eq!(parse("3 kg m^-3").unwrap().dimension, Some([1, -3, 0, 0]));
        assert_eq!(parse("2 1/s").unwrap().dimension, Some([0, 0, -1, 0]));
        assert_eq!(parse("2 kg 1/s").unwrap().dimension, Some([1, 0, -1, 0]));
        assert_eq!(parse("9.81 m/s²").unwrap().dimension, Some([0, 1, -2, 0]));
        assert_eq!(parse("4 mN/mm").unwrap(), NumberWithUnit { si: 4.0, dimension: Some([1, 0, -2, 0]) });
        assert_eq!(si("2 min"), 120.0);
        assert_eq!(si("180 deg"), std::f64::consts::PI);
        assert_eq!(parse("-1.5e3").unwrap(), NumberWithUnit { si: -1500.0, dimension: None });
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "mm",
            "",
            "5 furlong",
            "5 m/",
            "5 m//s",
            "1.2.3 m",
            "5 m^x",
            "e5",
            "--3 m",
            "4 / 1 mm",
            "4 1 mm",
            "4 mm 1",
            "4 t0",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn powers_end() {
        assert!(parse(&format!("1{}", " m9".repeat(15))).is_err());
    }

    #[test]
    fn dimensions_have_names() {
        assert_eq!(name([1, -3, 0, 0]), "a density (kg/m3)");
        assert_eq!(name([1, -2, 0, 0]), "a quantity in kg/m2");
        assert_eq!(symbol([2, 1, -1, 0]), "kg2 m/s");
    }
}
