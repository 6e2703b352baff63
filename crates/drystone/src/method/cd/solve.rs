//! The loop around the sweeps: until the certificate holds, or the sweeps are used up.

use std::collections::VecDeque;

use super::accelerate::{Accelerate, Accelerator, Relaxation};
use super::options::{Criterion, Limits};
use super::residual::Misfit;
use crate::lane::LANES;
use crate::method::ForceDeterminacy;

/// A system of contacts that sweeps can solve: the bodies of a world, or a stored matrix W.
pub trait System {
    /// Visits every contact once; each uses the latest velocities.
    fn sweep(&mut self, relaxation: Relaxation) -> Increment;
    /// How far impulses and velocities are from the contact laws.
    fn misfit(&self) -> Misfit;
    /// Decides which bonds break; during sweeps that is fixed.
    fn update_bonds(&mut self) {}
    /// Recomputes the velocities from the impulses, which removes accumulated rounding.
    fn recompute_velocities(&mut self);
    /// Forgets the last change of impulses and velocities: no momentum.
    fn drop_momentum(&mut self);
    /// All impulses as numbers of one unit, in an order that does not change during a solve.
    fn read(&self, into: &mut Vec<f64>);
    /// Takes impulses in the order of [`System::read`] and recomputes the velocities.
    fn write(&mut self, from: &[f64]);
    /// Largest change of an impulse in the last sweep over the impulse. [Radjai and Richefeu eq. 41]
    fn force_change(&self) -> f64;
}

/// How much a sweep changed the impulses: the input of the accelerator. [Brendel section 1.5]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Increment {
    /// Square of the change [N2 s2].
    pub squared: f64,
    /// Change times the whole difference from the previous impulses: negative when momentum points the wrong way [N2
    /// s2].
    pub along: f64,
}

impl std::iter::Sum for Increment {
    fn sum<I: Iterator<Item = Increment>>(parts: I) -> Increment {
        parts.fold(Increment::default(), |sum, part| Increment {
            squared: sum.squared + part.squared,
            along: sum.along + part.along,
        })
    }
}

/// When a solve ends.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What the certificate must show.
    pub limits: Limits,
    /// What is compared with the residual that is asked for.
    pub criterion: Criterion,
    /// Smallest number of sweeps.
    pub min_sweeps: u64,
    /// Sweeps that are made at most.
    pub max_sweeps: u64,
}

/// The result of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Sweeps made.
    pub sweeps: u64,
    /// eps_nat: distance from the contact laws, a ratio.
    pub residual: f64,
    /// eta: estimated error of the forces by the doubling test, a ratio.
    pub force_error: f64,
    /// Largest error of a velocity over its reference motion, a ratio; zero where bodies are not known.
    pub velocity_error: f64,
    /// Whether the laws leave the forces open by more than was asked for: see [`TIGHT`].
    pub undetermined: bool,
    /// Whether all are as small as asked for, as far as the laws determine them.
    pub converged: bool,
}

impl Verdict {
    /// Whether residual and velocities are as accurate as asked for, and the forces as well or not determined.
    pub fn meets(&self, limits: &Limits) -> bool {
        self.holds(limits) && (self.force_error <= limits.force_error || self.undetermined)
    }

    /// Whether the contact laws hold, and the motion is known, as accurately as asked for. What the forces are is
    /// another question: where these two do not settle it, nothing is wrong with the step.
    pub fn holds(&self, limits: &Limits) -> bool {
        self.residual <= limits.residual && self.velocity_error <= limits.velocity_error
    }

    /// How well the forces are known.
    pub fn forces(&self, limits: &Limits) -> ForceDeterminacy {
        match self.force_error <= limits.force_error {
            true => ForceDeterminacy::Known,
            false if self.undetermined => ForceDeterminacy::Undetermined,
            false => ForceDeterminacy::Uncertain,
        }
    }

    /// How far residual and velocity error are above their limits: the larger ratio, one or less if they hold.
    pub fn excess(&self, limits: &Limits) -> f64 {
        (self.residual / limits.residual).max(self.velocity_error / limits.velocity_error)
    }

    /// With the residual and the velocity error of a misfit.
    pub fn judged(self, misfit: Misfit) -> Verdict {
        Verdict { residual: misfit.ratio(), velocity_error: misfit.velocity_error(), ..self }
    }
}

/// Sweeps from the system's impulses until the rules are met. `watch` gets the number of sweeps and the residual at
/// every check.
pub fn solve(
    system: &mut impl System,
    accelerator: Accelerator,
    rules: &Rules,
    watch: impl FnMut(u64, f64),
) -> Verdict {
    Iteration::start(system, accelerator).run(system, rules, watch)
}

/// Part of the limits of residual and velocity error within which the laws hold tightly. If they do at every check of
/// the second half of a solve, and forces still move by more than their limit, then two sets of forces obey the laws
/// ten times more exactly than was asked for, with the same motion: the laws do not determine the forces, and more
/// sweeps would only find a third set.
pub(crate) const TIGHT: f64 = 0.1;

/// A running solve: it can go on to a higher accuracy without losing its momentum.
pub(crate) struct Iteration {
    accelerate: Box<dyn Accelerate>,
    estimate: ForceErrorEstimate,
    schedule: CheckSchedule,
    verdict: Verdict,
    /// The last sweep, if the accelerator has not processed it yet: it may move the impulses, and those that were
    /// checked last must stay.
    lesson: Option<Lesson>,
}

/// The input of an accelerator after a sweep.
struct Lesson {
    increment: Increment,
    /// The residual after it, if it was computed.
    residual: Option<f64>,
}

impl Iteration {
    /// Starts from the impulses of the system, without momentum.
    pub(crate) fn start(system: &mut impl System, accelerator: Accelerator) -> Iteration {
        system.recompute_velocities();
        system.drop_momentum();
        let estimate = ForceErrorEstimate::new(system);
        Iteration {
            accelerate: accelerator.start(&estimate.start),
            estimate,
            schedule: CheckSchedule::new(),
            verdict: Verdict::default(),
            lesson: None,
        }
    }

    /// Sweeps until the rules are met; the numbers of sweeps count from the start of the iteration.
    pub(crate) fn run(&mut self, system: &mut impl System, rules: &Rules, mut watch: impl FnMut(u64, f64)) -> Verdict {
        let Iteration { accelerate, estimate, schedule, verdict, lesson } = self;
        let limits = &rules.limits;
        if verdict.sweeps == 0 {
            verdict.measure(system, rules.criterion);
        }
        verdict.undetermined = false;
        verdict.converged = verdict.meets(limits);
        let mut tight_since = None;
        while verdict.sweeps < rules.max_sweeps && !(verdict.converged && verdict.sweeps >= rules.min_sweeps) {
            if let Some(Lesson { increment, residual }) = lesson.take() {
                accelerate.learn(system, increment, residual);
            }
            let increment = system.sweep(accelerate.relaxation());
            verdict.sweeps += 1;
            let is_last = verdict.sweeps == rules.max_sweeps;
            let check = schedule.is_due(verdict.sweeps, &increment, rules) || is_last;
            if check {
                system.update_bonds();
                verdict.measure(system, rules.criterion);
                let mut forces_move = false;
                tight_since = if verdict.excess(limits) <= TIGHT { tight_since.or(Some(verdict.sweeps)) } else { None };
                if verdict.holds(limits) || is_last {
                    // impulses that obey all laws up to rounding may be nothing but rounding, and then move for ever
                    let is_exact = verdict.residual == 0.0;
                    verdict.force_error = if is_exact { 0.0 } else { estimate.compare(system, verdict.sweeps) };
                    forces_move = verdict.force_error > limits.force_error;
                    let half = estimate.half(verdict.sweeps).map_or(0, |half| half.sweeps);
                    verdict.undetermined = forces_move && tight_since.is_some_and(|since| since <= half);
                    if !forces_move || verdict.undetermined || is_last {
                        system.recompute_velocities(); // removes rounding; then the result is checked again
                        verdict.measure(system, rules.criterion);
                    }
                }
                verdict.converged = verdict.meets(limits);
                schedule.note(verdict, &increment, forces_move);
                watch(verdict.sweeps, verdict.residual);
            }
            estimate.note(system, verdict.sweeps);
            *lesson = Some(Lesson { increment, residual: check.then_some(verdict.residual) });
        }
        *verdict
    }
}

impl Verdict {
    /// Computes what the limits are compared with. Before the first sweep no force has changed yet.
    fn measure(&mut self, system: &impl System, criterion: Criterion) {
        *self = self.judged(system.misfit());
        if criterion == Criterion::ForceChange {
            self.residual = if self.sweeps == 0 { f64::INFINITY } else { system.force_change() };
        }
    }
}

/// When to compute the residual, which costs about as much as a sweep: when the changes of the sweeps, which cost
/// nothing, suggest that the goal may be reached, and now and then.
struct CheckSchedule {
    sweeps: u64,
    residual: f64,
    velocity_error: f64,
    change: f64,
    forces_move: bool,
}

/// Sweeps between checks, at most.
const WATCH: u64 = 20;
/// Part of the sweeps after which the doubling test is repeated when it alone has failed: it compares the second half
/// of the sweeps with all of them, and changes little before.
const REPEAT: u64 = 8;

impl CheckSchedule {
    fn new() -> CheckSchedule {
        CheckSchedule {
            sweeps: 0,
            residual: f64::INFINITY,
            velocity_error: f64::INFINITY,
            change: 0.0,
            forces_move: false,
        }
    }

    fn is_due(&self, sweeps: u64, increment: &Increment, rules: &Rules) -> bool {
        let since = sweeps - self.sweeps;
        if self.forces_move {
            return since > sweeps / REPEAT;
        }
        // residual and velocity error go with the change of a sweep, whose square is known
        let part = (increment.squared / self.change).sqrt();
        let may_be_done = self.residual * part <= rules.limits.residual
            && self.velocity_error * part <= rules.limits.velocity_error
            && since > sweeps / WATCH;
        sweeps == 1 || sweeps == rules.min_sweeps || since >= WATCH || may_be_done
    }

    fn note(&mut self, verdict: &Verdict, increment: &Increment, forces_move: bool) {
        (self.sweeps, self.change) = (verdict.sweeps, increment.squared);
        (self.residual, self.velocity_error) = (verdict.residual, verdict.velocity_error);
        self.forces_move = forces_move;
    }
}

/// The doubling test: estimates how far the forces are still off from how far they moved in all sweeps and in the
/// second half of them.
///
/// The error was about d_0 = |r_k - r_0| at the start and d = |r_k - r_j| after nearly half of the sweeps. A solve that
/// converges at that rate ends with the error d^2 / d_0; one that creeps has d near d_0, which shows in the estimate.
/// Snapshots are taken at sweeps that grow by a quarter; the latest with j <= k/2 counts.
struct ForceErrorEstimate {
    start: Vec<f64>,
    snapshots: VecDeque<Snapshot>,
    now: Vec<f64>,
}

/// Impulses after a sweep.
#[derive(Default)]
struct Snapshot {
    sweeps: u64,
    impulses: Vec<f64>,
}

impl ForceErrorEstimate {
    fn new(system: &impl System) -> ForceErrorEstimate {
        let mut start = Vec::new();
        system.read(&mut start);
        ForceErrorEstimate {
            snapshots: VecDeque::from([Snapshot { sweeps: 0, impulses: start.clone() }]),
            start,
            now: Vec::new(),
        }
    }

    fn note(&mut self, system: &impl System, sweeps: u64) {
        let last = self.snapshots.back().map_or(0, |last| last.sweeps);
        if 4 * sweeps < 5 * last {
            return;
        }
        // the oldest one is of use as long as the next is younger than half of the sweeps to come
        let is_spent = self.snapshots.get(1).is_some_and(|next| 2 * next.sweeps <= sweeps);
        let mut impulses = if is_spent { self.snapshots.pop_front().unwrap_or_default().impulses } else { Vec::new() };
        system.read(&mut impulses);
        self.snapshots.push_back(Snapshot { sweeps, impulses });
    }

    /// The latest snapshot of the first half of so many sweeps.
    fn half(&self, sweeps: u64) -> Option<&Snapshot> {
        self.snapshots.iter().rev().find(|one| 2 * one.sweeps <= sweeps)
    }

    /// d^2 / (d_0 |r_k|).
    fn compare(&mut self, system: &impl System, sweeps: u64) -> f64 {
        system.read(&mut self.now);
        let Some(half) = self.half(sweeps) else { return 0.0 };
        let [late, all, size] = distances(&self.now, &half.impulses, &self.start);
        if late == 0.0 { 0.0 } else { late / (all * size).sqrt() }
    }
}

/// Squares of |now - half|, |now - start| and |now|, each in four independent sums.
fn distances(now: &[f64], half: &[f64], start: &[f64]) -> [f64; 3] {
    let mut sums = [[0.0; LANES]; 3];
    let mut add = |lane: usize, now: f64, half: f64, start: f64| {
        let parts = [now - half, now - start, now];
        sums.iter_mut().zip(parts).for_each(|(sum, part)| sum[lane] += part * part);
    };
    let [(now, now_rest), (half, half_rest), (start, start_rest)] = [now, half, start].map(<[f64]>::as_chunks::<LANES>);
    for ((now, half), start) in now.iter().zip(half).zip(start) {
        (0..LANES).for_each(|lane| add(lane, now[lane], half[lane], start[lane]));
    }
    for (lane, ((now, half), start)) in now_rest.iter().zip(half_rest).zip(start_rest).enumerate() {
        add(lane, *now, *half, *start);
    }
    sums.map(|sum| sum.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An impulse that moves on and on while its laws hold up to `residual`.
    struct Drift {
        impulse: f64,
        residual: f64,
    }

    impl System for Drift {
        fn sweep(&mut self, _: Relaxation) -> Increment {
            self.impulse += 0.1;
            Increment { squared: 0.01, along: 0.01 }
        }
        fn misfit(&self) -> Misfit {
            Misfit { wrong: self.residual.powi(2), all: 1.0, ..Misfit::default() }
        }
        fn recompute_velocities(&mut self) {}
        fn drop_momentum(&mut self) {}
        fn read(&self, into: &mut Vec<f64>) {
            into.clear();
            into.push(self.impulse);
        }
        fn write(&mut self, _: &[f64]) {}
        fn force_change(&self) -> f64 {
            0.0
        }
    }

    /// eta after k sweeps from 100 is (k s / 2)^2 / (k s (100 + k s)) with s = 0.1: about 2.5e-4 k.
    #[test]
    fn forces_that_move_while_the_laws_hold_tightly_are_not_determined() {
        let any = f64::INFINITY;
        let limits = Limits { residual: 1e-6, force_error: 1e-4, velocity_error: any, overlap_growth: any };
        let rules = Rules { limits, criterion: Criterion::Natural, min_sweeps: 10, max_sweeps: 1000 };
        let end = |residual| solve(&mut Drift { impulse: 100.0, residual }, Accelerator::None, &rules, |_, _| ());
        let tight = end(0.9e-7);
        assert!(tight.converged && tight.sweeps < 20, "{tight:?}");
        assert_eq!(tight.forces(&limits), ForceDeterminacy::Undetermined, "{tight:?}");
        let loose = end(2e-7);
        assert!(!loose.converged && loose.holds(&limits) && loose.sweeps == 1000, "{loose:?}");
        assert_eq!(loose.forces(&limits), ForceDeterminacy::Uncertain, "{loose:?}");
        let wrong = end(2e-6);
        assert!(!wrong.converged && !wrong.holds(&limits), "{wrong:?}");
    }
}
