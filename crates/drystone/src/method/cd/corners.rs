//! Four contacts of one colour at corners of stones, solved at once in lanes.
//!
//! Each stands in the frame of its normal and the two tangents along which S = W_tt - W_tn W_nt / W_nn is diagonal: then
//! sticking takes a quotient a tangent, and sliding one scalar equation, which all lanes solve together.

use super::accelerate::Push;
use super::corner::Corner;
use super::group::{off_the_laws, sum};
use super::line::{Line, gather, push_turning};
use super::residual::{Misfit, ROUNDING};
use super::sweep::Increment;
use crate::dim::{Dim, Vector};
use crate::lane::{Four, FourVector, Fours, InLanes, LANES, Lanes, Row};

/// Four corners that share no movable body, with their impulses.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Corners<D: Dim> {
    /// Lines of the bodies a.
    pub a: [u32; LANES],
    /// Lines of the bodies b.
    pub b: [u32; LANES],
    /// Normals from a to b, then the tangents; the third is of use in space only.
    frame: [D::Rows; 3],
    arm: [D::Rows; 2],
    inv_i: [D::SymRows; 2],
    w_nn: Row,
    inv_nn: Row,
    /// W_nt along both tangents.
    w_nt: [Row; 2],
    /// S along both tangents.
    s: [Row; 2],
    friction: Row,
    mass: Row,
    /// Where the last sliding was found between 0 and 1: the next is near; zero if there was none.
    beta: Row,
    /// Along the frame, as all that follow.
    bias: [Row; 3],
    impulse: [Row; 3],
    previous: [Row; 3],
}

impl<D: Dim> Corners<D> {
    /// Number of tangents.
    const ACROSS: usize = D::DIMENSION - 1;

    /// Four empty lanes at a line that holds no body: open contacts.
    pub fn empty(nowhere: u32) -> Corners<D> {
        let zeros = [[0.0; LANES]; 3];
        Corners {
            a: [nowhere; LANES],
            b: [nowhere; LANES],
            frame: [D::Rows::default(); 3],
            arm: [D::Rows::default(); 2],
            inv_i: [D::SymRows::default(); 2],
            w_nn: [1.0; LANES],
            inv_nn: [1.0; LANES],
            w_nt: [[0.0; LANES]; 2],
            s: [[1.0; LANES]; 2],
            friction: [0.0; LANES],
            mass: [1.0; LANES],
            beta: [0.0; LANES],
            bias: zeros,
            impulse: zeros,
            previous: zeros,
        }
    }

    /// Puts a corner into a lane.
    pub fn set(&mut self, lane: usize, corner: &Corner<D>) {
        let [a, b] = corner.bodies;
        (self.a[lane], self.b[lane]) = (a, b);
        let [[nn, n1, n2], [_, w_11, w_12], [_, _, w_22]] = corner.w;
        let (mut frame, mut w_nt, mut s) = (corner.frame, [n1, n2], [w_11 - n1 * n1 / nn, w_11 - n1 * n1 / nn]);
        if Self::ACROSS == 2 {
            let (s_12, s_22) = (w_12 - n1 * n2 / nn, w_22 - n2 * n2 / nn);
            let (cos, sin) = diagonal_frame(s[0], s_12, s_22);
            let [_, t1, t2] = corner.frame;
            (frame[1], frame[2]) = (t1 * cos + t2 * sin, t2 * cos - t1 * sin);
            w_nt = [n1 * cos + n2 * sin, n2 * cos - n1 * sin];
            let mixed = 2.0 * cos * sin * s_12;
            s = [s[0] * cos * cos + mixed + s_22 * sin * sin, s[0] * sin * sin - mixed + s_22 * cos * cos];
        }
        put_vectors::<D, 3>(&mut self.frame, lane, frame);
        put_vectors::<D, 2>(&mut self.arm, lane, corner.arm);
        for (rows, inv_i) in self.inv_i.iter_mut().zip(&corner.inv_i) {
            D::put_sym(rows, lane, inv_i);
        }
        (self.w_nn[lane], self.inv_nn[lane]) = (nn, 1.0 / nn);
        (0..2).for_each(|k| (self.w_nt[k][lane], self.s[k][lane]) = (w_nt[k], s[k]));
        (self.friction[lane], self.mass[lane], self.beta[lane]) = (corner.friction, corner.mass, 0.0);
        self.put(lane, |corners| &mut corners.bias, corner.bias);
        self.put(lane, |corners| &mut corners.impulse, corner.impulse);
        self.put(lane, |corners| &mut corners.previous, corner.previous);
    }

    /// The corner in a lane by itself, between bodies of these lines.
    pub fn corner(&self, lane: usize, index: usize, lines: &[Line<D>]) -> Corner<D> {
        let bodies = [self.a[lane], self.b[lane]];
        let (nn, [n1, n2]) = (self.w_nn[lane], self.w_nt.map(|row| row[lane]));
        let tangent = |k: usize, n: f64| self.s[k][lane] + n * n / nn;
        let cross = n1 * n2 / nn;
        Corner {
            bodies,
            index: index as u32,
            frame: [0, 1, 2].map(|k| self.axis(k, lane)),
            arm: self.arm.each_ref().map(|rows| D::Vec::from_fn(|axis| rows.as_ref()[axis][lane])),
            jump: D::Vec::ZERO,
            stretch: None,
            inv_m_t: bodies.map(|body| lines[body as usize].inv_m()),
            inv_i: self.inv_i.each_ref().map(|rows| D::get_sym(rows, lane)),
            w: [[nn, n1, n2], [n1, tangent(0, n1), cross], [n2, cross, tangent(1, n2)]],
            mass: self.mass[lane],
            friction: self.friction[lane],
            bias: self.vector(&self.bias, lane),
            impulse: self.impulse(lane),
            previous: self.previous(lane),
        }
    }

    /// Impulse of the contact in a lane [N s].
    pub fn impulse(&self, lane: usize) -> D::Vec {
        self.vector(&self.impulse, lane)
    }

    /// Impulse before the last sweep.
    pub fn previous(&self, lane: usize) -> D::Vec {
        self.vector(&self.previous, lane)
    }

    /// Changes the impulse of the contact in a lane, without momentum.
    pub fn set_impulse(&mut self, lane: usize, impulse: D::Vec) {
        self.put(lane, |corners| &mut corners.impulse, impulse);
        self.put(lane, |corners| &mut corners.previous, impulse);
    }

    /// Forgets the last change of the impulses: no momentum.
    pub fn halt(&mut self) {
        self.previous = self.impulse;
    }

    /// Appends the impulses of all lanes.
    pub fn read(&self, into: &mut Vec<f64>) {
        into.extend(self.impulse[..D::DIMENSION].iter().flatten());
    }

    /// Takes impulses in the order of [`Corners::read`].
    pub fn write(&mut self, numbers: &mut impl Iterator<Item = f64>) {
        let impulses = self.impulse[..D::DIMENSION].iter_mut().flatten();
        impulses.zip(numbers).for_each(|(impulse, number)| *impulse = number);
    }

    fn axis(&self, k: usize, lane: usize) -> D::Vec {
        D::Vec::from_fn(|axis| self.frame[k].as_ref()[axis][lane])
    }

    fn vector(&self, along: &[Row; 3], lane: usize) -> D::Vec {
        (0..3).fold(D::Vec::ZERO, |sum, k| sum + self.axis(k, lane) * along[k][lane])
    }

    fn put(&mut self, lane: usize, rows: impl Fn(&mut Self) -> &mut [Row; 3], vector: D::Vec) {
        let along = [0, 1, 2].map(|k| self.axis(k, lane).dot(vector));
        rows(self).iter_mut().zip(along).for_each(|(row, number)| row[lane] = number);
    }

    /// Velocities of b relative to a along the frame, with what is added to them.
    #[inline(always)]
    fn velocity<S: Lanes>(&self, lanes: S, lines: &[Line<D>]) -> [Four<S>; 3] {
        let [arm_a, arm_b] = self.arms(lanes);
        let (a, b) = (gather(lanes, lines, &self.a), gather(lanes, lines, &self.b));
        let u = b.v + D::four_swings(b.w, arm_b) - a.v - D::four_swings(a.w, arm_a);
        let mut along = [Four::splat(lanes, 0.0); 3];
        for (k, along) in along.iter_mut().enumerate().take(D::DIMENSION) {
            *along = D::FourVecs::load(lanes, &self.frame[k]).dot(u) + Four::load(lanes, &self.bias[k]);
        }
        along
    }

    #[inline(always)]
    fn arms<S: Lanes>(&self, lanes: S) -> [D::FourVecs<S>; 2] {
        [D::FourVecs::load(lanes, &self.arm[0]), D::FourVecs::load(lanes, &self.arm[1])]
    }

    /// Applies impulses along the frame to the bodies b and their negatives to a: V += M^-1 H r.
    #[inline(always)]
    fn push<S: Lanes>(&self, lanes: S, along: [Four<S>; 3], lines: &mut [Line<D>]) {
        let mut impulse = D::FourVecs::load(lanes, &self.frame[0]) * along[0];
        for (axis, along) in self.frame.iter().zip(along).take(D::DIMENSION).skip(1) {
            impulse = impulse + D::FourVecs::load(lanes, axis) * along;
        }
        let [arm_a, arm_b] = self.arms(lanes);
        let spin_a = D::four_spins(lanes, &self.inv_i[0], D::four_torques(arm_a, impulse));
        let spin_b = D::four_spins(lanes, &self.inv_i[1], D::four_torques(arm_b, impulse));
        push_turning(lanes, lines, [&self.a, &self.b], impulse, [spin_a, spin_b]);
    }

    /// The impulses along the frame that satisfy both laws, while `start` acts and the contacts move with `u`:
    /// [`crate::law::General`] in the frame in which S is diagonal.
    #[inline(always)]
    fn solve<S: Lanes>(&mut self, lanes: S, start: [Four<S>; 3], u: [Four<S>; 3]) -> [Four<S>; 3] {
        let [zero, one] = [0.0, 1.0].map(|number| Four::splat(lanes, number));
        let [w_nn, inv_nn, mu] = [&self.w_nn, &self.inv_nn, &self.friction].map(|row| Four::load(lanes, row));
        let [w_1, w_2] = self.w_nt.each_ref().map(|row| Four::load(lanes, row));
        let [s_1, s_2] = self.s.each_ref().map(|row| Four::load(lanes, row));
        let mut slip = Slip { s: [s_1, s_2], w_nt: [w_1, w_2], free: [zero; 2] };
        // q = u - W r, and what is left across once u_n = 0
        let q_n = u[0] - w_nn * start[0] - slip.across(&[start[1], start[2]]);
        let share = u[0] * inv_nn;
        slip.free[0] = u[1] - share * w_1 - s_1 * start[1];
        let mut stick = [zero - slip.free[0] / s_1, zero];
        if Self::ACROSS == 2 {
            slip.free[1] = u[2] - share * w_2 - s_2 * start[2];
            stick[1] = zero - slip.free[1] / s_2;
        }
        let stick_n = zero - (q_n + slip.across(&stick)) * inv_nn;
        let size = slip.norm(&stick);
        let closes = zero.choose_greater(q_n, one, zero);
        let slides = size.choose_greater(mu * stick_n, closes, zero);
        let mut found = [stick_n, stick[0], stick[1]];
        if slides.row().iter().any(|slides| *slides > 0.0) {
            let mut pushes = stick;
            if Self::ACROSS == 2 {
                let (steep, limit) = (mu * inv_nn, zero - mu * q_n * inv_nn);
                let (known, guess) = (Four::load(lanes, &self.beta), limit / (size + steep * slip.across(&stick)));
                let start = known.choose_greater(zero, known, guess.min(one));
                let beta = slip.slide(lanes, slides, start, steep, limit);
                self.beta = slides.choose_greater(zero, beta, zero).row();
                pushes = slip.pushes(lanes, beta);
            }
            let length = slip.norm(&pushes);
            let direction = pushes.map(|push| push / length);
            let against = w_nn + mu * slip.across(&direction);
            let slide_n = zero - q_n / against; // the normal equation and the cone hold to the last digit
            // where friction presses more than the normal impulse parts, only rounding tells sliding from sticking
            let slides = against.choose_greater(zero, slides, zero);
            let choose = |slid: Four<S>, stuck: Four<S>| slides.choose_greater(zero, slid, stuck);
            let slide_t = mu * slide_n;
            found = [choose(slide_n, found[0]), choose(slide_t * direction[0], found[1]), found[2]];
            if Self::ACROSS == 2 {
                found[2] = choose(slide_t * direction[1], found[2]);
            }
        }
        found.map(|impulse| closes.choose_greater(zero, impulse, zero))
    }
}

/// Four tangential problems: u_t = S r_t + free.
struct Slip<S: Lanes> {
    s: [Four<S>; 2],
    w_nt: [Four<S>; 2],
    free: [Four<S>; 2],
}

impl<S: Lanes> Slip<S> {
    #[inline(always)]
    fn across(&self, t: &[Four<S>; 2]) -> Four<S> {
        self.w_nt[0] * t[0] + self.w_nt[1] * t[1]
    }

    #[inline(always)]
    fn norm(&self, t: &[Four<S>; 2]) -> Four<S> {
        (t[0] * t[0] + t[1] * t[1]).sqrt()
    }

    /// h = -(beta S + (1 - beta) mean)^-1 free.
    #[inline(always)]
    fn pushes(&self, lanes: S, beta: Four<S>) -> [Four<S>; 2] {
        let [zero, half] = [0.0, 0.5].map(|number| Four::splat(lanes, number));
        let mean = (self.s[0] + self.s[1]) * half;
        let push = |k: usize| zero - self.free[k] / (mean + beta * (self.s[k] - mean));
        [push(0), push(1)]
    }

    /// The root of k(beta) in the lanes that slide: see `law/secular.rs`. Newton's steps where they help, halving where
    /// they do not, as in `law/root.rs`.
    #[inline(always)]
    fn slide(&self, lanes: S, slides: Four<S>, start: Four<S>, steep: Four<S>, limit: Four<S>) -> Four<S> {
        let [zero, one, half] = [0.0, 1.0, 0.5].map(|number| Four::splat(lanes, number));
        let [tiny, rounding] = [f64::MIN_POSITIVE, 2.0 * f64::EPSILON].map(|number| Four::splat(lanes, number));
        let mean = (self.s[0] + self.s[1]) * half;
        let off = [self.s[0] - mean, self.s[1] - mean];
        let inverse = |beta: Four<S>| [one / (mean + beta * off[0]), one / (mean + beta * off[1])];
        let size = |x: Four<S>| x.max(zero - x);
        let (mut low, mut high) = (zero, one);
        let (mut at, mut step, mut before) = (start, one, one);
        let mut active = slides;
        while active.row().iter().any(|active| *active > 0.0) {
            let m = inverse(at);
            let h = [zero - self.free[0] * m[0], zero - self.free[1] * m[1]];
            let bent = [zero - off[0] * h[0] * m[0], zero - off[1] * h[1] * m[1]];
            let length = self.norm(&h);
            let reach = length + steep * self.across(&h);
            let bend = (h[0] * bent[0] + h[1] * bent[1]) / length + steep * self.across(&bent);
            let value = at * reach - limit;
            low = zero.choose_greater(value, at, low);
            high = value.choose_greater(zero, at, high);
            let newton = zero - value / (reach + at * bend);
            let halved = low + half * (high - low) - at;
            let mut next = tiny.choose_greater(size(newton) - half * size(before), newton, halved);
            next = tiny.choose_greater(low - (at + newton), next, halved);
            next = tiny.choose_greater(at + newton - high, next, halved);
            (before, step) = (step, next);
            // a value of zero is the root
            let goes_on = value.choose_greater(zero, active, zero.choose_greater(value, active, zero));
            at = goes_on.choose_greater(zero, at + step, at);
            active = size(step).choose_greater(rounding * at, goes_on, zero);
        }
        at
    }
}

/// Cosine and sine of the turn of the axes that makes a symmetric matrix diagonal: Jacobi's rotation.
fn diagonal_frame(s_11: f64, s_12: f64, s_22: f64) -> (f64, f64) {
    if s_12 == 0.0 {
        return (1.0, 0.0);
    }
    let half_cot = 0.5 * (s_11 - s_22) / s_12;
    // where the square overflows there is nothing to turn
    let tan = 1.0_f64.copysign(half_cot) / (half_cot.abs() + (half_cot * half_cot + 1.0).sqrt());
    let cos = 1.0 / (tan * tan + 1.0).sqrt();
    (cos, tan * cos)
}

fn put_vectors<D: Dim, const N: usize>(rows: &mut [D::Rows; N], lane: usize, vectors: [D::Vec; N]) {
    for (rows, vector) in rows.iter_mut().zip(vectors) {
        (0..D::DIMENSION).for_each(|axis| rows.as_mut()[axis][lane] = vector.get(axis));
    }
}

/// One sweep over corners; the lines are those of their unit.
pub struct SweepCorners<'a, D: Dim> {
    /// The corners.
    pub corners: &'a mut [Corners<D>],
    /// The lines that their indices count in.
    pub lines: &'a mut [Line<D>],
    /// How far impulses are pushed on first, and how far they go.
    pub push: Push,
}

impl<D: Dim> InLanes for SweepCorners<'_, D> {
    type Output = Increment;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Increment {
        let [beta, stride, zero] = [self.push.beta, self.push.stride, 0.0].map(|x| Four::splat(lanes, x));
        let (mut squared, mut along) = (zero, zero);
        for corners in self.corners {
            let (mut before, mut start) = ([zero; 3], [zero; 3]);
            for k in 0..D::DIMENSION {
                before[k] = Four::load(lanes, &corners.impulse[k]);
                start[k] = before[k] + (before[k] - Four::load(lanes, &corners.previous[k])) * beta;
            }
            let found = corners.solve(lanes, start, corners.velocity(lanes, self.lines));
            let mut change = [zero; 3];
            for k in 0..D::DIMENSION {
                change[k] = (found[k] - start[k]) * stride;
                let new = start[k] + change[k];
                corners.previous[k] = before[k].row();
                corners.impulse[k] = new.row();
                squared = squared + change[k] * change[k];
                along = along + change[k] * (new - before[k]);
            }
            corners.push(lanes, change, self.lines);
        }
        Increment { squared: sum(squared), along: sum(along) }
    }
}

/// V += M^-1 H r for all corners.
pub struct RestoreCorners<'a, D: Dim> {
    /// The corners.
    pub corners: &'a [Corners<D>],
    /// The lines that their indices count in.
    pub lines: &'a mut [Line<D>],
}

impl<D: Dim> InLanes for RestoreCorners<'_, D> {
    type Output = ();
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) {
        for corners in self.corners {
            let impulse = [0, 1, 2].map(|k| Four::load(lanes, &corners.impulse[k]));
            corners.push(lanes, impulse, self.lines);
        }
    }
}

/// Judges corners: see [`super::residual`].
pub struct JudgeCorners<'a, D: Dim> {
    /// The corners.
    pub corners: &'a [Corners<D>],
    /// The lines that their indices count in.
    pub lines: &'a [Line<D>],
}

impl<D: Dim> InLanes for JudgeCorners<'_, D> {
    type Output = Misfit;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Misfit {
        let [zero, rounding] = [0.0, ROUNDING].map(|x| Four::splat(lanes, x));
        let (mut wrong, mut all) = (zero, zero);
        for corners in self.corners {
            let [mass, mu] = [&corners.mass, &corners.friction].map(|row| Four::load(lanes, row));
            let load = |rows: &[Row; 3]| [0, 1, 2].map(|k| Four::load(lanes, &rows[k]));
            let (u, r, bias) = (corners.velocity(lanes, self.lines), load(&corners.impulse), load(&corners.bias));
            let square = |[n, t, s]: [Four<S>; 3]| n * n + t * t + s * s;
            let distance = off_the_laws((mass, mu), (u[0], Fours([u[1], u[2]])), (r[0], Fours([r[1], r[2]])));
            // what rounding of the velocities explains does not count
            let [arm_a, arm_b] = corners.arms(lanes);
            let (a, b) = (gather(lanes, self.lines, &corners.a), gather(lanes, self.lines, &corners.b));
            let speed_squared = a.v.dot(a.v)
                + b.v.dot(b.v)
                + arm_a.dot(arm_a) * a.w.dot(a.w)
                + arm_b.dot(arm_b) * b.w.dot(b.w)
                + square(bias);
            let excused = rounding * mass;
            let counted = distance.choose_greater(excused * excused * speed_squared, distance, zero);
            wrong = wrong + counted / mass;
            all = all + square(r) / mass;
        }
        Misfit { wrong: sum(wrong), all: sum(all) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::corner::Side;
    use super::*;
    use crate::body::{Inertia, Twist};
    use crate::dim::{D2, D3};
    use crate::lane::in_lanes;
    use crate::law::random::Random;

    struct Solve<'a, D: Dim>(&'a mut Corners<D>, [Row; 3], [Row; 3]);
    impl<D: Dim> InLanes for Solve<'_, D> {
        type Output = [Row; 3];
        #[inline(always)]
        fn run<S: Lanes>(self, lanes: S) -> [Row; 3] {
            let load = |rows: [Row; 3]| rows.map(|row| Four::load(lanes, &row));
            self.0.solve(lanes, load(self.1), load(self.2)).map(Four::row)
        }
    }

    fn random_corner<D: Dim>(random: &mut Random, bodies: [u32; 2]) -> Corner<D> {
        let direction = random.direction();
        let normal = D::Vec::from_fn(|k| direction[k]);
        let frame = Corner::<D>::frame(normal * (1.0 / normal.norm()));
        let mut w = [[0.0; 3]; 3];
        let friction = if D::DIMENSION == 2 {
            let flat = random.contact2();
            (0..2).for_each(|i| (0..2).for_each(|j| w[i][j] = flat.w[i][j]));
            flat.friction
        } else {
            let full = random.contact3();
            w = full.w;
            full.friction
        };
        let velocity = random.velocity::<3>();
        Corner {
            bodies,
            index: 0,
            frame,
            arm: [D::Vec::ZERO; 2],
            jump: D::Vec::ZERO,
            stretch: None,
            inv_m_t: [1.0; 2],
            inv_i: [D::inverse_inertia(D::UPRIGHT, D::Moments::from_fn(|_| 1.0)); 2],
            w,
            mass: Corner::<D>::mass(w),
            friction,
            bias: D::Vec::from_fn(|k| velocity[k]),
            impulse: D::Vec::ZERO,
            previous: D::Vec::ZERO,
        }
    }

    /// 10^5 random contacts in lanes obey both laws as closely as those that are solved one at a time.
    fn lanes_obey_the_laws<D: Dim>() {
        let (mut random, mut worst, mut regimes) = (Random::new(11), 0.0_f64, [0; 3]);
        let lines = vec![Line::new(&Twist::<D>::default(), &Inertia::isotropic(1.0, 1.0)); 2];
        for _ in 0..25_000 {
            let mut corners = Corners::<D>::empty(0);
            let four: [Corner<D>; LANES] = std::array::from_fn(|_| random_corner(&mut random, [0, 1]));
            four.iter().enumerate().for_each(|(lane, corner)| corners.set(lane, corner));
            // what the bodies do stands in the bias: u = 0 + bias
            let bias = corners.bias;
            let found = in_lanes(Solve(&mut corners, [[0.0; LANES]; 3], bias));
            // the next time it starts from where it ended
            let again = in_lanes(Solve(&mut corners, [[0.0; LANES]; 3], bias));
            for (one, other) in found.iter().flatten().zip(again.iter().flatten()) {
                assert!((one - other).abs() <= 1e-13 * one.abs(), "{one} {other}");
            }
            for (lane, corner) in four.iter().enumerate() {
                let mut kept = corners.corner(lane, 0, &lines);
                let off = |i: usize, j: usize| (kept.w[i][j] - kept.w[j][i]).abs();
                assert!(off(0, 1) + off(0, 2) + off(1, 2) == 0.0);
                kept.impulse = (0..3).fold(D::Vec::ZERO, |sum, k| sum + kept.frame[k] * found[k][lane]);
                let moved = corner.block_velocity(kept.impulse);
                let judged = Corner { impulse: kept.impulse, bias: corner.bias + moved, ..corner.clone() };
                let misfit = judged.misfit(&lines);
                let size = corner.bias.norm() * corner.mass + kept.impulse.norm();
                worst = worst.max((misfit.wrong * corner.mass).sqrt() / size);
                regimes[judged.regime(&lines) as usize] += 1;
            }
        }
        assert!(worst <= 1e-13, "{worst:e}");
        assert!(regimes.iter().all(|count| *count > 1000), "{regimes:?}");
    }

    #[test]
    fn four_corners_obey_the_laws() {
        lanes_obey_the_laws::<D2>();
        lanes_obey_the_laws::<D3>();
    }

    /// A sweep in lanes changes impulses and motion as the sweep of each corner by itself.
    fn a_sweep_is_that_of_its_corners<D: Dim>() {
        let mut random = Random::new(5);
        let inertia = |k: usize| Inertia::<D>::isotropic(1.0 + k as f64, 0.3 + 0.1 * k as f64);
        let twist = |random: &mut Random| {
            let [v, w] = [random.velocity::<3>(), random.velocity::<3>()];
            Twist::<D> { v: D::Vec::from_fn(|k| v[k]), w: D::Spin::from_fn(|k| w[k]) }
        };
        let mut lines: Vec<Line<D>> = (0..8).map(|k| Line::new(&twist(&mut random), &inertia(k))).collect();
        let mut alone = lines.clone();
        let mut corners = Corners::<D>::empty(0);
        let mut singles = Vec::new();
        for lane in 0..LANES {
            let bodies = [lane, lane + LANES];
            let mut corner = random_corner::<D>(&mut random, bodies.map(|k| k as u32));
            let arms = [random.velocity::<3>(), random.velocity::<3>()];
            corner.arm = arms.map(|arm| D::Vec::from_fn(|k| arm[k]));
            corner.inv_i = bodies.map(|k| D::inverse_inertia(D::UPRIGHT, inertia(k).inv_i));
            corner.inv_m_t = bodies.map(|k| inertia(k).inv_m);
            let sides =
                [0, 1].map(|k| Side::<D> { inv_m: [corner.inv_m_t[k]; 2], inv_i: corner.inv_i[k], arm: corner.arm[k] });
            corner.w = Corner::block(&corner.frame, &sides);
            corner.mass = Corner::<D>::mass(corner.w);
            let pushed = random.velocity::<3>();
            corner.impulse = D::Vec::from_fn(|k| pushed[k]);
            corners.set(lane, &corner);
            singles.push(corner);
        }
        let judged = in_lanes(JudgeCorners { corners: std::slice::from_ref(&corners), lines: &lines });
        let expected: Misfit = singles.iter().map(|single| single.misfit(&alone)).sum();
        assert!((judged.wrong / expected.wrong - 1.0).abs() < 1e-12 && (judged.all / expected.all - 1.0).abs() < 1e-12);
        let push = Push { beta: 0.4, stride: 0.9 };
        let many = in_lanes(SweepCorners { corners: std::slice::from_mut(&mut corners), lines: &mut lines, push });
        let mut squared = 0.0;
        for (lane, single) in singles.iter_mut().enumerate() {
            let change = single.change(push, &alone);
            squared += single.take(change, push).squared;
            single.push(change, &mut alone);
            let off = (corners.impulse(lane) - single.impulse).norm() / single.impulse.norm();
            assert!(off < 1e-12, "{lane}: {off:e}");
        }
        assert!((many.squared / squared - 1.0).abs() < 1e-12);
        for (one, other) in lines.iter().zip(&alone) {
            let (one, other) = (one.twist(), other.twist());
            assert!((one.v - other.v).norm() <= 1e-12 * other.v.norm());
            assert!((one.w - other.w).norm() <= 1e-12 * (other.w.norm() + 1.0));
        }
    }

    #[test]
    fn corners_in_lanes_sweep_as_corners_alone() {
        a_sweep_is_that_of_its_corners::<D2>();
        a_sweep_is_that_of_its_corners::<D3>();
    }
}
