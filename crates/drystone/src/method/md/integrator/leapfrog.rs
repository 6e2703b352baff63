//! Leapfrog.

use super::{Integrator, StepContext, drift_body, kicked};
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::Dim;
use crate::method::md::force_schedule::ForceSchedule;

/// v(t + dt/2) = v(t - dt/2) + a(t) dt, v(t + dt) = v(t + dt/2) + a(t) dt/2, x(t + dt) = x(t) + v(t + dt/2) dt. [Wolf
/// eq. 7 to 9]
///
/// The forces of time t are found by [`ForceField::evaluate`](crate::method::md::field::ForceField::evaluate); kicks
/// ([`kicked`]) and drift ([`drift_body`]) follow in [`Integrator::step`] below. The velocities v(t - dt/2) are
/// carried.
pub(crate) struct Leapfrog;

impl<D: Dim> Integrator<D> for Leapfrog {
    fn carries(&self) -> usize {
        1
    }

    fn start(&self, context: &mut StepContext<'_, D>) -> Result<(), Coincident> {
        let StepContext { world, field, carried, dt } = context;
        field.follow(world);
        field.evaluate(world, ForceSchedule::first(*dt), *dt, 0.0)?;
        for (k, half) in carried.iter_mut().enumerate() {
            *half = kicked(&world.bodies.twist[k], &field.accel[k], -0.5 * *dt);
        }
        Ok(())
    }

    fn jump(&self, carried: &mut [Twist<D>], body: usize, jump: D::Vec) {
        carried[body].v += jump;
    }

    fn step(&self, context: &mut StepContext<'_, D>) -> Result<(), Coincident> {
        let StepContext { world, field, carried, dt } = context;
        world.remember_twists();
        let fastest = field.fastest(world);
        field.follow(world);
        field.evaluate(world, ForceSchedule::even(*dt), *dt, fastest * *dt)?;
        for (k, half) in carried.iter_mut().enumerate() {
            *half = match world.bodies.inertia[k].is_movable() {
                true => kicked(half, &field.accel[k], *dt),
                false => world.bodies.twist[k],
            };
            drift_body(&mut world.state.bodies.pose[k], half, &world.state.bodies.inertia[k], *dt);
            world.bodies.twist[k] = kicked(half, &field.accel[k], 0.5 * *dt);
        }
        field.drift_cell(world, *dt);
        field.lag = *dt;
        Ok(())
    }
}
