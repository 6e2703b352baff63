//! The outside of a cylinder, which touches edges of polygons and polyhedra, and capsules between their ends.
//!
//! A straight edge is nearest to a cylinder where it is nearest to its axis. The distance of an edge bounds that of the
//! grain from above, so none of these contacts is spurious. A face along the cylinder touches it with the edges at its
//! two ends.

use super::{Contact, Meet, PairQuery};
use crate::body::Bodies;
use crate::contact::feature::rim_feature;
use crate::dim::{D2, Dim, Vector};
use crate::shape::{Outline, Shape};
use crate::wall::cylinder::Side;
use crate::wall::{Cylinder, Surface};

/// Calls `meet` with the contacts of the outside of cylinder a between the corners of grain b, in the order of their
/// keys.
pub(super) fn find<D: Dim>(
    bodies: &Bodies<D>,
    surface: &Surface<D>,
    cylinder: &Cylinder<D>,
    query: &PairQuery<D>,
    meet: Meet<D>,
) {
    let PairQuery { a, b, reach, .. } = *query;
    let (Shape::Stone(form) | Shape::Clump(form)) = bodies.shape[b] else { return };
    let outline = &bodies.outlines[form.outline as usize];
    if cylinder.grains != Side::Outside || (outline.is_round() && !outline.is_rod()) {
        return;
    }
    let (axis, turn, thick) = (cylinder.direction(), D::rotation(bodies.pose[b].q), outline.radius_at(0));
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x);
    let across = |v: D::Vec| v - axis * v.dot(axis);
    for (number, ends) in edges(outline).into_iter().enumerate() {
        let [p, q] = ends.map(|corner| turn(outline.corners[corner]));
        let (from, along) = (across(xb + p - xa - cylinder.centre.0), across(q - p));
        if along.norm_squared() <= f64::EPSILON * (q - p).norm_squared() {
            continue; // along the axis: its ends touch
        }
        let part = -from.dot(along) / along.norm_squared();
        let out = from + along * part;
        let distance = out.norm();
        let gap = distance - *cylinder.radius - thick;
        if part > 0.0 && part < 1.0 && distance > 0.0 && gap < reach {
            let normal = out * (1.0 / distance);
            let arm_b = p + (q - p) * part - normal * (thick + 0.5 * gap);
            let key = query.key(rim_feature(true, number));
            let arm_a = surface.arm(xa, xb + arm_b - normal * (0.5 * gap), normal);
            meet(Contact { key, normal, gap, arm_a, arm_b, image_velocity: D::Vec::ZERO });
        }
    }
}

/// Edges, each by its two corners. In the plane the edges of a polygon run from corner to corner.
fn edges<D: Dim>(outline: &Outline<D>) -> Vec<[usize; 2]> {
    let count = outline.corners.len();
    if outline.is_rod() {
        vec![[0, 1]]
    } else if D::DIMENSION == D2::DIMENSION {
        (0..count).map(|k| [k, (k + 1) % count]).collect()
    } else {
        outline.edges.iter().map(|edge| edge.corners.map(|corner| corner as usize)).collect()
    }
}
