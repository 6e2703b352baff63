//! Where two convex polyhedra face each other: normal, gaps and points, exact up to rounding.
//!
//! As in the plane (ADR 0010), the separation along a direction is the gap between the projections of the bodies onto
//! it, and it is largest along the line of their nearest points. Where these lie in a face, or inside two edges, that
//! direction is the normal of the face or the common normal of the edges, which scalar products of corners and normals
//! find. What remains are corners against edges and corners, few enough to try them all. There is no iteration.

use glam::DVec3;

use super::{Edge, shared};

/// A polyhedron in its present orientation, relative to its own centre.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solid {
    /// Corners [m].
    pub corners: Vec<DVec3>,
    /// Unit normals of the faces.
    pub normals: Vec<DVec3>,
}

/// Faces and edges of a polyhedron, by the numbers of their corners.
#[derive(Clone, Copy, Debug)]
pub struct Rims<'o> {
    /// Corners of every face.
    pub faces: &'o [Vec<u32>],
    /// Edges.
    pub edges: &'o [Edge],
}

/// A polyhedron with its rims, and where its centre is.
#[derive(Clone, Copy, Debug)]
pub struct Set<'o> {
    /// Corners and normals.
    pub solid: &'o Solid,
    /// Faces and edges.
    pub rims: Rims<'o>,
    /// Its centre [m].
    pub at: DVec3,
    /// Distance of the nearest face from the centre [m].
    pub inner: f64,
}

/// The features of two bodies that face each other at a point; they identify it from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// A corner of a, or of b.
    Corner(bool, usize),
    /// An edge of a and one of b.
    Edges(usize, usize),
}

/// A point where two bodies face each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FacingPoint3d {
    /// The features that face each other.
    pub feature: Feature,
    /// Unit normal from a to b.
    pub normal: DVec3,
    /// Gap along the normal [m].
    pub gap: f64,
    /// Half-way between the surfaces [m].
    pub point: DVec3,
}

/// Rounding of a distance, relative to the coordinates whose difference it is: a few units for rotated and displaced
/// corners.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Directions closer than this [rad] count as equal in the choice between a face and an edge or corner beside it: all
/// points of the face then become contacts, and their gaps differ from those along the other direction by half its
/// square.
const PARALLEL: f64 = 1e-3;

/// The face along whose normal the other body is furthest away.
#[derive(Clone, Copy, Debug)]
struct FaceAxis {
    face: usize,
    separation: f64,
    /// The corner of the other body that is nearest to the plane of the face.
    corner: usize,
}

/// A common normal of two edges.
#[derive(Clone, Copy, Debug)]
struct EdgeAxis {
    edges: [usize; 2],
    /// From a to b.
    normal: DVec3,
    separation: f64,
}

impl Set<'_> {
    fn corner(&self, k: usize) -> DVec3 {
        self.at + self.solid.corners[k]
    }

    fn ends(&self, edge: usize) -> [DVec3; 2] {
        self.rims.edges[edge].corners.map(|k| self.corner(k as usize))
    }

    /// The lowest corner along a direction, and its height.
    fn lowest(&self, direction: DVec3) -> (usize, f64) {
        let mut lowest = (0, f64::INFINITY);
        for (k, corner) in self.solid.corners.iter().enumerate() {
            let height = corner.dot(direction);
            if height < lowest.1 {
                lowest = (k, height);
            }
        }
        (lowest.0, lowest.1 + self.at.dot(direction))
    }

    fn face_axis(&self, other: &Set, enough: f64) -> FaceAxis {
        let mut best = FaceAxis { face: 0, separation: f64::NEG_INFINITY, corner: 0 };
        for (face, normal) in self.solid.normals.iter().enumerate() {
            let (lift, level) = (other.at.dot(*normal), self.corner(self.rims.faces[face][0] as usize).dot(*normal));
            // corners follow until one of them shows that this face separates the two less than the best one
            let (mut corner, mut lowest) = (0, f64::INFINITY);
            for (k, place) in other.solid.corners.iter().enumerate() {
                let height = place.dot(*normal);
                if height < lowest {
                    (corner, lowest) = (k, height);
                    if lowest + lift - level <= best.separation {
                        break;
                    }
                }
            }
            let separation = lowest + lift - level;
            if separation > best.separation {
                best = FaceAxis { face, separation, corner };
                if separation >= enough {
                    break;
                }
            }
        }
        best
    }

    /// The face at a corner whose normal is most opposed to a direction.
    fn facing(&self, corner: usize, direction: DVec3) -> usize {
        let around = self.rims.edges.iter().filter(|edge| edge.corners.contains(&(corner as u32)));
        let towards = |face: &u32| self.solid.normals[*face as usize].dot(direction);
        let best = around.flat_map(|edge| edge.faces).min_by(|p, q| towards(p).total_cmp(&towards(q)).then(p.cmp(q)));
        best.unwrap_or(0) as usize
    }

    fn face(&self, face: usize) -> Vec<DVec3> {
        self.rims.faces[face].iter().map(|k| self.corner(*k as usize)).collect()
    }

    fn size(&self) -> f64 {
        self.solid.corners.iter().map(|corner| corner.length_squared()).fold(0.0, f64::max).sqrt() + self.at.length()
    }
}

/// Separation of the bodies along a direction; negative if their projections overlap.
pub(crate) fn apart(a: &Set, b: &Set, direction: DVec3) -> f64 {
    b.lowest(direction).1 + a.lowest(-direction).1
}

/// An edge with the normals of its faces.
#[derive(Clone, Copy, Debug)]
struct Ridge {
    number: usize,
    from: DVec3,
    along: DVec3,
    normals: [DVec3; 2],
}

impl Set<'_> {
    /// The edges along whose normals the centre of the other body can be outside. Behind the other edges it is at least
    /// its inner radius deep, so that they do not separate the bodies by more than `floor`.
    fn ridges(&self, other: &Set, floor: f64) -> impl Iterator<Item = Ridge> {
        let all = self.rims.edges.iter().enumerate().map(|(number, edge)| {
            let [from, to] = edge.corners.map(|k| self.corner(k as usize));
            Ridge { number, from, along: to - from, normals: edge.faces.map(|face| self.solid.normals[face as usize]) }
        });
        let (centre, is_deep) = (other.at, floor < -other.inner);
        let may_part = move |ridge: &Ridge| ridge.normals.iter().any(|normal| normal.dot(centre - ridge.from) > 0.0);
        all.filter(move |ridge| is_deep || may_part(ridge))
    }
}

/// The pair of edges whose common normal separates the bodies most, and by more than `floor`. Only pairs that form a
/// face of the Minkowski difference count, which the normals of their faces show. [Gregorius 2013]
fn edge_axis(a: &Set, b: &Set, floor: f64) -> Option<EdgeAxis> {
    let mut best: Option<EdgeAxis> = None;
    let mut of_b = Vec::with_capacity(b.rims.edges.len());
    of_b.extend(b.ridges(a, floor));
    for one in a.ridges(b, floor) {
        let [left, right] = one.normals;
        let outwards = left + right;
        for other in &of_b {
            let (p, q) = (other.normals[0].dot(one.along), other.normals[1].dot(one.along));
            if p * q >= 0.0 {
                continue;
            }
            let (r, s) = (left.dot(other.along), right.dot(other.along));
            if r * s >= 0.0 || p * s >= 0.0 {
                continue;
            }
            let normal = one.along.cross(other.along);
            let length = normal.length();
            if length <= ROUNDING * one.along.length() * other.along.length() {
                continue; // parallel
            }
            let normal = normal * (outwards.dot(normal).signum() / length);
            let separation = (other.from - one.from).dot(normal);
            if separation > best.map_or(floor, |best| best.separation) {
                best = Some(EdgeAxis { edges: [one.number, other.number], normal, separation });
            }
        }
    }
    best
}

/// The nearest points of two edges, if they lie inside both.
fn crossing([p, p_end]: [DVec3; 2], [q, q_end]: [DVec3; 2]) -> Option<(DVec3, DVec3)> {
    let (d, e, r) = (p_end - p, q_end - q, q - p);
    let (dd, de, ee, dr, er) = (d.length_squared(), d.dot(e), e.length_squared(), d.dot(r), e.dot(r));
    let determinant = dd * ee - de * de;
    let (s, t) = ((dr * ee - er * de) / determinant, (dr * de - er * dd) / determinant);
    let inside = |x: f64| (0.0..=1.0).contains(&x);
    (inside(s) && inside(t)).then(|| (p + d * s, q + e * t))
}

/// The corner of one body that is nearest to an edge of the other, and the vector from the edge to it.
fn nearest_corner(edges: &Set, corners: &Set) -> (usize, DVec3) {
    let mut nearest = (0, DVec3::INFINITY);
    for edge in 0..edges.rims.edges.len() {
        let [from, to] = edges.ends(edge);
        let along = to - from;
        let scale = 1.0 / along.length_squared();
        for k in 0..corners.solid.corners.len() {
            let arm = corners.corner(k) - from;
            let out = arm - along * (arm.dot(along) * scale).clamp(0.0, 1.0);
            if out.length_squared() < nearest.1.length_squared() {
                nearest = (k, out);
            }
        }
    }
    nearest
}

/// Calls `meet` with the points where the polyhedra face each other closer than `reach`, and returns a direction from a
/// to b along which they are far apart, if they are.
pub(crate) fn polyhedra(a: &Set, b: &Set, reach: f64, mut meet: impl FnMut(FacingPoint3d)) -> DVec3 {
    let of_a = a.face_axis(b, reach);
    let normal_a = a.solid.normals[of_a.face];
    if of_a.separation >= reach {
        return normal_a;
    }
    let of_b = b.face_axis(a, reach);
    let normal_b = -b.solid.normals[of_b.face];
    if of_b.separation >= reach {
        return normal_b;
    }
    let rounding = ROUNDING * (a.size() + b.size());
    // the reference face belongs to the first body, unless one of the second separates them more
    let flipped = of_b.separation > of_a.separation + rounding;
    let (one, other, axis) = if flipped { (b, a, of_b) } else { (a, b, of_a) };
    let sign = if flipped { -1.0 } else { 1.0 };
    let normal = one.solid.normals[axis.face];
    let against = other.facing(axis.corner, normal);
    let face =
        shared::shared(&one.face(axis.face), &other.face(against), normal, other.solid.normals[against], rounding);
    let lowest = face.iter().map(|place| place.gap).fold(f64::INFINITY, f64::min);
    let towards_b = normal * sign;
    let is_parallel = |direction: DVec3| !face.is_empty() && direction.cross(towards_b).length() <= PARALLEL;
    // a corner outside the body and over its face is nearest there: no pair of edges separates the two more
    let is_nearest = lowest <= axis.separation + rounding && axis.separation >= -rounding;
    let edge = if is_nearest { None } else { edge_axis(a, b, axis.separation + rounding) };
    // the common normal of nearly parallel edges is inaccurate: it counts only if it really separates the bodies
    let edge = edge.filter(|edge| (apart(a, b, edge.normal) - edge.separation).abs() <= rounding);
    if let Some(axis) = edge.filter(|axis| axis.separation >= reach) {
        return axis.normal;
    }
    let spot = match edge.and_then(|edge| edge_spot(a, b, &edge)) {
        Some(spot) => Some(spot),
        // a corner beside the face: it can be nearest only if the bodies are apart
        None if lowest > axis.separation + rounding && edge.map_or(axis.separation, |e| e.separation) > 0.0 => {
            Some(corner_spot(a, b)).filter(|spot| spot.gap < lowest)
        }
        None => None,
    };
    if let Some(spot) = spot.filter(|spot| !is_parallel(spot.normal)) {
        if spot.gap < reach {
            meet(spot);
        }
        return spot.normal;
    }
    if face.is_empty() {
        // a corner beside the face is still pushed out along the normal
        let x = other.corner(axis.corner);
        let spot = FacingPoint3d {
            feature: Feature::Corner(!flipped, axis.corner),
            normal: towards_b,
            gap: axis.separation,
            point: x - normal * (0.5 * axis.separation),
        };
        if spot.gap < reach {
            meet(spot);
        }
        return towards_b;
    }
    let [faces_one, faces_other] = [&one.rims.faces[axis.face], &other.rims.faces[against]];
    for place in face.iter().filter(|place| place.gap < reach) {
        let feature = match place.of {
            shared::Of::Own(k) => Feature::Corner(flipped, faces_one[k] as usize),
            shared::Of::Other(k) => Feature::Corner(!flipped, faces_other[k] as usize),
            shared::Of::Both(k, l) => {
                let (own, its) = (edge_of(one, faces_one, k), edge_of(other, faces_other, l));
                if flipped { Feature::Edges(its, own) } else { Feature::Edges(own, its) }
            }
        };
        meet(FacingPoint3d { feature, normal: towards_b, gap: place.gap, point: place.point });
    }
    towards_b
}

/// Number of the edge of a face that starts at its corner k.
fn edge_of(body: &Set, face: &[u32], k: usize) -> usize {
    let ends = [face[k], face[(k + 1) % face.len()]];
    let is_it = |edge: &Edge| edge.corners == ends || edge.corners == [ends[1], ends[0]];
    body.rims.edges.iter().position(is_it).unwrap_or(0)
}

fn edge_spot(a: &Set, b: &Set, axis: &EdgeAxis) -> Option<FacingPoint3d> {
    let [i, j] = axis.edges;
    let (p, q) = crossing(a.ends(i), b.ends(j))?;
    Some(FacingPoint3d {
        feature: Feature::Edges(i, j),
        normal: axis.normal,
        gap: axis.separation,
        point: (p + q) * 0.5,
    })
}

/// The point where a corner of one body is nearest to an edge or corner of the other; the bodies are apart.
fn corner_spot(a: &Set, b: &Set) -> FacingPoint3d {
    let (of_b, to_b) = nearest_corner(a, b);
    let (of_a, to_a) = nearest_corner(b, a);
    let spot = |of_b: bool, k: usize, x: DVec3, out: DVec3| {
        let gap = out.length();
        let normal = out * (if of_b { 1.0 } else { -1.0 } / gap);
        FacingPoint3d { feature: Feature::Corner(of_b, k), normal, gap, point: x - out * 0.5 }
    };
    if to_b.length_squared() <= to_a.length_squared() {
        spot(true, of_b, b.corner(of_b), to_b)
    } else {
        spot(false, of_a, a.corner(of_a), to_a)
    }
}

/// Outward normal from a polyhedron to a point, and their distance, negative inside.
pub(crate) fn point(body: &Set, x: DVec3) -> (DVec3, f64) {
    let height = |face: usize| (x - body.corner(body.rims.faces[face][0] as usize)).dot(body.solid.normals[face]);
    let (mut best, mut highest) = (0, f64::NEG_INFINITY);
    for face in 0..body.rims.faces.len() {
        let height = height(face);
        if height > highest {
            (best, highest) = (face, height);
        }
    }
    let normal = body.solid.normals[best];
    let corners = body.face(best);
    let next = corners.iter().cycle().skip(1);
    let is_above = corners.iter().zip(next).all(|(p, q)| normal.cross(*q - *p).dot(x - *p) >= 0.0);
    if highest <= 0.0 || is_above {
        return (normal, highest);
    }
    let alone = Solid { corners: vec![DVec3::ZERO], normals: Vec::new() };
    let alone = Set { solid: &alone, rims: Rims { faces: &[], edges: &[] }, at: x, inner: 0.0 };
    let (_, out) = nearest_corner(body, &alone);
    let distance = out.length();
    if distance == 0.0 { (normal, highest) } else { (out * (1.0 / distance), distance) }
}

#[cfg(test)]
mod tests;
