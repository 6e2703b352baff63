//! Momentum.

use super::frame::{FrameMeasure, FrameView, Nothing};
use super::{Column, Measure, columns_in};
use crate::dim::{Dim, Vector};
use crate::measure::vector::{add, times};
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

impl FrameMeasure for TotalMomentum {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        columns_in(self, view.dimension())
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let (grains, walls) = (&view.frame.grains, &view.frame.wall_states);
        let of_grains = (0..grains.id.len()).map(|k| (grains.mass[k], grains.own_velocity(k)));
        let of_pistons = (0..walls.mass.len()).map(|k| (walls.mass[k], walls.velocity[k]));
        let movable = of_pistons.chain(of_grains).filter(|(mass, _)| mass.is_finite());
        let sum = movable.fold([0.0; 3], |sum, (mass, v)| add(sum, times(v, mass)));
        Ok(vec![sum[..view.dimension()].to_vec()])
    }

    fn takes_region(&self) -> bool {
        false
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
