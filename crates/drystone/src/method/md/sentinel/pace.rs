//! Time steps too long for the collisions that happen.

use super::{Glance, Sentinel};
use crate::dim::Dim;
use crate::method::md::shortest_collision;

/// Steps that a collision must last: with twenty a leapfrog errs by 3e-4 in the rebound, with ten by ten times that.
/// [Wolf section 2.1]
const LEAST: f64 = 20.0;
/// Growth of the approach velocity for which the collision is computed anew.
const FASTER: f64 = 1.25;

/// Watches for approach velocities at which collisions last fewer than twenty steps.
#[derive(Default)]
pub struct Pace {
    fastest: f64,
}

impl<D: Dim> Sentinel<D> for Pace {
    fn look(&mut self, glance: &Glance<'_, D>) -> Option<String> {
        let speed = glance.seen.iter().map(|seen| glance.approach(seen)).fold(0.0, f64::max);
        if speed <= FASTER * self.fastest {
            return None;
        }
        self.fastest = speed;
        let lasts = shortest_collision(glance.world, Some(speed));
        let steps = lasts / glance.dt;
        (steps < LEAST).then(|| {
            format!(
                "grains meet with {speed:.3e} m/s: such collisions last {lasts:.2e} s, {steps:.1} steps of {:.2e} s; take \
                 {:.1e} s",
                glance.dt,
                lasts / (2.5 * LEAST)
            )
        })
    }
}
