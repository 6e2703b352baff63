//! The scenario that goes on from the end of a run with changed keys.

use std::path::PathBuf;

use crate::dim::Dim;
use crate::input::Reader;
use crate::input::quantity::Quantity;
use crate::record::RunFolder;
use crate::record::checkpoint::{self, Progress};
use crate::record::coded::coded;
use crate::scenario::build::from::StartFrom;
use crate::scenario::{AnyScenario, Scenario};

use super::{RunError, Simulation};

/// A scenario that goes on from a run.
pub struct Continued {
    /// The scenario.
    pub scenario: AnyScenario,
    /// What starts again, in words.
    pub note: String,
}

/// The scenario of a run from its present stage on, or from its last one if it is over, with `key=value` settings on
/// top. With `after` it goes on from the end of that stage, with the stage that follows it.
///
/// Grains, walls, contacts with their history and the cell are those of the checkpoint. Drives, laws, gravity and
/// parameters are those of the stage. Time begins at zero, and with it the stage, its rules and its signals. Grains
/// that the stage removes at its beginning are already gone; of those to be poured only the rest is.
pub fn continued(folder: &RunFolder, after: Option<&str>, settings: &[String]) -> Result<Continued, RunError> {
    match AnyScenario::read(&folder.scenario(), &[])? {
        AnyScenario::Plane(scenario) => from_here(&scenario, folder, after, settings),
        AnyScenario::Space(scenario) => from_here(&scenario, folder, after, settings),
    }
}

fn from_here<D: Dim>(
    scenario: &Scenario<D>,
    folder: &RunFolder,
    after: Option<&str>,
    settings: &[String],
) -> Result<Continued, RunError> {
    if scenario.tilt.is_some() {
        let message = "the ground of the run tilts with the clock, which begins at zero again: only `drystone resume` goes on with it";
        return Err(refused(message.into()));
    }
    let mut simulation = Simulation::with_world(scenario, scenario.stage_world());
    let state = after.map_or_else(|| Ok(folder.checkpoint()), |name| end_of_stage(scenario, folder, name))?;
    let progress = checkpoint::load(folder, &state, &mut simulation.world)?;
    let (now, clock) = (progress.stage_starts.len().max(1) - 1, simulation.world.clock);
    // a stage that has ended does not begin again, unless none follows
    let is_done = after.is_some() && now + 1 < scenario.stage.len();
    let mut next = scenario.at_stage(now);
    next.grains.retain(|group| group.pour.is_some());
    next.build.clear();
    let path = std::path::absolute(folder.path())?;
    let moment = after.map_or(String::new(), |name| format!("@{name}"));
    next.start = Some(StartFrom::at(format!("{}{moment}", path.display())));
    if let Some(start) = &mut next.start {
        start.origin = Some(format!("{} at {} s", folder.path().display(), clock.time));
    }
    next.drystone = None;
    take_over_drives(&mut next, scenario, now);
    next.stage = scenario.stage.get(now + usize::from(is_done)..).unwrap_or_default().to_vec();
    if let Some(stage) = next.stage.first_mut().filter(|_| !is_done) {
        (stage.set, stage.remove) = (None, None);
        stage.cell = None;
        stage.drive.0.clear();
    }
    pour_the_rest(&mut next, &progress, clock.time);
    let stage =
        next.stage.first().map_or_else(|| "the run".to_string(), |stage| format!("the stage `{}`", stage.name.value));
    let begins = if is_done { "begins" } else { "begins anew" };
    let note = format!("goes on from {} s of the run; time begins at zero, and {stage} {begins}", clock.time);
    let name = folder.scenario().display().to_string();
    let scenario = AnyScenario::parse(&name, &next.to_toml(), settings, Reader::new(folder.path().to_path_buf()))?;
    Ok(Continued { scenario, note })
}

/// The state at the end of a stage.
fn end_of_stage<D: Dim>(scenario: &Scenario<D>, folder: &RunFolder, name: &str) -> Result<PathBuf, RunError> {
    let names = || scenario.stage.iter().map(|stage| stage.name.value.as_str());
    let Some(stage) = names().position(|known| known == name) else {
        let known = names().collect::<Vec<_>>().join(", ");
        return Err(refused(match known.is_empty() {
            true => format!("the run has no stage `{name}`: it has no stages"),
            false => format!("the run has no stage `{name}`; its stages: {known}"),
        }));
    };
    let state = folder.stage(stage);
    match state.exists() {
        true => Ok(state),
        false => Err(refused(format!("the run has not come to the end of its stage `{name}`"))),
    }
}

fn refused(message: String) -> RunError {
    coded(std::io::ErrorKind::InvalidInput, "E032", message).into()
}

/// Gives walls and the cell the drives that the stages up to now have set last.
fn take_over_drives<D: Dim>(next: &mut Scenario<D>, scenario: &Scenario<D>, now: usize) {
    for stage in scenario.stage.iter().take(now + 1) {
        for (name, drive) in &stage.drive.0 {
            for wall in next.wall.iter_mut().filter(|wall| wall.name.value == name.value) {
                wall.drive = drive.clone();
            }
        }
        if let (Some(cell), Some(drive)) = (&mut next.cell, &stage.cell) {
            cell.drive.0 = drive.clone();
        }
    }
}

/// Keeps the grains to be poured that have not been added yet, with their times.
fn pour_the_rest<D: Dim>(next: &mut Scenario<D>, progress: &Progress, time: f64) {
    for (k, group) in next.grains.iter_mut().enumerate() {
        let come = progress.poured.get(k).copied().unwrap_or(0);
        group.count = group.count.map(|count| count - come.min(count));
        if let Some(pour) = &mut group.pour {
            pour.start = Quantity((*pour.start + come as f64 / *pour.rate - time).max(0.0));
        }
    }
    next.grains.retain(|group| group.count != Some(0));
}
