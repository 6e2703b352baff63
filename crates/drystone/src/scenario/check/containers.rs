//! Warnings about walls: meshes that are open or of another size than the grains, gates that stay shut.

use crate::dim::Dim;
use crate::drive::{Drive, Stillness};
use crate::input::Span;
use crate::scenario::{Scenario, WallSpec};
use crate::wall::{Mesh, Surface};

/// A mesh that is so many times larger than the smallest grain is probably in the wrong unit.
const LARGE: f64 = 1e6;

type Warning = (&'static str, Span, String, String);

/// Warnings about the walls, before the run.
pub(in crate::scenario) fn warnings<D: Dim>(scenario: &Scenario<D>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for wall in &scenario.wall {
        if let Surface::Mesh(mesh) = &*wall.surface {
            warnings.extend(open(mesh));
            warnings.extend(size(mesh, scenario));
        }
        warnings.extend(shut(wall, scenario));
    }
    warnings
}

fn open<D: Dim>(mesh: &Mesh<D>) -> Option<Warning> {
    let edges = mesh.open_edges()?;
    let message = format!("the mesh has {edges}: it is a thin sheet with a rim");
    let help = "close the mesh if it should have an inside, and write grains = \"inside\" or \"outside\"";
    Some(("W141", mesh.file.at.clone(), message, help.into()))
}

fn size<D: Dim>(mesh: &Mesh<D>, scenario: &Scenario<D>) -> Option<Warning> {
    let [low, high] = mesh.bounds();
    let across = (high - low).max_element();
    let ranges = || scenario.grains.iter().filter_map(|group| group.shape.range());
    let (small, large) =
        (ranges().map(|r| r.0).fold(f64::INFINITY, f64::min), ranges().map(|r| r.1).fold(0.0, f64::max));
    let message = match across {
        _ if across < 2.0 * large => format!("the mesh is {across} m across, and a grain {} m", 2.0 * large),
        _ if across > LARGE * 2.0 * small => format!("the mesh is {across} m across, and a grain {} m", 2.0 * small),
        _ => return None,
    };
    let help = "check `unit`, the length of one in the file: \"1 mm\" for most drawings";
    Some(("W142", mesh.file.at.clone(), message, help.into()))
}

/// Warns of a gate, by its name, that no stage opens.
fn shut<D: Dim>(wall: &WallSpec<D>, scenario: &Scenario<D>) -> Option<Warning> {
    let stays = |drive: &Drive<D>| matches!(drive, Drive::Still(Stillness::Fixed));
    let drives =
        scenario.stage.iter().flat_map(|stage| &stage.drive.0).filter(|(name, _)| name.value == wall.name.value);
    let is_gate = wall.name.value.split(['_', ' ', '-']).any(|word| word == "gate");
    if !is_gate || !stays(&wall.drive) || !drives.map(|(_, drive)| drive).all(stays) {
        return None;
    }
    let message = format!("the gate \"{}\" never opens: no stage opens or moves it", wall.name.value);
    let help = format!("write drive = {{ {} = \"open\" }} in the stage in which grains should flow", wall.name.value);
    Some(("W143", wall.name.at.clone(), message, help))
}
