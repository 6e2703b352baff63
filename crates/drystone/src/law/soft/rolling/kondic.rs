//! Kondic's rolling force.

use super::{Resistance, Roll, RollingTorque, SoftMemory};
use crate::dim::{Dim, Vector};
use crate::input::quantity::Number;
use crate::input::value::NOT_NEGATIVE;
use crate::list::record;

record! {
    /// A force mu_R f_n at the centres, against their relative velocity. [Kondic99], [Wassgren09]
    ///
    /// It brakes a pair that turns as one rigid body, and does not brake two grains that roll on each other in place:
    /// it was made for spheres on a plate. mu_R is about 1e-3.
    pub struct Kondic {
        /// Rolling coefficient mu_R, force over force.
        coefficient: Number where NOT_NEGATIVE,
    }
}

impl<D: Dim> RollingTorque<D> for Kondic {
    fn resist(&self, roll: &Roll<D>, _: &mut SoftMemory<D>) -> Resistance<D> {
        let speed = roll.velocity.norm();
        let force = if speed > 0.0 { roll.velocity * (-*self.coefficient * roll.press / speed) } else { D::Vec::ZERO };
        Resistance { torques: Default::default(), force }
    }
}
