//! A chunk: neighbouring subdomains and the seams between them, which one thread sweeps.

use std::ops::Range;

use super::accelerate::Relaxation;
use super::partition::Subdomain;
use super::solve::Increment;
use crate::dim::Dim;
use crate::lane::{Four, InLanes, Lanes, in_lanes};
use crate::method::common::solver_body::SolverBody;

/// Subdomains in their order, the seams between them, and their bodies.
pub(super) struct Chunk<'a, D: Dim> {
    /// The subdomains; seam k lies between the subdomains k and k + 1.
    pub inside: &'a mut [Subdomain<D>],
    /// The seams between these subdomains.
    pub seams: &'a mut [Subdomain<D>],
    /// V of their bodies.
    pub solver_bodies: &'a mut [SolverBody<D>],
    /// V of their bodies before the last sweep.
    pub previous: &'a mut [SolverBody<D>],
}

/// Which subdomain of a chunk is swept first. Subdomains share no body, so the result is the same both ways. Sweeps
/// alternate because the next one then starts with bodies that are still in the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum SweepDirection {
    /// The first one.
    #[default]
    Forward,
    /// The last one.
    Backward,
}

impl SweepDirection {
    /// The other direction.
    pub(super) fn reversed(self) -> SweepDirection {
        match self {
            SweepDirection::Forward => SweepDirection::Backward,
            SweepDirection::Backward => SweepDirection::Forward,
        }
    }
}

impl<D: Dim> Chunk<'_, D> {
    /// One sweep. A seam is swept as soon as both of its subdomains are, while their bodies are still in the cache; the
    /// subdomains that follow share no body with it. Returns the increments of the subdomains, then those of the seams.
    pub(super) fn sweep(mut self, relaxation: Relaxation, direction: SweepDirection) -> Vec<Increment> {
        let count = self.inside.len();
        let mut increments = vec![Increment::default(); count + self.seams.len()];
        for step in 0..count {
            let (subdomain, seam) = match direction {
                SweepDirection::Forward => (step, step.checked_sub(1)),
                SweepDirection::Backward => (count - 1 - step, (step > 0).then(|| count - 1 - step)),
            };
            increments[subdomain] = self.sweep_inside(subdomain, relaxation);
            if let Some(seam) = seam {
                increments[count + seam] = self.sweep_seam(seam, relaxation);
            }
        }
        increments
    }

    fn sweep_inside(&mut self, subdomain: usize, relaxation: Relaxation) -> Increment {
        let range = self.range_of(&self.inside[subdomain]);
        let (solver_bodies, previous) = (&mut self.solver_bodies[range.clone()], &mut self.previous[range]);
        in_lanes(Extrapolate { solver_bodies, previous, momentum: relaxation.momentum });
        self.inside[subdomain].sweep(solver_bodies, relaxation)
    }

    fn sweep_seam(&mut self, seam: usize, relaxation: Relaxation) -> Increment {
        let range = self.range_of(&self.seams[seam]);
        self.seams[seam].sweep(&mut self.solver_bodies[range], relaxation)
    }

    /// Bodies of a subdomain, counted from the first body of the chunk.
    fn range_of(&self, subdomain: &Subdomain<D>) -> Range<usize> {
        let from = self.inside[0].solver_bodies.start;
        subdomain.solver_bodies.start - from..subdomain.solver_bodies.end - from
    }
}

/// Momentum of the velocities: moves them on by a part of their last change, before a sweep reaches them.
pub(super) struct Extrapolate<'a, D: Dim> {
    /// V.
    pub solver_bodies: &'a mut [SolverBody<D>],
    /// V before the last sweep; takes V as it is now.
    pub previous: &'a mut [SolverBody<D>],
    /// Part of the last change that is added.
    pub momentum: f64,
}

impl<D: Dim> InLanes for Extrapolate<'_, D> {
    type Output = ();
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) {
        let momentum = Four::splat(lanes, self.momentum);
        let bodies = self.solver_bodies.iter_mut().zip(self.previous);
        bodies.for_each(|(body, before)| body.extrapolate(before, momentum, lanes));
    }
}
