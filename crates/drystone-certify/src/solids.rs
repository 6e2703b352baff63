//! Polyhedra: moments of inertia from corners and faces, how a free body turns back, and whether a contact is where two
//! surfaces face each other.

use super::judge::{Check, Judge};
use super::space::{Vec3, add, cross, dot, norm, scale, sub};
use super::step::{BodyPair, Step};
use super::stones;

/// A quaternion x, y, z, w.
pub(crate) type Quaternion = [f64; 4];

/// Moments of inertia over the mass about the axes of a polyhedron, whose centre is the origin [m2]: by Gauss's
/// theorem, the integral of x^2 over the volume is that of x^3 n_x / 3 over the surface, triangle by triangle.
pub(crate) fn moments(corners: &[Vec3], faces: &[Vec<u32>]) -> Vec3 {
    let (mut volume, mut squares) = (0.0, [0.0; 3]);
    for face in faces {
        let at = |k: u32| corners[k as usize];
        for pair in face[1..].windows(2) {
            let [p, q, r] = [at(face[0]), at(pair[0]), at(pair[1])];
            let area = cross(sub(q, p), sub(r, p)); // twice the area, along the normal
            volume += dot(area, p) / 6.0;
            for (axis, square) in squares.iter_mut().enumerate() {
                let [x, y, z] = [p[axis], q[axis], r[axis]];
                // the mean of x^3 over a triangle is the sum of all monomials of degree 3 over 10
                let cubes = x * x * x + y * y * y + z * z * z;
                let mixed = x * x * (y + z) + y * y * (x + z) + z * z * (x + y) + x * y * z;
                *square += 0.5 * area[axis] * (cubes + mixed) / 30.0;
            }
        }
    }
    let [x, y, z] = squares.map(|square| square / volume);
    [y + z, x + z, x + y]
}

/// A vector turned by a unit quaternion.
pub(crate) fn turned([x, y, z, w]: Quaternion, v: Vec3) -> Vec3 {
    let axis = [x, y, z];
    let twice = scale(cross(axis, v), 2.0);
    add(add(v, scale(twice, w)), cross(axis, twice))
}

/// The inverse rotation.
pub(crate) fn back([x, y, z, w]: Quaternion) -> Quaternion {
    [-x, -y, -z, w]
}

/// One turn after another: first q, then p.
pub(crate) fn product(p: Quaternion, q: Quaternion) -> Quaternion {
    let ([a, b, c, w], [d, e, f, v]) = (p, q);
    let [x, y, z] = add(add(scale([d, e, f], w), scale([a, b, c], v)), cross([a, b, c], [d, e, f]));
    [x, y, z, w * v - dot([a, b, c], [d, e, f])]
}

/// A turn by the vector of its angle.
pub(crate) fn turn(angle: Vec3) -> Quaternion {
    let half = 0.5 * norm(angle);
    let ratio = if half == 0.0 { 0.5 } else { 0.5 * half.sin() / half };
    let [x, y, z] = scale(angle, ratio);
    [x, y, z, half.cos()]
}

/// I w over the mass, of a body with these principal moments.
pub(crate) fn momentum(rot: Quaternion, moments: Vec3, w: Vec3) -> Vec3 {
    let own = turned(back(rot), w);
    turned(rot, std::array::from_fn(|k| moments[k] * own[k]))
}

/// I^-1 L times the mass.
pub(crate) fn spin(rot: Quaternion, moments: Vec3, momentum: Vec3) -> Vec3 {
    let own = turned(back(rot), momentum);
    turned(rot, std::array::from_fn(|k| own[k] / moments[k]))
}

/// Orientation and angular velocity of a free body a time earlier: its angular momentum L is the same.
///
/// The run splits the rotation of a body: about L with the middle value of 1/I, and about its own axes with the
/// differences of the others from it, in half, whole and half steps. The same with -dt leads back.
pub(crate) fn earlier(rot: Quaternion, moments: Vec3, w: Vec3, dt: f64) -> (Quaternion, Vec3) {
    let sorted = {
        let mut sorted = moments;
        sorted.sort_by(f64::total_cmp);
        sorted
    };
    if sorted[2] - sorted[0] <= 64.0 * f64::EPSILON * sorted[2] {
        return (product(turn(scale(w, -dt)), rot), w); // the same about every axis
    }
    let inverse = moments.map(|moment| 1.0 / moment);
    let base = (0..3).find(|axis| moments[*axis] == sorted[1]).unwrap_or(0);
    let whole = momentum(rot, moments, w);
    let (mut rot, mut own) = (rot, turned(back(rot), whole));
    for (axis, share) in [((base + 1) % 3, 0.5), ((base + 2) % 3, 1.0), ((base + 1) % 3, 0.5)] {
        let mut angle = [0.0; 3];
        angle[axis] = -share * dt * (inverse[axis] - inverse[base]) * own[axis];
        let part = turn(angle);
        rot = product(rot, part);
        own = turned(back(part), own);
    }
    let rot = product(turn(scale(whole, -dt * inverse[base])), rot);
    (rot, spin(rot, moments, whole))
}

/// A body that an impulse moves: one over its mass, the angular velocity that an angular momentum gives it, and the arm
/// of the impulse.
pub(crate) type Moved<'f> = (f64, &'f dyn Fn(Vec3) -> Vec3, Vec3);

/// Largest eigenvalue of the sum of matrices 1/m + [c]^T I^-1 [c]: the largest velocity per impulse.
pub(crate) fn largest_mobility(bodies: &[Moved]) -> f64 {
    let mut w = [[0.0; 3]; 3];
    for (inverse_mass, spin, arm) in bodies {
        for (k, column) in w.iter_mut().enumerate() {
            let axis: Vec3 = std::array::from_fn(|l| if l == k { 1.0 } else { 0.0 });
            let velocity = add(scale(axis, *inverse_mass), cross(spin(cross(*arm, axis)), *arm));
            *column = add(*column, velocity);
        }
    }
    // the roots of the characteristic polynomial of a symmetric matrix, by the cosine of a third of an angle [Smith
    // 1961]
    let mean = (w[0][0] + w[1][1] + w[2][2]) / 3.0;
    let b: [Vec3; 3] = std::array::from_fn(|i| std::array::from_fn(|j| w[i][j] - if i == j { mean } else { 0.0 }));
    let spread = (b.iter().flatten().map(|x| x * x).sum::<f64>() / 6.0).sqrt();
    if spread == 0.0 {
        return mean;
    }
    let half_determinant = dot(b[0], cross(b[1], b[2])) / (2.0 * spread.powi(3));
    mean + 2.0 * spread * (half_determinant.clamp(-1.0, 1.0).acos() / 3.0).cos()
}

/// A polyhedron where contacts were found.
pub(crate) struct Found<'s> {
    /// Corners in the world [m].
    pub corners: Vec<Vec3>,
    /// Faces by their corners.
    pub faces: &'s [Vec<u32>],
}

impl Found<'_> {
    fn face(&self, face: &[u32]) -> Vec<Vec3> {
        face.iter().map(|k| self.corners[*k as usize]).collect()
    }

    pub(crate) fn normal(&self, face: &[u32]) -> Vec3 {
        let corners = self.face(face);
        let next = corners.iter().cycle().skip(1);
        let sum = corners
            .iter()
            .zip(next)
            .fold([0.0; 3], |sum, (p, q)| add(sum, cross(sub(*p, corners[0]), sub(*q, corners[0]))));
        scale(sum, 1.0 / norm(sum))
    }

    fn edges(&self) -> Vec<(Vec3, Vec3)> {
        let rim = |face: &Vec<u32>| face.iter().copied().zip(face.iter().copied().cycle().skip(1)).collect::<Vec<_>>();
        let once = self.faces.iter().flat_map(rim).filter(|(from, to)| from < to);
        once.map(|(from, to)| (self.corners[from as usize], self.corners[to as usize])).collect()
    }

    fn shadow(&self, direction: Vec3) -> (f64, f64) {
        let along = self.corners.iter().map(|corner| dot(*corner, direction));
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    }

    /// Distance of a point from the surface.
    fn distance(&self, x: Vec3) -> f64 {
        let mut nearest = f64::INFINITY;
        for face in self.faces {
            let (corners, normal) = (self.face(face), self.normal(face));
            let height = dot(sub(x, corners[0]), normal);
            let next = corners.iter().cycle().skip(1);
            let mut inside = true;
            for (p, q) in corners.iter().zip(next) {
                let along = sub(*q, *p);
                inside &= dot(cross(normal, along), sub(x, *p)) >= 0.0;
                let t = (dot(sub(x, *p), along) / dot(along, along)).clamp(0.0, 1.0);
                nearest = nearest.min(norm(sub(add(*p, scale(along, t)), x)));
            }
            if inside {
                nearest = nearest.min(height.abs());
            }
        }
        nearest
    }
}

/// Directions this close to the normal of a face [rad] count as that normal: gaps of the face's points are taken along
/// it.
pub(crate) const PARALLEL: f64 = 1e-3;

/// Checks where a contact of two polyhedra is, and returns its gap where contacts were found [m].
///
/// Its normal must be one along which the shadows of both are as far apart as along any normal of a face or of two
/// edges, or the normal of a face close to such a normal; the point and half the gap to either side must lie on the
/// surfaces.
pub(crate) fn check_place(step: &Step, k: usize, bodies: BodyPair, judge: &mut Judge) -> Option<f64> {
    let normal = step.frame.contacts.normal[k];
    let (a, b) = (step.solid_found(bodies.a)?, step.solid_found(bodies.b)?);
    let size = step.radius(bodies.a).max(step.radius(bodies.b));
    let rounding = (4.0 * step.place_rounding(bodies) + 64.0 * f64::EPSILON * size) / size;
    let name = || step.contact(bodies);
    let point = stones::check_arms(step, k, bodies, judge)?;
    let separation = |n: Vec3| b.shadow(n).0 - a.shadow(n).1;
    let faces = a.faces.iter().map(|face| a.normal(face));
    let faces: Vec<Vec3> = faces.chain(b.faces.iter().map(|face| scale(b.normal(face), -1.0))).collect();
    let mut widest = faces.iter().map(|n| separation(*n)).fold(f64::NEG_INFINITY, f64::max);
    for (p, p_end) in a.edges() {
        for (q, q_end) in b.edges() {
            let common = cross(sub(p_end, p), sub(q_end, q));
            let length = norm(common);
            if length > 1e-12 * norm(sub(p_end, p)) * norm(sub(q_end, q)) {
                let n = scale(common, 1.0 / length);
                widest = widest.max(separation(n)).max(separation(scale(n, -1.0)));
            }
        }
    }
    let is_face = faces.iter().any(|n| norm(sub(*n, normal)) <= 1e-12);
    let limit = if is_face { 2.0 * PARALLEL } else { rounding };
    judge.see(Check::Geometry, (widest - separation(normal)) / size, limit, || format!("normal of the {}", name()));
    // the surface of one of them ends where the normal leads; the other may be tilted
    let height = dot(point, normal);
    let gap = f64::max(2.0 * (height - a.shadow(normal).1), 2.0 * (b.shadow(normal).0 - height));
    for (solid, side) in [(&a, -0.5), (&b, 0.5)] {
        let foot = add(point, scale(normal, side * gap));
        judge.see(Check::Geometry, solid.distance(foot) / size, rounding, || format!("foot of the {}", name()));
    }
    Some(gap)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brick(half: Vec3) -> (Vec<Vec3>, Vec<Vec<u32>>) {
        let corner = |k: u32| std::array::from_fn(|axis| if k >> axis & 1 == 0 { -half[axis] } else { half[axis] });
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        ((0..8).map(corner).collect(), faces.iter().map(|face| face.to_vec()).collect())
    }

    #[test]
    fn a_brick_has_its_moments() {
        let (corners, faces) = brick([1.5, 0.25, 1.0]);
        let found = moments(&corners, &faces);
        for (got, expected) in found.iter().zip([4.25 / 12.0, 13.0 / 12.0, 9.25 / 12.0]) {
            assert!((got / expected - 1.0).abs() < 1e-14, "{found:?}");
        }
        let solid = Found { corners, faces: &faces };
        assert!((solid.distance([0.0, 1.0, 0.0]) - 0.75).abs() < 1e-15 && solid.edges().len() == 12);
        assert_eq!(solid.normal(&faces[5]), [0.0, 0.0, 1.0]);
        assert_eq!(solid.shadow([1.0, 0.0, 0.0]), (-1.5, 1.5));
    }

    /// The tilted square of the validation list as a block: W has the eigenvalues 4 and 1 in the plane, and across it
    /// what turning about the other axes adds.
    #[test]
    fn largest_mobility_of_a_tilted_block() {
        let arm = [-0.183_012_701_892_219_3, -0.683_012_701_892_219_3, 0.0];
        let spin = |l: Vec3| [0.1 * l[0], 0.1 * l[1], 6.0 * l[2]];
        let wall = |_: Vec3| [0.0; 3];
        assert!((largest_mobility(&[(0.0, &wall, [0.0; 3]), (1.0, &spin, arm)]) - 4.0).abs() < 1e-14);
    }

    #[test]
    fn a_body_that_turns_back_keeps_its_momentum() {
        let (rot, m, w) = (turn([0.3, -1.0, 0.5]), [1.0, 2.0, 3.5], [1.0, 0.2, -0.4]);
        let (before, w_before) = earlier(rot, m, w, 0.01);
        let off = sub(momentum(before, m, w_before), momentum(rot, m, w));
        assert!(norm(off) < 1e-15);
        let (again, w_again) = earlier(before, m, w_before, -0.01);
        assert!(norm(sub(w_again, w)) < 1e-14 && (0..4).all(|k| (again[k] - rot[k]).abs() < 1e-14));
    }
}
