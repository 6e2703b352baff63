//! What the benches share: the table that they print, times, and beds to try.

#![allow(dead_code, reason = "no bench uses all of it")]

use std::fmt::Display;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use drystone::dim::{D3, Dim, Vector};
use drystone::drive::Drive;
use drystone::input::quantity::Components;
use drystone::internals::along_curve;
use drystone::law::{Laws, Pair};
use drystone::wall::{Cuboid, Surface};
use drystone::world::World;
use glam::DVec3;

/// Rows of numbers for people, or with `--csv` for files. Other words of the command line choose scenes.
pub(crate) struct Table {
    csv: bool,
    chosen: Vec<String>,
}

impl Table {
    /// The table that the command line asks for, with its heading.
    pub(crate) fn begin() -> Table {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let chosen = words.iter().filter(|word| !word.starts_with("--")).cloned().collect();
        let table = Table { csv: words.iter().any(|word| word == "--csv"), chosen };
        match table.csv {
            true => println!("scene,what,value,unit,ratio"),
            false => Table::line("scene", "what", "value", "unit", "ratio"),
        }
        table
    }

    /// Whether a scene is asked for: by its name, or by one of the words of its name.
    pub(crate) fn wants(&self, scene: &str) -> bool {
        let is_of = |word: &String| scene == word || scene.split(' ').any(|part| part == word);
        self.chosen.is_empty() || self.chosen.iter().any(is_of)
    }

    /// Prints a row; the ratio is to something else of the same run.
    pub(crate) fn row(&self, scene: &str, what: &str, value: f64, unit: &str, ratio: Option<f64>) {
        let ratio = ratio.map_or(String::new(), |ratio| format!("{ratio:.3}"));
        match self.csv {
            true => println!("{scene},{what},{value:.6},{unit},{ratio}"),
            false => Table::line(scene, what, format!("{value:.6}"), unit, ratio),
        }
    }

    fn line(scene: &str, what: &str, value: impl Display, unit: &str, ratio: impl Display) {
        println!("{scene:<26} {what:<44} {value:>16} {unit:<24} {ratio:>8}");
    }
}

/// Shortest of several runs, in seconds.
pub(crate) fn fastest<T>(times: usize, mut work: impl FnMut() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64()
    };
    (0..times).map(time).fold(f64::INFINITY, f64::min)
}

/// Does the work on so many threads.
pub(crate) fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads").install(work)
}

/// A tall box without a grain in it.
pub(crate) fn world_in_box<D: Dim>(width: f64, pair: &Pair) -> World<D> {
    let up = D::DIMENSION - 1;
    let mut world = World::<D>::new(Laws::new(1, |_, _| pair.clone()));
    world.gravity = D::Vec::from_fn(|axis| if axis == up { -9.81 } else { 0.0 });
    let max = D::Vec::from_fn(|axis| if axis == up { 100.0 * width } else { width });
    let walls = Cuboid { min: Components(D::Vec::ZERO), max: Components(max) };
    world.push_wall("box", Surface::Cuboid(walls), 0, Drive::FIXED, None);
    world
}

/// Adds grains (centre and radius) in the order of the curve, as scenarios do.
pub(crate) fn fill(world: &mut World<D3>, grains: &[(DVec3, f64)]) {
    let codes = along_curve::<D3>(&grains.iter().map(|(x, _)| *x).collect::<Vec<_>>());
    let mut order: Vec<usize> = (0..grains.len()).collect();
    order.sort_by_key(|id| codes[*id]);
    for id in order {
        world.bodies.push_round(grains[id].0, grains[id].1, 2500.0, 1.0, id as u32);
    }
}

/// The grains of a settled bed, if there is a file with them.
pub(crate) fn settled_grains(count: usize) -> Option<Vec<(DVec3, f64)>> {
    let folder = std::env::var("DRYSTONE_PACKINGS").ok()?;
    let text = std::fs::read_to_string(Path::new(&folder).join(format!("settled_{count}.csv"))).ok()?;
    let rows = text.lines().filter_map(|line| {
        let numbers: Vec<f64> = line.split(',').map_while(|cell| cell.trim().parse().ok()).collect();
        <[f64; 4]>::try_from(numbers).ok()
    });
    Some(rows.map(|[x, y, z, r]| (DVec3::new(x, y, z), r)).collect())
}

/// A settled bed in its box, if there is a file with it.
pub(crate) fn settled(count: usize, width: f64, pair: &Pair) -> Option<World<D3>> {
    let grains = settled_grains(count)?;
    let mut world = world_in_box(width, pair);
    fill(&mut world, &grains);
    Some(world)
}
