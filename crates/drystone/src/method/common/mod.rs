//! Tools that several methods share.

pub mod passing;
pub mod solver_body;
pub(super) mod taylor;
pub mod threads;
