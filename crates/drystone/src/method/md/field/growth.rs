//! Soft grains that grow.

use super::ForceField;
use crate::dim::Dim;
use crate::method::md::local_bodies::RoundBody;
use crate::world::World;

impl<D: Dim> ForceField<D> {
    /// Lets grains grow for a step, before they are moved: forces see the radii of their own time. Nothing is done for
    /// grains that keep their size.
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
