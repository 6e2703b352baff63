//! Walls of triangles: seams that nobody feels, corners, edges, both sides, and meshes that turn.

use drystone::dim::D3;
use drystone::method::Kind;
use drystone::method::cd::Scheme;
use drystone::wall::Surface;
use glam::DVec3;

use super::expect::expect;
use super::soft::Soft;
use super::stage::{G, Random, Stage, plane, read};

const RADIUS: f64 = 0.05;
const MASS: f64 = 2.0;

/// A mesh as a scenario writes it: points and triangles as the text of an OBJ file, and other keys.
pub(super) fn mesh(points: &[DVec3], triangles: &[[usize; 3]], keys: &str) -> Surface<D3> {
    let points = points.iter().map(|x| format!("v {} {} {}\\n", x.x, x.y, x.z)).collect::<String>();
    let triangles = triangles.iter().map(|[a, b, c]| format!("f {} {} {}\\n", a + 1, b + 1, c + 1)).collect::<String>();
    read(&format!("{{ kind = \"mesh\", file = \"{points}{triangles}\", unit = 1{keys} }}"))
}

/// A floor of `cells` squares along x, of 7 cm, and seven across, each of two triangles, with points shaken in the
/// plane.
pub(super) fn floor(cells: usize) -> (Vec<DVec3>, Vec<[usize; 3]>) {
    let mut random = Random::new(3);
    let (rows, pitch) = (8, 0.07);
    let mut points = Vec::new();
    for k in 0..(cells + 1) * rows {
        let (i, j) = ((k / rows) as f64, (k % rows) as f64 - 3.5);
        let shaken = |x: f64, random: &mut Random| pitch * (x + random.between(-0.3, 0.3));
        points.push(DVec3::new(shaken(i - 2.0, &mut random), shaken(j, &mut random), 0.0));
    }
    let mut triangles = Vec::new();
    for i in 0..cells {
        for j in 0..rows - 1 {
            let [a, b, c, d] = [i * rows + j, (i + 1) * rows + j, (i + 1) * rows + j + 1, i * rows + j + 1];
            // corners run either way round: a thin sheet has no front
            triangles.extend(if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[b, a, d], [b, c, d]] });
        }
    }
    (points, triangles)
}

/// The box from -1 to 1 stretched by `size`, with the fronts of its triangles outside.
pub(super) fn cube(size: DVec3) -> (Vec<DVec3>, Vec<[usize; 3]>) {
    let side = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let points = (0..8).map(|k| DVec3::new(side(k, 0), side(k, 1), side(k, 2)) * size).collect();
    let squares = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    (points, squares.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

pub(super) fn still() -> drystone::drive::Drive<D3> {
    read("\"fixed\"")
}

#[test]
fn a_sphere_rolls_over_triangles_as_over_a_plane() {
    let (points, triangles) = floor(20);
    let roll = |surface: Surface<D3>| {
        let mut stage = Stage::<D3>::new(0.5, 1e-3, 1e-13);
        stage.world.gravity = DVec3::new(0.4, 0.05, -G);
        stage.world.push_wall("floor", surface, 0, still(), None);
        let sphere = stage.grain(DVec3::new(0.0, 0.0, RADIUS), RADIUS, MASS);
        stage.twist(sphere).v = DVec3::new(0.5, -0.03, 0.0);
        let mut worst = 0.0_f64;
        while stage.x(sphere).x < 1.0 {
            stage.step();
            assert_eq!(stage.world.network().contacts.len(), 1, "one contact, also at {}", stage.x(sphere));
            worst = worst.max((stage.force_on(sphere).z / (MASS * G) - 1.0).abs());
        }
        (stage.x(sphere), *stage.twist(sphere), worst)
    };
    let (x, twist, jump) = roll(mesh(&points, &triangles, ""));
    let (x_plane, twist_plane, _) = roll(plane(DVec3::ZERO, DVec3::Z));
    let why = "the normal and height of a flat plate are those of the plane, bit for bit; solved to 1e-13 a step";
    let named = |what: &str| format!("{what} after 1 m");
    expect("triangulated floor", Kind::Cd, named("way off the plane's"), (x - x_plane).length() / RADIUS, 0.0)
        .within(1e-11, why);
    expect(
        "triangulated floor",
        Kind::Cd,
        named("spin off the plane's"),
        (twist.w - twist_plane.w).length() * RADIUS,
        0.0,
    )
    .within(1e-11, why);
    expect("triangulated floor", Kind::Cd, "largest jump of the normal force over the weight", jump, 0.0)
        .within(1e-12, "one contact carries all of it, in every step");
}

#[test]
fn a_soft_sphere_keeps_its_spring_over_seams() {
    let (points, triangles) = floor(20);
    let law = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e5, restitution = 0.5 }, \
               tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8 } }";
    let roll = |surface: Surface<D3>| {
        let mut soft = Soft::<D3>::new(law, 1e-4);
        soft.world.gravity = DVec3::new(0.4, 0.05, -G);
        soft.world.push_wall("floor", surface, 0, still(), None);
        let sphere = soft.grain(DVec3::new(0.0, 0.0, RADIUS - MASS * G / 1e5), RADIUS, MASS);
        soft.twist(sphere).v = DVec3::new(0.5, -0.03, 0.0);
        soft.twist(sphere).w = DVec3::new(0.03, 0.5, 0.0) / RADIUS;
        let mut worst = 0.0_f64;
        while soft.x(sphere).x < 1.0 {
            assert_eq!(soft.step().0, 1, "one contact, also at {}", soft.x(sphere));
            if soft.world.clock.step.is_multiple_of(20) {
                worst = worst.max((soft.force_on(sphere).z / (MASS * G) - 1.0).abs());
            }
        }
        (soft.x(sphere), soft.twist(sphere).v, worst)
    };
    let (x, v, jump) = roll(mesh(&points, &triangles, ""));
    let (x_plane, v_plane, _) = roll(plane(DVec3::ZERO, DVec3::Z));
    let why = "the same numbers enter the same sums";
    let (way, speed) = ((x - x_plane).length() / RADIUS, (v - v_plane).length());
    expect("triangulated floor", Kind::Md, "way off the plane's after 1 m", way, 0.0).within(1e-13, why);
    expect("triangulated floor", Kind::Md, "velocity off the plane's [m/s]", speed, 0.0).within(1e-13, why);
    let why = "it starts at rest on its spring: rounding of the overlap of 2e-4 m";
    expect("triangulated floor", Kind::Md, "largest jump of the normal force over the weight", jump, 0.0)
        .within(1e-9, why);
}

/// Seams of a slope whose points were rounded to single precision: its triangles are not quite in one plane.
#[test]
fn a_sphere_rolls_down_a_slope_of_rounded_triangles() {
    let (points, triangles) = floor(20);
    let slope = 0.3_f64;
    let turn = glam::DQuat::from_rotation_y(slope) * glam::DQuat::from_rotation_z(0.2);
    let rounded: Vec<DVec3> = points.iter().map(|x| (turn * *x).as_vec3().as_dvec3()).collect();
    let mut stage = Stage::<D3>::new(0.5, 1e-3, 1e-13);
    stage.world.gravity = DVec3::new(0.0, 0.0, -G);
    stage.world.push_wall("slope", mesh(&rounded, &triangles, ""), 0, still(), None);
    let start = turn * DVec3::new(0.0, 0.0, RADIUS);
    let sphere = stage.grain(start, RADIUS, MASS);
    let (mut contacts, steps) = (0, 500);
    for _ in 0..steps {
        stage.step();
        contacts = contacts.max(stage.world.network().contacts.len());
    }
    assert_eq!(contacts, 1, "triangles in one plane up to rounding are one plate");
    let speed = stage.twist(sphere).v.length() / (steps as f64 * 1e-3);
    let why = "a = 5/7 g sin(slope); points are rounded to 6e-8 of 1 m, over triangles of 7 cm";
    expect("rounded slope", Kind::Cd, "acceleration [m/s2]", speed, 5.0 / 7.0 * G * slope.sin()).within(1e-5, why);
}

#[test]
fn a_box_of_triangles_is_a_box() {
    let size = DVec3::new(0.4, 0.3, 0.2);
    let law = "{ friction = 0.3, restitution = 0.8 }";
    let bounce = |surface: Surface<D3>| {
        let mut stage = Stage::<D3>::with_law(law, Scheme::Midpoint, 1e-3, 1e-13);
        stage.world.push_wall("box", surface, 0, still(), None);
        let sphere = stage.grain(DVec3::new(0.1, 0.05, 0.0), RADIUS, MASS);
        stage.twist(sphere).v = DVec3::new(2.0, 1.3, 0.7);
        stage.twist(sphere).w = DVec3::new(3.0, -7.0, 11.0);
        let mut touched = 0;
        for _ in 0..3000 {
            touched += stage.step().contacts;
        }
        (stage.x(sphere), stage.twist(sphere).v, touched)
    };
    let (points, triangles) = cube(size);
    let (x, v, touched) = bounce(mesh(&points, &triangles, ", grains = \"inside\""));
    let (x_box, v_box, touched_box) =
        bounce(read("{ kind = \"box\", min = [-0.4, -0.3, -0.2], max = [0.4, 0.3, 0.2] }"));
    assert!(touched > 10 && touched == touched_box, "it was thrown back {touched} and {touched_box} times");
    let why = "rounding, which every bounce off a wall keeps small";
    expect("box of triangles", Kind::Cd, "place off the box's over the radius", (x - x_box).length() / RADIUS, 0.0)
        .within(1e-10, why);
    expect("box of triangles", Kind::Cd, "velocity off the box's [m/s]", (v - v_box).length(), 0.0).within(1e-10, why);
}

#[test]
fn a_sphere_rests_on_an_edge_a_corner_and_in_a_notch_of_triangles() {
    let (points, triangles) = cube(DVec3::splat(0.2));
    let turned = |turn: glam::DQuat| points.iter().map(|x| turn * *x).collect::<Vec<_>>();
    let to_top = |corner: DVec3| glam::DQuat::from_rotation_arc(corner.normalize(), DVec3::Z);
    let on_top = |corner: DVec3, height: f64| {
        let mut stage = Stage::<D3>::new(0.0, 1e-3, 1e-13);
        stage.world.gravity = DVec3::new(0.0, 0.0, -G);
        let stone = mesh(&turned(to_top(corner)), &triangles, ", grains = \"outside\"");
        stage.world.push_wall("stone", stone, 0, still(), None);
        let sphere = stage.grain(DVec3::new(0.0, 0.0, height + RADIUS), RADIUS, MASS);
        stage.run(3);
        assert_eq!(stage.world.network().contacts.len(), 1);
        stage.force_on(sphere)
    };
    for (name, corner, height) in [
        ("edge", DVec3::new(0.0, 1.0, 1.0), 0.2 * 2.0_f64.sqrt()),
        ("corner", DVec3::ONE, 0.2 * 3.0_f64.sqrt()),
        ("face", DVec3::Y, 0.2),
    ] {
        let force = on_top(corner, height);
        let off = (force / (MASS * G) - DVec3::Z).length();
        let why = "it is balanced on a point: N = m g upwards, up to the rounding of the turned corners";
        expect("top of a cube", Kind::Cd, format!("force on its {name} off m g, over m g"), off, 0.0)
            .within(1e-11, why);
    }
    // a groove of 90 degrees, seen from above: two faces of the inside of a cube that stands on its edge
    let mut stage = Stage::<D3>::new(0.0, 1e-3, 1e-13);
    stage.world.gravity = DVec3::new(0.0, 0.0, -G);
    let stone = mesh(&turned(to_top(DVec3::new(0.0, 1.0, 1.0))), &triangles, ", grains = \"inside\"");
    stage.world.push_wall("stone", stone, 0, still(), None);
    let bottom = -0.2 * 2.0_f64.sqrt();
    stage.grain(DVec3::new(0.0, 0.0, bottom + RADIUS * 2.0_f64.sqrt()), RADIUS, MASS);
    stage.run(3);
    let forces: Vec<f64> = stage.contacts().map(|(_, memory)| memory.impulse.length() / 1e-3).collect();
    assert_eq!(forces.len(), 2, "both faces hold it, and their edge does not");
    for force in forces {
        let expected = MASS * G / 2.0_f64.sqrt();
        expect("groove of triangles", Kind::Cd, "force of a face", force, expected)
            .within(1e-11, "2 N cos(45 deg) = m g");
    }
}

/// A wall with two skins that are closer than a grain is large: the far skin is behind the near one, and is not met.
#[test]
fn the_far_side_of_a_thin_wall_is_not_met() {
    let (inner, inwards) = cube(DVec3::splat(0.2));
    let (outer, outwards) = cube(DVec3::splat(0.21));
    let points: Vec<DVec3> = inner.into_iter().chain(outer).collect();
    let flipped = inwards.into_iter().map(|[a, b, c]| [a, c, b]);
    let triangles: Vec<[usize; 3]> = flipped.chain(outwards.into_iter().map(|t| t.map(|k| k + 8))).collect();
    let mut stage = Stage::<D3>::new(0.5, 1e-3, 1e-13);
    stage.world.gravity = DVec3::new(0.0, 0.0, -G);
    stage.world.push_wall("vessel", mesh(&points, &triangles, ", grains = \"outside\""), 0, still(), None);
    let sphere = stage.grain(DVec3::new(0.0, 0.0, -0.2 + RADIUS), RADIUS, MASS);
    stage.run(10);
    assert_eq!(stage.world.network().contacts.len(), 1);
    assert_eq!(stage.world.find_lost(), None);
    let force = stage.force_on(sphere).z;
    expect("vessel with two skins", Kind::Cd, "force", force, MASS * G)
        .within(1e-12, "its inner skin bears the weight");
    for (z, lost) in [(-0.205, true), (-0.3, false), (0.205, true), (0.0, false)] {
        stage.world.bodies.pose[sphere].x.z = z;
        assert_eq!(stage.world.find_lost().is_some(), lost, "at a height of {z} m");
    }
}

/// A ball that rolls on a turntable goes round with 2/7 of its angular velocity, whatever its start.
#[test]
fn a_ball_circles_on_a_turntable_of_triangles() {
    let (points, triangles) = cube(DVec3::new(1.0, 1.0, 0.1));
    let mut stage = Stage::<D3>::new(5.0, 2.5e-4, 1e-13);
    stage.world.gravity = DVec3::new(0.0, 0.0, -G);
    let spin = 6.0;
    let table = mesh(&points, &triangles, ", grains = \"outside\", centre = [0, 0, 0], axis = [0, 0, 2]");
    stage.world.push_wall("table", table, 0, read(&format!("{{ spin = {spin} }}")), None);
    let sphere = stage.grain(DVec3::new(0.2, 0.0, 0.1 + RADIUS), RADIUS, MASS);
    let v = DVec3::new(0.0, 0.3, 0.0);
    // no slip at the start: v - w x (R up) = spin x r
    let surface = DVec3::Z.cross(DVec3::new(0.2, 0.0, 0.0)) * spin;
    stage.twist(sphere).v = v;
    stage.twist(sphere).w = DVec3::Z.cross(v - surface) / RADIUS;
    let period = 3.5 * std::f64::consts::TAU / spin;
    let mut turned = 0.0;
    let mut before = v;
    for _ in 0..(0.5 * period / 2.5e-4) as usize {
        stage.step();
        let now = stage.twist(sphere).v;
        turned += before.cross(now).z.atan2(before.dot(now));
        before = now;
        assert!((now.length() - 0.3).abs() < 1e-3, "its speed stays");
    }
    let rate = turned / stage.world.clock.time / spin;
    let why = "Euler steps of 1/1700 of a turn: an error of the first order";
    expect("turntable of triangles", Kind::Cd, "rate of the ball's circle over that of the table", rate, 2.0 / 7.0)
        .within(1e-3, why);
}

/// A blade that turns and has no friction throws a ball outwards: x'' = spin^2 x along the blade. The ball presses on
/// it with m (2 spin x' - spin^2 y), y its distance from the middle of the blade, so it must move outwards from the
/// start.
#[test]
fn a_turning_blade_throws_a_ball_outwards() {
    let (points, triangles) = cube(DVec3::new(1.0, 0.01, 0.3));
    let spin = 2.0;
    let keys = ", grains = \"outside\", centre = [0, 0, 0], axis = [0, 0, 1]";
    let mut stage = Stage::<D3>::new(0.0, 5e-5, 1e-13);
    stage.world.push_wall("blade", mesh(&points, &triangles, keys), 0, read(&format!("{{ spin = {spin} }}")), None);
    let outwards = 0.2; // [m/s]
    let away = 0.01 + RADIUS; // of its middle from that of the blade
    let sphere = stage.grain(DVec3::new(0.2, away, 0.0), RADIUS, MASS);
    let start = DVec3::Z.cross(DVec3::new(0.2, away, 0.0)) * spin + DVec3::X * outwards;
    stage.twist(sphere).v = start;
    let mut soft = Soft::<D3>::new(
        "friction = 0, md = { normal = { law = \"hooke\", stiffness = 1e7, restitution = 0.5 } }",
        2e-5,
    );
    soft.world.push_wall("blade", mesh(&points, &triangles, keys), 0, read(&format!("{{ spin = {spin} }}")), None);
    soft.grain(DVec3::new(0.2, away, 0.0), RADIUS, MASS);
    soft.twist(1).v = start;
    let end = 0.6;
    (0..12_000).for_each(|_| {
        stage.step();
    });
    (0..30_000).for_each(|_| {
        soft.step();
    });
    let expected = 0.2 * (spin * end).cosh() + outwards / spin * (spin * end).sinh();
    let along = |x: DVec3| {
        let (sin, cos) = (spin * end).sin_cos();
        x.x * cos + x.y * sin
    };
    let why = "Euler steps, 1/60000 of a turn each: an error of the first order";
    expect("turning blade", Kind::Cd, "way along the blade [m]", along(stage.x(sphere)), expected).within(1e-3, why);
    let why = "the ball gives way by m a / k = 3e-6 m, and starts with a push";
    expect("turning blade", Kind::Md, "way along the blade [m]", along(soft.x(1)), expected).within(2e-3, why);
    let books = stage.world.ledger().wall_work - stage.world.ledger().dissipated - stage.kinetic_energy()
        + 0.5 * MASS * start.length_squared();
    let work = stage.world.ledger().wall_work;
    expect("turning blade", Kind::Cd, "energy left over, over the work", books / work, 0.0)
        .within(1e-10, "the books are exact");
}

/// A shaken floor of triangles carries a ball like a shaken plane.
#[test]
fn a_mesh_is_shaken_like_a_plane() {
    let (points, triangles) = floor(20);
    let shaken = |surface: Surface<D3>| {
        let mut stage = Stage::<D3>::new(0.4, 1e-3, 1e-13);
        stage.world.gravity = DVec3::new(0.0, 0.0, -G);
        let drive = "{ velocity = { sine = { amplitude = [0.3, 0.1, 0.02], frequency = 3 } } }";
        stage.world.push_wall("floor", surface, 0, read(drive), None);
        let sphere = stage.grain(DVec3::new(0.1, 0.0, RADIUS), RADIUS, MASS);
        stage.run(1500);
        stage.x(sphere)
    };
    let [mesh, plane] = [shaken(mesh(&points, &triangles, "")), shaken(plane(DVec3::ZERO, DVec3::Z))];
    assert!((mesh - DVec3::new(0.1, 0.0, RADIUS)).length() > 0.005, "it was carried along");
    let off = (mesh - plane).length() / RADIUS;
    expect("shaken floor of triangles", Kind::Cd, "place off the plane's over the radius", off, 0.0)
        .within(1e-11, "the same numbers, solved to 1e-13");
}

/// Among a hundred thousand triangles the tree finds what a look at all of them finds.
#[test]
fn a_hundred_thousand_triangles() {
    let (side, pitch) = (224, 0.01);
    let height = |i: usize, j: usize| 0.03 * (0.3 * i as f64).sin() * (0.2 * j as f64).cos();
    let at = |k: usize| {
        let (i, j) = (k / (side + 1), k % (side + 1));
        DVec3::new(pitch * i as f64, pitch * j as f64, height(i, j))
    };
    let points: Vec<DVec3> = (0..(side + 1) * (side + 1)).map(at).collect();
    let square = |k: usize| {
        let a = k / side * (side + 1) + k % side;
        [[a, a + side + 1, a + side + 2], [a, a + side + 2, a + 1]]
    };
    let triangles: Vec<[usize; 3]> = (0..side * side).flat_map(square).collect();
    assert!(triangles.len() > 100_000);
    let surface = mesh(&points, &triangles, "");
    let mut random = Random::new(7);
    for _ in 0..200 {
        let inside = |random: &mut Random| random.between(0.1, 2.1);
        let x = DVec3::new(inside(&mut random), inside(&mut random), random.between(-0.1, 0.15));
        let mut nearest = f64::INFINITY;
        surface.as_dyn().near(x, 0.2, &mut |_, _, distance| nearest = nearest.min(distance));
        let of = |triangle: &[usize; 3]| distance(triangle.map(|k| points[k]), x);
        let all = triangles.iter().map(of).fold(f64::INFINITY, f64::min);
        // triangles that differ from one plane by 2^-21 of the size of the mesh are one plate
        assert!((nearest - all).abs() < 2.3 / (1 << 21) as f64, "{nearest} and {all} at {x}");
    }
}

/// Distance of a point from a triangle: from its plane if it is above it, from its edges otherwise.
fn distance([a, b, c]: [DVec3; 3], x: DVec3) -> f64 {
    let normal = (b - a).cross(c - a).normalize();
    let sides = [[a, b], [b, c], [c, a]];
    if sides.iter().all(|[p, q]| (*q - *p).cross(x - *p).dot(normal) >= 0.0) {
        return (x - a).dot(normal).abs();
    }
    let edge = |[p, q]: [DVec3; 2]| {
        let part = (x - p).dot(q - p) / (q - p).length_squared();
        (x - p - (q - p) * part.clamp(0.0, 1.0)).length()
    };
    sides.map(edge).into_iter().fold(f64::INFINITY, f64::min)
}
