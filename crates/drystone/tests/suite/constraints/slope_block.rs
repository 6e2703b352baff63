//! P11: a block on a slope. It rests while mu >= tan theta, exactly, and else slides with g (sin - mu cos). [Chen figs
//! 5, 9]
//!
//! The slope is a plane under tilted gravity; the block is a grain that does not turn, pressed in by its weight.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::drive::Drive;
use drystone::method::Kind;

use super::constrained::{Constrained, along, upward};
use super::expect::expect;

const G: f64 = 9.81;
const CASE: &str = "block on a slope";

/// A block of 1 kg at rest on a slope of this angle, with friction `part` times its tangent.
fn slope<D: Dim>(degrees: f64, part: f64, options: &str) -> (Constrained<D>, usize) {
    let theta = degrees.to_radians();
    let (stiffness, radius) = (1e4, 0.5);
    let law = format!(
        "friction = {}, md = {{ normal = {{ law = \"hooke\", stiffness = {stiffness}, damping = 100 }} }}",
        part * theta.tan()
    );
    let mut stage = Constrained::<D>::new(&law, options);
    stage.world.gravity = along::<D>(0) * (G * theta.sin()) - upward::<D>() * (G * theta.cos());
    stage.plane(D::Vec::ZERO, upward::<D>(), Drive::FIXED);
    let sunk = G * theta.cos() / stiffness;
    let block = stage.block(along::<D>(0) * 0.25 + upward::<D>() * (radius - sunk), radius, 1.0);
    (stage, block)
}

fn bits<V: Vector>(v: V) -> Vec<u64> {
    (0..V::LEN).map(|axis| v.get(axis).to_bits()).collect()
}

/// Ten seconds at three times the friction that is needed: no bit of the place changes, and there is no velocity along
/// the slope at all.
fn rests<D: Dim>() {
    for integrator in ["rk4", "gear"] {
        let (mut stage, block) = slope::<D>(30.0, 3.0, &format!("time_step = 0.001, integrator = \"{integrator}\""));
        let start = bits(stage.x(block));
        let mut fastest = 0.0_f64;
        for _ in 0..10_000 {
            stage.step();
            assert_eq!(bits(stage.x(block)), start, "{integrator}: no bit changes");
            fastest = fastest.max(stage.twist(block).v.get(0).abs());
        }
        expect(
            CASE,
            Kind::Dae,
            format!("{}D, {integrator}: largest speed along the slope", D::DIMENSION),
            fastest,
            0.0,
        )
        .within(0.0, "static friction is a constraint: not a bit");
        stage.publish();
        let force = stage.world.network().memory[0].impulse.get(0) / 0.001;
        expect(CASE, Kind::Dae, format!("{}D, {integrator}: static friction", D::DIMENSION), -force, G * 0.5)
            .within(1e-12, "rounding");
    }
}

#[test]
fn it_rests_bit_for_bit() {
    rests::<D2>();
    rests::<D3>();
}

#[test]
fn at_the_critical_friction_it_keeps_its_velocity() {
    let (mut stage, block) = slope::<D2>(30.0, 1.0, "time_step = 0.001, events = true");
    stage.twist(block).v.x = 1.0;
    stage.run(1.0);
    let v = stage.twist(block).v.x;
    expect(CASE, Kind::Dae, "speed after 1 s at mu = tan theta", v, 1.0)
        .within(1e-12, "rounding of forces that cancel");
}

#[test]
fn it_slides_with_the_textbook_acceleration() {
    for (degrees, part) in [(30.0, 1.0 / 3.0), (10.0, 1.0 / 3.0), (30.0, 0.9)] {
        let (mut stage, block) = slope::<D2>(degrees, part, "time_step = 0.001");
        stage.run(1.0);
        let theta = f64::to_radians(degrees);
        let exact = (1.0 - part) * G * theta.sin();
        expect(
            CASE,
            Kind::Dae,
            format!("acceleration at {degrees} deg, mu = {part:.3} tan"),
            stage.twist(block).v.x,
            exact,
        )
        .within(1e-11, "constant forces are integrated exactly: rounding");
    }
}

/// From 1 m/s downhill with mu = 3 tan: a = -2 g sin, so t = 1 / (2 g sin) and s = t / 2.
#[test]
fn it_stops_where_and_when_it_must_and_stays() {
    for (degrees, time, way) in [(30.0, 0.101_937, 0.050_968), (10.0, 0.293_515, 0.146_758)] {
        let (mut stage, block) = slope::<D2>(degrees, 3.0, "time_step = 0.01, events = true");
        let start = stage.x(block).x;
        stage.twist(block).v.x = 1.0;
        stage.run(0.5);
        let at = stage.method().happened.first().expect("it stopped").time;
        let s = stage.x(block).x - start;
        let exact = 1.0 / (2.0 * G * f64::to_radians(degrees).sin());
        assert!((exact - time).abs() < 5e-7 && (0.5 * exact - way).abs() < 5.1e-7, "the table has six digits");
        expect(CASE, Kind::Dae, format!("time to stop at {degrees} deg"), at, exact).within(1e-9, "event location");
        expect(CASE, Kind::Dae, format!("way to stop at {degrees} deg"), s, 0.5 * exact).within(1e-9, "event location");
        let stopped = bits(stage.x(block));
        stage.run(1.0);
        assert_eq!(bits(stage.x(block)), stopped, "and stays");
        // without events it stops within a step
        let (mut stage, block) = slope::<D2>(degrees, 3.0, "time_step = 0.001");
        stage.twist(block).v.x = 1.0;
        stage.run(1.0);
        let s = stage.x(block).x - start;
        expect(CASE, Kind::Dae, format!("way to stop at {degrees} deg, steps of 1 ms"), s, 0.5 * exact)
            .within(1e-4, "the overshoot of one step: a dt^2 / 2 over s");
        assert_eq!(stage.twist(block).v.x, 0.0);
    }
}

/// Uphill it stops after v / (g (sin + mu cos)), then slides back if mu < tan: passing zero without sticking.
#[test]
fn thrown_uphill_it_turns_or_stays() {
    for part in [0.5, 2.0] {
        let (mut stage, block) = slope::<D2>(30.0, part, "time_step = 0.01, events = true");
        stage.twist(block).v.x = -1.0;
        stage.run(1.0);
        let turn = 1.0 / (0.5 * G * (1.0 + part));
        let at = stage.method().happened.first().expect("it halted").time;
        expect(CASE, Kind::Dae, format!("time to halt uphill, mu = {part} tan"), at, turn)
            .within(1e-9, "event location");
        let exact = if part < 1.0 { (1.0 - turn) * 0.5 * G * (1.0 - part) } else { 0.0 };
        expect(CASE, Kind::Dae, format!("speed after 1 s, mu = {part} tan"), stage.twist(block).v.x, exact)
            .within(1e-9, "event location");
    }
}

/// Static friction 0.5, dynamic 0.3: it starts to slide on a slope of tan 0.5001, and then with mu_d.
#[test]
fn static_and_dynamic_coefficients_differ() {
    let slide = |tangent: f64| {
        let law = "friction = { static = 0.5, dynamic = 0.3 }, md = { normal = { law = \"hooke\", stiffness = 1e4, damping = 100 } }";
        let mut stage = Constrained::<D2>::new(law, "time_step = 0.001");
        let theta = tangent.atan();
        stage.world.gravity = along::<D2>(0) * (G * theta.sin()) - upward::<D2>() * (G * theta.cos());
        stage.plane(glam::DVec2::ZERO, upward::<D2>(), Drive::FIXED);
        let block = stage.block(upward::<D2>() * (0.5 - G * theta.cos() / 1e4), 0.5, 1.0);
        stage.run(1.0);
        (stage.twist(block).v.x, G * theta.cos() * (tangent - 0.3))
    };
    let (v, _) = slide(0.4999);
    expect(CASE, Kind::Dae, "speed below mu_s", v, 0.0).within(0.0, "it holds");
    let (v, exact) = slide(0.5001);
    expect(CASE, Kind::Dae, "speed beyond mu_s after 1 s", v, exact).within(1e-11, "mu_d from the start: rounding");
}

/// The ways that do not work: friction of a sliding contact used at rest trembles, a spring without dashpot swings.
#[test]
fn naive_friction_trembles_and_a_spring_swings() {
    let (mut stage, block) = slope::<D2>(30.0, 3.0, "time_step = 0.005, statics = \"dynamic\"");
    let mut speeds = Vec::new();
    for _ in 0..100 {
        stage.step();
        speeds.push(stage.twist(block).v.x);
    }
    // it never rests: from step to step its speed jumps by what gravity gives in one, and it creeps downhill
    let jump = G * 0.5 * 0.005;
    let jumps = speeds[50..].windows(2).map(|pair| (pair[1] - pair[0]).abs());
    assert!(jumps.clone().all(|found| found > 0.3 * jump && found < 3.0 * jump), "{:?}", &speeds[90..]);
    assert!(stage.x(block).x - 0.25 > 0.1 * jump * 0.5, "it creeps: {}", stage.x(block).x);

    let stiffness: f64 = 1000.0;
    let (mut stage, block) =
        slope::<D2>(30.0, 3.0, &format!("time_step = 0.0005, statics = {{ spring = {stiffness} }}"));
    let start = stage.x(block).x;
    let mut way = Vec::new();
    for _ in 0..20_000 {
        stage.step();
        way.push(stage.x(block).x - start);
    }
    let mean = G * 0.5 / stiffness;
    let sum: f64 = way.iter().sum();
    expect(CASE, Kind::Dae, "spring: mean displacement", sum / way.len() as f64, mean)
        .within(1e-2, "50 swings, the last one cut off");
    let crossings: Vec<usize> = (1..way.len()).filter(|k| way[k - 1] < mean && way[*k] >= mean).collect();
    let count = crossings.len() - 1;
    let period = (crossings[count] - crossings[0]) as f64 / count as f64 * 0.0005;
    expect(CASE, Kind::Dae, "spring: period", period, 2.0 * std::f64::consts::PI / stiffness.sqrt())
        .within(2e-4, "whole steps, over 49 periods");
    let late = way[15_000..].iter().fold(0.0_f64, |most, s| most.max(*s));
    expect(CASE, Kind::Dae, "spring: amplitude after 10 s", late, 2.0 * mean).within(1e-3, "nothing damps it");
}
