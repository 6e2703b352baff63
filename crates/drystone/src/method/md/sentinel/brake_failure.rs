//! Brake failure.

use super::{Glance, Sentinel};
use crate::dim::{Dim, Vector};
use crate::law::soft::Couple;
use crate::law::soft::collision::head_on;
use crate::method::md::seen::Seen;

/// Cosine of the steepest angle between velocity and normal that counts: grazing contacts brake little anyway.
const HEAD_ON: f64 = 0.5;

/// Collisions of heavy or slow grains last longer than the shortest one, hardly more than ten times as long.
const LONGER: f64 = 10.0;

/// Watches for grains that are through each other before their collision is over: V > V_c = 4 R cos(theta) / tau, with
/// 2 R the sum of the radii and tau the time of their collision. [Wolf section 2.4]
///
/// Beyond V_c a contact ends because the grains have passed, not because the springs have pushed: fast grains are braked
/// less than slow ones. Flat walls cannot be passed.
pub struct BrakeFailure;

impl<D: Dim> Sentinel<D> for BrakeFailure {
    fn look(&mut self, glance: &Glance<'_, D>) -> Option<String> {
        for seen in glance.seen.iter().filter(|seen| seen.arms[0] > 0.0) {
            let (speed, approach) = (glance.velocity(seen).norm(), glance.approach(seen));
            let cosine = approach / speed;
            // at the first touch: later the normal has turned
            let is_new = -seen.gap <= 2.0 * approach * glance.since;
            let way = 2.0 * (seen.arms[0] + seen.arms[1]) * cosine;
            if !is_new || cosine < HEAD_ON || speed * LONGER * glance.shortest < way {
                continue;
            }
            let tau = duration(glance, seen, approach);
            if speed * tau > way {
                return Some(format!(
                    "{} meet with {speed:.3e} m/s, more than V_c = 4 R cos(theta) / tau = {:.3e} m/s (theta = {:.0} \
                     degrees, tau = {tau:.2e} s): they pass before the springs have braked them",
                    glance.names(seen),
                    way / tau,
                    libm::acos(cosine).to_degrees()
                ));
            }
        }
        None
    }
}

/// Time of a head-on collision of this pair [s].
fn duration<D: Dim>(glance: &Glance<'_, D>, seen: &Seen<D>, approach: f64) -> f64 {
    let [a, b] = glance.bodies(seen).map(|body| glance.world.bodies.material[body]);
    let pair = glance.world.laws.between(a, b);
    let radius = seen.arms[0] * seen.arms[1] / (seen.arms[0] + seen.arms[1]);
    let couple = Couple { mass: glance.mass(seen), radius };
    pair.md.as_ref().map_or(0.0, |soft| head_on(&soft.law(pair).normal, couple, approach).duration)
}
