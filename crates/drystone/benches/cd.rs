//! Where the time goes: neighbour search, one sweep, one look at the residual, a whole step.
//!
//! `cargo bench -p drystone` prints a table; `cargo bench -p drystone -- --csv` prints rows for `bench/results`.
//! Times on shared machines are noisy: the last column is the ratio to the sweep of the same scene in the same run.

use std::hint::black_box;
use std::time::Instant;

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::input::quantity::Components;
use drystone::law::{Laws, Pair};
use drystone::method::Method;
use drystone::method::cd::accelerate::Momentum;
use drystone::method::cd::{Accelerator, Accuracy, ContactDynamics, Options, line, link, residual, sweep};
use drystone::wall::{Cuboid, Surface};
use drystone::world::World;

/// A bed of grains on a lattice of touching layers in a box under gravity.
fn bed<D: Dim>(columns: usize, rows: usize) -> World<D> {
    let (r, up) = (1e-3, D::DIMENSION - 1);
    let mut world = World::<D> {
        gravity: D::Vec::from_fn(|axis| if axis == up { -9.81 } else { 0.0 }),
        depth: 1.0,
        laws: Laws::new(1, |_, _| Pair::with_friction(0.5)),
        ..World::default()
    };
    let width = (2 * columns + 1) as f64 * r;
    let (min, max) = (D::Vec::ZERO, D::Vec::from_fn(|axis| if axis == up { 1.0 } else { width }));
    let walls = Cuboid { min: Components(min), max: Components(max), span: Default::default() };
    world.push_wall("box", Surface::Cuboid(walls), 0, drystone::drive::Drive::FIXED, None);
    let pitch = if D::DIMENSION == 2 { 3f64.sqrt() } else { 2f64.sqrt() };
    let mut id = 0;
    for layer in 0..rows {
        let shift = if layer % 2 == 1 { r } else { 0.0 };
        for site in 0..columns.pow(up as u32) {
            let x = D::Vec::from_fn(|axis| {
                if axis == up {
                    r + layer as f64 * r * pitch
                } else {
                    r + shift + 2.0 * r * (site / columns.pow(axis as u32) % columns) as f64
                }
            });
            world.bodies.push_round(x, r, 2500.0, 1.0, id);
            id += 1;
        }
    }
    world
}

/// Shortest of several runs, in seconds.
fn fastest(times: usize, mut work: impl FnMut()) -> f64 {
    (0..times)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

struct Table {
    csv: bool,
}

impl Table {
    fn row(&self, scene: &str, what: &str, value: f64, unit: &str, ratio: f64) {
        match self.csv {
            true => println!("{scene},{what},{value:.4},{unit},{ratio:.3}"),
            false => println!("{scene:<22} {what:<28} {value:>10.3} {unit:<22} {ratio:>8.3}"),
        }
    }
}

fn scene<D: Dim>(table: &Table, columns: usize, rows: usize) {
    let mut world = bed::<D>(columns, rows);
    let grains = world.grains().len();
    let name = format!("{}D bed of {grains}", D::DIMENSION);
    let travel = vec![1e-6; world.bodies.len()];
    let rebuild = fastest(5, || {
        world.neighbours.rebuild(&world.bodies, &world.surfaces, &travel);
    });

    let dt = 1e-4;
    let options = Options { accuracy: Accuracy::Residual(1e-5), ..Options::with_time_step(dt) };
    let mut method = ContactDynamics::new(options);
    for _ in 0..3 {
        method.step(&mut world).expect("a bed at rest");
    }
    let (mut links, mut order, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    link::build(&world, dt, &mut links, &mut order);
    line::lines(&world.bodies, &mut lines);
    let plain = Momentum::new(Accelerator::None);
    let per_contact = 1e9 / links.len() as f64;
    let one_sweep = fastest(20, || {
        black_box(sweep::sweep(&mut links, &mut lines, &plain));
    }) * per_contact;
    let look = fastest(20, || {
        black_box(residual::eps_nat(&links, &lines));
    }) * per_contact;
    let build = fastest(5, || link::build(&world, dt, &mut links, &mut order)) * per_contact;
    let mut sweeps = 0;
    let steps = 5;
    let step = fastest(1, || {
        for _ in 0..steps {
            sweeps += method.step(&mut world).expect("a bed at rest").sweeps;
        }
    }) / steps as f64;

    table.row(&name, "contacts", links.len() as f64, "contacts", 0.0);
    table.row(&name, "neighbour list rebuilt", 1e3 * rebuild, "ms", 1e9 * rebuild / grains as f64 / one_sweep);
    table.row(&name, "links built", build, "ns a contact", build / one_sweep);
    table.row(&name, "sweep", one_sweep, "ns a contact", 1.0);
    table.row(&name, "residual", look, "ns a contact", look / one_sweep);
    let step_ns = 1e9 * step / links.len() as f64;
    table.row(&name, "step", 1e3 * step, "ms", step_ns / one_sweep);
    table.row(&name, "sweeps a step", sweeps as f64 / steps as f64, "sweeps", sweeps as f64 / steps as f64);
}

fn main() {
    let table = Table { csv: std::env::args().any(|argument| argument == "--csv") };
    if table.csv {
        println!("scene,what,value,unit,ratio_to_sweep");
    } else {
        println!("{:<22} {:<28} {:>10} {:<22} {:>8}", "scene", "what", "value", "unit", "ratio");
    }
    scene::<D2>(&table, 50, 50);
    scene::<D2>(&table, 150, 150);
    scene::<D3>(&table, 10, 10);
    scene::<D3>(&table, 22, 21);
    scene::<D3>(&table, 46, 48);
}
