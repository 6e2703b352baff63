//! The verb solve: a stored contact problem.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use drystone::method::cd::problem::{AnyProblem, Asymmetry};
use drystone::method::cd::stored::{Goal, Solution};
use drystone::method::cd::{Accelerator, Accuracy, Ladder, Solver};
use drystone::record::fclib;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::Failure;
use crate::scenario::{print, table};

/// Solve a contact problem that is stored in an FCLIB file (HDF5).
#[derive(Args)]
pub(crate) struct Solve {
    /// File of the problem.
    problem: PathBuf,
    /// Residual eps_nat to reach: a number, or preview, flow, standard, forces, reference.
    #[arg(long, default_value = "1e-8", value_parser = accuracy)]
    accuracy: Accuracy,
    /// How the impulses are found: sweeps, or newton for a few hundred contacts to the last digit.
    #[arg(long, default_value = "sweeps", value_parser = solver)]
    solver: Solver,
    /// How sweeps are accelerated: momentum, nncg, anderson, none.
    #[arg(long, default_value = "momentum", value_parser = accelerator)]
    accelerator: Accelerator,
    /// Sweeps, or sweeps and Newton steps, after which the solve is given up.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_sweeps: u64,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
    /// File to write: a copy of the problem with the solution in it.
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Replace the file if it is there already.
    #[arg(long)]
    force: bool,
}

/// An accuracy as the command line has it.
pub(crate) fn accuracy(text: &str) -> Result<Accuracy, String> {
    if let Some(step) = Ladder::ALL.iter().find(|step| step.name() == text) {
        return Ok(Accuracy::Named(*step));
    }
    match text.parse() {
        Ok(residual) if residual > 0.0 && residual < f64::INFINITY => Ok(Accuracy::Residual(residual)),
        _ => {
            let names: Vec<&str> = Ladder::ALL.iter().map(|step| step.name()).collect();
            Err(format!("a number above zero, or one of {}", names.join(", ")))
        }
    }
}

/// A solver by its name.
fn solver(text: &str) -> Result<Solver, String> {
    let names: Vec<&str> = Solver::ALL.iter().map(|kind| kind.name()).collect();
    let kind = Solver::ALL.iter().find(|kind| kind.name() == text);
    kind.copied().ok_or_else(|| format!("one of {}", names.join(", ")))
}

/// An accelerator by its name.
fn accelerator(text: &str) -> Result<Accelerator, String> {
    let names: Vec<&str> = Accelerator::ALL.iter().map(|kind| kind.name()).collect();
    let kind = Accelerator::ALL.iter().find(|kind| kind.name() == text);
    kind.copied().ok_or_else(|| format!("one of {}", names.join(", ")))
}

impl Solve {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        if let Some(out) = self.out.as_ref().filter(|out| out.exists() && !self.force) {
            let message =
                format!("{} exists already [E105]: use -o for another file, --force to replace it", out.display());
            return Err(Failure::Usage(message));
        }
        let problem = fclib::read(&self.problem).map_err(|error| Failure::Usage(format!("{error} [E104]")))?;
        let goal = Goal {
            limits: self.accuracy.limits(),
            solver: self.solver,
            accelerator: self.accelerator,
            max_sweeps: self.max_sweeps,
        };
        let start = Instant::now();
        let mut progress = Progress::new(goal, self.json);
        let solution = problem.solve(goal, |sweeps, residual| progress.look(sweeps, residual));
        progress.close();
        let solved = Solved { problem: &problem, solution: &solution, seconds: start.elapsed().as_secs_f64() };
        print(&if self.json { solved.json() } else { solved.table() })?;
        if let Some(out) = &self.out {
            fclib::write_solution(&self.problem, out, &solution)
                .map_err(|error| Failure::Run(format!("{error} [E103]")))?;
        }
        if solution.converged {
            return Ok(());
        }
        Err(Failure::Run(format!(
            "not converged: residual {:.1e} after {} sweeps, {:.1e} was asked for [E205]",
            solution.certificate.residual, solution.sweeps, goal.limits.residual
        )))
    }
}

/// A problem with its solution, as it is reported.
struct Solved<'s> {
    problem: &'s AnyProblem,
    solution: &'s Solution,
    seconds: f64,
}

impl Solved<'_> {
    fn table(&self) -> String {
        let (problem, Solution { sweeps, certificate, .. }) = (self.problem, self.solution);
        let per_update = self.seconds / (*sweeps as f64 * problem.contacts() as f64);
        let eta = format!("{:.1e}: estimated error of the forces", certificate.force_error);
        let time = match sweeps {
            0 => format!("{:.3} s", self.seconds),
            _ => format!("{:.3} s, {:.0} ns a contact and sweep", self.seconds, 1e9 * per_update),
        };
        let mut rows = vec![
            ("contacts", problem.contacts().to_string()),
            ("dimension", problem.dimension().to_string()),
            ("blocks of W", problem.block_count().to_string()),
            ("sweeps", sweeps.to_string()),
            ("time", time),
            ("eps_nat", format!("{:.2e}", certificate.residual)),
            ("eta", eta),
            ("open", certificate.open.to_string()),
            ("stick", certificate.stick.to_string()),
            ("slide", certificate.slide.to_string()),
            ("Painleve", certificate.painleve.to_string()),
            ("sum of r_n", format!("{:.9e}", certificate.normal_sum)),
        ];
        let Asymmetry { blocks, worst } = problem.asymmetry();
        if blocks > 0 {
            rows.push(("note", format!("W is not symmetric: {blocks} blocks differ, by up to {worst:.1e}")));
        }
        table(rows.iter().map(|(name, value)| (*name, value.as_str())))
    }

    fn json(&self) -> String {
        let Asymmetry { blocks, worst } = self.problem.asymmetry();
        let Solution { sweeps, converged, forces, certificate, .. } = self.solution;
        let json = json!({
            "contacts": self.problem.contacts(),
            "dimension": self.problem.dimension(),
            "blocks": self.problem.block_count(),
            "asymmetric_blocks": blocks,
            "worst_asymmetry": worst,
            "sweeps": sweeps,
            "seconds": self.seconds,
            "converged": converged,
            "forces": forces.name(),
            "certificate": {
                "eps_nat": certificate.residual,
                "eta": certificate.force_error,
                "open": certificate.open,
                "stick": certificate.stick,
                "slide": certificate.slide,
                "painleve": certificate.painleve,
                "normal_sum": certificate.normal_sum,
            },
        });
        format!("{json}\n")
    }
}

/// The progress of a long solve: a live line where a person watches, plain lines elsewhere, nothing for programs.
struct Progress {
    goal: Goal,
    silent: bool,
    bar: Option<ProgressBar>,
    first: Option<f64>,
    spoken: Instant,
}

/// A solve that is over sooner says nothing in between.
const PATIENCE: Duration = Duration::from_secs(1);
const PARTS: u64 = 10_000;

impl Progress {
    fn new(goal: Goal, silent: bool) -> Progress {
        Progress { goal, silent, bar: None, first: None, spoken: Instant::now() }
    }

    fn look(&mut self, sweeps: u64, residual: f64) {
        let first = *self.first.get_or_insert(residual);
        let live = self.bar.is_some();
        let every = if live { PATIENCE / 10 } else { PATIENCE };
        if self.silent || self.spoken.elapsed() < every {
            return;
        }
        self.spoken = Instant::now();
        let line = format!("sweep {sweeps} | eps={residual:.1e}, {:.0e} is asked for", self.goal.limits.residual);
        if !std::io::stderr().is_terminal() {
            return eprintln!("{line}");
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr_with_hz(10));
            let style = ProgressStyle::with_template("{bar:24} {percent:>3} % {wide_msg}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        // digits gained of the digits that are needed, or sweeps of the sweeps that are allowed
        let gained = (first / residual).ln() / (first / self.goal.limits.residual).ln();
        let spent = sweeps as f64 / self.goal.max_sweeps as f64;
        bar.set_position((gained.clamp(0.0, 1.0).max(spent) * PARTS as f64) as u64);
        bar.set_message(line);
    }

    fn close(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
