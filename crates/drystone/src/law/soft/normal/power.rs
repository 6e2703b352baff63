//! The general power law.

use std::sync::Arc;

use super::super::Couple;
use super::super::damping;
use super::{Losses, NormalForce, NormalLaw, NormalRecord, Push, Squeeze, cut};
use crate::input::quantity::{Number, Quantity, Speed};
use crate::input::value::{FROM_0_TO_1, NOT_NEGATIVE, POSITIVE};
use crate::list::record;

record! {
    /// f = k xi^alpha + gamma xi^beta dxi/dt, all numbers in SI units. [Wolf eq. 11]
    pub struct Power {
        /// k in N/m^alpha.
        stiffness: Number where POSITIVE,
        /// Power alpha of the spring.
        exponent: Number where POSITIVE,
        /// gamma in N s/m^(beta + 1); or `restitution`.
        damping: Option<Number> where NOT_NEGATIVE,
        /// Power beta of the dashpot; alpha - 1 in Wolf's lecture, (alpha - 1) / 2 for a restitution that is the same
        /// at all velocities.
        damping_exponent: Option<Number> where NOT_NEGATIVE,
        /// Restitution of a head-on collision at the velocity `at`, instead of `damping`.
        restitution: Option<Number> where FROM_0_TO_1,
        /// Approach velocity at which `restitution` holds.
        at: Speed where POSITIVE = Quantity(1.0),
        /// Whether the force is set to zero where it would be tensile: max(0, f).
        cut: bool = true,
    }
}

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PowerSpringLaw {
    /// k [N/m^alpha].
    pub stiffness: f64,
    /// alpha.
    pub exponent: f64,
    /// gamma, the same for all masses [N s/m^(beta + 1)].
    pub damping: f64,
    /// beta.
    pub damping_exponent: f64,
    /// gamma L^(beta - alpha) V / k at the velocity V, with L = (m V^2 / k)^(1 / (1 + alpha)): the same for all masses.
    pub ratio: f64,
    /// The velocity V [m/s].
    pub at: f64,
    /// Whether the force is cut.
    pub cut: bool,
}

impl NormalRecord for Power {
    fn law(&self, restitution: f64) -> NormalLaw {
        let (alpha, cut) = (*self.exponent, self.cut);
        let beta = self.damping_exponent.map_or(alpha - 1.0, |beta| *beta).max(0.0);
        let (damping, ratio) = match self.damping {
            Some(damping) => (*damping, 0.0),
            None => (0.0, damping::of(alpha, beta, cut, self.restitution.map_or(restitution, |e| *e))),
        };
        let (stiffness, at) = (*self.stiffness, *self.at);
        Arc::new(PowerSpringLaw { stiffness, exponent: alpha, damping, damping_exponent: beta, ratio, at, cut })
    }
    fn losses(&self) -> Losses {
        Losses::of(self.damping.is_some(), self.restitution.map(|e| *e))
    }
}

/// x^p, by square roots for the powers of Hertz and of his dashpots.
#[inline]
fn power(x: f64, p: f64) -> f64 {
    match p {
        0.0 => 1.0,
        0.25 => x.sqrt().sqrt(),
        0.5 => x.sqrt(),
        1.0 => x,
        1.5 => x * x.sqrt(),
        _ => libm::pow(x, p),
    }
}

impl NormalForce for PowerSpringLaw {
    #[inline]
    fn push(&self, couple: Couple, Squeeze { overlap, rate }: Squeeze, _: &mut f64) -> Push {
        let (alpha, beta) = (self.exponent, self.damping_exponent);
        let mut gamma = self.damping;
        if self.ratio > 0.0 {
            let depth = libm::pow(couple.mass * self.at * self.at / self.stiffness, 1.0 / (1.0 + alpha));
            gamma += self.ratio * self.stiffness * libm::pow(depth, alpha - beta) / self.at;
        }
        let elastic = self.stiffness * power(overlap, alpha);
        let damping = gamma * power(overlap, beta);
        Push { force: cut(elastic + damping * rate, self.cut), stiffness: alpha * elastic / overlap, damping }
    }
    fn stored(&self, _: Couple, overlap: f64, _: f64) -> f64 {
        self.stiffness * libm::pow(overlap, 1.0 + self.exponent) / (1.0 + self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::collision::head_on;
    use super::super::super::tests::UNIT;
    use super::*;

    fn elastic(exponent: f64) -> PowerSpringLaw {
        PowerSpringLaw { stiffness: 1.0, exponent, damping: 0.0, damping_exponent: 0.0, ratio: 0.0, at: 1.0, cut: true }
    }

    #[test]
    fn elastic_collisions_last_as_long_as_the_beta_function_says() {
        // C_alpha of t_c = C (m/k)^(1/(1+alpha)) V^((1-alpha)/(1+alpha))
        for (alpha, c) in [(1.0, std::f64::consts::PI), (1.25, 3.195809), (1.5, 3.218065), (2.0, 3.210196)] {
            let outcome = head_on(&elastic(alpha), UNIT, 1.0);
            assert!((outcome.duration - c).abs() < 1e-4, "alpha {alpha}: {}", outcome.duration);
            assert!((outcome.restitution - 1.0).abs() < 1e-7);
            let faster = head_on(&elastic(alpha), UNIT, 16.0).duration;
            let power = libm::log(faster / outcome.duration) / libm::log(16.0);
            assert!((power - (1.0 - alpha) / (1.0 + alpha)).abs() < 1e-3, "alpha {alpha}: {power}");
        }
    }

    #[test]
    fn restitution_holds_at_the_velocity_stated_and_for_any_mass() {
        let ratio = damping::of(1.5, 0.5, true, 0.7);
        let law = PowerSpringLaw { stiffness: 1e5, ratio, damping_exponent: 0.5, at: 2.0, ..elastic(1.5) };
        for mass in [1e-3, 1.0, 20.0] {
            let e = |speed| head_on(&law, Couple { mass, ..UNIT }, speed).restitution;
            assert!((e(2.0) - 0.7).abs() < 1e-5, "{}", e(2.0)); // found to 1e-10, checked with other steps
            assert!(e(0.2) > 0.75 && e(20.0) < 0.65, "it falls with the velocity");
        }
    }
}
