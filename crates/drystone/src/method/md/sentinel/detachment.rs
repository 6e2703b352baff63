//! The detachment effect.

use super::{Glance, Sentinel};
use crate::dim::Dim;

/// Colliding contacts that must have been seen for a verdict.
const ENOUGH: u64 = 100;
/// Part of them that may share a grain.
const OFTEN: f64 = 0.5;
/// A contact collides while its relative motion has this part of its elastic energy; at rest it has next to none.
const COLLIDING: f64 = 0.1;

/// Watches for grains that collide with several others at once, longer than they fly between: contacts of finite length
/// run into each other, a cluster swings as a whole, and less energy is lost than pairs would lose. [Wolf section 2.4]
#[derive(Default)]
pub struct Detachment {
    collisions: u64,
    shared: u64,
}

impl<D: Dim> Sentinel<D> for Detachment {
    fn look(&mut self, glance: &Glance<'_, D>) -> Option<String> {
        let collides = |k: &usize| {
            let seen = &glance.seen[*k];
            let approach = glance.approach(seen);
            0.5 * glance.mass(seen) * approach * approach > COLLIDING * seen.stored && seen.gap < 0.0
        };
        let colliding: Vec<usize> = (0..glance.seen.len()).filter(collides).collect();
        let mut busy = std::collections::HashMap::<usize, u32>::new();
        let first = glance.world.grains().start;
        let grains = |k: usize| glance.bodies(&glance.seen[k]).into_iter().filter(move |body| *body >= first);
        for body in colliding.iter().flat_map(|k| grains(*k)) {
            *busy.entry(body).or_default() += 1;
        }
        self.collisions += colliding.len() as u64;
        self.shared += colliding.iter().filter(|k| grains(**k).any(|body| busy[&body] > 1)).count() as u64;
        let part = self.shared as f64 / self.collisions as f64;
        (self.collisions >= ENOUGH && part > OFTEN).then(|| {
            format!(
                "{} of {} colliding contacts ({:.0} %) share a grain with another: contacts last longer than the flights \
                 between them, and clusters lose less energy than pairs would",
                self.shared,
                self.collisions,
                100.0 * part
            )
        })
    }
}
