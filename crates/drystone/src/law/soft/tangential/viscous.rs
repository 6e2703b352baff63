//! A tangential dashpot.

use super::{Grip, Slip, TangentialForce, TangentialLaw, TangentialRecord};
use crate::dim::Dim;
use crate::input::quantity::Damping;
use crate::input::value::NOT_NEGATIVE;
use crate::law::soft::SoftMemory;
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
pub(crate) struct ViscousLaw {
    /// gamma [N s/m].
    pub damping: f64,
}

impl TangentialRecord for Viscous {
    fn law(&self, _: Grip, _: Option<f64>) -> TangentialLaw {
        TangentialLaw::new(ViscousLaw { damping: *self.damping })
    }
}

impl<D: Dim> TangentialForce<D> for ViscousLaw {
    #[inline]
    fn force(&self, slip: &Slip<D>, _: &mut SoftMemory<D>) -> D::Vec {
        slip.velocity * -self.damping
    }
    fn grip(&self) -> Option<Grip> {
        None
    }
    fn jumps(&self) -> bool {
        true
    }
}
