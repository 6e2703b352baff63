//! Force lines of a 2D picture: one line a contact, its thickness proportional to the normal force.
//!
//! thickness = unit · |f| / ⟨f⟩, where the mean ⟨f⟩ runs over all drawn contacts that push and `unit` is the thickness
//! of the mean force: 0.2 mean grain radii, at most 12 px. A line is never thicker than the smaller grain's diameter,
//! so the few largest forces of a broad distribution may be drawn too thin, never too thick. Thicknesses are rounded to
//! 0.05 px, lines thinner than that are left out.

use super::border;
use super::legend::{Entry, Sign};
use super::look::Look;
use super::palette::{Colour, INK, STRONG, TENSION, WEAK, hex};
use super::scale;
use super::view::{View, between};
use super::{is_drawable, mean_radius};
use drystone::record::frame::Frame;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Thickness of the mean force in mean grain radii.
const UNIT: f64 = 0.2;
/// Thickest line of the mean force [px].
const UNIT_LIMIT: f64 = 12.0;
/// Steps of thickness to the pixel.
const STEPS: f64 = 20.0;

/// The part of the network that a contact belongs to, in the order of drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Network {
    /// Up to the mean force.
    Weak,
    /// Above it.
    Strong,
    /// Pulling.
    Tension,
}

impl Network {
    /// Its colour.
    pub(super) fn colour(self) -> Colour {
        match self {
            Network::Weak => WEAK,
            Network::Strong => STRONG,
            Network::Tension => TENSION,
        }
    }
}

/// The force lines of a frame.
#[derive(Debug)]
pub(super) struct ForceLines {
    lines: Vec<Line>,
    mean: f64,
    largest: f64,
    /// Thickness of the mean force [px].
    unit: f64,
}

#[derive(Debug)]
struct Line {
    from: [f64; 2],
    to: [f64; 2],
    force: f64,
    /// Diameter of the smaller grain [px].
    limit: f64,
    /// Whether it starts at a wall.
    on_wall: bool,
}

impl Line {
    /// The same line elsewhere [px].
    fn moved(&self, by: [f64; 2]) -> Line {
        let moved = |x: [f64; 2]| [x[0] + by[0], x[1] + by[1]];
        Line { from: moved(self.from), to: moved(self.to), ..*self }
    }

    /// Where the line starts [px]: its round end shall touch a wall, not pierce it.
    fn start(&self, thickness: f64) -> [f64; 2] {
        let length = (self.to[0] - self.from[0]).hypot(self.to[1] - self.from[1]);
        if self.on_wall && length > 0.0 {
            between(self.from, self.to, (0.5 * thickness / length).min(1.0))
        } else {
            self.from
        }
    }
}

impl ForceLines {
    /// Collects the contacts that carry a finite normal force, pushing or pulling.
    pub(super) fn new(frame: &Frame, grains: &[super::Grain], view: &View, look: &Look) -> ForceLines {
        let ids = frame.grains.id.iter().zip(&frame.grains.radius);
        let radius: HashMap<i64, f64> = ids.map(|(&id, &r)| (i64::from(id), r)).collect();
        let c = &frame.contacts;
        let ends = c.from.iter().zip(&c.to).zip(&c.normal_force);
        let mut again = Vec::new();
        let mut lines: Vec<Line> = ends
            .enumerate()
            .filter(|(_, ((from, to), force))| {
                let seen = is_drawable(**from) && is_drawable(**to) && look.shows(between(**from, **to, 0.5));
                seen && force.is_finite() && **force != 0.0 && force.abs() < super::FAR
            })
            .map(|(k, ((from, to), &force))| {
                let partners = [c.a.get(k), c.b.get(k)].into_iter().flatten();
                let radii = partners.filter_map(|&id| radius.get(&i64::from(id)));
                let shift = border::other_side(frame, k).map(|x| [x[0] * view.scale, -x[1] * view.scale]);
                let (from, to) = (view.pixel([from[0], from[1]]), view.pixel([to[0], to[1]]));
                // A partner that is not in the frame: the grain cannot be larger than the line is long.
                let length = (from[0] - to[0]).hypot(from[1] - to[1]);
                let limit = radii.map(|r| 2.0 * r * view.scale).filter(|d| *d > 0.0).fold(2.0 * length, f64::min);
                let line = Line { from, to, force, limit, on_wall: c.a.get(k).is_some_and(|&a| a < 0) };
                again.extend(shift.map(|shift| line.moved(shift)));
                line
            })
            .collect();
        let pushes = lines.iter().filter(|line| line.force > 0.0).count();
        let push = lines.iter().map(|line| line.force.max(0.0)).sum::<f64>() / pushes.max(1) as f64;
        // where nothing pushes, the mean of what pulls
        let pull = lines.iter().map(|line| line.force.abs()).sum::<f64>() / lines.len().max(1) as f64;
        let mean = if pushes > 0 { push } else { pull };
        let largest = lines.iter().map(|line| line.force).fold(0.0, f64::max);
        let unit = (UNIT * mean_radius(grains) * view.scale).min(UNIT_LIMIT);
        lines.extend(again);
        ForceLines { lines, mean, largest, unit }
    }

    /// The same lines with the thickness that others give to a force.
    pub(super) fn on_scale_of(self, other: &ForceLines) -> ForceLines {
        ForceLines { mean: other.mean, unit: other.unit, ..self }
    }

    /// The mean force [N].
    pub(super) fn mean(&self) -> f64 {
        self.mean
    }

    /// Thickness of the line of the mean force [px].
    pub(super) fn unit(&self) -> f64 {
        self.unit
    }

    /// A force whose line is as thick as any grain [N].
    pub(super) fn thickest(&self) -> f64 {
        self.lines.iter().map(|line| line.limit).fold(0.0, f64::max) / self.unit * self.mean
    }

    /// Whether there is no line.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines as SVG, weak below strong, thin below thick; lines of one thickness share a path.
    pub(super) fn svg(&self) -> String {
        self.svg_in(Network::colour)
    }

    /// The lines as SVG in other colours.
    pub(super) fn svg_in(&self, colour: impl Fn(Network) -> Colour) -> String {
        let mut paths: BTreeMap<(Network, u32), String> = BTreeMap::new();
        for line in &self.lines {
            let thickness = self.thickness(line);
            let steps = (thickness * STEPS).round() as u32;
            if steps > 0 {
                let path = paths.entry((self.network(line), steps)).or_default();
                let ([x, y], [u, v]) = (line.start(thickness), line.to);
                let _ = write!(path, "M{x:.1} {y:.1}L{u:.1} {v:.1}");
            }
        }
        let mut svg = String::from("<g fill=\"none\" stroke-linecap=\"round\">\n");
        for ((network, steps), path) in paths {
            let colour = hex(colour(network));
            let thickness = f64::from(steps) / STEPS;
            let _ = writeln!(svg, r#"<path stroke="{colour}" stroke-width="{thickness}" d="{path}"/>"#);
        }
        svg.push_str("</g>\n");
        svg
    }

    /// What thickness and colours mean.
    pub(super) fn legend(&self) -> Vec<Entry> {
        if self.lines.is_empty() {
            return Vec::new();
        }
        let (mean, largest) = (scale::quantity(self.mean, "N"), scale::quantity(self.largest, "N"));
        let entry = |colour, thickness, label| Entry { sign: Sign::Line(colour, thickness), label };
        // The first line is true to scale; the others show colours and must be thick enough for that.
        let mut legend = vec![
            entry(INK, self.unit.max(0.4), format!("mean normal force {mean}, largest {largest}")),
            entry(STRONG, (1.6 * self.unit).clamp(4.5, 12.0), "above the mean".to_string()),
            entry(WEAK, (0.6 * self.unit).clamp(2.5, 6.0), "up to the mean".to_string()),
        ];
        if self.lines.iter().any(|line| line.force < 0.0) {
            legend.push(entry(TENSION, (0.8 * self.unit).clamp(2.5, 6.0), "tension".to_string()));
        }
        legend
    }

    fn network(&self, line: &Line) -> Network {
        match line.force {
            force if force < 0.0 => Network::Tension,
            force if force > self.mean * (1.0 + 1e-9) => Network::Strong,
            _ => Network::Weak,
        }
    }

    fn thickness(&self, line: &Line) -> f64 {
        (self.unit * line.force.abs() / self.mean).min(line.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        drawable_grains,
        tests::row,
        view::{Area, Bounds},
    };
    use super::*;

    fn lines(frame: &Frame) -> ForceLines {
        let mut bounds = Bounds::NOTHING;
        bounds.include([10.0, 0.0], 12.0);
        ForceLines::new(
            frame,
            &drawable_grains(frame),
            &View::fit(bounds, Bounds::NOTHING, 0.0, Area::default()),
            &Look::default(),
        )
    }

    #[test]
    fn equal_forces_are_all_weak_and_as_thick_as_the_mean() {
        let mut frame = row(2, 11);
        frame.contacts.normal_force.fill(0.1);
        let forces = lines(&frame);
        assert_eq!(forces.lines.len(), 10);
        assert!(forces.lines.iter().all(|l| forces.network(l) == Network::Weak));
        assert!(forces.lines.iter().all(|l| (forces.thickness(l) - forces.unit).abs() < 1e-9));
    }

    #[test]
    fn thickness_is_proportional_up_to_the_smaller_diameter() {
        let mut frame = row(2, 41);
        frame.contacts.normal_force[0] = 2.0;
        frame.contacts.normal_force[1] = 1e6;
        frame.contacts.normal_force[39] = 1e6;
        frame.grains.radius[1] = 0.5;
        let forces = lines(&frame);
        let ratio = forces.thickness(&forces.lines[0]) / forces.thickness(&forces.lines[4]);
        assert!((ratio - 2.0).abs() < 1e-9);
        let diameter = forces.lines[39].limit;
        assert!(forces.thickness(&forces.lines[39]) <= diameter);
        assert!((forces.lines[1].limit - 0.5 * diameter).abs() < 1e-9);
    }

    #[test]
    fn what_pulls_is_tension_and_has_an_entry_of_its_own() {
        let mut frame = row(2, 4);
        frame.contacts.normal_force = vec![1.0, 3.0, -1.0];
        let forces = lines(&frame);
        let networks: Vec<Network> = forces.lines.iter().map(|line| forces.network(line)).collect();
        assert_eq!(networks, [Network::Weak, Network::Strong, Network::Tension]);
        assert_eq!((forces.mean, forces.legend().len()), (2.0, 4));
    }

    #[test]
    fn no_contacts_and_useless_contacts_draw_nothing() {
        let mut frame = row(2, 4);
        frame.contacts.normal_force = vec![0.0, f64::INFINITY, f64::NAN];
        for frame in [frame, row(2, 0)] {
            let forces = lines(&frame);
            assert!(forces.lines.is_empty() && forces.legend().is_empty());
            assert!(!forces.svg().contains("path"));
        }
    }
}
