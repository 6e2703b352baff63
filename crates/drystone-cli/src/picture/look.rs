//! How a frame is looked at: what colours mean, what is cut away, where the eye stands.

use super::camera::Camera;
use super::legend::{ColourBar, Entry, Sign};
use super::limits::{Limits, percentile};
use super::palette::{self, Colour, Map};
pub(crate) use super::quantity::By;
use super::scale;
use super::scene::Scene;
use drystone::record::frame::Frame;

/// A half space that is shown: grains with their centre on its side of a plane across an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// Axis: 0, 1 or 2.
    pub axis: usize,
    /// Where the plane is [m].
    pub at: f64,
    /// Whether what lies below the plane is shown, else what lies above.
    pub below: bool,
}

impl Cut {
    /// Whether a point is shown.
    pub(crate) fn shows(&self, point: [f64; 3]) -> bool {
        if self.below { point[self.axis] <= self.at } else { point[self.axis] >= self.at }
    }
}

/// Negative values smaller than this part of the largest do not give a scale two signs: a rounding error is no tension.
pub(crate) const SIGN: f64 = 1e-3;

/// Values that differ by less than this part of the largest are equal but for rounding.
const ALIKE: f64 = 1e-9;

/// How a frame is looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look<'f> {
    /// Quantity that colours the grains; the material by default, and in 3D the height if there is only one material.
    pub by: Option<By>,
    /// Ends of the scale of colours; those of the frame if not given.
    pub range: Option<Limits>,
    /// Colour map; by default cividis, and blue to red for values of both signs.
    pub map: Option<Map>,
    /// Whether force lines are drawn; by default only where the colours show no quantity, and not in 3D.
    pub forces: Option<bool>,
    /// Lowest and highest normal force of every contact, drawn in place of the forces of a 2D frame [N].
    pub bands: Option<&'f [[f64; 2]]>,
    /// What the scenario adds to the frame: links, materials, names of walls.
    pub scene: Scene,
    /// The frame that displacements count from.
    pub since: Option<&'f Frame>,
    /// Number of the wall that displacements and velocities are relative to.
    pub relative_to: Option<usize>,
    /// What is cut away.
    pub cuts: Vec<Cut>,
    /// The part of space that fills the picture [m]; an end that is not given is where the grains end.
    pub region: Option<[[Option<f64>; 2]; 3]>,
    /// Where the eye stands in 3D.
    pub camera: Camera,
    /// Corners of the box that is shown [m]; around the grains if not given.
    pub room: Option<[[f64; 3]; 2]>,
    /// Width on paper [units]; as the scene suggests if not given.
    pub width: Option<f64>,
    /// Pixels to the inch.
    pub dpi: Option<f64>,
}

impl Look<'_> {
    /// Whether a point is shown.
    pub(crate) fn shows(&self, point: [f64; 3]) -> bool {
        self.cuts.iter().all(|cut| cut.shows(point))
    }

    /// Whether a ball is shown: its centre on the right side of the cuts, and some of it in the region.
    pub(crate) fn shows_ball(&self, centre: [f64; 3], radius: f64) -> bool {
        let is_near = |axis: usize| {
            let [low, high] = self.region.map_or([None; 2], |region| region[axis]);
            low.is_none_or(|low| centre[axis] + radius >= low) && high.is_none_or(|high| centre[axis] - radius <= high)
        };
        self.shows(centre) && (0..3).all(is_near)
    }

    /// Whether lines of force are drawn.
    pub(crate) fn has_forces(&self, dimension: usize) -> bool {
        self.forces.unwrap_or(dimension == 2 && matches!(self.by, None | Some(By::Material)))
    }

    /// The quantity of every grain that colours show; none for fixed grains.
    pub(crate) fn values(&self, frame: &Frame) -> Option<Vec<Option<f64>>> {
        self.by?.values(frame, self)
    }

    /// Ends of the scale for the grains of a frame that are shown.
    pub(crate) fn ends(&self, frame: &Frame) -> Option<[f64; 2]> {
        let values = self.values(frame)?;
        let is_seen = |k: &usize| self.shows_ball(frame.grains.position[*k], frame.grains.radius[*k]);
        let mut seen: Vec<f64> = (0..values.len()).filter(is_seen).filter_map(|k| values[k]).collect();
        seen.sort_by(f64::total_cmp);
        let [low, high] = match (seen.as_slice(), self.range) {
            (_, Some(Limits::Numbers(ends))) => return Some(ends),
            ([], _) => return None,
            (sorted, Some(Limits::Percent(ends))) => return Some(ends.map(|percent| percentile(sorted, percent))),
            ([low, .., high] | [low @ high], None) => [*low, *high],
        };
        // lengths of vectors and pressures begin at zero, unless all are equal
        let begins = self.by != Some(By::Size) && low > 0.0 && low < high;
        Some(if begins { [0.0, high] } else { [low, high] })
    }

    /// How many times longer a few grains make the scale than the other 99 in a hundred need it.
    pub(crate) fn stretch(&self, frame: &Frame) -> Option<f64> {
        let mut sizes: Vec<f64> = self.values(frame)?.into_iter().flatten().map(f64::abs).collect();
        sizes.sort_by(f64::total_cmp);
        let most = percentile(Some(sizes.as_slice()).filter(|sizes| !sizes.is_empty())?, 99.0);
        Some(sizes[sizes.len() - 1] / most).filter(|times| times.is_finite() && self.range.is_none())
    }

    /// The map of colours for a scale with these ends.
    fn map(&self, [low, high]: [f64; 2], dimension: usize) -> Map {
        let is_signed = self.by.is_some_and(|by| by.has_sign(dimension)) && low < -SIGN * high.abs();
        self.map.unwrap_or(if is_signed { Map::BlueRed } else { Map::Cividis })
    }

    /// Colours of the grains of a frame, and what they mean; none if colours are those of the materials.
    pub(crate) fn paint(&self, frame: &Frame) -> Option<(Vec<Colour>, Vec<Entry>)> {
        let (by, values) = (self.by?, self.values(frame)?);
        let mut ends = self.ends(frame).unwrap_or([0.0, 0.0]);
        let map = self.map(ends, frame.dimension);
        let reach = ends[1].abs().max(ends[0].abs());
        if ends[1] - ends[0] <= ALIKE * reach && !matches!(self.range, Some(Limits::Numbers(_))) {
            ends = [ends[0]; 2];
        }
        if map.is_diverging() && !matches!(self.range, Some(Limits::Numbers(_))) {
            ends = [-reach, reach];
        }
        // a diverging map has its middle at zero, also where only a part of it is asked for
        let [low, high] = if map.is_diverging() { [-reach, reach] } else { ends };
        let part = move |x: f64| if high > low { (x - low) / (high - low) } else { 0.5 };
        // apart from the white of zero
        let unsaid = if map.is_diverging() { palette::UNSAID_DARK } else { palette::UNSAID };
        let mut legend = vec![self.bar(by, ends, map, ends.map(part))];
        if values.contains(&None) {
            let label = if frame.grains.mass.iter().any(|mass| mass.is_infinite()) { "fixed" } else { "no number" };
            legend.push(Entry { sign: Sign::Grain(unsaid), label: label.to_string() });
        }
        let colour = |value: Option<f64>| value.map_or(unsaid, |x| map.at(part(x)));
        Some((values.into_iter().map(colour).collect(), legend))
    }

    /// The bar of colours; one sign if all grains are alike.
    fn bar(&self, by: By, [low, high]: [f64; 2], map: Map, parts: [f64; 2]) -> Entry {
        let (mut words, unit) = by.words();
        if let Some(wall) = self.relative_to.filter(|_| by.is_velocity() || by.is_displacement()) {
            words += &format!(" relative to {}", self.scene.walls.get(wall).map_or("the wall", String::as_str));
        }
        if low >= high {
            let label = format!("{words} {} (all grains)", scale::valued(low, unit));
            return Entry { sign: Sign::Grain(map.at(parts[0])), label };
        }
        let (size, unit) = scale::suited(low.abs().max(high.abs()), unit);
        if let Some(Limits::Percent([from, to])) = self.range {
            words += &format!(", {from}% to {to}%");
        }
        let label = format!("{words} ({unit})");
        Entry { sign: Sign::Bar(ColourBar { ends: [low / size, high / size], parts, map }), label }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    fn moving(speeds: [f64; 4]) -> Frame {
        let mut frame = row(2, 4);
        (0..4).for_each(|k| frame.grains.velocity[k] = [speeds[k], 0.0, 0.0]);
        frame
    }

    #[test]
    fn colours_follow_what_they_say_and_leave_fixed_grains_alone() {
        let frame = moving([0.0, 1.0, 2.0, 3.0]);
        let look = Look { by: Some(By::Speed), ..Look::default() };
        assert_eq!(look.values(&frame), Some(vec![None, Some(1.0), Some(2.0), Some(3.0)]));
        assert_eq!(look.ends(&frame), Some([0.0, 3.0]));
        let (colours, legend) = look.paint(&frame).unwrap();
        assert_eq!((colours[0], colours[3]), (palette::UNSAID, Map::Cividis.at(1.0)));
        assert_eq!((legend[0].label.as_str(), legend.len()), ("speed (m/s)", 2));
        let mut moved = frame.clone();
        moved.grains.position[2][1] += 0.25;
        let look = Look { by: Some(By::Displacement), since: Some(&frame), ..Look::default() };
        assert_eq!(look.values(&moved), Some(vec![None, Some(0.0), Some(0.25), Some(0.0)]));
        assert!(Look::default().paint(&frame).is_none());
    }

    /// -1, 0.5 and 3 m/s: zero is the middle, 3 the end, and -1 is as far from the middle as +1 would be.
    #[test]
    fn values_of_both_signs_are_told_about_zero() {
        let frame = moving([0.0, -1.0, 0.0, 3.0]);
        let look = Look { by: Some(By::VelocityX), ..Look::default() };
        let (colours, legend) = look.paint(&frame).unwrap();
        let map = Map::BlueRed;
        assert_eq!(colours[1..], [map.at(0.5 - 0.5 / 3.0), map.at(0.5), map.at(1.0)]);
        let Sign::Bar(bar) = legend[0].sign else { panic!("there is a bar") };
        assert_eq!(bar.ends, [-3.0, 3.0]);
        // a part of the scale keeps zero in the middle of the map
        let look = Look { range: Some(Limits::Numbers([-1.0, 2.0])), ..look };
        let (colours, legend) = look.paint(&frame).unwrap();
        let Sign::Bar(bar) = legend[0].sign else { panic!("there is a bar") };
        assert_eq!((colours[2], bar.ends, bar.parts), (map.at(0.5), [-1.0, 2.0], [0.25, 1.0]));
    }

    #[test]
    fn a_rounding_error_is_no_second_sign() {
        let frame = moving([0.0, -1e-9, 1.0, 3.0]);
        let look = Look { by: Some(By::VelocityX), ..Look::default() };
        assert_eq!(look.paint(&frame).unwrap().0[3], Map::Cividis.at(1.0));
    }

    #[test]
    fn outliers_are_known_to_stretch_the_scale() {
        let mut frame = row(2, 300);
        frame.grains.velocity.iter_mut().for_each(|v| *v = [1.0, 0.0, 0.0]);
        let look = Look { by: Some(By::Speed), ..Look::default() };
        assert_eq!(look.stretch(&frame), Some(1.0));
        frame.grains.velocity[7] = [50.0, 0.0, 0.0];
        assert_eq!(look.stretch(&frame), Some(50.0));
        let look = Look { range: Some(Limits::Percent([0.0, 99.0])), ..look };
        assert_eq!(look.stretch(&frame), None);
    }

    #[test]
    fn grains_that_are_all_alike_get_one_sign_instead_of_a_bar() {
        let frame = moving([0.0, 2.0, 2.0, 2.0]);
        let look = Look { by: Some(By::Speed), ..Look::default() };
        let (colours, legend) = look.paint(&frame).unwrap();
        assert!(matches!(legend[0].sign, Sign::Grain(colour) if colour == colours[1]));
        assert_eq!(legend[0].label, "speed 2 m/s (all grains)");
        let mut frame = row(2, 4);
        frame.grains.radius[2] += 1e-15;
        let look = Look { by: Some(By::Size), ..Look::default() };
        let (colours, legend) = look.paint(&frame).unwrap();
        assert_eq!((colours[1], legend[0].label.as_str()), (colours[2], "diameter 2 m (all grains)"));
    }

    #[test]
    fn cuts_keep_one_side_and_regions_what_reaches_into_them() {
        let look = Look { cuts: vec![Cut { axis: 0, at: 2.0, below: true }], ..Look::default() };
        assert!(look.shows([1.0, 9.0, 9.0]) && !look.shows([3.0, 0.0, 0.0]));
        let region = [[Some(0.0), Some(1.0)], [None; 2], [None; 2]];
        let look = Look { region: Some(region), ..Look::default() };
        assert!(look.shows_ball([-0.5, 9.0, 0.0], 0.6) && !look.shows_ball([-0.5, 9.0, 0.0], 0.4));
    }
}
