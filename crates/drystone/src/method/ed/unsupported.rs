//! What the method does not have. Scenarios are told at the place where it is written (E045); programs before a step.

use crate::dim::{Dim, Vector};
use crate::drive::{Drive, Signal};
use crate::shape::Shape;
use crate::wall::Surface;
use crate::world::World;

/// The first thing of a world that the method does not have.
pub(super) fn unsupported<D: Dim>(world: &World<D>) -> Option<&'static str> {
    let setup = &world.setup;
    let is_round = |body: usize| matches!(world.bodies.shape[body], Shape::Round(_));
    let is_flat = |surface: &Surface<D>| match surface {
        Surface::Plane(plane) => plane.rough.is_none(),
        other => matches!(other, Surface::Cuboid(_)),
    };
    let is_steady = |drive: &Drive<D>| matches!(drive, Drive::Still(_) | Drive::Velocity(Signal::Constant(_)));
    let has_fixed = world.free_grains().count() < world.grains().len();
    let changes = world.cell.as_ref().is_some_and(|cell| cell.is_moving() || cell.press.is_some());
    let refused = [
        (!world.grains().all(is_round), "grains that are not disks or spheres"),
        (has_fixed && world.gravity != D::Vec::ZERO, "grains that are held in place under gravity"),
        (!setup.surfaces.iter().all(is_flat), "walls other than smooth planes and boxes"),
        (!setup.walls.iter().all(|wall| is_steady(&wall.drive)), "walls that do not move with a constant velocity"),
        (setup.tilt.is_some(), "ground that tilts"),
        (!setup.loads.is_empty(), "loads on grains"),
        (setup.growth != 0.0, "grains that grow"),
        (changes, "cells that change"),
    ];
    refused.into_iter().find(|(is_there, _)| *is_there).map(|(_, what)| what)
}
