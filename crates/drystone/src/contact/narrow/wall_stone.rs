//! A wall and a polygon or polyhedron.

use super::{Contact, Meet, PairQuery, find_between_corners, polygon_wall};
use crate::body::Bodies;
use crate::contact::feature::wall_feature;
use crate::dim::{Dim, Vector};
use crate::shape::Stone;
use crate::wall::Surface;

/// The contacts of polygon or polyhedron b with wall a: those of its corners, then those between its corners.
///
/// A wall that is itself a polygon touches as two polygons do; a mesh finds all its contacts itself.
pub(super) fn find<D: Dim>(
    bodies: &Bodies<D>,
    surface: &Surface<D>,
    query: &PairQuery<D>,
    stone: Stone,
    meet: Meet<D>,
) {
    match surface {
        Surface::Block(block) => polygon_wall::find(bodies, block, query, stone, meet),
        Surface::Mesh(_) => find_between_corners(bodies, surface, query, meet),
        _ => {
            corners(bodies, surface, query, stone, &mut *meet);
            find_between_corners(bodies, surface, query, meet);
        }
    }
}

/// The contacts of the corners of b.
fn corners<D: Dim>(bodies: &Bodies<D>, surface: &Surface<D>, query: &PairQuery<D>, stone: Stone, meet: Meet<D>) {
    let PairQuery { a, b, shift, reach } = *query;
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x + shift);
    let turn = D::rotation(bodies.pose[b].q);
    for (corner, arm) in bodies.outlines[stone.outline as usize].corners.iter().enumerate() {
        let arm = turn(*arm);
        surface.near(bodies.wall_pose(a), xb + arm, reach, &mut |face, normal, gap| {
            let key = query.key(wall_feature(corner, face));
            let arm_a = surface.arm(xa, xb + arm - normal * gap, normal);
            let arm_b = arm - normal * (0.5 * gap);
            meet(Contact { key, normal, gap, arm_a, arm_b, image_velocity: D::Vec::ZERO });
        });
    }
}
