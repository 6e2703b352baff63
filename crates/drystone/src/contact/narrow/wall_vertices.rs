//! Vertices of lines and polygon walls that touch the side of a polygon, or a capsule between its ends.
//!
//! The distance of a vertex from a grain bounds that of the wall from above, so none of these contacts is spurious.
//! Where a corner of the grain is nearest to the wall, `wall_stone` or `wall_clump` finds the contact.

use glam::DVec2;

use super::polygon_polygon::placed;
use super::segment::foot;
use super::{Contact, Meet, PairQuery};
use crate::body::Bodies;
use crate::contact::feature::rim_feature;
use crate::dim::{Dim, Vector};
use crate::shape::{Shape, facing};
use crate::wall::Surface;

/// Calls `meet` with the contacts of the vertices of wall a between the corners of grain b, in the order of their keys.
pub(super) fn find<D: Dim>(bodies: &Bodies<D>, surface: &Surface<D>, query: &PairQuery<D>, meet: Meet<D>) {
    let PairQuery { a, b, reach, .. } = *query;
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x);
    for (number, vertex) in surface.vertices().into_iter().enumerate() {
        let arm = xa + vertex - xb;
        let Some((normal, gap)) = between_corners(bodies, b, arm) else { continue };
        if gap < reach {
            let key = query.key(rim_feature(false, number));
            let arm_b = arm + normal * (0.5 * gap);
            let arm_a = surface.arm(xa, xb + arm, normal);
            meet(Contact { key, normal, gap, arm_a, arm_b, image_velocity: D::Vec::ZERO });
        }
    }
}

/// Normal from a point into a grain and the distance between them, if the nearest point of the grain is between two
/// corners. `x` is relative to the centre of the grain.
fn between_corners<D: Dim>(bodies: &Bodies<D>, body: usize, x: D::Vec) -> Option<(D::Vec, f64)> {
    match bodies.shape[body] {
        Shape::Clump(clump) => {
            let outline = bodies.outlines.get(clump.outline as usize).filter(|outline| outline.is_rod())?;
            let turn = D::rotation(bodies.pose[body].q);
            let (part, nearest) = foot([turn(outline.corners[0]), turn(outline.corners[1])], x);
            let apart = nearest - x;
            let distance = apart.norm();
            let is_between = part > 0.0 && part < 1.0 && distance > 0.0;
            is_between.then(|| (apart * (1.0 / distance), distance - outline.radii[0]))
        }
        Shape::Stone(stone) => {
            let polygon = placed(bodies, stone, body, bodies.pose[body].x);
            let (outwards, distance) = facing::point(&polygon, DVec2::new(x.get(0), x.get(1)));
            let is_between = polygon.normals.contains(&outwards);
            is_between.then(|| (D::Vec::from_fn(|axis| -[outwards.x, outwards.y][axis]), distance))
        }
        Shape::Round(_) | Shape::Wall => None,
    }
}
