//! Clumps, capsules and stones at walls of triangles: whether a contact is between a point of the wall and one of the
//! grain.

use super::clumps::best;
use super::judge::{Check, Judge};
use super::solids::{Found, PARALLEL};
use super::space::{Vec3, add, dot, norm, scale, sub};
use super::step::{Body, BodyPair, Step};

/// Distance of the point from which the wall is searched above the contact, over the radius of the grain: above its
/// deepest overlap, and below other parts of the wall.
const ABOVE: f64 = 0.1;

/// Checks where a contact with a wall of triangles is, and returns its gap where contacts were found [m].
///
/// The point of the wall is the point of its triangles that is nearest to all points along the normal, also to one
/// above the contact. The wall and the grain must be half the gap to either side of the point where the force acts.
pub(crate) fn check_place(step: &Step, k: usize, wall: usize, b: Body, judge: &mut Judge) -> Option<f64> {
    let Body::Grain(grain) = b else { return None };
    let (contacts, bodies) = (&step.frame.contacts, BodyPair { a: Body::Wall(wall), b });
    let (normal, size) = (contacts.normal[k], step.radius(b));
    let middle = add(step.found[grain], contacts.arm_b[k]);
    let above = ABOVE * size;
    let seen = add(sub(middle, step.wall_found(wall)), scale(normal, above));
    let (found, distance) = step.scene.walls[wall].thin.as_ref()?.below(seen, normal, 4.0 * above)?;
    let to_wall = distance - above;
    let rounding = (8.0 * step.place_rounding(bodies) + 64.0 * f64::EPSILON * size) / size;
    let name = || step.contact(bodies);
    let (turned, solid) = (norm(sub(found, normal)), step.solid_found(b));
    // an edge of the wall that lies along a face of a stone is pushed along the normal of that face
    let is_face = |solid: &Found| solid.faces.iter().any(|face| norm(add(solid.normal(face), normal)) <= 1e-12);
    let lies_along = solid.as_ref().is_some_and(is_face);
    let limit = rounding / ABOVE + if lies_along { PARALLEL } else { 0.0 };
    judge.see(Check::Geometry, turned, limit, || format!("normal of the {}", name()));
    let off = match (step.pieces_found(grain), solid) {
        (Some(pieces), _) => {
            let hit = best(&pieces, middle, scale(normal, -1.0))?;
            hit.off.max((hit.beyond - to_wall).abs())
        }
        (None, Some(solid)) => highest(&solid, add(middle, scale(normal, to_wall))).abs(),
        (None, None) => return None,
    };
    judge.see(Check::Geometry, off / size, rounding, || format!("surface of the grain at the {}", name()));
    Some(2.0 * to_wall)
}

/// How high a point is above the faces of a polyhedron at most [m]; zero on its surface.
fn highest(solid: &Found, x: Vec3) -> f64 {
    let height = |face: &Vec<u32>| dot(sub(x, solid.corners[face[0] as usize]), solid.normal(face));
    solid.faces.iter().map(height).fold(f64::NEG_INFINITY, f64::max)
}
