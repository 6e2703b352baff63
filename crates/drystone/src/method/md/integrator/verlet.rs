//! Velocity Verlet.

use super::{Course, Integrator};
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
        let Course { world, field, carried, dt: step } = course;
        field.accel = std::mem::take(carried); // the new ones take the place of the old ones
        let leapt = field.leap(world, dt, *step);
        **carried = std::mem::take(&mut field.accel);
        leapt
    }
}

impl<D: Dim> Integrator<D> for Verlet {
    fn carries(&self) -> usize {
        1
    }

    fn start(&self, course: &mut Course<'_, D>) -> Result<(), Coincident> {
        let Course { world, field, carried, dt } = course;
        field.follow(world);
        field.look(world, 0.0, *dt, 0.0)?;
        **carried = std::mem::take(&mut field.accel);
        Ok(())
    }

    fn step(&self, course: &mut Course<'_, D>) -> Result<(), Coincident> {
        let dt = course.dt;
        Verlet::part(course, dt)
    }
}
