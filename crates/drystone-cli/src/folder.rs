//! Run folders and the frames in them, and the verb info.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use drystone::record::intact::{FolderCheck, verify};
use drystone::record::{Frame, RunFolder, frame_files};
use drystone::scenario::AnyScenario;

use crate::Failure;
use crate::clock::clock;
use crate::scenario::{print, table};

/// Opens a run folder.
pub(crate) fn open(path: &Path) -> Result<RunFolder, Failure> {
    RunFolder::open(path).map_err(|error| Failure::Usage(format!("{error} [E102]")))
}

/// A frame as it is named on the command line: by its number, or `first` or `last`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Which {
    First,
    Last,
    Number(usize),
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        match text {
            "first" => Ok(Which::First),
            "last" => Ok(Which::Last),
            number => number.parse().map(Which::Number).map_err(|_| "a frame is a number, `first` or `last`".into()),
        }
    }
}

/// A frame and its number.
pub(crate) fn frame(folder: &RunFolder, which: Which) -> Result<(usize, Frame), Failure> {
    let numbers = frame_files::numbers(&folder.frames()).map_err(|error| Failure::Run(format!("{error} [E103]")))?;
    let ([first, .., last] | [first @ last]) = numbers[..] else {
        return Err(Failure::Usage(format!("{} has no frames", folder.path().display())));
    };
    let number = match which {
        Which::First => first,
        Which::Last => last,
        Which::Number(number) => number,
    };
    if !numbers.contains(&number) {
        return Err(Failure::Usage(format!("there is no frame {number}; frames go from {first} to {last}")));
    }
    let frame = frame_files::read(&folder.frames(), number).map_err(|error| Failure::Run(format!("{error} [E103]")))?;
    Ok((number, frame))
}

/// The numbers of the frames that a text names: `7`, `3..9`, `3..`, `..9` (both ends count), `first`, `last` or `all`.
pub(crate) fn range(folder: &RunFolder, text: &str) -> Result<Vec<usize>, Failure> {
    let numbers = frame_files::numbers(&folder.frames()).map_err(|error| Failure::Run(format!("{error} [E103]")))?;
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
        return Err(Failure::Usage(format!("{} has no frames", folder.path().display())));
    };
    let read = |end: &str, default: usize| match end.trim() {
        "" => Ok(default),
        end => end
            .parse::<usize>()
            .map_err(|_| Failure::Usage(format!("`{text}`: frames are written like 7, 3..9, 3.., first, last or all"))),
    };
    let (from, to) = match text {
        "all" => (*first, *last),
        "first" => (*first, *first),
        "last" => (*last, *last),
        _ => match text.split_once("..") {
            Some((from, to)) => (read(from, *first)?, read(to, *last)?),
            None => (read(text, *last)?, read(text, *last)?),
        },
    };
    let chosen: Vec<usize> = numbers.iter().copied().filter(|number| (from..=to).contains(number)).collect();
    if chosen.is_empty() {
        return Err(Failure::Usage(format!("there is no frame {text}; frames go from {first} to {last}")));
    }
    Ok(chosen)
}

/// Title of the scenario of a run.
pub(crate) fn title(folder: &RunFolder) -> Result<String, Failure> {
    Ok(AnyScenario::read(&folder.scenario(), &[])?.title().to_string())
}

/// Say what a run folder holds.
#[derive(Args)]
pub(crate) struct Info {
    /// Folder of the run.
    folder: PathBuf,
}

impl Info {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let folder = open(&self.folder)?;
        let numbers =
            frame_files::numbers(&folder.frames()).map_err(|error| Failure::Run(format!("{error} [E103]")))?;
        let mut rows = vec![("title", title(&folder)?)];
        let report: Option<serde_json::Value> =
            std::fs::read(folder.report()).ok().and_then(|text| serde_json::from_slice(&text).ok());
        match &report {
            None if folder.is_running() => rows.push(("state", "a run is going on in it".into())),
            None if folder.checkpoint().exists() => {
                rows.push(("state", format!("not finished: go on with `drystone resume {}`", self.folder.display())))
            }
            None => rows.push(("state", "without a checkpoint: start it again with --force".into())),
            Some(report) => {
                let number = |key: &str| report[key].as_f64().unwrap_or(f64::NAN);
                rows.push(("state", report["state"].as_str().unwrap_or("?").to_string()));
                rows.push(("grains", format!("{} in {}D", report["grains"], report["dimension"])));
                rows.push(("time", format!("{:.6} s in {} steps", number("time"), report["steps"])));
                rows.push(("wall time", clock(number("wall_seconds"))));
                rows.push(("contacts", report["contacts"].to_string()));
                rows.push((
                    "sweeps",
                    format!("{:.1} a step, at most {}", number("mean_sweeps"), report["most_sweeps"]),
                ));
                rows.push(("not converged", format!("{} steps", report["unconverged_steps"])));
                let count = |key: &str| report[key].as_u64().unwrap_or(0);
                if count("uncertain_steps") > 0 {
                    let (uncertain, open) = (count("uncertain_steps"), count("undetermined_steps"));
                    rows.push(("forces uncertain", format!("{uncertain} steps, in {open} of them not determined")));
                }
                rows.push(("worst residual", format!("{:.1e}", number("worst_residual"))));
                rows.push(("worst overlap", format!("{:.1e} of the radius", number("worst_overlap"))));
                for stage in report["stages"].as_array().into_iter().flatten() {
                    let text = |key: &str| stage[key].as_str().unwrap_or("?").to_string();
                    let time = stage["time"].as_f64().unwrap_or(f64::NAN);
                    rows.push(("stage", format!("{}: {} at {time:.6} s", text("stage"), text("why"))));
                }
                for warning in report["warnings"].as_array().into_iter().flatten() {
                    let text = |key: &str| warning[key].as_str().unwrap_or("?").to_string();
                    rows.push(("warning", format!("{}: {}", text("code"), text("message"))));
                }
                if let Some(error) = report["error"].as_str() {
                    rows.push(("error", error.to_string()));
                }
                rows.push(("hash", report["hash"].as_str().unwrap_or("?").to_string()));
            }
        }
        rows.push(("frames", numbers.len().to_string()));
        let files = verify(&folder);
        rows.push(("files", words(&files)));
        rows.extend(files.seal.as_ref().map(|seal| ("seal", seal.clone())));
        print(&table(rows.iter().map(|(name, value)| (*name, value.as_str()))))?;
        match files.faults.is_empty() {
            true => Ok(()),
            false => Err(Failure::Run(faulty(&files, &self.folder))),
        }
    }
}

/// How many files are what they were.
fn words(files: &FolderCheck) -> String {
    let mut text = match (files.judged, files.faults.len()) {
        (0, _) => "not compared".to_string(),
        (judged, 0) => format!("{judged}, all as the run wrote them"),
        (judged, faults) => format!("{judged}, {faults} of them NOT as the run wrote them"),
    };
    files.left_out.iter().for_each(|why| text += &format!("; {why}"));
    text
}

/// What is wrong with the files of a run.
fn faulty(files: &FolderCheck, folder: &Path) -> String {
    const SHOWN: usize = 10;
    let mut text = format!("files of {} are not as the run wrote them [E256]", folder.display());
    for (place, fault) in files.faults.iter().take(SHOWN) {
        text += &format!("\n  {place} {}", fault.words());
    }
    if files.faults.len() > SHOWN {
        text += &format!("\n  and {} more", files.faults.len() - SHOWN);
    }
    text
}
