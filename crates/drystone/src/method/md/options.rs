//! Parameters of soft-particle molecular dynamics.

use super::integrator::Integrators;
use crate::input::quantity::{Number, Quantity, Speed};
use crate::input::value::{Check, POSITIVE};
use crate::list::record;
use crate::method::TimeStepChoice;

/// Fraction of a collision that a step may take: no integrator is stable with a third.
pub(crate) const PART: Check = ("more than 0 and at most 0.3", |x| x > 0.0 && x <= 0.3);

record! {
    /// Soft-particle molecular dynamics: overlaps make forces, small explicit steps.
    pub struct MdOptions at span {
        /// Length of a step; "auto" is `fraction` of the shortest collision, with its damping and cut.
        time_step: TimeStepChoice where POSITIVE = TimeStepChoice::Auto,
        /// Time step over the duration of the shortest collision.
        fraction: Number where PART = Quantity(0.02),
        /// Largest approach velocity to expect, for laws whose collisions get shorter with it; without it the speed of
        /// the start and of a fall through all grains.
        speed: Option<Speed> where POSITIVE,
        /// How a step is made.
        integrator: Integrators = Integrators::Verlet,
    }
}

impl Default for MdOptions {
    fn default() -> MdOptions {
        MdOptions {
            time_step: TimeStepChoice::Auto,
            fraction: Quantity(0.02),
            speed: None,
            integrator: Integrators::Verlet,
            span: Default::default(),
        }
    }
}

impl MdOptions {
    /// Steps of this length, and defaults otherwise.
    pub fn with_time_step(dt: f64) -> MdOptions {
        MdOptions { time_step: TimeStepChoice::Given(dt), ..MdOptions::default() }
    }
}
