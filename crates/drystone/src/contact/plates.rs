//! Where a stone touches a surface of triangles.
//!
//! Corners of the stone touch plates as they touch a plane, so that a stone on a triangulated floor has the contacts that it
//! has on a plane. Edges and corners of the surface touch faces and edges of the stone, along directions in which they push
//! at all (see `wall::rims`): the rims of what a face of the stone and a plate share, and what stands out against it.

use glam::{DQuat, DVec3};

use super::at_mesh::Spot;
use super::pieces::crossing;
use super::shelf::in_space3;
use crate::dim::Dim;
use crate::shape::{Edge, Outline};
use crate::wall::rims::{PARALLEL, Rim};
use crate::wall::sheet::{Free, Part, Sheet};

/// Contacts closer than this part of the radius, with one normal, are one.
const MERGED: f64 = 1e-6;

/// A stone as a surface sees it.
#[derive(Clone, Debug)]
pub struct Block<'o> {
    corners: Vec<DVec3>,
    normals: Vec<DVec3>,
    faces: &'o [Vec<u32>],
    edges: &'o [Edge],
    centre: DVec3,
}

impl<'o> Block<'o> {
    /// The stone of an outline, turned about its centre.
    pub fn new<D: Dim>(outline: &'o Outline<D>, centre: DVec3, turn: DQuat) -> Block<'o> {
        Block {
            corners: outline.corners.iter().map(|corner| centre + turn * in_space3(*corner)).collect(),
            normals: outline.normals.iter().map(|normal| turn * in_space3(*normal)).collect(),
            faces: &outline.faces,
            edges: &outline.edges,
            centre,
        }
    }

    /// How high a point is above a face [m].
    fn height(&self, face: usize, x: DVec3) -> f64 {
        (x - self.corners[self.faces[face][0] as usize]).dot(self.normals[face])
    }

    fn highest(&self, x: DVec3) -> f64 {
        (0..self.faces.len()).map(|face| self.height(face, x)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The sides of a face: the corners that each runs between, and the unit vector away from the face.
    fn sides(&self, face: usize) -> impl Iterator<Item = ([u32; 2], DVec3)> {
        let corners = &self.faces[face];
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(move |(p, q)| {
            let along = self.corners[*q as usize] - self.corners[*p as usize];
            ([*p, *q], along.cross(self.normals[face]).normalize_or_zero())
        })
    }

    /// Whether a point is over a face, seen along its normal.
    fn is_over(&self, face: usize, x: DVec3, rounding: f64) -> bool {
        self.sides(face).all(|([p, _], away)| (x - self.corners[p as usize]).dot(away) <= rounding)
    }

    /// The part of a segment that is over a face, from 0 to 1, and the edges where it comes in and goes out.
    fn clip(&self, face: usize, [from, to]: [DVec3; 2], rounding: f64) -> Option<[(f64, Option<usize>); 2]> {
        let (mut enters, mut leaves) = ((0.0, None), (1.0, None));
        for (ends, away) in self.sides(face) {
            let start = self.corners[ends[0] as usize];
            let (here, there) = ((from - start).dot(away), (to - start).dot(away));
            if here.max(there) <= rounding {
                continue;
            }
            if here.min(there) > rounding {
                return None;
            }
            let place = (here / (here - there)).clamp(0.0, 1.0);
            let edge = self.edges.iter().position(|edge| ends.iter().all(|end| edge.corners.contains(end)));
            if there > here && place < leaves.0 {
                leaves = (place, edge);
            } else if there < here && place > enters.0 {
                enters = (place, edge);
            }
        }
        (enters.0 < leaves.0).then_some([enters, leaves])
    }

    /// Whether a segment goes through the stone.
    fn is_pierced(&self, [from, to]: [DVec3; 2], rounding: f64) -> bool {
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for face in 0..self.faces.len() {
            let (here, there) = (self.height(face, from) - rounding, self.height(face, to) - rounding);
            if here.min(there) > 0.0 {
                return false;
            }
            let place = here / (here - there);
            if there > 0.0 {
                leaves = leaves.min(place);
            } else if here > 0.0 {
                enters = enters.max(place);
            }
        }
        enters <= leaves
    }

    /// The direction away from the stone that is across one of its edges and across `along`, if the edge is part of the outline
    /// that is seen that way.
    fn outwards(&self, edge: &Edge, along: DVec3) -> Option<DVec3> {
        let [one, other] = edge.faces.map(|face| self.normals[face as usize]);
        let slopes = [one.dot(along), other.dot(along)];
        let is_seen = slopes[0] * slopes[1] < 0.0 && slopes.iter().all(|slope| slope.abs() > PARALLEL);
        is_seen.then(|| (one * slopes[1].abs() + other * slopes[0].abs()).normalize_or_zero())
    }

    /// How far a line that goes through the stone is from its outline, seen along the line: at most zero [m].
    fn depth(&self, start: DVec3, along: DVec3) -> f64 {
        let nearest = start + along * (self.centre - start).dot(along);
        let faces = (0..self.faces.len()).filter(|face| self.normals[*face].dot(along).abs() <= PARALLEL);
        let at_edges = self.edges.iter().filter_map(|edge| {
            let outwards = self.outwards(edge, along)?;
            Some((nearest - self.corners[edge.corners[0] as usize]).dot(outwards))
        });
        faces.map(|face| self.height(face, nearest)).chain(at_edges).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// A triangle in front of which the centre of a stone is.
#[derive(Clone, Copy, Debug)]
struct Facet {
    triangle: u32,
    plate: u32,
    /// Normal of the plate, to the side of the stone.
    normal: DVec3,
    height: f64,
}

impl Facet {
    /// How far a point is in front of the plate [m].
    fn above(&self, x: DVec3) -> f64 {
        self.normal.dot(x) - self.height
    }
}

/// A stone at a surface.
struct Meeting<'s> {
    sheet: &'s Sheet,
    free: Free,
    block: &'s Block<'s>,
    facets: Vec<Facet>,
    reach: f64,
    /// Rounding of the coordinates [m].
    rounding: f64,
    /// Sides of the outline of the stone whose depths differ by less than this are equally near [m].
    slack: f64,
    /// Plates that corners of the stone have sunk into.
    entered: Vec<u32>,
}

/// Where a stone touches a surface with a gap below `reach`.
pub fn stone_spots((sheet, free): (&Sheet, Free), block: &Block, radius: f64, reach: f64, spots: &mut Vec<Spot>) {
    let facets = facets((sheet, free), block, radius, reach);
    let rounding = sheet.rounding(block.centre.abs() + DVec3::splat(radius));
    // what lies along a face within `PARALLEL` is that much nearer at one end of it than at the other
    let slack = 2.0 * PARALLEL * radius;
    let mut meeting = Meeting { sheet, free, block, facets, reach, rounding, slack, entered: Vec::new() };
    for (k, corner) in block.corners.iter().enumerate() {
        meeting.corner(k as u32, *corner, spots);
    }
    meeting.entered = spots.iter().filter(|spot| spot.gap < 0.0).map(|spot| spot.feature).collect();
    let mut add = |spot: Spot| {
        let is_same = |known: &Spot| {
            known.foot.distance(spot.foot) <= MERGED * radius && known.normal.distance(spot.normal) <= PARALLEL
        };
        if !spots.iter().any(is_same) {
            spots.push(spot);
        }
    };
    let rims = sheet.rims(meeting.facets.iter().map(|facet| facet.triangle));
    rims.iter().filter(|rim| rim.is_corner()).filter_map(|rim| meeting.tip(rim)).for_each(&mut add);
    rims.iter().filter(|rim| !rim.is_corner()).flat_map(|rim| meeting.edge(rim)).for_each(&mut add);
}

/// Triangles that may touch a stone: in front of which its centre is, in its box, and not below it altogether.
fn facets((sheet, free): (&Sheet, Free), block: &Block, radius: f64, reach: f64) -> Vec<Facet> {
    let margin = DVec3::splat(reach.max(0.0));
    let low = block.corners.iter().fold(DVec3::INFINITY, |low, x| low.min(*x)) - margin;
    let high = block.corners.iter().fold(DVec3::NEG_INFINITY, |high, x| high.max(*x)) + margin;
    let mut facets = Vec::new();
    sheet.around(block.centre, radius + margin.x, |triangle| {
        let plate = sheet.seams.plate_at(triangle);
        let above = plate.normal.dot(block.centre) - plate.height;
        let is_free = match free {
            Free::Either => above != 0.0,
            Free::Front => above > 0.0,
            Free::Back => above < 0.0,
        };
        let [a, b, c] = sheet.seams.corners(triangle);
        if !is_free || a.min(b).min(c).cmpgt(high).any() || a.max(b).max(c).cmplt(low).any() {
            return;
        }
        let sign = above.signum();
        let (normal, height) = (plate.normal * sign, plate.height * sign);
        let facet = Facet { triangle, plate: sheet.seams.plate_of(triangle), normal, height };
        if block.corners.iter().any(|corner| facet.above(*corner) < reach) {
            facets.push(facet);
        }
    });
    facets
}

impl Meeting<'_> {
    /// Whether a point is over a triangle, seen along the normal of its plate.
    fn covers(&self, facet: &Facet, x: DVec3) -> bool {
        let (foot, part) = self.sheet.foot(facet.triangle, x);
        let aside = x - foot;
        part == Part::Inside || (aside - facet.normal * aside.dot(facet.normal)).length() <= self.rounding
    }

    /// The triangle through which the line from the centre comes to a corner first, if there is one.
    fn pierced(&self, corner: DVec3) -> Option<&Facet> {
        let centre = self.block.centre;
        let mut first: (f64, Option<&Facet>) = (f64::INFINITY, None);
        for facet in &self.facets {
            let (from, to) = (facet.above(centre), facet.above(corner));
            let part = from / (from - to);
            if to < 0.0 && part < first.0 && self.covers(facet, centre + (corner - centre) * part) {
                first = (part, Some(facet));
            }
        }
        first.1
    }

    /// Notes where a corner of the stone touches plates. One that has sunk behind a plate touches it, and those that rise from
    /// it where it is hollow, as in the corner of a box; not those behind its rims.
    fn corner(&self, number: u32, corner: DVec3, spots: &mut Vec<Spot>) {
        let pierced = self.pierced(corner);
        let mut met: Vec<u32> = Vec::new();
        for facet in &self.facets {
            let gap = facet.above(corner);
            let is_met = match pierced {
                Some(first) if first.plate == facet.plate => true,
                Some(first) => self.rises(facet, first) && self.is_beside(facet, first, corner),
                None => gap >= 0.0 && self.covers(facet, corner),
            };
            if is_met && gap < self.reach && !met.contains(&facet.plate) {
                met.push(facet.plate);
                let foot = corner - facet.normal * gap;
                spots.push(Spot { feature: facet.plate, part: number, normal: facet.normal, gap, foot });
            }
        }
    }

    /// Whether a triangle is in front of the plate of another one.
    fn rises(&self, facet: &Facet, from: &Facet) -> bool {
        self.sheet.seams.corners(facet.triangle).iter().all(|x| from.above(*x) >= -self.sheet.flatness())
    }

    /// Whether a corner that has sunk behind a plate is over a triangle that rises from it, as far as it has not sunk, and behind
    /// that only since it has sunk: the line from the centre goes through the plate first.
    fn is_beside(&self, facet: &Facet, plate: &Facet, corner: DVec3) -> bool {
        let (centre, gap) = (self.block.centre, facet.above(corner));
        let aside = corner - self.sheet.foot(facet.triangle, corner).0;
        let aside = (aside - facet.normal * aside.dot(facet.normal)).length();
        let part = facet.above(centre) / (facet.above(centre) - gap);
        let is_behind_both = gap >= 0.0 || plate.above(centre + (corner - centre) * part) <= self.rounding;
        let sine = facet.normal.cross(plate.normal).length();
        is_behind_both && aside * sine <= self.sheet.flatness() - plate.above(corner)
    }

    /// Where a corner of the surface touches a face.
    fn tip(&self, rim: &Rim) -> Option<Spot> {
        let (block, foot) = (self.block, rim.ends[0]);
        let highest = block.highest(foot);
        if highest >= self.reach {
            return None;
        }
        let mut best: Option<Spot> = None;
        for (face, normal) in block.normals.iter().enumerate() {
            let gap = block.height(face, foot);
            let is_inside = if gap < 0.0 { highest <= self.rounding } else { block.is_over(face, foot, self.rounding) };
            if !is_inside || gap <= best.map_or(block.height(face, block.centre), |best| best.gap) {
                continue;
            }
            if let Some(normal) = self.sheet.seams.pushed(rim, -*normal, self.free) {
                best = Some(Spot { feature: rim.feature, part: 0, normal, gap, foot });
            }
        }
        best
    }

    /// Where an edge of the surface touches the stone: at the rims of the face that it lies along, or at an edge that it
    /// crosses; of these that along whose normal it is furthest away.
    fn edge(&self, rim: &Rim) -> Vec<Spot> {
        let (block, along, mut best) = (self.block, rim.direction(), (f64::NEG_INFINITY, Vec::new()));
        if (0..block.faces.len()).any(|face| rim.ends.iter().all(|end| block.height(face, *end) >= self.reach)) {
            return Vec::new();
        }
        let depth = block.is_pierced(rim.ends, self.rounding).then(|| block.depth(rim.ends[0], along));
        // where the stone has sunk into a plate beside the edge, this plate holds it, and no other side of the stone came in by the edge
        if let Some(depth) = depth.filter(|_| self.is_entered_beside(rim)) {
            best.0 = depth - self.slack;
        }
        for face in (0..block.faces.len()).filter(|face| block.normals[*face].dot(along).abs() <= PARALLEL) {
            if let Some((separation, spots)) = self.along_face(rim, face).filter(|found| found.0 > best.0) {
                best = (separation, spots);
            }
        }
        for (number, edge) in block.edges.iter().enumerate() {
            if let Some(outwards) = block.outwards(edge, along)
                && let Some(spot) = self.across(rim, (number, outwards), depth).filter(|spot| spot.gap > best.0)
            {
                best = (spot.gap, vec![spot]);
            }
        }
        best.1.retain(|spot| spot.gap < self.reach);
        best.1
    }

    /// Whether a corner of the stone has sunk into a plate that an edge of the surface bounds.
    fn is_entered_beside(&self, rim: &Rim) -> bool {
        let seams = &self.sheet.seams;
        seams.around(rim.feature).iter().any(|triangle| self.entered.contains(&seams.plate_of(*triangle)))
    }

    /// Where an edge of the surface that lies along a face goes over its sides, and how far it is away.
    fn along_face(&self, rim: &Rim, face: usize) -> Option<(f64, Vec<Spot>)> {
        let (block, [from, to]) = (self.block, rim.ends);
        let normal = self.sheet.seams.pushed(rim, -block.normals[face], self.free)?;
        let parts = block.clip(face, rim.ends, self.rounding)?;
        let [enters, leaves] = parts.map(|(part, _)| from + (to - from) * part);
        let separation = block.height(face, enters).min(block.height(face, leaves));
        let is_inside = separation >= 0.0 || block.highest((enters + leaves) * 0.5) <= self.rounding;
        if !is_inside || separation <= block.height(face, block.centre) {
            return None;
        }
        let spot = |(edge, foot): (Option<usize>, DVec3)| {
            let gap = block.height(face, foot);
            Some(Spot { feature: rim.feature, part: edge? as u32, normal, gap, foot })
        };
        let ends = [(parts[0].1, enters), (parts[1].1, leaves)];
        Some((separation, ends.into_iter().filter_map(spot).collect()))
    }

    /// Where an edge of the surface crosses an edge of the stone, which it is away from `outwards`. One that goes through the stone
    /// at this `depth` touches the edge that it came in by: behind a sharp edge, the point where both cross need not be inside.
    fn across(&self, rim: &Rim, (number, outwards): (usize, DVec3), depth: Option<f64>) -> Option<Spot> {
        let (block, edge) = (self.block, &self.block.edges[number]);
        let ends = edge.corners.map(|corner| block.corners[corner as usize]);
        let [foot, of_stone] = crossing(rim.ends, ends)?;
        let separation = (foot - of_stone).dot(outwards);
        let is_nearest = depth.is_some_and(|depth| separation >= depth - self.rounding);
        let is_inside = separation >= 0.0 || is_nearest || block.highest(foot) <= self.rounding;
        if !is_inside || separation >= self.reach || (foot - block.centre).dot(outwards) <= 0.0 {
            return None;
        }
        let normal = self.sheet.seams.pushed(rim, -outwards, self.free)?;
        Some(Spot { feature: rim.feature, part: number as u32, normal, gap: (of_stone - foot).dot(normal), foot })
    }
}

#[cfg(test)]
mod tests;
