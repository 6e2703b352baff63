//! The scenarios that ship: every one is a template, builds, runs, and survives being resolved.

use std::fs;
use std::path::Path;

use drystone::input::Reader;
use drystone::input::units;
use drystone::scenario::AnyScenario;
use drystone::scenario::template::TEMPLATES;
use drystone::sim::{self, Run};

const FOLDER: &str = "../../scenarios";

fn parse(name: &str, text: &str) -> AnyScenario {
    AnyScenario::parse(name, text, &[], Reader::new(FOLDER.into())).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn open(scenario: &AnyScenario) -> Box<dyn Run> {
    sim::open(scenario, Path::new(FOLDER)).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Hash of the state after some steps.
fn hash_after(scenario: &AnyScenario, steps: u64) -> String {
    let mut run = open(scenario);
    for step in 0..steps {
        run.advance().unwrap_or_else(|error| panic!("{}, step {step}: {error}", scenario.title()));
    }
    run.summary()["hash"].as_str().unwrap().to_string()
}

#[test]
fn files_and_templates_are_the_same() {
    let mut names: Vec<String> = fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_string())
        .collect();
    let mut templates: Vec<&str> = TEMPLATES.iter().map(|template| template.name).collect();
    names.sort();
    templates.sort();
    assert_eq!(names, templates);
    for template in TEMPLATES {
        let file = fs::read_to_string(format!("{FOLDER}/{}.toml", template.name)).unwrap();
        assert_eq!(file, template.text);
        assert!(template.text.starts_with("# ") && template.about().ends_with('.'), "{}", template.name);
    }
}

#[test]
fn every_scenario_runs_its_first_steps() {
    for template in TEMPLATES {
        let mut run = open(&parse(template.name, template.text));
        for _ in 0..20 {
            let step = run.advance().unwrap_or_else(|error| panic!("{}: {error}", template.name));
            assert!(step.is_some(), "{} ended", template.name);
        }
        assert_eq!(run.report().unconverged_steps, 0, "{}", template.name);
    }
}

/// Resolving again changes nothing, and the resolved scenario starts from the same bits.
#[test]
fn a_resolved_scenario_is_a_fixed_point() {
    for template in TEMPLATES {
        let scenario = parse(template.name, template.text);
        let once = scenario.to_toml();
        let again = parse("resolved", &once);
        assert_eq!(again.to_toml(), once, "{}", template.name);
        assert_eq!(hash_after(&scenario, 1), hash_after(&again, 1), "{}", template.name);
    }
}

/// The scenario with every number computed: 3 becomes "one * (3)", "40 mm" becomes "one * (40 mm)". Returns how many.
fn compute_all(value: &mut toml::Value) -> usize {
    let text = match &*value {
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::String(text) if units::parse(text).is_ok() => text.clone(),
        _ => {
            let inside: Vec<&mut toml::Value> = match value {
                toml::Value::Array(items) => items.iter_mut().collect(),
                toml::Value::Table(table) => {
                    table.iter_mut().filter(|(key, _)| *key != "dimension").map(|(_, inner)| inner).collect()
                }
                _ => Vec::new(),
            };
            return inside.into_iter().map(compute_all).sum();
        }
    };
    *value = format!("one * ({text})").into();
    1
}

/// Whatever takes a number takes an expression: in lists, in tables of any depth, in stages and in what they set.
#[test]
fn every_number_of_every_scenario_can_be_computed() {
    for template in TEMPLATES {
        let plain = parse(template.name, template.text).to_toml();
        let mut value = toml::Value::Table(template.text.parse().unwrap());
        let count = compute_all(&mut value);
        assert!(count > 10, "{}: {count}", template.name);
        let toml::Value::Table(table) = &mut value else { unreachable!() };
        let parameters = table.entry("parameters").or_insert_with(|| toml::Table::new().into());
        parameters.as_table_mut().unwrap().insert("one".into(), 1.into());
        let without = |text: &str| {
            let mut table: toml::Table = text.parse().unwrap();
            table.remove("parameters");
            table
        };
        let computed = parse(template.name, &table.to_string()).to_toml();
        assert_eq!(without(&computed), without(&plain), "{}", template.name);
    }
}

#[test]
fn units_do_not_change_a_bit() {
    let with_units = r#"
        dimension = 2
        seed      = 5
        gravity   = [0, "-9.81 mm/ms2"]
        depth     = "7 mm"
        material  = [{ name = "sand", density = "2.65 g/cm3" }]
        contact   = [{ between = ["sand", "sand"], friction = "30 %" }]
        stop      = { at = "123 ms" }
        method    = { cd = { time_step = "50 us" } }
        [[grains]]
        material = "sand"
        shape    = { kind = "disk", radius = { uniform = ["0.7 mm", "1.3 mm"] } }
        count    = 60
        place    = { how = "random", min = ["0.1 mm", "0.3 mm"], max = ["30.1 mm", "30.3 mm"] }
        velocity = ["0.1 mm/ms", "-0.7 mm/ms"]
        [[wall]]
        name     = "box"
        kind     = "box"
        min      = ["0 mm", "0 mm"]
        max      = ["33.3 mm", "33.3 mm"]
        material = "sand"
        drive    = { velocity = { sine = { amplitude = ["3 mm/s", 0], frequency = "0.03 kHz" } } }
    "#;
    let si = r#"
        dimension = 2
        seed      = 5
        gravity   = [0, -9810.0]
        depth     = 0.007
        material  = [{ name = "sand", density = 2650 }]
        contact   = [{ between = ["sand", "sand"], friction = 0.3 }]
        stop      = { at = 0.123 }
        method    = { cd = { time_step = 5e-5 } }
        [[grains]]
        material = "sand"
        shape    = { kind = "disk", radius = { uniform = [0.0007, 0.0013] } }
        count    = 60
        place    = { how = "random", min = [0.0001, 0.0003], max = [0.0301, 0.0303] }
        velocity = [0.1, -0.7]
        [[wall]]
        name     = "box"
        kind     = "box"
        min      = [0, 0]
        max      = [0.0333, 0.0333]
        material = "sand"
        drive    = { velocity = { sine = { amplitude = [0.003, 0], frequency = 30 } } }
    "#;
    let (with_units, si) = (parse("units", with_units), parse("si", si));
    assert_eq!(with_units.to_toml(), si.to_toml());
    assert_eq!(hash_after(&with_units, 100), hash_after(&si, 100));
}

/// A grain that creeps is at rest for a stage that says so, and not for a run that is stricter.
#[test]
fn every_rule_of_rest_has_its_own_speed() {
    let text = r#"
        dimension = 2
        gravity   = [0, 0]
        material  = [{ name = "sand", density = 2650 }]
        contact   = [{ between = ["sand", "sand"], friction = 0.3 }]
        stop      = { at_rest = { speed = "1 um/s", for = 0 } }
        method    = { cd = { time_step = "1 ms" } }
        [[grains]]
        material = "sand"
        shape    = { kind = "disk", radius = "1 mm" }
        place    = { how = "square", min = [0, 0], max = ["2 mm", "2 mm"] }
        velocity = ["1 mm/s", 0]
        [[stage]]
        name  = "settle"
        until = { at_rest = { speed = "2 mm/s", for = "5 ms" } }
        limit = "1 s"
        [[stage]]
        name  = "wait"
        limit = "3 ms"
    "#;
    let mut run = open(&parse("rest", text));
    while run.advance().unwrap().is_some() {}
    let ended: Vec<(&str, &str)> = run.report().ended.iter().map(|e| (e.stage.as_str(), e.why.as_str())).collect();
    assert_eq!(ended, [("settle", "at rest"), ("wait", "limit of 0.003 s reached")]);
    assert_eq!(run.report().steps, 6 + 3, "slow since the end of the first step, for five more; then the limit");
}

/// A record of 1 and -0.5 m/s2 along x, and of a tenth of standard gravity along y, in rows 10 ms apart that fade within
/// another 10 ms: trapezes give the wall 5 mm/s along x and 0.980665 * 10 mm/s along y.
#[test]
fn a_record_has_named_columns_units_and_a_baseline() {
    let folder = Path::new("../drystone/tests/bad").to_path_buf();
    let notes = |more: &str| {
        let text = format!(
            "dimension = 2\ngravity = [0, -9.81]\nmaterial = [{{ name = \"sand\", density = 2650 }}]\n\
             contact = [{{ between = [\"sand\", \"sand\"], friction = 0.5 }}]\nstop.at = 0.05\nmethod.cd.time_step = 1e-3\n\
             grains = [{{ material = \"sand\", shape = {{ kind = \"disk\", radius = 1e-3 }}, place = {{ how = \"at\", points = [[0, 0.1]] }} }}]\n\
             [[wall]]\nname = \"ground\"\nmaterial = \"sand\"\nkind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\n\
             drive.acceleration.table = {{ file = \"record.csv\", x = \"ns\", y = \"ud\"{more} }}\n"
        );
        let scenario =
            AnyScenario::parse("record", &text, &[], Reader::new(folder.clone())).unwrap_or_else(|m| panic!("{m}"));
        drystone::sim::open(&scenario, &folder).unwrap().notes().join("\n")
    };
    let raw = notes("");
    let velocity = 5e-3_f64.hypot(0.980_665 * 10e-3);
    assert!(raw.contains("\"ground\" lasts 0.03 s, a row every 10.0 time steps"), "{raw}");
    assert!(raw.contains(&format!("the wall has {velocity:.2e} m/s")), "{raw}");
    let number = |text: &str, after: &str| -> f64 {
        let rest = text.split(after).nth(1).unwrap();
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!(number(&raw, "m/s and is ") > 1e-5, "{raw}");
    let line = notes(", baseline = \"linear\"");
    assert!(number(&line, "the wall has ") < 1e-15 && number(&line, "m/s and is ") < 1e-17, "{line}");
    let mean = notes(", baseline = \"mean\"");
    assert!(number(&mean, "the wall has ") < 1e-15 && number(&mean, "m/s and is ") > 1e-6, "{mean}");
}
