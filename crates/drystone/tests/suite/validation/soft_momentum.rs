//! An isolated cluster of soft grains keeps its momentum and its angular momentum, with friction, to rounding.
//!
//! Both grains of a contact feel the force at one point, the middle of the overlap: r - overlap / 2 from either centre.
//! With full radii as arms every contact would leave a torque of overlap times tangential force: 3e-5 of the sum of |l|
//! in this cluster.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::measure::Measures;
use drystone::method::Kind;
use drystone::method::md::integrator::Integrators;
use drystone::shape::Clump;
use glam::{DQuat, DVec2, DVec3};

use super::expect::expect;
use super::soft::Soft;
use super::stage::{Random, along};

const CASE: &str = "isolated cluster of soft grains";
const WHY: &str = "rounding of all steps";

/// What lanes work off, four contacts at a time.
const PLAIN: &str = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e6, restitution = 0.6 }, \
                     tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8, damping = 20 } }";
/// What is worked off one contact after the other, with torques and attraction.
const STICKY: &str = "friction = { static = 0.5, dynamic = 0.3 }, rolling = { length = 1e-2 }, torsion = { length = 1e-2 }, \
                      md = { normal = { law = \"hertz_tsuji\", young = 1e7, poisson = 0.3, restitution = 0.5 }, \
                      tangential = { law = \"mindlin\" }, attraction = { law = \"dmt\", work = 200 } }";

/// A measure of the world as one vector.
fn sum<D: Dim>(soft: &Soft<D>, measure: &str) -> Vec<f64> {
    let measure = Measures::ALL.iter().find(|known| known.name() == measure).expect("it is in the list");
    measure.of_world::<D>().expect("it is of a world").sample(&soft.world)
}

fn off(now: &[f64], start: &[f64]) -> f64 {
    now.iter().zip(start).map(|(now, start)| (now - start) * (now - start)).sum::<f64>().sqrt()
}

/// Steps that keep P and L; gives how many contacts there were in all.
fn keeps<D: Dim>(soft: &mut Soft<D>, steps: usize, what: &str) -> usize {
    let start = [sum(soft, "momentum"), sum(soft, "angular_momentum")];
    let bodies = &soft.world.bodies;
    let sizes = soft.world.grains().fold([0.0, 0.0], |[p, l], k| {
        [p + bodies.twist[k].v.norm() * bodies.inertia[k].mass(), l + bodies.angular_momentum(k).norm()]
    });
    let met = (0..steps).map(|_| soft.step().0).sum();
    let named = |name: &str| format!("{}D, {what}, {steps} steps: change of {name}", D::DIMENSION);
    for ((name, start), size) in ["momentum", "angular_momentum"].iter().zip(&start).zip(sizes) {
        let change = off(&sum(soft, name), start) / size;
        expect(CASE, Kind::Md, named(name), change, 0.0).within(1e-11, WHY);
    }
    met
}

/// A hundred grains of mixed radii that fly inwards, with spin.
fn cluster<D: Dim>(law: &str, side: usize, dt: f64) -> Soft<D> {
    let mut random = Random::new(5);
    let mut soft = Soft::<D>::new(law, dt);
    for k in 0..100 {
        let place = D::Vec::from_fn(|axis| (k / side.pow(axis as u32) % side) as f64);
        let body = soft.grain(place * 2.3, random.between(0.6, 1.1), random.between(0.5, 2.0));
        let inwards = (D::Vec::from_fn(|_| 0.5 * side as f64) - place) * 1.5;
        soft.twist(body).v = inwards + random.vector::<D>(2.0) + along::<D>(0) * 5.0;
        soft.twist(body).w = D::Spin::from_fn(|_| random.between(-5.0, 5.0));
    }
    soft
}

#[test]
fn a_cluster_keeps_its_momenta_through_a_hundred_thousand_steps() {
    let met = keeps(&mut cluster::<D2>(PLAIN, 10, 5e-5), 100_000, "springs and dashpots");
    assert!(met > 20_000, "the disks collide: {met}");
    let met = keeps(&mut cluster::<D3>(PLAIN, 5, 5e-5), 100_000, "springs and dashpots");
    assert!(met > 20_000, "the spheres collide: {met}");
}

#[test]
fn a_sticky_cluster_keeps_them_with_rolling_and_torsion() {
    for integrator in [Integrators::Verlet, Integrators::SuzukiTrotter] {
        let what = format!("attraction, rolling and torsion, {}", integrator.name());
        let met = keeps(&mut cluster::<D2>(STICKY, 10, 1e-4).by(integrator), 5_000, &what);
        assert!(met > 10_000, "the disks collide: {met}");
        let met = keeps(&mut cluster::<D3>(STICKY, 5, 1e-4).by(integrator), 5_000, &what);
        assert!(met > 10_000, "the spheres collide: {met}");
    }
}

/// Clumps and capsules thrown at each other: arms of their balls and segments, and tumbling.
#[test]
fn clumps_and_capsules_keep_them() {
    let mut random = Random::new(6);
    let mut soft = Soft::<D3>::new(PLAIN, 5e-5);
    for id in 0..27 {
        let place = DVec3::from_array([0, 1, 2].map(|axis| f64::from(id / 3_i32.pow(axis) % 3) - 1.0));
        let balls = [(DVec3::ZERO, 0.6), (DVec3::new(0.7, 0.1, 0.0), 0.4), (DVec3::new(0.2, 0.5, 0.3), 0.5)];
        let clump = match id % 2 {
            0 => Clump::new::<D3>(&balls).expect("balls that overlap"),
            _ => Clump::capsule::<D3>(1.2, 0.4),
        };
        let body = soft.world.bodies.push_clump(place * 2.4, &clump, 1.0, 1.0, id as u32);
        soft.world.bodies.pose[body].q *= DQuat::from_rotation_x(random.between(0.0, 3.0));
        soft.twist(body).v = place * -3.0 + random.vector::<D3>(1.0) + DVec3::X;
        soft.twist(body).w = DVec3::from_fn(|_| random.between(-3.0, 3.0));
    }
    let met = keeps(&mut soft, 20_000, "clumps and capsules");
    assert!(met > 500, "they collide: {met}");
    let mut soft = Soft::<D2>::new(PLAIN, 5e-5);
    for id in 0..9 {
        let place = DVec2::new(f64::from(id % 3) - 1.0, f64::from(id / 3) - 1.0);
        let capsule = Clump::capsule::<D2>(1.2, 0.4);
        let body = soft.world.bodies.push_clump(place * 2.4, &capsule, 1.0, 1.0, id as u32);
        soft.twist(body).v = place * -3.0 + random.vector::<D2>(1.0);
        soft.twist(body).w = random.between(-3.0, 3.0);
    }
    let met = keeps(&mut soft, 20_000, "capsules");
    assert!(met > 500, "they collide: {met}");
}
