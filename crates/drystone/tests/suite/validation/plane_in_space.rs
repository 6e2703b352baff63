//! Spheres whose centres stay in a plane, with the masses and moments of disks, move like disks.

use drystone::body::Inertia;
use drystone::dim::{D2, D3};
use drystone::method::Kind;
use glam::DVec3;

use super::expect::expect;
use super::stage::{G, Random, Stage};

const COLUMNS: usize = 6;

/// 30 disks that settle in a bin, and their twins in space.
fn twins() -> (Stage<D2>, Stage<D3>) {
    let mut flat = Stage::<D2>::new(0.4, 1e-3, 1e-6);
    flat.world.gravity = glam::DVec2::new(0.3, -G);
    flat.bin(COLUMNS, 1.0);
    flat.scatter(30, COLUMNS, &mut Random::new(7));
    let mut space = Stage::<D3>::new(0.4, 1e-3, 1e-6);
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

#[test]
fn space_held_in_a_plane_is_the_plane() {
    let (mut flat, mut space) = twins();
    let mut sweeps = (0, 0);
    for _ in 0..300 {
        let (a, b) = (flat.step(), space.step());
        sweeps = (sweeps.0 + a.sweeps, sweeps.1 + b.sweeps);
    }
    assert!(flat.world.network.closed().count() > 30, "the grains lie on each other");
    let (mut apart, mut turned, mut out) = (0.0_f64, 0.0_f64, 0.0_f64);
    for k in flat.world.grains() {
        let (x, y) = (flat.x(k), space.x(k));
        apart = apart.max((x - y.truncate()).length() / x.length());
        turned = turned.max((flat.twist(k).w - space.twist(k).w.z).abs() / flat.twist(k).w.abs());
        let spin = space.twist(k).w;
        out = out.max(y.z.abs() + space.twist(k).v.z.abs() + spin.x.abs() + spin.y.abs());
    }
    let case = "space held in a plane";
    let why = "the same operations in the same order: the same bits";
    expect(case, Kind::Cd, "largest distance of twins over |x|", apart, 0.0).within(0.0, why);
    expect(case, Kind::Cd, "largest relative difference of spins", turned, 0.0).within(0.0, why);
    expect(case, Kind::Cd, "largest motion out of the plane", out, 0.0).within(0.0, "nothing points out of it");
    assert_eq!(sweeps.0, sweeps.1, "and the solver works as much");
}
