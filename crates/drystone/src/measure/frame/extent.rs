//! How far a heap reaches.

use super::clusters::Groups;
use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};

/// Ends of the largest group of grains in the region that force-carrying contacts join, with their radii: where a
/// heap ends, without grains that jumped or rolled away from it. Of groups of the same size the one with the first
/// grain counts.
pub(crate) struct ClusterExtent;

impl FrameMeasure for ClusterExtent {
    fn columns(&self, view: &FrameView) -> Vec<Column> {
        let ends =
            view.axes().iter().flat_map(|axis| ["low", "high"].map(|end| Column::new(format!("{end}_{axis}"), "m")));
        std::iter::once(Column::new("grains", "1")).chain(ends).collect()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let counted = view.grains_in(&view.region()?);
        let mut groups = Groups::of(view, &counted);
        let sizes = groups.sizes(&counted);
        let largest = (0..sizes.len()).max_by_key(|k| (sizes[*k], std::cmp::Reverse(*k))).unwrap_or(0);
        let members: Vec<usize> = counted.into_iter().filter(|k| groups.first(*k) == largest).collect();
        let columns = &view.frame.grains;
        let end = |axis: usize, sign: f64| {
            let reach = |k: &usize| sign * columns.position[*k][axis] + columns.radius[*k];
            sign * members.iter().map(reach).fold(f64::NEG_INFINITY, f64::max)
        };
        let ends = (0..view.dimension()).flat_map(|axis| [end(axis, -1.0), end(axis, 1.0)]);
        Ok(vec![std::iter::once(members.len() as f64).chain(ends).collect()])
    }
}
