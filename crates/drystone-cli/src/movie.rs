//! The verb movie: the frames of a run as a film.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;
use drystone::record::frame_files;

use crate::Failure;
use crate::eye::{Eye, sees_something};
use crate::film::{FilmShape, Reel, Shared, progress};
use crate::folder::{open, range, title};
use crate::scenario::print;

/// Draw the frames of a run as a film: MP4 or WebM by ffmpeg if it is there, else GIF.
#[derive(Args)]
pub(crate) struct Movie {
    /// Folder of the run.
    folder: PathBuf,
    /// File to write to: .gif, or .mp4 and whatever else ffmpeg makes.
    #[arg(short, long)]
    out: PathBuf,
    /// Frames: `3..9`, `3..`, or `all`.
    #[arg(long, default_value = "all")]
    frames: String,
    /// Pictures a second.
    #[arg(long, default_value_t = 20.0)]
    rate: f64,
    /// Width of the film in pixels.
    #[arg(long, default_value_t = 800)]
    width: u32,
    /// Replace a file that exists.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    eye: Eye,
}

impl Movie {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let folder = open(&self.folder)?;
        let numbers = range(&folder, &self.frames)?;
        let is_sane = self.rate > 0.0 && self.rate <= 100.0 && (16..=7680).contains(&self.width);
        if !is_sane {
            return Err(Failure::Usage("--rate is above 0 and at most 100, --width from 16 to 7680".into()));
        }
        let out = self.target()?;
        if out.exists() && !self.force {
            return Err(Failure::Usage(format!("{} exists already: replace it with --force [E105]", out.display())));
        }
        let read = |number: usize| {
            frame_files::read(&folder.frames(), number).map_err(|error| Failure::Run(format!("{error} [E103]")))
        };
        let since = self.eye.since(&folder)?;
        let look = self.eye.look(&folder, since.as_ref())?;
        let bar = progress(Some(2 * numbers.len() as u64), "{bar:24} {percent:>3} % {eta} left");
        // one room and one scale of colours for all pictures
        let mut shared = Shared::default();
        for number in &numbers {
            shared.add(&read(*number)?, &look);
            bar.inc(1);
        }
        if shared.room.is_none() {
            sees_something(&look, &read(numbers[0])?)?;
        }
        let (look, title) = (shared.look(look), title(&folder)?);
        let mut reel = Reel::new(FilmShape { out: &out, rate: self.rate, width: self.width });
        for number in &numbers {
            reel.push(&read(*number)?, &title, &look)?;
            bar.inc(1);
        }
        reel.finish()?;
        bar.finish_and_clear();
        print(&format!("{} pictures in {}\n", numbers.len(), out.display()))
    }

    /// The file that is written: a GIF instead of what only ffmpeg could make.
    fn target(&self) -> Result<PathBuf, Failure> {
        match self.out.extension().and_then(|end| end.to_str()) {
            Some("gif") => Ok(self.out.clone()),
            Some(_) if has_ffmpeg() => Ok(self.out.clone()),
            Some(end) => {
                eprintln!("note: there is no ffmpeg to make a .{end}: the film is a GIF");
                Ok(self.out.with_extension("gif"))
            }
            None => Err(Failure::Usage(format!("{}: films end in .gif, .mp4 or .webm", self.out.display()))),
        }
    }
}

fn has_ffmpeg() -> bool {
    let mut version = Command::new("ffmpeg");
    version.arg("-version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}
