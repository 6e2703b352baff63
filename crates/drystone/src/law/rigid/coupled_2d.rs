//! The exact contact law in the plane: the three states of a contact, one after the other.

use super::coupled::{CoupledLaw, ExactLaw, ReadyLaw};
use crate::lane::MapInlined;
use crate::lane::{Four, LANES, Lanes, Real, Row};

/// A contact in the plane with all quotients of W precomputed, or four of them in lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ready<X> {
    w_nt: X,
    friction: X,
    /// W_tn / W_nn.
    share: X,
    /// 1 / W_nn.
    inv_nn: X,
    /// 1 / (W_tt - W_tn W_nt / W_nn).
    inv_tt: X,
    /// 1 / (W_nn + s mu W_nt) for s = 1 and s = -1; zero in the range of Painleve.
    slide: [X; 2],
}

impl<X: Real> Ready<X> {
    /// Open if q_n >= 0; stick if the impulse that stops both components lies in the cone; slide otherwise. All states
    /// are computed, and the one is chosen that holds.
    ///
    /// Sliding changes the normal impulse: r_t = s mu r_n feeds the normal equation, so r_n = -q_n / (W_nn + s mu
    /// W_nt). [Radjai and Richefeu] keep the normal impulse of sticking and open the contact by its sign: both are
    /// right for W_nt = 0 only, and their eq. 35 is misprinted.
    ///
    /// s is the sign of the sticking friction, in the range of Painleve too. There a contact that does not close, with
    /// q_n >= 0, can have three solutions, and this takes them in the order open, stick, slide; one that closes has a
    /// single solution. Proof: let g be the sticking impulse, so that -q_n = W_nn g_n + W_nt g_t > 0. If W_nn + s mu
    /// W_nt <= 0, then s W_nt <= -W_nn / mu and 0 < W_nn (g_n - |g_t| / mu): it sticks. If W_nn + s mu W_nt > 0 and it
    /// does not stick, then r_n > 0 and u_t = - s (|g_t| - mu g_n) det W / (W_nn + s mu W_nt) opposes r_t. Sliding the
    /// other way is never possible: r_n > 0 needs W_nn - s mu W_nt > 0, u_t then needs |g_t| + mu g_n <= 0, and the two
    /// together make -q_n negative.
    #[inline(always)]
    fn impulse(&self, [q_n, q_t]: [X; 2]) -> [X; 2] {
        let Ready { w_nt, friction: mu, share, inv_nn, inv_tt, slide: [forward, backward] } = *self;
        let (zero, one) = (q_n.zero(), q_n.one());
        let stick_t = (share * q_n - q_t) * inv_tt;
        let stick_n = (q_n + w_nt * stick_t).negated() * inv_nn;
        let slide = zero.choose_greater(stick_t, backward, forward);
        let (slide_n, sign) = (q_n.negated() * slide, zero.choose_greater(stick_t, one.negated(), one));
        let slides = |slide_r: X, stick_r: X| {
            let unless_jammed = slide.choose_greater(zero, slide_r, stick_r);
            stick_t.max(stick_t.negated()).choose_greater(mu * stick_n, unless_jammed, stick_r)
        };
        let closed = [slides(slide_n, stick_n), slides(sign * (mu * slide_n), stick_t)];
        closed.map_inlined(|r| zero.choose_greater(q_n, r, zero))
    }
}

impl ReadyLaw<2> for Ready<f64> {
    #[inline]
    fn solve(&self, q: [f64; 2]) -> [f64; 2] {
        self.impulse(q)
    }

    type Four = [Row; 7];

    fn pack(laws: [Self; LANES]) -> [Row; 7] {
        let numbers = laws.map_inlined(|Ready { w_nt, friction, share, inv_nn, inv_tt, slide }| {
            [w_nt, friction, share, inv_nn, inv_tt, slide[0], slide[1]]
        });
        std::array::from_fn(|k| numbers.map_inlined(|numbers| numbers[k]))
    }

    #[inline(always)]
    fn solve_four<S: Lanes>(laws: &[Row; 7], lanes: S, q: [Four<S>; 2]) -> [Four<S>; 2] {
        let [w_nt, friction, share, inv_nn, inv_tt, forward, backward] =
            laws.each_ref().map(|row| Four::load(lanes, row));
        Ready { w_nt, friction, share, inv_nn, inv_tt, slide: [forward, backward] }.impulse(q)
    }
}

impl ExactLaw<2> for CoupledLaw<2> {
    type Ready = Ready<f64>;

    #[inline]
    fn ready(&self) -> Ready<f64> {
        let ([[w_nn, w_nt], [w_tn, w_tt]], mu) = (self.w, self.friction);
        let inverse = |sum: f64| if sum <= 0.0 { 0.0 } else { 1.0 / sum };
        Ready {
            w_nt,
            friction: mu,
            share: w_tn / w_nn,
            inv_nn: 1.0 / w_nn,
            inv_tt: 1.0 / (w_tt - w_tn * w_nt / w_nn),
            slide: [inverse(w_nn + mu * w_nt), inverse(w_nn - mu * w_nt)],
        }
    }

    fn largest_eigenvalue(&self) -> f64 {
        let [[w_nn, w_nt], [_, w_tt]] = self.w;
        0.5 * (w_nn + w_tt) + libm::hypot(0.5 * (w_nn - w_tt), w_nt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;
    use crate::lane::{InLanes, in_lanes};
    use crate::law::mobility;
    use crate::law::rigid::random::Random;
    use glam::DVec2;

    /// All solutions, each state with its inequalities, in the order open, stick, slide; written with determinants.
    fn solutions(law: &CoupledLaw<2>, [q_n, q_t]: [f64; 2]) -> Vec<[f64; 2]> {
        let ([[w_nn, w_nt], [_, w_tt]], mu) = (law.w, law.friction);
        let det = w_nn * w_tt - w_nt * w_nt;
        let stick = [(w_nt * q_t - w_tt * q_n) / det, (w_nt * q_n - w_nn * q_t) / det];
        let slide = |sign: f64| {
            let r_n = -q_n / (w_nn + sign * mu * w_nt);
            [r_n, sign * mu * r_n]
        };
        let opposes = |r: [f64; 2]| r[0] > 0.0 && law.velocity(r, [q_n, q_t])[1] * r[1] < 0.0;
        let states = [
            (q_n >= 0.0, [0.0; 2]),
            (stick[0] > 0.0 && stick[1].abs() <= mu * stick[0], stick),
            (opposes(slide(1.0)), slide(1.0)),
            (opposes(slide(-1.0)), slide(-1.0)),
        ];
        states.into_iter().filter(|(holds, _)| *holds).map(|(_, r)| r).collect()
    }

    #[test]
    fn the_states_are_tried_in_their_order() {
        let (mut random, mut several) = (Random::new(1), [0; 2]);
        for _ in 0..100_000 {
            let mut law = random.contact2();
            law.friction *= 3.0; // often in the range of Painleve
            let q = random.velocity();
            let (r, all) = (law.impulse(q), solutions(&law, q));
            let expected = all.first().unwrap_or_else(|| panic!("no solution: {law:?} {q:?}"));
            let error = (r[0] - expected[0]).abs() + (r[1] - expected[1]).abs();
            assert!(error <= 1e-10 * expected[0], "{law:?} {q:?}: {r:?} and not {all:?}"); // W may be nearly singular
            assert!(all.len() == 1 || all.len() == 3 && law.is_painleve() && q[0] >= 0.0, "{law:?} {q:?} {all:?}");
            several[usize::from(law.is_painleve())] += usize::from(all.len() == 3);
        }
        assert!(several[0] == 0 && several[1] > 100, "{several:?}");
    }

    struct AtOnce([Ready<f64>; LANES], [[f64; 2]; LANES]);
    impl InLanes for AtOnce {
        type Output = [[f64; 2]; LANES];
        #[inline(always)]
        fn run<S: Lanes>(self, lanes: S) -> Self::Output {
            let q = std::array::from_fn(|k| Four::load(lanes, &self.1.map(|q| q[k])));
            let r = Ready::solve_four(&Ready::pack(self.0), lanes, q).map(Four::row);
            std::array::from_fn(|lane| r.map(|row| row[lane]))
        }
    }

    #[test]
    fn four_at_once_are_solved_as_one_by_one() {
        let (mut random, mut regimes) = (Random::new(7), [0; 3]);
        for _ in 0..10_000 {
            let laws: [CoupledLaw<2>; LANES] = std::array::from_fn(|_| {
                let law = random.contact2();
                CoupledLaw { friction: 3.0 * law.friction, ..law } // often in the range of Painleve
            });
            let q: [[f64; 2]; LANES] = std::array::from_fn(|_| random.velocity());
            let r = in_lanes(AtOnce(laws.map(|law| law.ready()), q));
            for lane in 0..LANES {
                let alone = laws[lane].ready().solve(q[lane]);
                assert_eq!(r[lane].map(f64::to_bits), alone.map(f64::to_bits), "{:?} {:?}", laws[lane], q[lane]);
                regimes[laws[lane].regime(r[lane], laws[lane].velocity(r[lane], q[lane])) as usize] += 1;
            }
        }
        assert!(regimes.iter().all(|count| *count > 1000), "{regimes:?}");
    }

    /// On the edge of the range W_nn - mu |W_nt| = 0, rounding must not decide that it slides: r_n would be infinite.
    #[test]
    fn the_edge_of_the_range_of_painleve_sticks() {
        let law = CoupledLaw { w: [[1.0, -1.0 / 3.0], [-1.0 / 3.0, 2.0]], friction: 3.0 };
        for k in 1..1000 {
            let q = [-1e-18, -f64::from(k)];
            let r = law.impulse(q);
            let stick = f64::from(k) / (2.0 - 1.0 / 9.0);
            assert!(
                (r[1] - stick).abs() <= 1e-15 * stick && (r[0] - stick / 3.0).abs() <= 1e-15 * stick,
                "{q:?} {r:?}"
            );
        }
    }

    /// The tilted square of the validation list, W = (1.200962, 0.75; 0.75, 3.799038), det W = 4.
    #[test]
    fn a_square_on_its_corner() {
        let (w_nn, w_tt) = (2.5 - 0.75 * 3.0_f64.sqrt(), 2.5 + 0.75 * 3.0_f64.sqrt());
        let close = |got: [f64; 2], expected: [f64; 2]| {
            assert!((got[0] - expected[0]).abs() + (got[1] - expected[1]).abs() < 1e-15, "{got:?} {expected:?}");
        };
        // falls without sliding velocity: the impulse that stops the corner leans by 0.1974 = 0.75 / 3.799
        let law = |friction| CoupledLaw { w: [[w_nn, 0.75], [0.75, w_tt]], friction };
        close(law(0.2).impulse([-1.0, 0.0]), [w_tt / 4.0, -0.1875]);
        let r_n = 1.0 / (w_nn - 0.075);
        close(law(0.1).impulse([-1.0, 0.0]), [r_n, -0.1 * r_n]);
        // g_n < 0 although it closes: without an impulse it would penetrate, so it is not open
        let r_n = 0.1 / (w_nn + 0.075);
        close(law(0.1).impulse([-0.1, -2.0]), [r_n, 0.1 * r_n]);
    }

    /// A slender rod at angle theta to the floor: mu_c = (1 + 3 cos^2) / (3 sin cos), at least 4/3, at tan theta = 2.
    #[test]
    fn a_sliding_rod_jams_above_four_thirds() {
        let (mass, length) = (0.7, 2.5);
        let inverse = 12.0 / (mass * length * length);
        let rod = |theta: f64, friction: f64| {
            let arm = DVec2::new(libm::cos(theta), -libm::sin(theta)) * (0.5 * length);
            let w = mobility::<D2, 2>(&[DVec2::Y, DVec2::NEG_X], arm, 1.0 / mass, |momentum| momentum * inverse);
            CoupledLaw::between([[0.0; 2]; 2], w, friction)
        };
        for theta in [0.3, 0.8, libm::atan(2.0), 1.3] {
            let (sin, cos) = (libm::sin(theta), libm::cos(theta));
            let critical = (1.0 + 3.0 * cos * cos) / (3.0 * sin * cos);
            assert!(critical >= 4.0 / 3.0 - 1e-15);
            assert!(!rod(theta, critical * (1.0 - 1e-14)).is_painleve(), "{theta}");
            assert!(rod(theta, critical * (1.0 + 1e-14)).is_painleve(), "{theta}");
        }
        let steepest = libm::atan(2.0);
        assert!(!rod(steepest, 4.0 / 3.0 - 1e-14).is_painleve() && rod(steepest, 4.0 / 3.0 + 1e-14).is_painleve());
        // pushed tip first it slides below, r_n = -q_n / (W_nn - mu |W_nt|), and jams beyond, with r = -W^-1 q;
        // W = (1.6, -1.2; -1.2, 3.4) / m, det W = 4 / m^2
        let close = |got: [f64; 2], expected: [f64; 2]| {
            assert!((got[0] - expected[0]).abs() + (got[1] - expected[1]).abs() < 1e-14, "{got:?} {expected:?}");
        };
        let q = [-1e-3, -1.0];
        close(rod(steepest, 1.2).impulse(q), [mass * 0.001 / 0.16, mass * 0.0012 / 0.16]);
        close(rod(steepest, 1.5).impulse(q), [mass * 1.2034 / 4.0, mass * 1.6012 / 4.0]);
    }
}
