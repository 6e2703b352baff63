//! Contacts: broad phase, narrow phase, and the memory of contacts from step to step.
//!
//! ```text
//!  Bodies, Surfaces, Cell            poses and shapes of grains, walls, cell     the world: state and setup
//!        |
//!        |  search: grids of cells; rebuilt only when a body has left its halo
//!        v
//!  Neighbours                        broad phase: pairs (a, b) that may touch    the world: scratch
//!        |
//!        |  for every pair a PairQuery { a, b, shift, reach }
//!        |  narrow: one function for every pair of shapes; rotated caches polyhedra
//!        v
//!  Contact, Contact, ...             narrow phase: key, normal, gap, arms        a list of the step, in order of pairs
//!        |
//!        |  manifold_reduction: of the points of two faces four are kept
//!        |  carry_over: contacts with a key of the last step keep their ContactMemory
//!        v
//!  Network { contacts, memory }      sorted by key: solved and measured          the world: state
//!        |
//!        +-> method::cd              local problems of the contacts; impulses come back into the ContactMemory
//!        +-> method::dae             forces of the contacts
//!        +-- method::md              has its own pairs and history, and writes the network on request
//! ```
//!
//! `World::sense` shares the pairs among threads in consecutive parts. The parts are joined in their order, so that
//! contacts, and what methods make of them, have one order on any number of threads. Soft particles use the same broad
//! phase and have their own loop over pairs ([`crate::method::md`]).

pub(crate) mod carry_over;
pub(crate) mod curve;
pub(crate) mod feature;
pub(crate) mod manifold_reduction;
pub(crate) mod narrow;
pub(crate) mod rotated;
pub(crate) mod search;

pub use narrow::{Coincident, PairCache, PairQuery};
pub use rotated::RotatedHulls;
pub use search::Neighbours;

use crate::body::Twist;
use crate::dim::Dim;

/// Identity of a contact from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactKey {
    /// Index of the first body.
    pub a: u32,
    /// Index of the second body, larger than `a`.
    pub b: u32,
    /// Which of the contacts of the pair: the face of a wall, a corner, two edges, ... (see [`feature`]).
    pub feature: u32,
}

/// The geometry of a contact, recomputed in each step. The normal points from a to b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<D: Dim> {
    /// Identity.
    pub key: ContactKey,
    /// Unit normal from a to b.
    pub normal: D::Vec,
    /// Gap [m]; negative = overlap.
    pub gap: f64,
    /// From the centre of a to the contact [m]; zero for a wall that cannot spin. The contact of two grains is half-way
    /// between their surfaces, so that the force acts on both at one point and conserves angular momentum. The contact
    /// of a rigid round grain with a wall is on the surface of the grain: there it rolls with v = w r.
    pub arm_a: D::Vec,
    /// From the centre of b to the contact [m].
    pub arm_b: D::Vec,
    /// Velocity of the periodic image of b that touches, relative to b itself [m/s], and of surfaces that grow or deform;
    /// zero without any of them.
    pub image_velocity: D::Vec,
}

impl<D: Dim> Contact<D> {
    /// Velocity of b relative to a at the contact: u = H^T V. [Brendel eq. 1.14]
    #[inline]
    pub fn velocity(&self, twist: &[Twist<D>]) -> D::Vec {
        let (a, b) = (&twist[self.key.a as usize], &twist[self.key.b as usize]);
        b.v + D::swing(b.w, self.arm_b) - a.v - D::swing(a.w, self.arm_a) + self.image_velocity
    }
}

/// What a contact does during one time step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Regime {
    /// It carries no force.
    #[default]
    Open,
    /// The surfaces do not slide on each other.
    Stick,
    /// Friction is fully mobilised.
    Slide,
}

/// What a contact keeps from one step to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactMemory<D: Dim> {
    /// Impulse on b during the last step [N s].
    pub impulse: D::Vec,
    /// Angular impulse on b during the last step, from rolling and torsion friction [N m s].
    pub torque: D::Spin,
    /// What the contact did.
    pub regime: Regime,
    /// Opening of a cohesive contact that has not broken [m]; `None` without a bond.
    pub bond: Option<f64>,
}

/// Marks a contact that was predicted: found where the bodies would be at the end of the step with their motion at that
/// time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction<D: Dim> {
    /// Which contact.
    pub key: ContactKey,
    /// Twists of a and b that led there.
    pub twist: [Twist<D>; 2],
}

/// The contacts of a world in the order of their keys, with their memory.
#[derive(Clone, Debug, Default)]
pub struct Network<D: Dim> {
    /// Geometry, sorted by key.
    pub contacts: Vec<Contact<D>>,
    /// Memory, one entry for each contact.
    pub memory: Vec<ContactMemory<D>>,
    /// History of soft contacts: the same number of values for each contact, or none.
    pub history: Vec<f64>,
    /// Which contacts of the last step were predicted, sorted by key.
    pub predictions: Vec<Prediction<D>>,
}

impl<D: Dim> Network<D> {
    /// Keeps only the contacts for which `keep` is true.
    pub fn retain(&mut self, keep: impl Fn(&Contact<D>, &ContactMemory<D>) -> bool) {
        let kept: Vec<bool> = self.contacts.iter().zip(&self.memory).map(|(c, m)| keep(c, m)).collect();
        let (mut contacts, mut memory) = (kept.iter(), kept.iter());
        self.contacts.retain(|_| contacts.next() == Some(&true));
        self.memory.retain(|_| memory.next() == Some(&true));
    }

    /// Gives bodies new numbers; contacts of bodies without a new number are removed, with their memory.
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

    /// Deepest overlap of a pair at the start of the step, without predicted contacts [m]; zero if none overlaps.
    pub fn overlap(&self, pair: ContactKey) -> f64 {
        let from = self.contacts.partition_point(|contact| (contact.key.a, contact.key.b) < (pair.a, pair.b));
        let own = self.contacts[from..].iter().take_while(|contact| (contact.key.a, contact.key.b) == (pair.a, pair.b));
        own.filter(|contact| self.predicted_twists(contact.key).is_none())
            .map(|contact| -contact.gap)
            .fold(0.0, f64::max)
    }

    /// Index of a contact.
    pub fn position(&self, key: ContactKey) -> Option<usize> {
        self.contacts.binary_search_by_key(&key, |contact| contact.key).ok()
    }

    /// Twists of a and b that led to a predicted contact; `None` for a contact of the start of the step.
    pub fn predicted_twists(&self, key: ContactKey) -> Option<&[Twist<D>; 2]> {
        let k = self.predictions.binary_search_by_key(&key, |known| known.key).ok()?;
        Some(&self.predictions[k].twist)
    }

    /// Contacts that carry an impulse, with their memory.
    pub fn closed(&self) -> impl Iterator<Item = (&Contact<D>, &ContactMemory<D>)> {
        self.contacts.iter().zip(&self.memory).filter(|(_, memory)| memory.regime != Regime::Open)
    }
}
