//! The judge: how far impulses and twists are from the contact laws. It judges every solver and belongs to none.

use super::link::Link;
use crate::body::Twist;
use crate::dim::{Dim, Vector};

/// eps_nat = sqrt(sum w |F|^2) / sqrt(sum w |r|^2) with the natural map F of every contact and w = 1/m_t.
///
/// A ratio without unit; zero exactly when every contact obeys Signorini and Coulomb.
pub fn eps_nat<D: Dim>(links: &[Link<D>], twist: &[Twist<D>]) -> f64 {
    let (mut wrong, mut all) = (0.0, 0.0);
    for link in links {
        wrong += link.weight * link.contact.natural_map(link.impulse, link.velocity(twist)).norm_squared();
        all += link.weight * link.impulse.norm_squared();
    }
    match (wrong, all) {
        (0.0, _) => 0.0,
        (_, 0.0) => f64::INFINITY,
        _ => (wrong / all).sqrt(),
    }
}
