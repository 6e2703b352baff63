//! What people write: texts with places, units, values, and the mistakes in them.
//!
//! Laws, walls and measures declare their parameters with the macros of `drystone::list`, in their own files;
//! reading, writing, the JSON Schema and the book's reference follow from the declaration (ADR 0006).

pub mod csv;
pub mod expression;
pub mod magnitude;
pub mod mesh;
pub mod mistake;
pub mod node;
pub mod parameters;
pub mod quantity;
pub mod reader;
pub mod units;
pub mod value;

pub use mistake::{Mistake, Mistakes, Span, Text};
pub use node::{Entry, Node, Raw};
pub use parameters::Parameters;
pub use reader::{Reader, Table, nearest};
pub use value::{Fields, Flat, Object, Placed, Value};
