//! Capsules and polyhedra at meshes.
//!
//! The ends of a capsule touch like balls. Between them it touches edges and corners of the mesh, along the shortest
//! distance, if the edge or corner can push in that direction (see `wall::rims`). For polyhedra see
//! [`super::mesh_polyhedron`].

use glam::DVec3;

use super::mesh_polyhedron::{PlacedHull, hull_spots};
use super::segment::{crossing, foot};
use super::{Contact, Meet, PairQuery};
use crate::body::Bodies;
use crate::contact::rotated::in_space3;
use crate::dim::{Dim, Vector};
use crate::shape::Shape;
use crate::wall::mesh::{FEATURE_BITS, MESH, Mesh};
use crate::wall::rims::Rim;
use crate::wall::sheet::{Free, Sheet};
use crate::wall::{Surface, WallPose};

/// The part of a capsule between its ends; the ends are parts 0 and 1.
pub(crate) const MIDDLE: u32 = 2;

/// Where a grain touches a mesh, in the frame of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MeshSpot {
    /// Plate, edge or corner of the mesh.
    pub mesh_feature: u32,
    /// Corner or edge of the grain; [`MIDDLE`] of a capsule.
    pub part: u32,
    /// Unit normal from the mesh to the grain.
    pub normal: DVec3,
    /// Gap [m].
    pub gap: f64,
    /// Position on the mesh [m].
    pub foot: DVec3,
}

impl MeshSpot {
    fn feature(&self) -> u32 {
        MESH | self.part << FEATURE_BITS | self.mesh_feature
    }
}

/// Calls `meet` with the contacts of mesh a and polyhedron b, or the part of capsule b between its ends, in the order
/// of their keys.
pub(super) fn find<D: Dim>(
    bodies: &Bodies<D>,
    surface: &Surface<D>,
    mesh: &Mesh<D>,
    query: &PairQuery<D>,
    meet: Meet<D>,
) {
    let PairQuery { a, b, reach, .. } = *query;
    let frame = surface.frame(bodies.wall_pose(a));
    let (xa, xb) = (bodies.pose[a].x, bodies.pose[b].x);
    let (centre, turn) = (frame.point(xb), frame.turn(bodies.pose[b].q));
    let (sheet, free) = (mesh.sheet(), mesh.free());
    let mut spots = Vec::new();
    match bodies.shape[b] {
        Shape::Clump(clump) => {
            let outline = &bodies.outlines[clump.outline as usize];
            if outline.is_rod() {
                let ends = [0, 1].map(|k| centre + turn * in_space3(outline.corners[k]));
                let rod = Rod { ends, radius: outline.radii[0], part: RodPart::Middle };
                rod_spots(sheet, free, &rod, reach, &mut spots);
            }
        }
        Shape::Stone(stone) => {
            let hull = PlacedHull::new(&bodies.outlines[stone.outline as usize], centre, turn);
            hull_spots(sheet, free, &hull, stone.radius, reach, &mut spots);
        }
        Shape::Round(_) | Shape::Wall => {}
    }
    spots.sort_by_key(MeshSpot::feature);
    for spot in spots {
        let (normal, foot) = (frame.direction(spot.normal), frame.direction(spot.foot - centre));
        meet(Contact {
            key: query.key(spot.feature()),
            normal,
            gap: spot.gap,
            arm_a: surface.arm(xa, xb + foot, normal),
            arm_b: foot + normal * (0.5 * spot.gap),
            image_velocity: D::Vec::ZERO,
        });
    }
}

/// Which part of the segment of a capsule counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RodPart {
    /// The part between its ends.
    Middle,
    /// All of it, with its ends.
    Whole,
}

/// A capsule, or a part of it.
struct Rod {
    /// Ends of its segment [m].
    ends: [DVec3; 2],
    /// Radius about the segment [m].
    radius: f64,
    part: RodPart,
}

/// Where edges and corners of a mesh touch a capsule with a gap below `reach`.
fn rod_spots(sheet: &Sheet, free: Free, rod: &Rod, reach: f64, spots: &mut Vec<MeshSpot>) {
    let Rod { ends, radius, part } = *rod;
    let (middle, half) = ((ends[0] + ends[1]) * 0.5, 0.5 * ends[0].distance(ends[1]));
    let limit = radius + reach;
    let mut triangles = Vec::new();
    sheet.around(middle, (half + limit).max(0.0), |triangle| triangles.push(triangle));
    for rim in sheet.rims(triangles.into_iter()) {
        let Some([of_rod, of_rim]) = nearest(ends, &rim, part) else { continue };
        let apart = of_rod - of_rim;
        let distance = apart.length();
        if distance >= limit || distance == 0.0 {
            continue;
        }
        if let Some(normal) = sheet.seams.pushed(&rim, apart * (1.0 / distance), free) {
            let gap = apart.dot(normal) - radius;
            spots.push(MeshSpot { mesh_feature: rim.feature, part: MIDDLE, normal, gap, foot: of_rim });
        }
    }
}

/// The nearest points of a segment and a rim, if they lie in the part of the segment that counts and between the ends
/// of the edge.
fn nearest(ends: [DVec3; 2], rim: &Rim, counts: RodPart) -> Option<[DVec3; 2]> {
    let is_between = |part: f64| part > 0.0 && part < 1.0;
    if rim.is_corner() {
        let (part, of_rod) = foot(ends, rim.ends[0]);
        return (counts == RodPart::Whole || is_between(part)).then_some([of_rod, rim.ends[0]]);
    }
    let crossed = crossing(ends, rim.ends);
    if crossed.is_some() || counts == RodPart::Middle {
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

/// Calls `meet(face, normal, distance, position)` for every edge and corner of a mesh that is closer to the segment of
/// a capsule than `reach`; the position on the segment is relative to its middle.
pub(crate) fn rims_at_rod<D: Dim>(
    surface: &Surface<D>,
    mesh: &Mesh<D>,
    pose: WallPose<D>,
    ends: [D::Vec; 2],
    reach: f64,
    meet: &mut dyn FnMut(u32, D::Vec, f64, D::Vec),
) {
    let (frame, mut spots) = (surface.frame(pose), Vec::new());
    let ends = ends.map(|end| frame.point(end));
    let rod = Rod { ends, radius: 0.0, part: RodPart::Whole };
    rod_spots(mesh.sheet(), mesh.free(), &rod, reach, &mut spots);
    let middle = (ends[0] + ends[1]) * 0.5;
    for spot in spots {
        let position = spot.foot + spot.normal * spot.gap - middle;
        meet(MESH | spot.mesh_feature, frame.direction(spot.normal), spot.gap, frame.direction(position));
    }
}
