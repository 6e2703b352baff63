//! Soft grains that grow.

use super::ForceField;
use crate::dim::Dim;
use crate::method::md::local_bodies::RoundBody;
use crate::world::World;

impl<D: Dim> ForceField<D> {
    /// Grows the grains for a step, before they are moved: the forces use the radii at the time at which they act. Does
    /// nothing if no grain grows.
    pub fn grow(&mut self, world: &mut World<D>, dt: f64) {
        if world.setup.growth == 0.0 {
            return;
        }
        let way = world.grains().map(|body| world.swell_travel(body, dt)).fold(0.0, f64::max);
        world.grow(dt);
        self.round = RoundBody::of(Self::force_bodies(&self.beads, world));
        self.law_table.find_range(world);
        self.list.swell(1.0 + world.setup.growth * dt, way, &self.law_table);
    }
}
