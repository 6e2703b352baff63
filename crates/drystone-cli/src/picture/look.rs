//! How a frame is looked at: what colours mean, what is cut away, where the eye stands.

use super::camera::Camera;
use super::legend::{Entry, Sign};
use super::palette::{self, Colour};
use super::scale;
use drystone::measure::frame::stress::moments;
use drystone::measure::frame::{FrameView, MeasureOptions, Setting, solid_fraction};
use drystone::measure::vector::norm;
use drystone::record::frame::Frame;

/// What the colour of a grain says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum By {
    /// The material.
    Material,
    /// Speed of the centre.
    Speed,
    /// Angular velocity; with its sign in 2D, its size in 3D.
    Rotation,
    /// Mean stress of the grain: trace of the moments of its contact forces over its volume and the dimension.
    Stress,
    /// Diameter.
    Size,
    /// Way of the centre since the frame that --since names.
    Displacement,
}

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

/// How a frame is looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Look<'f> {
    /// What colours say; without it the material, and in 3D the height if there is one material only.
    pub by: Option<By>,
    /// Ends of the scale of colours; those of the frame if not given.
    pub range: Option<[f64; 2]>,
    /// Whether lines of force are drawn; without it only where colours say nothing, and not in 3D.
    pub forces: Option<bool>,
    /// Depth of a 2D run [m].
    pub depth: f64,
    /// The frame that displacements count from.
    pub since: Option<&'f Frame>,
    /// What is cut away.
    pub cuts: Vec<Cut>,
    /// Where the eye stands in 3D.
    pub camera: Camera,
    /// Corners of the box that is shown [m]; around the grains if not given.
    pub room: Option<[[f64; 3]; 2]>,
}

impl Look<'_> {
    /// Whether a point is shown.
    pub(crate) fn shows(&self, point: [f64; 3]) -> bool {
        self.cuts.iter().all(|cut| cut.shows(point))
    }

    /// Whether lines of force are drawn.
    pub(crate) fn has_forces(&self, dimension: usize) -> bool {
        self.forces.unwrap_or(dimension == 2 && matches!(self.by, None | Some(By::Material)))
    }

    /// What the colours say of every grain of a frame, if it is a number; of fixed grains nothing.
    pub(crate) fn values(&self, frame: &Frame) -> Option<Vec<Option<f64>>> {
        let grains = &frame.grains;
        let all = 0..grains.id.len();
        let values: Vec<f64> = match self.by? {
            By::Material => return None,
            By::Speed => grains.velocity.iter().map(|v| norm(*v)).collect(),
            By::Rotation if frame.dimension == 2 => grains.angular_velocity.iter().map(|w| w[2]).collect(),
            By::Rotation => grains.angular_velocity.iter().map(|w| norm(*w)).collect(),
            By::Size => grains.radius.iter().map(|r| 2.0 * r).collect(),
            By::Stress => {
                let setting = Setting { depth: self.depth, ..Setting::default() };
                let options = MeasureOptions::default();
                let view = FrameView::whole(frame, &setting, &options);
                let size = |k: usize| solid_fraction::volume_of(&view, k) * frame.dimension as f64;
                moments(&view).iter().enumerate().map(|(k, moment)| moment.trace() / size(k)).collect()
            }
            By::Displacement => {
                let then = self.since.map_or(grains, |frame| &frame.grains);
                let way = |k: usize| match then.id.binary_search(&grains.id[k]) {
                    Ok(old) => norm(std::array::from_fn(|i| grains.own_position(k)[i] - then.own_position(old)[i])),
                    Err(_) => f64::NAN,
                };
                all.clone().map(way).collect()
            }
        };
        let free = |k: &usize| grains.mass.get(*k).is_none_or(|mass| mass.is_finite());
        Some(all.map(|k| Some(k).filter(free).map(|k| values[k]).filter(|x| x.is_finite())).collect())
    }

    /// Lowest and highest value of a frame.
    pub(crate) fn ends(&self, frame: &Frame) -> Option<[f64; 2]> {
        let values = self.values(frame)?;
        let ends = values
            .into_iter()
            .flatten()
            .fold(None, |ends: Option<[f64; 2]>, x| Some(ends.map_or([x, x], |[low, high]| [low.min(x), high.max(x)])));
        // the scales of angular velocity and stress are symmetric about zero, so that both signs show
        ends.map(|[low, high]| if low > 0.0 && self.by != Some(By::Size) { [0.0, high] } else { [low, high] })
    }

    /// Colours of the grains of a frame, and what they mean; none if colours are those of the materials.
    pub(crate) fn paint(&self, frame: &Frame) -> Option<(Vec<Colour>, Vec<Entry>)> {
        let values = self.values(frame)?;
        let [low, high] = self.range.or_else(|| self.ends(frame)).unwrap_or([0.0, 0.0]);
        let part = |x: f64| if high > low { (x - low) / (high - low) } else { 0.5 };
        let mut legend = vec![Entry { sign: Sign::Scale, label: self.label(low, high) }];
        if values.contains(&None) {
            legend.push(Entry { sign: Sign::Grain(palette::UNSAID), label: "fixed".to_string() });
        }
        let colour = |value: Option<f64>| value.map_or(palette::UNSAID, |x| palette::Map::Cividis.at(part(x)));
        Some((values.into_iter().map(colour).collect(), legend))
    }

    fn label(&self, low: f64, high: f64) -> String {
        let (what, unit) = match self.by {
            Some(By::Speed) => ("speed", "m/s"),
            Some(By::Rotation) => ("angular velocity", "rad/s"),
            Some(By::Stress) => ("mean stress", "Pa"),
            Some(By::Size) => return format!("diameter {}", scale::lengths(low, high)),
            Some(By::Displacement) => return format!("displacement {}", scale::lengths(low, high)),
            Some(By::Material) | None => return String::new(),
        };
        format!("{what} {} to {}", scale::quantity(low, unit), scale::quantity(high, unit))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    #[test]
    fn colours_follow_what_they_say_and_leave_fixed_grains_alone() {
        let mut frame = row(2, 4);
        (0..4).for_each(|k| frame.grains.velocity[k] = [k as f64, 0.0, 0.0]);
        let look = Look { by: Some(By::Speed), ..Look::default() };
        assert_eq!(look.values(&frame), Some(vec![None, Some(1.0), Some(2.0), Some(3.0)]));
        assert_eq!(look.ends(&frame), Some([0.0, 3.0]));
        let (colours, legend) = look.paint(&frame).unwrap();
        assert_eq!((colours[0], colours[3]), (palette::UNSAID, palette::Map::Cividis.at(1.0)));
        assert_eq!((legend[0].label.as_str(), legend.len()), ("speed 0 m/s to 3 m/s", 2));
        let mut moved = frame.clone();
        moved.grains.position[2][1] += 0.25;
        let look = Look { by: Some(By::Displacement), since: Some(&frame), ..Look::default() };
        assert_eq!(look.values(&moved), Some(vec![None, Some(0.0), Some(0.25), Some(0.0)]));
        assert!(Look::default().paint(&frame).is_none());
    }

    #[test]
    fn stress_of_a_grain_in_a_row_is_force_over_area() {
        // contacts of 1 N on both sides of a disk of radius 1 and depth 0.5: (1 x 1 + 1 x 1) / (pi 0.5) / 2
        let look = Look { by: Some(By::Stress), depth: 0.5, ..Look::default() };
        let stress = look.values(&row(2, 4)).unwrap()[2].unwrap();
        assert!((stress - 2.0 / (std::f64::consts::PI * 0.5) / 2.0).abs() < 1e-14, "{stress}");
    }

    #[test]
    fn cuts_keep_one_side() {
        let look = Look { cuts: vec![Cut { axis: 0, at: 2.0, below: true }], ..Look::default() };
        assert!(look.shows([1.0, 9.0, 9.0]) && !look.shows([3.0, 0.0, 0.0]));
    }
}
