//! Carrying the memory of contacts over from one step to the next.

use std::ops::Range;

use super::feature::CORNERS;
use super::{Contact, ContactMemory, Network, Prediction};
use crate::body::Twist;
use crate::dim::{Dim, Vector};
use crate::threads;

/// Memory that is no longer used, for the contacts of the next step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spare<D: Dim> {
    /// Contacts, one vector for each thread.
    pub contacts: Vec<Vec<Contact<D>>>,
    memory: Vec<ContactMemory<D>>,
}

impl<D: Dim> Network<D> {
    /// Replaces the contacts by new ones (sorted by key). Those that existed before keep their memory, rotated with
    /// their normal.
    pub fn renew(&mut self, contacts: Vec<Contact<D>>) {
        self.renew_from(vec![contacts], &mut Spare::default());
    }

    /// As [`Network::renew`], from contacts in several parts, one after the other.
    pub(crate) fn renew_from(&mut self, parts: Vec<Vec<Contact<D>>>, spare: &mut Spare<D>) {
        let mut parts = parts.into_iter();
        let mut contacts = parts.next().unwrap_or_default();
        let others: Vec<Vec<Contact<D>>> = parts.inspect(|part| contacts.extend_from_slice(part)).collect();
        debug_assert!(contacts.is_sorted_by_key(|contact| contact.key));
        let mut memory = std::mem::take(&mut spare.memory);
        memory.resize(contacts.len(), ContactMemory::default());
        let ranges = ranges_of_pairs(&contacts);
        let work = ranges.iter().cloned().zip(threads::split(&mut memory, ranges.iter().cloned())).collect();
        threads::map(work, contacts.len(), |(range, memory)| self.recall(&contacts[range], memory));
        spare.memory = std::mem::replace(&mut self.memory, memory);
        spare.contacts = vec![std::mem::replace(&mut self.contacts, contacts)];
        spare.contacts.extend(others);
        self.history.clear();
        self.predictions.clear();
    }

    /// Contacts from the pair a, b on.
    pub(crate) fn contacts_from(&self, a: u32, b: u32) -> &[Contact<D>] {
        &self.contacts[self.first_of(a, b)..]
    }

    fn first_of(&self, a: u32, b: u32) -> usize {
        self.contacts.partition_point(|contact| (contact.key.a, contact.key.b) < (a, b))
    }

    /// What new contacts (all of their pairs, sorted by key) remember of the present ones.
    fn recall(&self, contacts: &[Contact<D>], memory: &mut [ContactMemory<D>]) {
        let Some(first) = contacts.first() else { return };
        let from = self.first_of(first.key.a, first.key.b);
        let (known, held) = (&self.contacts[from..], &self.memory[from..]);
        let mut old = known.iter().zip(held).peekable();
        for (contact, memory) in contacts.iter().zip(memory.iter_mut()) {
            while old.next_if(|(before, _)| before.key < contact.key).is_some() {}
            *memory = match old.next_if(|(before, _)| before.key == contact.key) {
                Some((before, memory)) => rotated(before, memory, contact),
                None => ContactMemory::default(),
            };
        }
        match_by_position(known, held, contacts, memory);
    }

    /// Adds contacts that the network lacks; they start without an impulse.
    pub fn insert(&mut self, mut extra: Vec<Contact<D>>) {
        extra.sort_by_key(|contact| contact.key);
        threads::each_of_two(&mut self.memory, &mut self.contacts, |_, memory, contact| {
            *memory = rotated(contact, memory, contact);
        });
        // from the last one back, so that every contact moves once
        let (mut known, mut place) = (self.contacts.len(), self.contacts.len() + extra.len());
        self.contacts.extend_from_slice(&extra);
        self.memory.resize(place, ContactMemory::default());
        while let Some(contact) = extra.pop() {
            place -= 1;
            while known > 0 && self.contacts[known - 1].key > contact.key {
                known -= 1;
                (self.contacts[place], self.memory[place]) = (self.contacts[known], self.memory[known]);
                place -= 1;
            }
            (self.contacts[place], self.memory[place]) = (contact, ContactMemory::default());
        }
        self.history.clear();
    }

    /// As [`Network::insert`], for contacts that were predicted for the end of the step while bodies moved with
    /// `twist`. Contacts that the network has already are replaced, and keep their memory.
    pub fn insert_predicted(&mut self, extra: Vec<Contact<D>>, twist: &[Twist<D>]) {
        let mut added = Vec::new();
        for now in extra {
            match self.position(now.key) {
                Some(k) => {
                    self.memory[k] = rotated(&self.contacts[k], &self.memory[k], &now);
                    self.contacts[k] = now;
                }
                None => added.push(now),
            }
            let prediction =
                Prediction { key: now.key, twist: [now.key.a, now.key.b].map(|body| twist[body as usize]) };
            match self.predictions.binary_search_by_key(&now.key, |known| known.key) {
                Ok(k) => self.predictions[k] = prediction,
                Err(k) => self.predictions.insert(k, prediction),
            }
        }
        self.insert(added);
    }
}

/// Divides contacts into ranges, one for each thread, so that those of a pair stay together.
fn ranges_of_pairs<D: Dim>(contacts: &[Contact<D>]) -> Vec<Range<usize>> {
    let pair = |contact: &Contact<D>| (contact.key.a, contact.key.b);
    let after = |end: usize| match contacts.get(end.wrapping_sub(1)) {
        Some(last) => end + contacts[end..].iter().take_while(|contact| pair(contact) == pair(last)).count(),
        None => end,
    };
    let chunks = threads::chunks(contacts.len(), contacts.len());
    chunks.into_iter().map(|chunk| after(chunk.start)..after(chunk.end)).collect()
}

/// How far a contact of a polygon or polyhedron may have moved, relative to its arm, and still be the same. A wrong
/// guess costs sweeps, but no accuracy.
const MOVED: f64 = 0.05;

/// Where two polygons or polyhedra lie corner on corner, either corner may name the contact, and rounding decides
/// which. So a new contact whose key no old one had takes the memory of the nearest old one of the pair that is still
/// free.
fn match_by_position<D: Dim>(
    old: &[Contact<D>],
    held: &[ContactMemory<D>],
    new: &[Contact<D>],
    memory: &mut [ContactMemory<D>],
) {
    let pair = |contact: &Contact<D>| (contact.key.a, contact.key.b);
    let (mut from, mut first) = (0, 0);
    for run in new.chunk_by(|one, other| pair(one) == pair(other)) {
        let (start, range) = (first, first..first + run.len());
        first = range.end;
        if run[0].key.feature < CORNERS {
            continue;
        }
        from += old[from..].iter().take_while(|before| pair(before) < pair(&run[0])).count();
        let until = from + old[from..].iter().take_while(|before| pair(before) == pair(&run[0])).count();
        let stays = |k: usize| run.iter().any(|now| now.key == old[k].key);
        let mut free: Vec<usize> = (from..until).filter(|k| !stays(*k)).collect();
        for k in range.filter(|k| !old[from..until].iter().any(|before| before.key == run[k - start].key)) {
            let now = &new[k];
            let distance = |k: usize| (old[k].arm_b - now.arm_b).norm();
            let nearest = free.iter().copied().min_by(|p, q| distance(*p).total_cmp(&distance(*q)));
            if let Some(before) = nearest.filter(|before| distance(*before) <= MOVED * now.arm_b.norm()) {
                memory[k] = rotated(&old[before], &held[before], now);
                free.retain(|k| *k != before);
            }
        }
    }
}

/// A memory rotated to the new normal: the impulse keeps its normal part, and its tangential part stays in the tangent
/// plane. The same holds for the torque.
#[inline]
fn rotated<D: Dim>(before: &Contact<D>, memory: &ContactMemory<D>, now: &Contact<D>) -> ContactMemory<D> {
    let normal = memory.impulse.dot(before.normal);
    let tangential = memory.impulse - before.normal * normal;
    let rolling = D::swing(memory.torque, before.normal); // T x n: tangent, like the slip
    let torsion = memory.torque - D::torque(before.normal, rolling);
    let about = |normal: D::Vec| D::torque(normal, rolling.tangent_to(normal));
    ContactMemory {
        impulse: now.normal * normal + tangential.tangent_to(now.normal),
        torque: about(now.normal) + torsion,
        ..*memory
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ContactKey, Regime};
    use super::*;
    use crate::dim::D2;
    use glam::DVec2;

    fn contact(a: u32, b: u32, normal: DVec2) -> Contact<D2> {
        let key = ContactKey { a, b, feature: 0 };
        Contact { key, normal, gap: 0.0, arm_a: normal, arm_b: -normal, image_velocity: DVec2::ZERO }
    }

    #[test]
    fn contacts_that_stay_keep_their_impulse_and_new_ones_start_empty() {
        let mut network = Network::<D2>::default();
        network.renew(vec![contact(0, 1, DVec2::X), contact(1, 2, DVec2::X), contact(3, 4, DVec2::X)]);
        network.memory[1] =
            ContactMemory { impulse: DVec2::new(2.0, 0.5), regime: Regime::Stick, ..ContactMemory::default() };
        network.renew(vec![contact(0, 2, DVec2::X), contact(1, 2, DVec2::Y), contact(3, 5, DVec2::X)]);
        assert_eq!(network.memory[0], ContactMemory::default());
        assert_eq!(network.memory[1].impulse, DVec2::new(0.0, 2.0), "the normal part turns with the normal");
        assert_eq!(network.memory[2], ContactMemory::default());
        network.insert(vec![contact(0, 9, DVec2::X)]);
        assert_eq!(network.contacts.len(), 4);
        assert_eq!(network.memory[2].impulse, DVec2::new(0.0, 2.0));
    }

    #[test]
    fn a_corner_that_changes_its_name_keeps_its_impulse() {
        let corner = |corner: usize, of_b: bool, x: f64| Contact {
            key: ContactKey { a: 1, b: 2, feature: super::super::feature::corner_feature(of_b, corner, 0) },
            arm_b: DVec2::new(x, -1.0),
            ..contact(1, 2, DVec2::Y)
        };
        let mut network = Network::<D2>::default();
        network.renew(vec![contact(0, 1, DVec2::X), corner(0, true, -1.0), corner(1, true, 1.0)]);
        for (k, memory) in network.memory.iter_mut().enumerate() {
            memory.impulse = DVec2::new(0.0, 1.0 + k as f64);
        }
        // one keeps its name, the other is now named by the corner of a; a third is new and far
        network.renew(vec![corner(0, true, -1.0), corner(2, false, 0.99), corner(3, false, 0.5)]);
        let found: Vec<f64> = network.memory.iter().map(|memory| memory.impulse.y).collect();
        assert_eq!(found, [2.0, 3.0, 0.0]);
    }
}
