//! Events that are located stand in `events.csv` of the run folder, and `report.json` has their number.

use std::f64::consts::PI;
use std::path::Path;

use drystone::input::Reader;
use drystone::scenario::AnyScenario;
use drystone::scenario::template::Template;
use drystone::sim;

/// Runs a template to an end time; gives the rows of its table of events.
fn table(name: &str, stop: &str, changes: &[&str]) -> Vec<Vec<String>> {
    let text = Template::find(name).expect("a template").text;
    let changes: Vec<String> =
        changes.iter().map(|change| (*change).to_owned()).chain([format!("stop.at={stop}")]).collect();
    let scenario = AnyScenario::parse(name, text, &changes, Reader::default());
    let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("event_table_{name}_{}", changes.len()));
    let mut run = sim::start(&scenario, Path::new("."), &folder, true).unwrap_or_else(|error| panic!("{error}"));
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    let table = std::fs::read_to_string(folder.join("events.csv")).expect("the table");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("time [s],event,a,b"));
    let rows: Vec<Vec<String>> = lines.map(|line| line.split(',').map(str::to_owned).collect()).collect();
    assert_eq!(run.summary()["events"], rows.len());
    rows
}

fn time(row: &[String]) -> f64 {
    row[0].parse().expect("a time")
}

/// The three dry oscillators of the scenario turn for the first time after half a period, pi, whatever their start.
#[test]
fn turns_of_the_dry_oscillators_are_written_down() {
    let rows = table("dry_oscillator", "6.4", &[]);
    for name in ["dry1", "dry2", "dry3"] {
        let own: Vec<&Vec<String>> = rows.iter().filter(|row| row[3].contains(name) && row[1] != "slip").collect();
        for (half, row) in own.iter().take(2).enumerate() {
            assert!((time(row) - (half + 1) as f64 * PI).abs() < 1e-8, "{name}: {row:?}");
        }
        assert!(["turn", "stick"].contains(&own[0][1].as_str()), "{name}: {:?}", own[0]);
        assert_eq!(own[0][2], "wall `floor`");
    }
}

/// A block that only just touches the slope at the start meets it once, however long the rounding of its gap takes, and
/// comes to rest once.
#[test]
fn a_block_that_only_just_touches_meets_the_slope_once() {
    let rows = table("slope_block", "0.2", &[]);
    let names: Vec<&str> = rows.iter().map(|row| row[1].as_str()).collect();
    assert_eq!(names, ["close", "stick"], "{rows:?}");
    assert!(time(&rows[0]) < 1e-8, "{rows:?}");
}
