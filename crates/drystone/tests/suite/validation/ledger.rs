//! The books of energy: K + dissipated - work of walls - work of gravity stays what it was.
//!
//! A step gives M (V+ - V-) = H r + F dt; times (V+ + V-)/2 this is dK = sum of r . (u- + u+)/2 + sum of
//! r . v_wall + sum of m g . (v- + v+)/2 dt, an identity up to rounding.

use drystone::body::Twist;
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::drive::{Drive, Signal, Sine};
use drystone::input::quantity::{Components, Quantity};
use drystone::method::Kind;

use super::expect::expect;
use super::stage::{G, Random, Stage, along, plane, upward};

/// Work of gravity in a step from the twists before it.
fn gravity_work<D: Dim>(stage: &Stage<D>, before: &[Twist<D>]) -> f64 {
    let bodies = &stage.world.bodies;
    let power = |k: usize| stage.mass(k) * stage.world.gravity.dot(before[k].v + bodies.twist[k].v) * 0.5;
    stage.world.grains().map(power).sum::<f64>() * stage.dt()
}

/// The largest gains of energy of a step, zero if none gains.
#[derive(Default)]
struct Gain {
    /// Over (dt/2) |g . (sum of wall impulses)|.
    plain: f64,
    /// Beyond that share of gravity, over eps_nat times sum of |r|^2 / m_t.
    unexplained: f64,
}

/// Runs and checks the books, and looks for steps that gain energy.
///
/// With u+ = u- + W r + H^T g dt the dissipation of a step is D = -sum of r . (u- + u+)/2
/// = -sum of r . u+ + (r W r)/2 + (dt/2) g . (sum of wall impulses). The laws make the first term >= 0, up to
/// eps_nat sum of |r|^2 / m_t for a solution with that residual (Cauchy and Schwarz). The last term is negative and of
/// second order in dt: gravity works with the mean velocity of a step, also where a grain turns back within it.
fn audit<D: Dim>(case: &'static str, stage: &mut Stage<D>, steps: usize) -> Gain {
    let start = stage.kinetic_energy();
    let (mut fallen, mut throughput, mut gain) = (0.0, start, Gain::default());
    for _ in 0..steps {
        let (before, dissipated) = (stage.world.bodies.twist.clone(), stage.world.ledger().dissipated);
        let residual = stage.step_or_warn().residual;
        let work = gravity_work(stage, &before);
        (fallen, throughput) = (fallen + work, throughput + work.abs());
        let gained = dissipated - stage.world.ledger().dissipated - 1e-14 * throughput; // rounding of the ledger
        let (mut on_walls, mut moved) = (D::Vec::ZERO, 0.0);
        let system = stage.method.system();
        for index in 0..system.len() {
            let (Some(contact), Some(impulse)) = (system.plain(index), system.plain_impulse(index)) else { continue };
            moved += impulse.norm_squared() / contact.mass_t;
            if (stage.world.network().contacts[index].key.a as usize) < stage.world.setup.walls.len() {
                on_walls += impulse;
            }
        }
        let share = 0.5 * stage.dt() * stage.world.gravity.dot(on_walls).abs();
        if gained > 0.0 {
            gain.plain = gain.plain.max(gained / share);
        }
        if gained > share {
            gain.unexplained = gain.unexplained.max((gained - share) / (residual * moved));
        }
    }
    let ledger = stage.world.ledger();
    assert!(ledger.dissipated > 0.1 * throughput, "energy is dissipated: {ledger:?} of {throughput}");
    let open = stage.kinetic_energy() + ledger.dissipated - ledger.wall_work - fallen - start;
    let size = throughput + ledger.dissipated + ledger.wall_work.abs();
    let quantity = format!("{}D: what is missing in the books", D::DIMENSION);
    expect(case, Kind::Cd, quantity, open.abs() / size, 0.0).within(1e-12, "an identity: rounding");
    let quantity = format!("{}D: largest gain of a step beyond gravity's share, over the residual's", D::DIMENSION);
    expect(case, Kind::Cd, quantity, gain.unexplained, 0.0).within(4.0, "the bound is for the cone's own metric");
    gain
}

fn settling<D: Dim>() {
    let mut stage = Stage::<D>::new(0.5, 1e-3, 1e-6);
    stage.world.gravity = upward::<D>() * -G;
    stage.bin(8, 1.0);
    stage.scatter(60, 8, &mut Random::new(9));
    let case = "energy of a settling pile";
    let gain = audit(case, &mut stage, 500);
    let quantity = format!("{}D: largest gain of a step over (dt/2) g . R", D::DIMENSION);
    expect(case, Kind::Cd, quantity, gain.plain, 0.0).within(1.0, "gravity's share, of second order in dt");
}

/// Without gravity no step gains energy.
fn colliding<D: Dim>() {
    let mut stage = Stage::<D>::new(0.5, 1e-3, 1e-8);
    stage.scatter(60, 8, &mut Random::new(10));
    let centre = along::<D>(0) * 0.1 + upward::<D>() * 0.1;
    for k in stage.world.grains() {
        let inwards = (centre - stage.x(k)) * 20.0;
        stage.twist(k).v += inwards;
    }
    audit("energy of a colliding cluster", &mut stage, 300);
}

/// A floor that shakes puts energy in.
fn shaken<D: Dim>() {
    let mut stage = Stage::<D>::new(0.5, 1e-3, 1e-8);
    stage.world.gravity = upward::<D>() * -G;
    let shake = Sine {
        amplitude: Components(upward::<D>() * 0.5 + along::<D>(0) * 0.3),
        frequency: Quantity(8.0),
        phase: Quantity(0.0),
    };
    let drive = Drive::Velocity(Signal::Sine(shake));
    stage.world.push_wall("floor", plane(D::Vec::ZERO, upward::<D>()), 0, drive, None);
    stage.plane("left", along::<D>(0) * -0.1, along::<D>(0));
    stage.plane("right", along::<D>(0) * 0.3, -along::<D>(0));
    stage.scatter(40, 8, &mut Random::new(11));
    audit("energy of a shaken pile", &mut stage, 500);
    let work = stage.world.ledger().wall_work;
    assert!(work > 0.1 * stage.world.ledger().dissipated, "the floor works: {work}");
}

#[test]
fn the_books_of_a_settling_pile_close() {
    settling::<D2>();
    settling::<D3>();
}

#[test]
fn collisions_never_create_energy() {
    colliding::<D2>();
    colliding::<D3>();
}

#[test]
fn the_books_of_a_shaken_pile_close() {
    shaken::<D2>();
    shaken::<D3>();
}
