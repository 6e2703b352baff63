//! Verbs that look at a run folder: info and picture.

use std::path::{Path, PathBuf};

use clap::Args;
use drystone::record::{Frame, RunFolder, frame_files};
use drystone::scenario::AnyScenario;

use crate::Failure;
use crate::picture::{Format, draw};
use crate::progress::clock;
use crate::scenario::{print, table};

/// Opens a run folder.
pub fn open(path: &Path) -> Result<RunFolder, Failure> {
    RunFolder::open(path).map_err(|error| Failure::Usage(format!("{error} [E102]")))
}

/// The frame with this number, or the last one.
pub fn frame(folder: &RunFolder, number: Option<usize>) -> Result<(usize, Frame), Failure> {
    let numbers = frame_files::numbers(&folder.frames()).map_err(|error| Failure::Run(format!("{error} [E103]")))?;
    let Some(last) = numbers.last() else {
        return Err(Failure::Usage(format!("{} has no frames", folder.path().display())));
    };
    let number = number.unwrap_or(*last);
    if !numbers.contains(&number) {
        return Err(Failure::Usage(format!("there is no frame {number}; frames go from {} to {last}", numbers[0])));
    }
    let frame = frame_files::read(&folder.frames(), number).map_err(|error| Failure::Run(format!("{error} [E103]")))?;
    Ok((number, frame))
}

/// Title of the scenario of a run.
pub fn title(folder: &RunFolder) -> Result<String, Failure> {
    Ok(AnyScenario::read(&folder.scenario(), &[])?.title().to_string())
}

/// Say what a run folder holds.
#[derive(Args)]
pub struct Info {
    /// Folder of the run.
    folder: PathBuf,
}

impl Info {
    pub fn execute(self) -> Result<(), Failure> {
        let folder = open(&self.folder)?;
        let numbers =
            frame_files::numbers(&folder.frames()).map_err(|error| Failure::Run(format!("{error} [E103]")))?;
        let mut rows = vec![("title", title(&folder)?)];
        let report: Option<serde_json::Value> =
            std::fs::read(folder.report()).ok().and_then(|text| serde_json::from_slice(&text).ok());
        match &report {
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
        print(&table(rows.iter().map(|(name, value)| (*name, value.as_str()))))
    }
}

/// Draw a frame: grains, walls and force lines in 2D, shaded grains in 3D.
#[derive(Args)]
pub struct Picture {
    /// Folder of the run.
    folder: PathBuf,
    /// Number of the frame [default: the last one].
    #[arg(long)]
    frame: Option<usize>,
    /// File to draw to: .svg (2D) or .png.
    #[arg(short, long)]
    out: PathBuf,
}

impl Picture {
    pub fn execute(self) -> Result<(), Failure> {
        let format = match self.out.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => Format::Svg,
            Some("png") => Format::Png,
            _ => return Err(Failure::Usage(format!("{}: pictures end in .svg or .png", self.out.display()))),
        };
        let folder = open(&self.folder)?;
        let (_, frame) = frame(&folder, self.frame)?;
        let picture = draw(&frame, &title(&folder)?, format).map_err(Failure::Usage)?;
        std::fs::write(&self.out, picture)
            .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", self.out.display())))
    }
}
