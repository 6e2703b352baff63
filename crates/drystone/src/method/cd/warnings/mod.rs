//! Warnings about steps that no forces solve well, found from the forces of the step.

pub mod growth;
pub mod painleve;
pub mod squeeze;
