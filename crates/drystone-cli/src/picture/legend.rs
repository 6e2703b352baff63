//! Legends: signs and what they mean.

use super::Grain;
use super::lettering::{self, Style};
use super::palette::{Colour, GREY, INK, hex, ramp};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Lettering of legend and scale bar.
pub(super) const LABEL: Style = Style { size: 22.0, weight: 1.7, colour: INK };
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
    /// A grain of some colour.
    Grain(Colour),
    /// The ramp of heights.
    Ramp,
    /// The scale of quantities.
    Scale,
}

impl Sign {
    fn width(self) -> f64 {
        match self {
            Sign::Line(..) => 54.0,
            Sign::Grain(_) => 24.0,
            Sign::Ramp | Sign::Scale => 180.0,
        }
    }
}

impl Entry {
    /// Width of sign and label [px].
    pub(crate) fn width(&self) -> f64 {
        self.sign.width() + SPACE + lettering::width(&self.label, LABEL)
    }

    /// Writes the entry with its left end at x and its middle at y [px].
    pub(crate) fn write(&self, svg: &mut String, [x, y]: [f64; 2]) {
        let width = self.sign.width();
        let _ = match self.sign {
            Sign::Line(colour, thickness) => writeln!(
                svg,
                r#"<path d="M{x:.1} {y:.1}h{width}" stroke="{}" stroke-width="{:.2}"/>"#,
                hex(colour),
                thickness.min(30.0)
            ),
            Sign::Grain(colour) => writeln!(
                svg,
                r#"<circle cx="{:.1}" cy="{y:.1}" r="11" fill="{}" stroke="{}"/>"#,
                x + 12.0,
                hex(colour),
                hex(GREY)
            ),
            Sign::Ramp | Sign::Scale => {
                let ramp = if matches!(self.sign, Sign::Ramp) { ramp } else { |at| super::palette::Map::Cividis.at(at) };
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
        lettering::write(svg, &self.label, [x + width + SPACE, y + 7.5], LABEL);
    }
}

/// Legend of the materials, if there are several, and of fixed grains, if there are any.
pub(super) fn materials(grains: &[Grain], colour: fn(u32, bool) -> Colour) -> Vec<Entry> {
    let free: BTreeSet<u32> = grains.iter().filter(|g| !g.fixed).map(|g| g.material).collect();
    let several = free.len() > 1;
    let free = free.into_iter().filter(|_| several).take(6).map(|material| Entry {
        sign: Sign::Grain(colour(material, false)),
        label: format!("material {}", material.saturating_add(1)),
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
    fn one_material_needs_no_legend() {
        let mut grains = drawable_grains(&row(2, 6));
        assert_eq!(materials(&grains, palette::disk).len(), 3);
        grains.iter_mut().for_each(|g| g.material = 0);
        assert_eq!(materials(&grains, palette::disk).len(), 1);
        grains.iter_mut().for_each(|g| g.fixed = false);
        assert!(materials(&grains, palette::disk).is_empty());
    }

    #[test]
    fn every_sign_is_valid_svg() {
        for sign in [Sign::Line(INK, 3.0), Sign::Grain(INK), Sign::Ramp, Sign::Scale] {
            let entry = Entry { sign, label: "meaning".to_string() };
            let mut svg = String::from(r#"<svg xmlns="http://www.w3.org/2000/svg" width="400" height="40">"#);
            entry.write(&mut svg, [5.0, 20.0]);
            svg.push_str("</svg>");
            assert!(parse(&svg).unwrap().root().has_children());
            assert!(entry.width() > sign.width());
        }
    }
}
