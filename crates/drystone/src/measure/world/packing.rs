//! Packing fraction.

use super::{Column, Measure};
use crate::dim::{Dim, Vector};
use crate::shape::Shape;
use crate::world::World;

/// Volume of the grains that can move over the volume of the axis-parallel box around them, which along an axis with images
/// is as long as the cell.
pub struct PackingFraction;

impl<D: Dim> Measure<D> for PackingFraction {
    fn columns(&self) -> Vec<Column> {
        vec![Column::new("packing_fraction", "1")]
    }

    fn is_in_default_series(&self) -> bool {
        true
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        let depth = if D::DIMENSION == 2 { world.setup.depth } else { 1.0 };
        let mut volume = 0.0;
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for k in world.grains().filter(|k| world.bodies.inertia[*k].is_movable()) {
            let shape = world.bodies.shape[k];
            volume += match shape {
                Shape::Round(round) => round.volume::<D>(depth),
                Shape::Stone(stone) | Shape::Clump(stone) => world.bodies.sizes[stone.outline as usize].volume * depth,
                Shape::Wall => continue,
            };
            for axis in 0..D::DIMENSION {
                let x = world.home_place(k).get(axis);
                low[axis] = low[axis].min(x - shape.radius());
                high[axis] = high[axis].max(x + shape.radius());
            }
        }
        if volume == 0.0 {
            return vec![0.0];
        }
        let length = |axis: usize| match &world.cell {
            Some(cell) if cell.is_periodic[axis] => cell.lengths.get(axis),
            _ => high[axis] - low[axis],
        };
        let space: f64 = (0..D::DIMENSION).map(length).product();
        vec![volume / (space * depth)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;
    use glam::DVec2;

    #[test]
    fn disks_on_a_square_lattice_fill_pi_over_four() {
        let mut world = World::<D2>::default();
        world.setup.depth = 0.3;
        for id in 0..16 {
            let x = DVec2::new(f64::from(id % 4), f64::from(id / 4)) * 2.0;
            world.bodies.push_round(x, 1.0, 1.0, 0.3, id);
        }
        assert!((PackingFraction.sample(&world)[0] - std::f64::consts::PI / 4.0).abs() < 1e-14);
    }
}
