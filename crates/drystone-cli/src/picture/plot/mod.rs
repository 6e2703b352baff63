//! Plots of curves: axes, ticks, lines and dots as SVG, in the manner of the pictures of packings. Quantities of
//! different units stand in panels one above the other, over the same horizontal axis.

pub(super) mod axis;
mod bar;
mod curve;
mod panel;

use std::fmt::Write;

pub(crate) use axis::Count;
use axis::{LABEL, Scale, TICK};
pub(crate) use bar::Bar;
pub(crate) use curve::Hand;
use curve::{CURVES, Curve};
pub(crate) use panel::{Axis, Tile};
use panel::{BETWEEN, Layout, Panel, ROW};

use super::Format;
use super::lettering::{self, Style};
use super::palette::{Colour, INK, PAPER, hex};
use super::paper::Paper;

/// Paper of a plot if nothing else is said: as wide as two columns of a journal.
const PLAIN: Paper = Paper::new([1200.0, 800.0]);
/// Space right of the field and above the first panel without a title [units].
const MARGIN: f64 = 40.0;
/// Height of the title, and of what stands below the field [units].
const HEAD: f64 = 78.0;
const FOOT: f64 = 84.0;
/// Lowest panel that can be read [units].
const LOWEST: f64 = 60.0;
const TITLE: Style = Style { size: 30.0, weight: 2.1, colour: INK };

/// A plot.
#[derive(Clone, Debug)]
pub(crate) struct Plot {
    title: String,
    x: Axis,
    panels: Vec<Panel>,
    bar: Option<Bar>,
    paper: Paper,
}

impl Plot {
    /// An empty plot.
    pub(crate) fn new(title: &str, x: Axis, y: Axis) -> Plot {
        let mut plot = Plot { title: title.to_string(), x, panels: Vec::new(), bar: None, paper: PLAIN };
        plot.add_panel(y);
        plot
    }

    /// Adds a panel below the others, which takes the curves that follow.
    pub(crate) fn panel(&mut self, label: &str, count: Count) {
        self.add_panel(Axis::new(label, count));
    }

    fn add_panel(&mut self, axis: Axis) {
        self.panels.push(Panel { axis, curves: Vec::new(), tiles: Vec::new(), colours: 0 });
    }

    /// Draws on other paper.
    pub(crate) fn on(&mut self, paper: Paper) {
        self.paper = paper;
    }

    /// Paper of a plot of this size and resolution, where they are given.
    pub(crate) fn paper(size: Option<[f64; 2]>, dpi: Option<f64>) -> Paper {
        Paper { size: size.unwrap_or(PLAIN.size), dpi: dpi.unwrap_or(PLAIN.dpi) }
    }

    /// Puts a bar of colours beside the panels.
    pub(crate) fn bar(&mut self, bar: Bar) {
        self.bar = Some(bar);
    }

    /// Adds a curve in a colour of its own.
    pub(crate) fn curve(&mut self, name: impl Into<String>, hand: Hand, points: Vec<(f64, f64)>) {
        self.last().colours += 1;
        self.again(name, hand, points);
    }

    /// Whether the next curve of the panel gets a colour that no other has.
    pub(crate) fn has_colours_left(&self) -> bool {
        self.panels.last().is_some_and(|panel| panel.colours < CURVES.len())
    }

    /// Adds a curve in the colour of the last one.
    pub(crate) fn again(&mut self, name: impl Into<String>, hand: Hand, points: Vec<(f64, f64)>) {
        let colour = CURVES[self.last().colours.saturating_sub(1) % CURVES.len()];
        self.coloured(name, hand, points, colour);
    }

    /// Adds a curve in this colour.
    pub(crate) fn coloured(&mut self, name: impl Into<String>, hand: Hand, points: Vec<(f64, f64)>, colour: Colour) {
        self.last().curves.push(Curve { name: name.into(), points, hand, colour });
    }

    /// Adds the tiles of a map.
    pub(crate) fn tiles(&mut self, tiles: Vec<Tile>) {
        self.last().tiles.extend(tiles);
    }

    fn last(&mut self) -> &mut Panel {
        self.panels.last_mut().expect("a plot begins with a panel")
    }

    /// Refuses paper on which nothing could be read.
    pub(crate) fn check_room(&self) -> Result<(), String> {
        let layout = self.layout();
        let has_room = layout.right - layout.left >= 120.0
            && layout.spans.iter().all(|[top, bottom]| bottom - top >= LOWEST)
            && layout.spans.iter().all(|span| span[1] <= self.paper.size[1] - FOOT + 1.0);
        let panels = if self.panels.len() == 1 { "a plot".into() } else { format!("{} panels", self.panels.len()) };
        if has_room { Ok(()) } else { Err(format!("the paper is too small for {panels}: make --size larger")) }
    }

    /// The content of the picture file. Points that an axis cannot show are left out.
    pub(crate) fn draw(&self, format: Format) -> Result<Vec<u8>, String> {
        match format {
            Format::Svg => Ok(self.svg().into_bytes()),
            Format::Png => self.paper.png(&self.svg()),
        }
    }

    fn svg(&self) -> String {
        let [width, height] = self.paper.size;
        let mut svg = self.paper.open();
        let _ = writeln!(svg, r#"<rect width="{width}" height="{height}" fill="{}"/>"#, hex(PAPER));
        let layout = self.layout();
        let room = width - MARGIN - layout.left;
        let style = lettering::fitted(&self.title, room, 20.0, TITLE);
        lettering::write(&mut svg, &lettering::shortened(&self.title, room, style), [layout.left, 50.0], style);
        let x = self.scale(0, self.x.count, &self.panels, [layout.left, layout.right]);
        for (panel, span) in self.panels.iter().zip(&layout.spans) {
            let y = self.scale(1, panel.axis.count, std::slice::from_ref(panel), [span[1], span[0]]);
            panel.write(&mut svg, [&x, &y], &layout, *span);
        }
        let (top, bottom) = (layout.spans[0][0], layout.spans[layout.spans.len() - 1][1]);
        for tick in x.ticks() {
            let name = x.name(tick);
            let at = x.pixel(tick) - 0.5 * lettering::width(&name, TICK);
            lettering::write(&mut svg, &name, [at, bottom + 30.0], TICK);
        }
        let label = x.label(&self.x.label);
        let style = lettering::fitted(&label, layout.right - layout.left, 15.0, LABEL);
        let middle = 0.5 * (layout.left + layout.right - lettering::width(&label, style));
        lettering::write(&mut svg, &label, [middle, bottom + 66.0], style);
        if let Some(bar) = &self.bar {
            bar.write(&mut svg, layout.right + 24.0, [top, bottom]);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Divides the paper: the fields are what title, legends, numbers and labels leave.
    fn layout(&self) -> Layout {
        let [width, height] = self.paper.size;
        let head = if self.title.is_empty() { MARGIN } else { HEAD };
        let count = self.panels.len() as f64;
        let whole = [head, height - FOOT];
        let right = width - self.bar.as_ref().map_or(MARGIN, |bar| 24.0 + bar.width(whole) + 14.0);
        let divide = |rows: &[f64]| {
            let taken = rows.iter().sum::<f64>() * ROW + (count - 1.0) * BETWEEN;
            let each = ((whole[1] - whole[0] - taken) / count).max(LOWEST);
            let mut top = head;
            let span = |rows: &f64| {
                let span = [top + rows * ROW, top + rows * ROW + each];
                top = span[1] + BETWEEN;
                span
            };
            rows.iter().map(span).collect::<Vec<_>>()
        };
        let left = |spans: &[[f64; 2]]| {
            let scales = self.panels.iter().zip(spans).map(|(panel, span)| {
                self.scale(1, panel.axis.count, std::slice::from_ref(panel), [span[1], span[0]]).widest()
            });
            24.0 + LABEL.size + 18.0 + scales.fold(0.0, f64::max) + 12.0
        };
        // legends need rows, which make the fields lower, which may give them other numbers
        let (mut spans, mut edge, mut room) = (Vec::new(), 0.0_f64, 0.0);
        for _ in 0..2 {
            room = right - edge;
            let rows: Vec<f64> = self.panels.iter().map(|panel| panel.places(room).1).collect();
            spans = divide(&rows);
            edge = edge.max(left(&spans));
        }
        Layout { left: edge, right, room, spans }
    }

    /// The scale that shows all points of these panels along an axis.
    fn scale(&self, axis: usize, count: Count, panels: &[Panel], pixels: [f64; 2]) -> Scale {
        let of = |point: &(f64, f64)| if axis == 0 { point.0 } else { point.1 };
        let points = panels.iter().flat_map(|panel| &panel.curves).flat_map(|curve| &curve.points).map(of);
        let tiles = panels.iter().flat_map(|panel| &panel.tiles).flat_map(|tile| [tile.x, tile.y][axis]);
        let ends = |values: &mut dyn Iterator<Item = f64>| {
            values
                .filter(|v| count.shows(*v))
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], v| [l.min(v), h.max(v)])
        };
        let [[low, high], [from, to]] = [ends(&mut points.into_iter()), ends(&mut tiles.into_iter())];
        // a map fills its field
        match from < to && low >= from && high <= to || from < to && low > high {
            true if count == Count::Linear => Scale::between(count, from, to, pixels),
            _ => Scale::around(count, low.min(from), high.max(to), pixels),
        }
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
                let mut plot = Plot::new("a < b", Axis::new("x", count), Axis::new("y", count));
                plot.curve("one", Hand::Line, points.clone());
                plot.again("", Hand::Dots, points.clone());
                let svg = plot.svg();
                assert!(parse(&svg).is_ok() && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
    }

    #[test]
    fn every_panel_has_axes_of_its_own_inside_the_paper() {
        for size in [[430.0, 400.0], [1200.0, 800.0]] {
            let mut plot = Plot::new("two units", Axis::linear("Time (s)"), Axis::linear("Energy (J)"));
            plot.curve("", Hand::Line, vec![(0.0, 1.0), (1.0, 2.0)]);
            plot.panel("Force (N)", Count::Linear);
            plot.curve("a long name of a curve", Hand::Line, vec![(0.0, 1e9), (1.0, 2e9)]);
            plot.curve("and another one", Hand::Line, vec![(0.0, 1e9), (1.0, 2e9)]);
            plot.on(Plot::paper(Some(size), None));
            assert_eq!(plot.svg().matches("class=\"axes\"").count(), 2);
            let layout = plot.layout();
            let [one, other] = layout.spans[..] else { panic!("two panels") };
            assert!(plot.check_room().is_ok());
            assert!(one[1] < other[0] && other[1] <= size[1] - FOOT + 1e-9 && layout.left < layout.right);
        }
    }

    #[test]
    fn paper_that_is_too_small_is_refused() {
        let mut plot = Plot::new("", Axis::linear("x"), Axis::linear("y"));
        (0..3).for_each(|_| plot.panel("more", Count::Linear));
        plot.on(Plot::paper(Some([300.0, 300.0]), None));
        assert!(plot.check_room().unwrap_err().contains("4 panels"));
    }

    /// A line through a number that is missing would claim what nobody measured.
    #[test]
    fn a_missing_number_leaves_a_gap() {
        let mut plot = Plot::new("gap", Axis::linear("x"), Axis::linear("y"));
        plot.curve("", Hand::Line, vec![(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, 2.0)]);
        let svg = plot.svg();
        let path = svg.split("d=\"").find(|path| path.contains("stroke-width=\"2.6\"")).unwrap();
        assert_eq!(path.split('"').next().unwrap().matches('M').count(), 2);
    }
}
