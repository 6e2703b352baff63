//! A constant pull up to a distance.

use super::{Attract, Couple, Pull};
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

impl Attract for Constant {
    /// The friction limit follows the force without the pull, R_n + F_C.
    fn pull(&self, _: Couple, _: f64, _: f64) -> Pull {
        Pull { force: *self.force, press: 0.0 }
    }
    fn stored(&self, couple: Couple, overlap: f64, modulus: f64) -> f64 {
        -*self.force * (overlap + self.range(couple, modulus))
    }
    /// d_C [m].
    fn range(&self, _: Couple, _: f64) -> f64 {
        match &*self.reach {
            Reach::ByEnergy(reach) => *reach.energy / *self.force,
            Reach::ByRange(reach) => *reach.range,
        }
    }
}
