//! Clusters.

use super::view::{Nothing, View};
use super::{Column, Gauge};

/// Groups of grains in the region that force-carrying contacts join; walls and fixed grains join nothing.
///
/// `clusters` counts groups of at least two grains, `lone_grains` the others, and `mean_cluster` is the mean size of the
/// group that a grain finds itself in.
pub struct Clusters;

/// The first of the group that a member belongs to.
fn root(parent: &mut [usize], mut k: usize) -> usize {
    while parent[k] != k {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    k
}

impl Gauge for Clusters {
    fn columns(&self, _: &View) -> Vec<Column> {
        ["clusters", "lone_grains", "largest_cluster", "mean_cluster"].map(|name| Column::new(name, "1")).into()
    }

    fn rows(&self, view: &View) -> Result<Vec<Vec<f64>>, Nothing> {
        let grains = view.grains_in(&view.region()?);
        let count = view.frame.grains.id.len();
        let mut inside = vec![false; count];
        grains.iter().for_each(|k| inside[*k] = true);
        let mut parent: Vec<usize> = (0..count).collect();
        for link in view.links().iter().filter(|link| view.frame.contacts.regime[link.contact] != 0) {
            if let Some(a) = link.a.filter(|a| inside[*a] && inside[link.b]) {
                let (a, b) = (root(&mut parent, a), root(&mut parent, link.b));
                parent[a.max(b)] = a.min(b);
            }
        }
        let mut sizes = vec![0_u32; count];
        grains.iter().for_each(|k| sizes[root(&mut parent, *k)] += 1);
        let groups = sizes.iter().filter(|size| **size > 1).count();
        let lone = sizes.iter().filter(|size| **size == 1).count();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let squares: f64 = sizes.iter().map(|size| f64::from(*size).powi(2)).sum();
        Ok(vec![vec![groups as f64, lone as f64, f64::from(largest), squares / grains.len() as f64]])
    }
}
