//! Brake failure.

use super::{Finding, Inspection, Monitor};
use crate::dim::{Dim, Vector};
use crate::law::soft::Couple;
use crate::law::soft::collision::head_on;
use crate::method::md::contact_report::ContactReport;

/// Smallest cosine of the angle between velocity and normal that counts: grazing contacts brake little anyway.
const HEAD_ON: f64 = 0.5;

/// Collisions of heavy or slow grains last longer than the shortest one, but hardly more than ten times as long.
const LONGER: f64 = 10.0;

/// Watches for grains that pass through each other before their collision is over: V > V_c = 4 R cos(theta) / tau, with
/// 2 R the sum of the radii and tau the duration of their collision. [Wolf section 2.4]
///
/// Above V_c a contact ends because the grains have passed each other, not because the springs have pushed them apart:
/// fast grains are braked less than slow ones. Flat walls cannot be passed.
pub(crate) struct BrakeFailure;

impl<D: Dim> Monitor<D> for BrakeFailure {
    fn inspect(&mut self, inspection: &Inspection<'_, D>) -> Option<Finding> {
        let mut worst: Option<Finding> = None;
        for contact in inspection.contacts.iter().filter(|contact| contact.radii[0] > 0.0) {
            let (speed, approach) = (inspection.velocity(contact).norm(), inspection.approach(contact));
            let cosine = approach / speed;
            // only at first touch: later the normal has turned
            let is_new = -contact.gap <= 2.0 * approach * inspection.since;
            let way = 2.0 * (contact.radii[0] + contact.radii[1]) * cosine;
            if !is_new || cosine < HEAD_ON || speed * LONGER * inspection.shortest < way {
                continue;
            }
            let tau = duration(inspection, contact, approach);
            let size = speed * tau / way;
            if size > worst.as_ref().map_or(1.0, |worst| worst.size) {
                let message = format!(
                    "{} meet with {speed:.3e} m/s, more than V_c = 4 R cos(theta) / tau = {:.3e} m/s (theta = {:.0} \
                     degrees, tau = {tau:.2e} s): they pass before the springs have slowed them down",
                    inspection.names(contact),
                    way / tau,
                    libm::acos(cosine).to_degrees()
                );
                worst = Some(Finding { size, message });
            }
        }
        worst
    }
}

/// Duration of a head-on collision of this pair [s].
fn duration<D: Dim>(inspection: &Inspection<'_, D>, contact: &ContactReport<D>, approach: f64) -> f64 {
    let [a, b] = inspection.bodies(contact).map(|body| inspection.world.bodies.material[body]);
    let radius = contact.radii[0] * contact.radii[1] / (contact.radii[0] + contact.radii[1]);
    let couple = Couple { mass: inspection.mass(contact), radius };
    inspection.world.setup.laws.soft(a, b).map_or(0.0, |law| head_on(&*law.normal, couple, approach).duration)
}
