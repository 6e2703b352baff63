//! Where a polyhedron touches a mesh.
//!
//! Corners of the polyhedron touch plates as they touch a plane, so that a polyhedron on a triangulated floor has the
//! same contacts as on a plane. Edges and corners of the mesh touch faces and edges of the polyhedron, along directions
//! in which they can push (see `wall::rims`): the outline of the area that a face and a plate share, and whatever
//! sticks out of the mesh.

use glam::{DQuat, DVec3};

use super::mesh::MeshSpot;
use super::segment::crossing;
use crate::contact::rotated::in_space3;
use crate::dim::Dim;
use crate::shape::{Edge, Outline};
use crate::wall::rims::{PARALLEL, Rim};
use crate::wall::sheet::{Free, Sheet, TrianglePart};

/// Contacts with the same normal that are closer than this fraction of the radius are one contact.
const MERGED: f64 = 1e-6;

/// A polyhedron at its present pose, in the frame of the mesh.
#[derive(Clone, Debug)]
pub(crate) struct PlacedHull<'o> {
    corners: Vec<DVec3>,
    normals: Vec<DVec3>,
    faces: &'o [Vec<u32>],
    edges: &'o [Edge],
    centre: DVec3,
}

impl<'o> PlacedHull<'o> {
    /// The polyhedron of an outline, turned about its centre.
    pub(crate) fn new<D: Dim>(outline: &'o Outline<D>, centre: DVec3, turn: DQuat) -> PlacedHull<'o> {
        PlacedHull {
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

    /// The sides of a face: the two corners of each, and the unit vector away from the face.
    fn sides(&self, face: usize) -> impl Iterator<Item = ([u32; 2], DVec3)> {
        let corners = &self.faces[face];
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(move |(p, q)| {
            let along = self.corners[*q as usize] - self.corners[*p as usize];
            ([*p, *q], along.cross(self.normals[face]).normalize_or_zero())
        })
    }

    /// Whether a point projects onto a face along its normal.
    fn is_over(&self, face: usize, x: DVec3, rounding: f64) -> bool {
        self.sides(face).all(|([p, _], away)| (x - self.corners[p as usize]).dot(away) <= rounding)
    }

    /// The part of a segment that projects onto a face, from 0 to 1, and the edges where it enters and leaves.
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

    /// Whether a segment passes through the polyhedron.
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

    /// The outward direction normal to one of the edges and to `along`, if the edge is part of the silhouette along
    /// `along`.
    fn outwards(&self, edge: &Edge, along: DVec3) -> Option<DVec3> {
        let [one, other] = edge.faces.map(|face| self.normals[face as usize]);
        let slopes = [one.dot(along), other.dot(along)];
        let is_seen = slopes[0] * slopes[1] < 0.0 && slopes.iter().all(|slope| slope.abs() > PARALLEL);
        is_seen.then(|| (one * slopes[1].abs() + other * slopes[0].abs()).normalize_or_zero())
    }

    /// How deep a line that passes through the polyhedron is inside its silhouette in the direction of the line: at
    /// most zero [m].
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

/// A triangle that has the centre of the polyhedron in front of it.
#[derive(Clone, Copy, Debug)]
struct Facet {
    triangle: u32,
    plate: u32,
    /// Normal of the plate, towards the polyhedron.
    normal: DVec3,
    height: f64,
}

impl Facet {
    /// How far a point is in front of the plate [m].
    fn above(&self, x: DVec3) -> f64 {
        self.normal.dot(x) - self.height
    }
}

/// A polyhedron at a mesh.
struct HullAtMesh<'s> {
    sheet: &'s Sheet,
    free: Free,
    hull: &'s PlacedHull<'s>,
    facets: Vec<Facet>,
    reach: f64,
    /// Rounding of the coordinates [m].
    rounding: f64,
    /// Sides of the silhouette whose depths differ by less than this are equally near [m].
    slack: f64,
    /// Plates that corners of the polyhedron have penetrated.
    entered: Vec<u32>,
}

/// Where a polyhedron touches a mesh with a gap below `reach`.
pub(crate) fn hull_spots(
    sheet: &Sheet,
    free: Free,
    hull: &PlacedHull,
    radius: f64,
    reach: f64,
    spots: &mut Vec<MeshSpot>,
) {
    let facets = facets(sheet, free, hull, radius, reach);
    let rounding = sheet.rounding(hull.centre.abs() + DVec3::splat(radius));
    // what lies along a face within `PARALLEL` is that much nearer at one end of it than at the other
    let slack = 2.0 * PARALLEL * radius;
    let mut meeting = HullAtMesh { sheet, free, hull, facets, reach, rounding, slack, entered: Vec::new() };
    for (k, corner) in hull.corners.iter().enumerate() {
        meeting.corner(k as u32, *corner, spots);
    }
    meeting.entered = spots.iter().filter(|spot| spot.gap < 0.0).map(|spot| spot.mesh_feature).collect();
    let mut add = |spot: MeshSpot| {
        let is_same = |known: &MeshSpot| {
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

/// Triangles that may touch a polyhedron: its centre is in front of them, they reach into its bounding box, and at
/// least one corner is within reach of their plane.
fn facets(sheet: &Sheet, free: Free, hull: &PlacedHull, radius: f64, reach: f64) -> Vec<Facet> {
    let margin = DVec3::splat(reach.max(0.0));
    let low = hull.corners.iter().fold(DVec3::INFINITY, |low, x| low.min(*x)) - margin;
    let high = hull.corners.iter().fold(DVec3::NEG_INFINITY, |high, x| high.max(*x)) + margin;
    let mut facets = Vec::new();
    sheet.around(hull.centre, radius + margin.x, |triangle| {
        let plate = sheet.seams.plate_at(triangle);
        let above = plate.normal.dot(hull.centre) - plate.height;
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
        if hull.corners.iter().any(|corner| facet.above(*corner) < reach) {
            facets.push(facet);
        }
    });
    facets
}

impl HullAtMesh<'_> {
    /// Whether a point projects onto a triangle along the normal of its plate.
    fn covers(&self, facet: &Facet, x: DVec3) -> bool {
        let (foot, part) = self.sheet.foot(facet.triangle, x);
        let aside = x - foot;
        part == TrianglePart::Inside || (aside - facet.normal * aside.dot(facet.normal)).length() <= self.rounding
    }

    /// The first triangle that the line from the centre to a corner passes through, if there is one.
    fn pierced(&self, corner: DVec3) -> Option<&Facet> {
        let centre = self.hull.centre;
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

    /// Adds the contacts of a corner of the polyhedron with plates. A corner behind a plate touches this plate, and
    /// those that rise from it at a concave edge, as in the corner of a box, but not those behind its rims.
    fn corner(&self, number: u32, corner: DVec3, spots: &mut Vec<MeshSpot>) {
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
                spots.push(MeshSpot { mesh_feature: facet.plate, part: number, normal: facet.normal, gap, foot });
            }
        }
    }

    /// Whether a triangle is in front of the plate of another one.
    fn rises(&self, facet: &Facet, from: &Facet) -> bool {
        self.sheet.seams.corners(facet.triangle).iter().all(|x| from.above(*x) >= -self.sheet.flatness())
    }

    /// Whether a corner behind a plate also touches a triangle that rises from the plate: apart from its depth behind
    /// the plate it projects onto the triangle, and if it is behind the triangle too, the line from the centre passes
    /// through the plate first.
    fn is_beside(&self, facet: &Facet, plate: &Facet, corner: DVec3) -> bool {
        let (centre, gap) = (self.hull.centre, facet.above(corner));
        let aside = corner - self.sheet.foot(facet.triangle, corner).0;
        let aside = (aside - facet.normal * aside.dot(facet.normal)).length();
        let part = facet.above(centre) / (facet.above(centre) - gap);
        let is_behind_both = gap >= 0.0 || plate.above(centre + (corner - centre) * part) <= self.rounding;
        let sine = facet.normal.cross(plate.normal).length();
        is_behind_both && aside * sine <= self.sheet.flatness() - plate.above(corner)
    }

    /// Where a corner of the mesh touches a face.
    fn tip(&self, rim: &Rim) -> Option<MeshSpot> {
        let (hull, foot) = (self.hull, rim.ends[0]);
        let highest = hull.highest(foot);
        if highest >= self.reach {
            return None;
        }
        let mut best: Option<MeshSpot> = None;
        for (face, normal) in hull.normals.iter().enumerate() {
            let gap = hull.height(face, foot);
            let is_inside = if gap < 0.0 { highest <= self.rounding } else { hull.is_over(face, foot, self.rounding) };
            if !is_inside || gap <= best.map_or(hull.height(face, hull.centre), |best| best.gap) {
                continue;
            }
            if let Some(normal) = self.sheet.seams.pushed(rim, -*normal, self.free) {
                best = Some(MeshSpot { mesh_feature: rim.feature, part: 0, normal, gap, foot });
            }
        }
        best
    }

    /// Where an edge of the mesh touches the polyhedron: at the sides of a face that it lies along, or at an edge that
    /// it crosses. Of all candidates the one with the largest separation along its normal counts.
    fn edge(&self, rim: &Rim) -> Vec<MeshSpot> {
        let (hull, along, mut best) = (self.hull, rim.direction(), (f64::NEG_INFINITY, Vec::new()));
        if (0..hull.faces.len()).any(|face| rim.ends.iter().all(|end| hull.height(face, *end) >= self.reach)) {
            return Vec::new();
        }
        let depth = hull.is_pierced(rim.ends, self.rounding).then(|| hull.depth(rim.ends[0], along));
        // if the polyhedron has penetrated a plate beside the edge, that plate supports it: of the sides that the edge
        // has entered, only the nearest ones count then
        if let Some(depth) = depth.filter(|_| self.is_entered_beside(rim)) {
            best.0 = depth - self.slack;
        }
        for face in (0..hull.faces.len()).filter(|face| hull.normals[*face].dot(along).abs() <= PARALLEL) {
            if let Some((separation, spots)) = self.along_face(rim, face).filter(|found| found.0 > best.0) {
                best = (separation, spots);
            }
        }
        for (number, edge) in hull.edges.iter().enumerate() {
            if let Some(outwards) = hull.outwards(edge, along)
                && let Some(spot) = self.across(rim, number, outwards, depth).filter(|spot| spot.gap > best.0)
            {
                best = (spot.gap, vec![spot]);
            }
        }
        best.1.retain(|spot| spot.gap < self.reach);
        best.1
    }

    /// Whether a corner of the polyhedron has penetrated a plate that an edge of the mesh bounds.
    fn is_entered_beside(&self, rim: &Rim) -> bool {
        let seams = &self.sheet.seams;
        seams.around(rim.feature).iter().any(|triangle| self.entered.contains(&seams.plate_of(*triangle)))
    }

    /// Where an edge of the mesh that lies along a face crosses the sides of the face, and its separation.
    fn along_face(&self, rim: &Rim, face: usize) -> Option<(f64, Vec<MeshSpot>)> {
        let (hull, [from, to]) = (self.hull, rim.ends);
        let normal = self.sheet.seams.pushed(rim, -hull.normals[face], self.free)?;
        let parts = hull.clip(face, rim.ends, self.rounding)?;
        let [enters, leaves] = parts.map(|(part, _)| from + (to - from) * part);
        let separation = hull.height(face, enters).min(hull.height(face, leaves));
        let is_inside = separation >= 0.0 || hull.highest((enters + leaves) * 0.5) <= self.rounding;
        if !is_inside || separation <= hull.height(face, hull.centre) {
            return None;
        }
        let spot = |(edge, foot): (Option<usize>, DVec3)| {
            let gap = hull.height(face, foot);
            Some(MeshSpot { mesh_feature: rim.feature, part: edge? as u32, normal, gap, foot })
        };
        let ends = [(parts[0].1, enters), (parts[1].1, leaves)];
        Some((separation, ends.into_iter().filter_map(spot).collect()))
    }

    /// Where an edge of the mesh crosses an edge of the polyhedron, whose outward direction is `outwards`. If the edge
    /// of the mesh passes through the polyhedron at this `depth`, it touches the edge that it came in by: behind a
    /// sharp edge, the point where both cross need not be inside.
    fn across(&self, rim: &Rim, number: usize, outwards: DVec3, depth: Option<f64>) -> Option<MeshSpot> {
        let (hull, edge) = (self.hull, &self.hull.edges[number]);
        let ends = edge.corners.map(|corner| hull.corners[corner as usize]);
        let [foot, of_hull] = crossing(rim.ends, ends)?;
        let separation = (foot - of_hull).dot(outwards);
        let is_nearest = depth.is_some_and(|depth| separation >= depth - self.rounding);
        let is_inside = separation >= 0.0 || is_nearest || hull.highest(foot) <= self.rounding;
        if !is_inside || separation >= self.reach || (foot - hull.centre).dot(outwards) <= 0.0 {
            return None;
        }
        let normal = self.sheet.seams.pushed(rim, -outwards, self.free)?;
        Some(MeshSpot {
            mesh_feature: rim.feature,
            part: number as u32,
            normal,
            gap: (of_hull - foot).dot(normal),
            foot,
        })
    }
}

#[cfg(test)]
mod tests;
