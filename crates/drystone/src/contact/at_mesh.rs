//! Capsules and stones at walls of triangles.
//!
//! The ends of a capsule touch like balls. Between them edges and corners of the wall reach it, along the shortest distance,
//! where they push that way at all (see `wall::rims`). What stones touch is told in [`super::plates`].

use glam::DVec3;

use super::pieces::{crossing, foot};
use super::plates::{Block, stone_spots};
use super::{Contact, ContactKey};
use crate::body::Bodies;
use crate::dim::{Dim, Vector};
use crate::shape::Shape;
use crate::wall::mesh::{FEATURE_BITS, MESH, Mesh};
use crate::wall::sheet::{Free, Sheet};
use crate::wall::{Stand, Surface, rims::Rim};

/// What of a capsule an edge or corner of a wall touches, beside its ends 0 and 1.
pub const MIDDLE: u32 = 2;

/// Where a grain touches a surface, as the surface sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Plate, edge or corner of the surface.
    pub feature: u32,
    /// Corner or edge of the grain; [`MIDDLE`] of a capsule.
    pub part: u32,
    /// From the surface to the grain.
    pub normal: DVec3,
    /// Gap [m].
    pub gap: f64,
    /// Place on the surface [m].
    pub foot: DVec3,
}

impl Spot {
    fn name(&self) -> u32 {
        MESH | self.part << FEATURE_BITS | self.feature
    }
}

/// Calls `meet` with the contacts of stone b with the mesh a, or of the middle of capsule b, in the order of their keys.
pub fn touch_mesh<D: Dim>(
    bodies: &Bodies<D>,
    (surface, mesh): (&Surface<D>, &Mesh<D>),
    (a, b): (usize, usize),
    reach: f64,
    mut meet: impl FnMut(Contact<D>),
) {
    let sight = surface.sight(bodies.stand(a));
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x);
    let (centre, turn) = (sight.point(xb), sight.turn(bodies.pose[b].q));
    let (sheet, free) = (mesh.sheet(), mesh.free());
    let mut spots = Vec::new();
    match bodies.shape[b] {
        Shape::Clump(clump) => {
            let outline = &bodies.outlines[clump.outline as usize];
            if outline.is_rod() {
                let ends = [0, 1].map(|k| centre + turn * super::shelf::in_space3(outline.corners[k]));
                rod_spots((sheet, free), ends, outline.radii[0], (reach, Of::Middle), &mut spots);
            }
        }
        Shape::Stone(stone) => {
            let block = Block::new(&bodies.outlines[stone.outline as usize], centre, turn);
            stone_spots((sheet, free), &block, stone.radius, reach, &mut spots);
        }
        Shape::Round(_) | Shape::Wall => {}
    }
    spots.sort_by_key(Spot::name);
    for spot in spots {
        let (normal, foot) = (sight.direction(spot.normal), sight.direction(spot.foot - centre));
        meet(Contact {
            key: ContactKey { a: a as u32, b: b as u32, feature: spot.name() },
            normal,
            gap: spot.gap,
            arm_a: surface.arm(xa, xb + foot, normal),
            arm_b: foot + normal * (0.5 * spot.gap),
            jump: D::Vec::ZERO,
        });
    }
}

/// What of the segment of a capsule counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// What is between its ends.
    Middle,
    /// Its ends, too.
    Whole,
}

/// Where edges and corners of a surface touch a capsule.
fn rod_spots(
    (sheet, free): (&Sheet, Free),
    ends: [DVec3; 2],
    radius: f64,
    (reach, of): (f64, Of),
    spots: &mut Vec<Spot>,
) {
    let (middle, half) = ((ends[0] + ends[1]) * 0.5, 0.5 * ends[0].distance(ends[1]));
    let limit = radius + reach;
    let mut triangles = Vec::new();
    sheet.around(middle, (half + limit).max(0.0), |triangle| triangles.push(triangle));
    for rim in sheet.rims(triangles.into_iter()) {
        let Some([of_rod, of_rim]) = nearest(ends, &rim, of) else { continue };
        let apart = of_rod - of_rim;
        let distance = apart.length();
        if distance >= limit || distance == 0.0 {
            continue;
        }
        if let Some(normal) = sheet.seams.pushed(&rim, apart * (1.0 / distance), free) {
            let gap = apart.dot(normal) - radius;
            spots.push(Spot { feature: rim.feature, part: MIDDLE, normal, gap, foot: of_rim });
        }
    }
}

/// The points of a segment and a rim that are nearest to each other, if they lie in what counts of the segment, and between the
/// ends of an edge.
fn nearest(ends: [DVec3; 2], rim: &Rim, of: Of) -> Option<[DVec3; 2]> {
    let is_between = |part: f64| part > 0.0 && part < 1.0;
    if rim.is_corner() {
        let (part, of_rod) = foot(ends, rim.ends[0]);
        return (of == Of::Whole || is_between(part)).then_some([of_rod, rim.ends[0]]);
    }
    let crossed = crossing(ends, rim.ends);
    if crossed.is_some() || of == Of::Middle {
        return crossed;
    }
    let over_edge = ends.map(|end| {
        let (part, of_rim) = foot(rim.ends, end);
        ([end, of_rim], is_between(part))
    });
    let over_ends = rim.ends.map(|end| ([foot(ends, end).1, end], false));
    let square = |([p, q], _): &([DVec3; 2], bool)| p.distance_squared(*q);
    let best = over_edge.iter().chain(&over_ends).min_by(|p, q| square(p).total_cmp(&square(q)))?;
    best.1.then_some(best.0)
}

/// Calls `meet(face, normal, distance, place)` for every edge and corner of a mesh that is closer to the segment of a capsule than
/// `reach`; the place on the segment counts from its middle.
pub fn rims_at_rod<D: Dim>(
    (surface, mesh): (&Surface<D>, &Mesh<D>),
    stand: Stand<D>,
    ends: [D::Vec; 2],
    reach: f64,
    meet: &mut dyn FnMut(u32, D::Vec, f64, D::Vec),
) {
    let (sight, mut spots) = (surface.sight(stand), Vec::new());
    let ends = ends.map(|end| sight.point(end));
    rod_spots((mesh.sheet(), mesh.free()), ends, 0.0, (reach, Of::Whole), &mut spots);
    let middle = (ends[0] + ends[1]) * 0.5;
    for spot in spots {
        let place = spot.foot + spot.normal * spot.gap - middle;
        meet(MESH | spot.feature, sight.direction(spot.normal), spot.gap, sight.direction(place));
    }
}
