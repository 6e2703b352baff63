//! Axes of plots: how they count, where their ticks are, and what those are called.

use super::super::lettering::{self, Style, superscript};
use super::super::palette::{GREY, INK};

/// Lettering of labels and ticks.
pub(in crate::picture) const LABEL: Style = Style { size: 22.0, weight: 1.7, colour: INK };
pub(in crate::picture) const TICK: Style = Style { size: 20.0, weight: 1.6, colour: GREY };
/// Distance of the ticks of a vertical axis [units].
const ROW: f64 = 46.0;
/// Space between the numbers at a horizontal axis [units].
const APART: f64 = 34.0;

/// How an axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// In equal steps.
    Linear,
    /// In equal ratios.
    Log,
}

impl Count {
    /// Whether an axis can show a value.
    pub(crate) fn shows(self, value: f64) -> bool {
        value.is_finite() && (self == Count::Linear || value > 0.0)
    }

    fn forth(self, value: f64) -> f64 {
        if self == Count::Log { value.log10() } else { value }
    }
}

/// From values to pixels, and the ticks.
#[derive(Clone, Debug)]
pub(in crate::picture) struct Scale {
    count: Count,
    /// Ends, as logarithms on a logarithmic axis.
    from: f64,
    to: f64,
    pixels: [f64; 2],
    /// Distance of the ticks of a linear axis.
    step: f64,
    /// The numbers at its ticks are to be multiplied by this power of ten.
    power: i32,
}

impl Scale {
    /// A scale that holds two values with a little room; some scale if there are none. It rises to the right or upwards.
    pub(in crate::picture) fn around(count: Count, low: f64, high: f64, pixels: [f64; 2]) -> Scale {
        let (low, high) = if low <= high { (count.forth(low), count.forth(high)) } else { (0.0, 1.0) };
        let one = if count == Count::Linear && low != 0.0 { 0.5 * low.abs() } else { 1.0 };
        let span = if high > low { high - low } else { one };
        // a linear axis of values of one sign that nearly starts at zero starts there
        let is_near_zero = count == Count::Linear && low >= 0.0 && low < 0.3 * high;
        let from = if is_near_zero { 0.0 } else { low - 0.04 * span };
        Scale::between(count, from, high + 0.04 * span, pixels)
    }

    /// A scale that begins and ends at two values, logarithms on a logarithmic axis.
    pub(in crate::picture) fn between(count: Count, from: f64, to: f64, pixels: [f64; 2]) -> Scale {
        let largest = from.abs().max(to.abs());
        let decade = if count == Count::Linear && largest > 0.0 { largest.log10().floor() as i32 } else { 0 };
        let power = if (-2..5).contains(&decade) { 0 } else { 3 * decade.div_euclid(3) };
        let mut scale = Scale { count, from, to, pixels, step: to - from, power };
        let steps = steps((to - from) / 24.0);
        scale.step =
            steps.into_iter().find(|step| Scale { step: *step, ..scale.clone() }.has_room()).unwrap_or(to - from);
        scale
    }

    /// Whether the numbers at the ticks stand apart.
    fn has_room(&self) -> bool {
        let apart = self.step / (self.to - self.from) * (self.pixels[1] - self.pixels[0]).abs();
        let is_upright = self.pixels[0] > self.pixels[1];
        apart >= if is_upright { ROW } else { self.widest() + APART }
    }

    /// Whether it can show a value.
    pub(in crate::picture) fn shows(&self, value: f64) -> bool {
        self.count.shows(value)
    }

    pub(in crate::picture) fn pixel(&self, value: f64) -> f64 {
        let part = (self.count.forth(value) - self.from) / (self.to - self.from);
        self.pixels[0] + part * (self.pixels[1] - self.pixels[0])
    }

    /// Values that get a tick: powers of ten, with 2 and 5 where there are few, or multiples of 1, 2, 5 x 10^k.
    pub(in crate::picture) fn ticks(&self) -> Vec<f64> {
        let slack = 1e-9 * (self.to - self.from);
        if self.count == Count::Linear {
            let range =
                ((self.from - slack) / self.step).ceil() as i64..=((self.to + slack) / self.step).floor() as i64;
            return range.take(60).map(|k| k as f64 * self.step).collect();
        }
        let decades = self.from.floor() as i32..=self.to.ceil() as i32;
        let room = if self.pixels[0] > self.pixels[1] { ROW } else { 70.0 };
        let most = ((self.pixels[1] - self.pixels[0]).abs() / room).max(1.0);
        let stride = ((self.to - self.from) / most).ceil().max(1.0) as i32;
        let digits: &[f64] = if 3.0 * (self.to - self.from) < most.min(6.6) { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let all = decades.filter(|k| k % stride == 0).flat_map(|k| digits.iter().map(move |d| d * 10f64.powi(k)));
        all.filter(|value| (self.from - slack..=self.to + slack).contains(&value.log10())).collect()
    }

    /// Values between the ticks of a logarithmic axis: 2 to 9 times each power of ten.
    pub(in crate::picture) fn between_ticks(&self) -> Vec<f64> {
        if self.count == Count::Linear || self.to - self.from > 8.0 {
            return Vec::new();
        }
        let decades = self.from.floor() as i32..=self.to.ceil() as i32;
        let all = decades.flat_map(|k| (2..10).map(move |digit| f64::from(digit) * 10f64.powi(k)));
        all.filter(|value| (self.from..=self.to).contains(&value.log10())).collect()
    }

    /// The number at a tick.
    pub(in crate::picture) fn name(&self, value: f64) -> String {
        let is_wide = self.to - self.from >= 3.0;
        if self.count == Count::Log && (is_wide || !(1e-2..1e4).contains(&(value * (1.0 + 1e-9)))) {
            let exponent = (value.log10() + 1e-9).floor() as i32;
            let digit = value / 10f64.powi(exponent);
            let ten = format!("10{}", superscript(exponent));
            return if digit < 1.5 { ten } else { format!("{digit:.0}×{ten}") };
        }
        let (value, step) = match self.count {
            Count::Log => (value, value),
            Count::Linear => (value / 10f64.powi(self.power), self.step / 10f64.powi(self.power)),
        };
        let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 17.0) as usize;
        let text = format!("{value:.decimals$}");
        let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
        if is_zero { text.replace('-', "") } else { text.replace('-', "−") }
    }

    /// The label of the axis, with the power of ten that its numbers are to be multiplied by.
    pub(in crate::picture) fn label(&self, label: &str) -> String {
        let ten = format!("10{}", superscript(self.power));
        match label.strip_suffix(')').and_then(|label| label.rsplit_once('(')) {
            _ if self.power == 0 => label.to_string(),
            Some((what, unit)) => format!("{what}({ten} {unit})"),
            None => format!("{label} ({ten})"),
        }
    }

    /// Width of the widest number [units].
    pub(in crate::picture) fn widest(&self) -> f64 {
        self.ticks().iter().map(|tick| lettering::width(&self.name(*tick), TICK)).fold(0.0, f64::max)
    }
}

/// 1, 2, 5 x 10^k in order, from a number on.
fn steps(from: f64) -> Vec<f64> {
    let decade = from.abs().max(f64::MIN_POSITIVE).log10().floor() as i32;
    let all =
        (decade..decade + 4).flat_map(|k| [1, 2, 5].map(|digit| format!("{digit}e{k}").parse().unwrap_or(f64::MAX)));
    all.filter(|step| *step >= from * (1.0 - 1e-9)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let linear = Scale::around(Count::Linear, 0.1, 9.0, [600.0, 0.0]);
        assert_eq!(linear.ticks(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        assert_eq!(linear.name(3.0), "3");
        let log = Scale::around(Count::Log, 1e-6, 0.5, [600.0, 0.0]);
        assert_eq!(log.ticks().len(), 6);
        assert_eq!((log.name(1e-6), log.name(0.1)), ("10⁻⁶".to_string(), "10⁻¹".to_string()));
        assert!(log.pixel(1e-6) > log.pixel(1e-5));
        assert_eq!(Scale::around(Count::Log, 0.1, 5.0, [600.0, 0.0]).name(0.2), "0.2");
    }

    #[test]
    fn numbers_never_touch_however_short_the_axis() {
        for length in [80.0, 200.0, 1000.0] {
            for (low, high) in [(0.0, 1.0), (-3e-7, 5e-7), (44980.1201, 44980.1204), (1e9, 1e9), (0.0, 0.0)] {
                let scale = Scale::around(Count::Linear, low, high, [0.0, length]);
                let ticks = scale.ticks();
                for pair in ticks.windows(2) {
                    let half = |tick: f64| 0.5 * lettering::width(&scale.name(tick), TICK);
                    let room = scale.pixel(pair[1]) - half(pair[1]) - scale.pixel(pair[0]) - half(pair[0]);
                    assert!(room > 10.0, "{low} to {high} over {length}: {room}");
                }
            }
        }
    }

    #[test]
    fn large_and_small_numbers_give_their_power_to_the_label() {
        let scale = Scale::around(Count::Linear, 0.0, 4.2e-6, [600.0, 0.0]);
        assert_eq!((scale.label("Energy (J)"), scale.name(2e-6)), ("Energy (10⁻⁶ J)".into(), "2.0".into()));
        assert_eq!(scale.label("Overlap"), "Overlap (10⁻⁶)");
        assert_eq!(Scale::around(Count::Linear, 0.0, 9e3, [600.0, 0.0]).label("Contacts"), "Contacts");
    }
}
