//! Membranes: a ring of spheres under pressure is an arch, and a row of disks between two of them bears their pressure.

use drystone::dim::{D2, D3};
use drystone::method::Kind;
use glam::{DVec2, DVec3};

use super::expect::expect;
use super::soft::Soft;
use super::stage::{Stage, read};

const COUNT: usize = 12;
const RADIUS: f64 = 0.05;
const MASS: f64 = 2.0;
const PRESSURE: f64 = 1000.0;

/// Centres of a ring of spheres that touch each other, or overlap by `overlap`; and their distance from the axis.
fn ring(overlap: f64) -> (Vec<DVec3>, f64) {
    let half = std::f64::consts::PI / COUNT as f64;
    let far = (RADIUS - 0.5 * overlap) / half.sin();
    let place = |k: usize| {
        let (sin, cos) = (0.3 + 2.0 * half * k as f64).sin_cos();
        DVec3::new(far * cos, far * sin, RADIUS)
    };
    ((0..COUNT).map(place).collect(), far)
}

/// Two plates that touch the spheres, and a membrane around them.
fn walls(mut push: impl FnMut(&str, String, &str)) {
    push("bottom", "{ kind = \"plane\", point = [0, 0, 0], normal = [0, 0, 1] }".into(), "\"fixed\"");
    push("top", format!("{{ kind = \"plane\", point = [0, 0, {}], normal = [0, 0, -1] }}", 2.0 * RADIUS), "\"fixed\"");
    let side = "{ kind = \"cylinder\", centre = [0, 0, 0], axis = [0, 0, 1], radius = 1 }".into();
    push("side", side, &format!("{{ membrane = {PRESSURE} }}"));
}

/// The membrane presses with p H at the distance R = rho + r of the outer sides: a ring bears N = p R H, as a boiler
/// does.
fn expected(far: f64) -> f64 {
    PRESSURE * (far + RADIUS) * 2.0 * RADIUS
}

#[test]
fn a_ring_of_spheres_bears_the_pressure_of_a_membrane() {
    let (centres, far) = ring(0.0);
    let mut stage = Stage::<D3>::new(0.0, 1e-4, 1e-13);
    walls(|name, surface, drive| stage.world.push_wall(name, read(&surface), 0, read(drive), None));
    centres.iter().for_each(|x| {
        stage.grain(*x, RADIUS, MASS);
    });
    stage.step();
    let hoops: Vec<f64> = stage
        .contacts()
        .filter(|(contact, _)| contact.key.a > 2)
        .map(|(contact, memory)| memory.impulse.dot(contact.normal) / 1e-4)
        .collect();
    assert_eq!(hoops.len(), COUNT);
    let why = "2 N sin(pi / n) = p (rho + r) H 2 sin(pi / n): rounding of the solve";
    for force in hoops {
        expect("ring in a membrane", Kind::Cd, "force between spheres [N]", force, expected(far)).within(1e-10, why);
    }
    let pressed: f64 = stage.world.scratch.loads.iter().map(|load| load.v.length()).sum();
    let side = 2.0 * COUNT as f64 * (std::f64::consts::PI / COUNT as f64).sin() * (far + RADIUS) * 2.0 * RADIUS;
    expect("ring in a membrane", Kind::Cd, "sum of its forces [N]", pressed, PRESSURE * side)
        .within(1e-12, "shares of 1/12 of the side each, seen along their own directions");
    let sum = stage.world.scratch.loads.iter().map(|load| load.v).sum::<DVec3>().length() / pressed;
    expect("ring in a membrane", Kind::Cd, "resultant over the sum", sum, 0.0)
        .within(1e-13, "it presses from all sides");

    // soft spheres start where their springs bear the pressure, and stay there
    let stiffness = 1e7;
    let overlap = expected(far) / stiffness;
    let (centres, far) = ring(overlap);
    let law =
        format!("friction = 0, md = {{ normal = {{ law = \"hooke\", stiffness = {stiffness}, restitution = 0.5 }} }}");
    let mut soft = Soft::<D3>::new(&law, 1e-5);
    walls(|name, surface, drive| soft.world.push_wall(name, read(&surface), 0, read(drive), None));
    centres.iter().for_each(|x| {
        soft.grain(*x, RADIUS, MASS);
    });
    (0..200).for_each(|_| {
        soft.step();
    });
    let force = stiffness * (2.0 * RADIUS - (soft.x(3) - soft.x(4)).length());
    let why = "the ring is p R H / k = 2.4e-6 m smaller than its springs would have it, over 0.24 m";
    expect("ring in a membrane", Kind::Md, "force between spheres [N]", force, expected(far)).within(1e-4, why);
}

/// Plates that touch the disks of a row, and a membrane at either end of it.
fn sides(mut push: impl FnMut(&str, String, &str)) {
    push("bottom", "{ kind = \"plane\", point = [0, 0], normal = [0, 1] }".into(), "\"fixed\"");
    push("top", format!("{{ kind = \"plane\", point = [0, {}], normal = [0, -1] }}", 2.0 * RADIUS), "\"fixed\"");
    let membrane = format!("{{ membrane = {PRESSURE} }}");
    push("left", "{ kind = \"plane\", point = [-0.1, 0], normal = [1, 0] }".into(), &membrane);
    push("right", "{ kind = \"plane\", point = [0.3, 0], normal = [-1, 0] }".into(), &membrane);
}

#[test]
fn a_row_of_disks_bears_the_pressure_of_two_membranes() {
    // p H times the depth of the disks, whatever is behind the outermost
    let (depth, count) = (0.5, 5);
    let expected = PRESSURE * 2.0 * RADIUS * depth;
    let centre = |k: usize, pitch: f64| DVec2::new(0.05 + pitch * k as f64, RADIUS);
    let mut stage = Stage::<D2>::new(0.0, 1e-4, 1e-13);
    stage.world.setup.depth = depth;
    sides(|name, surface, drive| stage.world.push_wall(name, read(&surface), 0, read(drive), None));
    for k in 0..count {
        stage.grain(centre(k, 2.0 * RADIUS), RADIUS, MASS);
    }
    stage.step();
    let row: Vec<f64> = stage
        .contacts()
        .filter(|(contact, _)| contact.key.a > 3)
        .map(|(contact, memory)| memory.impulse.dot(contact.normal) / 1e-4)
        .collect();
    assert_eq!(row.len(), count - 1);
    for force in row {
        expect("row between membranes", Kind::Cd, "force between disks [N]", force, expected)
            .within(1e-10, "rounding of the solve");
    }
    // soft disks start where their springs bear the pressure, and stay there
    let stiffness = 1e7;
    let overlap = expected / stiffness;
    let law =
        format!("friction = 0, md = {{ normal = {{ law = \"hooke\", stiffness = {stiffness}, restitution = 0.5 }} }}");
    let mut soft = Soft::<D2>::new(&law, 1e-5);
    soft.world.setup.depth = depth;
    sides(|name, surface, drive| soft.world.push_wall(name, read(&surface), 0, read(drive), None));
    for k in 0..count {
        soft.grain(centre(k, 2.0 * RADIUS - overlap), RADIUS, MASS);
    }
    (0..200).for_each(|_| {
        soft.step();
    });
    let force = stiffness * (2.0 * RADIUS - (soft.x(5) - soft.x(6)).length());
    expect("row between membranes", Kind::Md, "force between disks [N]", force, expected)
        .within(1e-8, "rounding of places of 0.5 m over an overlap of 5e-6 m");
}
