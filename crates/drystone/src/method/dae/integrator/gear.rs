//! Gear's predictor and corrector of fifth order.

use super::{DaeIntegrator, DaeStepContext};
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::Dim;
use crate::method::common::taylor::{CARRIED, correct_body, keep_rates, predict_body, rates_of};
use crate::method::dae::field::EvaluationTime;

/// Taylor series with five derivatives, corrected by the second derivative that the forces give. [Gear71],
/// [AllenTildesley]
///
/// Column k carries the derivatives a, a', a'', a''' of twists. The corrections are those for forces that depend on
/// velocities. The projection follows after the correction [Chen section 3.5]; the derivatives beyond the acceleration
/// are dropped for bodies whose contacts begin to stick or slip.
pub(crate) struct DaeGear;

impl<D: Dim> DaeIntegrator<D> for DaeGear {
    fn carries(&self) -> usize {
        CARRIED
    }

    fn step(&self, context: &mut DaeStepContext<'_, D>) -> Result<(), Coincident> {
        let DaeStepContext { world, field, carried, dt, time } = context;
        let (dt, count) = (*dt, world.bodies.len());
        for k in 0..count {
            let (pose, twist) = (&mut world.state.bodies.pose[k], &mut world.state.bodies.twist[k]);
            if !world.state.bodies.inertia[k].is_movable() {
                pose.x += twist.v * dt;
                continue;
            }
            let mut rates = rates_of(carried, count, k);
            let mean = predict_body(pose, twist, &mut rates, dt);
            pose.q = D::turn(pose.q, mean, dt);
            keep_rates(carried, count, k, &rates);
        }
        let accel = field
            .evaluate(world, EvaluationTime { ahead: dt, weight: dt, time: *time, step: dt, now: *time + dt })?
            .accel;
        for k in (0..count).filter(|k| world.state.bodies.inertia[*k].is_movable()) {
            let (pose, twist) = (&mut world.state.bodies.pose[k], &mut world.state.bodies.twist[k]);
            let mut rates = rates_of(carried, count, k);
            correct_body(pose, twist, &mut rates, &accel[k], dt);
            keep_rates(carried, count, k, &rates);
        }
        Ok(())
    }

    fn forget(&self, carried: &mut [Twist<D>], count: usize, bodies: &[usize]) {
        for body in bodies {
            (1..CARRIED).for_each(|n| carried[n * count + body] = Twist::default());
        }
    }
}
