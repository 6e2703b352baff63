//! Recording a simulation in its run folder, and resuming from it.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::inputs::Inputs;
use super::origins::{end_of_stage, origin};
use super::{RunError, Simulation};
use crate::dim::Dim;
use crate::measure::frame::Setting;
use crate::measure::{Column, Recorded, track};
use crate::method::{Event, Kind, StepError, StepReport};
use crate::record::aside::{write_aside, write_digested};
use crate::record::checkpoint::{self, Progress};
use crate::record::digest::Digest;
use crate::record::frame_writer::{FrameWriter, Written};
use crate::record::lock::Lock;
use crate::record::report::Ended;
use crate::record::schedule::Schedule;
use crate::record::series::Series;
use crate::record::snapshot::frame_of;
use crate::record::{Frame, RunFolder, frame_files, seal};
use crate::scenario::Scenario;

/// Writes a simulation into its folder.
pub(super) struct Recorder {
    folder: RunFolder,
    lock: Lock,
    /// Digest of the last checkpoint.
    checkpoint: Option<Digest>,
    series: Series,
    events: Option<Series>,
    measures: Vec<Recorded>,
    setting: Setting,
    /// The first frame, if the series has a measure of frames.
    first: Option<Frame>,
    /// Name of the first stage: measures since this stage refer to the first frame.
    first_stage: String,
    /// Frames of the beginnings of later stages to which measures refer.
    origins: Vec<(String, Frame)>,
    track: Vec<String>,
    writer: FrameWriter,
    frames: Schedule,
    rows: Schedule,
    has_frames: bool,
    every: Duration,
    saved: Instant,
    /// Step after which the last row was written.
    row_step: u64,
}

impl Recorder {
    fn new<D: Dim>(
        scenario: &Scenario<D>,
        folder: RunFolder,
        lock: Lock,
        series: Series,
        events: Option<Series>,
    ) -> Recorder {
        let output = &scenario.output;
        Recorder {
            writer: FrameWriter::new(&folder),
            folder,
            lock,
            checkpoint: None,
            series,
            events,
            measures: output.series.clone(),
            setting: scenario.setting(),
            first: None,
            first_stage: scenario.stage.first().map_or(String::new(), |stage| stage.name.value.clone()),
            origins: Vec::new(),
            track: output.track.iter().map(|name| name.value.clone()).collect(),
            frames: Schedule::every(output.frames.map(|every| *every)),
            rows: Schedule::every(output.series_every.time()),
            has_frames: output.frames.is_some(),
            every: Duration::try_from_secs_f64(*output.checkpoint).unwrap_or(Duration::MAX),
            saved: Instant::now(),
            row_step: 0,
        }
    }

    /// Whether a measure of the series needs frames.
    fn looks_at_frames(&self) -> bool {
        self.measures.iter().any(|measure| measure.is_of_frame())
    }

    /// The frame to which a measure refers, if it was there already.
    fn first_of(&self, measure: &Recorded) -> Option<&Frame> {
        match measure.since().filter(|stage| stage.value != self.first_stage) {
            None => self.first.as_ref(),
            Some(stage) => self.origins.iter().find(|(name, _)| *name == stage.value).map(|(_, frame)| frame),
        }
    }

    /// Whether a measure refers to the beginning of a stage.
    fn looks_back_to(&self, stage: &str) -> bool {
        self.measures.iter().any(|measure| measure.since().is_some_and(|since| since.value == stage))
    }

    fn columns<D: Dim>(scenario: &Scenario<D>) -> Vec<Column> {
        let output = &scenario.output;
        let own = [("time", "s"), ("step", "1"), ("sweeps", "1"), ("residual", "1")];
        let own = own.into_iter().map(|(name, unit)| Column::new(name, unit));
        let setting = scenario.setting();
        let measured = output.series.iter().flat_map(|measure| measure.columns::<D>(&setting));
        own.chain(measured).chain(output.track.iter().flat_map(|name| track::columns::<D>(name))).collect()
    }
}

impl<D: Dim> Simulation<D> {
    /// Columns of the series: those of the scenario, then those of measures that the program added.
    fn series_columns(&self, scenario: &Scenario<D>) -> Vec<Column> {
        let own = self.extensions.measures.iter().flat_map(|measure| measure.columns());
        Recorder::columns(scenario).into_iter().chain(own).collect()
    }

    /// Makes the run folder and writes the scenario, the first frame and the first checkpoint.
    pub fn record(&mut self, path: &Path, force: bool, inputs: &Path) -> Result<(), RunError> {
        let inputs = Inputs::read(&self.scenario, inputs)?; // they may be in the folder that is replaced
        let (folder, lock) = RunFolder::create(path, force)?;
        let scenario = inputs.keep(&self.scenario, &folder, &mut self.progress.files)?;
        let text = scenario.to_toml();
        let digest = write_digested(&folder.scenario(), |out| io::Write::write_all(out, text.as_bytes()))?;
        self.progress.files.note("scenario.toml", digest);
        let columns = self.series_columns(&scenario);
        let series = Series::create(&folder.series(), &columns)?;
        let events = has_events(&scenario).then(|| Series::create(&folder.events(), &event_columns())).transpose()?;
        self.progress.events_length = events.as_ref().map_or(0, |events| events.length);
        self.tell_unlocked(&lock, path);
        self.recorder = Some(Recorder::new(&scenario, folder, lock, series, events));
        self.write_row(&StepReport::default())?;
        self.write_frame(&StepReport::default())?;
        Ok(self.save()?)
    }

    fn tell_unlocked(&mut self, lock: &Lock, folder: &Path) {
        if !lock.is_kept {
            let message =
                format!("{} is on a file system without locks: do not start another run there", folder.display());
            self.tell("W252", message);
        }
    }

    /// Opens a run folder and resumes from its checkpoint.
    pub fn resume(scenario: &Scenario<D>, folder: RunFolder) -> Result<Simulation<D>, RunError> {
        let lock = Lock::take(folder.path())?;
        // rods, springs, loads and names come from the scenario as it was at the start
        let has_names = scenario.grains.iter().any(|group| group.name.is_some())
            || scenario.build.iter().any(|build| build.name().is_some())
            || scenario.start.is_some();
        let world = if has_names { scenario.build(folder.path())? } else { scenario.stage_world() };
        let mut simulation = Simulation::with_world(scenario, world);
        simulation.progress = checkpoint::load(&folder, &folder.checkpoint(), &mut simulation.world)?;
        let stages = 1..=simulation.stages.len();
        let is_staged = stages.contains(&simulation.progress.stage_starts.len());
        let flaw = simulation.world.flaw().or((!is_staged).then(|| "it names a stage that does not exist".into()));
        if let Some(flaw) = flaw {
            let message = format!("cannot read {}: {flaw}", folder.checkpoint().display());
            return Err(io::Error::new(io::ErrorKind::InvalidData, message).into());
        }
        simulation.take_up_stages();
        simulation.method.recall_counts(&simulation.progress.counts);
        simulation.tell_unlocked(&lock, folder.path());
        let series =
            simulation.take_up(&folder.series(), &Recorder::columns(scenario), |progress| progress.series_length)?;
        let events = has_events(scenario)
            .then(|| simulation.take_up(&folder.events(), &event_columns(), |progress| progress.events_length))
            .transpose()?;
        frame_files::remove_from(&folder.frames(), simulation.progress.frames.len())?;
        let mut recorder = Recorder::new(scenario, folder, lock, series, events);
        recorder.checkpoint = Some(Digest::of_file(&recorder.folder.checkpoint(), None)?);
        if recorder.looks_at_frames() {
            recorder.first = Some(frame_files::read(&recorder.folder.frames(), 0)?);
            for stage in 1..simulation.progress.stage_starts.len() {
                let name = simulation.stages[stage].name.value.clone();
                if recorder.looks_back_to(&name) {
                    let frame = end_of_stage(scenario, &recorder.folder, stage - 1)?;
                    recorder.origins.push((name, frame));
                }
            }
        }
        simulation.recorder = Some(recorder);
        simulation.write_collection()?;
        if simulation.hints.iter().any(|(code, _)| *code == "W251") {
            simulation.save()?; // the old checkpoint counts rows that are lost
        }
        if simulation.progress.finished {
            simulation.write_report("done", None)?;
        } else {
            simulation.remove_report()?; // it describes an earlier moment
        }
        Ok(simulation)
    }

    /// A table to which the run appends. If it is missing, a new one is begun, with a warning.
    fn take_up(&mut self, path: &Path, columns: &[Column], length: fn(&Progress) -> u64) -> io::Result<Series> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.exists() {
            return Series::reopen(path, length(&self.progress), self.progress.files.get(&name));
        }
        let time = self.world.clock.time;
        self.tell("W251", format!("{name} was removed: its rows up to {time:.6} s are lost, and it is started again"));
        Series::create(path, columns)
    }

    fn write_row(&mut self, step: &StepReport) -> Result<(), RunError> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let frame = recorder
            .looks_at_frames()
            .then(|| frame_of(&self.world, self.method.time_step(), &self.method.terms(), step));
        if self.progress.rows == 0 {
            recorder.first.clone_from(&frame);
        }
        let mut row = vec![self.world.clock.time, self.world.clock.step as f64, step.sweeps as f64, step.residual];
        let setting = &recorder.setting;
        for measure in &recorder.measures {
            let numbers = measure.sample(&self.world, frame.as_ref(), recorder.first_of(measure), setting);
            // a frame without anything to measure has no number; measures of the world always have one
            let wrong = numbers.iter().position(|number| !number.is_finite());
            if let (false, Some(wrong)) = (measure.is_of_frame(), wrong) {
                let column = measure.columns::<D>(setting)[wrong].header();
                return Err(StepError::NotMeasured { column, step: self.world.clock.step }.into());
            }
            row.extend(numbers);
        }
        row.extend(recorder.track.iter().flat_map(|name| track::sample(&self.world, name)));
        row.extend(self.extensions.measures.iter().flat_map(|measure| measure.sample(&self.world)));
        recorder.series.push(&row)?;
        recorder.row_step = self.world.clock.step;
        self.progress.rows += 1;
        self.progress.series_length = recorder.series.length;
        Ok(())
    }

    /// Writes down what happened to contacts in a step.
    fn write_events(&mut self, happened: &[Event]) -> io::Result<()> {
        self.progress.report.events += happened.len() as u64;
        let Some(events) = self.recorder.as_mut().and_then(|recorder| recorder.events.as_mut()) else { return Ok(()) };
        for Event { time, what, between: [a, b] } in happened {
            events.push_words(&[&time.to_string(), *what, a, b])?;
        }
        self.progress.events_length = events.length;
        Ok(())
    }

    /// Takes a frame; it is written beside the run.
    fn write_frame(&mut self, step: &StepReport) -> io::Result<()> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        recorder.lock.check()?;
        let frame = frame_of(&self.world, self.method.time_step(), &self.method.terms(), step);
        self.progress.frames.push(self.world.clock.time);
        let written = recorder.writer.write(frame, &self.progress.frames)?;
        self.note_files(written);
        Ok(())
    }

    fn note_files(&mut self, written: Written) {
        written.into_iter().for_each(|(name, digest)| self.progress.files.note(name, digest));
    }

    /// Waits until all frames are written.
    fn complete_frames(&mut self) -> io::Result<()> {
        let written = self.recorder.as_mut().map_or(Ok(Written::new()), |recorder| recorder.writer.finish())?;
        self.note_files(written);
        Ok(())
    }

    fn write_collection(&mut self) -> io::Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let entries: Vec<(f64, usize)> = self.progress.frames.iter().copied().zip(0..).collect();
        let digest = frame_files::write_collection(&recorder.folder.collection(), &entries)?;
        self.progress.files.note(frame_files::COLLECTION, digest);
        Ok(())
    }

    /// Writes what is due after a step, and enters the next stage at the end of one.
    pub(super) fn record_step(&mut self, step: &StepReport) -> Result<(), RunError> {
        if let Some(recorder) = &mut self.recorder {
            let written = recorder.writer.look()?;
            self.note_files(written);
        }
        let happened = self.method.events(&self.world);
        self.write_events(&happened)?;
        let is_over = self.look_at_the_clock(step.max_speed);
        self.write_due(step)?;
        if is_over {
            self.keep_stage()?;
        }
        if is_over && !self.progress.finished {
            let next = &self.stages[self.progress.stage_starts.len()].name.value;
            if let Some(recorder) = self.recorder.as_mut().filter(|recorder| recorder.looks_back_to(next)) {
                recorder.origins.push((next.clone(), origin(&self.world)));
            }
            self.enter_stage();
        }
        self.save_due()?;
        Ok(())
    }

    /// The error that the folder is lost, if it was removed or taken by another run; any other error is then a
    /// consequence.
    pub(super) fn or_lost(&self, error: RunError) -> RunError {
        let lost = self.recorder.as_ref().and_then(|recorder| recorder.lock.check().err());
        lost.map_or(error, RunError::File)
    }

    fn write_due(&mut self, step: &StepReport) -> Result<(), RunError> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let (time, dt) = (self.world.clock.time, self.method.time_step());
        let row_due = recorder.rows.is_due(self.progress.rows, time, dt);
        let frame_due = recorder.has_frames && recorder.frames.is_due(self.progress.frames.len() as u64, time, dt);
        let finished = self.progress.finished;
        if row_due || frame_due || finished {
            self.method.publish_contacts(&mut self.world);
        }
        if row_due || finished {
            self.write_row(step)?;
        }
        if frame_due || finished {
            self.write_frame(step)?;
        }
        Ok(())
    }

    /// Ends the run after the step that was made last, as a rule of the scenario would: with its last row and frame, a
    /// checkpoint and the report.
    pub fn finish(&mut self, why: &str, step: &StepReport) -> Result<(), RunError> {
        if self.progress.finished {
            return Ok(());
        }
        let (stage, time) = (self.stage().name.value.clone(), self.world.clock.time);
        self.progress.report.ended.push(Ended { stage, rule: "program".into(), why: why.into(), time });
        self.progress.finished = true;
        self.method.publish(&mut self.world);
        if self.recorder.as_ref().is_some_and(|recorder| recorder.row_step != self.world.clock.step) {
            self.write_row(step)?;
        }
        if self.progress.frames.last() != Some(&time) {
            self.write_frame(step)?;
        }
        self.keep_stage()?;
        Ok(self.save_due()?)
    }

    /// Writes a checkpoint if it is time, and the report at the end.
    fn save_due(&mut self) -> io::Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        if recorder.saved.elapsed() >= recorder.every || self.progress.finished {
            self.save()?;
        }
        if self.progress.finished {
            self.write_report("done", None)?;
        }
        Ok(())
    }

    /// Keeps the state at the end of a stage, for runs that start from it.
    fn keep_stage(&mut self) -> io::Result<()> {
        self.complete_frames()?; // before the history of all contacts needs its place
        self.method.publish(&mut self.world);
        let Some(recorder) = &self.recorder else { return Ok(()) };
        recorder.lock.check()?;
        let stage = self.progress.stage_starts.len() - 1;
        let path = recorder.folder.stage(stage);
        let folder = path.parent().unwrap_or(&path);
        std::fs::create_dir_all(folder)
            .map_err(|error| io::Error::new(error.kind(), format!("cannot make {}: {error}", folder.display())))?;
        let digest = checkpoint::save(&path, &self.world, &self.progress)?;
        self.progress.files.note(format!("stages/{stage}.npz"), digest);
        Ok(())
    }

    /// Records how long the tables are now.
    fn note_tables(&mut self) {
        let Some(recorder) = &self.recorder else { return };
        self.progress.files.note("series.csv", recorder.series.digest());
        self.progress.series_length = recorder.series.length;
        if let Some(events) = &recorder.events {
            self.progress.files.note("events.csv", events.digest());
            self.progress.events_length = events.length;
        }
    }

    /// Writes the report with the digests of all files, and its seal.
    pub(super) fn write_report(&mut self, state: &str, error: Option<&RunError>) -> io::Result<()> {
        self.complete_frames()?;
        self.note_tables();
        let Some(recorder) = &self.recorder else { return Ok(()) };
        recorder.lock.check()?;
        let mut files = self.progress.files.clone();
        recorder.checkpoint.iter().for_each(|digest| files.note("checkpoint.npz", *digest));
        let Json::Object(mut report) = self.state_json(state, error) else { return Ok(()) };
        report.insert("files".into(), files.to_json());
        let text = seal::sealed_report(report)?;
        write_aside(&recorder.folder.report(), |out| io::Write::write_all(out, text.as_bytes()))?;
        recorder.lock.release()
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

    pub(super) fn save(&mut self) -> io::Result<()> {
        self.complete_frames()?;
        self.method.publish(&mut self.world);
        self.progress.report.wall_seconds += self.since.elapsed().as_secs_f64();
        self.since = Instant::now();
        self.progress.counts = self.method.counts();
        self.note_tables();
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        recorder.lock.check()?;
        recorder.series.sync()?;
        recorder.events.as_ref().map_or(Ok(()), Series::sync)?;
        recorder.checkpoint = Some(checkpoint::save(&recorder.folder.checkpoint(), &self.world, &self.progress)?);
        recorder.saved = Instant::now();
        Ok(())
    }
}

/// Whether a run locates events.
fn has_events<D: Dim>(scenario: &Scenario<D>) -> bool {
    let method = &scenario.method;
    method.r#use.value == Kind::Dae && method.dae.as_ref().is_some_and(|options| options.events)
}

fn event_columns() -> [Column; 4] {
    [("time", "s"), ("event", "1"), ("a", "1"), ("b", "1")].map(|(name, unit)| Column::new(name, unit))
}
