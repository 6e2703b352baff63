//! The verb movie: the frames of a run as a film.

use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use clap::Args;
use drystone::record::{Frame, frame_files};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use resvg::tiny_skia::{Color, IntSize, Pixmap, PixmapPaint, Transform};

use crate::Failure;
use crate::eye::{Eye, sees_something};
use crate::folder::{open, range, title};
use crate::picture::gif::Gif;
use crate::picture::limits::Limits;
use crate::picture::look::Look;
use crate::picture::pixels;
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

/// Where the pictures of a film go.
enum Film {
    Gif(Gif<BufWriter<std::fs::File>>),
    Ffmpeg(Child),
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
        let mut look = self.eye.look(&folder, since.as_ref())?;
        let bar = progress(2 * numbers.len() as u64);
        // one room and one scale of colours for all pictures
        let (mut room, mut ends): (Option<[[f64; 3]; 2]>, Option<[f64; 2]>) = (None, None);
        for number in &numbers {
            let frame = read(*number)?;
            room = grow(room, &frame, &look);
            if let Some([low, high]) = look.ends(&frame) {
                ends = Some(ends.map_or([low, high], |[l, h]| [low.min(l), high.max(h)]));
            }
            bar.inc(1);
        }
        if room.is_none() {
            sees_something(&look, &read(numbers[0])?)?;
        }
        (look.room, look.range) = (room, ends.map(Limits::Numbers).or(look.range));
        let title = title(&folder)?;
        let mut film: Option<(Film, [u32; 2])> = None;
        for number in &numbers {
            let picture = pixels(&read(*number)?, &title, &look).map_err(Failure::Run)?;
            let (film, size) = match &mut film {
                Some(film) => film,
                None => {
                    // even numbers of pixels, as films want them
                    let height = f64::from(picture.height()) * f64::from(self.width) / f64::from(picture.width());
                    let size = [self.width & !1, (height.round() as u32).max(2) & !1];
                    film.insert((self.start(&out, size)?, size))
                }
            };
            film.push(&fitted(&picture, *size)?).map_err(|error| broken(&out, &error))?;
            bar.inc(1);
        }
        if let Some((film, _)) = film {
            film.finish().map_err(|error| broken(&out, &error))?;
        }
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

    fn start(&self, out: &Path, size: [u32; 2]) -> Result<Film, Failure> {
        if out.extension().is_some_and(|end| end == "gif") {
            let file = std::fs::File::create(out).map_err(|error| broken(out, &error))?;
            // 1/100 s is what a GIF can say
            let delay = (100.0 / self.rate).round().max(1.0) as u16;
            let gif = Gif::new(BufWriter::new(file), size.map(|n| n as u16), delay);
            return gif.map(Film::Gif).map_err(|error| broken(out, &error));
        }
        let child = Command::new("ffmpeg")
            .args(["-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args(["-s", &format!("{}x{}", size[0], size[1]), "-r", &self.rate.to_string(), "-i", "-"])
            .args(["-pix_fmt", "yuv420p"])
            .arg(out)
            .stdin(Stdio::piped())
            .spawn();
        child.map(Film::Ffmpeg).map_err(|error| Failure::Run(format!("cannot start ffmpeg: {error} [E103]")))
    }
}

impl Film {
    fn push(&mut self, picture: &Pixmap) -> std::io::Result<()> {
        match self {
            Film::Gif(gif) => gif.push(picture),
            Film::Ffmpeg(child) => {
                let rgb: Vec<u8> = picture.data().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
                child.stdin.as_mut().map_or(Ok(()), |pipe| pipe.write_all(&rgb))
            }
        }
    }

    fn finish(self) -> std::io::Result<()> {
        match self {
            Film::Gif(gif) => gif.finish(),
            Film::Ffmpeg(mut child) => {
                drop(child.stdin.take());
                match child.wait()? {
                    status if status.success() => Ok(()),
                    status => Err(std::io::Error::other(format!("ffmpeg ended with {status}"))),
                }
            }
        }
    }
}

fn broken(out: &Path, error: &std::io::Error) -> Failure {
    Failure::Run(format!("cannot write {}: {error} [E103]", out.display()))
}

fn has_ffmpeg() -> bool {
    let mut version = Command::new("ffmpeg");
    version.arg("-version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

fn progress(steps: u64) -> ProgressBar {
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr_with_hz(10),
        false => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template("{bar:24} {percent:>3} % {eta} left");
    ProgressBar::with_draw_target(Some(steps), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The box around the grains of all frames so far.
fn grow(room: Option<[[f64; 3]; 2]>, frame: &Frame, look: &Look) -> Option<[[f64; 3]; 2]> {
    let grains = frame.grains.position.iter().zip(&frame.grains.radius);
    grains.filter(|(x, r)| look.shows_ball(**x, **r)).fold(room, |room, (x, r)| {
        let [low, high] = room.unwrap_or([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]]);
        Some([std::array::from_fn(|i| low[i].min(x[i] - r)), std::array::from_fn(|i| high[i].max(x[i] + r))])
    })
}

/// A picture at the size of the film, on paper if its shape differs.
fn fitted(picture: &Pixmap, size: [u32; 2]) -> Result<Pixmap, Failure> {
    let sheet = IntSize::from_wh(size[0], size[1]).and_then(|size| Pixmap::new(size.width(), size.height()));
    let mut sheet = sheet.ok_or_else(|| Failure::Run("the film has no size".into()))?;
    sheet.fill(Color::WHITE);
    let scale = size[0] as f32 / picture.width() as f32;
    let paint = PixmapPaint { quality: resvg::tiny_skia::FilterQuality::Bicubic, ..PixmapPaint::default() };
    sheet.draw_pixmap(0, 0, picture.as_ref(), &paint, Transform::from_scale(scale, scale), None);
    Ok(sheet)
}
