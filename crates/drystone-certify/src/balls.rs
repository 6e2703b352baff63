//! Moments of the union of disks or spheres, from the part of their surfaces that is outside of all others.
//!
//! By Gauss's theorem the volume is the integral of x . n / 3 over the surface, and that of x_k^2 is the one of x_k^2
//! x . n / 5. On a sphere these are integrals of powers of n over a patch that circles bound, and follow from
//! integrals along the free arcs of the circles: of a polynomial p of degree d, int p = (int laplace p - closed int
//! grad p . v ds) / (d (d + 1)), with v the direction out of the patch.

use std::f64::consts::{FRAC_PI_4, PI, TAU};

use super::bumps::across;
use super::space::{Vec3, add, dot, norm, scale, sub};

/// Nodes and weights of Gauss and Legendre on both sides of the middle: exact to rounding on an eighth of a turn.
const NODES: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_47),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// Circles nearer than this part of the square of their size are one.
const SAME: f64 = 1e-13;

/// The part of a circle that another ball covers: where constant + cosine cos + sine sin is negative.
#[derive(Clone, Copy, Debug)]
struct Cover {
    constant: f64,
    cosine: f64,
    sine: f64,
    /// Whether the ball counts before those on the circle, if it has the circle itself.
    is_first: bool,
}

/// A ball: centre and radius.
type Ball = (Vec3, f64);

impl Cover {
    /// The cover by another ball, of the circle of points middle + cos one + sin two on the unit sphere of `own`.
    fn new(own: Ball, other: Ball, [middle, one, two]: [Vec3; 3], is_first: bool) -> Cover {
        let (apart, r) = (sub(own.0, other.0), own.1);
        let constant = dot(apart, apart) + r * r - other.1 * other.1 + 2.0 * r * dot(apart, middle);
        Cover { constant, cosine: 2.0 * r * dot(apart, one), sine: 2.0 * r * dot(apart, two), is_first }
    }

    /// The angles that it covers, from the first to the last.
    fn arc(&self, size: f64) -> Option<[f64; 2]> {
        let (a, amplitude) = (self.constant, self.cosine.hypot(self.sine));
        if a.abs().max(amplitude) <= SAME * size * size {
            return self.is_first.then_some([0.0, TAU]);
        }
        if a >= amplitude {
            return None;
        }
        if a <= -amplitude {
            return Some([0.0, TAU]);
        }
        let (middle, half) = (self.sine.atan2(self.cosine) + PI, (a / amplitude).acos());
        Some([middle - half, middle + half])
    }
}

/// Arcs of a circle that nothing covers; none is longer than an eighth of a turn.
fn free(covers: impl Iterator<Item = Cover>, size: f64) -> Vec<[f64; 2]> {
    let mut covered = Vec::new();
    for [from, to] in covers.filter_map(|cover| cover.arc(size)) {
        let start = from.rem_euclid(TAU);
        let end = start + (to - from);
        covered.push([start, end.min(TAU)]);
        if end > TAU {
            covered.push([0.0, end - TAU]);
        }
    }
    covered.sort_by(|p, q| p[0].total_cmp(&q[0]));
    let (mut arcs, mut reached) = (Vec::new(), 0.0);
    for [from, to] in covered.into_iter().chain([[TAU, TAU]]) {
        if from > reached {
            let pieces = ((from - reached) / FRAC_PI_4).ceil();
            let part = (from - reached) / pieces;
            arcs.extend((0..pieces as usize).map(|k| [reached + part * k as f64, reached + part * (k + 1) as f64]));
        }
        reached = f64::max(reached, to);
    }
    arcs
}

/// Integral over an arc.
fn along([from, to]: [f64; 2], mut f: impl FnMut(f64) -> Vec3) -> Vec3 {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    NODES.iter().fold([0.0; 3], |sum, (x, weight)| {
        let both = add(f(middle - half * x), f(middle + half * x));
        add(sum, scale(both, weight * half))
    })
}

/// Moment of inertia over the mass of disks about the origin of the plane [m2].
pub(crate) fn of_disks(disks: &[Ball]) -> f64 {
    let size = size(disks);
    let (mut area, mut second) = (0.0, 0.0);
    for (k, own) in disks.iter().enumerate() {
        let frame = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let others = disks.iter().enumerate().filter(|(l, _)| *l != k);
        for arc in free(others.map(|(l, other)| Cover::new(*own, *other, frame, l < k)), size) {
            let sums = along(arc, |angle| {
                let n = [angle.cos(), angle.sin(), 0.0];
                let x = add(own.0, scale(n, own.1));
                let flux = own.1 * dot(x, n);
                [0.5 * flux, 0.25 * flux * dot(x, x), 0.0]
            });
            area += sums[0];
            second += sums[1];
        }
    }
    second / area
}

/// Moments of inertia over the mass of spheres about the axes through the origin [m2].
pub(crate) fn of_spheres(spheres: &[Ball]) -> Vec3 {
    let (mut volume, mut squares) = (0.0, [0.0; 3]);
    for k in 0..spheres.len() {
        let ((c, r), patch) = (spheres[k], Patch::of(spheres, k));
        let flux = |j: usize| c[j] * patch.first[j];
        volume += r * r * ((0..3).map(flux).sum::<f64>() + r * patch.area) / 3.0;
        for (axis, square) in squares.iter_mut().enumerate() {
            // x^2 x . n with x = c + r n, term by term
            let with_centre = |j: usize| {
                let second = patch.second[axis][j];
                c[j] * (c[axis] * c[axis] * patch.first[j] + 2.0 * c[axis] * r * second + r * r * patch.third[axis][j])
            };
            let with_radius = c[axis] * c[axis] * patch.area
                + 2.0 * c[axis] * r * patch.first[axis]
                + r * r * patch.second[axis][axis];
            *square += r * r * ((0..3).map(with_centre).sum::<f64>() + r * with_radius) / 5.0;
        }
    }
    let [x, y, z] = squares.map(|square| square / volume);
    [y + z, x + z, x + y]
}

/// How far balls reach from the origin.
fn size(balls: &[Ball]) -> f64 {
    balls.iter().map(|(x, r)| norm(*x) + r).fold(0.0, f64::max)
}

/// Integrals over the free part of a unit sphere.
#[derive(Clone, Copy, Debug, Default)]
struct Patch {
    /// Of 1.
    area: f64,
    /// Of n_j.
    first: Vec3,
    /// Of n_k n_j.
    second: [Vec3; 3],
    /// Of n_k^2 n_j.
    third: [Vec3; 3],
}

/// A circle in which two spheres meet, on the unit sphere of one of them: points n with n . towards = height.
#[derive(Clone, Copy, Debug)]
struct Circle {
    other: usize,
    towards: Vec3,
    height: f64,
}

impl Circle {
    /// Middle, and two vectors from it to the circle.
    fn frame(&self) -> [Vec3; 3] {
        let [one, two] = across(self.towards);
        let radius = (1.0 - self.height * self.height).max(0.0).sqrt();
        [scale(self.towards, self.height), scale(one, radius), scale(two, radius)]
    }

    fn point([middle, one, two]: &[Vec3; 3], angle: f64) -> Vec3 {
        add(*middle, add(scale(*one, angle.cos()), scale(*two, angle.sin())))
    }
}

impl Patch {
    fn of(spheres: &[Ball], own: usize) -> Patch {
        let (c, r) = spheres[own];
        let circle = |other: usize| {
            let (apart, s) = (sub(spheres[other].0, c), spheres[other].1);
            let distance = norm(apart);
            let height = (distance * distance + r * r - s * s) / (2.0 * distance * r);
            (height < 1.0).then(|| Circle { other, towards: scale(apart, 1.0 / distance), height })
        };
        let circles: Vec<Circle> = (0..spheres.len()).filter(|k| *k != own).filter_map(circle).collect();
        if circles.iter().any(|circle| circle.height <= -1.0) {
            return Patch::default(); // it lies inside another one
        }
        let Some(largest) = circles.iter().min_by(|p, q| p.height.total_cmp(&q.height)) else {
            return Patch { area: 2.0 * TAU, ..Patch::default() }.completed([[0.0; 3]; 6]);
        };
        // areas are measured from the pole that is furthest from the largest cap
        let pole = scale(largest.towards, -1.0);
        let (mut area, mut sums) = (0.0, [[0.0; 3]; 6]);
        for circle in &circles {
            let frame = circle.frame();
            let cover = |k: usize| {
                let other = circles.iter().find(|known| known.other == k);
                let is_first = k < circle.other || other.is_some_and(|o| dot(o.towards, circle.towards) < 0.0);
                Cover::new(spheres[own], spheres[k], frame, is_first)
            };
            let others = (0..spheres.len()).filter(|k| *k != own && *k != circle.other);
            for arc in free(others.map(cover), size(spheres)) {
                area += beside(circle, &frame, pole, arc);
                add_borders(circle, &frame, arc, &mut sums);
            }
        }
        Patch { area, ..Patch::default() }.completed(sums)
    }

    /// The other integrals, from the area and the integrals along its border: of v_j, of n_k v_j + n_j v_k with k from
    /// j on, and of 2 n_k n_j v_k + n_k^2 v_j.
    fn completed(mut self, sums: [Vec3; 6]) -> Patch {
        let [first, diagonal, mixed, third @ ..] = sums;
        self.first = scale(first, -0.5);
        for k in 0..3 {
            self.second[k][k] = (2.0 * self.area - diagonal[k]) / 6.0;
            let (l, m) = ((k + 1) % 3, (k + 2) % 3);
            self.second[l][m] = -mixed[k] / 6.0;
            self.second[m][l] = self.second[l][m];
        }
        self.third = std::array::from_fn(|k| {
            let laplace = |j: usize| if j == k { 6.0 } else { 2.0 };
            std::array::from_fn(|j| (laplace(j) * self.first[j] - third[k][j]) / 12.0)
        });
        self
    }
}

/// Adds integrals along an arc, as [`Patch::completed`] takes them; v ds = (towards - height n) dangle.
fn add_borders(circle: &Circle, frame: &[Vec3; 3], arc: [f64; 2], sums: &mut [Vec3; 6]) {
    let mut border = |number: usize, f: &dyn Fn(Vec3, Vec3) -> Vec3| {
        let part = along(arc, |angle| {
            let n = Circle::point(frame, angle);
            f(n, sub(circle.towards, scale(n, circle.height)))
        });
        sums[number] = add(sums[number], part);
    };
    border(0, &|_, v| v);
    border(1, &|n, v| std::array::from_fn(|k| 2.0 * n[k] * v[k]));
    border(2, &|n, v| {
        std::array::from_fn(|k| {
            let (l, m) = ((k + 1) % 3, (k + 2) % 3);
            n[l] * v[m] + n[m] * v[l]
        })
    });
    for k in 0..3 {
        border(3 + k, &|n, v| std::array::from_fn(|j| 2.0 * n[k] * n[j] * v[k] + n[k] * n[k] * v[j]));
    }
}

/// What an arc adds to the area of the patch beside it: the integral of (height c - E) / (1 + c) with c = n . pole and
/// E = towards . pole, in closed form.
fn beside(circle: &Circle, [_, one, two]: &[Vec3; 3], pole: Vec3, [from, to]: [f64; 2]) -> f64 {
    let lean = dot(circle.towards, pole);
    let (p, q) = (dot(*one, pole), dot(*two, pole));
    let (level, swing, start) = (1.0 + circle.height * lean, p.hypot(q), q.atan2(p));
    let [near, far] = [(level - swing).max(0.0).sqrt(), (level + swing).sqrt()];
    let turn = |angle: f64| (near * (0.5 * angle).sin()).atan2(far * (0.5 * angle).cos());
    let begin = (from - start + PI).rem_euclid(TAU) - PI;
    let swept = 2.0 * (turn(begin + (to - from)) - turn(begin));
    circle.height * (to - from) - (circle.height + lean).signum() * swept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 2e-14, "{found} {expected}");
    }

    #[test]
    fn single_ones_and_ones_that_touch() {
        close(of_disks(&[([0.3, -0.4, 0.0], 2.0)]), 2.0 + 0.25);
        close(of_disks(&[([-1.0, 0.0, 0.0], 1.0), ([1.0, 0.0, 0.0], 1.0)]), 1.5);
        let ball = of_spheres(&[([1.0, 2.0, 3.0], 2.0)]);
        [1.6 + 13.0, 1.6 + 10.0, 1.6 + 5.0].into_iter().zip(ball).for_each(|(expected, found)| close(found, expected));
        let two = of_spheres(&[([0.0, -1.0, 0.0], 1.0), ([0.0, 1.0, 0.0], 1.0)]);
        [1.4, 0.4, 1.4].into_iter().zip(two).for_each(|(expected, found)| close(found, expected));
    }

    /// Two unit disks whose centres are d apart, less the lens; and what of the lens is a strip.
    #[test]
    fn two_disks_that_overlap() {
        let (h, r) = (0.6_f64, 1.0_f64); // half the distance of the centres
        let segment = r * r * (h / r).acos() - h * (r * r - h * h).sqrt();
        let area = 2.0 * (PI * r * r - segment);
        // int y^2 over a segment beyond h, and int x^2 about the centre of the disk
        let (t, s) = (h.acos(), (1.0 - h * h).sqrt());
        let across = (t - h * s * (1.0 + 2.0 / 3.0 * s * s)) / 4.0;
        let along = (t - h * s + 2.0 * h * s.powi(3)) / 4.0;
        let first = 2.0 / 3.0 * s.powi(3);
        let about_origin = along - 2.0 * h * first + h * h * segment;
        let second = 2.0 * (PI / 2.0 + PI * h * h - across - about_origin);
        close(of_disks(&[([-h, 0.0, 0.0], r), ([h, 0.0, 0.0], r)]), second / area);
    }

    /// A unit ball cut off at x = h, doubled: slices across x are disks.
    #[test]
    fn two_spheres_that_overlap_in_any_direction() {
        let h = 0.4_f64;
        let part = |f: &dyn Fn(f64) -> f64| f(h) - f(-1.0);
        // x from -1 to h about the centre of the ball, which is at -h
        let volume = 2.0 * PI * part(&|x| x - x.powi(3) / 3.0);
        let across = 2.0 * PI / 4.0 * part(&|x| x - 2.0 / 3.0 * x.powi(3) + x.powi(5) / 5.0);
        let moved = |x: f64| {
            let square = x.powi(3) / 3.0 - x.powi(5) / 5.0;
            let linear = x * x / 2.0 - x.powi(4) / 4.0;
            square - 2.0 * h * linear + h * h * (x - x.powi(3) / 3.0)
        };
        let along = 2.0 * PI * part(&moved);
        for axis in 0..3 {
            let at = |x: f64| std::array::from_fn(|k| if k == axis { x } else { 0.0 });
            let found = of_spheres(&[(at(-h), 1.0), (at(h), 1.0)]);
            for (k, found) in found.into_iter().enumerate() {
                close(found, if k == axis { 2.0 * across } else { across + along } / volume);
            }
        }
        // a third one that is covered adds nothing
        let row = of_spheres(&[([-h, 0.0, 0.0], 1.0), ([h, 0.0, 0.0], 1.0), ([0.0, 0.0, 0.0], 0.5)]);
        close(row[0], 2.0 * across / volume);
    }

    /// Four balls at the corners of a tetrahedron, all circles cut by the others: the same about every axis, and equal
    /// to a sum over many points.
    #[test]
    fn a_tetrahedral_cluster_and_an_uneven_one() {
        let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        let even = of_spheres(&corners.map(|x| (x, 1.7)));
        close(even[1], even[0]);
        close(even[2], even[0]);
        let uneven: Vec<Ball> = corners.iter().zip([1.7, 1.2, 1.5, 1.9]).map(|(x, r)| (*x, r)).collect();
        // columns along z, close to each other: the part of each that balls cover is known
        let (mut count, mut sums) = (0.0, [0.0; 3]);
        let columns = 600;
        let place = |k: i32| 6.0 * (f64::from(k) + 0.5) / f64::from(columns) - 3.0;
        for (x, y) in (0..columns).flat_map(|i| (0..columns).map(move |j| (place(i), place(j)))) {
            let half = |(c, r): &Ball| r * r - (x - c[0]).powi(2) - (y - c[1]).powi(2);
            let covered = uneven.iter().filter(|ball| half(ball) > 0.0);
            let mut parts: Vec<[f64; 2]> =
                covered.map(|ball| [-1.0, 1.0].map(|sign| ball.0[2] + sign * half(ball).sqrt())).collect();
            parts.sort_by(|p, q| p[0].total_cmp(&q[0]));
            let mut reached = f64::NEG_INFINITY;
            for [low, high] in parts {
                let low = low.max(reached);
                if high > low {
                    let length = high - low;
                    count += length;
                    sums = add(sums, [x * x * length, y * y * length, (high.powi(3) - low.powi(3)) / 3.0]);
                    reached = high;
                }
            }
        }
        let [x, y, z] = sums.map(|sum| sum / count);
        for (found, expected) in of_spheres(&uneven).into_iter().zip([y + z, x + z, x + y]) {
            assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
        }
    }
}
