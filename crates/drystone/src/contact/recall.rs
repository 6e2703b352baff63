//! Carrying memory over from the old contacts to the new ones.

use super::{Contact, Memory, Network};
use crate::dim::{Dim, Vector};

impl<D: Dim> Network<D> {
    /// Takes new contacts (sorted by key); those that existed before keep their memory, turned with their normal.
    pub fn renew(&mut self, contacts: Vec<Contact<D>>) {
        debug_assert!(contacts.is_sorted_by_key(|contact| contact.key));
        let mut old = self.contacts.iter().zip(&self.memory).peekable();
        let recall = |contact: &Contact<D>| {
            while old.next_if(|(before, _)| before.key < contact.key).is_some() {}
            match old.next_if(|(before, _)| before.key == contact.key) {
                Some((before, memory)) => turned(before, memory, contact),
                None => Memory::default(),
            }
        };
        self.memory = contacts.iter().map(recall).collect();
        self.contacts = contacts;
        self.history.clear();
    }

    /// Adds contacts that were not there; they start without an impulse.
    pub fn insert(&mut self, extra: Vec<Contact<D>>) {
        let mut contacts = std::mem::take(&mut self.contacts);
        let old =
            Network { contacts: contacts.clone(), memory: std::mem::take(&mut self.memory), ..Network::default() };
        contacts.extend(extra);
        contacts.sort_by_key(|contact| contact.key);
        *self = old;
        self.renew(contacts);
    }
}

/// The impulse keeps its normal part; the tangential part stays in the tangent plane. The torque likewise.
fn turned<D: Dim>(before: &Contact<D>, memory: &Memory<D>, now: &Contact<D>) -> Memory<D> {
    let normal = memory.impulse.dot(before.normal);
    let tangential = memory.impulse - before.normal * normal;
    let rolling = D::swing(memory.torque, before.normal); // T x n: tangent, like the slip
    let torsion = memory.torque - D::torque(before.normal, rolling);
    let about = |normal: D::Vec| D::torque(normal, rolling.tangent_to(normal));
    Memory {
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
        Contact { key, normal, gap: 0.0, arm_a: normal, arm_b: -normal }
    }

    #[test]
    fn contacts_that_stay_keep_their_impulse_and_new_ones_start_empty() {
        let mut network = Network::<D2>::default();
        network.renew(vec![contact(0, 1, DVec2::X), contact(1, 2, DVec2::X), contact(3, 4, DVec2::X)]);
        network.memory[1] = Memory { impulse: DVec2::new(2.0, 0.5), regime: Regime::Stick, ..Memory::default() };
        network.renew(vec![contact(0, 2, DVec2::X), contact(1, 2, DVec2::Y), contact(3, 5, DVec2::X)]);
        assert_eq!(network.memory[0], Memory::default());
        assert_eq!(network.memory[1].impulse, DVec2::new(0.0, 2.0), "the normal part turns with the normal");
        assert_eq!(network.memory[2], Memory::default());
        network.insert(vec![contact(0, 9, DVec2::X)]);
        assert_eq!(network.contacts.len(), 4);
        assert_eq!(network.memory[2].impulse, DVec2::new(0.0, 2.0));
    }
}
