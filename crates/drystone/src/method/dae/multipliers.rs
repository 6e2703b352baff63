//! Lagrange multipliers: the saddle-point system of eq. 18, solved by a sparse factorisation.
//!
//! M is block diagonal, so the accelerations are eliminated from
//!
//! ```text
//! | M  G^T | | a |   |    f     |
//! | G   0  | | l | = | -g_qq vv |        [Chen eq. 18]
//! ```
//!
//! which leaves G M^-1 G^T l = G M^-1 f + g_qq(v, v). Often more contacts stick than there are degrees of freedom; then
//! G M^-1 G^T is singular while the accelerations are unique. The matrix is factorised with a small share of its
//! diagonal added, and the solution is refined until the true system is satisfied. The refinement never moves into the
//! null space of G^T, so it finds the multipliers of least norm (weighted by the diagonal).

use std::time::{Duration, Instant};

use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Llt, SymbolicLlt};
use faer::sparse::{Argsort, Pair, SparseColMat, SymbolicSparseColMat};
use faer::{Col, Side};

use super::mobility::Mobility;
use crate::body::Twist;
use crate::dim::{Dim, Vector};
use crate::link::ConstraintRow;

/// Share of the diagonal that is added before the factorisation. Every round of refinement multiplies the error by this
/// share over the scaled eigenvalue; rounding in the null space is eps over this share.
const ADDED: f64 = 1e-9;
/// Number of symbolic analyses that are kept: of the candidates, of the sticking contacts, and of the rods.
const KEPT: usize = 4;
/// Largest number of rounds of refinement. With the smallest eigenvalues of packings of a thousand grains, 1e-6, each
/// gains three digits.
const ROUNDS: usize = 8;

/// Factorisations of G M^-1 G^T, and how often they were made.
#[derive(Default)]
pub struct Multipliers {
    /// The latest symbolic factorisations, the last one used first.
    orders: Vec<Order>,
    factor: Option<Llt<usize, f64>>,
    /// Number of symbolic analyses.
    pub analysed: u64,
    /// Number of numerical factorisations.
    pub factorised: u64,
    /// Time spent here.
    pub spent: Duration,
}

/// Symbolic factorisation: what depends on the pattern of the matrix only.
struct Order {
    size: usize,
    pattern: Vec<Pair<usize, usize>>,
    places: SymbolicSparseColMat<usize>,
    sorted: Argsort<usize>,
    symbolic: SymbolicLlt<usize>,
}

impl Multipliers {
    /// Factorises G M^-1 G^T of these rows. Returns whether all numbers were finite.
    pub fn factorise<D: Dim>(&mut self, rows: &[ConstraintRow<D>], mobility: &[Mobility<D>]) -> bool {
        self.factorise_some(rows, mobility, &vec![true; rows.len()])
    }

    /// Factorises G M^-1 G^T of the free rows. The pattern is that of all rows, so that its analysis can be kept.
    pub fn factorise_some<D: Dim>(
        &mut self,
        rows: &[ConstraintRow<D>],
        mobility: &[Mobility<D>],
        is_free: &[bool],
    ) -> bool {
        let start = Instant::now();
        let (pattern, values) = entries(rows, mobility, is_free);
        let known = self.orders.iter().position(|order| order.size == rows.len() && order.pattern == pattern);
        let order = match known {
            Some(k) => Some(self.orders.remove(k)),
            None => {
                self.analysed += 1;
                Order::of(rows.len(), pattern)
            }
        };
        self.factor = order.as_ref().and_then(|order| order.factorise(&values));
        self.orders.truncate(KEPT - 1);
        self.orders.splice(0..0, order);
        self.factorised += 1;
        self.spent += start.elapsed();
        self.factor.is_some()
    }

    /// The l of least norm with G M^-1 G^T l = `right`, by the factorisation of the same rows. Not finite if there is
    /// none.
    pub fn solve<D: Dim>(&mut self, rows: &[ConstraintRow<D>], mobility: &[Mobility<D>], right: &[f64]) -> Vec<f64> {
        self.solve_some(rows, mobility, right, &vec![true; rows.len()])
    }

    /// The same for the free rows; the others have zero.
    pub fn solve_some<D: Dim>(
        &mut self,
        rows: &[ConstraintRow<D>],
        mobility: &[Mobility<D>],
        right: &[f64],
        is_free: &[bool],
    ) -> Vec<f64> {
        let start = Instant::now();
        let Some(factor) = &self.factor else { return vec![f64::NAN; rows.len()] };
        let mut found = vec![0.0; rows.len()];
        let only = |k: usize, number: f64| if is_free[k] { number } else { 0.0 };
        let mut rest: Vec<f64> = right.iter().enumerate().map(|(k, right)| only(k, *right)).collect();
        let mut size = f64::INFINITY;
        for _ in 0..ROUNDS {
            let largest = rest.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
            // no further improvement, or exact
            if largest == 0.0 || largest >= size {
                break;
            }
            size = largest;
            let step = factor.solve(&Col::from_fn(rest.len(), |k| rest[k]));
            (0..found.len()).for_each(|k| found[k] += step[k]);
            let pushed = push(rows, mobility, &found);
            let left = |(k, row): (usize, &ConstraintRow<D>)| only(k, right[k] - row_rate(row, &pushed, mobility));
            rest = rows.iter().enumerate().map(left).collect();
        }
        self.spent += start.elapsed();
        found
    }
}

impl Order {
    fn of(size: usize, pattern: Vec<Pair<usize, usize>>) -> Option<Order> {
        let (places, sorted) = SymbolicSparseColMat::try_new_from_indices(size, size, &pattern).ok()?;
        let symbolic = SymbolicLlt::try_new(places.as_ref(), Side::Lower).ok()?;
        Some(Order { size, pattern, places, sorted, symbolic })
    }

    fn factorise(&self, values: &[f64]) -> Option<Llt<usize, f64>> {
        let matrix = SparseColMat::new_from_argsort(self.places.clone(), &self.sorted, values).ok()?;
        Llt::try_new_with_symbolic(self.symbolic.clone(), matrix.as_ref(), Side::Lower).ok()
    }
}

/// M^-1 G^T l of all bodies.
pub(crate) fn push<D: Dim>(rows: &[ConstraintRow<D>], mobility: &[Mobility<D>], multipliers: &[f64]) -> Vec<Twist<D>> {
    let mut sum = vec![Twist::default(); mobility.len()];
    for (row, l) in rows.iter().zip(multipliers) {
        for part in row.parts().filter(|part| mobility[part.body].is_movable()) {
            let Twist { v, w } = mobility[part.body].answer(part.along * *l, part.about * *l);
            (sum[part.body].v, sum[part.body].w) = (sum[part.body].v + v, sum[part.body].w + w);
        }
    }
    sum
}

/// G v of movable bodies; driven walls do not enter.
pub(crate) fn row_rate<D: Dim>(row: &ConstraintRow<D>, twists: &[Twist<D>], mobility: &[Mobility<D>]) -> f64 {
    let movable = row.parts().filter(|part| mobility[part.body].is_movable());
    movable.map(|part| part.along.dot(twists[part.body].v) + part.about.dot(twists[part.body].w)).sum()
}

/// Lower triangle of G M^-1 G^T with a share of the diagonal added: rows that share a body are coupled. Rows that are
/// not free have a diagonal entry only.
fn entries<D: Dim>(
    rows: &[ConstraintRow<D>],
    mobility: &[Mobility<D>],
    is_free: &[bool],
) -> (Vec<Pair<usize, usize>>, Vec<f64>) {
    let mut of_body: Vec<Vec<(usize, usize)>> = vec![Vec::new(); mobility.len()];
    for (k, row) in rows.iter().enumerate() {
        for (end, part) in row.parts.iter().enumerate() {
            // a piston does not move across its axis, and touches hundreds of grains
            if let Some(part) = part.filter(|p| mobility[p.body].is_movable() && mobility[p.body].axis.is_none()) {
                of_body[part.body].push((k, end));
            }
        }
    }
    let count = rows.len() + of_body.iter().map(|list| list.len() * (list.len() + 1) / 2).sum::<usize>();
    let (mut pattern, mut values) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut diagonal = vec![0.0; rows.len()];
    for (body, list) in of_body.iter().enumerate() {
        for (k, (row, end)) in list.iter().enumerate() {
            let part = rows[*row].parts[*end].expect("a part that was listed");
            let Twist { v, w } = mobility[body].answer(part.along, part.about);
            for (other, other_end) in &list[..=k] {
                let with = rows[*other].parts[*other_end].expect("a part that was listed");
                let value = with.along.dot(v) + with.about.dot(w);
                if row == other {
                    diagonal[*row] += value;
                }
                pattern.push(Pair { row: *row, col: *other });
                values.push(if row == other || is_free[*row] && is_free[*other] { value } else { 0.0 });
            }
        }
    }
    // a row without movable bodies is always satisfied: its multiplier is zero
    let typical = diagonal.iter().fold(0.0_f64, |most, value| most.max(*value));
    for (k, value) in diagonal.iter().enumerate() {
        pattern.push(Pair { row: k, col: k });
        values.push(if *value > 0.0 { ADDED * value } else { typical.max(f64::MIN_POSITIVE) });
    }
    (pattern, values)
}
