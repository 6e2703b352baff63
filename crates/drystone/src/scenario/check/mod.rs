//! Checks across tables: names that must match, pairs without a law, keys that contradict each other.
//!
//! They run on every part that could be read, so that a wrong number in one table does not hide a wrong name in
//! another.

pub(crate) mod census;
mod collisions;
mod containers;
mod deformable;
mod pistons;
mod rough;
mod stage_ends;
mod warnings;

use std::collections::HashMap;

use crate::dim::{Dim, Vector};
use crate::drive::Tilt;
use crate::input::quantity::Acceleration;
use crate::input::{Node, Placed, Raw, Reader, Value, nearest};
use crate::law::Cohesion;
use crate::measure::Recorded;
use crate::method::statics::StartForces;
use crate::method::{Kind, TimeStepChoice, cd, dae};
use crate::scenario::pack::grain_file;
use crate::scenario::pack::masonry::Build;
use crate::scenario::schema::cell;
use crate::scenario::schema::change;
use crate::scenario::schema::clumps;
use crate::scenario::schema::grains::{GrainGroup, GrainShape, Place};
use crate::scenario::schema::grow;
use crate::scenario::schema::loads::LoadSpec;
use crate::scenario::schema::stage::Stage;
use crate::scenario::schema::stones;
use crate::scenario::schema::until::Stop;
use crate::scenario::{ContactLaw, Material, WallSpec};

/// Tilted ground turns gravity: there must be gravity, and the tilt must be towards a direction across it.
fn check_tilt<D: Dim>(tree: &Node, reader: &Reader) {
    let quiet = scratch(reader);
    let Some(node) = tree.get("tilt") else { return };
    let Some((tilt, gravity)) = Tilt::<D>::read(node, &quiet)
        .zip(tree.get("gravity").and_then(|gravity| Acceleration::<D>::read(gravity, &quiet)))
    else {
        return; // reported where they are read
    };
    let (size, towards) = (gravity.0.norm(), tilt.towards.0);
    let is_across = (towards - gravity.0 * (towards.dot(gravity.0) / (size * size))).norm() > 1e-6;
    if size == 0.0 || !is_across {
        let message = "ground cannot tilt `towards` the direction of gravity, nor without gravity";
        let help = "write a direction along the level ground, such as towards = [1, 0]";
        reader.mistake::<()>("E015", &node.at, message, help);
    }
}

/// Reports all mistakes that involve several tables. `is_whole` says whether every table could be read.
pub(in crate::scenario) fn check<D: Dim>(tree: &Node, is_whole: bool, reader: &Reader) {
    check_names(tree, reader);
    let is_small = census::check::<D>(tree, reader);
    if is_whole && is_small {
        check_pairs(tree, reader);
        check_end::<D>(tree, reader);
    }
    for wall in readable::<WallSpec<D>>(tree, "wall", reader) {
        wall.surface.as_dyn().check(&wall.span, reader);
    }
    check_tilt::<D>(tree, reader);
    cell::check::<D>(tree, reader);
    let groups = readable::<GrainGroup<D>>(tree, "grains", reader);
    let capsule = groups.iter().find(|group| matches!(group.shape, GrainShape::Capsule(_)));
    let walls = readable::<WallSpec<D>>(tree, "wall", reader);
    clumps::check_walls(capsule.map(|group| &group.span), method(tree, reader), &walls, reader);
    stones::check_walls(&groups, tree, &walls, reader);
    rough::check(tree, method(tree, reader), &groups, &walls, reader);
    grow::check(tree, method(tree, reader), &groups, reader);
    deformable::check(tree, method(tree, reader), &groups, reader);
    groups.iter().for_each(|group| {
        group.check(reader);
    });
    clumps::check_integrator(&groups, tree.get("method"), reader);
    for load in readable::<LoadSpec<D>>(tree, "load", reader) {
        load.check(reader);
    }
    for build in readable::<Build<D>>(tree, "build", reader).iter().filter(|_| is_small) {
        build.laid(reader);
    }
    if ["grains", "build", "start"].iter().all(|key| tree.get(key).is_none()) {
        let help = "add [[grains]] with material = \"..\", shape = { kind = \"..\" }, place = { how = \"..\" }";
        reader.mistake::<()>("E005", &tree.at, "`grains` is missing", help);
    }
    stage_ends::check::<D>(tree, reader);
    let stages: Vec<Placed<String>> = texts(tree, "stage", "name");
    let stages: Vec<&str> = stages.iter().map(|name| name.value.as_str()).collect();
    for recorded in tree.get("output").map_or(Vec::new(), |output| readable::<Recorded>(output, "series", reader)) {
        recorded.check::<D>(&stages, reader);
    }
    if is_whole {
        change::check::<D>(tree, reader);
    }
    check_method::<D>(tree, reader);
    pistons::check::<D>(tree, reader);
    for node in tree.get("contact").map_or(&[][..], Node::items) {
        if let Some(law) = ContactLaw::read(node, &scratch(reader)) {
            law.law.check::<D>(node, reader);
        }
    }
    // if the world will not be built, files of grains are checked here only
    for group in groups.iter().filter(|_| !reader.is_clean()) {
        if let Place::File(place) = &group.place {
            let _ = grain_file::grains::<D>(group, &place.file.value, reader);
        }
    }
}

/// A reader for parts whose mistakes have been reported before.
pub(in crate::scenario) fn scratch(reader: &Reader) -> Reader {
    Reader::new(reader.folder.clone())
}

/// The elements of a list that can be read.
pub(in crate::scenario) fn readable<T: Value>(tree: &Node, key: &str, reader: &Reader) -> Vec<T> {
    let nodes = tree.get(key).map_or(&[][..], Node::items);
    nodes.iter().filter_map(|node| T::read(node, &scratch(reader))).collect()
}

/// The texts under a key of every element of a list.
fn texts(tree: &Node, list: &str, key: &str) -> Vec<Placed<String>> {
    let nodes = tree.get(list).map_or(&[][..], Node::items);
    let found = nodes.iter().filter_map(|node| node.get(key)).flat_map(|node| match &node.value {
        Raw::Array(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    });
    found.filter_map(|node| Placed::read(node, &Reader::default())).collect()
}

fn check_names(tree: &Node, reader: &Reader) {
    let (materials, walls) = (texts(tree, "material", "name"), texts(tree, "wall", "name"));
    no_doubles(&materials, "material", reader);
    no_doubles(&walls, "wall", reader);
    let (mut grains, buildings) = (texts(tree, "grains", "name"), texts(tree, "build", "name"));
    grains.extend(buildings);
    no_doubles(&grains, "group of grains", reader);
    no_doubles(&texts(tree, "stage", "name"), "stage", reader);
    let known: Vec<&str> = materials.iter().map(|name| name.as_str()).collect();
    // a pair that is no list is told where it is read
    let pairs = tree.get("contact").map_or(&[][..], Node::items).iter().filter_map(|law| law.get("between"));
    let of_pairs = pairs.flat_map(Node::items).filter_map(|node| Placed::read(node, &Reader::default()));
    for name in [("grains", "material"), ("build", "material"), ("wall", "material")]
        .iter()
        .flat_map(|(list, key)| texts(tree, list, key))
        .chain(of_pairs)
        .filter(|name| !known.is_empty() && !known.contains(&name.as_str()))
    {
        let help = match nearest(&name, known.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("known: {}; or add [[material]] with name = \"{}\"", known.join(", "), name.value),
        };
        reader.mistake::<()>("E006", &name.at, format!("there is no material \"{}\"", name.value), help);
    }
    let known: Vec<&str> = walls.iter().map(|name| name.as_str()).collect();
    let stages = tree.get("stage").map_or(&[][..], Node::items);
    for drives in stages.iter().filter_map(|stage| stage.get("drive")) {
        let Raw::Table(entries) = &drives.value else { continue };
        for entry in entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let help = match nearest(&entry.key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "the scenario has no walls: add [[wall]]".into(),
                None => format!("walls: {}", known.join(", ")),
            };
            reader.mistake::<()>("E006", &entry.at, format!("there is no wall `{}` to drive", entry.key), help);
        }
    }
}

fn no_doubles(names: &[Placed<String>], what: &str, reader: &Reader) {
    for (k, name) in names.iter().enumerate() {
        if names[..k].iter().any(|other| other.value == name.value) {
            let message = format!("a second {what} is called \"{}\"", name.value);
            reader.mistake::<()>("E014", &name.at, message, "give it another name");
        }
    }
}

/// Every pair of materials that can touch needs a law: grains touch grains and walls, walls do not touch each other.
fn check_pairs(tree: &Node, reader: &Reader) {
    let (materials, laws) =
        (readable::<Material>(tree, "material", reader), readable::<ContactLaw>(tree, "contact", reader));
    let (mut of_grains, of_walls) = (texts(tree, "grains", "material"), texts(tree, "wall", "material"));
    of_grains.extend(texts(tree, "build", "material"));
    let is_one_of = |names: &[Placed<String>], name: &str| names.iter().any(|other| other.value == name);
    let mut laws_of: HashMap<[&str; 2], Vec<&ContactLaw>> = HashMap::new();
    for law in &laws {
        let mut between = [law.between[0].as_str(), law.between[1].as_str()];
        between.sort_unstable();
        laws_of.entry(between).or_default().push(law);
    }
    for (k, one) in materials.iter().enumerate() {
        for other in &materials[k..] {
            let (a, b) = (one.name.as_str(), other.name.as_str());
            let meets =
                |a: &str, b: &str| is_one_of(&of_grains, a) && (is_one_of(&of_grains, b) || is_one_of(&of_walls, b));
            let laws = laws_of.get(&[a.min(b), a.max(b)]).map_or(&[][..], Vec::as_slice);
            if let Some(second) = laws.get(1) {
                let message = format!("a second [[contact]] between \"{a}\" and \"{b}\"");
                reader.mistake::<()>("E014", &second.span, message, "keep one of them");
            } else if laws.is_empty() && (meets(a, b) || meets(b, a)) {
                let message = format!("no [[contact]] is given between \"{a}\" and \"{b}\"");
                let help = format!(
                    "add [[contact]] with between = [\"{a}\", \"{b}\"], friction = 0.5; between = \"any\" is for all pairs"
                );
                reader.mistake::<()>("E013", &other.name.at, message, help);
            }
        }
    }
}

/// The method of the scenario.
fn method(tree: &Node, reader: &Reader) -> Kind {
    let node = tree.get("method").and_then(|node| node.get("use"));
    node.and_then(|node| Kind::read(node, &scratch(reader))).unwrap_or(Kind::Cd)
}

fn check_method<D: Dim>(tree: &Node, reader: &Reader) {
    let node = tree.get("method");
    let choice = method(tree, reader);
    stones::check(tree, choice, reader);
    match choice {
        Kind::Cd => refuse_links("cd", tree, reader),
        Kind::Md => {
            refuse_links("md", tree, reader);
            return check_soft(tree, reader);
        }
        Kind::Dae => {
            check_soft(tree, reader);
            return check_dae(tree, reader);
        }
        Kind::Ed => return collisions::check::<D>(tree, reader),
    }
    let Some(options) = node.and_then(|node| node.get("cd")) else {
        let help = "add [method.cd] with time_step = \"auto\"";
        reader.mistake::<()>("E005", node.map_or(&tree.at, |node| &node.at), "`method.cd` is missing", help);
        return;
    };
    if let Some(read) = cd::CdOptions::read(options, &scratch(reader)) {
        read.check(options, reader);
        if read.start_forces == StartForces::Equilibrium {
            refuse_start(tree, options, &["cell.stress", "load"], reader);
        }
        if read.solver == cd::Solver::Newton {
            check_newton(tree, reader);
        }
    }
}

/// Refuses an equilibrium start beside anything but contacts that exerts forces on grains, which the search for it does
/// not know.
fn refuse_start(tree: &Node, options: &Node, keys: &[&str], reader: &Reader) {
    let find = |key: &&&str| key.split('.').try_fold(tree, |node, key| node.get(key)).is_some();
    if let (Some(key), Some(written)) = (keys.iter().find(find), options.get("start_forces")) {
        let message = format!("`{}` considers contacts alone, and has no `{key}`", written.path);
        reader.mistake::<()>("E015", &written.at, message, "leave out `start_forces`");
    }
}

/// Rods, joints and springs belong to one method.
fn refuse_links(method: &str, tree: &Node, reader: &Reader) {
    for key in ["constraint", "spring"] {
        if let Some(node) = tree.get(key).and_then(|node| node.items().first()) {
            let message = format!("the method \"{method}\" has no [[{key}]]");
            reader.mistake::<()>("E024", &node.at, message, "write use = \"dae\" in [method], or remove it");
        }
    }
}

/// Checks that options fit each other, that there is a time step where no collision gives one, and that the method
/// supports the laws.
fn check_dae(tree: &Node, reader: &Reader) {
    let method = tree.get("method");
    let node = method.and_then(|node| node.get("dae"));
    let options = node.and_then(|node| dae::DaeOptions::read(node, &scratch(reader)));
    if let (Some(options), Some(node)) = (&options, node) {
        options.check(node, reader);
        if options.start_forces == StartForces::Equilibrium {
            refuse_start(tree, node, &["constraint", "spring", "load"], reader);
        }
    }
    if let Some(wall) = membrane(tree) {
        let message = "the method \"dae\" has no membranes";
        reader.mistake::<()>("E024", &wall.at, message, "write use = \"cd\" or use = \"md\" in [method]");
    }
    let has_links = ["constraint", "spring"].iter().any(|key| tree.get(key).is_some());
    if has_links && options.is_none_or(|options| options.time_step == TimeStepChoice::Auto) {
        let at = &node.or(method).unwrap_or(tree).at;
        let message = "with rods or springs the time step does not follow from collisions";
        reader.mistake::<()>("E005", at, message, "add time_step = \"1 ms\" to [method.dae]");
    }
    for contact in tree.get("contact").map_or(&[][..], Node::items) {
        let soft = contact.get("md");
        let of_pair = ["rolling", "torsion", "cohesion"].map(|key| contact.get(key));
        let of_soft = ["rolling", "torsion", "attraction"].map(|key| soft.and_then(|soft| soft.get(key)));
        for written in of_pair.into_iter().chain(of_soft).flatten() {
            let message = format!("the method \"dae\" has no `{}`", written.path);
            reader.mistake::<()>("E015", &written.at, message, "leave it out, or take the method \"md\" or \"cd\"");
        }
    }
}

/// The first drive that is a membrane.
fn membrane(tree: &Node) -> Option<&Node> {
    let of_walls = tree.get("wall").map_or(&[][..], Node::items).iter().filter_map(|wall| wall.get("drive"));
    let stages = tree.get("stage").map_or(&[][..], Node::items).iter().filter_map(|stage| stage.get("drive"));
    let of_stages = stages.flat_map(|drives| match &drives.value {
        Raw::Table(entries) => entries.iter().map(|entry| &entry.node).collect(),
        _ => Vec::new(),
    });
    of_walls.chain(of_stages).find(|drive| drive.get("membrane").is_some())
}

/// Soft grains need a `[contact.md]` in every `[[contact]]`, and do not support every law of rigid grains.
pub(in crate::scenario) fn check_soft(tree: &Node, reader: &Reader) {
    for node in tree.get("contact").map_or(&[][..], Node::items) {
        let Some(law) = ContactLaw::read(node, &scratch(reader)) else { continue };
        let has_attraction = law.law.md.as_ref().is_some_and(|soft| soft.attraction.is_some());
        if let (Some(Cohesion::ZeroRange(_)), Some(written), false) =
            (&law.law.cohesion, node.get("cohesion"), has_attraction)
        {
            let message = "soft grains have no cohesion without range: a force over zero distance has no spring";
            let help =
                "give it a range, cohesion = { force = \"1 mN\", range = \"1 um\" }, or an attraction in [contact.md]";
            reader.mistake::<()>("E020", &written.at, message, help);
        }
        if law.law.md.is_some() || node.get("md").is_some() {
            continue;
        }
        let [a, b] = &*law.between;
        let message = format!("no [contact.md] gives the soft law between \"{}\" and \"{}\"", a.value, b.value);
        let help = "add [contact.md] with normal = { law = \"hooke\", stiffness = \"1e5 N/m\", restitution = 0.5 }";
        reader.mistake::<()>("E018", &node.at, message, help);
    }
}

/// Newton steps support friction and restitution, and no other law.
pub(in crate::scenario) fn check_newton(tree: &Node, reader: &Reader) {
    let contacts = tree.get("contact").map_or(&[][..], Node::items);
    for written in
        contacts.iter().flat_map(|node| ["cohesion", "rolling", "torsion"].map(|key| node.get(key))).flatten()
    {
        let message = format!("the solver \"newton\" has no `{}`", written.path);
        reader.mistake::<()>("E015", &written.at, message, "write solver = \"sweeps\" in [method.cd]");
    }
}

fn check_end<D: Dim>(tree: &Node, reader: &Reader) {
    let stop = tree.get("stop").and_then(|node| Stop::read(node, &scratch(reader)));
    if readable::<Stage<D>>(tree, "stage", reader).is_empty() && !stop.is_some_and(|stop| stop.has_rule()) {
        reader.mistake::<()>(
            "E015",
            tree.get("stop").map_or(&tree.at, |node| &node.at),
            "nothing says when the run ends",
            "add [stop] with at = \"5 s\"",
        );
    }
}
