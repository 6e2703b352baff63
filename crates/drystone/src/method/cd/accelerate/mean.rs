//! The mean of the impulses of many sweeps: the middle of a cycle that they go round in.

use crate::method::cd::solve::System;

/// Sum of the impulses of several sweeps, from which their mean is taken.
///
/// Cones are convex, so a mean of impulses satisfies Coulomb's bound if each of them does, and it is no larger than the
/// largest of them: where no forces solve a step, means do not pile forces up.
#[derive(Clone, Debug)]
pub(super) struct Mean {
    sum: Vec<f64>,
    now: Vec<f64>,
    sweeps: u64,
    /// Number of sweeps in a mean.
    pub span: u64,
}

impl Mean {
    /// For means over `span` sweeps, none of which has been made yet.
    pub(super) fn of(span: u64) -> Mean {
        Mean { sum: Vec::new(), now: Vec::new(), sweeps: 0, span }
    }

    /// Adds the impulses of a sweep. After `span` sweeps the system takes their mean, and the next mean begins.
    pub(super) fn add(&mut self, system: &mut dyn System) {
        system.read(&mut self.now);
        match self.sweeps {
            0 => self.sum.clone_from(&self.now),
            _ => self.sum.iter_mut().zip(&self.now).for_each(|(sum, now)| *sum += now),
        }
        self.sweeps += 1;
        if self.sweeps >= self.span {
            let part = 1.0 / self.sweeps as f64;
            self.sum.iter_mut().for_each(|sum| *sum *= part);
            system.write(&self.sum);
            self.sweeps = 0;
        }
    }
}
