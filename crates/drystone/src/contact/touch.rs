//! Narrow phase: the contacts of a pair of bodies that are near each other.

use glam::DVec2;

use super::at_mesh::touch_mesh;
use super::pieces::touch_clumps;
use super::pillars::touch_pillar;
use super::shelf::{Shelf, in_space3};
use super::tips::touch_tips;
use super::{Contact, ContactKey, corner_feature, edge_feature, wall_feature};
use crate::body::{Bodies, Pose};
use crate::dim::{D3, Dim, Vector};
use crate::shape::facing::{self, Placed, Spot};
use crate::shape::solid::{self, Feature};
use crate::shape::{Outline, Shape, Stone};
use crate::wall::Surface;

/// Two grains with the same centre: they have no normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coincident {
    /// Index of the first body.
    pub a: usize,
    /// Index of the second body.
    pub b: usize,
}

/// Calls `meet` with every contact of the pair whose gap is below `reach`, in the order of their keys. Of b the image
/// counts that is `shift` away from b itself.
pub fn touch<D: Dim>(
    bodies: &Bodies<D>,
    surfaces: &[Surface<D>],
    pair: (usize, usize),
    near: (D::Vec, f64),
    meet: impl FnMut(Contact<D>),
) -> Result<(), Coincident> {
    touch_again(bodies, surfaces, pair, near, (&mut Shelf::default(), &mut D::Vec::default()), meet)
}

/// As [`touch`], for one of many pairs: stones stand turned on the shelf, and `hint` is a direction that parted the two
/// the last time. It saves work and changes nothing.
pub fn touch_again<D: Dim>(
    bodies: &Bodies<D>,
    surfaces: &[Surface<D>],
    (a, b): (usize, usize),
    (shift, reach): (D::Vec, f64),
    (shelf, hint): (&mut Shelf, &mut D::Vec),
    mut meet: impl FnMut(Contact<D>),
) -> Result<(), Coincident> {
    let is_wall = matches!(bodies.shape[a], Shape::Wall);
    if [a, b].iter().any(|body| matches!(bodies.shape[*body], Shape::Clump(_))) && !is_wall {
        return touch_clumps(bodies, (a, b), (shift, reach), shelf, meet);
    }
    let has_stone = bodies.shape[a].is_stone() || bodies.shape[b].is_stone();
    if D::DIMENSION == D3::DIMENSION && has_stone && !is_wall {
        touch_solids(bodies, (a, b), (shift, reach), (shelf, hint), meet);
        return Ok(());
    }
    let key = |feature| ContactKey { a: a as u32, b: b as u32, feature };
    let (xa, xb, jump) = (bodies.pose[a].x, bodies.pose[b].x + shift, D::Vec::ZERO);
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
            let (arm_a, arm_b) = (normal * ra.radius, normal * -rb.radius);
            meet(Contact { key: key(0), normal, gap, arm_a, arm_b, jump });
        }
        (Shape::Wall, Shape::Round(rb)) => {
            let surface = &surfaces[a];
            surface.near(bodies.stand(a), xb, reach + rb.radius, &mut |face, normal, distance| {
                let (gap, arm_a) = (distance - rb.radius, surface.arm(xa, xb - normal * distance, normal));
                meet(Contact { key: key(face), normal, gap, arm_a, arm_b: normal * -rb.radius, jump });
            });
        }
        (Shape::Stone(one), Shape::Stone(other)) => {
            let [one, other] =
                [(one, a, xa), (other, b, xa - shift)].map(|(stone, body, from)| placed(bodies, stone, body, from));
            facing::polygons(&one, &other, reach, |spot| {
                meet(contact(key(corner_feature(spot.of_b, spot.corner, 0)), spot, xb - xa));
            });
        }
        (Shape::Stone(stone), Shape::Round(round)) => {
            let (normal, distance) = facing::point(&placed(bodies, stone, a, xa), flat::<D>(xb - xa));
            let gap = distance - round.radius;
            if gap < reach {
                let point = flat::<D>(xb - xa) - normal * (round.radius + 0.5 * gap);
                meet(contact(key(0), Spot { corner: 0, of_b: false, normal, gap, point }, xb - xa));
            }
        }
        (Shape::Round(round), Shape::Stone(stone)) => {
            let (outwards, distance) = facing::point(&placed(bodies, stone, b, xa - shift), DVec2::ZERO);
            let gap = distance - round.radius;
            if gap < reach {
                let normal = -outwards;
                let point = normal * (round.radius + 0.5 * gap);
                meet(contact(key(0), Spot { corner: 0, of_b: false, normal, gap, point }, xb - xa));
            }
        }
        (Shape::Wall, Shape::Stone(stone)) => {
            if let Surface::Block(block) = &surfaces[a] {
                let mut support = block.placed();
                support.corners.iter_mut().for_each(|corner| *corner -= flat::<D>(xb - xa));
                facing::polygons(&support, &placed(bodies, stone, b, xb), reach, |spot| {
                    let key = key(corner_feature(spot.of_b, spot.corner, 0));
                    meet(Contact { arm_a: D::Vec::ZERO, ..contact(key, spot, D::Vec::ZERO) });
                });
                return Ok(());
            }
            if matches!(surfaces[a], Surface::Mesh(_)) {
                touch_between(bodies, &surfaces[a], (a, b), reach, meet);
                return Ok(());
            }
            let turn = D::rotation(bodies.pose[b].q);
            for (corner, arm) in bodies.outlines[stone.outline as usize].corners.iter().enumerate() {
                let arm = turn(*arm);
                surfaces[a].near(bodies.stand(a), xb + arm, reach, &mut |face, normal, gap| {
                    let key = key(wall_feature(corner, face));
                    let arm_a = surfaces[a].arm(xa, xb + arm - normal * gap, normal);
                    meet(Contact { key, normal, gap, arm_a, arm_b: arm - normal * (0.5 * gap), jump });
                });
            }
            touch_between(bodies, &surfaces[a], (a, b), reach, meet);
        }
        (Shape::Wall, Shape::Clump(clump)) => {
            let (turn, surface) = (D::rotation(bodies.pose[b].q), &surfaces[a]);
            let outline = &bodies.outlines[clump.outline as usize];
            for (ball, arm) in outline.corners.iter().enumerate() {
                let (arm, radius) = (turn(*arm), outline.radius_at(ball));
                surface.near(bodies.stand(a), xb + arm, reach + radius, &mut |face, normal, distance| {
                    let (key, gap) = (key(wall_feature(ball, face)), distance - radius);
                    let arm_a = surface.arm(xa, xb + arm - normal * distance, normal);
                    let arm_b = arm - normal * (radius + 0.5 * gap);
                    meet(Contact { key, normal, gap, arm_a, arm_b, jump });
                });
            }
            touch_between(bodies, surface, (a, b), reach, meet);
        }
        (Shape::Clump(_), _) | (_, Shape::Clump(_)) => {} // done above
        (_, Shape::Wall) => {}                            // walls stand first and do not touch each other
    }
    Ok(())
}

/// Contacts of a wall between the corners of a stone or the ends of a capsule; with a mesh all contacts of a stone.
fn touch_between<D: Dim>(
    bodies: &Bodies<D>,
    surface: &Surface<D>,
    pair: (usize, usize),
    reach: f64,
    meet: impl FnMut(Contact<D>),
) {
    match surface {
        Surface::Mesh(mesh) => touch_mesh(bodies, (surface, mesh), pair, reach, meet),
        Surface::Cylinder(cylinder) => touch_pillar(bodies, (surface, cylinder), pair, reach, meet),
        _ => touch_tips(bodies, surface, pair, reach, meet),
    }
}

/// The contacts of a stone of space with another one or with a sphere.
fn touch_solids<D: Dim>(
    bodies: &Bodies<D>,
    (a, b): (usize, usize),
    (shift, reach): (D::Vec, f64),
    (shelf, hint): (&mut Shelf, &mut D::Vec),
    mut meet: impl FnMut(Contact<D>),
) {
    let apart = bodies.pose[b].x + shift - bodies.pose[a].x;
    let (shape_a, shape_b) = (bodies.shape[a], bodies.shape[b]);
    let limit = shape_a.radius() + shape_b.radius() + reach;
    if apart.norm_squared() >= limit * limit {
        return;
    }
    for (shape, body) in [(shape_a, a), (shape_b, b)] {
        if let Shape::Stone(stone) = shape {
            shelf.ready(bodies, stone, body);
        }
    }
    let key = |feature| ContactKey { a: a as u32, b: b as u32, feature };
    let lift = |v: glam::DVec3| D::Vec::from_fn(|axis| v[axis]);
    let contact = |feature: u32, normal: glam::DVec3, gap: f64, point: glam::DVec3| {
        let arm_a = lift(point);
        Contact { key: key(feature), normal: lift(normal), gap, arm_a, arm_b: arm_a - apart, jump: D::Vec::ZERO }
    };
    let (one, other) = (shelf.set(bodies, a, D::Vec::ZERO), shelf.set(bodies, b, apart));
    match (one, other, shape_a, shape_b) {
        (Some(one), Some(other), ..) => {
            let known = in_space3(*hint);
            if known != glam::DVec3::ZERO && solid::apart(&one, &other, known) >= reach {
                return;
            }
            let mut found: Vec<Contact<D>> = Vec::new();
            let direction = solid::polyhedra(&one, &other, reach, |spot| {
                let feature = match spot.feature {
                    Feature::Corner(of_b, corner) => corner_feature(of_b, corner, 0),
                    Feature::Edges(of_a, of_b) => edge_feature(of_a, of_b),
                };
                found.push(contact(feature, spot.normal, spot.gap, spot.point));
            });
            *hint = lift(direction);
            found.sort_by_key(|contact| contact.key);
            found.into_iter().for_each(meet);
        }
        (Some(one), None, _, Shape::Round(round)) => {
            let x = in_space3(apart);
            let (normal, distance) = solid::point(&one, x);
            let gap = distance - round.radius;
            if gap < reach {
                meet(contact(0, normal, gap, x - normal * (round.radius + 0.5 * gap)));
            }
        }
        (None, Some(other), Shape::Round(round), _) => {
            let (outwards, distance) = solid::point(&other, glam::DVec3::ZERO);
            let gap = distance - round.radius;
            if gap < reach {
                meet(contact(0, -outwards, gap, outwards * -(round.radius + 0.5 * gap)));
            }
        }
        _ => unreachable!("one of the two is a stone, and the other no wall"),
    }
}

/// The outline of a stone in the world, counted from `origin`.
pub(super) fn placed<D: Dim>(bodies: &Bodies<D>, stone: Stone, body: usize, origin: D::Vec) -> Placed {
    place_outline(&bodies.outlines[stone.outline as usize], &bodies.pose[body], origin)
}

/// An outline in the world, counted from `origin`.
fn place_outline<D: Dim>(outline: &Outline<D>, pose: &Pose<D>, origin: D::Vec) -> Placed {
    let (turn, shift) = (D::rotation(pose.q), pose.x - origin);
    Placed {
        corners: outline.corners.iter().map(|corner| flat::<D>(shift + turn(*corner))).collect(),
        normals: outline.normals.iter().map(|normal| flat::<D>(turn(*normal))).collect(),
    }
}

/// A contact at a spot that counts from the centre of a; `apart` leads from there to the centre of b.
fn contact<D: Dim>(key: ContactKey, spot: Spot, apart: D::Vec) -> Contact<D> {
    let lift = |v: DVec2| D::Vec::from_fn(|axis| [v.x, v.y][axis]);
    let arm_a = lift(spot.point);
    Contact { key, normal: lift(spot.normal), gap: spot.gap, arm_a, arm_b: arm_a - apart, jump: D::Vec::ZERO }
}

/// A vector of the plane.
fn flat<D: Dim>(v: D::Vec) -> DVec2 {
    DVec2::new(v.get(0), v.get(1))
}
