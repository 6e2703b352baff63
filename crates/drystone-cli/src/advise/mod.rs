//! The verb advise: which method to take, at what cost, and what each gets wrong.

mod words;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use drystone::input::{Node, Reader, Text, Value};
use drystone::method::cd::Accuracy;
use drystone::record::aside::write_aside;
use drystone::scenario::AnyScenario;
use drystone_advise::{Advice, AdviseOptions, NoAdvice, advise};

use crate::Failure;
use crate::picture::Format;
use crate::picture::plot::{Axis, Hand, Plot};
use crate::scenario::{folder_of, print, refuse_folder};

/// Tell which method suits a scenario: what each costs to the end of the run, and what it gets wrong.
#[derive(Args)]
pub(crate) struct Advise {
    /// Scenario file.
    scenario: PathBuf,
    /// Override a key, e.g. --set method.cd.scheme="midpoint". May be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Accuracy of Contact Dynamics: preview, flow, standard, forces, reference, or a residual [default: the scenario's].
    #[arg(long, value_name = "ACCURACY")]
    accuracy: Option<String>,
    /// Computing time for the walk through the run, and for the trial steps of every method [s].
    #[arg(long, default_value_t = 10.0, value_parser = positive)]
    seconds: f64,
    /// Print the advice as one JSON object.
    #[arg(long)]
    json: bool,
    /// Picture of the cost over the time of the run to draw: .svg or .png.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Replace a picture that exists.
    #[arg(long)]
    force: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("a number of seconds above zero, such as 10".into()),
    }
}

impl Advise {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        refuse_folder(&self.scenario)?;
        let format = self.picture.as_deref().map(Format::of).transpose()?;
        if let Some(out) = self.picture.iter().find(|out| out.exists() && !self.force) {
            return Err(Failure::Usage(format!("{} exists already: replace it with --force [E105]", out.display())));
        }
        let accuracy = self.accuracy.as_deref().map(accuracy).transpose()?;
        let scenario = AnyScenario::read(&self.scenario, &self.settings)?;
        let options = AdviseOptions { seconds: self.seconds, accuracy };
        let is_quiet = self.json;
        let tell = move |what: &str| {
            if !is_quiet {
                eprintln!("note: {what}, at most {} s of computing time", options.seconds);
            }
        };
        let advice = advise(&scenario, folder_of(&self.scenario), &options, &tell).map_err(refused)?;
        let title = match &scenario {
            AnyScenario::Plane(scenario) => &scenario.title,
            AnyScenario::Space(scenario) => &scenario.title,
        };
        if let (Some(path), Some(format)) = (&self.picture, format) {
            draw(&advice, title, path, format)?;
        }
        print(&if self.json { words::json(&advice) } else { words::report(&advice, title) })
    }
}

fn refused(nothing: NoAdvice) -> Failure {
    match nothing {
        NoAdvice::Mistakes(mistakes) => Failure::Mistakes(mistakes),
        NoAdvice::NoMethod(_) => Failure::Usage(nothing.to_string()),
    }
}

/// Reads an accuracy as the scenario would.
fn accuracy(written: &str) -> Result<Accuracy, Failure> {
    let value = if written.parse::<f64>().is_ok() { written.to_string() } else { format!("{written:?}") };
    let text = Arc::new(Text { name: "--accuracy".into(), text: format!("accuracy = {value}") });
    let (tree, reader) = (Node::parse(&text).0, Reader::default());
    let read = tree.get("accuracy").and_then(|node| Accuracy::read(node, &reader));
    let is_positive = read.is_none_or(|accuracy| accuracy.residual() > 0.0);
    let read = reader.finish().into_result(read)?;
    if !is_positive {
        return Err(Failure::Usage(format!("--accuracy {written}: a residual is a ratio above zero, such as 1e-5")));
    }
    Ok(read)
}

/// Draws the computing time for a second of the run, over the time of the run.
fn draw(advice: &Advice, title: &str, path: &Path, format: Format) -> Result<(), Failure> {
    let pace = Axis::log("Computing time for a second of the run (s)");
    let mut plot = Plot::new(&format!("{title}: what its parts cost"), Axis::linear("Time of the run (s)"), pace);
    for prospect in advice.prospects.iter().filter(|prospect| !prospect.trials.is_empty()) {
        let points = prospect.trials.iter().map(|trial| (trial.time, trial.pace())).collect();
        plot.curve(prospect.hardness.of(prospect.method), Hand::Line, points);
    }
    let drawn = plot.draw(format).map_err(Failure::Run)?;
    write_aside(path, |file| Write::write_all(file, &drawn))
        .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracies_are_read_as_in_a_scenario() {
        assert_eq!(accuracy("flow").ok().map(Accuracy::residual), Some(1e-4));
        assert_eq!(accuracy("1e-7").ok().map(Accuracy::residual), Some(1e-7));
        assert!(matches!(accuracy("exact"), Err(Failure::Mistakes(_))));
        assert!(accuracy("0").is_err() && accuracy("-1").is_err());
    }

    #[test]
    fn seconds_are_above_zero() {
        assert_eq!(positive("2.5"), Ok(2.5));
        assert!(["0", "-1", "inf", "many"].into_iter().all(|text| positive(text).is_err()));
    }
}
