//! The certificate of a run: its frames checked against the laws of mechanics, from the files alone.
//!
//! A second implementation, independent of the solver: plain vectors, formulas of its own, no world and no method. This
//! crate depends on the readers of files (`drystone-files`) and on nothing of the simulator. Tolerances are roundings
//! of f64, counted where they arise; frames store every number as f64. [`kinds`] lists what a scenario may contain and
//! what of it is judged.

mod ahead;
mod balance;
mod balls;
mod books;
mod bumps;
mod clumps;
mod drives;
mod figure;
mod geometry;
mod give;
mod grains;
mod growth;
mod judge;
pub mod kinds;
mod lattice;
mod law;
mod limits;
mod links;
mod local;
mod overlap;
mod pair;
mod pairs;
mod scene;
mod signal;
mod solids;
mod space;
mod stages;
mod step;
mod stones;
mod terms;
mod thin;
mod triangles;
mod velocity;

pub use judge::{Check, Reading, Sheet};

use std::io;

use serde_json::{Value as Json, json};
use toml::Table;

use books::{Ledger, Series};
use drives::Machines;
use drystone_files::record::frame::Frame;
use drystone_files::record::intact::{self, FolderCheck};
use drystone_files::record::npz::invalid;
use drystone_files::record::{RunFolder, frame_files};
use grains::Known;
use judge::Judge;
use kinds::{HARD, MEMBRANE, SOFT, TILTS};
use links::Links;
use scene::{Scene, Scheme};
use stages::Scenes;
use step::Step;

/// Why gains of energy are not judged where the number of sweeps is fixed.
const ELASTIC: &str = "runs of a fixed number of sweeps: contacts store energy, on purpose";
/// Largest relative difference of the energies of frames and of steps that the rounding of their terms explains.
const ROUNDED: f64 = 1e-6;
/// Part of the energy turned over at its contacts by which a group of touching bodies may gain energy in a step: at the
/// coarsest accuracy velocities at rest are known to a hundredth of the fall, and the energy turned over includes the
/// fall.
const CREATED: f64 = 1e-2;
/// Checks that depend on the whole scenario; if it has words that are not supported here, none of these is judged.
const MECHANICS: [Check; 14] = [
    Check::Geometry,
    Check::Terms,
    Check::Cone,
    Check::Regime,
    Check::Residual,
    Check::Force,
    Check::Torque,
    Check::Global,
    Check::Overlap,
    Check::Momentum,
    Check::Energy,
    Check::Ledger,
    Check::Dissipation,
    Check::Series,
];

/// Why laws are not judged in a stress-controlled cell.
const CELL: &str =
    "bounces and stones in cells that change: frames do not tell how they moved at the start of the step";
/// Why the energy that contacts take is not recomputed in a cell that follows a stress; the report has it.
const CELL_FALL: &str = "frames of cells that change: they do not tell how the cell would move without contacts";
/// Why grains are not compared with those of the start.
const VARY: &str = "runs in which grains come, grow or are taken away";

/// The verdict on the frames of a run.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// Number of frames.
    pub frames: usize,
    /// One sheet for each check.
    pub sheets: Vec<Sheet>,
    /// Residual that the scenario asks for.
    pub accuracy: f64,
    /// Frames whose step did not converge, with their residuals.
    pub unconverged: Vec<(usize, f64)>,
    /// The seal of the report, which covers every file of the folder.
    pub seal: Option<String>,
}

impl Certificate {
    /// Whether every comparison holds.
    pub fn holds(&self) -> bool {
        self.sheets.iter().all(|sheet| sheet.broken == 0)
    }

    /// Whether everything holds that follows from the numbers, whatever the digests are: what remains if somebody
    /// altered a file and renewed its digest.
    pub fn holds_by_mechanics(&self) -> bool {
        self.sheets.iter().all(|sheet| sheet.broken == 0 || sheet.check == Check::Files)
    }

    /// The certificate for programs.
    pub fn to_json(&self) -> Json {
        let unconverged = |(frame, residual): &(usize, f64)| json!({"frame": frame, "residual": residual});
        json!({
            "holds": self.holds(),
            "frames": self.frames,
            "accuracy": self.accuracy,
            "seal": self.seal,
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
    audit.look_at_files(intact::verify(folder));
    let mut entries = Vec::new();
    for (done, &number) in numbers.iter().enumerate() {
        let frame = frame_files::read(&folder.frames(), number)?;
        audit.look_at(number, &frame)?;
        for name in frame_files::derived(&folder.frames(), number, &frame)? {
            audit.judge.require(Check::Frames, false, || format!("{name} does not show the grains"));
        }
        entries.push((frame.time, number));
        seen(done + 1, numbers.len());
    }
    audit.look_at_collection(folder, &entries);
    Ok(audit.close(numbers.len()))
}

/// A certificate in the making.
struct Audit {
    scenes: Scenes,
    series: Series,
    report: Option<Json>,
    judge: Judge,
    ledger: Ledger,
    known: Known,
    machines: Machines,
    /// The scenario, until the first frame shows which grains its rods and joints hold.
    root: Option<Table>,
    links: Option<Links>,
    /// Number and step of the previous frame.
    last: Option<(usize, u64)>,
    /// Created energy in the frames [J].
    created: f64,
    unconverged: Vec<(usize, f64)>,
    seal: Option<String>,
}

impl Audit {
    fn open(folder: &RunFolder) -> io::Result<Audit> {
        let (report, name) = (report(folder)?, folder.scenario());
        let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot read {}: {error}", name.display()));
        let root = Scene::read(&name)?;
        let scenes = Scenes::of(root.clone(), report.as_ref()).map_err(named)?;
        let machines = Machines::of(&root, report.as_ref()).map_err(named)?;
        let ledger = Ledger::after(collisions(report.as_ref()));
        Ok(Audit {
            scenes,
            series: Series::read(&folder.series())?,
            report,
            judge: Judge::default(),
            ledger,
            known: Known::default(),
            machines,
            root: Some(root),
            links: None,
            last: None,
            created: 0.0,
            unconverged: Vec::new(),
            seal: None,
        })
    }

    /// Every file is what the run wrote.
    fn look_at_files(&mut self, files: FolderCheck) {
        let judge = &mut self.judge;
        (files.faults.len()..files.judged).for_each(|_| judge.require(Check::Files, true, String::new));
        for (place, fault) in &files.faults {
            judge.require(Check::Files, false, || format!("{place} {}", fault.words()));
        }
        files.left_out.into_iter().for_each(|why| judge.leave_out(Check::Files, why));
        self.seal = files.seal;
    }

    fn look_at(&mut self, number: usize, shown: &Frame) -> io::Result<()> {
        let frame: &Frame = &shown.of_grains_themselves();
        let Audit { scenes, judge, .. } = self;
        let scene = scenes.at(frame.time);
        if frame.dimension != scene.dimension || frame.wall_states.velocity.len() != scene.walls.len() {
            return Err(invalid(format!("frame {number} has not the dimension and the walls of scenario.toml")));
        }
        judge.frame = Some(number);
        check_clock(frame, scene, self.last, judge);
        lattice::check(shown, scene, judge);
        self.known.check(shown, scene, judge);
        self.machines.check(shown, scene, judge);
        if !scene.strangers.is_empty() {
            for why in &scene.strangers {
                MECHANICS.iter().for_each(|check| judge.leave_out(*check, why.as_str()));
            }
            self.last = Some((number, frame.step));
            return Ok(());
        }
        if let Some(root) = self.root.take() {
            self.links = Links::of(&root, frame, judge);
        }
        self.links.iter().for_each(|links| links.check(shown, judge));
        let acted = growth::found(frame, scene);
        let step = Step::new(acted.as_ref().unwrap_or(frame), scene, judge);
        let near = pairs::near(&step);
        let row = self.series.row(frame.step);
        let why = match step.scene.scheme {
            Scheme::Soft => Some(SOFT),
            Scheme::Flight => Some(HARD),
            Scheme::Euler | Scheme::Midpoint => None,
        };
        if let Some(why) = why.filter(|_| frame.step > 0) {
            if step.scene.scheme == Scheme::Flight {
                let is_free = frame.contacts.a.is_empty();
                judge.require(Check::Geometry, is_free, || "contacts of grains that only collide".into());
            }
            geometry::check(&step, judge);
            balance::check_reactions(&step, judge);
            for check in [Check::Terms, Check::Cone, Check::Regime, Check::Residual, Check::Force, Check::Torque] {
                judge.leave_out(check, why);
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
            let outside = step.scene.outside();
            match outside.or_else(|| scene.cell.as_ref().is_some_and(|cell| !cell.is_stiff).then_some(CELL_FALL)) {
                Some(why) => judge.leave_out(Check::Dissipation, why),
                None if step.scene.fixed_sweeps => judge.leave_out(Check::Dissipation, ELASTIC),
                None => self.created += velocity::created_energy(&step, (1.0 + ROUNDED) * CREATED),
            }
            if !frame.converged {
                self.unconverged.push((number, residual));
            }
            overlap::check_growth(&step, &near, judge);
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

    /// The list that ParaView opens names all frames with their times; while a run goes on, it may be behind.
    fn look_at_collection(&mut self, folder: &RunFolder, entries: &[(f64, usize)]) {
        self.judge.frame = None;
        if self.report.is_some() {
            let expected = frame_files::collection(&folder.frames(), entries);
            let holds = std::fs::read_to_string(folder.collection()).is_ok_and(|text| text == expected);
            self.judge.require(Check::Frames, holds, || "frames.pvd does not list the frames".into());
        }
    }

    /// A run that is over ends with a frame.
    fn close(mut self, frames: usize) -> Certificate {
        if let Some(report) = &self.report {
            let stated = report["created_energy"].as_f64().unwrap_or(0.0);
            let beyond = if self.created > 0.0 { self.created / stated } else { 0.0 };
            self.judge.see(Check::Dissipation, beyond, 1.0 + ROUNDED, || {
                format!(
                    "{:.3e} J from nothing in the frames, of {stated:.3e} J in all steps by report.json",
                    self.created
                )
            });
            let told = report["warnings"].as_array().is_some_and(|all| all.iter().any(|told| told["code"] == "W212"));
            self.judge.require(Check::Dissipation, !told, || {
                format!("W212: {stated:.3e} J from nothing, as report.json says")
            });
        }
        if let Some(report) = self.report.filter(|report| report["state"] == "done") {
            let is_there = self.last.map(|(_, step)| step) == report["steps"].as_u64();
            self.judge.require(Check::Frames, is_there, || "the frame of the end is not there".into());
        }
        Certificate {
            frames,
            sheets: self.judge.sheets,
            accuracy: self.scenes.first().limits.residual,
            unconverged: self.unconverged,
            seal: self.seal,
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

/// How often hard grains collided, by the report of the run.
fn collisions(report: Option<&Json>) -> f64 {
    report.and_then(|report| report["collisions"].as_f64()).unwrap_or(0.0)
}

/// Time is the sum of all time steps, and frames follow each other, `last` with its number and step first.
fn check_clock(frame: &Frame, scene: &Scene, last: Option<(usize, u64)>, judge: &mut Judge) {
    let expected = last.map_or(0, |(number, ..)| number + 1);
    judge.require(Check::Frames, judge.frame == Some(expected), || format!("frame {expected} is not there"));
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
