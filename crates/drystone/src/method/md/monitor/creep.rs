//! Static friction on springs: creep and rocking.

use std::collections::HashMap;

use super::{Finding, Inspection, Monitor};
use crate::contact::ContactKey;
use crate::dim::{Dim, Vector};

/// Contacts that are followed at the same time.
const FOLLOWED: usize = 64;
/// Reversals of its slip after which a contact counts as rocking.
const SWINGS: u32 = 20;
/// Amplitude over the overlap above which a warning is given.
const WIDE: f64 = 0.02;
/// Path in one direction over the overlap that no friction spring explains: it stretches by at most mu k_N / k_S
/// overlaps.
const FAR: f64 = 5.0;

/// Time between inspections over the shortest collision above which slip cannot be followed: reached at about 200
/// contacts.
const SELDOM: f64 = 0.2;
/// Multiple of the shortest collision that a contact must last: a rebound is not rest.
const LASTING: f64 = 20.0;

/// How a contact has moved since it was first inspected.
struct Path<D: Dim> {
    slip: D::Vec,
    way: D::Vec,
    length: f64,
    swings: u32,
    deepest: f64,
    time: f64,
    last_inspection: u64,
}

/// Watches contacts that do not slide: they should be at rest, but a spring oscillates and a dashpot creeps.
/// [Chen section 3.2]
#[derive(Default)]
pub(crate) struct Creep<D: Dim> {
    paths: HashMap<ContactKey, Path<D>>,
    inspections: u64,
}

impl<D: Dim> Monitor<D> for Creep<D> {
    fn inspect(&mut self, inspection: &Inspection<'_, D>) -> Option<Finding> {
        if inspection.since > SELDOM * inspection.shortest {
            return None; // oscillations between inspections would be taken for a path
        }
        self.inspections += 1;
        let mut worst: Option<Finding> = None;
        for contact in
            inspection.contacts.iter().filter(|contact| !contact.slides && contact.gap < 0.0 && contact.friction > 0.0)
        {
            if self.paths.len() >= FOLLOWED && !self.paths.contains_key(&contact.key) {
                continue;
            }
            let slip = inspection.slip(contact);
            let fresh =
                Path { slip, way: D::Vec::ZERO, length: 0.0, swings: 0, deepest: 0.0, time: 0.0, last_inspection: 0 };
            let path = self.paths.entry(contact.key).or_insert(fresh);
            path.last_inspection = self.inspections;
            path.swings += u32::from(path.slip.dot(slip) < 0.0);
            path.slip = slip;
            path.way += slip * inspection.since;
            path.length += slip.norm() * inspection.since;
            path.deepest = path.deepest.max(-contact.gap);
            path.time += inspection.since;
            if path.time < LASTING * inspection.shortest {
                continue;
            }
            let (wide, far) = (path.length / f64::from(path.swings) / path.deepest, path.way.norm() / path.deepest);
            let names = || inspection.names(contact);
            let rocks = path.swings >= SWINGS && wide > WIDE;
            let size = if rocks { wide / WIDE } else { far / FAR };
            if !rocks && far <= FAR || worst.as_ref().is_some_and(|worst| worst.size >= size) {
                continue;
            }
            let message = match rocks {
                true => format!(
                    "{} do not slide but oscillate: {} times by {:.1} % of their overlap; a tangential dashpot damps the spring",
                    names(),
                    path.swings,
                    100.0 * wide
                ),
                false => format!(
                    "{} do not slide but creep, by {far:.1} times their overlap so far; only a tangential spring holds them",
                    names()
                ),
            };
            worst = Some(Finding { size, message });
        }
        // contacts that slide or open are forgotten
        let now = self.inspections;
        self.paths.retain(|_, path| path.last_inspection == now);
        worst
    }

    fn counts(&self) -> Vec<f64> {
        let mut keys: Vec<&ContactKey> = self.paths.keys().collect();
        keys.sort_unstable();
        let numbers = |key: &&ContactKey| {
            let path = &self.paths[*key];
            let vectors = [path.slip, path.way].into_iter().flat_map(|v| (0..D::Vec::LEN).map(move |axis| v.get(axis)));
            let own = [path.length, f64::from(path.swings), path.deepest, path.time, path.last_inspection as f64];
            [key.a, key.b, key.feature].map(f64::from).into_iter().chain(vectors).chain(own).collect::<Vec<f64>>()
        };
        std::iter::once(self.inspections as f64).chain(keys.iter().flat_map(numbers)).collect()
    }

    fn recall(&mut self, counts: &[f64]) {
        let [inspections, paths @ ..] = counts else { return };
        self.inspections = *inspections as u64;
        let path = |numbers: &[f64]| {
            let vector = |from: usize| D::Vec::from_fn(|axis| numbers[from + axis]);
            let n = D::Vec::LEN;
            let key = ContactKey { a: numbers[0] as u32, b: numbers[1] as u32, feature: numbers[2] as u32 };
            let own = &numbers[3 + 2 * n..];
            let path = Path {
                slip: vector(3),
                way: vector(3 + n),
                length: own[0],
                swings: own[1] as u32,
                deepest: own[2],
                time: own[3],
                last_inspection: own[4] as u64,
            };
            (key, path)
        };
        self.paths = paths.chunks_exact(8 + 2 * D::Vec::LEN).map(path).collect();
    }
}
