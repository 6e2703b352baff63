//! Velocity Verlet.

use super::{Integrator, StepContext};
use crate::contact::Coincident;
use crate::dim::Dim;
use crate::method::md::force_schedule::ForceSchedule;

/// v += a dt/2, x += v dt, a from the new positions, v += a dt/2. [Swope82]
///
/// The three lines are executed in [`ForceField::kick_drift_kick`], fused with the force loop so that every grain comes
/// from memory once:
///
/// * v += a dt/2, x += v dt: [`FillLocalBodies`], in the local copy that the forces read;
/// * a from the new positions: [`Task::run`];
/// * v += a dt/2: [`FinishStep`], which also writes the new positions, and repeats the first line for the
///   velocities.
///
/// Forces that depend on velocities use v + a dt/2 with the old a: velocities at the time at which the forces act, so
/// that friction and damping stay of second order. The accelerations are carried.
///
/// [`ForceField::kick_drift_kick`]: crate::method::md::field::ForceField::kick_drift_kick
/// [`FillLocalBodies`]: crate::method::md::local_bodies::FillLocalBodies
/// [`Task::run`]: crate::method::md::task::Task::run
/// [`FinishStep`]: crate::method::md::motion::FinishStep
pub(crate) struct Verlet;

impl Verlet {
    /// A Verlet step over `schedule.since`, also backwards, as part of a whole step.
    pub(crate) fn substep<D: Dim>(context: &mut StepContext<'_, D>, schedule: ForceSchedule) -> Result<(), Coincident> {
        let StepContext { world, field, carried, dt: step } = context;
        field.accel = std::mem::take(carried); // they are overwritten by the new ones
        let result = field.kick_drift_kick(world, schedule, *step);
        **carried = std::mem::take(&mut field.accel);
        result
    }
}

impl<D: Dim> Integrator<D> for Verlet {
    fn carries(&self) -> usize {
        1
    }

    fn start(&self, context: &mut StepContext<'_, D>) -> Result<(), Coincident> {
        let StepContext { world, field, carried, dt } = context;
        field.follow(world);
        field.evaluate(world, ForceSchedule::first(*dt), *dt, 0.0)?;
        **carried = std::mem::take(&mut field.accel);
        Ok(())
    }

    fn step(&self, context: &mut StepContext<'_, D>) -> Result<(), Coincident> {
        let schedule = ForceSchedule::even(context.dt);
        Verlet::substep(context, schedule)
    }
}
