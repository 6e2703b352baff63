//! P27: blocks on ground that tilts slide at atan(mu), or topple at atan(b / h).

use std::path::Path;

use drystone::input::Reader;
use drystone::method::Kind;
use drystone::scenario::AnyScenario;
use drystone::scenario::template::Template;
use drystone::sim;

use super::expect::expect;

/// Time at which the size of a column of the series first exceeds a value.
fn first(series: &str, column: &str, above: f64) -> f64 {
    let mut lines = series.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let place = |name: &str| header.iter().position(|cell| cell.split(" [").next() == Some(name)).expect("a column");
    let (time, column) = (place("time"), place(column));
    let mut rows = lines.map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect::<Vec<f64>>());
    rows.find(|row| row[column].abs() > above).expect("it moves")[time]
}

#[test]
fn blocks_slide_or_topple_at_the_right_angle() {
    let text = Template::find("tilting_blocks").expect("a template").text;
    let scenario = AnyScenario::parse("tilting_blocks", text, &[], Reader::default());
    let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tilting_blocks");
    let mut run = sim::start(&scenario, Path::new("."), &folder, true).unwrap_or_else(|error| panic!("{error}"));
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    assert_eq!(run.summary()["unconverged_steps"], 0);
    let series = std::fs::read_to_string(folder.join("series.csv")).expect("the series");
    // 2 deg a second; what has begun moves by this much within 0.03 s
    let angle = |column: &str| 2.0 * first(&series, column, 1e-4);
    let tolerance = |angle: f64| 0.2 / angle;
    let (slides, topples) = (0.4_f64.atan().to_degrees(), 0.25_f64.atan().to_degrees());
    let reason = "0.06 deg until the motion is seen, rows every 0.02 deg";
    expect("tilting ground", Kind::Cd, "angle at which a flat block slides [deg]", angle("flat_vx"), slides)
        .within(tolerance(slides), reason);
    expect("tilting ground", Kind::Cd, "angle at which a slim block topples [deg]", angle("slim_spin"), topples)
        .within(tolerance(topples), reason);
}

/// The rod of Painleve jams above a friction of 4/3, and the contact is named; below it slides on.
#[test]
fn the_rod_that_jams_is_named() {
    let text = Template::find("painleve_rod").expect("a template").text;
    for (friction, jams) in [("1.4", true), ("1.3", false)] {
        let settings = [format!("contact.0.friction={friction}"), "stop.at=0.05".to_string()];
        let scenario = AnyScenario::parse("painleve_rod", text, &settings, Reader::default());
        let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
        let mut run = sim::open(&scenario, Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
        let summary = run.summary();
        let warnings = summary["warnings"].as_array().expect("a list");
        let named = |warning: &serde_json::Value| {
            let message = warning["message"].as_str().unwrap_or_default();
            warning["code"] == "W131" && message.contains("`floor`") && message.contains("`rod`")
        };
        assert_eq!(warnings.iter().any(named), jams, "{friction}: {warnings:?}");
    }
}
