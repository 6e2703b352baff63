//! Collisions without bounce: u+ = -e u- with e = 0. A gap is closed in one step, the rest of the velocity is taken
//! out in the next. [Brendel, text after eq. 1.30], [Radjai eq. 7]

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::stage::{Random, Stage, along};

/// m = 1, g = 0.3, V = -1, dt = 1: V = -0.3 with R = (1/2)(1 - 0.3) = 0.35, then V = 0 with R = (1/2) 0.3 = 0.15.
fn in_two_steps<D: Dim>() {
    let mut stage = Stage::<D>::new(0.0, 1.0, 1e-13);
    let normal = along::<D>(0);
    let (a, b) = (stage.grain(D::Vec::ZERO, 0.5, 1.0), stage.grain(normal * 1.3, 0.5, 1.0));
    stage.twist(a).v = normal * 0.5;
    stage.twist(b).v = normal * -0.5;
    let mut check = |step: usize, velocity: f64, force: f64, gap: f64| {
        stage.step();
        let measured = (stage.twist(b).v - stage.twist(a).v).dot(normal);
        let carried: f64 = stage.contacts().map(|(c, m)| m.impulse.dot(c.normal)).sum();
        let apart = (stage.x(b) - stage.x(a)).dot(normal) - 1.0;
        let named = |what: &str| format!("{}D: {what} after step {step}", D::DIMENSION);
        let (case, why) = ("inelastic in two steps", "by hand, up to rounding");
        expect(case, Kind::Cd, named("V"), measured, velocity).within(1e-14, why);
        expect(case, Kind::Cd, named("R"), carried, force).within(1e-14, why);
        expect(case, Kind::Cd, named("gap"), apart, gap).within(1e-14, why);
    };
    check(1, -0.3, 0.35, 0.0);
    check(2, 0.0, 0.15, 0.0);
    check(3, 0.0, 0.0, 0.0);
}

/// Touching grains of any masses go on together with (m_a v_a + m_b v_b) / (m_a + m_b), whatever dt.
fn of_touching_grains<D: Dim>() {
    let (mut random, mut restitution, mut common) = (Random::new(3), 0.0_f64, 0.0_f64);
    for _ in 0..500 {
        let dt = 10.0_f64.powf(random.between(-6.0, 0.0));
        let mut stage = Stage::<D>::new(0.0, dt, 1e-12);
        let (normal, masses) = (along::<D>(0), [random.between(0.1, 5.0), random.between(0.1, 5.0)]);
        let (a, b) = (stage.grain(D::Vec::ZERO, 0.5, masses[0]), stage.grain(normal, 0.5, masses[1]));
        let v = random.between(-1.0, 1.0);
        let approach = random.between(0.1, 1.0);
        stage.twist(a).v = normal * (v + approach);
        stage.twist(b).v = normal * v;
        stage.step();
        let (after_a, after_b) = (stage.twist(a).v.dot(normal), stage.twist(b).v.dot(normal));
        let expected = v + approach * masses[0] / (masses[0] + masses[1]);
        restitution = restitution.max((after_b - after_a).abs() / approach);
        common = common.max((after_a - expected).abs() / (v.abs() + approach));
    }
    let named = |what: &str| format!("{}D: {what}", D::DIMENSION);
    let case = "inelastic at any time step";
    expect(case, Kind::Cd, named("largest |u+ / u-|"), restitution, 0.0).within(1e-14, "e = 0, rounding");
    expect(case, Kind::Cd, named("largest deviation from the common velocity"), common, 0.0).within(1e-14, "rounding");
}

#[test]
fn a_gap_is_closed_first_and_the_velocity_taken_out_next() {
    in_two_steps::<D2>();
    in_two_steps::<D3>();
}

#[test]
fn touching_grains_go_on_together_at_any_time_step() {
    of_touching_grains::<D2>();
    of_touching_grains::<D3>();
}
