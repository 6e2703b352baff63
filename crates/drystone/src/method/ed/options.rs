//! Parameters of event-driven dynamics.

use crate::input::quantity::Time;
use crate::input::value::POSITIVE;
use crate::list::record;
use crate::method::TimeStepChoice;

record! {
    /// Event-driven dynamics: hard disks and spheres fly freely from collision to collision.
    pub struct EdOptions at span {
        /// Time after which the state is looked at: it decides nothing, collisions have their own exact times. "auto"
        /// is the shorter of `output.series_every` and `output.frames`.
        time_step: TimeStepChoice where POSITIVE = TimeStepChoice::Auto,
        /// Duration of a contact: a collision that follows the last one of either grain sooner is elastic and smooth.
        /// Without it a run in which collisions accumulate ends there.
        contact_time: Option<Time> where POSITIVE,
    }
}

impl Default for EdOptions {
    fn default() -> EdOptions {
        EdOptions { time_step: TimeStepChoice::Auto, contact_time: None, span: Default::default() }
    }
}

impl EdOptions {
    /// Looks at the state after every `dt`, without a contact time.
    pub fn with_time_step(dt: f64) -> EdOptions {
        EdOptions { time_step: TimeStepChoice::Given(dt), ..EdOptions::default() }
    }
}
