//! The linear system of a Newton step: sparse, not symmetric, one block row for each contact that presses.

use faer::prelude::Solve;
use faer::sparse::{SparseColMat, Triplet};

use super::laws::AlartCurnier;
use crate::method::cd::problem::{ContactProblem, add_product};

/// A point of the search: impulses, the velocities that go with them, and F of every contact.
#[derive(Clone, Debug)]
pub(super) struct NewtonIterate<const N: usize> {
    /// Impulses r [N s].
    pub r: Vec<[f64; N]>,
    /// Velocities u [m/s].
    pub u: Vec<[f64; N]>,
    /// F of the laws [N s].
    pub f: Vec<[f64; N]>,
}

/// The way dr with F + dF/dr dr = 0, where u changes by du_c = sum_d W_cd dr_d + soft_c dr_c.
///
/// Open contacts have F = r, so dr = -r: they leave the system. `None` if the rest has no solution.
pub(super) fn direction<const N: usize>(
    problem: &ContactProblem<N>,
    laws: &[AlartCurnier<N>],
    soft: &[f64],
    NewtonIterate { r, u, f }: &NewtonIterate<N>,
) -> Option<Vec<[f64; N]>> {
    let slopes: Vec<_> = (0..r.len()).map(|contact| laws[contact].slope(&r[contact], &u[contact])).collect();
    let mut place = vec![None; r.len()];
    let pressing = slopes.iter().enumerate().filter(|(_, slope)| slope.is_some());
    let size = pressing.enumerate().map(|(at, (contact, _))| place[contact] = Some(N * at)).count() * N;
    let mut dr: Vec<[f64; N]> = f.iter().map(|f| f.map(|f| -f)).collect();
    let mut entries: Vec<Triplet<usize, usize, f64>> = Vec::new();
    let mut right = faer::Col::<f64>::zeros(size);
    for (contact, slope) in slopes.iter().enumerate() {
        let (Some(slope), Some(row)) = (slope, place[contact]) else { continue };
        let mut known = [0.0; N]; // velocity by the open contacts
        for (other, w) in problem.row(contact) {
            let Some(column) = place[other] else {
                add_product(&mut known, w, &dr[other]);
                continue;
            };
            for (k, l) in (0..N * N).map(|place| (place / N, place % N)) {
                let mut number = (0..N).map(|m| slope.by_u[k][m] * w[m][l]).sum::<f64>();
                if other == contact {
                    number += slope.by_r[k][l] + slope.by_u[k][l] * soft[contact];
                }
                entries.push(Triplet::new(row + k, column + l, number));
            }
        }
        for k in 0..N {
            right[row + k] = -f[contact][k] - (0..N).map(|m| slope.by_u[k][m] * known[m]).sum::<f64>();
        }
    }
    if size > 0 {
        let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(size, size, &entries).ok()?;
        let found = matrix.sp_lu().ok()?.solve(&right);
        for (dr, place) in dr.iter_mut().zip(&place) {
            if let Some(row) = place {
                *dr = std::array::from_fn(|k| found[row + k]);
            }
        }
    }
    dr.as_flattened().iter().all(|number| number.is_finite()).then_some(dr)
}
