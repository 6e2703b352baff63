//! Measures: numbers that describe a world or a frame.
//!
//! - [`world`], trait [`Measure`]: of a [`World`](crate::world::World), one row. Columns of `series.csv`, and the
//!   quantities of rules that end a stage.
//! - [`frame`], trait [`FrameMeasure`]: of a [`Frame`](crate::record::Frame) or a part of it, a table. For
//!   `drystone measure` and pictures, and for `series.csv` if the table is one row.
//!
//! [`SeriesMeasure`] is either of them, as a column of a series. What both measure is computed in one place:
//! [`contact_graph`] (coordination, rattlers), [`love_weber`] (stress), [`energies`].

pub(crate) mod contact_graph;
pub(crate) mod energies;
pub mod frame;
pub(crate) mod love_weber;
pub(crate) mod series;
pub(crate) mod tensor;
pub mod vector;
pub(crate) mod world;

pub use crate::record::Column;
pub use frame::{FrameMeasure, FrameMeasures};
pub use series::SeriesMeasure;
pub use world::{Measure, Measures};
