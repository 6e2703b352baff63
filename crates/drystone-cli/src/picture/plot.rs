//! Plots of curves: axes, ticks, lines and dots as SVG, in the manner of the pictures of packings.

use std::fmt::Write;

use super::lettering::{self, Style};
use super::palette::{Colour, GREY, INK, PAPER, hex, mix};
use super::{Format, png_of_svg, scale};

/// Size of a plot [px].
const SIZE: [f64; 2] = [1200.0, 800.0];
/// Corners of the field between the axes [px].
const FIELD: [[f64; 2]; 2] = [[130.0, 150.0], [1160.0, 700.0]];
const TITLE: Style = Style { size: 30.0, weight: 2.1, colour: INK };
const LABEL: Style = Style { size: 22.0, weight: 1.7, colour: INK };
const TICK: Style = Style { size: 20.0, weight: 1.6, colour: GREY };

/// Colours of curves, apart in lightness too.
const CURVES: [Colour; 7] =
    [[190, 42, 20], [43, 120, 181], [38, 40, 46], [222, 158, 54], [86, 140, 90], [150, 110, 170], [120, 84, 60]];

/// How an axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// In equal steps.
    Linear,
    /// In equal ratios.
    Log,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hand {
    /// A line through all points.
    Line,
    /// A dashed line, for what is expected.
    Dashes,
    /// A dot at each point.
    Dots,
}

/// A curve with its name.
#[derive(Clone, Debug)]
struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
    hand: Hand,
    colour: Colour,
}

/// An axis with its label.
#[derive(Clone, Debug)]
struct Axis {
    label: String,
    count: Count,
}

/// A plot.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    title: String,
    axes: [Axis; 2],
    curves: Vec<Curve>,
    colours: usize,
}

impl Plot {
    /// An empty plot.
    pub(crate) fn new(title: &str, x: (&str, Count), y: (&str, Count)) -> Plot {
        let axes = [x, y].map(|(label, count)| Axis { label: label.to_string(), count });
        Plot { title: title.to_string(), axes, curves: Vec::new(), colours: 0 }
    }

    /// Adds a curve in a colour of its own.
    pub(crate) fn curve(&mut self, name: impl Into<String>, hand: Hand, points: Vec<(f64, f64)>) {
        self.colours += 1;
        self.again(name, hand, points);
    }

    /// Adds a curve in the colour of the last one.
    pub(crate) fn again(&mut self, name: impl Into<String>, hand: Hand, points: Vec<(f64, f64)>) {
        let colour = CURVES[self.colours.saturating_sub(1) % CURVES.len()];
        self.curves.push(Curve { name: name.into(), points, hand, colour });
    }

    /// The content of the picture file. Points that an axis cannot show are left out.
    pub(crate) fn draw(&self, format: Format) -> Result<Vec<u8>, String> {
        match format {
            Format::Svg => Ok(self.svg().into_bytes()),
            Format::Png => png_of_svg(&self.svg()),
        }
    }

    fn svg(&self) -> String {
        let [width, height] = SIZE;
        let scales = [0, 1].map(|axis| self.scale(axis));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n"
        );
        let _ = writeln!(svg, r#"<rect width="{width}" height="{height}" fill="{}"/>"#, hex(PAPER));
        lettering::write(&mut svg, &self.title, [FIELD[0][0], 56.0], TITLE);
        self.axes(&mut svg, &scales);
        for curve in &self.curves {
            curve.write(&mut svg, &scales);
        }
        self.legend(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    /// The scale that shows all points of all curves.
    fn scale(&self, axis: usize) -> Scale {
        let count = self.axes[axis].count;
        let of = |point: &(f64, f64)| if axis == 0 { point.0 } else { point.1 };
        let values = self.curves.iter().flat_map(|curve| &curve.points).map(of).filter(|value| count.shows(*value));
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let pixels = if axis == 0 { [FIELD[0][0], FIELD[1][0]] } else { [FIELD[1][1], FIELD[0][1]] };
        Scale::around(count, low, high, pixels)
    }

    fn axes(&self, svg: &mut String, scales: &[Scale; 2]) {
        let [[left, top], [right, bottom]] = FIELD;
        let grid = hex(mix(GREY, PAPER, 0.8));
        for tick in scales[0].ticks() {
            let x = scales[0].pixel(tick);
            let _ = writeln!(svg, r#"<path d="M{x:.1} {bottom}V{top}" stroke="{grid}" stroke-width="1"/>"#);
            let label = scales[0].name(tick);
            label.write(svg, [x - 0.5 * label.width(), bottom + 30.0]);
        }
        for tick in scales[1].ticks() {
            let y = scales[1].pixel(tick);
            let _ = writeln!(svg, r#"<path d="M{left} {y:.1}H{right}" stroke="{grid}" stroke-width="1"/>"#);
            let label = scales[1].name(tick);
            label.write(svg, [left - 14.0 - label.width(), y + 7.0]);
        }
        let _ = writeln!(
            svg,
            r#"<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="{}" stroke-width="2"/>"#,
            hex(INK)
        );
        let [x, y] = [0, 1].map(|axis| &self.axes[axis].label);
        lettering::write(svg, x, [right - lettering::width(x, LABEL), bottom + 68.0], LABEL);
        lettering::write(svg, y, [left - 90.0, top - 22.0], LABEL);
    }

    /// Names of the curves above the field, right of the label of the y axis, in rows from the right.
    fn legend(&self, svg: &mut String) {
        let sign = 44.0;
        let width = |curve: &Curve| sign + 12.0 + lettering::width(&curve.name, TICK);
        let start = FIELD[0][0] - 90.0 + lettering::width(&self.axes[1].label, LABEL) + 50.0;
        let named: Vec<&Curve> = self.curves.iter().filter(|curve| !curve.name.is_empty()).collect();
        let (mut x, mut y) = (start, FIELD[0][1] - 58.0);
        for curve in named {
            if x > start && x + width(curve) > FIELD[1][0] {
                (x, y) = (start, y + 30.0);
            }
            let middle = [x + 0.5 * sign, y - 6.0];
            match curve.hand {
                Hand::Dots => curve.stroke(svg, &[middle]),
                _ => curve.stroke(svg, &[[x, y - 6.0], [x + sign, y - 6.0]]),
            }
            lettering::write(svg, &curve.name, [x + sign + 12.0, y], TICK);
            x += width(curve) + 36.0;
        }
    }
}

impl Curve {
    fn write(&self, svg: &mut String, scales: &[Scale; 2]) {
        let shown = |(x, y): &&(f64, f64)| scales[0].count.shows(*x) && scales[1].count.shows(*y);
        let pixel = |(x, y): &(f64, f64)| [scales[0].pixel(*x), scales[1].pixel(*y)];
        self.stroke(svg, &self.points.iter().filter(shown).map(pixel).collect::<Vec<_>>());
    }

    fn stroke(&self, svg: &mut String, pixels: &[[f64; 2]]) {
        let colour = hex(self.colour);
        if self.hand == Hand::Dots {
            for [x, y] in pixels {
                let _ = writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="5.5" fill="{colour}"/>"#);
            }
            return;
        }
        let dashes = if self.hand == Hand::Dashes { r#" stroke-dasharray="10 8""# } else { "" };
        let mut path = String::new();
        for (k, [x, y]) in pixels.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if k == 0 { "M" } else { "L" });
        }
        if !path.is_empty() {
            let _ = writeln!(
                svg,
                r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.6" stroke-linejoin="round"{dashes}/>"#
            );
        }
    }
}

impl Count {
    /// Whether an axis can show a value.
    fn shows(self, value: f64) -> bool {
        value.is_finite() && (self == Count::Linear || value > 0.0)
    }

    fn forth(self, value: f64) -> f64 {
        if self == Count::Log { value.log10() } else { value }
    }
}

/// From values to pixels.
#[derive(Clone, Copy, Debug)]
struct Scale {
    count: Count,
    /// Ends, as logarithms on a logarithmic axis.
    from: f64,
    to: f64,
    pixels: [f64; 2],
}

impl Scale {
    /// A scale that holds two values with a little room; some scale if there are none.
    fn around(count: Count, low: f64, high: f64, pixels: [f64; 2]) -> Scale {
        let (low, high) = if low <= high { (count.forth(low), count.forth(high)) } else { (0.0, 1.0) };
        let span = if high > low { high - low } else { 1.0 };
        // a linear axis of values of one sign that nearly starts at zero starts there
        let is_near_zero = count == Count::Linear && low >= 0.0 && low < 0.3 * high;
        let from = if is_near_zero { 0.0 } else { low - 0.04 * span };
        Scale { count, from, to: high + 0.04 * span, pixels }
    }

    fn pixel(&self, value: f64) -> f64 {
        let part = (self.count.forth(value) - self.from) / (self.to - self.from);
        self.pixels[0] + part * (self.pixels[1] - self.pixels[0])
    }

    /// Values that get a tick: powers of ten, with 2 and 5 where there are few, or multiples of 1, 2, 5 x 10^k.
    fn ticks(&self) -> Vec<f64> {
        if self.count == Count::Linear {
            let step = scale::round_length((self.to - self.from) / 5.0);
            let range = (self.from / step).ceil() as i64..=(self.to / step).floor() as i64;
            return range.map(|k| k as f64 * step).collect();
        }
        let decades = self.from.floor() as i32..=self.to.ceil() as i32;
        let stride = ((self.to - self.from) / 8.0).ceil() as i32;
        let digits: &[f64] = if self.to - self.from < 2.2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let all = decades.filter(|k| k % stride == 0).flat_map(|k| digits.iter().map(move |d| d * 10f64.powi(k)));
        all.filter(|value| (self.from..=self.to).contains(&value.log10())).collect()
    }

    fn name(&self, value: f64) -> Name {
        if self.count == Count::Log && !(1e-2..1e4).contains(&(value * (1.0 + 1e-9))) {
            let exponent = value.log10().floor();
            let digit = value / 10f64.powf(exponent);
            let body = if digit < 1.5 { "10".to_string() } else { format!("{digit:.0}×10") };
            return Name { body, raised: format!("{exponent:.0}").replace('-', "−") };
        }
        let step = if self.count == Count::Log { value } else { scale::round_length((self.to - self.from) / 5.0) };
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        Name { body: format!("{value:.decimals$}").replace('-', "−"), raised: String::new() }
    }
}

/// The number at a tick, with its exponent raised.
struct Name {
    body: String,
    raised: String,
}

impl Name {
    const RAISED: Style = Style { size: 14.0, ..TICK };

    fn width(&self) -> f64 {
        let raised = if self.raised.is_empty() { 0.0 } else { 3.0 + lettering::width(&self.raised, Self::RAISED) };
        lettering::width(&self.body, TICK) + raised
    }

    fn write(&self, svg: &mut String, [x, y]: [f64; 2]) {
        lettering::write(svg, &self.body, [x, y], TICK);
        lettering::write(svg, &self.raised, [x + lettering::width(&self.body, TICK) + 3.0, y - 9.0], Self::RAISED);
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn any_points_give_a_valid_picture() {
        for points in [vec![], vec![(1.0, 1.0)], vec![(0.0, f64::NAN), (1.0, -1.0), (1e-9, 1e300)]] {
            for count in [Count::Linear, Count::Log] {
                let mut plot = Plot::new("a < b", ("x", count), ("y", count));
                plot.curve("one", Hand::Line, points.clone());
                plot.again("", Hand::Dots, points.clone());
                let svg = plot.svg();
                assert!(parse(&svg).is_ok() && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let linear = Scale::around(Count::Linear, 0.1, 9.0, [0.0, 1.0]);
        assert_eq!(linear.ticks(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        assert_eq!(linear.name(3.0).body, "3");
        let log = Scale::around(Count::Log, 1e-6, 0.5, [0.0, 1.0]);
        assert_eq!(log.ticks().len(), 6);
        assert_eq!((log.name(1e-6).body, log.name(1e-6).raised), ("10".to_string(), "−6".to_string()));
        assert!(log.pixel(1e-6) < log.pixel(1e-5));
    }
}
