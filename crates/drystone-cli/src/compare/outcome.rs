//! What a case left behind: its series, its report, its frames.

use drystone::measure::frame::Setting;
use drystone::record::{Frame, RunFolder, frame_files};
use drystone::scenario::AnyScenario;
use serde_json::Value as Json;

use super::cases::Case;
use crate::Failure;
use crate::plot::table::Table;
use crate::run::broken;

/// A case that came to its end.
pub(super) struct Outcome<'c> {
    pub case: &'c Case,
    pub series: Table,
    pub report: Json,
    /// CPU time [s].
    pub seconds: f64,
    pub setting: Setting,
    /// Numbers and times of its frames.
    pub frames: Vec<FrameNote>,
    folder: RunFolder,
}

/// A frame that can be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameNote {
    pub number: usize,
    /// Time of the frame [s].
    pub time: f64,
}

/// A stage that ended.
pub(crate) struct StageEnd {
    pub stage: String,
    /// When it ended [s].
    pub time: f64,
    /// Whether the clock ended it, and not what the grains did.
    pub is_by_clock: bool,
}

/// Rules of stages that are clocks.
const CLOCKS: [&str; 3] = ["at", "after", "limit"];

impl<'c> Outcome<'c> {
    /// Reads the files of a case.
    pub(super) fn read(case: &'c Case, seconds: f64) -> Result<Outcome<'c>, Failure> {
        let folder = crate::folder::open(&case.folder)?;
        let text = std::fs::read_to_string(folder.report()).map_err(|error| broken(&error))?;
        let report = serde_json::from_str(&text)
            .map_err(|error| Failure::Run(format!("cannot read {}: {error} [E103]", folder.report().display())))?;
        let dir = folder.frames();
        let mut frames = Vec::new();
        for number in frame_files::numbers(&dir).map_err(|error| broken(&error))? {
            let time = frame_files::read(&dir, number).map_err(|error| broken(&error))?.time;
            frames.push(FrameNote { number, time });
        }
        let setting = match &case.scenario {
            AnyScenario::Plane(scenario) => scenario.setting(),
            AnyScenario::Space(scenario) => scenario.setting(),
        };
        Ok(Outcome { case, series: Table::read(&case.folder)?, report, seconds, setting, frames, folder })
    }

    /// A frame.
    pub(super) fn frame(&self, number: usize) -> Result<Frame, Failure> {
        frame_files::read(&self.folder.frames(), number).map_err(|error| broken(&error))
    }

    /// The frame of the end.
    pub(super) fn last_frame(&self) -> Result<Frame, Failure> {
        match self.frames.last() {
            Some(last) => self.frame(last.number),
            None => Err(Failure::Run(format!("{} has no frames [E103]", self.case.folder.display()))),
        }
    }

    /// Its stages, in their order.
    pub(super) fn stages(&self) -> Vec<StageEnd> {
        stages(&self.report)
    }

    /// When the last stage began [s]: what is measured belongs to it.
    pub(super) fn last_stage(&self) -> f64 {
        let stages = self.stages();
        stages.len().checked_sub(2).map_or(0.0, |before| stages[before].time)
    }

    /// Frames of the last stage.
    pub(super) fn last_frames(&self) -> impl Iterator<Item = &FrameNote> {
        let from = self.last_stage();
        self.frames.iter().filter(move |frame| frame.time > from)
    }

    /// Number of steps.
    pub(super) fn steps(&self) -> f64 {
        self.report["steps"].as_f64().unwrap_or(0.0)
    }

    /// Length of the run on its clock [s].
    pub(super) fn end(&self) -> f64 {
        self.report["time"].as_f64().unwrap_or(0.0)
    }
}

/// The stages that a report tells of, in their order.
pub(crate) fn stages(report: &Json) -> Vec<StageEnd> {
    let ended = |stage: &Json| {
        let is_by_clock = CLOCKS.contains(&stage["rule"].as_str()?);
        Some(StageEnd { stage: stage["stage"].as_str()?.into(), time: stage["time"].as_f64()?, is_by_clock })
    };
    report["stages"].as_array().map_or(Vec::new(), |stages| stages.iter().filter_map(ended).collect())
}
