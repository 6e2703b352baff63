//! A line: all that a sweep needs of a body, in one cache line.

use crate::body::{Bodies, Twist};
use crate::dim::Dim;

/// How a body moves and how hard it is to move. In 3D this is 64 bytes, a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Line<D: Dim> {
    /// Velocity [m/s].
    pub v: D::Vec,
    /// Angular velocity [rad/s].
    pub w: D::Spin,
    /// One over the mass [1/kg], zero for an immovable body.
    pub inv_m: f64,
    /// One over the moment of inertia [1/(kg m2)].
    pub inv_i: f64,
}

impl<D: Dim> Line<D> {
    /// The motion without the inertia.
    pub fn twist(&self) -> Twist<D> {
        Twist { v: self.v, w: self.w }
    }
}

/// The lines of all bodies.
pub fn lines<D: Dim>(bodies: &Bodies<D>, into: &mut Vec<Line<D>>) {
    into.clear();
    into.extend(bodies.twist.iter().zip(&bodies.inertia).map(|(twist, inertia)| Line {
        v: twist.v,
        w: twist.w,
        inv_m: inertia.inv_m,
        inv_i: inertia.round_inv_i(),
    }));
}
