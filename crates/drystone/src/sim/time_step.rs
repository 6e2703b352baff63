//! The time step: of rigid grains from how far they move in it, of soft ones from how long their collisions last.

use std::f64::consts::TAU;

use super::Simulation;
use crate::dim::{Dim, Vector};
use crate::drive::{Drive, Signal};
use crate::input::quantity::Quantity;
use crate::method::{Kind, TimeStepChoice, dae, ed, md};
use crate::scenario::schema::cell_drive::CellDrive;
use crate::scenario::{Output, Scenario};
use crate::wall::Surface;
use crate::world::World;

/// Part of the smallest radius that a grain may move in a step: the normal of a contact turns by about as much, in rad.
const PATH: f64 = 0.05;
/// The same for the fastest fall that there can be, which lasts a moment: half of the radius, where W202 begins.
const LONGEST_PATH: f64 = 0.5;
/// Steps that are longer than advised by this factor bring a warning, and those that are shorter by its cube: these
/// only cost time.
const FAR: f64 = 10.0;

/// What the time step should be, and why.
#[derive(Clone, Debug)]
pub(super) struct StepAdvice {
    /// The time step advised [s]; of soft grains the longest one.
    pub dt: f64,
    /// What it follows from.
    pub reason: String,
    /// Whether the scenario left the choice to the program.
    pub is_taken: bool,
}

/// Writes an automatic time step into the scenario, so that a resumed run keeps it, and returns what is advised.
pub(super) fn resolve<D: Dim>(scenario: &mut Scenario<D>, world: &mut World<D>) -> Option<StepAdvice> {
    // grains that are poured later count, too
    let present = world.bodies.clone();
    scenario.foresee(world);
    let advice = match scenario.method.r#use.value {
        Kind::Cd => of_rigid_grains(scenario, world),
        Kind::Md | Kind::Dae => of_soft_grains(scenario, world),
        Kind::Ed => of_hard_grains(scenario),
    };
    world.bodies = present;
    let choice = match (scenario.method.r#use.value, &mut scenario.method) {
        (Kind::Cd, method) => method.cd.as_mut().map(|options| &mut options.time_step),
        (Kind::Md, method) => method.md.as_mut().map(|options| &mut options.time_step),
        (Kind::Dae, method) => method.dae.as_mut().map(|options| &mut options.time_step),
        (Kind::Ed, method) => method.ed.as_mut().map(|options| &mut options.time_step),
    }?;
    let is_taken = *choice == TimeStepChoice::Auto;
    let mut advice = advice?;
    if is_taken {
        *choice = TimeStepChoice::Given(advice.dt);
    }
    advice.is_taken = is_taken;
    Some(advice)
}

/// Grains that collide at their own times are looked at as often as the output asks for.
fn of_hard_grains<D: Dim>(scenario: &mut Scenario<D>) -> Option<StepAdvice> {
    scenario.method.ed.get_or_insert_with(ed::EdOptions::default);
    let Output { series_every, frames, .. } = &scenario.output;
    let dt = series_every.time().into_iter().chain(frames.map(|every| *every)).reduce(f64::min)?;
    Some(StepAdvice { dt, reason: "the time between outputs".into(), is_taken: false })
}

/// The longest advisable time step of soft grains: the shortest over the start and all stages that change laws.
fn of_soft_grains<D: Dim>(scenario: &mut Scenario<D>, world: &mut World<D>) -> Option<StepAdvice> {
    // walls that are driven in later stages only are not known to the world yet
    let drives = scenario.stage.iter().flat_map(|stage| &stage.drive.0);
    let driven = drives.map(|(_, drive)| drive.fastest()).fold(0.0, f64::max);
    let fastest = (driven > 0.0).then(|| Quantity(md::largest_speed(world).max(2.0 * driven)));
    let options = if scenario.method.r#use.value == Kind::Md {
        let options = scenario.method.md.get_or_insert_with(md::MdOptions::default);
        options.speed = options.speed.or(fastest);
        options.clone()
    } else {
        let options = scenario.method.dae.get_or_insert_with(dae::DaeOptions::default);
        options.speed = options.speed.or(fastest);
        options.pace()
    };
    let mut found = vec![md::time_step(world, &options).1];
    let first = world.setup.laws.clone();
    for stage in (0..scenario.stage.len()).filter(|stage| scenario.stage[*stage].set.is_some()) {
        world.setup.laws = scenario.at_stage(stage).laws();
        found.push(md::time_step(world, &options).1);
    }
    world.setup.laws = first;
    let dt = found.into_iter().reduce(f64::min)?;
    let reason = format!("{} of the shortest collision", *options.fraction);
    Some(StepAdvice { dt, reason, is_taken: false })
}

/// The time step of rigid grains: the shortest of those that follow from their weight, from drives, and from speeds.
fn of_rigid_grains<D: Dim>(scenario: &Scenario<D>, world: &World<D>) -> Option<StepAdvice> {
    let radius = world.grains().map(|k| world.bodies.shape[k].radius()).fold(f64::INFINITY, f64::min);
    if !radius.is_finite() {
        return None;
    }
    let mut motions = motions_of_walls(scenario, world, radius);
    motions.extend(motions_of_cell(scenario, world, radius));
    let sets = (0..scenario.stage.len()).filter(|stage| scenario.stage[*stage].set.is_some());
    for gravity in std::iter::once(world.gravity).chain(sets.map(|stage| scenario.at_stage(stage).gravity.0)) {
        let speed = thrown(gravity.norm(), radius);
        motions.push(Motion::new(speed, PATH, "a grain fallen through its diameter".into()));
        let speed = md::falling_speed(world, gravity);
        motions.push(Motion::new(speed, LONGEST_PATH, format!("a grain fallen through all others ({speed:.2e} m/s)")));
    }
    let bodies = &world.bodies;
    let speed = |k: usize| bodies.twist[k].v.norm() + bodies.twist[k].w.norm() * bodies.shape[k].radius();
    let speed = world.grains().map(speed).fold(0.0, f64::max);
    motions.push(Motion::new(speed, PATH, format!("the fastest grain at the start ({speed:.2e} m/s)")));
    let step = |motion: &Motion| motion.path * radius / motion.speed;
    let shortest = motions.iter().filter(|motion| motion.speed > 0.0).min_by(|a, b| step(a).total_cmp(&step(b)))?;
    let part = 100.0 * shortest.path;
    let reason = format!("{} moves {part:.0} % of the smallest radius", shortest.what);
    Some(StepAdvice { dt: step(shortest), reason, is_taken: false })
}

/// Something that moves, and the part of the smallest radius that it may move by in a step.
struct Motion {
    speed: f64,
    path: f64,
    what: String,
}

impl Motion {
    fn new(speed: f64, path: f64, what: String) -> Motion {
        Motion { speed, path, what }
    }
}

/// Speed after a diameter under an acceleration.
fn thrown(acceleration: f64, radius: f64) -> f64 {
    (4.0 * acceleration * radius).sqrt()
}

/// How walls move, by the drives of the start and of all stages.
fn motions_of_walls<D: Dim>(scenario: &Scenario<D>, world: &World<D>, radius: f64) -> Vec<Motion> {
    let staged = scenario.stage.iter().flat_map(|stage| stage.drive.0.iter().map(|(name, drive)| (&name.value, drive)));
    let drives = scenario.wall.iter().map(|wall| (&wall.name.value, &wall.drive)).chain(staged);
    let motion = |(name, drive): (&String, &Drive<D>)| {
        let number = scenario.wall.iter().position(|wall| wall.name.value == *name)?;
        let push = |force: f64| {
            let mass = scenario.wall[number].mass?;
            let speed = thrown(force / *mass, radius);
            Some((speed, format!("the wall \"{name}\", pushed through a diameter by its drive,")))
        };
        let (speed, what) = match drive {
            Drive::Still(_) | Drive::Membrane(_) => return None,
            Drive::Velocity(signal) => (signal.largest(), format!("the wall \"{name}\"")),
            Drive::Acceleration(signal) => {
                // a shaken wall is no faster than its record allows; one that is only pushed is as fast as a fall
                let speed = reached(signal).unwrap_or_else(|| thrown(signal.largest(), radius));
                (speed, format!("the wall \"{name}\""))
            }
            Drive::Spin(signal) => match &*scenario.wall[number].surface {
                Surface::Cylinder(drum) => (signal.largest() * *drum.radius, format!("the wall \"{name}\"")),
                _ => return None,
            },
            Drive::Force(signal) => push(signal.largest())?,
            Drive::Pressure(press) => push(press.value.largest() * world.pressed_area(&press.extent))?,
        };
        Some(Motion::new(speed, PATH, what))
    };
    drives.filter_map(motion).collect()
}

/// Largest speed of a wall that a sine shakes from rest: twice the amplitude over the circular frequency.
fn reached<V: crate::drive::Amount>(acceleration: &Signal<V>) -> Option<f64> {
    match acceleration {
        Signal::Sine(sine) => Some(2.0 * acceleration.largest() / (TAU * *sine.frequency)),
        _ => None,
    }
}

/// How neighbours move past each other as the lattice changes, or as they grow.
fn motions_of_cell<D: Dim>(scenario: &Scenario<D>, world: &World<D>, radius: f64) -> Vec<Motion> {
    let diameter = 2.0 * radius;
    let mut motions = Vec::new();
    let mut add = |rate: f64, what: &str| motions.push(Motion::new(rate * diameter, PATH, what.to_string()));
    let first = scenario.cell.iter().map(|spec| &*spec.drive);
    for drive in first.chain(scenario.stage.iter().filter_map(|stage| stage.cell.as_ref())) {
        let CellDrive { shear, stress, stretch, .. } = drive;
        let Some(cell) = &world.cell else { continue };
        if let Some(rate) = shear.as_ref().and_then(|shear| shear.rate) {
            add(rate.abs(), "a grain that is sheared past its neighbour");
        }
        for axis in cell.axes() {
            let length = cell.lengths.get(axis);
            if let Some(stretch) = stretch {
                add(stretch.velocity.0.get(axis).abs() / length, "a grain, as the cell shrinks or grows,");
            }
            if let Some(stress) = stress {
                let others: f64 = (0..D::DIMENSION).filter(|k| *k != axis).map(|k| cell.lengths.get(k)).product();
                let depth = if D::DIMENSION == 2 { world.setup.depth } else { 1.0 };
                let urge = stress.normal.0.get(axis).abs() * others * depth / *stress.mass;
                let speed = thrown(urge * diameter / length, radius);
                add(speed / diameter, "a grain that the stress of the cell pushes through its diameter");
            }
        }
    }
    for grow in scenario.stage.iter().filter_map(|stage| stage.grow.as_ref()) {
        add(*grow.rate, "the surface of a grain that grows");
    }
    motions
}

impl<D: Dim> Simulation<D> {
    /// The line about an automatic time step.
    pub(super) fn time_step_note(&self) -> Option<String> {
        let advice = self.advice.as_ref().filter(|advice| advice.is_taken)?;
        Some(format!("time step {:.3e} s: {}", advice.dt, advice.reason))
    }

    /// The warning about a time step that is far from the one advised, with its code.
    pub(super) fn time_step_warning(&self) -> Option<(&'static str, String)> {
        let (dt, advice) = (self.method.time_step(), self.advice.as_ref()?);
        let (ratio, StepAdvice { dt: advised, reason, .. }) = (dt / advice.dt, advice);
        if self.scenario.method.r#use.value == Kind::Ed {
            return None; // it decides nothing
        }
        if self.scenario.method.r#use.value != Kind::Cd {
            let message = format!(
                "the time step {dt:.2e} s is longer than {advised:.2e} s, the part of a collision that is advisable"
            );
            return (ratio > 1.0).then_some(("W211", message));
        }
        let message = |how: &str| {
            format!(
                "the time step {dt:.2e} s is {how} {advised:.1e} s, in which {reason}: time_step = \"auto\" takes that"
            )
        };
        match ratio {
            _ if ratio > FAR => Some(("W213", message(&format!("{ratio:.1} times")))),
            _ if ratio < FAR.powi(-3) => Some(("W213", message(&format!("a {:.0}th of", 1.0 / ratio)))),
            _ => None,
        }
    }
}
