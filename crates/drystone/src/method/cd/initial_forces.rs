//! The forces that the first step starts from.

use super::ContactDynamics;
use super::local_problem::LocalProblems;
use crate::contact::Regime;
use crate::dim::{Dim, Vector};
use crate::method::statics::{Equilibrium, SupportContact, SupportedBody, alarm, find_equilibrium};
use crate::world::World;

impl<D: Dim> ContactDynamics<D> {
    /// Gives the contacts forces that balance all loads, and reports if there are none. Torques of rolling and torsion
    /// friction remain zero.
    pub(super) fn start_in_equilibrium(&mut self, world: &mut World<D>, dt: f64) {
        let held: Vec<Option<SupportedBody<D>>> =
            (0..world.bodies.len()).map(|body| SupportedBody::of(world, body, load(world, body, dt))).collect();
        let problems = LocalProblems { world, dt, scheme: self.options.scheme };
        let contacts = world.network.contacts.iter().enumerate();
        let bearing: Vec<usize> = contacts.filter(|(_, contact)| problems.may_bear(contact)).map(|(k, _)| k).collect();
        let bearings: Vec<SupportContact<D>> = bearing.iter().map(|k| problems.bearing(*k)).collect();
        match find_equilibrium(&held, &bearings) {
            Equilibrium::Found(found) => {
                for (k, force) in bearing.into_iter().zip(found.forces) {
                    let memory = &mut world.network.memory[k];
                    (memory.impulse, memory.torque) = (force * dt, D::Spin::ZERO);
                    memory.regime = if force == D::Vec::ZERO { Regime::Open } else { Regime::Stick };
                }
            }
            answer => self.alarms.extend(alarm(&answer)),
        }
    }
}

/// Acceleration that a body would have without contacts, over the step [m/s2].
fn load<D: Dim>(world: &World<D>, body: usize, dt: f64) -> D::Vec {
    let now = world.clock.time;
    match (body < world.setup.walls.len()).then(|| world.wall_axis(body)).flatten() {
        Some(axis) => {
            let force = world.piston_force(body, now, now + dt).unwrap_or(0.0);
            axis * (world.gravity.dot(axis) + force * world.bodies.inertia[body].inv_m)
        }
        None => world.pull(body),
    }
}
