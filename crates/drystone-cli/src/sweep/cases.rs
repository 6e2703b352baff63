//! The cases of a sweep: values of keys and a seed, each in a folder that is named by them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use drystone::input::{Mistakes, Reader};
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run};

use super::values::number_and_unit;
use crate::Failure;
use crate::conduct::Job;

/// Bytes of the name of a folder at most: longer ones become numbers.
const LONGEST: usize = 120;
/// Names that are taken in the folder of a sweep.
const TAKEN: [&str; 3] = ["sweep", "grainlearning", "snakemake"];

/// A case.
pub(super) struct Case {
    /// Counted from 1.
    pub number: usize,
    pub name: String,
    pub seed: u64,
    /// One for each key of the sweep.
    pub values: Vec<String>,
    pub folder: PathBuf,
    /// Its resolved scenario.
    text: String,
}

/// What tells one case from the others.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    /// Its name; none for one that is made of its values.
    pub name: Option<String>,
    pub seed: u64,
    pub values: Vec<String>,
    /// The run that it starts from.
    pub start: Option<Start>,
}

/// A run that a case starts from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Start {
    pub from: String,
    /// Hash of its last state: a run that was made anew is another one.
    pub hash: String,
}

impl Case {
    /// The case with the scenario that was run, if it was.
    pub(super) fn with_stored_text(mut self) -> Case {
        if let Ok(text) = std::fs::read_to_string(self.stored()) {
            self.text = text;
        }
        self
    }
}

impl Job for Case {
    fn name(&self) -> &str {
        &self.name
    }
    fn folder(&self) -> &Path {
        &self.folder
    }
    fn text(&self) -> &str {
        &self.text
    }
    fn open(&self, inputs: &Path) -> Result<Box<dyn Run>, Mistakes> {
        let scenario = AnyScenario::parse(&self.name, &self.text, &[], Reader::new(inputs.to_path_buf()))?;
        sim::open(&scenario, inputs)
    }
}

/// The scenario that all cases have in common.
pub(super) struct Base<'b> {
    /// What messages call its file.
    pub name: &'b str,
    pub source: &'b str,
    pub settings: &'b [String],
    /// The folder to which its paths are relative.
    pub inputs: &'b Path,
}

impl Base<'_> {
    /// The scenario with these settings on top of its own.
    pub(super) fn with(&self, settings: impl Iterator<Item = String>) -> Result<AnyScenario, Mistakes> {
        let settings: Vec<String> = self.settings.iter().cloned().chain(settings).collect();
        AnyScenario::parse(self.name, self.source, &settings, Reader::new(self.inputs.to_path_buf()))
    }

    /// The scenario of a point, resolved.
    fn text(&self, keys: &[String], point: &Point) -> Result<String, Mistakes> {
        let values = keys.iter().zip(&point.values).map(|(key, value)| format!("{key}={value}"));
        let start = point.start.iter().map(|start| crate::scenario::start_from(&start.from));
        let scenario = self.with(values.chain(start).chain([format!("seed={}", point.seed)]))?;
        let note = point.start.iter().map(|start| format!("# It starts from a run that ended with {}.\n", start.hash));
        Ok(scenario.to_toml() + &note.collect::<String>())
    }

    /// The cases of these points, in folders of `out`.
    pub(super) fn cases(&self, keys: &[String], points: &[Point], out: &Path) -> Result<Vec<Case>, Failure> {
        let names = names(keys, points)?;
        let mut cases = Vec::new();
        for (k, (point, name)) in points.iter().zip(names).enumerate() {
            let (folder, text) = (out.join(&name), self.text(keys, point)?);
            let (seed, values) = (point.seed, point.values.clone());
            cases.push(Case { number: k + 1, name, seed, values, folder, text });
        }
        Ok(cases)
    }
}

/// Refuses cases that are the same scenario.
pub(super) fn check_twins(cases: &[Case]) -> Result<(), Failure> {
    let mut known: HashMap<&str, &str> = HashMap::new();
    for case in cases {
        if let Some(other) = known.insert(&case.text, &case.name) {
            return Err(Failure::Usage(format!(
                "the cases {other} and {} are the same scenario: leave one of them out",
                case.name
            )));
        }
    }
    Ok(())
}

/// The name of every case, which no two of them share.
pub(super) fn names(keys: &[String], points: &[Point]) -> Result<Vec<String>, Failure> {
    let short = short_names(keys);
    let made = |point: &Point| {
        let values = short.iter().zip(&point.values).map(|(key, value)| format!("{key}={}", plain(value)));
        values.chain([format!("seed={}", point.seed)]).collect::<Vec<_>>().join("_")
    };
    let mut names: Vec<String> = points.iter().map(|point| point.name.clone().unwrap_or_else(|| made(point))).collect();
    if names.iter().any(|name| name.len() > LONGEST) {
        names = (1..=points.len()).map(|number| format!("case={number}")).collect();
    }
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (k, name) in names.iter().enumerate() {
        if let Some(other) = known.insert(name, k) {
            let values = [other, k].map(|k| points[k].values.join(", "));
            return Err(Failure::Usage(format!(
                "two cases have the name {name}: {} ({}) and {} ({}); name a value once, or give the cases names in a \
                 column `name` of --cases",
                other + 1,
                values[0],
                k + 1,
                values[1]
            )));
        }
    }
    Ok(names)
}

/// Refuses a name that is no name of a folder in the folder of a sweep.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    let is_plain = !name.is_empty() && !name.starts_with('.') && plain(name) == name && name.len() <= LONGEST;
    match is_plain && !TAKEN.contains(&name) {
        true => Ok(()),
        false => Err(format!(
            "`{name}` cannot be the name of a case: take letters, digits, - + = _ and dots within, and none of {}",
            TAKEN.join(", ")
        )),
    }
}

/// A value as a part of the name of a folder: without spaces, quotes and brackets.
pub(super) fn plain(value: &str) -> String {
    let is_silent = |c: char| c.is_whitespace() || "\"'[]{}".contains(c);
    let is_safe = |c: char| c.is_ascii_alphanumeric() || ".-+=,%_".contains(c);
    value.chars().filter(|c| !is_silent(*c)).map(|c| if is_safe(c) { c } else { '-' }).collect()
}

/// The last words of every key that tell it from the others: `friction` for `contact.sand-steel.friction`.
pub(super) fn short_names(keys: &[String]) -> Vec<String> {
    let words =
        |key: &str| -> Vec<String> { key.split(['.', '[', ']']).filter(|w| !w.is_empty()).map(plain).collect() };
    let all: Vec<Vec<String>> = keys.iter().map(|key| words(key)).collect();
    let tail = |words: &Vec<String>, count: usize| words[words.len().saturating_sub(count)..].join(".");
    let is_clear = |k: usize, count: usize| {
        let own = tail(&all[k], count);
        let is_alone = (0..all.len()).all(|other| other == k || tail(&all[other], count) != own);
        is_alone && own.parse::<u64>().is_err() && own != "seed"
    };
    let shortest = |k: usize| (1..=all[k].len()).find(|count| is_clear(k, *count)).unwrap_or(all[k].len());
    (0..keys.len()).map(|k| tail(&all[k], shortest(k))).collect()
}

/// The unit that all values of a key have, and their numbers; none if a value is something else.
pub(super) fn numbers<'v>(values: impl Iterator<Item = &'v str>) -> Option<(String, Vec<f64>)> {
    let mut unit: Option<&str> = None;
    let mut numbers = Vec::new();
    for value in values {
        let value = value.trim_matches(['"', '\'']);
        let [number, own] = number_and_unit(value).ok()?;
        if *unit.get_or_insert(own) != own {
            return None;
        }
        numbers.push(number.parse().ok()?);
    }
    Some((unit?.to_string(), numbers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal;

    fn point(values: &[&str], seed: u64) -> Point {
        let values = values.iter().map(|value| value.to_string()).collect();
        Point { name: None, seed, values, start: None }
    }

    fn keys(keys: &[&str]) -> Vec<String> {
        keys.iter().map(|key| key.to_string()).collect()
    }

    #[test]
    fn keys_are_shortened_as_far_as_they_differ() {
        let short = |names: &[&str]| short_names(&keys(names));
        assert_eq!(short(&["contact.sand-steel.friction", "outlet"]), ["friction", "outlet"]);
        assert_eq!(
            short(&["contact.a-b.friction", "contact.a-a.friction"]),
            ["a-b.friction", "a-a.friction"],
            "the last word alone is not clear"
        );
        assert_eq!(short(&["grains[0].count", "grains.1.count"]), ["0.count", "1.count"]);
    }

    #[test]
    fn folders_are_named_by_values() {
        let keys = keys(&["contact.0.friction", "outlet", "gravity"]);
        let found = names(&keys, &[point(&["0.3", "20 mm", "[0, \"-9.81 m/s2\"]"], 7)]).unwrap_or_default();
        assert_eq!(found, ["friction=0.3_outlet=20mm_gravity=0,-9.81m-s2_seed=7"]);
        let twice = refusal(names(&keys, &[point(&["1", "2 mm", "a"], 1), point(&["1", "2mm", "a"], 1)]));
        assert!(twice.contains("two cases have the name friction=1_outlet=2mm_gravity=a_seed=1"), "{twice}");
        let long = "9".repeat(LONGEST);
        let found = names(&keys, &[point(&[&long, "1", "1"], 1), point(&["1", "1", "1"], 1)]).unwrap_or_default();
        assert_eq!(found, ["case=1", "case=2"]);
    }

    #[test]
    fn names_of_cases_stay_in_their_folder() {
        for bad in ["", "..", ".git", "a/b", "sweep", "a b"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
        assert!(check_name("wide-12.5_b").is_ok());
    }

    #[test]
    fn values_of_one_unit_are_numbers() {
        assert_eq!(numbers(["20 mm", "\"30 mm\""].into_iter()), Some(("mm".into(), vec![20.0, 30.0])));
        assert_eq!(numbers(["20 mm", "3 cm"].into_iter()), None);
        assert_eq!(numbers(["cd", "md"].into_iter()), None);
    }
}
