//! Grains that grow during a stage.

use crate::dim::Dim;
use crate::input::quantity::Frequency;
use crate::input::value::POSITIVE;
use crate::input::{Node, Reader, Value};
use crate::list::record;
use crate::method::Kind;
use crate::scenario::Scenario;
use crate::scenario::check::scratch;
use crate::scenario::schema::grains::{GrainGroup, GrainShape};
use crate::world::World;

record! {
    /// How grains grow: disks and spheres that can move, rigid or soft. Their density stays, and so do their
    /// velocities.
    pub struct Grow at span {
        /// Relative growth rate of the radii: in a step dt they grow by rate dt times themselves.
        rate: Frequency where POSITIVE,
    }
}

/// Why other shapes do not grow.
const ROUND: &str = "only disks and spheres grow";

/// Reports growth of grains that are not round, and growth under methods that do not support it.
pub(in crate::scenario) fn check<D: Dim>(tree: &Node, method: Kind, groups: &[GrainGroup<D>], reader: &Reader) {
    let stages = tree.get("stage").map_or(&[][..], Node::items);
    let Some(node) = stages.iter().find_map(|stage| stage.get("grow")) else { return };
    if Grow::read(node, &scratch(reader)).is_none() {
        return; // reported where it is read
    }
    if method == Kind::Dae {
        let message = "grains do not grow with the method \"dae\"";
        let help = "write use = \"cd\" or use = \"md\" in [method]";
        reader.mistake::<()>("E015", &node.at, message, help);
    }
    let is_round = |group: &GrainGroup<D>| matches!(group.shape, GrainShape::Disk(_) | GrainShape::Sphere(_));
    if tree.get("build").is_some() || !groups.iter().all(is_round) {
        reader.mistake::<()>("E015", &node.at, ROUND, "take disks or spheres, or leave `grow` out");
    }
}

impl<D: Dim> Scenario<D> {
    /// Reports growth if some grains of the earlier run that this one starts from are not round.
    pub(in crate::scenario) fn check_growth(&self, world: &World<D>, reader: &Reader) {
        let grow = self.stage.iter().find_map(|stage| stage.grow.as_ref());
        if let Some(grow) = grow.filter(|_| !world.bodies.outlines.is_empty()) {
            let message = format!("{ROUND}, and the run that this one starts from has others");
            reader.mistake::<()>("E015", &grow.span, message, "leave `grow` out");
        }
    }
}
