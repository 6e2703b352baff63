//! P10: a pendulum as a constraint, released from the horizontal, by Runge-Kutta steps of 0.1 s. [Chen figs 2, 3]
//!
//! Expected values are those of the same equations (12) to (14) integrated by a program of a few lines in another
//! language; Runge-Kutta steps are deterministic, so they hold to the digits that were written down.

use drystone::dim::D2;
use drystone::link::Anchor;
use drystone::method::Kind;
use glam::DVec2;

use super::constrained::{Constrained, SMOOTH};
use super::expect::expect;

/// Radius, position and velocity error, and energy over m g l, after every step.
struct Swing {
    radius: Vec<f64>,
    position: Vec<f64>,
    velocity: Vec<f64>,
    energy: Vec<f64>,
}

fn pendulum(g: f64, options: &str) -> (Constrained<D2>, usize) {
    let mut swing = Constrained::new(SMOOTH, options);
    swing.world.gravity = DVec2::new(0.0, -g);
    let bob = swing.grain(DVec2::X, 0.05, 1.0);
    swing.rod([Anchor::Fixed(DVec2::ZERO), Anchor::centre(bob)]);
    (swing, bob)
}

fn swing(g: f64, dt: f64, time: f64, rest: &str) -> Swing {
    let (mut stage, bob) = pendulum(g, &format!("time_step = {dt}, {rest}"));
    let mut found = Swing { radius: vec![], position: vec![], velocity: vec![], energy: vec![] };
    for _ in 0..(time / dt).round() as usize {
        stage.step();
        let (x, v) = (stage.x(bob), stage.twist(bob).v);
        found.radius.push(x.length());
        found.position.push((x.length_squared() - 1.0).abs());
        found.velocity.push(x.dot(v).abs());
        found.energy.push(0.5 * v.length_squared() / g + x.y);
    }
    found
}

fn most(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, number| number.abs().max(most))
}

const CASE: &str = "pendulum as a constraint";

#[test]
fn without_projection_the_rod_gets_shorter() {
    let fast = swing(9.81, 0.1, 8.0, "projection = \"none\"");
    let digits = "digits of the reference";
    expect(CASE, Kind::Dae, "radius after 2 s, g = 9.81", fast.radius[19], 0.98696).within(6e-6, digits);
    expect(CASE, Kind::Dae, "radius after 8 s, g = 9.81", fast.radius[79], 0.72770).within(7e-6, digits);
    // 1 - r grows as t^2 at first, not exponentially
    for (time, shorter, tolerance) in [(1.0, 0.0032, 0.02), (2.0, 0.013, 0.04), (4.0, 0.054, 0.01), (6.0, 0.133, 0.004)]
    {
        let measured = 1.0 - fast.radius[(time * 10.0) as usize - 1];
        expect(CASE, Kind::Dae, format!("1 - r after {time} s, g = 9.81"), measured, shorter).within(tolerance, digits);
    }
    let slow = swing(1.0, 0.1, 20.0, "projection = \"none\"");
    expect(CASE, Kind::Dae, "1 - r after 20 s, g = 1", 1.0 - slow.radius[199], 1.506e-3).within(4e-4, digits);
    expect(CASE, Kind::Dae, "largest velocity error, g = 1", most(&slow.velocity), 1.514e-4).within(4e-4, digits);
}

#[test]
fn the_drift_is_of_fourth_order() {
    let drift = |dt: f64| 1.0 - swing(1.0, dt, 20.0, "projection = \"none\"").radius.last().unwrap();
    let drifts = [0.1, 0.05, 0.025].map(drift);
    for (k, dt) in [(0, 0.1), (1, 0.05)] {
        let order = (drifts[k] / drifts[k + 1]).log2();
        expect(CASE, Kind::Dae, format!("order of the drift at dt = {dt} s"), order, 4.0)
            .within(0.075, "the next order in dt: ratios 19 and 15.9 were found for g = 9.81");
    }
}

#[test]
fn projection_takes_the_errors_to_rounding() {
    for g in [1.0, 9.81] {
        let full = swing(g, 0.1, 20.0, "projection = \"full\"");
        let of = |what: &str| format!("full projection, g = {g}: {what}");
        expect(CASE, Kind::Dae, of("position error"), most(&full.position), 0.0).within(5e-16, "rounding of x^2 + y^2");
        expect(CASE, Kind::Dae, of("velocity error over sqrt(g l)"), most(&full.velocity) / g.sqrt(), 0.0)
            .within(5e-16, "rounding of x . v");
    }
    for (g, time, expected) in [(1.0, 20.0, 1.62e-5), (9.81, 8.0, 6.0e-3)] {
        let half = swing(g, 0.1, time, "projection = \"velocity\"");
        let of = |what: &str| format!("velocity projection, g = {g}: {what}");
        expect(CASE, Kind::Dae, of("velocity error over sqrt(g l)"), most(&half.velocity) / g.sqrt(), 0.0)
            .within(5e-16, "rounding of x . v");
        expect(CASE, Kind::Dae, of("position error"), most(&half.position), expected)
            .within(5e-3, "digits of the reference");
    }
}

#[test]
fn baumgarte_bounds_the_drift_and_projection_removes_it() {
    let drift = |rest: &str| most(&swing(9.81, 0.01, 20.0, rest).position);
    let [none, damped, full] = [
        "projection = \"none\"",
        "projection = \"none\", baumgarte = { spring = 400, damping = 40 }",
        "projection = \"full\"",
    ]
    .map(drift);
    // without anything 1 - r goes as dt^4: 0.27 at 0.1 s after 8 s
    assert!(none > 1e-5 && damped < 0.05 * none && damped > 1e3 * full, "{none:e} {damped:e} {full:e}");
}

#[test]
fn the_period_is_that_of_the_elliptic_integral() {
    // from 90 degrees: T = 4 K(1/2) / sqrt(g) = 7.416 298 709 / sqrt(g)
    for integrator in ["rk4", "gear"] {
        let g: f64 = 9.81;
        let dt = 1e-3;
        let (mut stage, bob) = pendulum(g, &format!("time_step = {dt}, integrator = \"{integrator}\""));
        let mut crossings = Vec::new();
        let mut before = stage.twist(bob).v;
        while crossings.len() < 5 {
            stage.step();
            let (x, v) = (stage.x(bob), stage.twist(bob).v);
            // the lowest point: x changes sign, and x is nearly straight in time there
            let last = x.x - 0.5 * (before.x + v.x) * dt;
            if last * x.x <= 0.0 && stage.world.clock.step > 1 {
                crossings.push(stage.world.clock.time - dt * x.x / (x.x - last));
            }
            before = v;
        }
        let period = crossings[4] - crossings[2];
        expect(CASE, Kind::Dae, format!("{integrator}: period times sqrt(g / l)"), period * g.sqrt(), 7.416_298_709_2)
            .within(1e-7, "straight lines within a step of 1 ms near the lowest point");
    }
}
