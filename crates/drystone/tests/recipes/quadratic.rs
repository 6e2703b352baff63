//! A spring that gets stiffer with the overlap.

use std::sync::Arc;

use super::super::Couple;
use super::{NormalForce, NormalLaw, NormalRecord, Push, Squeeze};
use crate::input::quantity::Pressure;
use crate::input::value::POSITIVE;
use crate::list::record;

record! {
    /// f = k xi^2, without losses.
    pub struct Quadratic {
        /// k, a force over the square of an overlap.
        stiffness: Pressure where POSITIVE,
    }
}

impl NormalRecord for Quadratic {
    fn law(&self, _: f64) -> NormalLaw {
        Arc::new(self.clone())
    }
}

impl NormalForce for Quadratic {
    fn push(&self, _: Couple, Squeeze { overlap, .. }: Squeeze, _: &mut f64) -> Push {
        let slope = *self.stiffness * overlap;
        Push { force: slope * overlap, stiffness: 2.0 * slope, damping: 0.0 }
    }
    fn stored(&self, _: Couple, overlap: f64, _: f64) -> f64 {
        *self.stiffness * overlap * overlap * overlap / 3.0
    }
}
