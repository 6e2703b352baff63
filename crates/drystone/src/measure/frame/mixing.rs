//! Mixing of materials.

use super::grid::Grid;
use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};

/// Lacey's index M = (S0^2 - S^2) / (S0^2 - SR^2) over the cells of a grid [Lacey].
///
/// With n_i grains in cell i, a share x_im of material m in it and p_m of the whole: S^2 = sum over cells and
/// materials of (n_i / N) (x_im - p_m)^2, S0^2 = sum of p_m (1 - p_m) of a mixture that is wholly apart, and SR^2 =
/// S0^2 C / N of one that is random, for C cells that hold grains. M is 0 apart, 1 on average at random, above 1 in
/// better order than chance. Five cells along every axis if no grid is given.
pub(crate) struct Mixing;

impl FrameMeasure for Mixing {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        ["mixing_index", "composition_variance", "filled_cells"].map(|name| Column::new(name, "1")).into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let grains = &view.frame.grains;
        let mut cells = view.options.cells.unwrap_or([5; 3]);
        if view.dimension() == 2 {
            cells[2] = 1;
        }
        let grid = Grid { region: view.region()?, cells };
        let kinds = grains.material.iter().max().map_or(0, |most| *most as usize + 1);
        let mut counts = vec![vec![0.0; kinds]; grid.count()];
        let mut whole = vec![0.0; kinds];
        for k in view.grains_in(&grid.region) {
            let kind = grains.material[k] as usize;
            counts[grid.place(grains.position[k]).expect("it is in the region")][kind] += 1.0;
            whole[kind] += 1.0;
        }
        let total: f64 = whole.iter().sum();
        let share: Vec<f64> = whole.iter().map(|n| n / total).collect();
        let apart: f64 = share.iter().map(|p| p * (1.0 - p)).sum();
        if apart <= 0.0 {
            return Err(Nothing::Lacks("mixing takes grains of at least two materials".into()));
        }
        let (mut variance, mut filled) = (0.0, 0.0);
        for cell in &counts {
            let n: f64 = cell.iter().sum();
            if n > 0.0 {
                filled += 1.0;
                variance += n / total * cell.iter().zip(&share).map(|(c, p)| (c / n - p).powi(2)).sum::<f64>();
            }
        }
        let random = apart * filled / total;
        Ok(vec![vec![(apart - variance) / (apart - random), variance, filled]])
    }
}
