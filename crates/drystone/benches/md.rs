//! Where the time of soft-particle molecular dynamics goes.
//!
//! `cargo bench -p drystone --bench md` prints a table; `-- --csv` prints rows for `bench/results`; a word after `--`
//! chooses scenes with it (`bed`, `10000`, `'lammps 10000'`, `million`).
//! Settled beds (x, y, z, r in metres, floor at z = 0, walls at 0 and W) are read from the folder that
//! DRYSTONE_PACKINGS names, as settled_10000.csv and so on; without it those rows are left out.
//! Times on shared machines are noisy. On one thread the time on the processor counts, where Linux tells it; what a
//! second thread is worth is found from the fastest of many batches of steps. The last column is a ratio within a run.

mod common;

use std::sync::Arc;
use std::time::Instant;

use common::{Table, fill, on_threads, settled, settled_grains, world_in_box};
use drystone::dim::D3;
use drystone::input::{Node, Reader, Text, Value};
use drystone::internals::Field;
use drystone::internals::ForceSchedule;
use drystone::law::Pair;
use drystone::method::Method;
use drystone::method::md::{MdOptions, SoftParticles};
use drystone::world::World;
use glam::DVec3;

/// Length of a step [s].
const DT: f64 = 2e-5;

/// Restitution 0.5 at any velocity.
const TSUJI: &str = "friction = 0.5, md = { normal = { law = \"hertz_tsuji\", young = 1e7, poisson = 0.3, \
                     restitution = 0.5 }, tangential = { law = \"mindlin\" } }";

/// LAMMPS's gran/hertz/history for the mean grain: dashpots go with the patch, the tangential one is half the normal
/// one, and the force is not cut. `bench/lammps.sh` writes gamma_n from the same dissipation.
const LAMMPS: &str = "friction = 0.5, md = { normal = { law = \"hertz_viscoelastic\", young = 1e7, poisson = 0.3, \
                      dissipation = 2e-4, cut = false }, tangential = { law = \"mindlin\", damping_ratio = 0.5, \
                      reset = \"with_dashpot\" } }";

/// The law that a text writes down.
fn law(text: &str) -> Pair {
    let text = Arc::new(Text { name: "law".into(), text: format!("pair = {{ {text} }}") });
    let (tree, reader) = (Node::parse(&text).0, Reader::default());
    tree.get("pair").and_then(|node| Pair::read(node, &reader)).expect("a sound law")
}

/// Kinetic energy of all grains [J].
fn kinetic(world: &World<D3>) -> f64 {
    world.bodies.kinetic_energy_of(world.grains())
}

/// Seconds that the thread has been on the processor; without Linux those that have passed.
fn on_processor(since: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = stat.and_then(|stat| stat.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

/// Steps that are timed together.
const BATCH: usize = 20;

/// What steps of a world take.
struct Taken {
    /// On the processor, if there is one thread [s].
    alone: f64,
    /// By the clock, all at the pace of the fastest batch [s].
    fastest: f64,
    world: World<D3>,
    lists: u64,
}

fn run(world: &World<D3>, steps: usize) -> Taken {
    let mut world = world.clone();
    let mut method = SoftParticles::new(MdOptions::with_time_step(DT), &world);
    let (since, mut fastest) = (Instant::now(), f64::INFINITY);
    let start = on_processor(since);
    for _ in 0..steps / BATCH {
        let start = Instant::now();
        for _ in 0..BATCH {
            method.step(&mut world).expect("a settled bed");
        }
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    let alone = on_processor(since) - start;
    Taken { alone, fastest: fastest * (steps / BATCH) as f64, world, lists: method.rebuilds() }
}

/// A settled bed for 1,000 steps on one and on two threads, and the parts of a step.
fn bed(table: &Table, count: usize, width: f64, steps: usize) {
    let name = format!("bed {count}");
    if !table.wants(&name) {
        return;
    }
    let Some(start) = settled(count, width, &law(TSUJI)) else { return };
    let grains = start.grains().len() as f64;
    let rate = |seconds: f64| 1e-6 * grains * steps as f64 / seconds;
    let Taken { alone, fastest, world, lists } = on_threads(1, || run(&start, steps));
    table.row(&name, &format!("{steps} steps on 1 thread"), rate(alone), "million grain-steps a s", Some(1.0));
    let two = on_threads(2, || run(&start, steps));
    assert_eq!(world.hash(), two.world.hash(), "the same bits on any number of threads");
    let gain = Some(fastest / two.fastest);
    table.row(&name, &format!("{steps} steps on 2 threads"), rate(two.fastest), "million grain-steps a s", gain);
    table.row(&name, "kinetic energy at the end", 1e6 * kinetic(&world), "uJ", None);
    table.row(&name, "lists made", lists as f64, "lists", None);
    on_threads(1, || parts(table, &name, &world, alone / steps as f64));
}

/// Parts of a step in nanoseconds a grain, of which a step takes `step` seconds.
fn parts(table: &Table, name: &str, world: &World<D3>, step: f64) {
    let ns = 1e9 / world.grains().len() as f64;
    let mut world = world.clone();
    let mut field = Field::new(&world);
    let since = Instant::now();
    let mean = |work: &mut dyn FnMut()| {
        let start = on_processor(since);
        (0..100).for_each(|_| work());
        (on_processor(since) - start) / 100.0
    };
    let list = mean(&mut || field.open(&world, DT, Vec::new(), 0.0));
    let evaluate = mean(&mut || {
        field.follow(&world);
        field.evaluate(&mut world, ForceSchedule::even(DT), DT, 0.0).expect("grains apart");
    });
    table.row(name, "step", ns * step, "ns a grain", Some(1.0));
    table.row(name, "forces", ns * evaluate, "ns a grain", Some(evaluate / step));
    table.row(name, "integration and checks", ns * (step - evaluate), "ns a grain", Some(1.0 - evaluate / step));
    table.row(name, "list made", ns * list, "ns a grain", Some(list / step));
    table.row(name, "contacts", field.touching as f64, "contacts", None);
    table.row(name, "pairs in the list", field.list.pairs.len() as f64, "pairs", None);
}

/// The bed under LAMMPS's law: `bench/lammps.sh` runs both.
fn lammps(table: &Table, count: usize, width: f64, steps: usize) {
    let name = format!("lammps {count}");
    if !table.wants(&name) {
        return;
    }
    let Some(start) = settled(count, width, &law(LAMMPS)) else { return };
    let Taken { alone, world, .. } = run(&start, steps);
    let rate = 1e-6 * (start.grains().len() * steps) as f64 / alone;
    table.row(&name, &format!("{steps} steps on 1 thread"), rate, "million grain-steps a s", None);
    table.row(&name, "kinetic energy at the end", 1e6 * kinetic(&world), "uJ", None);
}

/// A million spheres as they are packed closest: each has twelve neighbours.
fn closest(columns: usize) -> World<D3> {
    let r = 1e-3;
    let mut world = world_in_box(2.0 * r * columns as f64 + r, &law(TSUJI));
    let site = |k: usize| {
        let [x, y, layer] = [k % columns, k / columns % columns, k / columns / columns].map(|k| k as f64);
        let shift = r * (1.0 + layer % 2.0);
        (DVec3::new(shift + 2.0 * r * x, shift + 2.0 * r * y, r + 0.999 * layer * r * 2f64.sqrt()), r)
    };
    fill(&mut world, &(0..columns.pow(3)).map(site).collect::<Vec<_>>());
    world
}

/// Ten settled beds of 100,000 spheres, side by side.
fn ten_beds(width: f64) -> Option<World<D3>> {
    let bed = settled_grains(100_000)?;
    let mut world = world_in_box(10.0 * width, &law(TSUJI));
    let beside = |k: usize| bed.iter().map(move |(x, r)| (*x + DVec3::X * (width * k as f64), *r));
    fill(&mut world, &(0..10).flat_map(beside).collect::<Vec<_>>());
    Some(world)
}

/// A few steps of a million spheres, and the memory that they take.
fn million(table: &Table, name: &str, world: impl FnOnce() -> Option<World<D3>>) {
    if !table.wants(name) {
        return;
    }
    let Some(mut world) = world() else { return };
    let grains = world.grains().len() as f64;
    let mut method = SoftParticles::new(MdOptions::with_time_step(1e-6), &world);
    method.step(&mut world).expect("spheres that touch");
    let since = Instant::now();
    let start = on_processor(since);
    let steps = 10;
    for _ in 0..steps {
        method.step(&mut world).expect("spheres that touch");
    }
    let rate = 1e-6 * grains * f64::from(steps) / (on_processor(since) - start);
    table.row(name, "10 steps on 1 thread", rate, "million grain-steps a s", None);
    memory(table, name, grains);
}

/// The memory that the program has taken so far, and what it has now, for so many grains.
fn memory(table: &Table, name: &str, grains: f64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = |key: &str| {
        status.lines().find_map(|line| line.strip_prefix(key)?.trim().strip_suffix(" kB")?.parse::<f64>().ok())
    };
    for (key, what) in [("VmHWM:", "memory at its peak"), ("VmRSS:", "memory in the run")] {
        if let Some(size) = kilobytes(key) {
            table.row(name, what, 1024.0 * size / grains, "bytes a grain", None);
        }
    }
}

/// The memory that the steps of a settled bed take.
fn bed_memory(table: &Table, count: usize, width: f64) {
    let name = format!("memory {count}");
    if !table.wants(&name) {
        return;
    }
    let Some(mut world) = settled(count, width, &law(TSUJI)) else { return };
    let mut method = SoftParticles::new(MdOptions::with_time_step(DT), &world);
    for _ in 0..10 {
        method.step(&mut world).expect("a settled bed");
    }
    memory(table, &name, world.grains().len() as f64);
}

fn main() {
    let table = Table::begin();
    // first, while nothing else has taken memory
    on_threads(1, || {
        bed_memory(&table, 100_000, 0.43);
        million(&table, "million beds", || ten_beds(0.43));
        million(&table, "million closest", || Some(closest(100)));
    });
    bed(&table, 10_000, 0.20, 1000);
    bed(&table, 100_000, 0.43, 200);
    on_threads(1, || {
        lammps(&table, 10_000, 0.20, 1000);
        lammps(&table, 100_000, 0.43, 1000);
    });
}
