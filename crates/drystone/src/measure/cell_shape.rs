//! The periodic cell.

use super::frame::{FrameMeasure, FrameView, Nothing};
use super::{Column, Measure, columns_in};
use crate::cell::Cell;
use crate::dim::{Dim, Vector};
use crate::world::World;

/// Lengths of the periodic cell, its shear strain (how far images across lie further along, over their distance) and
/// shear rate; zeros without a cell.
pub(crate) struct CellShape;

impl<D: Dim> Measure<D> for CellShape {
    fn columns(&self) -> Vec<Column> {
        let lengths = D::AXES.iter().take(D::DIMENSION).map(|axis| Column::new(format!("cell_length_{axis}"), "m"));
        lengths.chain([Column::new("cell_shear_strain", "1"), Column::new("cell_shear_rate", "1/s")]).collect()
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        world.cell.as_ref().map_or(vec![0.0; D::DIMENSION + 2], row)
    }
}

fn row<D: Dim>(cell: &Cell<D>) -> Vec<f64> {
    let lengths = (0..D::DIMENSION).map(|axis| if cell.is_periodic[axis] { cell.lengths.get(axis) } else { 0.0 });
    let strain = cell.shear.map_or(0.0, |shear| cell.tilt / cell.lengths.get(shear.across));
    lengths.chain([strain, cell.rate]).collect()
}

impl FrameMeasure for CellShape {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        columns_in(self, view.dimension())
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let d = view.dimension();
        let mut row = view.cell().map_or(vec![0.0; 5], |cell| row(&cell));
        row.drain(d..3);
        Ok(vec![row])
    }

    fn takes_region(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::CellShear;
    use crate::dim::D2;
    use crate::world::State;

    #[test]
    fn it_tells_lengths_strain_and_rate() {
        let cell = Cell::new([0.0, 1.0].into(), [4.0, 3.0].into(), [true, true, false]);
        let cell = Cell { shear: Some(CellShear { along: 0, across: 1 }), tilt: 0.5, rate: -0.1, ..cell };
        let state = State { cell: Some(cell), ..State::default() };
        let world = World::<D2> { state, ..World::default() };
        assert_eq!(CellShape.sample(&world), [4.0, 2.0, 0.25, -0.1]);
    }
}
