//! Measures of a world: one row of numbers, cheap enough for every step. One file and one list line each.

pub(crate) mod angular_momentum;
pub(crate) mod cell;
pub(crate) mod contacts;
pub(crate) mod coordination;
pub(crate) mod energy;
pub(crate) mod momentum;
pub(crate) mod overlap;
pub(crate) mod packing;
pub(crate) mod pressure;
pub(crate) mod track;
pub(crate) mod unbalanced;

use angular_momentum::AngularMomentum;
use cell::CellState;
use contacts::ContactCounts;
use coordination::Coordination;
use energy::WorldEnergy;
use momentum::TotalMomentum;
use overlap::Overlaps;
use packing::PackingFraction;
use pressure::ContactPressure;
use unbalanced::UnbalancedForce;

use crate::dim::Dim;
use crate::list::list;
use crate::record::Column;
use crate::world::World;

/// A measure of a world.
pub trait Measure<D: Dim> {
    /// Its columns.
    fn columns(&self) -> Vec<Column>;
    /// One number a column.
    fn sample(&self, world: &World<D>) -> Vec<f64>;
    /// Whether it is part of a series for which nothing is chosen. A new measure changes no table unless it says so.
    fn is_in_default_series(&self) -> bool {
        false
    }
}

list! {
    /// What can be measured of a world.
    pub enum Measures by name as Measure {
        /// Kinetic and potential energy, energy taken out by contacts and put in by walls.
        "energy" => WorldEnergy,
        /// Sum of mass times velocity.
        "momentum" => TotalMomentum,
        /// Sum of x x m v + I w about the origin: orbit and spin. It has no meaning in a periodic cell.
        "angular_momentum" => AngularMomentum,
        /// Number of contacts that carry a force, and how many of them slide.
        "contacts" => ContactCounts,
        /// Mean number of contacts of a grain, with and without rattlers.
        "coordination" => Coordination,
        /// Deepest and mean overlap over the radius: the error of the rigid contact.
        "overlap" => Overlaps,
        /// Volume of the grains over the volume of the box around them.
        "packing" => PackingFraction,
        /// Lengths of the periodic cell, its shear strain and shear rate.
        "cell" => CellState,
        /// Mean normal stress that contacts bear, as the stop rule `pressure` takes it.
        "pressure" => ContactPressure,
        /// Mean resultant force on a grain over the mean force of a contact, as the stop rule `unbalanced` takes it.
        "unbalanced" => UnbalancedForce,
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
