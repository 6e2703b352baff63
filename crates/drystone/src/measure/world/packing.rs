//! Packing fraction.

use super::{Column, Measure};
use crate::dim::{Dim, Vector};
use crate::world::World;

/// Volume of the grains that can move over the volume of the axis-parallel box around them, which along an axis with
/// images is as long as the cell.
pub(crate) struct PackingFraction;

impl<D: Dim> Measure<D> for PackingFraction {
    fn columns(&self) -> Vec<Column> {
        vec![Column::new("packing_fraction", "1")]
    }

    fn is_in_default_series(&self) -> bool {
        true
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        vec![packing_fraction(world)]
    }
}

/// Length in the third direction of what is in the plane [m]; 1 in space.
fn depth<D: Dim>(world: &World<D>) -> f64 {
    if D::DIMENSION == 2 { world.setup.depth } else { 1.0 }
}

/// Volume of the grains that can move over the space that they stand in; zero without grains.
pub(crate) fn packing_fraction<D: Dim>(world: &World<D>) -> f64 {
    let depth = depth(world);
    let volume = world.free_grains().fold(0.0, |sum, k| sum + world.bodies.volume(k, depth));
    if volume == 0.0 { 0.0 } else { volume / occupied_space(world) }
}

/// Volume of the axis-parallel box around the grains that can move, which along an axis with images is as long as the
/// cell [m3].
pub(crate) fn occupied_space<D: Dim>(world: &World<D>) -> f64 {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for k in world.free_grains() {
        let (place, radius) = (world.home_place(k), world.bodies.shape[k].radius());
        for axis in 0..D::DIMENSION {
            low[axis] = low[axis].min(place.get(axis) - radius);
            high[axis] = high[axis].max(place.get(axis) + radius);
        }
    }
    let length = |axis: usize| match &world.cell {
        Some(cell) if cell.is_periodic[axis] => cell.lengths.get(axis),
        _ => high[axis] - low[axis],
    };
    (0..D::DIMENSION).map(length).product::<f64>() * depth(world)
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
