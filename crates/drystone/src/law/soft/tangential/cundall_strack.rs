//! Spring, dashpot and slider.

use super::shear::Springs;
use super::{Grip, Reset, Shear, Slip, TangentialForce};
use crate::dim::{Dim, Vector};
use crate::input::Flat;
use crate::input::quantity::{Damping, Quantity};
use crate::input::value::NOT_NEGATIVE;
use crate::law::soft::Memory;
use crate::list::record;

record! {
    /// f = -(k xi + gamma u_t), at most mu f_n, with d xi/dt = u_t. [CundallStrack79], [Wolf eq. 18 to 22]
    pub struct CundallStrack {
        /// Stiffness.
        shear: Flat<Shear>,
        /// Coefficient gamma of the dashpot.
        damping: Damping where NOT_NEGATIVE = Quantity(0.0),
        /// How the spring yields while the contact slides; without a dashpot both are the same.
        reset: Reset = Reset::SpringAlone,
    }
}

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// Stiffness.
    pub springs: Springs,
    /// gamma [N s/m].
    pub damping: f64,
    /// How the spring yields.
    pub reset: Reset,
    /// Friction.
    pub grip: Grip,
}

impl CundallStrack {
    /// The law with its numbers.
    pub fn law(&self, grip: Grip) -> Law {
        Law { springs: self.shear.springs(), damping: *self.damping, reset: self.reset, grip }
    }
}

impl TangentialForce for Law {
    const REMEMBERS_MORE: bool = false;
    #[inline(always)]
    fn force<D: Dim>(&self, slip: &Slip<D>, memory: &mut Memory<D>) -> D::Vec {
        let k = self.springs.at(slip.stiffness);
        let dashpot = slip.velocity * -self.damping;
        self.reset.force(&self.grip, slip, ([slip.dt, slip.ahead].map(|time| slip.velocity * time), k, dashpot), memory)
    }
    fn stored<D: Dim>(&self, slip: &Slip<D>, memory: &Memory<D>) -> f64 {
        0.5 * self.springs.at(slip.stiffness) * memory.spring.norm_squared()
    }
}
