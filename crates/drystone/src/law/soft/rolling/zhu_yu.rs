//! Zhu and Yu's rolling torque.

use super::{Resistance, Roll, RollingTorque, SoftMemory, TorsionTorque};
use crate::dim::{Dim, Vector};
use crate::input::quantity::Quantity;
use crate::input::value::POSITIVE;
use crate::law::soft::memory::about;
use crate::list::record;

/// Torque over angular velocity [N m s].
pub(crate) type Turn = Quantity<1, 2, -1, 0>;

record! {
    /// A torque min(mu_R f_n, c |omega|) against the relative spin omega. [ZhuYu03], [Wassgren09]
    ///
    /// The paper has one coefficient for both, whose units cannot fit both: here c is a second one.
    pub struct ZhuYu {
        /// Coefficient c of the viscous part, torque over angular velocity.
        damping: Turn where POSITIVE,
    }
}

impl ZhuYu {
    fn against<V: Vector>(&self, limit: f64, spin: V) -> V {
        (spin * -*self.damping).clamp_norm(limit)
    }
}

impl<D: Dim> RollingTorque<D> for ZhuYu {
    fn resist(&self, roll: &Roll<D>, _: &mut SoftMemory<D>) -> Resistance<D> {
        let across = D::torque(roll.normal, D::swing(roll.spin(), roll.normal));
        Resistance::opposite(self.against(roll.limit, across))
    }
}

impl<D: Dim> TorsionTorque<D> for ZhuYu {
    fn resist(&self, roll: &Roll<D>, _: &mut SoftMemory<D>) -> D::Spin {
        self.against(roll.limit, about::<D>(roll.spin(), roll.normal))
    }
}
