//! The linear spring and dashpot.

use std::sync::Arc;

use super::super::Couple;
use super::super::damping;
use super::super::plain::PlainNormal;
use super::{Losses, NormalForce, NormalLaw, NormalRecord, Push, Squeeze};
use crate::input::quantity::{Damping, Number, Quantity, Stiffness};
use crate::input::value::{FROM_0_TO_1, NOT_NEGATIVE, POSITIVE};
use crate::list::record;

record! {
    /// Linear spring and dashpot: f = k xi + gamma dxi/dt. [Wolf eq. 10, 11 with alpha = 1]
    pub struct Hooke {
        /// Stiffness k.
        stiffness: Stiffness where POSITIVE,
        /// Coefficient gamma of the dashpot; or `restitution`, from which it follows for every mass.
        damping: Option<Damping> where NOT_NEGATIVE,
        /// Restitution of a head-on collision, instead of `damping`. If both are left out, that of the [[contact]]
        /// holds.
        restitution: Option<Number> where FROM_0_TO_1,
        /// Whether the force is set to zero where it would be tensile: max(0, f).
        cut: bool = true,
    }
}

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HookeLaw {
    /// Stiffness k [N/m].
    pub stiffness: f64,
    /// Coefficient of the dashpot, the same for all masses [N s/m].
    pub damping: f64,
    /// zeta = gamma / (2 sqrt(k m*)), the same for all masses.
    pub ratio: f64,
    /// Whether the force is cut.
    pub cut: bool,
}

impl Hooke {
    /// A spring with this stiffness [N/m], cut where it would pull; the restitution is that of the pair.
    pub fn new(stiffness: f64) -> Hooke {
        Hooke { stiffness: Quantity(stiffness), damping: None, restitution: None, cut: true }
    }
}

impl NormalRecord for Hooke {
    fn law(&self, restitution: f64) -> NormalLaw {
        let (damping, ratio) = match self.damping {
            Some(damping) => (*damping, 0.0),
            None => (0.0, damping::linear(self.restitution.map_or(restitution, |e| *e), self.cut)),
        };
        Arc::new(HookeLaw { stiffness: *self.stiffness, damping, ratio, cut: self.cut })
    }
    fn losses(&self) -> Losses {
        Losses::of(self.damping.is_some(), self.restitution.map(|e| *e))
    }
}

impl NormalForce for HookeLaw {
    #[inline]
    fn push(&self, couple: Couple, squeeze: Squeeze, _: &mut f64) -> Push {
        self.plain_form().push(couple, squeeze)
    }
    fn stored(&self, _: Couple, overlap: f64, _: f64) -> f64 {
        0.5 * self.stiffness * overlap * overlap
    }
    fn plain(&self) -> Option<PlainNormal> {
        Some(self.plain_form())
    }
}

impl HookeLaw {
    /// Its numbers in the plain form, which has the formula.
    #[inline]
    fn plain_form(&self) -> PlainNormal {
        let HookeLaw { stiffness, damping, ratio, cut } = *self;
        PlainNormal { spring: stiffness, dashpot: damping, rooted: 2.0 * ratio, cut, ..PlainNormal::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::collision::head_on;
    use super::super::super::tests::{UNIT, csv};
    use super::*;

    #[test]
    fn restitution_and_duration_are_those_of_the_exact_solution() {
        for row in csv("lsd_restitution.csv") {
            let [zeta, e_free, t_free, e_cut, t_cut] = row[..] else { panic!("five columns") };
            let of = |cut| head_on(&HookeLaw { stiffness: 1.0, damping: 2.0 * zeta, ratio: 0.0, cut }, UNIT, 1.0);
            let cut = of(true);
            // the cut lies within a Runge-Kutta step, which is 1/2000 of the unit of time: the end is known to one step
            assert!((cut.restitution - e_cut).abs() < 1e-6, "zeta {zeta}: {} {e_cut}", cut.restitution);
            assert!((cut.duration - t_cut).abs() < 1e-3, "zeta {zeta}: {} {t_cut}", cut.duration);
            if zeta < 0.9 {
                let free = of(false);
                // the velocity at the exit is taken from the straight line through the last step
                assert!((free.restitution - e_free).abs() < 1e-4, "zeta {zeta}: {} {e_free}", free.restitution);
                assert!((free.duration - t_free).abs() < 1e-4, "zeta {zeta}: {} {t_free}", free.duration);
            }
        }
    }

    #[test]
    fn damping_follows_from_restitution_for_both_conventions() {
        for row in csv("lsd_zeta_for_e.csv") {
            let [e, free, cut] = row[..] else { panic!("three columns") };
            // the file has ten digits
            assert!((damping::linear(e, false) / free - 1.0).abs() < 1e-8, "{e}");
            assert!((damping::linear(e, true) / cut - 1.0).abs() < 1e-8, "{e}");
        }
        assert_eq!((damping::linear(1.0, true), damping::linear(1.0, false)), (0.0, 0.0));
    }
}
