//! Stop rules and series have one number: what ends a stage is what the last row of `series.csv` says.

use drystone::dim::D2;
use drystone::measure::Measures;
use drystone::measure::frame::{FrameView, MeasureOptions};
use drystone::method::Kind;
use drystone::record::{RunFolder, frame_files};
use drystone::scenario::AnyScenario;

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
        series_every = "step"
        "#
    )
}

#[test]
fn a_series_shows_the_unbalanced_force_that_ends_a_stage() {
    for method in ["cd", "md"] {
        let (mut run, path) = start(&fall(method), &format!("fall-{method}"));
        while run.advance().unwrap().is_some() {}
        let rows = column(&path, "unbalanced_force_ratio");
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
    let series =
        ["\"energy\", \"coordination\", \"overlap\", \"solid_fraction\", \"stress\"", "\"pressure\", \"stress\""];
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

/// Grains that meet walls, a piston, fixed grains and each other, at speed, with gravity.
fn crowd(dimension: usize, method: &str, is_cell: bool, is_stone: bool) -> String {
    let list = |numbers: [&str; 3]| format!("[{}]", numbers[..dimension].join(", "));
    let shape = match (dimension, is_stone) {
        (2, true) => "{ kind = \"regular_polygon\", sides = 6, radius = \"10 mm\" }",
        (2, false) => "{ kind = \"disk\", radius = { uniform = [\"8 mm\", \"12 mm\"] } }",
        _ => "{ kind = \"sphere\", radius = { uniform = [\"8 mm\", \"12 mm\"] } }",
    };
    let up = if dimension == 2 { list(["0", "1", ""]) } else { list(["0", "0", "1"]) };
    let down = up.replace('1', "-1");
    let gravity = up.replace('1', "-10");
    let (count, top) = if dimension == 2 { (40, ["0", "0.3", ""]) } else { (60, ["0", "0", "0.2"]) };
    let high = if dimension == 2 { list(["0.12", "0.3", ""]) } else { list(["0.12", "0.12", "0.2"]) };
    let stuck = if dimension == 2 { list(["0.02", "0.004", ""]) } else { list(["0.02", "0.03", "0.004"]) };
    let (low, top) = (list(["0", "0", "0"]), list(top));
    let sides = match is_cell {
        true => format!("[cell]\nperiodic = [\"x\"]\nmin = {low}\nmax = {high}\n"),
        false => format!("[[wall]]\nname = \"box\"\nkind = \"box\"\nmin = {low}\nmax = {high}\nmaterial = \"sand\"\n"),
    };
    let across = |axis: usize| -> String {
        let normal = |sign: &str| {
            let mut normal = ["0"; 3];
            normal[axis] = sign;
            list(normal)
        };
        format!(
            "[[wall]]\nname = \"near\"\nkind = \"plane\"\npoint = {low}\nnormal = {}\nmaterial = \"sand\"\n\
             [[wall]]\nname = \"far\"\nkind = \"plane\"\npoint = {high}\nnormal = {}\nmaterial = \"sand\"\n",
            normal("1"),
            normal("-1")
        )
    };
    let more = if is_cell && dimension == 3 { across(1) } else { String::new() };
    format!(
        r#"
        title     = "crowd"
        dimension = {dimension}
        seed      = 3
        depth     = 0.4
        gravity   = {gravity}
        material  = [{{ name = "sand", density = 2650 }}]
        contact   = [{{ between = ["sand", "sand"], friction = 0.5, md = {{ normal = {{ law = "hooke", stiffness = "1e6 N/m", restitution = 0.3 }}, tangential = {{ law = "cundall_strack", stiffness_ratio = 0.8, damping = 10 }} }} }}]
        stop      = {{ at = "0.12 s" }}
        method    = {{ use = "{method}", cd = {{ time_step = "1 ms" }}, md = {{ time_step = "auto" }} }}
        output    = {{ series = ["energy", "momentum", "angular_momentum", "contacts", "coordination", "solid_fraction", "cell", "pressure"], series_every = "40 ms", frames = "40 ms" }}
        {sides}
        {more}
        [[wall]]
        name     = "floor"
        kind     = "plane"
        point    = {low}
        normal   = {up}
        material = "sand"
        [[wall]]
        name     = "lid"
        kind     = "plane"
        point    = {top}
        normal   = {down}
        material = "sand"
        mass     = 5
        drive    = {{ force = 3000 }}
        [[grains]]
        material = "sand"
        shape    = {{ kind = "{round}", radius = "10 mm" }}
        place    = {{ how = "at", points = [{stuck}] }}
        fixed    = true
        [[grains]]
        material = "sand"
        shape    = {shape}
        count    = {count}
        place    = {{ how = "random", min = {low}, max = {high} }}
        velocity = {{ thermal = "0.5 m/s" }}
        "#,
        round = if dimension == 2 { "disk" } else { "sphere" },
    )
}

/// A measure that has two sides gives the same row of a world and of its frame.
#[test]
fn a_measure_of_the_world_and_of_its_frame_is_one_number() {
    let mut seen = std::collections::BTreeSet::new();
    let scenes = [(2, false, false), (2, true, false), (2, false, true), (3, false, false), (3, true, false)];
    let all = ["cd", "md"].iter().flat_map(|method| scenes.map(|scene| (*method, scene)));
    // stones are rigid
    for (method, (dimension, is_cell, is_stone)) in all.filter(|(method, scene)| *method == "cd" || !scene.2) {
        let scene = format!("{method} {dimension}D cell {is_cell} stones {is_stone}");
        let name = scene.replace(' ', "-");
        let (mut run, path) = start(&crowd(dimension, method, is_cell, is_stone), &name);
        while run.advance().unwrap().is_some() {}
        let text = std::fs::read_to_string(path.join("series.csv")).unwrap();
        let mut lines = text.lines().map(|line| line.split(','));
        let header: Vec<&str> = lines.next().unwrap().collect();
        let rows: Vec<Vec<f64>> = lines.map(|line| line.map(|cell| cell.parse().unwrap()).collect()).collect();
        let folder = RunFolder::open(&path).unwrap();
        let setting = AnyScenario::read(&folder.scenario(), &[]).unwrap().setting();
        let numbers = frame_files::numbers(&folder.frames()).unwrap();
        assert_eq!(numbers.len(), rows.len());
        for (number, row) in numbers.iter().zip(&rows) {
            let frame = frame_files::read(&folder.frames(), *number).unwrap();
            assert_eq!(frame.time, row[0], "{scene}");
            // frames tell gaps of the end of a step, and the world those of its start; soft grains are deformed, and where
            // within the overlap the force acts differs
            let overlap = frame.contacts.gap.iter().fold(0.0, |most: f64, gap| most.max(-gap));
            let shift = overlap
                + frame.grains.velocity.iter().flatten().fold(0.0, |most: f64, v| most.max(v.abs())) * frame.time_step;
            let options = MeasureOptions::default();
            let view = FrameView::whole(&frame, &setting, &options);
            for measure in Measures::ALL.iter().filter(|measure| measure.of_world::<D2>().is_some()) {
                let Some(of_frame) = measure.of_frame() else { continue };
                let found =
                    of_frame.rows(&view).unwrap_or_else(|nothing| panic!("{scene}, {}: {nothing}", measure.name()));
                for (column, found) in of_frame.columns(&view).iter().zip(&found[0]) {
                    let at = header.iter().position(|name| *name == column.header()).expect(&column.name);
                    let (of_world, name) = (row[at], measure.name());
                    let tolerance = if name == "pressure" { shift / 8e-3 } else { 1e-11 };
                    let size = if name.contains("momentum") { of_world.abs().max(1.0) } else { of_world.abs() };
                    let context = format!("{scene}, frame {number}, {}: {found} and {of_world}", column.name);
                    assert!((found - of_world).abs() <= tolerance * size, "{context}");
                    if of_world != 0.0 {
                        seen.insert(column.name.clone());
                    }
                }
            }
        }
    }
    // what was zero everywhere was not compared: without soft shear nothing shears, and rigid grains have no springs
    for column in
        ["kinetic_energy", "elastic_energy", "wall_work", "momentum_x", "angular_momentum_z", "angular_momentum_x"]
    {
        assert!(seen.contains(column), "{column} was zero everywhere: {seen:?}");
    }
    for column in
        ["sliding_contacts", "rattlers", "solid_fraction", "cell_length_x", "contact_pressure", "coordination"]
    {
        assert!(seen.contains(column), "{column} was zero everywhere: {seen:?}");
    }
}
