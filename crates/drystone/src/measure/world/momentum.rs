//! Momentum.

use super::{Column, Measure};
use crate::dim::{Dim, Vector};
use crate::world::World;

/// Sum of mass times velocity over all grains that can move, and over pistons.
pub(crate) struct TotalMomentum;

impl<D: Dim> Measure<D> for TotalMomentum {
    fn columns(&self) -> Vec<Column> {
        D::AXES.iter().map(|axis| Column::new(format!("momentum_{axis}"), "kg m/s")).collect()
    }

    fn is_in_default_series(&self) -> bool {
        true
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        let bodies = &world.bodies;
        let sum = world.movable().fold(D::Vec::ZERO, |sum, k| sum + bodies.twist[k].v * bodies.inertia[k].mass());
        (0..D::DIMENSION).map(|axis| sum.get(axis)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;
    use glam::DVec2;

    #[test]
    fn opposite_velocities_of_unequal_masses_leave_the_difference() {
        let mut world = World::<D2>::default();
        let density = 1.0 / std::f64::consts::PI;
        for (id, (radius, v)) in [(1.0, 2.0), (2.0, -1.0)].into_iter().enumerate() {
            let k = world.bodies.push_round(DVec2::ZERO, radius, density, 1.0, id as u32);
            world.bodies.twist[k].v = DVec2::new(v, 0.5);
        }
        // masses 1 and 4: 2 - 4 = -2 along x, 0.5 + 2 along y
        let sum = TotalMomentum.sample(&world);
        assert!((sum[0] + 2.0).abs() < 1e-15 && (sum[1] - 2.5).abs() < 1e-15);
    }
}
