//! Films: pictures one after the other, as GIF or by ffmpeg.

use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use drystone::record::Frame;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use resvg::tiny_skia::{Color, IntSize, Pixmap, PixmapPaint, Transform};

use crate::Failure;
use crate::picture::gif::Gif;
use crate::picture::limits::Limits;
use crate::picture::look::Look;
use crate::picture::pixels;

/// File, speed and size of a film.
#[derive(Clone, Copy)]
pub(crate) struct FilmShape<'p> {
    /// File to write to.
    pub(crate) out: &'p Path,
    /// Pictures a second.
    pub(crate) rate: f64,
    /// Width in pixels.
    pub(crate) width: u32,
}

/// The part of space and the scale of colours that all pictures of a film share.
#[derive(Default)]
pub(crate) struct Shared {
    /// Corners of the box around all grains [m].
    pub(crate) room: Option<[[f64; 3]; 2]>,
    ends: Option<[f64; 2]>,
}

impl Shared {
    /// Takes in one more frame.
    pub(crate) fn add(&mut self, frame: &Frame, look: &Look) {
        self.room = grow(self.room, frame, look);
        if let Some([low, high]) = look.ends(frame) {
            self.ends = Some(self.ends.map_or([low, high], |[l, h]| [low.min(l), high.max(h)]));
        }
    }

    /// The look of all pictures.
    pub(crate) fn look<'f>(&self, look: Look<'f>) -> Look<'f> {
        Look { room: self.room, range: self.ends.map(Limits::Numbers).or(look.range), ..look }
    }
}

/// Draws frames as a film.
pub(crate) fn film_of(frames: &[Frame], title: &str, look: &Look, shape: FilmShape) -> Result<(), Failure> {
    let mut shared = Shared::default();
    frames.iter().for_each(|frame| shared.add(frame, look));
    let look = shared.look(look.clone());
    let mut reel = Reel::new(shape);
    frames.iter().try_for_each(|frame| reel.push(frame, title, &look))?;
    reel.finish()
}

/// A film that is being made.
pub(crate) struct Reel<'p> {
    shape: FilmShape<'p>,
    /// The film and the size of its pictures, once there is a first one.
    film: Option<(Film, [u32; 2])>,
}

impl<'p> Reel<'p> {
    /// A film without pictures.
    pub(crate) fn new(shape: FilmShape<'p>) -> Reel<'p> {
        Reel { shape, film: None }
    }

    /// Adds the picture of a frame; the first one decides on the size.
    pub(crate) fn push(&mut self, frame: &Frame, title: &str, look: &Look) -> Result<(), Failure> {
        let picture = pixels(frame, title, look).map_err(Failure::Run)?;
        let (film, size) = match &mut self.film {
            Some(film) => film,
            None => {
                // even numbers of pixels, as films want them
                let height = f64::from(picture.height()) * f64::from(self.shape.width) / f64::from(picture.width());
                let size = [self.shape.width & !1, (height.round() as u32).max(2) & !1];
                self.film.insert((Film::start(&self.shape, size)?, size))
            }
        };
        film.push(&fitted(&picture, *size)?).map_err(|error| broken(self.shape.out, &error))
    }

    /// Writes what is left.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Some((film, _)) = self.film else { return Ok(()) };
        film.finish().map_err(|error| broken(self.shape.out, &error))
    }
}

/// Where the pictures of a film go.
enum Film {
    Gif(Gif<BufWriter<std::fs::File>>),
    Ffmpeg(Child),
}

impl Film {
    fn start(shape: &FilmShape, size: [u32; 2]) -> Result<Film, Failure> {
        let FilmShape { out, rate, .. } = *shape;
        if out.extension().is_some_and(|end| end == "gif") {
            let file = std::fs::File::create(out).map_err(|error| broken(out, &error))?;
            // 1/100 s is what a GIF can say
            let delay = (100.0 / rate).round().max(1.0) as u16;
            let gif = Gif::new(BufWriter::new(file), size.map(|n| n as u16), delay);
            return gif.map(Film::Gif).map_err(|error| broken(out, &error));
        }
        let child = Command::new("ffmpeg")
            .args(["-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args(["-s", &format!("{}x{}", size[0], size[1]), "-r", &rate.to_string(), "-i", "-"])
            .args(["-pix_fmt", "yuv420p"])
            .arg(out)
            .stdin(Stdio::piped())
            .spawn();
        child.map(Film::Ffmpeg).map_err(|error| Failure::Run(format!("cannot start ffmpeg: {error} [E103]")))
    }

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

/// A bar on the terminal, or nothing elsewhere; without a number of steps it only shows that something goes on.
pub(crate) fn progress(steps: Option<u64>, template: &str) -> ProgressBar {
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr_with_hz(10),
        false => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template(template);
    ProgressBar::with_draw_target(steps, target).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
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
