//! Profiles turned about an axis: cones, funnels, rings.

use drystone::dim::D3;
use drystone::method::Kind;
use glam::DVec3;

use super::expect::expect;
use super::soft::Soft;
use super::stage::{G, Stage, read};

const RADIUS: f64 = 0.05;
const MASS: f64 = 2.0;

/// A cone that rises by `slope` from its point, turned to another axis.
fn cone(slope: f64, axis: &str) -> String {
    let (far, high) = (2.0, 2.0 * slope.tan());
    format!(
        "{{ kind = \"revolution\", centre = [0, 0, 0], axis = {axis}, profile = [[0.01, {}], [{far}, {high}]] }}",
        0.01 * slope.tan()
    )
}

/// A ball without friction circles in a cone at a constant height if v^2 = g r tan(slope), r the distance of its centre
/// from the axis.
#[test]
fn a_ball_circles_in_a_cone() {
    let (slope, far, dt) = (0.6_f64, 0.8, 1e-4);
    let height = far * slope.tan() + RADIUS / slope.cos();
    let speed = (G * far * slope.tan()).sqrt();
    let start = DVec3::new(far, 0.0, height);
    let turn = std::f64::consts::TAU * far / speed;
    let steps = (turn / dt) as usize;
    let angle = speed * (steps as f64 * dt) / far;
    let expected = DVec3::new(far * angle.cos(), far * angle.sin(), height);

    let mut stage = Stage::<D3>::new(0.0, dt, 1e-13);
    stage.world.gravity = DVec3::new(0.0, 0.0, -G);
    stage.world.push_wall("cone", read(&cone(slope, "[0, 0, 3]")), 0, read("\"fixed\""), None);
    let ball = stage.grain(start, RADIUS, MASS);
    stage.twist(ball).v = DVec3::new(0.0, speed, 0.0);
    stage.run(steps);
    let force = stage.force_on(ball).length();
    expect("circle in a cone", Kind::Cd, "force", force, MASS * G / slope.cos())
        .within(1e-2, "N cos(slope) = m g; Euler");
    let off = (stage.x(ball) - expected).length() / far;
    expect("circle in a cone", Kind::Cd, "place after a turn, over the distance", off, 0.0)
        .within(1e-2, "Euler steps of 1/20000 of a turn: an error of the first order");

    let law = "friction = 0, md = { normal = { law = \"hooke\", stiffness = 1e8, restitution = 1 } }";
    let mut soft = Soft::<D3>::new(law, 1e-5);
    soft.world.gravity = DVec3::new(0.0, 0.0, -G);
    soft.world.push_wall("cone", read(&cone(slope, "[0, 0, 3]")), 0, read("\"fixed\""), None);
    soft.grain(start, RADIUS, MASS);
    soft.twist(1).v = DVec3::new(0.0, speed, 0.0);
    (0..10 * steps).for_each(|_| {
        soft.step();
    });
    let off = (soft.x(1) - expected).length() / far;
    expect("circle in a cone", Kind::Md, "place after a turn, over the distance", off, 0.0)
        .within(1e-4, "the wall gives way by N / k = 2e-7 m, and the ball swings about it");
}

/// A ball in the hole of a plate, and one in a funnel, each held all around.
#[test]
fn a_ball_rests_in_a_ring_and_in_a_funnel() {
    let ring = "{ kind = \"revolution\", centre = [0, 0, 0], axis = [0, 0, 1], profile = [[0.03, 0], [0.2, 0]] }";
    let slope = 0.7_f64;
    for (name, surface, height, rise) in [
        ("ring", ring.to_string(), 0.04, 0.8), // 3, 4, 5: the rim is met at 4/5 of the radius below the centre
        ("funnel", cone(slope, "[0, 0, 1]"), RADIUS / slope.cos(), slope.cos()),
    ] {
        for aside in [0.0, 1e-9] {
            let mut stage = Stage::<D3>::new(0.0, 1e-3, 1e-12);
            stage.world.gravity = DVec3::new(0.0, 0.0, -G);
            stage.world.push_wall(name, read(&surface), 0, read("\"fixed\""), None);
            let ball = stage.grain(DVec3::new(aside, 0.0, height), RADIUS, MASS);
            stage.run(50);
            let pressing: f64 = stage.contacts().map(|(contact, memory)| memory.impulse.dot(contact.normal)).sum();
            let why = "all contacts rise alike: sum N = m g / n_z, up to how far aside it is";
            expect(
                "ball held all around",
                Kind::Cd,
                format!("sum of the forces in a {name}"),
                pressing / 1e-3,
                MASS * G / rise,
            )
            .within(1e-6, why);
            let moved = (stage.x(ball) - DVec3::new(aside, 0.0, height)).length() / RADIUS;
            expect(
                "ball held all around",
                Kind::Cd,
                format!("way in 50 steps in a {name}, over the radius"),
                moved,
                0.0,
            )
            .within(1e-6, why);
        }
    }
}

/// A flat ring that spins drags a ball on it like a turntable: 2/7 of its angular velocity.
#[test]
fn a_ball_circles_on_a_spinning_disc() {
    let (spin, dt) = (6.0, 2.5e-4);
    let disc = "{ kind = \"revolution\", centre = [0, 0, 0], axis = [0, 0, 1], profile = [[0, 0], [3, 0]] }";
    let mut stage = Stage::<D3>::new(5.0, dt, 1e-13);
    stage.world.gravity = DVec3::new(0.0, 0.0, -G);
    stage.world.push_wall("disc", read(disc), 0, read(&format!("{{ spin = {spin} }}")), None);
    let start = DVec3::new(0.5, 0.0, RADIUS);
    let ball = stage.grain(start, RADIUS, MASS);
    let v = DVec3::new(0.0, 0.3, 0.0);
    stage.twist(ball).v = v;
    stage.twist(ball).w = DVec3::Z.cross(v - DVec3::Z.cross(DVec3::new(0.5, 0.0, 0.0)) * spin) / RADIUS;
    let (mut turned, mut before) = (0.0, v);
    for _ in 0..5000 {
        stage.step();
        let now = stage.twist(ball).v;
        turned += before.cross(now).z.atan2(before.dot(now));
        before = now;
    }
    let rate = turned / stage.world.clock.time / spin;
    let why = "Euler steps of 1/4200 of a circle: an error of the first order";
    expect("spinning disc", Kind::Cd, "rate of the ball's circle over that of the disc", rate, 2.0 / 7.0)
        .within(1e-3, why);
}
