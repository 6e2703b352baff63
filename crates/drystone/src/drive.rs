//! How a wall is moved: not at all, or with a velocity that follows a signal.

use crate::dim::{Dim, Vector};
use crate::input::quantity::{Angle, Frequency, Time, Velocity};
use crate::input::value::POSITIVE;
use crate::input::{Node, Raw, Reader, Value};
use crate::list::{list, record};

list! {
    /// A wall that is not moved.
    pub enum Stillness by name {
        /// The wall keeps its place.
        "fixed" => Fixed,
    }
}

list! {
    /// How a wall is moved.
    pub enum Drive<D> by key or Still(Stillness) {
        /// The wall moves with this velocity, whatever pushes against it.
        "velocity" => Velocity(Signal<D>),
    }
}

list! {
    /// A velocity that changes with time; time counts from the start of the stage that set the drive.
    pub enum Signal<D> by key or Constant(Velocity<D>) {
        /// From one value to another, linearly, then constant.
        "ramp" => Ramp(Ramp<D>),
        /// amplitude * sin(2 pi frequency t + phase).
        "sine" => Sine(Sine<D>),
        /// Rows of time and components, linear in between, constant outside: a list, or the name of a CSV file.
        "table" => Table(Rows<D>),
    }
}

record! {
    /// From one value to another, linearly.
    pub struct Ramp<D> {
        /// Value at the start.
        from: Velocity<D>,
        /// Value at the end, kept from then on.
        to: Velocity<D>,
        /// How long the change takes.
        over: Time where POSITIVE,
    }
}

record! {
    /// A sine.
    pub struct Sine<D> {
        /// Largest value.
        amplitude: Velocity<D>,
        /// Oscillations per second.
        frequency: Frequency where POSITIVE,
        /// Phase at the start.
        phase: Angle = crate::input::quantity::Quantity(0.0),
    }
}

/// Rows of a table: time and value, times increasing.
#[derive(Clone, Debug)]
pub struct Rows<D: Dim>(Vec<(f64, D::Vec)>);

impl<D: Dim> Drive<D> {
    /// A wall that keeps its place.
    pub const FIXED: Drive<D> = Drive::Still(Stillness::Fixed);

    /// Mean velocity between two times, so that the wall's path is the exact integral of its signal.
    pub fn mean_velocity(&self, from: f64, to: f64) -> D::Vec {
        match self {
            Drive::Still(Stillness::Fixed) => D::Vec::ZERO,
            Drive::Velocity(signal) => signal.mean(from, to),
        }
    }
}

impl<D: Dim> Signal<D> {
    /// Mean value between two times.
    pub fn mean(&self, from: f64, to: f64) -> D::Vec {
        match self {
            Signal::Constant(value) => value.0,
            Signal::Ramp(ramp) => mean_of_lines(&[(0.0, ramp.from.0), (*ramp.over, ramp.to.0)], from, to),
            Signal::Sine(sine) => sine.amplitude.0 * sine.mean_sine(from, to),
            Signal::Table(rows) => mean_of_lines(&rows.0, from, to),
        }
    }
}

impl<D: Dim> Sine<D> {
    /// (cos a - cos b) / (b - a) = sin((a + b) / 2) sin((b - a) / 2) / ((b - a) / 2), which loses no digits.
    fn mean_sine(&self, from: f64, to: f64) -> f64 {
        let rate = 2.0 * std::f64::consts::PI * *self.frequency;
        let (half, middle) = (0.5 * rate * (to - from), 0.5 * rate * (to + from) + *self.phase);
        libm::sin(middle) * if half == 0.0 { 1.0 } else { libm::sin(half) / half }
    }
}

/// Mean of a piecewise linear function, constant outside its rows.
fn mean_of_lines<V: Vector>(rows: &[(f64, V)], from: f64, to: f64) -> V {
    let value = |t: f64| match rows.iter().position(|(time, _)| t < *time) {
        Some(0) => rows[0].1,
        None => rows[rows.len() - 1].1,
        Some(k) => {
            let ((t0, v0), (t1, v1)) = (rows[k - 1], rows[k]);
            v0 + (v1 - v0) * ((t - t0) / (t1 - t0))
        }
    };
    if from == to {
        return value(from);
    }
    let knots = rows.iter().map(|(time, _)| *time).filter(|time| from < *time && *time < to);
    let mut integral = V::ZERO;
    let mut before = from;
    for time in knots.chain([to]) {
        integral += (value(before) + value(time)) * (0.5 * (time - before));
        before = time;
    }
    integral * (1.0 / (to - from))
}

impl<D: Dim> Value for Rows<D> {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        let columns = D::DIMENSION + 1;
        let rows: Vec<Vec<f64>> = match &node.value {
            Raw::Text(file) => {
                let rows = crate::input::csv::numbers(reader, &node.at, file, columns)?;
                rows.into_iter().map(|row| row.numbers).collect()
            }
            _ => {
                let rows = Vec::<Vec<crate::input::quantity::Number>>::read(node, reader)?;
                rows.into_iter().map(|row| row.into_iter().map(|x| x.0).collect()).collect()
            }
        };
        if rows.is_empty() || rows.iter().any(|row| row.len() != columns) {
            let message =
                format!("`{}` must have rows of {columns} numbers: time and {}", node.path, D::AXES.join(", "));
            return reader.mistake("E016", &node.at, message, format!("write {}", Self::example()));
        }
        if let Some(pair) = rows.windows(2).find(|pair| pair[0][0] >= pair[1][0]) {
            let message =
                format!("the times of `{}` must increase, but {} comes after {}", node.path, pair[1][0], pair[0][0]);
            return reader.mistake("E007", &node.at, message, "put the rows in the order of their times");
        }
        Some(Rows(rows.into_iter().map(|row| (row[0], D::Vec::from_fn(|axis| row[axis + 1]))).collect()))
    }
    fn write(&self) -> toml::Value {
        let row = |(time, value): &(f64, D::Vec)| {
            let parts = std::iter::once(*time).chain((0..D::DIMENSION).map(|axis| value.get(axis)));
            toml::Value::Array(parts.map(toml::Value::from).collect())
        };
        toml::Value::Array(self.0.iter().map(row).collect())
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"type": ["array", "string"]})
    }
    fn example() -> String {
        let still = vec!["0"; D::DIMENSION].join(", ");
        format!("[[0, {still}], [1, {still}]]: time, then the components")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;
    use crate::input::quantity::{Components, Quantity};
    use glam::DVec2;

    fn path(signal: &Signal<D2>, until: f64, steps: usize) -> DVec2 {
        let dt = until / steps as f64;
        (0..steps).fold(DVec2::ZERO, |x, k| x + signal.mean(k as f64 * dt, (k + 1) as f64 * dt) * dt)
    }

    #[test]
    fn the_path_is_the_integral_of_the_signal_at_any_step() {
        let x = |v: f64| Components(DVec2::new(v, 0.0));
        let ramp = Signal::Ramp(Ramp { from: x(1.0), to: x(3.0), over: Quantity(2.0), span: Default::default() });
        let sine = Signal::Sine(Sine {
            amplitude: x(2.0),
            frequency: Quantity(0.25),
            phase: Quantity(0.3),
            span: Default::default(),
        });
        let table = Signal::Table(Rows(vec![(0.0, x(0.0).0), (1.0, x(2.0).0), (1.5, x(-2.0).0)]));
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
