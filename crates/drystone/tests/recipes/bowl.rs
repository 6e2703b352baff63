//! The inside of a circle or a ball.

use std::f64::consts::TAU;

use super::Boundary;
use super::patch::{Scene, cut};
use crate::dim::{Dim, Vector};
use crate::input::quantity::{Length, Point};
use crate::input::value::POSITIVE;
use crate::list::record;

record! {
    /// The inside of a circle (2D) or a ball (3D).
    pub struct Bowl<D> {
        /// Its centre.
        centre: Point<D>,
        /// Its radius.
        radius: Length where POSITIVE,
    }
}

/// Pieces of a circle in pictures.
const PIECES: u32 = 48;

impl<D: Dim> Boundary<D> for Bowl<D> {
    /// The centre has no nearest point of the surface, and meets nothing.
    fn near(&self, point: D::Vec, reach: f64, meet: &mut dyn FnMut(u32, D::Vec, f64)) {
        let outwards = point - self.centre.0;
        let from_centre = outwards.norm();
        let distance = *self.radius - from_centre;
        if from_centre > 0.0 && distance < reach {
            meet(0, outwards * (-1.0 / from_centre), distance);
        }
    }

    fn faces(&self, scene: &Scene<D>) -> Vec<Vec<D::Vec>> {
        let angle = |k: u32| TAU * f64::from(k) / f64::from(PIECES);
        let at = |[u, v]: [u32; 2]| {
            let ((sin, cos), (up, out)) = (libm::sincos(angle(u)), libm::sincos(angle(v)));
            self.centre.0 + D::Vec::from_fn(|axis| *self.radius * [cos * out, sin * out, up][axis])
        };
        let face = |k: u32| -> Vec<D::Vec> {
            let (u, v) = (k % PIECES, k / PIECES);
            match D::DIMENSION {
                2 => vec![at([u, 0]), at([u + 1, 0])],
                _ => [[u, v], [u + 1, v], [u + 1, v + 1], [u, v + 1]].map(at).to_vec(), // a quarter turn up; down below
            }
        };
        let rings = if D::DIMENSION == 2 { 1 } else { PIECES };
        (0..PIECES * rings).map(face).filter_map(|face| cut::<D>(face, scene)).collect()
    }
}
