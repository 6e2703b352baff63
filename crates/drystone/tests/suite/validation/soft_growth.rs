//! Soft grains that grow: forces are those of the overlaps that growth makes, dashpots feel it, and the books hold.

use std::path::{Path, PathBuf};

use drystone::method::Kind;
use drystone::record::RunFolder;
use drystone::sim::{self, Run};

use super::expect::expect;
use super::growth::{grown, start};
use super::stored::{column, frames};

/// Two grains between two walls, which they touch.
const CONFINED: &str = r#"
title     = "two grains that grow between walls"
dimension = 2
gravity   = [0, 0]
material  = [{ name = "stone", density = 1 }]
method    = { use = "md", md = { time_step = 2e-5, integrator = "verlet" } }
output    = { frames = 0.5, series = ["energy"], series_every = 0.5 }
contact   = [{ between = ["stone", "stone"], friction = 0, md = { normal = { law = "hooke", stiffness = 1e5, damping = 1e3 } } }]
stage     = [{ name = "grow", grow = { rate = 0.01 }, until = { after = 1 }, limit = 2 }]

[[grains]]
material = "stone"
shape    = { kind = "disk", radius = 0.5 }
place    = { how = "at", points = [[0, 0.5]] }

[[grains]]
material = "stone"
shape    = { kind = "disk", radius = 0.3 }
place    = { how = "at", points = [[0, 1.3]] }

[[wall]]
name     = "floor"
kind     = "plane"
point    = [0, 0]
normal   = [0, 1]
material = "stone"

[[wall]]
name     = "lid"
kind     = "plane"
point    = [0, 1.6]
normal   = [0, -1]
material = "stone"
"#;

/// Runs a scenario to its end.
fn finish(text: &str, name: &str) -> (Box<dyn Run>, PathBuf) {
    let (mut run, path) = start(text, name);
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    (run, path)
}

/// Growth by g makes s = 2 (r_a + r_b) longer than their room L, and three contacts share it. Each bears
/// (k (s - L) + c g s) / 3, stores (k (s - L) / 3)^2 / 2k and takes c (g s / 3)^2 out in a second.
fn confined(text: &str, name: &str) {
    let case = "two soft grains that grow between walls";
    let of = |what: &str| format!("{name}: {what}");
    let (k, c, g, room) = (1e5, 1e3, 0.01, 1.6);
    let (_, path) = finish(text, &format!("confined {name}"));
    let frames = frames(&path);
    let (first, last) = (&frames[0], frames.last().expect("a frame"));
    let grown = (1.0 + g * 2e-5_f64).powi(last.step as i32);
    assert!(last.step >= 50_000);
    expect(case, Kind::Md, of("radius"), last.grains.radius[0], 0.5 * grown)
        .within(1e-11, "rounding of 50,000 products");
    let heavier = last.grains.mass[1] / first.grains.mass[1];
    expect(case, Kind::Md, of("mass over that of the start"), heavier, grown.powi(last.dimension as i32))
        .within(1e-11, "the same density");
    let (size, elastic) = (room * grown, k * room * (grown - 1.0) / 3.0);
    for (wall, force) in last.wall_states.force.iter().enumerate() {
        let force = force.iter().map(|part| part * part).sum::<f64>().sqrt();
        expect(case, Kind::Md, of(&format!("force on wall {wall}")), force, elastic + c * g * size / 3.0)
            .within(1e-5, "grains are accelerated by g^2 r, and growth is counted in steps");
    }
    let end = |name: &str| *column(&path, name).last().expect("a row");
    expect(case, Kind::Md, of("elastic energy"), end("elastic_energy"), 1.5 * elastic * elastic / k)
        .within(1e-5, "three springs");
    let rubbed = c * g * room * room * (grown * grown - 1.0) / 6.0; // c (g s)^2 / 3 over the time
    expect(case, Kind::Md, of("energy taken by dashpots"), end("dissipated_energy"), rubbed)
        .within(0.02, "forces count from look to look: force times growth of half a step, and the first strokes");
    let missing = end("kinetic_energy") + end("elastic_energy") + end("dissipated_energy") - end("wall_work");
    expect(case, Kind::Md, of("energy not accounted for"), missing / end("wall_work"), 0.0)
        .within(2e-5, "growth is felt up to a step early: its length over the time");
}

#[test]
fn grains_that_grow_between_walls_press_with_their_overlaps() {
    for integrator in ["verlet", "leapfrog", "gear", "suzuki_trotter"] {
        confined(&CONFINED.replace("verlet", integrator), integrator);
    }
    // a law that is not plain goes through batches
    confined(&CONFINED.replace("friction = 0, md", "friction = 0, rolling = { length = 1e-3 }, md"), "rolling");
    let text = CONFINED.replace("dimension = 2", "dimension = 3").replace("disk", "sphere").replace("[0, ", "[0, 0, ");
    confined(&text, "in space");
}

/// A hundredth of the stiffness takes a tenth of the steps.
const SOFTER: (&str, &str) = ("1e6 N/m", "1e4 N/m");

/// The scenario `grown` with soft disks: fast to a fraction that they fill without pressing, then slowly until 4 kPa.
fn soft(seed: u32) -> String {
    let grow = "[[stage]]\nname  = \"grow\"\ngrow  = { rate = \"0.1 1/s\" }";
    let slowly = "[[stage]]\nname = \"fast\"\ngrow = { rate = 0.3 }\nuntil = { solid_fraction = 0.78 }\nlimit = 6\n\n\
        [[stage]]\nname = \"grow\"\ngrow = { rate = 0.02 }";
    let seed = format!("seed      = {seed}");
    let changes = [("use = \"cd\"", "use = \"md\""), ("100 kPa", "4 kPa"), ("seed      = 3", &seed), (grow, slowly)];
    grown(&[&changes[..], &[("\"10 ms\"", "\"25 ms\""), ("\"200 ms\"", "\"1 s\""), SOFTER]].concat())
}

/// Where the pressure begins: it rises linearly with the fraction, and its upper half is drawn on to zero.
fn jammed_at(path: &Path) -> f64 {
    let points: Vec<(f64, f64)> = column(path, "solid_fraction").into_iter().zip(column(path, "pressure")).collect();
    let (fraction, pressure) = *points.last().expect("a row");
    let lower = points.iter().rposition(|point| point.1 < 0.5 * pressure).expect("it begins without pressure") + 1;
    let (from, at) = points[lower];
    assert!(points.len() - lower > 4, "enough rows on the way: {}", points.len() - lower);
    fraction - pressure * (fraction - from) / (pressure - at)
}

/// Random close packing of frictionless disks 1 : 1.4 has 0.842 in the limit of many grains [OHern].
#[test]
fn frictionless_soft_disks_that_grow_jam_at_random_close_packing() {
    let fractions = [1, 2, 3, 4].map(|seed| {
        let (run, path) = finish(&soft(seed), &format!("soft{seed}"));
        assert_eq!(run.summary()["stages"][1]["rule"], "pressure");
        jammed_at(&path)
    });
    println!("{fractions:?}");
    let mean = fractions.iter().sum::<f64>() / 4.0;
    expect("soft disks that grow until they jam", Kind::Md, "solid fraction, four packings of 80 disks", mean, 0.842)
        .within(0.0119, "0.01: packings of 80 disks scatter by 0.007");
}

#[test]
fn a_soft_run_that_grows_goes_on_with_the_same_bits() {
    let text = soft(3).replace("pressure = \"4 kPa\"", "solid_fraction = 0.785");
    let (whole, path) = finish(&text, "soft whole");
    assert!(*column(&path, "dissipated_energy").last().unwrap() > 0.0, "they meet");
    let (mut part, path) = start(&text, "soft part");
    (0..70_000).for_each(|_| _ = part.advance().unwrap());
    part.interrupt().unwrap();
    drop(part);
    let mut rest = sim::resume(RunFolder::open(&path).unwrap()).unwrap_or_else(|error| panic!("{error}"));
    while rest.advance().unwrap().is_some() {}
    assert_eq!(rest.summary()["hash"], whole.summary()["hash"]);
}

#[test]
fn any_number_of_threads_gives_the_same_bits_to_soft_grains_that_grow() {
    let many = [("= 40", "= 1500"), ("152 mm", "930 mm"), ("\"0.1 1/s\"", "\"10 1/s\"")];
    let text = grown(&[&many[..], &[("use = \"cd\"", "use = \"md\""), SOFTER]].concat());
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
        pool.install(|| {
            let (mut run, _) = start(&text, &format!("{threads} threads"));
            (0..500).for_each(|_| _ = run.advance().unwrap());
            assert!(run.summary()["contacts"].as_u64().unwrap() > 100, "they meet: {}", run.summary()["contacts"]);
            run.summary()["hash"].clone()
        })
    };
    let alone = hash(1);
    for threads in [2, 4] {
        assert_eq!(hash(threads), alone, "{threads} threads");
    }
}
