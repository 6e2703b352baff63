//! What the colour of a grain says.

use drystone::measure::frame::stress::moments;
use drystone::measure::frame::{FrameView, MeasureOptions, Setting, solid_volume};
use drystone::measure::vector::norm;
use drystone::record::frame::Frame;

use super::look::Look;

/// What the colour of a grain says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum By {
    /// The material.
    Material,
    /// Speed of the centre.
    Speed,
    /// Velocity along an axis.
    #[value(name = "velocity_x")]
    VelocityX,
    /// Along y.
    #[value(name = "velocity_y")]
    VelocityY,
    /// Along z.
    #[value(name = "velocity_z")]
    VelocityZ,
    /// Angular velocity; with its sign in 2D, its size in 3D.
    Rotation,
    /// Mean stress of the grain, from its contact forces.
    Stress,
    /// Diameter.
    Size,
    /// Displacement of the centre since the frame that --since names.
    Displacement,
    /// Its component along x.
    #[value(name = "displacement_x")]
    DisplacementX,
    /// Along y.
    #[value(name = "displacement_y")]
    DisplacementY,
    /// Along z.
    #[value(name = "displacement_z")]
    DisplacementZ,
}

impl By {
    /// The axis of a component.
    pub(crate) fn axis(self) -> Option<usize> {
        match self {
            By::VelocityX | By::DisplacementX => Some(0),
            By::VelocityY | By::DisplacementY => Some(1),
            By::VelocityZ | By::DisplacementZ => Some(2),
            _ => None,
        }
    }

    /// Whether it counts from an earlier frame.
    pub(crate) fn is_displacement(self) -> bool {
        matches!(self, By::Displacement | By::DisplacementX | By::DisplacementY | By::DisplacementZ)
    }

    /// Whether it is a velocity.
    pub(crate) fn is_velocity(self) -> bool {
        matches!(self, By::Speed | By::VelocityX | By::VelocityY | By::VelocityZ)
    }

    /// Whether it may have a sign.
    pub(super) fn has_sign(self, dimension: usize) -> bool {
        self.axis().is_some() || self == By::Stress || self == By::Rotation && dimension == 2
    }

    /// Words and unit for a legend.
    pub(super) fn words(self) -> (String, &'static str) {
        let along = self.axis().map_or(String::new(), |axis| format!(" {}", ["x", "y", "z"][axis]));
        match self {
            By::Material => ("material".into(), ""),
            By::Speed => ("speed".into(), "m/s"),
            By::VelocityX | By::VelocityY | By::VelocityZ => (format!("velocity{along}"), "m/s"),
            By::Rotation => ("angular velocity".into(), "rad/s"),
            By::Stress => ("mean stress".into(), "Pa"),
            By::Size => ("diameter".into(), "m"),
            _ => (format!("displacement{along}"), "m"),
        }
    }

    /// What it is of every grain of a frame; of fixed grains nothing, nor where it is no number.
    pub(super) fn values(self, frame: &Frame, look: &Look) -> Option<Vec<Option<f64>>> {
        let grains = &frame.grains;
        let all = 0..grains.id.len();
        let part = |v: [f64; 3]| self.axis().map_or_else(|| norm(v), |axis| v[axis]);
        let minus = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| a[i] - b[i]);
        let of_wall = |column: &[[f64; 3]]| look.relative_to.and_then(|wall| column.get(wall)).copied();
        let values: Vec<f64> = match self {
            By::Material => return None,
            By::Speed | By::VelocityX | By::VelocityY | By::VelocityZ => {
                let wall = of_wall(&frame.wall_states.velocity).unwrap_or_default();
                grains.velocity.iter().map(|v| part(minus(*v, wall))).collect()
            }
            By::Rotation if frame.dimension == 2 => grains.angular_velocity.iter().map(|w| w[2]).collect(),
            By::Rotation => grains.angular_velocity.iter().map(|w| norm(*w)).collect(),
            By::Size => grains.radius.iter().map(|r| 2.0 * r).collect(),
            By::Stress => {
                let setting = Setting { depth: look.scene.depth, ..Setting::default() };
                let options = MeasureOptions::default();
                let view = FrameView::whole(frame, &setting, &options);
                let size = |k: usize| solid_volume::volume_of(&view, k) * frame.dimension as f64;
                moments(&view).iter().enumerate().map(|(k, moment)| moment.trace() / size(k)).collect()
            }
            By::Displacement | By::DisplacementX | By::DisplacementY | By::DisplacementZ => {
                let since = look.since.unwrap_or(frame);
                let then = &since.grains;
                let moved = |frame: &Frame| of_wall(&frame.wall_states.displacement).unwrap_or_default();
                let wall: [f64; 3] = minus(moved(frame), moved(since));
                let way = |k: usize| match then.id.binary_search(&grains.id[k]) {
                    Ok(old) => part(minus(minus(grains.own_position(k), then.own_position(old)), wall)),
                    Err(_) => f64::NAN,
                };
                all.clone().map(way).collect()
            }
        };
        let free = |k: &usize| grains.mass.get(*k).is_none_or(|mass| mass.is_finite());
        Some(all.map(|k| Some(k).filter(free).map(|k| values[k]).filter(|x| x.is_finite())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::scene::Scene;
    use super::super::tests::row;
    use super::*;

    #[test]
    fn stress_of_a_grain_in_a_row_is_force_over_area() {
        // contacts of 1 N on both sides of a disk of radius 1 and depth 0.5: (1 x 1 + 1 x 1) / (pi 0.5) / 2
        let scene = Scene { depth: 0.5, ..Scene::default() };
        let look = Look { by: Some(By::Stress), scene, ..Look::default() };
        let stress = By::Stress.values(&row(2, 4), &look).unwrap()[2].unwrap();
        assert!((stress - 2.0 / (std::f64::consts::PI * 0.5) / 2.0).abs() < 1e-14, "{stress}");
    }

    /// The wall moves by 1 along x, at 2 m/s: a grain that stays goes by -1 relative to it, at -2 m/s.
    #[test]
    fn ways_and_velocities_count_from_a_wall() {
        let before = row(2, 2);
        let mut frame = before.clone();
        frame.wall_states.displacement = vec![[1.0, 0.0, 0.0]];
        frame.wall_states.velocity = vec![[2.0, 0.0, 0.0]];
        let look = Look { relative_to: Some(0), since: Some(&before), ..Look::default() };
        let of = |by: By| by.values(&frame, &look).unwrap()[1];
        assert_eq!(
            (of(By::DisplacementX), of(By::Displacement), of(By::VelocityX)),
            (Some(-1.0), Some(1.0), Some(-2.0))
        );
        let look = Look { relative_to: None, ..look };
        assert_eq!(By::DisplacementX.values(&frame, &look).unwrap()[1], Some(0.0));
    }
}
