//! Brake failure.

use super::{Glance, Sentinel};
use crate::dim::{Dim, Vector};

/// Cosine of the steepest angle between velocity and normal that counts: grazing contacts brake little anyway.
const HEAD_ON: f64 = 0.5;

/// Watches for grains that are through each other before their collision is over: V > V_c = 4 R cos(theta) / tau, with
/// 2 R the sum of the radii and tau the shortest collision. [Schaefer95], [Wolf section 2.4]
///
/// Beyond V_c a contact ends because the grains have passed, not because the springs have pushed: fast grains are braked
/// less than slow ones. Flat walls cannot be passed.
pub struct BrakeFailure;

impl<D: Dim> Sentinel<D> for BrakeFailure {
    fn look(&mut self, glance: &Glance<'_, D>) -> Option<String> {
        for seen in glance.seen.iter().filter(|seen| seen.arms[0] > 0.0) {
            let (speed, approach) = (glance.velocity(seen).norm(), glance.approach(seen));
            let cosine = approach / speed;
            let radii = seen.arms[0] + seen.arms[1];
            // at the first touch: later the normal has turned
            let is_new = -seen.gap <= 2.0 * approach * glance.since;
            let critical = 2.0 * radii * cosine / glance.shortest;
            if is_new && cosine > HEAD_ON && speed > critical {
                return Some(format!(
                    "{} meet with {speed:.3e} m/s, more than V_c = 4 R cos(theta) / tau = {critical:.3e} m/s (theta = {:.0} \
                     degrees, tau = {:.2e} s): they pass before the springs have braked them",
                    glance.names(seen),
                    libm::acos(cosine).to_degrees(),
                    glance.shortest
                ));
            }
        }
        None
    }
}
