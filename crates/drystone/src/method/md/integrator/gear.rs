//! Gear's predictor and corrector.

use super::suzuki_trotter::SuzukiTrotter;
use super::{Course, Integrator, along};
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};

/// Taylor series with five derivatives, corrected by what the force says of the second. [Gear71], [AllenTildesley]
///
/// Column k carries the derivatives of twists: a, a', a'', a''', so that x has five and w has four. Corrections are for
/// forces that depend on velocities: 3/16 for x, and 251/720 for w, which is of first order.
///
/// A start without the higher derivatives would leave an error of second order for good: they are found from the
/// accelerations of four trial steps of fourth order.
pub struct Gear;

/// Coefficients of a second-order equation with five derivatives, from x on.
const SECOND: [f64; 6] = [3.0 / 16.0, 251.0 / 360.0, 1.0, 11.0 / 18.0, 1.0 / 6.0, 1.0 / 60.0];
/// Coefficients of a first-order equation with four derivatives, from w on.
const FIRST: [f64; 5] = [251.0 / 720.0, 1.0, 11.0 / 12.0, 1.0 / 3.0, 1.0 / 24.0];
/// k!
const FACTORIAL: [f64; 6] = [1.0, 1.0, 2.0, 6.0, 24.0, 120.0];

/// First, second and third derivative of five values at equal distances, at the first of them.
const DIFFERENCES: [[f64; 5]; 3] = [
    [-25.0 / 12.0, 4.0, -3.0, 4.0 / 3.0, -0.25],
    [35.0 / 12.0, -26.0 / 3.0, 9.5, -14.0 / 3.0, 11.0 / 12.0],
    [-2.5, 9.0, -12.0, 7.0, -1.5],
];

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
        4
    }

    fn start(&self, course: &mut Course<'_, D>) -> Result<(), Coincident> {
        let Course { world, field, carried, dt } = course;
        field.follow(world);
        field.look(world, (0.0, *dt, 0.0), 0.0)?;
        let (dt, count) = (*dt, field.accel.len());
        let (pose, twist, kept) = (world.bodies.pose.clone(), world.bodies.twist.clone(), field.list.kept());
        let mut rates = vec![field.accel.clone()];
        for _ in 0..4 {
            let mut last = rates[rates.len() - 1].clone();
            SuzukiTrotter.step(&mut Course { world, field, carried: &mut last, dt })?;
            rates.push(last);
        }
        (world.bodies.pose, world.bodies.twist) = (pose, twist);
        field.open(world, dt, kept);
        for (k, rate) in carried.iter_mut().enumerate() {
            let (derivative, body) = (k / count, k % count);
            *rate = match derivative {
                0 => rates[0][body],
                _ => {
                    let sum = |sum: Twist<D>, (rate, part): (&Vec<Twist<D>>, &f64)| along(&sum, &rate[body], *part);
                    let sum = rates.iter().zip(&DIFFERENCES[derivative - 1]).fold(Twist::default(), sum);
                    along(&Twist::default(), &sum, libm::pow(dt, -(derivative as f64)))
                }
            };
        }
        Ok(())
    }

    fn step(&self, course: &mut Course<'_, D>) -> Result<(), Coincident> {
        let Course { world, field, carried, dt } = course;
        let (dt, count) = (*dt, world.bodies.len());
        let mut way = 0.0_f64;
        for k in 0..count {
            let (pose, twist) = (&mut world.bodies.pose[k], &mut world.bodies.twist[k]);
            let from = pose.x;
            if !world.bodies.inertia[k].is_movable() {
                pose.x += twist.v * dt;
                way = way.max((pose.x - from).norm());
                continue;
            }
            let rate = |n: usize| carried[n * count + k];
            let x = predict([pose.x, twist.v, rate(0).v, rate(1).v, rate(2).v, rate(3).v], dt);
            let w = predict([twist.w, rate(0).w, rate(1).w, rate(2).w, rate(3).w], dt);
            pose.q = D::turn_little(pose.q, (twist.w + w[0]) * 0.5, dt);
            (pose.x, twist.v, twist.w) = (x[0], x[1], w[0]);
            for n in 0..4 {
                carried[n * count + k] = Twist { v: x[n + 2], w: w[n + 1] };
            }
            way = way.max((pose.x - from).norm());
        }
        field.follow(world);
        field.look(world, (dt, dt, way), 0.0)?;
        for k in (0..count).filter(|k| world.bodies.inertia[*k].is_movable()) {
            let (pose, twist) = (&mut world.bodies.pose[k], &mut world.bodies.twist[k]);
            let rate = |n: usize| carried[n * count + k];
            let mut x = [pose.x, twist.v, rate(0).v, rate(1).v, rate(2).v, rate(3).v];
            let mut w = [twist.w, rate(0).w, rate(1).w, rate(2).w, rate(3).w];
            correct(&mut x, field.accel[k].v - rate(0).v, 2, SECOND, dt);
            correct(&mut w, field.accel[k].w - rate(0).w, 1, FIRST, dt);
            (pose.x, twist.v, twist.w) = (x[0], x[1], w[0]);
            for n in 0..4 {
                carried[n * count + k] = Twist { v: x[n + 2], w: w[n + 1] };
            }
        }
        Ok(())
    }
}
