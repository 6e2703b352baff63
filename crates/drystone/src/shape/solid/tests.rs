use glam::{DQuat, DVec3};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::*;
use crate::dim::D3;
use crate::shape::{Outline, Polyhedron};

fn placed(outline: &Outline<D3>, turn: DQuat) -> Solid {
    Solid {
        corners: outline.corners.iter().map(|x| turn * *x).collect(),
        normals: outline.normals.iter().map(|n| turn * *n).collect(),
    }
}

fn set<'o>(solid: &'o Solid, outline: &'o Outline<D3>, at: DVec3) -> Set<'o> {
    Set { solid, rims: Rims { faces: &outline.faces, edges: &outline.edges }, at, inner: outline.inner_radius() }
}

fn spots(a: &Set, b: &Set, reach: f64) -> Vec<FacingPoint3d> {
    let mut spots = Vec::new();
    polyhedra(a, b, reach, |spot| spots.push(spot));
    spots
}

/// Squared distance of two convex bodies by projected gradients over their hulls: slow, and without any of the ideas of
/// the algorithm. Frank and Wolfe's steps with exact line search, away from the worst corner as well.
fn distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    // Gilbert's algorithm on the difference of all corners
    let difference: Vec<DVec3> = a.iter().flat_map(|x| b.iter().map(move |y| *y - *x)).collect();
    let mut weights = vec![0.0; difference.len()];
    weights[0] = 1.0;
    let mut x = difference[0];
    for _ in 0..200_000 {
        let height = |k: &usize| difference[*k].dot(x);
        let all = 0..difference.len();
        let low = all.clone().min_by(|p, q| height(p).total_cmp(&height(q))).unwrap();
        let high = all.filter(|k| weights[*k] > 0.0).max_by(|p, q| height(p).total_cmp(&height(q))).unwrap();
        if x.length_squared() - height(&low) < 1e-14 {
            break;
        }
        let way = difference[low] - difference[high]; // weight moves from the worst corner to the best
        let step = (-(x.dot(way)) / way.length_squared()).clamp(0.0, weights[high]);
        weights[high] -= step;
        weights[low] += step;
        x = difference.iter().zip(&weights).fold(DVec3::ZERO, |sum, (d, w)| sum + *d * *w);
    }
    x.length()
}

fn random() -> impl FnMut() -> f64 {
    let mut rng = Pcg64::new(7, 3);
    move || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 - 0.5
}

fn stone(unit: &mut impl FnMut() -> f64, corners: usize) -> Polyhedron {
    let points: Vec<DVec3> = (0..corners).map(|_| DVec3::new(unit(), unit(), unit())).collect();
    Polyhedron::new(&points).unwrap()
}

fn turn(unit: &mut impl FnMut() -> f64) -> DQuat {
    DQuat::from_xyzw(unit(), unit(), unit(), unit()).normalize()
}

#[test]
fn the_gap_of_separate_stones_is_their_distance() {
    let mut unit = random();
    let (mut seen, mut close, mut kinds) = (0, 0, [0; 3]);
    while seen < 300 {
        let (one, other) = (stone(&mut unit, 10), stone(&mut unit, 7));
        let (p, q) = (placed(&one.outline, turn(&mut unit)), placed(&other.outline, turn(&mut unit)));
        let (a, b) =
            (set(&p, &one.outline, DVec3::ZERO), set(&q, &other.outline, DVec3::new(unit(), unit(), unit()) * 2.0));
        let corners = |set: &Set| (0..set.solid.corners.len()).map(|k| set.corner(k)).collect::<Vec<_>>();
        let expected = distance(&corners(&a), &corners(&b));
        if expected < 1e-3 {
            continue;
        }
        seen += 1;
        let found = spots(&a, &b, 10.0);
        let nearest = found.iter().map(|spot| spot.gap).fold(f64::INFINITY, f64::min);
        assert!((nearest - expected).abs() < 1e-6, "{nearest} {expected} {found:?}");
        let spot = found.iter().min_by(|p, q| p.gap.total_cmp(&q.gap)).unwrap();
        // the normal separates the bodies by their distance; that of a face stands for directions close to it
        assert!((apart(&a, &b, spot.normal) - expected).abs() < 2.0 * PARALLEL, "{spot:?} {expected}");
        close += usize::from((apart(&a, &b, spot.normal) - expected).abs() < 1e-6);
        match spot.feature {
            Feature::Edges(..) => kinds[0] += 1,
            Feature::Corner(..) if found.len() == 1 => kinds[1] += 1,
            Feature::Corner(..) => kinds[2] += 1,
        }
        // none beyond reach, and the other way round the same
        assert!(spots(&a, &b, 0.99 * expected).is_empty());
        let back = spots(&b, &a, 10.0).iter().map(|spot| spot.gap).fold(f64::INFINITY, f64::min);
        assert!((back - nearest).abs() < 1e-14);
    }
    assert!(kinds.iter().all(|count| *count > 10) && close > 290, "{kinds:?} {close}");
}

/// Overlapping stones moved apart along the normal by the overlap touch: no gap, no overlap.
#[test]
fn stones_that_overlap_a_little_are_parted_by_their_overlap() {
    let mut unit = random();
    let mut seen = 0;
    while seen < 300 {
        let (one, other) = (stone(&mut unit, 10), stone(&mut unit, 7));
        let (p, q) = (placed(&one.outline, turn(&mut unit)), placed(&other.outline, turn(&mut unit)));
        let mut b = set(&q, &other.outline, DVec3::new(unit(), unit(), unit()) * 2.0);
        let a = set(&p, &one.outline, DVec3::ZERO);
        let found = spots(&a, &b, 10.0);
        let deepest = found.iter().min_by(|p, q| p.gap.total_cmp(&q.gap)).unwrap();
        // a corner that moves along the normal towards an edge or a corner may pass it
        let is_face = p.normals.iter().chain(&q.normals).any(|n| n.cross(deepest.normal).length() < 1e-15);
        let is_broad = is_face || matches!(deepest.feature, Feature::Edges(..));
        if !(0.0..0.5).contains(&deepest.gap) || !is_broad {
            continue;
        }
        seen += 1;
        b.at -= deepest.normal * (deepest.gap + 1e-4);
        let found = spots(&a, &b, 0.0);
        let overlap = found.iter().map(|spot| -spot.gap).fold(0.0, f64::max);
        // the overlap is no more than the motion inwards
        assert!(overlap > 0.0 && overlap <= 1e-4 * (1.0 + 1e-6), "{overlap}");
        let deepest = found.iter().min_by(|p, q| p.gap.total_cmp(&q.gap)).unwrap();
        b.at += deepest.normal * (overlap + 1e-9);
        assert!(spots(&a, &b, 0.0).iter().all(|spot| spot.gap > -1e-7), "{:?}", spots(&a, &b, 0.0));
    }
}

#[test]
fn a_cube_on_a_cube_rests_on_four_points_a_brick_across_on_four_an_edge_on_two() {
    let cube = Polyhedron::cuboid(DVec3::ONE).unwrap().outline;
    let upright = placed(&cube, DQuat::IDENTITY);
    let below = set(&upright, &cube, DVec3::ZERO);
    for gap in [-1e-9, 0.0, 1e-12, 1e-3] {
        let found = spots(&below, &set(&upright, &cube, DVec3::new(0.1, 0.2, 1.0 + gap)), 0.01);
        assert_eq!(found.len(), 4, "{gap}");
        assert!(found.iter().all(|spot| spot.normal == DVec3::Z && (spot.gap - gap).abs() < 1e-15));
    }
    let exactly = spots(&below, &set(&upright, &cube, DVec3::Z), 0.01);
    assert_eq!(exactly.len(), 4, "{exactly:?}");
    for tilt in [1e-14, 1e-9, 1e-6, 1e-4] {
        // tilted about a diagonal: still the whole face, with the gaps that each corner has
        let turn = DQuat::from_axis_angle(DVec3::new(1.0, 1.0, 0.0).normalize(), tilt);
        let tilted = placed(&cube, turn);
        let found = spots(&below, &set(&tilted, &cube, DVec3::new(0.3, 0.1, 1.0 + tilt)), 0.01);
        assert_eq!(found.len(), 4, "{tilt}: {found:?}");
    }
    let on_edge = placed(&cube, DQuat::from_axis_angle(DVec3::Y, std::f64::consts::FRAC_PI_4));
    let found = spots(&below, &set(&on_edge, &cube, DVec3::Z * (0.5 + 0.5_f64.sqrt())), 0.01);
    assert_eq!(found.len(), 2, "{found:?}");
    let on_corner = placed(&cube, DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Z));
    let found = spots(&below, &set(&on_corner, &cube, DVec3::Z * (0.5 + 0.75_f64.sqrt())), 0.01);
    assert_eq!(found.len(), 1, "{found:?}");
    // two edges that cross at a right angle: one point, normal along z
    let other = placed(&cube, DQuat::from_axis_angle(DVec3::X, std::f64::consts::FRAC_PI_4));
    let a = set(&on_edge, &cube, DVec3::ZERO);
    let found = spots(&a, &set(&other, &cube, DVec3::Z * (2.0 * 0.5_f64.sqrt() + 1e-3)), 0.01);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].gap - 1e-3).abs() < 1e-15 && found[0].normal.abs_diff_eq(DVec3::Z, 1e-15), "{found:?}");
}

#[test]
fn a_point_is_as_far_as_it_is() {
    let cube = Polyhedron::cuboid(DVec3::splat(2.0)).unwrap().outline;
    let upright = placed(&cube, DQuat::IDENTITY);
    let body = set(&upright, &cube, DVec3::ZERO);
    for (x, distance) in [
        (DVec3::new(0.0, 0.2, 3.0), 2.0),
        (DVec3::new(0.0, 0.2, 0.9), -0.1),
        (DVec3::new(4.0, 5.0, 0.3), 5.0),
        (DVec3::new(3.0, 3.0, 2.0), 3.0),
    ] {
        let (normal, found) = point(&body, x);
        assert!((found - distance).abs() < 1e-15 && (normal.length() - 1.0).abs() < 1e-15, "{x} {found}");
        assert!((x - normal * found).abs().max_element() <= 1.0 + 1e-15);
    }
}
