//! Inertial number and effective friction.

use super::grid::Grid;
use super::solid_volume::volume_of;
use super::stress::{Streaming, moments, stress_in};
use super::view::{FrameRegion, FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::tensor::Tensor;

/// Rate of shear, inertial number and effective friction [GdrMidi; DaCruz].
///
/// The gradient of the velocity is that of least squares, weighted by mass, over the grains of the region. Its rate
/// is (2 D : D)^1/2 of the deviator D of its symmetric part, which is du/dy in simple shear. I = rate d (rho / p)^1/2
/// with the mean diameter d and the density rho of the grains' material, mu = (s : s / 2)^1/2 / p with the deviator s
/// of the whole stress. Cells without pressure or with too few grains for a gradient are not a number.
pub(crate) struct Inertial;

/// Rate of shear [1/s], pressure [Pa], inertial number and effective friction of a region.
fn of_region(view: &FrameView, region: &FrameRegion, grains: &[usize], moments: &[Tensor]) -> Option<[f64; 4]> {
    let (columns, d) = (&view.frame.grains, view.dimension());
    if grains.is_empty() {
        return None;
    }
    let rate = 2.0 * Streaming::of(view, grains).gradient?.shear(d);
    let stress = stress_in(view, region, grains, moments);
    let pressure = stress.pressure(d);
    let mass: f64 = grains.iter().map(|k| columns.mass[*k]).sum();
    let density = mass / grains.iter().map(|k| volume_of(view, *k)).sum::<f64>();
    let number = rate * view.mean_diameter(grains) * (density / pressure).sqrt();
    Some([rate, pressure, number, stress.total().shear(d) / pressure])
}

impl FrameMeasure for Inertial {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let mut columns = Grid::columns(view);
        let own =
            [("shear_rate", "1/s"), ("mean_pressure", "Pa"), ("inertial_number", "1"), ("effective_friction", "1")];
        columns.extend(own.map(|(name, unit)| Column::new(name, unit)));
        columns
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        view.without_polyhedra("the density of the grains")?;
        let (grid, moments) = (Grid::of(view)?, moments(view));
        let of = |cell: &FrameRegion, grains: &[usize]| of_region(view, cell, grains, &moments);
        Ok(grid.rows(view, |cell, grains| of(cell, grains).unwrap_or([f64::NAN; 4]).to_vec()))
    }

    fn cells(&self, view: &FrameView) -> Result<Option<Grid>, Nothing> {
        view.options.cells.map(|_| Grid::of(view)).transpose()
    }
}
