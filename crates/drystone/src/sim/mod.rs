//! A simulation: a world, a method, the stages it goes through, and the folder it is recorded in.

mod extend;
mod gas;
mod inputs;
mod instant;
mod limits;
mod origins;
mod recorder;
mod rules;
mod run;
mod stages;

pub use instant::{next_problem, problem_after};
pub use origins::beginning_of;
pub use run::{Run, open, resume, start};

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value as Json, json};

use crate::dim::Dim;
use crate::input::quantity::Quantity;
use crate::input::{Mistakes, Placed};
use crate::method::cd::ContactDynamics;
use crate::method::dae::{self, Dae};
use crate::method::md::{self, SoftParticles};
use crate::method::{Kind, Method, StepError};
use crate::record::checkpoint::Progress;
use crate::record::report::{Told, Warning};
use crate::scenario::Scenario;
use crate::scenario::schema::stage::Stage;
use crate::scenario::schema::until::Stop;
use crate::world::World;
use extend::Extensions;
use recorder::Recorder;

/// Why a run ended before its time.
#[derive(Debug)]
pub enum RunError {
    /// The scenario is wrong.
    Scenario(Mistakes),
    /// A step could not be made.
    Step(StepError),
    /// A file could not be written or read.
    File(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Scenario(mistakes) => mistakes.fmt(f),
            RunError::Step(error) => error.fmt(f),
            RunError::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(match self {
            RunError::Scenario(mistakes) => mistakes,
            RunError::Step(error) => error,
            RunError::File(error) => error,
        })
    }
}

impl From<StepError> for RunError {
    fn from(error: StepError) -> Self {
        RunError::Step(error)
    }
}
impl From<io::Error> for RunError {
    fn from(error: io::Error) -> Self {
        RunError::File(error)
    }
}
impl From<Mistakes> for RunError {
    fn from(mistakes: Mistakes) -> Self {
        RunError::Scenario(mistakes)
    }
}

/// The method of a scenario, for its world.
fn method_of<D: Dim>(scenario: &Scenario<D>, world: &World<D>) -> Box<dyn Method<D>> {
    match scenario.method.r#use.value {
        Kind::Md => Box::new(SoftParticles::new(scenario.method.md.clone().unwrap_or_default(), world)),
        Kind::Dae => Box::new(Dae::new(scenario.method.dae.clone().unwrap_or_default(), world)),
        Kind::Cd => {
            let options = scenario.method.cd.clone().expect("a checked scenario has [method.cd]");
            Box::new(ContactDynamics::new(options))
        }
    }
}

/// Writes the time step of soft grains into the scenario, so that a resumed run keeps it. If it is longer than
/// advisable, returns it and the longest advisable one.
fn resolve_time_step<D: Dim>(scenario: &mut Scenario<D>, world: &mut World<D>) -> Option<[f64; 2]> {
    let drives = scenario.stage.iter().flat_map(|stage| &stage.drive.0);
    let driven = drives.map(|(_, drive)| drive.fastest()).fold(0.0, f64::max);
    // includes the walls driven in later stages, which the world does not know yet
    let fastest = || (driven > 0.0).then(|| Quantity(md::largest_speed(world).max(2.0 * driven)));
    let fastest = fastest();
    let options = match scenario.method.r#use.value {
        Kind::Cd => return None,
        Kind::Md => {
            let options = scenario.method.md.get_or_insert_with(md::MdOptions::default);
            options.speed = options.speed.or(fastest);
            options.clone()
        }
        Kind::Dae => {
            let options = scenario.method.dae.get_or_insert_with(dae::DaeOptions::default);
            options.speed = options.speed.or(fastest);
            options.pace()
        }
    };
    // the shortest over the start and all stages that change laws, including grains that are poured later
    let present = world.bodies.clone();
    scenario.foresee(world);
    let mut found = vec![md::time_step(world, &options)];
    let first = world.setup.laws.clone();
    for stage in (0..scenario.stage.len()).filter(|stage| scenario.stage[*stage].set.is_some()) {
        world.setup.laws = scenario.at_stage(stage).laws();
        found.push(md::time_step(world, &options));
    }
    world.setup.laws = first;
    world.bodies = present;
    let shortest = |one: (f64, f64), other: (f64, f64)| (one.0.min(other.0), one.1.min(other.1));
    let (dt, advisable) = found.into_iter().reduce(shortest)?;
    let pace = md::TimeStepChoice::Given(dt);
    match (&mut scenario.method.md, &mut scenario.method.dae) {
        (Some(md), _) if scenario.method.r#use.value == Kind::Md => md.time_step = pace,
        (_, Some(dae)) => dae.time_step = pace,
        _ => {}
    }
    (dt > advisable).then_some([dt, advisable])
}

/// A simulation of one dimension.
pub struct Simulation<D: Dim> {
    world: World<D>,
    scenario: Scenario<D>,
    /// The time step and the longest advisable one [s], if the time step is longer.
    too_long_step: Option<[f64; 2]>,
    /// Warnings to report before the next step, as code and message.
    hints: Vec<(&'static str, String)>,
    method: Box<dyn Method<D>>,
    extensions: Extensions<D>,
    stages: Vec<Arc<Stage<D>>>,
    stop: Arc<Stop>,
    progress: Progress,
    recorder: Option<Recorder>,
    /// Warnings that the user has not seen yet.
    news: Vec<Warning>,
    since: Instant,
}

impl<D: Dim> Simulation<D> {
    /// The simulation of a scenario at its start, not recorded. Paths of files are relative to `folder`.
    pub fn new(scenario: &Scenario<D>, folder: &Path) -> Result<Simulation<D>, Mistakes> {
        limits::check_memory(scenario)?;
        let mut world = scenario.build(folder)?;
        let mut scenario = scenario.clone();
        let too_long_step = resolve_time_step(&mut scenario, &mut world);
        limits::check_time_step(&scenario)?;
        let mut simulation = Simulation::with_world(&scenario, world);
        simulation.too_long_step = too_long_step;
        let before = scenario.warnings().into_iter();
        simulation.progress.told = before.map(|w| Told { code: w.code.into(), message: w.message }).collect();
        if let Some(message) = simulation.time_step_warning() {
            simulation.tell("W211", message);
        }
        let ids = simulation.world.grains().map(|k| simulation.world.bodies.id[k]);
        simulation.progress.first_poured = ids.max().map_or(0, |id| id + 1);
        simulation.progress.marks[0] = simulation.fresh_marks(&scenario.stop);
        simulation.enter_stage();
        simulation.check_steps()?;
        let (until, options) = (simulation.end(), simulation.rigid());
        let cooling = until.zip(options).and_then(|(until, options)| gas::cooling(&simulation.world, options, until));
        simulation.progress.report.note(cooling.into_iter().collect());
        Ok(simulation)
    }

    fn with_world(scenario: &Scenario<D>, world: World<D>) -> Simulation<D> {
        let whole_run = || Stage {
            name: Placed { value: "run".into(), at: Default::default() },
            drive: crate::scenario::schema::stage::WallDrives(Vec::new()),
            cell: None,
            set: None,
            remove: None,
            grow: None,
            until: Stop::never(),
            limit: None,
            span: Default::default(),
        };
        let stages = if scenario.stage.is_empty() { vec![whole_run()] } else { scenario.stage.clone() };
        Simulation {
            method: method_of(scenario, &world),
            world,
            scenario: scenario.clone(),
            extensions: Extensions::default(),
            too_long_step: None,
            hints: Vec::new(),
            stages: stages.into_iter().map(Arc::new).collect(),
            stop: Arc::new(scenario.stop.clone()),
            progress: Progress::default(),
            recorder: None,
            news: Vec::new(),
            since: Instant::now(),
        }
    }

    fn stage(&self) -> &Stage<D> {
        &self.stages[self.progress.stage_starts.len() - 1]
    }

    /// Parameters of Contact Dynamics, if that is the method.
    fn rigid(&self) -> Option<&crate::method::cd::CdOptions> {
        self.scenario.method.cd.as_ref().filter(|_| self.scenario.method.r#use.value == Kind::Cd)
    }

    /// The warning about a time step of soft grains that is too long.
    fn time_step_warning(&self) -> Option<String> {
        self.too_long_step.map(|[dt, advisable]| {
            format!(
                "the time step {dt:.2e} s is longer than {advisable:.2e} s, the part of a collision that is advisable"
            )
        })
    }

    /// Reports a warning that belongs to no step, and keeps it for the report.
    fn tell(&mut self, code: &'static str, message: String) {
        self.progress.told.push(Told { code: code.into(), message: message.clone() });
        self.hints.push((code, message));
    }

    fn state_json(&self, state: &str, error: Option<&RunError>) -> Json {
        let report = &self.progress.report;
        let after = report.warnings().into_iter().map(|w| Told { code: w.code.into(), message: w.message });
        let warnings: Vec<Json> = self.progress.told.iter().cloned().chain(after).map(|told| told.to_json()).collect();
        let mut json = json!({
            "title": self.scenario.title,
            "drystone": env!("CARGO_PKG_VERSION"),
            "state": state,
            "dimension": D::DIMENSION,
            "method": self.scenario.method.r#use.name(),
            "grains": self.world.grains().len(),
            "contacts": self.world.network.closed().count(),
            "mean_sweeps": report.mean_sweeps(),
            "warnings": warnings,
            "hash": format!("{:016x}", self.world.hash()),
        });
        if let (Some(object), Some(numbers)) = (json.as_object_mut(), report.to_json().as_object()) {
            object.extend(numbers.clone());
            object.insert("error".into(), error.map_or(Json::Null, |error| error.to_string().into()));
        }
        json
    }
}
