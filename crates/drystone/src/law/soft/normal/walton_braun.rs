//! The partially latching spring of Walton and Braun.

use std::sync::Arc;

use super::super::Couple;
use super::{Losses, NormalForce, NormalLaw, NormalRecord, Push, Squeeze};
use crate::input::quantity::{Number, Stiffness};
use crate::input::value::{FROM_0_TO_1, POSITIVE};
use crate::list::record;

record! {
    /// Loading with k1, unloading with the steeper k2 from the deepest overlap: f = k1 xi, f = k2 (xi - xi_0), with
    /// xi_0 = (1 - k1/k2) xi_deepest. Restitution sqrt(k1/k2) for all masses and velocities. [WaltonBraun86]
    pub struct WaltonBraunNormal {
        /// Stiffness k1 of loading.
        stiffness: Stiffness where POSITIVE,
        /// Stiffness k2 of unloading, at least k1; or `restitution`.
        unloading: Option<Stiffness> where POSITIVE,
        /// Restitution, instead of `unloading`: k2 = k1 / e^2. If both are left out, that of the [[contact]] holds.
        restitution: Option<Number> where FROM_0_TO_1,
    }
}

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WaltonBraunNormalLaw {
    /// k1 [N/m].
    pub loading: f64,
    /// k2 [N/m].
    pub unloading: f64,
}

impl NormalRecord for WaltonBraunNormal {
    fn law(&self, restitution: f64) -> NormalLaw {
        let e = self.restitution.map_or(restitution, |e| *e);
        let loading = *self.stiffness;
        Arc::new(WaltonBraunNormalLaw {
            loading,
            unloading: self.unloading.map_or(loading / (e * e), |k2| *k2).max(loading),
        })
    }
    fn losses(&self) -> Losses {
        Losses::of(self.unloading.is_some(), self.restitution.map(|e| *e))
    }
}

impl WaltonBraunNormalLaw {
    /// Overlap at which unloading has come down to no force [m].
    fn rest(&self, deepest: f64) -> f64 {
        (1.0 - self.loading / self.unloading) * deepest
    }
}

impl NormalForce for WaltonBraunNormalLaw {
    #[inline]
    fn push(&self, _: Couple, Squeeze { overlap, .. }: Squeeze, deepest: &mut f64) -> Push {
        *deepest = deepest.max(overlap);
        let (load, unload) = (self.loading * overlap, self.unloading * (overlap - self.rest(*deepest)));
        let (force, stiffness) = if load <= unload { (load, self.loading) } else { (unload.max(0.0), self.unloading) };
        Push { force, stiffness, damping: 0.0 }
    }
    fn stored(&self, _: Couple, overlap: f64, deepest: f64) -> f64 {
        let back = (overlap - self.rest(deepest.max(overlap))).max(0.0);
        0.5 * self.unloading * back * back
    }
    fn remembers(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::collision::head_on;
    use super::super::super::tests::UNIT;
    use super::*;

    #[test]
    fn restitution_is_the_root_of_the_stiffness_ratio_at_any_velocity() {
        let law = WaltonBraunNormalLaw { loading: 1.0, unloading: 1.0 / 0.64 };
        for speed in [0.01, 1.0, 30.0] {
            let outcome = head_on(&law, UNIT, speed);
            assert!((outcome.restitution - 0.8).abs() < 1e-5, "{}", outcome.restitution);
            // a quarter of each period
            let exact = 0.5 * std::f64::consts::PI * (1.0 + 0.8);
            assert!((outcome.duration - exact).abs() < 1e-3, "{} {exact}", outcome.duration);
        }
    }

    #[test]
    fn loading_again_meets_the_first_loading_line_and_follows_it() {
        let law = WaltonBraunNormalLaw { loading: 1.0, unloading: 2.0 };
        let mut deepest = 0.0;
        let mut force = |overlap| law.push(UNIT, Squeeze { overlap, rate: 0.0 }, &mut deepest).force;
        assert_eq!((force(0.4), force(1.0), force(0.9), force(0.5)), (0.4, 1.0, 0.8, 0.0));
        assert_eq!((force(0.3), force(0.75), force(1.0), force(1.5)), (0.0, 0.5, 1.0, 1.5));
    }
}
