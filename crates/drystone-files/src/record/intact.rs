//! Whether the files of a run are those that it wrote: every one against the digest in `report.json`, or, of a run that
//! is not over, in its checkpoint.

use std::io;

use rayon::prelude::*;
use serde_json::Value as Json;

use super::digest::Digest;
use super::files::Files;
use super::{RunFolder, account, frame_files, seal};

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not there.
    Missing,
    /// It is not what the run wrote.
    Altered,
    /// It is among the frames, but the run did not write it.
    Foreign,
    /// It cannot be read.
    Unreadable,
}

impl Fault {
    /// The fault in words.
    pub fn words(self) -> &'static str {
        match self {
            Fault::Missing => "is missing",
            Fault::Altered => "was altered",
            Fault::Foreign => "was not written by the run",
            Fault::Unreadable => "cannot be read",
        }
    }
}

/// The result of a check of all files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FolderCheck {
    /// Files that were compared.
    pub judged: usize,
    /// Files that are not as they should be.
    pub faults: Vec<(String, Fault)>,
    /// What could not be judged, and why.
    pub left_out: Vec<String>,
    /// The seal of the report: one number that stands for the whole folder.
    pub seal: Option<String>,
}

impl FolderCheck {
    fn fault(&mut self, place: &str, fault: Fault) {
        self.faults.push((place.to_string(), fault));
    }
}

/// Compares all files of a run with what it wrote. Other files in the folder do not count, unless they have the names
/// of frames.
pub fn verify(folder: &RunFolder) -> FolderCheck {
    match std::fs::read_to_string(folder.report()) {
        Ok(text) => of_report(folder, &text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => of_checkpoint(folder),
        Err(_) => {
            let mut verdict = FolderCheck { judged: 1, ..FolderCheck::default() };
            verdict.fault(REPORT, Fault::Unreadable);
            verdict
        }
    }
}

const REPORT: &str = "report.json";
const CHECKPOINT: &str = "checkpoint.npz";

/// A run that is over or was stopped.
fn of_report(folder: &RunFolder, text: &str) -> FolderCheck {
    let mut verdict = FolderCheck { judged: 1, ..FolderCheck::default() };
    let Ok(Json::Object(report)) = serde_json::from_str(text) else {
        verdict.fault(REPORT, Fault::Altered);
        return verdict;
    };
    let files = report.get("files").and_then(Json::as_object).and_then(Files::from_json);
    let is_whole = seal::is_whole_report(text, &report);
    let (Some(files), Some(is_whole)) = (files, is_whole) else {
        match account::keeps_digests(&folder.checkpoint()) {
            Ok(false) => {
                verdict.judged = 0;
                verdict.left_out.push("the run is of a version that kept no digests of its files".into());
            }
            Ok(true) => verdict.fault(REPORT, Fault::Altered),
            Err(error) if error.kind() == io::ErrorKind::NotFound => verdict.fault(CHECKPOINT, Fault::Missing),
            Err(_) => verdict.fault(CHECKPOINT, Fault::Unreadable),
        }
        return verdict;
    };
    if !is_whole {
        verdict.fault(REPORT, Fault::Altered);
    }
    verdict.seal = report.get(seal::KEY).and_then(Json::as_str).filter(|_| is_whole).map(String::from);
    compare(folder, &files, |_| None, &mut verdict);
    find_foreign(folder, &files, &mut verdict);
    verdict
}

/// A run that is going on or was killed: its checkpoint records what was written by then.
fn of_checkpoint(folder: &RunFolder) -> FolderCheck {
    let mut verdict = FolderCheck::default();
    if !folder.checkpoint().exists() {
        verdict.left_out.push("the run has neither a report nor a checkpoint".into());
        return verdict;
    }
    let known = match account::account(&folder.checkpoint()) {
        Ok(known) => known,
        Err(_) => {
            match account::keeps_digests(&folder.checkpoint()) {
                Ok(false) => verdict.left_out.push("the run is of a version that kept no digests of its files".into()),
                _ => {
                    verdict.judged = 1;
                    verdict.fault(CHECKPOINT, Fault::Altered);
                }
            }
            return verdict;
        }
    };
    verdict.judged = 1;
    if known.finished && !folder.is_running() {
        verdict.fault(REPORT, Fault::Missing);
    }
    let length = |place: &str| match place {
        "series.csv" => Some(known.lengths[0]),
        "events.csv" => Some(known.lengths[1]),
        _ => None,
    };
    let mut files = Files::default();
    // the list of frames is written again with every frame
    known.files.iter().filter(|(place, _)| *place != "frames.pvd").for_each(|(place, own)| files.note(place, own));
    compare(folder, &files, length, &mut verdict);
    verdict.left_out.push("the run is not over: nothing is known of what it wrote after its last checkpoint".into());
    verdict
}

/// Compares files, or their first bytes as far as `length` says, with their digests.
fn compare(folder: &RunFolder, files: &Files, length: impl Fn(&str) -> Option<u64> + Sync, verdict: &mut FolderCheck) {
    let files: Vec<(&str, Digest)> = files.iter().collect();
    let fault = |(place, own): &(&str, Digest)| {
        let fault = match Digest::of_file(&folder.path().join(place), length(place)) {
            Ok(found) if found == *own => return None,
            Ok(_) => Fault::Altered,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Fault::Missing,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Fault::Altered,
            Err(_) => Fault::Unreadable,
        };
        Some((place.to_string(), fault))
    };
    verdict.judged += files.len();
    verdict.faults.extend(files.par_iter().filter_map(fault).collect::<Vec<_>>());
}

/// Frames and states of stages that are there and that the run does not know.
fn find_foreign(folder: &RunFolder, files: &Files, verdict: &mut FolderCheck) {
    let frames = frame_files::names(&folder.frames()).unwrap_or_default();
    let frames = frames.into_iter().map(|(name, _)| format!("frames/{name}"));
    let stages = (0..).map(|stage| format!("stages/{stage}.npz"));
    let stages = stages.take_while(|place| folder.path().join(place).exists());
    for place in frames.chain(stages).filter(|place| files.get(place).is_none()) {
        verdict.judged += 1;
        verdict.fault(&place, Fault::Foreign);
    }
}
