//! Walls move as their drives prescribe: velocities, positions, spins, masses and forces of walls against the scenario.

use std::io;

use serde_json::Value as Json;
use toml::{Table, Value};

use super::figure::{Figure, check_faces};
use super::judge::{Check, Judge};
use super::kinds;
use super::scene::{Scene, Scheme, as_number, entries, number, vector, word};
use super::signal::{Mean, Signal};
use super::space::{Vec3, add, dot, norm, scale, sub};
use super::step::back;
use drystone_files::record::frame::Frame;
use drystone_files::record::npz::invalid;

/// Roundings of a mean, in units of the size of its numbers.
const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// How a wall is moved.
#[derive(Clone, Debug)]
enum Drive {
    /// It does not move.
    Fixed,
    /// It does not move and lets everything through: an open gate, or a wall replaced by a membrane.
    Open,
    /// With a velocity.
    Velocity(Signal),
    /// From rest, with an acceleration.
    Acceleration(Signal),
    /// It turns about its axis.
    Spin(Signal),
    /// A piston under a force.
    Force(Signal),
    /// A piston under a pressure.
    Pressure(Pressure),
    /// A kind that is not supported here, and why.
    Unknown(String),
}

/// A pressure on a piston.
#[derive(Clone, Debug)]
struct Pressure {
    value: Signal,
    /// Velocity of the plane along itself [m/s].
    slide: Vec3,
    area: Area,
}

/// What a pressure acts on.
#[derive(Clone, Debug)]
enum Area {
    /// An area [m2].
    Given(f64),
    /// The area between planes of these names.
    Between(Vec<[String; 2]>),
}

impl Drive {
    fn read(value: &Value) -> Drive {
        Drive::known(value).unwrap_or_else(Drive::Unknown)
    }

    fn known(value: &Value) -> Result<Drive, String> {
        let Some(table) = value.as_table() else {
            return match value.as_str() {
                Some("fixed") => Ok(Drive::Fixed),
                Some("open") => Ok(Drive::Open),
                other => Err(kinds::unknown("drives", other.unwrap_or("?"))),
            };
        };
        let (kind, inner) = kinds::chosen("drives", table)?;
        match kind {
            "velocity" => Signal::read(inner).map(Drive::Velocity),
            "acceleration" => Signal::read(inner).map(Drive::Acceleration),
            "spin" => Signal::read(inner).map(Drive::Spin),
            "force" => Signal::read(inner).map(Drive::Force),
            "pressure" => Pressure::read(inner).map(Drive::Pressure),
            "membrane" => Ok(Drive::Open),
            other => Err(kinds::unknown("drives", other)),
        }
    }

    /// Mean velocity between two times; `None` if forces decide, or the drive is not supported.
    fn mean_velocity(&self, from: f64, to: f64) -> Option<Mean> {
        match self {
            Drive::Fixed | Drive::Open | Drive::Spin(_) => Some(Mean { value: [0.0; 3], size: 0.0 }),
            Drive::Velocity(signal) => Some(signal.mean(from, to)),
            Drive::Acceleration(signal) => Some(signal.mean_integral(from, to)),
            Drive::Force(_) | Drive::Pressure(_) | Drive::Unknown(_) => None,
        }
    }

    fn is_piston(&self) -> bool {
        matches!(self, Drive::Force(_) | Drive::Pressure(_))
    }
}

impl Pressure {
    fn read(value: &Value) -> Result<Pressure, String> {
        let table = value.as_table().ok_or("a pressure of an unknown form")?;
        let value = Signal::read(table.get("value").ok_or("a pressure of an unknown form")?)?;
        let slide = if table.contains_key("slide") { vector(table, "slide")? } else { [0.0; 3] };
        let area = match (table.get("area"), table.get("between").and_then(Value::as_array)) {
            (Some(area), _) => Area::Given(as_number(area).ok_or("an area of an unknown form")?),
            (_, Some(names)) => Area::Between(pairs(names).ok_or("an area of an unknown form")?),
            _ => {
                let unknown = table.keys().find(|key| !matches!(key.as_str(), "value" | "slide"));
                return Err(kinds::unknown("areas", unknown.map_or("?", String::as_str)));
            }
        };
        Ok(Pressure { value, slide, area })
    }
}

/// One pair of names, or several.
fn pairs(names: &[Value]) -> Option<Vec<[String; 2]>> {
    let pair = |names: &[Value]| match names {
        [Value::String(one), Value::String(other)] => Some([one.clone(), other.clone()]),
        _ => None,
    };
    match pair(names) {
        Some(one) => Some(vec![one]),
        None => names.iter().map(|names| pair(names.as_array()?)).collect(),
    }
}

/// A wall, its drives, and the stages from which they move it.
struct Machine {
    name: String,
    figure: Figure,
    /// Mass of a piston [kg].
    mass: Option<f64>,
    /// Numbers of stages and drives that they set, the scenario's own first.
    drives: Vec<(usize, Drive)>,
}

impl Machine {
    fn read(wall: &Table) -> Result<Machine, String> {
        Ok(Machine {
            name: word(wall, "name")?.to_string(),
            figure: Figure::read(wall)?,
            mass: if wall.contains_key("mass") { Some(number(wall, "mass")?) } else { None },
            drives: vec![(0, wall.get("drive").map_or(Drive::Fixed, Drive::read))],
        })
    }

    fn spins(&self) -> bool {
        self.drives.iter().any(|(_, drive)| matches!(drive, Drive::Spin(_)))
    }
}

/// All walls of a run.
pub(crate) struct Machines {
    walls: Vec<Machine>,
    /// Times at which stages began [s].
    begins: Vec<f64>,
    first: Option<Vec<Vec3>>,
    /// Whether the times at which stages began are known.
    is_dated: bool,
    is_plane: bool,
}

/// A drive, and since when it moves a wall [s].
#[derive(Clone, Copy)]
struct Now<'m> {
    drive: &'m Drive,
    since: f64,
}

/// How far drives have moved a wall.
#[derive(Clone, Copy, Debug, Default)]
struct Path {
    /// Its displacement [m].
    at: Vec3,
    /// Its largest displacement [m].
    reach: f64,
    /// Size of the numbers that this is computed from [m].
    size: f64,
}

/// Roundings of the clock, which adds up its steps, in units of the time.
fn clock_rounding(frame: &Frame) -> f64 {
    (frame.step as f64 + 8.0) * f64::EPSILON * frame.time.abs()
}

/// A mean over the last step, and how far off it may be: the clock is rounded, and so are sums.
fn over_step(frame: &Frame, since: f64, mean: impl Fn(f64, f64) -> Mean) -> (Vec3, f64) {
    let (from, doubt) = (frame.time - frame.time_step - since, clock_rounding(frame));
    let [expected, sooner, later] = [from, from - doubt, from + doubt].map(|from| mean(from, from + frame.time_step));
    let drift = norm(sub(later.value, expected.value)) + norm(sub(expected.value, sooner.value));
    (expected.value, drift + ROUNDINGS * expected.size)
}

impl Machines {
    /// The walls of a resolved scenario; the report says when its stages ended.
    pub(crate) fn of(root: &Table, report: Option<&Json>) -> io::Result<Machines> {
        let walls: Result<Vec<Machine>, String> = entries(root, "wall").map(Machine::read).collect();
        let mut walls = walls.map_err(invalid)?;
        for (stage, entry) in entries(root, "stage").enumerate() {
            for (name, drive) in entry.get("drive").and_then(Value::as_table).into_iter().flatten() {
                if let Some(wall) = walls.iter_mut().find(|wall| wall.name == *name) {
                    wall.drives.push((stage, Drive::read(drive)));
                }
            }
        }
        let ended = report.and_then(|report| report["stages"].as_array()).map(Vec::as_slice).unwrap_or_default();
        let begins = std::iter::once(0.0).chain(ended.iter().filter_map(|stage| stage["time"].as_f64())).collect();
        let is_dated = report.is_some() || entries(root, "stage").count() < 2;
        let is_plane = number(root, "dimension").map_err(invalid)? == 2.0;
        Ok(Machines { walls, begins, first: None, is_dated, is_plane })
    }

    /// The drive that moves a wall in a stage, and since when.
    fn now(&self, wall: usize, stage: usize) -> Now<'_> {
        let drives = &self.walls[wall].drives;
        let (since, drive) = drives.iter().rfind(|(since, _)| *since <= stage).unwrap_or(&drives[0]);
        Now { drive, since: self.begins[(*since).min(self.begins.len() - 1)] }
    }

    /// Checks the walls of a frame.
    pub(crate) fn check(&mut self, frame: &Frame, scene: &Scene, judge: &mut Judge) {
        let states = &frame.wall_states;
        if !self.is_dated {
            return judge
                .leave_out(Check::Walls, "runs with stages that are not over: report.json says when they began");
        }
        let first = self.first.get_or_insert_with(|| states.displacement.clone()).clone();
        let stage = self.begins.iter().skip(1).filter(|begin| **begin < frame.time).count();
        let walls = self.walls.len().min(states.velocity.len());
        for (wall, started) in first.iter().enumerate().take(walls) {
            let now = self.now(wall, stage);
            if let Drive::Unknown(why) = now.drive {
                judge.leave_out(Check::Walls, why.as_str());
                continue;
            }
            let machine = &self.walls[wall];
            let name = |what: &str| format!("{what} of wall `{}`", machine.name);
            let mass = machine.mass.filter(|_| now.drive.is_piston());
            judge.require(Check::Walls, states.mass[wall] == mass.unwrap_or(f64::INFINITY), || name("mass"));
            let is_open = matches!(now.drive, Drive::Open);
            judge.require(Check::Walls, states.open[wall] == u8::from(is_open), || name("gate"));
            self.check_velocity(wall, now, frame, judge);
            if frame.step == 0 && !scene.is_continued {
                let motion = [states.velocity[wall], states.previous_velocity[wall], states.angular_velocity[wall]];
                judge.require(Check::Walls, motion == [[0.0; 3]; 3], || name("velocity"));
            }
            self.check_push(wall, now, frame, scene, judge);
            self.check_place(wall, stage, *started, frame, judge);
            if frame.step == 0 && !scene.is_continued {
                judge.require(Check::Walls, *started == [0.0; 3], || name("place"));
            }
        }
        self.check_faces(frame, judge);
    }

    /// Velocity and angular velocity in the last step, and the same at its start; of a piston those across its guide.
    fn check_velocity(&self, wall: usize, now: Now, frame: &Frame, judge: &mut Judge) {
        let (states, machine) = (&frame.wall_states, &self.walls[wall]);
        let name = |what: &str| format!("{what} of wall `{}`", machine.name);
        let [v, before, w] = [states.velocity[wall], states.previous_velocity[wall], states.angular_velocity[wall]];
        if frame.step == 0 {
            return;
        }
        if now.drive.mean_velocity(0.0, 1.0).is_some() {
            let still = Mean { value: [0.0; 3], size: 0.0 };
            let mean = |from: f64, to: f64| now.drive.mean_velocity(from, to).unwrap_or(still);
            let (expected, limit) = over_step(frame, now.since, mean);
            judge.see(Check::Walls, norm(sub(v, expected)), limit, || name("velocity"));
            judge.require(Check::Walls, before == v, || name("velocity at the start"));
        } else if let Some(normal) = machine.figure.guide() {
            let across = |v: Vec3| sub(v, scale(normal, dot(v, normal)));
            let slide = match now.drive {
                Drive::Pressure(press) => across(press.slide),
                _ => [0.0; 3], // a force alone moves it along its normal
            };
            for (what, v) in [("velocity", v), ("velocity at the start", before)] {
                let limit = ROUNDINGS * (norm(v) + norm(slide));
                judge.see(Check::Walls, norm(sub(across(v), slide)), limit, || {
                    name(&format!("{what} across the guide"))
                });
            }
        }
        let spin = |from: f64, to: f64| match (now.drive, machine.figure.axis()) {
            (Drive::Spin(signal), Some(axis)) => {
                let Mean { value: [rate, ..], size } = signal.mean(from, to);
                let value = if self.is_plane { [0.0, 0.0, rate] } else { scale(axis, rate) };
                Mean { value, size }
            }
            _ => Mean { value: [0.0; 3], size: 0.0 }, // no other drive turns a wall
        };
        let (expected, limit) = over_step(frame, now.since, spin);
        judge.see(Check::Walls, norm(sub(w, expected)), limit, || name("angular velocity"));
    }

    /// The force that drives a piston; none drives other walls.
    fn check_push(&self, wall: usize, now: Now, frame: &Frame, scene: &Scene, judge: &mut Judge) {
        let (stated, machine) = (frame.wall_states.drive[wall], &self.walls[wall]);
        let name = || format!("force that drives wall `{}`", machine.name);
        let is_pushed = machine.mass.is_some() && frame.step > 0;
        let (signal, area) = match now.drive {
            Drive::Force(force) if is_pushed => (force, Some((1.0, 0.0))),
            Drive::Pressure(press) if is_pushed => {
                if matches!(press.area, Area::Between(_)) && scene.scheme == Scheme::Soft {
                    let why = "pressures of soft pistons: frames do not tell where they stood when the step began";
                    return judge.leave_out(Check::Walls, why);
                }
                (&press.value, self.area(&press.area, frame, scene))
            }
            _ => return judge.require(Check::Walls, stated == [0.0; 3], name),
        };
        let (Some((area, rounding)), Some(normal)) = (area, machine.figure.guide()) else {
            return judge.leave_out(Check::Walls, "forces that drive pistons other than planes, or beside such");
        };
        let (value, limit) = over_step(frame, now.since, |from, to| signal.mean(from, to));
        let expected = scale(normal, value[0] * area);
        let limit = limit * area.abs() + rounding * norm(expected);
        judge.see(Check::Walls, norm(sub(stated, expected)), limit, name);
    }

    /// An area when forces were found [m2], and its rounding over itself; `None` if it is not between planes.
    fn area(&self, area: &Area, frame: &Frame, scene: &Scene) -> Option<(f64, f64)> {
        let pairs = match area {
            Area::Given(area) => return Some((*area, 0.0)),
            Area::Between(pairs) => pairs,
        };
        let (mut area, mut rounding) = (scene.depth.unwrap_or(1.0), 0.0);
        for [one, other] in pairs {
            let ([from, normal], [to, _]) = (self.plane(one, frame, scene)?, self.plane(other, frame, scene)?);
            let distance = dot(sub(to, from), normal);
            area *= distance;
            rounding += 8.0 * f64::EPSILON * (norm(from) + norm(to)) / distance.abs();
        }
        Some((area, rounding))
    }

    /// A point of a plane when forces were found [m], and its normal.
    fn plane(&self, name: &str, frame: &Frame, scene: &Scene) -> Option<[Vec3; 2]> {
        let wall = self.walls.iter().position(|wall| wall.name == name)?;
        let (point, normal) = (self.walls[wall].figure.point()?, self.walls[wall].figure.guide()?);
        let states = &frame.wall_states;
        let moved = sub(states.displacement[wall], scale(states.velocity[wall], back(frame, scene)));
        Some([add(point, moved), normal])
    }

    /// How far the drives of a wall have moved it by a time; `None` if forces moved it.
    fn path(&self, wall: usize, stage: usize, time: f64) -> Option<Path> {
        const SAMPLES: usize = 64;
        let Path { mut at, mut reach, mut size } = Path::default();
        for begun in 0..=stage.min(self.begins.len() - 1) {
            let Now { drive, since } = self.now(wall, begun);
            let (from, to) = (self.begins[begun], self.begins.get(begun + 1).copied().unwrap_or(time).min(time));
            let moved = |to: f64| Some(scale(drive.mean_velocity(from - since, to - since)?.value, to - from));
            if to > from {
                for k in 1..=SAMPLES {
                    let way = moved(from + (to - from) * k as f64 / SAMPLES as f64)?;
                    reach = f64::max(reach, norm(add(at, way)));
                }
                size += drive.mean_velocity(from - since, to - since)?.size * (to - from);
                at = add(at, moved(to)?);
            }
            drive.mean_velocity(0.0, 1.0)?;
        }
        Some(Path { at, reach, size })
    }

    /// The position of a wall is where its drives have moved it.
    fn check_place(&self, wall: usize, stage: usize, first: Vec3, frame: &Frame, judge: &mut Judge) {
        let Some(path) = self.path(wall, stage, frame.time) else {
            return; // forces have moved it: contacts and the energy balance depend on where it is
        };
        let (moved, states) = (sub(frame.wall_states.displacement[wall], first), &frame.wall_states);
        // every step rounds position and clock
        let steps = frame.step as f64 + 8.0;
        let limit = f64::EPSILON * (steps * (2.0 * path.reach + norm(first)) + 8.0 * path.size)
            + 2.0 * clock_rounding(frame) * norm(states.velocity[wall]);
        judge.see(Check::Walls, norm(sub(moved, path.at)), limit, || {
            format!("place of wall `{}`", self.walls[wall].name)
        });
    }

    /// The faces that are drawn are the parts of the walls in the box around the grains.
    fn check_faces(&self, frame: &Frame, judge: &mut Judge) {
        if self.walls.iter().any(Machine::spins) || self.walls.len() != frame.wall_states.open.len() {
            return judge
                .leave_out(Check::Walls, "faces that are drawn, of walls that spin: frames do not tell how far");
        }
        let figures: Vec<&Figure> = self.walls.iter().map(|wall| &wall.figure).collect();
        check_faces(&figures, frame, judge);
    }
}
