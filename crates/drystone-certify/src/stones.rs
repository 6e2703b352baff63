//! Stones: their moments of inertia from their corners, and whether a contact is where two outlines face each other.

use super::judge::{Check, Judge};
use super::space::{Vec3, add, cross, dot, norm, scale, sub};
use super::step::{Body, BodyPair, Step};

/// Moment of inertia over the mass of a polygon about the origin, which is its centre [m2].
pub(crate) fn gyration(corners: &[Vec3]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let (mut area, mut second) = (0.0, 0.0);
    for (p, q) in corners.iter().zip(next) {
        let twice = cross(*p, *q)[2];
        area += twice;
        second += twice * (dot(*p, *p) + dot(*p, *q) + dot(*q, *q));
    }
    second / (6.0 * area)
}

/// Largest eigenvalue of the sum of 2 x 2 matrices 1/m + (1/I) p p^T, p across an arm: the largest velocity per
/// impulse.
pub(crate) fn largest_mobility(bodies: &[(f64, f64, Vec3)]) -> f64 {
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (inverse_mass, inverse_moment, arm) in bodies {
        xx += inverse_mass + inverse_moment * arm[1] * arm[1];
        yy += inverse_mass + inverse_moment * arm[0] * arm[0];
        xy -= inverse_moment * arm[0] * arm[1];
    }
    0.5 * (xx + yy) + (0.5 * (xx - yy)).hypot(xy)
}

/// Lowest and highest corner along a direction.
fn shadow(corners: &[Vec3], direction: Vec3) -> (f64, f64) {
    let along = corners.iter().map(|corner| dot(*corner, direction));
    along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

/// Distance of a point from an outline.
fn from_outline(x: Vec3, corners: &[Vec3]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let distance = |(p, q): (&Vec3, &Vec3)| {
        let along = sub(*q, *p);
        let t = (dot(sub(x, *p), along) / dot(along, along)).clamp(0.0, 1.0);
        norm(sub(add(*p, scale(along, t)), x))
    };
    corners.iter().zip(next).map(distance).fold(f64::INFINITY, f64::min)
}

/// Outward normals of the edges.
fn normals(corners: &[Vec3]) -> impl Iterator<Item = Vec3> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(p, q)| {
        let along = sub(*q, *p);
        scale([along[1], -along[0], 0.0], 1.0 / norm(along))
    })
}

/// Checks that the force on both bodies acts at one point, and returns it; `None` at a wall.
pub(crate) fn check_arms(step: &Step, k: usize, bodies: BodyPair, judge: &mut Judge) -> Option<Vec3> {
    let BodyPair { a: Body::Grain(a), b: Body::Grain(b) } = bodies else { return None };
    let contacts = &step.frame.contacts;
    let size = step.radius(bodies.a).max(step.radius(bodies.b));
    let rounding = (4.0 * step.place_rounding(bodies) + 64.0 * f64::EPSILON * size) / size;
    let point = add(step.found[b], contacts.arm_b[k]);
    let apart = norm(sub(add(step.found[a], contacts.arm_a[k]), point)) / size;
    judge.see(Check::Geometry, apart, rounding, || format!("arms of the {}", step.contact(bodies)));
    Some(point)
}

/// Checks where a contact of two stones is, and returns its gap where contacts were found [m].
///
/// Its normal must be one along which the shadows of both are as far apart as along any edge's normal; the point and
/// half the gap to either side of it must lie on the two outlines. No other point and normal do.
pub(crate) fn check_place(step: &Step, k: usize, bodies: BodyPair, judge: &mut Judge) -> Option<f64> {
    let normal = step.frame.contacts.normal[k];
    let (a, b) = (step.outline_found(bodies.a)?, step.outline_found(bodies.b)?);
    let size = step.radius(bodies.a).max(step.radius(bodies.b));
    let rounding = (4.0 * step.place_rounding(bodies) + 16.0 * f64::EPSILON * size) / size;
    let name = || step.contact(bodies);
    let point = check_arms(step, k, bodies, judge)?;
    let separation = |n: Vec3| shadow(&b, n).0 - shadow(&a, n).1;
    let widest =
        normals(&a).chain(normals(&b).map(|n| scale(n, -1.0))).map(separation).fold(f64::NEG_INFINITY, f64::max);
    judge.see(Check::Geometry, (widest - separation(normal)) / size, rounding, || format!("normal of the {}", name()));
    // the outline of one of them ends where the normal leads; the other may be tilted
    let height = dot(point, normal);
    let gap = f64::max(2.0 * (height - shadow(&a, normal).1), 2.0 * (shadow(&b, normal).0 - height));
    for (outline, side) in [(&a, -0.5), (&b, 0.5)] {
        let foot = add(point, scale(normal, side * gap));
        let off = from_outline(foot, outline) / size;
        judge.see(Check::Geometry, off, rounding, || format!("foot of the {}", name()));
    }
    Some(gap)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brick_has_its_moment_and_its_mobility() {
        let brick = [[-1.5, -0.25, 0.0], [1.5, -0.25, 0.0], [1.5, 0.25, 0.0], [-1.5, 0.25, 0.0]];
        assert!((gyration(&brick) - (9.0 + 0.25) / 12.0).abs() < 1e-15);
        // the tilted square of the validation list: W has the trace 5 and the determinant 4
        let arm = [-0.183_012_701_892_219_3, -0.683_012_701_892_219_3, 0.0];
        assert!((largest_mobility(&[(0.0, 0.0, arm), (1.0, 6.0, arm)]) - 4.0).abs() < 1e-14);
        assert!((from_outline([0.0, 1.0, 0.0], &brick) - 0.75).abs() < 1e-15);
        assert_eq!(shadow(&brick, [1.0, 0.0, 0.0]), (-1.5, 1.5));
    }
}
