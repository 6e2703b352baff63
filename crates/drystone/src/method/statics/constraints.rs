//! Linear constraints E z = e, and the projection onto them.

use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::Llt;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Col, Side};

/// Share of the diagonal that is added before the factorisation, for constraints that depend on each other. Every round
/// of refinement leaves about this share of the error.
const ADDED: f64 = 1e-10;
/// Largest number of rounds of refinement.
const ROUNDS: usize = 4;

/// Linear constraints, stored by columns.
pub(crate) struct LinearConstraints {
    /// Where the entries of every unknown end.
    ends: Vec<usize>,
    entries: Vec<(usize, f64)>,
    right: Vec<f64>,
    factor: Llt<usize, f64>,
}

impl LinearConstraints {
    /// Constraints with these right-hand sides; every unknown has its entries by row. `None` if numbers are not finite.
    pub(crate) fn new(unknowns: &[Vec<(usize, f64)>], right: Vec<f64>) -> Option<LinearConstraints> {
        let mut diagonal = vec![0.0; right.len()];
        unknowns.iter().flatten().for_each(|(row, value)| diagonal[*row] += value * value);
        let typical = diagonal.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        // a row without entries does not depend on the unknowns
        let added = |value: f64| if value > 0.0 { ADDED * value } else { typical };
        let mut triplets: Vec<Triplet<usize, usize, f64>> =
            diagonal.iter().enumerate().map(|(row, value)| Triplet::new(row, row, added(*value))).collect();
        for entries in unknowns {
            for (row, value) in entries {
                let lower = entries.iter().filter(|(other, _)| other <= row);
                triplets.extend(lower.map(|(other, with)| Triplet::new(*row, *other, value * with)));
            }
        }
        let product = SparseColMat::<usize, f64>::try_new_from_triplets(right.len(), right.len(), &triplets).ok()?;
        let mut end = 0;
        let ends = unknowns.iter().map(|entries| {
            end += entries.len();
            end
        });
        Some(LinearConstraints {
            ends: ends.collect(),
            entries: unknowns.iter().flatten().copied().collect(),
            right,
            factor: product.sp_cholesky(Side::Lower).ok()?,
        })
    }

    /// Number of unknowns.
    pub(crate) fn unknowns(&self) -> usize {
        self.ends.len()
    }

    /// The right sides e.
    pub(crate) fn right(&self) -> &[f64] {
        &self.right
    }

    /// Entries of an unknown, by row.
    pub(crate) fn entries_of(&self, unknown: usize) -> &[(usize, f64)] {
        let start = if unknown == 0 { 0 } else { self.ends[unknown - 1] };
        &self.entries[start..self.ends[unknown]]
    }

    /// E z.
    pub(crate) fn apply(&self, z: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.right.len()];
        for (unknown, z) in z.iter().enumerate() {
            self.entries_of(unknown).iter().for_each(|(row, value)| sum[*row] += value * z);
        }
        sum
    }

    /// E^T y.
    pub(crate) fn spread(&self, y: &[f64]) -> Vec<f64> {
        let of = |unknown| self.entries_of(unknown).iter().map(|(row, value)| value * y[*row]).sum();
        (0..self.unknowns()).map(of).collect()
    }

    /// y with E E^T y = `right`, refined until it no longer improves.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut found = vec![0.0; right.len()];
        let (mut rest, mut size) = (right.to_vec(), f64::INFINITY);
        for _ in 0..ROUNDS {
            let largest = largest(&rest);
            if largest == 0.0 || largest >= 0.5 * size {
                break;
            }
            size = largest;
            let step = self.factor.solve(&Col::from_fn(rest.len(), |k| rest[k]));
            (0..found.len()).for_each(|k| found[k] += step[k]);
            let product = self.apply(&self.spread(&found));
            rest = right.iter().zip(&product).map(|(right, product)| right - product).collect();
        }
        found
    }

    /// E z - e.
    pub(crate) fn miss(&self, z: &[f64]) -> Vec<f64> {
        self.apply(z).iter().zip(&self.right).map(|(sum, right)| sum - right).collect()
    }

    /// The nearest point to z with E z = e.
    pub(crate) fn nearest(&self, z: &[f64]) -> Vec<f64> {
        let back = self.spread(&self.solve(&self.miss(z)));
        z.iter().zip(&back).map(|(z, back)| z - back).collect()
    }
}

/// Largest size of a number.
pub(crate) fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, number| number.abs().max(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_fulfils_conditions_of_which_one_is_said_twice() {
        // x + y = 2, x - z = 1, and the sum of both; from the origin the nearest is (1, 1, 0)
        let unknowns = [vec![(0, 1.0), (1, 1.0), (2, 2.0)], vec![(0, 1.0), (2, 1.0)], vec![(1, -1.0), (2, -1.0)]];
        let affine = LinearConstraints::new(&unknowns, vec![2.0, 1.0, 3.0]).expect("numbers");
        let found = affine.nearest(&[0.0; 3]);
        assert!(found.iter().zip([1.0, 1.0, 0.0]).all(|(x, y)| (x - y).abs() < 1e-14), "{found:?}");
        assert!(largest(&affine.miss(&found)) < 1e-14);
    }
}
