//! Suzuki's fourth-order composition.

use super::verlet::Verlet;
use super::{Integrator, StepContext};
use crate::contact::Coincident;
use crate::dim::Dim;
use crate::method::md::force_schedule::ForceSchedule;

/// S4(dt) = S2(p dt)^2 S2((1 - 4p) dt) S2(p dt)^2 with p = 1 / (4 - 4^(1/3)). [Suzuki90]
///
/// S2 is a Verlet step, [`Verlet::substep`]: its kicks and drift are those of [`Verlet`]. The third part goes backwards,
/// so that with dissipative forces the order is only that of S2 or less. Five force evaluations.
pub(crate) struct SuzukiTrotter;

/// 1 / (4 - 4^(1/3)).
const P: f64 = 0.414_490_771_794_375_74;

impl<D: Dim> Integrator<D> for SuzukiTrotter {
    fn carries(&self) -> usize {
        1
    }

    fn until(&self, dt: f64) -> f64 {
        P * dt
    }

    fn start(&self, context: &mut StepContext<'_, D>) -> Result<(), Coincident> {
        let StepContext { world, field, carried, dt } = context;
        field.follow(world);
        field.evaluate(world, ForceSchedule::first(P * *dt), *dt, 0.0)?;
        **carried = std::mem::take(&mut field.accel);
        Ok(())
    }

    fn step(&self, context: &mut StepContext<'_, D>) -> Result<(), Coincident> {
        let (dt, before) = (context.dt, context.world.bodies.twist.clone());
        let parts = [P, P, 1.0 - 4.0 * P, P, P, P].map(|part| part * dt); // the last is the first of the next step
        for pair in parts.windows(2) {
            Verlet::substep(context, ForceSchedule { since: pair[0], until: pair[1], kicks: false })?;
        }
        context.world.scratch.before = before; // each part has stored its own start
        Ok(())
    }
}
