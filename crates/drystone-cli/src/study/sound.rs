//! Pseudo-elastic waves: a fixed number of sweeps a step. [Brendel section 1.7]

use drystone::study::chain::{expected_wave, front, standing_wave};

use super::desk::Desk;
use crate::Failure;
use crate::picture::plot::{Axis, Hand, Plot};

/// Diffusion factor of random sweeps.
const Q: f64 = 0.8;

pub(super) fn perform(desk: &mut Desk) -> Result<(), Failure> {
    fronts(desk)?;
    waves(desk)
}

/// Fronts of a push, for several numbers of sweeps.
fn fronts(desk: &mut Desk) -> Result<(), Failure> {
    let mut plot = Plot::new(
        "A push runs through 120 rigid grains, N sweeps a step",
        Axis::linear("Time (Δt)"),
        Axis::linear("Front (d)"),
    );
    let mut rows = Vec::new();
    for sweeps in [4, 10, 25, 50] {
        desk.progress(&format!("{sweeps} sweeps a step"), 0.0);
        let front = front(sweeps, Q)?;
        let expected = (Q * sweeps as f64).sqrt();
        desk.compare(format!("c [d/Δt], {sweeps} sweeps a step"), front.speed, expected, 0.03 * expected);
        let path = front.arrivals.iter().map(|(grain, time)| (*time, *grain as f64));
        rows.extend(path.clone().map(|(time, grain)| vec![sweeps as f64, grain, time]));
        plot.curve(format!("{sweeps} sweeps"), Hand::Line, path.collect());
        // the line of the expected speed through the arrival at grain 20
        if let Some((grain, time)) = front.arrivals.get(20) {
            let line = [0.0, 119.0].map(|x| (time + (x - *grain as f64) / expected, x));
            plot.again("", Hand::Dashes, line.into_iter().filter(|(t, _)| *t > 0.0).collect());
        }
    }
    desk.table("front", "sweeps_a_step,grain,arrival_dt", rows.into_iter())?;
    desk.plot("front", &plot)
}

/// Standing waves: frequency and damping.
fn waves(desk: &mut Desk) -> Result<(), Failure> {
    let mut plot = Plot::new(
        "Ringing of a chain of N grains, I sweeps a step",
        Axis::linear("Time (Δt)"),
        Axis::linear("Amplitude"),
    );
    let mut rows = Vec::new();
    for (grains, sweeps) in [(30, 10), (60, 10)] {
        let wave = standing_wave(grains, sweeps, Q)?;
        let (frequency, damping) = expected_wave(grains, sweeps, Q);
        let case = format!("{grains} grains, {sweeps} sweeps a step");
        desk.compare(format!("ω [1/Δt], {case}"), wave.frequency, frequency, 0.03 * frequency);
        desk.compare(format!("Γ [1/Δt], {case}"), wave.damping, damping, 0.05 * damping);
        let path = wave.amplitudes.iter().enumerate().map(|(k, a)| ((k + 1) as f64, *a));
        rows.extend(path.clone().map(|(t, a)| vec![grains as f64, sweeps as f64, t, a]));
        plot.curve(format!("N = {grains}, I = {sweeps}"), Hand::Line, path.collect());
    }
    desk.table("ringing", "grains,sweeps_a_step,time_dt,amplitude", rows.into_iter())?;
    desk.plot("ringing", &plot)
}
