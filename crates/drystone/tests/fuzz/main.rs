//! Damaged inputs of every kind: nothing that is read may panic, hang, or take a gigabyte.
//!
//! Inputs are made from sound ones by mutation, the n-th of a target always in the same way, and tried in a child
//! process with a memory limit, which the parent watches: an input without an answer for [`LIMIT`] is a hang. The test
//! command tries a few hundred of each target; `scripts/fuzz 20000` tries as many as it is told. One input again:
//!
//!     cargo test -p drystone-tests --test fuzz -- again scenario 7 1234

mod child;
mod files;
mod mutate;
mod runs;
mod scenarios;
mod watch;

use std::process::ExitCode;
use std::time::Duration;

/// Longest time that one input is worked at: a check takes 5 s at most, and tests are not built for speed alone.
pub const LIMIT: Duration = Duration::from_secs(20);
/// Memory of the child that tries them [kB].
pub const MEMORY: u64 = 1 << 20;
/// Inputs of each target in the test command.
const FEW: u64 = 150;

/// What is damaged.
pub const TARGETS: [&str; 6] = ["scenario", "table", "mesh", "frame", "checkpoint", "fclib"];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let parse = |k: usize| words[k].parse().expect("a number");
    match words.first().map(String::as_str) {
        Some("child") => {
            child::run(&words[1], parse(2), parse(3)..parse(4));
            return ExitCode::SUCCESS;
        }
        Some("again") => {
            child::run(&words[1], parse(2), parse(3)..parse(3) + 1);
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    // filters as those of other tests: without any, all targets
    let filters: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let wanted =
        |target: &&str| filters.is_empty() || filters.iter().any(|filter| format!("fuzz::{target}").contains(*filter));
    let (count, seed) = (number("DRYSTONE_FUZZ", FEW), number("DRYSTONE_FUZZ_SEED", 1));
    let mut found = 0;
    for target in TARGETS.into_iter().filter(wanted) {
        let tally = watch::watch(target, seed, count);
        println!("fuzz::{target}: {tally}");
        found += tally.finds;
    }
    if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
