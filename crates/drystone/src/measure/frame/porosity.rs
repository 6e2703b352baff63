//! Porosity against pressure.

use super::solid_volume::solid_volume;
use super::stress::{moments, stress_in};
use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};

/// Porosity, 1 - solid fraction, and the mean pressure of the region: over the frames of a compaction the curve of
/// one over the other.
pub(crate) struct Porosity;

impl FrameMeasure for Porosity {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        vec![Column::new("porosity", "1"), Column::new("bulk_pressure", "Pa")]
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        view.without_polyhedra("the porosity")?;
        let region = view.region()?;
        let solid = solid_volume(view, &region) / region.volume(view.setting.depth);
        Ok(vec![vec![
            1.0 - solid,
            stress_in(view, &region, &view.grains_in(&region), &moments(view)).pressure(view.dimension()),
        ]])
    }
}
