//! Legends: signs and what they mean.

use super::Grain;
use super::lettering::{self, Style};
use super::palette::{Colour, GREY, INK, Map, hex, ramp};
use super::plot::axis::{Count, Scale, TICK};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Lettering of legend and scale bar.
pub(super) const LABEL: Style = Style { size: 22.0, weight: 1.7, colour: INK };
/// Height of a row [px].
pub(super) const ROW: f64 = 38.0;
/// Smallest lettering of an entry that has little room.
const SMALL: f64 = 15.0;
/// Space between a sign and its label [px].
const SPACE: f64 = 14.0;

/// An entry of the legend: a sign and what it means.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// What is shown.
    pub sign: Sign,
    /// What it means.
    pub label: String,
}

/// The sign of a legend entry.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sign {
    /// A line of some thickness [px].
    Line(Colour, f64),
    /// A dashed line.
    Dashes(Colour),
    /// A grain of some colour.
    Grain(Colour),
    /// A hinge.
    Ring,
    /// A joint that slides.
    Cross,
    /// A spring.
    Spring,
    /// The ramp of heights.
    Ramp,
    /// A scale of colours with its numbers.
    Bar(ColourBar),
}

/// A scale of colours with its numbers below.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColourBar {
    /// The numbers at both ends.
    pub ends: [f64; 2],
    /// Which part of the map they stand for.
    pub parts: [f64; 2],
    /// The colours.
    pub map: Map,
}

impl ColourBar {
    /// Longest bar [px].
    const LONGEST: f64 = 300.0;
    /// Room at both ends for numbers that stand over them [px].
    const END: f64 = 22.0;
    const PIECES: usize = 100;

    /// Length of the bar where an entry has so much room.
    fn length(room: f64) -> f64 {
        (room - 2.0 * Self::END).min(Self::LONGEST)
    }

    fn scale(&self, left: f64, length: f64) -> Scale {
        Scale::between(Count::Linear, self.ends[0], self.ends[1], [left, left + length])
    }

    fn write(&self, svg: &mut String, [x, y]: [f64; 2], room: f64) {
        let (left, length) = (x + Self::END, Self::length(room));
        let step = length / Self::PIECES as f64;
        for k in 0..Self::PIECES {
            let [from, to] = self.parts;
            let colour = hex(self.map.at(from + (to - from) * k as f64 / (Self::PIECES - 1) as f64));
            let (from, over) = (left + k as f64 * step, if k + 1 < Self::PIECES { 0.5 } else { 0.0 });
            let wide = step + over;
            let _ = writeln!(svg, r#"<path d="M{from:.1} {:.1}h{wide:.1}v20h-{wide:.1}z" fill="{colour}"/>"#, y - 10.0);
        }
        let scale = self.scale(left, length);
        for tick in scale.ticks() {
            let at = scale.pixel(tick);
            let _ = writeln!(svg, r#"<path d="M{at:.1} {:.1}v6" stroke="{}" stroke-width="1.5"/>"#, y + 10.0, hex(INK));
            let name = scale.name(tick);
            lettering::write(svg, &name, [at - 0.5 * lettering::width(&name, TICK), y + 37.0], TICK);
        }
    }
}

impl Sign {
    fn width(self, room: f64) -> f64 {
        match self {
            Sign::Line(..) | Sign::Dashes(_) => 54.0,
            Sign::Grain(_) | Sign::Ring | Sign::Cross => 24.0,
            Sign::Spring => 90.0,
            Sign::Ramp => 180.0,
            Sign::Bar(_) => ColourBar::length(room) + 2.0 * ColourBar::END,
        }
    }
}

impl Entry {
    /// The meaning, with the power of ten of a scale.
    fn words(&self, room: f64) -> String {
        match &self.sign {
            Sign::Bar(bar) => bar.scale(0.0, ColourBar::length(room)).label(&self.label),
            _ => self.label.clone(),
        }
    }

    /// Whether the label of a bar stands above it, as there is no room beside it.
    fn is_stacked(&self, room: f64) -> bool {
        let beside = self.sign.width(room) + SPACE + lettering::width(&self.words(room), LABEL);
        matches!(self.sign, Sign::Bar(_)) && beside > room
    }

    /// Width of sign and label in a legend that is so wide [px].
    pub(crate) fn width(&self, room: f64) -> f64 {
        let (sign, label) = (self.sign.width(room), lettering::width(&self.words(room), LABEL));
        if self.is_stacked(room) { sign.max(label) } else { sign + SPACE + label }
    }

    /// Rows that it takes.
    pub(crate) fn rows(&self, room: f64) -> f64 {
        match self.sign {
            Sign::Bar(_) if self.is_stacked(room) => 2.6,
            Sign::Bar(_) => 1.7,
            _ => 1.0,
        }
    }

    /// Writes the entry with its left end at x and the middle of its first row at y, in a legend that is so wide [px].
    pub(crate) fn write(&self, svg: &mut String, [x, y]: [f64; 2], room: f64) {
        let (width, words) = (self.sign.width(room), self.words(room));
        let is_stacked = self.is_stacked(room);
        let (start, left) = if is_stacked { (x, room) } else { (x + width + SPACE, room - width - SPACE) };
        let style = lettering::fitted(&words, left, SMALL, LABEL);
        lettering::write(svg, &lettering::shortened(&words, left, style), [start, y + 7.5], style);
        let y = if is_stacked { y + 0.9 * ROW } else { y };
        let _ = match self.sign {
            Sign::Line(colour, thickness) => writeln!(
                svg,
                r#"<path d="M{x:.1} {y:.1}h{width}" stroke="{}" stroke-width="{:.2}"/>"#,
                hex(colour),
                thickness.min(30.0)
            ),
            Sign::Dashes(colour) => writeln!(
                svg,
                r#"<path d="M{x:.1} {y:.1}h{width}" stroke="{}" stroke-width="1.5" stroke-dasharray="12 8"/>"#,
                hex(colour)
            ),
            Sign::Grain(colour) => writeln!(
                svg,
                r#"<circle cx="{:.1}" cy="{y:.1}" r="11" fill="{}" stroke="{}"/>"#,
                x + 12.0,
                hex(colour),
                hex(GREY)
            ),
            Sign::Ring => writeln!(svg, "{}", super::joints::ring([x + 12.0, y], 8.0)),
            Sign::Cross => writeln!(svg, "{}", super::joints::cross([x + 12.0, y], 8.0)),
            Sign::Spring => writeln!(svg, "{}", super::links::sign([x, y], width)),
            Sign::Bar(bar) => {
                bar.write(svg, [x, y], room);
                Ok(())
            }
            Sign::Ramp => {
                let pieces = 60;
                (0..pieces).try_for_each(|i| {
                    let at = f64::from(i) / f64::from(pieces);
                    let left = x + at * width;
                    let colour = hex(ramp(at));
                    let step = width / f64::from(pieces) + if i + 1 < pieces { 0.5 } else { 0.0 };
                    writeln!(svg, r#"<path d="M{left:.1} {:.1}h{step:.1}v20h-{step:.1}z" fill="{colour}"/>"#, y - 10.0)
                })
            }
        };
    }
}

/// Legend of the materials by their names, if there are several, and of fixed grains, if there are any.
pub(super) fn materials(grains: &[Grain], names: &[String], colour: fn(u32, bool) -> Colour) -> Vec<Entry> {
    let free: BTreeSet<u32> = grains.iter().filter(|g| !g.fixed).map(|g| g.material).collect();
    let several = free.len() > 1;
    let free = free.into_iter().filter(|_| several).take(6).map(|material| Entry {
        sign: Sign::Grain(colour(material, false)),
        label: names
            .get(material as usize)
            .cloned()
            .unwrap_or_else(|| format!("material {}", material.saturating_add(1))),
    });
    let fixed = grains.iter().find(|g| g.fixed);
    let fixed = fixed.map(|g| Entry { sign: Sign::Grain(colour(g.material, true)), label: "fixed".to_string() });
    free.chain(fixed).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{drawable_grains, palette, parse, tests::row};
    use super::*;

    #[test]
    fn materials_bear_their_names() {
        let grains = drawable_grains(&row(2, 6));
        let names = ["sand".to_string(), "steel".to_string()];
        assert_eq!(materials(&grains, &names, palette::disk)[1].label, "steel");
    }

    #[test]
    fn one_material_needs_no_legend() {
        let mut grains = drawable_grains(&row(2, 6));
        assert_eq!(materials(&grains, &[], palette::disk).len(), 3);
        grains.iter_mut().for_each(|g| g.material = 0);
        assert_eq!(materials(&grains, &[], palette::disk).len(), 1);
        grains.iter_mut().for_each(|g| g.fixed = false);
        assert!(materials(&grains, &[], palette::disk).is_empty());
    }

    #[test]
    fn every_sign_is_valid_svg() {
        let bar = ColourBar { ends: [-1.0, 3e-7], parts: [0.0, 1.0], map: Map::BlueRed };
        let signs = [Sign::Line(INK, 3.0), Sign::Grain(INK), Sign::Ramp, Sign::Bar(bar), Sign::Ring, Sign::Cross];
        for sign in signs.into_iter().chain([Sign::Spring, Sign::Dashes(INK)]) {
            let entry = Entry { sign, label: "meaning".to_string() };
            let mut svg = String::from(r#"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="40">"#);
            entry.write(&mut svg, [5.0, 20.0], 380.0);
            svg.push_str("</svg>");
            assert!(parse(&svg).unwrap().root().has_children());
            assert!(entry.width(900.0) > sign.width(900.0));
        }
    }
}
