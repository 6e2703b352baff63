//! Times and counts as people read them, and how long something still takes.

/// A time constant over which a pace forgets, as a part of the time that has gone.
const MEMORY: f64 = 0.1;
/// The same at least [s].
const SHORTEST: f64 = 2.0;

/// How fast a quantity grows lately: its rate, averaged with weights that fade.
pub(crate) struct Pace {
    /// Second and amount when it was looked at last.
    last: (f64, f64),
    /// Faded sums of amounts and of seconds.
    sums: (f64, f64),
}

impl Pace {
    /// A pace that begins with this amount at second zero.
    pub(crate) fn from(amount: f64) -> Pace {
        Pace { last: (0.0, amount), sums: (0.0, 0.0) }
    }

    /// Notes the amount at a second.
    pub(crate) fn note(&mut self, second: f64, amount: f64) {
        let (since, gain) = (second - self.last.0, amount - self.last.1);
        let fade = (-since / SHORTEST.max(MEMORY * second)).exp();
        self.sums = (fade * self.sums.0 + gain, fade * self.sums.1 + since);
        self.last = (second, amount);
    }

    /// Amount a second, once it is known.
    pub(crate) fn rate(&self) -> Option<f64> {
        (self.sums.0 > 0.0 && self.sums.1 > 0.0).then(|| self.sums.0 / self.sums.1)
    }

    /// Seconds until so much more has come.
    pub(crate) fn left(&self, more: f64) -> Option<f64> {
        self.rate().map(|rate| more.max(0.0) / rate)
    }
}

/// A moment on the clock of a run, in the unit that shows it with few digits.
pub(crate) fn moment(seconds: f64) -> String {
    let rounded: f64 = format!("{seconds:.5e}").parse().unwrap_or(seconds);
    let (unit, power) = match rounded.abs() {
        0.0 => ("s", 0),
        s if s < 1e-6 => ("ns", 9),
        s if s < 1e-3 => ("us", 6),
        s if s < 0.1 => ("ms", 3),
        _ => ("s", 0),
    };
    // the power of ten is moved in the text, so that no digits come up; a tenth of the next unit is shown in it
    let unit_of = |unit: &str, power: i32| {
        let text = format!("{rounded:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent = exponent.parse::<i32>().unwrap_or(0) + power;
        format!("{} {unit}", format!("{digits}e{exponent}").parse::<f64>().unwrap_or(rounded))
    };
    match (unit, rounded.abs()) {
        ("us", s) if s >= 1e-4 => unit_of("ms", 3),
        ("ns", s) if s >= 1e-7 => unit_of("us", 6),
        _ => unit_of(unit, power),
    }
}

/// A duration in readable units, rounded before it is split, so that no minute has sixty seconds.
pub(crate) fn clock(seconds: f64) -> String {
    match seconds {
        0.0 => "0 s".into(),
        s if s < 9.995e-4 => format!("{:.*} us", if s < 9.995e-6 { 2 } else { 0 }, 1e6 * s),
        s if s < 0.9995 => format!("{:.*} ms", if s < 9.995e-3 { 2 } else { 0 }, 1e3 * s),
        s if s < 99.95 => format!("{s:.1} s"),
        s if s < 5999.5 => format!("{:.0} min {:02.0} s", (s.round() / 60.0).floor(), s.round() % 60.0),
        s => {
            let minutes = (s / 60.0).round();
            format!("{:.0} h {:02.0} min", (minutes / 60.0).floor(), minutes % 60.0)
        }
    }
}

/// A number with the word for what is counted, in the singular or in the plural.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_the_unit_that_shows_them() {
        assert_eq!(moment(0.0), "0 s");
        assert_eq!(moment(0.0004), "0.4 ms");
        assert_eq!(moment(3.25e-6), "3.25 us");
        assert_eq!(moment(0.922), "0.922 s");
        assert_eq!(moment(0.922_000_000_000_000_7), "0.922 s");
        assert_eq!(moment(0.012_345_678), "12.3457 ms");
        assert_eq!(moment(123_456.789), "123457 s");
        assert_eq!(moment(0.999_999_9), "1 s", "rounded before the unit is chosen");
    }

    /// Steps that take ten times as long after a minute: the mean since the start would say a tenth of the time that is
    /// left for long.
    #[test]
    fn the_time_left_follows_the_present_speed() {
        let mut pace = Pace::from(0.0);
        let mut time = 0.0;
        for second in 1..=60 {
            time += 1.0;
            pace.note(f64::from(second), time);
        }
        assert!((pace.left(100.0).unwrap() - 100.0).abs() < 1e-9, "a steady speed is known exactly");
        for second in 61..=120 {
            time += 0.1;
            pace.note(f64::from(second), time);
        }
        let left = pace.left(10.0).unwrap();
        assert!((95.0..105.0).contains(&left), "{left}");
        assert!(10.0 * 120.0 / time < 20.0, "which the mean does not know");
        assert_eq!(Pace::from(1.0).left(1.0), None);
    }

    #[test]
    fn durations_are_rounded_before_they_are_split() {
        assert_eq!(clock(3719.7), "62 min 00 s");
        assert_eq!(clock(3719.4), "61 min 59 s");
        assert_eq!(clock(7199.0), "2 h 00 min");
        assert_eq!(clock(5999.6), "1 h 40 min");
        assert_eq!(clock(99.96), "1 min 40 s");
        assert_eq!(clock(12.34), "12.3 s");
        assert_eq!(clock(0.0123), "12 ms");
        assert_eq!(clock(0.00123), "1.23 ms");
        assert_eq!(clock(1.6e-4), "160 us");
        assert_eq!(clock(1.5e-6), "1.50 us");
        assert_eq!(clock(0.0), "0 s");
    }

    #[test]
    fn one_step_is_a_step() {
        assert_eq!(counted(1, "step", "steps"), "1 step");
        assert_eq!(counted(0, "step", "steps"), "0 steps");
        assert_eq!(counted(2, "contact", "contacts"), "2 contacts");
    }
}
