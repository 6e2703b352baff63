//! Curves of plots: lines, dashes, dots and bands.

use std::fmt::Write;

use super::super::palette::{Colour, hex};
use super::axis::Scale;

/// Colours of curves, apart in lightness too.
pub(super) const CURVES: [Colour; 7] =
    [[190, 42, 20], [43, 120, 181], [38, 40, 46], [222, 158, 54], [86, 140, 90], [150, 110, 170], [120, 84, 60]];

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hand {
    /// A line through all points, with gaps where a number is missing.
    Line,
    /// A dashed line, for what is expected.
    Dashes,
    /// A dot at each point.
    Dots,
    /// A faint area within the closed line through all points.
    Band,
}

/// A curve with its name.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    pub hand: Hand,
    pub colour: Colour,
}

impl Curve {
    /// Writes the curve; points that an axis cannot show are left out and leave a gap.
    pub(super) fn write(&self, svg: &mut String, scales: [&Scale; 2]) {
        let pixel = |(x, y): &(f64, f64)| [scales[0].pixel(*x), scales[1].pixel(*y)];
        let runs = self.points.split(|(x, y)| !(scales[0].shows(*x) && scales[1].shows(*y)));
        let pixels: Vec<Vec<[f64; 2]>> = runs.map(|run| run.iter().map(pixel).collect()).collect();
        self.stroke(svg, &pixels);
    }

    /// Writes pieces of the curve [units].
    pub(super) fn stroke(&self, svg: &mut String, runs: &[Vec<[f64; 2]>]) {
        let colour = hex(self.colour);
        if self.hand == Hand::Dots {
            for [x, y] in runs.iter().flatten() {
                let _ = writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="5.5" fill="{colour}"/>"#);
            }
            return;
        }
        if self.hand == Hand::Band {
            for run in runs.iter().filter(|run| run.len() > 2) {
                let corners: String = run.iter().map(|[x, y]| format!("{x:.1},{y:.1} ")).collect();
                let _ = writeln!(svg, r#"<polygon points="{corners}" fill="{colour}" fill-opacity="0.18"/>"#);
            }
            return;
        }
        let dashes = if self.hand == Hand::Dashes { r#" stroke-dasharray="10 8""# } else { "" };
        let mut path = String::new();
        for run in runs.iter().filter(|run| run.len() > 1) {
            for (k, [x, y]) in run.iter().enumerate() {
                let _ = write!(path, "{}{x:.1} {y:.1}", if k == 0 { "M" } else { "L" });
            }
        }
        // a point between two gaps
        for [x, y] in runs.iter().filter(|run| run.len() == 1).flatten() {
            let _ = writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.6" fill="{colour}"/>"#);
        }
        if !path.is_empty() {
            let _ = writeln!(
                svg,
                r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.6" stroke-linejoin="round" stroke-linecap="round"{dashes}/>"#
            );
        }
    }
}
