//! Measures of a frame: tables, made during a run or from its files. One file and one list line each.
//!
//! A measure makes one row of numbers, or one row a cell, bin or wall. Every definition stands in the book
//! (`measurements.md`) and at the head of its file.

pub(crate) mod clusters;
pub(crate) mod coarse_field;
pub(crate) mod coordination;
pub(crate) mod cover;
pub(crate) mod discharge;
pub(crate) mod energy_balance;
pub(crate) mod extent;
pub(crate) mod fabric;
pub(crate) mod force_network;
pub(crate) mod forces;
pub(crate) mod friction;
pub mod grid;
pub(crate) mod hole;
pub(crate) mod inertial;
pub(crate) mod mixing;
pub(crate) mod pair_correlation;
pub(crate) mod porosity;
pub(crate) mod profile;
pub(crate) mod repose;
pub mod solid_fraction;
pub(crate) mod strain;
pub mod stress;
pub mod stress_path;
#[cfg(test)]
mod tests;
pub(crate) mod view;
pub(crate) mod wall_form;
pub(crate) mod wall_motion;
pub mod wall_pressure;
mod wall_sides;
pub(crate) mod walls;

pub use view::{FrameRegion, FrameView, MeasureOptions, Nothing, Setting};

use clusters::Clusters;
use coarse_field::CoarseField;
use coordination::FrameCoordination;
use discharge::Discharge;
use energy_balance::EnergyBalance;
use extent::ClusterExtent;
use fabric::Fabric;
use force_network::ForceNetwork;
use forces::Forces;
use friction::MobilisedFriction;
use hole::Hole;
use inertial::Inertial;
use mixing::Mixing;
use pair_correlation::PairCorrelation;
use porosity::Porosity;
use profile::Profile;
use repose::Repose;
use solid_fraction::SolidFraction;
use strain::AffineStrain;
use stress::Stress;
use stress_path::StressPath;
use wall_motion::WallMotion;
use wall_pressure::WallPressure;
use walls::Walls;

use crate::list::list;
use crate::measure::Column;

/// A measure of a frame.
pub trait FrameMeasure: Sync {
    /// Columns of its table.
    fn columns(&self, view: &FrameView) -> Vec<Column>;
    /// Rows of its table.
    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing>;
    /// Whether a frame as a whole gives one row without looking at other frames, so that a series can hold it.
    fn is_row(&self) -> bool {
        true
    }
    /// Whether its table is a curve, a distribution or a grid of one frame, and not a row of a table of frames.
    fn is_curve(&self) -> bool {
        !self.is_row()
    }
    /// Widens what several frames of a mean have in common, so that each of their rows is the same place: the region,
    /// as far as none was asked for.
    fn share(&self, view: &FrameView, shared: &mut MeasureOptions) -> Result<(), Nothing> {
        let region = view.region()?;
        for axis in 0..view.dimension() {
            let [asked_low, asked_high] = view.options.region[axis];
            let [low, high] = &mut shared.region[axis];
            *low = asked_low.or(Some(low.map_or(region.min[axis], |low| low.min(region.min[axis]))));
            *high = asked_high.or(Some(high.map_or(region.max[axis], |high| high.max(region.max[axis]))));
        }
        Ok(())
    }
    /// The grid whose cells are its rows, if a grid was asked for and the measure has one.
    fn cells(&self, _: &FrameView) -> Result<Option<grid::Grid>, Nothing> {
        Ok(None)
    }
}

list! {
    /// What can be measured of a frame.
    pub enum FrameMeasures by name of FrameMeasure {
        /// Stress tensor of Love and Weber, static and kinetic part, pressure and shear; per cell with --cells.
        "stress" => Stress,
        /// Mean stress p, deviator stress q, stress ratio q/p and void ratio: what biaxial and triaxial tests are drawn
        /// by.
        "stress_path" => StressPath,
        /// Strain since the first frame, from the displacements that fit best, and what is not affine.
        "strain" => AffineStrain,
        /// Volume of the grains over that of the region; per cell with --cells.
        "solid_fraction" => SolidFraction,
        /// Mean number of contacts of a grain, with and without rattlers.
        "coordination" => FrameCoordination,
        /// Fabric tensors of contacts, normal forces and branches, with their anisotropies.
        "fabric" => Fabric,
        /// Distribution of normal and tangential forces over their mean, and what of it the solve resolves.
        "forces" => Forces,
        /// Weak and strong network: shares of contacts, of pressure, of shear, of sliding.
        "network" => ForceNetwork,
        /// Mobilised friction, and the share of contacts that slide.
        "friction" => MobilisedFriction,
        /// Rate of shear, inertial number I and effective friction mu; per cell with --cells.
        "inertial" => Inertial,
        /// Solid fraction, velocity, temperature and spin in slices along an axis.
        "profile" => Profile,
        /// Force of the grains on every wall.
        "walls" => Walls,
        /// How far every wall has moved, and its velocity.
        "wall_motion" => WallMotion,
        /// Pressure and shear on one wall, in strips along its surface.
        "wall_pressure" => WallPressure,
        /// Mass below a level, and the rate at which it gets there.
        "discharge" => Discharge,
        /// Slope of the free surface of a heap.
        "repose" => Repose,
        /// Lacey's index of mixing of the materials over cells.
        "mixing" => Mixing,
        /// Porosity and pressure side by side.
        "porosity" => Porosity,
        /// Pair correlation g(r).
        "pair" => PairCorrelation,
        /// Energies, and what of their sum is not accounted for.
        "ledger" => EnergyBalance,
        /// Coarse-grained density, velocity, temperature and stress, with a Gaussian; per cell.
        "field" => CoarseField,
        /// Groups of grains that contacts join.
        "clusters" => Clusters,
        /// Ends of the largest group of grains that contacts join: how far a heap reaches.
        "extent" => ClusterExtent,
        /// Largest ball that fits between the grains.
        "hole" => Hole,
    }
}
