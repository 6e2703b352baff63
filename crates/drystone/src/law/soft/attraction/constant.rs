//! A constant pull up to a distance.

use super::Pull;
use crate::input::Flat;
use crate::input::quantity::Force;
use crate::input::value::POSITIVE;
use crate::law::cohesion::Reach;
use crate::list::record;

record! {
    /// A pull F_C while the surfaces that touched are less than d_C = E_C / F_C apart. [Brendel section 1.8]
    pub struct Constant {
        /// The pull F_C.
        force: Force where POSITIVE,
        /// How far it reaches.
        reach: Flat<Reach>,
    }
}

impl Constant {
    /// The pull; friction goes by the force without it, R_n + F_C.
    pub fn pull(&self) -> Pull {
        Pull { force: *self.force, press: 0.0 }
    }

    /// d_C [m].
    pub fn range(&self) -> f64 {
        match &*self.reach {
            Reach::ByEnergy(reach) => *reach.energy / *self.force,
            Reach::ByRange(reach) => *reach.range,
        }
    }
}
