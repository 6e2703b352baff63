//! Capped Nesterov momentum on the Gauss-Seidel sweep, restarted when the increment rises.
//!
//! The numbers below are ratios, chosen on beds of 1,000 to 100,000 spheres; the book's page on the solver says how.
//!
//! A solve can stall in two ways, and what helps one harms the other. It **creeps**, as packings that are sheared slowly
//! do: impulses move on and on in one direction, and only momentum gets on. Or it **goes round in a cycle**, as in flows
//! with many sliding contacts: a cycle among a few contacts dies out when each moves only part of the way, and the middle
//! of a slow cycle through many of them is found by means over many plain sweeps. The direction of the impulses' change
//! tells creeping from cycles ([`Course`]). Where this sign errs, momentum, shortened sweeps and means take turns.

use super::course::Course;
use super::mean::Mean;
use super::{Accelerate, Relaxation};
use crate::method::cd::solve::{Increment, System};

/// The initial cap, with a warm start and from zero impulses: from zero a packing has yet to find all of its forces,
/// which takes many sweeps.
const CAP_WARM: f64 = 0.90;
const CAP_COLD: f64 = 0.93;
const CAP_MIN: f64 = 0.50;
const CAP_MAX: f64 = 0.97;
/// A sweep that changes more than this times the least change so far (squared) restarts the momentum: contacts close.
const RISE: f64 = 2.0;
/// The same from no impulses, after `LONG` sweeps without a restart, or below the residual `CALM`: the change of a
/// packing that finds its forces swings by itself as momentum comes and goes, and a restart costs the forty sweeps that
/// it takes to come back.
const SWING: f64 = 5.0;
const LONG: u64 = 80;
const CALM: f64 = 1e-4;
/// Momentum has done its work when less than this part of a sweep's own change points along the whole change. The part
/// is 1 for a plain sweep, and more than 1 for one that momentum carries along.
const ALONG: f64 = 0.3;
/// How the distance of the cap from one shrinks when progress is slow, grows after a rise, and after a stall.
const UP: f64 = 0.85;
const DOWN: f64 = 1.30;
const STALL_DOWN: f64 = 2.0;
/// Progress between two checks is slow if the residual is above this part of the previous one.
const SLOW: f64 = 0.25;
/// Sweeps without a rise after which the cap may go up.
const CLEAN: u64 = 20;
/// A solve has stalled when its residual did not fall to `GAIN` of its best within `STALL` sweeps.
const STALL: u64 = 400;
const GAIN: f64 = 0.7;
/// Stalls of a turn after which momentum is given up, if the solve goes round in a cycle at the last of them.
const PATIENCE: u32 = 2;
/// The same if it creeps at the last of them; the next turn has twice as many. A heap of 28 disks crept for 1,900 sweeps
/// at a residual of 1.06e-6 and did not get below it.
const CREEPING: u32 = 3;
/// Ratio of the way towards its local solution that a contact moves after a stall without momentum to the way before it.
/// Once the way is below `SHORTEST` of the whole one, means follow.
const SHORTER: f64 = 0.7;
const SHORTEST: f64 = 0.4;
/// Sweeps of the first means; those of the next turn are twice as long, up to `SPAN_MAX`. Cycles of capsules took some
/// hundred sweeps: means of 100 to 400 went down to 1e-5 in 1,200 to 2,000 sweeps, those of 50 in more than 4,000, those
/// of 20 never. A step with disks beside a wall took 7,900 sweeps with means of 100, 6,300 with 200, 5,500 with 400.
const SPAN: u64 = 200;
const SPAN_MAX: u64 = 6400;
/// Means within which the residual must fall to `GAIN` of its best.
const MEANS: u64 = 4;

/// The state of the accelerator during one solve.
#[derive(Clone, Debug)]
pub(super) struct Momentum {
    is_cold: bool,
    relaxation: Relaxation,
    t: f64,
    cap: f64,
    least: f64,
    clean: u64,
    sweeps: u64,
    /// Stalls in this turn of momentum.
    stalls: u32,
    last: f64,
    best: Best,
    course: Course,
    turn: Turn,
    /// Sweeps of the next means.
    span: u64,
    /// Stalls after which a solve that creeps gives up this turn of momentum.
    creeping: u32,
}

/// Whose turn it is.
#[derive(Clone, Debug)]
enum Turn {
    Momentum,
    Shortened,
    Means(Mean),
}

/// The best residual so far.
#[derive(Clone, Copy, Debug)]
struct Best {
    residual: f64,
    /// Number of sweeps at which it was reached, or from which a stall is counted.
    sweeps: u64,
}

impl Best {
    /// None yet, counted from this sweep.
    fn none(sweeps: u64) -> Best {
        Best { residual: f64::INFINITY, sweeps }
    }
}

impl Accelerate for Momentum {
    fn relaxation(&self) -> Relaxation {
        self.relaxation
    }

    fn learn(&mut self, system: &mut dyn System, increment: Increment, residual: Option<f64>) {
        self.sweeps += 1;
        self.clean += 1;
        self.course.follow(system, self.sweeps);
        if let Some(residual) = residual
            && self.has_stalled(residual)
        {
            return self.take_turns();
        }
        match &mut self.turn {
            Turn::Momentum => self.gain(increment),
            Turn::Shortened => {}
            Turn::Means(mean) => mean.add(system),
        }
    }
}

impl Momentum {
    /// More momentum after a sweep, or none where it does harm.
    fn gain(&mut self, increment: Increment) {
        let rise = if self.is_cold || self.last < CALM || self.clean > LONG { SWING } else { RISE };
        if increment.squared > rise * self.least {
            self.restart(DOWN);
        } else if increment.along < ALONG * increment.squared {
            (self.t, self.relaxation.momentum, self.least) = (1.0, 0.0, f64::INFINITY);
        } else {
            let next = 0.5 * (1.0 + (1.0 + 4.0 * self.t * self.t).sqrt());
            self.relaxation.momentum = self.cap.min((self.t - 1.0) / next);
            self.t = next;
            self.least = self.least.min(increment.squared);
        }
    }

    /// At the start of a solve, from these impulses: no momentum yet.
    pub(super) fn new(impulses: &[f64]) -> Momentum {
        let is_cold = impulses.iter().all(|impulse| *impulse == 0.0);
        Momentum {
            is_cold,
            relaxation: Relaxation::default(),
            t: 1.0,
            cap: if is_cold { CAP_COLD } else { CAP_WARM },
            least: f64::INFINITY,
            clean: 0,
            sweeps: 0,
            stalls: 0,
            last: f64::INFINITY,
            best: Best::none(0),
            course: Course::default(),
            turn: Turn::Momentum,
            span: SPAN,
            creeping: CREEPING,
        }
    }

    /// Keeps the best residual, and raises the cap where progress is slow but steady.
    fn has_stalled(&mut self, residual: f64) -> bool {
        if self.clean >= CLEAN && residual > SLOW * self.last {
            self.cap = CAP_MAX.min(1.0 - (1.0 - self.cap) * UP);
        }
        self.last = residual;
        if residual < GAIN * self.best.residual {
            self.best = Best { residual, sweeps: self.sweeps };
        }
        let patience = if let Turn::Means(mean) = &self.turn { MEANS * mean.span } else { 0 };
        self.sweeps - self.best.sweeps >= STALL.max(patience)
    }

    /// After a stall: momentum goes on where the solve creeps, and is lowered and then given up where it goes round in a
    /// cycle. It comes back when shortened sweeps and means have stalled, too.
    fn take_turns(&mut self) {
        self.best.sweeps = self.sweeps;
        match self.turn {
            Turn::Momentum => {
                let creeps = self.course.creeps();
                self.stalls += 1;
                if !creeps {
                    self.restart(STALL_DOWN);
                }
                if self.stalls >= if creeps { self.creeping } else { PATIENCE } {
                    self.restart(STALL_DOWN);
                    self.turn = Turn::Shortened;
                }
            }
            Turn::Shortened if self.relaxation.factor > SHORTEST => self.relaxation.factor *= SHORTER,
            Turn::Shortened => {
                self.relaxation.factor = 1.0;
                self.turn = Turn::Means(Mean::of(self.span));
                self.span = SPAN_MAX.min(2 * self.span);
            }
            Turn::Means(_) => self.begin_anew(),
        }
    }

    /// Momentum after means, as at a start.
    fn begin_anew(&mut self) {
        self.restart(1.0);
        self.turn = Turn::Momentum;
        self.creeping = self.creeping.saturating_mul(2);
        (self.cap, self.stalls, self.best) = (CAP_WARM, 0, Best::none(self.sweeps));
    }

    /// Drops the momentum and lowers the cap.
    fn restart(&mut self, widen: f64) {
        self.cap = CAP_MIN.max(1.0 - (1.0 - self.cap) * widen);
        (self.t, self.relaxation.momentum, self.least, self.clean) = (1.0, 0.0, f64::INFINITY, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::cd::accelerate::Accelerator;
    use crate::method::cd::options::{Criterion, Limits};
    use crate::method::cd::residual::Misfit;
    use crate::method::cd::solve::{Rules, Verdict, solve};
    use glam::DVec2;

    /// Two numbers that a sweep turns about a point, and moves away from it where they are near: they end in a cycle. A
    /// sweep goes across the way to the middle, so shortened ones end in a cycle, too.
    struct Spiral {
        at: DVec2,
        before: DVec2,
    }

    const MIDDLE: DVec2 = DVec2::new(6.0, 8.0);

    impl Spiral {
        fn step(at: DVec2) -> DVec2 {
            let off = at - MIDDLE;
            MIDDLE + DVec2::from_angle(0.05).rotate(off) * (1.002 / (1.0 + 0.05 * off.length_squared())) - at
        }
    }

    impl System for Spiral {
        fn sweep(&mut self, relaxation: Relaxation) -> Increment {
            let from = self.at + (self.at - self.before) * relaxation.momentum;
            let change = Spiral::step(from) * relaxation.factor;
            (self.before, self.at) = (self.at, from + change);
            Increment { squared: change.length_squared(), along: change.dot(self.at - self.before) }
        }
        fn misfit(&self) -> Misfit {
            Misfit {
                wrong: Spiral::step(self.at).length_squared(),
                all: self.at.length_squared(),
                ..Default::default()
            }
        }
        fn recompute_velocities(&mut self) {}
        fn drop_momentum(&mut self) {
            self.before = self.at;
        }
        fn read(&self, into: &mut Vec<f64>) {
            into.clear();
            into.extend(self.at.to_array());
        }
        fn write(&mut self, from: &[f64]) {
            self.at = DVec2::from_slice(from);
            self.drop_momentum();
        }
        fn force_change(&self) -> f64 {
            0.0
        }
    }

    #[test]
    fn a_cycle_that_shorter_sweeps_do_not_calm_has_a_middle() {
        let any = f64::INFINITY;
        let limits = Limits { residual: 1e-8, force_error: any, velocity_error: any, overlap_growth: any };
        let rules = Rules { limits, criterion: Criterion::Natural, min_sweeps: 0, max_sweeps: 10_000 };
        let end = |accelerator: Accelerator| -> (Verdict, DVec2) {
            let mut spiral = Spiral { at: MIDDLE + DVec2::X, before: MIDDLE + DVec2::X };
            (solve(&mut spiral, accelerator, &rules, |_, _| ()), spiral.at)
        };
        let (plain, far) = end(Accelerator::None);
        // 1.002 = 1 + 0.05 r^2 at r = 0.2
        assert!(!plain.converged && (far.distance(MIDDLE) - 0.2).abs() < 1e-6, "it goes round {MIDDLE}: {far}");
        let (found, near) = end(Accelerator::Momentum);
        assert!(found.converged, "{found:?}");
        // the residual is 0.05 times the distance from the middle, over 10
        assert!(near.distance(MIDDLE) < 2.1e-6, "{near}");
    }
}
