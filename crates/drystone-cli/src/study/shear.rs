//! Sweeps of every step of a slow shear test. [Radjai and Richefeu, Fig. 11]

use drystone::method::StepReport;
use drystone::method::cd::{Accelerator, ContactDynamics, Options};
use drystone::study::packing::{PRESSURE, Packing, inertial_time};
use drystone::study::{correlation, exponent};

use super::desk::Desk;
use crate::Failure;
use crate::picture::plot::{Count, Hand, Plot};

/// Strain in an inertial time: slow enough for grains to be nearly at rest.
const INERTIAL_NUMBER: f64 = 1e-4;
/// Length of a step over the inertial time: ten times longer than while the packing was made.
const TIME_STEP: f64 = 0.5;
/// Steps until the forces of the shear are there.
const START: usize = 30;

/// A step of a test: its report, and the kinetic energy after it over pressure times volume.
type Moment = (StepReport, f64);

pub fn perform(desk: &mut Desk) -> Result<(), Failure> {
    let steps = if desk.quick { 60 } else { 200 };
    let sizes = if desk.quick { vec![100, 225] } else { desk.sizes.clone() };
    let accelerators = [Accelerator::Momentum, Accelerator::Nncg, Accelerator::None];
    let mut rows = Vec::new();
    let mut means = vec![Vec::new(); accelerators.len()];
    for (number, size) in sizes.iter().enumerate() {
        let columns = (*size as f64).sqrt().round() as usize;
        let what = format!("compacting {} disks", columns * columns);
        let packing = Packing::compacted(columns, 1, |part| desk.progress(&what, part))?;
        for (kind, accelerator) in accelerators.into_iter().enumerate() {
            let moments = test(desk, &packing, accelerator, steps)?;
            if number == 0 && accelerator == Accelerator::Momentum {
                course(desk, &moments, columns * columns)?;
            }
            let sums = summary(&moments);
            let case = format!("{} disks, {}", columns * columns, accelerator.name());
            desk.found(format!("mean sweeps a step, {case}"), sums[0]);
            desk.found(format!("worst sweeps a step, {case}"), sums[1]);
            desk.found(format!("share of steps not converged, {case}"), sums[2]);
            means[kind].push(((columns * columns) as f64, sums[0]));
            rows.push([(columns * columns) as f64, kind as f64].into_iter().chain(sums).collect());
        }
    }
    desk.table(
        "sizes",
        "grains,accelerator (momentum nncg none),mean_sweeps,worst_sweeps,unconverged",
        rows.into_iter(),
    )?;
    let mut plot =
        Plot::new("Sweeps a step in slow shear, standard accuracy", ("grains", Count::Log), ("sweeps", Count::Log));
    for (accelerator, points) in accelerators.iter().zip(means) {
        if points.len() > 1 {
            desk.found(
                format!("exponent of the number of grains, {}", accelerator.name()),
                exponent(points.iter().copied()),
            );
        }
        plot.curve(accelerator.name(), Hand::Line, points.clone());
        plot.again("", Hand::Dots, points);
    }
    desk.plot("sizes", &plot)
}

/// Shears a packing, at standard accuracy and warm started.
fn test(desk: &mut Desk, packing: &Packing, accelerator: Accelerator, steps: usize) -> Result<Vec<Moment>, Failure> {
    let mut packing = packing.clone();
    let mut method =
        ContactDynamics::new(Options { accelerator, ..Options::with_time_step(TIME_STEP * inertial_time()) });
    let what = format!("shearing {} disks, accelerator {}", packing.world.grains().len(), accelerator.name());
    let mut moments = Vec::new();
    for step in 0..steps {
        desk.progress(&what, step as f64 / steps as f64);
        let report = packing.shear(INERTIAL_NUMBER / inertial_time(), &mut method)?;
        let size = packing.size();
        let energy = packing.kinetic_energy() / (PRESSURE * size.x * size.y * packing.world.depth);
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
    let sweeps = |moment: &Moment| (moment.0.step as f64, moment.0.sweeps as f64);
    let mut plot = Plot::new(
        &format!("Shear test of {grains} disks, momentum, standard accuracy"),
        ("step", Count::Linear),
        ("sweeps", Count::Log),
    );
    plot.curve("", Hand::Line, moments.iter().map(sweeps).collect());
    desk.plot("course-sweeps", &plot)?;
    let mut plot = Plot::new(
        &format!("Shear test of {grains} disks: kinetic energy over p V"),
        ("step", Count::Linear),
        ("kinetic energy", Count::Log),
    );
    plot.curve("", Hand::Line, moments.iter().map(|(report, energy)| (report.step as f64, *energy)).collect());
    desk.plot("course-energy", &plot)?;
    let rows =
        moments.iter().map(|(report, energy)| vec![report.step as f64, report.sweeps as f64, report.residual, *energy]);
    desk.table("course", "step,sweeps,residual,kinetic_energy", rows)
}
