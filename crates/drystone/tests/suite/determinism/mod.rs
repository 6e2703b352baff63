//! The same bits on every run, and after every interruption: of the state, of the series, of the frames.

mod scenes;
mod threads;

use std::fs;
use std::path::{Path, PathBuf};

use drystone::record::RunFolder;
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run};
use scenes::*;

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("determinism").join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    path
}

fn hash(run: &dyn Run) -> String {
    run.summary()["hash"].as_str().unwrap().to_string()
}

fn advance(run: &mut dyn Run, steps: u64) {
    for _ in 0..steps {
        run.advance().unwrap_or_else(|error| panic!("{error}"));
    }
}

fn resume(path: &Path) -> Box<dyn Run> {
    sim::resume(RunFolder::open(path).unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

fn start(scenario: &AnyScenario, path: &Path) -> Box<dyn Run> {
    sim::start(scenario, Path::new("."), path, false).unwrap_or_else(|error| panic!("{error}"))
}

/// Names and bytes of what a run leaves for its users.
fn results(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![path.join("series.csv"), path.join("frames.pvd"), path.join("scenario.toml")];
    files.extend([path.join("events.csv")].into_iter().filter(|events| events.exists()));
    files.extend(fs::read_dir(path.join("frames")).unwrap().map(|entry| entry.unwrap().path()));
    files.sort();
    files.iter().map(|file| (file.strip_prefix(path).unwrap().display().to_string(), fs::read(file).unwrap())).collect()
}

fn assert_same_results(one: &Path, other: &Path) {
    let (one, other) = (results(one), results(other));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    for ((name, bytes), (_, others)) in one.iter().zip(&other) {
        assert!(bytes == others, "{name} differs");
    }
}

#[test]
fn two_runs_have_the_same_bits() {
    for scenario in [small_drop(), small_heap(), small_shaker(), small_stones(), small_solids()] {
        let hashes = [(); 2].map(|()| {
            let mut run = sim::open(&scenario, Path::new(".")).unwrap();
            advance(run.as_mut(), 100);
            assert!(run.summary()["contacts"].as_u64().unwrap() > 10, "{}: too few contacts", scenario.title());
            hash(run.as_ref())
        });
        assert_eq!(hashes[0], hashes[1], "{}", scenario.title());
    }
}

/// Random orders follow from the seed of the scenario: the same seed gives the same bits, another one gives others.
#[test]
fn random_orders_follow_from_the_seed() {
    let after = |seed: u64| {
        let mut run = sim::open(&small_drop_at_random(seed), Path::new(".")).unwrap();
        advance(run.as_mut(), 60);
        assert!(run.summary()["contacts"].as_u64().unwrap() > 10, "too few contacts");
        hash(run.as_ref())
    };
    let first = after(1);
    assert_eq!(first, after(1), "the same seed");
    assert_ne!(first, after(2), "another seed draws other orders");
}

#[test]
fn an_interrupted_run_has_the_same_bits() {
    let scenarios = [
        ("drop", small_drop()),
        ("random", small_drop_at_random(3)),
        ("elastic", small_sound()),
        ("heap", small_heap()),
        ("shaker", small_shaker()),
        ("press", small_press()),
        ("changes", small_changes("cd")),
        ("soft changes", small_changes("md")),
        ("stack", small_stack()),
        ("pendulum", small_pendulum()),
        ("oscillator", small_oscillator()),
        ("tilt", small_tilt()),
        ("stones", small_stones()),
        ("solids", small_solids()),
        ("clumps", small_clumps("cd")),
        ("soft-clumps", small_clumps("md")),
        ("capsules", small_capsules("cd")),
        ("soft-capsules", small_capsules("md")),
        ("cell", small_cell("cd", &[])),
        ("soft-cell", small_cell("md", &[])),
        ("pressed-cell", small_cell("cd", &[PRESSED])),
        ("pressed-soft-cell", small_cell("md", &[PRESSED])),
        ("pulled", small_pull("cd", "20 ms")),
        ("soft-pulled", small_pull("md", "0.1 ms")),
        ("elastic-pulled", small_pull("dae", "0.1 ms")),
        ("mixer", small_mixer("cd")),
        ("soft-mixer", small_mixer("md")),
        ("gas", small_gas()),
        ("triaxial", small_triaxial("cd")),
        ("soft-triaxial", small_triaxial("md")),
        ("deforming", small_deforming()),
    ];
    for (name, scenario) in scenarios {
        let (whole, parts) = (folder(&format!("{name}-whole")), folder(&format!("{name}-parts")));
        let mut run = start(&scenario, &whole);
        advance(run.as_mut(), 100);
        run.interrupt().unwrap();
        let expected = hash(run.as_ref());

        let mut run = start(&scenario, &parts);
        for steps in [1, 12, 40, 0, 47] {
            advance(run.as_mut(), steps);
            run.interrupt().unwrap();
            drop(run); // it holds the folder
            run = resume(&parts);
        }
        assert_eq!(run.report().steps, 100);
        assert_eq!(hash(run.as_ref()), expected, "{name}");
        assert_same_results(&whole, &parts);
    }
}

/// A kill leaves rows and frames behind that the checkpoint knows nothing of, and half-written files.
#[test]
fn a_killed_run_has_the_same_bits() {
    for (name, scenario) in [("drop", small_drop()), ("shaker", small_shaker()), ("oscillator", small_oscillator())] {
        let (whole, killed) = (folder(&format!("{name}-alive")), folder(&format!("{name}-killed")));
        let mut run = start(&scenario, &whole);
        advance(run.as_mut(), 100);
        run.interrupt().unwrap();

        let mut run = start(&scenario, &killed);
        advance(run.as_mut(), 33);
        run.interrupt().unwrap();
        advance(run.as_mut(), 61);
        drop(run); // nothing is saved from here on, as after SIGKILL
        if name == "oscillator" {
            let events = fs::read_to_string(killed.join("events.csv")).unwrap();
            assert!(events.lines().count() > 3, "events past the checkpoint stand in the table: {events}");
        }
        let frames = killed.join("frames");
        let last = fs::read_dir(&frames)
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with("grains_"));
        assert!(last.count() > 3, "frames past the checkpoint exist");
        let series = fs::read_to_string(killed.join("series.csv")).unwrap();
        fs::write(killed.join("series.csv"), format!("{series}0.05,1")).unwrap();
        for part in ["checkpoint.npz.part", "frames/grains_000004.vtp.part", "frames.pvd.part"] {
            fs::write(killed.join(part), "half of").unwrap();
        }

        let mut again = resume(&killed);
        assert_eq!(again.report().steps, 33);
        advance(again.as_mut(), 67);
        again.interrupt().unwrap();
        fs::remove_file(killed.join("frames/grains_000004.vtp.part")).ok();
        assert_same_results(&whole, &killed);
    }
}

/// Frames that the checkpoint knows nothing of are gone after a resume, also from the list that ParaView opens.
#[test]
fn the_collection_names_only_frames_that_exist() {
    let path = folder("collection");
    let mut run = start(&small_drop(), &path);
    advance(run.as_mut(), 85);
    drop(run);
    fs::write(path.join("report.json"), "of an earlier moment").unwrap();
    drop(resume(&path));
    assert!(!path.join("report.json").exists());
    let collection = fs::read_to_string(path.join("frames.pvd")).unwrap();
    let named: Vec<&str> = collection.split("file=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(named.len(), 3, "the frame of the start");
    assert!(named.iter().all(|file| path.join(file).is_file()), "{named:?}");
}

/// A run killed between its last checkpoint and its report has the report after a resume.
#[test]
fn a_finished_run_gets_its_report() {
    let path = folder("finished");
    let scenario = scenario("collision", &["stop.at=5 ms"]);
    let mut run = start(&scenario, &path);
    while run.advance().unwrap().is_some() {}
    drop(run);
    let report = fs::read(path.join("report.json")).unwrap();
    fs::remove_file(path.join("report.json")).unwrap();
    assert!(resume(&path).advance().unwrap().is_none());
    assert_eq!(fs::read(path.join("report.json")).unwrap(), report);
}

#[test]
fn a_damaged_checkpoint_is_an_error_and_never_a_panic() {
    let path = folder("damaged");
    let mut run = start(&small_drop(), &path);
    advance(run.as_mut(), 60);
    run.interrupt().unwrap();
    drop(run);
    let file = path.join("checkpoint.npz");
    let whole = fs::read(&file).unwrap();
    let refused = |bytes: &[u8], what: &str| {
        fs::write(&file, bytes).unwrap();
        let Err(error) = sim::resume(RunFolder::open(&path).unwrap()) else { panic!("{what} was accepted") };
        let message = error.to_string();
        assert!(message.contains("cannot read") && message.contains("checkpoint.npz"), "{what}: {message}");
    };
    refused(b"", "an empty file");
    for part in 1..24 {
        refused(&whole[..whole.len() * part / 24], "a truncated file");
    }
    for k in (0..whole.len()).step_by(whole.len() / 200) {
        let mut bytes = whole.clone();
        bytes[k] ^= 0x55;
        fs::write(&file, &bytes).unwrap();
        match sim::resume(RunFolder::open(&path).unwrap()) {
            Ok(_) => panic!("byte {k} of {} was altered, and nobody noticed", whole.len()),
            Err(error) => assert!(error.to_string().contains("checkpoint.npz"), "{error}"),
        }
    }
    fs::remove_file(&file).unwrap();
    let Err(error) = sim::resume(RunFolder::open(&path).unwrap()) else { panic!("no file was accepted") };
    assert!(error.to_string().contains("checkpoint.npz"), "{error}");
}

/// Monitors go on counting after an interruption: a resumed run warns word for word as an uninterrupted one does.
#[test]
fn interrupted_runs_warn_alike() {
    let scenario = scenario("detachment", &[]);
    let (whole, parts) = (folder("warnings-whole"), folder("warnings-parts"));
    let warnings = |run: &dyn Run| run.summary()["warnings"].clone();
    let mut run = start(&scenario, &whole);
    while run.advance().unwrap().is_some() {}
    let expected = warnings(run.as_ref());
    assert!(expected.to_string().contains("W101"), "{expected}");
    let steps = run.report().steps;
    let mut run = start(&scenario, &parts);
    for _ in 0..8 {
        advance(run.as_mut(), steps / 9);
        run.interrupt().unwrap();
        drop(run);
        run = resume(&parts);
    }
    while run.advance().unwrap().is_some() {}
    assert_eq!(warnings(run.as_ref()), expected);
}
