//! Values of a key as the command line writes them: lists, ranges with a step, ranges to draw from.
//!
//! Ranges are counted with decimals as they are written: 0.1:0.9:0.2 ends with 0.9, and its third value is 0.5.

use drystone::input::units;

use crate::Failure;

/// Values of a grid, and cases of a design, at most: more is a slip of the pen.
const MOST: i128 = 100_000;
/// Digits of a number of a range at most, so that they are counted exactly.
const DIGITS: i32 = 30;

/// A key and the values that it takes, as texts of TOML.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid {
    pub key: String,
    pub values: Vec<String>,
}

impl Grid {
    /// `contact.0.friction=0.1:0.9:0.2`, `outlet=20 mm,30 mm`.
    pub(super) fn parse(text: &str) -> Result<Grid, Failure> {
        let (key, rest) = assignment("--grid", text)?;
        let values: Vec<String> = match separated(rest, ':')[..] {
            [_] => separated(rest, ',').into_iter().map(String::from).collect(),
            [low, high, step] => steps(text, [low, high, step])?,
            _ => return Err(refused("--grid", text, "a range is written low:high:step, as in 0.1:0.9:0.2")),
        };
        if values.iter().any(String::is_empty) {
            return Err(refused("--grid", text, "a value is empty: write them as in friction=0.1,0.3,0.5"));
        }
        Ok(Grid { key, values })
    }
}

/// A key and the range from which a design draws its values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    pub key: String,
    low: f64,
    high: f64,
    unit: String,
    is_log: bool,
}

impl Span {
    /// `friction=0.1:0.9`, `outlet=20 mm:40 mm`, `stiffness=1e4:1e7:log`.
    pub(super) fn parse(text: &str) -> Result<Span, Failure> {
        let wrong = |why: &str| refused("--range", text, why);
        let (key, rest) = assignment("--range", text)?;
        let (ends, is_log) = match separated(rest, ':')[..] {
            [low, high] => ([low, high], false),
            [low, high, "log"] => ([low, high], true),
            _ => return Err(wrong("write low:high, or low:high:log for equal ratios")),
        };
        let [low, high] = ends.map(|end| number_and_unit(end).map_err(|why| wrong(&why)));
        let ([low, high], unit) = common_unit([low?, high?]).map_err(|why| wrong(&why))?;
        let read = |number: &str| number.parse::<f64>().map_err(|_| wrong(&format!("`{number}` is not a number")));
        let (low, high) = (read(low)?, read(high)?);
        match low < high {
            _ if is_log && low <= 0.0 => Err(wrong("equal ratios need a low end above zero")),
            true => Ok(Span { key, low, high, unit: unit.to_string(), is_log }),
            false => Err(wrong("the range is empty: its low end must be less than its high end")),
        }
    }

    /// The value at a part of the range, in decimals that resolve a millionth of it.
    pub(super) fn at(&self, part: f64) -> String {
        let (value, finest) = match self.is_log {
            false => (self.low + part * (self.high - self.low), 1e-6 * (self.high - self.low)),
            true => {
                let value = self.low * (self.high / self.low).powf(part);
                (value, 1e-6 * value)
            }
        };
        let places = (-finest.log10().floor()) as i32;
        let text = match places {
            0..=15 => format!("{value:.*}", places as usize),
            // numbers whose decimals would be all zeros, or all made up
            _ => format!("{value:.6e}"),
        };
        joined(&trimmed(&text), &self.unit)
    }
}

/// A number without the zeros that end its decimals.
fn trimmed(text: &str) -> String {
    let (mantissa, exponent) = text.split_once('e').map_or((text, ""), |(mantissa, power)| (mantissa, power));
    let mantissa = match mantissa.contains('.') {
        true => mantissa.trim_end_matches('0').trim_end_matches('.'),
        false => mantissa,
    };
    if exponent.is_empty() { mantissa.to_string() } else { format!("{mantissa}e{exponent}") }
}

fn joined(number: &str, unit: &str) -> String {
    if unit.is_empty() { number.to_string() } else { format!("{number} {unit}") }
}

fn assignment<'t>(option: &str, text: &'t str) -> Result<(String, &'t str), Failure> {
    let (key, rest) = text.split_once('=').ok_or_else(|| refused(option, text, "it is not of the form key=values"))?;
    let (key, rest) = (key.trim(), rest.trim());
    match (key, rest) {
        ("", _) => Err(refused(option, text, "there is no key before `=`")),
        (_, "") => Err(refused(option, text, "there are no values after `=`")),
        _ => Ok((key.to_string(), rest)),
    }
}

fn refused(option: &str, text: &str, why: &str) -> Failure {
    Failure::Usage(format!("{option} {text}: {why}"))
}

/// Parts of a text at a sign that stands neither in quotes nor in brackets.
pub(super) fn separated(text: &str, sign: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0i32, None);
    for (place, c) in text.char_indices() {
        match (c, quote) {
            (_, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('(' | '[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth -= 1,
            _ if c == sign && depth <= 0 => {
                parts.push(text[start..place].trim());
                start = place + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// The values from low to high, both included if a whole number of steps leads there.
fn steps(text: &str, ends: [&str; 3]) -> Result<Vec<String>, Failure> {
    let wrong = |why: &str| refused("--grid", text, why);
    let [low, high, step] = ends.map(|end| number_and_unit(end).map_err(|why| wrong(&why)));
    let (numbers, unit) = common_unit([low?, high?, step?]).map_err(|why| wrong(&why))?;
    let mut decimals = Vec::new();
    for number in numbers {
        let is_not_counted = || wrong(&format!("`{number}` is not a decimal number of at most {DIGITS} digits"));
        decimals.push(Decimal::parse(number).ok_or_else(is_not_counted)?);
    }
    let places = decimals.iter().map(|decimal| decimal.places).max().unwrap_or(0);
    let scaled: Option<Vec<i128>> = decimals.iter().map(|decimal| decimal.scaled(places)).collect();
    let Some([low, high, step]) = scaled.as_deref() else {
        return Err(wrong(&format!("its numbers differ by more than {DIGITS} digits")));
    };
    if *step <= 0 {
        return Err(wrong("the step must be above zero"));
    }
    if high < low {
        return Err(wrong("the range is empty: it ends below its beginning; write low:high:step"));
    }
    let count = (high - low) / step + 1;
    if count > MOST {
        return Err(wrong(&format!("these are {count} values, more than {MOST}: take a larger step")));
    }
    Ok((0..count).map(|k| joined(&Decimal { digits: low + k * step, places }.text(), unit)).collect())
}

/// A number and the unit behind it, which may be empty.
pub(super) fn number_and_unit(text: &str) -> Result<[&str; 2], String> {
    units::parse(text)?;
    let is_unit = |(_, c): &(usize, char)| !(c.is_ascii_digit() || ".+-eE".contains(*c));
    let end = text.char_indices().find(is_unit).map_or(text.len(), |(place, _)| place);
    Ok([text[..end].trim(), text[end..].trim()])
}

/// The numbers of a range, and the unit that all of them have.
fn common_unit<const N: usize>(parts: [[&str; 2]; N]) -> Result<([&str; N], &str), String> {
    let unit = parts[0][1];
    match parts.iter().find(|[_, other]| *other != unit) {
        Some([number, other]) => Err(format!(
            "{} and {}: write all numbers of a range in one unit",
            joined(parts[0][0], unit),
            joined(number, other)
        )),
        None => Ok((parts.map(|[number, _]| number), unit)),
    }
}

/// A number that is counted exactly: digits / 10^places.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Decimal {
    digits: i128,
    places: i32,
}

impl Decimal {
    fn parse(text: &str) -> Option<Decimal> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{part}");
        if digits.len() as i32 > DIGITS {
            return None;
        }
        let places = (part.len() as i32).checked_sub(exponent.parse().ok()?)?;
        Some(Decimal { digits: digits.parse().ok()?, places })
    }

    /// The digits with so many places.
    fn scaled(self, places: i32) -> Option<i128> {
        let shift = u32::try_from(places.checked_sub(self.places)?).ok()?;
        self.digits.checked_mul(10i128.checked_pow(shift)?).filter(|digits| digits.abs() < 10i128.pow(DIGITS as u32))
    }

    fn text(self) -> String {
        let sign = if self.digits < 0 { "-" } else { "" };
        let digits = self.digits.unsigned_abs().to_string();
        match self.places {
            0 => format!("{sign}{digits}"),
            places if places > 0 => {
                let places = places as usize;
                let padded = format!("{digits:0>width$}", width = places + 1);
                let (whole, part) = padded.split_at(padded.len() - places);
                trimmed(&format!("{sign}{whole}.{part}"))
            }
            zeros if digits != "0" => format!("{sign}{digits}e{}", -zeros),
            _ => "0".into(),
        }
    }
}

/// Whole numbers as in `1..10,20`, both ends included; `what` is for messages.
pub(super) fn whole_numbers(what: &str, text: &str) -> Result<Vec<u64>, Failure> {
    let wrong = |why: String| Failure::Usage(format!("{what} {text}: {why}"));
    let read = |text: &str| {
        let number = text.trim().parse::<u64>();
        number.map_err(|_| wrong(format!("`{}` is not a whole number; write 1..10 or 1,2,5", text.trim())))
    };
    let mut numbers = Vec::new();
    for part in text.split(',') {
        match part.split_once("..") {
            None => numbers.push(read(part)?),
            Some((from, to)) => {
                let (from, to) = (read(from)?, read(to)?);
                if to < from {
                    return Err(wrong(format!("{from}..{to} is empty: it ends below its beginning")));
                }
                if i128::from(to - from) >= MOST {
                    return Err(wrong(format!("these are more than {MOST}")));
                }
                numbers.extend(from..=to);
            }
        }
    }
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(wrong(format!("{} is named twice", pair[0]))),
        None => Ok(numbers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal;

    fn values(text: &str) -> Vec<String> {
        Grid::parse(text).unwrap_or_else(|_| panic!("{text}")).values
    }

    #[test]
    fn ranges_are_counted_in_decimals() {
        assert_eq!(values("mu=0.1:0.9:0.2"), ["0.1", "0.3", "0.5", "0.7", "0.9"]);
        assert_eq!(values("mu=0:1:0.3"), ["0", "0.3", "0.6", "0.9"], "the end is no whole number of steps away");
        assert_eq!(values("outlet=20 mm:30 mm:5 mm"), ["20 mm", "25 mm", "30 mm"]);
        assert_eq!(values("x=-1:1:1"), ["-1", "0", "1"]);
        assert_eq!(values("k=1e5:3e5:1e5"), ["1e5", "2e5", "3e5"]);
        assert_eq!(values("d=1e-3:2e-3:5e-4"), ["0.001", "0.0015", "0.002"]);
        assert_eq!(values("x=0.1:0.1:1"), ["0.1"]);
    }

    #[test]
    fn lists_keep_brackets_and_quotes_together() {
        assert_eq!(values("outlet=20 mm, 30 mm"), ["20 mm", "30 mm"]);
        assert_eq!(values("gravity=[0, -9.81],[0, -1.6]"), ["[0, -9.81]", "[0, -1.6]"]);
        assert_eq!(values("method.use=\"cd\",\"md\""), ["\"cd\"", "\"md\""]);
    }

    #[test]
    fn ranges_that_make_no_sense_are_refused() {
        let said = |text: &str| refusal(Grid::parse(text));
        assert!(said("mu=0.9:0.1:0.2").contains("the range is empty"));
        assert!(said("mu=0.1:0.9:0").contains("above zero"));
        assert!(said("mu=0.1:0.9").contains("low:high:step"));
        assert!(said("outlet=20 mm:3 cm:5 mm").contains("20 mm and 3 cm: write all numbers of a range in one unit"));
        assert!(
            said("outlet=20 mn:30 mn:5 mn").contains("`mn` is not a unit") || said("x=1 q:2 q:1 q").contains("unit")
        );
        assert!(said("mu=0:1:1e-9").contains("more than 100000"));
        assert!(said("mu=0:1:1e-40").contains("digits"));
        assert!(
            said("mu").contains("key=values") && said("mu=").contains("no values") && said("mu=1,,2").contains("empty")
        );
        assert!(refusal(Span::parse("mu=0.5:0.5")).contains("empty"));
        assert!(refusal(Span::parse("k=0:1:log")).contains("above zero"));
        assert!(refusal(Span::parse("k=1:2:3")).contains("low:high"));
    }

    #[test]
    fn a_span_has_its_ends_and_short_decimals_between() {
        let span = |text: &str| Span::parse(text).unwrap_or_else(|_| panic!("{text}"));
        let mu = span("mu=0.1:0.9");
        assert_eq!([0.0, 0.5, 0.25, 1.0].map(|part| mu.at(part)), ["0.1", "0.5", "0.3", "0.9"]);
        assert_eq!(span("outlet=20 mm:40 mm").at(0.125), "22.5 mm");
        assert_eq!(span("k=1e4:1e8:log").at(0.5), "1000000");
        assert_eq!(span("E=1e9:7e10").at(0.0), "1e9");
        assert_eq!(span("x=1e-20:2e-20").at(0.5), "1.5e-20");
        assert_eq!(mu.at(1.0 / 3.0), "0.3666667", "a millionth of the range is resolved");
    }

    #[test]
    fn seeds_are_ranges_and_lists() {
        assert_eq!(whole_numbers("--seeds", "1..3,7").ok(), Some(vec![1, 2, 3, 7]));
        assert!(refusal(whole_numbers("--seeds", "3..1")).contains("empty"));
        assert!(refusal(whole_numbers("--seeds", "1..3,2")).contains("2 is named twice"));
        assert!(refusal(whole_numbers("--seeds", "a")).contains("1..10"));
    }
}
