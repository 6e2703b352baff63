//! Forces on walls.

use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};

/// Force of all grains on every wall, averaged over the step.
pub(crate) struct Walls;

impl FrameMeasure for Walls {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let axes = view.axes();
        let names =
            view.setting.walls.iter().flat_map(|wall| axes.iter().map(move |axis| format!("{wall}_force_{axis}")));
        names.map(|name| Column::new(name, "N")).collect()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        if view.setting.walls.is_empty() {
            return Err(Nothing::Lacks("the run has no walls".into()));
        }
        let forces = view.frame.wall_states.force.iter();
        Ok(vec![forces.flat_map(|force| force[..view.dimension()].to_vec()).collect()])
    }

    fn takes_region(&self) -> bool {
        false
    }
}
