//! One Gauss-Seidel sweep over all contacts: chunks, then the borders between them, then the rest.
//!
//! Chunks share no body, so each goes to a thread of its own; nor do borders. The increments are added in the order of
//! the subdomains, so that every bit of the sum is the same on any number of threads.

use std::ops::Range;

use super::accelerate::Relaxation;
use super::chunk::{Chunk, Extrapolate};
use super::contact_system::ContactSystem;
use super::coupled_x4::SweepCoupled;
use super::options::Order;
use super::order::shuffle;
use super::partition::{Partition, Subdomain};
use super::round_x4::SweepRound;
use super::scalar::ScalarContact;
use super::scalar_round::Load;
use super::solve::Increment;
use crate::dim::Dim;
use crate::lane::in_lanes;
use crate::method::common::solver_body::SolverBody;
use crate::threads;

impl<D: Dim> ContactSystem<D> {
    /// Visits every contact once; each uses the latest velocities.
    pub(super) fn sweep_all(&mut self, relaxation: Relaxation) -> Increment {
        let cell = self.slabs.end();
        in_lanes(Extrapolate {
            solver_bodies: &mut self.solver_bodies[cell..],
            previous: &mut self.previous[cell..],
            momentum: relaxation.momentum,
        });
        let mut increments = self.sweep_chunks(relaxation);
        self.sweep_borders(relaxation, &mut increments);
        increments.push(self.sweep_rest(relaxation));
        increments.into_iter().sum()
    }

    /// Sweeps all subdomains and the seams inside of chunks, one chunk to a thread. Returns the increments of all
    /// subdomains, then of all seams; those of the borders are still zero.
    fn sweep_chunks(&mut self, relaxation: Relaxation) -> Vec<Increment> {
        self.direction = self.direction.reversed();
        let [inside, seams] = &mut self.partition.phases;
        let count = inside.len();
        let chunks = threads::chunks(count, self.contacts);
        let ranges: Vec<_> = chunks.iter().map(|chunk| bodies_of(&inside[chunk.clone()])).collect();
        let work = threads::split(inside, chunks.iter().cloned())
            .into_iter()
            .zip(threads::split(seams, chunks.iter().map(|chunk| chunk.start..chunk.end - 1)))
            .zip(threads::split(&mut self.solver_bodies, ranges.iter().cloned()))
            .zip(threads::split(&mut self.previous, ranges.into_iter()))
            .map(|(((inside, seams), solver_bodies), previous)| Chunk { inside, seams, solver_bodies, previous });
        let swept = threads::map(work.collect(), self.contacts, |chunk| chunk.sweep(relaxation, self.direction));
        let mut increments = vec![Increment::default(); count + seams.len()];
        for (of_chunk, chunk) in swept.iter().zip(&chunks) {
            let (inside, seams) = of_chunk.split_at(chunk.len());
            increments[chunk.clone()].copy_from_slice(inside);
            increments[count + chunk.start..count + chunk.end - 1].copy_from_slice(seams);
        }
        increments
    }

    /// Sweeps the seams between chunks and enters their increments.
    fn sweep_borders(&mut self, relaxation: Relaxation, increments: &mut [Increment]) {
        let [inside, seams] = &mut self.partition.phases;
        let count = inside.len();
        let chunks = threads::chunks(count, self.contacts);
        let borders = threads::split(seams, chunks.iter().skip(1).map(|chunk| chunk.start - 1..chunk.start));
        let ranges: Vec<_> = borders.iter().map(|border| bodies_of(border)).collect();
        let work = borders.into_iter().flatten().zip(threads::split(&mut self.solver_bodies, ranges.into_iter()));
        let sweep = |(seam, bodies): (&mut Subdomain<D>, &mut [SolverBody<D>])| seam.sweep(bodies, relaxation);
        let swept = threads::map(work.collect(), self.contacts, sweep);
        for (chunk, increment) in chunks.iter().skip(1).zip(swept) {
            increments[count + chunk.start - 1] = increment;
        }
    }

    /// Sweeps the contacts that belong to no subdomain.
    fn sweep_rest(&mut self, relaxation: Relaxation) -> Increment {
        let ContactSystem { partition: Partition { rest, .. }, solver_bodies, .. } = self;
        match self.order {
            Order::Coloured | Order::Fixed => {
                rest.iter_mut().map(|contact| contact.relax(relaxation, solver_bodies)).sum()
            }
            Order::RandomSweep => {
                shuffle(&mut self.shuffled, &mut self.random);
                self.shuffled.iter().map(|k| rest[*k as usize].relax(relaxation, solver_bodies)).sum()
            }
            Order::Parallel => {
                let change = |contact: &ScalarContact<D>| contact.change(relaxation, solver_bodies);
                let changes: Vec<Load<D>> = rest.iter().map(change).collect();
                let add = |(contact, change): (&mut ScalarContact<D>, &Load<D>)| {
                    contact.apply(change, solver_bodies);
                    contact.add_change(change, relaxation)
                };
                rest.iter_mut().zip(&changes).map(add).sum()
            }
        }
    }
}

/// Bodies of neighbouring subdomains.
fn bodies_of<D: Dim>(subdomains: &[Subdomain<D>]) -> Range<usize> {
    subdomains[0].solver_bodies.start..subdomains[subdomains.len() - 1].solver_bodies.end
}

impl<D: Dim> Subdomain<D> {
    /// Visits every contact of the subdomain once; `solver_bodies` are its own.
    pub(crate) fn sweep(&mut self, solver_bodies: &mut [SolverBody<D>], relaxation: Relaxation) -> Increment {
        let (fours, batches) = (&mut self.round.fours, &self.round.batches);
        let round = in_lanes(SweepRound { fours, batches, solver_bodies, relaxation });
        let (fours, batches) = (&mut self.coupled.fours, &self.coupled.batches);
        let coupled = in_lanes(SweepCoupled { fours, batches, solver_bodies, relaxation });
        let scalars = self.scalars.iter_mut().map(|contact| contact.relax(relaxation, solver_bodies));
        [round, coupled].into_iter().chain(scalars).sum()
    }
}
