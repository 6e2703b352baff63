//! What static friction as a constraint costs: a step of a pile of 200 and of 1,000 disks, and its parts.
//!
//! `cargo bench -p drystone --bench dae` prints a table; `-- --csv` prints rows for `bench/results`. Piles are
//! hexagonal heaps at rest on a floor, under both integrators. The last column is the part of the step that the
//! multipliers take, or how often the pattern of the matrix was analysed anew over how often it was factorised.

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use common::Table;
use drystone::dim::D2;
use drystone::drive::Drive;
use drystone::input::quantity::{Components, UnitVector};
use drystone::input::{Node, Reader, Text, Value};
use drystone::law::{Laws, Pair};
use drystone::method::Method;
use drystone::method::dae::{Dae, DaeOptions};
use drystone::wall::{Plane, Surface};
use drystone::world::World;
use glam::DVec2;

const LAW: &str = "{ friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e5, damping = 300 } } }";

fn read<T: Value>(text: &str) -> T {
    let text = Arc::new(Text { name: "bench".into(), text: format!("value = {text}") });
    let (tree, reader) = (Node::parse(&text).0, Reader::default());
    tree.get("value").and_then(|node| T::read(node, &reader)).expect("a sound value")
}

/// A heap of so many disks, in rows each one shorter than the one below.
fn heap(count: usize) -> World<D2> {
    let pair: Pair = read(LAW);
    let mut world = World::<D2>::new(Laws::new(1, |_, _| pair.clone()));
    world.gravity = DVec2::new(0.0, -9.81);
    let plane = Plane { point: Components(DVec2::ZERO), normal: UnitVector(DVec2::Y), rough: None };
    world.push_wall("floor", Surface::Plane(plane), 0, Drive::FIXED, None);
    let rows = ((2.0 * count as f64 + 0.25).sqrt() - 0.5).ceil() as usize;
    let places = (0..rows).flat_map(|row| {
        (0..rows - row)
            .map(move |k| (k as f64 - 0.5 * (rows - row) as f64, 0.4999 + row as f64 * 0.75_f64.sqrt() * 0.9999))
    });
    for (id, (x, y)) in places.take(count).enumerate() {
        let density = 1.0 / D2_DISK;
        let body = world.bodies.push_round(DVec2::new(x * 0.9999, y), 0.5, density, 1.0, id as u32);
        world.bodies.inertia[body] = drystone::body::Inertia::unturnable(1.0);
    }
    world
}

/// Area of a disk of diameter 1.
const D2_DISK: f64 = std::f64::consts::FRAC_PI_4;

fn main() {
    let table = Table::begin();
    let row =
        |scene: &str, what: &str, value: f64, unit: &str, ratio: f64| table.row(scene, what, value, unit, Some(ratio));
    for count in [200, 1000] {
        for integrator in ["gear", "rk4"] {
            let mut world = heap(count);
            let options: DaeOptions = read(&format!("{{ time_step = \"auto\", integrator = \"{integrator}\" }}"));
            let mut method = Dae::new(options, &world);
            // the heap settles for a while
            let start = Instant::now();
            for _ in 0..200 {
                method.step(&mut world).expect("a step");
            }
            let settling = start.elapsed().as_secs_f64() / 200.0;
            let (analysed, factorised) = (method.field.multipliers.analysed, method.field.multipliers.factorised);
            let steps = if count > 500 { 50 } else { 200 };
            let (mut solving, start) = (Duration::ZERO, Instant::now());
            for _ in 0..steps {
                solving += method.step(&mut world).expect("a step").solving;
            }
            let all = start.elapsed();
            let scene = format!("heap {count}");
            let share = solving.as_secs_f64() / all.as_secs_f64();
            row(&scene, &format!("{integrator}: step"), 1e3 * all.as_secs_f64() / f64::from(steps), "ms", share);
            row(
                &scene,
                &format!("{integrator}: step while it settles"),
                1e3 * settling,
                "ms",
                settling * f64::from(steps) / all.as_secs_f64(),
            );
            let numbers = &method.field.multipliers;
            let often = (numbers.factorised - factorised) as f64;
            let anew = (numbers.analysed - analysed) as f64 / often.max(1.0);
            row(&scene, &format!("{integrator}: factorisations a step"), often / f64::from(steps), "1", anew);
        }
    }
}
