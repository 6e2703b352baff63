//! Where walls have got to.

use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};

/// How far every wall has moved from where the scenario put it, and its velocity.
pub(crate) struct WallMotion;

impl FrameMeasure for WallMotion {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let axes = view.axes();
        let mut columns = Vec::new();
        for wall in &view.setting.walls {
            let column =
                |what: &str, axis: &str, unit: &'static str| Column::new(format!("{wall}_{what}_{axis}"), unit);
            columns.extend(axes.iter().map(|axis| column("displacement", axis, "m")));
            columns.extend(axes.iter().map(|axis| column("velocity", axis, "m/s")));
        }
        columns
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        if view.setting.walls.is_empty() {
            return Err(Nothing::Lacks("the run has no walls".into()));
        }
        let (states, d) = (&view.frame.wall_states, view.dimension());
        let motion = states.displacement.iter().zip(&states.velocity);
        Ok(vec![motion.flat_map(|(path, v)| path[..d].iter().chain(&v[..d]).copied().collect::<Vec<_>>()).collect()])
    }

    fn takes_region(&self) -> bool {
        false
    }
}
