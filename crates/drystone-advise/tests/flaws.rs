//! What methods get wrong, of scenarios whose numbers follow from a line of arithmetic.

use std::path::Path;

use drystone::input::Reader;
use drystone::method::Kind;
use drystone::scenario::AnyScenario;
use drystone_advise::{Advice, AdviseOptions, Ending, Flaw, Hardness, NoAdvice, Prospect, advise};

fn shipped(name: &str) -> Advice {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let scenario = AnyScenario::read(&folder.join(format!("{name}.toml")), &[]).expect("a scenario");
    of(&scenario, &folder).expect("an advice")
}

fn of(scenario: &AnyScenario, folder: &Path) -> Result<Advice, NoAdvice> {
    advise(scenario, folder, &AdviseOptions { seconds: 0.1, accuracy: None }, &|_| {})
}

fn parsed(text: &str) -> Result<Advice, NoAdvice> {
    let scenario = AnyScenario::parse("test", text, &[], Reader::default()).expect("a scenario");
    of(&scenario, Path::new("."))
}

fn prospect(advice: &Advice, method: Kind, hardness: Hardness) -> &Prospect {
    advice.prospects.iter().find(|it| it.method == method && it.hardness == hardness).expect("the method")
}

/// A sphere of 5 mm and 1000 kg/m3 meets one that is held: tau = pi (m / k)^1/2 with m = 5.236e-4 kg and k = 1000 N/m is
/// 2.273 ms, V_c = 4 R / tau = 8.797 m/s head-on, and the sphere flies with 15 m/s. [Wolf eq. 15, 26]
#[test]
fn brake_failure_is_seen_before_the_run() {
    let advice = shipped("brake_failure");
    let flaws = &prospect(&advice, Kind::Md, Hardness::Stated).flaws;
    let found = flaws.iter().find_map(|flaw| match flaw {
        Flaw::BrakeFailure { fastest, critical } => Some([*fastest, *critical]),
        _ => None,
    });
    let [fastest, critical] = found.expect("the critical speed");
    // no grain is faster than at the start, whose collision takes energy out of it at most
    assert!((fastest / 15.0 - 1.0).abs() < 1e-6, "{fastest}");
    // the collision is integrated numerically
    assert!((critical / 8.797 - 1.0).abs() < 1e-3, "{critical}");
    assert!(flaws.iter().any(|flaw| flaw.is_grave() && flaw.code() == Some("W102")));
    let choice = advice.choice.expect("a choice");
    assert_eq!(advice.prospects[choice.best].hardness, Hardness::Rigid, "rigid spheres cannot pass");
}

/// A gas has no lasting contacts, and half a second of free flight no end by a rule.
#[test]
fn a_gas_ends_by_the_clock_and_leaves_no_force_undetermined() {
    let advice = shipped("granular_gas");
    assert_eq!((advice.ending, advice.end, advice.grains), (Ending::Clock, 0.6, 400));
    let rigid = prospect(&advice, Kind::Cd, Hardness::Rigid);
    assert!(!rigid.flaws.iter().any(|flaw| matches!(flaw, Flaw::Indeterminate { .. })), "{:?}", rigid.flaws);
    assert!(rigid.flaws.iter().any(|flaw| matches!(flaw, Flaw::NoWaves { crossing: Some(_) })));
}

/// A disk of 10 cm on a floor, or anything else in place of the gravity and the time step.
fn disk(gravity: &str, time_step: &str) -> String {
    format!(
        "dimension = 2\ngravity = [0, {gravity}]\n[[material]]\nname = \"m\"\ndensity = 1000\n\
         [[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.5\n\
         [[wall]]\nname = \"floor\"\nkind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\nmaterial = \"m\"\n\
         [[grains]]\nmaterial = \"m\"\nshape = {{ kind = \"disk\", radius = 0.1 }}\n\
         place = {{ how = \"at\", points = [[0, 0.1]] }}\n\
         [method.cd]\ntime_step = \"{time_step}\"\n[stop]\nat = \"50 ms\"\n"
    )
}

/// Soft laws are derived where none are stated, and told. The disk weighs 1000 pi 0.01 kg times 10 m/s2, and one contact
/// with friction has two components against three equations: all forces are determined.
#[test]
fn a_rigid_scenario_has_softened_twins() {
    let advice = parsed(&disk("-10", "1 ms")).expect("an advice");
    let soft = prospect(&advice, Kind::Md, Hardness::Softened);
    assert!(soft.notes.iter().any(|note| note.contains("N/m")), "{:?}", soft.notes);
    assert!((advice.scene.force / (100.0 * std::f64::consts::PI) - 1.0).abs() < 1e-3, "{:?}", advice.scene);
    assert_eq!((advice.scene.contacts, advice.scene.touching), (1, 1));
    let rigid = prospect(&advice, Kind::Cd, Hardness::Rigid);
    assert_eq!(rigid.cost.as_ref().expect("a cost").steps.round(), 50.0);
    assert!(!rigid.flaws.iter().any(|flaw| matches!(flaw, Flaw::Indeterminate { .. })));
}

/// Nothing moves and nothing presses: no time step follows, and no stiffness.
#[test]
fn a_scenario_that_no_method_can_run_is_refused_with_every_reason() {
    let refused = parsed(&disk("0", "auto")).expect_err("nothing to compute");
    let NoAdvice::NoMethod(reasons) = &refused else { panic!("{refused}") };
    assert!(reasons.iter().any(|it| it.method == Kind::Cd && it.reason.contains("no time step follows")), "{refused}");
    assert!(reasons.iter().any(|it| it.method == Kind::Md && it.reason.contains("nothing presses")), "{refused}");
}
