//! What stages change: the scenes of a run, one for each stage.

use std::io;

use serde_json::Value as Json;
use toml::{Table, Value};

use super::scene::{Scene, entries, number};
use drystone_files::record::npz::invalid;

/// The scene of every stage, and the times at which stages ended.
#[derive(Clone, Debug)]
pub(crate) struct Scenes {
    scenes: Vec<Scene>,
    ends: Vec<f64>,
}

impl Scenes {
    /// Scenes of a resolved scenario; the report says when its stages ended.
    pub(crate) fn of(root: Table, report: Option<&Json>) -> io::Result<Scenes> {
        let changes: Vec<Option<Table>> =
            entries(&root, "stage").map(|stage| stage.get("set").and_then(Value::as_table).cloned()).collect();
        let rate = |stage: &Table| match stage.get("grow").and_then(Value::as_table) {
            Some(grow) => number(grow, "rate"),
            None => Ok(0.0),
        };
        let growth: Vec<f64> = entries(&root, "stage").map(rate).collect::<Result<_, _>>().map_err(invalid)?;
        let alters = changes.iter().any(Option::is_some);
        let mut now = root;
        let mut scenes = Vec::new();
        for change in changes.iter().map(Option::as_ref).chain(changes.is_empty().then_some(None)) {
            change.into_iter().for_each(|change| apply(&mut now, change));
            let mut scene = Scene::of(&now).map_err(invalid)?;
            scene.alters = alters;
            scene.growth = growth.get(scenes.len()).copied().unwrap_or_default();
            scenes.push(scene);
        }
        let times = report.and_then(|report| report["stages"].as_array()).map(Vec::as_slice).unwrap_or_default();
        let ends: Vec<f64> = times.iter().filter_map(|stage| stage["time"].as_f64()).collect();
        if (alters || growth.iter().any(|rate| *rate != 0.0)) && report.is_none() {
            return Err(invalid("report.json is not there, and says when stages changed what holds".into()));
        }
        Ok(Scenes { scenes, ends })
    }

    /// The scene at a time. A frame at the end of a stage is one of that stage.
    pub(crate) fn at(&self, time: f64) -> &Scene {
        let stage = self.ends.iter().filter(|end| **end < time).count();
        &self.scenes[stage.min(self.scenes.len() - 1)]
    }

    /// The scene of the start.
    pub(crate) fn first(&self) -> &Scene {
        &self.scenes[0]
    }
}

/// Sets what a stage of a resolved scenario sets: whole laws, and keys of methods.
fn apply(root: &mut Table, change: &Table) {
    if let Some(gravity) = change.get("gravity") {
        root.insert("gravity".into(), gravity.clone());
    }
    for law in entries(change, "contact") {
        let Some(Value::Array(laws)) = root.get_mut("contact") else { continue };
        for known in laws.iter_mut().filter(|known| known.get("between") == law.get("between")) {
            *known = Value::Table(law.clone());
        }
    }
    let Some(Value::Table(methods)) = root.get_mut("method") else { return };
    for (method, keys) in change.get("method").and_then(Value::as_table).into_iter().flatten() {
        let (Some(table), Some(keys)) = (methods.get_mut(method).and_then(Value::as_table_mut), keys.as_table()) else {
            continue;
        };
        table.extend(keys.clone());
    }
}
