//! A tangential dashpot with a slider.

use super::{Grip, Slip, TangentialForce, TangentialLaw, TangentialRecord};
use crate::dim::Dim;
use crate::input::quantity::Damping;
use crate::input::value::NOT_NEGATIVE;
use crate::law::soft::SoftMemory;
use crate::list::record;

record! {
    /// f = -min(gamma |u_t|, mu f_n) u_t / |u_t|. [HaffWerner86], [Wassgren09]
    pub struct ViscousCoulomb {
        /// Coefficient gamma of the dashpot.
        damping: Damping where NOT_NEGATIVE,
    }
}

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ViscousCoulombLaw {
    /// gamma [N s/m].
    pub damping: f64,
    /// Friction.
    pub grip: Grip,
}

impl TangentialRecord for ViscousCoulomb {
    fn law(&self, grip: Grip, _: Option<f64>) -> TangentialLaw {
        TangentialLaw::new(ViscousCoulombLaw { damping: *self.damping, grip })
    }
}

impl<D: Dim> TangentialForce<D> for ViscousCoulombLaw {
    #[inline]
    fn force(&self, slip: &Slip<D>, memory: &mut SoftMemory<D>) -> D::Vec {
        self.grip.hold(slip.velocity * -self.damping, slip.press, slip.velocity, memory)
    }
    fn grip(&self) -> Option<Grip> {
        Some(self.grip)
    }
}
