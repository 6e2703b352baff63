//! A block on a slope with different static and dynamic friction.
//!
//! The block is a grain that rolling friction with a lever of 1 km keeps from turning. It stays at rest while
//! tan theta <= mu_s. Beyond, it starts with mu_s and slides with mu_d from the second step on.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::method::cd::Scheme;

use super::expect::expect;
use super::stage::{G, Stage, along, upward};

const DT: f64 = 1e-3;

fn block<D: Dim>(friction: &str, tangent: f64) -> (Stage<D>, usize) {
    let law = format!("{{ friction = {friction}, rolling = {{ length = \"1 km\" }} }}");
    let mut stage = Stage::<D>::with_law(&law, Scheme::Euler, DT, 1e-13);
    let theta = tangent.atan();
    stage.world.gravity = along::<D>(0) * (G * theta.sin()) - upward::<D>() * (G * theta.cos());
    stage.plane("slope", D::Vec::ZERO, upward::<D>());
    let grain = stage.grain(upward::<D>() * 0.5, 0.5, 3.0);
    (stage, grain)
}

fn starts_and_slides<D: Dim>() {
    let case = "static and dynamic friction";
    let friction = "{ static = 0.5, dynamic = 0.3 }";
    let of = |what: &str| format!("{}D: {what}", D::DIMENSION);
    let (mut stage, grain) = block::<D>(friction, 0.4999);
    stage.run(1000);
    let v = stage.twist(grain).v.norm() / (G * DT);
    expect(case, Kind::Cd, of("speed below mu_s, over g dt"), v, 0.0).within(1e-12, "it holds: rounding");

    let (mut stage, grain) = block::<D>(friction, 0.5001);
    stage.run(1000);
    let c = G * 0.5001_f64.atan().cos();
    let v = DT * c * ((0.5001 - 0.5) + 999.0 * (0.5001 - 0.3));
    expect(case, Kind::Cd, of("speed beyond mu_s after 1000 steps"), stage.twist(grain).v.get(0), v)
        .within(1e-11, "one step with mu_s, 999 with mu_d: rounding");
    assert!(stage.twist(grain).w.norm() < 1e-12, "it does not turn");

    // from 2 m/s on a floor it stops by mu_d after 2 / (0.3 g), and then holds by mu_s
    let (mut stage, grain) = block::<D>(friction, 0.0);
    stage.twist(grain).v = along::<D>(0) * 2.0;
    let steps = (0..1000)
        .take_while(|_| {
            stage.step();
            stage.twist(grain).v.get(0) > 1e-12
        })
        .count();
    expect(case, Kind::Cd, of("time to stop"), (steps as f64 + 1.0) * DT, 2.0 / (0.3 * G)).within(2.0 * DT, "a step");
}

/// dv/dt = c (A - B exp(-v / v_d)) with A = tan theta - mu_d, B = mu_s - mu_d, c = g cos theta, has the solution
/// v = v_d ln((B + (A - B) exp(A c t / v_d)) / A).
fn decay<D: Dim>() {
    let (tangent, v_d) = (0.6, 0.5);
    let (mut stage, grain) = block::<D>("{ static = 0.5, dynamic = 0.3, decay = \"0.5 m/s\" }", tangent);
    let (a, b, c) = (tangent - 0.3, 0.2, G * tangent.atan().cos());
    for part in 1..=4 {
        stage.run(200);
        let t = DT * 200.0 * f64::from(part);
        let v = v_d * ((b + (a - b) * (a * c * t / v_d).exp()) / a).ln();
        let quantity = format!("{}D: speed after {t} s", D::DIMENSION);
        expect("friction that decays with the slip speed", Kind::Cd, quantity, stage.twist(grain).v.get(0), v)
            .within(5e-3, "of first order in dt: the coefficient is that of the start of a step");
    }
}

#[test]
fn a_block_starts_at_the_static_coefficient_and_slides_with_the_dynamic_one() {
    starts_and_slides::<D2>();
    starts_and_slides::<D3>();
}

#[test]
fn friction_decays_with_the_slip_speed() {
    decay::<D2>();
    decay::<D3>();
}
