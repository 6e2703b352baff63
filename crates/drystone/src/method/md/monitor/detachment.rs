//! The detachment effect.

use super::{Finding, Inspection, Monitor};
use crate::dim::Dim;

/// Colliding contacts that must have been inspected before a warning.
const ENOUGH: u64 = 100;
/// Fraction of them that may share a grain.
const OFTEN: f64 = 0.5;
/// A contact collides while the energy of its relative motion exceeds this fraction of its elastic energy.
const COLLIDING: f64 = 0.1;

/// Watches for grains that collide with several others at once because contacts last longer than the flights between
/// them: a cluster then oscillates as a whole, and less energy is lost than pairs would lose. [Wolf section 2.4]
#[derive(Default)]
pub(crate) struct Detachment {
    collisions: u64,
    shared: u64,
}

impl<D: Dim> Monitor<D> for Detachment {
    fn inspect(&mut self, inspection: &Inspection<'_, D>) -> Option<Finding> {
        let collides = |k: &usize| {
            let contact = &inspection.contacts[*k];
            let approach = inspection.approach(contact);
            0.5 * inspection.mass(contact) * approach * approach > COLLIDING * contact.stored && contact.gap < 0.0
        };
        let colliding: Vec<usize> = (0..inspection.contacts.len()).filter(collides).collect();
        let mut busy = std::collections::HashMap::<usize, u32>::new();
        let first = inspection.world.grains().start;
        let grains =
            |k: usize| inspection.bodies(&inspection.contacts[k]).into_iter().filter(move |body| *body >= first);
        for body in colliding.iter().flat_map(|k| grains(*k)) {
            *busy.entry(body).or_default() += 1;
        }
        self.collisions += colliding.len() as u64;
        self.shared += colliding.iter().filter(|k| grains(**k).any(|body| busy[&body] > 1)).count() as u64;
        let part = self.shared as f64 / self.collisions as f64;
        (self.collisions >= ENOUGH && part > OFTEN).then(|| Finding {
            size: part,
            message: format!(
                "{} of {} colliding contacts ({:.0} %) share a grain with another: contacts last longer than the flights \
                 between them, and clusters lose less energy than pairs would",
                self.shared,
                self.collisions,
                100.0 * part
            ),
        })
    }

    fn counts(&self) -> Vec<f64> {
        vec![self.collisions as f64, self.shared as f64]
    }

    fn recall(&mut self, counts: &[f64]) {
        if let [collisions, shared] = *counts {
            *self = Detachment { collisions: collisions as u64, shared: shared as u64 };
        }
    }
}
