//! Trial steps of a method from a moment of the walk, timed.

use cpu_time::ThreadTime;
use drystone::contact::Network;
use drystone::dim::Dim;
use drystone::law::Laws;
use drystone::method::StepError;
use drystone::sim::Simulation;

use crate::walk::Moment;

/// Steps before those that count: lists are built, and forces find their size.
const EARLIER: u64 = 5;
/// Steps that count, at least and at most.
const LEAST: u64 = 2;
const MOST: u64 = 200;

/// What steps cost at a moment of the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Time on the clock at which they began [s].
    pub time: f64,
    /// Length of a step [s].
    pub dt: f64,
    /// Steps that were timed.
    pub steps: u64,
    /// Computing time of a step [s].
    pub seconds: f64,
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
}

/// Makes steps from a moment for about so many seconds of computing time, by the method of a simulation. `keeps_forces` says that the walk was made by
/// the same method, whose forces are a first guess as they would be in a run.
pub(crate) fn attempt<D: Dim>(
    simulation: &Simulation<D>,
    laws: &Laws,
    moment: &Moment<D>,
    seconds: f64,
    keeps_forces: bool,
) -> Result<Trial, StepError> {
    let mut world = moment.world.clone();
    world.setup.laws = laws.clone();
    if !keeps_forces {
        *world.network_mut() = Network::default();
        world.carried.clear();
    }
    world.scratch.neighbours.forget();
    let mut method = simulation.method_of_copy(&world);
    let dt = method.time_step();
    let begun = ThreadTime::now();
    for _ in 0..EARLIER {
        method.step(&mut world)?;
        if begun.elapsed().as_secs_f64() > 0.5 * seconds {
            break;
        }
    }
    let mut trial =
        Trial { time: moment.time, dt, steps: 0, seconds: 0.0, contacts: 0.0, solved: 0.0, unconverged: 0.0 };
    let start = ThreadTime::now();
    while trial.steps < LEAST || (trial.steps < MOST && start.elapsed().as_secs_f64() < 0.5 * seconds) {
        let step = method.step(&mut world)?;
        trial.steps += 1;
        trial.contacts += step.contacts as f64;
        trial.solved += step.contacts as f64 * step.sweeps.max(1) as f64;
        trial.unconverged += f64::from(u8::from(!step.converged && !step.is_soft));
    }
    trial.seconds = start.elapsed().as_secs_f64();
    let each = 1.0 / trial.steps as f64;
    for sum in [&mut trial.seconds, &mut trial.contacts, &mut trial.solved, &mut trial.unconverged] {
        *sum *= each;
    }
    Ok(trial)
}
