//! Stop rules and series have one number: what ends a stage is what the last row of `series.csv` says.

use drystone::method::Kind;

use super::expect::expect;
use super::growth::{grown, start};
use super::stored::column;

/// A disk that falls onto a floor without a bounce; soft it swings for a while.
fn fall(method: &str) -> String {
    format!(
        r#"
        title     = "fall"
        dimension = 2
        gravity   = [0, -10]
        material  = [{{ name = "sand", density = 2650 }}]
        contact   = [{{ between = ["sand", "sand"], friction = 0.5, md = {{ normal = {{ law = "hooke", stiffness = "1e6 N/m", restitution = 0.1 }}, tangential = {{ law = "cundall_strack", stiffness_ratio = 0.8, damping = 10 }} }} }}]
        [[grains]]
        material = "sand"
        shape    = {{ kind = "disk", radius = "10 mm" }}
        place    = {{ how = "at", points = [[0, "10.5 mm"]] }}
        [[wall]]
        name     = "floor"
        kind     = "plane"
        point    = [0, 0]
        normal   = [0, 1]
        material = "sand"
        [[stage]]
        name  = "fall"
        until = {{ unbalanced = 1e-6 }}
        limit = "1 s"
        [method]
        use = "{method}"
        cd  = {{ time_step = "1 ms" }}
        md  = {{ time_step = "auto" }}
        [output]
        series = ["unbalanced"]
        "#
    )
}

#[test]
fn a_series_shows_the_unbalanced_force_that_ends_a_stage() {
    for method in ["cd", "md"] {
        let (mut run, path) = start(&fall(method), &format!("fall-{method}"));
        while run.advance().unwrap().is_some() {}
        let rows = column(&path, "unbalanced_force");
        let (last, before) = rows.split_last().unwrap();
        let ended = &run.report().ended[0];
        assert_eq!(ended.rule, "unbalanced", "{method}");
        assert!(ended.why.contains(&format!("unbalanced force {last:.2e},")), "{method}: {last:e}, {}", ended.why);
        assert!(*last < 1e-6 && before[..5].iter().all(|ratio| *ratio == 1.0), "{method}: it falls first");
        if method == "cd" {
            assert!(before.iter().all(|ratio| *ratio >= 1e-6), "the rule looks at every rigid step: {before:?}");
        }
    }
}

#[test]
fn a_series_shows_the_pressure_that_ends_a_stage() {
    let series = ["\"energy\", \"coordination\", \"overlap\", \"packing\", \"stress\"", "\"pressure\", \"stress\""];
    let (mut run, path) = start(&grown(&[(series[0], series[1])]), "pressure");
    while run.advance().unwrap().is_some() {}
    let last = |name: &str| *column(&path, name).last().unwrap();
    let pressure = last("contact_pressure");
    let ended = &run.report().ended[0];
    assert_eq!(ended.rule, "pressure");
    assert!(ended.why.contains(&format!("pressure {pressure:.4e} Pa,")), "{pressure:e}, {}", ended.why);
    let of_frame = 0.5 * (last("stress_xx") + last("stress_yy"));
    expect("measures", Kind::Cd, "pressure of the world over that of its frame", pressure / of_frame, 1.0)
        .within(1e-3, "arms of the frame end in the middle of gaps at the end of the step");
}
