//! Stages that change a periodic cell: compression to a solid fraction, shear that starts and stops, and a run that is
//! taken up again between them.

use std::fs;
use std::path::{Path, PathBuf};

use drystone::input::Reader;
use drystone::method::Kind;
use drystone::record::{Frame, RunFolder};
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run};

use super::expect::expect;
use super::stored::{column, frames};

const VELOCITY: f64 = -0.05;

/// Disks that fill half of a cell; it shrinks to a fraction of 0.75 without friction, then is sheared, and stops.
fn scenario(method: &str) -> String {
    format!(
        r#"
        dimension = 2
        seed      = 6
        depth     = "10 mm"
        gravity   = [0, 0]
        material  = [{{ name = "glass", density = 2500 }}]
        cell      = {{ periodic = ["x", "y"], min = [0, 0], max = ["30 mm", "30 mm"] }}
        [[contact]]
        between  = ["glass", "glass"]
        friction = 0
        md = {{ normal = {{ law = "hooke", stiffness = "1e5 N/m", restitution = 0.5 }}, tangential = {{ law = "cundall_strack", stiffness_ratio = 0.5 }} }}
        [[grains]]
        material = "glass"
        shape    = {{ kind = "disk", radius = {{ uniform = ["0.8 mm", "1.2 mm"] }} }}
        fraction = 0.5
        place    = {{ how = "random", min = [0, 0], max = ["30 mm", "30 mm"] }}
        [[stage]]
        name  = "compress"
        cell  = {{ stretch = {{ velocity = [{VELOCITY}, {VELOCITY}] }} }}
        until = {{ solid_fraction = 0.75 }}
        limit = "1 s"
        [[stage]]
        name  = "shear"
        cell  = {{ shear = {{ along = "x", across = "y", rate = "5 1/s" }} }}
        set   = {{ contact = [{{ friction = 0.4 }}] }}
        until = {{ after = "40 ms" }}
        [[stage]]
        name  = "stop"
        cell  = {{}}
        until = {{ after = "20 ms" }}
        [method]
        use = "{method}"
        cd = {{ time_step = "0.1 ms" }}
        md = {{ time_step = "5 us" }}
        [output]
        frames = "5 ms"
        series = ["energy", "solid_fraction", "momentum"]
        series_every = "1 ms"
        "#
    )
}

fn start(text: &str, name: &str) -> (Box<dyn Run>, PathBuf) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cell_stages").join(name);
    let _ = fs::remove_dir_all(&path);
    let scenario = AnyScenario::parse("cell", text, &[], Reader::default()).unwrap_or_else(|m| panic!("{m}"));
    (sim::start(&scenario, Path::new("."), &path, true).unwrap_or_else(|error| panic!("{error}")), path)
}

#[test]
fn a_cell_shrinks_to_a_solid_fraction_is_sheared_and_stops() {
    for (kind, name) in [(Kind::Cd, "cd"), (Kind::Md, "md")] {
        let (mut run, path) = start(&scenario(name), name);
        while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
        let summary = run.summary();
        let stages = summary["stages"].as_array().unwrap();
        assert_eq!(stages[0]["rule"], "solid_fraction", "{stages:?}");
        let end = stages[0]["time"].as_f64().unwrap();
        let frames = frames(&path);
        let solid = std::f64::consts::PI * frames[0].grains.radius.iter().map(|r| r * r).sum::<f64>();
        // both lengths shrink by the same: L = (solid / 0.75)^1/2 is reached by the step that comes next
        let expected = ((solid / 0.75).sqrt() - 0.03) / VELOCITY;
        let case = "cell that shrinks to a fraction";
        expect(case, kind, "time that it takes [s]", end, expected).within(1.1e-4 / expected, "one step");
        let packing = column(&path, "solid_fraction");
        expect(case, kind, "fraction that it keeps", *packing.last().unwrap(), 0.75).within(1e-3, "one step");
        // sheared by 5 1/s for 40 ms: images one cell across lie further along by 0.2 lengths, and stay there
        let cell = frames.last().unwrap().cell.as_ref().unwrap();
        expect(case, kind, "shear strain", cell.tilt / cell.lengths[1], 0.2).within(6e-3, "one step of 400 rounds it");
        assert_eq!((cell.rate, cell.stretching[0], cell.stretching[1]), (0.0, 0.0, 0.0));
        let (kinetic, work) = (column(&path, "kinetic_energy"), column(&path, "wall_work"));
        let (lost, stored) = (column(&path, "dissipated_energy"), column(&path, "elastic_energy"));
        let last = kinetic.len() - 1;
        let missing = kinetic[last] + stored[last] + lost[last] - (work[last] - work[0] + kinetic[0]);
        let (limit, why) = match kind {
            Kind::Cd => (1e-9, "rounding: what stages put in is booked"),
            _ => (0.02, "steps of a twentieth of a collision"),
        };
        expect(case, kind, "energy not accounted for, over the work", missing / work[last], 0.0).within(limit, why);
    }
}

/// Clusters of powder that drift with the medium carry nothing: steps between their collisions have no impulses but
/// rounding, and are solved for all that.
#[test]
fn cohesive_clusters_that_drift_in_a_shrinking_cell_are_solved() {
    let cohesive = "friction = 0.3\nrolling = { ratio = 0.1 }\ncohesion = { force = \"10 mN\", range = \"20 um\" }\n";
    let powder = scenario("cd").replace("friction = 0\n", cohesive);
    let (mut run, path) = start(&powder.replace("0.75", "0.52"), "powder");
    for _ in 0..100 {
        run.advance().unwrap_or_else(|error| panic!("{error}"));
    }
    let summary = run.summary();
    assert_eq!(summary["unconverged_steps"], 0, "{summary}");
    assert!(column(&path, "dissipated_energy").last().unwrap() > &0.0, "they met");
}

/// Grains that touch nobody keep their distances as parts of the lengths in a cell that shrinks evenly, and move all
/// alike once the lattice has stopped.
#[test]
fn grains_that_do_not_touch_shrink_with_the_cell() {
    let lone = scenario("cd").replace("fraction = 0.5", "count = 3").replace("0.75", "0.0125");
    let (mut run, path) = start(&lone, "lone");
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    let frames = frames(&path);
    // of the grains themselves, which keep their ways across the border
    let parts = |frame: &Frame| {
        let cell = frame.cell.as_ref().unwrap();
        let [a, b, c] = [0, 1, 2].map(|k| frame.grains.own_position(k));
        [[a, b], [b, c]].map(|[x, y]| [(x[0] - y[0]) / cell.lengths[0], (x[1] - y[1]) / cell.lengths[1]])
    };
    let shrunk = frames.iter().take_while(|frame| frame.cell.as_ref().unwrap().tilt == 0.0).last().unwrap();
    assert!(shrunk.cell.as_ref().unwrap().lengths[0] < 0.029, "it shrank");
    for (before, after) in parts(&frames[0]).iter().flatten().zip(parts(shrunk).iter().flatten()) {
        expect("grains in a cell that shrinks", Kind::Cd, "change of a distance over the length", after - before, 0.0)
            .within(1e-11, "rounding: a medium that shrinks at constant speed keeps its parts");
    }
    // the medium stopped: grains that moved with it rest against each other; those that crossed the border meanwhile
    // left momentum to the lattice, which all share now
    let last = frames.last().unwrap();
    for (k, v) in last.grains.velocity.iter().enumerate().skip(1) {
        for (mine, first) in v.iter().zip(last.grains.velocity[0]) {
            let apart = (mine - first) / VELOCITY;
            expect("grains in a cell that stops", Kind::Cd, format!("grain {k}: velocity against grain 0"), apart, 0.0)
                .within(1e-11, "rounding: all of them moved with the medium");
        }
    }
}

#[test]
fn a_run_goes_on_with_the_same_bits_in_a_later_stage() {
    for name in ["cd", "md"] {
        let (mut whole, _) = start(&scenario(name), &format!("whole-{name}"));
        while whole.advance().unwrap().is_some() {}
        let (mut part, path) = start(&scenario(name), &format!("part-{name}"));
        while part.advance().unwrap().is_some() && part.summary()["stages"].as_array().unwrap().len() < 2 {}
        part.interrupt().unwrap();
        drop(part);
        let mut rest = sim::resume(RunFolder::open(&path).unwrap()).unwrap_or_else(|error| panic!("{error}"));
        while rest.advance().unwrap().is_some() {}
        assert_eq!(rest.summary()["hash"], whole.summary()["hash"], "{name}");
    }
}
