//! What contacts remember from step to step.

use crate::contact::ContactKey;
use crate::dim::{Dim, Vector};

/// Whether the surfaces of a contact move against each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// They do: dynamic friction.
    #[default]
    Slide,
    /// They do not: a constraint.
    Stick,
}

/// What a contact remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie<D: Dim> {
    /// Which contact.
    pub key: ContactKey,
    /// Whether it sticks.
    pub hold: Hold,
    /// Direction of its slip; zero if it never slipped.
    pub heading: D::Vec,
    /// Deepest overlap so far, for laws that harden [m].
    pub deepest: f64,
    /// Tangential spring, for `statics = { spring = .. }` [m].
    pub spring: D::Vec,
    /// Whether its slip is to be stopped although it does not stick: it has passed zero, and will pass it back.
    pub(super) is_halted: bool,
    /// Slip at the last look, and its integral since the step began; not kept beyond the step.
    pub(super) slip: [D::Vec; 2],
}

impl<D: Dim> Tie<D> {
    /// A contact that is met for the first time, slipping with this velocity. One that does not slip may stick.
    pub fn new(key: ContactKey, slip: D::Vec) -> Tie<D> {
        let speed = slip.norm();
        let (hold, heading) = match speed > 0.0 {
            true => (Hold::Slide, slip * (1.0 / speed)),
            false => (Hold::Stick, D::Vec::ZERO),
        };
        Tie { key, hold, heading, deepest: 0.0, spring: D::Vec::ZERO, is_halted: false, slip: [D::Vec::ZERO; 2] }
    }

    /// Numbers of a tie as they are stored.
    pub const WIDTH: usize = 2 + 2 * D::Vec::LEN;

    /// Appends the tie as numbers.
    pub fn numbers(&self, out: &mut Vec<f64>) {
        out.extend([f64::from(u8::from(self.hold == Hold::Stick)), self.deepest]);
        for vector in [self.heading, self.spring] {
            out.extend((0..D::Vec::LEN).map(|axis| vector.get(axis)));
        }
    }

    /// The tie from its numbers.
    pub fn from_numbers(key: ContactKey, numbers: &[f64]) -> Tie<D> {
        let vector = |k: usize| D::Vec::from_fn(|axis| numbers[2 + k * D::Vec::LEN + axis]);
        let hold = if numbers[0] != 0.0 { Hold::Stick } else { Hold::Slide };
        let (heading, spring) = (vector(0), vector(1));
        Tie { key, hold, heading, deepest: numbers[1], spring, is_halted: false, slip: [D::Vec::ZERO; 2] }
    }
}

/// The tie of a contact, if it has one.
pub fn find<D: Dim>(ties: &[Tie<D>], key: ContactKey) -> Option<usize> {
    ties.binary_search_by_key(&key, |tie| tie.key).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D3;
    use glam::DVec3;

    #[test]
    fn a_tie_comes_back_from_its_numbers() {
        let key = ContactKey { a: 1, b: 2, feature: 0 };
        let tie = Tie::<D3> {
            hold: Hold::Stick,
            deepest: 0.3,
            spring: DVec3::new(1.0, -2.0, 3.0),
            ..Tie::new(key, DVec3::Y)
        };
        let mut numbers = Vec::new();
        tie.numbers(&mut numbers);
        assert_eq!(numbers.len(), Tie::<D3>::WIDTH);
        assert_eq!(Tie::from_numbers(key, &numbers), tie);
    }
}
