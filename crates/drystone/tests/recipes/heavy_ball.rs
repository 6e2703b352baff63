//! Polyak's heavy ball: a fixed part of the last change goes on. [Polyak 1964]

use super::{Accelerate, Relaxation};
use crate::method::cd::solve::{Increment, System};

/// Part of the last change that is added before a sweep.
const MOMENTUM: f64 = 0.3;

/// Learns nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeavyBall;

impl HeavyBall {
    /// At the start of a solve.
    pub(super) fn new(_: &[f64]) -> HeavyBall {
        HeavyBall
    }
}

impl Accelerate for HeavyBall {
    fn relaxation(&self) -> Relaxation {
        Relaxation { momentum: MOMENTUM, factor: 1.0 }
    }
    fn learn(&mut self, _: &mut dyn System, _: Increment, _: Option<f64>) {}
}
