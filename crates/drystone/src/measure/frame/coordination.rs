//! Coordination number.

use super::view::{ContactForce, FrameView, Nothing};
use super::{Column, FrameMeasure};

/// Mean number of force-carrying contacts of a grain in the region, with walls and fixed grains as partners.
///
/// A rattler takes no part in the force network: it has fewer than two contacts once other rattlers are gone. Without
/// friction two contacts cannot hold a grain either: `isostatic` takes away grains with fewer than d + 1 contacts (2D: 3,
/// 3D: 4), which is what a frictionless grain needs.
pub struct FrameCoordination;

/// Mean number of contacts and number of grains left, once grains with fewer than `least` contacts are gone.
fn left(links: &[ContactForce], free: &[bool], counted: &[usize], least: u32) -> (f64, usize) {
    let mut links: Vec<&ContactForce> = links.iter().collect();
    loop {
        let mut degrees = vec![0_u32; free.len()];
        for link in &links {
            degrees[link.b] += 1;
            link.a.into_iter().for_each(|a| degrees[a] += 1);
        }
        let before = links.len();
        let holds = |k: usize| !free[k] || degrees[k] >= least;
        links.retain(|link| holds(link.b) && link.a.is_none_or(holds));
        if links.len() == before {
            let carriers: Vec<u32> = counted.iter().map(|k| degrees[*k]).filter(|n| *n >= least.max(1)).collect();
            let count = if least == 0 { counted.len() } else { carriers.len() };
            let mean = carriers.iter().sum::<u32>() as f64 / (count.max(1)) as f64;
            return (mean, carriers.len());
        }
    }
}

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
        let counted = view.grains_in(&view.region()?);
        let links: Vec<ContactForce> =
            view.links().into_iter().filter(|link| view.frame.contacts.regime[link.contact] != 0).collect();
        let free: Vec<bool> = (0..view.frame.grains.id.len()).map(|k| view.is_free(k)).collect();
        let all = left(&links, &free, &counted, 0);
        let held = left(&links, &free, &counted, 2);
        let bare = left(&links, &free, &counted, view.dimension() as u32 + 1);
        let rattlers = |carriers: usize| (counted.len() - carriers) as f64;
        Ok(vec![vec![all.0, held.0, rattlers(held.1), bare.0, rattlers(bare.1)]])
    }
}
