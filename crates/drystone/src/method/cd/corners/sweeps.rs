//! What is done with all corners of a unit: a sweep, their impulses taken up again, a judgement.

use super::super::accelerate::Push;
use super::super::group::{BATCH, off_the_laws, sum};
use super::super::line::{Line, gather};
use super::super::residual::{Misfit, ROUNDING};
use super::super::sweep::Increment;
use super::Corners;
use super::local::Trial;
use crate::dim::Dim;
use crate::lane::{Four, FourVector, Fours, InLanes, Lanes, Row};

/// One sweep over corners; the lines are those of their unit.
pub struct SweepCorners<'a, D: Dim> {
    /// The corners.
    pub corners: &'a mut [Corners<D>],
    /// How many fours of them are solved together, batch after batch.
    pub batches: &'a [u8],
    /// The lines that their indices count in.
    pub lines: &'a mut [Line<D>],
    /// How far impulses are pushed on first, and how far they go.
    pub push: Push,
}

impl<D: Dim> InLanes for SweepCorners<'_, D> {
    type Output = Increment;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Increment {
        let [beta, stride, zero] = [self.push.beta, self.push.stride, 0.0].map(|x| Four::splat(lanes, x));
        let (mut squared, mut along) = (zero, zero);
        let (mut rest, mut trials) = (self.corners, [Trial::default(); BATCH]);
        for count in self.batches {
            let (batch, after) = std::mem::take(&mut rest).split_at_mut(usize::from(*count));
            rest = after;
            let trials = &mut trials[..batch.len()];
            for (corners, trial) in batch.iter().zip(&mut *trials) {
                *trial = Trial::new(lanes, corners, corners.start(lanes, beta), corners.velocity(lanes, self.lines));
            }
            while trials.iter().any(Trial::seeks) {
                let seeking = batch.iter().zip(&mut *trials).filter(|(_, trial)| trial.seeks());
                seeking.for_each(|(corners, trial)| trial.seek(lanes, corners));
            }
            for (corners, trial) in batch.iter_mut().zip(&*trials) {
                let found = trial.found(lanes, corners);
                let mut change = [zero; 3];
                for k in 0..D::DIMENSION {
                    let [before, start] = [&corners.impulse[k], &trial.start[k]].map(|row| Four::load(lanes, row));
                    change[k] = (found[k] - start) * stride;
                    let new = start + change[k];
                    corners.previous[k] = before.row();
                    corners.impulse[k] = new.row();
                    squared = squared + change[k] * change[k];
                    along = along + change[k] * (new - before);
                }
                corners.push(lanes, change, self.lines);
            }
        }
        Increment { squared: sum(squared), along: sum(along) }
    }
}

/// V += M^-1 H r for all corners.
pub struct RestoreCorners<'a, D: Dim> {
    /// The corners.
    pub corners: &'a [Corners<D>],
    /// The lines that their indices count in.
    pub lines: &'a mut [Line<D>],
}

impl<D: Dim> InLanes for RestoreCorners<'_, D> {
    type Output = ();
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) {
        for corners in self.corners {
            let impulse = [0, 1, 2].map(|k| Four::load(lanes, &corners.impulse[k]));
            corners.push(lanes, impulse, self.lines);
        }
    }
}

/// Judges corners: see [`super::residual`].
pub struct JudgeCorners<'a, D: Dim> {
    /// The corners.
    pub corners: &'a [Corners<D>],
    /// The lines that their indices count in.
    pub lines: &'a [Line<D>],
}

impl<D: Dim> InLanes for JudgeCorners<'_, D> {
    type Output = Misfit;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Misfit {
        let [zero, rounding] = [0.0, ROUNDING].map(|x| Four::splat(lanes, x));
        let (mut wrong, mut all) = (zero, zero);
        for corners in self.corners {
            let [mass, mu] = [&corners.mass, &corners.friction].map(|row| Four::load(lanes, row));
            let load = |rows: &[Row; 3]| [0, 1, 2].map(|k| Four::load(lanes, &rows[k]));
            let (u, r, bias) = (corners.velocity(lanes, self.lines), load(&corners.impulse), load(&corners.bias));
            let square = |[n, t, s]: [Four<S>; 3]| n * n + t * t + s * s;
            let distance = off_the_laws((mass, mu), (u[0], Fours([u[1], u[2]])), (r[0], Fours([r[1], r[2]])));
            // what rounding of the velocities explains does not count
            let [arm_a, arm_b] = corners.arms(lanes);
            let (a, b) = (gather(lanes, self.lines, &corners.a), gather(lanes, self.lines, &corners.b));
            let speed_squared = a.v.dot(a.v)
                + b.v.dot(b.v)
                + arm_a.dot(arm_a) * a.w.dot(a.w)
                + arm_b.dot(arm_b) * b.w.dot(b.w)
                + square(bias);
            let excused = rounding * mass;
            let counted = distance.choose_greater(excused * excused * speed_squared, distance, zero);
            wrong = wrong + counted / mass;
            all = all + square(r) / mass;
        }
        Misfit { wrong: sum(wrong), all: sum(all) }
    }
}
