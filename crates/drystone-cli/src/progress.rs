//! Progress output of a run: a live line, plain lines, JSON, or nothing.

use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

use drystone::method::StepReport;
use drystone::record::report::Warning;
use drystone::sim::{Forecast, Run};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::clock::{Pace, clock, counted, moment};
use crate::run::warnings;

/// Form of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// For people.
    Human,
    /// For programs: JSON.
    Json,
    /// No output.
    Quiet,
}

/// The progress of a run.
pub(crate) struct Progress {
    voice: Voice,
    bar: Option<ProgressBar>,
    start: Instant,
    /// How fast the clock of the run, and its steps, go lately.
    pace: Pace,
    steps: Pace,
    spoken: Instant,
    every: Duration,
    /// Whether the method makes sweeps, so that their number and residual are shown.
    sweeps: bool,
}

const PARTS: u64 = 10_000;

impl Progress {
    /// Progress of a run that starts or resumes now.
    pub(crate) fn new(voice: Voice, run: &dyn Run) -> Progress {
        let live = voice == Voice::Human && std::io::stderr().is_terminal();
        let bar = live.then(|| {
            let bar = ProgressBar::with_draw_target(run.end().map(|_| PARTS), ProgressDrawTarget::stderr_with_hz(10));
            let template =
                if run.end().is_some() { "{bar:16} {percent:>3} % {wide_msg}" } else { "{spinner} {wide_msg}" };
            bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let every = if live { Duration::from_millis(100) } else { Duration::from_secs(2) };
        let now = Instant::now();
        let (pace, steps) = (Pace::from(run.report().time), Pace::from(run.report().steps as f64));
        let sweeps = run.summary()["method"] == "cd";
        Progress { voice, bar, start: now, pace, steps, spoken: now - every, every, sweeps }
    }

    /// Prints a message beside the progress.
    pub(crate) fn note(&self, text: &str) {
        if self.voice != Voice::Quiet {
            eprintln!("note: {text}");
        }
    }

    /// Prints a warning about a step at once.
    pub(crate) fn tell(&self, news: &[Warning]) {
        for Warning { code, message } in news {
            match (self.voice, &self.bar) {
                (Voice::Quiet, _) => {}
                (Voice::Json, _) => println!("{}", json!({"event": "warning", "code": code, "message": message})),
                (Voice::Human, Some(bar)) => bar.suspend(|| eprintln!("warning[{code}]: {message}")),
                (Voice::Human, None) => eprintln!("warning[{code}]: {message}"),
            }
        }
    }

    /// Shows a step, if an update is due.
    pub(crate) fn step(&mut self, step: &StepReport, run: &dyn Run) {
        if self.voice == Voice::Quiet || self.spoken.elapsed() < self.every {
            return;
        }
        self.spoken = Instant::now();
        let elapsed = self.start.elapsed().as_secs_f64();
        self.steps.note(elapsed, step.step as f64);
        let speed = self.steps.rate().unwrap_or(0.0);
        self.pace.note(elapsed, step.time);
        let forecast = run.forecast();
        let left = forecast.time().and_then(|end| self.pace.left(end - step.time));
        if self.voice == Voice::Json {
            let line = json!({
                "event": "step", "stage": run.stage_name(), "step": step.step, "time": step.time, "contacts": step.closed,
                "sweeps": step.sweeps, "residual": step.residual, "max_overlap": step.max_overlap,
                "kinetic_energy": run.kinetic_energy(), "steps_per_second": speed, "seconds_left": left,
            });
            println!("{line}");
            return;
        }
        let left = match (forecast, left.map(clock)) {
            (Forecast::Unknown, _) => "its end is not known".into(),
            (_, None) => "time left not known yet".into(),
            (Forecast::At(_), Some(left)) => format!("{left} left"),
            (Forecast::About(_), Some(left)) => format!("about {left} left"),
            (Forecast::AtMost(_), Some(left)) => format!("at most {left} left"),
        };
        let solve = if self.sweeps {
            format!(" {} eps={:.0e}", counted(step.sweeps, "sweep", "sweeps"), step.residual)
        } else {
            String::new()
        };
        // what matters most comes first: a narrow terminal cuts the rest
        let line = format!(
            "{} t={} | {left} | step {} {speed:.0}/s | {}{solve} | overlap {:.0e} | E={:.2e} J",
            run.stage_name(),
            moment(step.time),
            step.step,
            counted(step.closed as u64, "contact", "contacts"),
            step.max_overlap,
            run.kinetic_energy(),
        );
        match &self.bar {
            Some(bar) => {
                bar.set_position(forecast.time().map_or(0, |end| (step.time / end * PARTS as f64) as u64));
                bar.set_message(line);
            }
            None => eprintln!("{line}"),
        }
    }

    /// Clears the live line.
    pub(crate) fn close(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Prints how the run ended.
    pub(crate) fn finish(&self, run: &dyn Run, out: &Path) {
        self.close();
        match self.voice {
            Voice::Quiet => {}
            Voice::Json => println!("{}", json!({"event": "done", "folder": out, "report": run.summary()})),
            Voice::Human => {
                let report = run.report();
                for ended in &report.ended {
                    eprintln!("stage `{}` ended at {}: {}", ended.stage, moment(ended.time), ended.why);
                }
                let (steps, seconds) = (counted(report.steps, "step", "steps"), clock(report.wall_seconds));
                let overlap = format!("worst overlap {:.1e} of the radius", report.worst_overlap);
                match self.sweeps {
                    true => eprintln!(
                        "{steps} in {seconds}, {:.1} sweeps a step, worst residual {:.1e}, {overlap}, {} not converged",
                        report.mean_sweeps(),
                        report.worst_residual,
                        counted(report.unconverged_steps, "step", "steps"),
                    ),
                    false => eprintln!("{steps} in {seconds}, {overlap}"),
                }
                warnings(report).iter().for_each(|line| eprintln!("{line}"));
                eprintln!("hash {}, results in {}", run.summary()["hash"].as_str().unwrap_or_default(), out.display());
            }
        }
    }
}

/// How many of something are done, on a terminal: frames, solves.
pub(crate) fn counter(what: &str, of: Option<u64>) -> ProgressBar {
    let live = std::io::stderr().is_terminal();
    let target = if live { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template(&format!("{{bar:24}} {what} {{pos}} of {{len}}"));
    ProgressBar::with_draw_target(of, target).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
