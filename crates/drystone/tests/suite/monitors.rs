//! Monitors of soft grains: each has a scenario that must raise its warning, and a twin that must not.

use std::path::Path;

use drystone::input::Reader;
use drystone::scenario::AnyScenario;
use drystone::scenario::codes;
use drystone::scenario::template::Template;
use drystone::sim;

/// Runs a scenario to its end; gives the codes and messages of its report.
fn warnings(name: &str, text: &str, settings: &[&str]) -> Vec<(String, String)> {
    let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
    let scenario = AnyScenario::parse(name, text, &settings, Reader::default());
    let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let mut run = sim::open(&scenario, Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    while run.advance().unwrap_or_else(|error| panic!("{name}: {error}")).is_some() {}
    let summary = run.summary();
    let told = |entry: &serde_json::Value| {
        (entry["code"].as_str().unwrap().to_string(), entry["message"].as_str().unwrap().to_string())
    };
    summary["warnings"].as_array().unwrap().iter().map(told).collect()
}

/// A scenario raises a code, with numbers and once; its twin does not, and no run of soft grains raises W203.
fn raises(code: &str, text: &str, settings: &[&str], twin: &[&str]) {
    let told = warnings(code, text, settings);
    let own: Vec<&String> = told.iter().filter(|(known, _)| known == code).map(|(_, message)| message).collect();
    assert_eq!(own.len(), 1, "{code} is not among {told:?}");
    assert!(own[0].contains(|c: char| c.is_ascii_digit()), "{own:?}");
    assert!(codes::find(code).is_some());
    let of_twin = warnings(code, text, twin);
    assert!(of_twin.iter().all(|(known, _)| known != code), "the twin of {code}: {of_twin:?}");
    assert!(told.iter().chain(&of_twin).all(|(known, _)| known != "W203"), "{told:?} {of_twin:?}");
}

fn template(name: &str) -> &'static str {
    Template::find(name).unwrap().text
}

/// A scenario of soft disks of one material in the plane, with what else belongs to it.
fn soft(gravity: &str, until: &str, rest: &str) -> String {
    format!(
        "title = \"soft\"\ndimension = 2\ndepth = \"10 mm\"\ngravity = {gravity}\n\
         material = [{{ name = \"m\", density = 2500 }}]\nstop = {{ at = \"{until}\" }}\nmethod = {{ use = \"md\" }}\n{rest}"
    )
}

/// A disk that flies between two walls.
const BOUNCE: &str = r#"
    [[contact]]
    between = ["m", "m"]
    friction = 0
    md = { normal = { law = "hooke", stiffness = 1e6, restitution = 0.9 } }
    [[grains]]
    material = "m"
    shape = { kind = "disk", radius = "10 mm" }
    place = { how = "square", min = [0, 0], max = ["20 mm", "20 mm"] }
    velocity = [1, 0]
    [[wall]]
    name = "box"
    kind = "box"
    min = [0, "-1 mm"]
    max = ["25 mm", "30 mm"]
    material = "m"
"#;

/// A disk between a floor and a piston that presses it with 1 N; gravity along them is carried by friction alone.
const HELD: &str = r#"
    [[contact]]
    between = ["m", "m"]
    friction = 0.5
    [contact.md]
    normal = { law = "hooke", stiffness = 1e6, restitution = 0.3 }
    tangential = { law = "cundall_strack", stiffness = 8e5, damping = 0 }
    [[grains]]
    material = "m"
    shape = { kind = "disk", radius = "10 mm" }
    place = { how = "square", min = ["-10 mm", 0], max = ["10 mm", "20 mm"] }
    [[wall]]
    name = "floor"
    kind = "plane"
    point = [0, 0]
    normal = [0, 1]
    material = "m"
    [[wall]]
    name = "piston"
    kind = "plane"
    point = [0, "20 mm"]
    normal = [0, -1]
    mass = "10 g"
    drive = { force = "1 N" }
    material = "m"
"#;

#[test]
fn a_row_of_grains_detaches_unless_they_are_apart() {
    raises("W101", template("detachment"), &[], &["grains.0.place.spacing=10.2 mm"]);
}

#[test]
fn brakes_fail_above_the_critical_velocity() {
    let slow = &["grains.1.velocity=[3, 0, 0]", "stop.at=10 ms"];
    raises("W102", template("brake_failure"), &[], slow);
}

#[test]
fn springs_of_friction_rock_unless_they_are_damped() {
    let held = soft("[10, 0]", "30 ms", HELD);
    raises("W103", &held, &[], &["contact.0.md.tangential.damping=50"]);
    let dashpot = "contact.0.md.tangential={ law = \"viscous_coulomb\", damping = 5 }";
    raises("W103", &held, &[dashpot], &["contact.0.md.tangential.damping=50"]);
}

#[test]
fn strong_dashpots_are_cut() {
    raises("W104", &soft("[0, 0]", "50 ms", BOUNCE), &["contact.0.md.normal.restitution=0.3"], &[]);
}

#[test]
fn soft_grains_overlap_deeply() {
    // v sqrt(m / k) over r: 2.8 % with 1e5 N/m, 0.9 % with 1e6 N/m
    raises("W105", &soft("[0, 0]", "50 ms", BOUNCE), &["contact.0.md.normal.stiffness=1e5"], &[]);
}

#[test]
fn collisions_faster_than_expected_are_too_short() {
    // a Hertz collision is shorter by (10 / 0.01)^(1/5) = 4: 12.5 steps instead of 50
    let hertz = "contact.0.md.normal={ law = \"hertz_tsuji\", young = 1e9, poisson = 0.3, restitution = 0.9 }";
    let fast = "grains.0.velocity=[10, 0]";
    raises("W106", &soft("[0, 0]", "50 ms", BOUNCE), &[hertz, fast, "method.md={ speed = 0.01 }"], &[hertz, fast]);
}
