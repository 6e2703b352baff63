//! Invariants of the stress, and void ratio: what biaxial and triaxial tests are drawn by.

use super::solid_volume::solid_volume;
use super::stress::{moments, stress_in};
use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};
use crate::measure::tensor::Tensor;

/// Mean stress p, deviator stress q, their ratio q/p and void ratio e of the region.
///
/// The stress is the whole one, static and kinetic, compression positive. p is its trace over the dimension. q is the
/// difference of the principal stresses in the plane and (3/2 s : s)^1/2 of the deviator s in space, which is
/// s_1 - s_3 where two principal stresses are equal, as in a triaxial test. e is the volume of the voids over that of
/// the grains. Without pressure q/p is not a number.
pub struct StressPath;

/// Mean stress, deviator stress and their ratio.
fn invariants(stress: &Tensor, dimension: usize) -> [f64; 3] {
    let p = stress.trace() / dimension as f64;
    // shear is (s : s / 2)^1/2: half the difference of the principal stresses in the plane
    let q = stress.shear(dimension) * if dimension == 2 { 2.0 } else { 3.0_f64.sqrt() };
    [p, q, q / p]
}

impl FrameMeasure for StressPath {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        let columns = [("mean_stress", "Pa"), ("deviator_stress", "Pa"), ("stress_ratio", "1"), ("void_ratio", "1")];
        columns.map(|(name, unit)| Column::new(name, unit)).into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        view.without_polyhedra("the void ratio")?;
        let region = view.region()?;
        let stress = stress_in(view, &region, &view.grains_in(&region), &moments(view));
        let solid = solid_volume(view, &region) / region.volume(view.setting.depth);
        let mut row = invariants(&stress.total(), view.dimension()).to_vec();
        row.push((1.0 - solid) / solid);
        Ok(vec![row])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagonal(entries: [f64; 3]) -> Tensor {
        let mut tensor = Tensor::default();
        (0..3).for_each(|i| tensor.0[i][i] = entries[i]);
        tensor
    }

    /// Plane: 300 and 100 Pa have p = 200 Pa and q = 200 Pa. Triaxial: 40, 10 and 10 kPa have p = 20 kPa and
    /// q = 30 kPa, so q/p = 1.5.
    #[test]
    fn invariants_are_those_of_a_biaxial_and_a_triaxial_test() {
        let close = |found: [f64; 3], expected: [f64; 3]| {
            (0..3).for_each(|i| assert!((found[i] / expected[i] - 1.0).abs() < 1e-14, "{found:?}"));
        };
        close(invariants(&diagonal([100.0, 300.0, 0.0]), 2), [200.0, 200.0, 1.0]);
        close(invariants(&diagonal([10e3, 10e3, 40e3]), 3), [20e3, 30e3, 1.5]);
    }
}
