//! The verb sweep: one scenario at many points of its parameters, with many seeds.
//!
//! | file | what it does |
//! |---|---|
//! | `values`, `design` | grids and ranges; Latin hypercubes and Sobol sequences |
//! | `wish` | the points that a call asks for |
//! | `cases` | a case: its name, its folder, its scenario |
//! | `sheet`, `index` | `sweep.json`, what there is to run; `cases.csv`, how far it is |
//! | `results` | numbers of a run |
//! | `table`, `figure` | means over seeds, and plots of them |
//! | `emit` | files for Slurm, Snakemake and GrainLearning |
//!
//! The runs themselves are conducted as those of `compare` are.

mod cases;
mod design;
mod emit;
mod figure;
mod index;
mod results;
mod sheet;
mod table;
mod values;
mod wish;

use std::path::{Path, PathBuf};

use clap::Args;
use drystone::record::lock::Lock;
use serde_json::json;

use crate::Failure;
use crate::clock::counted;
use crate::compare::{cores, seed_of};
use crate::conduct::{Ending, Share, check_folders, conduct};
use crate::run::{begin, broken, listen_for_stop};
use crate::scenario::{folder_of, print};
use cases::{Base, Case};
use emit::Reader;
use figure::Figure;
use index::State;
use results::Wanted;
use sheet::Sheet;
use table::{Findings, Table};
use wish::{Points, Wish};

/// Run one scenario at many points of its parameters, with many seeds, and tell the results over them.
#[derive(Args)]
pub(crate) struct Sweep {
    /// Scenario file; or the folder of a sweep, which goes on, or tells its results.
    place: PathBuf,
    #[command(flatten)]
    wish: Wish,
    /// Folder for the cases [default: <scenario>.sweep in this folder]. One that holds a sweep of the same scenario over
    /// the same keys gets more cases.
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Cases at the same time; as many as there are cores if left out.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Threads of each case; if left out, cases share all cores evenly. The results do not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Run these cases only, by their numbers in cases.csv: 17, or 1..20,35.
    #[arg(long, value_name = "NUMBERS")]
    only: Option<String>,
    /// Run cases again that failed.
    #[arg(long)]
    retry: bool,
    /// Replace another sweep, or runs of another scenario, that the folder holds.
    #[arg(long)]
    force: bool,
    /// Run nothing: list the cases and how far they are, and renew cases.csv.
    #[arg(long)]
    list: bool,
    /// Results, with commas between them: "mean(q/p), rate = rate(discharge.passed_mass --below y=0; flow)".
    #[arg(long, value_name = "RESULTS")]
    table: Option<String>,
    /// Plot a result over a parameter, with a band of one standard error: x=friction y=rate.
    #[arg(long, num_args = 2, value_names = ["x=PARAMETER", "y=RESULT"])]
    plot: Vec<String>,
    /// A curve for each value of these parameters.
    #[arg(long, value_name = "PARAMETERS")]
    by: Option<String>,
    /// Write files for another program, and run nothing.
    #[arg(long, value_enum)]
    emit: Option<Reader>,
    /// Number of the iteration in the files for GrainLearning.
    #[arg(long, default_value_t = 0)]
    iteration: u32,
    /// Print nothing but errors.
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
    /// Print cases and results as one JSON object.
    #[arg(long)]
    json: bool,
}

/// A sweep that was read: its cases, and the results that are asked for.
struct Work {
    sheet: Sheet,
    cases: Vec<Case>,
    wanted: Vec<Wanted>,
    out: PathBuf,
}

impl Work {
    fn states(&self) -> Vec<State> {
        self.cases.iter().map(State::of).collect()
    }

    /// Renews the index.
    fn index(&self, states: &[State], wanted: &[Wanted], findings: &Findings) -> Result<(), Failure> {
        index::write(&self.out, &self.sheet.keys, &self.cases, states, wanted, findings)
    }

    /// Renews the index without results.
    fn index_states(&self) -> Result<(), Failure> {
        self.index(&self.states(), &[], &Findings::none(self.cases.len(), 0))
    }
}

impl Sweep {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        listen_for_stop()?;
        let figure = Figure::parse(&self.plot, self.by.as_deref())?;
        let asked = self.table.as_deref().map(results::parse).transpose()?;
        let (sheet, out) = self.sheet()?;
        let wanted = match (asked, &sheet.results) {
            (Some(asked), _) => asked,
            (None, Some(kept)) => results::parse(kept)?,
            (None, None) => Vec::new(),
        };
        let is_told = self.list || self.emit.is_some();
        let is_folder = self.place.is_dir();
        let runs = !is_told && (!is_folder || self.only.is_some() || (self.table.is_none() && figure.is_none()));
        let mut cases = sheet.cases(&out)?;
        if runs || !is_folder {
            check_folders(&cases, self.force)?;
        } else {
            // what is there can be looked at, also if another version of the program made it
            cases = cases.into_iter().map(Case::with_stored_text).collect();
        }
        let chosen = self.chosen(&cases)?;
        begin();
        std::fs::create_dir_all(&out).map_err(|error| broken(&error))?;
        // a job of an array owns its case and not the sweep
        let is_whole = self.only.is_none();
        let lock = if is_whole && runs || !is_folder { Some(take(&out)?) } else { None };
        if !is_folder || self.table.is_some() && is_whole {
            sheet.write(&out)?;
        }
        let lock = lock.filter(|_| is_whole);
        let work = Work { sheet, cases, wanted, out };
        let failures = if runs { self.conduct(&work, &chosen)? } else { Vec::new() };
        drop(lock);
        if runs && !is_whole { ended(failures) } else { self.tell(&work, figure, failures, runs) }
    }

    /// Renews the index, and tells, draws and emits what is asked for.
    fn tell(&self, work: &Work, figure: Option<Figure>, failures: Vec<String>, runs: bool) -> Result<(), Failure> {
        let Work { sheet, cases, wanted, out } = work;
        let states = work.states();
        let findings = match Findings::of(cases, &states, wanted) {
            Ok(findings) => findings,
            Err(fault) => {
                // results that no case has are no reason to lose sight of the cases
                work.index_states()?;
                failures.iter().for_each(|failure| eprintln!("{failure}"));
                return Err(fault);
            }
        };
        match work.index(&states, wanted, &findings) {
            // on a full disk the cases tell more than the index that could not be written
            Err(Failure::Run(why)) if !failures.is_empty() => return ended([failures, vec![why]].concat()),
            written => written?,
        }
        let table = Table::of(&sheet.keys, cases, &states, wanted, &findings);
        let is_silent = self.quiet || self.json;
        if !is_silent {
            findings.notes.iter().for_each(|note| eprintln!("note: {note}"));
        }
        if !wanted.is_empty() {
            table.write(out)?;
        }
        if self.json {
            print(&format!("{}\n", tell_json(cases, &states, &table)))?;
        } else if !self.quiet {
            print(&self.told(cases, &states, &table, runs))?;
        }
        if let Some(figure) = figure {
            let files = figure.draw(&table, &out.join(format!("{}-over-{}", word(figure.y), word(figure.x))))?;
            if !is_silent {
                print(&(files.join("\n") + "\n"))?;
            }
        }
        if let Some(reader) = self.emit {
            let emitted = self.emit(reader, work, &states, &table)?;
            if !is_silent {
                print(&format!("{}\n{}\n", emitted.path.display(), emitted.advice))?;
            }
        }
        ended(failures)
    }

    /// What there is to run, and its folder.
    fn sheet(&self) -> Result<(Sheet, PathBuf), Failure> {
        if self.place.is_dir() {
            if self.wish.is_said() || self.out.is_some() {
                return Err(Failure::Usage(format!(
                    "{} is the folder of a sweep: to add cases, name the scenario file again, with -o {0}",
                    self.place.display()
                )));
            }
            let mut sheet = Sheet::read(&self.place)?;
            sheet.results = self.table.clone().or(sheet.results);
            return Ok((sheet, self.place.clone()));
        }
        let file = &self.place;
        let name = file.display().to_string();
        let source = std::fs::read_to_string(file).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Failure::Usage(format!(
                "there is no file and no folder `{name}` [E010]: `drystone new --list` shows templates to start from"
            )),
            _ => Failure::Usage(format!("cannot read {name}: {error} [E010]")),
        })?;
        let folder = folder_of(file);
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let inputs = folder.canonicalize().map_err(|error| broken(&error))?;
        let base = Base { name: &name, source: &source, settings: &self.wish.settings, inputs: &inputs };
        let own_seed = seed_of(&base.with(std::iter::empty())?);
        let Points { keys, points } = self.wish.points(own_seed)?;
        let out = self.out.clone().unwrap_or_else(|| default_out(file));
        let (settings, results) = (self.wish.settings.clone(), self.table.clone());
        let sheet = Sheet { scenario: name, inputs, source, settings, keys, points, results };
        match Sheet::is_in(&out) && !self.force {
            true => Ok((sheet.added_to(Sheet::read(&out)?, &out)?, out)),
            false => Ok((sheet, out)),
        }
    }

    /// Places of the cases that are to run.
    fn chosen(&self, cases: &[Case]) -> Result<Vec<usize>, Failure> {
        let Some(text) = &self.only else { return Ok((0..cases.len()).collect()) };
        let numbers = values::whole_numbers("--only", text)?;
        match numbers.iter().find(|number| **number < 1 || **number > cases.len() as u64) {
            Some(number) => {
                let message = format!("there is no case {number}: they are numbered from 1 to {}", cases.len());
                Err(Failure::Usage(message))
            }
            None => Ok(numbers.into_iter().map(|number| number as usize - 1).collect()),
        }
    }

    /// Runs the chosen cases, and returns what failed.
    fn conduct(&self, work: &Work, chosen: &[usize]) -> Result<Vec<String>, Failure> {
        let out = &work.out;
        let (mut todo, mut failures) = (Vec::new(), Vec::new());
        let failure = |case: &Case, why: &str| format!("case {} {} failed: {why}", case.number, case.name);
        for case in chosen.iter().map(|k| &work.cases[*k]) {
            match State::of(case) {
                State::Done => {}
                State::Failed { why } if !self.retry => failures.push(failure(case, &why)),
                _ => todo.push(case),
            }
        }
        let earlier = failures.len();
        let jobs = self.jobs.map_or_else(cores, usize::from).min(todo.len()).max(1);
        let threads = self.threads.map_or_else(|| (cores() / jobs).max(1), usize::from);
        let is_silent = self.quiet || self.json;
        if self.only.is_none() {
            work.index_states()?;
        }
        let endings = conduct(&todo, &work.sheet.inputs, Share { jobs, threads }, is_silent);
        let mut unbegun = 0;
        for (case, ending) in todo.iter().zip(&endings) {
            match ending {
                Ending::Failed { why } if why.starts_with(crate::conduct::UNBEGUN) => unbegun += 1,
                Ending::Failed { why } => failures.push(failure(case, why)),
                _ => {}
            }
        }
        let failed = failures.len();
        const TOLD: usize = 20;
        if failed > TOLD {
            failures.truncate(TOLD);
            failures.push(format!("and {} more, in {}", failed - TOLD, out.join("cases.csv").display()));
        }
        if earlier > 0 {
            failures.push(format!(
                "{} failed in an earlier call: --retry runs such cases again",
                counted(earlier as u64, "case", "cases")
            ));
        }
        if unbegun > 0 {
            let unbegun = counted(unbegun, "case was", "cases were");
            failures.push(format!(
                "{unbegun} not begun because the disk is full: make room, and `drystone sweep {}` goes on",
                out.display()
            ));
        }
        if endings.contains(&Ending::Interrupted) {
            if !is_silent {
                eprintln!("note: stopped; `drystone sweep {}` goes on", out.display());
            }
            failures.iter().for_each(|failure| eprintln!("{failure}"));
            if self.only.is_none() {
                work.index_states()?;
            }
            return Err(Failure::Interrupted);
        }
        Ok(failures)
    }

    /// What is told on the screen.
    fn told(&self, cases: &[Case], states: &[State], table: &Table, has_run: bool) -> String {
        let mut text = String::new();
        if self.list {
            let width = cases.iter().map(|case| case.name.len()).max().unwrap_or(0);
            for (case, state) in cases.iter().zip(states) {
                let why = if let State::Failed { why } = state { format!(": {why}") } else { String::new() };
                text += &format!("{:>5}  {:width$}  {}{why}\n", case.number, case.name, state.word());
            }
        }
        if self.list || has_run {
            text += &format!("{}\n", counts(states));
        }
        if !table.wanted.is_empty() && (has_run || self.table.is_some()) {
            text += &table.markdown();
        }
        text
    }

    fn emit(&self, reader: Reader, work: &Work, states: &[State], table: &Table) -> Result<emit::Emitted, Failure> {
        let Work { sheet, cases, out, .. } = work;
        let todo = cases.iter().zip(states).filter(|(_, state)| **state != State::Done);
        let todo: Vec<usize> = todo.map(|(case, _)| case.number).collect();
        let threads = self.threads.map_or(1, usize::from);
        let name = out.file_stem().and_then(|stem| stem.to_str()).unwrap_or("sweep").replace(' ', "-");
        match reader {
            Reader::Grainlearning => emit::grainlearning(out, sheet, table, self.iteration),
            _ if todo.is_empty() => Err(Failure::Usage("all cases are done: there is nothing to run".into())),
            Reader::Slurm => emit::slurm(out, &name, &todo, threads),
            Reader::Snakemake => emit::snakemake(out, &todo, threads),
        }
    }
}

/// Takes the folder of a sweep, for one program at a time.
fn take(out: &Path) -> Result<Lock, Failure> {
    Lock::take(out).map_err(|error| match drystone::record::coded::code_of(&error) {
        Some("E251") => Failure::Usage(format!(
            "a sweep is going on in {} [E251]: wait for its end, stop it, or use -o for another folder",
            out.display()
        )),
        _ => broken(&error),
    })
}

fn ended(failures: Vec<String>) -> Result<(), Failure> {
    if failures.is_empty() { Ok(()) } else { Err(Failure::Run(failures.join("\n"))) }
}

/// How many cases are how far: "12 cases: 10 done, 2 failed".
fn counts(states: &[State]) -> String {
    let words = ["done", "failed", "running", "begun", "waiting"];
    let count = |word: &str| states.iter().filter(|state| state.word() == word).count();
    let parts: Vec<String> = words
        .iter()
        .map(|word| (count(word), word))
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect();
    format!("{}: {}", counted(states.len() as u64, "case", "cases"), parts.join(", "))
}

fn tell_json(cases: &[Case], states: &[State], table: &Table) -> serde_json::Value {
    let case = |(case, state): (&Case, &State)| {
        let why = if let State::Failed { why } = state { Some(why) } else { None };
        json!({"case": case.number, "name": case.name, "seed": case.seed, "values": case.values, "folder": case.folder,
               "state": state.word(), "why": why})
    };
    json!({"keys": table.keys, "cases": cases.iter().zip(states).map(case).collect::<Vec<_>>(), "table": table.json()})
}

/// A text as a part of the name of a file.
fn word(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    text.chars().map(plain).collect::<String>().trim_matches('-').to_string()
}

/// `<scenario>.sweep` in this folder.
fn default_out(scenario: &Path) -> PathBuf {
    let mut name = scenario.file_stem().unwrap_or(scenario.as_os_str()).to_os_string();
    name.push(".sweep");
    PathBuf::from(name)
}
