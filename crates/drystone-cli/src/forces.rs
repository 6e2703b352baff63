//! The verb forces: how far the contact forces of a frame are determined.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use clap::Args;
use drystone::measure::frame::{FrameView, MeasureOptions, Setting};
use drystone::record::Frame;
use drystone::record::aside::write_aside;
use drystone::scenario::AnyScenario;
use drystone_statics::admissible::Unsolved;
use drystone_statics::null_space::MOST;
use drystone_statics::{AdmissibleForces, Balance, Interval, Motion, NullSpace};

use crate::Failure;
use crate::folder::{Which, frame, open, title};
use crate::picture::look::Look;
use crate::picture::scene::Scene;
use crate::picture::{Format, draw};
use crate::scenario::{print, table};

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
    /// Forces of grains at rest: contacts that slide may mobilise any part of their friction.
    #[arg(long)]
    at_rest: bool,
    /// Intervals of all contacts, however many there are [default: up to 400 contacts].
    #[arg(long)]
    intervals: bool,
    /// Number of random admissible sets of forces; the table then has their standard deviation.
    #[arg(long, default_value_t = 0)]
    samples: u64,
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
        if let Some(out) = [&self.out, &self.picture].into_iter().flatten().find(|out| out.exists() && !self.force) {
            return Err(Failure::Usage(format!("{} exists already: replace it with --force [E105]", out.display())));
        }
        let folder = open(&self.folder)?;
        let scenario = AnyScenario::read(&folder.scenario(), &[])?;
        let setting = scenario.setting();
        let (number, frame) = frame(&folder, self.frame)?;
        let options = MeasureOptions::default();
        let motion = if self.at_rest { Motion::AtRest } else { Motion::Same };
        let balance = Balance::of(&FrameView::whole(&frame, &setting, &options), motion)
            .map_err(|nothing| Failure::Usage(format!("frame {number}: {nothing} [E107]")))?;
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
        let spread = (!members.is_empty()).then(|| Spread::of(&balance, &members));
        let findings = Findings { frame: &frame, number, balance: &balance, space, intervals, spread };
        print(&findings.summary(&set, &setting)?)?;
        if let (Some(path), Some(format)) = (&self.picture, format) {
            let drawn = findings.picture(&title(&folder)?, format, Scene::of(&scenario, folder.path()))?;
            std::fs::write(path, drawn)
                .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", path.display())))?;
        }
        let Some(out) = &self.out else { return Ok(()) };
        write_aside(out, |file| io::Write::write_all(file, findings.table().as_bytes()))
            .map_err(|error| Failure::Run(format!("cannot write {}: {error} [E103]", out.display())))
    }
}

/// Intervals of all contacts; NaN where the programme was not solved. A force that balance determines has one value, and
/// no programme is solved for it.
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

/// How much the normal forces of some members differ: standard deviation of each [N].
struct Spread(Vec<f64>);

impl Spread {
    fn of(balance: &Balance, members: &[Vec<f64>]) -> Spread {
        let deviation = |first: usize| {
            let values = members.iter().map(|member| member[first] * balance.unit);
            let mean = values.clone().sum::<f64>() / members.len() as f64;
            (values.map(|value| (value - mean).powi(2)).sum::<f64>() / members.len() as f64).sqrt()
        };
        Spread(balance.contacts.iter().map(|contact| deviation(contact.first)).collect())
    }
}

/// What was found of a frame.
struct Findings<'f> {
    frame: &'f Frame,
    number: usize,
    balance: &'f Balance,
    space: Option<NullSpace>,
    intervals: Option<Vec<Interval>>,
    spread: Option<Spread>,
}

impl Findings<'_> {
    fn summary(&self, set: &AdmissibleForces, setting: &Setting) -> Result<String, Failure> {
        let (contacts, unit) = (self.balance.contacts.len(), self.balance.unit);
        let mut rows = vec![
            ("frame".to_string(), format!("{} at {:.6} s", self.number, self.frame.time)),
            (
                "contacts".into(),
                format!("{contacts} press: {} components, {} equations", self.balance.columns.len(), self.balance.rows),
            ),
        ];
        match &self.space {
            None => {
                let least = self.balance.columns.len().saturating_sub(self.balance.rows);
                rows.push(("indeterminacy".into(), format!("at least {least}: not counted above {MOST} components")));
            }
            Some(space) => {
                let part = space.degree as f64 / contacts as f64;
                rows.push((
                    "indeterminacy".into(),
                    format!("{} independent self-stresses, {part:.3} a contact", space.degree),
                ));
                if space.motions > 0 {
                    rows.push(("mechanisms".into(), format!("{} motions that no contact resists", space.motions)));
                }
                let determined = (0..contacts).filter(|k| space.determines(*k)).count();
                rows.push(("determined".into(), format!("{determined} of {contacts} contacts, by balance alone")));
                let clusters = space.clusters(self.balance);
                let sizes: Vec<String> = clusters.iter().take(5).map(|cluster| cluster.len().to_string()).collect();
                let more = if clusters.len() > 5 { ", ..." } else { "" };
                if !clusters.is_empty() {
                    let text = format!("{}: of {}{more} contacts", clusters.len(), sizes.join(", "));
                    rows.push(("over-determined".into(), text));
                }
            }
        }
        if self.balance.widened > 0.0 {
            rows.push((
                "cones".into(),
                format!("widened by {:.1e}, to hold the forces of the frame", self.balance.widened),
            ));
        }
        let mean = set.interval(&set.weights_of_mean()).map_err(unsolved)?;
        rows.push(("mean force".into(), format!("{} N, {}", number(unit), words(mean))));
        for (wall, name) in setting.walls.iter().enumerate() {
            for (axis, letter) in ["x", "y", "z"].iter().enumerate().take(self.frame.dimension) {
                if let Some(weights) = set.weights_of_wall(wall, axis) {
                    let interval = set.interval(&weights).map_err(unsolved)?;
                    rows.push((format!("on {name}, {letter}"), words(interval)));
                }
            }
        }
        match &self.intervals {
            Some(intervals) => rows.push(("intervals".into(), self.widths(intervals))),
            None => rows.push(("intervals".into(), format!("of more than {FEW} contacts only with --intervals"))),
        }
        if let Some(Spread(deviations)) = &self.spread {
            let mean = deviations.iter().sum::<f64>() / contacts as f64;
            rows.push(("spread".into(), format!("{:.3} of the mean force, mean over the contacts", mean / unit)));
        }
        Ok(table(rows.iter().map(|(name, text)| (name.as_str(), text.as_str()))))
    }

    fn widths(&self, intervals: &[Interval]) -> String {
        let bounded: Vec<f64> = intervals.iter().map(Interval::width).filter(|width| width.is_finite()).collect();
        let mut text = match bounded.len() {
            0 => String::new(),
            count => {
                let mean = bounded.iter().sum::<f64>() / count as f64 / self.balance.unit;
                let widest = bounded.iter().copied().fold(0.0, f64::max) / self.balance.unit;
                format!("{mean:.3} of the mean force wide on average, at most {widest:.3}")
            }
        };
        let unknown = intervals.iter().filter(|interval| interval.width().is_nan()).count();
        let unbounded = intervals.len() - bounded.len() - unknown;
        if unbounded > 0 {
            let _ = write!(text, "{}{unbounded} without a highest force", if text.is_empty() { "" } else { "; " });
        }
        if unknown > 0 {
            let _ = write!(text, "; {unknown} NOT found: their cone programmes were not solved to their accuracy");
        }
        text
    }

    /// The intervals as lines between the grains.
    fn picture(&self, title: &str, format: Format, scene: Scene) -> Result<Vec<u8>, Failure> {
        let mut bands = vec![[f64::NAN; 2]; self.frame.contacts.a.len()];
        for (contact, interval) in self.balance.contacts.iter().zip(self.intervals.iter().flatten()) {
            bands[contact.contact] = [interval.low, interval.high];
        }
        let look = Look { bands: Some(&bands), scene, ..Look::default() };
        draw(self.frame, title, format, &look).map_err(Failure::Usage)
    }

    fn table(&self) -> String {
        let axes = &["x", "y", "z"][..self.frame.dimension];
        let mut text = String::from("contact,a,b");
        axes.iter().for_each(|axis| text += &format!(",{axis} [m]"));
        text += ",normal_force [N]";
        text += if self.space.is_some() { ",self_stress_share [1],cluster" } else { "" };
        text += if self.intervals.is_some() { ",lowest_normal_force [N],highest_normal_force [N]" } else { "" };
        text += if self.spread.is_some() { ",deviation_of_samples [N]" } else { "" };
        text.push('\n');
        let mut clusters = vec![0; self.balance.contacts.len()];
        if let Some(space) = &self.space {
            for (k, cluster) in space.clusters(self.balance).iter().enumerate() {
                cluster.iter().for_each(|contact| clusters[*contact] = k + 1);
            }
        }
        for (k, contact) in self.balance.contacts.iter().enumerate() {
            let columns = &self.frame.contacts;
            let _ = write!(text, "{},{},{}", contact.contact, columns.a[contact.contact], columns.b[contact.contact]);
            let (from, to) = (columns.from[contact.contact], columns.to[contact.contact]);
            for axis in 0..axes.len() {
                let _ = write!(text, ",{}", 0.5 * (from[axis] + to[axis]));
            }
            let _ = write!(text, ",{}", contact.normal_force * self.balance.unit);
            if let Some(space) = &self.space {
                let _ = write!(text, ",{},{}", space.shares[k], clusters[k]);
            }
            if let Some(intervals) = &self.intervals {
                let _ = write!(text, ",{},{}", intervals[k].low, intervals[k].high);
            }
            if let Some(Spread(deviations)) = &self.spread {
                let _ = write!(text, ",{}", deviations[k]);
            }
            text.push('\n');
        }
        text
    }
}

fn words(interval: Interval) -> String {
    match interval.high.is_finite() && interval.low.is_finite() {
        true => format!("between {} and {} N", number(interval.low), number(interval.high)),
        false if interval.low.is_finite() => format!("at least {} N, without an upper limit", number(interval.low)),
        false if interval.high.is_finite() => format!("at most {} N, without a lower limit", number(interval.high)),
        false => "without limits".into(),
    }
}

fn number(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) { format!("{value:.4e}") } else { format!("{value:.5}") }
}
