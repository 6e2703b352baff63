//! Grains that pass through walls and through each other: the run ends, says who and when, and its last checkpoint is intact.

use std::fs;
use std::path::Path;

use drystone::input::Reader;
use drystone::record::RunFolder;
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run, RunError};

fn opened(text: &str) -> Box<dyn Run> {
    let scenario = AnyScenario::parse("passing", text, &[], Reader::default());
    let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    sim::open(&scenario, Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Code and text of what ends a run, and its last step; none if it comes to its end.
fn ends(mut run: Box<dyn Run>) -> Option<(&'static str, String, u64)> {
    loop {
        match run.advance() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(RunError::Step(error)) => return Some((error.code(), error.to_string(), run.report().steps)),
            Err(error) => panic!("{error}"),
        }
    }
}

/// A disk or sphere of radius 0.05 m, 0.2 m from a wall that stands across its way, with this speed.
fn shot(method: &str, dimension: usize, speed: f64, stiffness: f64, wall: &str) -> String {
    let (shape, zeros) = if dimension == 2 { ("disk", "0") } else { ("sphere", "0, 0") };
    let corner = |x: f64, y: f64| if dimension == 2 { format!("[{x}, {y}]") } else { format!("[{x}, {y}, {y}]") };
    format!(
        r#"
        dimension = {dimension}
        gravity   = [0, {zeros}]
        material  = [{{ name = "m", density = 2500 }}]
        stop      = {{ at = "20 ms" }}
        method    = {{ {method} }}
        [[contact]]
        between  = ["m", "m"]
        friction = 0
        restitution = 1
        md       = {{ normal = {{ law = "hooke", stiffness = {stiffness} }} }}
        [[grains]]
        material = "m"
        shape    = {{ kind = "{shape}", radius = 0.05 }}
        place    = {{ how = "{lattice}", min = {min}, max = {max} }}
        velocity = [{speed}, {zeros}]
        {wall}
        "#,
        lattice = if dimension == 2 { "square" } else { "cubic" },
        min = corner(-0.25, -0.05),
        max = corner(-0.15, 0.05),
    )
}

const LINE: &str = "[[wall]]\nname = \"shelf\"\nkind = \"line\"\npoints = [[0, -1], [0, 1]]\nmaterial = \"m\"";
const PLATE: &str = "[[wall]]\nname = \"shelf\"\nkind = \"polygon\"\nmaterial = \"m\"\n\
                     vertices = [[0, -1], [0.0001, -1], [0.0001, 1], [0, 1]]";
const SHEET: &str = "[[wall]]\nname = \"shelf\"\nkind = \"mesh\"\nunit = 1\nmaterial = \"m\"\n\
                     file = \"v 0 -1 -1\\nv 0 1 -1\\nv 0 1 1\\nv 0 -1 1\\nf 1 2 3\\nf 1 3 4\\n\"";
const DISC: &str = "[[wall]]\nname = \"shelf\"\nkind = \"revolution\"\ncentre = [0, 0.3, 0]\naxis = [1, 0, 0]\nmaterial = \"m\"\n\
                    profile = [[0, 0], [1, 0]]";

/// A linear spring takes up k r^2 / 2 over a radius, and a disk brings m v^2 / 2: at k = 1e7 N/m and m = 19.6 kg it
/// passes a thin wall from 35.7 m/s on, a sphere of 1.31 kg from 138 m/s on. Its centre is at the wall after (0.2 -
/// 0.05) / v and a part of the collision.
#[test]
fn a_soft_grain_stops_the_run_when_it_goes_through_a_thin_wall() {
    for (method, dimension, limit, walls) in [
        ("use = \"md\"", 2, 35.68, &[LINE, PLATE][..]),
        ("use = \"dae\"", 2, 35.68, &[LINE][..]),
        ("use = \"md\"", 3, 138.2, &[SHEET, DISC][..]),
    ] {
        for wall in walls {
            let run = |part: f64| ends(opened(&shot(method, dimension, part * limit, 1e7, wall)));
            assert_eq!(run(0.98), None, "{method}, {wall}: it bounces");
            let (code, text, steps) = run(1.05).unwrap_or_else(|| panic!("{method}, {wall}: it passes"));
            assert!(code == "E241" || (*wall == PLATE && code == "E202"), "{code}");
            assert!(text.contains("grain 0") && text.contains("wall `shelf`"), "{text}");
            assert!(text.contains(&format!("step {}", steps + 1)), "{text}: after step {steps}");
        }
    }
}

/// A thin wall that is driven through a grain, and a grain that goes round the end of a wall.
#[test]
fn walls_pass_grains_too_and_the_end_of_a_wall_is_no_wall() {
    let driven = format!("{LINE}\ndrive = {{ velocity = [-60, 0] }}");
    let run = |speed: f64, wall: &str| ends(opened(&shot("use = \"md\"", 2, speed, 1e7, wall)));
    assert_eq!(run(0.0, &driven).map(|(code, ..)| code), Some("E241"));
    // it ends 0.04 m above the line that the centre takes: a hard hit on its tip, aside of the centre
    let short = LINE.replace("[0, 1]", "[0, -0.04]");
    assert_eq!(run(60.0, &short), None, "the grain is thrown over it");
}

/// The scheme "midpoint" looks for contacts in the middle of a step: with 1.5 diameters a step a grain
/// that touches the wall at the start is beyond it then.
#[test]
fn a_rigid_grain_stops_the_run_as_well() {
    let run = |scheme: &str, step: &str| {
        let method = format!("cd = {{ time_step = \"{step}\", scheme = \"{scheme}\" }}");
        ends(opened(&shot(&method, 2, 75.0, 1e7, LINE)))
    };
    let (code, text, _) = run("midpoint", "2 ms").expect("it passes");
    assert!(code == "E241" && text.contains("wall `shelf`"), "{text}");
    assert_eq!(run("midpoint", "0.1 ms"), None);
    assert_eq!(run("euler", "2 ms"), None, "that scheme knows what is ahead");
}

/// Two disks of 19.6 kg that meet head-on overlap by v sqrt(m / 2 k): by a radius at 50.5 m/s.
#[test]
fn a_grain_in_a_grain_stops_the_run() {
    let pair = |method: &str, speed: f64| {
        let text = shot(method, 2, 0.5 * speed, 1e7, "").replace(
            "[[grains]]",
            &format!(
                "[[grains]]\nmaterial = \"m\"\nshape = {{ kind = \"disk\", radius = 0.05 }}\nvelocity = [{}, 0]\n\
                 place = {{ how = \"square\", min = [0.0, -0.05], max = [0.1, 0.05] }}\n[[grains]]",
                -0.5 * speed
            ),
        );
        ends(opened(&text))
    };
    for method in ["use = \"md\"", "use = \"dae\""] {
        assert_eq!(pair(method, 49.0), None, "{method}");
        let (code, text, _) = pair(method, 53.0).unwrap_or_else(|| panic!("{method}: they are too fast"));
        assert!(code == "E242" && text.contains("grain 0") && text.contains("grain 1"), "{text}");
    }
}

/// The report says that the run failed and why, and the checkpoint is of a step before: resumed from it, the run ends
/// as it did.
#[test]
fn the_last_checkpoint_is_from_before() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("passing");
    let _ = fs::remove_dir_all(&path);
    let text = shot("use = \"md\"", 2, 60.0, 1e7, LINE) + "\n[output]\nframes = \"1 ms\"\ncheckpoint = \"1 us\"";
    let scenario = AnyScenario::parse("passing", &text, &[], Reader::default()).unwrap_or_else(|m| panic!("{m}"));
    let mut run = sim::start(&scenario, Path::new("."), &path, true).unwrap_or_else(|error| panic!("{error}"));
    let error = loop {
        match run.advance() {
            Ok(step) => assert!(step.is_some(), "it does not come to its end"),
            Err(error) => break error,
        }
    };
    run.fail(&error).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&fs::read(path.join("report.json")).unwrap()).unwrap();
    assert_eq!(report["state"], "failed");
    assert!(report["error"].as_str().unwrap().contains("went through wall `shelf`"));
    let mut again = sim::resume(RunFolder::open(&path).unwrap()).unwrap_or_else(|error| panic!("{error}"));
    let before = again.report().steps;
    let code = loop {
        match again.advance() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("it passes again"),
            Err(RunError::Step(error)) => break error.code(),
            Err(error) => panic!("{error}"),
        }
    };
    assert!(before > 0 && before <= run.report().steps && code == "E241", "from step {before}");
}

/// W105 tells the worst overlap, not that of its first sight: v sqrt(m / k) of the radius.
#[test]
fn alarms_carry_the_worst_and_are_told_again() {
    let speed = 30.0;
    let mut run = opened(&shot("use = \"md\"", 2, speed, 1e7, LINE));
    let mut told = Vec::new();
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {
        told.extend(run.news());
    }
    let warnings = run.report().warnings();
    let of_depth = |warning: &&drystone::record::Warning| warning.code == "W105";
    let last = warnings.iter().find(of_depth).expect("a deep overlap");
    let percent =
        |text: &str| text.split("overlap by ").nth(1).unwrap().split(' ').next().unwrap().parse::<f64>().unwrap();
    let mass = 2500.0 * std::f64::consts::PI * 0.05_f64.powi(2);
    let expected = 100.0 * speed * (mass / 1e7_f64).sqrt() / 0.05;
    assert!((percent(&last.message) / expected - 1.0).abs() < 0.011, "{} is not {expected} %", last.message);
    let told: Vec<f64> = told.iter().filter(of_depth).map(|warning| percent(&warning.message)).collect();
    assert!(told.len() == 2 && told[1] >= 10.0 * told[0] && told[0] < 10.0, "{told:?}");
}

/// Grains under constraints may fly as far as they like in a step, but not through each other.
#[test]
fn constrained_grains_that_cross_end_the_run() {
    let pair = |speed: f64, height: f64| {
        format!(
            r#"
            dimension = 2
            gravity   = [0, 0]
            material  = [{{ name = "m", density = 2500 }}]
            stop      = {{ at = "1 ms" }}
            method    = {{ use = "dae" }}
            [[contact]]
            between  = ["m", "m"]
            friction = 0.3
            restitution = 0.5
            md       = {{ normal = {{ law = "hooke", stiffness = 1e6, restitution = 0.5 }} }}
            [[grains]]
            name = "shot"
            material = "m"
            shape    = {{ kind = "disk", radius = 0.01 }}
            place    = {{ how = "at", points = [[0, {height}]] }}
            velocity = [{speed}, 0]
            [[grains]]
            name = "target"
            material = "m"
            shape    = {{ kind = "disk", radius = 0.01 }}
            place    = {{ how = "at", points = [[0.1, 0]] }}
            "#
        )
    };
    for speed in [1e4, 1e8] {
        let (code, said, _) = ends(opened(&pair(speed, 0.0))).expect("they cross");
        assert!(code == "E242" && said.contains("shot") && said.contains("target"), "{said}");
    }
    assert!(ends(opened(&pair(1e4, 0.05))).is_none(), "they miss each other");
}
