//! A tangential dashpot.

use super::{Slip, TangentialForce};
use crate::dim::Dim;
use crate::input::quantity::Damping;
use crate::input::value::NOT_NEGATIVE;
use crate::law::soft::Memory;
use crate::list::record;

record! {
    /// f = -gamma u_t, whatever the normal force: lubricated contacts. [Wassgren09 "Viscous Damping"]
    pub struct Viscous {
        /// Coefficient gamma of the dashpot.
        damping: Damping where NOT_NEGATIVE,
    }
}

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// gamma [N s/m].
    pub damping: f64,
}

impl TangentialForce for Law {
    const REMEMBERS_MORE: bool = false;
    #[inline]
    fn force<D: Dim>(&self, slip: &Slip<D>, _: &mut Memory<D>) -> D::Vec {
        slip.velocity * -self.damping
    }
}
