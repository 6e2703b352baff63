//! A polygon and a disk (2D).

use glam::DVec2;

use super::polygon_polygon::{contact_at, flat, placed};
use super::{Meet, PairQuery};
use crate::body::Bodies;
use crate::dim::Dim;
use crate::shape::facing::{self, FacingPoint2d};
use crate::shape::{Round, Stone};

/// The contact of polygon a with disk b.
pub(super) fn find<D: Dim>(bodies: &Bodies<D>, query: &PairQuery<D>, stone: Stone, round: Round, meet: Meet<D>) {
    let PairQuery { a, b, shift, reach } = *query;
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x + shift);
    let (normal, distance) = facing::point(&placed(bodies, stone, a, xa), flat::<D>(xb - xa));
    let gap = distance - round.radius;
    if gap < reach {
        let point = flat::<D>(xb - xa) - normal * (round.radius + 0.5 * gap);
        meet(contact_at(query.key(0), FacingPoint2d { corner: 0, of_b: false, normal, gap, point }, xb - xa));
    }
}

/// The contact of disk a with polygon b.
pub(super) fn find_flipped<D: Dim>(
    bodies: &Bodies<D>,
    query: &PairQuery<D>,
    round: Round,
    stone: Stone,
    meet: Meet<D>,
) {
    let PairQuery { a, b, shift, reach } = *query;
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x + shift);
    let (outwards, distance) = facing::point(&placed(bodies, stone, b, xa - shift), DVec2::ZERO);
    let gap = distance - round.radius;
    if gap < reach {
        let normal = -outwards;
        let point = normal * (round.radius + 0.5 * gap);
        meet(contact_at(query.key(0), FacingPoint2d { corner: 0, of_b: false, normal, gap, point }, xb - xa));
    }
}
