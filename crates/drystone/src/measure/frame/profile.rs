//! Profiles along an axis.

use super::grid::Grid;
use super::solid_volume::solid_volume;
use super::stress::mean_velocity;
use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::vector::{dot, sub};

/// Slices of the region across an axis: solid fraction, number of grains, velocity of the mass, granular temperature
/// T = mean of |v - V|^2 / dimension weighted by mass, and mean angular velocity.
///
/// The axis is that of gravity if none is given, and the last one without gravity. A slice without grains has no
/// velocity: it is not a number.
pub(crate) struct Profile;

/// The axis asked for, or that of gravity, or the last.
pub(crate) fn axis(view: &FrameView) -> usize {
    let steepest = (0..view.dimension()).max_by(|i, j| {
        let size = |axis: &usize| view.setting.gravity[*axis].abs();
        size(i).total_cmp(&size(j))
    });
    view.options.axis.or(steepest).unwrap_or(0)
}

impl FrameMeasure for Profile {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let mut columns = vec![
            Column::new(view.axes()[axis(view)], "m"),
            Column::new("solid_fraction", "1"),
            Column::new("grains", "1"),
        ];
        columns.extend(view.axes().iter().map(|axis| Column::new(format!("velocity_{axis}"), "m/s")));
        columns.push(Column::new("temperature", "m2/s2"));
        let spins: &[&str] = if view.dimension() == 2 { &["z"] } else { view.axes() };
        columns.extend(spins.iter().map(|axis| Column::new(format!("angular_velocity_{axis}"), "rad/s")));
        columns
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        view.without_polyhedra("the solid fraction of a profile")?;
        let (axis, d, columns) = (axis(view), view.dimension(), &view.frame.grains);
        let mut cells = [1; 3];
        cells[axis] = view.options.bins;
        let grid = Grid { region: view.region()?, cells };
        let members = grid.members(view);
        let row = |slice: usize| {
            let (cell, grains) = (grid.cell(slice), &members[slice]);
            let solid = solid_volume(view, &cell) / cell.volume(view.setting.depth);
            let mean = mean_velocity(view, grains);
            let mass: f64 = grains.iter().map(|k| columns.mass[*k]).sum();
            let square = |k: &usize| {
                let v = sub(columns.velocity[*k], mean);
                columns.mass[*k] * dot(v, v)
            };
            let temperature = grains.iter().map(square).sum::<f64>() / (mass * d as f64);
            let spin =
                |i: usize| grains.iter().map(|k| columns.angular_velocity[*k][i]).sum::<f64>() / grains.len() as f64;
            let mut row = vec![cell.middle()[axis], solid, grains.len() as f64];
            row.extend(&mean[..d]);
            row.push(temperature);
            row.extend(if d == 2 { vec![spin(2)] } else { (0..3).map(spin).collect() });
            row
        };
        Ok((0..grid.count()).map(row).collect())
    }

    fn is_row(&self) -> bool {
        false
    }
}
