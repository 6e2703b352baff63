//! Where two convex polygons face each other: normal, gaps and points, exact up to rounding.
//!
//! The separation along a direction is the gap between the projections of the bodies onto it. It is largest along the
//! line of their nearest points, and falls off to both sides as long as it is positive: so the edge with the best
//! normal ends at the nearest points. The normal of overlapping polygons is the direction of the shortest translation
//! that separates them, which is the normal of an edge. There is no iteration, and no tolerance but rounding (ADR
//! 0010).

use glam::DVec2;

/// A polygon in world coordinates: corners counter-clockwise, and the outward normals of the edges that start at them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedPolygon {
    /// Corners [m].
    pub corners: Vec<DVec2>,
    /// Unit normals.
    pub normals: Vec<DVec2>,
}

/// A point where two bodies face each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FacingPoint2d {
    /// The corner that it belongs to.
    pub corner: usize,
    /// Whether that is a corner of b.
    pub of_b: bool,
    /// Unit normal from a to b.
    pub normal: DVec2,
    /// Gap along the normal [m].
    pub gap: f64,
    /// Half-way between the surfaces [m].
    pub point: DVec2,
}

/// Rounding of a distance, relative to the coordinates whose difference it is: a few units for rotated and displaced
/// corners.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The edge along whose normal the other polygon is furthest away.
#[derive(Clone, Copy, Debug)]
struct Best {
    edge: usize,
    separation: f64,
    /// The corner of the other polygon that is nearest to the edge's line.
    corner: usize,
}

impl PlacedPolygon {
    fn edge(&self, k: usize) -> (DVec2, DVec2) {
        (self.corners[k], self.corners[(k + 1) % self.corners.len()])
    }

    fn best(&self, other: &PlacedPolygon) -> Best {
        let mut best = Best { edge: 0, separation: f64::NEG_INFINITY, corner: 0 };
        for (edge, (normal, from)) in self.normals.iter().zip(&self.corners).enumerate() {
            let (mut lowest, mut corner) = (f64::INFINITY, 0);
            for (k, x) in other.corners.iter().enumerate() {
                let height = (*x - *from).dot(*normal);
                if height < lowest {
                    (lowest, corner) = (height, k);
                }
            }
            if lowest > best.separation {
                best = Best { edge, separation: lowest, corner };
            }
        }
        best
    }

    /// The edge at a corner that faces a normal most.
    fn facing(&self, corner: usize, normal: DVec2) -> usize {
        let before = (corner + self.normals.len() - 1) % self.normals.len();
        if self.normals[before].dot(normal) < self.normals[corner].dot(normal) { before } else { corner }
    }
}

/// Calls `meet` with the points where the polygons face each other closer than `reach`: none, one or two.
pub(crate) fn polygons(a: &PlacedPolygon, b: &PlacedPolygon, reach: f64, mut meet: impl FnMut(FacingPoint2d)) {
    let of_a = a.best(b);
    if of_a.separation >= reach {
        return;
    }
    let of_b = b.best(a);
    if of_b.separation >= reach {
        return;
    }
    let flipped = of_b.separation > of_a.separation;
    let (one, other, best) = if flipped { (b, a, of_b) } else { (a, b, of_a) };
    let turn = |spot: FacingPoint2d| if flipped { FacingPoint2d { normal: -spot.normal, ..spot } } else { spot };
    edge_to_edge(one, other, best, flipped, &mut |spot| {
        if spot.gap < reach {
            meet(turn(spot));
        }
    });
}

/// The points where the best edge of one polygon faces the other; normals point from the one to the other.
fn edge_to_edge(
    one: &PlacedPolygon,
    other: &PlacedPolygon,
    best: Best,
    flipped: bool,
    meet: &mut impl FnMut(FacingPoint2d),
) {
    let (start, end) = one.edge(best.edge);
    let normal = one.normals[best.edge];
    let along = DVec2::new(-normal.y, normal.x); // counter-clockwise: from the start to the end
    let length = (end - start).dot(along);
    let second = (best.edge + 1) % one.corners.len();
    let place = |k: usize| ((other.corners[k] - start).dot(along), (other.corners[k] - start).dot(normal));
    let spot = |of_other: bool, corner: usize, t: f64, gap: f64| FacingPoint2d {
        corner,
        of_b: of_other != flipped,
        normal,
        gap,
        point: start + along * t + normal * (0.5 * gap),
    };
    // the edge of the other polygon runs in the opposite direction, so it ends at its smaller coordinate
    let first = other.facing(best.corner, normal);
    let last = (first + 1) % other.corners.len();
    let ((t1, h1), (t0, h0)) = (place(first), place(last));
    let height = |t: f64| h0 + (h1 - h0) * ((t - t0) / (t1 - t0));
    let low = if t0 >= 0.0 { spot(true, last, t0, h0) } else { spot(false, best.edge, 0.0, height(0.0)) };
    let high = if t1 <= length { spot(true, first, t1, h1) } else { spot(false, second, length, height(length)) };
    let is_above = t0 < t1 && t0 <= length && t1 >= 0.0;
    let (t, h) = place(best.corner);
    if best.separation > 0.0 && !(0.0..=length).contains(&t) {
        // beyond the end of the edge: corner to corner, unless the edges are parallel and the other one is nearer
        let (own, corner) = if t < 0.0 { (best.edge, start) } else { (second, end) };
        let distance = |k: usize| (other.corners[k] - corner).length();
        let near = if distance(first) < distance(last) { first } else { last };
        // a corner that is nearer by rounding alone counts as over the end of the edge
        let rounding = ROUNDING * (start.length() + end.length() + other.corners[near].length());
        if !is_above || distance(near) < low.gap.min(high.gap) - rounding {
            return corner_to_corner(own, corner, other.corners[near], flipped, meet);
        }
    }
    if !is_above {
        return meet(spot(true, best.corner, t, h)); // an edge perpendicular to this one, or overlapping corners
    }
    let mut two = [low, high];
    two.sort_by_key(|spot| (spot.corner, spot.of_b));
    two.into_iter().for_each(meet);
}

fn corner_to_corner(own: usize, from: DVec2, to: DVec2, flipped: bool, meet: &mut impl FnMut(FacingPoint2d)) {
    let apart = to - from;
    let gap = apart.length();
    meet(FacingPoint2d { corner: own, of_b: flipped, normal: apart * (1.0 / gap), gap, point: from + apart * 0.5 });
}

/// Outward normal from a polygon to a point, and their distance, negative inside.
///
/// The same reasoning as for two polygons: a point is a polygon without edges.
pub(crate) fn point(polygon: &PlacedPolygon, x: DVec2) -> (DVec2, f64) {
    let alone = PlacedPolygon { corners: vec![x], normals: Vec::new() };
    let best = polygon.best(&alone);
    let (start, end) = polygon.edge(best.edge);
    let normal = polygon.normals[best.edge];
    let along = DVec2::new(-normal.y, normal.x);
    if best.separation > 0.0 {
        for (corner, beyond) in [(start, (start - x).dot(along)), (end, (x - end).dot(along))] {
            if beyond > 0.0 {
                let distance = (x - corner).length();
                return ((x - corner) * (1.0 / distance), distance);
            }
        }
    }
    (normal, best.separation)
}

#[cfg(test)]
mod tests;
