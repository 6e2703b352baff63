//! Haff's law, P30: a gas of grains, soft or rigid, that lose energy in collisions cools as T = T0 / (1 + t / tau)^2.
//!
//! 1/tau = (1 - e^2) omega_0 / (2 d) with the collision rate of Enskog at T0, in units of mass, diameter and T0:
//! 0.025310 for discs with phi = 0.1 and 0.024380 for spheres with phi = 0.05, e = 0.9. In a periodic cell that is all.
//! Between elastic walls centres fill a box of side a, of which phi is counted, and of all neighbours at a diameter's
//! distance the part d <|n_x|> / a stands beyond a wall: <|n_x|> is 2/pi in the plane and 1/2 in space.

use drystone::cell::Cell;
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::drive::Drive;
use drystone::law::Laws;
use drystone::method::cd::{self, Accuracy, ContactDynamics, Scheme};
use drystone::method::ed::{EdOptions, EventDriven};
use drystone::method::md::{self, SoftParticles};
use drystone::method::{Kind, Method};
use drystone::world::World;

use super::expect::expect;
use super::soft::pair;
use super::stage::{Random, along, plane};

const STIFFNESS: f64 = 1e5; // collisions of 0.007, some 0.5 % of the flights between them

/// Rigid grains sink into each other by a part of this way until their collision is seen, and have that much smaller
/// diameters.
const RIGID_STEP: f64 = 2e-3;

fn law(e: f64) -> String {
    format!("friction = 0, restitution = {e}, md = {{ normal = {{ law = \"hooke\", stiffness = {STIFFNESS} }} }}")
}

/// Grains of diameter and mass 1 on a lattice in a box, with velocities of mean square d and mean zero.
fn gas<D: Dim>(fraction: f64, edge: usize, is_periodic: bool, random: &mut Random) -> (World<D>, f64) {
    let (grains, d) = (edge.pow(D::DIMENSION as u32), D::DIMENSION as f64);
    let side = (grains as f64 * D::ball_volume(0.5, 1.0) / fraction).powf(1.0 / d);
    let (smooth, lossy) = (pair(&law(1.0)), pair(&law(0.9)));
    let laws = Laws::new(2, |a, b| if (a, b) == (1, 1) { lossy.clone() } else { smooth.clone() });
    let mut world = World::<D>::new(laws);
    if is_periodic {
        let corner = D::Vec::from_fn(|_| side);
        world.cell = Some(Cell::new(D::Vec::ZERO, corner, [true, true, D::DIMENSION == 3]));
    }
    for axis in (0..D::DIMENSION).filter(|_| !is_periodic) {
        for (point, normal) in [(-0.5, 1.0), (side + 0.5, -1.0)] {
            let wall = plane(along::<D>(axis) * point, along::<D>(axis) * normal);
            world.push_wall(&format!("{axis} {normal}"), wall, 0, Drive::FIXED, None);
        }
    }
    let pitch = side / edge as f64;
    for k in 0..grains {
        let at = |axis: usize| pitch * (0.5 + (k / edge.pow(axis as u32) % edge) as f64);
        let body = world.bodies.push_round(D::Vec::from_fn(at), 0.5, 1.0 / D::ball_volume(0.5, 1.0), 1.0, k as u32);
        world.bodies.material[body] = 1;
        world.bodies.twist[body].v = random.vector::<D>(1.0);
    }
    let mean = world.grains().fold(D::Vec::ZERO, |sum, k| sum + world.bodies.twist[k].v) * (1.0 / grains as f64);
    world.grains().for_each(|k| world.bodies.twist[k].v -= mean);
    let scale = temperature(&world).sqrt().recip();
    world.grains().for_each(|k| world.bodies.twist[k].v = world.bodies.twist[k].v * scale);
    (world, side)
}

fn temperature<D: Dim>(world: &World<D>) -> f64 {
    let sum: f64 = world.grains().map(|k| world.bodies.twist[k].v.norm_squared()).sum();
    sum / (D::DIMENSION as f64 * world.grains().len() as f64)
}

fn method<D: Dim>(kind: Kind, world: &World<D>) -> Box<dyn Method<D>> {
    if kind == Kind::Md {
        let dt = std::f64::consts::PI * (0.5 / STIFFNESS).sqrt() / 30.0;
        return Box::new(SoftParticles::new(md::MdOptions::with_time_step(dt), world));
    }
    if kind == Kind::Ed {
        return Box::new(EventDriven::new(EdOptions::with_time_step(1.0)));
    }
    let options = cd::CdOptions::with_time_step(RIGID_STEP);
    Box::new(ContactDynamics::new(cd::CdOptions {
        accuracy: Accuracy::Residual(1e-6),
        scheme: Scheme::Midpoint,
        ..options
    }))
}

fn cools<D: Dim>(kind: Kind, fraction: f64, edge: usize, rate: f64, beside: Option<f64>) {
    let d = D::DIMENSION as f64;
    let (mut world, side) = gas::<D>(fraction, edge, beside.is_none(), &mut Random::new(30));
    let collisions = rate * 2.0 * d / (1.0 - 0.81); // omega_0
    // even velocities become those of a gas within a few collisions: the clock starts after three
    let [start, end] = [3.0, 15.0].map(|times| times / collisions);
    let mut method = method(kind, &world);
    let mut run = |until: f64, world: &mut World<D>| {
        while world.clock.time < until {
            method.step(world).unwrap_or_else(|error| panic!("{error}"));
        }
        (temperature(world), world.clock.time)
    };
    let (hot, t1) = run(start, &mut world);
    let (cold, t2) = run(end, &mut world);
    assert!(cold < 0.6 * hot, "it cools: {hot} {cold}");
    // 1/sqrt(T) grows by 1/tau in a unit of time, from any moment on
    let found = (cold.sqrt().recip() - hot.sqrt().recip()) / (t2 - t1);
    let expected = rate * (1.0 - d * beside.unwrap_or(0.0) / side);
    let border = if beside.is_some() { "walls" } else { "periodic" };
    expect("Haff's law", kind, format!("{}, {border}: 1/tau", D::ROUND), found, expected)
        .within(0.05, "tolerance of the case");
}

#[test]
fn a_gas_of_soft_grains_cools_as_haff_says() {
    cools::<D2>(Kind::Md, 0.1, 36, 0.025310, Some(2.0 / std::f64::consts::PI));
    cools::<D3>(Kind::Md, 0.05, 13, 0.024380, Some(0.5));
}

#[test]
fn a_gas_in_a_periodic_cell_cools_as_haff_says() {
    cools::<D2>(Kind::Md, 0.1, 36, 0.025310, None);
    cools::<D3>(Kind::Md, 0.05, 13, 0.024380, None);
}

/// In space, too: rigid collisions take no time, so that no third grain comes in between.
#[test]
fn a_rigid_gas_in_a_periodic_cell_cools_as_haff_says() {
    cools::<D2>(Kind::Cd, 0.1, 36, 0.025310, None);
    cools::<D3>(Kind::Cd, 0.05, 13, 0.024380, None);
}

/// Hard grains, which collide at exact times: no step and no stiffness is left to be short enough.
#[test]
fn a_hard_gas_in_a_periodic_cell_cools_as_haff_says() {
    // more grains, because it costs little; velocities become correlated, which takes three per cent in the plane
    cools::<D2>(Kind::Ed, 0.1, 100, 0.025310, None);
    cools::<D3>(Kind::Ed, 0.05, 20, 0.024380, None);
}
