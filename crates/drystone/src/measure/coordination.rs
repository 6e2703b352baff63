//! Coordination number.

use super::frame::{FrameMeasure, FrameView, Nothing};
use super::{Measure, columns_in};
use crate::dim::Dim;
use crate::measure::contact_graph::{ContactGraph, HELD_WITH_FRICTION};
use crate::record::Column;
use crate::world::World;

/// Mean number of force-carrying contacts of a grain, with walls and fixed grains as partners.
///
/// A rattler takes no part in the force network: it has fewer than two contacts once other rattlers are gone
/// (one contact cannot hold a grain, two can when there is friction).
pub(crate) struct Coordination;

impl<D: Dim> Measure<D> for Coordination {
    fn columns(&self) -> Vec<Column> {
        ["coordination", "coordination_without_rattlers", "rattlers"].map(|name| Column::new(name, "1")).into()
    }

    fn is_in_default_series(&self) -> bool {
        true
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        row(&ContactGraph::of_world(world), &world.free_grains().collect::<Vec<usize>>())
    }
}

fn row(graph: &ContactGraph, grains: &[usize]) -> Vec<f64> {
    let held = graph.coordination_without_rattlers(grains, HELD_WITH_FRICTION);
    vec![graph.coordination(grains).contacts, held.contacts, (grains.len() - held.grains) as f64]
}

impl FrameMeasure for Coordination {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        columns_in(self, view.dimension())
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        Ok(vec![row(&ContactGraph::of_frame(view), &view.grains_in(&view.region()?))])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Contact, ContactKey, ContactMemory, Regime};
    use crate::dim::D2;
    use glam::DVec2;

    #[test]
    fn a_triangle_with_a_tail_has_two_rattlers() {
        let mut world = World::<D2>::default();
        for id in 0..6 {
            world.bodies.push_round(DVec2::ZERO, 1.0, 1.0, 1.0, id);
        }
        // grains 0, 1, 2 touch each other; 3 hangs on 2, 4 on 3; 5 is alone
        for (a, b) in [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4)] {
            let key = ContactKey { a, b, feature: 0 };
            let contact = Contact {
                key,
                normal: DVec2::X,
                gap: 0.0,
                arm_a: DVec2::X,
                arm_b: -DVec2::X,
                image_velocity: DVec2::ZERO,
            };
            world.network.contacts.push(contact);
            world.network.memory.push(ContactMemory { regime: Regime::Stick, ..ContactMemory::default() });
        }
        assert_eq!(Coordination.sample(&world), [10.0 / 6.0, 2.0, 3.0]);
    }
}
