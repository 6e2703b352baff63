use super::*;
use crate::shape::Polygon;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

struct Random(Pcg64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A convex polygon of three to eight corners on an ellipse, turned and moved.
    fn polygon(&mut self) -> PlacedPolygon {
        let count = 3 + (self.between(0.0, 6.0) as usize).min(5);
        let mut angles: Vec<f64> = (0..count).map(|k| (k as f64 + self.between(0.1, 0.9)) / count as f64).collect();
        angles.iter_mut().for_each(|angle| *angle *= 2.0 * std::f64::consts::PI);
        let flat = self.between(0.2, 1.0);
        let corners: Vec<DVec2> = angles.iter().map(|a| DVec2::new(a.cos(), flat * a.sin())).collect();
        let polygon = Polygon::new(&corners).unwrap();
        place(&polygon, self.between(-3.0, 3.0), DVec2::ZERO)
    }
}

fn place(polygon: &Polygon, angle: f64, at: DVec2) -> PlacedPolygon {
    let turn = |v: &DVec2| DVec2::from_angle(angle).rotate(*v);
    PlacedPolygon {
        corners: polygon.outline.corners.iter().map(|corner| turn(corner) + at).collect(),
        normals: polygon.outline.normals.iter().map(turn).collect(),
    }
}

fn moved(polygon: &PlacedPolygon, by: DVec2) -> PlacedPolygon {
    PlacedPolygon { corners: polygon.corners.iter().map(|corner| *corner + by).collect(), ..polygon.clone() }
}

fn spots(a: &PlacedPolygon, b: &PlacedPolygon, reach: f64) -> Vec<FacingPoint2d> {
    let mut spots = Vec::new();
    polygons(a, b, reach, |spot| spots.push(spot));
    spots
}

/// Distance of a point from an edge of a polygon.
fn from_edge(x: DVec2, polygon: &PlacedPolygon, edge: usize) -> f64 {
    let (p, q) = polygon.edge(edge);
    let t = ((x - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0);
    (p + (q - p) * t - x).length()
}

/// Distance of two polygons that do not overlap: of all corners of one from all edges of the other.
fn distance(a: &PlacedPolygon, b: &PlacedPolygon) -> f64 {
    let one_way = |a: &PlacedPolygon, b: &PlacedPolygon| {
        let of = |x: &DVec2| (0..b.corners.len()).map(|k| from_edge(*x, b, k)).fold(f64::INFINITY, f64::min);
        a.corners.iter().map(of).fold(f64::INFINITY, f64::min)
    };
    one_way(a, b).min(one_way(b, a))
}

/// Whether the polygons share a point: no edge of either has the other wholly outside.
fn overlap(a: &PlacedPolygon, b: &PlacedPolygon) -> bool {
    let is_outside = |a: &PlacedPolygon, b: &PlacedPolygon| {
        (0..a.corners.len()).any(|k| {
            let (p, q) = a.edge(k);
            b.corners.iter().all(|x| (q - p).perp_dot(*x - p) < 0.0)
        })
    };
    !is_outside(a, b) && !is_outside(b, a)
}

#[test]
fn the_gap_of_separate_polygons_is_their_distance_and_both_ends_lie_on_the_surfaces() {
    let mut random = Random(Pcg64::new(4, 4));
    let (mut corners, mut two) = (0, 0);
    for _ in 0..20_000 {
        let (a, b) = (random.polygon(), random.polygon());
        let b = moved(&b, DVec2::from_angle(random.between(-3.0, 3.0)) * random.between(0.5, 2.5));
        if overlap(&a, &b) {
            continue;
        }
        let found = spots(&a, &b, f64::INFINITY);
        let least = found.iter().map(|spot| spot.gap).fold(f64::INFINITY, f64::min);
        assert!((least - distance(&a, &b)).abs() < 1e-14, "{a:?} {b:?} {found:?} {}", distance(&a, &b));
        for spot in &found {
            assert!((spot.normal.length() - 1.0).abs() < 1e-15);
            for (polygon, side) in [(&a, -0.5), (&b, 0.5)] {
                let foot = spot.point + spot.normal * (side * spot.gap);
                let off = (0..polygon.corners.len()).map(|k| from_edge(foot, polygon, k));
                assert!(off.fold(f64::INFINITY, f64::min) < 1e-14, "{spot:?} {a:?} {b:?}");
            }
        }
        corners += usize::from(found.len() == 1);
        two += usize::from(found.len() == 2);
        // what is further than the reach is not reported, the rest stays the same
        let near: Vec<FacingPoint2d> = found.iter().copied().filter(|spot| spot.gap < 1.2 * least).collect();
        assert_eq!(spots(&a, &b, 1.2 * least), near);
    }
    assert!(corners > 1000 && two > 1000, "{corners} {two}");
}

#[test]
fn overlapping_polygons_have_the_shortest_push_that_parts_them() {
    let mut random = Random(Pcg64::new(9, 4));
    let mut seen = 0;
    while seen < 2000 {
        let (a, b) = (random.polygon(), random.polygon());
        let b = moved(&b, DVec2::from_angle(random.between(-3.0, 3.0)) * random.between(0.2, 1.8));
        if !overlap(&a, &b) {
            continue;
        }
        seen += 1;
        let found = spots(&a, &b, f64::INFINITY);
        let deepest = found.iter().map(|spot| spot.gap).fold(f64::INFINITY, f64::min);
        let normal = found[0].normal;
        let separation = b.corners.iter().map(|x| normal.dot(*x)).fold(f64::INFINITY, f64::min)
            - a.corners.iter().map(|x| normal.dot(*x)).fold(f64::NEG_INFINITY, f64::max);
        assert!(deepest >= separation - 1e-14 && separation < 0.0, "{deepest} {separation}");
        assert!(!overlap(&a, &moved(&b, normal * (-separation + 1e-9))), "the push along the normal parts them");
        let shorter = |k: u32| DVec2::from_angle(f64::from(k) * 0.01) * (-separation - 1e-9);
        assert!((0..629).all(|k| overlap(&a, &moved(&b, shorter(k)))), "and no shorter push does");
    }
}

#[test]
fn flat_on_flat_has_two_points_with_the_same_names_whoever_is_asked_first() {
    let (brick, wide) = (Polygon::rectangle(2.0, 1.0).unwrap(), Polygon::rectangle(4.0, 1.0).unwrap());
    for gap in [0.0, 1e-3, -1e-3, 1e-17] {
        for (over, below) in [(&brick, &wide), (&wide, &brick), (&brick, &brick)] {
            for (angle, shift) in [(0.0, 0.3), (0.7, 0.0), (-2.0, 0.5)] {
                let turn = |v: DVec2| DVec2::from_angle(angle).rotate(v);
                let (a, b) = (place(below, angle, DVec2::ZERO), place(over, angle, turn(DVec2::new(shift, 1.0 + gap))));
                let found = spots(&a, &b, 0.1);
                assert_eq!(found.len(), 2, "{gap} {angle}");
                let half = 0.5 * (found[0].point - found[1].point).length();
                let expected = if over.area == below.area { 1.0 - 0.5 * shift } else { 1.0 };
                assert!((half - expected).abs() < 1e-14, "{half} {expected}");
                for spot in &found {
                    assert!((spot.gap - gap).abs() < 1e-15 && (spot.normal - turn(DVec2::Y)).length() < 1e-15);
                }
                let back = spots(&b, &a, 0.1);
                let mut names: Vec<(usize, bool)> = back.iter().map(|spot| (spot.corner, !spot.of_b)).collect();
                names.sort_unstable();
                if over.area != below.area || shift != 0.0 {
                    assert_eq!(names, found.iter().map(|spot| (spot.corner, spot.of_b)).collect::<Vec<_>>());
                }
                assert!(back.iter().all(|spot| (spot.normal + turn(DVec2::Y)).length() < 1e-15));
            }
        }
    }
}

#[test]
fn a_tilted_edge_has_the_gaps_of_both_its_ends() {
    let brick = Polygon::rectangle(2.0, 1.0).unwrap();
    let tilt: f64 = 1e-4;
    let floor = place(&Polygon::rectangle(10.0, 1.0).unwrap(), 0.0, DVec2::new(0.0, -0.5));
    let height = 0.5 * tilt.cos() + tilt.sin();
    let mut gaps: Vec<f64> =
        spots(&floor, &place(&brick, tilt, DVec2::new(0.0, height)), 0.01).iter().map(|spot| spot.gap).collect();
    gaps.sort_by(f64::total_cmp);
    assert!(gaps[0].abs() < 1e-15 && (gaps[1] - 2.0 * tilt.sin()).abs() < 1e-15, "{gaps:?}");
}

#[test]
fn a_point_is_as_far_as_the_nearest_segment() {
    let mut random = Random(Pcg64::new(2, 7));
    let mut inside = 0;
    for _ in 0..20_000 {
        let polygon = random.polygon();
        let x = DVec2::new(random.between(-2.0, 2.0), random.between(-2.0, 2.0));
        let (normal, gap) = point(&polygon, x);
        let is_inside = (0..polygon.corners.len()).all(|k| (x - polygon.corners[k]).dot(polygon.normals[k]) < 0.0);
        let nearest = (0..polygon.corners.len()).map(|k| from_edge(x, &polygon, k)).fold(f64::INFINITY, f64::min);
        let expected = if is_inside { -nearest } else { nearest };
        assert!((gap - expected).abs() < 1e-14 && (normal.length() - 1.0).abs() < 1e-15, "{gap} {expected}");
        let foot = x - normal * gap;
        let off = (0..polygon.corners.len()).map(|k| from_edge(foot, &polygon, k)).fold(f64::INFINITY, f64::min);
        assert!(off < 1e-14);
        inside += usize::from(is_inside);
    }
    assert!(inside > 1000);
}
