//! Derjaguin, Muller and Toporov.

use super::{Couple, Pull, SurfaceEnergy};
use crate::input::value::POSITIVE;
use crate::list::record;

record! {
    /// A pull 2 pi w r* while the surfaces touch. [DMT75]
    pub struct Dmt {
        /// Work of adhesion w: energy that separating the surfaces takes, per area.
        work: SurfaceEnergy where POSITIVE,
    }
}

impl Dmt {
    /// The pull; friction goes by the elastic force, which is the load and the pull together.
    pub fn pull(&self, couple: Couple) -> Pull {
        Pull { force: 2.0 * std::f64::consts::PI * *self.work * couple.radius, press: 0.0 }
    }
}
