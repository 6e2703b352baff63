//! An isolated cluster keeps its momentum and its angular momentum, to rounding.
//!
//! A contact pushes a and b with opposite impulses, so sum of m v is kept. Both act at one point, the middle of the
//! gap, so L = sum of x x m v + I w is kept too, whatever gap is between the bodies: arms that end on each body's own
//! surface, a gap g apart along n, would add g n x r_t in every contact and step. Moving on with x += v dt changes
//! nothing, v x v = 0.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::method::cd::Scheme;
use drystone::shape::{Clump, Polygon, Polyhedron};
use glam::{DQuat, DVec2, DVec3};

use super::expect::expect;
use super::stage::{Random, Stage, along};

/// What rounding may leave of the sum of all |p| or |l|: some thousand steps, each off by rounding.
const ROUNDING: f64 = 1e-11;
const WHY: &str = "rounding of all steps";

/// Momentum and angular momentum of a body; the latter in two parts, of its path and of its spin.
fn momenta<D: Dim>(stage: &Stage<D>, body: usize) -> (D::Vec, D::Spin, D::Spin) {
    let bodies = &stage.world.bodies;
    let (pose, twist, inertia) = (bodies.pose[body], bodies.twist[body], bodies.inertia[body]);
    let p = twist.v * inertia.mass();
    (p, D::torque(pose.x, p), D::angular_momentum(pose.q, inertia.inv_i, twist.w))
}

/// Sums over all grains of p, of L, of |p| and of |l|.
fn sums<D: Dim>(stage: &Stage<D>) -> (D::Vec, D::Spin, [f64; 2]) {
    stage.world.grains().fold((D::Vec::ZERO, D::Spin::ZERO, [0.0; 2]), |(p, l, [size_p, size_l]), body| {
        let (own, path, spin) = momenta(stage, body);
        (p + own, l + path + spin, [size_p + own.norm(), size_l + path.norm() + spin.norm()])
    })
}

/// Makes so many steps and compares both momenta with the start; gaps must have been crossed with friction.
fn compare<D: Dim>(name: &str, stage: &mut Stage<D>, steps: usize) {
    let (p, l, [size_p, size_l]) = sums(stage);
    let (mut collided, mut across, mut worst) = (0, 0.0, [0.0_f64; 2]);
    for step in 1..=steps {
        collided += stage.step_or_warn().closed;
        // what arms that end on the surfaces would have left
        across += stage.contacts().map(|(c, m)| D::torque(c.normal, m.impulse).norm() * c.gap.abs()).sum::<f64>();
        if step % 100 == 0 {
            let now = sums(stage);
            worst = [worst[0].max((now.0 - p).norm() / size_p), worst[1].max((now.1 - l).norm() / size_l)];
        }
    }
    assert!(collided > 300, "{name}: the grains collide: {collided}");
    assert!(across / size_l > 1e-7, "{name}: friction acts across gaps, or this says nothing: {:e}", across / size_l);
    let (case, named) = ("isolated cluster", |what: &str| format!("{name}: {what}"));
    expect(case, Kind::Cd, named("change of momentum"), worst[0], 0.0).within(ROUNDING, WHY);
    expect(case, Kind::Cd, named("change of angular momentum"), worst[1], 0.0).within(ROUNDING, WHY);
}

/// Place of the k-th cell of a lattice with these numbers of cells along the axes.
fn cell<D: Dim>(k: usize, sides: &[usize]) -> D::Vec {
    let below = |axis: usize| sides[..axis].iter().product::<usize>();
    D::Vec::from_fn(|axis| (k / below(axis) % sides[axis]) as f64)
}

/// 100 grains of mixed radii, thrown at each other with random velocities and spins, 10,000 steps.
fn cluster<D: Dim>(scheme: Scheme, side: usize) {
    let mut random = Random::new(5);
    let law = "{ friction = 0.4, restitution = { normal = 0.7 } }";
    let mut stage = Stage::<D>::with_law(law, scheme, 5e-4, 1e-6);
    let middle = D::Vec::from_fn(|_| 0.5 * (side - 1) as f64);
    for k in 0..100 {
        let place = (cell::<D>(k, &[side; 3]) - middle) * 2.6;
        let radius = random.between(0.4, 1.2);
        let body = stage.grain(place, radius, D::ball_volume(radius, 1.0));
        stage.twist(body).v = place * -0.5 + random.vector::<D>(0.5);
        stage.twist(body).w = D::Spin::from_fn(|_| random.between(-1.0, 1.0));
    }
    let name = format!("{}D, {scheme:?}, 100 round grains", D::DIMENSION);
    compare(&name, &mut stage, 10_000);
}

#[test]
fn round_grains_keep_their_momenta_in_the_plane() {
    cluster::<D2>(Scheme::Euler, 10);
    cluster::<D2>(Scheme::Midpoint, 10);
}

#[test]
fn round_grains_keep_their_momenta_in_space() {
    cluster::<D3>(Scheme::Euler, 5);
    cluster::<D3>(Scheme::Midpoint, 5);
}

/// Polygons, clumps, capsules and disks thrown at each other.
#[test]
fn stones_and_clumps_keep_their_momenta_in_the_plane() {
    let mut random = Random::new(8);
    let brick = Polygon::new(&[[-0.8, -0.5], [0.8, -0.5], [0.8, 0.5], [-0.8, 0.5]].map(DVec2::from)).expect("a brick");
    let pair = Clump::new::<D2>(&[(DVec3::ZERO, 0.5), (DVec3::X * 0.7, 0.6)]).expect("a clump");
    let rod = Clump::capsule::<D2>(1.2, 0.4);
    let mut stage = Stage::<D2>::with_law("{ friction = 0.4 }", Scheme::Euler, 2e-3, 1e-6);
    for k in 0..36 {
        let place = (cell::<D2>(k, &[6, 6]) - DVec2::splat(2.5)) * 2.6;
        let bodies = &mut stage.world.bodies;
        let body = match k % 4 {
            0 => bodies.push_polygon(place, &brick, 1.0, 1.0, k as u32),
            1 => bodies.push_clump(place, &pair, 1.0, 1.0, k as u32),
            2 => bodies.push_clump(place, &rod, 1.0, 1.0, k as u32),
            _ => bodies.push_round(place, 0.7, 1.0, 1.0, k as u32),
        };
        bodies.pose[body].q = random.between(-3.0, 3.0);
        stage.twist(body).v = place * -0.5 + random.vector::<D2>(0.3);
        stage.twist(body).w = random.between(-1.0, 1.0);
    }
    compare("2D, stones, clumps, capsules and disks", &mut stage, 1500);
}

/// Polyhedra, clumps, capsules and spheres thrown at each other.
#[test]
fn stones_and_clumps_keep_their_momenta_in_space() {
    let mut random = Random::new(9);
    let brick = Polyhedron::cuboid(DVec3::new(1.5, 1.0, 0.8)).expect("a brick");
    let pair = Clump::new::<D3>(&[(DVec3::ZERO, 0.5), (DVec3::X * 0.7, 0.6)]).expect("a clump");
    let rod = Clump::capsule::<D3>(1.2, 0.4);
    let mut stage = Stage::<D3>::with_law("{ friction = 0.4 }", Scheme::Euler, 2e-3, 1e-6);
    for k in 0..27 {
        let place = (cell::<D3>(k, &[3, 3, 3]) - DVec3::ONE) * 2.6;
        let bodies = &mut stage.world.bodies;
        let body = match k % 4 {
            0 => bodies.push_polyhedron(place, &brick, 1.0, k as u32),
            1 => bodies.push_clump(place, &pair, 1.0, 1.0, k as u32),
            2 => bodies.push_clump(place, &rod, 1.0, 1.0, k as u32),
            _ => bodies.push_round(place, 0.7, 1.0, 1.0, k as u32),
        };
        let axis = random.direction::<D3>();
        bodies.pose[body].q = DQuat::from_axis_angle(axis, random.between(-3.0, 3.0)) * bodies.pose[body].q;
        stage.twist(body).v = place * -0.8 + random.vector::<D3>(0.3);
        stage.twist(body).w = random.vector::<D3>(1.0);
    }
    compare("3D, stones, clumps, capsules and spheres", &mut stage, 1500);
}

/// By hand: m = 1, V = (-1, 1), g = 0.3, dt = 1, mu = 0.1. r_n = (1 - 0.3)/2 = 0.35, sliding r_t = -0.035 (sticking
/// would take m_t V_t). Each disk feels r_t at 0.5 + 0.15 from its centre: its spin changes by 0.65 r_t / I, I = 1/8,
/// and L is kept; at its own radius it would be 0.5 r_t / I, and L would change by g r_t = -0.0105.
#[test]
fn friction_across_a_gap_acts_in_the_middle_of_it() {
    let mut stage = Stage::<D2>::new(0.1, 1.0, 1e-13);
    let (a, b) = (stage.grain(DVec2::ZERO, 0.5, 1.0), stage.grain(DVec2::new(1.3, 0.0), 0.5, 1.0));
    stage.twist(a).v = DVec2::new(0.5, -0.5);
    stage.twist(b).v = DVec2::new(-0.5, 0.5);
    let start = sums(&stage).1;
    stage.step();
    let case = "friction across a gap";
    expect(case, Kind::Cd, "change of angular momentum", sums(&stage).1 - start, 0.0).within(1e-15, "rounding");
    let spin = 0.65 * 0.035 / 0.125;
    expect(case, Kind::Cd, "spin of both disks [rad/s]", stage.twist(a).w, spin)
        .within(1e-13, "by hand, up to rounding");
    expect(case, Kind::Cd, "spin of the other disk [rad/s]", stage.twist(b).w, spin).within(1e-13, "by hand");
}

/// Grains that touch exactly, on a lattice, with random velocities: one step, every gap is rounding.
fn touching<D: Dim>(sides: &[usize]) {
    let mut random = Random::new(6);
    let mut stage = Stage::<D>::new(0.5, 0.01, 1e-10);
    for k in 0..27 {
        let body = stage.grain(cell::<D>(k, sides), 0.5, 1.0);
        stage.twist(body).v = random.vector::<D>(1.0) + along::<D>(0) * 0.1;
        stage.twist(body).w = D::Spin::from_fn(|_| random.between(-1.0, 1.0));
    }
    let start = sums(&stage);
    let report = stage.step();
    assert!(report.closed > 10, "they collide: {}", report.closed);
    let friction: f64 = stage.contacts().map(|(c, m)| m.impulse.tangent_to(c.normal).norm()).sum();
    assert!(friction > 1.0, "with friction: {friction}");
    let now = sums(&stage);
    let named = |what: &str| format!("{}D, mu = 0.5: {what}", D::DIMENSION);
    let case = "touching cluster";
    expect(case, Kind::Cd, named("change of momentum over m v"), (now.0 - start.0).norm(), 0.0).within(1e-12, WHY);
    expect(case, Kind::Cd, named("change of angular momentum over m v d"), (now.1 - start.1).norm(), 0.0)
        .within(1e-12, WHY);
}

#[test]
fn touching_grains_keep_their_momenta_with_friction_too() {
    touching::<D2>(&[3, 9]);
    touching::<D3>(&[3, 3, 3]);
}
