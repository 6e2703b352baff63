//! Zhou's rolling torque.

use super::{Resistance, Roll, RollingTorque, SoftMemory};
use crate::dim::{Dim, Vector};
use crate::lane::MapInlined;
use crate::list::record;

record! {
    /// A torque mu_R f_n against the spin of each grain itself. [Zhou02], [Wassgren09]
    ///
    /// mu_R is the `rolling` of the [[contact]], a length of 0 to 0.2 mm in the paper. It depends on the spin of each
    /// grain alone, so it also brakes a pair that turns as one rigid body.
    pub struct Zhou {
    }
}

impl<D: Dim> RollingTorque<D> for Zhou {
    fn resist(&self, roll: &Roll<D>, _: &mut SoftMemory<D>) -> Resistance<D> {
        let against = |spin: D::Spin| {
            let speed = spin.norm();
            if speed > 0.0 { spin * (-roll.limit / speed) } else { D::Spin::ZERO }
        };
        Resistance { torques: roll.spins.map_inlined(against), force: D::Vec::ZERO }
    }
}
