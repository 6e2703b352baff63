//! Static friction on springs: creep and rocking.

use std::collections::HashMap;

use super::{Glance, Sentinel};
use crate::contact::ContactKey;
use crate::dim::{Dim, Vector};

/// Contacts that are followed at a time.
const FOLLOWED: usize = 64;
/// Swings of a contact that make it rock.
const SWINGS: u32 = 20;
/// Width of a swing over the overlap that is worth a word.
const WIDE: f64 = 0.02;
/// Path in one direction over the overlap that no spring of friction explains: its stretch is at most mu k_N / k_S overlaps.
const FAR: f64 = 5.0;

/// Part of the shortest collision between glances beyond which slip cannot be followed: about 200 contacts.
const SELDOM: f64 = 0.2;
/// Shortest collisions that a contact must outlast: rebounds are no rest.
const LASTING: f64 = 20.0;

/// What a contact did since it was first seen.
struct Path<D: Dim> {
    slip: D::Vec,
    way: D::Vec,
    length: f64,
    swings: u32,
    deepest: f64,
    time: f64,
    seen: u64,
}

/// Watches contacts that do not slide: they should be at rest, but a spring swings and a dashpot creeps. [Chen section 3.2]
#[derive(Default)]
pub struct Creep<D: Dim> {
    paths: HashMap<ContactKey, Path<D>>,
    glances: u64,
}

impl<D: Dim> Sentinel<D> for Creep<D> {
    fn look(&mut self, glance: &Glance<'_, D>) -> Option<String> {
        if glance.since > SELDOM * glance.shortest {
            return None; // swings between glances would be taken for a path
        }
        self.glances += 1;
        let mut alarm = None;
        for seen in glance.seen.iter().filter(|seen| !seen.slides && seen.gap < 0.0 && seen.friction > 0.0) {
            if self.paths.len() >= FOLLOWED && !self.paths.contains_key(&seen.key) {
                continue;
            }
            let slip = glance.slip(seen);
            let fresh = Path { slip, way: D::Vec::ZERO, length: 0.0, swings: 0, deepest: 0.0, time: 0.0, seen: 0 };
            let path = self.paths.entry(seen.key).or_insert(fresh);
            path.seen = self.glances;
            path.swings += u32::from(path.slip.dot(slip) < 0.0);
            path.slip = slip;
            path.way += slip * glance.since;
            path.length += slip.norm() * glance.since;
            path.deepest = path.deepest.max(-seen.gap);
            path.time += glance.since;
            if path.time < LASTING * glance.shortest {
                continue;
            }
            let (wide, far) = (path.length / f64::from(path.swings) / path.deepest, path.way.norm() / path.deepest);
            let names = || glance.names(seen);
            if path.swings >= SWINGS && wide > WIDE {
                alarm = Some(format!(
                    "{} do not slide but rock: {} swings of {:.1} % of their overlap; a tangential dashpot calms the spring",
                    names(),
                    path.swings,
                    100.0 * wide
                ));
            } else if far > FAR {
                alarm = Some(format!(
                    "{} do not slide but creep: {far:.1} times their overlap by now; only a tangential spring holds them",
                    names()
                ));
            }
        }
        // who slides or parts is forgotten
        let now = self.glances;
        self.paths.retain(|_, path| path.seen == now);
        alarm
    }
}
