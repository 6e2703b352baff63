//! Velocity Verlet.

use super::{Course, Integrator, along};
use crate::contact::Coincident;
use crate::dim::Dim;

/// v += a dt/2, x += v dt, a from the new places, v += a dt/2. [Swope82]
///
/// Forces that depend on velocities see v + a dt/2 with the old a: velocities of the time at which the forces act,
/// so that friction and damping stay of second order. The accelerations are carried.
pub struct Verlet;

impl Verlet {
    /// A step of any length, also backwards, as part of a step.
    pub fn part<D: Dim>(course: &mut Course<'_, D>, dt: f64) -> Result<(), Coincident> {
        for k in (0..course.world.bodies.len()).filter(|k| course.world.bodies.inertia[*k].is_movable()) {
            course.world.bodies.twist[k] = along(&course.world.bodies.twist[k], &course.carried[k], 0.5 * dt);
        }
        let way = course.drift(dt);
        let Course { world, field, carried, dt: step } = course;
        field.look(world, (dt, *step, way), |k| along(&world.bodies.twist[k], &carried[k], 0.5 * dt))?;
        for (k, accel) in field.accel.iter().enumerate() {
            carried[k] = *accel;
            world.bodies.twist[k] = along(&world.bodies.twist[k], accel, 0.5 * dt);
        }
        Ok(())
    }
}

impl<D: Dim> Integrator<D> for Verlet {
    fn carries(&self) -> usize {
        1
    }

    fn start(&self, course: &mut Course<'_, D>) -> Result<(), Coincident> {
        let Course { world, field, carried, dt } = course;
        field.look(world, (0.0, *dt, 0.0), |k| world.bodies.twist[k])?;
        carried.copy_from_slice(&field.accel);
        Ok(())
    }

    fn step(&self, course: &mut Course<'_, D>) -> Result<(), Coincident> {
        let dt = course.dt;
        Verlet::part(course, dt)
    }
}
