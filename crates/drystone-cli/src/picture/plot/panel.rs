//! Panels of plots: a field with a vertical axis, its curves and tiles, and their names above it.

use std::fmt::Write;

use super::super::lettering;
use super::super::palette::{Colour, GREY, INK, PAPER, UNSAID, hex, mix};
use super::axis::{Count, LABEL, Scale, TICK};
use super::curve::{Curve, Hand};

/// Height of a row of a legend, and space between two panels [units].
pub(super) const ROW: f64 = 32.0;
pub(super) const BETWEEN: f64 = 26.0;
/// Length of the line in a legend [units].
const SIGN: f64 = 44.0;

/// An axis with its label.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub label: String,
    pub count: Count,
}

impl Axis {
    pub(crate) fn new(label: &str, count: Count) -> Axis {
        Axis { label: label.to_string(), count }
    }

    /// An axis in equal steps.
    pub(crate) fn linear(label: &str) -> Axis {
        Axis::new(label, Count::Linear)
    }

    /// An axis in equal ratios.
    pub(crate) fn log(label: &str) -> Axis {
        Axis::new(label, Count::Log)
    }
}

/// A field with a vertical axis of its own.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub axis: Axis,
    pub curves: Vec<Curve>,
    pub tiles: Vec<Tile>,
    pub colours: usize,
}

/// A rectangle of one colour in a map: its ends along both axes.
#[derive(Clone, Debug)]
pub(crate) struct Tile {
    /// Along the horizontal axis.
    pub x: [f64; 2],
    /// Along the vertical axis.
    pub y: [f64; 2],
    /// Its colour.
    pub colour: Colour,
}

/// Where the fields of a plot are.
pub(super) struct Layout {
    pub left: f64,
    pub right: f64,
    /// What the rows of the legends were made for.
    pub room: f64,
    /// Top and bottom of every panel.
    pub spans: Vec<[f64; 2]>,
}

impl Panel {
    pub(super) fn write(&self, svg: &mut String, [x, y]: [&Scale; 2], layout: &Layout, [top, bottom]: [f64; 2]) {
        let (left, right) = (layout.left, layout.right);
        let grid = |strength| hex(mix(GREY, PAPER, strength));
        let lines = [(x.between_ticks(), y.between_ticks(), grid(0.92)), (x.ticks(), y.ticks(), grid(0.8))];
        for (across, up, colour) in &lines {
            for at in across.iter().map(|tick| x.pixel(*tick)) {
                let _ =
                    writeln!(svg, r#"<path d="M{at:.1} {bottom:.1}V{top:.1}" stroke="{colour}" stroke-width="1"/>"#);
            }
            for at in up.iter().map(|tick| y.pixel(*tick)) {
                let _ =
                    writeln!(svg, r#"<path d="M{left:.1} {at:.1}H{right:.1}" stroke="{colour}" stroke-width="1"/>"#);
            }
        }
        for tick in y.ticks() {
            let name = y.name(tick);
            lettering::write(svg, &name, [left - 12.0 - lettering::width(&name, TICK), y.pixel(tick) + 7.0], TICK);
        }
        if !self.tiles.is_empty() {
            let (wide, high, grey) = (right - left, bottom - top, hex(UNSAID));
            let _ = writeln!(svg, r#"<path d="M{left:.1} {top:.1}h{wide:.1}v{high:.1}h-{wide:.1}z" fill="{grey}"/>"#);
        }
        for tile in &self.tiles {
            let [[x0, x1], [y0, y1]] = [tile.x.map(|at| x.pixel(at)), tile.y.map(|at| y.pixel(at))];
            let (wide, high) = (x1 - x0 + 0.6, y0 - y1 + 0.6);
            let _ = writeln!(
                svg,
                r#"<path d="M{x0:.2} {:.2}h{wide:.2}v{high:.2}h-{wide:.2}z" fill="{}"/>"#,
                y1 - 0.6,
                hex(tile.colour)
            );
        }
        let ink = hex(INK);
        let _ = writeln!(
            svg,
            r#"<path class="axes" d="M{left:.1} {top:.1}V{bottom:.1}H{right:.1}" fill="none" stroke="{ink}" stroke-width="2"/>"#
        );
        for curve in &self.curves {
            curve.write(svg, [x, y]);
        }
        let label = y.label(&self.axis.label);
        let style = lettering::fitted(&label, bottom - top + BETWEEN, 14.0, LABEL);
        let label = lettering::shortened(&label, bottom - top + BETWEEN, style);
        let start = 0.5 * (top + bottom) + 0.5 * lettering::width(&label, style);
        lettering::write_upwards(svg, &label, [24.0 + LABEL.size - 4.0, start], style);
        self.legend(svg, layout, top);
    }

    fn named(&self) -> impl Iterator<Item = &Curve> {
        self.curves.iter().filter(|curve| !curve.name.is_empty())
    }

    /// Where the names of the curves stand, from the left and in which row, and the number of rows.
    pub(super) fn places(&self, room: f64) -> (Vec<[f64; 2]>, f64) {
        let (mut x, mut row) = (0.0, 0.0);
        let places: Vec<[f64; 2]> = self
            .named()
            .map(|curve| {
                let width = SIGN + 12.0 + lettering::width(&curve.name, TICK);
                if x > 0.0 && x + width > room {
                    (x, row) = (0.0, row + 1.0);
                }
                let place = [x, row];
                x += width + 30.0;
                place
            })
            .collect();
        let rows = if places.is_empty() { 0.0 } else { row + 1.0 };
        (places, rows)
    }

    /// Names of the curves above the field.
    fn legend(&self, svg: &mut String, layout: &Layout, top: f64) {
        let room = layout.room;
        let (places, rows) = self.places(room);
        for (curve, [x, row]) in self.named().zip(places) {
            let (x, y) = (layout.left + x, top - 12.0 - (rows - 1.0 - row) * ROW);
            match curve.hand {
                Hand::Dots => curve.stroke(svg, &[vec![[x + 0.5 * SIGN, y - 6.0]]]),
                _ => curve.stroke(svg, &[vec![[x, y - 6.0], [x + SIGN, y - 6.0]]]),
            }
            let name = lettering::shortened(&curve.name, room - SIGN - 12.0, TICK);
            lettering::write(svg, &name, [x + SIGN + 12.0, y], TICK);
        }
    }
}
