//! The exact contact law in space: open, stick, or one scalar equation for the sliding contact.

use super::coupled::{CoupledLaw, ExactLaw, ReadyLaw};
use super::root::root;
use crate::lane::{EACH, Four, LANES, Lanes, MapInlined};

/// The tangential problem once u_n = 0 gives r_n = -(q_n + W_nt . f) / W_nn: u_t = S f + s.
struct Tangential {
    /// S = W_tt - W_tn W_nt / W_nn, positive definite.
    s: [[f64; 2]; 2],
    /// s = q_t - W_tn q_n / W_nn: sliding velocity without friction.
    free: [f64; 2],
    /// Half the trace of S: what S would be if all directions were alike.
    mean: f64,
}

impl Tangential {
    #[inline]
    fn new(w: &[[f64; 3]; 3], q: [f64; 3]) -> Tangential {
        let share = [w[1][0] / w[0][0], w[2][0] / w[0][0]];
        let s = [0, 1].map_inlined(|i| [0, 1].map_inlined(|j| w[i + 1][j + 1] - share[i] * w[0][j + 1]));
        let free = [0, 1].map_inlined(|i| q[i + 1] - share[i] * q[0]);
        Tangential { s, free, mean: 0.5 * (s[0][0] + s[1][1]) }
    }

    /// Solves (beta S + (1 - beta) mean) x = b by elimination; the matrix is positive definite for beta in [0, 1].
    #[inline]
    fn solve(&self, beta: f64, b: [f64; 2]) -> [f64; 2] {
        let shift = (1.0 - beta) * self.mean;
        let [[s_11, s_12], [s_21, s_22]] = self.s;
        let first = beta * s_11 + shift;
        let factor = beta * s_21 / first;
        let y = (b[1] - factor * b[0]) / (beta * s_22 + shift - factor * (beta * s_12));
        [(b[0] - beta * s_12 * y) / first, y]
    }

    /// Derivative of [`Tangential::solve`] by beta at its result `x`: - M^-1 (S - mean) x.
    fn slope(&self, beta: f64, x: [f64; 2]) -> [f64; 2] {
        let [[s_11, s_12], [s_21, s_22]] = self.s;
        let change = [(s_11 - self.mean) * x[0] + s_12 * x[1], s_21 * x[0] + (s_22 - self.mean) * x[1]];
        self.solve(beta, [-change[0], -change[1]])
    }
}

impl ReadyLaw<3> for CoupledLaw<3> {
    /// Open if q_n >= 0; stick if the impulse that stops all components lies in the cone; slide otherwise.
    ///
    /// A sliding contact has u_t = -lambda r_t with lambda >= 0, so (S + lambda) r_t = -s, and |r_t| = mu r_n. With
    /// lambda = mean (1 / beta - 1) and h(beta) = -(beta S + (1 - beta) mean)^-1 s the impulse is r_t = beta h, and
    ///
    /// k(beta) = beta (|h| + mu W_nt . h / W_nn) - mu (-q_n) / W_nn = 0
    ///
    /// always has a root in [0, 1]: k(0) <= 0, and k(1) > 0 says that the contact does not stick. k is a straight line
    /// if S is isotropic, and nearly straight otherwise. In the range of Painleve the order of the states is open,
    /// stick, slide; where several sliding directions are possible, this takes the one that it meets first.
    #[inline]
    fn solve(&self, q: [f64; 3]) -> [f64; 3] {
        if q[0] >= 0.0 {
            return [0.0; 3];
        }
        let (w_nn, mu) = (self.w[0][0], self.friction);
        let across = |f: [f64; 2]| self.w[0][1] * f[0] + self.w[0][2] * f[1];
        let tangential = Tangential::new(&self.w, q);
        let push = |beta: f64| tangential.solve(beta, [-tangential.free[0], -tangential.free[1]]);
        let stick = push(1.0);
        let stick_n = -(q[0] + across(stick)) / w_nn;
        if norm(stick) <= mu * stick_n {
            return [stick_n, stick[0], stick[1]];
        }
        let (steep, limit) = (mu / w_nn, -mu * q[0] / w_nn);
        let beta = root(limit / (norm(stick) + steep * across(stick)), |beta| {
            let h = push(beta);
            let (h_slope, length) = (tangential.slope(beta, h), norm(h));
            let reach = length + steep * across(h);
            let bend = (h[0] * h_slope[0] + h[1] * h_slope[1]) / length + steep * across(h_slope);
            (beta * reach - limit, reach + beta * bend)
        });
        let h = push(beta);
        let direction = [h[0] / norm(h), h[1] / norm(h)];
        let r_n = -q[0] / (w_nn + mu * across(direction)); // the normal equation and the cone hold to the last digit
        [r_n, mu * r_n * direction[0], mu * r_n * direction[1]]
    }

    type Four = [CoupledLaw<3>; LANES];

    fn pack(laws: [CoupledLaw<3>; LANES]) -> [CoupledLaw<3>; LANES] {
        laws
    }

    /// One after the other: roots take different numbers of steps.
    #[inline(always)]
    fn solve_four<S: Lanes>(laws: &[CoupledLaw<3>; LANES], lanes: S, q: [Four<S>; 3]) -> [Four<S>; 3] {
        let q = q.map_inlined(Four::row);
        let r = EACH.map_inlined(|lane| laws[lane].solve(q.map_inlined(|row| row[lane])));
        [0, 1, 2].map_inlined(|k| Four::load(lanes, &r.map_inlined(|r| r[k])))
    }
}

impl ExactLaw<3> for CoupledLaw<3> {
    type Ready = CoupledLaw<3>;

    #[inline]
    fn ready(&self) -> CoupledLaw<3> {
        *self
    }

    /// By Jacobi's rotations. The closed form by arc cosine loses half the digits when the two largest are equal, as
    /// they are for spheres.
    fn largest_eigenvalue(&self) -> f64 {
        let mut a = self.w;
        let off = |a: &[[f64; 3]; 3]| a[0][1].abs() + a[0][2].abs() + a[1][2].abs();
        let trace = a[0][0] + a[1][1] + a[2][2];
        // what is left off the diagonal changes an eigenvalue by less than its own size
        while off(&a) > f64::EPSILON * trace {
            for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                rotate(&mut a, i, j);
            }
        }
        a[0][0].max(a[1][1]).max(a[2][2])
    }
}

/// Jacobi's rotation: turns axes i < j so that a_ij becomes zero; reads and writes the upper triangle and the diagonal.
fn rotate(a: &mut [[f64; 3]; 3], i: usize, j: usize) {
    if a[i][j] == 0.0 {
        return;
    }
    let half_cot = 0.5 * (a[j][j] - a[i][i]) / a[i][j];
    // where the square overflows, the rotation vanishes
    let tan = 1.0_f64.copysign(half_cot) / (half_cot.abs() + (half_cot * half_cot + 1.0).sqrt());
    let cos = 1.0 / (tan * tan + 1.0).sqrt();
    let k = 3 - i - j;
    let at = |m: usize| (k.min(m), k.max(m));
    let ((ip, iq), (jp, jq)) = (at(i), at(j));
    let (a_ik, a_jk) = (a[ip][iq], a[jp][jq]);
    a[i][i] -= tan * a[i][j];
    a[j][j] += tan * a[i][j];
    a[i][j] = 0.0;
    a[ip][iq] = cos * (a_ik - tan * a_jk);
    a[jp][jq] = cos * (a_jk + tan * a_ik);
}

/// Length in the tangent plane.
fn norm(v: [f64; 2]) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Regime;
    use crate::law::rigid::random::Random;
    use crate::law::rigid::root::tests::evaluations;
    use glam::{DMat3, DQuat, DVec3};

    #[test]
    fn motion_in_a_plane_is_that_of_the_plane() {
        let (mut random, mut seen) = (Random::new(2), [0; 3]);
        for _ in 0..10_000 {
            let flat = random.contact2();
            let [[w_nn, w_nt], [_, w_tt]] = flat.w;
            let across = w_tt * random.uniform(0.2, 5.0);
            let q: [f64; 2] = random.velocity();
            // the plane lies obliquely in the tangent plane
            let (cos, sin) = (0.6, 0.8);
            let cross = (w_tt - across) * cos * sin;
            let w = [
                [w_nn, w_nt * cos, w_nt * sin],
                [w_nt * cos, w_tt * cos * cos + across * sin * sin, cross],
                [w_nt * sin, cross, w_tt * sin * sin + across * cos * cos],
            ];
            let law = CoupledLaw { w, friction: flat.friction };
            let (r, expected) = (law.impulse([q[0], q[1] * cos, q[1] * sin]), flat.impulse(q));
            let error = DVec3::from_array(r) - DVec3::new(expected[0], expected[1] * cos, expected[1] * sin);
            assert!(error.length() <= 1e-11 * expected[0], "{law:?} {q:?}: {r:?} and not {expected:?}");
            seen[flat.regime(expected, flat.velocity(expected, q)) as usize] += 1;
        }
        assert!(seen.iter().all(|count| *count > 500), "{seen:?}");
    }

    #[test]
    fn a_contact_sticks_whenever_it_can() {
        let (mut random, mut jammed) = (Random::new(4), 0);
        for _ in 0..100_000 {
            let mut law = random.contact3();
            law.friction *= 3.0; // often in the range of Painleve
            let q: [f64; 3] = random.velocity();
            let r = law.impulse(q);
            let stick = DMat3::from_cols_array_2d(&law.w).inverse() * -DVec3::from_array(q);
            let inside = libm::hypot(stick.y, stick.z) <= law.friction * stick.x * (1.0 - 1e-12);
            let expected = if q[0] >= 0.0 { Regime::Open } else { Regime::Stick };
            let regime = law.regime(r, law.velocity(r, q));
            assert_eq!(regime == expected, inside || q[0] >= 0.0, "{law:?} {q:?} {r:?}");
            jammed += usize::from(regime == Regime::Stick && law.is_painleve());
        }
        assert!(jammed > 100, "{jammed}");
    }

    /// Space differs from the plane: mu |W_nt| = 0.95 W_nn, and still one way to stick and two to slide.
    #[test]
    fn several_solutions_below_the_range_of_painleve() {
        let law = CoupledLaw { w: [[4.0, 4.0, -4.0], [4.0, 20.0, 4.0], [-4.0, 4.0, 9.0]], friction: 0.67 };
        let q = [-1.0, 10.0, 6.0];
        assert!(!law.is_painleve());
        let slides = [[0.39689522666, -0.24654331, -0.09964808], [1.06582470667, -0.70553416, 0.11029055]];
        for r in slides {
            let u = law.velocity(r, q);
            assert!(law.natural_map(r, u).iter().all(|f| f.abs() < 1e-7), "{u:?}");
            assert!(libm::hypot(u[1], u[2]) > 0.5, "slides: {u:?}");
        }
        let r = law.impulse(q);
        assert!(law.velocity(r, q).iter().all(|u| u.abs() < 1e-14), "sticking goes before: {r:?}");
    }

    #[test]
    fn a_few_evaluations_suffice() {
        let (mut random, mut most, mut total, mut slides) = (Random::new(7), 0, 0, 0);
        for _ in 0..100_000 {
            let (law, q) = (random.contact3(), random.velocity());
            let count = evaluations(|| law.impulse(q));
            (most, total, slides) = (most.max(count), total + count, slides + usize::from(count > 0));
        }
        assert!(slides > 10_000 && most <= 10 && total < 5 * slides, "{slides} searches, {total} evaluations, {most}");
    }

    #[test]
    fn the_root_is_found_for_any_matrix_and_any_friction() {
        // not bodies: eccentric cones, condition numbers up to 10^8, friction from 10^-12 to 10^3
        let (mut random, mut slides) = (Random::new(6), 0);
        for _ in 0..100_000 {
            let turn = DMat3::from_quat(DQuat::from_axis_angle(random.direction(), random.uniform(0.0, 3.1)));
            let values = DVec3::new(random.magnitude(4.0), random.magnitude(4.0), random.magnitude(4.0));
            let w = (turn * DMat3::from_diagonal(values) * turn.transpose()).to_cols_array_2d();
            let law = CoupledLaw { w, friction: random.magnitude(7.5) * 10_f64.powf(-4.5) };
            let q: [f64; 3] = random.velocity();
            let r = law.impulse(q);
            let u = law.velocity(r, q);
            let error = DVec3::from_array(law.natural_map(r, u)).length();
            let size = DVec3::from_array(q).length() / law.largest_eigenvalue() + DVec3::from_array(r).length();
            // û holds mu times the rounding of u_t
            assert!(error <= 1e-13 * size * (1.0 + law.friction), "{law:?} {q:?} {r:?}: {:e}", error / size);
            slides += usize::from(law.regime(r, u) == Regime::Slide);
        }
        assert!(slides > 10_000, "{slides}");
    }

    #[test]
    fn the_largest_eigenvalue_is_exact_also_if_double() {
        let mut random = Random::new(8);
        for values in [[1.0, 3.5, 3.5], [3.5, 1.0, 3.5 - 1e-9], [2.0, 2.0, 2.0], [1e-6, 1.0, 0.3], [0.2, 7.0, 0.2]] {
            let turn = DMat3::from_quat(DQuat::from_axis_angle(random.direction(), random.uniform(0.1, 3.0)));
            let w = (turn * DMat3::from_diagonal(values.into()) * turn.transpose()).to_cols_array_2d();
            let largest = values.into_iter().fold(0.0, f64::max);
            let got = CoupledLaw { w, friction: 0.0 }.largest_eigenvalue();
            assert!((got - largest).abs() <= 2e-15 * largest, "{values:?}: {got}");
        }
    }
}
