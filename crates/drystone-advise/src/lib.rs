//! Which method suits a scenario: what each costs to the end of the run, and what it gets wrong.
//!
//! | file | what it does |
//! |---|---|
//! | `candidates` | the methods that can run the scenario, rigid, with the soft laws it states, and with softer ones |
//! | `smaller` | a copy with fewer grains, for scenarios whose steps are too dear to try |
//! | `walk` | a walk through the run with a cheap method, which keeps the world at some moments |
//! | `trial` | steps of every method from these moments, timed |
//! | `cost` | computing time to the end, from the trials |
//! | `scene` | speeds, contacts and forces seen on the walk |
//! | `flaws` | what a method gets wrong, in numbers |
//! | `choice` | the method to take |

mod advice;
mod candidates;
mod choice;
mod cost;
mod flaws;
mod scene;
mod smaller;
mod trial;
mod walk;

pub use advice::{Advice, AdviseOptions, Ending, NoAdvice, Prospect, advise};
pub use candidates::{Hardness, Refusal};
pub use choice::{Choice, TOSS_UP, choose};
pub use cost::{Cost, cost, grains_of_equal_cost};
pub use flaws::{Flaw, chain_sound_speed, critical_speed, hyperstatic_degree};
pub use scene::Scene;
pub use trial::Trial;
