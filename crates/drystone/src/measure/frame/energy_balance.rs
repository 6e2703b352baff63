//! The books of energy.

use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::energies::Energies;
use crate::record::Frame;

/// What of the energies of all grains and pistons is not accounted for since the first frame, or since a stage began.
///
/// It is the change of kinetic, potential, elastic and dissipated energy less the work of walls: rounding if the books
/// are whole, the error of the time step otherwise. Energy of springs and of an acceleration that drives the world is
/// not in the books, and appears there too.
pub(crate) struct EnergyBalance;

impl FrameMeasure for EnergyBalance {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        vec![Column::new("unaccounted_energy", "J")]
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        view.without_polyhedra("the energy of rotation")?;
        let balance = |frame: &Frame| Energies::of_frame(frame, view.setting.gravity).balance();
        Ok(vec![vec![balance(view.frame) - balance(view.since()?)]])
    }

    fn takes_region(&self) -> bool {
        false
    }

    fn looks_back(&self) -> bool {
        true
    }
}
