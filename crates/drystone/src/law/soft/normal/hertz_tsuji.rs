//! Hertz with Tsuji's damping.

use std::sync::Arc;

use super::super::damping;
use super::hertz::{Dashpot, Elastic, HertzLaw};
use super::{Losses, NormalLaw, NormalRecord};
use crate::input::Flat;
use crate::input::quantity::Number;
use crate::input::value::{FROM_0_TO_1, NOT_NEGATIVE};
use crate::list::record;

record! {
    /// f = K xi^(3/2) + alpha sqrt(m* K) xi^(1/4) dxi/dt: the restitution is the same at all velocities. [Tsuji92],
    /// [Wassgren09]
    pub struct HertzTsuji {
        /// Elasticity.
        elastic: Flat<Elastic>,
        /// Coefficient alpha; or `restitution`.
        damping: Option<Number> where NOT_NEGATIVE,
        /// Restitution of a head-on collision, instead of `damping`. If both are left out, that of the [[contact]]
        /// holds.
        restitution: Option<Number> where FROM_0_TO_1,
        /// Whether the force is set to zero where it would be tensile: max(0, f).
        cut: bool = true,
    }
}

impl NormalRecord for HertzTsuji {
    fn law(&self, restitution: f64) -> NormalLaw {
        let e = self.restitution.map_or(restitution, |e| *e);
        let alpha = self.damping.map_or_else(|| damping::of(1.5, 0.25, self.cut, e), |alpha| *alpha);
        Arc::new(HertzLaw { modulus: self.elastic.modulus(), dashpot: Dashpot::Tsuji(alpha), cut: self.cut })
    }
    fn losses(&self) -> Losses {
        Losses::of(self.damping.is_some(), self.restitution.map(|e| *e))
    }
    fn poisson(&self) -> Option<f64> {
        self.elastic.poisson()
    }
    fn is_hertz(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::collision::head_on;
    use super::super::super::tests::{UNIT, csv};
    use super::*;

    #[test]
    fn alpha_for_a_restitution_is_that_of_the_table_with_and_without_the_cut() {
        for row in csv("hertz_tsuji_alpha_for_e.csv") {
            let (e, free, cut) = (row[0], row[1], row[3]);
            assert!((damping::of(1.5, 0.25, false, e) - free).abs() < 2e-5 * free.max(0.1), "{e} free");
            assert!((damping::of(1.5, 0.25, true, e) - cut).abs() < 1e-4 * cut, "{e} cut");
        }
    }

    #[test]
    fn restitution_does_not_depend_on_the_velocity() {
        let law = HertzLaw { modulus: 0.75, dashpot: Dashpot::Tsuji(damping::of(1.5, 0.25, true, 0.5)), cut: true };
        for speed in [1e-3, 1.0, 50.0] {
            let e = head_on(&law, UNIT, speed).restitution;
            assert!((e - 0.5).abs() < 1e-5, "{speed}: {e}"); // steps of 1/2000 of the collision
        }
    }
}
