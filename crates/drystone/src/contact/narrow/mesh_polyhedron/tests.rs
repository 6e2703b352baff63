use super::*;
use crate::dim::D3;
use crate::shape::Polyhedron;
use crate::shape::solid::{self, Rims, Set, Solid};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// The cube from -1 to 1 as triangles, with their fronts outside.
fn cube() -> Sheet {
    let side = |k: u32, bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let points = (0..8).map(|k| DVec3::new(side(k, 0), side(k, 1), side(k, 2))).collect();
    let squares = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves: Vec<[u32; 3]> = squares.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Sheet::new(points, &halves)
}

struct Poses(Pcg64);

impl Poses {
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit())
    }

    fn turn(&mut self) -> DQuat {
        DQuat::from_xyzw(self.unit(), self.unit(), self.unit(), self.unit()).normalize()
    }
}

fn turned(outline: &Outline<D3>, turn: DQuat) -> Solid {
    Solid {
        corners: outline.corners.iter().map(|x| turn * *x).collect(),
        normals: outline.normals.iter().map(|x| turn * *x).collect(),
    }
}

fn rims(outline: &Outline<D3>) -> Rims<'_> {
    Rims { faces: &outline.faces, edges: &outline.edges }
}

/// Compares with the contacts of two stones: a brick that overlaps a cube touches its triangles, and one that is apart
/// does not overlap them; where a face or two edges separate them, normal and gap are the same.
#[test]
fn a_brick_at_a_cube_of_triangles_is_one_at_a_stone() {
    let (sheet, mut poses) = (cube(), Poses(Pcg64::new(5, 9)));
    let of = |size: DVec3| Polyhedron::cuboid(size).unwrap().outline;
    let (own, brick) = (of(DVec3::splat(2.0)), of(DVec3::new(0.9, 0.5, 0.3)));
    let fixed = turned(&own, DQuat::IDENTITY);
    let fixed = Set { solid: &fixed, rims: rims(&own), at: DVec3::ZERO, inner: 1.0 };
    let (mut overlaps, mut apart, mut same) = (0, 0, 0);
    for _ in 0..20_000 {
        let (at, turn) = (poses.vector() * 3.2, poses.turn());
        let solid = turned(&brick, turn);
        let other = Set { solid: &solid, rims: rims(&brick), at, inner: 0.15 };
        let mut spots = Vec::new();
        solid::polyhedra(&fixed, &other, 0.02, |spot| spots.push(spot));
        let Some(deepest) = spots.iter().min_by(|p, q| p.gap.total_cmp(&q.gap)) else { continue };
        if deepest.gap < -0.02 {
            continue; // deeper than any contact is
        }
        let mut found = Vec::new();
        hull_spots(&sheet, Free::Front, &PlacedHull::new(&brick, at, turn), brick.radius(), 0.02, &mut found);
        let lowest = found.iter().map(|spot| spot.gap).fold(f64::INFINITY, f64::min);
        if deepest.gap < -1e-9 {
            overlaps += 1;
            assert!(lowest < 0.0, "{at} {turn}: {deepest:?} and {found:?}");
        } else if deepest.gap > 1e-9 {
            apart += 1;
            assert!(lowest > 0.0, "{at} {turn}: {deepest:?} and {found:?}");
        }
        // beside faces and edges, corners over edges and corners are nearest, which touch when they overlap
        let is_face = |normal: &DVec3| deepest.normal.distance(*normal) < 1e-12;
        let mut normals = fixed.solid.normals.iter().copied().chain(solid.normals.iter().map(|normal| -*normal));
        let is_known = matches!(deepest.feature, solid::Feature::Edges(..)) || normals.any(|normal| is_face(&normal));
        if is_known && deepest.gap > 1e-9 {
            let is_same = |spot: &MeshSpot| {
                spot.normal.distance(deepest.normal) <= PARALLEL && (spot.gap - deepest.gap).abs() < 1e-6
            };
            assert!(found.iter().any(is_same), "{at} {turn}: {deepest:?} and {found:?}");
            same += 1;
        }
    }
    assert!(overlaps > 200 && apart > 200 && same > 100, "{overlaps} {apart} {same}");
}

/// A corner that has sunk into the corner of a box touches all three sides, also behind all of them.
#[test]
fn a_corner_in_the_corner_of_a_box() {
    let (sheet, brick) = (cube(), Polyhedron::cuboid(DVec3::splat(0.4)).unwrap().outline);
    for sunk in [DVec3::ZERO, DVec3::splat(1e-9), DVec3::new(1e-9, -1e-9, 3e-9), DVec3::new(1e-6, 1e-9, 1e-12)] {
        let mut found = Vec::new();
        let at = DVec3::splat(-0.8) - sunk;
        hull_spots(&sheet, Free::Back, &PlacedHull::new(&brick, at, DQuat::IDENTITY), brick.radius(), 1e-3, &mut found);
        let corner = brick.corners.iter().position(|x| x.cmplt(DVec3::ZERO).all()).unwrap() as u32;
        let mut normals: Vec<DVec3> = found.iter().filter(|spot| spot.part == corner).map(|spot| spot.normal).collect();
        normals.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
        assert_eq!(normals, [DVec3::Z, DVec3::Y, DVec3::X], "{sunk}");
        assert_eq!(found.len(), 12, "four corners of each of three faces, and no edge: {sunk}");
    }
}

/// A stone on a floor beside the end of a fin that stands on it: behind the fin, but not through it.
#[test]
fn a_corner_beside_a_fin_does_not_touch_it() {
    let floor = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [0.0, 0.0], [1.0, 0.0]];
    let mut points: Vec<DVec3> = floor.iter().map(|[x, y]| DVec3::new(*x, *y, 0.0)).collect();
    points.push(DVec3::new(1.0, 0.0, 1.0));
    // the fin stands on the edge from the fifth point to the sixth
    let sheet = Sheet::new(points, &[[0, 1, 4], [1, 5, 4], [4, 5, 2], [2, 3, 4], [3, 0, 4], [4, 5, 6]]);
    let brick = Polyhedron::cuboid(DVec3::new(0.4, 0.4, 0.2)).unwrap().outline;
    for sunk in [0.0, 1e-9] {
        let at = DVec3::new(-0.25, -0.1, 0.1 - sunk);
        let mut found = Vec::new();
        hull_spots(
            &sheet,
            Free::Either,
            &PlacedHull::new(&brick, at, DQuat::IDENTITY),
            brick.radius(),
            1e-3,
            &mut found,
        );
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found.iter().all(|spot| spot.normal == DVec3::Z && spot.gap.abs() < 1e-8));
    }
}

/// A stone that leans over a ridge and dips below it with a sharp edge at its end: the ridge goes through it, though
/// the point of the ridge over that edge is outside. The ridge touches the edge, as deep as the edge is below it.
#[test]
fn a_ridge_under_a_sharp_edge() {
    let points = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, -1.0], [0.0, -1.0, -1.0]];
    let sheet = Sheet::new(points.map(DVec3::from_array).to_vec(), &[[0, 1, 2], [1, 0, 3]]);
    // flat below, and its end at x = -0.3 leans back above by as much as it is high
    let above = |x: f64, y: f64| DVec3::new(x, y, 0.2);
    let below = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let corners = [-0.1, 0.1].map(|y| [below(-0.3, y), below(0.3, y), above(-0.1, y), above(0.3, y)]);
    let stone = Polyhedron::new(&corners.concat()).unwrap();
    let outline = &stone.outline;
    for (lean, sunk) in [(0.03, 1e-3), (0.01, 1e-6), (0.1, 1e-9)] {
        let turn = DQuat::from_rotation_y(-lean);
        let edge = turn * (DVec3::new(-0.3, 0.0, 0.0) - stone.centre);
        let at = DVec3::new(-0.2, 0.0, -sunk) - edge;
        let mut found = Vec::new();
        let hull = PlacedHull::new(outline, at, turn * stone.axes);
        hull_spots(&sheet, Free::Either, &hull, outline.radius(), 1e-3, &mut found);
        let [spot] = found[..] else { panic!("{lean}: {found:?}") };
        assert!((spot.gap + sunk).abs() < 1e-12 && spot.normal.distance(DVec3::Z) < 1e-12, "{lean}: {spot:?}");
        assert!((spot.foot.x + 0.2).abs() < 1e-12, "{lean}: {spot:?}");
    }
}

/// A brick that has sunk into a side of a roof with its lower corners, and whose face, which is steeper than the roof,
/// is just below the ridge: the side holds it. The ridge does not push it up by its end, which is far below.
#[test]
fn a_ridge_beside_a_corner_that_has_sunk_in() {
    let points = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, -1.0], [0.0, -1.0, -1.0]];
    let sheet = Sheet::new(points.map(DVec3::from_array).to_vec(), &[[0, 1, 2], [1, 0, 3]]);
    let brick = Polyhedron::cuboid(DVec3::splat(0.1)).unwrap().outline;
    let turn = DQuat::from_rotation_x(50_f64.to_radians());
    let [upwards, out] = [turn * DVec3::Y, turn * DVec3::Z];
    // the end of the face is 0.01 below the ridge, and the face 1e-6 outside of it
    let at = upwards * (0.05 - 0.01) + out * (0.05 - 1e-6);
    let mut found = Vec::new();
    hull_spots(&sheet, Free::Either, &PlacedHull::new(&brick, at, turn), brick.radius(), 1e-3, &mut found);
    let side = DVec3::new(0.0, -1.0, 1.0).normalize();
    assert_eq!(found.len(), 2, "its lower corners: {found:?}");
    let sunk = 0.01 * libm::sin(5_f64.to_radians()) + 1e-6 * libm::cos(5_f64.to_radians());
    for spot in found {
        assert!(spot.normal.distance(side) < 1e-12 && (spot.gap + sunk).abs() < 1e-12, "{spot:?}");
    }
}
