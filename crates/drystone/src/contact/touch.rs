//! Narrow phase: the contacts of a pair of bodies that are near each other.

use super::{Contact, ContactKey};
use crate::body::Bodies;
use crate::dim::{Dim, Vector};
use crate::shape::Shape;
use crate::wall::Surface;

/// Two grains with the same centre: they have no normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coincident {
    /// Index of the first body.
    pub a: usize,
    /// Index of the second body.
    pub b: usize,
}

/// Calls `meet` with every contact of the pair whose gap is below `reach`.
pub fn touch<D: Dim>(
    bodies: &Bodies<D>,
    surfaces: &[Surface<D>],
    (a, b): (usize, usize),
    reach: f64,
    mut meet: impl FnMut(Contact<D>),
) -> Result<(), Coincident> {
    let key = |feature| ContactKey { a: a as u32, b: b as u32, feature };
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x);
    match (bodies.shape[a], bodies.shape[b]) {
        (Shape::Round(ra), Shape::Round(rb)) => {
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
            meet(Contact { key: key(0), normal, gap, arm_a: normal * ra.radius, arm_b: normal * -rb.radius });
        }
        (Shape::Wall, Shape::Round(rb)) => {
            surfaces[a].as_dyn().near(xb - xa, reach + rb.radius, &mut |face, normal, distance| {
                let gap = distance - rb.radius;
                meet(Contact { key: key(face), normal, gap, arm_a: D::Vec::ZERO, arm_b: normal * -rb.radius });
            });
        }
        (_, Shape::Wall) => {} // walls stand first and do not touch each other
    }
    Ok(())
}
