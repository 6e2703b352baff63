//! Pistons: walls of finite mass that a force or a pressure drives, as unknowns of the solve.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::drive::Drive;
use drystone::method::Kind;
use drystone::method::cd::Scheme;

use super::expect::expect;
use super::stage::{G, Random, Stage, along, plane, read, upward};

const DT: f64 = 1e-3;

/// A column of grains of random masses on a floor under a piston, all touching, with gravity.
fn column<D: Dim>(scheme: Scheme, steps: usize) {
    let (force, mass, count) = (50.0, 2.0, 10);
    let mut stage = Stage::<D>::with_law("{ friction = 0.3 }", scheme, DT, 1e-13);
    stage.world.gravity = upward::<D>() * -G;
    stage.plane("floor", D::Vec::ZERO, upward::<D>());
    let top = upward::<D>() * (0.5 * count as f64);
    stage.piston("lid", top, -upward::<D>(), mass, &format!("{{ force = {force} }}"));
    let mut random = Random::new(51);
    let mut weight = 0.0;
    for k in 0..count {
        let grain = stage.grain(upward::<D>() * (0.25 + 0.5 * k as f64), 0.25, random.between(0.1, 1.0));
        weight += stage.mass(grain) * G;
    }
    let mut speed = 0.0_f64;
    for _ in 0..steps {
        stage.step();
        let bodies = 0..stage.world.bodies.len();
        speed = bodies.map(|k| stage.world.bodies.twist[k].v.norm()).fold(speed, f64::max);
    }
    let case = "a piston on a column";
    let of = |what: &str| format!("{}D, {}: {what}", D::DIMENSION, scheme.name());
    let why = "residual 1e-13 times N^2";
    let (lid, floor) = (stage.force_on(1).dot(upward::<D>()), -stage.force_on(0).dot(upward::<D>()));
    expect(case, Kind::Cd, of("force on the lid"), lid, force + mass * G).within(1e-10, why);
    expect(case, Kind::Cd, of("force on the floor"), floor, force + mass * G + weight).within(1e-10, why);
    expect(case, Kind::Cd, of("largest speed of any body, over g dt"), speed / (G * DT), 0.0)
        .within(1e-7, "residual 1e-13 times N^2 times the ratio of masses");
}

#[test]
fn a_piston_presses_a_column_with_its_load_and_does_not_swing() {
    // the midpoint scheme loses contacts that a residual has opened, so that only its first step is exact
    for (scheme, steps) in [(Scheme::Euler, 100), (Scheme::Midpoint, 1)] {
        column::<D2>(scheme, steps);
        column::<D3>(scheme, steps);
    }
}

/// A piston that meets nothing moves with F/m + g.n, and a pressure follows the distance of the walls:
/// m v = p depth (L t - V t^2 / 2) while one side moves in with V.
fn free<D: Dim>() {
    let case = "a free piston";
    let mut stage = Stage::<D>::with_law("{ friction = 0 }", Scheme::Midpoint, DT, 1e-13);
    stage.world.gravity = upward::<D>() * -G;
    stage.piston("lid", D::Vec::ZERO, -upward::<D>(), 2.0, "{ force = 5 }");
    stage.run(1000);
    let (v, x) = (stage.twist(0).v.dot(-upward::<D>()), stage.x(0).dot(-upward::<D>()));
    let (of, why) = (|what: &str| format!("{}D: {what}", D::DIMENSION), "constant force: rounding");
    expect(case, Kind::Cd, of("speed under a force"), v, 2.5 + G).within(1e-12, why);
    expect(case, Kind::Cd, of("path under a force"), x, 0.5 * (2.5 + G)).within(1e-12, why);
}

#[test]
fn a_free_piston_obeys_newton() {
    free::<D2>();
    free::<D3>();
    let (length, speed, pressure) = (2.0, 1.5, 30.0);
    let mut stage = Stage::<D2>::with_law("{ friction = 0 }", Scheme::Midpoint, DT, 1e-13);
    stage.plane("left", along::<D2>(0) * 0.0, along::<D2>(0));
    let drive: Drive<D2> = read(&format!("{{ velocity = [-{speed}, 0] }}"));
    stage.world.push_wall("right", plane(along::<D2>(0) * length, -along::<D2>(0)), 0, drive, None);
    let press = format!("{{ pressure = {{ value = {pressure}, between = [\"left\", \"right\"] }} }}");
    stage.piston("lid", upward::<D2>(), -upward::<D2>(), 4.0, &press);
    stage.run(1000);
    let v = stage.twist(2).v.dot(-upward::<D2>());
    expect("a free piston", Kind::Cd, "speed under a pressure between closing walls", v, 30.0 * (2.0 - 0.75) / 4.0)
        .within(1e-3, "a step: the area is that of some moment of it");
}

/// A packing between walls comes to rest under a piston; the grains push back with its load and weight.
fn packing<D: Dim>() {
    let mut stage = Stage::<D>::with_law("{ friction = 0.3 }", Scheme::Euler, DT, 1e-7);
    stage.world.gravity = upward::<D>() * -G;
    stage.bin(6, 1.0);
    let lid = stage.world.setup.walls.len();
    stage.piston("lid", upward::<D>() * 0.12, -upward::<D>(), 0.2, "{ force = 10 }");
    stage.scatter(24, 6, &mut Random::new(52));
    for _ in 0..800 {
        stage.step_or_warn();
    }
    let case = "a piston on a packing";
    let rest = stage.twist(lid).v.norm() / (G * DT);
    expect(case, Kind::Cd, format!("{}D: speed over g dt", D::DIMENSION), rest, 0.0).within(1e-3, "at rest");
    let force = stage.force_on(lid).dot(upward::<D>());
    let expected = 10.0 + 0.2 * G;
    expect(case, Kind::Cd, format!("{}D: force", D::DIMENSION), force, expected)
        .within(1e-3, "as far as it is at rest");
}

#[test]
fn a_packing_carries_the_load_of_a_piston() {
    packing::<D2>();
    packing::<D3>();
}

/// Neither a piston nor a grain that is held in place can slide or turn; all laws at once find that nothing is to do.
#[test]
fn a_piston_presses_a_grain_that_is_held_in_place() {
    let law = "{ friction = 0.5, restitution = { normal = 0, tangential = 0.5 }, rolling = { ratio = 0.1 } }";
    let mut stage = Stage::<D3>::with_law(law, Scheme::Euler, DT, 1e-13);
    stage.piston("lid", upward::<D3>(), -upward::<D3>(), 2.0, "{ force = 5 }");
    let grain = stage.grain(upward::<D3>() * 0.5, 0.5, 1.0);
    stage.world.bodies.inertia[grain] = drystone::body::Inertia::IMMOVABLE;
    stage.run(10);
    let force = stage.force_on(grain).get(2);
    expect("a piston on a fixed grain", Kind::Cd, "force", force, -5.0).within(1e-13, "one contact: rounding");
}

/// A wall that is driven into a jammed column asks for the impossible: no forces stop it. [Radjai section 7] The forces
/// are those of the sweeps and pile up from step to step, as a spring would have it. The first step misses its
/// accuracy; later the residual, which is relative to the forces, can pass. What tells is the overlap: it is the way of
/// the wall.
#[test]
fn driving_a_wall_into_a_jammed_column_piles_up_forces_and_overlaps() {
    let mut stage = Stage::<D2>::with_law("{ friction = 0.3 }", Scheme::Euler, DT, 1e-6);
    stage.plane("floor", upward::<D2>() * 0.0, upward::<D2>());
    let drive: Drive<D2> = read("{ velocity = [0, -0.1] }");
    stage.world.push_wall("lid", plane(upward::<D2>() * 2.0, -upward::<D2>()), 0, drive, None);
    for k in 0..4 {
        stage.grain(upward::<D2>() * (0.25 + 0.5 * f64::from(k)), 0.25, 1.0);
    }
    assert!(!stage.step_or_warn().converged, "the first step says that it is impossible");
    let first = stage.force_on(0).norm();
    let report = (0..20).map(|_| stage.step_or_warn()).last().expect("a step");
    assert!(stage.force_on(0).norm() > 2.0 * first, "forces pile up: {first} N at first");
    let way = 0.1 * 20.0 * DT;
    let deepest = report.max_overlap * 0.25;
    assert!(deepest >= 0.99 * way / 5.0, "five contacts share {way} m, the deepest has {deepest}");
}
