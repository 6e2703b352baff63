//! Tilting ground: in its frame the direction of gravity changes.

use super::Signal;
use crate::dim::{Dim, Vector};
use crate::input::quantity::{Angle, UnitVector};
use crate::list::record;

record! {
    /// Ground that tilts slowly. Positions and velocities are those in its frame, in which gravity turns; the inertial
    /// forces of a turning frame, m w^2 r and m w' r, are left out.
    pub struct Tilt<D> {
        /// Angle of the tilt; time counts from the start of the run.
        angle: Signal<Angle>,
        /// Direction in which it goes down; its part along gravity does not matter.
        towards: UnitVector<D>,
    }
}

impl<D: Dim> Tilt<D> {
    /// Gravity in the frame of the tilted ground, in its mean direction between two times; `level` is gravity on level
    /// ground.
    pub fn lean(&self, level: D::Vec, from: f64, to: f64) -> D::Vec {
        let (size, angle) = (level.norm(), self.angle.mean(from, to));
        let down = level * (1.0 / size);
        let across = self.towards.0 - down * self.towards.0.dot(down);
        (down * libm::cos(angle) + across * (libm::sin(angle) / across.norm())) * size
    }
}
