//! Blows: velocities jump, rods and joints pass them on, and contacts that stick let go.

use super::Dae;
use super::active_set::SLACK;
use super::contact_history::{ContactHistory, FrictionMode};
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};
use crate::world::World;

impl<D: Dim> Dae<D> {
    /// Gives grains the blows of this step, at its start, and enters their work into the energy balance.
    ///
    /// A blow is an infinite force: friction, which is finite, does not hold against it, but rods do. Contacts whose
    /// slip is no longer zero slide from now on.
    pub(super) fn strike(&mut self, world: &mut World<D>) -> Result<(), Coincident> {
        let blows = world.blows(self.dt);
        if blows.is_empty() {
            return Ok(());
        }
        let before = world.bodies.twist.clone();
        world.strike(&blows);
        let rods: Vec<_> =
            world.setup.links.constraints.iter().flat_map(|constraint| constraint.rows(&world.bodies)).collect();
        self.field.project_onto(&rods, world);
        let mean = |body: usize| (before[body].v + world.bodies.twist[body].v) * 0.5;
        let work: f64 = blows.iter().map(|(body, impulse)| impulse.dot(mean(*body))).sum();
        world.ledger.wall_work += work;
        let jump = |body: u32| (world.bodies.twist[body as usize].v - before[body as usize].v).norm();
        let jumps: Vec<f64> = (0..world.bodies.len() as u32).map(jump).collect();
        let largest = jumps.iter().copied().fold(0.0, f64::max);
        for soft_contact in self.field.find_contacts(world)? {
            let known = super::contact_history::find(&self.field.histories, soft_contact.contact.key);
            let Some(history) = known.map(|k| &mut self.field.histories[k]) else { continue };
            if soft_contact.slip.norm() > SLACK * largest {
                let ContactHistory { deepest, spring, .. } = *history;
                *history = ContactHistory::new(history.key, soft_contact.slip);
                (history.deepest, history.spring, history.mode) = (deepest, spring, FrictionMode::Slide);
            }
        }
        let struck: Vec<usize> = (0..jumps.len()).filter(|body| jumps[*body] > 0.0).collect();
        self.options.integrator.as_dyn::<D>().forget(&mut self.carried, jumps.len(), &struck);
        world.remember_twists();
        Ok(())
    }
}
