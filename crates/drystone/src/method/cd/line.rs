//! A line: all that a sweep needs of a body, in one cache line.

use std::marker::PhantomData;

use crate::body::{Inertia, Twist};
use crate::dim::{Dim, FourBodies, Vector};
use crate::lane::{Four, LANES, Lanes, Row};

/// How a body moves and how hard it is to move: velocity, angular velocity, 1/m, 1/I; eight numbers, 64 bytes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub struct Line<D: Dim> {
    halves: [Row; 2],
    dimension: PhantomData<D>,
}

impl<D: Dim> Line<D> {
    const SPIN: usize = D::DIMENSION;
    const INV_M: usize = Self::SPIN + <D::Spin as Vector>::LEN;
    const INV_I: usize = Self::INV_M + 1;
    /// Halves with numbers of the motion.
    const MOVING: usize = Self::INV_M.div_ceil(LANES);

    /// The line of a body that moves like this.
    pub fn new(twist: &Twist<D>, inertia: &Inertia<D>) -> Line<D> {
        let mut line = Line::default();
        line.set_twist(twist);
        *line.number(Self::INV_M) = inertia.inv_m;
        *line.number(Self::INV_I) = inertia.round_inv_i();
        line
    }

    #[inline(always)]
    fn number(&mut self, k: usize) -> &mut f64 {
        &mut self.halves[k / LANES][k % LANES]
    }

    #[inline(always)]
    fn get(&self, k: usize) -> f64 {
        self.halves[k / LANES][k % LANES]
    }

    /// The motion.
    #[inline(always)]
    pub fn twist(&self) -> Twist<D> {
        Twist { v: D::Vec::from_fn(|k| self.get(k)), w: D::Spin::from_fn(|k| self.get(Self::SPIN + k)) }
    }

    /// Changes the motion.
    #[inline(always)]
    pub fn set_twist(&mut self, twist: &Twist<D>) {
        (0..D::DIMENSION).for_each(|k| *self.number(k) = twist.v.get(k));
        (0..<D::Spin as Vector>::LEN).for_each(|k| *self.number(Self::SPIN + k) = twist.w.get(k));
    }

    /// One over the mass [1/kg], zero for an immovable body.
    #[inline(always)]
    pub fn inv_m(&self) -> f64 {
        self.get(Self::INV_M)
    }

    /// One over the moment of inertia [1/(kg m2)].
    #[inline(always)]
    pub fn inv_i(&self) -> f64 {
        self.get(Self::INV_I)
    }

    /// Changes the motion by an impulse and a torque, in the places of v and w, each times a factor.
    #[inline(always)]
    fn give<S: Lanes>(&mut self, lanes: S, load: [Four<S>; 2], [by_impulse, by_torque]: [f64; 2]) {
        let (inv_m, inv_i) = (by_impulse * self.inv_m(), by_torque * self.inv_i());
        for (half, load) in load.into_iter().enumerate().take(Self::MOVING) {
            let mobility: Row = std::array::from_fn(|k| if LANES * half + k < Self::SPIN { inv_m } else { inv_i });
            self.halves[half] = (load * Four::load(lanes, &mobility)).plus(&self.halves[half]).row();
        }
    }

    /// Moves the motion on by `beta` times its change since `before`, and remembers where it was.
    #[inline(always)]
    pub fn extrapolate<S: Lanes>(&mut self, before: &mut Line<D>, beta: Four<S>, lanes: S) {
        for (half, before) in self.halves.iter_mut().zip(&mut before.halves).take(Self::MOVING) {
            let (here, there) = (Four::load(lanes, half), Four::load(lanes, before));
            *before = *half;
            *half = (here + (here - there) * beta).row(); // 1/m and 1/I do not change: nothing is added to them
        }
    }
}

/// Reads four lines into lanes.
#[inline(always)]
pub fn gather<D: Dim, S: Lanes>(lanes: S, lines: &[Line<D>], at: &[u32; LANES]) -> FourBodies<D, S> {
    let four = at.map(|k| &lines[k as usize]);
    let low = Four::transpose(four.map(|line| Four::load(lanes, &line.halves[0])));
    let high = Four::transpose(four.map(|line| Four::load(lanes, &line.halves[1])));
    D::from_columns([low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]])
}

/// Adds to the motion of the bodies a and b of the first `count` lanes, lane by lane; a body may stand in several of them,
/// and which pairs share a group does not change the order in which its sums grow.
#[inline(always)]
pub fn add<D: Dim, S: Lanes>(
    [on_a, on_b]: [FourBodies<D, S>; 2],
    lines: &mut [Line<D>],
    [a, b]: [&[u32; LANES]; 2],
    count: usize,
) {
    let halves = |bodies: FourBodies<D, S>| {
        let [a, b, c, d, e, f, g, h] = D::columns(bodies);
        (Four::transpose([a, b, c, d]), Four::transpose([e, f, g, h]))
    };
    let ((low_a, high_a), (low_b, high_b)) = (halves(on_a), halves(on_b));
    for lane in 0..count {
        for (k, low, high) in [(a[lane], low_a[lane], high_a[lane]), (b[lane], low_b[lane], high_b[lane])] {
            let line = &mut lines[k as usize];
            line.halves[0] = (low.plus(&line.halves[0])).row();
            if Line::<D>::MOVING == 2 {
                line.halves[1] = (high.plus(&line.halves[1])).row();
            }
        }
    }
}

/// Applies impulses with their torques for a lever of 1 m to the bodies b, and their opposites to the bodies a. A body
/// that stands in several lanes must be immovable.
#[inline(always)]
pub fn push<D: Dim, S: Lanes>(
    lanes: S,
    lines: &mut [Line<D>],
    [a, b]: [&[u32; LANES]; 2],
    [lever_a, lever_b]: [&Row; 2],
    impulse: D::FourVecs<S>,
    torque: D::FourSpins<S>,
) {
    let nothing = Four::splat(lanes, 0.0);
    let [k, l, m, n, o, p, q, r] = D::columns(FourBodies { v: impulse, w: torque, inv_m: nothing, inv_i: nothing });
    let (low, high) = (Four::transpose([k, l, m, n]), Four::transpose([o, p, q, r]));
    for lane in 0..LANES {
        let load = [low[lane], high[lane]];
        lines[a[lane] as usize].give(lanes, load, [-1.0, -lever_a[lane]]);
        lines[b[lane] as usize].give(lanes, load, [1.0, -lever_b[lane]]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use crate::lane::{InLanes, in_lanes};

    struct Push<D: Dim>([Line<D>; 8], Row, Row);
    impl<D: Dim> InLanes for Push<D> {
        type Output = [Line<D>; 8];
        #[inline(always)]
        fn run<S: Lanes>(self, lanes: S) -> Self::Output {
            let Push(mut lines, impulse, torque) = self;
            let (a, b) = ([0, 1, 2, 3], [7, 6, 5, 4]);
            let all = [impulse, torque].map(|row| Four::load(lanes, &row));
            let columns: [Four<S>; 8] = std::array::from_fn(|k| if k < D::DIMENSION { all[0] } else { all[1] });
            let FourBodies { v, w, .. } = D::from_columns(columns);
            push::<D, S>(lanes, &mut lines, [&a, &b], [&[2.0; LANES], &[3.0; LANES]], v, w);
            lines
        }
    }

    fn a_push_changes_motion_and_nothing_else<D: Dim>() {
        let lines: [Line<D>; 8] = std::array::from_fn(|k| {
            let twist = Twist {
                v: D::Vec::from_fn(|axis| (10 * k + axis) as f64),
                w: D::Spin::from_fn(|axis| -((10 * k + axis) as f64)),
            };
            Line::new(&twist, &Inertia::isotropic(2.0, 4.0))
        });
        assert_eq!((lines[1].inv_m(), lines[1].inv_i()), (0.5, 0.25));
        let pushed = in_lanes(Push(lines, [2.0, 4.0, 6.0, 8.0], [4.0, 8.0, 12.0, 16.0]));
        for lane in 0..LANES {
            // r/m = lane + 1, l t/I = l (lane + 1)
            let change = (lane + 1) as f64;
            for (k, side, lever) in [(lane, -1.0, 2.0), (7 - lane, 1.0, 3.0)] {
                let (before, after) = (lines[k].twist(), pushed[k].twist());
                assert_eq!(after.v, before.v + D::Vec::from_fn(|_| side * change));
                assert_eq!(after.w, before.w - D::Spin::from_fn(|_| lever * change));
                assert_eq!((pushed[k].inv_m(), pushed[k].inv_i()), (0.5, 0.25));
            }
        }
        assert_eq!(std::mem::size_of::<Line<D>>(), 64);
    }

    #[test]
    fn a_line_is_a_cache_line_and_takes_a_push() {
        a_push_changes_motion_and_nothing_else::<D2>();
        a_push_changes_motion_and_nothing_else::<D3>();
    }
}
