//! A wall and a clump or capsule.

use super::{Contact, Meet, PairQuery, find_between_corners};
use crate::body::Bodies;
use crate::contact::feature::wall_feature;
use crate::dim::{Dim, Vector};
use crate::shape::Stone;
use crate::wall::Surface;

/// The contacts of clump b with wall a: those of its balls (the ends of a capsule), then those between the ends.
pub(super) fn find<D: Dim>(
    bodies: &Bodies<D>,
    surface: &Surface<D>,
    query: &PairQuery<D>,
    clump: Stone,
    meet: Meet<D>,
) {
    let PairQuery { a, b, shift, reach } = *query;
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x + shift);
    let turn = D::rotation(bodies.pose[b].q);
    let outline = &bodies.outlines[clump.outline as usize];
    for (ball, arm) in outline.corners.iter().enumerate() {
        let (arm, radius) = (turn(*arm), outline.radius_at(ball));
        surface.near(bodies.wall_pose(a), xb + arm, reach + radius, &mut |face, normal, distance| {
            let (key, gap) = (query.key(wall_feature(ball, face)), distance - radius);
            let arm_a = surface.arm(xa, xb + arm - normal * distance, normal);
            let arm_b = arm - normal * (radius + 0.5 * gap);
            meet(Contact { key, normal, gap, arm_a, arm_b, image_velocity: D::Vec::ZERO });
        });
    }
    find_between_corners(bodies, surface, query, meet);
}
