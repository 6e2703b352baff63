//! Clumps and capsules: their moments of inertia, and whether a contact is where two of their pieces face each other.

use std::f64::consts::PI;

use super::balls;
use super::judge::{Check, Judge};
use super::space::{Vec3, add, dot, norm, scale, sub};
use super::step::{Body, BodyPair, Step};
use super::stones;

/// Principal moments over the mass of a clump or capsule [m2]; in the plane the same number three times.
pub(crate) fn moments(centres: &[Vec3], radii: &[f64], dimension: usize) -> Vec3 {
    if let ([from, to], [radius]) = (centres, radii) {
        return of_capsule(norm(sub(*to, *from)), *radius, dimension);
    }
    let all: Vec<(Vec3, f64)> = centres.iter().copied().zip(radii.iter().copied()).collect();
    match dimension {
        2 => [balls::of_disks(&all); 3],
        _ => balls::of_spheres(&all),
    }
}

/// The same of a capsule with this length between the centres of its ends, along x: means of x^2, y^2 and z^2 over a
/// shaft and over two halves of a ball that are moved apart, where the mean of |x| is 4 r / 3 pi or 3 r / 8.
fn of_capsule(length: f64, r: f64, dimension: usize) -> Vec3 {
    let half = 0.5 * length;
    // shares of shaft and ends, mean of y^2 in the shaft, mean of |x| and of x^2 in a ball
    let ([shaft, ends], across, [arm, square]) = match dimension {
        2 => ([2.0 * r * length, PI * r * r], r * r / 3.0, [4.0 * r / (3.0 * PI), r * r / 4.0]),
        _ => ([length, 4.0 / 3.0 * r].map(|l| PI * r * r * l), r * r / 4.0, [3.0 * r / 8.0, r * r / 5.0]),
    };
    let mean = |of_shaft: f64, of_ends: f64| (shaft * of_shaft + ends * of_ends) / (shaft + ends);
    let x = mean(half * half / 3.0, square + 2.0 * half * arm + half * half);
    let y = mean(across, square);
    match dimension {
        2 => [x + y; 3],
        _ => [2.0 * y, x + y, x + y],
    }
}

/// A piece of a body: all that is nearer than the radius to a segment, which may be a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Ends of the segment.
    pub ends: [Vec3; 2],
    /// Radius [m].
    pub radius: f64,
}

/// A piece on a line: how far its segment is off the line, and how far the line's point is beyond its surface.
pub(crate) struct Hit {
    /// How far the segment is off the line [m].
    pub off: f64,
    /// How far the line's point is beyond the surface [m].
    pub beyond: f64,
}

impl Piece {
    /// The point of the segment that is nearest to the line through `x` along `normal`, as a hit of that line.
    fn on_line(&self, x: Vec3, normal: Vec3) -> Hit {
        let across = |v: Vec3| sub(v, scale(normal, dot(v, normal)));
        let (from, along) = (across(sub(x, self.ends[0])), across(sub(self.ends[1], self.ends[0])));
        let square = dot(along, along);
        let part = if square > 0.0 { (dot(from, along) / square).clamp(0.0, 1.0) } else { 0.0 };
        let whole = sub(self.ends[1], self.ends[0]);
        let hit = |part: f64| {
            let arm = sub(x, add(self.ends[0], scale(whole, part)));
            Hit { off: norm(across(arm)), beyond: dot(arm, normal) - self.radius }
        };
        // a segment along the line ends where the line leaves it
        let near = hit(part);
        [hit(0.0), hit(1.0)].into_iter().fold(near, |best, end| {
            let is_better =
                end.off <= best.off + 8.0 * f64::EPSILON * norm(whole) && end.beyond.abs() < best.beyond.abs();
            if is_better { end } else { best }
        })
    }
}

/// The piece of a body through which the line of a contact goes best.
pub(crate) fn best(pieces: &[Piece], x: Vec3, normal: Vec3) -> Option<Hit> {
    pieces.iter().map(|piece| piece.on_line(x, normal)).min_by(|p, q| {
        let far = |hit: &Hit| hit.off + hit.beyond.abs() * 1e-3;
        far(p).total_cmp(&far(q))
    })
}

/// Checks where a contact of two bodies of balls is, and returns its gap where contacts were found [m].
///
/// The force acts on both at one point. The line along the normal through it must go through a ball of each, or through
/// a point of a capsule's segment; the surfaces there are equally far from it, on either side.
pub(crate) fn check_place(step: &Step, k: usize, bodies: BodyPair, judge: &mut Judge) -> Option<f64> {
    let (contacts, normal) = (&step.frame.contacts, step.frame.contacts.normal[k]);
    let BodyPair { a: Body::Grain(a), b: Body::Grain(b) } = bodies else { return None };
    let (one, other) = (step.pieces_found(a)?, step.pieces_found(b)?);
    stones::check_arms(step, k, bodies, judge);
    let (x, y) = (add(step.found[a], contacts.arm_a[k]), add(step.found[b], contacts.arm_b[k]));
    let size = step.radius(bodies.a).max(step.radius(bodies.b));
    // turned back to where contacts were found
    let rounding = (8.0 * step.place_rounding(bodies) + 64.0 * f64::EPSILON * size) / size;
    let name = || step.contact(bodies);
    let (own, its) = (best(&one, x, normal)?, best(&other, y, scale(normal, -1.0))?);
    for off in [own.off, its.off] {
        judge.see(Check::Geometry, off / size, rounding, || format!("line through the {}", name()));
    }
    let uneven = (own.beyond - its.beyond).abs() / size;
    judge.see(Check::Geometry, uneven, rounding, || format!("middle of the {}", name()));
    Some(dot(sub(y, x), normal) + own.beyond + its.beyond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_finds_its_piece() {
        let rod = Piece { ends: [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], radius: 0.25 };
        let up = [0.0, 1.0, 0.0];
        let hit = rod.on_line([0.5, 0.5, 0.0], up);
        assert_eq!((hit.off, hit.beyond), (0.0, 0.25));
        assert_eq!(rod.on_line([2.0, 0.5, 0.0], up).off, 1.0);
        let end = rod.on_line([1.5, 0.0, 0.0], [1.0, 0.0, 0.0]);
        assert_eq!((end.off, end.beyond), (0.0, 0.25));
        let found = moments(&rod.ends, &[0.25], 3);
        assert!(found[0] < found[1] && found[1] == found[2]);
        // without a shaft it is a ball, with a long one a rod
        for (dimension, ratio) in [(2, 0.5), (3, 0.4)] {
            assert!((of_capsule(0.0, 2.0, dimension)[2] / (4.0 * ratio) - 1.0).abs() < 1e-15);
            assert!((of_capsule(1e9, 2.0, dimension)[2] / (1e18 / 12.0) - 1.0).abs() < 1e-7);
        }
    }
}
