//! Convex polyhedra: volume, centre and principal moments of inertia, exact up to rounding.

use std::fmt;

use glam::{DQuat, DVec3};

use super::Outline;
use super::hull::{Hull, hull};
use crate::dim::D3;

/// Why points do not make a convex polyhedron. Points are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolyhedronFlaw {
    /// Fewer than four different points.
    TooFew(usize),
    /// More corners than the features of contacts can distinguish.
    TooMany(usize),
    /// A coordinate that is not a number.
    NotFinite(usize),
    /// All points lie in one plane, up to the rounding of their coordinates.
    Flat,
    /// So long and thin that a moment of inertia is lost in the rounding of the others.
    Needle,
    /// Points so close to each other's planes that rounding decides which of them are corners.
    Untidy,
}

impl fmt::Display for PolyhedronFlaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PolyhedronFlaw::TooFew(count) => write!(f, "a polyhedron needs four different points, there are {count}"),
            PolyhedronFlaw::TooMany(count) => write!(f, "the hull has {count} corners, at most 4096 are possible"),
            PolyhedronFlaw::NotFinite(k) => write!(f, "point {k} has a coordinate that is not a number"),
            PolyhedronFlaw::Flat => write!(f, "all points lie in one plane: a polyhedron has a volume"),
            PolyhedronFlaw::Needle => write!(f, "it is so thin that its moments of inertia are lost in rounding"),
            PolyhedronFlaw::Untidy => {
                write!(f, "rounding decides which points are corners: some lie nearly in a face of others")
            }
        }
    }
}

impl PolyhedronFlaw {
    /// What to do about it, for the message.
    pub fn help(&self) -> &'static str {
        match self {
            PolyhedronFlaw::TooFew(_) | PolyhedronFlaw::Flat => {
                "write vertices = [[0, 0, 0], [\"1 cm\", 0, 0], [0, \"1 cm\", 0], [0, 0, \"1 cm\"]]"
            }
            PolyhedronFlaw::TooMany(_) => "use fewer points",
            PolyhedronFlaw::NotFinite(_) => "write three lengths for every point",
            PolyhedronFlaw::Needle => "make it thicker: at least a millionth of its length",
            PolyhedronFlaw::Untidy => "leave the points out that are nearly in a face",
        }
    }
}

/// A convex polyhedron with its exact volume, centre and moments of inertia.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    /// Corners and faces about the centre, in the principal axes.
    pub outline: Outline<D3>,
    /// Volume [m3].
    pub volume: f64,
    /// Centre of mass in the frame of the given points [m].
    pub centre: DVec3,
    /// Principal moments of inertia about the centre over the mass [m2].
    pub gyration: DVec3,
    /// Rotation of the principal axes in the frame of the given points; none if they are parallel to it.
    pub axes: DQuat,
}

/// Relative rounding of coordinates that were written as decimal numbers, or computed in a few operations.
pub(crate) const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Least ratio of the smallest to the largest moment of inertia: the tensor is known to some sixteen units in the last
/// place, so the smallest moment keeps two digits.
const LEAST_MOMENT: f64 = 1600.0 * f64::EPSILON;

impl Polyhedron {
    /// The hull of points whose coordinates have this relative rounding.
    pub fn hull(points: &[DVec3], rounding: f64) -> Result<Polyhedron, PolyhedronFlaw> {
        let Hull { corners, faces } = hull(points, rounding)?;
        let middle = corners.iter().fold(DVec3::ZERO, |sum, x| sum + *x) * (1.0 / corners.len() as f64);
        // six times the volume of the tetrahedra from the middle to the faces, with their centres and second moments
        let (mut six, mut first, mut second) = (0.0, DVec3::ZERO, [DVec3::ZERO; 3]);
        for face in &faces {
            let [a, rest @ ..] = &face[..] else { continue };
            let at = |k: &u32| corners[*k as usize] - middle;
            for pair in rest.windows(2) {
                let (p, q, r) = (at(a), at(&pair[0]), at(&pair[1]));
                let part = p.dot(q.cross(r));
                let sum = p + q + r;
                six += part;
                first += sum * (part / 4.0);
                for (axis, row) in second.iter_mut().enumerate() {
                    *row += (p * p[axis] + q * q[axis] + r * r[axis] + sum * sum[axis]) * (part / 20.0);
                }
            }
        }
        if !(six > 0.0 && six.is_finite()) {
            return Err(PolyhedronFlaw::Flat);
        }
        let offset = first * (1.0 / six);
        // second moments about the centre over the volume [Steiner], and the tensor of inertia: trace 1 - C
        let of = |i: usize, j: usize| second[i][j] / six - offset[i] * offset[j];
        let c = [[of(0, 0), of(0, 1), of(0, 2)], [of(1, 0), of(1, 1), of(1, 2)], [of(2, 0), of(2, 1), of(2, 2)]];
        let trace = c[0][0] + c[1][1] + c[2][2];
        let tensor = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { trace - c[i][i] } else { -c[i][j] }));
        let (gyration, axes) = principal(tensor);
        let is_thick = gyration.min_element() > LEAST_MOMENT * gyration.max_element();
        if !is_thick {
            return Err(PolyhedronFlaw::Needle);
        }
        let centre = middle + offset;
        let own = |x: &DVec3| {
            let arm = (*x - middle) - offset;
            if axes == DQuat::IDENTITY { arm } else { axes.conjugate() * arm }
        };
        let outline = Outline::of_faces(corners.iter().map(own).collect(), faces);
        Ok(Polyhedron { outline, volume: six / 6.0, centre, gyration, axes })
    }

    /// The hull of points that are exact up to the rounding of f64.
    pub fn new(points: &[DVec3]) -> Result<Polyhedron, PolyhedronFlaw> {
        Polyhedron::hull(points, ROUNDING)
    }

    /// A box about its centre, with edges of these lengths along the axes.
    pub fn cuboid(size: DVec3) -> Result<Polyhedron, PolyhedronFlaw> {
        let side = |k: u32, axis: usize| if k >> axis & 1 == 0 { -0.5 * size[axis] } else { 0.5 * size[axis] };
        Polyhedron::new(&(0..8).map(|k| DVec3::new(side(k, 0), side(k, 1), side(k, 2))).collect::<Vec<_>>())
    }

    /// A regular tetrahedron about its centre, with a horizontal lower face; `radius` is the distance of its corners.
    pub fn tetrahedron(radius: f64) -> Result<Polyhedron, PolyhedronFlaw> {
        let (low, out) = (-radius / 3.0, radius * (8.0_f64 / 9.0).sqrt());
        let across = 0.5 * 3.0_f64.sqrt() * out;
        Polyhedron::new(&[
            DVec3::new(out, 0.0, low),
            DVec3::new(-0.5 * out, across, low),
            DVec3::new(-0.5 * out, -across, low),
            DVec3::new(0.0, 0.0, radius),
        ])
    }
}

/// Eigenvalues and principal axes of a symmetric tensor by Jacobi rotations. A tensor that is diagonal up to rounding
/// keeps the axes of its frame.
pub(super) fn principal(mut a: [[f64; 3]; 3]) -> (DVec3, DQuat) {
    let size = a[0][0] + a[1][1] + a[2][2];
    let rounding = 16.0 * f64::EPSILON * size;
    let mut axes = DQuat::IDENTITY;
    for _ in 0..64 {
        let largest =
            [(0, 1), (0, 2), (1, 2)].into_iter().max_by(|p, q| a[p.0][p.1].abs().total_cmp(&a[q.0][q.1].abs()));
        let Some((p, q)) = largest.filter(|(p, q)| a[*p][*q].abs() > rounding) else { break };
        let theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
        let tan = theta.signum() / (theta.abs() + libm::hypot(theta, 1.0));
        let angle = libm::atan(tan);
        let (sin, cos) = libm::sincos(angle);
        let mut turn = [[0.0; 3]; 3];
        (0..3).for_each(|k| turn[k][k] = 1.0);
        (turn[p][p], turn[q][q], turn[p][q], turn[q][p]) = (cos, cos, sin, -sin);
        let product = |x: &[[f64; 3]; 3], y: &[[f64; 3]; 3]| -> [[f64; 3]; 3] {
            std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| x[i][k] * y[k][j]).sum()))
        };
        let transposed: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| turn[j][i]));
        a = product(&product(&transposed, &a), &turn);
        // column p of the rotation is the new axis p: a rotation about the third axis
        let third = 3 - p - q;
        let mut axis = DVec3::ZERO;
        axis[third] = if (p + 1) % 3 == q { -1.0 } else { 1.0 };
        let (half_sin, half_cos) = libm::sincos(0.5 * angle);
        let step = axis * half_sin;
        axes *= DQuat::from_xyzw(step.x, step.y, step.z, half_cos);
    }
    let moments = DVec3::new(a[0][0], a[1][1], a[2][2]);
    let spread = moments.max_element() - moments.min_element();
    if spread <= rounding {
        return (DVec3::splat(size / 3.0), DQuat::IDENTITY); // the same about every axis
    }
    (moments, if axes == DQuat::IDENTITY { axes } else { axes.normalize() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{Dim, Vector};
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::Rng;

    /// The moment about the long axis is 1e-18 of the others: rounding would make it negative, and its inverse with it.
    #[test]
    fn a_needle_has_no_moments() {
        let needle = |length: f64| Polyhedron::cuboid(DVec3::new(length, 1.0, 1.0)).err();
        assert_eq!((needle(1e5), needle(1e9)), (None, Some(PolyhedronFlaw::Needle)));
    }

    fn close(got: f64, expected: f64) {
        assert!((got / expected - 1.0).abs() < 1e-13, "{got} {expected}");
    }

    #[test]
    fn closed_forms() {
        let brick = Polyhedron::cuboid(DVec3::new(3.0, 0.5, 2.0)).unwrap();
        close(brick.volume, 3.0);
        assert_eq!((brick.centre, brick.axes), (DVec3::ZERO, DQuat::IDENTITY));
        for (axis, expected) in [(0, 4.25), (1, 13.0), (2, 9.25)] {
            close(brick.gyration[axis], expected / 12.0);
        }
        close(brick.outline.radius(), (2.25_f64 + 0.0625 + 1.0).sqrt());
        assert_eq!((brick.outline.inner_radius(), brick.outline.faces.len(), brick.outline.edges.len()), (0.25, 6, 12));
        close(brick.outline.volume(), 3.0);
        let cube = Polyhedron::cuboid(DVec3::splat(2.0)).unwrap();
        assert!(D3::is_isotropic(cube.gyration));
        // a regular tetrahedron: edge a, V = a^3 / (6 sqrt 2), I = m a^2 / 20, R = a sqrt(3/8)
        let radius = 1.7;
        let edge = radius * (8.0_f64 / 3.0).sqrt();
        let tetrahedron = Polyhedron::tetrahedron(radius).unwrap();
        close(tetrahedron.volume, edge.powi(3) / (6.0 * 2.0_f64.sqrt()));
        close(tetrahedron.gyration.x, edge * edge / 20.0);
        assert!(D3::is_isotropic(tetrahedron.gyration) && tetrahedron.centre.length() < 1e-15);
        close(tetrahedron.outline.inner_radius(), radius / 3.0);
    }

    /// A right-angled tetrahedron: I_xx = m (b^2 + c^2) 3/80 about the centre, I_xy = m a b / 80.
    #[test]
    fn a_right_angled_tetrahedron_has_the_tensor_of_the_tables() {
        let (a, b, c) = (1.0, 2.0, 3.0);
        let shift = DVec3::new(5.0, -7.0, 11.0);
        let points = [DVec3::ZERO, DVec3::X * a, DVec3::Y * b, DVec3::Z * c].map(|x| x + shift);
        let body = Polyhedron::new(&points).unwrap();
        close(body.volume, 1.0);
        assert!((body.centre - shift - DVec3::new(a, b, c) * 0.25).length() < 1e-14);
        // the tensor in the frame of the points, from the principal one
        let inverse = D3::inverse_inertia(body.axes, body.gyration.map(|g| 1.0 / g));
        let tensor = D3::inverse_inertia(body.axes, body.gyration);
        let diagonal = [b * b + c * c, a * a + c * c, a * a + b * b].map(|sum| 3.0 / 80.0 * sum);
        let off = [b * c, a * c, a * b].map(|product| product / 80.0);
        for axis in 0..3 {
            assert!((tensor.diagonal[axis] - diagonal[axis]).abs() < 1e-14, "{:?} {diagonal:?}", tensor);
            assert!((tensor.off[axis] - off[axis]).abs() < 1e-14, "{tensor:?} {off:?}");
        }
        let again = D3::spin(&inverse, D3::spin(&tensor, DVec3::new(1.0, 2.0, 3.0)));
        assert!((again - DVec3::new(1.0, 2.0, 3.0)).length() < 1e-13);
        // corners in the principal axes lead back to the points
        for corner in &body.outline.corners {
            let x = body.centre + body.axes * *corner;
            assert!(points.iter().any(|point| (*point - x).length() < 1e-14), "{x}");
        }
        let own = Polyhedron::new(&body.outline.corners).unwrap();
        assert_eq!(own.axes, DQuat::IDENTITY, "the outline stands in its principal axes");
    }

    /// Points thrown into the box around a polyhedron; one that is inside is below every face.
    #[test]
    fn volume_centre_and_inertia_by_monte_carlo() {
        let mut rng = Pcg64::new(1, 2);
        let mut unit = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let points: Vec<DVec3> = (0..14).map(|_| DVec3::new(3.0 * unit(), unit(), 2.0 * unit())).collect();
        let body = Polyhedron::new(&points).unwrap();
        let below = |x: DVec3| {
            let arm = body.axes.conjugate() * (x - body.centre);
            let Outline { corners, normals, faces, .. } = &body.outline;
            faces.iter().zip(normals).all(|(face, normal)| normal.dot(arm - corners[face[0] as usize]) < 0.0)
        };
        let (thrown, mut hits, mut sum, mut square) = (400_000, 0.0, DVec3::ZERO, DVec3::ZERO);
        for _ in 0..thrown {
            let x = DVec3::new(3.0 * unit(), unit(), 2.0 * unit());
            if below(x) {
                let arm = body.axes.conjugate() * (x - body.centre);
                hits += 1.0;
                sum += x;
                square += DVec3::from_fn(|axis| arm.length_squared() - arm[axis] * arm[axis]);
            }
        }
        // a hit or miss: 1 / sqrt(n) is about 2e-3
        assert!((6.0 * hits / f64::from(thrown) / body.volume - 1.0).abs() < 1e-2);
        assert!((sum * (1.0 / hits) - body.centre).length() < 1e-2);
        let ratio = square * (1.0 / hits) / body.gyration;
        assert!((ratio - DVec3::ONE).abs().max_element() < 1e-2, "{ratio}");
    }
}
