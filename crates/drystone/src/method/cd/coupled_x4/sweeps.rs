//! The operations on all coupled fours of a subdomain: a sweep, the application of their impulses, their residual.

use super::super::accelerate::Relaxation;
use super::super::residual::{Judged, Misfit, allowance, four_judged_by, lane_sum};
use super::super::round_x4::BATCH;
use super::super::solve::Increment;
use super::CoupledContactX4;
use super::local::CoupledTrial;
use crate::dim::Dim;
use crate::lane::MapInlined;
use crate::lane::{Four, InLanes, Lanes, NumberArray, NumberVector, Real, Row};
use crate::law::LoadedContact;
use crate::method::common::solver_body::{SolverBody, gather};

/// One sweep over fours of contacts; the bodies are those of their subdomain.
pub(crate) struct SweepCoupled<'a, D: Dim> {
    /// The fours.
    pub fours: &'a mut [CoupledContactX4<D>],
    /// How many of them are solved together, batch after batch.
    pub batches: &'a [u8],
    /// The bodies that their indices refer to.
    pub solver_bodies: &'a mut [SolverBody<D>],
    /// How the sweep starts and how far it goes.
    pub relaxation: Relaxation,
}

impl<D: Dim> InLanes for SweepCoupled<'_, D> {
    type Output = Increment;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Increment {
        let [momentum, factor, zero] =
            [self.relaxation.momentum, self.relaxation.factor, 0.0].map_inlined(|x| Four::splat(lanes, x));
        let (mut squared, mut along) = (zero, zero);
        let (mut rest, mut trials) = (self.fours, [CoupledTrial::default(); BATCH]);
        for count in self.batches {
            let (batch, after) = std::mem::take(&mut rest).split_at_mut(usize::from(*count));
            rest = after;
            let trials = &mut trials[..batch.len()];
            for (four, trial) in batch.iter().zip(&mut *trials) {
                *trial = CoupledTrial::new(
                    lanes,
                    four,
                    four.start(lanes, momentum),
                    four.velocity(lanes, self.solver_bodies),
                );
            }
            while trials.iter().any(CoupledTrial::seeks) {
                let seeking = batch.iter().zip(&mut *trials).filter(|(_, trial)| trial.seeks());
                seeking.for_each(|(four, trial)| trial.seek(lanes, four));
            }
            for (four, trial) in batch.iter_mut().zip(&*trials) {
                let found = trial.found(lanes, four);
                let mut change = [zero; 3];
                for k in 0..D::DIMENSION {
                    let [before, start] = [&four.impulse[k], &trial.start[k]].map_inlined(|row| Four::load(lanes, row));
                    change[k] = (found[k] - start) * factor;
                    let new = start + change[k];
                    four.previous[k] = before.row();
                    four.impulse[k] = new.row();
                    squared = squared + change[k] * change[k];
                    along = along + change[k] * (new - before);
                }
                four.apply(lanes, change, self.solver_bodies);
            }
        }
        Increment { squared: lane_sum(squared), along: lane_sum(along) }
    }
}

/// V += M^-1 H r for all contacts.
pub(crate) struct ApplyCoupled<'a, D: Dim> {
    /// The fours.
    pub fours: &'a [CoupledContactX4<D>],
    /// The bodies that their indices refer to.
    pub solver_bodies: &'a mut [SolverBody<D>],
}

impl<D: Dim> InLanes for ApplyCoupled<'_, D> {
    type Output = ();
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) {
        for four in self.fours {
            let impulse = [0, 1, 2].map_inlined(|k| Four::load(lanes, &four.impulse[k]));
            four.apply(lanes, impulse, self.solver_bodies);
        }
    }
}

/// The residual of the contacts: see [`super::residual`].
pub(crate) struct JudgeCoupled<'a, D: Dim> {
    /// The fours.
    pub fours: &'a [CoupledContactX4<D>],
    /// The bodies that their indices refer to.
    pub solver_bodies: &'a [SolverBody<D>],
    /// One over the squares of the reference speeds of the bodies [s2/m2].
    pub judged_by: &'a [f64],
}

impl<D: Dim> InLanes for JudgeCoupled<'_, D> {
    type Output = Misfit;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Misfit {
        let zero = Four::splat(lanes, 0.0);
        let mut sums = Misfit::none(zero);
        for four in self.fours {
            let [mass, friction] = [&four.mass, &four.friction].map_inlined(|row| Four::load(lanes, row));
            let load = |rows: &[Row; 3]| [0, 1, 2].map_inlined(|k| Four::load(lanes, &rows[k]));
            let (u, r, bias) = (four.velocity(lanes, self.solver_bodies), load(&four.impulse), load(&four.bias));
            let square = |[n, t, s]: [Four<S>; 3]| n * n + t * t + s * s;
            let across = |v: [Four<S>; 3]| NumberArray([v[1], v[2]]);
            let contact = LoadedContact { mass, friction, u_n: u[0], u_t: across(u), r_n: r[0], r_t: across(r) };
            let [arm_a, arm_b] = four.arms(lanes);
            let (a, b) = (gather(lanes, self.solver_bodies, &four.a), gather(lanes, self.solver_bodies, &four.b));
            let speed_squared = a.v.dot(a.v)
                + b.v.dot(b.v)
                + arm_a.dot(arm_a) * a.w.dot(a.w)
                + arm_b.dot(arm_b) * b.w.dot(b.w)
                + square(bias);
            sums.add(Judged {
                distance: contact.natural_map().squared(),
                allowance: allowance(mass, speed_squared),
                size: square(r),
                weight: zero.one() / mass,
                inverse_square: four_judged_by(lanes, self.judged_by, [&four.a, &four.b]),
            });
        }
        sums.sum()
    }
}
