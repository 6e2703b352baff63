//! Checks of grains that deform: which shapes, laws, walls and parameters they support.

use std::collections::HashSet;

use crate::dim::Dim;
use crate::input::{Node, Reader, Value};
use crate::law::Elasticity;
use crate::method::Kind;
use crate::scenario::check::{readable, scratch};
use crate::scenario::schema::grains::{GrainGroup, GrainShape};
use crate::scenario::{ContactLaw, Material};

/// What is written in `[method.cd]` that grains that deform do not support: key, value if only one is refused, and what
/// to write instead.
const PARAMETERS: [(&str, Option<&str>, &str); 4] = [
    ("scheme", Some("midpoint"), "write scheme = \"euler\""),
    ("solver", Some("newton"), "write solver = \"sweeps\""),
    ("start_forces", Some("equilibrium"), "leave `start_forces` out"),
    ("fixed_sweeps", None, "leave `fixed_sweeps` out"),
];

/// Laws of a contact that grains that deform do not support.
const LAWS: [&str; 4] = ["restitution", "rolling", "torsion", "cohesion"];

/// Reports everything beside materials with `elastic` that deforming grains do not support.
pub(super) fn check<D: Dim>(tree: &Node, method: Kind, groups: &[GrainGroup<D>], reader: &Reader) {
    let materials = tree.get("material").map_or(&[][..], Node::items);
    let Some(elastic) = materials.iter().find_map(|material| material.get("elastic")) else { return };
    for written in materials.iter().filter_map(|material| material.get("elastic")) {
        let is_unstable = Elasticity::read(written, &scratch(reader)).is_some_and(|elastic| !elastic.is_stable());
        if let Some(poisson) = written.get("poisson").filter(|_| is_unstable) {
            let message = format!("`{}` must be more than -1 and less than 0.5", poisson.path);
            reader.mistake::<()>("E007", &poisson.at, message, "write poisson = 0.49 if the volume hardly changes");
        }
    }
    if method != Kind::Cd {
        let message = format!("grains deform under the method \"cd\" only: `{}`", elastic.path);
        let help =
            "write use = \"cd\" in [method], or leave `elastic` out: contacts of soft grains are elastic themselves";
        reader.mistake::<()>("E015", &elastic.at, message, help);
        return;
    }
    check_grains(tree, groups, reader);
    check_laws(tree, reader);
    check_stages(tree, reader);
    if let Some(options) = tree.get("method").and_then(|node| node.get("cd")) {
        check_parameters(options, reader);
    }
    for wall in tree.get("wall").map_or(&[][..], Node::items) {
        refuse(wall, "rough", "take grains that are fixed in place of bumps", reader);
    }
}

/// Names of the materials of grains that deform.
fn elastic_materials(tree: &Node, reader: &Reader) -> HashSet<String> {
    let materials = readable::<Material>(tree, "material", reader).into_iter();
    materials.filter(|material| material.elastic.is_some()).map(|material| material.name.value).collect()
}

fn check_grains<D: Dim>(tree: &Node, groups: &[GrainGroup<D>], reader: &Reader) {
    let names = elastic_materials(tree, reader);
    for group in groups {
        if !matches!(group.shape, GrainShape::Disk(_) | GrainShape::Sphere(_)) {
            let message = format!("a {} cannot stand beside grains that deform", group.shape.name());
            let help = format!("write kind = \"{}\", or leave `elastic` out of the materials", D::ROUND);
            reader.mistake::<()>("E015", group.shape.span(), message, help);
        }
        if names.contains(group.material.as_str()) && !group.rotates {
            let help = "leave `rotates` out, or take a material without `elastic`";
            reader.mistake::<()>("E015", &group.span, "a grain that deforms turns as well", help);
        }
    }
    if let Some(build) = tree.get("build").and_then(|build| build.items().first()) {
        let help = "leave `elastic` out of the materials";
        reader.mistake::<()>("E015", &build.at, "blocks cannot stand beside grains that deform", help);
    }
}

fn check_laws(tree: &Node, reader: &Reader) {
    let names = elastic_materials(tree, reader);
    for node in tree.get("contact").map_or(&[][..], Node::items) {
        let Some(law) = ContactLaw::read(node, &scratch(reader)) else { continue };
        if law.between.iter().any(|name| names.contains(name.as_str())) {
            let bounces = !law.law.restitution.is_none();
            LAWS.iter().filter(|key| **key != "restitution" || bounces).for_each(|key| refuse_law(node, key, reader));
        }
    }
}

fn check_stages(tree: &Node, reader: &Reader) {
    for stage in tree.get("stage").map_or(&[][..], Node::items) {
        refuse(stage, "grow", "leave `grow` out", reader);
        let Some(set) = stage.get("set") else { continue };
        for law in set.get("contact").map_or(&[][..], Node::items) {
            LAWS.iter().for_each(|key| refuse_law(law, key, reader));
        }
        if let Some(options) = set.get("method").and_then(|node| node.get("cd")) {
            check_parameters(options, reader);
        }
    }
}

fn check_parameters(options: &Node, reader: &Reader) {
    for (key, value, help) in PARAMETERS {
        let written = options.get(key).and_then(|node| String::read(node, &scratch(reader)));
        if value.is_none() || written.as_deref() == value {
            refuse(options, key, help, reader);
        }
    }
}

/// Grains that deform have friction; they bounce by their own elasticity.
fn refuse_law(node: &Node, key: &str, reader: &Reader) {
    let help = match key {
        "restitution" => "leave it out: they bounce because they are elastic; `elastic.retardation` damps them",
        _ => "leave it out: their contacts have friction",
    };
    refuse(node, key, help, reader);
}

fn refuse(node: &Node, key: &str, help: &str, reader: &Reader) {
    if let Some(written) = node.get(key) {
        let message = format!("grains that deform do not support `{}`", written.path);
        reader.mistake::<()>("E015", &written.at, message, help);
    }
}
