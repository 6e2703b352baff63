//! The verb picture, and how frames are looked at.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use drystone::input::nearest;
use drystone::record::{Frame, RunFolder};
use drystone::scenario::AnyScenario;

use crate::Failure;
use crate::folder::{Which, frame, open, title};
use crate::measure::{axis, length, region};
use crate::picture::camera::Camera;
use crate::picture::limits::Limits;
use crate::picture::look::{By, Cut, Look};
use crate::picture::palette::Map;
use crate::picture::paper;
use crate::picture::scene::Scene;
use crate::picture::{Format, draw};

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
    /// Title; "" for neither title nor time and counts [default: that of the run].
    #[arg(long)]
    title: Option<String>,
    /// Width on paper, as in 86mm or 17cm; letters stay 8 points high [default: as the scene suggests].
    #[arg(long, value_parser = paper::width)]
    width: Option<f64>,
    /// Pixels of a PNG to the inch [default: 180].
    #[arg(long, value_parser = paper::dpi)]
    dpi: Option<f64>,
    #[command(flatten)]
    eye: Eye,
}

/// A scale that a few grains make so many times longer shows little of the others.
const STRETCHED: f64 = 4.0;

/// How frames are looked at.
#[derive(Args)]
pub(crate) struct Eye {
    /// Quantity that colours the grains [default: the material; in 3D the height if there is one material].
    #[arg(long, value_name = "WHAT")]
    colour: Option<By>,
    /// Ends of the scale of colours in SI units, `0..2.5`, or percentiles of the grains, `1%..99%` [default: all values
    /// of the frame, or of the film].
    #[arg(long, value_name = "LOW..HIGH", allow_hyphen_values = true)]
    range: Option<Limits>,
    /// Map of colours [default: cividis; for numbers of both signs blue-red, with zero in its middle].
    #[arg(long, value_enum)]
    map: Option<Map>,
    /// Reference frame of displacements.
    #[arg(long, value_name = "FRAME", default_value = "first")]
    since: Which,
    /// Wall that displacements and velocities are relative to, by its name.
    #[arg(long, value_name = "WALL")]
    relative_to: Option<String>,
    /// Part of space that fills the picture: `x=0..0.1,y="5 mm".."2 cm"`; an end that is left out is where the grains
    /// end.
    #[arg(long, allow_hyphen_values = true)]
    region: Option<String>,
    /// Draw force chains: lines in 2D, tubes in place of grains in 3D. In 2D they are drawn unless the colours
    /// show a quantity.
    #[arg(long, overrides_with = "no_chains")]
    chains: bool,
    /// Draw no force chains.
    #[arg(long)]
    no_chains: bool,
    /// Show grains on one side of a plane only, as in `y<0.05` or `x>"2 cm"`; may be given several times.
    #[arg(long)]
    clip: Vec<String>,
    /// Direction of the camera in 3D: azimuth from x towards y and elevation, in degrees.
    #[arg(long, value_name = "AZIMUTH,ELEVATION", default_value = "-60,20", allow_hyphen_values = true)]
    camera: String,
}

impl Eye {
    /// The frame that displacements count from, if they are coloured.
    pub(crate) fn since(&self, folder: &RunFolder) -> Result<Option<Frame>, Failure> {
        let counts = self.colour.is_some_and(By::is_displacement);
        counts.then(|| frame(folder, self.since).map(|(_, frame)| frame)).transpose()
    }

    /// How frames of a run are looked at.
    pub(crate) fn look<'f>(&self, folder: &RunFolder, since: Option<&'f Frame>) -> Result<Look<'f>, Failure> {
        let eye = self.camera.split_once(',').and_then(|(a, e)| Some((a.trim().parse().ok()?, e.trim().parse().ok()?)));
        let Some((azimuth, elevation)) = eye else {
            return Err(Failure::Usage(format!("`{}`: a camera is written like -60,20", self.camera)));
        };
        let scenario = AnyScenario::read(&folder.scenario(), &[])?;
        let dimension = if matches!(scenario, AnyScenario::Plane(_)) { 2 } else { 3 };
        if let Some(by) = self.colour.filter(|by| by.axis().is_some_and(|axis| axis >= dimension)) {
            let name = by.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default();
            return Err(Failure::Usage(format!("a run in the plane has no `{name}`: its axes are x and y")));
        }
        let scene = Scene::of(&scenario, folder.path());
        Ok(Look {
            by: self.colour,
            range: self.range,
            map: self.map,
            forces: if self.chains { Some(true) } else { self.no_chains.then_some(false) },
            relative_to: self.relative_to(&scene)?,
            scene,
            since,
            cuts: self.clip.iter().map(|text| cut(text, dimension)).collect::<Result<_, Failure>>()?,
            region: self.region.as_deref().map(|text| region(text, dimension)).transpose()?,
            camera: Camera { azimuth, elevation },
            ..Look::default()
        })
    }

    /// Number of the wall that colours are relative to.
    fn relative_to(&self, scene: &Scene) -> Result<Option<usize>, Failure> {
        let Some(name) = &self.relative_to else { return Ok(None) };
        if !self.colour.is_some_and(|by| by.is_velocity() || by.is_displacement()) {
            let message = "--relative-to goes with --colour speed, velocity_x .. or displacement, displacement_x ..";
            return Err(Failure::Usage(message.into()));
        }
        let found = scene.walls.iter().position(|wall| wall == name);
        found.map(Some).ok_or_else(|| {
            let meant = match nearest(name, scene.walls.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if scene.walls.is_empty() => "the run has no walls".to_string(),
                None => format!("walls: {}", scene.walls.join(", ")),
            };
            Failure::Usage(format!("there is no wall `{name}`; {meant}"))
        })
    }
}

/// Refuses to draw a frame of which no grain is to be seen although there are some.
pub(crate) fn sees_something(look: &Look, frame: &Frame) -> Result<(), Failure> {
    let mut grains = frame.grains.position.iter().zip(&frame.grains.radius).peekable();
    if grains.peek().is_none() || grains.any(|(centre, radius)| look.shows_ball(*centre, *radius)) {
        return Ok(());
    }
    let ends = frame.grains.position.iter().fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[low, high], x| {
        [std::array::from_fn(|i| low[i].min(x[i])), std::array::from_fn(|i| high[i].max(x[i]))]
    });
    let axes = ["x", "y", "z"].into_iter().enumerate().take(frame.dimension);
    let reach: Vec<String> = axes.map(|(i, axis)| format!("{axis}={:.4}..{:.4}", ends[0][i], ends[1][i])).collect();
    Err(Failure::Usage(format!("no grain is in what --region and --clip leave; grains are in {}", reach.join(","))))
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
        let format = Format::of(&self.out)?;
        let folder = open(&self.folder)?;
        let (_, frame) = frame(&folder, self.frame)?;
        let since = self.eye.since(&folder)?;
        let look = Look { width: self.width, dpi: self.dpi, ..self.eye.look(&folder, since.as_ref())? };
        sees_something(&look, &frame)?;
        if let Some(times) = look.stretch(&frame).filter(|times| *times > STRETCHED) {
            eprintln!(
                "note: one grain in a hundred makes the scale of colours {times:.0} times longer: --range 1%..99% leaves it out"
            );
        }
        let title = self.title.map_or_else(|| title(&folder), Ok)?;
        let picture = draw(&frame, &title, format, &look).map_err(Failure::Usage)?;
        std::fs::write(&self.out, picture)
            .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", self.out.display())))
    }
}
