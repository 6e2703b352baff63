//! A simulation: a world, a method, the stages it goes through, and the folder it is recorded in.

use std::fmt;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::dim::{Dim, Vector};
use crate::input::Mistakes;
use crate::measure::{Column, Measures};
use crate::method::cd::ContactDynamics;
use crate::method::{Method, StepError, StepReport};
use crate::record::aside::write_aside;
use crate::record::checkpoint::{self, Progress};
use crate::record::report::Ended;
use crate::record::schedule::Schedule;
use crate::record::series::Series;
use crate::record::{Frame, Report, RunFolder, frame_files};
use crate::scenario::grains::Place;
use crate::scenario::stage::{Rest, Stage, Stop};
use crate::scenario::{AnyScenario, Scenario};
use crate::world::World;

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

/// A simulation of one dimension.
pub struct Simulation<D: Dim> {
    /// What is.
    pub world: World<D>,
    scenario: Scenario<D>,
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
        let mut simulation = Simulation::with_world(scenario, world);
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
        let options = scenario.method.cd.clone().expect("a checked scenario has [method.cd]");
        Simulation {
            world,
            scenario: scenario.clone(),
            method: Box::new(ContactDynamics::new(options)),
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
            for wall in self.world.walls.iter_mut().filter(|wall| wall.name == name.value) {
                (wall.drive, wall.since) = (drive.clone(), since);
            }
        }
    }

    /// Ends the stage, and with the last one the run, if a rule is met.
    fn look_at_the_clock(&mut self) {
        let time = self.world.clock.time;
        let dt = self.method.time_step();
        self.note_rest();
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
    fn note_rest(&mut self) {
        let bodies = &self.world.bodies;
        let is_slow = |limit: f64| {
            self.world.grains().all(|k| {
                let turning = bodies.twist[k].w.norm() * bodies.shape[k].radius();
                bodies.twist[k].v.norm().max(turning) <= limit
            })
        };
        let rules = [&self.scenario.stop, &self.stage().until].map(|stop| stop.at_rest.as_ref());
        let slow = rules.map(|rest| rest.is_some_and(|rest| is_slow(*rest.speed)));
        let now = self.world.clock.time;
        for (since, slow) in self.progress.rest_since.iter_mut().zip(slow) {
            *since = slow.then_some(since.unwrap_or(now));
        }
    }

    fn state_json(&self, state: &str, error: Option<&RunError>) -> Json {
        let report = &self.progress.report;
        let warnings: Vec<Json> =
            report.warnings().iter().map(|w| json!({"code": w.code, "message": w.message})).collect();
        let mut json = json!({
            "title": self.scenario.title,
            "drystone": env!("CARGO_PKG_VERSION"),
            "state": state,
            "dimension": D::DIMENSION,
            "method": "cd",
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

/// Writes a simulation into its folder.
struct Recorder {
    folder: RunFolder,
    series: Series,
    measures: Vec<Measures>,
    frames: Schedule,
    rows: Schedule,
    has_frames: bool,
    every: Duration,
    saved: Instant,
}

impl Recorder {
    fn new<D: Dim>(scenario: &Scenario<D>, folder: RunFolder, series: Series) -> Recorder {
        let output = &scenario.output;
        Recorder {
            folder,
            series,
            measures: output.series.clone(),
            frames: Schedule::every(output.frames.map(|every| *every)),
            rows: Schedule::every(output.series_every.map(|every| *every)),
            has_frames: output.frames.is_some(),
            every: Duration::try_from_secs_f64(*output.checkpoint).unwrap_or(Duration::MAX),
            saved: Instant::now(),
        }
    }

    fn columns<D: Dim>(measures: &[Measures]) -> Vec<Column> {
        let own = [("time", "s"), ("step", "1"), ("sweeps", "1"), ("residual", "1")];
        let own = own.into_iter().map(|(name, unit)| Column::new(name, unit));
        own.chain(measures.iter().flat_map(|measure| measure.as_dyn::<D>().columns())).collect()
    }
}

impl<D: Dim> Simulation<D> {
    /// Makes the run folder and writes the scenario, the first frame and the first checkpoint.
    pub fn record(&mut self, path: &Path, force: bool, inputs: &Path) -> io::Result<()> {
        let folder = RunFolder::create(path, force)?;
        let scenario = keep_inputs(&self.scenario, &folder, inputs)?;
        write_aside(&folder.scenario(), |out| io::Write::write_all(out, scenario.to_toml().as_bytes()))?;
        let series = Series::create(&folder.series(), &Recorder::columns::<D>(&scenario.output.series))?;
        self.recorder = Some(Recorder::new(&scenario, folder, series));
        self.write_row(&StepReport::default())?;
        self.write_frame()?;
        self.save()
    }

    /// Opens a run folder and goes on from its checkpoint.
    pub fn resume(scenario: &Scenario<D>, folder: RunFolder) -> Result<Simulation<D>, RunError> {
        let mut simulation = Simulation::with_world(scenario, scenario.stage_world());
        simulation.progress = checkpoint::load(&folder.checkpoint(), &mut simulation.world)?;
        for (stage, since) in simulation.progress.stage_starts.clone().into_iter().enumerate() {
            simulation.set_drives(stage, since);
        }
        let series = Series::reopen(&folder.series(), simulation.progress.series_length)?;
        frame_files::remove_from(&folder.frames(), simulation.progress.frames.len())?;
        simulation.recorder = Some(Recorder::new(scenario, folder, series));
        simulation.write_collection()?;
        if simulation.progress.finished {
            simulation.write_report("done", None)?;
        } else {
            simulation.remove_report()?; // it speaks of the moment before
        }
        Ok(simulation)
    }

    fn write_row(&mut self, step: &StepReport) -> io::Result<()> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let mut row = vec![self.world.clock.time, self.world.clock.step as f64, step.sweeps as f64, step.residual];
        row.extend(recorder.measures.iter().flat_map(|measure| measure.as_dyn::<D>().sample(&self.world)));
        recorder.series.push(&row)?;
        self.progress.rows += 1;
        self.progress.series_length = recorder.series.length;
        Ok(())
    }

    fn write_frame(&mut self) -> io::Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let frame = Frame::of(&self.world, self.method.time_step());
        frame_files::write(&recorder.folder.frames(), self.progress.frames.len(), &frame, true)?;
        self.progress.frames.push(self.world.clock.time);
        self.write_collection()
    }

    fn write_collection(&self) -> io::Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let entries: Vec<(f64, usize)> = self.progress.frames.iter().copied().zip(0..).collect();
        frame_files::write_collection(&recorder.folder.collection(), &entries)
    }

    fn write_due(&mut self, step: &StepReport) -> io::Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let (time, dt) = (self.world.clock.time, self.method.time_step());
        let row_due = recorder.rows.is_due(self.progress.rows, time, dt);
        let frame_due = recorder.has_frames && recorder.frames.is_due(self.progress.frames.len() as u64, time, dt);
        let (checkpoint_due, finished) = (recorder.saved.elapsed() >= recorder.every, self.progress.finished);
        if row_due || finished {
            self.write_row(step)?;
        }
        if frame_due || finished {
            self.write_frame()?;
        }
        if checkpoint_due || finished {
            self.save()?;
        }
        if finished {
            self.write_report("done", None)?;
        }
        Ok(())
    }

    fn write_report(&self, state: &str, error: Option<&RunError>) -> io::Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let text = serde_json::to_string_pretty(&self.state_json(state, error))?;
        write_aside(&recorder.folder.report(), |out| io::Write::write_all(out, text.as_bytes()))
    }

    fn remove_report(&self) -> io::Result<()> {
        let Some(path) = self.recorder.as_ref().map(|recorder| recorder.folder.report()) else { return Ok(()) };
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(io::Error::new(error.kind(), format!("cannot remove {}: {error}", path.display())))
            }
            _ => Ok(()),
        }
    }

    fn save(&mut self) -> io::Result<()> {
        self.progress.report.wall_seconds += self.since.elapsed().as_secs_f64();
        self.since = Instant::now();
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        recorder.series.sync()?;
        checkpoint::save(&recorder.folder.checkpoint(), &self.world, &self.progress)?;
        recorder.saved = Instant::now();
        Ok(())
    }
}

/// Copies the files that the scenario places grains from into the run folder, which then stands by itself.
fn keep_inputs<D: Dim>(scenario: &Scenario<D>, folder: &RunFolder, inputs: &Path) -> io::Result<Scenario<D>> {
    let mut kept = scenario.clone();
    for (k, group) in kept.grains.iter_mut().enumerate() {
        if let Place::File(place) = &mut group.place {
            let named = |path: &Path, error: io::Error| {
                io::Error::new(error.kind(), format!("cannot copy {}: {error}", path.display()))
            };
            let (from, name) = (inputs.join(&place.file.value), format!("grains_{k}.csv"));
            // read whole before it is written: the file may be the copy of an earlier run in the same folder
            let bytes = std::fs::read(&from).map_err(|error| named(&from, error))?;
            std::fs::create_dir_all(folder.inputs()).map_err(|error| named(&from, error))?;
            write_aside(&folder.inputs().join(&name), |out| io::Write::write_all(out, &bytes))?;
            place.file.value = format!("inputs/{name}");
        }
    }
    Ok(kept)
}

/// A simulation of either dimension, as the command line sees it.
pub trait Run {
    /// Makes one step and writes what is due; `None` once the run has come to its end.
    fn advance(&mut self) -> Result<Option<StepReport>, RunError>;
    /// Stops before the end: writes a checkpoint and the report, so that the run can be resumed.
    fn interrupt(&mut self) -> io::Result<()>;
    /// Notes in the report that the run failed. The last checkpoint stays as it is.
    fn fail(&mut self, error: &RunError) -> io::Result<()>;
    /// What is known so far.
    fn report(&self) -> &Report;
    /// The report with everything around it, as `report.json` has it.
    fn summary(&self) -> Json;
    /// Name of the stage that is under way.
    fn stage_name(&self) -> &str;
    /// Time at which the run ends at the latest, as far as it is known [s].
    fn end(&self) -> Option<f64>;
    /// Kinetic energy of all grains [J].
    fn kinetic_energy(&self) -> f64;
    /// What `drystone check` says.
    fn describe(&self) -> Vec<(&'static str, String)>;
}

impl<D: Dim> Run for Simulation<D> {
    fn advance(&mut self) -> Result<Option<StepReport>, RunError> {
        if self.progress.finished {
            return Ok(None);
        }
        let step = self.method.step(&mut self.world)?;
        self.progress.report.add(&step);
        self.look_at_the_clock();
        self.write_due(&step)?;
        Ok(Some(step))
    }

    fn interrupt(&mut self) -> io::Result<()> {
        self.save()?;
        self.write_report("interrupted", None)
    }

    fn fail(&mut self, error: &RunError) -> io::Result<()> {
        self.write_report("failed", Some(error))
    }

    fn report(&self) -> &Report {
        &self.progress.report
    }

    fn summary(&self) -> Json {
        self.state_json(if self.progress.finished { "done" } else { "running" }, None)
    }

    fn stage_name(&self) -> &str {
        &self.stage().name
    }

    fn end(&self) -> Option<f64> {
        let stages = self.stages.iter().skip(self.progress.stage_starts.len() - 1);
        let mut start = self.progress.stage_starts.last().copied().unwrap_or(0.0);
        let mut end = Some(0.0);
        for stage in stages {
            let limit = stage.limit.map(|limit| start + *limit);
            let at = stage.until.at.map(|at| *at);
            end = limit.into_iter().chain(at).reduce(f64::min);
            start = end.unwrap_or(f64::INFINITY);
        }
        self.scenario.stop.at.map(|at| *at).into_iter().chain(end).reduce(f64::min)
    }

    fn kinetic_energy(&self) -> f64 {
        self.world.grains().map(|k| self.world.bodies.kinetic_energy(k)).sum()
    }

    fn describe(&self) -> Vec<(&'static str, String)> {
        let bodies = &self.world.bodies;
        let movable = || self.world.grains().filter(|k| bodies.inertia[*k].is_movable());
        let count = movable().count();
        let fixed = self.world.grains().len() - count;
        let mass: f64 = movable().map(|k| bodies.inertia[k].mass()).sum();
        let radii = || self.world.grains().map(|k| bodies.shape[k].radius());
        let (low, high) = (radii().fold(f64::INFINITY, f64::min), radii().fold(0.0, f64::max));
        let dt = self.method.time_step();
        let mut lines = vec![
            ("title", self.scenario.title.clone()),
            ("grains", if fixed > 0 { format!("{count} and {fixed} held in place") } else { count.to_string() }),
            ("radii", format!("{low:.4e} to {high:.4e} m")),
            ("mass", format!("{mass:.4e} kg")),
            ("walls", self.world.walls.len().to_string()),
            ("memory", format!("about {:.1} MB", memory::<D>(self.world.bodies.len()) / 1e6)),
            ("time step", format!("{dt:.3e} s")),
        ];
        let gravity = self.world.gravity.norm();
        if gravity > 0.0 && low.is_finite() {
            // a grain that has fallen through its own diameter moves a twentieth of its radius in a step
            let suggested = 0.05 * low / (2.0 * gravity * 2.0 * low).sqrt();
            lines.push((
                "suggested time step",
                format!("{suggested:.1e} s (a grain fallen through its diameter moves 5 % of its radius)"),
            ));
        }
        if let Some(end) = self.end() {
            lines.push(("steps", format!("at most {:.0}", end / dt)));
        }
        lines
    }
}

/// Bytes that a run of so many bodies holds: columns, neighbour list, contacts and links at twice a dense packing's count.
fn memory<D: Dim>(bodies: usize) -> f64 {
    use crate::body::{Inertia, Pose, Twist};
    use crate::contact::{Contact, Memory};
    use crate::method::cd::link::Link;
    let contacts_per_grain = 2 * D::DIMENSION;
    let body = size_of::<Pose<D>>() + 5 * size_of::<Twist<D>>() + size_of::<Inertia<D>>() + 64;
    let contact = size_of::<Contact<D>>() * 2 + size_of::<Memory<D>>() * 2 + size_of::<Link<D>>() + 8;
    (bodies * (body + contacts_per_grain * contact)) as f64
}

/// A simulation of a scenario of either dimension, not recorded. Files count from `folder`.
pub fn open(scenario: &AnyScenario, folder: &Path) -> Result<Box<dyn Run>, Mistakes> {
    Ok(match scenario {
        AnyScenario::Plane(scenario) => Box::new(Simulation::new(scenario, folder)?),
        AnyScenario::Space(scenario) => Box::new(Simulation::new(scenario, folder)?),
    })
}

/// A simulation of a scenario of either dimension, recorded in `out`.
pub fn start(scenario: &AnyScenario, folder: &Path, out: &Path, force: bool) -> Result<Box<dyn Run>, RunError> {
    fn started<D: Dim>(
        scenario: &Scenario<D>,
        folder: &Path,
        out: &Path,
        force: bool,
    ) -> Result<Box<dyn Run>, RunError> {
        let mut simulation = Simulation::new(scenario, folder)?;
        simulation.record(out, force, folder)?;
        Ok(Box::new(simulation))
    }
    match scenario {
        AnyScenario::Plane(scenario) => started(scenario, folder, out, force),
        AnyScenario::Space(scenario) => started(scenario, folder, out, force),
    }
}

/// The simulation of a run folder, as its checkpoint has it.
pub fn resume(folder: RunFolder) -> Result<Box<dyn Run>, RunError> {
    match AnyScenario::read(&folder.scenario(), &[])? {
        AnyScenario::Plane(scenario) => Ok(Box::new(Simulation::resume(&scenario, folder)?)),
        AnyScenario::Space(scenario) => Ok(Box::new(Simulation::resume(&scenario, folder)?)),
    }
}
