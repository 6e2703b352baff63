//! The sheet around a picture: title and counts above it, scale bar and legend below.

use super::legend::{Entry, LABEL, ROW};
use super::lettering::{self, Style};
use super::palette::{GREY, INK, PAPER, hex};
use super::paper::Paper;
use super::scale;
use super::view::View;
use drystone::record::frame::Frame;
use std::fmt::Write;

/// White border on all sides [px].
pub(super) const MARGIN: f64 = 40.0;
/// Height of title and counts [px].
const HEADER: f64 = 128.0;
/// Longest scale bar [px].
const BAR: f64 = 280.0;
/// Where the legend starts, right of the scale bar [px]; below it on paper that is narrower than this.
const LEGEND: f64 = MARGIN + BAR + 70.0;
const NARROW: f64 = 1000.0;

const TITLE: Style = Style { size: 36.0, weight: 2.1, colour: INK };
const NOTE: Style = Style { size: 22.0, weight: 1.7, colour: GREY };

/// A sheet with its words, ready for the picture.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    view: View,
    title: String,
    notes: String,
    legend: Vec<Entry>,
    dpi: Option<f64>,
}

impl Sheet {
    /// A sheet for this frame.
    pub(super) fn new(frame: &Frame, title: &str, view: View, legend: Vec<Entry>, dpi: Option<f64>) -> Sheet {
        let mut notes = format!(
            "t = {}   ·   {}   ·   {}",
            scale::time(frame.time),
            scale::count(frame.grains.position.len(), "grain"),
            scale::count(frame.contacts.normal_force.len(), "contact")
        );
        if frame.grains.position.is_empty() {
            notes = format!("t = {}   ·   no grains", scale::time(frame.time));
        }
        Sheet { view, title: title.split_whitespace().collect::<Vec<_>>().join(" "), notes, legend, dpi }
    }

    /// Width and height of the whole sheet [px].
    pub(super) fn size(&self) -> [f64; 2] {
        let ends = self.legend.iter().zip(self.places()).map(|(entry, [_, row])| row + entry.rows(self.room()));
        let rows = ends.fold(2.0, f64::max);
        [
            self.view.size[0] + 2.0 * MARGIN,
            (self.header_height() + self.view.size[1] + 24.0 + rows * ROW + MARGIN).round(),
        ]
    }

    /// Height of what stands above the picture [px]: without a title neither that nor counts.
    pub(super) fn header_height(&self) -> f64 {
        if self.title.is_empty() { MARGIN } else { HEADER }
    }

    /// The paper that it fills.
    pub(super) fn paper(&self) -> Paper {
        let plain = Paper::new(self.size());
        Paper { dpi: self.dpi.unwrap_or(plain.dpi), ..plain }
    }

    /// The sheet as SVG with the picture on it, whose origin is its upper left corner.
    pub(super) fn svg(&self, picture: &str) -> String {
        let [width, height] = self.size();
        let [inner_width, inner_height] = self.view.size;
        let header = self.header_height();
        let mut svg = self.paper().open();
        let _ = writeln!(svg, "<title>{}</title>", escaped(&self.title));
        let _ = writeln!(svg, r#"<rect width="{width}" height="{height}" fill="{}"/>"#, hex(PAPER));
        if !picture.is_empty() {
            let _ = write!(
                svg,
                "<clipPath id=\"picture\"><rect width=\"{inner_width}\" height=\"{inner_height}\"/></clipPath>\n<g transform=\"translate({MARGIN} {header})\"><g clip-path=\"url(#picture)\">\n{picture}</g></g>\n"
            );
        }
        self.header(&mut svg);
        let top = header + inner_height + 24.0;
        self.scale_bar(&mut svg, top);
        for (entry, [x, row]) in self.legend.iter().zip(self.places()) {
            entry.write(&mut svg, [x, top + (row + 0.5) * ROW], self.room());
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn header(&self, svg: &mut String) {
        if self.title.is_empty() {
            return;
        }
        let room = self.view.size[0];
        let title = lettering::fitted(&self.title, room, 20.0, TITLE);
        lettering::write(svg, &lettering::shortened(&self.title, room, title), [MARGIN, 62.0], title);
        let note = lettering::fitted(&self.notes, room, 15.0, NOTE);
        lettering::write(svg, &lettering::shortened(&self.notes, room, note), [MARGIN, 98.0], note);
    }

    fn scale_bar(&self, svg: &mut String, top: f64) {
        let length = scale::round_length(BAR.min(0.7 * self.view.size[0]) / self.view.scale);
        let label = scale::length(length);
        let (width, y) = (length * self.view.scale, top + 0.5 * ROW);
        let _ = writeln!(
            svg,
            r#"<path d="M{MARGIN} {:.1}v14m0-7h{width:.2}m0-7v14" fill="none" stroke="{}" stroke-width="3"/>"#,
            y - 7.0,
            hex(INK)
        );
        let x = MARGIN + 0.5 * (width - lettering::width(&label, LABEL));
        lettering::write(svg, &label, [x.max(MARGIN), y + 36.0], LABEL);
    }

    fn is_narrow(&self) -> bool {
        self.view.size[0] < NARROW
    }

    /// Width of the legend [px].
    fn room(&self) -> f64 {
        self.view.size[0] + MARGIN - if self.is_narrow() { MARGIN } else { LEGEND }
    }

    /// Where each entry of the legend stands: x [px] and row; entries flow into as many rows as they need.
    fn places(&self) -> Vec<[f64; 2]> {
        let (start, first) = if self.is_narrow() { (MARGIN, 2.0) } else { (LEGEND, 0.0) };
        let (room, end) = (self.room(), start + self.room());
        let (mut x, mut row, mut rows) = (start, first, 1.0);
        self.legend
            .iter()
            .map(|entry| {
                let width = entry.width(room);
                if x > start && x + width > end {
                    (x, row, rows) = (start, row + rows, 1.0);
                }
                let place = [x, row];
                rows = entry.rows(room).max(rows);
                x += width + 40.0;
                place
            })
            .collect()
    }
}

/// Text that may stand between two tags of XML.
fn escaped(text: &str) -> String {
    let legal = text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}'));
    legal.collect::<String>().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::legend::{ColourBar, Sign};
    use super::super::palette::Map;
    use super::super::parse;
    use super::super::view::{Area, Bounds};
    use super::*;

    fn sheet(half: [f64; 2], entries: usize) -> Sheet {
        let view = View::fit(Bounds { min: half.map(|h| -h), max: half }, Bounds::NOTHING, 0.0, Area::default());
        let entry = Entry { sign: Sign::Grain(INK), label: "a long explanation".to_string() };
        Sheet::new(&Frame::default(), "a <title> & more", view, vec![entry; entries], None)
    }

    #[test]
    fn legend_flows_and_never_leaves_the_sheet() {
        let sheet = sheet([1.0, 9.0], 9);
        let [width, height] = sheet.size();
        let places = sheet.places();
        for (entry, [x, row]) in sheet.legend.iter().zip(&places) {
            let right = x + entry.width(sheet.room());
            assert!(right <= width - MARGIN + 1e-9);
            assert!(HEADER + sheet.view.size[1] + 24.0 + (row + 1.0) * ROW <= height);
        }
        assert!(places.last().unwrap()[1] > 1.0);
    }

    /// On narrow paper the label of a bar moves above it, and both stay on the paper.
    #[test]
    fn bars_of_colours_fit_narrow_paper() {
        let bounds = Bounds { min: [-1.0; 2], max: [1.0; 2] };
        let bar = ColourBar { ends: [0.0, 3e-7], parts: [0.0, 1.0], map: Map::Cividis };
        let entry = Entry { sign: Sign::Bar(bar), label: "angular velocity, 1% to 99% (rad/s)".to_string() };
        for width in [300.0, 500.0, 1600.0] {
            let view = View::fit(bounds, Bounds::NOTHING, 0.0, Area::of(Some(width)));
            let sheet = Sheet::new(&Frame::default(), "t", view, vec![entry.clone(); 2], None);
            assert_eq!(entry.rows(sheet.room()) > 2.0, width < 1000.0);
            let paper = sheet.paper();
            let mut pixels = paper.blank().unwrap();
            paper.render(&sheet.svg(""), &mut pixels).unwrap();
            let red = |x: u32, y: u32| pixels.pixel(x, y).map_or(0, |pixel| pixel.red());
            for x in (width - 0.5 * MARGIN) as u32..width as u32 {
                assert!((0..pixels.height()).all(|y| red(x, y) == 255), "something stands in the margin of {width}");
            }
        }
    }

    #[test]
    fn sheet_is_well_formed_with_and_without_a_picture() {
        assert!(parse(&sheet([1.0, 1.0], 2).svg("<circle r=\"3\"/>\n")).is_ok());
        assert!(parse(&sheet([1.0, 1.0], 0).svg("")).is_ok());
    }

    #[test]
    fn control_characters_do_not_reach_the_file() {
        assert_eq!(escaped("a\u{0}<b>\u{7}&"), "a&lt;b&gt;&amp;");
    }
}
