//! An isolated cluster keeps its momentum, and its angular momentum up to a known term.
//!
//! A contact pushes a and b with opposite impulses, so sum of m v is kept. Its two points of attack, at the ends of
//! the arms, are a gap g apart along n: each step changes L = sum of x x m v + I w by exactly sum of g n x r_t
//! (moving on with x += v dt changes nothing, v x v = 0). Friction that acts before the gap has closed thus costs
//! angular momentum of first order in dt; without friction, or between grains that touch, L is kept.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use glam::DVec2;

use super::expect::expect;
use super::stage::{Random, Stage, along};

const WHY: &str = "rounding of all steps";

fn linear<D: Dim>(stage: &Stage<D>) -> D::Vec {
    stage.world.grains().fold(D::Vec::ZERO, |sum, k| sum + stage.world.bodies.twist[k].v * stage.mass(k))
}

fn angular<D: Dim>(stage: &Stage<D>) -> D::Spin {
    stage.world.grains().fold(D::Spin::ZERO, |sum, k| {
        let twist = stage.world.bodies.twist[k];
        sum + D::torque(stage.x(k), twist.v * stage.mass(k)) + twist.w * stage.moment(k)
    })
}

/// Sum of g n x r_t over the contacts of the last step.
fn lost<D: Dim>(stage: &Stage<D>) -> D::Spin {
    stage.contacts().fold(D::Spin::ZERO, |sum, (c, m)| sum + D::torque(c.normal, m.impulse) * c.gap)
}

/// Place of the k-th cell of a lattice with these numbers of cells along the axes.
fn cell<D: Dim>(k: usize, sides: &[usize]) -> D::Vec {
    let below = |axis: usize| sides[..axis].iter().product::<usize>();
    D::Vec::from_fn(|axis| (k / below(axis) % sides[axis]) as f64)
}

/// 50 grains thrown at each other, with spin, 300 steps.
fn cluster<D: Dim>(friction: f64, side: usize) {
    let mut random = Random::new(5);
    let mut stage = Stage::<D>::new(friction, 0.01, 1e-8);
    for k in 0..50 {
        let place = cell::<D>(k, &[side; 3]);
        let body = stage.grain(place * 2.6, random.between(0.8, 1.2), random.between(0.5, 2.0));
        let inwards = (D::Vec::from_fn(|_| 0.5 * side as f64) - place) * 0.6;
        stage.twist(body).v = inwards + random.vector::<D>(0.5) + along::<D>(0);
        stage.twist(body).w = D::Spin::from_fn(|_| random.between(-1.0, 1.0));
    }
    let start = (linear(&stage), angular(&stage));
    let size = |k: usize| stage.world.bodies.twist[k].v.norm() * stage.mass(k);
    let size_p: f64 = stage.world.grains().map(size).sum();
    let size_l: f64 = stage.world.grains().map(|k| size(k) * stage.x(k).norm()).sum();
    let (mut drift, mut collided) = (D::Spin::ZERO, 0);
    for _ in 0..300 {
        collided += stage.step().closed;
        drift += lost(&stage);
    }
    assert!(collided > 1000, "the grains collide: {collided}");
    let (change_p, change_l) = (linear(&stage) - start.0, angular(&stage) - start.1);
    let named = |what: &str| format!("{}D, mu = {friction}: {what}", D::DIMENSION);
    let case = "isolated cluster";
    expect(case, Kind::Cd, named("change of momentum"), change_p.norm() / size_p, 0.0).within(1e-12, WHY);
    let unexplained = (change_l - drift).norm() / size_l;
    expect(case, Kind::Cd, named("change of angular momentum less sum of g n x r_t"), unexplained, 0.0)
        .within(1e-12, WHY);
    let change = change_l.norm() / size_l;
    if friction == 0.0 {
        expect(case, Kind::Cd, named("change of angular momentum"), change, 0.0).within(1e-12, WHY);
    } else {
        assert!(change > 1e-9, "the term is there, or the comparison above says nothing: {change:e}");
    }
}

/// Grains that touch exactly, on a lattice, with random velocities: one step, every gap is rounding.
fn touching<D: Dim>(sides: &[usize]) {
    let mut random = Random::new(6);
    let mut stage = Stage::<D>::new(0.5, 0.01, 1e-10);
    for k in 0..27 {
        let body = stage.grain(cell::<D>(k, sides), 0.5, 1.0);
        stage.twist(body).v = random.vector::<D>(1.0);
        stage.twist(body).w = D::Spin::from_fn(|_| random.between(-1.0, 1.0));
    }
    let start = (linear(&stage), angular(&stage));
    let report = stage.step();
    assert!(report.closed > 10, "they collide: {}", report.closed);
    let friction: f64 = stage.contacts().map(|(c, m)| m.impulse.tangent_to(c.normal).norm()).sum();
    assert!(friction > 1.0, "with friction: {friction}");
    let (change_p, change_l) = (linear(&stage) - start.0, angular(&stage) - start.1);
    let named = |what: &str| format!("{}D, mu = 0.5: {what}", D::DIMENSION);
    let case = "touching cluster";
    expect(case, Kind::Cd, named("change of momentum over m v"), change_p.norm(), 0.0).within(1e-12, WHY);
    expect(case, Kind::Cd, named("change of angular momentum over m v d"), change_l.norm(), 0.0).within(1e-12, WHY);
}

#[test]
fn an_isolated_cluster_keeps_its_momenta() {
    for friction in [0.0, 0.5] {
        cluster::<D2>(friction, 8);
        cluster::<D3>(friction, 4);
    }
}

#[test]
fn touching_grains_keep_their_momenta_with_friction_too() {
    touching::<D2>(&[3, 9]);
    touching::<D3>(&[3, 3, 3]);
}

/// By hand: m = 1, V = (-1, 1), g = 0.3, dt = 1, mu = 0.1. r_n = (1 - 0.3)/2 = 0.35, sliding r_t = -0.035 (sticking
/// would take m_t V_t = 1/6), so L changes by g r_t = -0.0105 while the gap closes, and by no more when it is closed.
#[test]
fn friction_across_a_gap_costs_angular_momentum() {
    let mut stage = Stage::<D2>::new(0.1, 1.0, 1e-13);
    let (a, b) = (stage.grain(DVec2::ZERO, 0.5, 1.0), stage.grain(DVec2::new(1.3, 0.0), 0.5, 1.0));
    stage.twist(a).v = DVec2::new(0.5, -0.5);
    stage.twist(b).v = DVec2::new(-0.5, 0.5);
    let start = angular(&stage);
    stage.step();
    expect("friction across a gap", Kind::Cd, "change of angular momentum", angular(&stage) - start, -0.0105)
        .within(1e-13, "by hand, up to rounding");
}
