//! A region cut into equal cells.

use super::view::{FrameRegion, FrameView, MeasureOptions, Nothing};
use crate::measure::Column;

/// The cells of a region.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The region.
    pub region: FrameRegion,
    /// Number of cells along every axis; 1 along z in 2D.
    pub cells: [usize; 3],
}

impl Grid {
    /// The grid that was asked for; the region as one cell if none was.
    pub fn of(view: &FrameView) -> Result<Grid, Nothing> {
        let mut cells = view.options.cells.unwrap_or([1; 3]);
        if view.dimension() == 2 {
            cells[2] = 1;
        }
        Ok(Grid { region: view.region()?, cells })
    }

    /// Number of cells.
    pub fn count(&self) -> usize {
        self.cells.iter().product()
    }

    /// A cell, with x counting fastest.
    pub fn cell(&self, number: usize) -> FrameRegion {
        let Grid { region, cells: [nx, ny, _] } = self;
        let at = [number % nx, number / nx % ny, number / (nx * ny)];
        let edge = |axis: usize, k: usize| {
            // the last edge is that of the region to the bit
            if k == self.cells[axis] {
                region.max[axis]
            } else {
                region.min[axis] + region.length(axis) * (k as f64 / self.cells[axis] as f64)
            }
        };
        FrameRegion {
            dimension: region.dimension,
            min: std::array::from_fn(|axis| edge(axis, at[axis])),
            max: std::array::from_fn(|axis| edge(axis, at[axis] + 1)),
        }
    }

    /// Number of the cell that holds a point of the region.
    pub fn place(&self, point: [f64; 3]) -> Option<usize> {
        if !self.region.holds(point) {
            return None;
        }
        let at = |axis: usize| {
            if axis >= self.region.dimension {
                return 0;
            }
            let part = (point[axis] - self.region.min[axis]) / self.region.length(axis);
            ((part * self.cells[axis] as f64) as usize).min(self.cells[axis] - 1)
        };
        Some((at(2) * self.cells[1] + at(1)) * self.cells[0] + at(0))
    }

    /// Columns of the middle of a cell; none if nothing was asked to be cut.
    pub fn columns(view: &FrameView) -> Vec<Column> {
        let MeasureOptions { cells, .. } = view.options;
        let axes = if cells.is_some() { view.axes() } else { &[] };
        axes.iter().map(|axis| Column::new(*axis, "m")).collect()
    }

    /// Grains that can move and have their centre in a cell, cell by cell; each is in one cell only.
    pub fn members(&self, view: &FrameView) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.count()];
        for k in view.grains_in(&self.region) {
            let cell = self.place(view.frame.grains.position[k]).expect("it is in the region");
            members[cell].push(k);
        }
        members
    }

    /// Rows of a table with one row a cell: the middle of the cell, then what `measure` says of it and its grains.
    pub fn rows(&self, view: &FrameView, measure: impl Fn(&FrameRegion, &[usize]) -> Vec<f64>) -> Vec<Vec<f64>> {
        let (named, members) = (Self::columns(view).len(), self.members(view));
        let row = |k: usize| {
            let cell = self.cell(k);
            cell.middle()[..named].iter().copied().chain(measure(&cell, &members[k])).collect()
        };
        (0..self.count()).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_lies_in_the_cell_that_it_is_placed_in() {
        let region = FrameRegion { dimension: 3, min: [-1.0, 0.0, 2.0], max: [1.0, 3.0, 2.5] };
        let grid = Grid { region, cells: [4, 3, 5] };
        let volume: f64 = (0..grid.count()).map(|k| grid.cell(k).volume(1.0)).sum();
        assert!((volume - region.volume(1.0)).abs() < 1e-14);
        for k in 0..grid.count() {
            assert_eq!(grid.place(grid.cell(k).middle()), Some(k));
        }
        assert_eq!(grid.place(region.max), Some(59));
        assert_eq!(grid.place([9.0; 3]), None);
    }
}
