//! A simulation: a world, a method, the stages it goes through, and the folder it is recorded in.

mod instant;
mod recorder;
mod run;

pub use instant::{next_problem, problem_after};
pub use run::{Run, open, resume, start};

use std::fmt;
use std::io;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value as Json, json};

use crate::dim::Dim;
use crate::input::Mistakes;
use crate::input::quantity::Quantity;
use crate::method::cd::ContactDynamics;
use crate::method::dae::{self, Dae};
use crate::method::md::{self, SoftParticles};
use crate::method::{Kind, Method, StepError};
use crate::record::checkpoint::Progress;
use crate::record::report::Ended;
use crate::scenario::Scenario;
use crate::scenario::stage::{Rest, Stage, Stop};
use crate::world::World;
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

impl std::error::Error for RunError {}

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

/// Writes the time step that soft grains take into the scenario, so that a run that is taken up again keeps it; gives it
/// and the longest that is advisable if it is longer.
fn settle_pace<D: Dim>(scenario: &mut Scenario<D>, world: &World<D>) -> Option<[f64; 2]> {
    let drives = scenario.stage.iter().flat_map(|stage| &stage.drive.0);
    let driven = drives.map(|(_, drive)| drive.fastest()).fold(0.0, f64::max);
    // walls of later stages, which the world does not know yet
    let fastest = || (driven > 0.0).then(|| Quantity(md::largest_speed(world).max(2.0 * driven)));
    let (dt, advisable) = match scenario.method.r#use.value {
        Kind::Cd => return None,
        Kind::Md => {
            let options = scenario.method.md.get_or_insert_with(md::Options::default);
            options.speed = options.speed.or_else(fastest);
            let found = md::time_step(world, options);
            options.time_step = md::Pace::Given(found.0);
            found
        }
        Kind::Dae => {
            let options = scenario.method.dae.get_or_insert_with(dae::Options::default);
            options.speed = options.speed.or_else(fastest);
            let found = md::time_step(world, &options.pace());
            options.time_step = md::Pace::Given(found.0);
            found
        }
    };
    (dt > advisable).then_some([dt, advisable])
}

/// A simulation of one dimension.
pub struct Simulation<D: Dim> {
    /// What is.
    pub world: World<D>,
    scenario: Scenario<D>,
    /// The time step and the longest that is advisable [s], if it is longer.
    hasty: Option<[f64; 2]>,
    method: Box<dyn Method<D>>,
    stages: Vec<Stage<D>>,
    progress: Progress,
    recorder: Option<Recorder>,
    since: Instant,
}

impl<D: Dim> Simulation<D> {
    /// The simulation of a scenario, at its start and not recorded. Files count from `folder`.
    pub fn new(scenario: &Scenario<D>, folder: &Path) -> Result<Simulation<D>, Mistakes> {
        let world = scenario.build(folder)?;
        let mut scenario = scenario.clone();
        let hasty = settle_pace(&mut scenario, &world);
        let mut simulation = Simulation::with_world(&scenario, world);
        simulation.hasty = hasty;
        simulation.enter_stage();
        Ok(simulation)
    }

    fn with_world(scenario: &Scenario<D>, world: World<D>) -> Simulation<D> {
        let whole_run = || Stage {
            name: "run".into(),
            drive: crate::scenario::stage::Drives(Vec::new()),
            until: Stop::never(),
            limit: None,
            span: Default::default(),
        };
        Simulation {
            method: method_of(scenario, &world),
            world,
            scenario: scenario.clone(),
            hasty: None,
            stages: if scenario.stage.is_empty() { vec![whole_run()] } else { scenario.stage.clone() },
            progress: Progress::default(),
            recorder: None,
            since: Instant::now(),
        }
    }

    fn stage(&self) -> &Stage<D> {
        &self.stages[self.progress.stage_starts.len() - 1]
    }

    /// Starts the next stage: sets its drives.
    fn enter_stage(&mut self) {
        let now = self.world.clock.time;
        self.progress.stage_starts.push(now);
        self.progress.rest_since = [None; 2];
        self.set_drives(self.progress.stage_starts.len() - 1, now);
    }

    fn set_drives(&mut self, stage: usize, since: f64) {
        for (name, drive) in &self.stages[stage].drive.0 {
            let wall = self.world.walls.iter().position(|wall| wall.name == name.value);
            self.world.set_drive(wall.expect("a checked stage drives walls that exist"), drive.clone(), since);
        }
    }

    /// Ends the stage, and with the last one the run, if a rule is met.
    fn look_at_the_clock(&mut self, max_speed: f64) {
        let time = self.world.clock.time;
        let dt = self.method.time_step();
        self.note_rest(max_speed);
        let stage = self.stage();
        let started = self.progress.stage_starts.last().copied().unwrap_or(0.0);
        let past = |limit: f64| time + 0.5 * dt >= limit;
        let [run_rests, stage_rests] = self.progress.rest_since;
        let rule = |stop: &Stop, since: Option<f64>| {
            let rested = |rest: &Rest| since.is_some_and(|since| past(since + *rest.r#for));
            if stop.at_rest.as_ref().is_some_and(rested) {
                Some("at rest".to_string())
            } else {
                stop.at.filter(|at| past(**at)).map(|at| format!("time {} s reached", *at))
            }
        };
        let run_over = rule(&self.scenario.stop, run_rests);
        let limit =
            stage.limit.filter(|limit| past(started + **limit)).map(|limit| format!("limit of {} s reached", *limit));
        let Some(why) = run_over.clone().or_else(|| rule(&stage.until, stage_rests)).or(limit) else { return };
        self.progress.report.ended.push(Ended { stage: stage.name.clone(), why, time });
        if run_over.is_some() || self.progress.stage_starts.len() == self.stages.len() {
            self.progress.finished = true;
        } else {
            self.enter_stage();
        }
    }

    /// Keeps the times since which all grains have been slow, as the run and as its stage understand it.
    fn note_rest(&mut self, max_speed: f64) {
        let rules = [&self.scenario.stop, &self.stage().until].map(|stop| stop.at_rest.as_ref());
        let slow = rules.map(|rest| rest.is_some_and(|rest| max_speed <= *rest.speed));
        let now = self.world.clock.time;
        for (since, slow) in self.progress.rest_since.iter_mut().zip(slow) {
            *since = slow.then_some(since.unwrap_or(now));
        }
    }

    /// Parameters of Contact Dynamics, if that is the method.
    fn rigid(&self) -> Option<&crate::method::cd::Options> {
        self.scenario.method.cd.as_ref().filter(|_| self.scenario.method.r#use.value == Kind::Cd)
    }

    /// What the user must know about the time step of soft grains.
    fn haste(&self) -> Option<String> {
        self.hasty.map(|[dt, advisable]| {
            format!(
                "the time step {dt:.2e} s is longer than {advisable:.2e} s, the part of a collision that is advisable"
            )
        })
    }

    fn state_json(&self, state: &str, error: Option<&RunError>) -> Json {
        let report = &self.progress.report;
        let before = self.scenario.warnings().into_iter().map(|warning| (warning.code, warning.message));
        let after = report.warnings().into_iter().map(|warning| (warning.code, warning.message));
        let warnings: Vec<Json> = before
            .chain(self.haste().map(|message| ("W211", message)))
            .chain(after)
            .map(|(code, message)| json!({"code": code, "message": message}))
            .collect();
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
