//! Rolling and torsion friction of a grain on a plane. [Brendel eq. 1.38 to 1.45]
//!
//! A grain that rolls without sliding has the inertia m + I/R^2 = m / (1 - m_t/m): with k = 5/7 for spheres and 2/3 for
//! disks the torque mu_t m g slows it down by k mu_t g / R. It stops after v0^2 R / (2 k mu_t g).

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::method::cd::Scheme;

use super::expect::expect;
use super::stage::{G, Stage, along, upward};

const R: f64 = 0.5;
const DT: f64 = 1e-3;
const EXACT: &str = "implicit Euler is exact for constant forces: rounding";

/// A grain on a plane, with gravity at an angle to it whose tangent is `slope`.
fn on_plane<D: Dim>(law: &str, slope: f64, mass: f64) -> (Stage<D>, usize) {
    let mut stage = Stage::<D>::with_law(&format!("{{ friction = 0.5, {law} }}"), Scheme::Euler, DT, 1e-13);
    let theta = slope.atan();
    stage.world.gravity = along::<D>(0) * (G * theta.sin()) - upward::<D>() * (G * theta.cos());
    stage.plane("floor", D::Vec::ZERO, upward::<D>());
    let grain = stage.grain(upward::<D>() * R, R, mass);
    (stage, grain)
}

/// Lets the grain roll along the first axis.
fn roll<D: Dim>(stage: &mut Stage<D>, grain: usize, speed: f64) {
    stage.twist(grain).v = along::<D>(0) * speed;
    stage.twist(grain).w = D::torque(upward::<D>(), along::<D>(0)) * (speed / R);
}

fn stops<D: Dim>(k: f64) {
    let (mu_t, v0) = (0.05, 1.0);
    let (mut stage, grain) = on_plane::<D>(&format!("rolling = {{ length = {mu_t} }}"), 0.0, 3.0);
    roll(&mut stage, grain, v0);
    let (a, t) = (k * mu_t * G / R, 0.5);
    let case = "rolling friction on a floor";
    let of = |what: &str| format!("{} of a {}", what, D::ROUND);
    stage.run((t / DT) as usize);
    let twist = *stage.twist(grain);
    expect(case, Kind::Cd, of("deceleration"), (v0 - twist.v.get(0)) / t, a).within(1e-11, EXACT);
    let rim = twist.w.dot(D::torque(upward::<D>(), along::<D>(0))) * R;
    expect(case, Kind::Cd, of("speed of the rim"), rim, v0 - a * t).within(1e-11, EXACT);
    stage.run(2000);
    let distance = v0 * v0 / (2.0 * a);
    expect(case, Kind::Cd, of("stopping distance"), stage.x(grain).get(0), distance)
        .within(2.0 * DT * a / v0, "a step of the way");
    let twist = *stage.twist(grain);
    let rest = twist.v.norm().max(twist.w.norm() * R) / v0;
    expect(case, Kind::Cd, of("speed after the stop"), rest, 0.0).within(1e-14, "it holds: rounding");
}

#[test]
fn a_rolling_grain_stops_where_it_should_and_stays() {
    stops::<D2>(2.0 / 3.0);
    stops::<D3>(5.0 / 7.0);
}

/// On a slope it starts to roll at tan theta = mu_t / R, and then with k g (sin theta - (mu_t / R) cos theta).
fn slope<D: Dim>(k: f64) {
    let case = "rolling friction on a slope";
    for (name, law, lever) in [
        ("length", "rolling = { length = \"2 cm\" }", 0.02),
        ("ratio", "rolling = { ratio = 0.04 }", 0.02), // r* = R at a wall, eq. 1.42
        ("roughness", "rolling = { roughness = { amplitude = \"8 mm\", loss = 0.3162277660168379 } }", 0.02), // sqrt(0.004 / 10)
    ] {
        let critical = lever / R;
        let (mut stage, grain) = on_plane::<D>(law, 0.999 * critical, 3.0);
        stage.run(500);
        let of = |what: &str| format!("{} by {name}: {what}", D::ROUND);
        let v = stage.twist(grain).v.norm() / (G * DT);
        expect(case, Kind::Cd, of("speed below, over g dt"), v, 0.0).within(1e-12, "it holds: rounding");
        for factor in [1.001_f64, 2.0] {
            let (mut stage, grain) = on_plane::<D>(law, factor * critical, 3.0);
            stage.run(500);
            let theta = (factor * critical).atan();
            let a = k * G * (theta.sin() - critical * theta.cos());
            let quantity = of(&format!("acceleration at {factor} times the critical slope"));
            expect(case, Kind::Cd, quantity, stage.twist(grain).v.get(0) / (500.0 * DT), a).within(1e-9, EXACT);
        }
    }
}

#[test]
fn a_grain_starts_to_roll_on_a_slope() {
    slope::<D2>(2.0 / 3.0);
    slope::<D3>(5.0 / 7.0);
}

/// A sphere that spins about the normal stops after 2 R^2 w0 / (5 mu_n g), where it stands.
#[test]
fn a_spinning_sphere_stops() {
    let (mu_n, w0) = (0.02, 3.0);
    let (mut stage, grain) = on_plane::<D3>(&format!("torsion = {{ length = {mu_n} }}"), 0.0, 3.0);
    stage.twist(grain).w = upward::<D3>() * w0;
    let until = 2.0 * R * R * w0 / (5.0 * mu_n * G);
    let case = "torsion friction";
    stage.run(500);
    let w = stage.twist(grain).w.get(2);
    expect(case, Kind::Cd, "spin after 0.5 s", w, w0 * (1.0 - 0.5 / until)).within(1e-11, EXACT);
    let steps = (0..4000)
        .take_while(|_| {
            stage.step();
            stage.twist(grain).w.get(2) > 1e-12
        })
        .count();
    let time = (501 + steps) as f64 * DT;
    expect(case, Kind::Cd, "time to stop", time, until).within(2.0 * DT / until, "a step");
    stage.run(100);
    expect(case, Kind::Cd, "spin after the stop", stage.twist(grain).w.norm() / w0, 0.0).within(1e-14, "rounding");
    let path = (stage.x(grain) - upward::<D3>() * R).norm() / R;
    expect(case, Kind::Cd, "path of the centre", path, 0.0).within(1e-14, "rounding");
}

/// Hysteretic losses: the deceleration is k loss a g / R with Hertz' patch a, a = sqrt(4 m g R / (pi E*)) for disks
/// 1 m deep and a = (3 m g R / (4 E*))^(1/3) for spheres: 64 times the mass slows down 8 or 4 times faster.
fn hysteresis<D: Dim>(k: f64, patch: impl Fn(f64) -> f64) {
    let law = "rolling = { hysteresis = { loss = 0.1, modulus = \"1 MPa\" } }";
    for mass in [3.0, 192.0] {
        let (mut stage, grain) = on_plane::<D>(law, 0.0, mass);
        roll(&mut stage, grain, 1.0);
        stage.run(500);
        let a = (1.0 - stage.twist(grain).v.get(0)) / (500.0 * DT);
        let expected = k * 0.1 * patch(mass * G * R / 1e6) * G / R;
        let quantity = format!("deceleration of a {} of {mass} kg", D::ROUND);
        expect("hysteretic rolling friction", Kind::Cd, quantity, a, expected).within(1e-9, EXACT);
    }
}

#[test]
fn hysteretic_friction_grows_with_the_weight() {
    hysteresis::<D2>(2.0 / 3.0, |load| (4.0 / std::f64::consts::PI * load).sqrt());
    hysteresis::<D3>(5.0 / 7.0, |load| (0.75 * load).cbrt());
}
