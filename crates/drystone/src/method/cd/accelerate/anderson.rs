//! Anderson mixing of the last sweeps, with a safeguard. [Anderson 1965; Walker and Ni 2011]

use super::Accelerate;
use crate::method::cd::solve::{Increment, System};

/// How many sweeps are mixed. Three do as well as eight or twenty (book, page on the solver).
const DEPTH: usize = 3;
/// A diagonal of the small normal equations this far below the largest counts as dependent: half of the digits of
/// f64, since the equations square the condition.
const DEPENDENT: f64 = 1e-14;

/// With f_k = F(y_k) - y_k, mixes y_(k+1) = F(y_k) - sum gamma_i (dF_i) with gamma = argmin |f_k - sum gamma_i df_i|.
///
/// A mixture is only a guess: if its residual is not below the previous one, the plain sweep is taken instead and the
/// history is dropped.
#[derive(Clone, Debug)]
pub(super) struct Anderson {
    /// y_k: where the last sweep started.
    from: Vec<f64>,
    /// F(y_(k-1)) and f_(k-1).
    last: Option<Sweep>,
    /// Differences of F(y) and of f from one sweep to the next.
    history: Vec<Sweep>,
}

/// A sweep, or the difference of two.
#[derive(Clone, Debug)]
struct Sweep {
    /// F(y): the impulses after it.
    image: Vec<f64>,
    /// f = F(y) - y: their change.
    step: Vec<f64>,
}

impl Anderson {
    /// At the start of a solve, from these impulses.
    pub(super) fn new(impulses: &[f64]) -> Anderson {
        Anderson { from: impulses.to_vec(), last: None, history: Vec::new() }
    }

    /// gamma of the least squares problem, by the normal equations with pivoting on the diagonal.
    fn weights(&self, f: &[f64]) -> Vec<f64> {
        let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let columns: Vec<&[f64]> = self.history.iter().map(|difference| difference.step.as_slice()).collect();
        let mut matrix: Vec<Vec<f64>> =
            columns.iter().map(|a| columns.iter().map(|b| inner(a, b)).chain([inner(a, f)]).collect()).collect();
        let size = columns.len();
        let largest = (0..size).map(|k| matrix[k][k]).fold(0.0, f64::max);
        let mut used = vec![false; size];
        for k in 0..size {
            if matrix[k][k] <= DEPENDENT * largest {
                continue;
            }
            used[k] = true;
            let pivot = matrix[k].clone();
            for (row, numbers) in matrix.iter_mut().enumerate() {
                if row != k {
                    let factor = numbers[k] / pivot[k];
                    numbers.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
                }
            }
        }
        (0..size).map(|k| if used[k] { matrix[k][size] / matrix[k][k] } else { 0.0 }).collect()
    }
}

impl Accelerate for Anderson {
    fn learn(&mut self, system: &mut dyn System, _: Increment, _: Option<f64>) {
        let mut image = Vec::with_capacity(self.from.len());
        system.read(&mut image);
        let step: Vec<f64> = image.iter().zip(&self.from).map(|(image, from)| image - from).collect();
        if let Some(last) = self.last.take() {
            let minus = |a: &[f64], b: Vec<f64>| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
            self.history.push(Sweep { image: minus(&image, last.image), step: minus(&step, last.step) });
            if self.history.len() > DEPTH {
                self.history.remove(0);
            }
        }
        let gamma = self.weights(&step);
        let mut mixed = image.clone();
        for (weight, difference) in gamma.iter().zip(&self.history) {
            mixed.iter_mut().zip(&difference.image).for_each(|(x, change)| *x -= weight * change);
        }
        if gamma.iter().any(|weight| *weight != 0.0) {
            let plain = system.misfit().ratio();
            system.write(&mixed);
            if system.misfit().ratio() < plain {
                self.last = Some(Sweep { image, step });
                self.from = mixed;
                return;
            }
            system.write(&image);
            self.history.clear();
        }
        self.from.clone_from(&image);
        self.last = Some(Sweep { image, step });
    }
}
