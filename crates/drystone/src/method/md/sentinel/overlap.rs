//! Deep overlaps.

use super::{Glance, Sentinel};
use crate::dim::Dim;

/// Part of the radius beyond which grains are not nearly rigid: contact areas meet, and the law of a pair is none any more.
const DEEP: f64 = 0.01;

/// Watches for overlaps of more than 1 % of the smaller radius.
pub struct Overlap;

impl<D: Dim> Sentinel<D> for Overlap {
    fn look(&mut self, glance: &Glance<'_, D>) -> Option<String> {
        let smaller = |[a, b]: [f64; 2]| if a > 0.0 { a.min(b) } else { b };
        let depth = glance.seen.iter().map(|seen| (-seen.gap / smaller(seen.arms), seen));
        let (depth, seen) = depth.max_by(|(p, _), (q, _)| p.total_cmp(q))?;
        (depth > DEEP).then(|| {
            format!(
                "{} overlap by {:.2} % of the radius at {:.3e} s: stiffer grains stay below {:.0} %",
                glance.names(seen),
                100.0 * depth,
                glance.world.clock.time,
                100.0 * DEEP
            )
        })
    }
}
