//! The verb forces: how far the contact forces of a frame are determined.

mod findings;
mod over_frames;
mod spread;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use drystone::measure::frame::{FrameView, MeasureOptions, Nothing};
use drystone::method::cd::Accuracy;
use drystone::record::RunFolder;
use drystone::record::aside::write_aside;
use drystone::scenario::AnyScenario;
use drystone_statics::admissible::Unsolved;
use drystone_statics::spread::normal_deviations;
use drystone_statics::{AdmissibleForces, Balance, Interval, Motion, NullSpace};

use crate::Failure;
use crate::folder::{Which, frame, open, title};
use crate::picture::Format;
use crate::picture::scene::Scene;
use crate::scenario::print;
use crate::solve::accuracy;
use findings::Findings;
use spread::{Solves, distribution};

/// Number of contacts up to which every one gets its interval without being asked for: some seconds.
const FEW: usize = 400;

/// How far the contact forces of a frame are determined: degree of indeterminacy, and the lowest and highest force that
/// every contact can carry with the same motion.
#[derive(Args)]
pub(crate) struct Forces {
    /// Folder of the run.
    folder: PathBuf,
    /// Number of the frame, `first` or `last`.
    #[arg(long, default_value = "last")]
    frame: Which,
    /// A table over frames instead: 3..9, 3.., ..9 or all.
    #[arg(long, conflicts_with_all = ["frame", "picture", "samples", "pdf"])]
    frames: Option<String>,
    /// Forces of grains at rest: contacts that slide may mobilise any part of their friction.
    #[arg(long)]
    at_rest: bool,
    /// Intervals of all contacts, however many there are [default: up to 400 contacts].
    #[arg(long)]
    intervals: bool,
    /// Number of random admissible sets of forces; the table then has their standard deviation.
    #[arg(long, default_value_t = 0)]
    samples: u64,
    /// How often the step of the frame is solved again, each time from random forces and in a random order of the
    /// contacts.
    #[arg(long, default_value_t = 0)]
    solves: u64,
    /// Residual eps_nat of these solves: a number, or preview, flow, standard, forces, reference.
    #[arg(long, default_value = "1e-8", value_parser = accuracy, requires = "solves")]
    accuracy: Accuracy,
    /// Distribution of the spread of these solves to write, as .csv.
    #[arg(long, value_name = "FILE", requires = "solves")]
    pdf: Option<PathBuf>,
    /// Picture of the intervals of a 2D frame to draw: .svg or .png.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Table of contacts to write, as .csv.
    #[arg(short, long)]
    out: Option<PathBuf>,
    /// Replace a file that exists.
    #[arg(long)]
    force: bool,
}

impl Forces {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let format = self.picture.as_deref().map(Format::of).transpose()?;
        if let Some(out) =
            [&self.out, &self.picture, &self.pdf].into_iter().flatten().find(|out| out.exists() && !self.force)
        {
            return Err(Failure::Usage(format!("{} exists already: replace it with --force [E105]", out.display())));
        }
        if self.solves == 1 {
            return Err(Failure::Usage("one solve has no spread: --solves takes 2 or more [E107]".into()));
        }
        let folder = open(&self.folder)?;
        let scenario = AnyScenario::read(&folder.scenario(), &[])?;
        match &self.frames {
            Some(frames) => self.over_frames(&folder, &scenario, frames),
            None => self.of_frame(&folder, &scenario, format),
        }
    }

    fn settings(&self) -> Solves {
        Solves { count: self.solves, accuracy: self.accuracy }
    }

    fn motion(&self) -> Motion {
        if self.at_rest { Motion::AtRest } else { Motion::Same }
    }

    fn of_frame(&self, folder: &RunFolder, scenario: &AnyScenario, format: Option<Format>) -> Result<(), Failure> {
        let setting = scenario.setting();
        let (number, frame) = frame(folder, self.frame)?;
        let options = MeasureOptions::default();
        let view = FrameView::whole(&frame, &setting, &options);
        let unfit = |nothing: Nothing| Failure::Usage(format!("frame {number}: {nothing} [E107]"));
        let balance = Balance::of(&view, self.motion()).map_err(unfit)?;
        let space = NullSpace::of(&balance);
        let set = AdmissibleForces::of(&balance);
        let count = balance.contacts.len();
        if frame.dimension == 3 && format.is_some() {
            return Err(Failure::Usage("intervals are drawn of 2D frames; -o writes them as a table [E107]".into()));
        }
        let intervals = match self.intervals || count <= FEW || format.is_some() {
            true => Some(intervals(&set, &balance, space.as_ref())),
            false => None,
        };
        let members = (0..self.samples).map(|seed| set.draw(seed)).collect::<Result<Vec<_>, _>>().map_err(unsolved)?;
        let firsts: Vec<usize> = balance.contacts.iter().map(|contact| contact.first).collect();
        let samples = (!members.is_empty()).then(|| normal_deviations(&firsts, &members));
        let ensemble = match self.solves {
            0 => None,
            _ => Some(self.settings().ensemble(&view, &balance, space.as_ref()).map_err(unfit)?),
        };
        let findings = Findings { frame: &frame, number, balance: &balance, space, intervals, samples, ensemble };
        print(&findings.summary(&set, &setting)?)?;
        if let (Some(path), Some(ensemble)) = (&self.pdf, &findings.ensemble) {
            write(path, &distribution(ensemble).map_err(Failure::Usage)?)?;
        }
        if let (Some(path), Some(format)) = (&self.picture, format) {
            let drawn = findings.picture(&title(folder)?, format, Scene::of(scenario, folder.path()))?;
            std::fs::write(path, drawn)
                .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", path.display())))?;
        }
        self.out.as_ref().map_or(Ok(()), |out| write(out, &findings.table()))
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    write_aside(path, |file| io::Write::write_all(file, text.as_bytes()))
        .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", path.display())))
}

/// Intervals of all contacts; NaN where the programme was not solved. A force that balance determines has one value,
/// and no programme is solved for it.
fn intervals(set: &AdmissibleForces, balance: &Balance, space: Option<&NullSpace>) -> Vec<Interval> {
    let is_open = |k: &usize| space.is_none_or(|space| !space.determines(*k));
    let open: Vec<usize> = (0..balance.contacts.len()).filter(is_open).collect();
    let forces = balance.contacts.iter().map(|contact| contact.normal_force * balance.unit);
    let mut intervals: Vec<Interval> = forces.map(|force| Interval { low: force, high: force }).collect();
    for (k, interval) in open.iter().zip(set.intervals(&open)) {
        intervals[*k] = interval.unwrap_or(Interval { low: f64::NAN, high: f64::NAN });
    }
    intervals
}

fn unsolved(_: Unsolved) -> Failure {
    Failure::Run(
        "a cone programme was not solved to its accuracy: the forces of the frame are too far from balance".into(),
    )
}
