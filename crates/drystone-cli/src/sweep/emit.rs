//! Files for other programs: batch systems that run the cases, and GrainLearning that reads their results.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::cases::{numbers, short_names};
use super::results::is_word;
use super::sheet::Sheet;
use super::table::Table;
use crate::Failure;
use crate::run::broken;

/// For whom files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Reader {
    /// A job array.
    Slurm,
    /// A workflow.
    Snakemake,
    /// Parameters and results for Bayesian calibration.
    Grainlearning,
}

/// Tasks of a job array that most installations allow: MaxArraySize 1001, and numbers below it.
const ARRAY: usize = 1000;

/// Numbers as ranges: `1-3,7`.
fn ranges(numbers: &[usize], between: &str) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match parts.last_mut() {
            Some((_, end)) if *end + 1 == *number => *end = *number,
            _ => parts.push((*number, *number)),
        }
    }
    let word = |(from, to): &(usize, usize)| if from == to { from.to_string() } else { format!("{from}{between}{to}") };
    parts.iter().map(word).collect::<Vec<_>>().join(",")
}

/// A path as a word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

/// A file that was written, and what to do with it.
pub(super) struct Emitted {
    pub path: PathBuf,
    pub advice: String,
}

fn write(path: PathBuf, text: &str, advice: String) -> Result<Emitted, Failure> {
    std::fs::write(&path, text).map_err(|error| {
        broken(&std::io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display())))
    })?;
    Ok(Emitted { path, advice })
}

fn whole(out: &Path) -> PathBuf {
    std::path::absolute(out).unwrap_or_else(|_| out.to_path_buf())
}

/// A job array for Slurm with the cases that are not done.
pub(super) fn slurm(out: &Path, name: &str, todo: &[usize], threads: usize) -> Result<Emitted, Failure> {
    let (array, folder) = (ranges(todo, "-"), quoted(&whole(out)));
    let text = format!(
        r#"#!/bin/bash
# The cases of a sweep as a job array, one task each. Submit it with: sbatch sweep.slurm
#SBATCH --job-name={name}
#SBATCH --array={array}
#SBATCH --cpus-per-task={threads}
#SBATCH --time=24:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=slurm-%A_%a.log
# two minutes before the end of its time a task is asked to write its checkpoint
#SBATCH --signal=TERM@120

sweep={folder}
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" "${{DRYSTONE:-drystone}}" sweep "$sweep" \
    --only "$SLURM_ARRAY_TASK_ID" --threads "$SLURM_CPUS_PER_TASK" --quiet
code=$?
# 130: stopped with a checkpoint; the same task goes on from it
if [ "$code" = 130 ]; then
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
fi
exit "$code"
"#
    );
    let path = out.join("sweep.slurm");
    let mut advice = format!("submit it with: sbatch {}", path.display());
    if todo.last().is_some_and(|last| *last > ARRAY) {
        advice += &format!(
            "\nnote: most clusters take numbers up to {ARRAY} (MaxArraySize): submit parts with sbatch --array=1-{ARRAY}, \
             or ask what yours takes"
        );
    }
    write(path, &text, advice)
}

/// A workflow for Snakemake with the cases that are not done.
pub(super) fn snakemake(out: &Path, todo: &[usize], threads: usize) -> Result<Emitted, Failure> {
    let folder = whole(out).display().to_string();
    let text = format!(
        r#"# The cases of a sweep as a workflow: snakemake --snakefile Snakefile --cores 8
import os

SWEEP = {folder:?}
DRYSTONE = os.environ.get("DRYSTONE", "drystone")
CASES = [{}]


workdir: SWEEP


rule index:
    input:
        expand("snakemake/{{case}}.done", case=CASES),
    shell:
        DRYSTONE + " sweep . --list --quiet"


rule case:
    output:
        touch("snakemake/{{case}}.done"),
    threads: {threads}
    wildcard_constraints:
        case=r"\d+",
    shell:
        DRYSTONE + " sweep . --only {{wildcards.case}} --threads {{threads}} --quiet"
"#,
        todo.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
    );
    let path = out.join("Snakefile");
    let advice = format!("run it with: snakemake --snakefile {} --cores 8", path.display());
    write(path, &text, advice)
}

/// Name of the files of GrainLearning: that of the scenario.
fn simulation(sheet: &Sheet) -> String {
    let stem = Path::new(&sheet.scenario).file_stem().and_then(|stem| stem.to_str()).unwrap_or("sweep");
    stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// What GrainLearning's IODynamicSystem reads: for each point a file with its parameters and one with the means of its
/// results over the seeds, and a table of all parameters.
pub(super) fn grainlearning(out: &Path, sheet: &Sheet, table: &Table, iteration: u32) -> Result<Emitted, Failure> {
    if table.wanted.is_empty() {
        let message = "GrainLearning compares results: name them with --table \"angle = repose.angle, rate = ..\"";
        return Err(Failure::Usage(message.into()));
    }
    if let Some(one) = table.wanted.iter().find(|one| !is_word(&one.name)) {
        let message = format!("GrainLearning names columns by one word: write --table \"name = {}\"", one.name);
        return Err(Failure::Usage(message));
    }
    let keys = short_names(table.keys);
    let mut parameters: Vec<Vec<f64>> = Vec::new();
    for (k, key) in keys.iter().enumerate() {
        let Some((_, values)) = numbers(table.rows.iter().map(|row| row.values[k].as_str())) else {
            let message =
                format!("`{key}` has values that are not numbers of one unit, which GrainLearning cannot vary");
            return Err(Failure::Usage(message));
        };
        parameters.push(values);
    }
    if keys.is_empty() {
        return Err(Failure::Usage("the sweep has no parameters that GrainLearning could calibrate".into()));
    }
    let lacking = |row: &&super::table::Row| row.runs[0] < row.runs[1] || row.means.iter().any(Option::is_none);
    if let Some(row) = table.rows.iter().find(lacking) {
        let message = format!(
            "the point {} has cases that are not done, or lacks a result: GrainLearning needs all of them",
            row.values.join(", ")
        );
        return Err(Failure::Run(message));
    }
    let folder = out.join("grainlearning").join(format!("iter{iteration}"));
    std::fs::create_dir_all(&folder).map_err(|error| broken(&error))?;
    let name = simulation(sheet);
    let count = table.rows.len();
    // digits as GrainLearning counts them
    let digits = ((count as f64).ln() / 10f64.ln()).floor() as usize + 1;
    let results: Vec<&str> = table.wanted.iter().map(|one| one.name.as_str()).collect();
    let mut samples = format!("!OMP_NUM_THREADS description key {}\n", keys.join(" "));
    for (j, row) in table.rows.iter().enumerate() {
        let sample = format!("{name}_Iter{iteration}_Sample{j:0digits$}");
        let line = |numbers: &mut dyn Iterator<Item = f64>| {
            numbers.map(|number| format!("{number:.10e}")).collect::<Vec<_>>().join(" ")
        };
        let own = line(&mut parameters.iter().map(|values| values[j]));
        let found = line(&mut row.means.iter().flatten().map(|mean| mean.value));
        let _ = writeln!(samples, "1 {sample} {j} {own}");
        let files = [
            ("param", format!("# {}\n{own}\n", keys.join(" "))),
            ("sim", format!("# {}\n{found}\n", results.join(" "))),
        ];
        for (kind, text) in files {
            write(folder.join(format!("{sample}_{kind}.txt")), &text, String::new())?;
        }
    }
    let path = folder.join(format!("{name}_Iter{iteration}_Samples.txt"));
    let advice = format!("sim_name = \"{name}\", sim_data_file_ext = \".txt\", {count} samples");
    write(path, &samples, advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_a_row_are_a_range() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10], "-"), "1-3,7,9-10");
        assert_eq!(ranges(&[], "-"), "");
    }

    #[test]
    fn paths_are_one_word_of_a_shell() {
        assert_eq!(quoted(Path::new("/a b/it's")), r"'/a b/it'\''s'");
    }
}
