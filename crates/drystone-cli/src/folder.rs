//! Verbs that look at a run folder: info and picture.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use drystone::record::intact::{FolderCheck, verify};
use drystone::record::{Frame, RunFolder, frame_files};
use drystone::scenario::AnyScenario;

use crate::Failure;
use crate::measure::{axis, length};
use crate::picture::camera::Camera;
use crate::picture::look::{By, Cut, Look};
use crate::picture::{Format, draw};
use crate::progress::clock;
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

/// Draw a frame: grains, walls and force lines in 2D, shaded grains in 3D.
#[derive(Args)]
pub(crate) struct Picture {
    /// Folder of the run.
    folder: PathBuf,
    /// Number of the frame, `first` or `last`.
    #[arg(long, default_value = "last")]
    frame: Which,
    /// File to draw to: .svg (2D) or .png.
    #[arg(short, long)]
    out: PathBuf,
    #[command(flatten)]
    eye: Eye,
}

/// How frames are looked at.
#[derive(Args)]
pub(crate) struct Eye {
    /// Quantity that colours the grains [default: the material; in 3D the height if there is one material].
    #[arg(long, alias = "color", value_name = "WHAT")]
    colour: Option<By>,
    /// Ends of the colour scale in SI units, `0..2.5` [default: those of the frame, or of the film].
    #[arg(long, value_name = "LOW..HIGH", allow_hyphen_values = true)]
    range: Option<String>,
    /// Frame that displacements count from.
    #[arg(long, value_name = "FRAME", default_value = "first")]
    since: Which,
    /// Draw force chains: lines in 2D, tubes in place of grains in 3D. In 2D they are drawn unless the colours show a
    /// quantity.
    #[arg(long, overrides_with = "no_chains")]
    chains: bool,
    /// Draw no force chains.
    #[arg(long)]
    no_chains: bool,
    /// Show grains on one side of a plane only, as in `y<0.05` or `x>"2 cm"`; may be given several times.
    #[arg(long)]
    clip: Vec<String>,
    /// Where the eye stands in 3D: azimuth from x towards y and elevation, in degrees.
    #[arg(long, value_name = "AZIMUTH,ELEVATION", default_value = "-60,20", allow_hyphen_values = true)]
    camera: String,
}

impl Eye {
    /// The frame that displacements count from, if they are coloured.
    pub(crate) fn since(&self, folder: &RunFolder) -> Result<Option<Frame>, Failure> {
        let counts = self.colour == Some(By::Displacement);
        counts.then(|| frame(folder, self.since).map(|(_, frame)| frame)).transpose()
    }

    /// How frames of a run are looked at.
    pub(crate) fn look<'f>(&self, folder: &RunFolder, since: Option<&'f Frame>) -> Result<Look<'f>, Failure> {
        let range = self.range.as_deref().map(|text| {
            let ends = text.split_once("..").and_then(|(low, high)| Some([low.parse().ok()?, high.parse().ok()?]));
            let rises = |[low, high]: &[f64; 2]| low < high;
            ends.filter(rises).ok_or_else(|| Failure::Usage(format!("`{text}`: a range is written like 0..2.5")))
        });
        let eye = self.camera.split_once(',').and_then(|(a, e)| Some((a.trim().parse().ok()?, e.trim().parse().ok()?)));
        let Some((azimuth, elevation)) = eye else {
            return Err(Failure::Usage(format!("`{}`: a camera is written like -60,20", self.camera)));
        };
        let scenario = AnyScenario::read(&folder.scenario(), &[])?;
        let dimension = if matches!(scenario, AnyScenario::Plane(_)) { 2 } else { 3 };
        Ok(Look {
            by: self.colour,
            range: range.transpose()?,
            forces: if self.chains { Some(true) } else { self.no_chains.then_some(false) },
            depth: scenario.setting().depth,
            since,
            cuts: self.clip.iter().map(|text| cut(text, dimension)).collect::<Result<_, Failure>>()?,
            camera: Camera { azimuth, elevation },
            room: None,
        })
    }
}

/// `y<0.05`
fn cut(text: &str, dimension: usize) -> Result<Cut, Failure> {
    let side = |sign: char| text.split_once(sign).map(|(name, at)| (name, at, sign == '<'));
    let Some((name, at, below)) = side('<').or_else(|| side('>')) else {
        return Err(Failure::Usage(format!("`{text}`: a clip is written like y<0.05 or x>\"2 cm\"")));
    };
    Ok(Cut { axis: axis(name, dimension)?, at: length(at)?, below })
}

impl Picture {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let format = match self.out.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => Format::Svg,
            Some("png") => Format::Png,
            _ => return Err(Failure::Usage(format!("{}: pictures end in .svg or .png", self.out.display()))),
        };
        let folder = open(&self.folder)?;
        let (_, frame) = frame(&folder, self.frame)?;
        let since = self.eye.since(&folder)?;
        let look = self.eye.look(&folder, since.as_ref())?;
        let picture = draw(&frame, &title(&folder)?, format, &look).map_err(Failure::Usage)?;
        std::fs::write(&self.out, picture)
            .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", self.out.display())))
    }
}
