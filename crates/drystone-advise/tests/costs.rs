//! Expected costs against real ones, of ten scenarios that are shortened to a second or less.

use std::path::{Path, PathBuf};

use cpu_time::ThreadTime;
use drystone::method::Kind;
use drystone::scenario::AnyScenario;
use drystone::scenario::derive::AllowedOverlaps;
use drystone::sim::{self, Run};
use drystone_advise::{AdviseOptions, advise};

/// A scenario of the folder `scenarios`, shortened by settings, and a method.
struct Case {
    scenario: &'static str,
    settings: &'static [&'static str],
    method: Kind,
}

const fn case(scenario: &'static str, settings: &'static [&'static str], method: Kind) -> Case {
    Case { scenario, settings, method }
}

const CASES: [Case; 10] = [
    case("heap", &["grains.1.count=400", "stop.at=\"0.3 s\""], Kind::Cd),
    case("heap", &["grains.1.count=200", "stop.at=\"0.1 s\""], Kind::Md),
    case("granular_gas", &["stop.at=\"20 ms\""], Kind::Cd),
    case("granular_gas", &["stop.at=\"50 ms\""], Kind::Md),
    case("plane_shear", &["grains.0.count=100", "stop.at=\"0.3 s\""], Kind::Cd),
    case("vibrated_bed", &["grains.1.count=100", "stage.shake.limit=\"0.2 s\""], Kind::Cd),
    case("soft_heap", &["grains.1.count=100", "stop.at=\"0.1 s\""], Kind::Md),
    case("chain", &[], Kind::Md),
    case("heap3d", &["grains.1.count=200", "stop.at=\"0.1 s\""], Kind::Cd),
    case("turning_heap", &["stop.at=\"50 ms\""], Kind::Dae),
];

/// What a run was expected to cost, and what it did.
#[derive(Debug)]
struct Outcome {
    seconds: [f64; 2],
    /// Contacts solved in all sweeps of all steps.
    solved: [f64; 2],
    steps: [f64; 2],
}

fn scenario(case: &Case) -> (AnyScenario, PathBuf) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let settings: Vec<String> = case.settings.iter().map(|setting| setting.to_string()).collect();
    let file = folder.join(format!("{}.toml", case.scenario));
    (AnyScenario::read(&file, &settings).unwrap_or_else(|error| panic!("{}: {error}", case.scenario)), folder)
}

/// Makes the whole run, not recorded, on one thread.
fn real(mut run: Box<dyn Run>) -> [f64; 3] {
    let start = ThreadTime::now();
    let (mut solved, mut steps) = (0.0, 0.0);
    while let Some(step) = run.advance().expect("a step") {
        solved += step.contacts as f64 * step.sweeps.max(1) as f64;
        steps += 1.0;
    }
    [start.elapsed().as_secs_f64(), solved, steps]
}

fn outcome(case: &Case) -> Outcome {
    let (scenario, folder) = scenario(case);
    let options = AdviseOptions { seconds: 0.25, accuracy: None };
    let advice = advise(&scenario, &folder, &options, &|_| {}).expect("an advice");
    let prospect = advice.prospects.iter().find(|prospect| prospect.method == case.method).expect("the method");
    let cost = prospect.cost.as_ref().expect("its cost");
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let [seconds, solved, steps] = alone.install(|| {
        let own = scenario.for_method(case.method, AllowedOverlaps::default(), &folder).expect("a scenario");
        real(sim::open(&own.scenario, &folder).expect("a run"))
    });
    Outcome { seconds: [cost.seconds, seconds], solved: [cost.solved, solved], steps: [cost.steps, steps] }
}

impl Outcome {
    /// Whether the expected cost lies within a factor of two: computing time, steps, and for rigid grains the contacts
    /// solved in their sweeps.
    fn is_near(&self, case: &Case) -> bool {
        let is_within = |[expected, real]: [f64; 2]| (0.5..=2.0).contains(&(expected / real));
        is_within(self.seconds) && is_within(self.steps) && (case.method != Kind::Cd || is_within(self.solved))
    }
}

/// What a run costs is known within a factor of two before it is made. Walk and trials have a quarter of a second for each
/// method here; `drystone advise` takes ten. Other programs disturb times: a case counts as wrong if it is wrong three times.
#[test]
fn costs_are_expected_within_a_factor_of_two() {
    let mut wrong = Vec::new();
    for case in &CASES {
        let mut found = outcome(case);
        for _ in 1..3 {
            if !found.is_near(case) {
                found = outcome(case);
            }
        }
        let [seconds, solved] = [found.seconds, found.solved].map(|[expected, real]| expected / real);
        println!(
            "{:14} {:4} expected {:.3} s, took {:.3} s, ratio {seconds:.2}; contacts solved {solved:.2}, steps {:.0} and {}",
            case.scenario,
            case.method.name(),
            found.seconds[0],
            found.seconds[1],
            found.steps[0],
            found.steps[1]
        );
        if !found.is_near(case) {
            wrong.push(format!("{} by {}: {found:?}", case.scenario, case.method.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
