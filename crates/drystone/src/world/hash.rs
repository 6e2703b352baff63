//! A number that identifies a state.

use super::State;
use crate::contact::ContactKey;
use crate::dim::{Dim, Vector};

impl<D: Dim> State<D> {
    /// A number that identifies it: FNV-1a over the bits of clock, poses, twists, strains and contact memory.
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        hash.word(self.clock.step);
        hash.number(self.clock.time);
        if let Some(cell) = &self.cell {
            hash.vector(cell.lengths);
            hash.vector(cell.stretching);
            if cell.press.is_some() {
                hash.vector(cell.urge.stretching);
            }
            [cell.tilt, cell.rate].into_iter().for_each(|number| hash.number(number));
            if cell.follows_shear() {
                hash.number(cell.urge.sliding);
            }
        }
        for (pose, twist) in self.bodies.pose.iter().zip(&self.bodies.twist) {
            hash.vector(pose.x);
            D::rot_numbers(pose.q).into_iter().for_each(|number| hash.number(number));
            hash.vector(twist.v);
            hash.vector(twist.w);
        }
        if let Some(strains) = &self.bodies.strains {
            for tensor in strains.strain.iter().chain(&strains.rate) {
                hash.vector(tensor.diagonal);
                hash.vector(tensor.shear);
            }
        }
        for (contact, memory) in self.network.contacts.iter().zip(&self.network.memory) {
            let ContactKey { a, b, feature } = contact.key;
            [a, b, feature].into_iter().for_each(|word| hash.word(u64::from(word)));
            hash.vector(memory.impulse);
            hash.vector(memory.torque);
            memory.bond.into_iter().for_each(|opening| hash.number(opening));
        }
        hash.0
    }
}

struct Fnv(u64);

impl Fnv {
    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }
    fn vector<V: Vector>(&mut self, vector: V) {
        (0..V::LEN).for_each(|axis| self.number(vector.get(axis)));
    }
}
