//! A wall with a velocity, or a cell with a rate, that moves in on jammed grains is told of (W135); nothing that flows
//! is, and nothing that a force or pressure drives. [Radjai section 7]

use std::fs;
use std::path::Path;

use drystone::input::Reader;
use drystone::method::Kind;
use drystone::scenario::AnyScenario;
use drystone::sim;

use super::expect::expect;

/// Warnings of a run of a scenario with changes.
fn warnings(name: &str, text: &str, changes: &[(&str, &str)]) -> String {
    let mut text = text.to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("squeeze").join(name);
    let _ = fs::remove_dir_all(&path);
    let scenario = AnyScenario::parse(name, &text, &[], Reader::default()).unwrap_or_else(|m| panic!("{name}: {m}"));
    let mut run = sim::start(&scenario, Path::new("."), &path, true).unwrap_or_else(|error| panic!("{error}"));
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    run.summary()["warnings"].to_string()
}

/// Four grains between a floor and a lid that moves in on them.
const COLUMN: &str = r#"
title     = "a column"
dimension = 2
gravity   = [0, 0]
material  = [{ name = "stone", density = 2600 }]
contact   = [{ between = ["stone", "stone"], friction = 0.3 }]
stop      = { at = "20 ms" }
method    = { cd = { time_step = "1 ms", accuracy = 1e-6, max_sweeps = 2000 } }
output    = { frames = "10 ms" }

[[grains]]
material = "stone"
shape    = { kind = "disk", radius = 0.25 }
place    = { how = "at", points = [[0, 0.25], [0, 0.75], [0, 1.25], [0, 1.75]] }

[[wall]]
name     = "floor"
kind     = "plane"
point    = [0, 0]
normal   = [0, 1]
material = "stone"

[[wall]]
name     = "lid"
kind     = "plane"
point    = [0, 2]
normal   = [0, -1]
material = "stone"
drive    = { velocity = [0, -0.1] }
"#;

/// Contacts of a column bear one force, so that overlaps of k - 1 steps over what the kth adds is k - 1, whatever
/// shares they have: beyond ten of them the lid is told of.
#[test]
fn a_lid_that_moves_in_on_a_jammed_column_is_told_of_after_ten_steps() {
    let in_space = [
        ("dimension = 2", "dimension = 3"),
        ("gravity   = [0, 0]", "gravity   = [0, 0, 0]"),
        ("\"disk\"", "\"sphere\""),
        ("[[0, 0.25], [0, 0.75], [0, 1.25], [0, 1.75]]", "[[0, 0, 0.25], [0, 0, 0.75], [0, 0, 1.25], [0, 0, 1.75]]"),
        ("point    = [0, 0]", "point    = [0, 0, 0]"),
        ("normal   = [0, 1]", "normal   = [0, 0, 1]"),
        ("point    = [0, 2]", "point    = [0, 0, 2]"),
        ("normal   = [0, -1]", "normal   = [0, 0, -1]"),
        ("[0, -0.1]", "[0, 0, -0.1]"),
    ];
    for (dimension, changes) in [(2, &[][..]), (3, &in_space)] {
        let told = warnings(&format!("column{dimension}"), COLUMN, changes);
        let (_, own) = told.split_once("W135").unwrap_or_else(|| panic!("the lid is told of: {told}"));
        assert!(own.contains("wall `lid` moves in") && own.contains(" 100 %"), "its work becomes overlap: {own}");
        let (_, step) = own.split_once("step ").expect("the step is named");
        let step: f64 = step.split_once(':').expect("a number").0.parse().expect("a number");
        expect("a lid on a jammed column", Kind::Cd, format!("{dimension}D: step in which it is told of"), step, 12.0)
            .within(1.0 / 12.0, "the twelfth has more than ten behind it, the eleventh up to rounding");
    }
}

/// A plate that slides along grains that gravity presses against it works by friction.
#[test]
fn a_plate_that_slides_is_not_told_of() {
    let told = warnings(
        "plate",
        COLUMN,
        &[
            ("gravity   = [0, 0]", "gravity   = [0, 20]"),
            ("[[0, 0.25], [0, 0.75], [0, 1.25], [0, 1.75]]", "[[0, 1.75], [0.6, 1.75], [1.2, 1.75]]"),
            ("[0, -0.1]", "[0.1, 0]"),
        ],
    );
    assert!(!told.contains("W135"), "{told}");
}

/// Sixty disks of 4 700 mm2 in a box of 100 mm: a lid comes down from 90 mm with 0.2 m/s. At 0.8 of the room they are
/// 59 mm high, which it reaches after 0.16 s.
const LID: &str = r#"
title     = "a lid"
dimension = 2
seed      = 3
gravity   = [0, -9.81]
material  = [{ name = "stone", density = 2600 }]
contact   = [{ between = ["stone", "stone"], friction = 0.3 }]
stop      = { at = "0.2 s" }
method    = { cd = { time_step = "1 ms", accuracy = 1e-4, max_sweeps = 500 } }
output    = { frames = "100 ms" }

[[grains]]
material = "stone"
shape    = { kind = "disk", radius = { uniform = ["4 mm", "6 mm"] } }
count    = 60
place    = { how = "random", min = [0, 0], max = ["100 mm", "85 mm"] }

[[wall]]
name     = "box"
kind     = "box"
min      = [0, 0]
max      = ["100 mm", "200 mm"]
material = "stone"

[[wall]]
name     = "lid"
kind     = "plane"
point    = [0, "90 mm"]
normal   = [0, -1]
mass     = "1 kg"
material = "stone"
drive    = { velocity = [0, "-0.2 m/s"] }
"#;

/// The same in space: 31 000 mm3 on 2 500 mm2, and at 0.55 of the room 23 mm, after 0.22 s.
const IN_SPACE: [(&str, &str); 10] = [
    ("\"0.2 s\"", "\"0.23 s\""),
    ("dimension = 2", "dimension = 3"),
    ("[0, -9.81]", "[0, 0, -9.81]"),
    ("\"disk\"", "\"sphere\""),
    ("min = [0, 0], max = [\"100 mm\", \"85 mm\"]", "min = [0, 0, 0], max = [\"50 mm\", \"50 mm\", \"85 mm\"]"),
    ("min      = [0, 0]", "min      = [0, 0, 0]"),
    ("[\"100 mm\", \"200 mm\"]", "[\"50 mm\", \"50 mm\", \"200 mm\"]"),
    ("[0, \"90 mm\"]", "[0, 0, \"90 mm\"]"),
    ("normal   = [0, -1]", "normal   = [0, 0, -1]"),
    ("[0, \"-0.2 m/s\"]", "[0, 0, \"-0.3 m/s\"]"),
];

#[test]
fn a_lid_that_moves_in_on_a_jammed_bed_is_told_of() {
    let told = warnings("lid", LID, &[]);
    assert!(told.contains("W135") && told.contains("wall `lid` moves in"), "{told}");
    let told = warnings("lid3", LID, &IN_SPACE);
    assert!(told.contains("W135") && told.contains("wall `lid` moves in"), "{told}");
}

#[test]
fn a_lid_that_a_pressure_presses_is_not_told_of() {
    let by = "{ pressure = { value = \"20 kPa\", area = \"0.1 m2\" } }";
    let told = warnings("pressed", LID, &[("{ velocity = [0, \"-0.2 m/s\"] }", by)]);
    assert!(!told.contains("W135"), "{told}");
    let [.., last] = IN_SPACE;
    let mut changes: Vec<(&str, &str)> = IN_SPACE.iter().copied().filter(|change| *change != last).collect();
    changes.push(("{ velocity = [0, \"-0.2 m/s\"] }", "{ force = \"50 N\" }"));
    let told = warnings("pressed3", LID, &changes);
    assert!(!told.contains("W135"), "{told}");
}

#[test]
fn a_lid_that_leaves_room_is_not_told_of() {
    let told = warnings("room", LID, &[("0.2 s", "0.1 s"), ("[0, -9.81]", "[0, 0]")]); // at 70 mm
    assert!(!told.contains("W135"), "{told}");
}

#[test]
fn a_cell_that_shrinks_is_told_of_once_its_grains_jam() {
    let cell = "[cell]\nperiodic = [\"x\", \"y\"]\nmin      = [0, 0]\nmax      = [\"152 mm\", \"152 mm\"]";
    let shrinking = format!("{cell}\nstretch  = {{ velocity = [0, \"-150 mm/s\"] }}");
    let mut text = fs::read_to_string("../../scenarios/grown.toml").unwrap();
    let stage = text.find("# radii grow").unwrap()..text.find("[method]").unwrap();
    text.replace_range(stage, "[stop]\nat = \"600 ms\"\n\n");
    let text = text.replace("= 250", "= 40").replace("380 mm", "152 mm").replace(cell, &shrinking);
    // jammed grains have no solution: solves that ask for velocities pile up impulses until a grain is too fast (E263)
    let text = text.replace("{ residual = 1e-4, velocity_error = 0.3 }", "1e-4");
    let told = warnings("cell", &text, &[]);
    assert!(told.contains("W135") && told.contains("the cell along y moves in"), "{told}");
    // 9 300 mm2 of grains jam at 73 mm, after 0.53 s
    let told = warnings("roomy cell", &text, &[("600 ms", "450 ms")]);
    assert!(!told.contains("W135"), "{told}");
}

#[test]
fn slow_shear_at_constant_volume_and_drums_are_not_told_of() {
    // disks with friction grow to 0.8 of the cell, then it is sheared
    let mut text = fs::read_to_string("../../scenarios/grown.toml").unwrap();
    let shear = "\n[[stage]]\nname = \"shear\"\ncell = { shear = { along = \"x\", across = \"y\", rate = 0.5 } }\n\
        until = { after = 1 }\nlimit = 2\n\n[method]";
    for (from, to) in [
        ("= 250", "= 40"),
        ("380 mm", "152 mm"),
        ("friction = 0\n", "friction = 0.3\n"),
        ("pressure = \"100 kPa\"", "solid_fraction = 0.8"),
        ("\n[method]", shear),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let told = warnings("shear", &text, &[]);
    assert!(!told.contains("W135"), "{told}");
    let drum = fs::read_to_string("../../scenarios/drum.toml").unwrap();
    let changes =
        [("= 900", "= 200"), ("\"60 mm\"", "\"30 mm\""), ("45 mm", "20 mm"), ("-40 mm", "-18 mm"), ("36 mm", "18 mm")];
    let told = warnings("drum", &drum, &[&changes[..], &[("\"3 s\"", "\"0.5 s\"")]].concat());
    assert!(!told.contains("W135"), "{told}");
}
