//! Taylor series that are predicted and corrected, for Gear's integrators. [Gear71], [AllenTildesley]
//!
//! A body carries the acceleration of its twist and three derivatives of it, so that its position has five derivatives
//! and its angular velocity has four. The corrections are those for forces that depend on velocities.

use crate::body::{Pose, Twist};
use crate::dim::{Dim, Vector};

/// Number of derivatives of the twist that are carried.
pub(in crate::method) const CARRIED: usize = 4;
/// Coefficients of a second-order equation with five derivatives, from x on.
const SECOND: [f64; 6] = [3.0 / 16.0, 251.0 / 360.0, 1.0, 11.0 / 18.0, 1.0 / 6.0, 1.0 / 60.0];
/// Coefficients of a first-order equation with four derivatives, from w on.
const FIRST: [f64; 5] = [251.0 / 720.0, 1.0, 11.0 / 12.0, 1.0 / 3.0, 1.0 / 24.0];
/// k!
const FACTORIAL: [f64; 6] = [1.0, 1.0, 2.0, 6.0, 24.0, 120.0];

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

/// Derivatives that a body carries.
pub(in crate::method) type Rates<D> = [Twist<D>; CARRIED];
/// Position and angular velocity with their derivatives.
type Columns<D> = ([<D as Dim>::Vec; 6], [<D as Dim>::Spin; 5]);

/// Moves a body by its series; returns the mean of its angular velocity before and after.
pub(in crate::method) fn predict_body<D: Dim>(
    pose: &mut Pose<D>,
    twist: &mut Twist<D>,
    rates: &mut Rates<D>,
    dt: f64,
) -> D::Spin {
    let (x, w) = columns(pose, twist, rates);
    let (x, w) = (predict(x, dt), predict(w, dt));
    let mean = (twist.w + w[0]) * 0.5;
    put((x, w), pose, twist, rates);
    mean
}

/// Corrects the series of a body with its computed acceleration.
pub(in crate::method) fn correct_body<D: Dim>(
    pose: &mut Pose<D>,
    twist: &mut Twist<D>,
    rates: &mut Rates<D>,
    accel: &Twist<D>,
    dt: f64,
) {
    let (mut x, mut w) = columns(pose, twist, rates);
    correct(&mut x, accel.v - rates[0].v, 2, SECOND, dt);
    correct(&mut w, accel.w - rates[0].w, 1, FIRST, dt);
    put((x, w), pose, twist, rates);
}

/// The derivatives of one body, from the columns of all.
pub(in crate::method) fn rates_of<D: Dim>(carried: &[Twist<D>], count: usize, body: usize) -> Rates<D> {
    std::array::from_fn(|n| carried[n * count + body])
}

/// Stores the derivatives of one body.
pub(in crate::method) fn keep_rates<D: Dim>(carried: &mut [Twist<D>], count: usize, body: usize, rates: &Rates<D>) {
    rates.iter().enumerate().for_each(|(n, rate)| carried[n * count + body] = *rate);
}

fn columns<D: Dim>(pose: &Pose<D>, twist: &Twist<D>, rates: &Rates<D>) -> Columns<D> {
    let x = [pose.x, twist.v, rates[0].v, rates[1].v, rates[2].v, rates[3].v];
    (x, [twist.w, rates[0].w, rates[1].w, rates[2].w, rates[3].w])
}

fn put<D: Dim>((x, w): Columns<D>, pose: &mut Pose<D>, twist: &mut Twist<D>, rates: &mut Rates<D>) {
    (pose.x, twist.v, twist.w) = (x[0], x[1], w[0]);
    *rates = std::array::from_fn(|n| Twist { v: x[n + 2], w: w[n + 1] });
}
