//! Bars of colours beside a plot: which number a colour stands for.

use std::fmt::Write;

use super::super::lettering;
use super::super::palette::{INK, Map, hex};
use super::axis::{Count, LABEL, Scale, TICK};

/// Width of a bar [units].
const WIDTH: f64 = 26.0;
/// Pieces of one colour.
const PIECES: usize = 128;

/// A bar of colours with its label.
#[derive(Clone, Debug)]
pub(crate) struct Bar {
    /// What the numbers are, with their unit.
    pub label: String,
    /// The numbers at both ends.
    pub ends: [f64; 2],
    /// The colours.
    pub map: Map,
    /// The part of them that the bar shows: less than one where the lightest would be lost on paper.
    pub part: f64,
}

impl Bar {
    fn scale(&self, [top, bottom]: [f64; 2]) -> Scale {
        let [low, high] = self.ends;
        // one number only: the bar gets some length about it
        let half = if high > low { 0.0 } else { 0.5 * if low == 0.0 { 1.0 } else { low.abs() } };
        Scale::between(Count::Linear, low - half, high + half, [bottom, top])
    }

    /// Width with its numbers and its label [units].
    pub(super) fn width(&self, span: [f64; 2]) -> f64 {
        WIDTH + 12.0 + self.scale(span).widest() + 18.0 + LABEL.size
    }

    /// Writes the bar with its left side at x, from top to bottom.
    pub(super) fn write(&self, svg: &mut String, x: f64, [top, bottom]: [f64; 2]) {
        let step = (bottom - top) / PIECES as f64;
        for k in 0..PIECES {
            let colour = hex(self.map.at(self.part * (PIECES - 1 - k) as f64 / (PIECES - 1) as f64));
            let (y, over) = (top + k as f64 * step, if k + 1 < PIECES { 0.6 } else { 0.0 });
            let _ = writeln!(svg, r#"<path d="M{x:.1} {y:.2}h{WIDTH}v{:.2}h-{WIDTH}z" fill="{colour}"/>"#, step + over);
        }
        let scale = self.scale([top, bottom]);
        let right = x + WIDTH;
        for tick in scale.ticks() {
            let y = scale.pixel(tick);
            let _ = writeln!(svg, r#"<path d="M{right:.1} {y:.1}h7" stroke="{}" stroke-width="1.5"/>"#, hex(INK));
            lettering::write(svg, &scale.name(tick), [right + 12.0, y + 7.0], TICK);
        }
        let label = scale.label(&self.label);
        let style = lettering::fitted(&label, bottom - top, 15.0, LABEL);
        let start = 0.5 * (top + bottom) + 0.5 * lettering::width(&label, style);
        lettering::write_upwards(svg, &label, [right + 12.0 + scale.widest() + 18.0 + 16.0, start], style);
    }
}
