//! Checks of how stages end: rules that can never be met, stages that are never reached or may never end.

use crate::dim::Dim;
use crate::drive::Drive;
use crate::input::{Mistake, Node, Reader, Value};
use crate::scenario::WallSpec;
use crate::scenario::build::from::StartFrom;
use crate::scenario::check::{readable, scratch};
use crate::scenario::schema::cell::CellSpec;
use crate::scenario::schema::stage::Stage;
use crate::scenario::schema::until::{Rule, Stop};
use crate::wall::cuboid::check_corners;

/// Reports stages without an end, and rules that name the wrong walls or can never be met.
pub(in crate::scenario) fn check<D: Dim>(tree: &Node, reader: &Reader) {
    let walls = readable::<WallSpec<D>>(tree, "wall", reader);
    let stages = readable::<Stage<D>>(tree, "stage", reader);
    let stop = tree.get("stop").and_then(|node| Stop::read(node, &scratch(reader)));
    if let Some(stop) = &stop {
        stop.check(&walls, reader);
    }
    let rules = stages.iter().map(|stage| &stage.until).chain(&stop).flat_map(Stop::every);
    check_fractions::<D>(&rules.collect::<Vec<_>>(), tree, reader);
    let before = reader.count();
    let mut drives: Vec<Drive<D>> = walls.iter().map(|wall| wall.drive.clone()).collect();
    check_rattlers(stages.first(), tree, reader);
    for stage in &stages {
        stage.until.check(&walls, reader);
        if let Some(region) = stage.remove.as_ref().and_then(|remove| remove.outside.as_ref()) {
            check_corners(&region.min, &region.max, &region.span, reader);
        }
        if !stage.until.has_rule() && stage.limit.is_none() {
            let message = format!("nothing says when the stage \"{}\" ends", stage.name.value);
            reader.mistake::<()>("E015", &stage.span, message, "add limit = \"1 s\"");
        }
        for (name, drive) in &stage.drive.0 {
            if let Some(wall) = walls.iter().position(|wall| wall.name.value == name.value) {
                drives[wall] = drive.clone();
            }
        }
        if reader.count() == before {
            check_motion(stage, &walls, &drives, reader);
        }
    }
}

/// Packing fraction and pressure are defined only in a cell that is periodic along all axes.
fn check_fractions<D: Dim>(rules: &[Rule], tree: &Node, reader: &Reader) {
    let cell = tree.get("cell").and_then(|node| CellSpec::<D>::read(node, &scratch(reader)));
    let is_whole = cell.is_some_and(|cell| cell.periodic.len() == D::DIMENSION);
    for rule in rules.iter().filter(|_| !is_whole) {
        let (at, message) = match rule {
            Rule::SolidFraction(fraction) => (&fraction.at, "this rule needs a cell that repeats along every axis"),
            Rule::Pressure(pressure) => (&pressure.at, "this rule needs a cell that repeats along every axis"),
            _ => continue,
        };
        reader.mistake::<()>("E015", at, message, "write such a [cell], or take another rule");
    }
}

/// Rattlers are known only once there are forces: after a step, or from the end of an earlier run.
fn check_rattlers<D: Dim>(first: Option<&Stage<D>>, tree: &Node, reader: &Reader) {
    let Some(remove) = first.and_then(|stage| stage.remove.as_ref()).filter(|remove| remove.rattlers.is_some()) else {
        return;
    };
    let from = tree.get("start").and_then(|start| StartFrom::read(start, &scratch(reader)));
    if from.is_none_or(|start| start.is_frame(reader)) {
        let message = "no forces are known yet: every grain would count as a rattler";
        let help = "remove rattlers in a later stage, or start from the end of a run or of a stage";
        reader.mistake::<()>("E015", &remove.span, message, help);
    }
}

/// A wall that no drive moves is never displaced.
fn check_motion<D: Dim>(stage: &Stage<D>, walls: &[WallSpec<D>], drives: &[Drive<D>], reader: &Reader) {
    let stands = |name: &str| {
        let wall = walls.iter().position(|wall| wall.name.value == name);
        wall.is_some_and(|wall| matches!(drives[wall], Drive::Still(_) | Drive::Spin(_)))
    };
    let help = "drive the wall in this stage, or remove the rule";
    for rule in stage.until.every() {
        match rule {
            Rule::Displacement(rule) if stands(&rule.wall) => {
                let message =
                    format!("the wall \"{}\" stands still in this stage: it is never displaced", rule.wall.value);
                reader.mistake::<()>("E033", &rule.wall.at, message, help);
            }
            Rule::Strain(rule) if rule.between.iter().all(|name| stands(name)) => {
                let [one, other] = &rule.between;
                let message = format!(
                    "the walls \"{}\" and \"{}\" stand still in this stage: there is no strain between them",
                    one.value, other.value
                );
                reader.mistake::<()>("E033", &one.at, message, help);
            }
            _ => {}
        }
    }
}

/// The first stage that begins only when the run is over, or the gate that should open in it.
fn unreached<D: Dim>(stages: &[Stage<D>], stop: &Stop) -> Option<Mistake> {
    let end = stop.latest(0.0)?;
    let mut start = 0.0;
    for stage in stages {
        if start >= end {
            let gate = stage.drive.0.iter().find(|(_, drive)| drive.is_open()).map(|(gate, _)| gate);
            let (at, message) = match gate {
                Some(gate) => (&gate.at, format!("the gate \"{}\" never opens: the run ends at {end} s", gate.value)),
                None => (
                    &stage.name.at,
                    format!("the stage \"{}\" is never reached: the run ends at {end} s", stage.name.value),
                ),
            };
            let help = format!("the stages before it take {start} s at least: let the run end later in [stop]");
            return Some(Mistake { code: "W117", at: at.clone(), message, help });
        }
        start = stage.earliest(start);
    }
    None
}

/// Warns of stages that might never end, and of one that is never reached.
pub(in crate::scenario) fn warnings<D: Dim>(stages: &[Stage<D>], stop: &Stop) -> Vec<Mistake> {
    let is_bounded = stop.latest(0.0).is_some();
    let endless = |stage: &&Stage<D>| !is_bounded && stage.latest(0.0).is_none() && stage.until.has_rule();
    let warning = |stage: &Stage<D>| {
        let names: Vec<&str> = stage.until.every().iter().map(Rule::name).collect();
        Mistake {
            code: "W116",
            at: stage.name.at.clone(),
            message: format!("the stage \"{}\" may never end: only `{}` ends it", stage.name.value, names.join("`, `")),
            help: "add limit = \"10 s\": the report says whether the rule or the limit ended the stage".into(),
        }
    };
    stages.iter().filter(endless).map(warning).chain(unreached(stages, stop)).collect()
}
