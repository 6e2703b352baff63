//! How far the contact forces of a frame are determined, and how much load rigid grains at rest can bear.
//!
//! The forces of rigid grains that touch at more places than their balance needs are not unique: balance leaves a set
//! of forces that all give the same motion [Radjai, section 5.2]. This crate describes that set.
//!
//! | file | what it does |
//! |---|---|
//! | [`balance`] | the equations of balance for the contact forces of a frame: E f = e |
//! | [`null_space`] | degree of indeterminacy, self-stresses, and the contacts that take part in them |
//! | [`admissible`] | the set of admissible forces as a cone programme: intervals and samples |
//! | [`ensemble`] | the step of the frame, solved again from random forces |
//! | [`spread`] | how much solves differ, and how much of that is error |
//! | `random` | random contact forces |
//! | [`limit`] | limit loads: the largest factor of a live load, and how it falls |
//! | `cone_programme` | cone programmes, solved by clarabel |
//!
//! ```text
//! frame -> Balance (rows: force and torque of every free grain; columns: components of every contact)
//!            |-> NullSpace: f + N y is in balance for every y
//!            |-> AdmissibleForces: f in balance and in all friction cones -> lowest and highest force of each contact
//!            '-> FrameStep: the contact problem of the step -> what sweeps find from other starts
//! ```

pub mod admissible;
pub mod balance;
mod cone_programme;
pub mod ensemble;
pub mod limit;
pub mod null_space;
mod random;
pub mod spread;

pub use admissible::{AdmissibleForces, Interval};
pub use balance::{Balance, Motion};
pub use ensemble::{FrameStep, Member};
pub use null_space::NullSpace;
pub use spread::Ensemble;
