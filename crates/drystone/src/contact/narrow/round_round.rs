//! Two disks or spheres.

use super::{Coincident, Contact, PairQuery, deformed};
use crate::body::Bodies;
use crate::dim::{Dim, Vector};
use crate::shape::Round;

/// The contact of two round grains: along the line of their centres.
#[inline]
pub(super) fn find<D: Dim>(
    bodies: &Bodies<D>,
    query: &PairQuery<D>,
    [ra, rb]: [Round; 2],
    mut meet: impl FnMut(Contact<D>),
) -> Result<(), Coincident> {
    if bodies.strains.is_some() {
        return deformed::pair(bodies, query, &mut meet);
    }
    let PairQuery { a, b, shift, reach } = *query;
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x + shift);
    let (apart, touching) = (xb - xa, ra.radius + rb.radius);
    let limit = touching + reach;
    let distance_squared = apart.norm_squared();
    if distance_squared >= limit * limit {
        return Ok(());
    }
    let distance = distance_squared.sqrt();
    if distance == 0.0 {
        return Err(Coincident { a, b });
    }
    let normal = apart * (1.0 / distance);
    let gap = distance - touching;
    // the force acts on both bodies at one point, the middle of the gap or overlap, so that no torque on the pair is
    // left
    let (arm_a, arm_b) = (normal * (ra.radius + 0.5 * gap), normal * -(rb.radius + 0.5 * gap));
    meet(Contact { key: query.key(0), normal, gap, arm_a, arm_b, image_velocity: D::Vec::ZERO });
    Ok(())
}
