//! `cases.csv`: what every case is and how far it has come, found anew from the folders of the runs.

use std::fmt::Write;
use std::path::Path;

use drystone::record::aside::write_aside;
use drystone::record::lock::Lock;
use serde_json::Value as Json;

use super::cases::{Case, numbers, short_names};
use super::results::Wanted;
use super::table::Findings;
use crate::Failure;
use crate::conduct::{Earlier, Job};
use crate::run::broken;

/// How far a case has come.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum State {
    Waiting,
    /// Stopped or killed, with a checkpoint to go on from.
    Begun,
    /// A program computes it.
    Running,
    Done,
    Failed {
        why: String,
    },
}

impl State {
    pub(super) fn of(case: &Case) -> State {
        let earlier = Earlier::of(case);
        match earlier.failed {
            _ if Lock::is_taken(case.folder()) => State::Running,
            _ if earlier.done.is_some() => State::Done,
            Some(why) => State::Failed { why },
            None if earlier.can_go_on => State::Begun,
            None => State::Waiting,
        }
    }

    pub(super) fn word(&self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Begun => "begun",
            State::Running => "running",
            State::Done => "done",
            State::Failed { .. } => "failed",
        }
    }
}

/// A cell of a CSV file: in quotes if it needs them.
pub(super) fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"").replace('\n', " ")),
        false => text.to_string(),
    }
}

/// The heading of each key, with the unit of its values, and the values as they stand below it.
pub(super) fn columns(keys: &[String], rows: &[&[String]]) -> (Vec<String>, Vec<Vec<String>>) {
    let mut written: Vec<Vec<String>> = vec![Vec::new(); rows.len()];
    let mut heads = Vec::new();
    for (k, name) in short_names(keys).into_iter().enumerate() {
        let unit = numbers(rows.iter().map(|row| row[k].as_str())).map(|(unit, _)| unit);
        let unit = unit.filter(|unit| !unit.is_empty());
        for (row, cells) in rows.iter().zip(&mut written) {
            let value = row[k].trim_matches(['"', '\'']);
            let number = unit.as_ref().and_then(|unit| value.strip_suffix(unit.as_str()));
            cells.push(number.map_or(value, str::trim).to_string());
        }
        heads.push(unit.map_or(name.clone(), |unit| format!("{name} [{unit}]")));
    }
    (heads, written)
}

/// Numbers of the report that the index has, and their units.
const OF_REPORT: [(&str, &str); 5] = [
    ("time", "time [s]"),
    ("steps", "steps"),
    ("wall_seconds", "wall_time [s]"),
    ("unconverged_steps", "unconverged_steps"),
    ("worst_overlap", "worst_overlap"),
];

/// Writes the index.
pub(super) fn write(
    out: &Path,
    keys: &[String],
    cases: &[Case],
    states: &[State],
    wanted: &[Wanted],
    findings: &Findings,
) -> Result<(), Failure> {
    let rows: Vec<&[String]> = cases.iter().map(|case| case.values.as_slice()).collect();
    let (heads, values) = columns(keys, &rows);
    let mut text = String::from("case,name");
    heads.iter().for_each(|head| text += &format!(",{}", cell(head)));
    text += ",seed,state";
    for (one, unit) in wanted.iter().zip(&findings.units) {
        let unit = unit.as_ref().filter(|unit| !unit.is_empty());
        text += &format!(",{}", cell(&unit.map_or(one.name.clone(), |unit| format!("{} [{unit}]", one.name))));
    }
    OF_REPORT.iter().for_each(|(_, head)| text += &format!(",{head}"));
    text += ",hash,why\n";
    for (k, case) in cases.iter().enumerate() {
        let _ = write!(text, "{},{}", case.number, cell(&case.name));
        values[k].iter().for_each(|value| text += &format!(",{}", cell(value)));
        let _ = write!(text, ",{},{}", case.seed, states[k].word());
        for j in 0..wanted.len() {
            let value = findings.values[k].get(j).copied().flatten();
            text += &value.map_or(",".into(), |value| format!(",{value}"));
        }
        let report =
            std::fs::read_to_string(case.folder().join("report.json")).ok().filter(|_| states[k] != State::Waiting);
        let report: Json = report.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        for (key, _) in OF_REPORT {
            text += &report[key].as_f64().map_or(",".into(), |value| format!(",{value}"));
        }
        let why = if let State::Failed { why } = &states[k] { cell(why) } else { String::new() };
        let _ = writeln!(text, ",{},{why}", report["hash"].as_str().unwrap_or_default());
    }
    let fill = |file: &mut _| std::io::Write::write_all(file, text.as_bytes());
    write_aside(&out.join("cases.csv"), fill).map_err(|error| broken(&error))
}
