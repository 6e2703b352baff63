//! What people write: texts with places, units, values, and the mistakes in them (`drystone_files::input`), and vectors
//! of either dimension.
//!
//! Laws, walls and measures declare their parameters with the macros of [`crate::list`], in their own files;
//! reading, writing, the JSON Schema and the book's reference follow from the declaration (ADR 0006).

pub mod quantity;

pub use drystone_files::input::*;
