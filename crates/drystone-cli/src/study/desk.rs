//! Output of a study: its folder, its tables and figures, and measured values beside expected ones.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use drystone::record::frame::Frame;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::Failure;
use crate::picture::look::Look;
use crate::picture::plot::Plot;
use crate::picture::{self, Format};
use crate::scenario::print;

/// A measured value, beside the expected one where there is one.
struct Finding {
    quantity: String,
    measured: f64,
    expected: Option<(f64, f64)>,
}

/// The output of a running study.
pub(super) struct Desk {
    /// Whether a rough result is enough.
    pub quick: bool,
    /// Numbers of grains of tests that have several.
    pub sizes: Vec<usize>,
    folder: PathBuf,
    json: bool,
    findings: Vec<Finding>,
    files: Vec<String>,
    bar: Option<ProgressBar>,
    spoken: Instant,
}

impl Desk {
    /// The output in a new folder, or in one of an earlier study.
    pub(super) fn new(folder: PathBuf, quick: bool, json: bool) -> Result<Desk, Failure> {
        std::fs::create_dir_all(&folder)
            .map_err(|error| Failure::Run(format!("cannot make {}: {error} [E103]", folder.display())))?;
        let bar = (!json && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr_with_hz(10));
            let style = ProgressStyle::with_template("{bar:24} {percent:>3} % {wide_msg}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let (findings, files) = (Vec::new(), Vec::new());
        Ok(Desk { quick, sizes: Vec::new(), folder, json, findings, files, bar, spoken: Instant::now() })
    }

    /// Shows the progress of a task.
    pub(super) fn progress(&mut self, what: &str, part: f64) {
        if let Some(bar) = &self.bar {
            bar.set_position((1000.0 * part) as u64);
            bar.set_message(what.to_string());
        } else if !self.json && self.spoken.elapsed() > Duration::from_secs(5) {
            self.spoken = Instant::now();
            eprintln!("{what}: {:.0} %", 100.0 * part);
        }
    }

    /// Records a measured value.
    pub(super) fn found(&mut self, quantity: impl Into<String>, measured: f64) {
        self.findings.push(Finding { quantity: quantity.into(), measured, expected: None });
    }

    /// Records a measured value beside the expected one, which it should match within the absolute `tolerance`.
    pub(super) fn compare(&mut self, quantity: impl Into<String>, measured: f64, expected: f64, tolerance: f64) {
        self.findings.push(Finding { quantity: quantity.into(), measured, expected: Some((expected, tolerance)) });
    }

    /// Writes a table of numbers, column names first.
    pub(super) fn table(
        &mut self,
        name: &str,
        columns: &str,
        rows: impl Iterator<Item = Vec<f64>>,
    ) -> Result<(), Failure> {
        let mut text = format!("{columns}\n");
        for row in rows {
            let cells: Vec<String> = row.iter().map(|number| format!("{number:e}")).collect();
            let _ = writeln!(text, "{}", cells.join(","));
        }
        self.write(&format!("{name}.csv"), text.as_bytes())
    }

    /// Draws curves.
    pub(super) fn plot(&mut self, name: &str, plot: &Plot) -> Result<(), Failure> {
        for (format, end) in [(Format::Svg, "svg"), (Format::Png, "png")] {
            let picture = plot.draw(format).map_err(Failure::Run)?;
            self.write(&format!("{name}.{end}"), &picture)?;
        }
        Ok(())
    }

    /// Draws grains and forces.
    pub(super) fn picture(&mut self, name: &str, frame: &Frame, title: &str) -> Result<(), Failure> {
        for (format, end) in [(Format::Svg, "svg"), (Format::Png, "png")] {
            let picture = picture::draw(frame, title, format, &Look::default()).map_err(Failure::Run)?;
            self.write(&format!("{name}.{end}"), &picture)?;
        }
        Ok(())
    }

    fn write(&mut self, name: &str, content: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(name);
        std::fs::write(&path, content)
            .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", path.display())))?;
        self.files.push(name.to_string());
        Ok(())
    }

    /// Prints what was found.
    pub(super) fn finish(self, name: &str) -> Result<(), Failure> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.json {
            let findings = self.findings.iter().map(|finding| {
                let Finding { quantity, measured, expected } = finding;
                json!({"quantity": quantity, "measured": measured, "expected": expected.map(|e| e.0),
                    "tolerance": expected.map(|e| e.1), "met": finding.is_met()})
            });
            let findings: Vec<_> = findings.collect();
            let result = json!({"study": name, "folder": self.folder, "findings": findings, "files": self.files});
            return print(&format!("{result}\n"));
        }
        let width = self.findings.iter().map(|finding| finding.quantity.chars().count()).max().unwrap_or(0);
        let mut text = format!("{:width$}  {:>11}  expected\n", "", "measured");
        for finding in &self.findings {
            let _ = writeln!(text, "{:width$}  {}", finding.quantity, finding.told());
        }
        let _ = writeln!(text, "{} files in {}", self.files.len(), self.folder.display());
        print(&text)
    }
}

impl Finding {
    fn is_met(&self) -> Option<bool> {
        self.expected.map(|(expected, tolerance)| (self.measured - expected).abs() <= tolerance)
    }

    fn told(&self) -> String {
        let measured = number(self.measured);
        match (self.expected, self.is_met()) {
            (Some((expected, tolerance)), Some(met)) => {
                let verdict = if met { "" } else { "   MISSED" };
                format!("{measured:>11}  {} ± {}{verdict}", number(expected), number(tolerance))
            }
            _ => format!("{measured:>11}"),
        }
    }
}

/// A number with about four digits.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_string(),
        size if !(1e-3..1e6).contains(&size) => format!("{value:.2e}"),
        size if size >= 1000.0 => format!("{value:.0}"),
        size => {
            let decimals = (3.0 - size.log10().floor()).max(0.0) as usize;
            let text = format!("{value:.decimals$}");
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let told: Vec<String> = [0.0, 0.79931, 111.0, 5958.0, 100.0, 1e-7, -2.5e-2].into_iter().map(number).collect();
        assert_eq!(told, ["0", "0.7993", "111", "5958", "100", "1.00e-7", "-0.025"]);
    }

    #[test]
    fn a_miss_is_told() {
        let finding = |measured| Finding { quantity: "q".into(), measured, expected: Some((1.0, 0.1)) };
        assert!(finding(1.05).is_met() == Some(true) && finding(f64::NAN).is_met() == Some(false));
        assert!(finding(1.2).told().ends_with("MISSED"));
    }
}
