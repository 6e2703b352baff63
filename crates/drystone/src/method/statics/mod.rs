//! Statically admissible forces: within all friction cones and in balance with all loads.
//!
//! Forces of a packing are not unique, and those that a step finds depend on its initial guess. Coulomb friction is not
//! associated, so the same step may have a solution in which a heap stands and one in which it begins to fall.
//! [`equilibrium`] searches for forces with which it stands. This is a cone program, with the linear constraints of
//! [`constraints`], and is solved by [`douglas_rachford`]; if there are no such forces, it proves that.

mod cones;
pub(crate) mod constraints;
pub(crate) mod contacts;
pub(crate) mod douglas_rachford;
pub(crate) mod equilibrium;
mod problem;

pub(crate) use contacts::{ContactSpring, Equilibrium, SupportContact, SupportedBody};
pub(crate) use equilibrium::{find_equilibrium, update_equilibrium};

use super::Alarm;
use crate::dim::Dim;
use crate::list::list;

list! {
    /// The forces that the first step starts from.
    pub enum StartForces by name {
        /// Those that contacts bring along from a run that is taken over, else none; of soft grains those of their
        /// overlaps.
        "as_placed" => AsPlaced,
        /// Forces within all friction cones that balance all loads, if there are any.
        "equilibrium" => Equilibrium,
    }
}

/// Warnings of the search.
pub(crate) const CODES: [&str; 2] = ["W231", "W232"];

/// The warning about a search that found no forces.
pub(crate) fn alarm<D: Dim>(answer: &Equilibrium<D>) -> Option<Alarm> {
    let (code, message) = match answer {
        Equilibrium::Found(_) => return None,
        Equilibrium::Impossible => (
            "W231",
            "start_forces: no forces within the friction cones of the contacts balance the loads, the run starts as placed".into(),
        ),
        Equilibrium::Unknown(off) => (
            "W232",
            format!("start_forces: no forces in balance were found, {off:.1e} of the loads is left, the run starts as placed"),
        ),
    };
    Some(Alarm::new(code, message))
}
