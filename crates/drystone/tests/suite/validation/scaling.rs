//! No hidden constant has a unit: scaled worlds do the same, bit for bit where the factors are powers of two.
//!
//! Forces x a with time steps x a^(-1/2) leave the paths as they are and give velocities x a^(1/2) [Wolf, Bagnold].
//! Lengths x 2 with gravity x 2 and masses x 8 at the same time step give positions and velocities x 2.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::stage::{G, Random, Stage, upward};

const COLUMNS: usize = 8;

/// Factors of gravity, of the time step, of lengths and of masses.
#[derive(Clone, Copy)]
struct Units {
    gravity: f64,
    dt: f64,
    length: f64,
    mass: f64,
}

/// 40 frictional grains that settle in a bin, 200 steps, in other units; and the number of sweeps.
fn settle<D: Dim>(units: Units) -> (Stage<D>, u64) {
    let mut plain = Stage::<D>::new(0.5, 1e-3, 1e-6);
    plain.scatter(40, COLUMNS, &mut Random::new(8));
    let mut stage = Stage::<D>::new(0.5, 1e-3 * units.dt, 1e-6);
    stage.world.gravity = upward::<D>() * (-G * units.gravity);
    stage.bin(COLUMNS, units.length);
    for k in plain.world.grains() {
        let radius = plain.world.bodies.shape[k].radius() * units.length;
        let body = stage.grain(plain.x(k) * units.length, radius, plain.mass(k) * units.mass);
        stage.twist(body).v = plain.twist(k).v * (units.length / units.dt);
    }
    let sweeps = (0..200).map(|_| stage.step_or_warn().sweeps).sum();
    (stage, sweeps)
}

/// Number of components that are not exactly `factor` times those of the plain world: positions, then twists.
fn differing<D: Dim>(plain: &Stage<D>, other: &Stage<D>, length: f64, dt: f64) -> [usize; 2] {
    let mut count = [0; 2];
    for k in plain.world.grains() {
        let (p, q) = (&plain.world.bodies, &other.world.bodies);
        for axis in 0..D::DIMENSION {
            count[0] += usize::from(q.pose[k].x.get(axis) != p.pose[k].x.get(axis) * length);
            count[1] += usize::from(q.twist[k].v.get(axis) != p.twist[k].v.get(axis) * (length / dt));
        }
        let turned = D::rot_numbers(q.pose[k].q) != D::rot_numbers(p.pose[k].q);
        count[0] += usize::from(turned);
        count[1] += usize::from(q.twist[k].w != p.twist[k].w * (1.0 / dt));
    }
    count
}

fn check<D: Dim>() {
    let plain = Units { gravity: 1.0, dt: 1.0, length: 1.0, mass: 1.0 };
    let (base, sweeps) = settle::<D>(plain);
    let closed = base.world.network().closed().count();
    assert!(closed > 40, "the grains lie on each other: {closed}");
    let spinning = base.world.grains().filter(|k| base.world.bodies.twist[*k].w != D::Spin::ZERO).count();
    assert!(spinning > 30, "and friction turns them: {spinning}");
    for (case, units) in [
        ("forces x 4, time step x 1/2", Units { gravity: 4.0, dt: 0.5, ..plain }),
        ("lengths x 2, gravity x 2, masses x 8", Units { gravity: 2.0, length: 2.0, mass: 8.0, ..plain }),
        ("masses x 1024", Units { mass: 1024.0, ..plain }),
    ] {
        let (other, swept) = settle::<D>(units);
        let named = |what: &str| format!("{}D: components of {what} that differ", D::DIMENSION);
        let [poses, twists] = differing(&base, &other, units.length, units.dt).map(|count| count as f64);
        expect(case, Kind::Cd, named("poses"), poses, 0.0).within(0.0, "powers of two cost no bit");
        expect(case, Kind::Cd, named("twists"), twists, 0.0).within(0.0, "powers of two cost no bit");
        assert_eq!(swept, sweeps, "and the solver works as much");
    }
}

#[test]
fn scaled_worlds_do_the_same_bit_for_bit() {
    check::<D2>();
    check::<D3>();
}
