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

    /// Moves the motion on by `beta` times its change since `before`, and remembers where it was.
    #[inline(always)]
    pub fn extrapolate<S: Lanes>(&mut self, before: &mut Line<D>, beta: Four<S>, lanes: S) {
        let moving = if D::MOTION_FILLS_LINE { 2 } else { 1 };
        for (half, before) in self.halves.iter_mut().zip(&mut before.halves).take(moving) {
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

/// Adds to the motion of the bodies in the first `count` lanes; a body may stand in several of them.
#[inline(always)]
pub fn add<D: Dim, S: Lanes>(bodies: FourBodies<D, S>, lines: &mut [Line<D>], at: &[u32; LANES], count: usize) {
    let [a, b, c, d, e, f, g, h] = D::columns(bodies);
    let low = Four::transpose([a, b, c, d]);
    let high = Four::transpose([e, f, g, h]);
    for (k, (low, high)) in at.iter().zip(low.into_iter().zip(high)).take(count) {
        let line = &mut lines[*k as usize];
        line.halves[0] = (low.plus(&line.halves[0])).row();
        if D::MOTION_FILLS_LINE {
            line.halves[1] = (high.plus(&line.halves[1])).row();
        }
    }
}

/// Writes the motion of four bodies back. A body that stands in several lanes must be immovable.
#[inline(always)]
pub fn scatter<D: Dim, S: Lanes>(bodies: FourBodies<D, S>, lines: &mut [Line<D>], at: &[u32; LANES]) {
    let [a, b, c, d, e, f, g, h] = D::columns(bodies);
    let low = Four::transpose([a, b, c, d]);
    let high = Four::transpose([e, f, g, h]);
    for (k, (low, high)) in at.iter().zip(low.into_iter().zip(high)) {
        let line = &mut lines[*k as usize];
        line.halves[0] = low.row();
        if D::MOTION_FILLS_LINE {
            line.halves[1] = high.row();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use crate::lane::{InLanes, in_lanes};

    struct Swap<D: Dim>([Line<D>; 4]);
    impl<D: Dim> InLanes for Swap<D> {
        type Output = [Line<D>; 4];
        #[inline(always)]
        fn run<S: Lanes>(self, lanes: S) -> Self::Output {
            let mut out = self.0;
            scatter(gather(lanes, &self.0, &[0, 1, 2, 3]), &mut out, &[3, 2, 1, 0]);
            out
        }
    }

    fn lines_keep_what_they_hold<D: Dim>() {
        let lines: [Line<D>; 4] = std::array::from_fn(|k| {
            let twist = Twist {
                v: D::Vec::from_fn(|axis| (10 * k + axis) as f64),
                w: D::Spin::from_fn(|axis| -((10 * k + axis) as f64)),
            };
            Line::new(&twist, &Inertia::isotropic(2.0, 4.0))
        });
        assert_eq!((lines[1].inv_m(), lines[1].inv_i()), (0.5, 0.25));
        let swapped = in_lanes(Swap(lines));
        for k in 0..4 {
            assert_eq!(swapped[k].twist(), lines[3 - k].twist());
            assert_eq!((swapped[k].inv_m(), swapped[k].inv_i()), (0.5, 0.25));
        }
        assert_eq!(std::mem::size_of::<Line<D>>(), 64);
    }

    #[test]
    fn a_line_is_a_cache_line_and_survives_the_lanes() {
        lines_keep_what_they_hold::<D2>();
        lines_keep_what_they_hold::<D3>();
    }
}
