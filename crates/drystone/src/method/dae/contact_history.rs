//! What contacts keep from step to step.

use crate::contact::ContactKey;
use crate::dim::{Dim, Vector};

/// Whether the surfaces of a contact slide on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionMode {
    /// They slide: dynamic friction.
    #[default]
    Slide,
    /// They stick: a constraint.
    Stick,
}

/// History of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactHistory<D: Dim> {
    /// Which contact.
    pub key: ContactKey,
    /// Whether it sticks.
    pub mode: FrictionMode,
    /// Direction of its slip; zero if it never slipped.
    pub slip_direction: D::Vec,
    /// Deepest overlap so far, for laws that harden [m].
    pub deepest: f64,
    /// Tangential spring, for `statics = { spring = .. }` [m]: as it was when the step began. Evaluations stretch a copy
    /// of it (`unconstrained_friction` in `field.rs`), `Dae::substep` adds the path of the step, and the next step begins
    /// by cutting it to the limit of friction (`DaeField::find_active_set`).
    pub spring: D::Vec,
    /// Whether its slip is set to zero although it does not stick: it has passed zero, and would pass it again.
    pub(super) is_halted: bool,
    /// Slip at the last evaluation [m/s]; not stored.
    pub(super) slip: D::Vec,
    /// Its integral since the step began [m]; not stored.
    pub(super) path: D::Vec,
}

impl<D: Dim> ContactHistory<D> {
    /// The history of a new contact that slips with this velocity. One without slip may stick.
    pub fn new(key: ContactKey, slip: D::Vec) -> ContactHistory<D> {
        let speed = slip.norm();
        let (mode, slip_direction) = match speed > 0.0 {
            true => (FrictionMode::Slide, slip * (1.0 / speed)),
            false => (FrictionMode::Stick, D::Vec::ZERO),
        };
        ContactHistory {
            key,
            mode,
            slip_direction,
            deepest: 0.0,
            spring: D::Vec::ZERO,
            is_halted: false,
            slip: D::Vec::ZERO,
            path: D::Vec::ZERO,
        }
    }

    /// Numbers of a history as they are stored.
    pub const WIDTH: usize = 2 + 2 * D::Vec::LEN;

    /// Appends the history as numbers.
    pub fn numbers(&self, out: &mut Vec<f64>) {
        out.extend([f64::from(u8::from(self.mode == FrictionMode::Stick)), self.deepest]);
        for vector in [self.slip_direction, self.spring] {
            out.extend((0..D::Vec::LEN).map(|axis| vector.get(axis)));
        }
    }

    /// The history from its numbers.
    pub fn from_numbers(key: ContactKey, numbers: &[f64]) -> ContactHistory<D> {
        let vector = |k: usize| D::Vec::from_fn(|axis| numbers[2 + k * D::Vec::LEN + axis]);
        let mode = if numbers[0] != 0.0 { FrictionMode::Stick } else { FrictionMode::Slide };
        let (slip_direction, spring) = (vector(0), vector(1));
        ContactHistory {
            key,
            mode,
            slip_direction,
            deepest: numbers[1],
            spring,
            is_halted: false,
            slip: D::Vec::ZERO,
            path: D::Vec::ZERO,
        }
    }
}

/// The history of a contact, if it has one.
pub(crate) fn find<D: Dim>(histories: &[ContactHistory<D>], key: ContactKey) -> Option<usize> {
    histories.binary_search_by_key(&key, |history| history.key).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D3;
    use glam::DVec3;

    #[test]
    fn a_tie_comes_back_from_its_numbers() {
        let key = ContactKey { a: 1, b: 2, feature: 0 };
        let history = ContactHistory::<D3> {
            mode: FrictionMode::Stick,
            deepest: 0.3,
            spring: DVec3::new(1.0, -2.0, 3.0),
            ..ContactHistory::new(key, DVec3::Y)
        };
        let mut numbers = Vec::new();
        history.numbers(&mut numbers);
        assert_eq!(numbers.len(), ContactHistory::<D3>::WIDTH);
        assert_eq!(ContactHistory::from_numbers(key, &numbers), history);
    }
}
