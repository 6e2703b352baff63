//! Exact laws of one rigid contact: the impulse that satisfies unilateral contact and friction, given the velocity that
//! the contact would have without it. Contact Dynamics solves these in every sweep.
//!
//! | file                | contact                                                                        |
//! |---------------------|--------------------------------------------------------------------------------|
//! | `signorini_coulomb` | round bodies: W = H^T M^-1 H is diagonal                                       |
//! | `natural_map`       | how far a contact is from the laws, whatever W                                 |
//! | `coupled`           | bodies of any shape: W is full                                                 |
//! | `coupled_2d`        | its solution in the plane: open, stick or slide, in closed form                |
//! | `coupled_3d`        | its solution in space: one scalar equation for a sliding contact               |
//! | `sliding_rolling`   | sliding and rolling friction of one contact together                           |
//! | `bond`              | the normal law of a cohesive contact                                           |

pub(crate) mod bond;
pub(crate) mod coupled;
mod coupled_2d;
mod coupled_3d;
pub(crate) mod natural_map;
#[cfg(test)]
pub(crate) mod random;
mod root;
pub(crate) mod signorini_coulomb;
pub(crate) mod sliding_rolling;

pub(crate) use coupled::ReadyLaw;
pub use coupled::{CoupledLaw, ExactLaw, mobility};
pub(crate) use natural_map::LoadedContact;
pub(crate) use signorini_coulomb::{RoundContact, RoundImpulse, RoundLaw};
pub use sliding_rolling::{SlidingRollingMobility, sliding_rolling};
