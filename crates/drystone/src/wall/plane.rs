//! A plane.

use super::Boundary;
use super::patch::{Scene, cut};
use crate::dim::{Dim, Vector};
use crate::input::quantity::{Point, UnitVector};
use crate::list::record;

record! {
    /// A plane through a point; grains stay on the side that the normal points to.
    pub struct Plane<D> {
        /// A point of the plane.
        point: Point<D>,
        /// Direction to the free side, of any length.
        normal: UnitVector<D>,
    }
}

impl<D: Dim> Boundary<D> for Plane<D> {
    fn near(&self, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        let distance = (point - self.point.0).dot(self.normal.0);
        if distance < reach {
            meet(0, self.normal.0, distance);
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
        cut::<D>(whole, scene).into_iter().collect()
    }
}
