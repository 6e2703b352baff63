//! Coordination number.

use super::FrameMeasure;
use super::view::{FrameView, Nothing};
use crate::measure::contact_graph::{ContactGraph, HELD_WITH_FRICTION};
use crate::record::Column;

/// Mean number of force-carrying contacts of a grain in the region, with walls and fixed grains as partners.
///
/// A rattler takes no part in the force network: it has fewer than two contacts once other rattlers are gone. Without
/// friction two contacts cannot hold a grain either: the columns `_frictionless` take away grains with fewer than d + 1
/// contacts (2D: 3, 3D: 4), which is what a frictionless grain needs.
pub(crate) struct FrameCoordination;

impl FrameMeasure for FrameCoordination {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        [
            "coordination",
            "coordination_without_rattlers",
            "rattlers",
            "coordination_frictionless",
            "rattlers_frictionless",
        ]
        .map(|name| Column::new(name, "1"))
        .into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let grains = view.grains_in(&view.region()?);
        let graph = ContactGraph::of_frame(view);
        let held = graph.coordination_without_rattlers(&grains, HELD_WITH_FRICTION);
        let frictionless = graph.coordination_without_rattlers(&grains, view.dimension() as u64 + 1);
        let rattlers = |left: usize| (grains.len() - left) as f64;
        Ok(vec![vec![
            graph.coordination(&grains).contacts,
            held.contacts,
            rattlers(held.grains),
            frictionless.contacts,
            rattlers(frictionless.grains),
        ]])
    }
}
