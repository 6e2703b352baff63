//! Accelerators: what is done between two sweeps, to need fewer of them.

mod anderson;
mod mean;
mod momentum;
mod nncg;

pub use anderson::Anderson;
pub use momentum::Momentum;
pub use nncg::Nncg;

use super::options::Accelerator;
use super::solve::System;
use super::sweep::Increment;

/// How a sweep starts and how far it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// Part of the last change of the impulses that is added before the sweep.
    pub beta: f64,
    /// Part of the way to its local solution that each contact moves in the sweep.
    pub stride: f64,
}

impl Default for Push {
    /// A plain sweep.
    fn default() -> Self {
        Push { beta: 0.0, stride: 1.0 }
    }
}

/// Learns from every sweep.
pub trait Accelerate {
    /// How the next sweep is made.
    fn push(&self) -> Push {
        Push::default()
    }
    /// Looks at what a sweep changed, and at the residual where it was computed; may move the impulses.
    fn learn(&mut self, system: &mut dyn System, increment: Increment, residual: Option<f64>);
}

/// Sweeps as they are.
struct Plain;

impl Accelerate for Plain {
    fn learn(&mut self, _: &mut dyn System, _: Increment, _: Option<f64>) {}
}

impl Accelerator {
    /// The accelerator at the start of a solve from these impulses, in the order of [`System::read`].
    pub fn start(self, impulses: &[f64]) -> Box<dyn Accelerate> {
        match self {
            Accelerator::Momentum => Box::new(Momentum::new(impulses)),
            Accelerator::Nncg => Box::new(Nncg::new(impulses)),
            Accelerator::Anderson => Box::new(Anderson::new(impulses)),
            Accelerator::None => Box::new(Plain),
        }
    }
}
