//! A tangential dashpot with a slider.

use super::{Grip, Slip, TangentialForce};
use crate::dim::Dim;
use crate::input::quantity::Damping;
use crate::input::value::NOT_NEGATIVE;
use crate::law::soft::Memory;
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
pub struct Law {
    /// gamma [N s/m].
    pub damping: f64,
    /// Friction.
    pub grip: Grip,
}

impl TangentialForce for Law {
    const REMEMBERS_MORE: bool = false;
    #[inline]
    fn force<D: Dim>(&self, slip: &Slip<D>, memory: &mut Memory<D>) -> D::Vec {
        self.grip.hold(slip.velocity * -self.damping, slip.press, slip.velocity, memory)
    }
}
