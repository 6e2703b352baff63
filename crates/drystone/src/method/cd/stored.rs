//! Gauss-Seidel sweeps on a stored problem: each contact uses the latest impulses through its row of W.
//!
//! The same sweeps as on the bodies of a world, without bodies: u_c = sum_d W_cd r_d + q_c takes the place of the
//! velocities. A row costs as many block products as the contact has neighbours. Contacts are visited colour after
//! colour: those of one colour do not affect each other, so that none waits for the previous one.

mod others;
mod solve;

pub use solve::{Certificate, Goal, Solution};

use super::accelerate::Relaxation;
use super::problem::{ContactProblem, add_product};
use super::residual::{Judged, Misfit};
use super::solve::Increment;
use super::solve::System;
use crate::contact::Regime;
use crate::law::{CoupledLaw, ExactLaw};
use others::Others;

/// A stored problem with its impulses.
#[derive(Clone, Debug)]
pub struct Stored<'p, const N: usize>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    problem: &'p ContactProblem<N>,
    laws: Vec<CoupledLaw<N>>,
    others: Others<N>,
    /// Largest eigenvalue of each contact's W_cc [1/kg].
    weights: Vec<f64>,
    /// About the root of each weight.
    roots: Vec<f64>,
    /// Impulses of all contacts, and a zero for empty lanes.
    impulses: Vec<[f64; N]>,
    /// Impulses before the last sweep, for the accelerator.
    previous: Vec<[f64; N]>,
}

impl<'p, const N: usize> Stored<'p, N>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    /// The problem without impulses.
    pub fn new(problem: &'p ContactProblem<N>) -> Self {
        let law = |contact: usize| {
            let block = problem.diagonal(contact);
            // where a file has a block that is not symmetric, the law takes its symmetric part: the velocities, and so
            // the solution and its residual, are those of the block as it stands
            let w = std::array::from_fn(|k| std::array::from_fn(|l| 0.5 * (block[k][l] + block[l][k])));
            CoupledLaw { w, friction: problem.friction()[contact] }
        };
        let laws: Vec<CoupledLaw<N>> = (0..problem.contacts()).map(law).collect();
        let weights: Vec<f64> = laws.iter().map(|law| law.largest_eigenvalue()).collect();
        let roots = weights.iter().map(|weight| exact_root(*weight)).collect();
        let none = vec![[0.0; N]; problem.contacts() + 1];
        let others = Others::of(problem, &laws);
        Stored { problem, laws, others, weights, roots, impulses: none.clone(), previous: none }
    }

    /// The impulses of all contacts [N s].
    pub fn impulses(&self) -> &[[f64; N]] {
        &self.impulses[..self.laws.len()]
    }

    /// The problem itself.
    pub fn problem(&self) -> &'p ContactProblem<N> {
        self.problem
    }

    /// Gives all contacts new impulses.
    pub fn set_impulses(&mut self, impulses: &[[f64; N]]) {
        self.impulses[..self.laws.len()].copy_from_slice(impulses);
        self.drop_momentum();
    }

    /// Velocities under the impulses: u = W r + q [m/s].
    pub fn velocities(&self) -> Vec<[f64; N]> {
        (0..self.laws.len()).map(|contact| self.problem.velocity(contact, &self.impulses)).collect()
    }

    /// The residual of contacts with these velocities, with the largest eigenvalue of W_cc as weight. There is no
    /// velocity error, as bodies are not known, and no allowance for the rounding of velocities.
    fn misfit_of(&self, velocities: impl Iterator<Item = [f64; N]>) -> Misfit {
        let of = |(contact, u): (usize, [f64; N])| {
            let (r, weight) = (&self.impulses[contact], self.weights[contact]);
            let distance = self.laws[contact].loaded(1.0 / weight, *r, u).natural_map().squared();
            Misfit::of(Judged { distance, allowance: 0.0, size: dot(r, r), weight, inverse_square: 0.0 })
        };
        velocities.enumerate().map(of).sum()
    }

    /// The residual eps_nat with velocities computed row by row, as no sweep computes them.
    fn certified(&self) -> f64 {
        self.misfit_of(self.velocities().into_iter()).ratio()
    }

    /// Regimes of the contacts.
    fn regimes(&self) -> impl Iterator<Item = Regime> {
        let states = self.laws.iter().zip(&self.impulses).zip(self.velocities());
        states.map(|((law, r), u)| law.regime(*r, u))
    }
}

impl<const N: usize> System for Stored<'_, N>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    fn sweep(&mut self, relaxation: Relaxation) -> Increment {
        for (now, before) in self.impulses.iter_mut().zip(&mut self.previous) {
            let here = *now;
            *now = std::array::from_fn(|k| here[k] + relaxation.momentum * (here[k] - before[k]));
            *before = here;
        }
        self.others.sweep(relaxation, &mut self.impulses, &self.previous)
    }

    /// The natural map F of every contact, with velocities computed in lanes.
    fn misfit(&self) -> Misfit {
        let by_others = self.others.velocities(&self.impulses);
        let own = self.laws.iter().zip(&self.impulses).zip(by_others).map(|((law, r), mut u)| {
            add_product(&mut u, &law.w, r);
            u
        });
        self.misfit_of(own)
    }

    /// Velocities are computed from the impulses at every contact anyway.
    fn recompute_velocities(&mut self) {}

    fn drop_momentum(&mut self) {
        self.previous.clone_from(&self.impulses);
    }

    /// Impulses times about the root of their weight. The norm with the whole of W would not show differences between
    /// forces that hold each other up: W maps them to no velocity.
    fn read(&self, into: &mut Vec<f64>) {
        into.clear();
        for (r, root) in self.impulses.iter().zip(&self.roots) {
            into.extend(r.map(|r| r * root));
        }
    }

    fn write(&mut self, from: &[f64]) {
        for ((r, root), numbers) in self.impulses.iter_mut().zip(&self.roots).zip(from.chunks(N)) {
            *r = std::array::from_fn(|k| numbers[k] / root);
        }
        self.drop_momentum();
    }

    fn force_change(&self) -> f64 {
        let ratio = |(now, before): (&[f64; N], &[f64; N])| {
            let change: [f64; N] = std::array::from_fn(|k| now[k] - before[k]);
            let change = dot(&change, &change);
            if change == 0.0 { 0.0 } else { (change / dot(now, now)).sqrt() }
        };
        self.impulses.iter().zip(&self.previous).map(ratio).fold(0.0, f64::max)
    }
}

/// A power of two near the square root: what is multiplied and divided by it keeps its bits.
fn exact_root(number: f64) -> f64 {
    libm::ldexp(1.0, libm::frexp(number).1.div_euclid(2))
}

fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two disks of mass 1 on top of each other, each pressed down with 1 N s: floor-lower, lower-upper; no friction.
    fn column() -> ContactProblem<2> {
        let entries = [(0, 0, 1.0), (1, 1, 3.0), (2, 2, 2.0), (3, 3, 6.0), (0, 2, -1.0), (2, 0, -1.0)];
        ContactProblem::from_entries(entries.to_vec(), &[-1.0, 0.0, 0.0, 0.0], vec![0.0; 2]).unwrap()
    }

    #[test]
    fn a_sweep_gives_each_contact_its_exact_impulse_in_turn() {
        let problem = column();
        let mut stored = Stored::new(&problem);
        let plain = Relaxation::default();
        // lower: r = 1; upper: 2 r_2 = 1 r_1, so 1/2; then lower: r_1 = 1 + r_2
        let increment = stored.sweep(plain);
        assert_eq!(stored.impulses(), [[1.0, 0.0], [0.5, 0.0]]);
        assert_eq!((increment.squared, increment.along), (1.25, 1.25));
        stored.sweep(plain);
        assert_eq!(stored.impulses(), [[1.5, 0.0], [0.75, 0.0]]);
        assert_eq!(stored.velocities(), [[-0.25, 0.0], [0.0, 0.0]]);
        // F = rho u of the lower contact with rho = 1/3: (1/12)^2 * 3 over 3 * 1.5^2 + 6 * 0.75^2
        let expected = ((3.0 / 144.0) / (3.0 * 2.25 + 6.0 * 0.5625_f64)).sqrt();
        assert!((stored.misfit().ratio() - expected).abs() < 1e-15);
    }

    #[test]
    fn momentum_moves_all_impulses_before_the_first_contact_looks() {
        let problem = column();
        let mut stored = Stored::new(&problem);
        stored.sweep(Relaxation::default());
        stored.sweep(Relaxation { momentum: 0.5, factor: 1.0 });
        // the lower contact sees the upper at 0.5 + 0.5 * 0.5
        assert_eq!(stored.impulses(), [[1.75, 0.0], [0.875, 0.0]]);
    }

    #[test]
    fn reading_and_writing_keeps_every_bit() {
        let problem = column();
        let mut stored = Stored::new(&problem);
        let impulses = [[1.0 / 3.0, 0.1], [std::f64::consts::PI, -1e-300]];
        stored.set_impulses(&impulses);
        let mut numbers = Vec::new();
        stored.read(&mut numbers);
        stored.write(&numbers);
        assert_eq!(stored.impulses(), impulses);
        for number in [1e-300, 0.3, 1.0, 2.0, 3.0, 7e200] {
            let ratio = exact_root(number) / number.sqrt();
            assert!((0.7..=1.42).contains(&ratio), "{number}: {ratio}");
        }
    }
}
