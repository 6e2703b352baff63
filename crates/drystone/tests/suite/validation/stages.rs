//! Stages: what they set holds from then on, and each ends by the rule that it names.

use drystone::input::Reader;
use drystone::method::Kind;
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run};
use std::path::Path;

use super::expect::expect;
use super::stage::G;

const SAND: &str = r#"
    dimension = 2
    depth     = "10 mm"
    material  = [{ name = "sand", density = 2650 }]
"#;

/// Runs a scenario to its end.
fn run(text: &str) -> Box<dyn Run> {
    let scenario = AnyScenario::parse("stages", &format!("{SAND}{text}"), &[], Reader::default());
    let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let mut run = sim::open(&scenario, Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    while run.advance().unwrap().is_some() {}
    run
}

/// Stage, rule and time of every end.
fn ends(run: &dyn Run) -> Vec<(String, String, f64)> {
    run.report().ended.iter().map(|ended| (ended.stage.clone(), ended.rule.clone(), ended.time)).collect()
}

/// A block slides on level ground without friction; once friction is switched on it stops within v / (mu g), and a
/// fourfold friction of the next stage changes nothing more.
#[test]
fn friction_switched_on_stops_a_block() {
    let (v, mu) = (0.5, 0.25);
    for (method, dt) in [("cd", 1e-4), ("md", 2e-6)] {
        let text = format!(
            r#"
            gravity = [0, {}]
            contact = [{{ between = ["sand", "sand"], friction = 0, md = {{ normal = {{ law = "hooke", stiffness = "1e5 N/m", restitution = 0.3 }}, tangential = {{ law = "cundall_strack", stiffness_ratio = 0.8, damping = "5 N s/m" }} }} }}]
            [[grains]]
            material = "sand"
            shape    = {{ kind = "disk", radius = "5 mm" }}
            rotates  = false
            place    = {{ how = "at", points = [[0, "5 mm"]] }}
            velocity = [{v}, 0]
            [[wall]]
            name = "floor"
            kind = "plane"
            point = [0, 0]
            normal = [0, 1]
            material = "sand"
            [[stage]]
            name  = "glide"
            until = {{ after = "0.1 s" }}
            [[stage]]
            name  = "brake"
            set   = {{ contact = [{{ friction = {mu} }}] }}
            until = {{ at_rest = {{ speed = "0.2 mm/s", for = 0 }} }}
            limit = "1 s"
            [[stage]]
            name  = "stand"
            set   = {{ contact = [{{ friction = 1 }}] }}
            until = {{ all = [{{ after = "20 ms" }}, {{ unbalanced = 1e-3 }}] }}
            limit = "1 s"
            [method]
            use = "{method}"
            cd  = {{ time_step = {dt} }}
            md  = {{ time_step = {dt} }}
            "#,
            -G
        );
        let run = run(&text);
        let ends = ends(run.as_ref());
        let rules: Vec<&str> = ends.iter().map(|(_, rule, _)| rule.as_str()).collect();
        assert_eq!(rules, ["after", "at_rest", "after and unbalanced"], "{method}");
        let kind = if method == "cd" { Kind::Cd } else { Kind::Md };
        let reason = "a step, and the speed that counts as rest: 4e-4 of the speed at the start";
        expect("stages", kind, "time to stop by friction set in a stage", ends[1].2 - ends[0].2, v / (mu * G))
            .within(2e-3, reason);
    }
}

/// Gravity of two stages adds up, and what the potential energy gains when it changes is on the books.
#[test]
fn gravity_that_turns_is_on_the_books() {
    let text = r#"
        gravity = [0, -10]
        contact = [{ between = ["sand", "sand"], friction = 0 }]
        [[grains]]
        name     = "ball"
        material = "sand"
        shape    = { kind = "disk", radius = "5 mm" }
        place    = { how = "at", points = [[1, 2]] }
        [[stage]]
        name  = "down"
        until = { at = "0.2 s" }
        [[stage]]
        name  = "aside"
        set   = { gravity = [30, 0], method = { cd = { time_step = "0.5 ms" } } }
        limit = "0.1 s"
        [method.cd]
        time_step = "1 ms"
        scheme    = "midpoint"
        [output]
        track = ["ball"]
    "#;
    let run = run(text);
    assert_eq!(run.report().steps, 200 + 200);
    // v = (3, -2) m/s whatever the way
    let mass = 2650.0 * std::f64::consts::PI * 0.005 * 0.005 * 0.01;
    expect("stages", Kind::Cd, "kinetic energy after gravity turned", run.kinetic_energy(), 0.5 * mass * 13.0)
        .within(1e-12, "rounding of 400 sums");
}

/// A grain lies on a floor that becomes four times softer: it sinks to m g / k, and the energy books close.
#[test]
fn a_stiffness_set_in_a_stage_moves_the_balance() {
    let text = r#"
        gravity = [0, -10]
        contact = [{ between = ["sand", "sand"], friction = 0, md = { normal = { law = "hooke", stiffness = 4e4, restitution = 0.1 } } }]
        [[grains]]
        name     = "ball"
        material = "sand"
        shape    = { kind = "disk", radius = "5 mm" }
        place    = { how = "at", points = [[0, "5 mm"]] }
        [[wall]]
        name = "floor"
        kind = "plane"
        point = [0, 0]
        normal = [0, 1]
        material = "sand"
        [[stage]]
        name  = "hard"
        until = { at_rest = { speed = "1 nm/s", for = "1 ms" } }
        limit = "1 s"
        [[stage]]
        name  = "soft"
        set   = { contact = [{ md = { normal = { law = "hooke", stiffness = 1e4, restitution = 0.1 } } }], method = { md = { time_step = "5 us" } } }
        until = { at_rest = { speed = "1 nm/s", for = "1 ms" } }
        limit = "1 s"
        [method]
        use = "md"
        [method.md]
        time_step = "2 us"
    "#;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stages_stiffness");
    let _ = std::fs::remove_dir_all(&folder);
    let scenario = AnyScenario::parse("stages", &format!("{SAND}{text}"), &[], Reader::default());
    let mut run = sim::start(&scenario.unwrap_or_else(|m| panic!("{m}")), Path::new("."), &folder, true).unwrap();
    while run.advance().unwrap().is_some() {}
    assert!(run.report().ended.iter().all(|ended| ended.rule == "at_rest"), "{:?}", run.report().ended);
    let weight = 2650.0 * std::f64::consts::PI * 0.005 * 0.005 * 0.01 * 10.0;
    let series = std::fs::read_to_string(folder.join("series.csv")).unwrap();
    let mut lines = series.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().unwrap().split(',').map(|name| name.split(' ').next().unwrap()).collect();
    let rows: Vec<Vec<f64>> = lines.map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    let value = |row: &[f64], name: &str| row[columns.iter().position(|column| *column == name).unwrap()];
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    expect(
        "stages",
        Kind::Md,
        "elastic energy on a floor that became softer",
        value(last, "elastic_energy"),
        weight * weight / 2e4,
    )
    .within(1e-5, "a grain that still moves with a nanometre a second");
    let total = |row: &[f64]| {
        ["kinetic_energy", "potential_energy", "elastic_energy", "dissipated_energy"]
            .map(|name| value(row, name))
            .iter()
            .sum::<f64>()
            - value(row, "wall_work")
    };
    let scale = weight * weight / 2e4;
    expect(
        "stages",
        Kind::Md,
        "energy unaccounted for, over the elastic energy",
        (total(last) - total(first)) / scale,
        0.0,
    )
    .within(2e-3, "the integrator's own error in a collision of 300 steps: second order in the step");
}

/// Every rule ends a stage where it must.
#[test]
fn every_rule_ends_its_stage() {
    let text = r#"
        gravity = [0, -10]
        contact = [{ between = ["sand", "sand"], friction = 0 }]
        [[grains]]
        material = "sand"
        shape    = { kind = "disk", radius = "5 mm" }
        place    = { how = "at", points = [[0, 0.5]] }
        [[wall]]
        name = "floor"
        kind = "plane"
        point = [0, -1]
        normal = [0, 1]
        material = "sand"
        [[wall]]
        name = "lid"
        kind = "plane"
        point = [0, 1]
        normal = [0, -1]
        material = "sand"
        [[stage]]
        name  = "fall"
        until = { flow_stopped = { axis = "y", level = 0, for = "50 ms" }, all = [{ after = "1 ms" }, { unbalanced = 1e-6 }] }
        [[stage]]
        name  = "press"
        drive = { lid = { velocity = [0, "-1 m/s"] } }
        until = { displacement = { wall = "lid", beyond = "0.1 m" } }
        [[stage]]
        name  = "strain"
        until = { strain = { between = ["floor", "lid"], beyond = 0.1 } }
        limit = "5 s"
        [[stage]]
        name  = "wait"
        drive = { lid = "fixed" }
        until = { unbalanced = { below = 1e-6, for = "10 ms" } }
        limit = "2 s"
        [[stage]]
        name  = "hang"
        set   = { gravity = [0, 0] }
        until = { unbalanced = 1e-9 }
        limit = "20 ms"
        [method.cd]
        time_step = "1 ms"
    "#;
    let run = run(text);
    let ends = ends(run.as_ref());
    let rules: Vec<&str> = ends.iter().map(|(_, rule, _)| rule.as_str()).collect();
    assert_eq!(rules, ["flow_stopped", "displacement", "strain", "unbalanced", "limit"], "{:?}", run.report().ended);
    let lasted: Vec<f64> = (0..5).map(|k| ends[k].2 - if k == 0 { 0.0 } else { ends[k - 1].2 }).collect();
    // nothing passes at first; the grain itself comes by only after 0.316 s
    expect("stages", Kind::Cd, "no flow for 50 ms", lasted[0], 0.05).within(0.021, "a step of 1 ms");
    expect("stages", Kind::Cd, "0.1 m at 1 m/s", lasted[1], 0.1).within(0.011, "a step of 1 ms");
    expect("stages", Kind::Cd, "strain of 0.1 on 1.9 m at 1 m/s", lasted[2], 0.19).within(0.006, "a step of 1 ms");
    let words = &run.report().ended[4].why;
    assert_eq!(words, "limit of 0.02 s reached; not met: balance (no contact carries a force)");
}
