//! Measures of a frame: tables, made during a run or from its files.
//!
//! A measure makes one row of numbers, or one row a cell, bin or wall. Every definition stands in the book
//! (`measures.md`) and at the head of its file.

pub(crate) mod affine_strain;
pub(crate) mod clusters;
pub(crate) mod coarse_field;
pub(crate) mod cover;
pub(crate) mod discharge;
pub(crate) mod energy_balance;
pub(crate) mod extent;
pub(crate) mod fabric;
pub(crate) mod force_network;
pub(crate) mod forces;
pub(crate) mod friction;
pub(crate) mod frictionless;
pub mod grid;
pub(crate) mod hole;
pub(crate) mod indeterminacy;
pub(crate) mod inertial;
pub(crate) mod mixing;
pub(crate) mod pair_correlation;
pub(crate) mod porosity;
pub(crate) mod profile;
pub(crate) mod repose;
pub mod solid_volume;
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

pub use super::energies::square_of_gyration;
pub use super::love_weber::ContactForce;
pub use view::{FrameRegion, FrameView, MeasureOptions, Nothing, Setting};

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
    /// Whether it can be that of a region. What belongs to the whole, energies or walls, cannot.
    fn takes_region(&self) -> bool {
        true
    }
    /// Whether it counts from another frame: that of the start, or of the beginning of a stage.
    fn looks_back(&self) -> bool {
        false
    }
    /// Whether its row depends on an axis that can be chosen.
    fn has_axis(&self) -> bool {
        false
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
