//! A heavy grain falls on a light one, and a light one on a heavy one: energy never comes from nothing, whatever their
//! masses.
//!
//! Kinetic and potential energy of grains that do not bounce, on a floor that does not move, can only fall. Implicit
//! Euler moves with the new velocities, so that every step of free fall loses m (g dt)^2 / 2 more: nothing that could
//! hide a rise.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::cd::{Accuracy, Ladder, Solver};
use drystone::method::{Kind, Method};
use drystone::record::Report;

use super::expect::expect;
use super::stage::{G, Stage, along, upward};

const DENSITY: f64 = 2500.0;
const FALL: f64 = 1e-3;
const STEPS: usize = 200;

/// What became of a fall.
struct Fall {
    /// Largest rise of the energy in a step, over the energy that a fall of both would have.
    rise: f64,
    /// Largest rise of the energy above the least that it had, over the same.
    gain: f64,
    /// Whether a step was refused.
    is_stopped: bool,
    report: Report,
}

/// Two grains on a plane, and what is beside them.
struct Case {
    /// From below [m].
    radii: [f64; 2],
    /// How far the upper one is to the side of the lower one, over the radius of the lower one.
    offset: f64,
    /// Spheres of radius 1 m that rest beside.
    beside: usize,
    solver: Solver,
}

/// The upper of two grains on a plane falls on the lower one, and both come to rest.
fn fall<D: Dim>(case: &Case) -> Fall {
    let Case { radii, offset, beside, solver } = *case;
    let mut stage = Stage::<D>::new(0.3, 1e-3, 1e-5);
    (stage.method.options.accuracy, stage.method.options.solver) = (Accuracy::Named(Ladder::Standard), solver);
    let up = upward::<D>();
    stage.world.gravity = up * -G;
    stage.plane("floor", D::Vec::ZERO, up);
    let volume = |r: f64| {
        if D::DIMENSION == 2 { std::f64::consts::PI * r * r } else { 4.0 / 3.0 * std::f64::consts::PI * r.powi(3) }
    };
    let [low, high] = radii;
    stage.grain(up * low, low, DENSITY * volume(low));
    let side = along::<D>(0);
    let height = ((low + high).powi(2) - (offset * low).powi(2)).sqrt();
    stage.grain(up * (low + FALL + height) + side * (offset * low), high, DENSITY * volume(high));
    for k in 0..beside {
        stage.grain(up + side * (3.0 + 2.5 * k as f64), 1.0, DENSITY * volume(1.0));
    }
    let scale = stage.world.grains().take(2).map(|k| stage.mass(k)).sum::<f64>() * G * FALL;
    let energy = |stage: &Stage<D>| {
        let potential = |k: usize| stage.mass(k) * G * stage.x(k).dot(up);
        stage.kinetic_energy() + stage.world.grains().map(potential).sum::<f64>()
    };
    let (mut before, mut rise, mut gain, mut report) = (energy(&stage), 0.0_f64, 0.0_f64, Report::default());
    let mut least = before;
    let mut is_stopped = false;
    for _ in 0..STEPS {
        let Ok(step) = stage.method.step(&mut stage.world) else {
            is_stopped = true;
            break;
        };
        report.add(&step);
        let now = energy(&stage);
        rise = rise.max((now - before) / scale);
        (before, least) = (now, least.min(now));
        gain = gain.max((now - least) / scale);
    }
    Fall { rise, gain, is_stopped, report }
}

fn at_every_ratio<D: Dim>() {
    for power in 2..=8 {
        let small = 10.0_f64.powi(-power).powf(1.0 / D::DIMENSION as f64);
        for (radii, order) in [([small, 1.0], "heavy on light"), ([1.0, small], "light on heavy")] {
            for solver in [Solver::Newton, Solver::Sweeps] {
                let Fall { rise, gain, is_stopped, report } =
                    fall::<D>(&Case { radii, offset: 0.0, beside: 0, solver });
                let case = format!("{}D, 1e{power}, {order}, {}", D::DIMENSION, solver.name());
                println!(
                    "{case}: rise {rise:.1e}, {} of {} steps missed, velocity error {:.1e}, created {:.1e} of {:.1e} J",
                    report.unconverged_steps,
                    report.steps,
                    report.worst_velocity_error,
                    report.created_energy,
                    report.turned_over_energy
                );
                if solver == Solver::Newton {
                    assert!(report.unconverged_steps == 0 && !is_stopped, "{case}");
                }
                if report.unconverged_steps == 0 {
                    assert!(!report.creates_energy(), "{case}");
                    expect(
                        "grains of different masses",
                        Kind::Cd,
                        format!("{case}: rise of the energy"),
                        rise.max(0.0),
                        0.0,
                    )
                    .within(1e-3, "velocities are known to a thousandth of what gravity gives in a step");
                } else {
                    assert!(report.warnings().iter().any(|warning| warning.code == "W201"), "{case}: it is told");
                }
                assert!(gain <= 0.1 || report.creates_energy(), "{case}: energy from nothing is told");
            }
        }
    }
}

/// A heavy sphere that falls on a light one beside its middle rolls off. Others that rest beside turn over more energy
/// than the fall; they must not hide what comes from nothing, nor change anything.
#[test]
fn what_rests_beside_hides_no_energy_from_nothing() {
    for beside in [0, 20] {
        let radii = [1e-4_f64.cbrt(), 1.0];
        let Fall { gain, report, .. } = fall::<D3>(&Case { radii, offset: 0.3, beside, solver: Solver::Newton });
        assert!(report.unconverged_steps == 0 && !report.creates_energy(), "{beside} beside");
        let what = format!("{beside} spheres beside: gain of energy");
        let why = "contacts give at most a thousandth of what they turn over in a step";
        expect("a heavy sphere off a light one", Kind::Cd, what, gain, 0.0).within(1e-3, why);
    }
}

#[test]
fn no_energy_comes_from_nothing_between_disks_of_any_masses() {
    at_every_ratio::<D2>();
}

#[test]
fn no_energy_comes_from_nothing_between_spheres_of_any_masses() {
    at_every_ratio::<D3>();
}
