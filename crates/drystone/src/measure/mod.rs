//! Measures: numbers that describe the state of a run. One list, one file and one list line each.
//!
//! A measure has up to two sides:
//!
//! - trait [`Measure`]: of a [`World`], one row, cheap enough for every step.
//! - trait [`FrameMeasure`]: of a [`Frame`](crate::record::Frame) or a part of it, a table. For `drystone measure` and
//!   pictures.
//!
//! A series takes the first, or the second if it is one row ([`Recorded`]). What has both sides gives the same numbers
//! of the same state: see [`contact_graph`] (coordination, rattlers), [`love_weber`] (stress), [`energies`].

mod angular_momentum;
mod cell_shape;
mod collisions;
pub(crate) mod contact_graph;
mod contacts;
mod coordination;
pub(crate) mod energies;
mod energy;
pub mod frame;
mod kinds;
pub(crate) mod love_weber;
mod momentum;
mod overlap;
pub(crate) mod pressure;
pub(crate) mod series;
pub(crate) mod solid_fraction;
pub(crate) mod tensor;
pub(crate) mod track;
pub(crate) mod unbalanced;
pub mod vector;

use angular_momentum::AngularMomentum;
use cell_shape::CellShape;
use collisions::CollisionCounts;
use contacts::ContactCounts;
use coordination::Coordination;
use energy::EnergyTerms;
use frame::affine_strain::AffineStrain;
use frame::clusters::Clusters;
use frame::coarse_field::CoarseField;
use frame::discharge::Discharge;
use frame::energy_balance::EnergyBalance;
use frame::extent::ClusterExtent;
use frame::fabric::Fabric;
use frame::force_network::ForceNetwork;
use frame::forces::Forces;
use frame::friction::MobilisedFriction;
use frame::frictionless::FrictionlessCoordination;
use frame::hole::Hole;
use frame::indeterminacy::Indeterminacy;
use frame::inertial::Inertial;
use frame::mixing::Mixing;
use frame::pair_correlation::PairCorrelation;
use frame::porosity::Porosity;
use frame::profile::Profile;
use frame::repose::Repose;
use frame::strain::Strain;
use frame::stress::Stress;
use frame::stress_path::StressPath;
use frame::wall_motion::WallMotion;
use frame::wall_pressure::WallPressure;
use frame::walls::Walls;
use momentum::TotalMomentum;
use overlap::Overlaps;
use pressure::ContactPressure;
use solid_fraction::SolidFraction;
use unbalanced::UnbalancedForce;

use crate::dim::{D2, D3, Dim};
use crate::world::World;

pub use crate::record::Column;
pub use frame::FrameMeasure;
pub use series::Recorded;

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

kinds::measures! {
    /// What can be measured: of the state of a run, row by row, or of its frames.
    pub enum Measures {
        /// Kinetic and potential energy, energy taken out by contacts and put in by walls.
        "energy" => EnergyTerms of world and frame,
        /// Energy that is not accounted for since the start or a stage.
        "energy_balance" => EnergyBalance of frame,
        /// Sum of mass times velocity.
        "momentum" => TotalMomentum of world and frame,
        /// Sum of x x m v + I w about the origin: orbit and spin. It has no meaning in a periodic cell.
        "angular_momentum" => AngularMomentum of world and frame,
        /// Number of contacts that carry a force, and how many of them slide.
        "contacts" => ContactCounts of world and frame,
        /// Collisions of hard grains since the start, and the sum of impulse times distance over them; only with the method "ed".
        "collisions" => CollisionCounts of world,
        /// Coordination number: mean number of contacts of a grain, with and without rattlers.
        "coordination" => Coordination of world and frame,
        /// Coordination number without the rattlers of a packing without friction.
        "coordination_frictionless" => FrictionlessCoordination of frame,
        /// Deepest and mean overlap over the radius in the last step; for rigid grains an error.
        "overlap" => Overlaps of world,
        /// Volume of the grains over that of the region; per cell with --cells.
        "solid_fraction" => SolidFraction of world and frame,
        /// Porosity, together with the pressure.
        "porosity" => Porosity of frame,
        /// Lengths of the periodic cell, its shear strain and shear rate.
        "cell" => CellShape of world and frame,
        /// Mean normal stress that contacts bear, as the stop rule `pressure` takes it.
        "pressure" => ContactPressure of world and frame,
        /// Unbalanced force ratio, as in the stop rule `unbalanced`: mean resultant force on a grain over the mean force
        /// of a contact, in the last step.
        "unbalanced" => UnbalancedForce of world,
        /// Stress tensor of Love and Weber, static and kinetic part, pressure and shear; per cell with --cells.
        "stress" => Stress of frame,
        /// Mean stress p, deviator stress q, stress ratio q/p and void ratio, for biaxial and triaxial tests.
        "stress_path" => StressPath of frame,
        /// Axial and volumetric strain since the start or a stage, from plates, cell or grains; compression positive.
        "strain" => Strain of frame,
        /// Gradient of the displacements of the grains since the start or a stage, and their non-affine part.
        "affine_strain" => AffineStrain of frame,
        /// Fabric tensors of contacts, normal forces and branches, with their anisotropies.
        "fabric" => Fabric of frame,
        /// Distribution of normal and tangential forces over their mean, and which part of it is resolved.
        "forces" => Forces of frame,
        /// Weak and strong network: shares of contacts, of pressure, of shear, of sliding.
        "network" => ForceNetwork of frame,
        /// Mobilised friction, and the share of contacts that slide.
        "friction" => MobilisedFriction of frame,
        /// How far forces are undetermined, by counting: their components less the equations of balance.
        "indeterminacy" => Indeterminacy of frame,
        /// Shear rate, inertial number I and effective friction mu; per cell with --cells.
        "inertial" => Inertial of frame,
        /// Solid fraction, velocity, temperature and spin in slices along an axis.
        "profile" => Profile of frame,
        /// Force of the grains on every wall.
        "walls" => Walls of frame,
        /// How far every wall has moved, and its velocity.
        "wall_motion" => WallMotion of frame,
        /// Pressure and shear on one wall, in strips along its surface.
        "wall_pressure" => WallPressure of frame,
        /// Mass that has passed a level, and its rate.
        "discharge" => Discharge of frame,
        /// Slope of the free surface of a heap.
        "repose" => Repose of frame,
        /// Lacey's index of mixing of the materials over cells.
        "mixing" => Mixing of frame,
        /// Pair correlation g(r).
        "pair" => PairCorrelation of frame,
        /// Coarse-grained density, velocity, temperature and stress, with a Gaussian; per cell.
        "field" => CoarseField of frame,
        /// Groups of grains that are connected by contacts.
        "clusters" => Clusters of frame,
        /// Ends of the largest group of connected grains: how far a heap reaches.
        "extent" => ClusterExtent of frame,
        /// Largest ball that fits between the grains.
        "hole" => Hole of frame,
    }
}

impl Measures {
    /// Measures that had another name, and what they are called.
    const RENAMED: &'static [(&'static str, &'static str)] =
        &[("packing", "solid_fraction"), ("packing_fraction", "solid_fraction"), ("ledger", "energy_balance")];

    /// Words of the field for measures that have another name, and their names.
    const WORDS: &'static [(&'static str, &'static str)] = &[
        ("coordination_number", "coordination"),
        ("unbalanced_force", "unbalanced"),
        ("volume_fraction", "solid_fraction"),
        ("density", "solid_fraction"),
        ("deviatoric_stress", "stress_path"),
        ("angle_of_repose", "repose"),
        ("rdf", "pair"),
        ("force_distribution", "forces"),
        ("temperature", "profile"),
        ("anisotropy", "fabric"),
        ("flow_rate", "discharge"),
        ("segregation", "mixing"),
    ];

    /// What it is.
    pub fn about(self) -> &'static str {
        let found = Self::KINDS.iter().find(|(name, _)| *name == self.name());
        found.map(|(_, about)| *about).unwrap_or_default()
    }

    /// Whether a series can hold it.
    pub fn is_recorded(self) -> bool {
        self.of_world::<D2>().is_some() || self.of_frame().is_some_and(|measure| measure.is_row())
    }

    /// What someone may have meant by a name that is none of these: one that is no more, or a column.
    pub fn meant_by(name: &str) -> Option<String> {
        if let Some((_, now)) = Self::RENAMED.iter().find(|(old, _)| *old == name) {
            return Some(format!("it is called \"{now}\" now"));
        }
        if let Some((_, ours)) = Self::WORDS.iter().find(|(word, _)| *word == name) {
            return Some(format!("it is measured by \"{ours}\""));
        }
        let has_column = |measure: &&Measures| series::columns_of::<D3>(**measure).iter().any(|c| c.name == name);
        let owner = Self::ALL.iter().find(has_column)?;
        Some(format!("it is a column of \"{}\"", owner.name()))
    }
}

/// Columns of a measure of both sides in a frame of this dimension.
fn columns_in<M: Measure<D2> + Measure<D3>>(measure: &M, dimension: usize) -> Vec<Column> {
    match dimension {
        2 => Measure::<D2>::columns(measure),
        _ => Measure::<D3>::columns(measure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conforms<D: Dim>() {
        let empty = World::<D>::default();
        for measure in Measures::ALL.iter().filter_map(|measure| measure.of_world::<D>()) {
            let sample = measure.sample(&empty);
            assert_eq!(measure.columns().len(), sample.len());
            assert!(sample.iter().all(|x| x.is_finite()), "an empty world has finite measures");
        }
    }

    #[test]
    fn every_measure_has_its_columns_and_bears_an_empty_world() {
        conforms::<D2>();
        conforms::<D3>();
    }

    #[test]
    fn names_that_are_no_more_lead_to_those_that_are() {
        for (old, now) in Measures::RENAMED {
            assert!(Measures::ALL.iter().any(|measure| measure.name() == *now), "{now}");
            assert!(Measures::ALL.iter().all(|measure| measure.name() != *old), "{old}");
        }
        for (word, ours) in Measures::WORDS {
            assert!(Measures::ALL.iter().any(|measure| measure.name() == *ours), "{ours}");
            assert!(Measures::ALL.iter().all(|measure| measure.name() != *word), "{word}");
        }
        assert_eq!(Measures::meant_by("void_ratio").as_deref(), Some("it is a column of \"stress_path\""));
        assert_eq!(Measures::meant_by("nonsense"), None);
    }
}
