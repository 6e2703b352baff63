//! What stones and clumps cost: contacts found, a sweep against that of round grains, and where the time of a settling
//! heap goes.
//!
//! `cargo bench -p drystone --bench stones` prints a table; `-- --csv` prints rows for `bench/results`; a word after
//! `--` chooses scenes with it (`plane`, `space`, `settling`). Times on shared machines are noisy: the last column is a
//! ratio within the same run, of sweeps to that of round grains in the same dimension.

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::{Table, fastest, on_threads, world_in_box};
use drystone::body::Twist;
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::input::Reader;
use drystone::internals::ContactSystem;
use drystone::internals::LocalProblems;
use drystone::internals::Relaxation;
use drystone::internals::SolverBody;
use drystone::internals::System;
use drystone::law::Pair;
use drystone::method::Method;
use drystone::method::cd::{Accuracy, CdOptions, ContactDynamics, Order, Scheme};
use drystone::scenario::AnyScenario;
use drystone::scenario::template::Template;
use drystone::shape::{Clump, Polygon, Polyhedron};
use drystone::world::World;
use glam::{DVec2, DVec3};

/// Length of a brick; it is half as high.
const WIDTH: f64 = 2e-3;

/// A world of bodies in courses, each shifted by half against the one below, and pushed by `push`.
fn courses<D: Dim>(columns: usize, courses: usize, height: f64, push: impl Fn(&mut World<D>, D::Vec, u32)) -> World<D> {
    let mut world = world_in_box::<D>((columns + 2) as f64 * WIDTH, &Pair::with_friction(0.5));
    let layer = if D::DIMENSION == 2 { columns } else { columns * columns };
    for k in 0..layer * courses {
        let (course, row, place) = (k / layer, k % layer / columns, k % columns);
        let shift = 0.5 * (course % 2) as f64;
        let (x, y) = (WIDTH * (1.0 + place as f64 + shift), WIDTH * (1.0 + row as f64 + shift));
        let up = height * (course as f64 + 0.5);
        let at = D::Vec::from_fn(|axis| if axis + 1 == D::DIMENSION { up } else { [x, y][axis] });
        push(&mut world, at, k as u32);
    }
    world
}

/// Contacts found, swept and judged; the ratio of the sweep is to `round`, that of round grains [ns a contact]. Gives
/// its own.
fn measure<D: Dim>(table: &Table, name: &str, mut world: World<D>, round: Option<f64>) -> f64 {
    let dt = 1e-4;
    let options = CdOptions { accuracy: Accuracy::Residual(1e-3), ..CdOptions::with_time_step(dt) };
    let mut method = ContactDynamics::new(options);
    for _ in 0..3 {
        method.step(&mut world).expect("bodies at rest");
    }
    let travel = vec![1e-6; world.bodies.len()];
    let sense = fastest(5, || world.sense(&travel, |_, _| 1e-6).expect("bodies apart"));
    world.remember_twists();
    let mut grains = ContactSystem::default();
    let line = |body: usize| SolverBody::new(&Twist::default(), &world.bodies.inertia[body]);
    grains.set_bodies(&world, Order::Coloured, line, None);
    let deal = fastest(5, || grains.set_contacts(&LocalProblems { world: &world, dt, scheme: Scheme::Euler }));
    grains.recompute_velocities();
    grains.drop_momentum();
    let contacts = grains.len() as f64;
    let push = Relaxation { momentum: 0.3, factor: 1.0 };
    let ns = 1e9 / contacts;
    let sweep = ns * fastest(30, || grains.sweep(push));
    let judge = ns * fastest(30, || grains.misfit());
    let of_round = |time: f64| Some(time / round.unwrap_or(sweep));
    table.row(name, "contacts", contacts, "contacts", None);
    table.row(name, "contacts found", 1e-6 * contacts / sense, "million a second", None);
    table.row(name, "sweep", sweep, "ns a contact", of_round(sweep));
    table.row(name, "residual", judge, "ns a contact", Some(judge / sweep));
    table.row(name, "contacts dealt out", ns * deal, "ns a contact", Some(ns * deal / sweep));
    sweep
}

fn in_the_plane(table: &Table) {
    if !table.wants("plane") {
        return;
    }
    let density = 2500.0;
    let disks = courses::<D2>(50, 50, WIDTH * 0.75_f64.sqrt(), |world, x, id| {
        world.bodies.push_round(x, 0.5 * WIDTH, density, 1.0, id);
    });
    let round = measure(table, "plane 2500 disks", disks, None);
    let brick = Polygon::rectangle(WIDTH, 0.5 * WIDTH).expect("a brick");
    let bricks = courses::<D2>(50, 50, 0.5 * WIDTH, |world, x, id| {
        world.bodies.push_polygon(DVec2::new(x.get(0), x.get(1)), &brick, density, 1.0, id);
    });
    measure(table, "plane 2500 bricks", bricks, Some(round));
    let end = DVec3::X * (0.25 * WIDTH);
    let dimer = Clump::new::<D2>(&[(-end, 0.25 * WIDTH), (end, 0.25 * WIDTH)]).expect("a dimer");
    let dimers = courses::<D2>(50, 50, 0.5 * WIDTH, |world, x, id| {
        world.bodies.push_clump(x, &dimer, density, 1.0, id);
    });
    measure(table, "plane 2500 dimers", dimers, Some(round));
}

fn in_space(table: &Table) {
    if !table.wants("space") {
        return;
    }
    let density = 2500.0;
    let spheres = courses::<D3>(12, 10, WIDTH * 0.5_f64.sqrt(), |world, x, id| {
        world.bodies.push_round(x, 0.5 * WIDTH, density, 1.0, id);
    });
    let round = measure(table, "space 1440 spheres", spheres, None);
    let brick = Polyhedron::cuboid(DVec3::new(WIDTH, WIDTH, 0.5 * WIDTH)).expect("a brick");
    let bricks = courses::<D3>(12, 10, 0.5 * WIDTH, |world, x, id| {
        world.bodies.push_polyhedron(x, &brick, density, id);
    });
    measure(table, "space 1440 bricks", bricks, Some(round));
    let capsule = Clump::capsule::<D3>(0.5 * WIDTH, 0.25 * WIDTH);
    let capsules = courses::<D3>(12, 10, 0.5 * WIDTH, |world, x, id| {
        world.bodies.push_clump(x, &capsule, density, 1.0, id);
    });
    measure(table, "space 1440 capsules", capsules, Some(round));
}

/// A thousand irregular polyhedra fall and settle: time a step, and where it goes.
fn settling(table: &Table) {
    let name = "settling 1000 polyhedra";
    if !table.wants(name) {
        return;
    }
    let text = Template::find("stones3d").expect("it ships").text;
    let changes = ["grains.0.count=1000", "grains.0.place.max=[0.12, 0.12, 0.25]", "wall.0.max=[0.12, 0.12, 0.5]"];
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_string()).collect();
    let scenario = AnyScenario::parse("stones3d", text, &changes, Reader::default()).expect("it is sound");
    let AnyScenario::Space(scenario) = scenario else { unreachable!("stones3d is in space") };
    let mut world = scenario.build(Path::new(".")).expect("it is sound");
    let mut method = ContactDynamics::new(CdOptions::with_time_step(2e-4));
    let (steps, start) = (1000_u32, Instant::now());
    let (mut sensing, mut solving, mut sweeps, mut contacts) = (Duration::ZERO, Duration::ZERO, 0, 0);
    for _ in 0..steps {
        let report = method.step(&mut world).expect("stones that fall");
        sensing += report.sensing;
        solving += report.solving;
        sweeps += report.sweeps;
        contacts = contacts.max(report.contacts);
    }
    let whole = start.elapsed();
    let ms = |time: Duration| 1e3 * time.as_secs_f64() / f64::from(steps);
    let part = |time: Duration| Some(time.as_secs_f64() / whole.as_secs_f64());
    table.row(name, "most contacts", contacts as f64, "contacts", None);
    table.row(name, "sweeps", sweeps as f64 / f64::from(steps), "a step", None);
    table.row(name, "step", ms(whole), "ms", Some(1.0));
    table.row(name, "contacts found", ms(sensing), "ms a step", part(sensing));
    table.row(name, "forces found", ms(solving), "ms a step", part(solving));
}

fn main() {
    let table = Table::begin();
    on_threads(1, || {
        in_the_plane(&table);
        in_space(&table);
        settling(&table);
    });
}
