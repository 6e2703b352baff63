//! The reference of strains and energy balances: the frame of the beginning of a stage.

use std::io;

use crate::dim::Dim;
use crate::input::nearest;
use crate::method::StepReport;
use crate::record::snapshot::frame_of;
use crate::record::{Frame, RunFolder, checkpoint, frame_files};
use crate::scenario::{AnyScenario, Scenario};
use crate::world::World;

use super::RunError;

/// A frame of a world without its contacts and without the data of the last step, so that it is the same whether the
/// world was just simulated or read from a file.
pub(super) fn origin<D: Dim>(world: &World<D>) -> Frame {
    let mut world = world.clone();
    world.network = Default::default();
    world.scratch = Default::default();
    frame_of(&world, 0.0, &[], &StepReport::default())
}

/// The frame of the end of a stage of a run, counted from 0.
pub(super) fn end_of_stage<D: Dim>(scenario: &Scenario<D>, folder: &RunFolder, stage: usize) -> io::Result<Frame> {
    let mut world = scenario.stage_world();
    checkpoint::load(folder, &folder.stage(stage), &mut world)?;
    Ok(origin(&world))
}

/// The reference frame of a strain that is measured from the beginning of the named stage of a run.
pub fn beginning_of(folder: &RunFolder, scenario: &AnyScenario, stage: &str) -> Result<Frame, RunError> {
    match scenario {
        AnyScenario::Plane(scenario) => find(folder, scenario, stage),
        AnyScenario::Space(scenario) => find(folder, scenario, stage),
    }
}

fn find<D: Dim>(folder: &RunFolder, scenario: &Scenario<D>, name: &str) -> Result<Frame, RunError> {
    let names = || scenario.stage.iter().map(|stage| stage.name.value.as_str());
    match names().position(|stage| stage == name) {
        Some(0) => Ok(frame_files::read(&folder.frames(), 0)?),
        Some(stage) if folder.stage(stage - 1).exists() => Ok(end_of_stage(scenario, folder, stage - 1)?),
        Some(_) => Err(missing(format!("the run has not come to stage `{name}`"))),
        None => {
            let meant = nearest(name, names()).map_or(String::new(), |near| format!(": did you mean `{near}`?"));
            Err(missing(format!("the run has no stage `{name}`{meant}")))
        }
    }
}

fn missing(message: String) -> RunError {
    RunError::File(io::Error::new(io::ErrorKind::NotFound, message))
}
