//! Nonlinear nonsmooth conjugate gradients on the Gauss-Seidel map. [Silcowitz, Niebe, Erleben 2010]

use super::Accelerate;
use crate::method::cd::solve::{Increment, System};

/// With the step g of a sweep, y_(k+1) = F(y_k) + beta p_k, p_(k+1) = g + beta p_k, beta = |g_k|^2 / |g_(k-1)|^2;
/// a beta above one restarts.
#[derive(Clone, Debug)]
pub(super) struct Nncg {
    before: Vec<f64>,
    direction: Vec<f64>,
    step_squared: f64,
    now: Vec<f64>,
}

impl Nncg {
    /// At the start of a solve, from these impulses.
    pub(super) fn new(impulses: &[f64]) -> Nncg {
        let (before, direction) = (impulses.to_vec(), vec![0.0; impulses.len()]);
        Nncg { direction, before, step_squared: f64::INFINITY, now: Vec::new() }
    }
}

impl Accelerate for Nncg {
    fn learn(&mut self, system: &mut dyn System, _: Increment, _: Option<f64>) {
        system.read(&mut self.now);
        let step_squared: f64 = self.now.iter().zip(&self.before).map(|(now, before)| (now - before).powi(2)).sum();
        let beta = step_squared / self.step_squared;
        self.step_squared = step_squared;
        let beta = if beta > 1.0 { 0.0 } else { beta };
        for ((now, before), direction) in self.now.iter_mut().zip(&mut self.before).zip(&mut self.direction) {
            let step = *now - *before;
            *now += beta * *direction;
            *direction = step + beta * *direction;
            *before = *now;
        }
        if beta > 0.0 {
            system.write(&self.now);
        }
    }
}
