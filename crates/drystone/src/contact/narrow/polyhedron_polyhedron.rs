//! Two polyhedra (3D).

use glam::DVec3;

use super::{Contact, Meet, PairCache, PairQuery};
use crate::body::Bodies;
use crate::contact::feature::{corner_feature, edge_feature};
use crate::contact::rotated::in_space3;
use crate::dim::{Dim, Vector};
use crate::shape::Stone;
use crate::shape::solid::{self, Feature};

/// The contacts of two polyhedra, unless the direction that separated them before still does.
pub(super) fn find<D: Dim>(
    bodies: &Bodies<D>,
    query: &PairQuery<D>,
    [one, other]: [Stone; 2],
    PairCache { hulls, separating }: PairCache<D>,
    meet: Meet<D>,
) {
    let Some(apart) = query.centres(bodies) else { return };
    hulls.prepare(bodies, one, query.a);
    hulls.prepare(bodies, other, query.b);
    let one = hulls.placed(bodies, one, query.a, D::Vec::ZERO);
    let other = hulls.placed(bodies, other, query.b, apart);
    let known = in_space3(*separating);
    if known != DVec3::ZERO && solid::apart(&one, &other, known) >= query.reach {
        return;
    }
    let mut found: Vec<Contact<D>> = Vec::new();
    let direction = solid::polyhedra(&one, &other, query.reach, |spot| {
        let feature = match spot.feature {
            Feature::Corner(of_b, corner) => corner_feature(of_b, corner, 0),
            Feature::Edges(of_a, of_b) => edge_feature(of_a, of_b),
        };
        found.push(contact_at(query, feature, spot.normal, spot.gap, spot.point, apart));
    });
    *separating = D::Vec::from_fn(|axis| direction[axis]);
    found.sort_by_key(|contact| contact.key);
    found.into_iter().for_each(meet);
}

/// A contact at a point that is relative to the centre of a; `apart` leads from there to the centre of b.
pub(super) fn contact_at<D: Dim>(
    query: &PairQuery<D>,
    feature: u32,
    normal: DVec3,
    gap: f64,
    point: DVec3,
    apart: D::Vec,
) -> Contact<D> {
    let lift = |v: DVec3| D::Vec::from_fn(|axis| v[axis]);
    let arm_a = lift(point);
    let (key, normal) = (query.key(feature), lift(normal));
    Contact { key, normal, gap, arm_a, arm_b: arm_a - apart, image_velocity: D::Vec::ZERO }
}
