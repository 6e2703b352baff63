//! The books of energy.

use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::energies::Energies;
use crate::record::Frame;

/// Energies of all grains and pistons, and what of their sum is not accounted for since the first frame.
///
/// Kinetic energy counts translation and rotation, potential energy is that of gravity: minus m g . x. Dissipated
/// energy, work of walls and elastic energy are those of the run's own books. `unaccounted` is the change of kinetic,
/// potential, elastic and dissipated energy less the work of walls: rounding if the books are whole, the error of the
/// time step otherwise. Energy of springs and of an acceleration that drives the world is not in the books, and
/// appears there too.
pub(crate) struct EnergyBalance;

impl FrameMeasure for EnergyBalance {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        let names = ["kinetic", "potential", "elastic", "dissipated", "wall_work", "unaccounted"];
        names.map(|name| Column::new(format!("ledger_{name}"), "J")).into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        view.without_polyhedra("the energy of rotation")?;
        let energies = |frame: &Frame| Energies::of_frame(frame, view.setting.gravity);
        let now = energies(view.frame);
        let unaccounted = view.first.map_or(f64::NAN, |first| now.balance() - energies(first).balance());
        let Energies { kinetic, potential, elastic, dissipated, wall_work } = now;
        Ok(vec![vec![kinetic, potential, elastic, dissipated, wall_work, unaccounted]])
    }
}
