//! Every mistake that a scenario can have, one file each in `tests/bad`, beside the exact message it gets.
//!
//! After a message was changed on purpose, `DRYSTONE_ACCEPT=1 cargo test -p drystone-tests --test suite bad_scenarios` writes
//! the messages anew; `git diff` then shows them, to be read as a user would.

use std::fs;
use std::path::{Path, PathBuf};

use drystone::input::{Mistakes, Reader};
use drystone::scenario::AnyScenario;
use drystone::scenario::codes::{self, CODES};
use miette::{GraphicalReportHandler, GraphicalTheme};

/// Scenarios that run, but that the user is warned about, beside the exact warning.
const WARNED: &str = "../drystone/tests/warned";

/// Tests run in the folder of their crate; a relative name is the same on every machine.
const FOLDER: &str = "../drystone/tests/bad";

/// The files of a folder and of those in it that end so.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What `drystone check` would find in a scenario: reading and building it.
fn mistakes(name: &str) -> Mistakes {
    let text = fs::read_to_string(Path::new(FOLDER).join(name)).unwrap();
    let scenario = match AnyScenario::parse(name, &text, &[], Reader::new(FOLDER.into())) {
        Ok(scenario) => scenario,
        Err(mistakes) => return mistakes,
    };
    match drystone::sim::open(&scenario, Path::new(FOLDER)) {
        Ok(_) => panic!("{name} has no mistake"),
        Err(mistakes) => mistakes,
    }
}

fn render(mistakes: &Mistakes) -> String {
    let handler =
        GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_width(110).with_links(false);
    let mut text = String::new();
    for mistake in &mistakes.0 {
        handler.render_report(&mut text, mistake).unwrap();
        text.push('\n');
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("{}\n", lines.join("\n").trim_end()).replace("../drystone/tests/", "tests/")
}

#[test]
fn every_mistake_has_its_message() {
    let accept = std::env::var_os("DRYSTONE_ACCEPT").is_some();
    let mut wrong = Vec::new();
    let scenarios = files(Path::new(FOLDER), "toml");
    for path in &scenarios {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap();
        let (message, kept) = (render(&mistakes(name)), path.with_extension("txt"));
        if accept {
            fs::write(&kept, &message).unwrap();
        } else if fs::read_to_string(&kept).ok().as_ref() != Some(&message) {
            wrong.push(format!("{name} has another message than {}:\n{message}", kept.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let messages = files(Path::new(FOLDER), "txt");
    assert_eq!(messages.len(), scenarios.len(), "a message without a scenario");
}

#[test]
fn every_warning_has_its_message_and_the_scenario_runs() {
    let accept = std::env::var_os("DRYSTONE_ACCEPT").is_some();
    let mut seen = Vec::new();
    for path in files(Path::new(WARNED), "toml") {
        let (name, text) =
            (path.file_name().and_then(|name| name.to_str()).unwrap(), fs::read_to_string(&path).unwrap());
        let scenario =
            AnyScenario::parse(name, &text, &[], Reader::default()).unwrap_or_else(|wrong| panic!("{wrong}"));
        let mut run = drystone::sim::open(&scenario, Path::new(".")).unwrap();
        let warnings = scenario.warnings();
        let told: Vec<_> = run.summary()["warnings"].as_array().unwrap().iter().map(|w| w["code"].clone()).collect();
        assert_eq!(told, warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), "{name}: the report tells");
        run.advance().unwrap();
        seen.extend(warnings.iter().map(|warning| warning.code));
        let (message, kept) = (render(&Mistakes(warnings)), path.with_extension("txt"));
        if accept {
            fs::write(&kept, &message).unwrap();
        }
        assert_eq!(fs::read_to_string(&kept).ok(), Some(message), "{name}");
    }
    seen.sort_unstable();
    let is_told = |code: &&str| ["W11", "W12", "W14"].iter().any(|block| code.starts_with(block));
    let all: Vec<&str> = CODES.iter().map(|code| code.code).filter(is_told).collect();
    assert_eq!(seen, all, "every warning about scenarios has one of its own");
}

#[test]
fn many_mistakes_come_together_in_the_order_of_the_file() {
    let found = mistakes("many_mistakes.toml");
    let lines: Vec<usize> = found.0.iter().map(|mistake| mistake.at.line_column().unwrap().0).collect();
    assert!(lines.is_sorted(), "{lines:?}");
    let wrong_lines = [2, 4, 8, 11, 12, 15, 16, 18, 19, 24, 25, 27, 30, 33, 35, 38, 41, 42, 45];
    let missed: Vec<_> = wrong_lines.iter().filter(|line| !lines.contains(line)).collect();
    assert!(missed.is_empty(), "nothing was said about the lines {missed:?}");
}

/// A message without help leaves the user alone.
#[test]
fn every_message_says_what_to_write_instead() {
    for path in files(Path::new(FOLDER), "toml") {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap();
        for mistake in mistakes(name).0 {
            assert!(!mistake.help.is_empty(), "{name}: {mistake}");
            assert!(mistake.at.text.is_some(), "{name}: {mistake} stands nowhere");
            assert!(codes::find(mistake.code).is_some(), "{name}: {} is not explained", mistake.code);
        }
    }
}

/// Codes in a source text: E or W and three digits, in quotes or brackets.
fn codes_in(text: &str) -> Vec<String> {
    let is_code = |word: &&str| {
        word.len() == 4 && word.starts_with(['E', 'W']) && word[1..].bytes().all(|byte| byte.is_ascii_digit())
    };
    text.split(['"', '[', ']']).filter(is_code).map(str::to_string).collect()
}

#[test]
fn codes_are_explained_and_explained_codes_are_used() {
    let crates = ["../drystone/src", "../drystone-files/src", "../drystone-cli/src"];
    let sources = crates.map(|folder| files(Path::new(folder), "rs")).concat();
    let mut used: Vec<String> = sources
        .iter()
        .filter(|path| !path.ends_with("scenario/codes.rs"))
        .flat_map(|path| codes_in(&fs::read_to_string(path).unwrap()))
        .collect();
    used.sort();
    used.dedup();
    let explained: Vec<String> = CODES.iter().map(|code| code.code.to_string()).collect();
    assert!(explained.is_sorted());
    assert_eq!(used, explained);
}
