//! Solving a stored problem to an accuracy, and the certificate of the result.

use super::Stored;
use crate::contact::Regime;
use crate::law::{ExactLaw, General};
use crate::method::cd::Accelerator;
use crate::method::cd::accelerate::Momentum;
use crate::method::cd::problem::{AnyProblem, Problem};

/// When a solve ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The residual eps_nat that is asked for.
    pub accuracy: f64,
    /// Sweeps after which the solve is given up.
    pub max_sweeps: u64,
}

/// What a solve found. Numbers of contacts follow each other: n, t or n, t1, t2.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Impulses r [N s].
    pub impulses: Vec<f64>,
    /// Velocities u = W r + q [m/s].
    pub velocities: Vec<f64>,
    /// Sweeps made.
    pub sweeps: u64,
    /// Whether the residual is below what was asked for.
    pub converged: bool,
    /// How good it is.
    pub certificate: Certificate,
}

/// How good a solution is, and what the contacts do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// Residual eps_nat of the contact laws, a ratio.
    pub residual: f64,
    /// Estimated error of the forces by the doubling test, a ratio; not known after fewer than 4 sweeps.
    pub force_error: Option<f64>,
    /// Contacts that carry no force.
    pub open: usize,
    /// Contacts that stick.
    pub stick: usize,
    /// Contacts that slide.
    pub slide: usize,
    /// Contacts with mu |W_nt| >= W_nn, where the law alone does not decide. [Painleve]
    pub painleve: usize,
    /// Sum of the normal impulses [N s].
    pub normal_sum: f64,
}

impl AnyProblem {
    /// Solves the problem from zero impulses. `watch` is told sweeps and residual at every look.
    pub fn solve(&self, goal: Goal, watch: impl FnMut(u64, f64)) -> Solution {
        match self {
            AnyProblem::Plane(problem) => problem.solve(goal, watch),
            AnyProblem::Space(problem) => problem.solve(goal, watch),
        }
    }
}

impl<const N: usize> Problem<N>
where
    General<N>: ExactLaw<N>,
{
    /// Solves the problem from zero impulses. `watch` is told sweeps and residual at every look.
    pub fn solve(&self, goal: Goal, mut watch: impl FnMut(u64, f64)) -> Solution {
        let mut stored = Stored::new(self);
        let mut momentum = Momentum::new(Accelerator::Momentum);
        let mut doubling = Doubling::default();
        let (mut sweeps, mut residual) = (0, stored.residual());
        while sweeps < goal.max_sweeps && residual > goal.accuracy {
            let increment = stored.sweep(&momentum);
            sweeps += 1;
            doubling.note(sweeps, stored.impulses());
            let look = is_looked_at(sweeps) || sweeps == goal.max_sweeps;
            if look {
                residual = stored.residual();
                watch(sweeps, residual);
            }
            momentum.adapt(increment, look.then_some(residual));
        }
        let force_error = doubling.force_error(sweeps, &stored);
        Solution {
            impulses: stored.impulses().as_flattened().to_vec(),
            velocities: stored.velocities().as_flattened().to_vec(),
            sweeps,
            converged: residual <= goal.accuracy,
            certificate: Certificate { residual, force_error, ..Certificate::of(&stored) },
        }
    }
}

/// A look costs as much as a sweep: every tenth is enough; the first ones spare sweeps where the solve is short.
fn is_looked_at(sweeps: u64) -> bool {
    sweeps.is_multiple_of(10) || matches!(sweeps, 1 | 3 | 6)
}

impl Certificate {
    fn of<const N: usize>(stored: &Stored<N>) -> Certificate
    where
        General<N>: ExactLaw<N>,
    {
        let mut count = [0; 3];
        stored.regimes().for_each(|regime| count[regime as usize] += 1);
        Certificate {
            residual: stored.residual(),
            force_error: None,
            open: count[Regime::Open as usize],
            stick: count[Regime::Stick as usize],
            slide: count[Regime::Slide as usize],
            painleve: stored.laws.iter().filter(|law| law.is_painleve()).count(),
            normal_sum: stored.impulses().iter().map(|r| r[0]).sum(),
        }
    }
}

/// The doubling test: eta = |r_k - r_h| / |r_k| with the impulses after h sweeps, k/4 < h <= k/2.
///
/// A solve that creeps changes little in a sweep and much in as many sweeps again; eps_nat does not tell it, eta does.
#[derive(Clone, Debug, Default)]
struct Doubling<const N: usize> {
    /// Impulses after the last power of two sweeps, and after the one before.
    latest: Vec<[f64; N]>,
    before: Vec<[f64; N]>,
}

impl<const N: usize> Doubling<N> {
    fn note(&mut self, sweeps: u64, impulses: &[[f64; N]]) {
        if sweeps.is_power_of_two() {
            std::mem::swap(&mut self.latest, &mut self.before);
            self.latest.clear();
            self.latest.extend_from_slice(impulses);
        }
    }

    /// eta after so many sweeps.
    fn force_error(&self, sweeps: u64, stored: &Stored<N>) -> Option<f64>
    where
        General<N>: ExactLaw<N>,
    {
        if sweeps < 4 {
            return None;
        }
        let now = stored.impulses();
        let change = now.iter().zip(&self.before).map(|(now, before)| std::array::from_fn(|k| now[k] - before[k]));
        let (change, all) = (stored.norm_squared(change), stored.norm_squared(now.iter().copied()));
        Some(if change == 0.0 { 0.0 } else { (change / all).sqrt() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column of n disks of mass 1, each pressed down with 1 N s, contacts from the floor up.
    fn column(n: usize) -> Problem<2> {
        let mut entries = Vec::new();
        for k in 0..n {
            entries.push((2 * k, 2 * k, if k == 0 { 1.0 } else { 2.0 }));
            entries.push((2 * k + 1, 2 * k + 1, if k == 0 { 3.0 } else { 6.0 }));
            if k > 0 {
                entries.extend([(2 * k, 2 * k - 2, -1.0), (2 * k - 2, 2 * k, -1.0)]);
            }
        }
        let q: Vec<f64> = (0..2 * n).map(|k| if k == 0 { -1.0 } else { 0.0 }).collect();
        Problem::from_entries(entries, &q, vec![0.5; n]).unwrap()
    }

    #[test]
    fn a_column_carries_its_weight() {
        let goal = Goal { accuracy: 1e-12, max_sweeps: 10_000 };
        let mut looks = Vec::new();
        let solution = column(10).solve(goal, |sweeps, residual| looks.push((sweeps, residual)));
        assert!(solution.converged && solution.certificate.residual <= 1e-12);
        for (k, r) in solution.impulses.chunks(2).enumerate() {
            assert!((r[0] - (10 - k) as f64).abs() < 1e-9, "contact {k}: {r:?}");
        }
        assert!((solution.certificate.normal_sum - 55.0).abs() < 1e-8);
        assert_eq!((solution.certificate.open, solution.certificate.stick, solution.certificate.slide), (0, 10, 0));
        assert_eq!(looks.last(), Some(&(solution.sweeps, solution.certificate.residual)));
        assert!(solution.certificate.force_error.unwrap() < 0.1);
    }

    #[test]
    fn a_solve_that_is_cut_off_says_so_and_how_wrong_its_forces_are() {
        let solution = column(40).solve(Goal { accuracy: 1e-12, max_sweeps: 30 }, |_, _| ());
        assert!(!solution.converged && solution.sweeps == 30);
        // 40 disks need about 40 sweeps with momentum to feel each other: the forces are far off, and eta tells
        assert!(solution.certificate.force_error.unwrap() > 0.1, "{:?}", solution.certificate);
        let cut = column(2).solve(Goal { accuracy: 1e-12, max_sweeps: 2 }, |_, _| ());
        assert_eq!((cut.sweeps, cut.certificate.force_error), (2, None));
    }

    #[test]
    fn the_doubling_test_compares_with_a_moment_between_a_quarter_and_a_half() {
        let mut doubling = Doubling::<2>::default();
        for sweeps in 1..=100u64 {
            doubling.note(sweeps, &[[sweeps as f64, 0.0]]);
            if sweeps >= 4 {
                let then = doubling.before[0][0] as u64;
                assert!(4 * then > sweeps && 2 * then <= sweeps, "after {sweeps} sweeps: {then}");
            }
        }
    }
}
