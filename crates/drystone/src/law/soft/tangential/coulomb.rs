//! Sliding friction only.

use super::{Grip, Slip, TangentialForce, TangentialLaw, TangentialRecord};
use crate::dim::{Dim, Vector};
use crate::law::soft::SoftMemory;
use crate::list::record;

record! {
    /// f = -mu f_n u_t / |u_t|. [Wassgren09 "Simple Coulomb Sliding"]
    ///
    /// Where the slip would end within a step, the force is reduced to what ends it: a grain that should stick creeps
    /// under a load.
    pub struct Coulomb {
    }
}

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CoulombLaw {
    /// Friction.
    pub grip: Grip,
}

impl TangentialRecord for Coulomb {
    fn law(&self, grip: Grip, _: Option<f64>) -> TangentialLaw {
        TangentialLaw::new(CoulombLaw { grip })
    }
}

impl<D: Dim> TangentialForce<D> for CoulombLaw {
    #[inline]
    fn force(&self, slip: &Slip<D>, memory: &mut SoftMemory<D>) -> D::Vec {
        let speed = slip.velocity.norm();
        if speed == 0.0 {
            return D::Vec::ZERO;
        }
        let sliding = self.grip.sliding(speed) * slip.press / speed;
        memory.slides = sliding <= slip.brake;
        slip.velocity * -sliding.min(slip.brake)
    }
    fn grip(&self) -> Option<Grip> {
        Some(self.grip)
    }
}
