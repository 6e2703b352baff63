//! Contacts: who is near whom, where they touch, and what they remember.

pub mod at_mesh;
pub mod curve;
pub mod pieces;
mod pillars;
pub mod plates;
pub mod recall;
pub mod search;
pub mod shelf;
pub mod spread;
mod tips;
pub mod touch;

pub use search::Neighbours;
pub use shelf::Shelf;
pub use touch::Coincident;

use crate::body::Twist;
use crate::dim::Dim;
use crate::wall::mesh::{FEATURE_BITS, MESH};

/// Identity of a contact from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactKey {
    /// Index of the first body.
    pub a: u32,
    /// Index of the second body, larger than `a`.
    pub b: u32,
    /// Which of several contacts of the pair: the face of a wall, the corner of a stone, or two edges.
    pub feature: u32,
}

/// Features below this number are faces of walls; at and above it corners stand in them.
const CORNERS: u32 = 1 << 8;

/// The feature of a corner: of a or b, at a face of a wall or at none.
pub(crate) fn corner_feature(of_b: bool, corner: usize, face: u32) -> u32 {
    debug_assert!(face < CORNERS);
    CORNERS * (2 * (corner as u32 + 1) + u32::from(of_b)) + face
}

/// The feature of a corner of b, or ball of a clump, at a face of a wall.
pub(crate) fn wall_feature(corner: usize, face: u32) -> u32 {
    if face & MESH == 0 {
        return corner_feature(true, corner, face);
    }
    debug_assert!(corner < 1 << (31 - FEATURE_BITS));
    face | (corner as u32) << FEATURE_BITS
}

/// The feature of two edges that cross: one of a, one of b; outlines have no more than 2^15 of them.
fn edge_feature(of_a: usize, of_b: usize) -> u32 {
    debug_assert!(of_a < 1 << 15 && of_b < 1 << 15);
    1 << 31 | (of_a as u32) << 16 | of_b as u32
}

/// The geometry of a contact, made anew each step. The normal points from a to b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<D: Dim> {
    /// Identity.
    pub key: ContactKey,
    /// Unit normal from a to b.
    pub normal: D::Vec,
    /// Gap [m]; negative = overlap.
    pub gap: f64,
    /// From the centre of a to the contact [m]; zero for a wall, which does not turn. Round bodies have it on their own
    /// surface, stones half-way between the surfaces, so that both bodies feel the force at one point.
    pub arm_a: D::Vec,
    /// From the centre of b to the contact [m].
    pub arm_b: D::Vec,
    /// How much faster than b itself the image of b moves that touches [m/s]; zero without a cell that is sheared or strained.
    pub jump: D::Vec,
}

impl<D: Dim> Contact<D> {
    /// Velocity of b relative to a at the contact: u = H^T V. [Brendel eq. 1.14]
    pub fn velocity(&self, twist: &[Twist<D>]) -> D::Vec {
        let (a, b) = (&twist[self.key.a as usize], &twist[self.key.b as usize]);
        b.v + D::swing(b.w, self.arm_b) - a.v - D::swing(a.w, self.arm_a) + self.jump
    }
}

/// What a contact does during one time step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Regime {
    /// It carries no force.
    #[default]
    Open,
    /// The surfaces do not move against each other.
    Stick,
    /// Friction is fully mobilised.
    Slide,
}

/// What a contact takes from one step to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Memory<D: Dim> {
    /// Impulse on b during the last step [N s].
    pub impulse: D::Vec,
    /// Impulse of the torque on b during the last step, by rolling and torsion friction [N m s].
    pub torque: D::Spin,
    /// What the contact did.
    pub regime: Regime,
    /// How far a cohesive contact has opened without breaking [m]; `None` without a bond.
    pub bond: Option<f64>,
}

/// A contact that was found where the bodies would have been at the end of the step, moving as they did when it was looked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foreseen<D: Dim> {
    /// Which contact.
    pub key: ContactKey,
    /// How a and b moved then.
    pub twist: [Twist<D>; 2],
}

/// The contacts of a world in the order of their keys, and what each remembers.
#[derive(Clone, Debug, Default)]
pub struct Network<D: Dim> {
    /// Geometry, sorted by key.
    pub contacts: Vec<Contact<D>>,
    /// Memory, one entry a contact.
    pub memory: Vec<Memory<D>>,
    /// What soft contacts remember beside it: so many numbers a contact, or none.
    pub history: Vec<f64>,
    /// Contacts that were found where the bodies are at the end of the step, sorted by key; of the last step only.
    pub ahead: Vec<Foreseen<D>>,
}

impl<D: Dim> Network<D> {
    /// Keeps only the contacts that `keep` says.
    pub fn retain(&mut self, keep: impl Fn(&Contact<D>, &Memory<D>) -> bool) {
        let kept: Vec<bool> = self.contacts.iter().zip(&self.memory).map(|(c, m)| keep(c, m)).collect();
        let (mut contacts, mut memory) = (kept.iter(), kept.iter());
        self.contacts.retain(|_| contacts.next() == Some(&true));
        self.memory.retain(|_| memory.next() == Some(&true));
    }

    /// Gives bodies other numbers; contacts of those that have none are gone, with what they remember.
    pub fn renumber(&mut self, number: &[Option<u32>]) {
        let width = self.history.len().checked_div(self.contacts.len()).unwrap_or(0);
        let mut kept: Vec<(usize, Contact<D>)> = Vec::new();
        for (k, contact) in self.contacts.iter().enumerate() {
            let ContactKey { a, b, feature } = contact.key;
            if let (Some(a), Some(b)) = (number[a as usize], number[b as usize]) {
                kept.push((k, Contact { key: ContactKey { a, b, feature }, ..*contact }));
            }
        }
        kept.sort_by_key(|(_, contact)| contact.key);
        self.memory = kept.iter().map(|(k, _)| self.memory[*k]).collect();
        self.history = kept.iter().flat_map(|(k, _)| self.history[k * width..(k + 1) * width].to_vec()).collect();
        self.contacts = kept.into_iter().map(|(_, contact)| contact).collect();
    }

    /// Deepest overlap of the contacts of a pair that were found at the start of the step [m]; zero if none overlaps.
    pub fn overlap(&self, pair: ContactKey) -> f64 {
        let from = self.contacts.partition_point(|contact| (contact.key.a, contact.key.b) < (pair.a, pair.b));
        let own = self.contacts[from..].iter().take_while(|contact| (contact.key.a, contact.key.b) == (pair.a, pair.b));
        own.filter(|contact| self.foreseen(contact.key).is_none()).map(|contact| -contact.gap).fold(0.0, f64::max)
    }

    /// Number of a contact.
    pub fn position(&self, key: ContactKey) -> Option<usize> {
        self.contacts.binary_search_by_key(&key, |contact| contact.key).ok()
    }

    /// How the bodies of a contact moved when it was found at the end of the step; `None` if it is one of the start.
    pub fn foreseen(&self, key: ContactKey) -> Option<&[Twist<D>; 2]> {
        let place = self.ahead.binary_search_by_key(&key, |foreseen| foreseen.key).ok()?;
        Some(&self.ahead[place].twist)
    }

    /// Contacts that carry an impulse, with their memory.
    pub fn closed(&self) -> impl Iterator<Item = (&Contact<D>, &Memory<D>)> {
        self.contacts.iter().zip(&self.memory).filter(|(_, memory)| memory.regime != Regime::Open)
    }
}
