//! What is done with all corners of a unit: a sweep, their impulses taken up again, a judgement.

use super::super::accelerate::Push;
use super::super::group::{off_the_laws, sum};
use super::super::line::{Line, gather};
use super::super::residual::{Misfit, ROUNDING};
use super::super::sweep::Increment;
use super::Corners;
use crate::dim::Dim;
use crate::lane::{Four, FourVector, Fours, InLanes, Lanes, Row};

/// One sweep over corners; the lines are those of their unit.
pub struct SweepCorners<'a, D: Dim> {
    /// The corners.
    pub corners: &'a mut [Corners<D>],
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
        for corners in self.corners {
            let (mut before, mut start) = ([zero; 3], [zero; 3]);
            for k in 0..D::DIMENSION {
                before[k] = Four::load(lanes, &corners.impulse[k]);
                start[k] = before[k] + (before[k] - Four::load(lanes, &corners.previous[k])) * beta;
            }
            let found = corners.solve(lanes, start, corners.velocity(lanes, self.lines));
            let mut change = [zero; 3];
            for k in 0..D::DIMENSION {
                change[k] = (found[k] - start[k]) * stride;
                let new = start[k] + change[k];
                corners.previous[k] = before[k].row();
                corners.impulse[k] = new.row();
                squared = squared + change[k] * change[k];
                along = along + change[k] * (new - before[k]);
            }
            corners.push(lanes, change, self.lines);
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
