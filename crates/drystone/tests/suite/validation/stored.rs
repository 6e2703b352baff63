//! What a run has left in its folder.

use std::fs;
use std::path::Path;

use drystone::record::{Frame, RunFolder, frame_files};

/// All frames.
pub(super) fn frames(path: &Path) -> Vec<Frame> {
    let folder = RunFolder::open(path).unwrap().frames();
    frame_files::numbers(&folder).unwrap().into_iter().map(|n| frame_files::read(&folder, n).unwrap()).collect()
}

/// A column of the series, by its name without the unit.
pub(super) fn column(path: &Path, name: &str) -> Vec<f64> {
    let series = fs::read_to_string(path.join("series.csv")).unwrap();
    let mut lines = series.lines().filter(|line| !line.starts_with('#'));
    let head: Vec<&str> = lines.next().unwrap().split(',').map(|name| name.split(' ').next().unwrap()).collect();
    let at = head.iter().position(|other| *other == name).unwrap();
    lines.map(|row| row.split(',').nth(at).unwrap().parse().unwrap()).collect()
}
