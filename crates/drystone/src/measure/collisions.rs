//! Collisions of hard grains.

use super::{Column, Measure};
use crate::dim::Dim;
use crate::world::World;

/// Collisions since the start, and what they carried.
pub(crate) struct CollisionCounts;

impl<D: Dim> Measure<D> for CollisionCounts {
    /// The virial grows by r_n times the distance of the centres in every collision of two grains: its growth over the
    /// time and d times the volume is the part of the pressure that collisions carry.
    fn columns(&self) -> Vec<Column> {
        vec![
            Column::new("collisions", "1"),
            Column::new("elastic_collisions", "1"),
            Column::new("collision_virial", "J s"),
        ]
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        let collisions = world.collisions;
        vec![collisions.all as f64, collisions.elastic as f64, collisions.virial]
    }
}
