//! Clusters.

use super::view::{FrameView, Nothing};
use super::{Column, FrameMeasure};

/// Groups of grains in the region that force-carrying contacts join; walls and fixed grains join nothing.
///
/// `clusters` counts groups of at least two grains, `lone_grains` the others, and `mean_cluster` is the mean size of
/// the group that a grain finds itself in.
pub(crate) struct Clusters;

/// Groups of grains that contacts join.
pub(crate) struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    /// Groups of some grains of a frame.
    pub(crate) fn of(view: &FrameView, grains: &[usize]) -> Groups {
        let count = view.frame.grains.id.len();
        let mut inside = vec![false; count];
        grains.iter().for_each(|k| inside[*k] = true);
        let mut groups = Groups { parent: (0..count).collect() };
        for link in view.contact_forces().iter().filter(|link| view.frame.contacts.regime[link.contact] != 0) {
            if let Some(a) = link.a.filter(|a| inside[*a] && inside[link.b]) {
                let (a, b) = (groups.first(a), groups.first(link.b));
                groups.parent[a.max(b)] = a.min(b);
            }
        }
        groups
    }

    /// The first of the group that a grain belongs to.
    pub(crate) fn first(&mut self, mut k: usize) -> usize {
        while self.parent[k] != k {
            self.parent[k] = self.parent[self.parent[k]];
            k = self.parent[k];
        }
        k
    }

    /// How many of some grains are in each group, at the number of its first.
    pub(crate) fn sizes(&mut self, grains: &[usize]) -> Vec<u32> {
        let mut sizes = vec![0_u32; self.parent.len()];
        grains.iter().for_each(|k| sizes[self.first(*k)] += 1);
        sizes
    }
}

impl FrameMeasure for Clusters {
    fn columns(&self, _: &FrameView) -> Vec<Column> {
        ["clusters", "lone_grains", "largest_cluster", "mean_cluster"].map(|name| Column::new(name, "1")).into()
    }

    fn rows(&self, view: &FrameView) -> Result<Vec<Vec<f64>>, Nothing> {
        let grains = view.grains_in(&view.region()?);
        let sizes = Groups::of(view, &grains).sizes(&grains);
        let groups = sizes.iter().filter(|size| **size > 1).count();
        let lone = sizes.iter().filter(|size| **size == 1).count();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let squares: f64 = sizes.iter().map(|size| f64::from(*size).powi(2)).sum();
        Ok(vec![vec![groups as f64, lone as f64, f64::from(largest), squares / grains.len() as f64]])
    }
}
