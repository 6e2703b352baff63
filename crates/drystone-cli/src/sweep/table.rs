//! Results of a sweep over its parameters: means and standard errors over the seeds.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

use drystone::record::aside::write_aside;
use serde_json::{Value as Json, json};

use super::cases::Case;
use super::index::{State, cell, columns};
use super::results::{Wanted, find};
use crate::Failure;
use crate::compare::report::written;
use crate::compare::statistics::Mean;
use crate::run::broken;

/// What all cases found.
pub(super) struct Findings {
    /// For each case, one number for each result; empty for a case that is not at its end.
    pub values: Vec<Vec<Option<f64>>>,
    /// One for each result; none if no case has it.
    pub units: Vec<Option<String>>,
    /// What is to be told.
    pub notes: Vec<String>,
}

impl Findings {
    /// Nothing yet, of so many cases and results.
    pub(super) fn none(cases: usize, results: usize) -> Findings {
        Findings { values: vec![Vec::new(); cases], units: vec![None; results], notes: Vec::new() }
    }

    /// Takes the results from the folders of all cases that are at their end.
    pub(super) fn of(cases: &[Case], states: &[State], wanted: &[Wanted]) -> Result<Findings, Failure> {
        let mut all = Findings { values: Vec::new(), units: vec![None; wanted.len()], notes: Vec::new() };
        let mut faults: Vec<Vec<(String, Failure)>> = wanted.iter().map(|_| Vec::new()).collect();
        let mut done = 0;
        for (case, state) in cases.iter().zip(states) {
            if *state != State::Done {
                all.values.push(Vec::new());
                continue;
            }
            done += 1;
            let found = find(case, wanted);
            for (k, (unit, fault)) in found.units.into_iter().zip(found.faults).enumerate() {
                all.units[k] = all.units[k].take().or(unit);
                faults[k].extend(fault.map(|fault| (case.name.clone(), fault)));
            }
            all.values.push(found.values);
        }
        for (one, faults) in wanted.iter().zip(faults) {
            let count = faults.len();
            match faults.into_iter().next() {
                Some((_, fault)) if count == done => return Err(fault),
                Some((name, Failure::Usage(why) | Failure::Run(why))) => {
                    all.notes.push(format!("{count} of {done} cases have no `{}`: {name}: {why}", one.name));
                }
                _ => {}
            }
        }
        Ok(all)
    }
}

/// The results of one point, over its seeds.
pub(super) struct Row {
    pub values: Vec<String>,
    /// Cases that are at their end, and all.
    pub runs: [usize; 2],
    /// One for each result.
    pub means: Vec<Option<Mean>>,
}

/// Results over parameters.
pub(super) struct Table<'t> {
    pub keys: &'t [String],
    pub wanted: &'t [Wanted],
    pub units: &'t [Option<String>],
    pub rows: Vec<Row>,
}

impl<'t> Table<'t> {
    pub(super) fn of(
        keys: &'t [String],
        cases: &[Case],
        states: &[State],
        wanted: &'t [Wanted],
        findings: &'t Findings,
    ) -> Table<'t> {
        let mut points: Vec<(&[String], Vec<usize>)> = Vec::new();
        let mut places: HashMap<&[String], usize> = HashMap::new();
        for (k, case) in cases.iter().enumerate() {
            let place = *places.entry(&case.values).or_insert(points.len());
            match points.get_mut(place) {
                Some((_, own)) => own.push(k),
                None => points.push((&case.values, vec![k])),
            }
        }
        let row = |(values, own): (&[String], Vec<usize>)| {
            let of = |j: usize| -> Vec<f64> {
                own.iter().filter_map(|k| findings.values[*k].get(j).copied().flatten()).collect()
            };
            let done = own.iter().filter(|k| states[**k] == State::Done).count();
            let means = (0..wanted.len()).map(|j| Mean::of(&of(j))).collect();
            Row { values: values.to_vec(), runs: [done, own.len()], means }
        };
        Table { keys, wanted, units: &findings.units, rows: points.into_iter().map(row).collect() }
    }

    fn heads(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let rows: Vec<&[String]> = self.rows.iter().map(|row| row.values.as_slice()).collect();
        columns(self.keys, &rows)
    }

    /// A result with its unit.
    pub(super) fn head(&self, k: usize) -> String {
        let unit = self.units[k].as_ref().filter(|unit| !unit.is_empty());
        unit.map_or(self.wanted[k].name.clone(), |unit| format!("{} [{unit}]", self.wanted[k].name))
    }

    /// For people, as Markdown.
    pub(super) fn markdown(&self) -> String {
        let (mut heads, values) = self.heads();
        heads.push("runs".into());
        heads.extend((0..self.wanted.len()).map(|k| self.head(k)));
        let mut lines = vec![heads];
        for (row, values) in self.rows.iter().zip(values) {
            let [done, all] = row.runs;
            let mut cells = values;
            cells.push(if done == all { done.to_string() } else { format!("{done} of {all}") });
            cells.extend(row.means.iter().map(|mean| mean.as_ref().map_or("-".into(), written)));
            lines.push(cells);
        }
        let width = |k: usize| lines.iter().map(|line| line[k].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
        let mut text = String::new();
        for (number, line) in lines.iter().enumerate() {
            let cells: Vec<String> = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
            if number == 0 {
                let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                let _ = writeln!(text, "|-{}-|", rule.join("-|-"));
            }
        }
        text
    }

    /// Writes `table.csv`, for programs.
    pub(super) fn write(&self, out: &Path) -> Result<(), Failure> {
        let (heads, values) = self.heads();
        let mut text = heads.iter().map(|head| cell(head) + ",").collect::<String>() + "runs";
        for k in 0..self.wanted.len() {
            let (name, head) = (&self.wanted[k].name, self.head(k));
            let error = head.replacen(name.as_str(), &format!("{name}_error"), 1);
            let _ = write!(text, ",{},{},{}", cell(&head), cell(&error), cell(&format!("{name}_runs")));
        }
        text.push('\n');
        for (row, values) in self.rows.iter().zip(values) {
            values.iter().for_each(|value| text += &(cell(value) + ","));
            text += &row.runs[0].to_string();
            for mean in &row.means {
                let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
                let (value, error) = (mean.map(|mean| mean.value), mean.and_then(|mean| mean.error));
                let _ = write!(text, ",{},{},{}", number(value), number(error), mean.map_or(0, |mean| mean.runs));
            }
            text.push('\n');
        }
        let fill = |file: &mut _| std::io::Write::write_all(file, text.as_bytes());
        write_aside(&out.join("table.csv"), fill).map_err(|error| broken(&error))
    }

    pub(super) fn json(&self) -> Json {
        let row = |row: &Row| {
            let result = |(one, mean): (&Wanted, &Option<Mean>)| {
                let mean = mean.map(|m| json!({"mean": m.value, "standard_error": m.error, "runs": m.runs}));
                (one.name.clone(), mean.unwrap_or(Json::Null))
            };
            let values = self.keys.iter().cloned().zip(row.values.iter().cloned().map(Json::from));
            json!({"values": values.collect::<serde_json::Map<_, _>>(), "runs": row.runs[0],
                   "results": self.wanted.iter().zip(&row.means).map(result).collect::<serde_json::Map<_, _>>()})
        };
        json!({"units": self.wanted.iter().zip(self.units).map(|(one, unit)| (one.name.clone(), json!(unit)))
                   .collect::<serde_json::Map<_, _>>(),
               "rows": self.rows.iter().map(row).collect::<Vec<_>>()})
    }
}
