//! What a collision of event-driven dynamics costs: gases in periodic cells, disks that fill a tenth and spheres that fill
//! a twentieth.
//!
//! `cargo bench -p drystone --bench ed` prints a table; `-- --csv` prints rows for `bench/results`. The time is that on
//! the processor, where the system tells it. The last column is the number of collisions of a grain.
//!
//! The first rows are of a gas of disks under Contact Dynamics, where two pairs or so touch in a step: steps a second.

mod common;

use common::Table;
use drystone::cell::Cell;
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::law::{Laws, Pair};
use drystone::method::Method;
use drystone::method::cd::{CdOptions, ContactDynamics, Scheme};
use drystone::method::ed::{EdOptions, EventDriven};
use drystone::world::World;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Collisions of a grain before the clock starts: from even velocities to those of a gas.
const BEFORE: f64 = 3.0;

/// A gas of grains of diameter, mass and temperature 1 in a periodic cell.
fn gas<D: Dim>(fraction: f64, edge: u32, pair: &Pair) -> World<D> {
    let mut world = World::<D>::new(Laws::new(1, |_, _| pair.clone()));
    let (grains, d) = (edge.pow(D::DIMENSION as u32), D::DIMENSION as f64);
    let side = (f64::from(grains) * D::ball_volume(0.5, 1.0) / fraction).powf(1.0 / d);
    world.cell = Some(Cell::new(D::Vec::ZERO, D::Vec::from_fn(|_| side), [true, true, D::DIMENSION == 3]));
    let mut random = Pcg64::new(7, 1);
    let mut even = || 2.0 * ((random.next_u64() >> 11) as f64 / (1u64 << 53) as f64) - 1.0;
    for k in 0..grains {
        let at = |axis: usize| side / f64::from(edge) * (0.5 + f64::from(k / edge.pow(axis as u32) % edge));
        let body = world.bodies.push_round(D::Vec::from_fn(at), 0.5, 1.0 / D::ball_volume(0.5, 1.0), 1.0, k);
        world.bodies.twist[body].v = D::Vec::from_fn(|_| even());
    }
    let scale = (d * f64::from(grains) / (2.0 * world.kinetic_energy())).sqrt();
    world.grains().for_each(|k| world.bodies.twist[k].v = world.bodies.twist[k].v * scale);
    world
}

/// Time of this process on the processor [s].
fn processor_time() -> f64 {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or(f64::NAN, |time| 1e-9 * time)
}

/// Millions of collisions a second in gases of so many grains.
fn collide<D: Dim>(table: &Table, fraction: f64, edge: u32, rate: f64) {
    for (name, pair) in [
        ("elastic", Pair::with_friction(0.0).with_restitution(1.0)),
        ("e = 0.9", Pair::with_friction(0.0).with_restitution(0.9)),
        ("e = 0.9, friction 0.3", Pair::with_friction(0.3).with_restitution(0.9)),
    ] {
        let mut world = gas::<D>(fraction, edge, &pair);
        let step = |collisions: f64, world: &mut World<D>| {
            let mut method = EventDriven::new(EdOptions::with_time_step(collisions / rate));
            method.step(world).unwrap_or_else(|error| panic!("{error}"));
        };
        step(BEFORE, &mut world);
        let (before, start) = (world.collisions.all, processor_time());
        step(12.0, &mut world);
        let (collisions, time) = ((world.collisions.all - before) as f64, processor_time() - start);
        let grains = world.grains().len();
        let scene = format!("gas {}D {grains}", D::DIMENSION);
        table.row(&scene, name, 1e-6 * collisions / time, "million/s", Some(2.0 * collisions / grains as f64));
    }
}

/// Steps a second of Contact Dynamics in a gas of 4,096 disks, each of which moves by a two-hundredth of its radius.
fn steps(table: &Table) {
    let mut world = gas::<D2>(0.1, 64, &Pair::with_friction(0.0).with_restitution(0.9));
    let options = CdOptions { scheme: Scheme::Midpoint, ..CdOptions::with_time_step(2.5e-3) };
    let (mut method, mut contacts, steps) = (ContactDynamics::new(options), 0, 2000);
    let start = processor_time();
    for _ in 0..steps {
        contacts += method.step(&mut world).unwrap_or_else(|error| panic!("{error}")).contacts;
    }
    let rate = f64::from(steps) / (processor_time() - start);
    table.row("gas 2D 4096", "cd: steps", rate, "1/s", None);
    table.row("gas 2D 4096", "cd: contacts a step", contacts as f64 / f64::from(steps), "contacts", None);
}

fn main() {
    let table = Table::begin();
    steps(&table);
    for edge in [64, 316] {
        collide::<D2>(&table, 0.1, edge, 0.53284);
    }
    for edge in [16, 46] {
        collide::<D3>(&table, 0.05, edge, 0.76989);
    }
}
