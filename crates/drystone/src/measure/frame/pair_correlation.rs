//! Pair correlation.

use std::f64::consts::PI;

use super::grid::Grid;
use super::view::{FrameRegion, FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::vector::{add, norm, sub};

/// Pair correlation g(r): number of grains at distance r over that of a random arrangement of equal density.
///
/// g = pairs / (references x rho x volume of the shell). References are the grains further than the reach from every
/// face of the region, so that their shells lie inside (along a periodic axis there are images instead); rho counts
/// centres in the region. `neighbours` is the mean number of grains up to the end of the bin. The reach is 5 mean
/// diameters unless --reach says otherwise.
pub(crate) struct PairCorrelation;

impl FrameMeasure for PairCorrelation {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        let own = [("distance", "m"), ("distance_over_diameter", "1"), ("pair_correlation", "1"), ("neighbours", "1")];
        own.map(|(name, unit)| Column::new(name, unit)).into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let (region, d, bins) = (view.region()?, view.dimension(), view.options.bins);
        let position = &view.frame.grains.position;
        let inside = view.grains_in(&region);
        let diameter = view.mean_diameter(&inside);
        let reach = view.options.reach * diameter;
        let inner = FrameRegion {
            dimension: d,
            min: std::array::from_fn(|i| region.min[i] + if view.repeats(i) { 0.0 } else { reach }),
            max: std::array::from_fn(|i| region.max[i] - if view.repeats(i) { 0.0 } else { reach }),
        };
        let flat = |region: &FrameRegion, i: usize| if i < d { region.length(i) } else { 0.0 };
        let references: Vec<usize> = inside.iter().copied().filter(|k| inner.holds(position[*k])).collect();
        if references.is_empty() {
            let most = (0..d).map(|i| flat(&region, i)).fold(f64::INFINITY, f64::min) / (2.0 * diameter);
            return Err(Nothing::Lacks(format!(
                "no grain is {:.3} mean diameters from every face of the region: take --reach below {most:.2}",
                view.options.reach
            )));
        }
        // cells no smaller than the reach: the shells of a grain lie in its cell and those around it
        let wide = FrameRegion {
            dimension: d,
            min: std::array::from_fn(|i| region.min[i] - if view.repeats(i) { reach } else { 0.0 }),
            max: std::array::from_fn(|i| region.max[i] + if view.repeats(i) { reach } else { 0.0 }),
        };
        let cells = std::array::from_fn(|i| ((flat(&wide, i) / reach) as usize).max(1));
        let grid = Grid { region: wide, cells };
        let mut members: Vec<Vec<(usize, [f64; 3])>> = vec![Vec::new(); grid.count()];
        for (k, shift, _) in view.with_images(reach).into_iter().filter(|(k, ..)| view.is_free(*k)) {
            let x = add(position[k], shift);
            grid.place(x).into_iter().for_each(|cell| members[cell].push((k, x)));
        }
        let step = reach / bins as f64;
        let mut counts = vec![0_u64; bins];
        for k in &references {
            for cell in around(&grid, position[*k]) {
                for (_, x) in members[cell].iter().filter(|(other, x)| other != k || *x != position[*k]) {
                    let bin = (norm(sub(*x, position[*k])) / step) as usize;
                    counts.get_mut(bin).into_iter().for_each(|count| *count += 1);
                }
            }
        }
        let space: f64 = (0..d).map(|i| region.length(i)).product();
        let density = inside.len() as f64 / space;
        let ball = |r: f64| if d == 2 { PI * r * r } else { 4.0 / 3.0 * PI * r.powi(3) };
        let mut near = 0;
        let row = |(k, count): (usize, u64)| {
            near += count;
            let (low, high) = (k as f64 * step, (k + 1) as f64 * step);
            let expected = references.len() as f64 * density * (ball(high) - ball(low));
            let middle = 0.5 * (low + high);
            vec![middle, middle / diameter, count as f64 / expected, near as f64 / references.len() as f64]
        };
        Ok(counts.into_iter().enumerate().map(row).collect())
    }

    fn is_row(&self) -> bool {
        false
    }
}

/// Numbers of the cell of a point and of those around it.
fn around(grid: &Grid, point: [f64; 3]) -> Vec<usize> {
    let [nx, ny, nz] = grid.cells;
    let at = grid.place(point).expect("it is in the region");
    let (i, j, k) = (at % nx, at / nx % ny, at / (nx * ny));
    let range = |at: usize, count: usize| at.saturating_sub(1)..=(at + 1).min(count - 1);
    let mut cells = Vec::new();
    for k in range(k, nz) {
        for j in range(j, ny) {
            cells.extend(range(i, nx).map(|i| (k * ny + j) * nx + i));
        }
    }
    cells
}
