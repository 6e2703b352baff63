//! Hertz: the elastic contact of spheres. Damped forms of it share its numbers.

use std::sync::Arc;

use super::super::Couple;
use super::super::plain::PlainNormal;
use super::{NormalForce, NormalLaw, NormalRecord, Push, Squeeze};
use crate::input::Flat;
use crate::input::quantity::{Number, Pressure};
use crate::input::value::{Check, POSITIVE};
use crate::list::{list, record};

/// Range of Poisson's ratio: a bar that is stretched gets no thicker, and loses no volume.
pub(crate) const POISSON: Check = ("from 0 to 0.5", |x| (0.0..=0.5).contains(&x));

list! {
    /// Elasticity of the two grains.
    pub enum Elastic by leading key {
        /// Both grains are made of this material: E* = E / (2 (1 - nu^2)).
        "young" => Young(Young),
        /// The effective modulus itself: 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2. A rigid wall: E* = E / (1 - nu^2).
        "modulus" => Modulus(Modulus),
    }
}

record! {
    /// Young's modulus and Poisson's ratio of both grains.
    pub struct Young {
        /// Young's modulus E.
        young: Pressure where POSITIVE,
        /// Poisson's ratio nu.
        poisson: Number where POISSON,
    }
}

record! {
    /// Effective modulus.
    pub struct Modulus {
        /// Effective modulus E*.
        modulus: Pressure where POSITIVE,
    }
}

impl Elastic {
    /// Effective modulus E* [Pa].
    pub fn modulus(&self) -> f64 {
        match self {
            Elastic::Young(Young { young, poisson, .. }) => **young / (2.0 * (1.0 - **poisson * **poisson)),
            Elastic::Modulus(given) => *given.modulus,
        }
    }

    /// Poisson's ratio, if it is stated.
    pub fn poisson(&self) -> Option<f64> {
        match self {
            Elastic::Young(young) => Some(*young.poisson),
            Elastic::Modulus(_) => None,
        }
    }
}

record! {
    /// Hertz without damping: f = 4/3 E* sqrt(r*) xi^(3/2). [Johnson]
    pub struct Hertz {
        /// Elasticity.
        elastic: Flat<Elastic>,
    }
}

/// How the dashpot of a Hertz contact grows with the overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Dashpot {
    /// None.
    None,
    /// alpha sqrt(m* K) xi^(1/4): alpha is the same for all masses and velocities. [Tsuji92]
    Tsuji(f64),
    /// 3/2 A K xi^(1/2) with the time A [s]. [Brilliantov96]
    Viscoelastic(f64),
    /// The same, with A (K/m*)^(2/5) V^(1/5) and V: restitution holds at the velocity V for all masses.
    ViscoelasticAt(f64, f64),
}

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HertzLaw {
    /// E* [Pa].
    pub modulus: f64,
    /// Its dashpot.
    pub dashpot: Dashpot,
    /// Whether the force is cut.
    pub cut: bool,
}

impl NormalRecord for Hertz {
    fn law(&self, _: f64) -> NormalLaw {
        Arc::new(HertzLaw { modulus: self.elastic.modulus(), dashpot: Dashpot::None, cut: true })
    }
    fn poisson(&self) -> Option<f64> {
        self.elastic.poisson()
    }
    fn is_hertz(&self) -> bool {
        true
    }
}

impl NormalForce for HertzLaw {
    #[inline]
    fn push(&self, couple: Couple, squeeze: Squeeze, _: &mut f64) -> Push {
        self.plain_form(couple).push(couple, squeeze)
    }
    fn stored(&self, couple: Couple, overlap: f64, _: f64) -> f64 {
        8.0 / 15.0 * self.modulus * (couple.radius * overlap).sqrt() * overlap * overlap
    }
    fn modulus(&self) -> f64 {
        self.modulus
    }
    fn plain(&self) -> Option<PlainNormal> {
        let is_alike = !matches!(self.dashpot, Dashpot::ViscoelasticAt(..));
        is_alike.then(|| self.plain_form(Couple::default()))
    }
}

impl HertzLaw {
    /// Its numbers in the plain form, which has the formula. With `Dashpot::ViscoelasticAt` they depend on the pair of
    /// grains, so such laws are not evaluated in lanes.
    #[inline]
    fn plain_form(&self, couple: Couple) -> PlainNormal {
        let hertz = 4.0 / 3.0 * self.modulus; // K
        let (rooted, viscous) = match self.dashpot {
            Dashpot::None => (0.0, 0.0),
            Dashpot::Tsuji(alpha) => (alpha, 0.0),
            Dashpot::Viscoelastic(time) => (0.0, 1.5 * time),
            Dashpot::ViscoelasticAt(ratio, speed) => {
                let time = ratio / (libm::pow(hertz * couple.radius.sqrt() / couple.mass, 0.4) * libm::pow(speed, 0.2));
                (0.0, 1.5 * time)
            }
        };
        PlainNormal { hertz, slope: 1.5, rooted, viscous, cut: self.cut, ..PlainNormal::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::collision::head_on;
    use super::*;

    #[test]
    fn glass_spheres_collide_as_in_the_first_test_of_chung_and_ooi() {
        // R = 10 mm, +-10 m/s, E = 48 GPa, nu = 0.2, 2800 kg/m3: 274.11 um, 10.697 kN, 40.34 us
        let law = HertzLaw { modulus: 4.8e10 / (2.0 * 0.96), dashpot: Dashpot::None, cut: true };
        let mass = 2800.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6;
        let couple = Couple { mass: 0.5 * mass, radius: 5e-3 };
        let outcome = head_on(&law, couple, 20.0);
        assert!((outcome.overlap / 274.11e-6 - 1.0).abs() < 1e-4, "{}", outcome.overlap);
        assert!((outcome.duration / 40.34e-6 - 1.0).abs() < 5e-4, "{}", outcome.duration);
        assert!((outcome.force / 10.697e3 - 1.0).abs() < 1e-4, "{}", outcome.force);
    }
}
