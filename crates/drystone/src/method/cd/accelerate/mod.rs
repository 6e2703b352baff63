//! Accelerators: what is done between two sweeps, to need fewer of them.

mod anderson;
mod mean;
mod momentum;
mod nncg;

pub use anderson::Anderson;
pub use momentum::Momentum;
pub use nncg::Nncg;

use super::options::Accelerator;
use super::solve::{Increment, System};

/// How a sweep starts and how far it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation {
    /// Part of the last change of the impulses that is added before the sweep.
    pub momentum: f64,
    /// Relaxation factor: part of the change to its local solution that each contact makes in the sweep.
    pub factor: f64,
}

impl Default for Relaxation {
    /// A plain sweep.
    fn default() -> Self {
        Relaxation { momentum: 0.0, factor: 1.0 }
    }
}

/// Learns from every sweep.
pub trait Accelerate {
    /// How the next sweep is made.
    fn relaxation(&self) -> Relaxation {
        Relaxation::default()
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
