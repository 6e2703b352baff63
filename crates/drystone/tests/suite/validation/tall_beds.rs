//! A tall bed between smooth walls comes to rest at every accuracy, though each of its contacts is solved to a part of
//! the motion only: errors of contacts in a row add up, and what they add up to is judged, too.

use std::path::Path;

use drystone::input::Reader;
use drystone::method::Kind;
use drystone::scenario::AnyScenario;
use drystone::sim;

use super::expect::expect;

/// Disks five wide and a hundred high. Smooth walls at their sides carry no weight: what the highest one weighs reaches
/// the floor through a hundred contacts in a row.
const COLUMN: &str = r#"
title     = "a tall bed"
dimension = 2
seed      = 1
gravity   = [0, -9.81]
material  = [{ name = "stone", density = 2500 }, { name = "glass", density = 2500 }]
contact   = [{ between = ["stone", "stone"], friction = 0.5 }, { between = ["stone", "glass"], friction = 0 }]
stop      = { at = "1 s", at_rest = { speed = "1 mm/s", for = "20 ms" } }
method    = { cd = { time_step = "0.5 ms", accuracy = "flow" } }
output    = { frames = "1 s" }

[[grains]]
material = "stone"
shape    = { kind = "disk", radius = { uniform = ["0.9 mm", "1.1 mm"] } }
count    = 400
place    = { how = "random", min = [0, 0], max = ["8 mm", "320 mm"] }

[[wall]]
name     = "floor"
kind     = "plane"
point    = [0, 0]
normal   = [0, 1]
material = "stone"

[[wall]]
name     = "left"
kind     = "plane"
point    = [0, 0]
normal   = [1, 0]
material = "glass"

[[wall]]
name     = "right"
kind     = "plane"
point    = ["8 mm", 0]
normal   = [-1, 0]
material = "glass"
"#;

/// From h = 0.32 m to the floor it is a fall of (2 h / g)^1/2 = 0.25 s. The others lie 0.2 m high, so that the highest
/// disk falls for
/// 0.6 of that, and nothing that is left can bounce: rest is due soon after.
#[test]
fn a_tall_bed_comes_to_rest_at_every_accuracy() {
    for accuracy in ["preview", "flow", "standard"] {
        let text = COLUMN.replace("\"flow\"", &format!("\"{accuracy}\""));
        let scenario =
            AnyScenario::parse(accuracy, &text, &[], Reader::default()).unwrap_or_else(|error| panic!("{error}"));
        let mut run = sim::open(&scenario, Path::new(".")).unwrap_or_else(|error| panic!("{error}"));
        while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
        let fall = (2.0 * 0.32_f64 / 9.81).sqrt();
        let time = run.summary()["time"].as_f64().expect("a run has a time");
        expect(
            "a tall bed",
            Kind::Cd,
            format!("time to rest at {accuracy} over the fall of the highest disk"),
            time / fall,
            1.05,
        )
        .within(
            0.45,
            "the highest falls for 0.6 of it, onto the others; rest follows within a whole; stopped after four",
        );
    }
}
