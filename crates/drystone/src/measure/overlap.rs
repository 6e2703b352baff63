//! Overlap.

use super::{Column, Measure};
use crate::dim::Dim;
use crate::world::World;

/// Deepest overlap, and mean overlap of the force-carrying contacts, over the smaller radius of the two bodies.
///
/// Rigid grains do not overlap: what is left is the error of the method.
pub(crate) struct Overlaps;

impl<D: Dim> Measure<D> for Overlaps {
    fn columns(&self) -> Vec<Column> {
        ["max_overlap", "mean_overlap"].map(|name| Column::new(name, "1")).into()
    }

    fn is_in_default_series(&self) -> bool {
        true
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        let (mut sum, mut count) = (0.0, 0);
        for (contact, _) in world.network().closed() {
            sum += world.relative_overlap(contact);
            count += 1;
        }
        vec![world.max_overlap(), if count == 0 { 0.0 } else { sum / f64::from(count) }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{ContactMemory, Regime};
    use crate::dim::D2;
    use glam::DVec2;

    #[test]
    fn overlap_counts_relative_to_the_smaller_grain() {
        let mut world = World::<D2>::default();
        world.bodies.push_round(DVec2::ZERO, 1.0, 1.0, 1.0, 0);
        world.bodies.push_round(DVec2::new(1.48, 0.0), 0.5, 1.0, 1.0, 1);
        world.sense(&[0.0, 0.0], |_, _| 0.0).unwrap();
        world.network.memory[0] = ContactMemory { regime: Regime::Stick, ..ContactMemory::default() };
        let sample = Overlaps.sample(&world);
        assert!((sample[0] - 0.04).abs() < 1e-14 && (sample[1] - 0.04).abs() < 1e-14);
    }
}
