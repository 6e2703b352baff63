//! Warnings about steps that no forces solve well, found from the forces of the step.

pub(crate) mod growth;
pub(crate) mod painleve;
pub(crate) mod squeeze;
