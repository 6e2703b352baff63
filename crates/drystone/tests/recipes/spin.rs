//! Spin.

use super::{Column, Measure};
use crate::dim::{Dim, Vector};
use crate::world::World;

/// Mean angular speed of all grains that can move.
pub(crate) struct Spin;

impl<D: Dim> Measure<D> for Spin {
    fn columns(&self) -> Vec<Column> {
        vec![Column::new("mean_spin", "rad/s")]
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        let speeds: Vec<f64> = world.movable().map(|k| world.bodies.twist[k].w.norm()).collect();
        vec![speeds.iter().sum::<f64>() / speeds.len().max(1) as f64]
    }
}
