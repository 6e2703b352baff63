//! Walls move as their drives say: velocities, places, spins, masses and forces of walls against the scenario, and the faces
//! that are drawn.

use std::io;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;

use super::judge::{Check, Judge};
use super::scene::{Scene, Scheme};
use super::space::{Vec3, add, dot, norm, scale, sub};
use super::step::back;
use crate::dim::{D2, D3, Dim, Vector, in_space};
use crate::drive::{Drive, PressedArea};
use crate::input::quantity::Mass;
use crate::input::{Fields, Node, Reader, Table, Text, Value};
use crate::record::frame::{Face, Frame};
use crate::record::npz::invalid;
use crate::wall::Surface;
use crate::wall::WallPose;
use crate::wall::patch;

/// A wall of a resolved scenario.
struct Machine<D: Dim> {
    name: String,
    surface: Surface<D>,
    /// Mass of a piston [kg].
    mass: Option<f64>,
}

/// A wall, and since when which drive moves it.
struct Moved<D: Dim> {
    machine: Machine<D>,
    /// Numbers of stages and drives that they set, the scenario's own first.
    drives: Vec<(usize, Drive<D>)>,
}

impl<D: Dim> Moved<D> {
    fn read(node: &Node, reader: &Reader) -> Option<Moved<D>> {
        let table = Table::open(node, reader)?;
        let drive = table.claim("drive").map_or(Some(Drive::FIXED), |drive| Drive::read(drive, reader))?;
        let mass = table.claim("mass").and_then(|mass| Mass::read(mass, reader)).map(|mass| *mass);
        let name = table.claim("name").and_then(|name| String::read(name, reader))?;
        let surface = Surface::read_fields(&table)?;
        Some(Moved { machine: Machine { name, surface, mass }, drives: vec![(0, drive)] })
    }
}

/// All walls of a run.
pub struct Drives<D: Dim> {
    walls: Vec<Moved<D>>,
    /// Times at which stages began [s].
    begins: Vec<f64>,
    first: Option<Vec<Vec3>>,
    /// Whether it is known when stages began.
    is_dated: bool,
}

/// The walls of a run of either dimension.
pub enum Machines {
    /// In the plane.
    Plane(Drives<D2>),
    /// In space.
    Space(Drives<D3>),
}

impl Machines {
    /// Reads the walls of a resolved scenario; when its stages ended stands in the report.
    pub fn read(path: &Path, dimension: usize, report: Option<&Json>) -> io::Result<Machines> {
        let text = Text { name: "scenario.toml".into(), text: std::fs::read_to_string(path)? };
        let tree = Node::parse(&Arc::new(text)).0;
        let folder = path.parent().unwrap_or(Path::new("."));
        Ok(match dimension {
            2 => Machines::Plane(Drives::of(&tree, folder, report)?),
            _ => Machines::Space(Drives::of(&tree, folder, report)?),
        })
    }

    /// Checks the walls of a frame.
    pub fn check(&mut self, frame: &Frame, scene: &Scene, judge: &mut Judge) {
        match self {
            Machines::Plane(drives) => drives.check(frame, scene, judge),
            Machines::Space(drives) => drives.check(frame, scene, judge),
        }
    }
}

/// Roundings of the clock, which adds up its steps, in units of the time.
fn clock_rounding(frame: &Frame) -> f64 {
    (frame.step as f64 + 8.0) * f64::EPSILON * frame.time.abs()
}

impl<D: Dim> Drives<D> {
    fn of(tree: &Node, folder: &Path, report: Option<&Json>) -> io::Result<Drives<D>> {
        let reader = Reader::new(folder.to_path_buf());
        let nodes = |key: &str| tree.get(key).map_or(&[][..], Node::items);
        let mut walls: Vec<Moved<D>> = nodes("wall").iter().filter_map(|node| Moved::read(node, &reader)).collect();
        for (stage, node) in nodes("stage").iter().enumerate() {
            let Some(drives) = node.get("drive").and_then(|drives| Table::open(drives, &reader)) else { continue };
            for entry in drives.keys() {
                let wall = walls.iter_mut().find(|wall| wall.machine.name == entry.key);
                if let (Some(wall), Some(drive)) = (wall, Drive::read(&entry.node, &reader)) {
                    wall.drives.push((stage, drive));
                }
            }
        }
        if let Some(mistake) = reader.finish().0.first() {
            return Err(invalid(mistake.message.clone()));
        }
        let ended = report.and_then(|report| report["stages"].as_array()).map(Vec::as_slice).unwrap_or_default();
        let begins = std::iter::once(0.0).chain(ended.iter().filter_map(|stage| stage["time"].as_f64())).collect();
        let is_dated = report.is_some() || nodes("stage").len() < 2;
        Ok(Drives { walls, begins, first: None, is_dated })
    }

    /// The drive that moves a wall in a stage, and since when [s].
    fn now(&self, wall: usize, stage: usize) -> (&Drive<D>, f64) {
        let drives = &self.walls[wall].drives;
        let (since, drive) = drives.iter().rfind(|(since, _)| *since <= stage).unwrap_or(&drives[0]);
        (drive, self.begins[(*since).min(self.begins.len() - 1)])
    }

    fn check(&mut self, frame: &Frame, scene: &Scene, judge: &mut Judge) {
        let states = &frame.wall_states;
        if !self.is_dated {
            return judge
                .leave_out(Check::Walls, "runs with stages that are not over: report.json says when they began");
        }
        let first = self.first.get_or_insert_with(|| states.displacement.clone()).clone();
        let stage = self.begins.iter().skip(1).filter(|begin| **begin < frame.time).count();
        let has_rest = frame.step == 0 && !scene.is_continued;
        let walls = self.walls.len().min(states.velocity.len());
        for (wall, started) in first.iter().enumerate().take(walls) {
            let (drive, since) = self.now(wall, stage);
            let machine = &self.walls[wall].machine;
            let mass = machine.mass.filter(|_| matches!(drive, Drive::Force(_) | Drive::Pressure(_)));
            let name = |what: &str| format!("{what} of wall `{}`", machine.name);
            judge.require(Check::Walls, states.mass[wall] == mass.unwrap_or(f64::INFINITY), || name("mass"));
            judge.require(Check::Walls, states.open[wall] == u8::from(drive.is_open()), || name("gate"));
            self.check_velocity(wall, (drive, since), frame, has_rest, judge);
            self.check_push(wall, (drive, since), mass, frame, scene, judge);
            let path = self.path(wall, stage, frame.time);
            self.check_place(wall, path, (frame, *started), scene, judge);
        }
        self.check_faces(frame, judge);
    }

    /// Velocity and angular velocity in the last step, and the same at its start; of a piston those across its guide.
    fn check_velocity(
        &self,
        wall: usize,
        (drive, since): (&Drive<D>, f64),
        frame: &Frame,
        has_rest: bool,
        judge: &mut Judge,
    ) {
        let (states, machine) = (&frame.wall_states, &self.walls[wall].machine);
        let name = |what: &str| format!("{what} of wall `{}`", machine.name);
        let [v, before, w] = [states.velocity[wall], states.previous_velocity[wall], states.angular_velocity[wall]];
        if frame.step == 0 {
            judge.require(Check::Walls, !has_rest || [v, before, w] == [[0.0; 3]; 3], || name("velocity"));
            return;
        }
        let (from, doubt) = (frame.time - frame.time_step - since, clock_rounding(frame));
        let mean = |from: f64| drive.mean_velocity(from, from + frame.time_step).map(in_space);
        if let [Some(expected), Some(sooner), Some(later)] = [from, from - doubt, from + doubt].map(mean) {
            let limit = norm(sub(later, expected)) + norm(sub(expected, sooner)) + 16.0 * f64::EPSILON * norm(expected);
            judge.see(Check::Walls, norm(sub(v, expected)), limit, || name("velocity"));
            judge.require(Check::Walls, before == v, || name("velocity at the start"));
        } else if let Surface::Plane(plane) = &machine.surface {
            let slide = match drive {
                Drive::Pressure(press) => press.slide.as_ref().map_or(D::Vec::ZERO, |slide| slide.0),
                _ => D::Vec::ZERO,
            };
            let slide = in_space(slide.tangent_to(plane.normal.0));
            let across = |v: Vec3| sub(v, scale(in_space(plane.normal.0), dot(v, in_space(plane.normal.0))));
            for (what, v) in [("velocity", v), ("velocity at the start", before)] {
                let limit = 16.0 * f64::EPSILON * (norm(v) + norm(slide));
                judge.see(Check::Walls, norm(sub(across(v), slide)), limit, || {
                    name(&format!("{what} across the guide"))
                });
            }
        }
        let spin = |from: f64| {
            let rate = machine.surface.axis().map_or(0.0, |_| drive.mean_spin(from, from + frame.time_step));
            let axis = machine.surface.axis().map_or([0.0; 3], in_space);
            if D::DIMENSION == D2::DIMENSION { [0.0, 0.0, rate] } else { scale(axis, rate) }
        };
        let [expected, sooner, later] = [from, from - doubt, from + doubt].map(spin);
        let limit = norm(sub(later, expected)) + norm(sub(expected, sooner)) + 16.0 * f64::EPSILON * norm(expected);
        judge.see(Check::Walls, norm(sub(w, expected)), limit, || name("angular velocity"));
    }

    /// The force that drives a piston; none drives other walls.
    fn check_push(
        &self,
        wall: usize,
        (drive, since): (&Drive<D>, f64),
        mass: Option<f64>,
        frame: &Frame,
        scene: &Scene,
        judge: &mut Judge,
    ) {
        let (states, machine) = (&frame.wall_states, &self.walls[wall].machine);
        let name = || format!("force that drives wall `{}`", machine.name);
        let (Some(_), Surface::Plane(plane), true) = (mass, &machine.surface, frame.step > 0) else {
            return judge.require(Check::Walls, states.drive[wall] == [0.0; 3], name);
        };
        let (doubt, dt) = (clock_rounding(frame), frame.time_step);
        let (mut area, mut rounding) = (1.0, 16.0 * f64::EPSILON);
        if let Drive::Pressure(press) = drive {
            match &press.extent.0 {
                PressedArea::Area(given) => area = *given.area,
                PressedArea::Between(_) if scene.scheme == Scheme::Soft => {
                    let why = "pressures of soft pistons: frames do not tell where they stood when the step began";
                    return judge.leave_out(Check::Walls, why);
                }
                PressedArea::Between(sides) => {
                    area = scene.depth.unwrap_or(1.0);
                    for [one, other] in &sides.between.0 {
                        let Some((distance, size)) = self.distance(one, other, frame, scene) else { return };
                        area *= distance;
                        rounding += 8.0 * f64::EPSILON * size / distance.abs();
                    }
                }
            }
        }
        let mean = |from: f64| match drive {
            Drive::Force(force) => Some(force.mean(from, from + dt)),
            Drive::Pressure(press) => Some(press.value.mean(from, from + dt) * area),
            _ => None,
        };
        let from = frame.time - frame.time_step - since;
        if let [Some(expected), Some(sooner), Some(later)] = [from, from - doubt, from + doubt].map(mean) {
            let limit = (later - expected).abs() + (expected - sooner).abs() + rounding * expected.abs();
            let off = norm(sub(states.drive[wall], scale(in_space(plane.normal.0), expected)));
            judge.see(Check::Walls, off, limit, name);
        }
    }

    /// Distance of two planes when forces were found, and the lengths that it is the difference of [m].
    fn distance(&self, one: &str, other: &str, frame: &Frame, scene: &Scene) -> Option<(f64, f64)> {
        let plane = |name: &str| {
            let wall = self.walls.iter().position(|wall| wall.machine.name == name)?;
            let Surface::Plane(plane) = &self.walls[wall].machine.surface else { return None };
            let states = &frame.wall_states;
            let moved = sub(states.displacement[wall], scale(states.velocity[wall], back(frame, scene)));
            Some((add(in_space(plane.point.0), moved), in_space(plane.normal.0)))
        };
        let ((from, normal), (to, _)) = (plane(one)?, plane(other)?);
        Some((dot(sub(to, from), normal), norm(from) + norm(to)))
    }

    /// How far the drives of a wall have led it by a time, and how far it was at most [m]; `None` if forces moved it.
    fn path(&self, wall: usize, stage: usize, time: f64) -> Option<(Vec3, f64)> {
        const SAMPLES: usize = 64;
        let (mut at, mut reach) = ([0.0; 3], 0.0);
        for begun in 0..=stage.min(self.begins.len() - 1) {
            let (drive, since) = self.now(wall, begun);
            let (from, to) = (self.begins[begun], self.begins.get(begun + 1).copied().unwrap_or(time).min(time));
            let moved = |to: f64| {
                let velocity = in_space(drive.mean_velocity(from - since, to - since)?);
                Some(scale(velocity, to - from))
            };
            if to > from {
                for k in 1..=SAMPLES {
                    let way = moved(from + (to - from) * k as f64 / SAMPLES as f64)?;
                    reach = f64::max(reach, norm(add(at, way)));
                }
                at = add(at, moved(to)?);
            }
            drive.mean_velocity(0.0, 1.0)?;
        }
        Some((at, reach))
    }

    /// A wall stands where its drives have led it.
    fn check_place(
        &self,
        wall: usize,
        path: Option<(Vec3, f64)>,
        (frame, first): (&Frame, Vec3),
        scene: &Scene,
        judge: &mut Judge,
    ) {
        let name = || format!("place of wall `{}`", self.walls[wall].machine.name);
        if !scene.is_continued {
            judge.require(Check::Walls, frame.step > 0 || first == [0.0; 3], name);
        }
        let Some((path, reach)) = path else {
            return; // forces have moved it: contacts and the energy ledger tell where it is
        };
        let (moved, states) = (sub(frame.wall_states.displacement[wall], first), &frame.wall_states);
        // every step rounds place and clock
        let steps = frame.step as f64 + 8.0;
        let limit = f64::EPSILON * steps * (2.0 * reach + norm(first))
            + 2.0 * clock_rounding(frame) * norm(states.velocity[wall]);
        judge.see(Check::Walls, norm(sub(moved, path)), limit, name);
    }

    /// The faces that are drawn follow from the surfaces, their places and the room that the grains take.
    fn check_faces(&self, frame: &Frame, judge: &mut Judge) {
        let states = &frame.wall_states;
        let spins = |wall: &Moved<D>| wall.drives.iter().any(|(_, drive)| matches!(drive, Drive::Spin(_)));
        if self.walls.iter().any(spins) || self.walls.len() != states.open.len() {
            return judge
                .leave_out(Check::Walls, "faces that are drawn, of walls that spin: frames do not tell how far");
        }
        let Some(room) = room::<D>(frame) else { return };
        let mut faces = Vec::new();
        for (wall, moved) in self.walls.iter().enumerate().filter(|(wall, _)| states.open[*wall] == 0) {
            let pose = WallPose { x: D::Vec::from_fn(|axis| states.displacement[wall][axis]), q: D::UPRIGHT };
            for corners in moved.machine.surface.faces(pose, &room) {
                faces.push(Face { wall: wall as u32, corners: corners.into_iter().map(in_space).collect() });
            }
        }
        judge.require(Check::Walls, faces == frame.walls, || "faces that are drawn".into());
    }
}

/// The room around all grains, a little widened, to which faces are cut.
fn room<D: Dim>(frame: &Frame) -> Option<patch::Scene<D>> {
    let grains = &frame.grains;
    let edge = |pick: fn(f64, f64) -> f64, sign: f64, start: f64| {
        let side = |axis: usize| grains.position.iter().zip(&grains.radius).map(move |(x, r)| x[axis] + sign * r);
        D::Vec::from_fn(|axis| side(axis).fold(start, pick))
    };
    let (min, max) = (edge(f64::min, -1.0, f64::INFINITY), edge(f64::max, 1.0, f64::NEG_INFINITY));
    let margin = D::Vec::from_fn(|_| 0.05 * (max - min).norm());
    (!grains.position.is_empty()).then(|| patch::Scene { min: min - margin, max: max + margin })
}
