//! Packing: where grains and blocks are at the start.
//!
//! [`fill`] places the grains of a group: at random, on lattices, from a file ([`grain_file`]) or as a [`ballistic`] deposit. [`masonry`] and
//! [`vaults`] lay blocks.

pub(crate) mod ballistic;
pub(crate) mod fill;
pub(in crate::scenario) mod grain_file;
pub(crate) mod masonry;
mod rolling;
pub(crate) mod vaults;
