//! The exact law of one rigid contact between round bodies: Signorini's condition and Coulomb's friction.
//!
//! [`RoundLaw`] is written once, for one contact or for four in lanes. Sweeps run it for four at once, stage by stage
//! (`method/cd/round_x4.rs`); [`RoundContact::impulse`] is the same code for one. Contacts with cohesion, rolling or
//! torsion friction have more to satisfy: `ScalarRound::solve` (`method/cd/scalar_round.rs`).

use super::natural_map::LoadedContact;
use crate::contact::Regime;
use crate::dim::{Dim, Split, TangentialPart, Vector};
use crate::lane::Real;

/// The local problem of a contact between round bodies.
///
/// For round bodies W = H^T M^-1 H is diagonal [Brendel eq. 1.20], so the normal impulse does not change when the
/// contact slides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundContact<D: Dim> {
    /// From a to b.
    pub normal: D::Vec,
    /// What is added to the normal velocity [m/s]: g_pos / dt for a gap, e_n u_n- for a bounce, and the growth of the
    /// surfaces. Overlaps are not pushed out, except between grains that deform, where it is g / dt.
    pub bias: f64,
    /// Reduced mass m_n = 1 / (1/m_a + 1/m_b) [kg], [Brendel eq. 1.21].
    pub mass_n: f64,
    /// Reduced mass m_t = 1 / (1/m_n + l_a^2/I_a + l_b^2/I_b) [kg].
    pub mass_t: f64,
    /// Coefficient of friction.
    pub friction: f64,
}

/// The law of a [`RoundContact`], or of four at once: with the same fields, as numbers or as lanes.
#[derive(Clone, Copy)]
pub(crate) struct RoundLaw<V: Split> {
    /// From a to b.
    pub normal: V,
    /// What is added to the normal velocity [m/s].
    pub bias: V::Number,
    /// Reduced mass along the normal [kg].
    pub mass_n: V::Number,
    /// Reduced mass across it [kg].
    pub mass_t: V::Number,
    /// Coefficient of friction.
    pub friction: V::Number,
}

/// A local solution in progress: the impulse along the normal, and the one that friction would need across it.
#[derive(Clone, Copy)]
pub(crate) struct RoundImpulse<V: Split> {
    /// Normal impulse [N s].
    pub r_n: V::Number,
    /// Tangential impulse that would bring the contact to rest, later what friction bears of it [N s].
    pub r_t: V::Across,
    /// What friction bears, mu r_n [N s].
    pub limit: V::Number,
}

impl<V: Split> RoundLaw<V> {
    /// Impulse on b that satisfies both laws exactly. [Brendel eq. 1.30]
    ///
    /// `u` is the relative velocity while the impulse `start` acts; without it the contact would move with
    /// u - W start, and -m (u - W start) = start - m u.
    #[inline(always)]
    pub(crate) fn impulse(&self, start: V, u: V) -> V {
        self.at_rest(start, u).bounded().vector(self.normal)
    }

    /// First stage: the impulse that pushes and brings the contact to rest, without the limit of friction.
    #[inline(always)]
    pub(crate) fn at_rest(&self, start: V, u: V) -> RoundImpulse<V> {
        let (u_n, start_n) = (u.dot(self.normal), start.dot(self.normal));
        let r_n = (start_n - self.mass_n * (u_n + self.bias)).max(u_n.zero()); // 1.24, 1.27
        let r_t = self.normal.across(start - u * self.mass_t, start_n - u_n * self.mass_t); // 1.27, tangential part
        RoundImpulse { r_n, r_t, limit: self.friction * r_n }
    }

    /// The contact under an impulse while it moves with `u`, for the natural map: with rho = m_t, one over the largest
    /// eigenvalue of W.
    #[inline(always)]
    pub(crate) fn loaded(&self, impulse: V, u: V) -> LoadedContact<V::Across> {
        let (normal, u_n, r_n) = (self.normal, u.dot(self.normal), impulse.dot(self.normal));
        LoadedContact {
            mass: self.mass_t,
            friction: self.friction,
            u_n: u_n + self.bias,
            u_t: normal.across(u, u_n),
            r_n,
            r_t: normal.across(impulse, r_n),
        }
    }
}

impl<V: Split> RoundImpulse<V> {
    /// Second stage: Coulomb's bound on the tangential part.
    #[inline(always)]
    pub(crate) fn bounded(self) -> Self {
        RoundImpulse { r_t: self.r_t.bounded(self.limit), ..self } // 1.29
    }

    /// Third stage: the impulse as a vector.
    #[inline(always)]
    pub(crate) fn vector(self, normal: V) -> V {
        normal * self.r_n + normal.vector_across(self.r_t)
    }
}

impl<D: Dim> RoundContact<D> {
    fn law(&self) -> RoundLaw<D::Numbers> {
        let RoundContact { normal, bias, mass_n, mass_t, friction } = *self;
        RoundLaw { normal: D::numbers(normal), bias, mass_n, mass_t, friction }
    }

    /// Impulse on b that satisfies both laws exactly: [`RoundLaw::impulse`].
    pub fn impulse(&self, start: D::Vec, u: D::Vec) -> D::Vec {
        D::vector(self.law().impulse(D::numbers(start), D::numbers(u)))
    }

    /// What the contact does under the impulse of [`RoundContact::impulse`], at the relative velocity `u`.
    pub fn regime(&self, impulse: D::Vec, u: D::Vec) -> Regime {
        let normal = impulse.dot(self.normal);
        if normal <= 0.0 {
            return Regime::Open;
        }
        // the impulse that would be needed to stick: outside the cone means sliding
        let stick = impulse.tangent_to(self.normal) - u.tangent_to(self.normal) * self.mass_t;
        if stick.norm() <= self.friction * normal { Regime::Stick } else { Regime::Slide }
    }

    /// The contact under an impulse while it moves with `u`, for the natural map.
    pub fn loaded(&self, impulse: D::Vec, u: D::Vec) -> LoadedContact<<D::Numbers as Split>::Across> {
        self.law().loaded(D::numbers(impulse), D::numbers(u))
    }

    /// Distance of an impulse and a velocity from the law: [`LoadedContact::natural_map`] as a vector.
    pub fn natural_map(&self, impulse: D::Vec, u: D::Vec) -> D::Vec {
        let (map, normal) = (self.loaded(impulse, u).natural_map(), D::numbers(self.normal));
        D::vector(normal * map.f_n + normal.vector_across(map.f_t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D3;
    use glam::DVec3;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::Rng;

    #[test]
    fn the_local_solution_is_a_zero_of_the_natural_map() {
        let mut rng = Pcg64::new(11, 7);
        let mut random =
            |low: f64, high: f64| low + (high - low) * ((rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64);
        let mut seen = [0; 3];
        for _ in 0..100_000 {
            let normal = DVec3::new(random(-1.0, 1.0), random(-1.0, 1.0), random(0.1, 1.0)).normalize();
            let mass_n = random(0.1, 10.0);
            let contact = RoundContact::<D3> {
                normal,
                bias: random(0.0, 1.0),
                mass_n,
                mass_t: mass_n * random(0.2, 0.4),
                friction: random(0.0, 1.5),
            };
            let free = DVec3::new(random(-2.0, 2.0), random(-2.0, 2.0), random(-3.0, 1.0));
            let r = contact.impulse(DVec3::ZERO, free);
            let r_n = r.dot(normal);
            let u = free + normal * (r_n / contact.mass_n) + (r - normal * r_n) * (1.0 / contact.mass_t);
            assert!(contact.natural_map(r, u).length() <= 1e-14 * mass_n * (1.0 + free.length()), "{contact:?} {free}");
            seen[contact.regime(r, u) as usize] += 1;
        }
        assert!(seen.iter().all(|count| *count > 1000), "all regimes occur: {seen:?}");
    }

    #[test]
    fn the_natural_map_sees_a_wrong_impulse() {
        let contact = RoundContact::<D3> { normal: DVec3::Z, bias: 0.0, mass_n: 1.0, mass_t: 0.3, friction: 0.5 };
        let at_rest = DVec3::ZERO;
        assert_eq!(contact.natural_map(DVec3::new(0.4, 0.0, 1.0), at_rest), DVec3::ZERO);
        assert!(contact.natural_map(DVec3::new(0.6, 0.0, 1.0), at_rest).length() > 0.05, "outside the cone");
        assert!(contact.natural_map(DVec3::new(0.0, 0.0, -1.0), at_rest).length() > 0.5, "pulling");
        assert!(contact.natural_map(DVec3::ZERO, DVec3::new(0.0, 0.0, -1.0)).length() > 0.2, "penetrating");
    }
    #[test]
    fn the_natural_map_is_zero_for_an_open_contact_without_friction() {
        let contact = RoundContact::<D3> { normal: DVec3::Z, bias: 0.1, mass_n: 1.0, mass_t: 0.3, friction: 0.0 };
        for u in [DVec3::ZERO, DVec3::new(0.0, 0.0, 2.0), DVec3::new(1.0, 0.0, 2.0)] {
            assert_eq!(contact.impulse(DVec3::ZERO, u), DVec3::ZERO);
            assert_eq!(contact.natural_map(DVec3::ZERO, u), DVec3::ZERO, "{u}");
        }
    }
}
