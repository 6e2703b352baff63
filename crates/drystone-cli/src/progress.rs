//! Progress output of a run: a live line, plain lines, JSON, or nothing.

use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

use drystone::method::StepReport;
use drystone::record::report::Warning;
use drystone::sim::Run;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

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
    start: (Instant, u64, f64),
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
                if run.end().is_some() { "{bar:24} {percent:>3} % {wide_msg}" } else { "{spinner} {wide_msg}" };
            bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let every = if live { Duration::from_millis(100) } else { Duration::from_secs(2) };
        let now = Instant::now();
        let sweeps = run.summary()["method"] == "cd";
        Progress { voice, bar, start: (now, run.report().steps, run.report().time), spoken: now - every, every, sweeps }
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
        let elapsed = self.start.0.elapsed().as_secs_f64();
        let speed = (step.step - self.start.1) as f64 / elapsed;
        let left = run
            .end()
            .map(|end| (end - step.time).max(0.0) * elapsed / (step.time - self.start.2).max(f64::MIN_POSITIVE));
        if self.voice == Voice::Json {
            let line = json!({
                "event": "step", "stage": run.stage_name(), "step": step.step, "time": step.time, "contacts": step.closed,
                "sweeps": step.sweeps, "residual": step.residual, "max_overlap": step.max_overlap,
                "kinetic_energy": run.kinetic_energy(), "steps_per_second": speed, "seconds_left": left,
            });
            println!("{line}");
            return;
        }
        let left = left.map_or_else(|| "end not known".into(), |left| format!("at most {} left", clock(left)));
        let solve = if self.sweeps {
            format!(" {} eps={:.0e}", counted(step.sweeps, "sweep", "sweeps"), step.residual)
        } else {
            String::new()
        };
        let line = format!(
            "{} | step {} t={:.4} s | {}{solve} | overlap {:.0e} | E={:.2e} J | {:.0} steps/s | {left}",
            run.stage_name(),
            step.step,
            step.time,
            counted(step.closed as u64, "contact", "contacts"),
            step.max_overlap,
            run.kinetic_energy(),
            speed,
        );
        match &self.bar {
            Some(bar) => {
                bar.set_position(run.end().map_or(0, |end| (step.time / end * PARTS as f64) as u64));
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
                    eprintln!("stage `{}` ended at {:.4} s: {}", ended.stage, ended.time, ended.why);
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

/// A duration in readable units, rounded before it is split, so that no minute has sixty seconds.
pub(crate) fn clock(seconds: f64) -> String {
    match seconds {
        0.0 => "0 s".into(),
        s if s < 0.9995 => format!("{:.*} ms", if s < 9.995e-3 { 2 } else { 0 }, 1e3 * s),
        s if s < 99.95 => format!("{s:.1} s"),
        s if s < 5999.5 => format!("{:.0} min {:02.0} s", (s.round() / 60.0).floor(), s.round() % 60.0),
        s => {
            let minutes = (s / 60.0).round();
            format!("{:.0} h {:02.0} min", (minutes / 60.0).floor(), minutes % 60.0)
        }
    }
}

/// A number with the word for what is counted, in the singular or in the plural.
fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_rounded_before_they_are_split() {
        assert_eq!(clock(3719.7), "62 min 00 s");
        assert_eq!(clock(3719.4), "61 min 59 s");
        assert_eq!(clock(7199.0), "2 h 00 min");
        assert_eq!(clock(5999.6), "1 h 40 min");
        assert_eq!(clock(99.96), "1 min 40 s");
        assert_eq!(clock(12.34), "12.3 s");
        assert_eq!(clock(0.0123), "12 ms");
        assert_eq!(clock(0.00123), "1.23 ms");
        assert_eq!(clock(0.0), "0 s");
    }

    #[test]
    fn one_step_is_a_step() {
        assert_eq!(counted(1, "step", "steps"), "1 step");
        assert_eq!(counted(0, "step", "steps"), "0 steps");
        assert_eq!(counted(2, "contact", "contacts"), "2 contacts");
    }
}
