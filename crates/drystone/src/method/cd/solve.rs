//! The loop around the sweeps: until the certificate holds, or the sweeps are used up.

use std::collections::VecDeque;

use super::accelerate::{Accelerate, Push};
use super::options::{Accelerator, Criterion, Limits};
use super::residual::Misfit;
use super::sweep::Increment;
use crate::lane::LANES;

/// A system of contacts that sweeps can solve: the bodies of a world, or a stored matrix W.
pub trait System {
    /// Visits every contact once, each seeing the latest velocities.
    fn sweep(&mut self, push: Push) -> Increment;
    /// How far impulses and velocities are from the contact laws.
    fn misfit(&self) -> Misfit;
    /// Decides what sweeps take for granted: which bonds break.
    fn settle(&mut self) {}
    /// Makes the velocities anew from the impulses: rounding has crept in.
    fn restore(&mut self);
    /// Forgets the last change of impulses and velocities: no momentum.
    fn halt(&mut self);
    /// All impulses as numbers of one unit, in an order that does not change during a solve.
    fn read(&self, into: &mut Vec<f64>);
    /// Takes impulses in the order of [`System::read`] and makes the velocities from them.
    fn write(&mut self, from: &[f64]);
    /// Largest change of an impulse in the last sweep over the impulse. [Radjai and Richefeu eq. 41]
    fn force_change(&self) -> f64;
}

/// When a solve ends.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What the certificate must show.
    pub limits: Limits,
    /// What is compared with the residual that is asked for.
    pub criterion: Criterion,
    /// Sweeps that are made at least.
    pub min_sweeps: u64,
    /// Sweeps that are made at most.
    pub max_sweeps: u64,
}

/// What a solve came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Sweeps made.
    pub sweeps: u64,
    /// eps_nat: distance from the contact laws, a ratio.
    pub residual: f64,
    /// eta: estimated error of the forces by the doubling test, a ratio.
    pub force_error: f64,
    /// Whether both are as small as asked for.
    pub converged: bool,
}

/// Sweeps from the system's impulses until the rules are met. `watch` is told sweeps and residual at every look.
pub fn solve(
    system: &mut impl System,
    accelerator: Accelerator,
    rules: &Rules,
    watch: impl FnMut(u64, f64),
) -> Verdict {
    Course::start(system, accelerator).run(system, rules, watch)
}

/// A solve under way: it can be asked for more without losing its momentum.
pub struct Course {
    accelerate: Box<dyn Accelerate>,
    doubling: Doubling,
    lookout: Lookout,
    verdict: Verdict,
    /// What the accelerator has not learnt yet: it may move the impulses, and those that were judged last must stay.
    lesson: Option<(Increment, Option<f64>)>,
}

impl Course {
    /// Starts from the impulses of the system, without momentum.
    pub fn start(system: &mut impl System, accelerator: Accelerator) -> Course {
        system.restore();
        system.halt();
        let doubling = Doubling::new(system);
        Course {
            accelerate: accelerator.start(&doubling.start),
            doubling,
            lookout: Lookout::new(),
            verdict: Verdict::default(),
            lesson: None,
        }
    }

    /// Sweeps until the rules are met; the numbers of sweeps count from the start of the course.
    pub fn run(&mut self, system: &mut impl System, rules: &Rules, mut watch: impl FnMut(u64, f64)) -> Verdict {
        let Course { accelerate, doubling, lookout, verdict, lesson } = self;
        let limits = &rules.limits;
        if verdict.sweeps == 0 {
            verdict.residual = measure(system, rules.criterion, 0);
        }
        verdict.converged = verdict.residual <= limits.residual && verdict.force_error <= limits.force_error;
        while verdict.sweeps < rules.max_sweeps && !(verdict.converged && verdict.sweeps >= rules.min_sweeps) {
            if let Some((increment, residual)) = lesson.take() {
                accelerate.learn(system, increment, residual);
            }
            let increment = system.sweep(accelerate.push());
            verdict.sweeps += 1;
            let is_last = verdict.sweeps == rules.max_sweeps;
            let look = lookout.is_due(verdict.sweeps, &increment, rules) || is_last;
            if look {
                system.settle();
                verdict.residual = measure(system, rules.criterion, verdict.sweeps);
                let mut forces_move = false;
                if verdict.residual <= limits.residual || is_last {
                    // impulses that obey all laws up to rounding may be nothing but rounding, and then move for ever
                    let is_exact = verdict.residual == 0.0;
                    verdict.force_error = if is_exact { 0.0 } else { doubling.compare(system, verdict.sweeps) };
                    forces_move = verdict.force_error > limits.force_error;
                    if !forces_move || is_last {
                        system.restore(); // rounding is taken out, and the result judged again
                        verdict.residual = measure(system, rules.criterion, verdict.sweeps);
                    }
                }
                verdict.converged = verdict.residual <= limits.residual && verdict.force_error <= limits.force_error;
                lookout.note(verdict, &increment, forces_move);
                watch(verdict.sweeps, verdict.residual);
            }
            doubling.note(system, verdict.sweeps);
            *lesson = Some((increment, look.then_some(verdict.residual)));
        }
        *verdict
    }
}

/// What the residual asked for is compared with. Before the first sweep nothing has changed yet.
fn measure(system: &impl System, criterion: Criterion, sweeps: u64) -> f64 {
    match (criterion, sweeps) {
        (Criterion::Natural, _) => system.misfit().ratio(),
        (Criterion::ForceChange, 0) => f64::INFINITY,
        (Criterion::ForceChange, _) => system.force_change(),
    }
}

/// When the residual is worth a look, which costs about as much as a sweep: when the changes of the sweeps, which
/// cost nothing, say that the goal may be reached, and now and then.
struct Lookout {
    sweeps: u64,
    residual: f64,
    change: f64,
    forces_move: bool,
}

/// Sweeps between looks, at most.
const WATCH: u64 = 20;
/// Part of the sweeps after which the doubling test is made again, when it alone has failed: it tells of their second
/// half, and no news comes sooner.
const NEWS: u64 = 8;

impl Lookout {
    fn new() -> Lookout {
        Lookout { sweeps: 0, residual: f64::INFINITY, change: 0.0, forces_move: false }
    }

    fn is_due(&self, sweeps: u64, increment: &Increment, rules: &Rules) -> bool {
        let since = sweeps - self.sweeps;
        if self.forces_move {
            return since > sweeps / NEWS;
        }
        // the residual goes with the change of a sweep, whose square is at hand
        let expected = self.residual * (increment.squared / self.change).sqrt();
        let may_be_done = expected <= rules.limits.residual && since > sweeps / WATCH;
        sweeps == 1 || sweeps == rules.min_sweeps || since >= WATCH || may_be_done
    }

    fn note(&mut self, verdict: &Verdict, increment: &Increment, forces_move: bool) {
        (self.sweeps, self.residual, self.change) = (verdict.sweeps, verdict.residual, increment.squared);
        self.forces_move = forces_move;
    }
}

/// The doubling test: how far the forces are still off, by how far they moved in all sweeps and in the second half.
///
/// The error was about d_0 = |r_k - r_0| at the start and d = |r_k - r_j| after nearly half of the sweeps. A solve that
/// goes on like that ends with d^2 / d_0; one that creeps has d near d_0, and says so. Snapshots are taken at sweeps that
/// grow by a quarter; the latest with j <= k/2 counts.
struct Doubling {
    start: Vec<f64>,
    snapshots: VecDeque<(u64, Vec<f64>)>,
    now: Vec<f64>,
}

impl Doubling {
    fn new(system: &impl System) -> Doubling {
        let mut start = Vec::new();
        system.read(&mut start);
        Doubling { snapshots: VecDeque::from([(0, start.clone())]), start, now: Vec::new() }
    }

    fn note(&mut self, system: &impl System, sweeps: u64) {
        let last = self.snapshots.back().map_or(0, |(at, _)| *at);
        if 4 * sweeps < 5 * last {
            return;
        }
        // the oldest one is of use as long as the next is younger than half of the sweeps to come
        let is_spent = self.snapshots.get(1).is_some_and(|(at, _)| 2 * at <= sweeps);
        let mut numbers = if is_spent { self.snapshots.pop_front().unwrap_or_default().1 } else { Vec::new() };
        system.read(&mut numbers);
        self.snapshots.push_back((sweeps, numbers));
    }

    /// d^2 / (d_0 |r_k|).
    fn compare(&mut self, system: &impl System, sweeps: u64) -> f64 {
        system.read(&mut self.now);
        let Some((_, half)) = self.snapshots.iter().rev().find(|(at, _)| 2 * at <= sweeps) else { return 0.0 };
        let [late, all, size] = distances(&self.now, half, &self.start);
        if late == 0.0 { 0.0 } else { late / (all * size).sqrt() }
    }
}

/// Squares of |now - half|, |now - start| and |now|, each in four sums of which none waits for another.
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
