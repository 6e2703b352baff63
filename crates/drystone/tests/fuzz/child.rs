//! The child: makes the n-th input of a target and tries it, with a word on every step for the parent.

use std::any::Any;
use std::fs;
use std::ops::Range;
use std::panic;
use std::path::{Path, PathBuf};

use crate::mutate::Dice;
use crate::{files, runs, scenarios};

/// A folder of this process alone, removed at the end.
pub(crate) struct Desk(pub PathBuf);

impl Desk {
    fn new() -> Desk {
        let path = std::env::temp_dir().join(format!("drystone_fuzz_{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder to work in");
        Desk(path)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Something that makes an input from its dice and tries it; whether it was accepted.
pub(crate) type Trial = Box<dyn Fn(&mut Dice) -> bool>;

fn trial(target: &str, desk: &Path) -> Trial {
    match target {
        "scenario" => scenarios::trial(desk),
        "table" => files::table(desk),
        "mesh" => files::mesh(desk),
        "frame" => runs::frame(desk),
        "checkpoint" => runs::checkpoint(desk),
        "fclib" => files::fclib(desk),
        _ => panic!("there is no target {target}"),
    }
}

/// Largest memory of this process so far [kB], where the system tells it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix("kB")?.trim().parse().ok()
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic").lines().next().unwrap_or_default().to_string()
}

/// Tries these inputs.
pub(crate) fn run(target: &str, seed: u64, inputs: Range<u64>) {
    let desk = Desk::new();
    let trial = trial(target, &desk.0);
    for n in inputs {
        println!("try {n}");
        let mut dice = Dice::new(seed, n);
        match panic::catch_unwind(panic::AssertUnwindSafe(|| trial(&mut dice))) {
            Ok(true) => println!("accepted {n}"),
            Ok(false) => {}
            Err(panic) => println!("panic {}", words(&*panic)),
        }
    }
    println!("peak {}", peak().unwrap_or(0));
}
