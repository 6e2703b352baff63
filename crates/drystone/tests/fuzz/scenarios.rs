//! Scenarios: read, built, and run for a few steps.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use drystone::input::Reader;
use drystone::scenario::AnyScenario;
use drystone::sim::{Run, open};

use crate::child::Trial;
use crate::mutate::change_text;

/// Bodies at most that are built: more are sound where they are not refused, and take their time and memory.
const MOST_BUILT: f64 = 50_000.0;
/// Bodies at most that are moved.
const MOST_MOVED: u64 = 1500;
/// Sweeps of a step at most.
const MOST_SWEEPS: u64 = 50;
/// Steps, and time after which no other is begun.
const STEPS: usize = 4;
const TIME: Duration = Duration::from_millis(100);

/// The scenario texts of these folders, counted from that of the crate.
fn texts(folders: &[&str]) -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders: Vec<PathBuf> = folders.iter().map(|folder| here.join(folder)).collect();
    let files = |folder: &PathBuf| -> Vec<PathBuf> {
        fs::read_dir(folder).expect("scenarios").map(|entry| entry.expect("a file").path()).collect()
    };
    let mut paths: Vec<PathBuf> = folders.iter().flat_map(files).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a scenario")).collect()
}

/// Tries damaged scenarios.
pub(crate) fn trial(desk: &Path) -> Trial {
    let (shipped, desk) = (texts(&["../../scenarios", "../drystone/tests/warned"]), desk.to_path_buf());
    let texts = [shipped.clone(), texts(&["../drystone/tests/bad"])].concat();
    Box::new(move |dice| {
        let bases = if dice.below(5) == 0 { &texts } else { &shipped };
        let base = &bases[dice.below(bases.len())];
        let bytes = change_text(base, &texts, dice);
        let Ok(text) = String::from_utf8(bytes) else { return false };
        if std::env::var_os("DRYSTONE_FUZZ_SHOW").is_some() {
            println!("{text}");
        }
        check_and_run(&text, &desk)
    })
}

/// What `drystone check` and the first steps of `drystone run` do; whether the check says yes.
pub(crate) fn check_and_run(text: &str, folder: &Path) -> bool {
    let scenario = AnyScenario::parse("fuzz.toml", text, &[], Reader::new(folder.to_path_buf()));
    let mut scenario = match scenario {
        Ok(scenario) => scenario,
        Err(mistakes) => {
            let length = mistakes.to_string().len();
            assert!(length < 3000 * mistakes.0.len(), "messages of {length} bytes");
            return false;
        }
    };
    let again = AnyScenario::parse("again.toml", &scenario.to_toml(), &[], Reader::new(folder.to_path_buf()));
    assert!(again.is_ok(), "the resolved scenario is refused: {}", again.unwrap_err());
    let asked_for = match &mut scenario {
        AnyScenario::Plane(scenario) => {
            shorten(scenario.method.cd.as_mut());
            scenario.asked_for()
        }
        AnyScenario::Space(scenario) => {
            shorten(scenario.method.cd.as_mut());
            scenario.asked_for()
        }
    };
    if asked_for > MOST_BUILT {
        return true;
    }
    let Ok(mut run) = open(&scenario, folder) else { return false };
    run.describe();
    if run.summary()["grains"].as_u64().is_some_and(|grains| grains <= MOST_MOVED) {
        march(&mut *run);
    }
    true
}

fn shorten(options: Option<&mut drystone::method::cd::CdOptions>) {
    if let Some(options) = options {
        options.max_sweeps = options.max_sweeps.min(MOST_SWEEPS);
        options.min_sweeps = options.min_sweeps.min(MOST_SWEEPS);
        options.fixed_sweeps = options.fixed_sweeps.map(|sweeps| sweeps.min(MOST_SWEEPS));
    }
}

/// A few steps: each is made, or says why not.
pub(crate) fn march(run: &mut dyn Run) {
    let since = Instant::now();
    for _ in 0..STEPS {
        match run.advance() {
            Ok(Some(step)) => assert!(step.max_speed.is_finite() && step.time.is_finite(), "{step:?}"),
            _ => return,
        }
        if since.elapsed() > TIME {
            return;
        }
    }
    run.summary();
    assert!(run.kinetic_energy().is_finite(), "the kinetic energy is {}", run.kinetic_energy());
}
