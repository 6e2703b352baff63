//! The verb compare: one scenario under several methods, with answers that are known by hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

/// A folder for one test with its scenario.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, scenario: &str) -> Place {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare").join(name);
        if path.exists() {
            fs::remove_dir_all(&path).unwrap();
        }
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("case.toml"), scenario).unwrap();
        Place(path)
    }

    /// Compares with these words, which are separated by spaces.
    fn compare(&self, words: &str) -> Output {
        let all = format!("compare case.toml {words}");
        Command::new(env!("CARGO_BIN_EXE_drystone")).args(all.split_whitespace()).current_dir(&self.0).output().unwrap()
    }

    /// What is found by a comparison that must succeed.
    fn good(&self, words: &str) -> Json {
        let output = self.compare(&format!("--json {words}"));
        assert_eq!(output.status.code(), Some(0), "{words}: {}", said(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// What is said of a comparison that must end with this code.
    fn bad(&self, words: &str, code: i32) -> String {
        let output = self.compare(words);
        assert_eq!(output.status.code(), Some(code), "{words}: {}", said(&output));
        said(&output)
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A quantity of what was found.
fn quantity<'f>(found: &'f Json, name: &str, when: &str) -> &'f Json {
    let all = found["quantities"].as_array().unwrap();
    let is_it = |quantity: &&Json| quantity["name"] == name && quantity["when"] == when;
    all.iter().find(is_it).unwrap_or_else(|| panic!("{name} ({when}) is not there"))
}

fn mean(quantity: &Json, method: &str) -> f64 {
    quantity["methods"][method]["mean"].as_f64().unwrap_or_else(|| panic!("{method} in {quantity}"))
}

/// A disk that does not turn slides with 1 m/s; mu g = 5 m/s2 stops it after v^2 / (2 mu g) = 0.1 m. No soft law is
/// given.
const SLED: &str = r#"
dimension = 2
gravity   = [0, "-10 m/s2"]
[[material]]
name    = "m"
density = "1000 kg/m3"
[[contact]]
between  = "any"
friction = 0.5
[[grains]]
name     = "sled"
material = "m"
shape    = { kind = "disk", radius = "0.1 m" }
place    = { how = "at", points = [[0, "0.1 m"]] }
velocity = ["1 m/s", 0]
rotates  = false
[[wall]]
name     = "floor"
kind     = "plane"
point    = [0, 0]
normal   = [0, 1]
material = "m"
[stop]
at = "0.3 s"
[method.cd]
time_step = "1 ms"
[output]
series_every = "5 ms"
frames       = "50 ms"
track        = ["sled"]
"#;

/// Twenty disks of mass pi kg side by side, the first pushed with 20 pi N. Rigid ones move as one with 1 m/s2. In soft
/// ones a push needs (m/k)^(1/2) = 17.7 ms for each contact: after 0.1 s it has come a third of the way.
const ROW: &str = r#"
dimension = 2
gravity   = [0, 0]
[[material]]
name    = "m"
density = "100 kg/m3"
[[contact]]
between  = "any"
friction = 0
[contact.md]
normal = { law = "hooke", stiffness = "1e4 N/m", restitution = 0.9 }
[[grains]]
name     = "first"
material = "m"
shape    = { kind = "disk", radius = "0.1 m" }
place    = { how = "at", points = [[0, 0]] }
overlap  = 1e-9
[[grains]]
material = "m"
shape    = { kind = "disk", radius = "0.1 m" }
place    = { how = "at", points = [[0.2, 0], [0.4, 0], [0.6, 0], [0.8, 0], [1.0, 0], [1.2, 0], [1.4, 0], [1.6, 0], [1.8, 0], [2.0, 0], [2.2, 0], [2.4, 0], [2.6, 0], [2.8, 0], [3.0, 0], [3.2, 0], [3.4, 0], [3.6, 0]] }
overlap  = 1e-9
[[grains]]
name     = "last"
material = "m"
shape    = { kind = "disk", radius = "0.1 m" }
place    = { how = "at", points = [[3.8, 0]] }
overlap  = 1e-9
[[load]]
grain = "first"
force = ["62.83185307179586 N", 0]
[stop]
at = "0.1 s"
[method.cd]
time_step = "1 ms"
accuracy  = "reference"
[output]
series_every = "1 ms"
frames       = "20 ms"
track        = ["last"]
"#;

#[test]
fn a_sled_slides_as_far_under_all_three_methods() {
    let place = Place::new("sled", SLED);
    let found = place.good("--methods cd,md,dae --seeds 3 -o out");
    assert_eq!(found["seeds"], serde_json::json!([0]), "nothing is drawn at random, so one seed is enough");
    let way = quantity(&found, "sled_x", "end");
    for method in ["cd", "md", "dae"] {
        let found = mean(way, method);
        // a step of 1 ms is half a millimetre at 1 m/s
        assert!((found - 0.1).abs() < 1e-3, "{method}: {found} m");
    }
    let derived = found["derived"]["md"].as_str().unwrap();
    assert!(derived.contains("stiffness") && derived.contains("[method.md]"), "{derived}");
    let out = place.0.join("out");
    for name in
        ["report.html", "compare.csv", "compare.json", "figures/series-sled_x.svg", "md-0/report.json", "md-0.toml"]
    {
        assert!(out.join(name).is_file(), "{name}");
    }
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("<svg") && !page.contains("<img") && !page.contains("NaN"), "the page needs no other file");
}

#[test]
fn rigid_grains_have_no_speed_of_sound_and_soft_ones_have() {
    let place = Place::new("row", ROW);
    let found = place.good("--methods cd,md -o out");
    assert!(
        found["notes"].to_string().contains("restitution 0 as rigid grains and 0.9 as soft ones"),
        "{}",
        found["notes"]
    );
    let speed = quantity(&found, "last_vx", "end");
    assert!((mean(speed, "cd") - 0.1).abs() < 1e-6, "{speed}");
    assert!(mean(speed, "md") < 1e-3, "{speed}");
    let momentum = quantity(&found, "momentum_x", "end");
    for method in ["cd", "md"] {
        // 20 pi N over 0.1 s
        assert!((mean(momentum, method) - std::f64::consts::TAU).abs() < 0.02, "{method}: {momentum}");
    }
}

#[test]
fn what_is_done_is_not_done_again_and_other_runs_are_kept() {
    let place = Place::new("again", SLED);
    let first = place.good("--methods cd,md -o out");
    let hash = |method: &str| fs::read_to_string(place.0.join(format!("out/{method}-0/report.json"))).unwrap();
    let written =
        |method: &str| fs::metadata(place.0.join(format!("out/{method}-0/report.json"))).unwrap().modified().unwrap();
    let (before, when) = (hash("md"), written("md"));
    let second = place.good("--methods cd,md -o out");
    assert_eq!((first["quantities"].clone(), before, when), (second["quantities"].clone(), hash("md"), written("md")));
    assert_eq!(first["costs"], second["costs"], "the time that it took the first time");
    let told = place.bad("--methods cd,md -o out --set contact.0.friction=0.4", 2);
    assert!(told.contains("holds another scenario") && told.contains("--force"), "{told}");
    place.good("--methods cd,md -o out --set contact.0.friction=0.4 --force");
}

#[test]
fn a_dry_call_begins_nothing_but_makes_the_first_steps() {
    let place = Place::new("dry", SLED);
    let output = place.compare("--methods cd,md --dry");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("cd   1 run of 1 grains") && said.contains("md   1 run of 1 grains"), "{said}");
    assert!(!place.0.join("case.compare").exists(), "nothing was begun");
}

#[test]
fn bad_calls_are_answered() {
    let place = Place::new("bad", &SLED.replace("friction = 0.5", "friction = 0.5\nrolling = { ratio = 0.1 }"));
    for (words, code, answer) in [
        ("--methods cd,cd", 2, "twice"),
        ("--methods cd", 2, "nothing to be compared with"),
        ("--methods cd,mdd", 2, "did you mean `md`?"),
        ("--seeds 0", 2, "--seeds 0"),
        ("--width 0", 2, "above zero"),
        ("--methods cd,dae", 2, "the method \"dae\" cannot run this scenario"),
    ] {
        let told = place.bad(words, code);
        assert!(told.contains(answer), "{words}: {told}");
    }
    assert!(!place.0.join("case.compare").exists(), "nothing was begun");
}

/// Springs so weak that the disk passes the floor: k r^2 = 10 J is less than m v^2.
#[test]
fn a_method_that_fails_is_told_and_the_other_goes_on() {
    let weak = "friction = 0.5\n[contact.md]\nnormal = { law = \"hooke\", stiffness = \"1e3 N/m\", restitution = 0.5 }";
    let scenario =
        SLED.replace("friction = 0.5", weak).replace("velocity = [\"1 m/s\", 0]", "velocity = [0, \"-9 m/s\"]");
    let place = Place::new("fails", &scenario);
    let told = place.bad("--methods cd,md -o out", 1);
    assert!(told.contains("md-0 failed") && told.contains("E2"), "{told}");
    let found: Json = serde_json::from_slice(&fs::read(place.0.join("out/compare.json")).unwrap()).unwrap();
    let states: Vec<&str> =
        found["cases"].as_array().unwrap().iter().filter_map(|case| case["state"].as_str()).collect();
    assert_eq!(states, ["done", "failed"]);
    assert!(fs::read_to_string(place.0.join("out/report.html")).unwrap().contains("md-0 failed"));
}
