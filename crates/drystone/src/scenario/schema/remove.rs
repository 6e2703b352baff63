//! Grains that a stage removes: those outside a region, and those that carry no force.

use crate::dim::{Dim, Vector};
use crate::list::record;
use crate::measure::contact_graph::ContactGraph;
use crate::scenario::schema::grains::GrainRegion;
use crate::world::World;

record! {
    /// Grains that are taken away when a stage begins.
    pub struct Remove<D> at span {
        /// Those whose centre does not lie in this region: cuts out a sample.
        outside: Option<GrainRegion<D>>,
        /// Rattlers: those with fewer force-carrying contacts than this, removed repeatedly until none is left.
        rattlers: Option<u64>,
    }
}

impl<D: Dim> Remove<D> {
    /// Which bodies stay. Fixed grains stay unless they are outside the region.
    pub fn keeps(&self, world: &World<D>) -> Vec<bool> {
        let mut kept = vec![true; world.bodies.len()];
        if let Some(region) = &self.outside {
            for k in world.grains() {
                kept[k] = (0..D::DIMENSION).all(|axis| {
                    (region.min.0.get(axis)..=region.max.0.get(axis)).contains(&world.home_place(k).get(axis))
                });
            }
        }
        let Some(least) = self.rattlers else { return kept };
        let mut graph = ContactGraph::of_world(world);
        graph.keep_only(&kept);
        let degrees = graph.degrees_without_rattlers(least);
        world.free_grains().for_each(|k| kept[k] &= degrees[k] >= least);
        kept
    }
}
