//! The judge: how far impulses and twists are from the contact laws. It judges every solver and belongs to none.

use super::line::Line;
use super::link::Link;
use crate::dim::{Dim, Vector};

/// Rounding of a relative velocity over the velocities that it is the difference of.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// eps_nat = sqrt(sum w |F|^2) / sqrt(sum w |r|^2) with the natural map F of every contact and w = 1/m_t.
///
/// A ratio without unit; zero exactly when every contact obeys Signorini and Coulomb up to rounding: an F that the
/// rounding of the velocities explains does not count. Else grains that move on together, whose impulses are
/// nothing but rounding, would never be solved.
pub fn eps_nat<D: Dim>(links: &[Link<D>], lines: &[Line<D>]) -> f64 {
    let (mut wrong, mut all) = (0.0, 0.0);
    for link in links {
        let weight = 1.0 / link.contact.mass_t;
        let distance = link.contact.natural_map(link.impulse, link.velocity(lines)).norm_squared();
        let rounding = ROUNDING * link.contact.mass_t;
        if distance > 0.0 && distance > rounding * rounding * speed_squared(link, lines) {
            wrong += weight * distance;
        }
        all += weight * link.impulse.norm_squared();
    }
    match (wrong, all) {
        (0.0, _) => 0.0,
        (_, 0.0) => f64::INFINITY,
        _ => (wrong / all).sqrt(),
    }
}

/// Size of the velocities that meet in a link: of both bodies, of their rims, and of the closing gap.
fn speed_squared<D: Dim>(link: &Link<D>, lines: &[Line<D>]) -> f64 {
    let of = |body: u32, lever: f64| {
        let line = &lines[body as usize];
        line.v.norm_squared() + lever * lever * line.w.norm_squared()
    };
    of(link.a, link.lever[0]) + of(link.b, link.lever[1]) + link.contact.bias * link.contact.bias
}
