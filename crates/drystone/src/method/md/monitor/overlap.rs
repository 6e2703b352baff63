//! Deep overlaps.

use super::{Finding, Inspection, Monitor};
use crate::dim::Dim;

/// Overlap over the radius above which grains are not nearly rigid: contact areas merge, and pair laws no longer hold.
pub(crate) const DEEP: f64 = 0.01;

/// Watches for overlaps of more than 1 % of the smaller radius.
pub(crate) struct DeepOverlap;

impl<D: Dim> Monitor<D> for DeepOverlap {
    fn inspect(&mut self, inspection: &Inspection<'_, D>) -> Option<Finding> {
        let smaller = |[a, b]: [f64; 2]| if a > 0.0 { a.min(b) } else { b };
        let depth = inspection.contacts.iter().map(|contact| (-contact.gap / smaller(contact.radii), contact));
        let (depth, contact) = depth.max_by(|(p, _), (q, _)| p.total_cmp(q))?;
        (depth > DEEP).then(|| Finding {
            size: depth,
            message: format!(
                "{} overlap by {:.2} % of the radius at {:.3e} s: stiffer grains stay below {:.0} %",
                inspection.names(contact),
                100.0 * depth,
                inspection.world.clock.time,
                100.0 * DEEP
            ),
        })
    }
}
