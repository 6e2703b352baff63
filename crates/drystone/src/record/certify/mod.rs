//! The certificate of a run: its frames checked against the laws of mechanics, from the files alone.
//!
//! A second path beside the solver: plain vectors, formulas of its own, no world and no method. Tolerances are
//! roundings of f64, counted where they arise; frames store every number as f64.

mod ahead;
mod balance;
mod books;
mod bumps;
mod clumps;
mod geometry;
mod give;
mod growth;
mod judge;
mod lattice;
mod law;
mod local;
mod overlap;
mod pair;
mod pairs;
mod scene;
mod solids;
mod space;
mod stages;
mod step;
mod stones;
mod terms;
mod thin;
mod triangles;

pub use judge::{Check, Reading, Sheet};

use std::io;

use serde_json::{Value as Json, json};

use super::frame::{Frame, Grains};
use super::npz::invalid;
use super::{RunFolder, frame_files};
use books::{Ledger, Series};
use judge::Judge;
use scene::{Scene, Scheme};
use space::norm;
use stages::Scenes;
use step::Step;

/// Why balances are not judged in a membrane.
const MEMBRANE: &str = "samples in a membrane: frames do not tell its forces";
/// Why balances are not judged on ground that tilts.
const TILTS: &str = "ground that tilts: frames do not say how far";

/// Why laws are not judged in a cell that follows a stress.
const CELL: &str =
    "bounces and stones in cells that change: frames do not tell how they moved at the start of the step";
/// Why grains are not compared with those of the start.
const VARY: &str = "runs in which grains come, grow or are taken away";

/// What the frames of a run are worth.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// Number of frames.
    pub frames: usize,
    /// One sheet a check.
    pub sheets: Vec<Sheet>,
    /// Residual that the scenario asks for.
    pub accuracy: f64,
    /// Frames whose step did not converge, with their residuals.
    pub unconverged: Vec<(usize, f64)>,
}

impl Certificate {
    /// Whether every comparison holds.
    pub fn holds(&self) -> bool {
        self.sheets.iter().all(|sheet| sheet.broken == 0)
    }

    /// The certificate for programs.
    pub fn to_json(&self) -> Json {
        let unconverged = |(frame, residual): &(usize, f64)| json!({"frame": frame, "residual": residual});
        json!({
            "holds": self.holds(),
            "frames": self.frames,
            "accuracy": self.accuracy,
            "unconverged": self.unconverged.iter().map(unconverged).collect::<Vec<_>>(),
            "checks": self.sheets.iter().map(Sheet::to_json).collect::<Vec<_>>(),
        })
    }
}

/// Checks all frames of a run; `seen(done, all)` is called after each.
///
/// An error means that a file is missing or cannot be read, not that a check fails.
pub fn certify(folder: &RunFolder, seen: &mut dyn FnMut(usize, usize)) -> io::Result<Certificate> {
    let numbers = frame_files::numbers(&folder.frames())?;
    let mut audit = Audit::open(folder)?;
    for (done, &number) in numbers.iter().enumerate() {
        audit.look_at(number, &frame_files::read(&folder.frames(), number)?)?;
        seen(done + 1, numbers.len());
    }
    Ok(audit.close(numbers.len()))
}

/// A certificate in the making.
struct Audit {
    scenes: Scenes,
    series: Series,
    report: Option<Json>,
    judge: Judge,
    ledger: Ledger,
    /// Grains of the first frame.
    first: Option<Grains>,
    /// Number and step of the frame before.
    last: Option<(usize, u64)>,
    unconverged: Vec<(usize, f64)>,
}

impl Audit {
    fn open(folder: &RunFolder) -> io::Result<Audit> {
        let (report, name) = (report(folder)?, folder.scenario());
        Ok(Audit {
            scenes: Scenes::of(Scene::read(&folder.scenario())?, report.as_ref())
                .map_err(|error| io::Error::new(error.kind(), format!("cannot read {}: {error}", name.display())))?,
            series: Series::read(&folder.series())?,
            report,
            judge: Judge::default(),
            ledger: Ledger::default(),
            first: None,
            last: None,
            unconverged: Vec::new(),
        })
    }

    fn look_at(&mut self, number: usize, shown: &Frame) -> io::Result<()> {
        let frame: &Frame = &shown.of_grains_themselves();
        let Audit { scenes, judge, .. } = self;
        let scene = scenes.at(frame.time);
        if frame.dimension != scene.dimension || frame.wall_states.velocity.len() != scene.walls.len() {
            return Err(invalid(format!("frame {number} has not the dimension and the walls of scenario.toml")));
        }
        judge.frame = number;
        check_clock(frame, scene, self.last, judge);
        lattice::check(shown, scene, judge);
        let first = self.first.get_or_insert_with(|| frame.grains.clone());
        match scene.grains_vary {
            true => judge.leave_out(Check::Grains, VARY),
            false => check_grains(&frame.grains, first, scene.has_blocks, judge),
        }
        let acted = growth::found(frame, scene);
        let step = Step::new(acted.as_ref().unwrap_or(frame), scene, judge);
        let near = pairs::near(&step);
        let row = self.series.row(frame.step);
        let scene_tilts = step.scene.tilts;
        let is_soft = step.scene.scheme == Scheme::Soft;
        if frame.step > 0 && is_soft {
            geometry::check(&step, judge);
            balance::check_reactions(&step, judge);
            for check in [Check::Terms, Check::Cone, Check::Regime, Check::Residual, Check::Force, Check::Torque] {
                judge.leave_out(check, "soft grains: forces act at instants and follow from overlaps and memories");
            }
        } else if frame.step > 0 {
            geometry::check(&step, judge);
            let residual = match step.cell_was_otherwise() {
                true => {
                    let laws = [Check::Cone, Check::Regime, Check::Residual];
                    laws.iter().for_each(|check| judge.leave_out(*check, CELL));
                    frame.residual
                }
                false => law::check(&step, &near, judge).unwrap_or(frame.residual),
            };
            law::check_verdict(&step, judge);
            if !frame.converged {
                self.unconverged.push((number, residual));
            }
            overlap::check_growth(&step, &near, judge);
            let outside = if scene_tilts { Some(TILTS) } else { step.scene.has_membrane.then_some(MEMBRANE) };
            if let Some(why) = outside {
                balance::check_reactions(&step, judge);
                [Check::Force, Check::Torque].iter().for_each(|check| judge.leave_out(*check, why));
            } else {
                balance::check(&step, judge);
            }
        }
        overlap::check(&step, &near, self.report.as_ref(), row.as_ref(), judge);
        match acted {
            Some(_) => self.ledger.check(&Step::new(frame, scene, judge), row.as_ref(), judge),
            None => self.ledger.check(&step, row.as_ref(), judge),
        }
        self.last = Some((number, frame.step));
        Ok(())
    }

    /// A run that is over ends with a frame.
    fn close(mut self, frames: usize) -> Certificate {
        if let Some(report) = self.report.filter(|report| report["state"] == "done") {
            let is_there = self.last.map(|(_, step)| step) == report["steps"].as_u64();
            self.judge.require(Check::Frames, is_there, || "the frame of the end is not there".into());
        }
        Certificate {
            frames,
            sheets: self.judge.sheets,
            accuracy: self.scenes.first().limits.residual,
            unconverged: self.unconverged,
        }
    }
}

/// `report.json`, which a run has once it is over or stopped.
fn report(folder: &RunFolder) -> io::Result<Option<Json>> {
    let path = folder.report();
    match std::fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read
            .and_then(|text| serde_json::from_slice(&text).map_err(io::Error::from))
            .map(Some)
            .map_err(|error| io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display()))),
    }
}

/// Time is the sum of all time steps, and frames follow each other, `last` with its number and step first.
fn check_clock(frame: &Frame, scene: &Scene, last: Option<(usize, u64)>, judge: &mut Judge) {
    let expected = last.map_or(0, |(number, ..)| number + 1);
    judge.require(Check::Frames, judge.frame == expected, || format!("frame {expected} is not there"));
    judge.require(Check::Frames, last.is_none_or(|(_, step)| step < frame.step), || "it comes too early".into());
    judge.require(Check::Frames, frame.time_step == scene.time_step, || "time step".into());
    let steps = frame.step as f64;
    let off = (frame.time - steps * scene.time_step).abs();
    match scene.alters {
        true => judge.leave_out(Check::Frames, "times, in runs whose stages may change the time step"),
        false => judge.see(Check::Frames, off, steps * f64::EPSILON * frame.time.abs(), || "time".into()),
    }
    let may_touch = frame.step > 0 || frame.contacts.a.is_empty();
    judge.require(Check::Frames, may_touch, || "contacts before the first step".into());
}

/// The grains are those of the first frame, and their orientations are unit quaternions.
fn check_grains(grains: &Grains, first: &Grains, has_blocks: bool, judge: &mut Judge) {
    let turns = grains.turns == first.turns && (has_blocks || grains.turns.is_empty());
    judge.require(Check::Grains, turns, || "which grains turn".into());
    judge.require(Check::Grains, grains.id == first.id, || "the list of grains".into());
    for k in 0..grains.id.len().min(first.id.len()) {
        let name = || format!("grain {}", grains.id[k]);
        let body = |g: &Grains| (g.radius[k].to_bits(), g.mass[k].to_bits(), g.material[k]);
        judge.require(Check::Grains, body(grains) == body(first), name);
        let [x, y, z, w] = grains.orientation[k];
        judge.see(Check::Grains, (norm([x, y, z]).hypot(w) - 1.0).abs(), 4.0 * f64::EPSILON, name);
    }
}
