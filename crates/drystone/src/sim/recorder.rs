//! Writing a simulation into its run folder, and going on from there.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{RunError, Simulation};
use crate::dim::Dim;
use crate::input::Reader;
use crate::lab::{SeriesMeasure, Setting};
use crate::measure::{Column, track};
use crate::method::{Event, Kind, StepReport};
use crate::record::aside::write_aside;
use crate::record::checkpoint;
use crate::record::schedule::Schedule;
use crate::record::series::Series;
use crate::record::{Frame, RunFolder, frame_files};
use crate::scenario::Scenario;
use crate::scenario::grains::Place;

/// Writes a simulation into its folder.
pub(super) struct Recorder {
    folder: RunFolder,
    series: Series,
    events: Option<Series>,
    measures: Vec<SeriesMeasure>,
    setting: Setting,
    /// The frame of the start, if a measure of the series counts from it.
    first: Option<Frame>,
    track: Vec<String>,
    frames: Schedule,
    rows: Schedule,
    has_frames: bool,
    every: Duration,
    saved: Instant,
}

impl Recorder {
    fn new<D: Dim>(scenario: &Scenario<D>, folder: RunFolder, series: Series, events: Option<Series>) -> Recorder {
        let output = &scenario.output;
        Recorder {
            folder,
            series,
            events,
            measures: output.series.clone(),
            setting: scenario.setting(),
            first: None,
            track: output.track.iter().map(|name| name.value.clone()).collect(),
            frames: Schedule::every(output.frames.map(|every| *every)),
            rows: Schedule::every(output.series_every.map(|every| *every)),
            has_frames: output.frames.is_some(),
            every: Duration::try_from_secs_f64(*output.checkpoint).unwrap_or(Duration::MAX),
            saved: Instant::now(),
        }
    }

    /// Whether a measure of the series looks at frames.
    fn looks_at_frames(&self) -> bool {
        self.measures.iter().any(|measure| matches!(measure, SeriesMeasure::Frame(_)))
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
    /// Makes the run folder and writes the scenario, the first frame and the first checkpoint.
    pub fn record(&mut self, path: &Path, force: bool, inputs: &Path) -> io::Result<()> {
        let folder = RunFolder::create(path, force)?;
        let scenario = keep_inputs(&self.scenario, &folder, inputs)?;
        write_aside(&folder.scenario(), |out| io::Write::write_all(out, scenario.to_toml().as_bytes()))?;
        let series = Series::create(&folder.series(), &Recorder::columns(&scenario))?;
        let events = has_events(&scenario).then(|| Series::create(&folder.events(), &event_columns())).transpose()?;
        self.progress.events_length = events.as_ref().map_or(0, |events| events.length);
        self.recorder = Some(Recorder::new(&scenario, folder, series, events));
        self.write_row(&StepReport::default())?;
        self.write_frame(&StepReport::default())?;
        self.save()
    }

    /// Opens a run folder and goes on from its checkpoint.
    pub fn resume(scenario: &Scenario<D>, folder: RunFolder) -> Result<Simulation<D>, RunError> {
        // rods, springs and names follow from the scenario as it was at the start
        let has_names = scenario.grains.iter().any(|group| group.name.is_some());
        let world = if has_names { scenario.build(folder.path())? } else { scenario.stage_world() };
        let mut simulation = Simulation::with_world(scenario, world);
        simulation.progress = checkpoint::load(&folder.checkpoint(), &mut simulation.world)?;
        simulation.take_up_stages();
        let series = Series::reopen(&folder.series(), simulation.progress.series_length)?;
        frame_files::remove_from(&folder.frames(), simulation.progress.frames.len())?;
        let events = || Series::reopen(&folder.events(), simulation.progress.events_length);
        let events = has_events(scenario).then(events).transpose()?;
        let mut recorder = Recorder::new(scenario, folder, series, events);
        if recorder.looks_at_frames() {
            recorder.first = Some(frame_files::read(&recorder.folder.frames(), 0)?);
        }
        simulation.recorder = Some(recorder);
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
        let frame = recorder
            .looks_at_frames()
            .then(|| Frame::of(&self.world, self.method.time_step(), &self.method.terms(), step));
        if self.progress.rows == 0 {
            recorder.first.clone_from(&frame);
        }
        let mut row = vec![self.world.clock.time, self.world.clock.step as f64, step.sweeps as f64, step.residual];
        let (first, setting) = (recorder.first.as_ref(), &recorder.setting);
        let sample = |measure: &SeriesMeasure| measure.sample(&self.world, frame.as_ref(), first, setting);
        row.extend(recorder.measures.iter().flat_map(sample));
        row.extend(recorder.track.iter().flat_map(|name| track::sample(&self.world, name)));
        recorder.series.push(&row)?;
        self.progress.rows += 1;
        self.progress.series_length = recorder.series.length;
        Ok(())
    }

    /// Writes down what happened to contacts in a step.
    pub(super) fn write_events(&mut self, happened: &[Event]) -> io::Result<()> {
        self.progress.report.events += happened.len() as u64;
        let Some(events) = self.recorder.as_mut().and_then(|recorder| recorder.events.as_mut()) else { return Ok(()) };
        for Event { time, what, between: [a, b] } in happened {
            events.push_words(&[&time.to_string(), *what, a, b])?;
        }
        self.progress.events_length = events.length;
        Ok(())
    }

    fn write_frame(&mut self, step: &StepReport) -> io::Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let frame = Frame::of(&self.world, self.method.time_step(), &self.method.terms(), step);
        frame_files::write(&recorder.folder.frames(), self.progress.frames.len(), &frame, true)?;
        self.progress.frames.push(self.world.clock.time);
        self.write_collection()
    }

    fn write_collection(&self) -> io::Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let entries: Vec<(f64, usize)> = self.progress.frames.iter().copied().zip(0..).collect();
        frame_files::write_collection(&recorder.folder.collection(), &entries)
    }

    pub(super) fn write_due(&mut self, step: &StepReport) -> io::Result<()> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let (time, dt) = (self.world.clock.time, self.method.time_step());
        let row_due = recorder.rows.is_due(self.progress.rows, time, dt);
        let frame_due = recorder.has_frames && recorder.frames.is_due(self.progress.frames.len() as u64, time, dt);
        let finished = self.progress.finished;
        if row_due || frame_due || finished {
            self.method.publish(&mut self.world);
        }
        if row_due || finished {
            self.write_row(step)?;
        }
        if frame_due || finished {
            self.write_frame(step)?;
        }
        Ok(())
    }

    /// Writes a checkpoint if it is time, and the report at the end.
    pub(super) fn save_due(&mut self) -> io::Result<()> {
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
    pub(super) fn keep_stage(&mut self) -> io::Result<()> {
        self.method.publish(&mut self.world);
        let Some(recorder) = &self.recorder else { return Ok(()) };
        let stage = self.progress.stage_starts.len() - 1;
        let path = recorder.folder.stage(stage);
        let folder = path.parent().unwrap_or(&path);
        std::fs::create_dir_all(folder)
            .map_err(|error| io::Error::new(error.kind(), format!("cannot make {}: {error}", folder.display())))?;
        checkpoint::save(&path, &self.world, &self.progress)
    }

    pub(super) fn write_report(&self, state: &str, error: Option<&RunError>) -> io::Result<()> {
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

    pub(super) fn save(&mut self) -> io::Result<()> {
        self.method.publish(&mut self.world);
        self.progress.report.wall_seconds += self.since.elapsed().as_secs_f64();
        self.since = Instant::now();
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        recorder.series.sync()?;
        recorder.events.as_ref().map_or(Ok(()), Series::sync)?;
        checkpoint::save(&recorder.folder.checkpoint(), &self.world, &self.progress)?;
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

/// Copies the files that the scenario places grains from into the run folder, which then stands by itself.
fn keep_inputs<D: Dim>(scenario: &Scenario<D>, folder: &RunFolder, inputs: &Path) -> io::Result<Scenario<D>> {
    let mut kept = scenario.clone();
    if let Some(start) = &mut kept.start {
        let reader = Reader::new(inputs.to_path_buf());
        let Some(source) = start.read_source::<D>(&reader) else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, reader.finish().to_string()));
        };
        source.keep(&folder.inputs().join("start"))?;
        start.from.value = "inputs/start".into();
        start.moving = true; // the copy has the velocities that were taken
    }
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
