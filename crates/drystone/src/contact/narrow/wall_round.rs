//! A wall and a disk or sphere.

use super::{Contact, Meet, PairQuery, deformed};
use crate::body::Bodies;
use crate::dim::{Dim, Vector};
use crate::shape::Round;
use crate::wall::Surface;

/// The contacts of round grain b with wall a: one for every face within reach.
#[inline]
pub(super) fn find<D: Dim>(
    bodies: &Bodies<D>,
    surface: &Surface<D>,
    query: &PairQuery<D>,
    round: Round,
    meet: Meet<D>,
) {
    if bodies.strains.is_some() {
        return deformed::with_wall(bodies, surface, query, meet);
    }
    let PairQuery { a, b, shift, reach } = *query;
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x + shift);
    surface.near(bodies.wall_pose(a), xb, reach + round.radius, &mut |face, normal, distance| {
        let (gap, arm_a) = (distance - round.radius, surface.arm(xa, xb - normal * distance, normal));
        let (key, arm_b) = (query.key(face), normal * -round.radius);
        meet(Contact { key, normal, gap, arm_a, arm_b, image_velocity: D::Vec::ZERO });
    });
}
