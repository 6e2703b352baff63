//! Distributions of the last frame: normal forces, mobilised friction, directions of contacts.

use std::f64::consts::PI;

use drystone::method::Kind;
use drystone::record::Frame;

use super::cases::Plan;
use super::outcome::Outcome;
use super::report::Figure;
use crate::Failure;
use crate::picture::plot::{Axis, Hand, Plot};

/// Bins of a distribution.
const BINS: usize = 24;
/// Where the distribution of forces ends, in mean forces.
const STRONGEST: f64 = 6.0;

/// Contacts between grains that press.
fn pressing(frame: &Frame) -> impl Iterator<Item = usize> + '_ {
    let contacts = &frame.contacts;
    (0..contacts.a.len()).filter(|k| contacts.a[*k] >= 0 && contacts.normal_force[*k] > 0.0)
}

/// Normal forces of contacts between grains over their mean.
pub(super) fn force_ratios(frame: &Frame) -> Vec<f64> {
    let forces: Vec<f64> = pressing(frame).map(|k| frame.contacts.normal_force[k]).collect();
    let mean = forces.iter().sum::<f64>() / forces.len() as f64;
    forces.into_iter().map(|force| force / mean).collect()
}

/// Tangential force over the limit of friction; contacts without friction have none.
fn mobilised(frame: &Frame) -> Vec<f64> {
    let contacts = &frame.contacts;
    let ratio = |k: usize| {
        let tangential = contacts.tangential_force[k].iter().map(|x| x * x).sum::<f64>().sqrt();
        tangential / (contacts.friction[k] * contacts.normal_force[k])
    };
    pressing(frame).filter(|k| contacts.friction[*k] > 0.0).map(ratio).collect()
}

/// Angle of a contact to the first axis in the plane, and to the last one in space, from 0 to 180 degrees.
fn directions(frame: &Frame) -> Vec<f64> {
    let angle = |[x, y, z]: [f64; 3]| match frame.dimension {
        2 => y.atan2(x).rem_euclid(PI),
        _ => z.clamp(-1.0, 1.0).acos(),
    };
    pressing(frame).map(|k| angle(frame.contacts.normal[k]).to_degrees()).collect()
}

/// A distribution to draw.
struct Shape {
    name: &'static str,
    caption: &'static str,
    label: &'static str,
    /// Where the bins begin and end.
    ends: [f64; 2],
    values: fn(&Frame) -> Vec<f64>,
    is_log: bool,
}

const SHAPES: [Shape; 3] = [
    Shape {
        name: "forces",
        caption: "Distribution of normal forces between grains over their mean, in the last frame",
        label: "Normal force / mean",
        ends: [0.0, STRONGEST],
        values: force_ratios,
        is_log: true,
    },
    Shape {
        name: "friction",
        caption: "Distribution of the mobilised friction, tangential over largest force, in the last frame",
        label: "Mobilised friction",
        ends: [0.0, 1.0],
        values: mobilised,
        is_log: false,
    },
    Shape {
        name: "directions",
        caption: "Directions of contacts between grains in the last frame: angle to x in the plane, to z in space",
        label: "Angle (°)",
        ends: [0.0, 180.0],
        values: directions,
        is_log: false,
    },
];

/// Figures of all distributions; without contacts between grains there are none.
pub(super) fn figures(plan: &Plan, outcomes: &[Outcome]) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    for shape in SHAPES {
        let y = if shape.is_log { Axis::log("Probability density") } else { Axis::linear("Probability density") };
        let mut plot = Plot::new("", Axis::linear(shape.label), y);
        let mut is_empty = true;
        for method in &plan.methods {
            let values = values(*method, outcomes, shape.values)?;
            is_empty &= values.is_empty();
            plot.curve(method.name(), Hand::Line, density(&values, shape.ends));
        }
        if !is_empty {
            figures.push(Figure::drawn(format!("distribution-{}", shape.name), shape.caption.into(), &plot)?);
        }
    }
    Ok(figures)
}

/// Values of the last frames of all runs of a method.
fn values(method: Kind, outcomes: &[Outcome], of: fn(&Frame) -> Vec<f64>) -> Result<Vec<f64>, Failure> {
    let mut all = Vec::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.case.method == method) {
        all.extend(of(&outcome.last_frame()?));
    }
    Ok(all)
}

/// Probability density in equal bins; values on the upper end belong to the last bin, those beyond to none.
fn density(values: &[f64], [low, high]: [f64; 2]) -> Vec<(f64, f64)> {
    let step = (high - low) / BINS as f64;
    let mut counts = [0_u32; BINS];
    for value in values.iter().filter(|value| (low..=high * (1.0 + 1e-12)).contains(*value)) {
        counts[(((value - low) / step) as usize).min(BINS - 1)] += 1;
    }
    let height = |count: u32| f64::from(count) / (values.len() as f64 * step);
    counts.iter().enumerate().map(|(k, count)| (low + (k as f64 + 0.5) * step, height(*count))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_density_integrates_to_the_share_of_what_lies_inside() {
        let values: Vec<f64> = (0..1000).map(|k| f64::from(k) / 500.0).collect();
        let found = density(&values, [0.0, 1.0]);
        // half of the numbers from 0 to 2 lie below 1, evenly
        assert!((found.iter().map(|(_, y)| y / BINS as f64).sum::<f64>() - 0.501).abs() < 1e-9);
        assert!(found.iter().all(|(_, y)| (y - 0.5).abs() < 0.03), "{found:?}");
    }
}
