//! Trial steps of a method from a moment of the walk, timed.

use cpu_time::ThreadTime;
use drystone::contact::Network;
use drystone::dim::Dim;
use drystone::law::Laws;
use drystone::method::{Method, StepError, StepReport};
use drystone::sim::Simulation;
use drystone::world::World;

use crate::walk::Moment;

/// Steps before those that count, of rigid grains: forces find their size.
const EARLIER: u64 = 5;
/// The same of soft grains: two collisions with the usual step, in which overlaps find their size.
const EARLIER_SOFT: u64 = 100;
/// Steps that are timed together.
const BATCH: u64 = 20;
/// Batches at most.
const MOST: usize = 20;

/// What steps cost at a moment of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trial {
    /// Time on the clock at which they began [s].
    pub time: f64,
    /// Length of a step [s].
    pub dt: f64,
    /// Steps that were timed.
    pub steps: u64,
    /// Computing time of a step [s].
    pub seconds: f64,
    /// Computing time of the very first step beyond that of the others [s]: it may search for forces in equilibrium.
    pub opening: f64,
    /// Mean number of contacts that were considered.
    pub contacts: f64,
    /// Mean number of contacts solved in all sweeps of a step: contacts times sweeps; contacts, without sweeps.
    pub solved: f64,
    /// Share of the steps that did not reach the accuracy asked for.
    pub unconverged: f64,
}

impl Trial {
    /// Computing time for a second of the run, a ratio.
    pub fn pace(&self) -> f64 {
        self.seconds / self.dt
    }

    fn note(&mut self, step: &StepReport) {
        self.steps += 1;
        self.contacts += step.contacts as f64;
        self.solved += step.contacts as f64 * step.sweeps.max(1) as f64;
        self.unconverged += f64::from(u8::from(!step.converged && !step.is_soft));
    }
}

/// How long a trial may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// Computing time [s].
    pub seconds: f64,
    /// Time of the run until the next moment [s]: later steps belong to that.
    pub span: f64,
}

/// Makes steps from a moment by the method of a simulation. `keeps_forces` says that the walk was made by the same method,
/// whose forces are a first guess as they would be in a run.
pub(crate) fn attempt<D: Dim>(
    simulation: &Simulation<D>,
    laws: &Laws,
    moment: &Moment<D>,
    allowance: Allowance,
    keeps_forces: bool,
) -> Result<Trial, StepError> {
    let mut world = moment.world.clone();
    world.setup.laws = laws.clone();
    if !keeps_forces {
        *world.network_mut() = Network::default();
        world.carried.clear();
    }
    world.scratch.neighbours.forget();
    let method = simulation.method_of_copy(&world);
    let dt = method.time_step();
    let steps = (allowance.span / dt).floor().max(1.0) as u64;
    let mut bench = Bench { method, world, seconds: 0.5 * allowance.seconds, steps };
    let opening = bench.warm_up()?;
    let mut trial = bench.time()?;
    (trial.time, trial.dt, trial.opening) = (moment.time, dt, (opening - trial.seconds).max(0.0));
    Ok(trial)
}

/// A method on a copy of the world.
struct Bench<D: Dim> {
    method: Box<dyn Method<D>>,
    world: World<D>,
    /// Computing time of either part of the trial [s].
    seconds: f64,
    /// Steps until the next moment.
    steps: u64,
}

impl<D: Dim> Bench<D> {
    /// Makes the steps that do not count; returns the computing time of the first one.
    fn warm_up(&mut self) -> Result<f64, StepError> {
        let start = ThreadTime::now();
        let is_soft = self.method.step(&mut self.world)?.is_soft;
        let opening = start.elapsed().as_secs_f64();
        let count = if is_soft { EARLIER_SOFT } else { EARLIER }.min(self.steps / 2);
        for _ in 1..count {
            if start.elapsed().as_secs_f64() - opening > self.seconds {
                break;
            }
            self.method.step(&mut self.world)?;
        }
        Ok(opening)
    }

    /// Times batches of steps. Those of soft grains cost alike, and the median batch leaves out what happens once, such as
    /// an alarm of a monitor; those of rigid grains differ by their sweeps, and the mean counts.
    fn time(&mut self) -> Result<Trial, StepError> {
        let (mut trial, mut batches, mut is_soft) = (Trial::default(), Vec::new(), false);
        let start = ThreadTime::now();
        while batches.len() < MOST && (batches.is_empty() || start.elapsed().as_secs_f64() < self.seconds) {
            let begun = ThreadTime::now();
            let mut made = 0;
            while made < BATCH && (made == 0 || start.elapsed().as_secs_f64() < self.seconds) {
                let step = self.method.step(&mut self.world)?;
                (made, is_soft) = (made + 1, step.is_soft);
                trial.note(&step);
                if trial.steps >= (self.steps / 2).max(1) {
                    break;
                }
            }
            batches.push(begun.elapsed().as_secs_f64() / made as f64);
            if trial.steps >= (self.steps / 2).max(1) {
                break;
            }
        }
        trial.seconds = start.elapsed().as_secs_f64() / trial.steps as f64;
        if is_soft {
            batches.sort_by(f64::total_cmp);
            trial.seconds = batches[batches.len() / 2];
        }
        let each = 1.0 / trial.steps as f64;
        [&mut trial.contacts, &mut trial.solved, &mut trial.unconverged].into_iter().for_each(|sum| *sum *= each);
        Ok(trial)
    }
}
