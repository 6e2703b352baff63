//! Limit loads: by which factor a live load can grow until grains that rest on each other begin to move.
//!
//! | file | what it does |
//! |---|---|
//! | [`live_load`] | which load grows, as users write it, and the forces on the bodies |
//! | [`assembly`] | bodies and contacts of a world at rest, and their equations of balance |
//! | [`multiplier`] | the largest factor with friction that dilates |
//! | [`correction`] | the same with friction that does not, from several starts |
//! | [`mechanism`] | how the bodies begin to move: hinges, slides, and the assembly moved along |
//!
//! ```text
//! World + LiveLoad -> Assembly: H f + p + lambda q = 0
//!                       |-> associated: largest lambda with |f_t| <= mu f_n; its dual is a motion that dilates
//!                       '-> corrected: the same with |f_t| <= mu N, where N is the normal force itself, by iteration
//! ```

pub mod assembly;
pub mod correction;
pub mod live_load;
pub mod mechanism;
pub mod multiplier;

pub use assembly::{Assembly, AssemblyContact};
pub use correction::Correction;
pub use live_load::LiveLoad;
pub use mechanism::{ContactMotion, Mechanism};
pub use multiplier::{Collapse, Limit};
