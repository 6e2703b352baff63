//! A plane.

use super::patch::{Scene, cut};
use super::{Boundary, Capsules, Rough};
use crate::dim::{Dim, Vector};
use crate::input::quantity::{Components, Point, UnitVector};
use crate::list::record;

record! {
    /// A plane through a point; grains stay on the side that the normal points to.
    pub struct Plane<D> {
        /// A point of the plane.
        point: Point<D>,
        /// Direction to the free side, of any length.
        normal: UnitVector<D>,
        /// Bumps on it, as if grains were glued to it; smooth if left out.
        rough: Option<Rough>,
    }
}

impl<D: Dim> Plane<D> {
    /// A smooth plane through a point; grains stay on the side that the normal points to. The normal may have any
    /// length.
    pub fn new(point: D::Vec, normal: D::Vec) -> Plane<D> {
        let unit = normal * (1.0 / normal.norm());
        Plane { point: Components(point), normal: UnitVector(unit), rough: None }
    }
}

impl<D: Dim> Boundary<D> for Plane<D> {
    fn near(&self, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        let distance = (point - self.point.0).dot(self.normal.0);
        if distance < reach {
            meet(0, self.normal.0, distance);
        }
        if let Some(rough) = &self.rough {
            rough.near::<D>(point - self.point.0, self.normal.0, reach, meet);
        }
    }

    fn faces(&self, scene: &Scene<D>) -> Vec<Vec<D::Vec>> {
        let centre = (scene.min + scene.max) * 0.5;
        let foot = centre - self.normal.0 * (centre - self.point.0).dot(self.normal.0);
        let far = (scene.max - scene.min).norm();
        let whole = match D::tangents(self.normal.0).as_slice() {
            [t] => vec![foot - *t * far, foot + *t * far],
            [t, s] => {
                vec![foot - (*t + *s) * far, foot + (*t - *s) * far, foot + (*t + *s) * far, foot - (*t - *s) * far]
            }
            _ => unreachable!("a plane has one or two tangents"),
        };
        let bumps = self.rough.iter().flat_map(|rough| rough.faces::<D>(self.point.0, self.normal.0, scene));
        cut::<D>(whole, scene).into_iter().chain(bumps).collect()
    }

    fn is_passable(&self) -> bool {
        false
    }

    fn is_along(&self, axis: usize) -> bool {
        self.normal.0.get(axis) == 0.0
    }

    fn capsules(&self) -> Capsules {
        Capsules::Always
    }

    fn takes_stones(&self) -> bool {
        true
    }
}
