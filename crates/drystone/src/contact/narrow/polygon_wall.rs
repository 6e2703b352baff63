//! A polygon as a wall, and a polygon as a grain (2D).

use super::polygon_polygon::{contact_at, flat, placed};
use super::{Contact, Meet, PairQuery};
use crate::body::Bodies;
use crate::contact::feature::corner_feature;
use crate::dim::{Dim, Vector};
use crate::shape::{Stone, facing};
use crate::wall::Block;

/// The contacts of polygon b with polygon wall a, which does not turn.
pub(super) fn find<D: Dim>(bodies: &Bodies<D>, wall: &Block<D>, query: &PairQuery<D>, stone: Stone, meet: Meet<D>) {
    let PairQuery { a, b, shift, reach } = *query;
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x + shift);
    let mut support = wall.placed();
    support.corners.iter_mut().for_each(|corner| *corner -= flat::<D>(xb - xa));
    facing::polygons(&support, &placed(bodies, stone, b, xb), reach, |spot| {
        let key = query.key(corner_feature(spot.of_b, spot.corner, 0));
        meet(Contact { arm_a: D::Vec::ZERO, ..contact_at(key, spot, D::Vec::ZERO) });
    });
}
