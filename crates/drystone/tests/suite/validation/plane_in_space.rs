//! Spheres whose centres stay in a plane, with the masses and moments of disks, move like disks.

use drystone::body::{Inertia, Twist};
use drystone::dim::{D2, D3};
use drystone::method::Kind;
use glam::DVec3;

use super::expect::expect;
use super::stage::{G, Random, Stage};

const COLUMNS: usize = 6;
const RESIDUAL: f64 = 1e-6;
const STEPS: usize = 300;

/// 30 disks that settle in a bin, and their twins in space.
fn twins() -> (Stage<D2>, Stage<D3>) {
    let mut flat = Stage::<D2>::new(0.4, 1e-3, RESIDUAL);
    flat.world.gravity = glam::DVec2::new(0.3, -G);
    flat.bin(COLUMNS, 1.0);
    flat.scatter(30, COLUMNS, &mut Random::new(7));
    let mut space = Stage::<D3>::new(0.4, 1e-3, RESIDUAL);
    space.world.gravity = flat.world.gravity.extend(0.0);
    space.plane("floor", DVec3::ZERO, DVec3::Y);
    space.plane("left", DVec3::ZERO, DVec3::X);
    space.plane("right", DVec3::X * (0.025 * COLUMNS as f64), -DVec3::X);
    for k in flat.world.grains() {
        let (x, radius, mass) = (flat.x(k).extend(0.0), flat.world.bodies.shape[k].radius(), flat.mass(k));
        let body = space.grain(x, radius, mass);
        let disk = flat.world.bodies.inertia[k];
        space.world.bodies.inertia[body] = Inertia { inv_m: disk.inv_m, inv_i: DVec3::splat(disk.inv_i) };
        space.twist(body).v = flat.twist(k).v.extend(0.0);
    }
    (flat, space)
}

/// Every step starts from the same state and the same forces: twins differ by what the solver leaves open. In a few
/// steps of a thousand, contacts change between sticking and sliding in turns and sweeps miss their goal (the book's
/// page on the solver): those say nothing about the twins.
#[test]
fn space_held_in_a_plane_is_the_plane() {
    let (mut flat, mut space) = twins();
    let (mut apart, mut turned, mut out, mut missed) = (0.0_f64, 0.0_f64, 0.0_f64, 0);
    for _ in 0..STEPS {
        for k in flat.world.grains() {
            space.world.bodies.pose[k].x = flat.x(k).extend(0.0);
            let Twist { v, w } = *flat.twist(k);
            *space.twist(k) = Twist { v: v.extend(0.0), w: DVec3::Z * w };
        }
        let (known, twins) = (&flat.world.network(), space.world.network_mut());
        assert!(known.contacts.iter().map(|contact| contact.key).eq(twins.contacts.iter().map(|contact| contact.key)));
        for (one, other) in known.memory.iter().zip(&mut twins.memory) {
            other.impulse = one.impulse.extend(0.0);
        }
        let reports = [flat.step_or_warn(), space.step_or_warn()];
        if reports.iter().any(|report| !report.converged) {
            missed += 1;
            continue;
        }
        for k in flat.world.grains() {
            let (radius, one, other) = (flat.world.bodies.shape[k].radius(), *flat.twist(k), *space.twist(k));
            apart = apart.max((one.v - other.v.truncate()).length() / FALL);
            turned = turned.max((one.w - other.w.z).abs() * radius / FALL);
            out = out.max(other.v.z.abs() + other.w.x.abs() + other.w.y.abs());
        }
    }
    assert!(flat.world.network().closed().count() > 30, "the grains lie on each other");
    assert!(missed <= STEPS / 100, "{missed} steps missed their accuracy");
    let case = "space held in a plane";
    let why = "both are solved to 1e-6; velocities add up the errors of all impulses";
    expect(case, Kind::Cd, "largest difference of velocities over g dt", apart, 0.0).within(100.0 * RESIDUAL, why);
    expect(case, Kind::Cd, "largest difference of spins, times radius over g dt", turned, 0.0)
        .within(100.0 * RESIDUAL, why);
    expect(case, Kind::Cd, "largest motion out of the plane", out, 0.0).within(0.0, "nothing points out of it");
}

/// Change of velocity by gravity in a step [m/s].
const FALL: f64 = G * 1e-3;
