//! A round wall: a circle in the plane, an endless cylinder in space.

use std::f64::consts::TAU;

use super::patch::{Scene, cut};
use super::{Boundary, Capsules};
use crate::dim::{Dim, Vector};
use crate::input::quantity::{Length, Point, UnitVector};
use crate::input::value::POSITIVE;
use crate::input::{Reader, Span};
use crate::list::{list, record};

record! {
    /// A circle (2D) or an endless cylinder (3D): a drum, a tube, a column.
    pub struct Cylinder<D> {
        /// Its centre; in space any point of its axis.
        centre: Point<D>,
        /// Direction of the axis, of any length: needed in space, and only there.
        axis: Option<UnitVector<D>>,
        /// Radius.
        radius: Length where POSITIVE,
        /// Side on which grains stay.
        grains: Side = Side::Inside,
    }
}

list! {
    /// A side of a closed surface.
    pub enum Side by name {
        /// Grains stay inside.
        "inside" => Inside,
        /// Grains stay outside.
        "outside" => Outside,
    }
}

/// Chords of a circle in pictures.
const CHORDS: usize = 96;

impl<D: Dim> Cylinder<D> {
    /// Unit vector along the axis; zero in the plane, whose vectors have no third component.
    pub fn direction(&self) -> D::Vec {
        self.axis.as_ref().map_or(D::Vec::ZERO, |axis| axis.0)
    }

    /// From the axis to a point, across the axis.
    fn across(&self, point: D::Vec) -> D::Vec {
        let from_centre = point - self.centre.0;
        from_centre - self.direction() * from_centre.dot(self.direction())
    }

    fn outwards(&self) -> f64 {
        match self.grains {
            Side::Inside => -1.0,
            Side::Outside => 1.0,
        }
    }
}

impl<D: Dim> Boundary<D> for Cylinder<D> {
    /// A point on the axis has no nearest point of the surface, and touches nothing.
    fn near(&self, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        let across = self.across(point);
        let far = across.norm();
        let distance = self.outwards() * (far - *self.radius);
        if distance < reach && far > 0.0 {
            meet(0, across * (self.outwards() / far), distance);
        }
    }

    fn lever(&self) -> f64 {
        self.outwards() * *self.radius
    }

    fn faces(&self, scene: &Scene<D>) -> Vec<Vec<D::Vec>> {
        let (t, s) = match D::DIMENSION {
            2 => (D::Vec::from_fn(|k| [1.0, 0.0][k]), D::Vec::from_fn(|k| [0.0, 1.0][k])),
            _ => {
                let across = D::tangents(self.direction());
                (across.as_slice()[0], across.as_slice()[1])
            }
        };
        let rim = |k: usize| {
            let angle = TAU * (k % CHORDS) as f64 / CHORDS as f64;
            (t * libm::cos(angle) + s * libm::sin(angle)) * *self.radius
        };
        let centre = (scene.min + scene.max) * 0.5;
        let along = self.direction() * (centre - self.centre.0).dot(self.direction());
        let half = self.direction() * (0.5 * (scene.max - scene.min).norm());
        let chord = |k: usize| {
            let [p, q] = [k, k + 1].map(|k| self.centre.0 + along + rim(k));
            if D::DIMENSION == 2 { vec![p, q] } else { vec![p - half, q - half, q + half, p + half] }
        };
        (0..CHORDS).filter_map(|k| cut::<D>(chord(k), scene)).collect()
    }

    fn check(&self, at: &Span, reader: &Reader) {
        match (&self.axis, D::DIMENSION) {
            (None, 3) => {
                let message = "a cylinder in space needs `axis`";
                reader.mistake::<()>("E005", at, message, "add axis = [0, 1, 0]: its direction")
            }
            (Some(_), 2) => {
                let message = "a circle in the plane has no `axis`";
                reader.mistake::<()>("E015", at, message, "leave `axis` out: it points out of the plane")
            }
            _ => None,
        };
    }

    fn axis(&self) -> Option<D::Vec> {
        Some(self.direction())
    }

    fn is_along(&self, axis: usize) -> bool {
        let direction = self.direction();
        D::DIMENSION == 3 && (0..D::DIMENSION).all(|k| k == axis || direction.get(k) == 0.0)
    }

    fn capsules(&self) -> Capsules {
        match self.grains {
            Side::Inside => Capsules::Always,
            Side::Outside => Capsules::IfRigid("the outside of a cylinder"),
        }
    }

    fn takes_stones(&self) -> bool {
        true
    }
}
