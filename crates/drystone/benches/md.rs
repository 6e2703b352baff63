//! Where the time of soft-particle molecular dynamics goes.
//!
//! `cargo bench -p drystone --bench md` prints a table; `-- --csv` prints rows for `bench/results`; a word after `--`
//! chooses scenes with it (`bed`, `10000`, `'lammps 10000'`, `million`).
//! Settled beds (x, y, z, r in metres, floor at z = 0, walls at 0 and W) are read from the folder that
//! DRYSTONE_PACKINGS names, as settled_10000.csv and so on; without it those rows are left out.
//! Times on shared machines are noisy. On one thread the time on the processor counts, where Linux tells it; what a
//! second thread is worth is found from the fastest of many batches of steps. The last column is a ratio within a run.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use drystone::contact::curve::along_curve;
use drystone::dim::D3;
use drystone::drive::Drive;
use drystone::input::quantity::Components;
use drystone::input::{Node, Reader, Text, Value};
use drystone::law::{Laws, Pair};
use drystone::method::Method;
use drystone::method::md::field::Field;
use drystone::method::md::{Options, SoftParticles};
use drystone::wall::{Cuboid, Surface};
use drystone::world::World;
use glam::DVec3;

/// Length of a step [s].
const DT: f64 = 2e-5;

/// Restitution 0.5 at any velocity.
const TSUJI: &str = "friction = 0.5, md = { normal = { law = \"hertz_tsuji\", young = 1e7, poisson = 0.3, \
                     restitution = 0.5 }, tangential = { law = \"mindlin\" } }";

/// LAMMPS's gran/hertz/history for the mean grain: dashpots go with the patch, the tangential one is half the normal one,
/// and the force is not cut. `bench/lammps.sh` writes gamma_n from the same dissipation.
const LAMMPS: &str = "friction = 0.5, md = { normal = { law = \"hertz_viscoelastic\", young = 1e7, poisson = 0.3, \
                      dissipation = 2e-4, cut = false }, tangential = { law = \"mindlin\", damping_ratio = 0.5, \
                      reset = \"with_dashpot\" } }";

struct Table {
    csv: bool,
    chosen: Vec<String>,
}

impl Table {
    fn wants(&self, scene: &str) -> bool {
        let is_of = |word: &String| scene == word || scene.split(' ').any(|part| part == word);
        self.chosen.is_empty() || self.chosen.iter().any(is_of)
    }

    fn row(&self, scene: &str, what: &str, value: f64, unit: &str, ratio: Option<f64>) {
        let ratio = ratio.map_or(String::new(), |ratio| format!("{ratio:.3}"));
        match self.csv {
            true => println!("{scene},{what},{value:.6},{unit},{ratio}"),
            false => println!("{scene:<16} {what:<36} {value:>14.6} {unit:<24} {ratio:>8}"),
        }
    }
}

fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads").install(work)
}

/// An empty box whose grains obey the law.
fn world_in_box(width: f64, law: &str) -> World<D3> {
    let text = Arc::new(Text { name: "law".into(), text: format!("pair = {{ {law} }}") });
    let (tree, reader) = (Node::parse(&text).0, Reader::default());
    let pair = tree.get("pair").and_then(|node| Pair::read(node, &reader)).expect("a sound law");
    let mut world = World::<D3> {
        gravity: DVec3::new(0.0, 0.0, -9.81),
        depth: 1.0,
        laws: Laws::new(1, |_, _| pair.clone()),
        ..World::default()
    };
    let max = DVec3::new(width, width, 100.0 * width);
    let walls = Cuboid { min: Components(DVec3::ZERO), max: Components(max), span: Default::default() };
    world.push_wall("box", Surface::Cuboid(walls), 0, Drive::FIXED, None);
    world
}

/// Adds grains (centre and radius) in the order of the curve, as scenarios do.
fn fill(world: &mut World<D3>, grains: &[(DVec3, f64)]) {
    let codes = along_curve::<D3>(&grains.iter().map(|(x, _)| *x).collect::<Vec<_>>());
    let mut order: Vec<usize> = (0..grains.len()).collect();
    order.sort_by_key(|id| codes[*id]);
    for id in order {
        world.bodies.push_round(grains[id].0, grains[id].1, 2500.0, 1.0, id as u32);
    }
}

/// A settled bed from a file, if there is one.
fn settled(count: usize, width: f64, law: &str) -> Option<World<D3>> {
    let folder = std::env::var("DRYSTONE_PACKINGS").ok()?;
    let text = std::fs::read_to_string(Path::new(&folder).join(format!("settled_{count}.csv"))).ok()?;
    let mut world = world_in_box(width, law);
    let rows = text.lines().filter_map(|line| {
        let numbers: Vec<f64> = line.split(',').map_while(|cell| cell.trim().parse().ok()).collect();
        <[f64; 4]>::try_from(numbers).ok()
    });
    let grains: Vec<(DVec3, f64)> = rows.map(|[x, y, z, r]| (DVec3::new(x, y, z), r)).collect();
    fill(&mut world, &grains);
    Some(world)
}

/// Kinetic energy of all grains [J].
fn kinetic(world: &World<D3>) -> f64 {
    world.grains().map(|k| world.bodies.kinetic_energy(k)).sum()
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
    let mut method = SoftParticles::new(Options::with_time_step(DT), &world);
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
    let Some(start) = settled(count, width, TSUJI) else { return };
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
    let list = mean(&mut || field.open(&world, DT, Vec::new()));
    let look = mean(&mut || {
        field.follow(&world);
        field.look(&mut world, DT, DT, 0.0).expect("grains apart");
    });
    table.row(name, "step", ns * step, "ns a grain", Some(1.0));
    table.row(name, "forces", ns * look, "ns a grain", Some(look / step));
    table.row(name, "integration and checks", ns * (step - look), "ns a grain", Some(1.0 - look / step));
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
    let Some(start) = settled(count, width, LAMMPS) else { return };
    let Taken { alone, world, .. } = run(&start, steps);
    let rate = 1e-6 * (start.grains().len() * steps) as f64 / alone;
    table.row(&name, &format!("{steps} steps on 1 thread"), rate, "million grain-steps a s", None);
    table.row(&name, "kinetic energy at the end", 1e6 * kinetic(&world), "uJ", None);
}

/// A few steps of a million spheres on a lattice, and the memory that they take.
fn million(table: &Table) {
    if !table.wants("million") {
        return;
    }
    let (columns, r) = (100, 1e-3);
    let mut world = world_in_box(2.0 * r * columns as f64 + r, TSUJI);
    let site = |k: usize| {
        let [x, y, layer] = [k % columns, k / columns % columns, k / columns / columns].map(|k| k as f64);
        let shift = r * (1.0 + layer % 2.0);
        (DVec3::new(shift + 2.0 * r * x, shift + 2.0 * r * y, r + 0.999 * layer * r * 2f64.sqrt()), r)
    };
    fill(&mut world, &(0..columns.pow(3)).map(site).collect::<Vec<_>>());
    let grains = world.grains().len() as f64;
    let mut method = SoftParticles::new(Options::with_time_step(1e-6), &world);
    method.step(&mut world).expect("a lattice");
    let since = Instant::now();
    let start = on_processor(since);
    let steps = 10;
    for _ in 0..steps {
        method.step(&mut world).expect("a lattice");
    }
    let rate = 1e-6 * grains * f64::from(steps) / (on_processor(since) - start);
    table.row("million", "10 steps on 1 thread", rate, "million grain-steps a s", None);
    memory(table, "million", grains);
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
    let Some(mut world) = settled(count, width, TSUJI) else { return };
    let mut method = SoftParticles::new(Options::with_time_step(DT), &world);
    for _ in 0..10 {
        method.step(&mut world).expect("a settled bed");
    }
    memory(table, &name, world.grains().len() as f64);
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let chosen = words.iter().filter(|word| !word.starts_with("--")).cloned().collect();
    let table = Table { csv: words.iter().any(|word| word == "--csv"), chosen };
    match table.csv {
        true => println!("scene,what,value,unit,ratio"),
        false => println!("{:<16} {:<36} {:>14} {:<24} {:>8}", "scene", "what", "value", "unit", "ratio"),
    }
    // first, while nothing else has taken memory
    on_threads(1, || {
        bed_memory(&table, 100_000, 0.43);
        million(&table);
    });
    bed(&table, 10_000, 0.20, 1000);
    bed(&table, 100_000, 0.43, 200);
    on_threads(1, || {
        lammps(&table, 10_000, 0.20, 1000);
        lammps(&table, 100_000, 0.43, 1000);
    });
}
