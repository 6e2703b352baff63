//! Springs between two points.

use super::Anchor;
use super::anchor::Separation;
use crate::body::Bodies;
use crate::dim::{Dim, Vector};

/// A spring and dashpot: f = -k (|r| - l) e - gamma (dr/dt . e) e on the second point, e = r / |r|.
///
/// A spring of natural length zero has no direction of its own: f = -k r - gamma dr/dt, which is smooth at r = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring<D: Dim> {
    /// Name in messages.
    pub name: String,
    /// The points.
    pub between: [Anchor<D>; 2],
    /// Stiffness k [N/m].
    pub stiffness: f64,
    /// Coefficient gamma of the dashpot [N s/m].
    pub damping: f64,
    /// Natural length l [m].
    pub length: f64,
}

/// Force and energy of a spring at present.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringForce<D: Dim> {
    /// Force on the second point, its negative on the first [N].
    pub force: D::Vec,
    /// Elastic energy [J].
    pub stored: f64,
    /// Power that it takes in, stored or lost in the dashpot [W].
    pub taken: f64,
}

impl<D: Dim> Spring<D> {
    /// Its force at the present positions and velocities of the bodies.
    pub fn pull(&self, bodies: &Bodies<D>) -> SpringForce<D> {
        let Separation { apart, rate, .. } = Separation::of(&self.between, bodies);
        let distance = apart.norm();
        let (stretch, moving) = match self.length == 0.0 {
            true => (apart, rate),
            // between points that coincide the force has no direction, and is zero
            false if distance == 0.0 => (D::Vec::ZERO, D::Vec::ZERO),
            false => {
                let e = apart * (1.0 / distance);
                (e * (distance - self.length), e * rate.dot(e))
            }
        };
        let force = -(stretch * self.stiffness + moving * self.damping);
        let stored = 0.5 * self.stiffness * stretch.norm_squared();
        SpringForce { force, stored, taken: -force.dot(rate) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Inertia;
    use crate::dim::D2;
    use crate::shape::{Round, Shape};
    use glam::DVec2;

    fn pull(length: f64, x: DVec2, v: DVec2) -> SpringForce<D2> {
        let mut bodies = Bodies::<D2>::default();
        let body = bodies.push(x, Inertia::isotropic(1.0, 1.0), Shape::Round(Round { radius: 1.0 }), 0, 0);
        bodies.twist[body].v = v;
        let between = [Anchor::Fixed(DVec2::ZERO), Anchor::centre(body)];
        Spring { name: "spring".into(), between, stiffness: 2.0, damping: 0.5, length }.pull(&bodies)
    }

    #[test]
    fn it_pulls_along_its_line_and_brakes_along_it() {
        // r = 5, stretch 1: 2 N and 1 J; the rate along r is (0.6 * 1 + 0.8 * 2) = 2.2 m/s: 1.1 N
        let found = pull(4.0, DVec2::new(3.0, 4.0), DVec2::new(1.0, 2.0));
        assert!((found.force - DVec2::new(-0.6, -0.8) * 3.1).length() < 1e-15);
        assert!((found.stored - 1.0).abs() < 1e-15 && (found.taken - 3.1 * 2.2).abs() < 1e-14);
    }

    #[test]
    fn without_length_it_is_smooth_at_its_anchor() {
        let found = pull(0.0, DVec2::ZERO, DVec2::new(1.0, -2.0));
        assert_eq!(found.force, DVec2::new(-0.5, 1.0));
        assert_eq!(pull(1.0, DVec2::ZERO, DVec2::ONE).force, DVec2::ZERO);
    }
}
