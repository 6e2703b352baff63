//! Grains that a stage removes: those outside a region, and those that carry no force.

use super::grains::GrainRegion;
use crate::contact::Regime;
use crate::dim::{Dim, Vector};
use crate::list::record;
use crate::world::World;

record! {
    /// Grains that are taken away when a stage begins.
    pub struct Remove<D> {
        /// Those whose centre does not lie in this region: cuts a sample out.
        outside: Option<GrainRegion<D>>,
        /// Those with fewer than so many contacts that carry a force, again and again until none is left: rattlers.
        rattlers: Option<u64>,
    }
}

impl<D: Dim> Remove<D> {
    /// Which bodies stay. Fixed grains stay unless they are outside the region.
    pub fn keeps(&self, world: &World<D>) -> Vec<bool> {
        let bodies = &world.bodies;
        let mut kept = vec![true; bodies.len()];
        if let Some(region) = &self.outside {
            for k in world.grains() {
                kept[k] = (0..D::DIMENSION).all(|axis| {
                    (region.min.0.get(axis)..=region.max.0.get(axis)).contains(&world.home_place(k).get(axis))
                });
            }
        }
        let Some(least) = self.rattlers else { return kept };
        loop {
            let mut count = vec![0; bodies.len()];
            for (contact, memory) in world.network.contacts.iter().zip(&world.network.memory) {
                let ends = [contact.key.a, contact.key.b].map(|body| body as usize);
                if memory.regime != Regime::Open && ends.iter().all(|body| kept[*body]) {
                    ends.iter().for_each(|body| count[*body] += 1);
                }
            }
            let rattles = |k: &usize| kept[*k] && bodies.inertia[*k].is_movable() && count[*k] < least;
            let rattlers: Vec<usize> = world.grains().filter(rattles).collect();
            if rattlers.is_empty() {
                return kept;
            }
            rattlers.into_iter().for_each(|k| kept[k] = false);
        }
    }
}
