//! Disks and spheres.

use crate::dim::Dim;

/// A disk or a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// Radius [m].
    pub radius: f64,
}

impl Round {
    /// Volume [m3]; a disk is a cylinder of the given depth.
    pub fn volume<D: Dim>(&self, depth: f64) -> f64 {
        D::ball_volume(self.radius, depth)
    }

    /// Moment of inertia about any axis through the centre [kg m2]: m r^2 / 2 (disk), 2 m r^2 / 5 (sphere).
    pub fn moment<D: Dim>(&self, mass: f64) -> f64 {
        D::BALL_INERTIA * mass * self.radius * self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};

    /// Splits the body into thin shells and adds up volume and moment.
    fn by_shells(surface: impl Fn(f64) -> f64, moment_of_shell: f64) -> (f64, f64) {
        let n = 20_000;
        let shells = (0..n).map(|k| (f64::from(k) + 0.5) / f64::from(n)).map(|r| (r, surface(r) / f64::from(n)));
        shells.fold((0.0, 0.0), |(v, i), (r, dv)| (v + dv, i + moment_of_shell * dv * r * r))
    }

    #[test]
    fn volume_and_inertia_of_a_disk_and_a_sphere() {
        let pi = std::f64::consts::PI;
        let unit = Round { radius: 1.0 };
        let (volume, moment) = by_shells(|r| 2.0 * pi * r, 1.0);
        assert!((unit.volume::<D2>(1.0) / volume - 1.0).abs() < 1e-8);
        assert!((unit.moment::<D2>(volume) / moment - 1.0).abs() < 1e-8);
        let (volume, moment) = by_shells(|r| 4.0 * pi * r * r, 2.0 / 3.0);
        assert!((unit.volume::<D3>(1.0) / volume - 1.0).abs() < 1e-8);
        assert!((unit.moment::<D3>(volume) / moment - 1.0).abs() < 1e-8);
    }
}
