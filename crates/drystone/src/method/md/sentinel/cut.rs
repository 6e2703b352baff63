//! Forces that are cut or jump.

use super::{Glance, Sentinel};
use crate::dim::{Dim, Vector};

/// Contacts that must have been seen for a verdict.
const ENOUGH: u64 = 100;
/// Part of the overlapping contacts that may be without force.
const OFTEN: f64 = 0.1;

/// Watches for contacts that overlap without a force because the dashpot pulls harder than the spring pushes.
///
/// With a linear spring and dashpot a grain is without force for 2 zeta / omega_0 at the end of a collision, and the force
/// jumps to 2 zeta of m* omega_0 v when it starts: the part of the overlapping time is 2 zeta / (2 zeta + omega_0 t_c).
#[derive(Default)]
pub struct Cut {
    overlapping: u64,
    without_force: u64,
}

impl<D: Dim> Sentinel<D> for Cut {
    fn look(&mut self, glance: &Glance<'_, D>) -> Option<String> {
        for seen in glance.seen.iter().filter(|seen| seen.gap < 0.0) {
            self.overlapping += 1;
            self.without_force += u64::from(seen.force.dot(seen.normal) == 0.0);
        }
        let Cut { overlapping, without_force } = *self;
        let part = without_force as f64 / overlapping as f64;
        (overlapping >= ENOUGH && part > OFTEN).then(|| {
            format!(
                "{without_force} of {overlapping} overlapping contacts ({:.0} %) carried no force: the dashpot is cut at the \
                 end of collisions, and the force jumps when they start",
                100.0 * part
            )
        })
    }
}
