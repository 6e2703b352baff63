//! Friction of the contacts that may stick, by descent.
//!
//! With given normal forces, friction follows Gauss's principle of least constraint [Gauss29]: of all admissible
//! multipliers l it minimises q(l) = l . W l / 2 - l . c, with W = G M^-1 G^T and c the acceleration of the slips
//! without friction. q is convex, so a descent ends in the solution and cannot cycle. A round is a Newton step for the
//! free multipliers, projected onto the limits of friction [Bertsekas82]. It is taken if it decreases q; otherwise a
//! shorter one is taken, or one along the gradient. Where many contacts change at once, cheap gradient steps come
//! first.
//!
//! If there are more contacts than degrees of freedom, multipliers are not unique, but accelerations are.

use super::active_set::{ActiveSetResult, Candidate, SLACK};
use super::field::{AppliedForces, DaeField};
use super::mobility::{Mobility, part_ease};
use super::multipliers::{push, row_rate};
use crate::body::Twist;
use crate::dim::{Dim, Vector};
use crate::link::ConstraintRow;
use crate::world::World;

/// Rounds after which the search is given up and reported.
const MOST: u64 = 100;
/// Rounds of Newton's method alone. After them every round begins with gradient steps, each of which costs a hundredth
/// of a factorisation.
const EASY: u64 = 3;
const GRADIENT_STEPS: usize = 100;
/// Relative rounding of a sum over all contacts.
const ROUNDING: f64 = 16.0 * f64::EPSILON;
/// How often a step is halved before the gradient is followed instead.
const HALVINGS: usize = 4;
/// A remaining acceleration is reported above this share of the largest one. In space, accelerations are no more
/// accurate than the directions of full friction.
const LEAST: f64 = ANGLE;
/// Angle between full friction and the opposite of the slip that counts as zero, in space [rad]. Sums do not resolve
/// directions that differ by less than the root of their rounding, 2e-8.
const ANGLE: f64 = 1e-7;

/// The problem: rows of rods, which have no limit, and then those of the candidates.
struct FrictionProblem<'w, D: Dim> {
    rows: Vec<ConstraintRow<D>>,
    mobility: &'w [Mobility<D>],
    /// Accelerations without any multiplier.
    free: Vec<Twist<D>>,
    /// First row of the candidates, and rows of each.
    rods: usize,
    width: usize,
    limits: Vec<f64>,
    /// Lower bound of the curvature of q along every row, whatever the other multipliers are [1/kg].
    curvature: Vec<f64>,
    /// Largest acceleration of a slip, without friction or by full friction alone [m/s2].
    scale: f64,
    /// Part of c that does not come from the free accelerations: g_qq(v, v) and Baumgarte's terms.
    bent: Vec<f64>,
}

impl<D: Dim> FrictionProblem<'_, D> {
    fn range(&self, candidate: usize) -> std::ops::Range<usize> {
        let start = self.rods + candidate * self.width;
        start..start + self.width
    }

    /// Minus the gradient of q: accelerations of all slips under these multipliers.
    fn fall(&self, multipliers: &[f64]) -> Vec<f64> {
        let pushed = push(&self.rows, self.mobility, multipliers);
        let accel: Vec<Twist<D>> = (self.free.iter().zip(&pushed))
            .map(|(free, pushed)| Twist { v: free.v - pushed.v, w: free.w - pushed.w })
            .collect();
        let rate = |(row, bent): (&ConstraintRow<D>, &f64)| row_rate(row, &accel, self.mobility) + bent;
        self.rows.iter().zip(&self.bent).map(rate).collect()
    }

    /// Whether q decreases along a step d, -c . d + d . W d / 2 < 0, or changes by rounding only.
    fn is_down(&self, fall: &[f64], way: &[f64]) -> bool {
        let pushed = push(&self.rows, self.mobility, way);
        let (mut change, mut size) = (0.0, 0.0);
        for (k, row) in self.rows.iter().enumerate() {
            let bent = 0.5 * row_rate(row, &pushed, self.mobility);
            change += way[k] * (bent - fall[k]);
            size += (way[k] * bent).abs() + (way[k] * fall[k]).abs();
        }
        size > 0.0 && change <= ROUNDING * size
    }

    /// Cuts the multipliers of every candidate to its limit, and marks those that were cut.
    fn cut(&self, multipliers: &mut [f64], is_full: &mut [bool]) {
        for (k, is_full) in is_full.iter_mut().enumerate() {
            let own = &mut multipliers[self.range(k)];
            let (size, limit) = (norm(own), self.limits[k]);
            // a multiplier that was cut equals its limit up to rounding
            *is_full = size >= limit * (1.0 - 4.0 * f64::EPSILON);
            if size > limit {
                own.iter_mut().for_each(|l| *l *= limit / size);
            }
        }
    }
}

/// State of the descent.
struct Iterate {
    multipliers: Vec<f64>,
    /// Candidates whose multipliers are at their limit.
    is_full: Vec<bool>,
    fall: Vec<f64>,
    /// Whether it comes from a full Newton step of which nothing was cut.
    is_newton: bool,
}

/// How far an iterate is from the solution.
struct Optimality {
    /// Rows that Newton's method may move.
    is_free: Vec<bool>,
    /// Largest wrong acceleration, of sticking slips and of others across their friction, over that without friction.
    off: f64,
}

impl Iterate {
    /// Distance from optimality. After a full Newton step, free slips are at rest up to rounding.
    fn optimality<D: Dim>(&self, problem: &FrictionProblem<'_, D>) -> Optimality {
        let mut is_free = vec![true; problem.rows.len()];
        let at_rest = |range: std::ops::Range<usize>| match self.is_newton {
            true => 0.0,
            false => norm(&self.fall[range]) / problem.scale,
        };
        let mut off = at_rest(0..problem.rods);
        for (k, limit) in problem.limits.iter().enumerate() {
            let (own, fall) = (&self.multipliers[problem.range(k)], &self.fall[problem.range(k)]);
            let (size, speed) = (limit * problem.scale, norm(fall));
            let stays = self.is_full[k] && dot(own, fall) >= -SLACK * size;
            is_free[problem.range(k)].fill(!stays);
            off = off.max(match (stays, self.is_full[k]) {
                (false, true) => -dot(own, fall) / size,
                (false, false) => at_rest(problem.range(k)),
                (true, _) if problem.width == 1 || *limit == 0.0 || speed <= SLACK * problem.scale => 0.0,
                (true, _) => {
                    let angle = across(own, *limit, fall, speed);
                    if angle > ANGLE { angle * speed / problem.scale } else { 0.0 }
                }
            });
        }
        Optimality { is_free, off }
    }

    /// Target of a Newton step for the free rows; full friction opposes the slip.
    fn target<D: Dim>(&self, problem: &FrictionProblem<'_, D>, is_free: &[bool], step: &[f64]) -> Vec<f64> {
        let mut target: Vec<f64> = self.multipliers.iter().zip(step).map(|(l, step)| l + step).collect();
        for (k, limit) in problem.limits.iter().enumerate().filter(|_| problem.width > 1) {
            let range = problem.range(k);
            let speed = norm(&self.fall[range.clone()]);
            if !is_free[range.start] && speed > 0.0 {
                range.for_each(|row| target[row] = self.fall[row] * (limit / speed));
            }
        }
        target
    }

    /// Accelerated gradient steps with restarts [ODonoghueCandes15]: cheap steps that find which contacts are at their
    /// limit. Returns whether q decreased; otherwise the iterate is unchanged.
    fn accelerated_gradient<D: Dim>(&mut self, problem: &FrictionProblem<'_, D>) -> bool {
        let (mut at, mut ahead, mut weight) = (self.multipliers.clone(), self.multipliers.clone(), 1.0_f64);
        let mut is_full = self.is_full.clone();
        for _ in 0..GRADIENT_STEPS {
            let fall = problem.fall(&ahead);
            let mut next: Vec<f64> = (0..at.len()).map(|row| ahead[row] + fall[row] / problem.curvature[row]).collect();
            problem.cut(&mut next, &mut is_full);
            let way: Vec<f64> = next.iter().zip(&at).map(|(next, at)| next - at).collect();
            let later = 0.5 * (1.0 + (1.0 + 4.0 * weight * weight).sqrt());
            let is_uphill = dot(&fall, &way) < 0.0;
            let momentum = if is_uphill { 0.0 } else { (weight - 1.0) / later };
            weight = if is_uphill { 1.0 } else { later };
            ahead = next.iter().zip(&way).map(|(next, way)| next + momentum * way).collect();
            at = next;
        }
        let way: Vec<f64> = at.iter().zip(&self.multipliers).map(|(new, old)| new - old).collect();
        let is_lower = problem.is_down(&self.fall, &way);
        if is_lower {
            let fall = problem.fall(&at);
            *self = Iterate { multipliers: at, is_full, fall, is_newton: false };
        }
        is_lower
    }

    /// Takes a step that decreases q: part of the way to the target, or along the gradient. Returns whether there was
    /// one.
    fn descend<D: Dim>(&mut self, problem: &FrictionProblem<'_, D>, target: &[f64]) -> bool {
        let ways = (0..=HALVINGS).map(|k| (0.5_f64.powi(k as i32), false)).chain([(1.0, true)]);
        for (part, is_gradient) in ways {
            let there = |row: usize| match is_gradient {
                true => self.multipliers[row] + self.fall[row] / problem.curvature[row],
                false => self.multipliers[row] + part * (target[row] - self.multipliers[row]),
            };
            let mut multipliers: Vec<f64> = (0..target.len()).map(there).collect();
            let mut is_full = vec![false; problem.limits.len()];
            problem.cut(&mut multipliers, &mut is_full);
            let was_free = |k: usize| target[problem.range(k)] != self.multipliers[problem.range(k)];
            let is_whole = part == 1.0 && (0..is_full.len()).all(|k| !is_full[k] || self.is_full[k] && !was_free(k));
            let way: Vec<f64> = multipliers.iter().zip(&self.multipliers).map(|(new, old)| new - old).collect();
            if problem.is_down(&self.fall, &way) {
                let fall = problem.fall(&multipliers);
                *self = Iterate { multipliers, is_full, fall, is_newton: is_whole && !is_gradient };
                return true;
            }
        }
        false
    }
}

impl<D: Dim> DaeField<D> {
    /// Finds the friction of all candidates and the accelerations of their slips, and reports if it did not converge.
    pub(super) fn descend(
        &mut self,
        world: &World<D>,
        applied: &AppliedForces<D>,
        candidates: &mut [Candidate<D>],
        result: &mut ActiveSetResult,
    ) {
        let mobility = Mobility::all(world);
        let mut problem = self.friction_problem(world, applied, candidates, &mobility);
        let multipliers = vec![0.0; problem.rows.len()];
        let start = problem.fall(&multipliers);
        problem.scale = start.iter().fold(problem.scale, |most, fall| most.max(fall.abs()));
        let is_full = problem.limits.iter().map(|limit| *limit == 0.0).collect();
        let mut iterate = Iterate { fall: start, multipliers, is_full, is_newton: false };
        loop {
            let Optimality { is_free, off } = iterate.optimality(&problem);
            if problem.scale == 0.0 || off <= SLACK {
                break;
            }
            result.rounds += 1;
            let is_free = if result.rounds > EASY && iterate.accelerated_gradient(&problem) {
                iterate.optimality(&problem).is_free
            } else {
                is_free
            };
            self.multipliers.factorise_some(&problem.rows, &mobility, &is_free);
            let step = self.multipliers.solve_some(&problem.rows, &mobility, &iterate.fall, &is_free);
            let target = iterate.target(&problem, &is_free, &step);
            // if no step decreases q, the rest is rounding, or there are numbers that are not finite
            if result.rounds > MOST || !iterate.descend(&problem, &target) {
                let off = iterate.optimality(&problem).off; // the iterate may have moved since
                result.undecided = (off > LEAST || !off.is_finite()).then_some(off);
                break;
            }
        }
        for (k, candidate) in candidates.iter_mut().enumerate() {
            candidate.is_full = iterate.is_full[k];
            let fall = candidate.tangents.iter().zip(&iterate.fall[problem.range(k)]);
            candidate.slip = fall.fold(D::Vec::ZERO, |sum, (tangent, fall)| sum + *tangent * *fall);
        }
    }

    fn friction_problem<'w>(
        &self,
        world: &World<D>,
        applied: &AppliedForces<D>,
        candidates: &[Candidate<D>],
        mobility: &'w [Mobility<D>],
    ) -> FrictionProblem<'w, D> {
        let rows: Vec<ConstraintRow<D>> =
            applied.rods.iter().chain(candidates.iter().flat_map(|candidate| &candidate.rows)).copied().collect();
        let answer = |(m, load): (&Mobility<D>, &super::field::BodyLoad<D>)| m.answer(load.force, load.torque);
        let mut rows_of = vec![0.0; mobility.len()];
        rows.iter().flat_map(ConstraintRow::parts).for_each(|part| rows_of[part.body] += 1.0);
        // l . W l is a sum of squared sums over bodies, each at most the number of its terms times the sum of their
        // squares
        let curvature = |row: &ConstraintRow<D>| {
            row.parts().map(|part| rows_of[part.body] * part_ease(part, mobility)).sum::<f64>()
        };
        let mut curvature: Vec<f64> = rows.iter().map(curvature).collect();
        let (rods, width) = (applied.rods.len(), D::DIMENSION - 1);
        // the limits stay circles if both rows of a contact are scaled alike
        for pair in curvature[rods..].chunks_exact_mut(width) {
            let most = pair.iter().copied().fold(0.0, f64::max);
            pair.fill(most);
        }
        FrictionProblem {
            free: mobility.iter().zip(&applied.load).map(answer).collect(),
            bent: rows.iter().map(|row| row.bend + self.stabilisation(row, &world.bodies.twist)).collect(),
            limits: candidates.iter().map(|candidate| candidate.limit).collect(),
            scale: candidates.iter().map(|candidate| candidate.reach).fold(0.0, f64::max),
            rows,
            mobility,
            rods,
            width,
            curvature,
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Distance between the unit vectors along `a` and `b`, whose lengths are `long` and `wide`.
fn across(a: &[f64], long: f64, b: &[f64], wide: f64) -> f64 {
    a.iter().zip(b).map(|(a, b)| a / long - b / wide).map(|miss| miss * miss).sum::<f64>().sqrt()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
