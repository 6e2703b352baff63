//! A polyhedron and a sphere (3D).

use glam::DVec3;

use super::polyhedron_polyhedron::contact_at;
use super::{Meet, PairQuery};
use crate::body::Bodies;
use crate::contact::rotated::{RotatedHulls, in_space3};
use crate::dim::{Dim, Vector};
use crate::shape::{Round, Stone, solid};

/// The contact of polyhedron a with sphere b.
pub(super) fn find<D: Dim>(
    bodies: &Bodies<D>,
    query: &PairQuery<D>,
    stone: Stone,
    round: Round,
    hulls: &mut RotatedHulls,
    meet: Meet<D>,
) {
    let Some(apart) = query.centres(bodies) else { return };
    hulls.prepare(bodies, stone, query.a);
    let x = in_space3(apart);
    let (normal, distance) = solid::point(&hulls.placed(bodies, stone, query.a, D::Vec::ZERO), x);
    let gap = distance - round.radius;
    if gap < query.reach {
        meet(contact_at(query, 0, normal, gap, x - normal * (round.radius + 0.5 * gap), apart));
    }
}

/// The contact of sphere a with polyhedron b.
pub(super) fn find_flipped<D: Dim>(
    bodies: &Bodies<D>,
    query: &PairQuery<D>,
    round: Round,
    stone: Stone,
    hulls: &mut RotatedHulls,
    meet: Meet<D>,
) {
    let Some(apart) = query.centres(bodies) else { return };
    hulls.prepare(bodies, stone, query.b);
    let (outwards, distance) = solid::point(&hulls.placed(bodies, stone, query.b, apart), DVec3::ZERO);
    let gap = distance - round.radius;
    if gap < query.reach {
        meet(contact_at(query, 0, -outwards, gap, outwards * -(round.radius + 0.5 * gap), apart));
    }
}
