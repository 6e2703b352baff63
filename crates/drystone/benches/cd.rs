//! Where the time of Contact Dynamics goes.
//!
//! `cargo bench -p drystone` prints a table; `cargo bench -p drystone -- --csv` prints rows for `bench/results`;
//! a word after `--` chooses scenes with it (`kernels`, `bed`, `stored`, `drop`, `threads`, `step`, `million`).
//! Settled beds (x, y, z, r in metres, floor at z = 0, walls at 0 and W) are read from the folder that
//! DRYSTONE_PACKINGS names, as settled_1000.csv and so on, stored problems (FCLIB) from that of DRYSTONE_PROBLEMS;
//! without them those rows are left out.
//! Times on shared machines are noisy: the last column is a ratio within the same run.

mod common;

use std::time::Instant;

use common::{Table, fastest, on_threads, settled, world_in_box};
use drystone::body::Twist;
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::internals::ContactSystem;
use drystone::internals::LocalProblems;
use drystone::internals::Relaxation;
use drystone::internals::SolverBody;
use drystone::internals::{Rules, System, Verdict, solve};
use drystone::lane;
use drystone::law::{Laws, Pair};
use drystone::method::Method;
use drystone::method::cd::stored::Goal;
use drystone::method::cd::{Accelerator, Accuracy, CdOptions, ContactDynamics, Criterion, Order, Scheme};
use drystone::record::fclib;
use drystone::world::World;
use glam::DVec3;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// A bed of grains on a lattice of touching layers in a box under gravity.
fn lattice<D: Dim>(columns: usize, rows: usize, order: impl Fn(usize) -> usize) -> World<D> {
    let (r, up) = (1e-3, D::DIMENSION - 1);
    let mut world = world_in_box::<D>((2 * columns + 1) as f64 * r, &Pair::with_friction(0.5));
    let pitch = if D::DIMENSION == 2 { 3f64.sqrt() } else { 2f64.sqrt() };
    let sites = columns.pow(up as u32);
    for k in 0..sites * rows {
        let (layer, site) = (order(k) / sites, order(k) % sites);
        let shift = if layer % 2 == 1 { r } else { 0.0 };
        let x = D::Vec::from_fn(|axis| match axis == up {
            true => r + layer as f64 * r * pitch,
            false => r + shift + 2.0 * r * (site / columns.pow(axis as u32) % columns) as f64,
        });
        world.bodies.push_round(x, r, 2500.0, 1.0, k as u32);
    }
    world
}

/// How bodies follow each other in memory.
#[derive(Clone, Copy)]
enum Arranged {
    Layers,
    Stirred,
}

impl Arranged {
    fn name(self) -> &'static str {
        match self {
            Arranged::Layers => "",
            Arranged::Stirred => " stirred",
        }
    }
}

/// Has no factor in common with the numbers of grains below: its multiples go through all of them.
const COPRIME: usize = 7919;

/// One step without memory, from the impulses of the network: the parts of it, in nanoseconds a contact.
fn kernels<D: Dim>(table: &Table, columns: usize, rows: usize, arranged: Arranged) {
    let count = columns.pow(D::DIMENSION as u32 - 1) * rows;
    let mut world = match arranged {
        Arranged::Layers => lattice::<D>(columns, rows, |k| k),
        Arranged::Stirred => lattice::<D>(columns, rows, |k| k * COPRIME % count),
    };
    let name = format!("kernels {}D {count}{}", D::DIMENSION, arranged.name());
    if !table.wants(&name) {
        return;
    }
    let travel = vec![1e-6; world.bodies.len()];
    let rebuild = fastest(5, || {
        world.scratch.neighbours.rebuild(&world.state.bodies, &world.setup.surfaces, &[false], None, &travel)
    });
    let dt = 1e-4;
    let options = CdOptions { accuracy: Accuracy::Residual(1e-5), ..CdOptions::with_time_step(dt) };
    let mut method = ContactDynamics::new(options);
    for _ in 0..3 {
        method.step(&mut world).expect("a bed at rest");
    }
    world.scratch.before.clone_from(&world.state.bodies.twist);
    let mut grains = ContactSystem::default();
    let line = |body: usize| SolverBody::new(&Twist::default(), &world.bodies.inertia[body]);
    let bodies = fastest(5, || grains.set_bodies(&world, Order::Coloured, line, None));
    let terms = LocalProblems { world: &world, dt, scheme: Scheme::Euler };
    let deal = fastest(5, || grains.set_contacts(&terms));
    grains.recompute_velocities();
    grains.drop_momentum();
    let contacts = grains.len() as f64;
    let ns = 1e9 / contacts;
    let push = Relaxation { momentum: 0.3, factor: 1.0 };
    let sweep = ns * fastest(30, || grains.sweep(push));
    lane::plain_only(true);
    let plain = ns * fastest(30, || grains.sweep(push));
    lane::plain_only(false);
    let judge = ns * fastest(30, || grains.misfit());
    let restore = ns * fastest(10, || grains.recompute_velocities());
    // what a sweep must at least move: its groups read, and a third of their numbers written
    let mut memory = vec![[1.0_f64; 16]; grains.len()];
    let traffic = ns
        * fastest(10, || {
            for contact in &mut memory {
                let sum = contact.iter().sum::<f64>();
                contact[..6].fill(sum / 16.0);
            }
        });
    let mut impulses = Vec::new();
    let snapshot = ns * fastest(10, || grains.read(&mut impulses));
    table.row(&name, "contacts", contacts, "contacts", None);
    table.row(&name, "sweep in registers", sweep, "ns a contact", Some(1.0));
    table.row(&name, "sweep on plain arrays", plain, "ns a contact", Some(plain / sweep));
    table.row(&name, "as many bytes moved", traffic, "ns a contact", Some(traffic / sweep));
    table.row(&name, "residual", judge, "ns a contact", Some(judge / sweep));
    table.row(&name, "velocities from impulses", restore, "ns a contact", Some(restore / sweep));
    table.row(&name, "snapshot for the doubling test", snapshot, "ns a contact", Some(snapshot / sweep));
    table.row(&name, "bodies cut into slices", ns * bodies, "ns a contact", Some(ns * bodies / sweep));
    table.row(&name, "contacts dealt out", ns * deal, "ns a contact", Some(ns * deal / sweep));
    table.row(&name, "neighbour list rebuilt", ns * rebuild, "ns a contact", Some(ns * rebuild / sweep));
}

/// Gravity straight down, and leant by a degree to several sides: numbers of sweeps are chaotic, their mean is less so.
const SIDES: usize = 6;

/// The contact problems of a bed: gaps below a thousandth of the radius, one step of 1 ms from zero impulses, to 1e-6
/// on one thread. Returns the mean number of sweeps.
fn bed_problems(table: &Table, name: &str, start: &World<D3>) -> f64 {
    let (mut world, dt) = (start.clone(), 1e-3);
    let near: Vec<f64> = world.bodies.shape.iter().map(|shape| 0.5e-3 * shape.radius()).collect();
    world.sense(&near, |a, b| near[a] + near[b]).expect("a settled bed");
    world.remember_twists();
    let (mut sweeps, mut seconds) = (Vec::new(), Vec::new());
    for side in 0..SIDES {
        if side > 0 {
            lean(&mut world, 1.0, side as f64);
        }
        let (verdict, time) = solve_bed(&world, dt, if world.grains().len() > 10_000 { 1 } else { 5 });
        sweeps.push(verdict.sweeps as f64);
        seconds.push(time);
    }
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let contacts = world.network().contacts.len() as f64;
    let cost = 1e9 * mean(&seconds) / (contacts * mean(&sweeps));
    let (fewest, most) =
        (sweeps.iter().fold(f64::INFINITY, |a, b| a.min(*b)), sweeps.iter().fold(0.0, |a: f64, b| a.max(*b)));
    table.row(name, "problems of the step", contacts, "contacts", None);
    table.row(name, "upright problem to 1e-6", sweeps[0], "sweeps", None);
    table.row(name, "upright problem to 1e-6", 1e3 * seconds[0], "ms", None);
    table.row(name, "problems to 1e-6: mean", mean(&sweeps), "sweeps", None);
    table.row(name, "problems to 1e-6: fewest", fewest, "sweeps", None);
    table.row(name, "problems to 1e-6: most", most, "sweeps", None);
    table.row(name, "problems to 1e-6: mean", 1e3 * mean(&seconds), "ms", None);
    table.row(name, "problems to 1e-6: mean", cost, "ns a contact and sweep", None);
    mean(&sweeps)
}

/// Solves the contacts of a world at rest from zero impulses; the shortest time in seconds, with setting up.
fn solve_bed(world: &World<D3>, dt: f64, times: usize) -> (Verdict, f64) {
    let fall = Twist { v: world.gravity * dt, w: DVec3::ZERO };
    let line = |body: usize| {
        let inertia = &world.bodies.inertia[body];
        SolverBody::new(if inertia.is_movable() { &fall } else { &world.scratch.before[body] }, inertia)
    };
    let limits = Accuracy::Residual(1e-6).limits();
    let rules = Rules { limits, criterion: Criterion::Natural, min_sweeps: 0, max_sweeps: 5000 };
    let mut verdict = Verdict::default();
    let seconds = fastest(times, || {
        let mut grains = ContactSystem::default();
        grains.set_bodies(world, Order::Coloured, line, None);
        grains.set_contacts(&LocalProblems { world, dt, scheme: Scheme::Euler });
        verdict = solve(&mut grains, Accelerator::Momentum, &rules, |_, _| ());
    });
    assert!(verdict.converged, "{verdict:?}");
    (verdict, seconds)
}

/// All beds, and how sweeps grow with the number of grains.
fn beds(table: &Table) {
    let sizes = [(1000, 0.10), (10_000, 0.20), (100_000, 0.43)];
    let sweeps: Vec<(usize, f64)> =
        sizes.iter().filter_map(|(count, width)| Some((*count, bed(table, *count, *width)?))).collect();
    if let [(few, first), .., (many, last)] = sweeps[..] {
        let exponent = (last / first).ln() / (many as f64 / few as f64).ln();
        table.row("bed", "mean sweeps grow as grains to the power", exponent, "1", None);
    }
}

/// One step of a bed from zero impulses or, after a first one, of what is done to it. Returns the mean number of sweeps
/// of its problems.
fn bed(table: &Table, count: usize, width: f64) -> Option<f64> {
    let name = format!("bed {count}");
    if !table.wants(&name) {
        return None;
    }
    let start = settled(count, width, &Pair::with_friction(0.5))?;
    let mean = bed_problems(table, &name, &start);
    let accuracy = Accuracy::Residual(1e-6);
    let options =
        |accelerator| CdOptions { accuracy, accelerator, max_sweeps: 5000, ..CdOptions::with_time_step(1e-3) };
    let mut base = None;
    for accelerator in [Accelerator::Momentum, Accelerator::Nncg, Accelerator::None] {
        if count > 10_000 && accelerator != Accelerator::Momentum {
            continue;
        }
        let (mut best, mut report) = (f64::INFINITY, None);
        for _ in 0..if count > 10_000 { 1 } else { 3 } {
            let mut world = start.clone();
            let mut method = ContactDynamics::new(options(accelerator));
            report = Some(method.step(&mut world).expect("a settled bed"));
            best = best.min(report.as_ref().map_or(0.0, |report| report.solving.as_secs_f64()));
        }
        let Some(report) = report else { continue };
        let what =
            format!("cold to 1e-6 by {}{}", accelerator.name(), if report.converged { "" } else { " (stopped)" });
        table.row(&name, &what, report.sweeps as f64, "sweeps", None);
        table.row(&name, &what, 1e3 * best, "ms", Some(best / *base.get_or_insert(best)));
    }
    if count > 10_000 {
        return Some(mean);
    }
    // what is done to a bed that was solved before: the hard cases, to standard accuracy
    let mut solved = start.clone();
    ContactDynamics::new(options(Accelerator::Momentum)).step(&mut solved).expect("a settled bed");
    let mut random = Pcg64::new(5, 5);
    let gone: Vec<usize> = solved.grains().filter(|_| random.next_u64().is_multiple_of(100)).collect();
    let cases: [(&str, Change); 4] = [
        ("gravity turned by 1 deg", Box::new(|world| lean(world, 1.0, 0.0))),
        ("gravity turned by 25 deg", Box::new(|world| lean(world, 25.0, 0.0))),
        (
            "1 % of the grains taken away",
            Box::new(|world| gone.iter().for_each(|k| world.bodies.pose[*k].x.z += 50.0 * width)),
        ),
        ("friction lowered to 0.3", Box::new(|world| world.setup.laws = Laws::new(1, |_, _| Pair::with_friction(0.3)))),
    ];
    for (what, change) in &cases {
        for accelerator in [Accelerator::Momentum, Accelerator::Nncg, Accelerator::None] {
            let mut world = solved.clone();
            change(&mut world);
            let accuracy = Accuracy::Residual(1e-5);
            let mut method = ContactDynamics::new(CdOptions { accuracy, ..options(accelerator) });
            let report = method.step(&mut world).expect("a bed that moves");
            let what = format!("{what}: 1e-5 by {}", accelerator.name());
            let reached = (!report.converged).then_some(report.residual / 1e-5);
            table.row(&name, &what, report.sweeps as f64, "sweeps", reached);
        }
    }
    Some(mean)
}

/// What is done to a bed.
type Change<'a> = Box<dyn Fn(&mut World<D3>) + 'a>;

/// Turns gravity from the vertical towards a side, an angle in radians.
fn lean(world: &mut World<D3>, degrees: f64, side: f64) {
    let (angle, g) = (degrees.to_radians(), 9.81);
    world.gravity = [g * angle.sin() * side.cos(), g * angle.sin() * side.sin(), -g * angle.cos()].into();
}

/// Stored problems: the files of the folder that DRYSTONE_PROBLEMS names, to 1e-6 from zero impulses with setting up.
fn stored(table: &Table) {
    let Ok(folder) = std::env::var("DRYSTONE_PROBLEMS") else { return };
    let files = std::fs::read_dir(folder).expect("a folder of problems");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|kind| kind == "hdf5")) {
        let name = format!("stored {}", file.file_stem().unwrap_or_default().to_string_lossy());
        if !table.wants(&name) {
            continue;
        }
        let problem = fclib::read(file).expect("a problem");
        let solve = || problem.solve(Goal::residual(1e-6, 5000), |_, _| ());
        let (solution, seconds) = (solve(), fastest(5, solve));
        let reached = (!solution.converged).then_some(solution.certificate.residual / 1e-6);
        let cost = 1e9 * seconds / (solution.sweeps as f64 * problem.contacts() as f64);
        table.row(&name, "contacts", problem.contacts() as f64, "contacts", None);
        table.row(&name, "to 1e-6 by momentum", solution.sweeps as f64, "sweeps", reached);
        table.row(&name, "to 1e-6 by momentum", 1e3 * seconds, "ms", None);
        table.row(&name, "to 1e-6 by momentum", cost, "ns a contact and sweep", None);
    }
}

/// 2,500 disks dropped into a box: 1,000 steps of 1 ms to standard accuracy on one core.
fn drop_disks(table: &Table) {
    if !table.wants("drop 2500") {
        return;
    }
    let r = 5e-3;
    let mut world = world_in_box::<D2>(120.0 * r, &Pair::with_friction(0.3));
    let mut random = Pcg64::new(3, 3);
    for k in 0..2500u32 {
        let size = r * (0.7 + 0.6 * (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64);
        let (column, row) = (k % 45, k / 45);
        let x = [2.65 * r * (f64::from(column) + 0.52), 2.65 * r * (f64::from(row) + 0.55)];
        world.bodies.push_round(x.into(), size, 2500.0, 1.0, k);
    }
    on_threads(1, || {
        let mut method = ContactDynamics::new(CdOptions::with_time_step(1e-3));
        let (mut sweeps, mut unconverged, mut sensing, mut solving) = (0, 0, 0.0, 0.0);
        let start = Instant::now();
        for _ in 0..1000 {
            let report = method.step(&mut world).expect("a drop");
            (sweeps, unconverged) = (sweeps + report.sweeps, unconverged + u32::from(!report.converged));
            (sensing, solving) = (sensing + report.sensing.as_secs_f64(), solving + report.solving.as_secs_f64());
        }
        let seconds = start.elapsed().as_secs_f64();
        let overlaps: Vec<f64> =
            world.network().contacts.iter().map(|contact| world.relative_overlap(contact).max(0.0)).collect();
        let mean = overlaps.iter().sum::<f64>() / overlaps.len() as f64;
        table.row("drop 2500", "step", seconds, "ms", Some(1.0));
        table.row("drop 2500", "sensing", sensing, "ms", Some(sensing / seconds));
        table.row("drop 2500", "solving", solving, "ms", Some(solving / seconds));
        table.row("drop 2500", "sweeps a step", sweeps as f64 / 1000.0, "sweeps", None);
        table.row("drop 2500", "steps not converged of 1000", f64::from(unconverged), "steps", None);
        table.row("drop 2500", "mean overlap at the end", 1e6 * mean, "1e-6 of radius", None);
    });
}

/// What a second thread is worth.
fn threads(table: &Table) {
    for (columns, rows) in [(22, 21), (46, 48)] {
        let name = format!("threads 3D {}", columns * columns * rows);
        if !table.wants(&name) {
            continue;
        }
        let world = lattice::<D3>(columns, rows, |k| k);
        let options =
            CdOptions { accuracy: Accuracy::Residual(1e-12), max_sweeps: 200, ..CdOptions::with_time_step(1e-4) };
        let mut alone = None;
        for threads in [1, 2] {
            let (time, hash) = on_threads(threads, || {
                let (mut best, mut hash) = (f64::INFINITY, 0);
                for _ in 0..3 {
                    let mut world = world.clone();
                    let report = ContactDynamics::new(options.clone()).step(&mut world).expect("a bed at rest");
                    best = best.min(report.solving.as_secs_f64());
                    hash = world.hash();
                }
                (best, hash)
            });
            let (first, bits) = *alone.get_or_insert((time, hash));
            assert_eq!(hash, bits, "the same bits on any number of threads");
            table.row(&name, &format!("200 sweeps on {threads} threads"), 1e3 * time, "ms", Some(first / time));
        }
    }
}

/// Sweeps of every step in [`whole_step`].
const FEW: u64 = 8;

/// Whole steps of settled beds with few sweeps, on one and two threads, and the parts of a step on one. Ratios are to one
/// sweep; those of whole steps to one thread.
fn whole_steps(table: &Table) {
    for (count, width) in [(10_000, 0.20), (100_000, 0.43)] {
        let name = format!("step {count}");
        if !table.wants(&name) {
            continue;
        }
        if let Some(start) = settled(count, width, &Pair::with_friction(0.5)) {
            whole_step(table, &name, &start);
        }
    }
}

fn whole_step(table: &Table, name: &str, start: &World<D3>) {
    let dt = 1e-3;
    let options = || CdOptions { fixed_sweeps: Some(FEW), ..CdOptions::with_time_step(dt) };
    let mut alone = None;
    for threads in [1, 2] {
        let (step, sensing, solving, hash) = on_threads(threads, || {
            let (mut world, mut method) = (start.clone(), ContactDynamics::new(options()));
            let mut best = [f64::INFINITY; 3];
            for _ in 0..10 {
                let since = Instant::now();
                let report = method.step(&mut world).expect("a settled bed");
                let step = since.elapsed();
                let parts = [step, report.sensing, report.solving].map(|time| time.as_secs_f64());
                best.iter_mut().zip(parts).for_each(|(best, part)| *best = best.min(part));
            }
            (best[0], best[1], best[2], world.hash())
        });
        let (first, bits) = *alone.get_or_insert((step, hash));
        assert_eq!(hash, bits, "the same bits on any number of threads");
        let part = Some(first / step);
        table.row(name, &format!("step on {threads} threads"), 1e3 * step, "ms", part);
        table.row(name, &format!("search and narrow phase on {threads} threads"), 1e3 * sensing, "ms", None);
        table.row(name, &format!("forces on {threads} threads"), 1e3 * solving, "ms", None);
    }
    on_threads(1, || parts_of_a_step(table, name, start, dt, alone.map_or(0.0, |(step, _)| step)));
}

/// The parts of a step from which others are timed one by one.
fn parts_of_a_step(table: &Table, name: &str, start: &World<D3>, dt: f64, step: f64) {
    let mut world = start.clone();
    let options = CdOptions { fixed_sweeps: Some(FEW), ..CdOptions::with_time_step(dt) };
    let mut method = ContactDynamics::new(options);
    for _ in 0..3 {
        method.step(&mut world).expect("a settled bed");
    }
    let travel: Vec<f64> = world.bodies.shape.iter().map(|shape| 0.5e-3 * shape.radius()).collect();
    let rebuild = fastest(3, || {
        world.scratch.neighbours.rebuild(&world.state.bodies, &world.setup.surfaces, &[false], None, &travel);
    });
    let sense = fastest(5, || world.sense(&travel, |a, b| travel[a] + travel[b]).expect("a settled bed"));
    let missed = fastest(5, || world.missed(dt).expect("a settled bed"));
    let mut system = ContactSystem::default();
    let line = |body: usize| SolverBody::new(&world.scratch.before[body], &world.bodies.inertia[body]);
    let bodies = fastest(5, || system.set_bodies(&world, Order::Coloured, line, None));
    let problems = LocalProblems { world: &world, dt, scheme: Scheme::Euler };
    let deal = fastest(5, || system.set_contacts(&problems));
    let restore = fastest(5, || system.recompute_velocities());
    let momentum = fastest(5, || system.drop_momentum());
    let sweep = fastest(20, || system.sweep(Relaxation { momentum: 0.3, factor: 1.0 }));
    let judge = fastest(10, || system.misfit());
    let mut impulses = Vec::new();
    let snapshot = fastest(10, || system.read(&mut impulses));
    let growth = fastest(5, || (world.max_overlap(), world.kinetic_energy()));
    let state = fastest(5, || drystone::method::check_state(&world).is_ok());
    let drift = fastest(5, || world.drift(0.0));
    let row = |what: &str, time: f64| table.row(name, what, 1e3 * time, "ms", Some(time / sweep));
    row("whole step", step);
    row("sweep", sweep);
    row("around the sweeps", step - FEW as f64 * sweep);
    row("neighbour list rebuilt", rebuild);
    row("contacts found and impulses recalled", sense);
    row("contacts that were missed", missed);
    row("bodies cut into slabs", bodies);
    row("contacts dealt out and prepared", deal);
    row("velocities from impulses", restore);
    row("momentum dropped", momentum);
    row("residual and velocity error", judge);
    row("snapshot for the doubling test", snapshot);
    row("overlaps and energy", growth);
    row("state checked", state);
    row("motion", drift);
}

/// One step of a million spheres, and the memory that it takes.
fn million(table: &Table) {
    if !table.wants("million") {
        return;
    }
    let mut world = lattice::<D3>(100, 100, |k| k);
    let grains = world.grains().len();
    let options = CdOptions { accuracy: Accuracy::Residual(1e-4), ..CdOptions::with_time_step(1e-4) };
    let start = Instant::now();
    let report = ContactDynamics::new(options).step(&mut world).expect("a bed at rest");
    let seconds = start.elapsed().as_secs_f64();
    table.row("million", "grains", grains as f64, "grains", None);
    table.row("million", "contacts", report.contacts as f64, "contacts", None);
    table.row("million", "step from rest to 1e-4", seconds, "s", None);
    table.row("million", "sweeps", report.sweeps as f64, "sweeps", None);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    if let Some(peak) = peak {
        table.row("million", "memory", 1024.0 * peak / grains as f64, "bytes a grain", None);
    }
}

fn main() {
    let table = Table::begin();
    on_threads(1, || {
        kernels::<D2>(&table, 50, 50, Arranged::Layers);
        kernels::<D2>(&table, 150, 150, Arranged::Layers);
        kernels::<D3>(&table, 10, 10, Arranged::Layers);
        kernels::<D3>(&table, 22, 21, Arranged::Layers);
        kernels::<D3>(&table, 46, 48, Arranged::Layers);
        kernels::<D3>(&table, 46, 48, Arranged::Stirred);
        beds(&table);
        stored(&table);
    });
    drop_disks(&table);
    threads(&table);
    whole_steps(&table);
    on_threads(1, || million(&table));
}
