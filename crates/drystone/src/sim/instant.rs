//! The world at a stored frame, and the contact problem of the step that follows it.

use std::io;

use super::{RunError, Simulation};
use crate::contact::{ContactMemory, Network};
use crate::dim::{Dim, Vector};
use crate::input::Reader;
use crate::method::cd::problem::{AnyProblem, Flaw};
use crate::method::cd::{ContactDynamics, Unconverged};
use crate::method::{Kind, Method};
use crate::record::{Frame, RunFolder, checkpoint, frame_files};
use crate::scenario::{AnyScenario, Scenario};
use crate::world::{Clock, World};

/// The contact problem of the step after a frame of a run; none if nothing touches.
pub fn problem_after(folder: &RunFolder, number: usize) -> Result<Option<AnyProblem>, RunError> {
    let frame = frame_files::read(&folder.frames(), number)?;
    match AnyScenario::read(&folder.scenario(), &[])? {
        AnyScenario::Plane(scenario) => problem_of(&scenario, folder, &frame),
        AnyScenario::Space(scenario) => problem_of(&scenario, folder, &frame),
    }
}

fn problem_of<D: Dim>(
    scenario: &Scenario<D>,
    folder: &RunFolder,
    frame: &Frame,
) -> Result<Option<AnyProblem>, RunError> {
    if scenario.method.r#use.value != Kind::Cd {
        return Err(unfit(frame, "its grains are soft: there is no contact problem to solve"));
    }
    if scenario.contact.iter().any(|contact| !contact.law.0.is_friction_only()) {
        return Err(unfit(frame, "an FCLIB problem has friction and no other law"));
    }
    if scenario.cell.as_ref().is_some_and(|cell| cell.drive.stress.is_some()) {
        return Err(unfit(frame, "its cell follows a stress, which FCLIB cannot store"));
    }
    if scenario.stage.iter().any(|stage| stage.cell.is_some()) {
        return Err(unfit(frame, "how its cell changed is not known"));
    }
    if scenario.wall.iter().any(|wall| wall.mass.is_some()) {
        return Err(unfit(frame, "where its pistons stood is not known"));
    }
    let (world, now) = world_at(scenario, folder, frame)?;
    let options = now.method.cd.clone().expect("a checked scenario has [method.cd]");
    let mut method = ContactDynamics::new(options);
    method.options.unconverged = Unconverged::Warn;
    next_problem(&world, &mut method)
}

/// The problem of the next step of a world; none if nothing touches. The step is made on a copy of the world to find
/// all contacts that it needs: bodies that are far apart at its start can meet during it.
pub fn next_problem<D: Dim>(world: &World<D>, method: &mut ContactDynamics<D>) -> Result<Option<AnyProblem>, RunError> {
    let (mut start, mut after) = (world.clone(), world.clone());
    method.step(&mut after)?;
    let memory = vec![ContactMemory::default(); after.network.contacts.len()];
    start.network = Network { contacts: after.state.network.contacts, memory, ..Network::default() };
    start.drive_walls(method.time_step());
    match AnyProblem::of(&start, method.time_step()) {
        Ok(problem) => Ok(Some(problem)),
        Err(Flaw::Empty) => Ok(None),
        Err(flaw) => Err(RunError::File(io::Error::new(io::ErrorKind::InvalidData, flaw.to_string()))),
    }
}

/// The world at a frame: walls and laws from the scenario, masses from the checkpoint, poses and velocities from the
/// frame. Contacts are not searched for yet and have no history. Also returns the scenario as changed by the stages up
/// to that frame.
fn world_at<D: Dim>(
    scenario: &Scenario<D>,
    folder: &RunFolder,
    frame: &Frame,
) -> Result<(World<D>, Scenario<D>), RunError> {
    let mut simulation = Simulation::with_world(scenario, scenario.stage_world());
    simulation.progress = checkpoint::load(folder, &folder.checkpoint(), &mut simulation.world)?;
    if frame.step > simulation.world.clock.step {
        let fault = "it is newer than the checkpoint: `drystone resume` brings the folder in order";
        return Err(unfit(frame, fault));
    }
    let begun = simulation.progress.stage_starts.iter().filter(|start| **start <= frame.time).count();
    let now = scenario.at_stage(begun.max(1) - 1);
    simulation.place_walls(frame.time);
    let mut world = simulation.world;
    world.setup.names = simulation.progress.names;
    world.setup.loads = scenario.put_loads(&world, &Reader::default());
    (world.setup.laws, world.gravity) = (now.laws(), now.gravity.0);
    world.clock = Clock::at(frame.time, frame.step);
    world.network = Network::default();
    place_grains(&mut world, frame)?;
    Ok((world, now))
}

impl<D: Dim> Simulation<D> {
    /// Sets the drives of all stages up to a time, and moves the walls to where these drives have taken them by then.
    fn place_walls(&mut self, time: f64) {
        let starts: Vec<f64> = self.progress.stage_starts.iter().copied().filter(|start| *start <= time).collect();
        let walls = self.world.setup.walls.len();
        self.world.bodies.pose[..walls].iter_mut().for_each(|pose| pose.x = D::Vec::ZERO);
        for (stage, &from) in starts.iter().enumerate() {
            self.set_drives(stage, from);
            let to = starts.get(stage + 1).copied().unwrap_or(time);
            for (wall, pose) in self.world.setup.walls.iter().zip(&mut self.world.state.bodies.pose) {
                let velocity = wall.drive.mean_velocity(from - wall.since, to - wall.since);
                pose.x += velocity.unwrap_or(D::Vec::ZERO) * (to - from);
            }
        }
    }
}

fn place_grains<D: Dim>(world: &mut World<D>, frame: &Frame) -> Result<(), RunError> {
    let grains = &frame.grains;
    if grains.id.len() != world.grains().len() || frame.dimension != D::DIMENSION || !grains.id.is_sorted() {
        return Err(unfit(frame, "its grains are not those of the checkpoint"));
    }
    for body in world.grains() {
        let Ok(k) = grains.id.binary_search(&world.bodies.id[body]) else {
            return Err(unfit(frame, "its grains are not those of the checkpoint"));
        };
        let vector = |components: [f64; 3]| D::Vec::from_fn(|axis| components[axis]);
        let (pose, twist) = (&mut world.state.bodies.pose[body], &mut world.state.bodies.twist[body]);
        (pose.x, pose.q) = (vector(grains.own_position(k)), D::rot_of(grains.orientation[k]));
        (twist.v, twist.w) = (vector(grains.own_velocity(k)), D::spin_of(grains.angular_velocity[k]));
    }
    Ok(())
}

fn unfit(frame: &Frame, fault: &str) -> RunError {
    let message = format!("the frame of step {} cannot be used: {fault}", frame.step);
    RunError::File(io::Error::new(io::ErrorKind::InvalidData, message))
}
