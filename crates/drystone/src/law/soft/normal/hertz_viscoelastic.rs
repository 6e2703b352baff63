//! Hertz with viscoelastic damping.

use std::sync::Arc;

use super::super::damping;
use super::hertz::{Dashpot, Elastic, HertzLaw};
use super::{Losses, NormalLaw, NormalRecord};
use crate::input::Flat;
use crate::input::quantity::{Number, Quantity, Speed, Time};
use crate::input::value::{FROM_0_TO_1, NOT_NEGATIVE, POSITIVE};
use crate::list::record;

record! {
    /// f = K (xi^(3/2) + 3/2 A xi^(1/2) dxi/dt). [Brilliantov96], [Wolf eq. 11, 17]
    pub struct HertzViscoelastic {
        /// Elasticity.
        elastic: Flat<Elastic>,
        /// The time A of the material; or `restitution`.
        dissipation: Option<Time> where NOT_NEGATIVE,
        /// Restitution of a head-on collision at the velocity `at`, instead of `dissipation`.
        restitution: Option<Number> where FROM_0_TO_1,
        /// Approach velocity at which `restitution` holds: it falls with the velocity.
        at: Speed where POSITIVE = Quantity(1.0),
        /// Whether the force is set to zero where it would be tensile: max(0, f).
        cut: bool = true,
    }
}

impl NormalRecord for HertzViscoelastic {
    fn law(&self, restitution: f64) -> NormalLaw {
        let dashpot = match self.dissipation {
            Some(time) => Dashpot::Viscoelastic(*time),
            None => {
                let ratio = damping::of(1.5, 0.5, self.cut, self.restitution.map_or(restitution, |e| *e)) / 1.5;
                Dashpot::ViscoelasticAt(ratio, *self.at)
            }
        };
        Arc::new(HertzLaw { modulus: self.elastic.modulus(), dashpot, cut: self.cut })
    }
    fn losses(&self) -> Losses {
        Losses::of(self.dissipation.is_some(), self.restitution.map(|e| *e))
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
    fn restitution_falls_with_the_velocity_as_computed_and_as_the_series_says() {
        // K = m = 1, A = 0.01
        let law = HertzLaw { modulus: 0.75, dashpot: Dashpot::Viscoelastic(0.01), cut: true };
        for row in csv("viscoelastic_e_of_v.csv") {
            let (speed, e) = (row[0], row[1]);
            let found = head_on(&law, UNIT, speed).restitution;
            assert!((found - e).abs() < 5e-5, "{speed}: {found} {e}"); // the table is without the cut: 1 - e is small
        }
        let loss = |speed| libm::log(1.0 - head_on(&law, UNIT, speed).restitution);
        let slope = (loss(1e-4) - loss(1e-5)) / libm::log(10.0);
        assert!((slope - 0.2).abs() < 3e-3, "{slope}");
    }

    #[test]
    fn a_restitution_at_a_velocity_holds_for_every_mass() {
        let ratio = damping::of(1.5, 0.5, true, 0.8) / 1.5;
        let law = HertzLaw { modulus: 1e7, dashpot: Dashpot::ViscoelasticAt(ratio, 3.0), cut: true };
        for mass in [1e-4, 5.0] {
            let e = head_on(&law, super::super::Couple { mass, radius: 2e-3 }, 3.0).restitution;
            assert!((e - 0.8).abs() < 1e-5, "{e}");
        }
    }
}
