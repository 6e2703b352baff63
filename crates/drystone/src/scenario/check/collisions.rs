//! What event-driven dynamics does not have: everything but free flight and collisions of disks and spheres.

use crate::dim::{Dim, Vector};
use crate::drive::{Drive, Signal};
use crate::input::quantity::Acceleration;
use crate::input::{Node, Reader, Span, Value};
use crate::scenario::check::{readable, refuse_links, scratch};
use crate::scenario::schema::grains::{GrainGroup, GrainShape};
use crate::scenario::schema::stage::Stage;
use crate::scenario::{ContactLaw, WallSpec};
use crate::wall::Surface;

/// Says that the method has no such thing, and which has.
fn refuse(reader: &Reader, at: &Span, what: &str, help: &str) {
    reader.mistake::<()>("E045", at, format!("the method \"ed\" has no {what}"), help);
}

const OTHERS: &str = "take the method \"cd\" or \"md\", or leave it out";

/// Reports whatever is more than free flight between collisions.
pub(super) fn check<D: Dim>(tree: &Node, reader: &Reader) {
    refuse_links("ed", tree, reader);
    for (key, what) in [("tilt", "ground that tilts"), ("load", "loads on grains"), ("build", "blocks")] {
        if let Some(node) = tree.get(key) {
            refuse(reader, node.items().first().map_or(&node.at, |first| &first.at), what, OTHERS);
        }
    }
    check_grains::<D>(tree, reader);
    for wall in readable::<WallSpec<D>>(tree, "wall", reader) {
        check_wall(&wall, reader);
    }
    for stage in readable::<Stage<D>>(tree, "stage", reader) {
        for (name, drive) in &stage.drive.0 {
            check_drive(drive, &name.at, reader);
        }
    }
    check_laws(tree, reader);
    check_cell(tree, reader);
    check_rules(tree, reader);
}

fn check_grains<D: Dim>(tree: &Node, reader: &Reader) {
    let nodes = tree.get("grains").map_or(&[][..], Node::items);
    for group in readable::<GrainGroup<D>>(tree, "grains", reader) {
        if !matches!(group.shape, GrainShape::Disk(_) | GrainShape::Sphere(_)) {
            refuse(reader, &group.span, "other grains than disks and spheres", OTHERS);
        }
    }
    let stages = tree.get("stage").map_or(&[][..], Node::items).iter().filter_map(|stage| stage.get("set"));
    let falls = std::iter::once(tree).chain(stages).filter_map(|node| node.get("gravity")).any(|gravity| {
        Acceleration::<D>::read(gravity, &scratch(reader)).is_some_and(|gravity| gravity.0 != D::Vec::ZERO)
    });
    let is_fixed = |node: &&Node| node.get("fixed").and_then(|fixed| bool::read(fixed, &scratch(reader))) == Some(true);
    if let Some(node) = nodes.iter().find(is_fixed).and_then(|node| node.get("fixed")).filter(|_| falls) {
        let what = "grains that are held in place under gravity: a flight past them has no formula for its end";
        refuse(reader, &node.at, what, "take walls, or the method \"cd\" or \"md\"");
    }
}

fn check_wall<D: Dim>(wall: &WallSpec<D>, reader: &Reader) {
    match &*wall.surface {
        Surface::Plane(plane) if plane.rough.is_none() => {}
        Surface::Cuboid(_) => {}
        Surface::Plane(_) => refuse(reader, &wall.span, "rough planes", "leave `rough` out, or take \"cd\" or \"md\""),
        other => {
            let what = format!("walls of kind \"{}\"", other.kind());
            refuse(reader, &wall.span, &what, "take planes and boxes, or the method \"cd\" or \"md\"");
        }
    }
    check_drive(&wall.drive, &wall.span, reader);
}

fn check_drive<D: Dim>(drive: &Drive<D>, at: &Span, reader: &Reader) {
    if !matches!(drive, Drive::Still(_) | Drive::Velocity(Signal::Constant(_))) {
        let what = "walls that are driven otherwise than by a constant velocity";
        refuse(reader, at, what, "write drive = { velocity = [..] } with numbers, or take the method \"cd\" or \"md\"");
    }
}

fn check_laws(tree: &Node, reader: &Reader) {
    for node in tree.get("contact").map_or(&[][..], Node::items) {
        if ContactLaw::read(node, &scratch(reader)).is_none() {
            continue;
        }
        for written in ["rolling", "torsion", "cohesion"].iter().filter_map(|key| node.get(key)) {
            refuse(reader, &written.at, &format!("`{}`: its contacts last no time", written.path), OTHERS);
        }
    }
}

fn check_cell(tree: &Node, reader: &Reader) {
    let stages = tree.get("stage").map_or(&[][..], Node::items);
    let cells = tree.get("cell").into_iter().chain(stages.iter().filter_map(|stage| stage.get("cell")));
    for written in cells.flat_map(|cell| ["shear", "stress", "stretch"].map(|key| cell.get(key))).flatten() {
        refuse(reader, &written.at, "cells that change", OTHERS);
    }
    if let Some(grow) = stages.iter().find_map(|stage| stage.get("grow")) {
        refuse(reader, &grow.at, "grains that grow", OTHERS);
    }
}

/// Rules that look at forces of contacts would never be met.
fn check_rules(tree: &Node, reader: &Reader) {
    let stages = tree.get("stage").map_or(&[][..], Node::items);
    let rules = tree.get("stop").into_iter().chain(stages.iter().filter_map(|stage| stage.get("until")));
    for rules in rules {
        let all = rules.get("all").map_or(&[][..], Node::items);
        let of = |node: &Node| ["unbalanced", "pressure"].into_iter().find_map(|key| node.get(key).cloned());
        for written in std::iter::once(rules).chain(all).filter_map(of) {
            refuse(reader, &written.at, "forces that a rule could look at", "end by `at`, `after` or `at_rest`");
        }
    }
}
