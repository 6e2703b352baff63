//! Amounts that change with time, as a resolved scenario writes them: a constant, a ramp, a sine, rows of a table.

use std::f64::consts::TAU;

use toml::{Table, Value};

use super::kinds;
use super::scene::{as_number, number};
use super::space::{Vec3, add, norm, scale, sub};

/// An amount that changes with time; a number is the first component of a vector.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Signal {
    /// Times and values, linear in between and constant outside.
    Lines(Vec<(f64, Vec3)>),
    /// amplitude sin(rate t + phase).
    Sine {
        /// Largest value.
        amplitude: Vec3,
        /// Angular frequency [rad/s].
        rate: f64,
        /// Phase at time zero.
        phase: f64,
    },
}

/// A mean over time, and the size of the numbers that it is computed from, which sets its rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    /// The mean.
    pub value: Vec3,
    /// The size.
    pub size: f64,
}

impl Signal {
    /// Reads a signal; an error says what is not supported.
    pub(crate) fn read(value: &Value) -> Result<Signal, String> {
        let Some(table) = value.as_table() else { return Ok(Signal::Lines(vec![(0.0, amount(value)?)])) };
        let (kind, inner) = kinds::chosen("signals", table)?;
        if kind == "table" {
            let rows = inner.as_array().into_iter().flatten().map(row).collect::<Result<Vec<_>, _>>()?;
            return if rows.is_empty() { Err("a table without rows".into()) } else { Ok(Signal::Lines(rows)) };
        }
        if !kinds::knows("wall.drive.velocity", kind) {
            return Err(kinds::unknown("signals", kind));
        }
        let inner = inner.as_table().ok_or("signals of an unknown form")?;
        let of = |key: &str| amount(inner.get(key).ok_or_else(|| format!("`{key}` is missing"))?);
        match kind {
            "ramp" => Ok(Signal::Lines(vec![(0.0, of("from")?), (number(inner, "over")?, of("to")?)])),
            "sine" => Ok(Signal::Sine {
                amplitude: of("amplitude")?,
                rate: TAU * number(inner, "frequency")?,
                phase: phase(inner)?,
            }),
            other => Err(kinds::unknown("signals", other)),
        }
    }

    /// Its mean between two times.
    pub(crate) fn mean(&self, from: f64, to: f64) -> Mean {
        match self {
            Signal::Lines(rows) if from == to => Mean { value: at(rows, from), size: largest(rows) },
            Signal::Lines(rows) => {
                // the middle of a straight piece is its mean
                let piece = |[p, q]: [f64; 2]| scale(at(rows, 0.5 * (p + q)), (q - p) / (to - from));
                Mean { value: pieces(rows, from, to).map(piece).fold([0.0; 3], add), size: largest(rows) }
            }
            Signal::Sine { amplitude, rate, phase } => {
                let middle = 0.5 * rate * (from + to) + phase;
                let value = scale(*amplitude, middle.sin() * slit(0.5 * rate * (to - from)));
                Mean { value, size: norm(*amplitude) }
            }
        }
    }

    /// Mean between two times of its integral since time zero: the velocity of an acceleration.
    pub(crate) fn mean_integral(&self, from: f64, to: f64) -> Mean {
        match self {
            Signal::Lines(rows) => {
                let before = scale(self.mean(0.0, from).value, from);
                // (1/h) int (to - s) a(s) ds: two points of Gauss and Legendre are exact for products of lines
                let piece = |[p, q]: [f64; 2]| {
                    let (middle, off) = (0.5 * (p + q), (q - p) * (1.0 / 12.0_f64).sqrt());
                    let term = |s: f64| scale(at(rows, s), (to - s) / (to - from));
                    scale(add(term(middle - off), term(middle + off)), 0.5 * (q - p))
                };
                let within = if from == to { [0.0; 3] } else { pieces(rows, from, to).map(piece).fold([0.0; 3], add) };
                Mean { value: add(before, within), size: largest(rows) * from.abs().max(to.abs()) }
            }
            Signal::Sine { amplitude, rate, phase } => {
                // int_0^t sin(rate s + phase) ds = (cos(phase) - cos(rate t + phase)) / rate
                let middle = 0.5 * rate * (from + to) + phase;
                let mean = (phase.cos() - middle.cos() * slit(0.5 * rate * (to - from))) / rate;
                Mean { value: scale(*amplitude, mean), size: norm(*amplitude) * (2.0 + middle.abs()) / rate }
            }
        }
    }
}

/// sin(x) / x.
fn slit(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { x.sin() / x }
}

/// The value of rows at a time.
fn at(rows: &[(f64, Vec3)], time: f64) -> Vec3 {
    let later = rows.partition_point(|(known, _)| *known <= time);
    match (later.checked_sub(1).map(|k| rows[k]), rows.get(later)) {
        (None, Some((_, first))) => *first,
        (Some((_, last)), None) => last,
        (Some((t0, v0)), Some((t1, v1))) => add(v0, scale(sub(*v1, v0), (time - t0) / (t1 - t0))),
        (None, None) => [0.0; 3],
    }
}

fn largest(rows: &[(f64, Vec3)]) -> f64 {
    rows.iter().map(|(_, value)| norm(*value)).fold(0.0, f64::max)
}

/// Straight pieces of rows between two times.
fn pieces(rows: &[(f64, Vec3)], from: f64, to: f64) -> impl Iterator<Item = [f64; 2]> {
    let within = rows.iter().map(|(time, _)| *time).filter(move |time| from < *time && *time < to);
    let ends: Vec<f64> = std::iter::once(from).chain(within).chain([to]).collect();
    (1..ends.len()).map(move |k| [ends[k - 1], ends[k]])
}

fn phase(sine: &Table) -> Result<f64, String> {
    if sine.contains_key("phase") { number(sine, "phase") } else { Ok(0.0) }
}

/// A number, or a vector.
fn amount(value: &Value) -> Result<Vec3, String> {
    let numbers = match value.as_array() {
        None => as_number(value).map(|x| vec![x]),
        Some(parts) => parts.iter().map(as_number).collect(),
    };
    numbers.as_deref().and_then(vector).ok_or_else(|| "signals of an unknown form".into())
}

/// A time and the components of a value.
fn row(row: &Value) -> Result<(f64, Vec3), String> {
    let numbers = row.as_array().and_then(|row| row.iter().map(as_number).collect::<Option<Vec<f64>>>());
    let read =
        numbers.as_deref().and_then(|row| row.split_first()).and_then(|(time, rest)| Some((*time, vector(rest)?)));
    read.ok_or_else(|| "a table of an unknown form".into())
}

fn vector(numbers: &[f64]) -> Option<Vec3> {
    match *numbers {
        [x] => Some([x, 0.0, 0.0]),
        [x, y] => Some([x, y, 0.0]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(text: &str) -> Signal {
        let table: Table = format!("signal = {text}").parse().unwrap();
        Signal::read(&table["signal"]).unwrap()
    }

    /// Sums of means over steps against areas that are known: trapezes, and the integral of the sine.
    #[test]
    fn means_add_up_to_the_integral_at_any_step() {
        let rate = 0.25 * TAU;
        let sine = 2.0 * (0.3_f64.cos() - (rate * 3.0 + 0.3).cos()) / rate;
        let twice = 2.0 / rate * (3.0 * 0.3_f64.cos() - ((rate * 3.0 + 0.3).sin() - 0.3_f64.sin()) / rate);
        for (text, integral, second) in [
            ("[2.0, 1]", 6.0, 9.0),
            ("{ ramp = { from = [1.0, 0.0], to = [3.0, 0.0], over = 2.0 } }", 7.0, 2.0 + 4.0 / 3.0 + 5.5),
            ("{ sine = { amplitude = 2.0, frequency = 0.25, phase = 0.3 } }", sine, twice),
            ("{ table = [[0.0, 0.0], [1.0, 2.0], [2.0, 0.0]] }", 2.0, 1.0 / 3.0 + 5.0 / 3.0 + 2.0),
        ] {
            let signal = signal(text);
            for steps in [1, 7, 100] {
                let dt = 3.0 / f64::from(steps);
                let sum = |mean: &dyn Fn(f64, f64) -> Mean| -> f64 {
                    let step = |k: i32| mean(f64::from(k) * dt, f64::from(k + 1) * dt).value[0] * dt;
                    (0..steps).map(step).sum()
                };
                assert!((sum(&|from, to| signal.mean(from, to)) - integral).abs() < 1e-12, "{text} in {steps}");
                assert!((sum(&|from, to| signal.mean_integral(from, to)) - second).abs() < 1e-12, "{text} in {steps}");
            }
        }
    }

    #[test]
    fn what_is_not_known_is_named() {
        let table: Table = "signal = { chirp = 1 }".parse().unwrap();
        assert_eq!(Signal::read(&table["signal"]).unwrap_err(), "signals of the kind `chirp`");
    }
}
