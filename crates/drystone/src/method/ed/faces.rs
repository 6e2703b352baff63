//! Faces of walls: planes that stand still or move uniformly.

use crate::dim::{Dim, Vector};
use crate::world::World;

/// A face of a wall.
#[derive(Clone, Copy, Debug)]
pub(super) struct WallFace<D: Dim> {
    /// Number of the wall.
    pub wall: u32,
    /// Its material.
    pub material: u16,
    /// Unit normal to the free side.
    pub normal: D::Vec,
    /// Height of the origin above the face at the start [m].
    pub offset: f64,
    /// Velocity of the wall [m/s].
    pub velocity: D::Vec,
}

impl<D: Dim> WallFace<D> {
    /// Height of a point above the face at a time [m].
    pub(super) fn height(&self, x: D::Vec, time: f64) -> f64 {
        x.dot(self.normal) + self.offset - self.velocity.dot(self.normal) * time
    }
}

/// The faces of all walls that are not open.
pub(super) fn faces_of<D: Dim>(world: &World<D>) -> Vec<WallFace<D>> {
    let mut faces = Vec::new();
    for (wall, surface) in world.setup.surfaces.iter().enumerate() {
        if world.setup.walls[wall].drive.is_open() {
            continue;
        }
        let (velocity, material) = (world.bodies.twist[wall].v, world.bodies.material[wall]);
        surface.near(world.bodies.wall_pose(wall), D::Vec::ZERO, f64::INFINITY, &mut |_, normal, offset| {
            faces.push(WallFace { wall: wall as u32, material, normal, offset, velocity });
        });
    }
    faces
}
