//! Grains that grow: they push each other apart as fast as their surfaces come, without overlap; masses follow; the
//! books hold.
//!
//! A step of dt multiplies radii by 1 + g dt. Grown slowly in a periodic cell, frictionless disks of two sizes jam at
//! the fraction of random close packing.

use std::f64::consts::PI;
use std::fs;
use std::path::{Path, PathBuf};

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::input::Reader;
use drystone::method::Kind;
use drystone::record::RunFolder;
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run};
use drystone::world::World;

use super::expect::expect;
use super::stage::{G, Stage, along, upward};
use super::stored::column;

const DT: f64 = 1e-3;
const RATE: f64 = 0.3;

/// Energy of the grains, with what was lost and without what was put in [J].
fn books<D: Dim>(world: &World<D>) -> f64 {
    let own = |k: usize| {
        let weight = world.gravity * world.bodies.inertia[k].mass();
        world.bodies.kinetic_energy(k) - weight.dot(world.bodies.pose[k].x)
    };
    world.grains().map(own).sum::<f64>() + world.ledger().dissipated - world.ledger().wall_work
}

fn pair_is_pushed_apart<D: Dim>() {
    let case = "two grains that grow";
    let of = |what: &str| format!("{}D: {what}", D::DIMENSION);
    let mut stage = Stage::<D>::new(0.4, DT, 1e-13);
    let (a, b) = (stage.grain(along::<D>(0) * -0.5, 0.5, 1.0), stage.grain(along::<D>(0), 1.0, 3.0));
    stage.world.setup.growth = RATE;
    let start = books(&stage.world);
    stage.step();
    // from rest, momentum zero: 1.5 m of radii grow with 0.3 1/s, shared as 3 : 1
    let speed = |stage: &mut Stage<D>, k: usize| stage.twist(k).v.get(0);
    expect(case, Kind::Cd, of("velocity of 1 kg"), speed(&mut stage, a), -0.75 * 1.5 * RATE).within(1e-13, "rounding");
    expect(case, Kind::Cd, of("velocity of 3 kg"), speed(&mut stage, b), 0.25 * 1.5 * RATE).within(1e-13, "rounding");
    let steps = 500;
    stage.run(steps - 1);
    let grown = (1.0 + RATE * DT).powi(steps as i32);
    let radius = stage.world.bodies.shape[b].radius();
    expect(case, Kind::Cd, of("radius after 0.5 s"), radius, grown).within(1e-12, "rounding of 500 products");
    expect(case, Kind::Cd, of("mass after 0.5 s"), stage.mass(b), 3.0 * grown.powi(D::DIMENSION as i32))
        .within(1e-12, "at the same density");
    let moment = stage.moment(b) / stage.mass(b);
    let round = if D::DIMENSION == 2 { 0.5 } else { 0.4 };
    expect(case, Kind::Cd, of("moment over mass and radius squared"), moment / (radius * radius), round)
        .within(1e-12, "of a solid disk or ball");
    let apart = speed(&mut stage, b) - speed(&mut stage, a);
    expect(case, Kind::Cd, of("velocity apart"), apart, 1.5 * RATE * grown / (1.0 + RATE * DT))
        .within(1e-12, "of the radii at the start of the step");
    let gap = (stage.x(b) - stage.x(a)).norm() - 1.5 * grown;
    expect(case, Kind::Cd, of("gap over the radius"), gap / radius, 0.0).within(1e-12, "rounding: no overlap");
    let work = stage.world.ledger().wall_work;
    assert!(work > 0.1, "growth does work: {work} J");
    expect(case, Kind::Cd, of("energy not accounted for"), (books(&stage.world) - start) / work, 0.0)
        .within(1e-12, "rounding");
}

#[test]
fn two_grains_push_each_other_apart_as_fast_as_they_grow() {
    pair_is_pushed_apart::<D2>();
    pair_is_pushed_apart::<D3>();
}

/// A grain on a floor: its centre stands at its radius, and rises with g r, faster by g^2 r dt in every step.
fn grain_rises<D: Dim>() {
    let case = "a grain that grows on a floor";
    let of = |what: &str| format!("{}D: {what}", D::DIMENSION);
    let mut stage = Stage::<D>::new(0.4, DT, 1e-13);
    stage.world.gravity = upward::<D>() * -G;
    stage.plane("floor", D::Vec::ZERO, upward::<D>());
    let grain = stage.grain(upward::<D>() * 0.5, 0.5, 2.0);
    stage.world.setup.growth = RATE;
    stage.run(400);
    let (radius, mass) = (stage.world.bodies.shape[grain].radius(), stage.mass(grain));
    let height = stage.x(grain).dot(upward::<D>());
    expect(case, Kind::Cd, of("height over the radius"), height / radius, 1.0).within(1e-12, "it lies on the floor");
    stage.step();
    // the step began with this radius and mass; the one before with 1 / (1 + g dt) of the radius
    let rise = RATE * RATE * radius / (1.0 + RATE * DT);
    expect(case, Kind::Cd, of("force on the floor"), stage.force_on(grain).norm(), mass * (G + rise))
        .within(1e-10, "weight and what lifts it faster: rounding of velocities over g dt");
}

#[test]
fn a_grain_on_a_floor_rises_as_it_grows() {
    grain_rises::<D2>();
    grain_rises::<D3>();
}

/// A run of a scenario, and its folder.
pub(super) fn start(text: &str, name: &str) -> (Box<dyn Run>, PathBuf) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("growth").join(name);
    let _ = fs::remove_dir_all(&path);
    let scenario = AnyScenario::parse("grown", text, &[], Reader::default()).unwrap_or_else(|m| panic!("{m}"));
    (sim::start(&scenario, Path::new("."), &path, true).unwrap_or_else(|error| panic!("{error}")), path)
}

/// The scenario `grown` with 2 x 40 disks in a cell of 152 mm, which they fill as the others do.
pub(super) fn grown(changes: &[(&str, &str)]) -> String {
    let mut text = fs::read_to_string("../../scenarios/grown.toml").unwrap();
    for (from, to) in [("= 250", "= 40"), ("380 mm", "152 mm")].iter().chain(changes) {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

const TO_A_FRACTION: (&str, &str) = ("until = { pressure = \"100 kPa\" }", "until = { solid_fraction = 0.7 }");

#[test]
fn grains_grow_to_a_solid_fraction_and_the_books_hold() {
    let (mut run, path) = start(&grown(&[TO_A_FRACTION, ("friction = 0", "friction = 0.3")]), "fraction");
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    let summary = run.summary();
    let packing = column(&path, "solid_fraction");
    let solid = 40.0 * PI * (0.007_f64.powi(2) + 0.005_f64.powi(2)) / 0.152_f64.powi(2);
    let steps = ((0.7 / solid).ln() / (2.0 * (0.1_f64 * 1e-3).ln_1p())).ceil();
    let case = "grains that grow in a cell";
    expect(case, Kind::Cd, "fraction at the start", packing[0], solid).within(1e-12, "rounding");
    expect(case, Kind::Cd, "time to a fraction of 0.7", summary["stages"][0]["time"].as_f64().unwrap(), steps * 1e-3)
        .within(1e-12, "so many steps");
    let overlap = summary["worst_overlap"].as_f64().unwrap();
    expect(case, Kind::Cd, "deepest overlap over the radius", overlap, 0.0).within(1e-4, "what solves to 1e-4 leave");
    let of = |name: &str| *column(&path, name).last().unwrap();
    let work = of("wall_work");
    assert!(of("dissipated_energy") > 0.1 * work && of("coordination") > 0.1, "they met");
    let missing = of("kinetic_energy") + of("dissipated_energy") - work;
    expect(case, Kind::Cd, "energy not accounted for", missing / work, 0.0).within(1e-10, "rounding");
}

#[test]
fn grains_that_grow_stay_in_their_box() {
    let cell = "[cell]\nperiodic = [\"x\", \"y\"]\nmin      = [0, 0]\nmax      = [\"152 mm\", \"152 mm\"]";
    let wall =
        "[[wall]]\nname = \"box\"\nkind = \"box\"\nmaterial = \"smooth\"\nmin = [0, 0]\nmax = [\"152 mm\", \"152 mm\"]";
    let (until, after) = (TO_A_FRACTION.0, "until = { after = \"2.5 s\" }"); // 1.28 times the radii
    let (mut run, _) = start(&grown(&[(cell, wall), (until, after)]), "box");
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    let overlap = run.summary()["worst_overlap"].as_f64().unwrap();
    expect("grains that grow in a box", Kind::Cd, "deepest overlap over the radius", overlap, 0.0)
        .within(1e-4, "what solves to 1e-4 leave");
    assert!(run.summary()["contacts"].as_u64().unwrap() > 10, "they meet");
}

#[test]
fn a_run_that_grows_goes_on_with_the_same_bits() {
    let (mut whole, _) = start(&grown(&[TO_A_FRACTION]), "whole");
    while whole.advance().unwrap().is_some() {}
    let (mut part, path) = start(&grown(&[TO_A_FRACTION]), "part");
    (0..1500).for_each(|_| _ = part.advance().unwrap());
    part.interrupt().unwrap();
    drop(part);
    let mut rest = sim::resume(RunFolder::open(&path).unwrap()).unwrap_or_else(|error| panic!("{error}"));
    while rest.advance().unwrap().is_some() {}
    assert_eq!(rest.summary()["hash"], whole.summary()["hash"]);
}

/// Random close packing of frictionless disks 1 : 1.4 has 0.842 in the limit of many grains [OHern].
#[test]
fn frictionless_disks_that_grow_jam_at_random_close_packing() {
    let fractions = [1, 2, 3, 4].map(|seed| {
        let (mut run, path) = start(&grown(&[("seed      = 3", &format!("seed = {seed}"))]), &format!("jam{seed}"));
        while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
        assert_eq!(run.summary()["stages"][0]["rule"], "pressure");
        *column(&path, "solid_fraction").last().unwrap()
    });
    println!("{fractions:?}");
    let mean = fractions.iter().sum::<f64>() / 4.0;
    expect("disks that grow until they jam", Kind::Cd, "solid fraction, four packings of 80 disks", mean, 0.842)
        .within(0.0119, "0.01: packings of 80 disks scatter by 0.007, and those of few lie lower");
}

/// Grains that have jammed and grow on are told of; those that have room are not.
#[test]
fn growth_of_jammed_grains_is_warned_about() {
    let codes = |run: &dyn Run| run.summary()["warnings"].to_string();
    let (mut run, _) = start(&grown(&[TO_A_FRACTION]), "room");
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    assert!(!codes(&*run).contains("W134"), "{}", codes(&*run));
    let (mut run, _) = start(&grown(&[("100 kPa", "1 MPa"), ("\"6 s\"", "\"3.8 s\"")]), "jammed");
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    assert!(codes(&*run).contains("W134"), "{}", codes(&*run));
}
