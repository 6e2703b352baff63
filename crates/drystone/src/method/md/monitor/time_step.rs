//! Time steps too long for the collisions that happen.

use super::{Finding, Inspection, Monitor};
use crate::dim::Dim;
use crate::method::md::shortest_collision;

/// Steps that a collision must last: with twenty a leapfrog errs by 3e-4 in the rebound, with ten by ten times that.
/// [Wolf section 2.1]
const LEAST: f64 = 20.0;
/// Growth of the approach velocity for which the collision is recomputed.
const FASTER: f64 = 1.25;

/// Watches for approach velocities at which collisions last fewer than twenty steps.
#[derive(Default)]
pub(crate) struct TimeStepTooLong {
    fastest: f64,
}

impl<D: Dim> Monitor<D> for TimeStepTooLong {
    fn inspect(&mut self, inspection: &Inspection<'_, D>) -> Option<Finding> {
        let speed = inspection.contacts.iter().map(|contact| inspection.approach(contact)).fold(0.0, f64::max);
        if speed <= FASTER * self.fastest {
            return None;
        }
        self.fastest = speed;
        let lasts = shortest_collision(inspection.world, Some(speed));
        let steps = lasts / inspection.dt;
        (steps < LEAST).then(|| Finding {
            size: LEAST / steps,
            message: format!(
                "grains meet with {speed:.3e} m/s: such collisions last {lasts:.2e} s, {steps:.1} steps of {:.2e} s; take \
                 {:.1e} s",
                inspection.dt,
                lasts / (2.5 * LEAST)
            ),
        })
    }

    fn counts(&self) -> Vec<f64> {
        vec![self.fastest]
    }

    fn recall(&mut self, counts: &[f64]) {
        if let [fastest] = *counts {
            *self = TimeStepTooLong { fastest };
        }
    }
}
