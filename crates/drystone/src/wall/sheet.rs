//! A surface of triangles that balls touch: where, and in how many points.
//!
//! A ball touches a surface where its distance from the centre has a local minimum. Such a point lies in a plate
//! (triangles in one plane are one plate), on an edge or at a corner; an edge or corner counts only if no triangle that
//! meets there is nearer. So a ball that rolls over a seam of a plate, or over a convex edge, always has exactly one
//! contact, and none with the seam: there are no ghost contacts.

use glam::DVec3;

use super::seams::{FLAT, Seams};
use super::tree::Tree;

/// Rounding of a distance over the size of the coordinates that it is computed from: some ten operations.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A surface of triangles, prepared for queries.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// Corners and edges, and the triangles that meet there.
    pub seams: Seams,
    tree: Tree,
    size: f64,
    is_outward: bool,
}

/// A part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrianglePart {
    /// Its inside.
    Inside,
    /// The edge from corner k to the next.
    Edge(usize),
    /// Corner k.
    Corner(usize),
}

/// Where a ball may touch.
#[derive(Clone, Copy, Debug)]
struct Spot {
    feature: u32,
    /// From the surface to the centre.
    normal: DVec3,
    distance: f64,
    /// Whether the centre is on the side that the triangles' normals point to.
    is_front: bool,
}

/// Which side of a surface is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Free {
    /// The side where the ball is.
    Either,
    /// The side that the normals of the triangles point to.
    Front,
    /// The other side.
    Back,
}

impl Sheet {
    /// The surface of triangles, each with the numbers of its corners.
    pub fn new(points: Vec<DVec3>, triangles: &[[u32; 3]]) -> Sheet {
        let around = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| points[corner as usize]);
            [a.min(b).min(c), a.max(b).max(c)]
        };
        let boxes: Vec<[DVec3; 2]> = triangles.iter().map(around).collect();
        let size = points.iter().map(|x| x.abs().max_element()).fold(0.0, f64::max);
        let seams = Seams::new(points, triangles);
        Sheet { tree: Tree::new(&boxes), is_outward: seams.volume() >= 0.0, seams, size }
    }

    /// Whether the fronts of the triangles of a closed surface are outside.
    pub fn is_outward(&self) -> bool {
        self.is_outward
    }

    /// How far its furthest corner is from a point [m].
    pub fn reach(&self, from: DVec3) -> f64 {
        let corners = (0..self.seams.len() as u32).flat_map(|triangle| self.seams.corners(triangle));
        corners.map(|x| x.distance(from)).fold(0.0, f64::max)
    }

    /// The point of a triangle that is nearest to `x`, and what part of the triangle it is in. [Ericson section 5.1.5]
    pub fn foot(&self, triangle: u32, x: DVec3) -> (DVec3, TrianglePart) {
        let [a, b, c] = self.seams.corners(triangle);
        let (ab, ac) = (b - a, c - a);
        let beside = |from: DVec3| (ab.dot(x - from), ac.dot(x - from));
        let (d1, d2) = beside(a);
        if d1 <= 0.0 && d2 <= 0.0 {
            return (a, TrianglePart::Corner(0));
        }
        let (d3, d4) = beside(b);
        if d3 >= 0.0 && d4 <= d3 {
            return (b, TrianglePart::Corner(1));
        }
        let beyond_c = d1 * d4 - d3 * d2;
        if beyond_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return (a + ab * (d1 / (d1 - d3)), TrianglePart::Edge(0));
        }
        let (d5, d6) = beside(c);
        if d6 >= 0.0 && d5 <= d6 {
            return (c, TrianglePart::Corner(2));
        }
        let beyond_b = d5 * d2 - d1 * d6;
        if beyond_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return (a + ac * (d2 / (d2 - d6)), TrianglePart::Edge(2));
        }
        let beyond_a = d3 * d6 - d5 * d4;
        if beyond_a <= 0.0 && d4 >= d3 && d5 >= d6 {
            return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), TrianglePart::Edge(1));
        }
        let whole = 1.0 / (beyond_a + beyond_b + beyond_c);
        (a + ab * (beyond_b * whole) + ac * (beyond_c * whole), TrianglePart::Inside)
    }

    fn distance_squared(&self, triangle: u32, x: DVec3) -> f64 {
        (x - self.foot(triangle, x).0).length_squared()
    }

    /// Distance from a plane below which points count as lying in it [m].
    pub fn flatness(&self) -> f64 {
        FLAT * self.size
    }

    /// Calls `visit` for all triangles whose boxes are closer to a point than `reach`.
    pub fn around(&self, x: DVec3, reach: f64, visit: impl FnMut(u32)) {
        self.tree.within(x, reach, visit);
    }

    /// Rounding of distances from a point [m].
    pub fn rounding(&self, x: DVec3) -> f64 {
        ROUNDING * (self.size + x.abs().max_element())
    }

    /// Where a triangle may touch a ball about `x`; nowhere if a neighbour at its edge or corner is nearer.
    fn spot(&self, triangle: u32, x: DVec3, reach: f64) -> Option<Spot> {
        let (foot, part) = self.foot(triangle, x);
        let apart = x - foot;
        let square = apart.length_squared();
        if square >= reach * reach {
            return None;
        }
        let distance = square.sqrt();
        let (feature, around, outwards) = self.seams.at(
            triangle,
            match part {
                TrianglePart::Inside => None,
                TrianglePart::Edge(k) => Some((false, k)),
                TrianglePart::Corner(k) => Some((true, k)),
            },
        );
        let nearest = distance - self.rounding(x);
        let is_nearer = |other: &&u32| {
            **other != triangle && nearest > 0.0 && { self.distance_squared(**other, x) < nearest * nearest }
        };
        if part != TrianglePart::Inside && around.iter().any(|other| is_nearer(&other)) {
            return None;
        }
        if let Some(plate) = self.seams.plate(feature) {
            let height = plate.normal.dot(x) - plate.height;
            let is_front = height >= 0.0;
            let normal = if is_front { plate.normal } else { -plate.normal };
            return Some(Spot { feature, normal, distance: height.abs(), is_front });
        }
        let is_front = apart.dot(outwards) >= 0.0;
        // a centre that lies on an edge has no direction of its own
        let normal = if distance > 0.0 { apart * (1.0 / distance) } else { outwards };
        Some(Spot { feature, normal, distance, is_front })
    }

    /// Adds a spot, unless it is already in the list: with the same feature, or with that of a neighbour at the same
    /// point, up to rounding.
    fn add(&self, spots: &mut Vec<Spot>, spot: Spot, x: DVec3) {
        let same = 2.0 * self.rounding(x) / spot.distance;
        let is_one = |known: &Spot| {
            known.feature == spot.feature
                || (1.0 - known.normal.dot(spot.normal) <= same && self.seams.adjoin(known.feature, spot.feature))
        };
        let rank = |spot: &Spot| (spot.distance, spot.feature);
        match spots.iter().position(is_one) {
            None => spots.push(spot),
            Some(k) if rank(&spot) < rank(&spots[k]) => {
                spots.swap_remove(k);
                self.add(spots, spot, x);
            }
            Some(_) => {}
        }
    }

    /// Calls `meet(feature, normal, distance)` for every place, closer than `reach`, where a ball about `x` may touch,
    /// in the order of the features. Behind a surface with one free side there is one such place, the nearest, at a
    /// negative distance.
    pub fn near(&self, x: DVec3, reach: f64, free: Free, meet: &mut dyn FnMut(u32, DVec3, f64)) {
        let mut spots: Vec<Spot> = Vec::new();
        self.tree.within(x, reach.max(0.0), |triangle| {
            if let Some(spot) = self.spot(triangle, x, reach) {
                self.add(&mut spots, spot, x);
            }
        });
        if free != Free::Either {
            let is_free = |spot: &Spot| spot.is_front == (free == Free::Front);
            let by_distance = |p: &&Spot, q: &&Spot| p.distance.total_cmp(&q.distance);
            let nearest = spots.iter().min_by(by_distance).copied().or_else(|| self.nearest(x));
            match nearest {
                Some(spot) if !is_free(&spot) => {
                    if -spot.distance < reach {
                        meet(spot.feature, -spot.normal, -spot.distance);
                    }
                    return;
                }
                _ => spots.retain(is_free),
            }
        }
        spots.retain(|spot| spot.distance < reach && (spot.distance > 0.0 || free != Free::Either));
        spots.sort_unstable_by_key(|spot| spot.feature);
        spots.iter().for_each(|spot| meet(spot.feature, spot.normal, spot.distance));
    }

    fn nearest(&self, x: DVec3) -> Option<Spot> {
        let triangle = self.tree.nearest(x, |triangle| self.distance_squared(triangle, x))?;
        self.spot(triangle, x, f64::INFINITY)
    }

    /// Calls `note` with all features that are closer to `x` than `reach`, in their order.
    pub fn may_meet(&self, x: DVec3, reach: f64, note: &mut dyn FnMut(u32)) {
        let mut features = Vec::new();
        self.tree.within(x, reach, |triangle| {
            if self.distance_squared(triangle, x) < reach * reach {
                features.extend(self.seams.features_of(triangle));
            }
        });
        features.sort_unstable();
        features.dedup();
        features.into_iter().for_each(note);
    }
}
