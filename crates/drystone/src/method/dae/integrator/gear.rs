//! Gear's predictor and corrector of fifth order.

use super::{Course, Integrator};
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};
use crate::method::dae::field::Moment;

/// Taylor series with five derivatives, corrected by what the forces say of the second. [Gear71], [AllenTildesley]
///
/// Column k carries the derivatives a, a', a'', a''' of twists. The corrections are those for forces that depend on
/// velocities. The projection follows after the correction [Chen section 3.5]; bodies whose contacts begin to stick or
/// slip forget their derivatives beyond the acceleration.
pub struct Gear;

/// Coefficients of a second-order equation with five derivatives, from x on.
const SECOND: [f64; 6] = [3.0 / 16.0, 251.0 / 360.0, 1.0, 11.0 / 18.0, 1.0 / 6.0, 1.0 / 60.0];
/// Coefficients of a first-order equation with four derivatives, from w on.
const FIRST: [f64; 5] = [251.0 / 720.0, 1.0, 11.0 / 12.0, 1.0 / 3.0, 1.0 / 24.0];
/// k!
const FACTORIAL: [f64; 6] = [1.0, 1.0, 2.0, 6.0, 24.0, 120.0];
/// Twists carried.
const CARRIED: usize = 4;

/// Value and derivatives after `dt`: row k is the sum of d_(k + j) dt^j / j!.
fn predict<V: Vector, const N: usize>(derivatives: [V; N], dt: f64) -> [V; N] {
    std::array::from_fn(|k| {
        let mut power = 1.0;
        let mut sum = V::ZERO;
        for j in 0..N - k {
            sum += derivatives[k + j] * (power / FACTORIAL[j]);
            power *= dt;
        }
        sum
    })
}

/// Adds the correction `miss`, of derivative `order`, scaled for every row.
fn correct<V: Vector, const N: usize>(rows: &mut [V; N], miss: V, order: usize, coefficients: [f64; N], dt: f64) {
    let unit = libm::pow(dt, order as f64) / FACTORIAL[order];
    for (k, row) in rows.iter_mut().enumerate() {
        *row += miss * (coefficients[k] * unit * FACTORIAL[k] / libm::pow(dt, k as f64));
    }
}

impl<D: Dim> Integrator<D> for Gear {
    fn carries(&self) -> usize {
        CARRIED
    }

    fn step(&self, course: &mut Course<'_, D>) -> Result<(), Coincident> {
        let Course { world, field, carried, dt, time } = course;
        let (dt, count) = (*dt, world.bodies.len());
        for k in 0..count {
            let (pose, twist) = (&mut world.bodies.pose[k], &mut world.bodies.twist[k]);
            if !world.bodies.inertia[k].is_movable() {
                pose.x += twist.v * dt;
                continue;
            }
            let rate = |n: usize| carried[n * count + k];
            let x = predict([pose.x, twist.v, rate(0).v, rate(1).v, rate(2).v, rate(3).v], dt);
            let w = predict([twist.w, rate(0).w, rate(1).w, rate(2).w, rate(3).w], dt);
            pose.q = D::turn(pose.q, (twist.w + w[0]) * 0.5, dt);
            (pose.x, twist.v, twist.w) = (x[0], x[1], w[0]);
            for n in 0..CARRIED {
                carried[n * count + k] = Twist { v: x[n + 2], w: w[n + 1] };
            }
        }
        let accel = field.look(world, Moment { ahead: dt, weight: dt, time: *time, step: dt })?.accel;
        for k in (0..count).filter(|k| world.bodies.inertia[*k].is_movable()) {
            let (pose, twist) = (&mut world.bodies.pose[k], &mut world.bodies.twist[k]);
            let rate = |n: usize| carried[n * count + k];
            let mut x = [pose.x, twist.v, rate(0).v, rate(1).v, rate(2).v, rate(3).v];
            let mut w = [twist.w, rate(0).w, rate(1).w, rate(2).w, rate(3).w];
            correct(&mut x, accel[k].v - rate(0).v, 2, SECOND, dt);
            correct(&mut w, accel[k].w - rate(0).w, 1, FIRST, dt);
            (pose.x, twist.v, twist.w) = (x[0], x[1], w[0]);
            for n in 0..CARRIED {
                carried[n * count + k] = Twist { v: x[n + 2], w: w[n + 1] };
            }
        }
        Ok(())
    }

    fn forget(&self, carried: &mut [Twist<D>], count: usize, bodies: &[usize]) {
        for body in bodies {
            (1..CARRIED).for_each(|n| carried[n * count + body] = Twist::default());
        }
    }
}
