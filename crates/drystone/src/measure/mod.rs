//! Measures: numbers that describe a world. One file and one list line each.

pub mod angular_momentum;
pub mod cell;
pub mod contacts;
pub mod coordination;
pub mod energy;
pub mod momentum;
pub mod overlap;
pub mod packing;
pub mod track;

use angular_momentum::AngularMomentum;
use cell::Lattice;
use contacts::Contacts;
use coordination::Coordination;
use energy::Energy;
use momentum::Momentum;
use overlap::Overlap;
pub use packing::Packing;

use crate::dim::Dim;
use crate::list::list;
use crate::world::World;

pub use drystone_files::record::Column;

/// A measure of a world.
pub trait Measure<D: Dim> {
    /// Its columns.
    fn columns(&self) -> Vec<Column>;
    /// One number a column.
    fn sample(&self, world: &World<D>) -> Vec<f64>;
}

list! {
    /// What can be measured.
    pub enum Measures by name as Measure {
        /// Kinetic and potential energy, energy taken out by contacts and put in by walls.
        "energy" => Energy,
        /// Sum of mass times velocity.
        "momentum" => Momentum,
        /// Sum of x x m v + I w about the origin: orbit and spin. It has no meaning in a periodic cell.
        "angular_momentum" => AngularMomentum,
        /// Number of contacts that carry a force, and how many of them slide.
        "contacts" => Contacts,
        /// Mean number of contacts of a grain, with and without rattlers.
        "coordination" => Coordination,
        /// Deepest and mean overlap over the radius: the error of the rigid contact.
        "overlap" => Overlap,
        /// Volume of the grains over the volume of the box around them.
        "packing" => Packing,
        /// Lengths of the periodic cell, its shear strain and shear rate.
        "cell" => Lattice,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};

    fn conforms<D: Dim>() {
        let empty = World::<D>::default();
        let mut seen = Vec::new();
        for measure in Measures::ALL {
            let measure = measure.as_dyn::<D>();
            let columns = measure.columns();
            let sample = measure.sample(&empty);
            assert_eq!(columns.len(), sample.len());
            assert!(sample.iter().all(|x| x.is_finite()), "an empty world has finite measures");
            seen.extend(columns.into_iter().map(|column| column.name));
        }
        let count = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), count, "column names differ");
    }

    #[test]
    fn every_measure_has_its_columns_and_bears_an_empty_world() {
        conforms::<D2>();
        conforms::<D3>();
    }
}
