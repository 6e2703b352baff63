//! Capsules and stones at walls of triangles: seams that they do not feel, edges and corners that carry them.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use drystone::d3::World;
use drystone::dim::{D2, D3};
use drystone::method::Kind;
use drystone::shape::{Clump, Polygon, Polyhedron};
use drystone::wall::Surface;
use glam::{DQuat, DVec2, DVec3};

use super::expect::expect;
use super::meshes::{cube, floor, mesh, still};
use super::soft::Soft;
use super::stage::{G, Stage, plane, read};

const DENSITY: f64 = 2500.0;
/// Edges of the brick that most cases take [m].
const SIZE: DVec3 = DVec3::new(0.12, 0.1, 0.06);
/// Radius and length of the segment of the capsule [m].
const CAPSULE: (f64, f64) = (0.03, 0.12);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Grain {
    Brick,
    Capsule,
}

impl Grain {
    const ALL: [Grain; 2] = [Grain::Brick, Grain::Capsule];

    fn name(self) -> &'static str {
        if self == Grain::Brick { "brick" } else { "capsule" }
    }

    /// How high its centre is when it lies [m].
    fn height(self) -> f64 {
        if self == Grain::Brick { 0.5 * SIZE.z } else { CAPSULE.0 }
    }

    /// Moment of inertia about an axis through its centre over its mass, when it is turned [m2].
    fn gyration(self, turn: DQuat, axis: DVec3) -> f64 {
        let (moments, axes) = match self {
            Grain::Brick => Polyhedron::cuboid(SIZE).map(|brick| (brick.gyration, brick.axes)).unwrap(),
            Grain::Capsule => {
                let capsule = Clump::capsule::<D3>(CAPSULE.1, CAPSULE.0);
                (capsule.gyration, capsule.axes)
            }
        };
        let axis = (turn * axes).conjugate() * axis;
        moments.dot(axis * axis)
    }

    fn put(self, world: &mut World, x: DVec3, turn: DQuat) -> usize {
        let id = world.bodies.len() as u32;
        let (body, axes) = match self {
            Grain::Brick => {
                let brick = Polyhedron::cuboid(SIZE).unwrap();
                (world.bodies.push_polyhedron(x, &brick, DENSITY, id), brick.axes)
            }
            Grain::Capsule => {
                let capsule = Clump::capsule::<D3>(CAPSULE.1, CAPSULE.0);
                (world.bodies.push_clump(x, &capsule, DENSITY, 1.0, id), capsule.axes)
            }
        };
        world.bodies.pose[body].q = turn * axes;
        body
    }
}

fn stage(friction: f64, gravity: DVec3, wall: Surface<D3>) -> Stage<D3> {
    let mut stage = Stage::<D3>::new(friction, 1e-3, 1e-13);
    stage.world.gravity = gravity;
    stage.world.push_wall("wall", wall, 0, still(), None);
    stage
}

fn sheet() -> Surface<D3> {
    let (points, triangles) = floor(20);
    mesh(&points, &triangles, "")
}

/// Over a metre of seams a brick has its four corners and a capsule its two ends, like on a plane, and goes the same
/// way.
#[test]
fn they_slide_over_triangles_as_over_a_plane() {
    for grain in Grain::ALL {
        let slide = |friction: f64, gravity: DVec3, surface: Surface<D3>| {
            let mut stage = stage(friction, gravity, surface);
            let up = -gravity.z.signum();
            // a capsule that is turned more rolls off to the side
            let (turn, spin) = if grain == Grain::Brick { (0.3, 0.4) } else { (0.05, 0.0) };
            let body = grain.put(&mut stage.world, DVec3::Z * (up * grain.height()), DQuat::from_rotation_z(turn));
            stage.twist(body).v = DVec3::new(0.9, -0.03, 0.0);
            stage.twist(body).w = DVec3::Z * spin;
            while stage.x(body).x < 1.0 && stage.world.clock.time < 2.0 {
                stage.step();
                let count = if grain == Grain::Brick { 4 } else { 2 };
                assert_eq!(stage.world.network().contacts.len(), count, "{grain:?} at {}", stage.x(body));
                assert!(stage.contacts().all(|(contact, _)| contact.normal == DVec3::Z * up));
            }
            (stage.x(body), *stage.twist(body))
        };
        let (case, why) = ("grain over seams", "no seam is felt: rounding of a thousand steps");
        let (_, free) = slide(0.0, DVec3::NEG_Z * G, sheet());
        let spin = if grain == Grain::Brick { 0.4 } else { 0.0 };
        let off = (free.v - DVec3::new(0.9, -0.03, 0.0)).length() + (free.w - DVec3::Z * spin).length() * SIZE.x;
        expect(case, Kind::Cd, format!("{} without friction, change of velocity [m/s]", grain.name()), off, 0.0)
            .within(1e-12, why);
        let pull = DVec3::new(0.3 * G, 0.0, -G);
        for (side, pull) in [("above", pull), ("below", DVec3::new(pull.x, 0.0, G))] {
            let normal = DVec3::Z * -pull.z.signum();
            let (x, twist) = slide(0.28, pull, sheet());
            let (x_plane, twist_plane) = slide(0.28, pull, plane(DVec3::ZERO, normal));
            assert!(x.x >= 1.0);
            let off = (x - x_plane).length() / SIZE.z;
            expect(case, Kind::Cd, format!("{} {side}, way off the plane's", grain.name()), off, 0.0).within(1e-9, why);
            let off = (twist.v - twist_plane.v).length();
            expect(case, Kind::Cd, format!("{} {side}, velocity off the plane's", grain.name()), off, 0.0)
                .within(1e-10, why);
        }
    }
}

#[test]
fn they_stick_and_slide_on_a_triangulated_slope() {
    let slope = 0.35_f64;
    for grain in Grain::ALL {
        for (part, moves) in [(1.02, false), (0.9, true)] {
            let friction = part * slope.tan();
            let mut stage = stage(friction, DVec3::new(slope.sin(), 0.0, -slope.cos()) * G, sheet());
            let body = grain.put(&mut stage.world, DVec3::Z * grain.height(), DQuat::IDENTITY);
            stage.run(400);
            let why = "static friction is a constraint";
            let (case, name) = ("triangulated slope", grain.name());
            let way = stage.x(body).x;
            if moves {
                let exact = G * (slope.sin() - friction * slope.cos());
                let found = stage.twist(body).v.x / 0.4;
                expect(case, Kind::Cd, format!("acceleration of the {name} [m/s2]"), found, exact)
                    .within(1e-9, "Coulomb: g (sin - mu cos), and implicit Euler adds up v exactly");
            } else {
                expect(case, Kind::Cd, format!("way of the {name} below the angle [m]"), way, 0.0).within(1e-10, why);
            }
        }
    }
}

/// Shares of the weight that contacts at places along x bear, and the sum of all.
fn share(stage: &Stage<D3>, body: usize, x: f64) -> f64 {
    let weight = stage.mass(body) * G;
    let at = |arm: DVec3| (stage.x(body).x + arm.x - x).abs() < 1e-6;
    stage.contacts().filter(|(c, _)| at(c.arm_b)).map(|(_, m)| m.impulse.z / 1e-3 / weight).sum()
}

/// What lies on a table and overhangs it rests on its end and on the edge of the table, by the lever; beyond, it tips
/// over with the angular acceleration g d / (i^2 + d^2 + h^2), d its centre beyond the edge and h above it.
#[test]
fn the_edge_of_a_table_carries_what_overhangs_it() {
    let (points, triangles) = cube(DVec3::new(0.2, 0.3, 0.1));
    let table = || mesh(&points, &triangles, ", grains = \"outside\"");
    for grain in Grain::ALL {
        let (name, high) = (grain.name(), grain.height());
        let half = 0.06; // both ends are as far from the centre along x
        let mut lies = stage(0.5, DVec3::NEG_Z * G, table());
        let body = grain.put(&mut lies.world, DVec3::new(0.185, 0.0, 0.1 + high), DQuat::IDENTITY);
        lies.run(50);
        let end = 0.185 - half;
        let case = "overhang on a mesh";
        expect(case, Kind::Cd, format!("share of the end of the {name}"), share(&lies, body, end), 0.015 / 0.075)
            .within(1e-8, "(0.2 - 0.185) / (0.2 - 0.125)");
        expect(case, Kind::Cd, format!("share of the edge under the {name}"), share(&lies, body, 0.2), 0.8)
            .within(1e-8, "the rest");
        let drift = (lies.x(body) - DVec3::new(0.185, 0.0, 0.1 + high)).length() / high;
        expect(case, Kind::Cd, format!("drift of the {name} over its height"), drift, 0.0).within(1e-8, "it rests");

        let beyond = 0.01;
        let mut tips = stage(2.0, DVec3::NEG_Z * G, table());
        let body = grain.put(&mut tips.world, DVec3::new(0.2 + beyond, 0.0, 0.1 + high), DQuat::IDENTITY);
        tips.run(10);
        let exact = G * beyond / (grain.gyration(DQuat::IDENTITY, DVec3::Y) + beyond * beyond + high * high) * 0.01;
        expect(case, Kind::Cd, format!("spin of the {name} that tips after 10 ms"), tips.twist(body).w.y, exact)
            .within(0.01, "it has turned by 2e-3, and the edge moves along it");
    }
}

/// A roof over the x axis whose sides fall by 45 degrees.
fn roof() -> Surface<D3> {
    let points: Vec<DVec3> = [-0.5, 0.02, 0.5]
        .iter()
        .flat_map(|x| [(0.0, 0.0), (0.4, -0.4), (-0.4, -0.4)].map(|(y, z)| DVec3::new(*x, y, z)))
        .collect();
    let cell = |k: usize| [[k, k + 3, k + 4], [k, k + 4, k + 1], [k, k + 5, k + 3], [k, k + 2, k + 5]];
    let triangles: Vec<[usize; 3]> = [cell(0), cell(3)].concat();
    mesh(&points, &triangles, "")
}

/// A pyramid whose sides fall by 45 degrees.
fn pyramid() -> Surface<D3> {
    let points = [(0.0, 0.0, 0.0), (0.4, 0.4, -0.4), (-0.4, 0.4, -0.4), (-0.4, -0.4, -0.4), (0.4, -0.4, -0.4)];
    let points = points.map(|(x, y, z)| DVec3::new(x, y, z));
    mesh(&points, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]], "")
}

/// On a ridge and on a tip a grain balances with its centre above. With its centre an arm d aside and h above it tips
/// over with the angular acceleration g d / (i^2 + d^2 + h^2).
#[test]
fn they_balance_on_a_ridge_and_on_a_tip() {
    let (along, across) = (DQuat::from_rotation_z(0.2), DQuat::from_rotation_z(FRAC_PI_2));
    let on_edge = across * DQuat::from_rotation_x((SIZE.y / SIZE.z).atan());
    let edge_height = 0.5 * (SIZE.y * SIZE.y + SIZE.z * SIZE.z).sqrt();
    for (place, grain, turn, high, contacts) in [
        // a face over the ridge: at two of its sides, and where two edges of the ridge meet
        ("ridge", Grain::Brick, along, Grain::Brick.height(), 3),
        ("ridge", Grain::Capsule, across, Grain::Capsule.height(), 1),
        ("ridge", Grain::Brick, on_edge, edge_height, 1),
        ("tip", Grain::Brick, DQuat::IDENTITY, Grain::Brick.height(), 1),
        ("tip", Grain::Capsule, across, Grain::Capsule.height(), 1),
    ] {
        let put = |friction: f64, aside: f64| {
            let wall = if place == "ridge" { roof() } else { pyramid() };
            let mut stage = stage(friction, DVec3::NEG_Z * G, wall);
            let body = grain.put(&mut stage.world, DVec3::new(0.0, aside, high), turn);
            (stage, body)
        };
        let (mut rests, body) = put(1.0, 0.0);
        rests.run(3);
        let case = format!("{} on a {place}, {contacts} contacts", grain.name());
        assert_eq!(rests.world.network().contacts.len(), contacts, "{case}");
        let off = (rests.force_on(body) / (rests.mass(body) * G) - DVec3::Z).length();
        expect("balance on a mesh", Kind::Cd, format!("{case}: force off m g, over m g"), off, 0.0)
            .within(1e-9, "straight below the centre");
        let arm = 0.008;
        let (mut tips, body) = put(2.0, arm);
        tips.run(10);
        let exact = G * arm / (grain.gyration(turn, DVec3::X) + arm * arm + high * high) * 0.01;
        expect("balance on a mesh", Kind::Cd, format!("{case}: spin after 10 ms"), -tips.twist(body).w.x, exact)
            .within(0.02, "it has turned by 2e-3, and what bears it moves along it");
    }
}

/// A brick in a groove of 90 degrees lies on both of its sides, and each bears m g cos 45.
#[test]
fn a_brick_lies_in_a_groove_of_triangles() {
    let (points, triangles) = cube(DVec3::splat(0.2));
    let turn = DQuat::from_rotation_x(FRAC_PI_4);
    let points: Vec<DVec3> = points.iter().map(|x| turn * *x).collect();
    let mut stage = stage(0.0, DVec3::NEG_Z * G, mesh(&points, &triangles, ", grains = \"inside\""));
    let at = turn * (DVec3::new(0.0, -0.2, -0.2) + 0.5 * DVec3::new(0.0, SIZE.y, SIZE.z));
    let body = Grain::Brick.put(&mut stage.world, at, turn);
    stage.run(20);
    let weight = stage.mass(body) * G;
    for normal in [DVec3::Y, DVec3::Z] {
        let of = |(contact, _): &(&drystone::contact::Contact<D3>, _)| contact.normal.dot(turn * normal) > 0.99;
        let force: f64 = stage.contacts().filter(of).map(|(_, memory)| memory.impulse.length() / 1e-3).sum();
        expect("brick in a groove", Kind::Cd, "force of a side on a brick", force, weight * 0.5_f64.sqrt())
            .within(1e-8, "2 N cos(45 deg) = m g");
    }
    let drift = (stage.x(body) - at).length() / SIZE.z;
    expect("brick in a groove", Kind::Cd, "drift of the brick", drift, 0.0).within(1e-9, "it rests");
}

/// A turntable takes along what lies on it, as long as friction holds.
#[test]
fn they_ride_on_a_turntable_of_triangles() {
    let (points, triangles) = cube(DVec3::new(1.0, 1.0, 0.1));
    let (spin, far) = (2.0, 0.2);
    for grain in Grain::ALL {
        let mut stage = Stage::<D3>::new(0.5, 1e-3, 1e-10);
        stage.world.gravity = DVec3::NEG_Z * G;
        let table = mesh(&points, &triangles, ", grains = \"outside\", centre = [0, 0, 0], axis = [0, 0, 1]");
        stage.world.push_wall("table", table, 0, read(&format!("{{ spin = {spin} }}")), None);
        let body = grain.put(&mut stage.world, DVec3::new(far, 0.0, 0.1 + grain.height()), DQuat::IDENTITY);
        stage.twist(body).v = DVec3::Y * (spin * far);
        stage.twist(body).w = DVec3::Z * spin;
        stage.run(1000);
        let turned = DQuat::from_rotation_z(spin) * DVec3::new(far, 0.0, 0.1 + grain.height());
        let off = (stage.x(body) - turned).length() / far;
        expect("ride on a turntable", Kind::Cd, format!("place of the {} off the table's", grain.name()), off, 0.0)
            .within(4e-3, "Euler steps of 1/3000 of a turn: each goes straight, and out by (spin dt)^2 / 2");
    }
}

/// Grains that fall into a box of triangles come to rest in it: none leaks, and the box bears their weight.
fn settle(case: &'static str, mut world: World, dt: f64, time: f64) {
    let size = DVec3::new(0.025, 0.025, 0.1);
    let (points, triangles) = cube(size);
    let points: Vec<DVec3> = points.iter().map(|x| *x + size).collect();
    world.setup.surfaces[0] = mesh(&points, &triangles, ", grains = \"inside\"");
    let mut stage = Stage::<D3>::new(0.5, dt, 1e-4);
    stage.world = world;
    stage.method.options.max_sweeps = 50_000;
    let mut overlap = 0.0_f64;
    for _ in 0..(time / dt) as usize {
        overlap = overlap.max(stage.step().max_overlap);
    }
    let bodies = &stage.world.bodies;
    let energy: f64 = stage.world.grains().map(|k| bodies.kinetic_energy(k)).sum();
    let weight: f64 = stage.world.grains().map(|k| stage.mass(k) * G).sum();
    assert!(stage.world.find_lost().is_none());
    for k in stage.world.grains() {
        let x = bodies.pose[k].x;
        assert!(x.cmpgt(DVec3::ZERO).all() && x.cmplt(size * 2.0).all(), "{k} leaked to {x}");
    }
    expect(case, Kind::Cd, "energy that is left over weight times radius", energy / (weight * 0.005), 0.0)
        .within(1e-3, "they rest in the end");
    expect(case, Kind::Cd, "weight on the mesh", -stage.force_on(0).z, weight).within(1e-2, "some still move");
    expect(case, Kind::Cd, "deepest overlap of the inner radius", overlap, 0.0).within(
        1e-2,
        "an overlap of 1e-3 is accepted in a step, and a deeper one may grow by a tenth of that where a grain turns",
    );
}

/// The world of the scenario stones3d in a narrower box, with changes.
fn filled(changes: &[&str]) -> World {
    use drystone::input::Reader;
    use drystone::scenario::AnyScenario;
    let text = drystone::scenario::template::Template::find("stones3d").unwrap().text;
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_string()).collect();
    let scenario = AnyScenario::parse("stones3d", text, &changes, Reader::default()).unwrap();
    let AnyScenario::Space(scenario) = scenario else { panic!("in space") };
    scenario.build(std::path::Path::new(".")).unwrap()
}

const NARROW: [&str; 2] = ["grains.0.place.max=[0.05, 0.05, 0.09]", "wall.0.max=[0.05, 0.05, 0.2]"];

const CAPSULES: &str = "grains.0.shape={ kind = \"capsule\", radius = { uniform = [0.004, 0.007] }, elongation = 0.5 }";

#[test]
fn stones_settle_in_a_box_of_triangles() {
    settle("stones in a mesh", filled(&[&["grains.0.count=60"], &NARROW[..]].concat()), 2e-4, 0.5);
}

#[test]
fn capsules_settle_in_a_box_of_triangles() {
    settle("capsules in a mesh", filled(&[&["grains.0.count=60", CAPSULES], &NARROW[..]].concat()), 2e-4, 0.5);
}

/// Two hundred of each: minutes; `scripts/validate` asks for it.
#[test]
#[ignore = "minutes"]
fn two_hundred_settle_in_a_box_of_triangles() {
    let many = ["grains.0.count=200", "grains.0.place.max=[0.05, 0.05, 0.19]", "wall.0.max=[0.05, 0.05, 0.2]"];
    settle("200 stones in a mesh", filled(&many), 1e-4, 0.6);
    settle("200 capsules in a mesh", filled(&[&many[..], &[CAPSULES]].concat()), 1e-4, 0.6);
}

/// A brick that slides down a hollow made of many narrow plates touches it at its corners, and nowhere else.
#[test]
fn a_brick_in_a_trough_of_narrow_plates() {
    let (radius, plates) = (0.2, 40);
    let at = |x: f64, k: usize| {
        let angle = std::f64::consts::PI * k as f64 / plates as f64;
        DVec3::new(x, -radius * angle.cos(), -radius * angle.sin())
    };
    let points: Vec<DVec3> = (0..=plates).flat_map(|k| [at(-0.5, k), at(1.5, k)]).collect();
    let cell = |k: usize| [[2 * k, 2 * k + 1, 2 * k + 3], [2 * k, 2 * k + 3, 2 * k + 2]];
    let triangles: Vec<[usize; 3]> = (0..plates).flat_map(cell).collect();
    let mut stage = stage(0.0, DVec3::new(1.0, 0.0, -G), mesh(&points, &triangles, ""));
    // its lower edges lie across the bottom; it starts a little above and settles
    let sits = -(radius * radius - 0.25 * SIZE.y * SIZE.y).sqrt() + 0.5 * SIZE.z;
    let body = Grain::Brick.put(&mut stage.world, DVec3::Z * (sits + 1e-3), DQuat::IDENTITY);
    stage.run(600);
    let exact = 0.6;
    expect("trough of plates", Kind::Cd, "speed along it [m/s]", stage.twist(body).v.x, exact)
        .within(1e-9, "nothing holds it along the trough");
    assert!(stage.contacts().all(|(contact, _)| contact.normal.x.abs() < 1e-12));
    let force = stage.force_on(body).z / (stage.mass(body) * G);
    expect("trough of plates", Kind::Cd, "weight that it bears", force, 1.0).within(1e-2, "it swings a little");
}

const SOFT: &str = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e5, restitution = 0.2 }, \
                    tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8 } }";

fn soft(surface: Surface<D3>, gravity: DVec3, dt: f64) -> Soft<D3> {
    let mut soft = Soft::<D3>::new(SOFT, dt);
    soft.world.gravity = gravity;
    soft.world.push_wall("wall", surface, 0, still(), None);
    soft
}

#[test]
fn a_soft_capsule_slides_over_triangles_as_over_a_plane() {
    let slide = |surface: Surface<D3>| {
        let mut soft = soft(surface, DVec3::new(0.6 * G, 0.0, -G), 1e-4);
        let body = Grain::Capsule.put(&mut soft.world, DVec3::Z * CAPSULE.0, DQuat::from_rotation_z(0.05));
        soft.twist(body).v = DVec3::new(0.9, -0.03, 0.0);
        let mut contacts = 0;
        while soft.x(body).x < 1.0 {
            contacts = contacts.max(soft.step().0);
        }
        assert_eq!(contacts, 2);
        (soft.x(body), soft.twist(body).v)
    };
    let ((x, v), (x_plane, v_plane)) = (slide(sheet()), slide(plane(DVec3::ZERO, DVec3::Z)));
    let (case, why) = ("soft capsule over seams", "the same numbers enter the same sums");
    expect(case, Kind::Md, "way off the plane's [m]", (x - x_plane).length(), 0.0).within(1e-13, why);
    expect(case, Kind::Md, "velocity off the plane's [m/s]", (v - v_plane).length(), 0.0).within(1e-12, why);
}

/// A soft capsule that overhangs a table sinks into it at its end and at the edge, by the lever; one across a ridge or
/// over a tip sinks by m g / k.
#[test]
fn a_soft_capsule_rests_on_edges_and_tips() {
    let (points, triangles) = cube(DVec3::new(0.2, 0.3, 0.1));
    let rest = |surface: Surface<D3>, x: DVec3, turn: DQuat, steps: usize| {
        let mut soft = soft(surface, DVec3::NEG_Z * G, 5e-5);
        let body = Grain::Capsule.put(&mut soft.world, x, turn);
        (0..steps).for_each(|_| _ = soft.step());
        let force = soft.force_on(body);
        let weight = soft.world.bodies.inertia[body].mass() * G;
        let contacts = soft.world.network().contacts.iter().zip(&soft.world.network().memory);
        let places: Vec<(f64, f64)> =
            contacts.map(|(c, m)| (soft.x(body).x + c.arm_b.x, m.impulse.z / 5e-5 / weight)).collect();
        (force / weight, places, weight)
    };
    let case = "soft capsule at rims";
    let table = mesh(&points, &triangles, ", grains = \"outside\"");
    let (force, places, _) = rest(table, DVec3::new(0.185, 0.0, 0.1 + CAPSULE.0), DQuat::IDENTITY, 40_000);
    let of = |x: f64| places.iter().filter(|(at, _)| (at - x).abs() < 1e-3).map(|(_, share)| share).sum::<f64>();
    let why = "lever; the ends sink by some 1e-4 m";
    expect(case, Kind::Md, "weight", force.z, 1.0).within(1e-3, "it rests");
    expect(case, Kind::Md, "share of the end", of(0.125), 0.2).within(5e-3, why);
    expect(case, Kind::Md, "share of the edge", of(0.2), 0.8).within(5e-3, why);
    for (name, surface) in [("ridge", roof()), ("tip", pyramid())] {
        let sunk = |weight: f64| CAPSULE.0 - weight / 1e5;
        let weight = DENSITY * Clump::capsule::<D3>(CAPSULE.1, CAPSULE.0).volume * G;
        let (force, places, _) = rest(surface, DVec3::Z * sunk(weight), DQuat::from_rotation_z(FRAC_PI_2), 10);
        assert_eq!(places.len(), 1, "one contact with the {name}");
        expect(case, Kind::Md, format!("force of the {name} off m g, over m g"), (force - DVec3::Z).length(), 0.0)
            .within(1e-9, "it starts at rest on its spring");
    }
}

/// A plank on a cylinder rocks, without slip, with w^2 = g (R - b) / (i^2 + b^2), b half its thickness: it is stable,
/// since R > b.
#[test]
fn a_plank_rocks_on_a_cylinder() {
    let (size, radius, tilt, dt) = (DVec3::new(0.4, 0.1, 0.02), 0.1, 0.05_f64, 1e-4);
    let mut stage = Stage::<D3>::new(1.0, dt, 1e-12);
    stage.world.gravity = DVec3::NEG_Z * G;
    let pillar = "{ kind = \"cylinder\", centre = [0, 0, 0], axis = [0, 1, 0], radius = 0.1, grains = \"outside\" }";
    stage.world.push_wall("pillar", read(pillar), 0, still(), None);
    let (half, (sin, cos)) = (0.5 * size.z, tilt.sin_cos());
    let far = radius + half;
    // it has rolled away from its middle by the way R tilt
    let at = DVec3::new(far * sin - radius * tilt * cos, 0.0, far * cos + radius * tilt * sin);
    let plank = Polyhedron::cuboid(size).unwrap();
    let body = stage.world.bodies.push_polyhedron(at, &plank, DENSITY, 0);
    stage.world.bodies.pose[body].q = DQuat::from_rotation_y(tilt) * plank.axes;
    let lean = |stage: &Stage<D3>| (stage.world.bodies.pose[body].q * plank.axes.conjugate() * DVec3::X).z;
    assert!(lean(&stage) < 0.0);
    let mut worst = 0;
    while lean(&stage) < 0.0 && stage.world.clock.time < 1.0 {
        stage.step();
        worst = worst.max(stage.world.network().contacts.len());
    }
    assert_eq!(worst, 2, "the two long edges of its lower face");
    let gyration = (size.x * size.x + size.z * size.z) / 12.0;
    let quarter = std::f64::consts::FRAC_PI_2 / (G * (radius - half) / (gyration + half * half)).sqrt();
    expect("plank on a cylinder", Kind::Cd, "a quarter of its period [s]", stage.world.clock.time, quarter)
        .within(5e-3, "an amplitude of 0.05, and Euler steps of 1/2000 of a quarter");
}

/// A capsule across a cylinder rests on its middle, one along it on both ends.
#[test]
fn a_capsule_rests_on_a_cylinder() {
    let pillar = "{ kind = \"cylinder\", centre = [0, 0, 0], axis = [0, 1, 0], radius = 0.1, grains = \"outside\" }";
    for (name, turn, count) in [("across", DQuat::IDENTITY, 1), ("along", DQuat::from_rotation_z(FRAC_PI_2), 2)] {
        let mut stage = stage(0.5, DVec3::NEG_Z * G, read(pillar));
        let body = Grain::Capsule.put(&mut stage.world, DVec3::Z * (0.1 + CAPSULE.0), turn);
        stage.run(3);
        assert_eq!(stage.world.network().closed().count(), count, "{name}");
        let off = (stage.force_on(body) / (stage.mass(body) * G) - DVec3::Z).length();
        expect("capsule on a cylinder", Kind::Cd, format!("{name} it: force off m g, over m g"), off, 0.0)
            .within(1e-9, "straight below the centre");
    }
}

/// The same plank in the plane, on a circle.
#[test]
fn a_plank_rocks_on_a_circle() {
    let (length, thick, radius, tilt, dt) = (0.4, 0.02, 0.1, 0.05_f64, 1e-4);
    let mut stage = Stage::<D2>::new(1.0, dt, 1e-12);
    stage.world.gravity = DVec2::NEG_Y * G;
    let pillar = "{ kind = \"cylinder\", centre = [0, 0], radius = 0.1, grains = \"outside\" }";
    stage.world.push_wall("pillar", read(pillar), 0, read("\"fixed\""), None);
    let (half, (sin, cos)) = (0.5 * thick, tilt.sin_cos());
    let at = DVec2::new((radius + half) * sin - radius * tilt * cos, (radius + half) * cos + radius * tilt * sin);
    let plank = Polygon::rectangle(length, thick).unwrap();
    let body = stage.world.bodies.push_polygon(at, &plank, DENSITY, 1.0, 0);
    stage.world.bodies.pose[body].q = -tilt;
    while stage.world.bodies.pose[body].q < 0.0 && stage.world.clock.time < 1.0 {
        stage.step();
        assert!(stage.world.network().contacts.len() <= 1, "its lower side");
    }
    let gyration = (length * length + thick * thick) / 12.0;
    let quarter = std::f64::consts::FRAC_PI_2 / (G * (radius - half) / (gyration + half * half)).sqrt();
    expect("plank on a circle", Kind::Cd, "a quarter of its period [s]", stage.world.clock.time, quarter)
        .within(5e-3, "an amplitude of 0.05, and Euler steps of 1/2000 of a quarter");
}
