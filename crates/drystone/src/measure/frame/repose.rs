//! Angle of repose.

use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};

/// Slope of the free surface of a heap against the horizontal.
///
/// The heap is cut into columns, `bins` along every horizontal axis; the highest grain of a column is a grain of the
/// surface, with height h = top of the grain. The axis of the heap is the vertical line through the centre of mass.
/// The slope is that of the straight line of least squares of h over the distance from the axis, over surface grains
/// between a fifth and four fifths of the height of the heap: above it the top is round, below it grains have run
/// out. In the plane the two flanks have their own angles, and `angle` is their mean.
pub(crate) struct Repose;

/// Part of the height at which a flank begins and ends.
const FLANK: [f64; 2] = [0.2, 0.8];

/// Angle of the line of least squares through (distance, height), downwards positive [deg]; none for fewer than 2
/// places.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x0, y0) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = points.iter().map(|(x, _)| (x - x0).powi(2)).sum();
    let tilt: f64 = points.iter().map(|(x, y)| (x - x0) * (y - y0)).sum();
    (points.len() >= 2 && spread > 0.0).then(|| (-tilt / spread).atan().to_degrees())
}

impl FrameMeasure for Repose {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let names: &[&str] = if view.dimension() == 2 { &["angle_left", "angle_right", "angle"] } else { &["angle"] };
        names.iter().map(|name| Column::new(*name, "deg")).collect()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let (grains, d, region) = (&view.frame.grains, view.dimension(), view.region()?);
        let up = (0..d).find(|axis| view.setting.gravity[*axis] < 0.0);
        let upright = (0..d).filter(|axis| view.setting.gravity[*axis] != 0.0).count() == 1;
        let Some(up) = up.filter(|_| upright) else {
            return Err(Nothing::Lacks("an angle of repose takes gravity that points down along an axis".into()));
        };
        let inside = view.grains_in(&region);
        let mass: f64 = inside.iter().map(|k| grains.mass[*k]).sum();
        let centre: [f64; 3] = std::array::from_fn(|axis| {
            inside.iter().map(|k| grains.mass[*k] * grains.position[*k][axis]).sum::<f64>() / mass
        });
        let mut cells = [view.options.bins; 3];
        cells[up] = 1;
        if d == 2 {
            cells[2] = 1;
        }
        let grid = super::grid::Grid { region, cells };
        let top = |k: usize| grains.position[k][up] + grains.radius[k];
        let mut highest: Vec<Option<usize>> = vec![None; grid.count()];
        for k in inside {
            let column = &mut highest[grid.place(grains.position[k]).expect("it is in the region")];
            if column.is_none_or(|other| top(other) < top(k)) {
                *column = Some(k);
            }
        }
        let height = |k: usize| (top(k) - region.min[up]) / region.length(up);
        let flank: Vec<usize> =
            highest.into_iter().flatten().filter(|k| (FLANK[0]..=FLANK[1]).contains(&height(*k))).collect();
        let away = |k: usize, axis: usize| grains.position[k][axis] - centre[axis];
        let few = || Nothing::Lacks("the flanks of the heap have fewer than two surface grains".into());
        if d == 2 {
            let side = |sign: f64| {
                let points = flank.iter().map(|k| (sign * away(*k, 1 - up), top(*k))).filter(|(x, _)| *x > 0.0);
                slope(&points.collect::<Vec<_>>()).ok_or_else(few)
            };
            let (left, right) = (side(-1.0)?, side(1.0)?);
            return Ok(vec![vec![left, right, 0.5 * (left + right)]]);
        }
        let [i, j] = [(up + 1) % 3, (up + 2) % 3];
        let points: Vec<(f64, f64)> = flank.iter().map(|k| (away(*k, i).hypot(away(*k, j)), top(*k))).collect();
        Ok(vec![vec![slope(&points).ok_or_else(few)?]])
    }
}
