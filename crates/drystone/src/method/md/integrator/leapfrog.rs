//! Leapfrog.

use super::{Course, Integrator, along, drift_body};
use crate::contact::Coincident;
use crate::dim::Dim;

/// v(t + dt/2) = v(t - dt/2) + a(t) dt, v(t + dt) = v(t + dt/2) + a(t) dt/2, x(t + dt) = x(t) + v(t + dt/2) dt.
/// [Wolf eq. 7 to 9]
///
/// The velocities v(t - dt/2) are carried.
pub struct Leapfrog;

impl<D: Dim> Integrator<D> for Leapfrog {
    fn carries(&self) -> usize {
        1
    }

    fn start(&self, course: &mut Course<'_, D>) -> Result<(), Coincident> {
        let Course { world, field, carried, dt } = course;
        field.follow(world);
        field.look(world, 0.0, *dt, 0.0)?;
        for (k, half) in carried.iter_mut().enumerate() {
            *half = along(&world.bodies.twist[k], &field.accel[k], -0.5 * *dt);
        }
        Ok(())
    }

    fn step(&self, course: &mut Course<'_, D>) -> Result<(), Coincident> {
        let Course { world, field, carried, dt } = course;
        world.remember_twists();
        let fastest = field.fastest(world);
        field.follow(world);
        field.look(world, *dt, *dt, fastest * *dt)?;
        for (k, half) in carried.iter_mut().enumerate() {
            *half = match world.bodies.inertia[k].is_movable() {
                true => along(half, &field.accel[k], *dt),
                false => world.bodies.twist[k],
            };
            drift_body(&mut world.bodies.pose[k], half, &world.bodies.inertia[k], *dt);
            world.bodies.twist[k] = along(half, &field.accel[k], 0.5 * *dt);
        }
        field.drift_cell(world, *dt);
        Ok(())
    }
}
