//! The ends of a scale of colours: numbers, or percentiles of the grains.

use std::str::FromStr;

/// Ends of a scale of colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Limits {
    /// These numbers, in SI units.
    Numbers([f64; 2]),
    /// What so many percent of the grains are below.
    Percent([f64; 2]),
}

impl FromStr for Limits {
    type Err = String;

    fn from_str(text: &str) -> Result<Limits, String> {
        let wrong = || format!("`{text}`: a range is written like 0..2.5, or 1%..99% for percentiles of the grains");
        let (low, high) = text.split_once("..").ok_or_else(wrong)?;
        let percent = |end: &str| end.trim().strip_suffix('%').map(|number| number.trim().parse::<f64>());
        let number = |end: &str| end.trim().parse::<f64>().map_err(|_| wrong());
        let limits = match (percent(low), percent(high)) {
            (Some(Ok(low)), Some(Ok(high))) => {
                let is_part = |at: f64| (0.0..=100.0).contains(&at);
                if !is_part(low) || !is_part(high) {
                    return Err(format!("`{text}`: percentiles go from 0% to 100%"));
                }
                Limits::Percent([low, high])
            }
            (None, None) => Limits::Numbers([number(low)?, number(high)?]),
            _ => return Err(wrong()),
        };
        let (Limits::Numbers([low, high]) | Limits::Percent([low, high])) = limits;
        match low < high && low.is_finite() && high.is_finite() {
            true => Ok(limits),
            false => Err(format!("`{text}`: a range rises from its first end to its second")),
        }
    }
}

/// The value that a part of all lies below, between two neighbours in proportion; `sorted` has one value or more.
pub(super) fn percentile(sorted: &[f64], percent: f64) -> f64 {
    let at = percent / 100.0 * (sorted.len() - 1) as f64;
    let below = at.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (at - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_numbers_or_percentiles() {
        assert_eq!("-1..2.5".parse(), Ok(Limits::Numbers([-1.0, 2.5])));
        assert_eq!("1%..99%".parse(), Ok(Limits::Percent([1.0, 99.0])));
        for wrong in ["2..1", "1..1", "1%..9", "0%..101%", "-5%..50%", "fast", "0..NaN", "0..inf"] {
            assert!(wrong.parse::<Limits>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn percentiles_leave_outliers_outside() {
        let mut values: Vec<f64> = (0..100).map(f64::from).collect();
        values[99] = 1e9;
        assert_eq!([0.0, 50.0, 100.0].map(|percent| percentile(&values, percent)), [0.0, 49.5, 1e9]);
        assert!(percentile(&values, 98.0) < 99.0);
        assert_eq!(percentile(&[3.0], 99.0), 3.0);
    }
}
