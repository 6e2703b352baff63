//! The verb compare: one scenario under several methods, from the same packings.
//!
//! | file | what it does |
//! |---|---|
//! | `cases` | methods and seeds, and the scenario of each run |
//! | `outcome` | reads what they left |
//! | `quantities` | numbers, with `statistics`: errors and verdicts |
//! | `series`, `distributions`, `fields` | curves, histograms, maps |
//! | `averaging` | soft forces averaged over times and lengths |
//! | `report` | page and tables |

mod averaging;
mod cases;
mod distributions;
mod fields;
pub(crate) mod outcome;
pub(crate) mod quantities;
pub(crate) mod report;
mod series;
pub(crate) mod statistics;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use drystone::scenario::derive::AllowedOverlaps;
use drystone::sim;

use crate::Failure;
use crate::clock::clock;
use crate::conduct::{Ending, Job, Share, check_folders, conduct};
use crate::run::{begin, broken, code, listen_for_stop};
use crate::scenario::{folder_of, print};
pub(crate) use cases::seed as seed_of;
use cases::{Plan, Wish};
use fields::FieldGrid;
use outcome::Outcome;
use quantities::Compared;
use report::{Cost, Report, number, verdict};
use statistics::Verdict;

/// Run one scenario under several methods, from the same packings, and compare what they find and what they cost.
#[derive(Args)]
pub(crate) struct Compare {
    /// Scenario file.
    scenario: PathBuf,
    /// Methods; the others are compared with the first.
    #[arg(long, value_delimiter = ',', default_value = "cd,md")]
    methods: Vec<String>,
    /// Runs of each method: the seed of the scenario and those that follow.
    #[arg(long, default_value_t = 5)]
    seeds: u64,
    /// Override a key, e.g. --set grains.0.count=200. May be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Folder for runs and report [default: <scenario>.compare in this folder]. A call that was stopped goes on there.
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Runs at the same time, each on one thread; as many as there are cores if left out.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Width of the Gaussian of fields in mean diameters.
    #[arg(long, default_value_t = 1.0)]
    width: f64,
    /// Overlap at rest over the radius that derived springs allow.
    #[arg(long, default_value_t = AllowedOverlaps::default().standing)]
    overlap: f64,
    /// Overlap in the fastest impact over the radius that derived springs allow.
    #[arg(long, default_value_t = AllowedOverlaps::default().impact)]
    impact_overlap: f64,
    /// Replace runs of another scenario that the folder holds.
    #[arg(long)]
    force: bool,
    /// Say what would be run and what was derived, make every first step, and end there.
    #[arg(long, conflicts_with_all = ["json", "quiet", "force"])]
    dry: bool,
    /// Print nothing but errors.
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
    /// Print what was found as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Compare {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        crate::scenario::refuse_folder(&self.scenario)?;
        listen_for_stop()?;
        if [self.width, self.overlap, self.impact_overlap].iter().any(|ratio| *ratio <= 0.0 || !ratio.is_finite()) {
            return Err(Failure::Usage("--width, --overlap and --impact-overlap are above zero".into()));
        }
        let out = self.out.clone().unwrap_or_else(|| default_out(&self.scenario));
        let plan = Wish {
            scenario: &self.scenario,
            methods: &self.methods,
            seeds: self.seeds,
            settings: &self.settings,
            allowed: AllowedOverlaps { standing: self.overlap, impact: self.impact_overlap },
            out: &out,
        }
        .plan()?;
        if self.dry {
            return rehearse(&plan, folder_of(&self.scenario));
        }
        check_folders(&plan.cases, self.force)?;
        let is_silent = self.quiet || self.json;
        if !is_silent {
            plan.notes.iter().for_each(|note| eprintln!("note: {note}"));
        }
        begin();
        std::fs::create_dir_all(&out).map_err(|error| broken(&error))?;
        let jobs = self.jobs.map_or_else(cores, usize::from);
        let share = Share { jobs, threads: 1 };
        let endings = conduct(&plan.cases, folder_of(&self.scenario), share, is_silent);
        if endings.contains(&Ending::Interrupted) {
            if !is_silent {
                eprintln!("note: stopped; the same command goes on");
            }
            return Err(Failure::Interrupted);
        }
        let report = judge(&plan, &endings, self.width)?;
        report.write(&out)?;
        if self.json {
            print(&format!("{}\n", report.json()))?;
        } else if !self.quiet {
            print(&summary(&report, &out))?;
        }
        match report.failures()[..] {
            [] => Ok(()),
            ref failures => Err(Failure::Run(failures.join("\n"))),
        }
    }
}

/// Makes the first step of every method with the first seed, without a folder.
fn rehearse(plan: &Plan, folder: &Path) -> Result<(), Failure> {
    plan.notes.iter().for_each(|note| eprintln!("note: {note}"));
    let count = plan.seeds.len();
    let runs = if count == 1 { "1 run".to_string() } else { format!("{count} runs") };
    let mut text = String::new();
    for case in plan.cases.iter().filter(|case| case.seed == plan.seeds[0]) {
        let mut run = sim::open(&case.scenario, folder)?;
        let outlook = run.outlook();
        run.advance()
            .map_err(|error| Failure::Run(format!("{}, first step: {error} [{}]", case.name(), code(&error))))?;
        let steps =
            outlook.steps.map_or("an unknown number of".to_string(), |steps| format!("at most {}", number(steps)));
        let _ = writeln!(text, "{:<4} {runs} of {} grains, {steps} steps each", case.method.name(), outlook.grains);
    }
    print(&text)
}

/// How many threads the machine runs at the same time.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// `<scenario>.compare` in this folder.
fn default_out(scenario: &Path) -> PathBuf {
    let mut name = scenario.file_stem().unwrap_or(scenario.as_os_str()).to_os_string();
    name.push(".compare");
    PathBuf::from(name)
}

/// Compares all runs that came to their end.
fn judge<'p>(plan: &'p Plan, endings: &'p [Ending], width: f64) -> Result<Report<'p>, Failure> {
    let mut outcomes = Vec::new();
    for (case, ending) in plan.cases.iter().zip(endings) {
        if let Ending::Done { seconds } = ending {
            outcomes.push(Outcome::read(case, *seconds)?);
        }
    }
    let mut report = Report {
        plan,
        endings,
        compared: quantities::compare(plan, &outcomes)?,
        costs: Cost::of(plan, &outcomes),
        grid: FieldGrid::around(&outcomes, width)?,
        distances: Vec::new(),
        averaging: averaging::study(plan, &outcomes)?,
        figures: series::figures(plan, &outcomes)?,
    };
    report.figures.extend(distributions::figures(plan, &outcomes)?);
    if let Some(grid) = &report.grid {
        let fields = fields::compare(plan, &outcomes, grid)?;
        report.distances = fields.distances;
        report.figures.extend(fields.figures);
    }
    report.figures.extend(averaging::figures(plan, &report.averaging)?);
    Ok(report)
}

/// What is told on the screen: costs, and the quantities in which methods differ.
fn summary(report: &Report, out: &Path) -> String {
    let mut text = String::new();
    for cost in &report.costs {
        let ratio = cost.seconds.value / report.costs[0].seconds.value;
        let (seconds, steps) = (clock(cost.seconds.value), number(cost.steps.value));
        let _ = writeln!(
            text,
            "{:<4} {seconds} of CPU time a run, {steps} steps, {} times the first",
            cost.method,
            number(ratio)
        );
    }
    for (k, method) in report.plan.methods[1..].iter().enumerate() {
        let _ = writeln!(text, "{} against {}:", method.name(), report.plan.methods[0].name());
        tell_differences(&mut text, report, k);
    }
    let _ = writeln!(text, "report in {}", out.join("report.html").display());
    text
}

/// Numbers in which runs of a single seed differ by more than this part of the larger one are counted apart.
const SMALL: f64 = 1e-3;
/// Differences that are told on the screen at most.
const TOLD: usize = 12;

/// What is told of the method behind the first with this number: how many quantities agree, and the surest differences.
fn tell_differences(text: &mut String, report: &Report, method: usize) {
    let found = |compared: &Compared| compared.differences[method];
    let is = |wanted: Verdict| move |compared: &&Compared| found(compared).is_some_and(|found| found.verdict == wanted);
    let count = |wanted: Verdict| report.compared.iter().filter(is(wanted)).count();
    let _ = writeln!(
        text,
        "  {} numbers are the same, {} agree within the scatter, {} differ",
        count(Verdict::Same),
        count(Verdict::Agree),
        count(Verdict::Differ)
    );
    let single: Vec<&Compared> = report.compared.iter().filter(is(Verdict::NoScatter)).collect();
    if !single.is_empty() {
        let is_close = |compared: &&&Compared| {
            let larger = [0, method + 1]
                .map(|k| compared.means[k].map_or(0.0, |mean| mean.value.abs()))
                .into_iter()
                .fold(0.0, f64::max);
            found(compared).is_some_and(|found| found.mean.value.abs() <= SMALL * larger)
        };
        let close = single.iter().filter(is_close).count();
        let far = single.len() - close;
        let _ =
            writeln!(text, "  one run each: {close} numbers differ by less than {SMALL} of themselves, {far} by more");
    }
    let mut differing: Vec<&Compared> = report.compared.iter().filter(is(Verdict::Differ)).collect();
    let probability = |compared: &Compared| found(compared).and_then(|found| found.probability).unwrap_or(1.0);
    differing.sort_by(|a, b| probability(a).total_cmp(&probability(b)));
    for compared in differing.iter().take(TOLD) {
        let Some(found) = found(compared) else { continue };
        let name = format!("{} ({})", compared.quantity.name, compared.quantity.when);
        let _ = writeln!(text, "  {name:<44} {}", verdict(&found, compared.means[0].as_ref()));
    }
    if differing.len() > TOLD {
        let _ = writeln!(text, "  and {} more, in the report", differing.len() - TOLD);
    }
}
