//! The polygon that two touching faces share in the projection along a normal: its corners.

use glam::{DVec2, DVec3};

/// Where a corner of the shared polygon comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// Corner k of the face that the normal belongs to.
    Own(usize),
    /// Corner k of the other face.
    Other(usize),
    /// The crossing of two edges, which start at corner k of the own and at corner l of the other face.
    Both(usize, usize),
}

/// A corner of the shared polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SharedCorner {
    /// Where it comes from.
    pub of: Of,
    /// Distance of the other face above the own one at this corner [m].
    pub gap: f64,
    /// Half-way between them [m].
    pub point: DVec3,
}

/// Corners closer than this, relative to the size of the faces, are merged; the shared area shrinks by no more.
const MERGED: f64 = 1e-6;

/// Least cosine between the two normals: because of rounding a steeper face has no inside in the projection along the
/// normal.
const STEEP: f64 = 1e-9;

/// The corners of the shared polygon. `against` is the normal of the other face, `rounding` that of the coordinates.
pub(crate) fn shared(
    own: &[DVec3],
    other: &[DVec3],
    normal: DVec3,
    against: DVec3,
    rounding: f64,
) -> Vec<SharedCorner> {
    let (t, s) = normal.any_orthonormal_pair();
    let origin = own[0];
    let flat = |x: &DVec3| DVec2::new((*x - origin).dot(t), (*x - origin).dot(s));
    let hand = t.cross(s).dot(normal).signum();
    let (own_flat, other_flat): (Vec<DVec2>, Vec<DVec2>) =
        (own.iter().map(flat).collect(), other.iter().map(flat).collect());
    let height = |x: &DVec3| (*x - origin).dot(normal);
    let facing = against.dot(normal);
    let mut places: Vec<(DVec2, SharedCorner)> = Vec::new();
    let size = own.iter().chain(other).map(|x| (*x - origin).length_squared()).fold(0.0, f64::max).sqrt();
    let mut put = |at: DVec2, of: Of, gap: f64, point: DVec3| {
        if places.iter().all(|(known, _)| known.distance(at) > MERGED * size) {
            places.push((at, SharedCorner { of, gap, point }));
        }
    };
    for (k, x) in other.iter().enumerate() {
        if is_inside(&own_flat, other_flat[k], hand, rounding) {
            let gap = height(x);
            put(other_flat[k], Of::Other(k), gap, *x - normal * (0.5 * gap));
        }
    }
    if -facing > STEEP {
        for (k, x) in own.iter().enumerate() {
            if is_inside(&other_flat, own_flat[k], -hand, rounding) {
                let gap = (other[0] - *x).dot(against) / facing;
                put(own_flat[k], Of::Own(k), gap, *x + normal * (0.5 * gap));
            }
        }
    }
    for k in 0..own.len() {
        let (p, d) = edge(&own_flat, k);
        for l in 0..other.len() {
            let (q, e) = edge(&other_flat, l);
            let area = d.perp_dot(e);
            if area.abs() <= rounding * (d.length() + e.length()) {
                continue; // parallel, or a point
            }
            let (along, its) = ((q - p).perp_dot(e) / area, (q - p).perp_dot(d) / area);
            if (0.0..=1.0).contains(&along) && (0.0..=1.0).contains(&its) {
                let x = other[l] + (other[(l + 1) % other.len()] - other[l]) * its;
                let gap = height(&x);
                put(p + d * along, Of::Both(k, l), gap, x - normal * (0.5 * gap));
            }
        }
    }
    places.into_iter().map(|(_, place)| place).collect()
}

fn edge(polygon: &[DVec2], k: usize) -> (DVec2, DVec2) {
    (polygon[k], polygon[(k + 1) % polygon.len()] - polygon[k])
}

/// Whether a point lies in a polygon, up to rounding; `hand` is 1 for a counter-clockwise one.
fn is_inside(polygon: &[DVec2], x: DVec2, hand: f64, rounding: f64) -> bool {
    (0..polygon.len()).all(|k| {
        let (p, d) = edge(polygon, k);
        hand * d.perp_dot(x - p) >= -rounding * d.length()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(half: f64, z: f64, turn: f64) -> Vec<DVec3> {
        let corner = |k: u32| {
            let (sin, cos) = (turn + std::f64::consts::FRAC_PI_2 * f64::from(k)).sin_cos();
            DVec3::new(half * (cos - sin), half * (sin + cos), z)
        };
        (0..4).map(corner).collect()
    }

    #[test]
    fn two_squares_share_four_or_eight_corners() {
        let own = square(1.0, 0.0, 0.0);
        let meet = |other: &mut Vec<DVec3>| {
            other.reverse(); // seen from below
            shared(&own, other, DVec3::Z, DVec3::NEG_Z, 1e-15)
        };
        for (half, count) in [(1.0, 4), (0.5, 4), (2.0, 4)] {
            let places = meet(&mut square(half, 0.1, 0.0));
            assert_eq!(places.len(), count, "{half}");
            assert!(places.iter().all(|place| (place.gap - 0.1).abs() < 1e-15 && (place.point.z - 0.05).abs() < 1e-15));
        }
        let turned = meet(&mut square(1.0, 0.1, std::f64::consts::FRAC_PI_4));
        assert_eq!(turned.len(), 8);
        assert!(turned.iter().all(|place| matches!(place.of, Of::Both(..))));
        let mut shifted: Vec<DVec3> =
            square(1.0, 0.0, 0.0).into_iter().map(|x| x + DVec3::new(1.0, 0.5, 0.0)).collect();
        let places = meet(&mut shifted);
        assert_eq!(places.len(), 4);
        let mut far: Vec<DVec3> = square(1.0, 0.0, 0.0).into_iter().map(|x| x + DVec3::X * 3.0).collect();
        assert!(meet(&mut far).is_empty());
    }

    #[test]
    fn a_steep_face_shares_its_lower_edge() {
        let own = square(1.0, 0.0, 0.0);
        let other = [(-2.0, 0.1), (2.0, 0.1), (2.0, 3.0), (-2.0, 3.0)].map(|(x, z)| DVec3::new(x, 0.3, z));
        let places = shared(&own, &other, DVec3::Z, DVec3::NEG_Y, 1e-15);
        let low: Vec<&SharedCorner> = places.iter().filter(|place| place.gap < 0.2).collect();
        assert_eq!(low.len(), 2);
        assert!(low.iter().all(|place| (place.point.x.abs() - 1.0).abs() < 1e-15 && (place.gap - 0.1).abs() < 1e-15));
    }
}
