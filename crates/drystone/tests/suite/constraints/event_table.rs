//! Events that are located stand in `events.csv` of the run folder, and `report.json` has their number.

use std::f64::consts::PI;
use std::path::Path;

use drystone::input::Reader;
use drystone::scenario::AnyScenario;
use drystone::scenario::template::Template;
use drystone::sim;

/// The three dry oscillators of the scenario turn for the first time after half a period, pi, whatever their start.
#[test]
fn turns_of_the_dry_oscillators_are_written_down() {
    let text = Template::find("dry_oscillator").expect("a template").text;
    let scenario = AnyScenario::parse("dry_oscillator", text, &["stop.at=6.4".into()], Reader::default());
    let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("event_table");
    let mut run = sim::start(&scenario, Path::new("."), &folder, true).unwrap_or_else(|error| panic!("{error}"));
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    let table = std::fs::read_to_string(folder.join("events.csv")).expect("the table");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("time [s],event,a,b"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(run.summary()["events"], rows.len());
    for name in ["dry1", "dry2", "dry3"] {
        let own: Vec<&Vec<&str>> = rows.iter().filter(|row| row[3].contains(name) && row[1] != "slip").collect();
        for (half, row) in own.iter().take(2).enumerate() {
            let time: f64 = row[0].parse().expect("a time");
            assert!((time - (half + 1) as f64 * PI).abs() < 1e-8, "{name}: {row:?}");
        }
        assert!(["turn", "stick"].contains(&own[0][1]) && row_is_at_the_floor(own[0]), "{name}: {:?}", own[0]);
    }
}

fn row_is_at_the_floor(row: &[&str]) -> bool {
    row[2] == "wall `floor`"
}
