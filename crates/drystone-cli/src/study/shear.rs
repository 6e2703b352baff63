//! Sweeps of every step of a slow shear test. [Radjai and Richefeu, Fig. 11]

use drystone::dim::D2;
use drystone::method::StepReport;
use drystone::method::cd::{Accelerator, Accuracy, CdOptions, ContactDynamics, Ladder};
use drystone::study::packing::{PRESSURE, PressedPacking, inertial_time};
use drystone::study::{correlation, exponent};

use super::desk::Desk;
use crate::Failure;
use crate::picture::plot::{Axis, Hand, Plot};

/// Strain in an inertial time: slow enough for grains to be nearly at rest.
const INERTIAL_NUMBER: f64 = 1e-4;
/// Length of a step over the inertial time: ten times longer than while the packing was made.
const TIME_STEP: f64 = 0.5;
/// Steps until the forces of the shear have built up.
const START: usize = 30;

/// The residual of standard accuracy alone, and all that standard accuracy asks for: forces known to a percent and
/// overlaps that do not grow.
const CASES: [(Accuracy, &str); 2] =
    [(Accuracy::Residual(1e-5), "residual 1e-5"), (Accuracy::Named(Ladder::Standard), "standard")];

/// Columns of the table of all tests.
const COLUMNS: &str =
    "grains,accelerator (momentum nncg none),accuracy (residual standard),mean_sweeps,worst_sweeps,unconverged";

/// A step of a test: its report, and the kinetic energy after it over pressure times volume.
type Moment = (StepReport, f64);

pub(super) fn perform(desk: &mut Desk) -> Result<(), Failure> {
    let steps = if desk.quick { 60 } else { 200 };
    // a strain of a tenth, in which grains rearrange more than once
    let steps_of_course = if desk.quick { 300 } else { 2000 };
    let sizes = if desk.quick { vec![100, 225] } else { desk.sizes.clone() };
    let accelerators = [Accelerator::Momentum, Accelerator::Nncg, Accelerator::None];
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut means = vec![Vec::new(); CASES.len() * accelerators.len()];
    for (number, size) in sizes.iter().enumerate() {
        let columns = (*size as f64).sqrt().round() as usize;
        let grains = (columns * columns) as f64;
        let what = format!("compacting {grains} disks");
        let packing = PressedPacking::compacted(columns, 1, |part| desk.progress(&what, part))?;
        for (place, (accuracy, name)) in CASES.iter().enumerate() {
            for (kind, accelerator) in accelerators.into_iter().enumerate() {
                let is_course = number == 0 && place == 0 && accelerator == Accelerator::Momentum;
                let length = if is_course { steps_of_course } else { steps };
                let options = options(*accuracy, accelerator);
                let moments = test(desk, &packing, options.clone(), length)?;
                if is_course {
                    course(desk, &moments, columns * columns)?;
                    let cold = test(desk, &packing, CdOptions { warm_start: false, ..options }, steps)?;
                    let saved = summary(&moments[..steps])[0] / summary(&cold)[0];
                    // at most half is expected: between 0 and 0.5
                    desk.compare("sweeps with a warm start over those without", saved, 0.25, 0.25);
                }
                let sums = summary(&moments[..steps]);
                let case = format!("{grains} disks, {}, {name}", accelerator.name());
                desk.found(format!("mean sweeps a step, {case}"), sums[0]);
                desk.found("  worst step", sums[1]);
                desk.found("  share of steps not converged", sums[2]);
                means[place * accelerators.len() + kind].push((grains, sums[0]));
                rows.push([grains, kind as f64, place as f64].into_iter().chain(sums).collect());
                desk.table("sizes", COLUMNS, rows.iter().cloned())?; // what is known so far: large sizes take hours
            }
        }
    }
    let mut plot = Plot::new("Sweeps a step in slow shear", Axis::log("Grains"), Axis::log("Sweeps"));
    for (k, points) in means.into_iter().enumerate() {
        let (case, accelerator) = (CASES[k / accelerators.len()].1, accelerators[k % accelerators.len()].name());
        if points.len() > 1 {
            desk.found(
                format!("exponent of the number of grains, {accelerator}, {case}"),
                exponent(points.iter().copied()),
            );
        }
        plot.curve(format!("{accelerator}, {case}"), Hand::Line, points.clone());
        plot.again("", Hand::Dots, points);
    }
    desk.plot("sizes", &plot)
}

fn options(accuracy: Accuracy, accelerator: Accelerator) -> CdOptions {
    CdOptions { accuracy, accelerator, ..CdOptions::with_time_step(TIME_STEP * inertial_time()) }
}

/// Shears a packing.
fn test(
    desk: &mut Desk,
    packing: &PressedPacking<D2>,
    options: CdOptions,
    steps: usize,
) -> Result<Vec<Moment>, Failure> {
    let mut packing = packing.clone();
    let what = format!("shearing {} disks, accelerator {}", packing.world.grains().len(), options.accelerator.name());
    let mut method = ContactDynamics::new(options);
    let mut moments = Vec::new();
    for step in 0..steps {
        desk.progress(&what, step as f64 / steps as f64);
        let report = packing.shear(INERTIAL_NUMBER / inertial_time(), &mut method)?;
        let size = packing.size();
        let energy = packing.kinetic_energy() / (PRESSURE * size.x * size.y * packing.world.setup.depth);
        moments.push((report, energy));
    }
    Ok(moments)
}

/// Mean and worst sweeps, and the share of steps that did not converge.
fn summary(moments: &[Moment]) -> [f64; 3] {
    let steady = &moments[START..];
    let count = steady.len() as f64;
    let mean = steady.iter().map(|(report, _)| report.sweeps as f64).sum::<f64>() / count;
    let worst = steady.iter().map(|(report, _)| report.sweeps).max().unwrap_or(0) as f64;
    [mean, worst, steady.iter().filter(|(report, _)| !report.converged).count() as f64 / count]
}

/// Sweeps and kinetic energy step by step.
fn course(desk: &mut Desk, moments: &[Moment], grains: usize) -> Result<(), Failure> {
    let steady = &moments[START..];
    let logs = steady.iter().map(|(report, energy)| ((report.sweeps as f64).ln(), energy.ln()));
    let together = correlation(logs);
    // all that is expected of it is that it is positive: between 0 and 1
    desk.compare("correlation of log sweeps and log kinetic energy", together, 0.5, 0.5);
    let first = moments.first().map_or(0, |(report, _)| report.step - 1);
    let step = |report: &StepReport| (report.step - first) as f64;
    let sweeps = |moment: &Moment| (step(&moment.0), moment.0.sweeps as f64);
    let mut plot = Plot::new(
        &format!("Shear test of {grains} disks, momentum, residual 1e-5"),
        Axis::linear("Step"),
        Axis::log("Sweeps"),
    );
    plot.curve("", Hand::Line, moments.iter().map(sweeps).collect());
    desk.plot("course-sweeps", &plot)?;
    let mut plot = Plot::new(
        &format!("Shear test of {grains} disks: kinetic energy over p V"),
        Axis::linear("Step"),
        Axis::log("Kinetic energy"),
    );
    plot.curve("", Hand::Line, moments.iter().map(|(report, energy)| (step(report), *energy)).collect());
    desk.plot("course-energy", &plot)?;
    let rows =
        moments.iter().map(|(report, energy)| vec![step(report), report.sweeps as f64, report.residual, *energy]);
    desk.table("course", "step,sweeps,residual,kinetic_energy", rows)
}
