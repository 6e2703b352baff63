//! Spring, dashpot and slider.

use super::reset::ShearedSpring;
use super::shear::Springs;
use super::{Grip, Reset, Shear, Slip, TangentialForce, TangentialLaw, TangentialRecord};
use crate::dim::{Dim, Vector};
use crate::input::Flat;
use crate::input::quantity::{Damping, Quantity};
use crate::input::value::NOT_NEGATIVE;
use crate::lane::MapInlined;
use crate::law::soft::SoftMemory;
use crate::law::soft::plain::PlainTangential;
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
pub(crate) struct CundallStrackLaw {
    /// Stiffness.
    pub springs: Springs,
    /// gamma [N s/m].
    pub damping: f64,
    /// How the spring yields.
    pub reset: Reset,
    /// Friction.
    pub grip: Grip,
}

impl TangentialRecord for CundallStrack {
    fn law(&self, grip: Grip, _: Option<f64>) -> TangentialLaw {
        TangentialLaw::new(CundallStrackLaw {
            springs: self.shear.springs(),
            damping: *self.damping,
            reset: self.reset.beside(*self.damping),
            grip,
        })
    }
}

impl<D: Dim> TangentialForce<D> for CundallStrackLaw {
    #[inline]
    fn force(&self, slip: &Slip<D>, memory: &mut SoftMemory<D>) -> D::Vec {
        let [path, ahead] = [slip.dt, slip.ahead].map_inlined(|time| slip.velocity * time);
        let (stiffness, dashpot) = (self.springs.at(slip.stiffness), slip.velocity * -self.damping);
        self.reset.force(&self.grip, slip, ShearedSpring { path, ahead, stiffness, dashpot }, memory)
    }
    fn stored(&self, slip: &Slip<D>, memory: &SoftMemory<D>) -> f64 {
        0.5 * self.springs.at(slip.stiffness) * memory.spring.norm_squared()
    }
    fn grip(&self) -> Option<Grip> {
        Some(self.grip)
    }
    fn plain(&self) -> Option<PlainTangential> {
        let CundallStrackLaw { springs, damping, reset, grip } = *self;
        Some(PlainTangential { springs, drag: [damping, 0.0], reset, grip })
    }
}
