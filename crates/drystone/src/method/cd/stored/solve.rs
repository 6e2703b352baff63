//! Solving a stored problem to an accuracy, and the certificate of the result.

use super::Stored;
use crate::contact::Regime;
use crate::law::{CoupledLaw, ExactLaw};
use crate::method::ForceDeterminacy;
use crate::method::cd::problem::{AnyProblem, ContactProblem};
use crate::method::cd::solve::{Rules, solve};
use crate::method::cd::{Accelerator, Accuracy, Criterion, Limits, Solver, newton};

/// When a solve ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// What the certificate must show; the overlap growth is not known here.
    pub limits: Limits,
    /// How the impulses are found.
    pub solver: Solver,
    /// How sweeps are accelerated.
    pub accelerator: Accelerator,
    /// Sweeps, or sweeps and Newton steps, after which the solve is given up.
    pub max_sweeps: u64,
}

impl Goal {
    /// A residual and nothing else, by sweeps with momentum.
    pub fn residual(residual: f64, max_sweeps: u64) -> Goal {
        let limits = Accuracy::Residual(residual).limits();
        Goal { limits, solver: Solver::Sweeps, accelerator: Accelerator::Momentum, max_sweeps }
    }
}

/// What a solve found. Numbers of contacts follow each other: n, t or n, t1, t2.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Impulses r [N s].
    pub impulses: Vec<f64>,
    /// Velocities u = W r + q [m/s].
    pub velocities: Vec<f64>,
    /// Sweeps made, and Newton steps.
    pub sweeps: u64,
    /// Whether the residual is as small as was asked for.
    pub converged: bool,
    /// How well the forces are known.
    pub forces: ForceDeterminacy,
    /// How good it is.
    pub certificate: Certificate,
}

/// How good a solution is, and what the contacts do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// Residual eps_nat of the contact laws, a ratio.
    pub residual: f64,
    /// Estimated error of the forces by the doubling test, a ratio.
    pub force_error: f64,
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
    /// Solves the problem from zero impulses. `watch` gets the number of sweeps and the residual at every check.
    pub fn solve(&self, goal: Goal, watch: impl FnMut(u64, f64)) -> Solution {
        match self {
            AnyProblem::Plane(problem) => problem.solve(goal, watch),
            AnyProblem::Space(problem) => problem.solve(goal, watch),
        }
    }

    /// Solves the problem from these impulses, the components of one contact after those of the other [N s]. Where the
    /// solution is not unique it depends on them.
    pub fn solve_from(&self, start: &[f64], goal: Goal, watch: impl FnMut(u64, f64)) -> Solution {
        match self {
            AnyProblem::Plane(problem) => problem.solve_from(start.as_chunks().0, goal, watch),
            AnyProblem::Space(problem) => problem.solve_from(start.as_chunks().0, goal, watch),
        }
    }
}

impl<const N: usize> ContactProblem<N>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    /// Solves the problem from zero impulses. `watch` gets the number of sweeps and the residual at every check.
    pub fn solve(&self, goal: Goal, watch: impl FnMut(u64, f64)) -> Solution {
        self.solve_from(&vec![[0.0; N]; self.contacts()], goal, watch)
    }

    /// Solves the problem from these impulses of all contacts [N s]. Where the solution is not unique it depends on
    /// them.
    pub fn solve_from(&self, start: &[[f64; N]], goal: Goal, watch: impl FnMut(u64, f64)) -> Solution {
        let mut stored = Stored::new(self);
        stored.set_impulses(start);
        let rules =
            Rules { limits: goal.limits, criterion: Criterion::Natural, min_sweeps: 0, max_sweeps: goal.max_sweeps };
        let verdict = match goal.solver {
            Solver::Sweeps => solve(&mut stored, goal.accelerator, &rules, watch),
            Solver::Newton => newton::solve_stored(&mut stored, goal.accelerator, &rules, watch),
        };
        Solution {
            impulses: stored.impulses().as_flattened().to_vec(),
            velocities: stored.velocities().as_flattened().to_vec(),
            sweeps: verdict.sweeps,
            converged: verdict.holds(&goal.limits),
            forces: verdict.forces(&goal.limits),
            certificate: Certificate { force_error: verdict.force_error, ..Certificate::of(&stored) },
        }
    }
}

impl Certificate {
    fn of<const N: usize>(stored: &Stored<N>) -> Certificate
    where
        CoupledLaw<N>: ExactLaw<N>,
    {
        let mut count = [0; 3];
        stored.regimes().for_each(|regime| count[regime as usize] += 1);
        Certificate {
            residual: stored.certified(),
            force_error: 0.0,
            open: count[Regime::Open as usize],
            stick: count[Regime::Stick as usize],
            slide: count[Regime::Slide as usize],
            painleve: stored.laws.iter().filter(|law| law.is_painleve()).count(),
            normal_sum: stored.impulses().iter().map(|r| r[0]).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column of n disks of mass 1, each pressed down with 1 N s, contacts from the floor up.
    fn column(n: usize) -> ContactProblem<2> {
        let mut entries = Vec::new();
        for k in 0..n {
            entries.push((2 * k, 2 * k, if k == 0 { 1.0 } else { 2.0 }));
            entries.push((2 * k + 1, 2 * k + 1, if k == 0 { 3.0 } else { 6.0 }));
            if k > 0 {
                entries.extend([(2 * k, 2 * k - 2, -1.0), (2 * k - 2, 2 * k, -1.0)]);
            }
        }
        let q: Vec<f64> = (0..2 * n).map(|k| if k == 0 { -1.0 } else { 0.0 }).collect();
        ContactProblem::from_entries(entries, &q, vec![0.5; n]).unwrap()
    }

    #[test]
    fn a_column_carries_its_weight() {
        let goal = Goal::residual(1e-13, 10_000);
        let mut looks = Vec::new();
        let solution = column(10).solve(goal, |sweeps, residual| looks.push((sweeps, residual)));
        assert!(solution.converged && solution.certificate.residual <= 1e-13);
        for (k, r) in solution.impulses.chunks(2).enumerate() {
            assert!((r[0] - (10 - k) as f64).abs() < 1e-9, "contact {k}: {r:?}");
        }
        assert!((solution.certificate.normal_sum - 55.0).abs() < 1e-8);
        assert_eq!((solution.certificate.open, solution.certificate.stick, solution.certificate.slide), (0, 10, 0));
        let (sweeps, residual) = *looks.last().expect("a look");
        assert_eq!(sweeps, solution.sweeps);
        // the certificate adds rows of W up in another order
        assert!((residual - solution.certificate.residual).abs() < 1e-14, "{residual} {:?}", solution.certificate);
        assert!(solution.certificate.force_error < 0.1);
    }

    #[test]
    fn a_solve_that_is_cut_off_says_so_and_how_wrong_its_forces_are() {
        let solution = column(40).solve(Goal::residual(1e-12, 30), |_, _| ());
        assert!(!solution.converged && solution.sweeps == 30);
        // 40 disks need about 40 sweeps with momentum to feel each other: the forces are far off, and eta tells
        assert!(solution.certificate.force_error > 0.1, "{:?}", solution.certificate);
    }
}
