//! Unbalanced force ratio.

use super::{Column, Measure};
use crate::dim::{Dim, Vector};
use crate::world::World;

/// Mean resultant force on a grain that can move over the mean force of a contact, in the last step: zero in statics,
/// and not small while grains accelerate. 1 if no contact carries a force.
///
/// The resultant is the change of momentum in the step, so that weight, membranes and all contacts are in it. The
/// stop rule `unbalanced` asks for this number.
pub(crate) struct UnbalancedForce;

impl<D: Dim> Measure<D> for UnbalancedForce {
    fn columns(&self) -> Vec<Column> {
        vec![Column::new("unbalanced_force_ratio", "1")]
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        vec![unbalanced_force(world).unwrap_or(1.0)]
    }
}

/// The ratio; none if no contact carries a force, if no grain can move, or before the first step.
pub(crate) fn unbalanced_force<D: Dim>(world: &World<D>) -> Option<f64> {
    let (bodies, before) = (&world.bodies, &world.scratch.before);
    if before.len() != bodies.len() {
        return None;
    }
    let gain = |k: usize| (bodies.twist[k].v - before[k].v).norm() * bodies.inertia[k].mass();
    let resultant = mean(world.free_grains().map(gain))?;
    let force = mean(world.network().closed().map(|(_, memory)| memory.impulse.norm()))?;
    (force > 0.0).then(|| resultant / force)
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0_usize), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;
    use crate::drive::Drive;
    use crate::input::quantity::{Components, UnitVector};
    use crate::law::{Laws, Pair};
    use crate::method::Method;
    use crate::method::cd::{CdOptions, ContactDynamics};
    use crate::wall::{Plane, Surface};
    use glam::DVec2;

    /// Some steps of a disk that touches a plane, or is a metre above it, under this gravity.
    fn disk(gap: f64, gravity: DVec2, steps: usize) -> World<D2> {
        let mut world = World::new(Laws::new(1, |_, _| Pair::with_friction(0.1)));
        world.set_gravity(gravity);
        let (point, normal) = (Components([0.0, 0.0].into()), UnitVector([0.0, 1.0].into()));
        let plane = Surface::Plane(Plane { point, normal, rough: None });
        world.push_wall("floor", plane, 0, Drive::FIXED, None);
        world.bodies.push_round(DVec2::new(0.0, 1.0 + gap), 1.0, 2.0, 1.0, 0);
        let mut method = ContactDynamics::new(CdOptions::with_time_step(1e-3));
        (0..steps).for_each(|_| assert!(method.step(&mut world).unwrap().converged));
        world
    }

    #[test]
    fn a_disk_at_rest_on_a_plane_is_in_balance() {
        let found = unbalanced_force(&disk(0.0, DVec2::new(0.0, -10.0), 5)).expect("the plane carries it");
        assert!(found < 1e-14, "{found}");
    }

    #[test]
    fn a_grain_that_falls_freely_and_a_world_before_its_first_step_are_not() {
        let falling = disk(1.0, DVec2::new(0.0, -10.0), 5);
        assert_eq!((unbalanced_force(&falling), UnbalancedForce.sample(&falling)), (None, vec![1.0]));
        assert_eq!(unbalanced_force(&disk(0.0, DVec2::new(0.0, -10.0), 0)), None);
    }

    /// On a slope of 3 in 4 with friction 0.1 a disk slides. Along the slope m (3 - 0.4) m/s2 is left over; the contact
    /// bears 4 m/s2 times m across and 0.4 along.
    #[test]
    fn a_disk_that_slides_down_a_slope_has_what_friction_leaves_over_the_force_of_the_plane() {
        let found = unbalanced_force(&disk(0.0, DVec2::new(3.0, -4.0), 3)).expect("the plane carries it");
        let expected = (3.0 - 0.4) / 4.0_f64.hypot(0.4);
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} is not {expected}");
    }
}
