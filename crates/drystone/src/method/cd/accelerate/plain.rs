//! Plain sweeps, without acceleration.

use super::Accelerate;
use crate::method::cd::solve::{Increment, System};

/// Learns nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unaccelerated;

impl Unaccelerated {
    /// At the start of a solve.
    pub(super) fn new(_: &[f64]) -> Unaccelerated {
        Unaccelerated
    }
}

impl Accelerate for Unaccelerated {
    fn learn(&mut self, _: &mut dyn System, _: Increment, _: Option<f64>) {}
}
