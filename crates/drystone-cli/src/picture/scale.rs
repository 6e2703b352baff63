//! Round lengths for the scale bar, and quantities as people write them.

/// Units of length.
const UNITS: [(f64, &str); 6] = [(1e3, "km"), (1.0, "m"), (1e-2, "cm"), (1e-3, "mm"), (1e-6, "µm"), (1e-9, "nm")];

/// The longest of 1, 2, 5 × 10^k that does not exceed `limit`.
///
/// `limit` must be positive and finite.
pub(super) fn round_length(limit: f64) -> f64 {
    let exponent = limit.log10().floor();
    // The neighbouring decades are tried too: log10 may miss a power of ten by a rounding error.
    (-1..=1)
        .flat_map(|shift| [1.0, 2.0, 5.0].map(|digit| decimal(digit, exponent as i32 + shift)))
        .filter(|&length| length <= limit * (1.0 + 1e-12))
        .fold(0.0, f64::max)
}

/// digit × 10^exponent, correctly rounded, which `powi` is not.
fn decimal(digit: f64, exponent: i32) -> f64 {
    format!("{digit}e{exponent}").parse().unwrap_or(f64::MAX)
}

/// A length in nm, µm, mm, cm, m or km, whichever gives the smallest number of at least one.
pub(super) fn length(metres: f64) -> String {
    match unit(metres) {
        Some((size, name)) => format!("{} {name}", significant(metres / size)),
        None if metres == 0.0 => "0 m".to_string(),
        None => format!("{metres:.0e} m"),
    }
}

/// Two lengths in the unit that suits the larger one: `0.45 to 10.4 cm`.
pub(super) fn lengths(from: f64, to: f64) -> String {
    match unit(from.abs().max(to.abs())) {
        Some((size, name)) => format!("{} to {} {name}", significant(from / size), significant(to / size)),
        None => format!("{} to {}", length(from), length(to)),
    }
}

/// The unit that suits a length: its size in metres and its name; none for lengths beyond all units.
fn unit(metres: f64) -> Option<(f64, &'static str)> {
    let metres = metres.abs();
    let found = UNITS.into_iter().find(|(size, _)| metres >= size * (1.0 - 1e-9));
    found.filter(|(size, _)| metres < 1e4 * size)
}

/// A unit with the prefix that suits values up to the largest one, and its size.
/// Speeds get none.
pub(super) fn suited(largest: f64, of: &str) -> (f64, String) {
    let found = match of {
        "m" => unit(largest).map(|(size, name)| (size, name.to_string())),
        "N" | "Pa" => PREFIXES
            .into_iter()
            .find(|(size, _)| largest >= size * (1.0 - 1e-9))
            .map(|(size, prefix)| (size, format!("{prefix}{of}"))),
        _ => None,
    };
    found.unwrap_or((1.0, of.to_string()))
}

/// A value with its unit: `2.5 mm`, `1.2 kPa`.
pub(super) fn valued(value: f64, unit: &str) -> String {
    if unit == "m" { length(value) } else { quantity(value, unit) }
}

/// Prefixes of the SI.
const PREFIXES: [(f64, &str); 8] =
    [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p")];

/// A quantity with three significant digits and the SI prefix that suits it, for instance `1.23 mN`.
pub(super) fn quantity(value: f64, unit: &str) -> String {
    let size = value.abs() * (1.0 + 1e-9);
    match PREFIXES.iter().find(|(factor, _)| size >= *factor) {
        _ if value == 0.0 => format!("0 {unit}"),
        Some((factor, prefix)) if size < 1e4 * factor => {
            format!("{} {prefix}{unit}", significant(value / factor))
        }
        _ => format!("{value:.2e} {unit}"),
    }
}

/// A time: with prefix below a second, in plain seconds above; digits enough to tell frames apart.
pub(super) fn time(seconds: f64) -> String {
    match seconds.abs() {
        t if !t.is_finite() => "unknown".to_string(),
        t if t < 1.0 => quantity(seconds, "s"),
        t if t < 1e7 => format!("{} s", trimmed(format!("{seconds:.3}"))),
        _ => format!("{seconds:.3e} s"),
    }
}

/// A count with its noun, thousands set apart: `10 000 grains`, `1 grain`.
pub(super) fn count(number: usize, noun: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    format!("{text} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Three significant digits, without trailing zeros.
fn significant(value: f64) -> String {
    let decimals = match value.abs() {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    trimmed(format!("{value:.decimals$}")).replace('-', "−")
}

/// Without the zeros that end a decimal fraction.
fn trimmed(number: String) -> String {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.').to_string() } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_bar_is_one_two_or_five_times_a_power_of_ten() {
        for (limit, expected) in [
            (1.0, 1.0),
            (1.99, 1.0),
            (2.0, 2.0),
            (4.999, 2.0),
            (5.0, 5.0),
            (9.99, 5.0),
            (0.0123, 0.01),
            (1e-3, 1e-3),
            (0.07, 0.05),
            (2.6e-7, 2e-7),
            (1e15, 1e15),
            (7e15, 5e15),
        ] {
            assert_eq!(round_length(limit), expected, "for {limit}");
        }
    }

    #[test]
    fn lengths_get_the_unit_that_suits_them() {
        for (metres, expected) in [
            (2e-9, "2 nm"),
            (5e-7, "500 nm"),
            (2e-4, "200 µm"),
            (1e-3, "1 mm"),
            (5e-3, "5 mm"),
            (1e-2, "1 cm"),
            (0.5, "50 cm"),
            (1.0, "1 m"),
            (200.0, "200 m"),
            (5e3, "5 km"),
            (1e-10, "1e-10 m"),
            (1e9, "1e9 m"),
            (0.0, "0 m"),
        ] {
            assert_eq!(length(metres), expected);
        }
    }

    #[test]
    fn two_lengths_share_their_unit() {
        assert_eq!(lengths(0.0045, 0.104), "0.45 to 10.4 cm");
        assert_eq!(lengths(-2.0, 0.0), "−2 to 0 m");
        assert_eq!(lengths(0.0, 0.0), "0 m to 0 m");
    }

    #[test]
    fn units_suit_the_largest_value() {
        assert_eq!(suited(2.5e-3, "m"), (1e-3, "mm".to_string()));
        assert_eq!(suited(4.2e4, "Pa"), (1e3, "kPa".to_string()));
        assert_eq!(suited(1e-3, "m/s"), (1.0, "m/s".to_string()));
        assert_eq!(suited(0.0, "Pa"), (1.0, "Pa".to_string()));
        assert_eq!((valued(2.5e-3, "m"), valued(1200.0, "Pa")), ("2.5 mm".to_string(), "1.2 kPa".to_string()));
    }

    #[test]
    fn quantities_get_a_prefix_and_three_digits() {
        for (value, expected) in [
            (0.0, "0 N"),
            (1.0, "1 N"),
            (0.001234, "1.23 mN"),
            (12.34, "12.3 N"),
            (999.96, "1000 N"),
            (-0.5, "−500 mN"),
            (4.5e-6, "4.5 µN"),
            (1e-20, "1.00e-20 N"),
            (3e5, "300 kN"),
        ] {
            assert_eq!(quantity(value, "N"), expected);
        }
    }

    #[test]
    fn times_and_counts_read_well() {
        assert_eq!(time(0.0), "0 s");
        assert_eq!(time(0.0125), "12.5 ms");
        assert_eq!(time(3600.0), "3600 s");
        assert_eq!(time(1.25), "1.25 s");
        assert_eq!(time(f64::NAN), "unknown");
        assert_eq!(count(1, "grain"), "1 grain");
        assert_eq!(count(0, "grain"), "0 grains");
        assert_eq!(count(1234567, "grain"), "1 234 567 grains");
        assert_eq!(count(100, "contact"), "100 contacts");
    }
}
