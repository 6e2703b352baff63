//! Drums that turn, thin walls of finite length, and gates that open.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use glam::DVec2;

use super::expect::expect;
use super::soft::Soft;
use super::stage::{G, Stage, along, read, upward};

const FRICTION: f64 = 0.5;
const DRUM: f64 = 1.0;
const GRAIN: f64 = 0.1;
const SPIN: f64 = 10.0;

/// A drum whose bottom moves along the first axis.
fn drum<D: Dim>() -> String {
    let across = if D::DIMENSION == 3 { ", axis = [0, -1, 0]" } else { "" };
    let centre = if D::DIMENSION == 3 { "[0, 0, 0]" } else { "[0, 0]" };
    format!("{{ kind = \"cylinder\", centre = {centre}, radius = {DRUM}{across} }}")
}

/// Where a grain slides in a turning drum without being carried on: tan(theta) = mu.
fn seat<D: Dim>(reach: f64) -> D::Vec {
    let theta = FRICTION.atan();
    (along::<D>(0) * theta.sin() - upward::<D>() * theta.cos()) * reach
}

fn spin() -> String {
    format!("{{ spin = \"{SPIN} rad/s\" }}")
}

/// Torque mu N r with N = m g cos(theta) turns it ever faster: mu g cos(theta) / (moment r), moment = I / (m r^2).
fn turning(moment: f64) -> f64 {
    FRICTION * G * FRICTION.atan().cos() / (moment * GRAIN)
}

fn slides_in_place<D: Dim>(moment: f64) {
    let mut stage = Stage::<D>::new(FRICTION, 1e-3, 1e-12);
    stage.world.gravity = upward::<D>() * -G;
    stage.world.push_wall("drum", read(&drum::<D>()), 0, read(&spin()), None);
    let start = seat::<D>(DRUM - GRAIN);
    let grain = stage.grain(start, GRAIN, 2.0);
    stage.run(500);
    let about = D::torque(along::<D>(0), upward::<D>());
    let named = |what: &str| format!("{what} of a {}", D::ROUND);
    let why = "forces are constant, and the step is exact for them: rounding of 500 steps";
    let rate = stage.twist(grain).w.dot(about) / 0.5;
    expect("turning drum", Kind::Cd, named("angular acceleration"), rate, turning(moment)).within(1e-10, why);
    let moved = (stage.x(grain) - start).norm() / GRAIN;
    expect("turning drum", Kind::Cd, named("way"), moved, 0.0).within(1e-10, why);
    let work = stage.world.ledger().wall_work;
    let friction = 2.0 * G * FRICTION * FRICTION.atan().cos();
    expect("turning drum", Kind::Cd, named("work of the drum"), work, friction * SPIN * DRUM * 0.5).within(1e-10, why);
    let books = work - stage.world.ledger().dissipated - stage.kinetic_energy();
    expect("turning drum", Kind::Cd, named("energy left over"), books / work, 0.0).within(1e-10, why);
}

#[test]
fn a_grain_slides_in_place_in_a_turning_drum() {
    slides_in_place::<D2>(0.5);
    slides_in_place::<D3>(0.4);
}

#[test]
fn a_soft_grain_slides_in_place_in_a_turning_drum() {
    let (stiffness, mass) = (1e6, 2.0);
    let law = format!(
        "friction = {FRICTION}, md = {{ normal = {{ law = \"hooke\", stiffness = {stiffness}, damping = 0 }}, \
         tangential = {{ law = \"coulomb\" }} }}"
    );
    let mut soft = Soft::<D2>::new(&law, 1e-5);
    soft.world.gravity = upward::<D2>() * -G;
    soft.world.push_wall("drum", read(&drum::<D2>()), 0, read(&spin()), None);
    let overlap = mass * G * FRICTION.atan().cos() / stiffness;
    let grain = soft.grain(seat::<D2>(DRUM - GRAIN + overlap), GRAIN, mass);
    (0..50_000).for_each(|_| {
        soft.step();
    });
    let rate = soft.twist(grain).w / 0.5;
    let why = "the torque acts at the radius of the grain, an overlap of 2e-5 m away from the wall's surface";
    expect("turning drum", Kind::Md, "angular acceleration of a disk", rate, turning(0.5)).within(1e-3, why);
    soft.publish();
    let work = soft.world.ledger().wall_work;
    let friction = mass * G * FRICTION * FRICTION.atan().cos();
    expect("turning drum", Kind::Md, "work of the drum", work, friction * SPIN * DRUM * 0.5).within(1e-3, why);
}

fn disk_on_line(points: &str, friction: f64) -> Stage<D2> {
    let mut stage = Stage::<D2>::new(friction, 1e-3, 1e-13);
    stage.world.gravity = DVec2::new(0.0, -G);
    stage.world.push_wall(
        "line",
        read(&format!("{{ kind = \"line\", points = {points} }}")),
        0,
        read("\"fixed\""),
        None,
    );
    stage
}

#[test]
fn a_disk_rolls_over_the_seams_of_a_line() {
    let mut stage = disk_on_line("[[-1, 0], [-0.2, 0], [0.1, 0], [1, 0]]", 0.8);
    let disk = stage.grain(DVec2::new(-0.8, GRAIN), GRAIN, 3.0);
    stage.twist(disk).v = DVec2::new(1.0, 0.0);
    stage.twist(disk).w = -1.0 / GRAIN;
    for _ in 0..1500 {
        stage.step();
        assert_eq!(stage.world.network().contacts.len(), 1, "one contact, also at {}", stage.x(disk));
    }
    let why = "nothing acts along the line: rounding of 1500 steps";
    expect("seams of a line", Kind::Cd, "velocity", stage.twist(disk).v.x, 1.0).within(1e-12, why);
    expect("seams of a line", Kind::Cd, "spin", stage.twist(disk).w, -1.0 / GRAIN).within(1e-12, why);
}

#[test]
fn a_disk_rests_in_a_notch_and_on_the_end_of_a_line() {
    let mut notch = disk_on_line("[[-1, 1], [0, 0], [1, 1]]", 0.0);
    let disk = notch.grain(DVec2::new(0.0, GRAIN * 2f64.sqrt()), GRAIN, 3.0);
    notch.run(10);
    let forces: Vec<f64> = notch.contacts().map(|(_, memory)| memory.impulse.length() / 1e-3).collect();
    assert_eq!(forces.len(), 2, "both pieces hold it");
    for force in forces {
        let expected = 3.0 * G / 2f64.sqrt();
        expect("notch of a line", Kind::Cd, "force of a piece", force, expected).within(1e-12, "2 N cos(45 deg) = m g");
    }
    assert!(notch.twist(disk).v.length() < 1e-12);

    let mut pole = disk_on_line("[[0, -1], [0, 0]]", 0.0);
    let disk = pole.grain(DVec2::new(0.0, GRAIN), GRAIN, 3.0);
    pole.run(10);
    let force = pole.force_on(disk).y;
    expect("end of a line", Kind::Cd, "force", force, 3.0 * G).within(1e-12, "it is balanced on a point: N = m g");
}

#[test]
fn grains_fall_through_a_gate_that_is_open() {
    let mut stage = disk_on_line("[[-1, 0], [1, 0]]", 0.5);
    let disk = stage.grain(DVec2::new(0.0, GRAIN), GRAIN, 3.0);
    stage.run(10);
    assert!(stage.twist(disk).v.length() < 1e-12, "shut, it holds the disk");
    stage.world.set_drive(0, read("\"open\""), stage.world.clock.time);
    stage.run(400);
    let why = "implicit Euler is exact for constant acceleration";
    expect("gate", Kind::Cd, "velocity", stage.twist(disk).v.y, -G * 0.4).within(1e-12, why);

    let law = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e6, restitution = 0.5 } }";
    let mut soft = Soft::<D2>::new(law, 1e-5);
    soft.world.gravity = DVec2::new(0.0, -G);
    soft.world.push_wall("gate", read("{ kind = \"line\", points = [[-1, 0], [1, 0]] }"), 0, read("\"fixed\""), None);
    let disk = soft.grain(DVec2::new(0.0, GRAIN - 3.0 * G / 1e6), GRAIN, 3.0);
    (0..1000).for_each(|_| {
        soft.step();
    });
    assert!(soft.twist(disk).v.length() < 1e-9, "shut, it holds the disk: {}", soft.twist(disk).v);
    soft.world.set_drive(0, read("\"open\""), soft.world.clock.time);
    (0..40_000).for_each(|_| {
        soft.step();
    });
    let why = "velocity Verlet is exact for constant acceleration but for the one step in which the gate opens";
    expect("gate", Kind::Md, "velocity", soft.twist(disk).v.y, -G * 0.4).within(1e-4, why);
}
