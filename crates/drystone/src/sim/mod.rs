//! A simulation: a world, a method, the stages it goes through, and the folder it is recorded in.

mod continued;
mod extend;
mod forecast;
mod gas;
mod inputs;
mod instant;
mod limits;
mod origins;
mod recorder;
mod records;
mod rows;
mod rules;
mod run;
mod stages;
mod time_step;

pub use continued::{Continued, continued};
pub use forecast::Forecast;
pub use gas::collision_rate;
pub use instant::{next_problem, problem_after};
pub use origins::beginning_of;
pub use run::{Outlook, Run, open, resume, start};

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value as Json, json};

use crate::dim::{D2, D3, Dim};
use crate::input::{Mistakes, Placed, Value};
use crate::method::cd::ContactDynamics;
use crate::method::common::compiled::made_once;
use crate::method::dae::Dae;
use crate::method::ed::EventDriven;
use crate::method::md::SoftParticles;
use crate::method::{Kind, Method, StepError};
use crate::record::checkpoint::Progress;
use crate::record::report::{Spoken, Told, Warning};
use crate::scenario::Scenario;
use crate::scenario::schema::stage::Stage;
use crate::scenario::schema::until::Stop;
use crate::world::World;
use extend::Extensions;
use recorder::Recorder;
use time_step::StepAdvice;

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
        Kind::Ed => Box::new(EventDriven::new(scenario.method.ed.clone().unwrap_or_default())),
        Kind::Cd => {
            let options = scenario.method.cd.clone().expect("a checked scenario has [method.cd]");
            Box::new(ContactDynamics::new(options))
        }
    }
}

/// A simulation of one dimension.
pub struct Simulation<D: Dim> {
    world: World<D>,
    scenario: Scenario<D>,
    /// What the time step should be.
    advice: Option<StepAdvice>,
    /// Warnings to report before the next step, as code and message.
    hints: Vec<(&'static str, String)>,
    /// Whether the program chose how often the series gets a row.
    rows_are_automatic: bool,
    method: Box<dyn Method<D>>,
    extensions: Extensions<D>,
    stages: Vec<Arc<Stage<D>>>,
    stop: Arc<Stop>,
    progress: Progress,
    recorder: Option<Recorder>,
    /// Warnings that have not been shown yet.
    news: Vec<Warning>,
    /// Sizes of the warnings about sums over the run when they were last reported.
    spoken: Spoken,
    since: Instant,
}

impl<D: Dim> Simulation<D> {
    /// The simulation of a scenario at its start, not recorded. Paths of files are relative to `folder`.
    pub fn new(scenario: &Scenario<D>, folder: &Path) -> Result<Simulation<D>, Mistakes> {
        made_once!(Simulation::at_start, scenario, folder)
    }

    fn at_start(scenario: &Scenario<D>, folder: &Path) -> Result<Simulation<D>, Mistakes> {
        limits::check_memory(scenario)?;
        let mut world = scenario.build(folder)?;
        let mut scenario = scenario.clone();
        let advice = time_step::resolve(&mut scenario, &mut world);
        limits::check_time_step(&scenario)?;
        let mut simulation = Simulation::with_world(&scenario, world);
        simulation.advice = advice;
        let before = scenario.warnings().into_iter();
        simulation.progress.told = before.map(|w| Told { code: w.code.into(), message: w.message }).collect();
        if let Some((code, message)) = simulation.time_step_warning() {
            simulation.tell(code, message);
        }
        let ids = simulation.world.grains().map(|k| simulation.world.bodies.id[k]);
        simulation.progress.first_poured = ids.max().map_or(0, |id| id + 1);
        simulation.progress.marks[0] = simulation.fresh_marks(&scenario.stop);
        simulation.enter_stage();
        simulation.space_rows();
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
        let progress = Progress { names: world.setup.names.clone(), ..Progress::default() };
        Simulation {
            method: method_of(scenario, &world),
            world,
            scenario: scenario.clone(),
            extensions: Extensions::default(),
            advice: None,
            hints: Vec::new(),
            rows_are_automatic: false,
            stages: stages.into_iter().map(Arc::new).collect(),
            stop: Arc::new(scenario.stop.clone()),
            progress,
            recorder: None,
            news: Vec::new(),
            spoken: Spoken::default(),
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
            "collisions": self.world.collisions.all,
            "mean_sweeps": report.mean_sweeps(),
            "rows": self.progress.rows,
            "series_every": self.scenario.output.series_every.write(),
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
