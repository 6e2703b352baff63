//! A simulation of either dimension, as used by the command line.

use std::io;
use std::path::Path;

use serde_json::Value as Json;

use super::forecast::Forecast;
use super::limits::memory;
use super::{RunError, Simulation};
use crate::dim::{D2, D3, Dim};
use crate::input::Mistakes;
use crate::method::cd::COOLING;
use crate::method::common::compiled::compiled_once;
use crate::method::{StepError, StepReport};
use crate::record::report::Warning;
use crate::record::{Report, RunFolder};
use crate::scenario::{AnyScenario, Scenario};

/// How much a run will make and write; numbers that depend on its end are known if that is.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// Grains, with those that are poured.
    pub grains: u64,
    /// Steps, at most.
    pub steps: Option<f64>,
    /// Rows of the series, at most.
    pub rows: Option<f64>,
    /// Frames, at most.
    pub frames: Option<f64>,
    /// Memory [bytes].
    pub memory: f64,
}

/// A simulation of either dimension, as the command line sees it.
pub trait Run {
    /// Makes one step and writes what is due; `None` once the run has come to its end.
    fn advance(&mut self) -> Result<Option<StepReport>, RunError>;
    /// Makes the run folder `out`, in which the run is recorded from now on. Paths in the scenario are relative to
    /// `inputs`.
    fn record(&mut self, out: &Path, force: bool, inputs: &Path) -> Result<(), RunError>;
    /// Stops before the end: writes a checkpoint and the report, so that the run can be resumed.
    fn interrupt(&mut self) -> io::Result<()>;
    /// Notes in the report that the run failed. The last checkpoint stays as it is.
    fn fail(&mut self, error: &RunError) -> io::Result<()>;
    /// Whether the run has come to its end.
    fn is_over(&self) -> bool;
    /// The report so far.
    fn report(&self) -> &Report;
    /// The complete report, as in `report.json`.
    fn summary(&self) -> Json;
    /// Name of the present stage.
    fn stage_name(&self) -> &str;
    /// Latest time at which the run ends [s], if it is known.
    fn end(&self) -> Option<f64>;
    /// Whether it ends then and not earlier: the clock alone decides.
    fn ends_by_clock(&self) -> bool;
    /// When it is likely to end, by the progress of its rules.
    fn forecast(&self) -> Forecast;
    /// What was chosen or replaced before the first step, in words.
    fn notes(&self) -> Vec<String>;
    /// How much the run will write.
    fn outlook(&self) -> Outlook;
    /// Kinetic energy of all grains and pistons [J].
    fn kinetic_energy(&self) -> f64;
    /// Warnings since the last call: those that are new, or ten times as bad as before.
    fn news(&mut self) -> Vec<Warning>;
    /// Warnings about the world before it runs, as code and message.
    fn hints(&self) -> Vec<(&'static str, String)>;
    /// The lines that `drystone check` prints.
    fn describe(&self) -> Vec<(&'static str, String)>;
}

impl<D: Dim> Simulation<D> {
    /// One step, and what is written after it; nothing if the run is over.
    fn make_step(&mut self) -> Result<Option<StepReport>, RunError> {
        if self.progress.finished {
            return Ok(None);
        }
        self.pour();
        let step = self.method.step(&mut self.world)?;
        self.progress.report.add(&step);
        let cure = self.rigid().and_then(|options| options.accuracy.cure_of_overlaps());
        let report = &self.progress.report;
        let alarms = self.method.alarms().into_iter().chain(report.energy_alarm()).chain(report.overlap_alarm(cure));
        let alarms = alarms.collect();
        let news = self.progress.report.note(alarms);
        self.news.extend(news);
        self.news.extend(self.spoken.news(&self.progress.report));
        self.record_step(&step).map_err(|error| self.or_lost(error))?;
        self.show_observers(&step);
        Ok(Some(step))
    }
}

impl<D: Dim> Run for Simulation<D> {
    fn advance(&mut self) -> Result<Option<StepReport>, RunError> {
        compiled_once!(Simulation::make_step(self) -> Result<Option<StepReport>, RunError>)
    }

    fn record(&mut self, out: &Path, force: bool, inputs: &Path) -> Result<(), RunError> {
        Simulation::record(self, out, force, inputs)
    }

    fn interrupt(&mut self) -> io::Result<()> {
        self.save()?;
        self.write_report("interrupted", None)
    }

    fn fail(&mut self, error: &RunError) -> io::Result<()> {
        if let RunError::Step(StepError::Accumulation { .. }) = error {
            self.save()?; // another method can go on from here
        }
        self.write_report("failed", Some(error))
    }

    fn is_over(&self) -> bool {
        self.progress.finished
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
        let start = self.progress.stage_starts.last().copied().unwrap_or(0.0);
        let stages = &self.stages[self.progress.stage_starts.len() - 1..];
        // behind a stage without a latest time nothing is known
        let end = stages.iter().try_fold(start, |start, stage| stage.latest(start));
        self.scenario.stop.latest(0.0).into_iter().chain(end).reduce(f64::min)
    }

    fn ends_by_clock(&self) -> bool {
        let start = self.progress.stage_starts.last().copied().unwrap_or(0.0);
        let stages = &self.stages[self.progress.stage_starts.len() - 1..];
        let earliest = stages.iter().fold(start, |start, stage| stage.earliest(start));
        let stop = if self.scenario.stop.has_rule() { self.scenario.stop.earliest(0.0) } else { f64::INFINITY };
        Some(earliest.min(stop)) == self.end()
    }

    fn forecast(&self) -> Forecast {
        self.foresee()
    }

    fn notes(&self) -> Vec<String> {
        self.scenario
            .replaced()
            .into_iter()
            .chain(self.time_step_note())
            .chain(self.rows_note())
            .chain(self.record_notes())
            .collect()
    }

    fn outlook(&self) -> Outlook {
        let (dt, end, output) = (self.method.time_step(), self.end(), &self.scenario.output);
        // those of the start, and the last ones in any case; a quotient that is whole but for rounding is whole
        let due = |every: f64| end.map(|end| (end / every.max(dt) * (1.0 - 1e-12)).ceil() + 1.0);
        let poured: u64 = self.scenario.poured().filter_map(|(_, group, _)| group.count).sum();
        Outlook {
            grains: self.world.grains().len() as u64 + poured,
            steps: end.map(|end| (end / dt).round()),
            rows: due(output.series_every.time().unwrap_or(0.0)),
            frames: output.frames.map_or(Some(2.0), |every| due(*every)),
            memory: memory::<D>((self.world.bodies.len() as u64 + poured) as f64),
        }
    }

    fn kinetic_energy(&self) -> f64 {
        self.world.kinetic_energy()
    }

    fn news(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.news)
    }

    fn hints(&self) -> Vec<(&'static str, String)> {
        let known = self.progress.report.alarms.iter().map(|alarm| (alarm.code, alarm.message.clone()));
        self.hints.iter().cloned().chain(known).collect()
    }

    fn describe(&self) -> Vec<(&'static str, String)> {
        let bodies = &self.world.bodies;
        let movable = || self.world.free_grains();
        let count = movable().count();
        let fixed = self.world.grains().len() - count;
        let mass: f64 = movable().map(|k| bodies.inertia[k].mass()).sum();
        let radii = || self.world.grains().map(|k| bodies.shape[k].radius());
        let (low, high) = (radii().fold(f64::INFINITY, f64::min), radii().fold(0.0, f64::max));
        let dt = self.method.time_step();
        let poured: u64 = self.scenario.poured().filter_map(|(_, group, _)| group.count).sum();
        let mut grains = count.to_string();
        if fixed > 0 {
            grains += &format!(" and {fixed} held in place");
        }
        if poured > 0 {
            grains += &format!(", {poured} to be poured");
        }
        let mut lines = vec![("title", self.scenario.title.clone()), ("grains", grains)];
        if !self.world.grains().is_empty() {
            lines.push(("radii", format!("{low:.4e} to {high:.4e} m")));
            lines.push(("mass", format!("{mass:.4e} kg")));
        }
        lines.push(("walls", self.world.setup.walls.len().to_string()));
        match &self.advice {
            Some(advice) if advice.is_taken => lines.push(("time step", format!("{dt:.3e} s: {}", advice.reason))),
            Some(advice) => {
                lines.push(("time step", format!("{dt:.3e} s")));
                lines.push(("suggested time step", format!("{:.1e} s: {}", advice.dt, advice.reason)));
            }
            None => lines.push(("time step", format!("{dt:.3e} s"))),
        }
        if let Some((code, warning)) = self.time_step_warning() {
            lines.push((if code == "W211" { "warning[W211]" } else { "warning[W213]" }, warning));
        }
        for cooling in self.progress.report.alarms.iter().filter(|alarm| alarm.code == COOLING) {
            lines.push(("warning[W241]", cooling.message.clone()));
        }
        if let Some(sweeps) = self.rigid().and_then(|cd| cd.pseudo_elasticity()) {
            let (m, d) = (mass / count.max(1) as f64, low + high);
            let (stiffness, speed) = sweeps.of(m, d, dt);
            lines
                .push(("grains act as springs", format!("stiffness {stiffness:.3e} N/m, sound speed {speed:.3e} m/s")));
        }
        let notes = self.scenario.replaced().into_iter().chain(self.rows_note()).chain(self.record_notes());
        lines.extend(notes.map(|note| ("note", note)));
        lines
    }
}

/// A simulation of a scenario of either dimension, not recorded. Paths of files are relative to `folder`.
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

/// The simulation of a run folder, in the state of its checkpoint.
pub fn resume(folder: RunFolder) -> Result<Box<dyn Run>, RunError> {
    match AnyScenario::read(&folder.scenario(), &[])? {
        AnyScenario::Plane(scenario) => Ok(Box::new(Simulation::resume(&scenario, folder)?)),
        AnyScenario::Space(scenario) => Ok(Box::new(Simulation::resume(&scenario, folder)?)),
    }
}
