//! Pressure of the contacts.

use super::frame::{FrameMeasure, FrameView, Nothing};
use super::solid_fraction::{depth, occupied_region};
use super::{Column, Measure, columns_in};
use crate::dim::Dim;
use crate::measure::frame::stress::moments;
use crate::measure::love_weber;
use crate::world::World;

/// Mean normal stress of Love and Weber ([`love_weber`]) of the grains that can move, in the space that they stand
/// in: the axis-parallel box around them, which along an axis with images is as long as the cell. It is the static
/// part alone, of the forces of the last step; zero at the start.
pub(crate) struct ContactPressure;

impl<D: Dim> Measure<D> for ContactPressure {
    fn columns(&self) -> Vec<Column> {
        vec![Column::new("contact_pressure", "Pa")]
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        vec![contact_pressure(world)]
    }
}

/// The pressure that contacts bear [Pa].
pub(crate) fn contact_pressure<D: Dim>(world: &World<D>) -> f64 {
    let forces = love_weber::contact_forces(world);
    let Some(region) = occupied_region(world).filter(|_| !forces.is_empty()) else { return 0.0 };
    let moments = love_weber::moments(world.bodies.len(), &forces);
    let grains: Vec<usize> = world.free_grains().collect();
    love_weber::stress(&moments, &grains, region.volume(depth(world))).trace() / D::DIMENSION as f64
}

impl FrameMeasure for ContactPressure {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        columns_in(self, view.dimension())
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let region = view.region()?;
        let volume = region.volume(view.setting.depth);
        let stress = love_weber::stress(&moments(view), &view.grains_in(&region), volume);
        Ok(vec![vec![stress.trace() / view.dimension() as f64]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Contact, ContactKey, ContactMemory};
    use crate::dim::D2;
    use crate::drive::Drive;
    use crate::input::quantity::{Components, UnitVector};
    use crate::wall::{Plane, Surface};
    use glam::DVec2;

    /// Adds a contact whose force acts along x, for a last step of 0.1 s.
    fn touch(world: &mut World<D2>, a: u32, b: u32, force: f64) {
        let key = ContactKey { a, b, feature: 0 };
        let (normal, image_velocity) = (DVec2::X, DVec2::ZERO);
        // the arm of a wall is no branch: it must not count, however long
        let arm_a = if a == 0 { DVec2::X * 7.0 } else { DVec2::X };
        world.network.contacts.push(Contact { key, normal, gap: 0.0, arm_a, arm_b: -DVec2::X, image_velocity });
        world.network.memory.push(ContactMemory { impulse: DVec2::X * (force * 0.1), ..ContactMemory::default() });
        world.scratch.time_step = 0.1;
    }

    /// A column of disks of radius 1 and depth 0.5 that is pressed against a wall: the force F goes through all of
    /// them, the stress along the column is F over the cross section 2 x 0.5, and the pressure half of that.
    #[test]
    fn a_row_that_is_pressed_against_a_wall_bears_the_force_over_its_cross_section() {
        let mut world = World::<D2>::default();
        world.setup.depth = 0.5;
        let (point, normal) = (Components([0.0, 0.0].into()), UnitVector([1.0, 0.0].into()));
        let plane = Surface::Plane(Plane { point, normal, rough: None });
        world.push_wall("left", plane, 0, Drive::FIXED, None);
        for id in 0..3 {
            world.bodies.push_round(DVec2::new(1.0 + 2.0 * f64::from(id), 0.0), 1.0, 1.0, 0.5, id);
        }
        assert_eq!(contact_pressure(&world), 0.0, "no step was made");
        for k in 0..3 {
            touch(&mut world, k, k + 1, 30.0);
        }
        // the last disk is pushed on one side only: 5 of 6 arms of length 1, in a box of 6 x 2 x 0.5
        let expected = 30.0 * 5.0 / 6.0 / 2.0;
        assert!((contact_pressure(&world) / expected - 1.0).abs() < 1e-14, "{}", contact_pressure(&world));
        // a grain that is held in place belongs to the boundary, as a wall does: 4 arms in a box of 4 x 2 x 0.5
        let last = world.bodies.len() - 1;
        world.bodies.inertia[last] = crate::body::Inertia::IMMOVABLE;
        assert!((contact_pressure(&world) / 15.0 - 1.0).abs() < 1e-14, "{}", contact_pressure(&world));
    }
}
