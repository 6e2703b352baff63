//! How often a run records itself if its scenario does not say so, and that this changes nothing but the number of rows.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use drystone::input::Reader;
use drystone::record::{RunFolder, frame_files};
use drystone::scenario::AnyScenario;
use drystone::sim;

/// Two disks that fall on the floor, for a second of steps of a millisecond.
const FALL: &str = r#"
    dimension = 2
    gravity   = [0, -10]
    material  = [{ name = "sand", density = 2650 }]
    contact   = [{ between = "any", friction = 0.5, restitution = 0.5, md = { normal = { law = "hooke", stiffness = "100 kN/m", restitution = 0.5 }, tangential = { law = "cundall_strack", stiffness_ratio = 0.8, damping = 1 } } }]
    [[grains]]
    material = "sand"
    shape    = { kind = "disk", radius = "10 mm" }
    place    = { how = "at", points = [[0, "20 mm"], ["25 mm", "25 mm"]] }
    [[wall]]
    name     = "floor"
    kind     = "plane"
    point    = [0, 0]
    normal   = [0, 1]
    material = "sand"
    [stop]
    at = 1
    [method]
    cd  = { time_step = "1 ms" }
    md  = { time_step = "1 ms" }
    dae = { time_step = "1 ms" }
    ed  = { time_step = "1 ms" }
"#;

fn scenario(settings: &[&str]) -> AnyScenario {
    let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
    AnyScenario::parse("fall", FALL, &settings, Reader::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Rows and spacing of a run to its end.
fn announced(settings: &[&str]) -> (f64, String) {
    let run = sim::open(&scenario(settings), Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let rows = run.outlook().rows.expect("a known end");
    (rows, run.summary()["series_every"].to_string())
}

/// Rows, and the first and last ones, cost three percent of the steps, or the reader of a plot sees no more of them.
#[test]
fn rows_are_as_many_as_a_run_can_afford() {
    for (method, until, rows, every) in [
        ("cd", "1", 201.0, "0.005"),
        ("cd", "20", 1001.0, "0.02"),
        ("md", "1", 5.0, "0.25"),
        ("md", "500", 1001.0, "0.5"),
        ("dae", "1", 101.0, "0.01"),
        ("ed", "1", 1001.0, "\"step\""),
        ("ed", "2", 1001.0, "0.002"),
    ] {
        let settings = [format!("method.use={method}"), format!("stop.at={until}")];
        let found = announced(&settings.each_ref().map(String::as_str));
        assert_eq!(found, (rows, every.to_string()), "{method} until {until} s");
    }
    assert_eq!(announced(&["output.series_every=step"]), (1001.0, "\"step\"".into()), "who asks for all gets all");
    assert_eq!(announced(&["output.series_every=\"50 ms\""]).0, 21.0);
    let run = sim::open(&scenario(&[]), Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert!(run.notes().iter().any(|note| note.contains("a row every 5 steps, 5.000e-3 s")), "{:?}", run.notes());
}

fn recorded(name: &str, settings: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recording_{name}"));
    let mut run =
        sim::start(&scenario(settings), Path::new("."), &folder, true).unwrap_or_else(|error| panic!("{error}"));
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    folder
}

fn rows(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("series.csv")).unwrap();
    text.lines().skip(1).map(String::from).collect()
}

/// Every row of the default is one of those of every step, to the last character, and every frame has its row.
#[test]
fn fewer_rows_are_the_same_rows() {
    for method in ["cd", "md", "dae"] {
        let method = format!("method.use={method}");
        let all = recorded("all", &[&method, "output.series_every=step"]);
        let few = recorded("few", &[&method, "output.frames=\"35 ms\""]);
        let (every, some) = (rows(&all), rows(&few));
        let known: HashSet<&String> = every.iter().collect();
        assert!(some.len() > 10 && some.len() < every.len() / 3, "{method}: {} of {}", some.len(), every.len());
        assert!(some.iter().all(|row| known.contains(row)), "{method}");
        assert_eq!((some.first(), some.last()), (every.first(), every.last()), "{method}");
        let steps: HashSet<u64> = some.iter().map(|row| row.split(',').nth(1).unwrap().parse().unwrap()).collect();
        let frames = RunFolder::open(&few).unwrap().frames();
        for number in frame_files::numbers(&frames).unwrap() {
            let step = frame_files::read(&frames, number).unwrap().step;
            assert!(steps.contains(&step), "{method}: frame {number} of step {step}");
        }
    }
}
