//! Grains that deform: two of them, and one with a wall. [Book: grains that deform]
//!
//! The surface along the line of the centres, or along the normal of the wall, lies at r (1 + n . E n) from the centre:
//! the strain E enters to first order, and the normal is that of the undeformed grain.

use super::{Coincident, Contact, Meet, PairQuery};
use crate::body::Bodies;
use crate::dim::{Dim, Vector};
use crate::wall::Surface;

/// The contact of two round grains.
pub(super) fn pair<D: Dim>(bodies: &Bodies<D>, query: &PairQuery<D>, meet: Meet<D>) -> Result<(), Coincident> {
    let PairQuery { a, b, shift, reach } = *query;
    let apart = bodies.pose[b].x + shift - bodies.pose[a].x;
    let distance = apart.norm();
    let radii = bodies.round_radius(a) + bodies.round_radius(b);
    if distance >= radii + bodies.bulge(a) + bodies.bulge(b) + reach {
        return Ok(());
    }
    if distance == 0.0 {
        return Err(Coincident { a, b });
    }
    let normal = apart * (1.0 / distance);
    let [ra, rb] = [a, b].map(|body| bodies.radius_along(body, normal));
    let gap = distance - ra - rb;
    if gap < reach {
        // one point for both bodies, as of rigid grains
        let (arm_a, arm_b) = (normal * (ra + 0.5 * gap), normal * -(rb + 0.5 * gap));
        meet(Contact { key: query.key(0), normal, gap, arm_a, arm_b, image_velocity: D::Vec::ZERO });
    }
    Ok(())
}

/// The contacts of round grain b with wall a: one for every face within reach.
pub(super) fn with_wall<D: Dim>(bodies: &Bodies<D>, surface: &Surface<D>, query: &PairQuery<D>, meet: Meet<D>) {
    let PairQuery { a, b, shift, reach } = *query;
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x + shift);
    let far = bodies.round_radius(b) + bodies.bulge(b) + reach;
    surface.near(bodies.wall_pose(a), xb, far, &mut |face, normal, distance| {
        let radius = bodies.radius_along(b, normal);
        let gap = distance - radius;
        if gap < reach {
            let (arm_a, arm_b) = (surface.arm(xa, xb - normal * distance, normal), normal * -radius);
            meet(Contact { key: query.key(face), normal, gap, arm_a, arm_b, image_velocity: D::Vec::ZERO });
        }
    });
}
