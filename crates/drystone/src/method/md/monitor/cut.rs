//! Forces that are cut or jump.

use super::{Finding, Inspection, Monitor};
use crate::dim::{Dim, Vector};

/// Contacts that must have been inspected before a warning.
const ENOUGH: u64 = 100;
/// Fraction of the overlapping contacts that may be without force.
const OFTEN: f64 = 0.1;

/// Watches for contacts that overlap without a force because the dashpot pulls harder than the spring pushes.
///
/// With a linear spring and dashpot a grain is without force for 2 zeta / omega_0 at the end of a collision, and the
/// force jumps to 2 zeta of m* omega_0 v when it starts: the fraction of the overlapping time without force is 2 zeta /
/// (2 zeta + omega_0 t_c).
#[derive(Default)]
pub(crate) struct Cut {
    overlapping: u64,
    without_force: u64,
}

impl<D: Dim> Monitor<D> for Cut {
    fn inspect(&mut self, inspection: &Inspection<'_, D>) -> Option<Finding> {
        for contact in inspection.contacts.iter().filter(|contact| contact.gap < 0.0) {
            self.overlapping += 1;
            self.without_force += u64::from(contact.force.dot(contact.normal) == 0.0);
        }
        let Cut { overlapping, without_force } = *self;
        let part = without_force as f64 / overlapping as f64;
        (overlapping >= ENOUGH && part > OFTEN).then(|| Finding {
            size: part,
            message: format!(
                "{without_force} of {overlapping} overlapping contacts ({:.0} %) carried no force: the dashpot is cut at the \
                 end of collisions, and the force jumps when they start",
                100.0 * part
            ),
        })
    }

    fn counts(&self) -> Vec<f64> {
        vec![self.overlapping as f64, self.without_force as f64]
    }

    fn recall(&mut self, counts: &[f64]) {
        if let [overlapping, without_force] = *counts {
            *self = Cut { overlapping: overlapping as u64, without_force: without_force as u64 };
        }
    }
}
