//! Recording and resuming: a run is stopped half-way, resumed from its folder, and ends with the same bits as one that
//! was not stopped.
//!
//! `cargo run --release -p drystone --example record_and_resume`

use std::path::Path;

use drystone::prelude::*;
use drystone::record::RunFolder;
use drystone::scenario::template::Template;
use drystone::sim;

/// The hash of the final state of a run into `out`, stopped after `stop_after` steps and resumed.
fn run(scenario: &AnyScenario, out: &Path, stop_after: Option<u64>) -> Result<String, Box<dyn std::error::Error>> {
    let mut simulation = sim::start(scenario, ".".as_ref(), out, true)?;
    while let Some(step) = simulation.advance()? {
        if stop_after == Some(step.step) {
            simulation.interrupt()?; // writes a checkpoint and the report
            drop(simulation); // gives the folder free
            println!("stopped at t = {:.3} s; going on from {}", step.time, out.display());
            simulation = sim::resume(RunFolder::open(out)?)?;
        }
    }
    Ok(simulation.summary()["hash"].as_str().expect("a hash").to_string())
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = Template::find("drop").expect("a template").text;
    let settings = ["stop.at=\"60 ms\"".to_string()];
    let scenario = AnyScenario::parse("drop", text, &settings, Default::default())?;
    let folder = std::env::temp_dir().join(format!("drystone-example-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let straight = run(&scenario, &folder.join("straight"), None)?;
    let resumed = run(&scenario, &folder.join("resumed"), Some(50))?;
    std::fs::remove_dir_all(&folder)?;
    println!("{straight} without a stop, {resumed} with one");
    assert_eq!(straight, resumed);
    Ok(())
}
