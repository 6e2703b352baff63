//! The hash of the state of every scenario of a folder after its first steps, by every method that it has: what a
//! change that should change nothing must leave as it is. `scripts/hashes` compares. `scripts/check-inlining` asks for
//! one scenario and one method.

use std::path::{Path, PathBuf};

use drystone::input::Reader;
use drystone::scenario::AnyScenario;
use drystone::sim;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let place = PathBuf::from(arguments.next().expect("usage: state_hashes FOLDER|SCENARIO [STEPS [METHOD]]"));
    let steps: usize = arguments.next().map_or(200, |steps| steps.parse().expect("a number of steps"));
    let methods = arguments.next().map_or(["cd", "md", "dae"].map(String::from).to_vec(), |method| vec![method]);
    for file in &scenarios(&place) {
        let folder = file.parent().expect("a folder");
        let name = file.file_stem().expect("a name").to_string_lossy();
        let text = std::fs::read_to_string(file).expect("a readable file");
        for method in &methods {
            let asked = [format!("method.use={method}")];
            let hash = hash_after(&name, &text, &asked, steps, folder);
            println!("{name} {method} {}", hash.unwrap_or_else(|| "-".to_string()));
        }
    }
}

/// The scenario itself, or those of a folder.
fn scenarios(place: &Path) -> Vec<PathBuf> {
    if place.is_file() {
        return vec![place.to_path_buf()];
    }
    let entries = std::fs::read_dir(place).expect("a folder of scenarios").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    files
}

/// `None` for a method that the scenario does not have.
fn hash_after(name: &str, text: &str, asked: &[String], steps: usize, folder: &Path) -> Option<String> {
    let scenario = AnyScenario::parse(name, text, asked, Reader::default()).ok()?;
    let mut run = sim::open(&scenario, folder).ok()?;
    for _ in 0..steps {
        match run.advance() {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => return Some(format!("stops at step {}: {error}", run.report().steps)),
        }
    }
    run.summary()["hash"].as_str().map(String::from)
}
