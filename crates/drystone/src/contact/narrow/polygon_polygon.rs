//! Two polygons (2D).

use glam::DVec2;

use super::{Contact, ContactKey, Meet, PairQuery};
use crate::body::Bodies;
use crate::contact::feature::corner_feature;
use crate::dim::{Dim, Vector};
use crate::shape::Stone;
use crate::shape::facing::{self, FacingPoint2d, PlacedPolygon};

/// The contacts of two polygons, relative to the centre of a.
pub(super) fn find<D: Dim>(bodies: &Bodies<D>, query: &PairQuery<D>, [one, other]: [Stone; 2], meet: Meet<D>) {
    let PairQuery { a, b, shift, reach } = *query;
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x + shift);
    let [one, other] =
        [(one, a, xa), (other, b, xa - shift)].map(|(stone, body, from)| placed(bodies, stone, body, from));
    facing::polygons(&one, &other, reach, |spot| {
        meet(contact_at(query.key(corner_feature(spot.of_b, spot.corner, 0)), spot, xb - xa));
    });
}

/// The polygon of a body at its present pose; positions are relative to `origin`.
pub(super) fn placed<D: Dim>(bodies: &Bodies<D>, stone: Stone, body: usize, origin: D::Vec) -> PlacedPolygon {
    let (outline, pose) = (&bodies.outlines[stone.outline as usize], &bodies.pose[body]);
    let (turn, shift) = (D::rotation(pose.q), pose.x - origin);
    PlacedPolygon {
        corners: outline.corners.iter().map(|corner| flat::<D>(shift + turn(*corner))).collect(),
        normals: outline.normals.iter().map(|normal| flat::<D>(turn(*normal))).collect(),
    }
}

/// A contact at a point that is relative to the centre of a; `apart` leads from there to the centre of b.
pub(super) fn contact_at<D: Dim>(key: ContactKey, spot: FacingPoint2d, apart: D::Vec) -> Contact<D> {
    let lift = |v: DVec2| D::Vec::from_fn(|axis| [v.x, v.y][axis]);
    let arm_a = lift(spot.point);
    Contact { key, normal: lift(spot.normal), gap: spot.gap, arm_a, arm_b: arm_a - apart, image_velocity: D::Vec::ZERO }
}

/// A vector of the plane.
pub(super) fn flat<D: Dim>(v: D::Vec) -> DVec2 {
    DVec2::new(v.get(0), v.get(1))
}
