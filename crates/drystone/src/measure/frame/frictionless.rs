//! Coordination number of grains without friction.

use super::FrameMeasure;
use super::view::{FrameView, Nothing};
use crate::measure::contact_graph::ContactGraph;
use crate::record::Column;

/// Coordination number without the rattlers of a packing without friction: grains with fewer than d + 1 contacts (2D: 3,
/// 3D: 4), which is what a grain without friction needs, once other rattlers are gone.
pub(crate) struct FrictionlessCoordination;

impl FrameMeasure for FrictionlessCoordination {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        ["coordination_frictionless", "rattlers_frictionless"].map(|name| Column::new(name, "1")).into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let grains = view.grains_in(&view.region()?);
        let least = view.dimension() as u64 + 1;
        let held = ContactGraph::of_frame(view).coordination_without_rattlers(&grains, least);
        Ok(vec![vec![held.contacts, (grains.len() - held.grains) as f64]])
    }
}
