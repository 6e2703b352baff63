//! Derjaguin, Muller and Toporov.

use super::{Attract, Couple, Pull, SurfaceEnergy};
use crate::input::value::POSITIVE;
use crate::list::record;

record! {
    /// A pull 2 pi w r* while the surfaces touch. [DMT75]
    pub struct Dmt {
        /// Work of adhesion w: energy that separating the surfaces takes, per area.
        work: SurfaceEnergy where POSITIVE,
    }
}

impl Attract for Dmt {
    /// The friction limit follows the elastic force, which is the sum of load and pull.
    fn pull(&self, couple: Couple, _: f64, _: f64) -> Pull {
        Pull { force: 2.0 * std::f64::consts::PI * *self.work * couple.radius, press: 0.0 }
    }
    fn stored(&self, couple: Couple, overlap: f64, modulus: f64) -> f64 {
        -self.pull(couple, overlap, modulus).force * overlap.max(0.0)
    }
}
