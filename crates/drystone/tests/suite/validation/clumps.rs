//! Clumps and capsules: they fall, turn, roll, rest and bounce like the body that their balls fill together.

use std::f64::consts::PI;

use drystone::body::Inertia;
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::method::cd::Scheme;
use drystone::shape::{Clump, Polygon, Polyhedron};
use drystone::world::World;
use glam::{DQuat, DVec2, DVec3};

use super::expect::expect;
use super::soft::Soft;
use super::stage::{G, Stage};

const DENSITY: f64 = 1000.0;

fn put<D: Dim>(world: &mut World<D>, clump: &Clump, x: D::Vec) -> usize {
    let id = world.bodies.len() as u32;
    world.bodies.push_clump(x, clump, DENSITY, 1.0, id)
}

/// Three spheres in no symmetry: all principal moments differ.
fn odd() -> Clump {
    let balls = [(DVec3::ZERO, 0.1), (DVec3::new(0.12, 0.02, 0.0), 0.07), (DVec3::new(0.03, 0.1, 0.05), 0.06)];
    Clump::new::<D3>(&balls).unwrap()
}

fn momentum(world: &World<D3>, body: usize) -> DVec3 {
    let bodies = &world.bodies;
    D3::angular_momentum(bodies.pose[body].q, bodies.inertia[body].inv_i, bodies.twist[body].w)
}

/// A clump thrown up turns about its centre of mass, which flies along a parabola, and keeps its angular momentum.
#[test]
fn a_thrown_clump_flies_like_its_union() {
    let (dt, steps, spin, v) = (1e-3, 5000, DVec3::new(3.0, 7.0, 1.0), DVec3::new(1.0, 0.0, 20.0));
    let time = dt * f64::from(steps);
    let case = "thrown clump";
    let mut rigid = Stage::<D3>::new(0.3, dt, 1e-9);
    rigid.world.gravity = DVec3::NEG_Z * G;
    let body = put(&mut rigid.world, &odd(), DVec3::ZERO);
    (rigid.twist(body).v, rigid.twist(body).w) = (v, spin);
    let start = momentum(&rigid.world, body);
    rigid.run(steps as usize);
    let off = (momentum(&rigid.world, body) - start).length() / start.length();
    expect(case, Kind::Cd, "angular momentum, off by", off, 0.0).within(1e-12, "rounding adds up");
    let height = v.z * time - 0.5 * G * time * (time + dt);
    expect(case, Kind::Cd, "height [m]", rigid.x(body).z, height).within(1e-9, "implicit Euler: sum of g dt^2");

    let law = "friction = 0.3, md = { normal = { law = \"hooke\", stiffness = 1e5, damping = 0 } }";
    let mut soft = Soft::<D3>::new(law, dt);
    soft.world.gravity = DVec3::NEG_Z * G;
    let body = put(&mut soft.world, &odd(), DVec3::ZERO);
    (soft.twist(body).v, soft.twist(body).w) = (v, spin);
    let energy =
        soft.world.bodies.kinetic_energy(body) - 0.5 * soft.world.bodies.inertia[body].mass() * v.length_squared();
    (0..steps).for_each(|_| _ = soft.step());
    let off = (momentum(&soft.world, body) - start).length() / start.length();
    expect(case, Kind::Md, "angular momentum, off by", off, 0.0).within(1e-12, "rounding adds up");
    let height = v.z * time - 0.5 * G * time * time;
    expect(case, Kind::Md, "height [m]", soft.x(body).z, height).within(1e-9, "Verlet is exact for a constant force");
    let now = soft.twist(body).v.length_squared();
    let turning = soft.world.bodies.kinetic_energy(body) - 0.5 * soft.world.bodies.inertia[body].mass() * now;
    expect(case, Kind::Md, "energy of rotation over that of the start", turning / energy, 1.0)
        .within(1e-4, "(w dt)^2 = 6e-5");
}

/// Mass over rho, and moment about the axis over rho, of two equal spheres whose centres are 2 c apart.
fn peanut(r: f64, c: f64) -> (f64, f64) {
    // slices across the axis, from the waist to the end: disks of radius^2 r^2 - u^2
    let area = |u: f64| r * r * u - u.powi(3) / 3.0;
    let square = |u: f64| r.powi(4) * u - 2.0 / 3.0 * r * r * u.powi(3) + u.powi(5) / 5.0;
    (2.0 * PI * (area(r) - area(-c)), PI * (square(r) - square(-c)))
}

/// A body that rolls on its side down a slope, without slipping: a = g sin / (1 + I / m r^2).
#[test]
fn peanuts_and_capsules_roll_with_the_inertia_of_their_union() {
    let (r, c, slope, time) = (0.1_f64, 0.06_f64, 0.3_f64, 0.5);
    let (mass, moment) = peanut(r, c);
    let dimer = Clump::new::<D3>(&[(DVec3::X * -c, r), (DVec3::X * c, r)]).unwrap();
    let l = 0.3;
    let shaft_and_caps = (PI * r * r * l, 4.0 / 3.0 * PI * r.powi(3));
    let of_capsule = (0.5 * shaft_and_caps.0 + 0.4 * shaft_and_caps.1) / (shaft_and_caps.0 + shaft_and_caps.1);
    let capsule = Clump::capsule::<D3>(l, r);
    let cases = [("rolling dimer", dimer, moment / (mass * r * r)), ("rolling capsule", capsule, of_capsule)];
    for (case, body, ratio) in cases {
        let expected = G * slope.sin() / (1.0 + ratio);
        let gravity = DVec3::new(0.0, slope.sin(), -slope.cos()) * G;
        let dt = 1e-3;
        let mut rigid = Stage::<D3>::new(0.5, dt, 1e-12);
        rigid.world.gravity = gravity;
        rigid.plane("slope", DVec3::ZERO, DVec3::Z);
        let k = put(&mut rigid.world, &body, DVec3::Z * r);
        rigid.run((time / dt) as usize);
        assert_eq!(rigid.world.network().closed().count(), 2, "it lies on two balls");
        let speed = rigid.twist(k).v.y;
        expect(case, Kind::Cd, "acceleration [m/s2]", speed / time, expected)
            .within(1e-9 * expected, "a velocity from a constant acceleration is exact");
        expect(case, Kind::Cd, "spin times radius over speed", -rigid.twist(k).w.x * r / speed, 1.0)
            .within(1e-9, "it does not slip");

        let dt = 2e-5;
        let law = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e6, restitution = 0.3 }, tangential = { law = \"cundall_strack\", stiffness_ratio = 1 } }";
        let mut soft = Soft::<D3>::new(law, dt);
        soft.world.gravity = gravity;
        soft.plane(DVec3::ZERO, DVec3::Z);
        let m = DENSITY * body.volume;
        let k = put(&mut soft.world, &body, DVec3::Z * (r - 0.5 * m * G * slope.cos() / 1e6));
        (0..(time / dt) as u64).for_each(|_| _ = soft.step());
        let speed = soft.twist(k).v.y;
        expect(case, Kind::Md, "acceleration [m/s2]", speed / time, expected).within(
            1e-3 * expected,
            "springs stretch at the start: sqrt(m / k_t) = 5 ms of vibration, and overlaps of 1e-4 r",
        );
    }
}

/// Two disks of different size lie on the floor: each bears what the lever of the common centre of mass gives it.
#[test]
fn a_lopsided_dimer_presses_with_the_levers_of_its_union() {
    let (r, s, d) = (0.2_f64, 0.1_f64, 0.22_f64);
    // area and first moment along the axis from the first centre, less the lens of two segments
    let (p, q) = ((d * d + r * r - s * s) / (2.0 * d), (d * d + s * s - r * r) / (2.0 * d));
    let segment = |h: f64, r: f64| r * r * (h / r).acos() - h * (r * r - h * h).sqrt();
    let first = |h: f64, r: f64| 2.0 / 3.0 * (r * r - h * h).powf(1.5);
    let area = PI * (r * r + s * s) - segment(p, r) - segment(q, s);
    let centre = (PI * s * s * d - first(p, r) - (d * segment(q, s) - first(q, s))) / area;
    let small = area * DENSITY * G * centre / d; // what the smaller disk bears
    let clump = Clump::new::<D2>(&[(DVec3::ZERO, r), (DVec3::X * d, s)]).unwrap();
    let lean = ((s - r) / d).asin();
    let at = DVec2::new(0.0, r) + DVec2::from_angle(lean) * centre;
    let case = "lopsided dimer";
    let mut rigid = Stage::<D2>::new(0.5, 1e-3, 1e-12);
    rigid.world.gravity = DVec2::NEG_Y * G;
    rigid.plane("floor", DVec2::ZERO, DVec2::Y);
    let k = put(&mut rigid.world, &clump, at);
    rigid.world.bodies.pose[k].q = lean;
    rigid.run(100);
    let of_small = |contact: &drystone::contact::Contact<D2>| contact.arm_b.x > 0.0;
    let force: f64 = rigid.contacts().filter(|(c, _)| of_small(c)).map(|(_, m)| m.impulse.y / 1e-3).sum();
    expect(case, Kind::Cd, "force on the smaller disk [N]", force, small).within(1e-9 * small, "solved to 1e-12");
    let moved = (rigid.x(k) - at).length() / r;
    expect(case, Kind::Cd, "drift over the radius", moved, 0.0).within(1e-12, "it is at rest");

    let law = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e7, restitution = 0.2 } }";
    let mut soft = Soft::<D2>::new(law, 2e-5);
    soft.world.gravity = DVec2::NEG_Y * G;
    soft.plane(DVec2::ZERO, DVec2::Y);
    let k = put(&mut soft.world, &clump, at);
    soft.world.bodies.pose[k].q = lean;
    (0..50_000).for_each(|_| _ = soft.step());
    let all = soft.force_on(k).y;
    let network = &soft.world.network();
    let pushes = network.contacts.iter().zip(&network.memory);
    let force: f64 = pushes.filter(|(c, _)| of_small(c)).map(|(_, m)| m.impulse.y / 2e-5).sum();
    expect(case, Kind::Md, "weight [N]", all, area * DENSITY * G).within(1e-6 * all, "dashpots have calmed it");
    expect(case, Kind::Md, "force on the smaller disk [N]", force, small)
        .within(2e-4 * small, "overlaps tilt it by 1e-4 of its length");
}

/// A dimer falls on one of its disks, without friction and loss: J = 2 v / (1/m + c^2 / I).
#[test]
fn a_dimer_that_falls_on_one_end_turns_away() {
    let (r, c, tilt, speed) = (0.1_f64, 0.09_f64, 0.7_f64, 1.0);
    let clump = Clump::new::<D2>(&[(DVec3::X * -c, r), (DVec3::X * c, r)]).unwrap();
    // moment of the union: two disks cut by their waist, slices across the axis as polar coordinates give them
    let half = (c / r).acos();
    let area = 2.0 * (PI * r * r - (r * r * half - c * (r * r - c * c).sqrt()));
    assert!((clump.volume / area - 1.0).abs() < 1e-13);
    let (mass, moment) = (DENSITY * clump.volume, DENSITY * clump.volume * clump.gyration.x);
    let lever = c * tilt.cos();
    let impulse = 2.0 * speed / (1.0 / mass + lever * lever / moment);
    let (v, w) = (impulse / mass - speed, -impulse * lever / moment);
    let at = DVec2::new(0.0, r + c * tilt.sin() + 1e-4);
    let case = "dimer on its end";
    let mut rigid = Stage::<D2>::with_law("{ friction = 0, restitution = 1 }", Scheme::Midpoint, 1e-4, 1e-12);
    rigid.plane("floor", DVec2::ZERO, DVec2::Y);
    let k = put(&mut rigid.world, &clump, at);
    rigid.world.bodies.pose[k].q = tilt;
    rigid.twist(k).v = DVec2::NEG_Y * speed;
    rigid.run(10);
    // the end hits a disk that is left of the centre: the normal impulse turns it clockwise
    expect(case, Kind::Cd, "velocity after [m/s]", rigid.twist(k).v.y, v)
        .within(1e-6, "the lever, a step of 1e-4 before");
    expect(case, Kind::Cd, "spin after [rad/s]", rigid.twist(k).w, w).within(1e-5, "the same");
    let law = "friction = 0, md = { normal = { law = \"hooke\", stiffness = 1e9, damping = 0 } }";
    let mut soft = Soft::<D2>::new(law, 1e-7);
    soft.plane(DVec2::ZERO, DVec2::Y);
    let k = put(&mut soft.world, &clump, at);
    soft.world.bodies.pose[k].q = tilt;
    soft.twist(k).v = DVec2::NEG_Y * speed;
    let before = soft.kinetic_energy();
    soft.collide();
    expect(case, Kind::Md, "energy after over before", soft.kinetic_energy() / before, 1.0)
        .within(1e-6, "second order in a step of 1/4000 of the collision");
    expect(case, Kind::Md, "velocity after [m/s]", soft.twist(k).v.y, v)
        .within(5e-3, "it turns by w t_c = 3e-3 while it touches");
}

/// A capsule across two others bears half of its weight on each, and parallel ones on a floor touch in two points.
#[test]
fn capsules_rest_on_capsules() {
    let (r, l) = (0.05, 0.4);
    let capsule = Clump::capsule::<D3>(l, r);
    let mut stage = Stage::<D3>::new(0.5, 1e-3, 1e-11);
    stage.world.gravity = DVec3::NEG_Z * G;
    stage.plane("floor", DVec3::ZERO, DVec3::Z);
    let across = DQuat::from_rotation_z(0.5 * PI);
    let rails = [-0.1, 0.1].map(|x| {
        let k = put(&mut stage.world, &capsule, DVec3::new(x, 0.0, r));
        stage.world.bodies.pose[k].q = across;
        k
    });
    let top = put(&mut stage.world, &capsule, DVec3::new(0.0, 0.03, 3.0 * r));
    // a second one beside it, parallel and touching, shifted along
    let beside = put(&mut stage.world, &capsule, DVec3::new(0.05, 0.03 - 2.0 * r, 3.0 * r));
    stage.run(200);
    let weight = stage.mass(top) * G;
    let case = "capsules";
    for (name, body) in [("top", top), ("beside", beside)] {
        let force = stage.force_on(body).z;
        expect(case, Kind::Cd, format!("force on the {name} one over its weight"), force / weight, 1.0)
            .within(1e-9, "solved to 1e-11");
    }
    let on_rails: f64 = rails.iter().map(|rail| stage.force_on(*rail).z).sum();
    expect(case, Kind::Cd, "force on the rails over their weight", on_rails / (2.0 * weight), 1.0)
        .within(1e-9, "what they bear goes into the floor");
    let between =
        |a: usize, b: usize| stage.contacts().filter(|(c, _)| (c.key.a as usize, c.key.b as usize) == (a, b)).count();
    assert_eq!(rails.map(|rail| between(rail, top)), [1, 1], "they cross");
    assert_eq!(between(top, beside), 2, "the ends of what they share");
    // levers of the one that does not lie in the middle: crossings at x = -0.1 and 0.1, its centre at 0.05
    let push = |a: usize, b: usize| -> f64 {
        let of = stage.contacts().filter(|(c, _)| (c.key.a as usize, c.key.b as usize) == (a, b));
        of.map(|(_, memory)| memory.impulse.z / 1e-3).sum()
    };
    expect(case, Kind::Cd, "share of the far rail", push(rails[0], beside) / weight, 0.25)
        .within(1e-6, "0.05 / 0.2; friction of the neighbour carries nothing");
    let moved = (stage.x(top) - DVec3::new(0.0, 0.03, 3.0 * r)).norm() / r;
    expect(case, Kind::Cd, "drift over the radius", moved, 0.0).within(1e-9, "at rest");
}

/// A capsule that overhangs the edge of a block lies on the ball at its end and on the corner of the block.
#[test]
fn a_capsule_lies_on_a_ledge() {
    let (r, l) = (0.05, 0.4);
    let mut stage = Stage::<D2>::new(0.5, 1e-3, 1e-12);
    stage.world.gravity = DVec2::NEG_Y * G;
    let block = Polygon::rectangle(0.3, 0.1).unwrap();
    let ledge = stage.world.bodies.push_polygon(DVec2::new(-0.05, -0.05), &block, DENSITY, 1.0, 0);
    stage.world.bodies.inertia[ledge] = Inertia::IMMOVABLE;
    let at = DVec2::new(0.05, r);
    let body = put(&mut stage.world, &Clump::capsule::<D2>(l, r), at);
    stage.run(100);
    let weight = stage.mass(body) * G;
    let pushes: Vec<(f64, f64)> = stage
        .contacts()
        .filter(|(_, memory)| memory.impulse != DVec2::ZERO)
        .map(|(contact, memory)| (at.x + contact.arm_b.x, memory.impulse.y / 1e-3 / weight))
        .collect();
    let of = |x: f64| pushes.iter().filter(|(at, _)| (at - x).abs() < 1e-9).map(|(_, push)| push).sum::<f64>();
    // the end of its segment at -0.15, the corner at 0.1, its centre at 0.05
    let case = "capsule on a ledge";
    expect(case, Kind::Cd, "share of the end", of(-0.15), 0.2).within(1e-9, "(0.1 - 0.05) / 0.25");
    expect(case, Kind::Cd, "share of the corner", of(0.1), 0.8).within(1e-9, "the rest");
    expect(case, Kind::Cd, "drift over the radius", (stage.x(body) - at).length() / r, 0.0).within(1e-9, "at rest");
}

/// A brick lies across two capsules: its edges cross their segments.
#[test]
fn a_brick_lies_on_capsules() {
    let r = 0.05;
    let mut stage = Stage::<D3>::new(0.5, 1e-3, 1e-12);
    stage.world.gravity = DVec3::NEG_Z * G;
    let rails = [-0.1, 0.1].map(|x| {
        let k = put(&mut stage.world, &Clump::capsule::<D3>(0.4, r), DVec3::new(x, 0.0, -r));
        stage.world.bodies.pose[k].q = DQuat::from_rotation_z(0.5 * PI);
        stage.world.bodies.inertia[k] = Inertia::IMMOVABLE;
        k
    });
    let brick = Polyhedron::cuboid(DVec3::new(0.5, 0.2, 0.1)).unwrap();
    let at = DVec3::new(0.03, 0.01, 0.05);
    let body = stage.world.bodies.push_polyhedron(at, &brick, DENSITY, 2);
    stage.run(100);
    let weight = stage.mass(body) * G;
    let case = "brick on capsules";
    let share = |rail: usize| -stage.force_on(rail).z / weight;
    expect(case, Kind::Cd, "share of the left rail", share(rails[0]), 0.35).within(1e-9, "(0.1 - 0.03) / 0.2");
    expect(case, Kind::Cd, "share of the right rail", share(rails[1]), 0.65).within(1e-9, "the rest");
    let closed: Vec<DVec3> = stage
        .contacts()
        .filter(|(_, memory)| memory.impulse.z > 1e-3 * weight * 1e-3)
        .map(|(contact, _)| at + contact.arm_b)
        .collect();
    assert_eq!(closed.len(), 4, "two edges over two segments");
    let off = closed.iter().map(|x| ((x.x.abs() - 0.1).abs()).max(((x.y - 0.01).abs() - 0.1).abs()).max(x.z.abs()));
    expect(case, Kind::Cd, "places of the contacts, off by [m]", off.fold(0.0, f64::max), 0.0)
        .within(1e-12, "where edges and segments cross");
}
