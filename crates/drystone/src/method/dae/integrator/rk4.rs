//! The classical Runge-Kutta method of fourth order.

use super::{DaeIntegrator, DaeStepContext};
use crate::body::{Pose, Twist};
use crate::contact::Coincident;
use crate::dim::Dim;
use crate::method::dae::field::EvaluationTime;

/// k_1 .. k_4 at the start, twice in the middle, and at the end, weighted 1 : 2 : 2 : 1.
///
/// Orientations follow Magnus' series of fourth order: Omega = dt / 6 (w_0 + 4 w_m + w_1) - dt^2 / 12 w_0 x w_1.
pub(crate) struct Rk4;

/// Twists and accelerations of all bodies, from an evaluation.
struct Rates<D: Dim> {
    velocity: Vec<Twist<D>>,
    accel: Vec<Twist<D>>,
}

impl<D: Dim> DaeIntegrator<D> for Rk4 {
    fn carries(&self) -> usize {
        0
    }

    fn step(&self, context: &mut DaeStepContext<'_, D>) -> Result<(), Coincident> {
        let DaeStepContext { world, field, dt, time, .. } = context;
        let dt = *dt;
        let (poses, twists) = (world.bodies.pose.clone(), world.bodies.twist.clone());
        let mut rates: Vec<Rates<D>> = Vec::with_capacity(4);
        for (part, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            let ahead = part * dt;
            if let Some(Rates { velocity, accel }) = rates.last() {
                for k in 0..poses.len() {
                    world.bodies.pose[k] = moved(&poses[k], &velocity[k], ahead);
                    world.bodies.twist[k] = plus(&twists[k], &accel[k], ahead);
                }
            }
            let now = *time + ahead;
            let instant = EvaluationTime { ahead, weight: weight * dt / 6.0, time: *time, step: dt, now };
            let evaluation = field.evaluate(world, instant)?;
            rates.push(Rates { velocity: world.bodies.twist.clone(), accel: evaluation.accel });
        }
        let [first, second, third, last] = &rates[..] else { unreachable!("four evaluations") };
        for k in 0..poses.len() {
            let mean = |of: fn(&Rates<D>) -> &Vec<Twist<D>>| {
                let middle = plus(&of(second)[k], &of(third)[k], 1.0);
                let sum = plus(&plus(&of(first)[k], &middle, 2.0), &of(last)[k], 1.0);
                Twist { v: sum.v * (1.0 / 6.0), w: sum.w * (1.0 / 6.0) }
            };
            let (velocity, accel) = (mean(|rates| &rates.velocity), mean(|rates| &rates.accel));
            world.bodies.twist[k] = plus(&twists[k], &accel, dt);
            let bent = D::commutator(first.velocity[k].w, last.velocity[k].w) * (dt / 12.0);
            let turning = Twist { w: velocity.w - bent, ..velocity };
            world.bodies.pose[k] = moved(&poses[k], &turning, dt);
        }
        Ok(())
    }
}

/// twist + rate dt.
fn plus<D: Dim>(twist: &Twist<D>, rate: &Twist<D>, dt: f64) -> Twist<D> {
    Twist { v: twist.v + rate.v * dt, w: twist.w + rate.w * dt }
}

/// A pose after a twist has acted.
fn moved<D: Dim>(pose: &Pose<D>, twist: &Twist<D>, dt: f64) -> Pose<D> {
    Pose { x: pose.x + twist.v * dt, q: D::turn(pose.q, twist.w, dt) }
}
