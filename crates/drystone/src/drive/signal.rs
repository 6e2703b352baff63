//! Signals: amounts that change with time.

use std::fmt::Debug;

use crate::dim::{Dim, Vector};
use crate::drive::table::TableRows;
use crate::input::quantity::{Angle, AxialVector, Components, Frequency, Quantity, Time};
use crate::input::units::Dimension;
use crate::input::value::POSITIVE;
use crate::input::{Node, Reader, Value};
use crate::list::{list, record};

/// What a signal can carry: a quantity, or a vector of them.
pub trait Amount: Value + Copy + Debug {
    /// The amount without its unit.
    type Plain: Vector;
    /// Names of its numbers.
    const PARTS: &'static [&'static str];
    /// Its dimension.
    const DIMENSION: Dimension;
    /// The amount without its unit.
    fn plain(self) -> Self::Plain;
    /// Reads one of its numbers.
    fn read_number(node: &Node, reader: &Reader) -> Option<f64>;
}

impl<const KG: i8, const M: i8, const S: i8, const RAD: i8> Amount for Quantity<KG, M, S, RAD> {
    type Plain = f64;
    const PARTS: &'static [&'static str] = &["value"];
    const DIMENSION: Dimension = [KG, M, S, RAD];
    fn plain(self) -> f64 {
        self.0
    }
    fn read_number(node: &Node, reader: &Reader) -> Option<f64> {
        Self::read(node, reader).map(|number| number.0)
    }
}

impl<D: Dim, const KG: i8, const M: i8, const S: i8> Amount for Components<D, KG, M, S> {
    type Plain = D::Vec;
    const PARTS: &'static [&'static str] = D::AXES;
    const DIMENSION: Dimension = [KG, M, S, 0];
    fn plain(self) -> D::Vec {
        self.0
    }
    fn read_number(node: &Node, reader: &Reader) -> Option<f64> {
        Quantity::<KG, M, S, 0>::read(node, reader).map(|number| number.0)
    }
}

impl<D: Dim, const KG: i8, const M: i8, const S: i8, const RAD: i8> Amount for AxialVector<D, KG, M, S, RAD> {
    type Plain = D::Spin;
    const PARTS: &'static [&'static str] = if D::DIMENSION == 2 { &["value"] } else { D::AXES };
    const DIMENSION: Dimension = [KG, M, S, RAD];
    fn plain(self) -> D::Spin {
        self.0
    }
    fn read_number(node: &Node, reader: &Reader) -> Option<f64> {
        Quantity::<KG, M, S, RAD>::read(node, reader).map(|number| number.0)
    }
}

list! {
    /// An amount that changes with time; time counts from the start of the stage that set the drive, or of the run.
    pub enum Signal<V: Amount> by key or Constant(V) {
        /// From one value to another, linearly, then constant.
        "ramp" => Ramp(Ramp<V>),
        /// amplitude * sin(2 pi frequency t + phase).
        "sine" => Sine(Sine<V>),
        /// Rows of time and components, linear in between, constant outside: a list, or the name of a CSV file. Or {
        /// file = "quake.csv", time = "t", x = "ns", unit = "g", baseline = "linear" }: named columns of a file with a
        /// header, in a unit that the header gives in [brackets], or `unit` here; an acceleration is zero outside of
        /// the record, and `baseline` brings its wall to rest ("mean"), or also back to its place ("linear").
        "table" => Table(TableRows<V>),
    }
}

record! {
    /// From one value to another, linearly.
    pub struct Ramp<V: Amount> {
        /// Value at the start.
        from: V,
        /// Value at the end and afterwards.
        to: V,
        /// How long the change takes.
        over: Time where POSITIVE,
    }
}

record! {
    /// A sine.
    pub struct Sine<V: Amount> {
        /// Largest value.
        amplitude: V,
        /// Oscillations per second.
        frequency: Frequency where POSITIVE,
        /// Phase at the start.
        phase: Angle = Quantity(0.0),
    }
}

impl<V: Amount> Signal<V> {
    /// Mean value between two times.
    pub fn mean(&self, from: f64, to: f64) -> V::Plain {
        match self {
            Signal::Constant(value) => value.plain(),
            Signal::Ramp(ramp) => mean_of_lines(&[(0.0, ramp.from.plain()), (*ramp.over, ramp.to.plain())], from, to),
            Signal::Sine(sine) => sine.amplitude.plain() * sine.mean_sine(from, to),
            Signal::Table(rows) => mean_of_lines(&rows.0, from, to),
        }
    }
}

impl<V: Amount> Signal<V> {
    /// Mean between two times of the integral since time zero: the velocity of an acceleration, over a step.
    ///
    /// (1/h) int_from^to int_0^t a = int_0^from a + (1/h) int_from^to (to - s) a(s) ds, with h = to - from.
    pub fn mean_integral(&self, from: f64, to: f64) -> V::Plain {
        let before = self.mean(0.0, from) * from;
        let within = match self {
            Signal::Constant(value) => value.plain() * (0.5 * (to - from)),
            Signal::Ramp(ramp) => lever_of_lines(&[(0.0, ramp.from.plain()), (*ramp.over, ramp.to.plain())], from, to),
            Signal::Sine(sine) => sine.amplitude.plain() * sine.lever(from, to),
            Signal::Table(rows) => lever_of_lines(&rows.0, from, to),
        };
        before + within
    }

    /// Largest length of its values at any time.
    pub fn largest(&self) -> f64 {
        let norm = |value: &V::Plain| value.norm();
        match self {
            Signal::Constant(value) => norm(&value.plain()),
            Signal::Ramp(ramp) => norm(&ramp.from.plain()).max(norm(&ramp.to.plain())),
            Signal::Sine(sine) => norm(&sine.amplitude.plain()),
            Signal::Table(rows) => rows.0.iter().map(|(_, value)| norm(value)).fold(0.0, f64::max),
        }
    }
}

impl<V: Amount> Sine<V> {
    /// (cos a - cos b) / (b - a) = sin((a + b) / 2) sin((b - a) / 2) / ((b - a) / 2), which loses no digits.
    fn mean_sine(&self, from: f64, to: f64) -> f64 {
        let rate = 2.0 * std::f64::consts::PI * *self.frequency;
        let (half, middle) = (0.5 * rate * (to - from), 0.5 * rate * (to + from) + *self.phase);
        libm::sin(middle) * if half == 0.0 { 1.0 } else { libm::sin(half) / half }
    }

    /// (1/h) int (to - s) sin(s) ds, by parts: cos(from) less the mean of cos, over the rate.
    fn lever(&self, from: f64, to: f64) -> f64 {
        let rate = 2.0 * std::f64::consts::PI * *self.frequency;
        let (half, middle) = (0.5 * rate * (to - from), 0.5 * rate * (to + from) + *self.phase);
        let mean = libm::cos(middle) * if half == 0.0 { 1.0 } else { libm::sin(half) / half };
        (libm::cos(middle - half) - mean) / rate
    }
}

/// A piecewise linear function, constant outside its rows.
fn value_of_lines<V: Vector>(rows: &[(f64, V)], t: f64) -> V {
    match rows.partition_point(|(time, _)| *time <= t) {
        0 => rows[0].1,
        k if k == rows.len() => rows[k - 1].1,
        k => {
            let ((t0, v0), (t1, v1)) = (rows[k - 1], rows[k]);
            v0 + (v1 - v0) * ((t - t0) / (t1 - t0))
        }
    }
}

/// The rows between two times.
fn between<V>(rows: &[(f64, V)], from: f64, to: f64) -> &[(f64, V)] {
    let first = rows.partition_point(|(time, _)| *time <= from);
    let end = rows.partition_point(|(time, _)| *time < to);
    &rows[first..end.max(first)]
}

/// (1/h) int (to - s) a(s) ds of a piecewise linear function, by Simpson's rule, which is exact for its pieces.
pub(super) fn lever_of_lines<V: Vector>(rows: &[(f64, V)], from: f64, to: f64) -> V {
    let term = |s: f64| value_of_lines(rows, s) * (to - s);
    let (mut integral, mut before) = (V::ZERO, from);
    for time in between(rows, from, to).iter().map(|(time, _)| *time).chain([to]) {
        let middle = 0.5 * (before + time);
        integral += (term(before) + term(middle) * 4.0 + term(time)) * ((time - before) / 6.0);
        before = time;
    }
    if from == to { V::ZERO } else { integral * (1.0 / (to - from)) }
}

/// Mean of a piecewise linear function, constant outside its rows.
pub(super) fn mean_of_lines<V: Vector>(rows: &[(f64, V)], from: f64, to: f64) -> V {
    let value = |t: f64| value_of_lines(rows, t);
    if from == to {
        return value(from);
    }
    let (mut integral, mut before) = (V::ZERO, (from, value(from)));
    for &knot in between(rows, from, to).iter().chain([&(to, value(to))]) {
        integral += (before.1 + knot.1) * (0.5 * (knot.0 - before.0));
        before = knot;
    }
    integral * (1.0 / (to - from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;
    use crate::input::quantity::Velocity;
    use glam::DVec2;

    fn path(signal: &Signal<Velocity<D2>>, until: f64, steps: usize) -> DVec2 {
        let dt = until / steps as f64;
        (0..steps).fold(DVec2::ZERO, |x, k| x + signal.mean(k as f64 * dt, (k + 1) as f64 * dt) * dt)
    }

    #[test]
    fn an_acceleration_leads_along_its_second_integral_at_any_step() {
        let x = |v: f64| Components(DVec2::new(v, 0.0));
        let ramp = Signal::Ramp(Ramp { from: x(1.0), to: x(3.0), over: Quantity(2.0) });
        let sine = Signal::Sine(Sine { amplitude: x(2.0), frequency: Quantity(0.25), phase: Quantity(0.3) });
        // triangle of 1 s up to 2, then down to 0 at 2 s: t^3/3 to 1/3, then v = 1 at 1 s
        let table = Signal::Table(TableRows(vec![(0.0, x(0.0).0), (1.0, x(2.0).0), (2.0, x(0.0).0)]));
        let rate = std::f64::consts::PI * 0.5;
        let end = rate * 3.0 + 0.3;
        let exact_sine = 2.0 / rate * (3.0 * 0.3f64.cos() - (end.sin() - 0.3f64.sin()) / rate);
        for steps in [1, 7, 100] {
            let dt = 3.0 / steps as f64;
            let path = |signal: &Signal<Velocity<D2>>| {
                let step = |k: usize| signal.mean_integral(k as f64 * dt, (k + 1) as f64 * dt) * dt;
                (0..steps).map(step).fold(DVec2::ZERO, |x, step| x + step).x
            };
            // 1 + t to 2 s: 2 + 8/6, v = 4, then 4 + 3/2
            assert!((path(&ramp) - (2.0 + 4.0 / 3.0 + 5.5)).abs() < 1e-13, "{steps}");
            assert!((path(&sine) - exact_sine).abs() < 1e-12, "{steps}");
            // 1/3, then 1 + 1 - 1/3, then v = 2 for 1 s
            assert!((path(&table) - (1.0 / 3.0 + 5.0 / 3.0 + 2.0)).abs() < 1e-13, "{steps}");
        }
    }

    #[test]
    fn the_path_is_the_integral_of_the_signal_at_any_step() {
        let x = |v: f64| Components(DVec2::new(v, 0.0));
        let ramp = Signal::Ramp(Ramp { from: x(1.0), to: x(3.0), over: Quantity(2.0) });
        let sine = Signal::Sine(Sine { amplitude: x(2.0), frequency: Quantity(0.25), phase: Quantity(0.3) });
        let table = Signal::Table(TableRows(vec![(0.0, x(0.0).0), (1.0, x(2.0).0), (1.5, x(-2.0).0)]));
        let rate = std::f64::consts::PI * 0.5;
        let exact_sine = 2.0 * (0.3f64.cos() - (rate * 3.0 + 0.3).cos()) / rate;
        for steps in [1, 7, 100] {
            // trapezes: 4 over the first two seconds, then 3 * 1; 1, then 0, then -2 * 1.5
            for (signal, exact) in [(&ramp, 7.0), (&sine, exact_sine), (&table, -2.0)] {
                assert!((path(signal, 3.0, steps).x - exact).abs() < 1e-13, "{signal:?} in {steps} steps");
            }
        }
    }
}
