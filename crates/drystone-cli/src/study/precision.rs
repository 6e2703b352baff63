//! The number of sweeps against the precision asked for. [Radjai and Richefeu, Fig. 10]

use drystone::dim::D2;
use drystone::internals::System;
use drystone::method::cd::{Accelerator, CdOptions, ContactDynamics, Order, Scheme};
use drystone::study::packing::{PressedPacking, time_step};
use drystone::study::trace::{normal_impulses, trace};

use super::desk::Desk;
use crate::Failure;
use crate::picture::plot::{Axis, Hand, Plot};

/// What the solution is known to when errors are compared with it.
const EXACT: f64 = 1e-11;

pub(super) fn perform(desk: &mut Desk) -> Result<(), Failure> {
    let (columns, most) = if desk.quick { (16, 3000) } else { (50, 20_000) };
    let packing = PressedPacking::<D2>::compacted(columns, 1, |part| desk.progress("compacting", part))?;
    let mut plot = Plot::new(
        &format!("Sweeps needed from zero forces, {} disks", columns * columns),
        Axis::log("Precision"),
        Axis::log("Sweeps"),
    );
    let exact = solution(&packing, EXACT, most)?;
    let mut rows = Vec::new();
    for (number, accelerator) in [Accelerator::None, Accelerator::Momentum].into_iter().enumerate() {
        let name = accelerator.name();
        desk.progress(&format!("accelerator {name}"), 0.5 * number as f64);
        let marks = marks(&packing, accelerator, most, &exact)?;
        for (kind, label) in ["force change, eq. 41", "residual eps_nat"].into_iter().enumerate() {
            let points: Vec<(f64, f64)> =
                marks.iter().filter(|mark| mark.kind == kind).map(|mark| (mark.precision, mark.sweeps)).collect();
            let hand = if kind == 0 { Hand::Dashes } else { Hand::Line };
            match kind {
                0 => plot.curve(format!("{name}: {label}"), hand, points),
                _ => plot.again(format!("{name}: {label}"), hand, points),
            }
        }
        for mark in marks.iter().filter(|mark| [1e-2, 1e-4].iter().any(|p| (mark.precision / p - 1.0).abs() < 1e-9)) {
            let what = if mark.kind == 0 { "force change" } else { "eps_nat" };
            let asked = format!("{what} < {:.0e}, {name}", mark.precision);
            desk.found(format!("sweeps to {asked}"), mark.sweeps);
            desk.found("  distance of the forces from the solution there", mark.error);
        }
        rows.extend(marks.iter().map(|m| vec![number as f64, m.kind as f64, m.precision, m.sweeps, m.error]));
    }
    compare_time_steps(desk, &packing, most)?;
    let columns = "accelerator (none momentum),criterion (force_change natural),precision,sweeps,force_error";
    desk.table("precision", columns, rows.into_iter())?;
    desk.plot("precision", &plot)
}

/// Sweeps until no force changes by more than 1e-2, with a quarter of the time step over those with all of it. The
/// midpoint scheme, that of the paper, has no gaps in its equations: all impulses scale with the step.
fn compare_time_steps(desk: &mut Desk, packing: &PressedPacking<D2>, most: u64) -> Result<(), Failure> {
    for scheme in [Scheme::Midpoint, Scheme::Euler] {
        let mut sweeps = [0.0; 2];
        for (sweeps, part) in sweeps.iter_mut().zip([1.0, 0.25]) {
            let mut packing = packing.clone();
            packing.press();
            let mut method = method(part * time_step());
            method.options.scheme = scheme;
            trace(method.prepare_step(&mut packing.world)?, Accelerator::None, |done, grains| {
                *sweeps = done as f64;
                done < most && grains.force_change() > 1e-2
            });
        }
        let [whole, quarter] = sweeps;
        let quantity = format!("sweeps with a quarter of the time step over those with all of it, {}", scheme.name());
        match scheme {
            Scheme::Midpoint => desk.compare(quantity, quarter / whole, 1.0, 0.05),
            Scheme::Euler => desk.found(quantity, quarter / whole),
        }
    }
    Ok(())
}

/// Where a precision was first reached.
struct Mark {
    /// 0 = force change, 1 = residual.
    kind: usize,
    precision: f64,
    sweeps: f64,
    /// Distance of the normal forces from the solution over their size.
    error: f64,
}

fn method(dt: f64) -> ContactDynamics<D2> {
    ContactDynamics::new(CdOptions { order: Order::Coloured, ..CdOptions::with_time_step(dt) })
}

/// The solution, as far as `most` sweeps with momentum find it.
fn solution(packing: &PressedPacking<D2>, residual: f64, most: u64) -> Result<Vec<f64>, Failure> {
    let mut packing = packing.clone();
    packing.press();
    let mut method = method(time_step());
    trace(method.prepare_step(&mut packing.world)?, Accelerator::Momentum, |sweeps, grains| {
        sweeps < most && (!sweeps.is_multiple_of(20) || grains.misfit().ratio() > residual)
    });
    Ok(normal_impulses(method.system()))
}

/// First sweeps at which each criterion falls below 10^-1, 10^-1.25, ... 10^-8.
fn marks(
    packing: &PressedPacking<D2>,
    accelerator: Accelerator,
    most: u64,
    exact: &[f64],
) -> Result<Vec<Mark>, Failure> {
    let mut packing = packing.clone();
    packing.press();
    let mut method = method(time_step());
    let mut reached = [0; 2]; // quarters of a decade below 10^-1
    let precision = |quarter: i32| 10f64.powf(-1.0 - 0.25 * f64::from(quarter));
    let mut marks = Vec::new();
    trace(method.prepare_step(&mut packing.world)?, accelerator, |sweeps, grains| {
        let values = [grains.force_change(), grains.misfit().ratio()];
        for kind in 0..2 {
            while values[kind] < precision(reached[kind]) && reached[kind] <= 28 {
                let error = distance(&normal_impulses(grains), exact);
                marks.push(Mark { kind, precision: precision(reached[kind]), sweeps: sweeps as f64, error });
                reached[kind] += 1;
            }
        }
        sweeps < most && reached.iter().any(|quarter| *quarter <= 28)
    });
    Ok(marks)
}

/// |a - b| / |b|.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let apart: f64 = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum();
    (apart / b.iter().map(|b| b * b).sum::<f64>()).sqrt()
}
