//! Tools that several methods share.

pub(crate) mod compiled;
pub(crate) mod passing;
pub(crate) mod solver_body;
pub(super) mod taylor;
