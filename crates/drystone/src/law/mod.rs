//! Contact laws: the parameter record of a pair of materials, and pure functions.

pub mod enumerate;
pub mod general;
#[cfg(test)]
mod random;
mod root;
pub mod secular;
pub mod signorini_coulomb;
pub mod two_discs;

pub use general::{ExactLaw, General};
pub use signorini_coulomb::RoundContact;
pub use two_discs::{Coupled, two_discs};

/// What holds between two materials.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pair {
    /// Coefficient of friction: largest tangential over normal force.
    pub friction: f64,
}

/// The laws of all pairs of materials.
#[derive(Clone, Debug, Default)]
pub struct Laws {
    materials: usize,
    pairs: Vec<Pair>,
}

impl Laws {
    /// A table for `materials` materials, filled by `pair`.
    pub fn new(materials: usize, pair: impl Fn(usize, usize) -> Pair) -> Laws {
        let pairs = (0..materials * materials).map(|k| pair(k / materials, k % materials)).collect();
        Laws { materials, pairs }
    }

    /// The law between two materials.
    pub fn between(&self, a: u16, b: u16) -> &Pair {
        &self.pairs[a as usize * self.materials + b as usize]
    }
}

/// The laws that scenarios can choose from: name and what it is.
pub const KINDS: &[(&str, &str)] = &[(
    "signorini_coulomb",
    " Rigid contact without adhesion or bounce (Signorini) with dry friction (Coulomb); key `friction` of [[contact]].",
)];
