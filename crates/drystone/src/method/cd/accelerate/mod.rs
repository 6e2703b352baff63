//! Accelerators: what is done between two sweeps, to need fewer of them. One file and one entry of the list each.

mod anderson;
mod course;
mod mean;
mod momentum;
mod nncg;
mod plain;

use super::solve::{Increment, System};
use crate::list::list;

list! {
    /// How sweeps are accelerated.
    pub enum Accelerator by name starting Accelerate from &[f64] {
        /// Capped Nesterov momentum: 5 to 30 times fewer sweeps.
        "momentum" => Momentum(momentum::Momentum),
        /// Nonlinear conjugate gradients on the sweep.
        "nncg" => Nncg(nncg::Nncg),
        /// Anderson mixing of the last sweeps, with a safeguard.
        "anderson" => Anderson(anderson::Anderson),
        /// Plain Gauss-Seidel sweeps.
        "none" => None(plain::Unaccelerated),
    }
}

/// How a sweep starts and how far it goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation {
    /// Part of the last change of the impulses that is added before the sweep.
    pub momentum: f64,
    /// Relaxation factor: part of the change to its local solution that each contact makes in the sweep.
    pub factor: f64,
}

impl Default for Relaxation {
    /// A plain sweep.
    fn default() -> Self {
        Relaxation { momentum: 0.0, factor: 1.0 }
    }
}

/// Learns from every sweep. Its `new` gets the impulses at the start of a solve, in the order of [`System::read`].
pub trait Accelerate {
    /// How the next sweep is made.
    fn relaxation(&self) -> Relaxation {
        Relaxation::default()
    }
    /// Receives the change that a sweep made, and the residual if it was computed; may move the impulses.
    fn learn(&mut self, system: &mut dyn System, increment: Increment, residual: Option<f64>);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::cd::problem::ContactProblem;
    use crate::method::cd::stored::{Goal, Solution};

    /// Disks of mass 1 in a column, each of which sinks with 1 m/s and slips, and the floor: contact k bears all disks
    /// above.
    const DISKS: usize = 12;

    fn column() -> ContactProblem<2> {
        let mut entries = Vec::new();
        for k in 0..DISKS {
            let bodies = if k == 0 { 1.0 } else { 2.0 };
            entries.extend([(2 * k, 2 * k, bodies), (2 * k + 1, 2 * k + 1, 3.0 * bodies)]);
            if k > 0 {
                entries.extend([(2 * k, 2 * k - 2, -1.0), (2 * k - 2, 2 * k, -1.0)]);
                entries.extend([(2 * k + 1, 2 * k - 1, 1.0), (2 * k - 1, 2 * k + 1, 1.0)]);
            }
        }
        // all sink alike, so that the lowest alone meets anything; every second contact slips, from gently to fast
        let free = |k: usize| match k {
            0 => -1.0,
            _ if k % 4 == 1 => 0.8 * k as f64,
            _ => 0.0,
        };
        let free: Vec<f64> = (0..2 * DISKS).map(free).collect();
        ContactProblem::from_entries(entries, &free, vec![0.4; DISKS]).expect("a problem")
    }

    #[test]
    fn every_accelerator_solves_a_column_and_repeats_it_bit_by_bit() {
        let solve = |accelerator: Accelerator| -> Solution {
            column().solve(Goal { accelerator, ..Goal::residual(1e-8, 20_000) }, |_, _| ())
        };
        for &accelerator in Accelerator::ALL {
            let (one, other) = (solve(accelerator), solve(accelerator));
            let certificate = &one.certificate;
            assert!(one.converged && certificate.residual <= 1e-8, "{accelerator:?}: {certificate:?}");
            assert!(certificate.slide > 1 && certificate.stick > 1, "{accelerator:?}: {certificate:?}");
            for k in 0..DISKS {
                let load = (DISKS - k) as f64;
                // 1e-8 of the norm of all impulses, 36, times the condition of a column of twelve, some 230
                assert!((one.impulses[2 * k] - load).abs() < 1e-4, "{accelerator:?}: contact {k} bears {load}");
            }
            let bits = |solution: &Solution| solution.impulses.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!((bits(&one), one.sweeps), (bits(&other), other.sweeps), "{accelerator:?}");
        }
    }
}
