//! The outline of a body with flat faces, as the body itself sees it.

use super::Stone;
use crate::dim::{D2, Dim, Vector};

/// Corners and faces of a convex body, counted from its centre of mass.
///
/// In the plane the corners run counter-clockwise, and face k is the edge from corner k to the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline<D: Dim> {
    /// The corners [m].
    pub corners: Vec<D::Vec>,
    /// Unit normals of the faces, outwards.
    pub normals: Vec<D::Vec>,
}

impl<D: Dim> Outline<D> {
    /// Radius of the smallest ball around the centre that holds the body [m].
    pub fn radius(&self) -> f64 {
        self.corners.iter().map(|corner| corner.norm()).fold(0.0, f64::max)
    }

    /// Distance of the nearest face from the centre [m].
    pub fn inner_radius(&self) -> f64 {
        let height = |normal: &D::Vec| self.corners.iter().map(|corner| corner.dot(*normal)).fold(0.0, f64::max);
        self.normals.iter().map(height).fold(f64::INFINITY, f64::min)
    }

    /// Area of a polygon [m2].
    pub fn volume(&self) -> f64 {
        let next = self.corners.iter().cycle().skip(1);
        let cross = |(p, q): (&D::Vec, &D::Vec)| p.get(0) * q.get(1) - p.get(1) * q.get(0);
        0.5 * self.corners.iter().zip(next).map(cross).sum::<f64>()
    }

    /// A body with this outline, which stands under `number` in the list of outlines.
    pub fn stone(&self, number: usize) -> Stone {
        Stone { outline: number as u32, radius: self.radius(), inner: self.inner_radius() }
    }
}

impl Outline<D2> {
    /// The outline of corners that run counter-clockwise, counted from the centre.
    pub(super) fn of_corners(corners: Vec<glam::DVec2>) -> Outline<D2> {
        let next = corners.iter().cycle().skip(1);
        let normals = corners.iter().zip(next).map(|(here, next)| {
            let along = *next - *here;
            glam::DVec2::new(along.y, -along.x) * (1.0 / Vector::norm(along))
        });
        Outline { normals: normals.collect(), corners }
    }
}
