//! From proximal point to proximal point.
//!
//! Where grains hold each other up in more than one way W has no inverse. A proximal point is the solution with
//! W + alpha w instead, where alpha w pulls towards the point before: u = W r + q + alpha w (r - r_before). At a point
//! that repeats itself the pull is gone, and the laws hold exactly. [Rockafellar 1976] The smaller alpha, the fewer
//! points are needed and the harder each is to find.

use super::laws::AlartCurnier;
use super::linear::{NewtonIterate, direction};
use crate::method::cd::options::Limits;
use crate::method::cd::problem::ContactProblem;

/// The first alpha: 1e-1, 1e-3 and 1e-5 took 182, 115 and 108 steps in a pyramid of disks, 28, 25 and 21 in another.
const FIRST: f64 = 1e-3;
/// Alpha stays between these: at the lower end rounding spoils 8 of 16 digits of a step.
const RANGE: [f64; 2] = [1e-8, 1.0];
/// Factor by which alpha changes: smaller after a point that was easy to find, larger after one that was not found.
const CHANGE: f64 = 10.0;
/// At most this many Newton steps make a point an easy one.
const EASY: u64 = 8;
/// Newton steps after which a point is given up.
const HARD: u64 = 40;
/// A point is accurate enough when the distance from its laws is this part of the pull, or of the residual asked for.
const EXACT: [f64; 2] = [0.01, 0.1];
/// Halvings of a step until F gets smaller; shorter steps lead nowhere.
const HALVINGS: i32 = 11;
/// A solve is given up when the residual has not fallen to this part within this number of steps.
const STALL: (f64, u64) = (0.7, 100);

/// The impulses that a solve starts from, and how good they are.
pub(super) struct Start<const N: usize> {
    /// Impulses r [N s].
    pub impulses: Vec<[f64; N]>,
    /// How far residual and velocity error are above their limits, a ratio.
    pub excess: f64,
    /// Estimated error of the forces, a ratio.
    pub force_error: f64,
}

/// The best impulses that a solve found.
pub(super) struct Found<const N: usize> {
    /// Impulses r [N s].
    pub impulses: Vec<[f64; N]>,
    /// Their distance from the previous point, a ratio.
    pub force_error: f64,
    /// Newton steps made.
    pub steps: u64,
}

/// A problem with the equations of its contacts.
pub(super) struct Proximal<'p, const N: usize> {
    problem: &'p ContactProblem<N>,
    laws: Vec<AlartCurnier<N>>,
}

impl<'p, const N: usize> Proximal<'p, N> {
    /// The equations of a problem.
    pub(super) fn new(problem: &'p ContactProblem<N>) -> Self {
        let law = |contact: usize| AlartCurnier::new(problem.diagonal(contact), problem.friction()[contact]);
        Proximal { problem, laws: (0..problem.contacts()).map(law).collect() }
    }

    /// Goes from point to point until the limits are met. `judge` returns the excess of impulses over the limits after
    /// a number of steps: one or less if they meet them.
    pub(super) fn solve(
        &self,
        start: Start<N>,
        limits: &Limits,
        max_steps: u64,
        mut judge: impl FnMut(u64, &[[f64; N]]) -> f64,
    ) -> Found<N> {
        let (mut best, mut now) = (start.excess, start.impulses.clone());
        let mut found = Found { impulses: start.impulses, force_error: start.force_error, steps: 0 };
        let (mut alpha, mut progress) = (FIRST, (best, 0));
        while found.steps < max_steps && found.steps < progress.1 + STALL.1 {
            let hard = HARD.min(max_steps - found.steps);
            let next = Pulled { whole: self, alpha, anchor: &now }.approach(limits.residual, hard);
            found.steps += next.steps;
            let excess = judge(found.steps, &next.r);
            let moved = self.change(&next.r, &now);
            if excess < best || excess <= 1.0 {
                best = excess;
                (found.impulses, found.force_error) = (next.r.clone(), moved);
            }
            if best <= STALL.0 * progress.0 {
                progress = (best, found.steps);
            }
            if next.is_reached && excess <= 1.0 && moved <= limits.force_error {
                break;
            }
            if !next.is_reached {
                alpha = (alpha * CHANGE).min(RANGE[1]);
            } else if next.steps <= EASY {
                alpha = (alpha / CHANGE).max(RANGE[0]);
            }
            // a point that was not found may lie anywhere
            let is_lost = !next.is_reached && (excess.is_nan() || excess > CHANGE * best);
            now = if is_lost { found.impulses.clone() } else { next.r };
        }
        found
    }

    /// (sum of w |r|^2)^1/2.
    fn size(&self, r: &[[f64; N]]) -> f64 {
        let square = |(laws, r): (&AlartCurnier<N>, &[f64; N])| laws.weight() * r.iter().map(|r| r * r).sum::<f64>();
        self.laws.iter().zip(r).map(square).sum::<f64>().sqrt()
    }

    /// Distance of the impulses from the previous ones, a ratio.
    fn change(&self, now: &[[f64; N]], before: &[[f64; N]]) -> f64 {
        let distance = self.distance(now, before);
        if distance == 0.0 { 0.0 } else { distance / self.size(now) }
    }

    fn distance(&self, a: &[[f64; N]], b: &[[f64; N]]) -> f64 {
        let between: Vec<[f64; N]> = a.iter().zip(b).map(|(a, b)| std::array::from_fn(|k| a[k] - b[k])).collect();
        self.size(&between)
    }
}

/// Where Newton steps to a proximal point ended.
struct End<const N: usize> {
    r: Vec<[f64; N]>,
    steps: u64,
    is_reached: bool,
}

/// The problem with a pull towards a point.
struct Pulled<'s, const N: usize> {
    whole: &'s Proximal<'s, N>,
    alpha: f64,
    anchor: &'s [[f64; N]],
}

impl<const N: usize> Pulled<'_, N> {
    /// Newton steps from the anchor to its proximal point, one at least.
    fn approach(&self, residual: f64, max_steps: u64) -> End<N> {
        let soft: Vec<f64> = self.whole.laws.iter().map(|laws| self.alpha * laws.weight()).collect();
        let mut point = self.point(self.anchor.to_vec(), &soft);
        for steps in 0..max_steps {
            let wrong = self.whole.size(&point.f);
            let pull = self.alpha * self.whole.distance(&point.r, self.anchor);
            let is_reached = wrong <= EXACT[0] * pull || wrong <= EXACT[1] * residual * self.whole.size(&point.r);
            if steps > 0 && is_reached {
                return End { r: point.r, steps, is_reached };
            }
            let way = direction(self.whole.problem, &self.whole.laws, &soft, &point);
            match way.and_then(|way| self.descend(&point, &way, &soft, wrong)) {
                Some(next) => point = next,
                None => return End { r: point.r, steps: steps + 1, is_reached: false },
            }
        }
        End { r: point.r, steps: max_steps, is_reached: false }
    }

    /// Impulses with their velocities under the pull, and F.
    fn point(&self, r: Vec<[f64; N]>, soft: &[f64]) -> NewtonIterate<N> {
        let velocity = |contact: usize| {
            let mut u = self.whole.problem.velocity(contact, &r);
            (0..N).for_each(|k| u[k] += soft[contact] * (r[contact][k] - self.anchor[contact][k]));
            u
        };
        let u: Vec<[f64; N]> = (0..r.len()).map(velocity).collect();
        let f = self.whole.laws.iter().zip(r.iter().zip(&u)).map(|(laws, (r, u))| laws.value(r, u)).collect();
        NewtonIterate { r, u, f }
    }

    /// The longest of the steps 1, 1/2, 1/4 ... along the direction that reduces F; `None` if none does.
    fn descend(&self, from: &NewtonIterate<N>, way: &[[f64; N]], soft: &[f64], wrong: f64) -> Option<NewtonIterate<N>> {
        (0..=HALVINGS).map(|halvings| 0.5_f64.powi(halvings)).find_map(|part| {
            let ahead = |(r, way): (&[f64; N], &[f64; N])| std::array::from_fn(|k| r[k] + part * way[k]);
            let next = self.point(from.r.iter().zip(way).map(ahead).collect(), soft);
            // the usual share of the descent that a step promises [Armijo]
            (self.whole.size(&next.f) <= (1.0 - 1e-4 * part) * wrong).then_some(next)
        })
    }
}
