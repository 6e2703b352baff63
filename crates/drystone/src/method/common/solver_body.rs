//! A body as solvers read it: velocity and inverse inertia, in one cache line.

use std::marker::PhantomData;

use crate::body::{Inertia, Twist};
use crate::dim::{Dim, FourBodies, Vector};
use crate::lane::MapInlined;
use crate::lane::{Four, LANES, Lanes, Row, each_lane};

/// Twist and inverse inertia of a body: eight numbers, 64 bytes.
///
/// In the plane v, w, 0 and 1/m, 1/m, 1/I, 0: below each component of the twist is its inverse inertia. In space v, 1/m
/// and w, 1/I.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct SolverBody<D: Dim> {
    halves: [Row; 2],
    dimension: PhantomData<D>,
}

impl<D: Dim> Default for SolverBody<D> {
    /// At rest, and immovable.
    #[inline(always)]
    fn default() -> SolverBody<D> {
        SolverBody { halves: [[0.0; LANES]; 2], dimension: PhantomData }
    }
}

impl<D: Dim> SolverBody<D> {
    const IN_PLANE: bool = D::DIMENSION == 2;
    const SPIN: usize = if Self::IN_PLANE { 2 } else { 4 };
    const INV_M: usize = if Self::IN_PLANE { 4 } else { 3 };
    const INV_I: usize = if Self::IN_PLANE { 6 } else { 7 };
    /// Number of halves that hold components of the twist.
    const MOVING: usize = if Self::IN_PLANE { 1 } else { 2 };

    /// A body with this twist.
    pub fn new(twist: &Twist<D>, inertia: &Inertia<D>) -> SolverBody<D> {
        SolverBody::of(twist, inertia.inv_m, inertia.round_inv_i())
    }

    /// The same, from its inverse mass [1/kg] and inverse moment of inertia [1/(kg m2)].
    #[inline(always)]
    pub fn of(twist: &Twist<D>, inv_m: f64, inv_i: f64) -> SolverBody<D> {
        let mut solver_body = SolverBody::default();
        solver_body.set_twist(twist);
        *solver_body.number(Self::INV_M) = inv_m;
        if Self::IN_PLANE {
            *solver_body.number(Self::INV_M + 1) = inv_m;
        }
        *solver_body.number(Self::INV_I) = inv_i;
        solver_body
    }

    #[inline(always)]
    fn number(&mut self, k: usize) -> &mut f64 {
        &mut self.halves[k / LANES][k % LANES]
    }

    #[inline(always)]
    fn get(&self, k: usize) -> f64 {
        self.halves[k / LANES][k % LANES]
    }

    /// The twist.
    #[inline(always)]
    pub fn twist(&self) -> Twist<D> {
        Twist { v: D::Vec::from_fn(|k| self.get(k)), w: D::Spin::from_fn(|k| self.get(Self::SPIN + k)) }
    }

    /// Sets the twist.
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

    /// Kinetic energy of a body [J], as if it were round; zero for an immovable one.
    pub fn kinetic_energy(&self) -> f64 {
        let Twist { v, w } = self.twist();
        let part = |squared: f64, inverse: f64| if inverse > 0.0 { 0.5 * squared / inverse } else { 0.0 };
        part(v.norm_squared(), self.inv_m()) + part(w.norm_squared(), self.inv_i())
    }

    /// In the plane: the inverse inertia by which impulse and torque are multiplied.
    #[inline(always)]
    fn masses<S: Lanes>(&self, lanes: S) -> Four<S> {
        let inv_m = self.halves[1][0];
        Four::load(lanes, &[inv_m, inv_m, 1.0, 0.0])
    }

    /// In the plane: applies an impulse and a torque.
    #[inline(always)]
    fn gain_2d<S: Lanes>(&mut self, lanes: S, load: Four<S>) {
        let mobility = Four::load(lanes, &self.halves[1]);
        self.halves[0] = (load * mobility).plus(&self.halves[0]).row();
    }

    /// In the plane: applies the opposites of an impulse and a torque.
    #[inline(always)]
    fn lose_2d<S: Lanes>(&mut self, lanes: S, load: Four<S>) {
        let mobility = Four::load(lanes, &self.halves[1]);
        self.halves[0] = (load * mobility).minus_from(&self.halves[0]).row();
    }

    /// In space: applies an impulse and the opposite of a torque.
    #[inline(always)]
    fn gain_3d<S: Lanes>(&mut self, lanes: S, impulse: Four<S>, torque: Four<S>) {
        let [v, w] = &mut self.halves;
        *v = (impulse * Four::splat(lanes, v[LANES - 1])).plus(v).row();
        *w = (torque * Four::splat(lanes, w[LANES - 1])).minus_from(w).row();
    }

    /// In space: applies the opposites of an impulse and a torque.
    #[inline(always)]
    fn lose_3d<S: Lanes>(&mut self, lanes: S, impulse: Four<S>, torque: Four<S>) {
        let [v, w] = &mut self.halves;
        *v = (impulse * Four::splat(lanes, v[LANES - 1])).minus_from(v).row();
        *w = (torque * Four::splat(lanes, w[LANES - 1])).minus_from(w).row();
    }

    /// Extrapolates the twist by `momentum` times its change since `before`, and stores the old one there.
    #[inline(always)]
    pub fn extrapolate<S: Lanes>(&mut self, before: &mut SolverBody<D>, momentum: Four<S>, lanes: S) {
        for (half, before) in self.halves.iter_mut().zip(&mut before.halves).take(Self::MOVING) {
            let (here, there) = (Four::load(lanes, half), Four::load(lanes, before));
            *before = *half;
            *half = (here + (here - there) * momentum).row(); // 1/m and 1/I do not change: nothing is added to them
        }
    }
}

/// Reads four bodies into lanes.
#[inline(always)]
pub(crate) fn gather<D: Dim, S: Lanes>(
    lanes: S,
    solver_bodies: &[SolverBody<D>],
    at: &[u32; LANES],
) -> FourBodies<D, S> {
    let four = at.map_inlined(|k| &solver_bodies[k as usize]);
    let low = Four::transpose(four.map_inlined(|solver_body| Four::load(lanes, &solver_body.halves[0])));
    let high = Four::transpose(four.map_inlined(|solver_body| Four::load(lanes, &solver_body.halves[1])));
    D::from_columns([low, high])
}

/// Adds forces and torques to the bodies b of the first `count` lanes, and subtracts others from the bodies a, lane by
/// lane. A body may be in several lanes; how pairs are grouped into fours does not change the order of its sums.
#[inline(always)]
pub(crate) fn add<D: Dim, S: Lanes>(
    [(force_a, torque_a), (force_b, torque_b)]: [(D::FourVecs<S>, D::FourSpins<S>); 2],
    solver_bodies: &mut [SolverBody<D>],
    [a, b]: [&[u32; LANES]; 2],
    count: usize,
) {
    let ([low_a, high_a], [low_b, high_b]) = (D::columns(force_a, torque_a), D::columns(force_b, torque_b));
    let (low_a, low_b) = (Four::transpose(low_a), Four::transpose(low_b));
    let (high_a, high_b) = (Four::transpose(high_a), Four::transpose(high_b));
    each_lane(count, |lane| {
        let loser = &mut solver_bodies[a[lane] as usize].halves;
        loser[0] = low_a[lane].minus_from(&loser[0]).row();
        if SolverBody::<D>::MOVING == 2 {
            loser[1] = high_a[lane].minus_from(&loser[1]).row();
        }
        let winner = &mut solver_bodies[b[lane] as usize].halves;
        winner[0] = low_b[lane].plus(&winner[0]).row();
        if SolverBody::<D>::MOVING == 2 {
            winner[1] = high_b[lane].plus(&winner[1]).row();
        }
    });
}

/// Applies impulses with their torques for a lever of 1 m to the bodies b, and their opposites to the bodies a. A body
/// that is in several lanes must be immovable.
#[inline(always)]
pub(crate) fn apply_impulses<D: Dim, S: Lanes>(
    lanes: S,
    solver_bodies: &mut [SolverBody<D>],
    [a, b]: [&[u32; LANES]; 2],
    levers: [&Row; 2],
    impulse: D::FourVecs<S>,
    torque: D::FourSpins<S>,
) {
    let (onto_a, onto_b) = (torque * Four::load(lanes, levers[0]), torque * Four::load(lanes, levers[1]));
    let (onto_a, onto_b) = (D::columns(impulse, onto_a), D::columns(impulse, onto_b));
    if SolverBody::<D>::IN_PLANE {
        let ([[x, y, onto_a, _], _], [[_, _, onto_b, _], _]) = (onto_a, onto_b);
        // one row per contact serves both bodies: the last component of a body is not changed
        let rows = Four::transpose([x, y, onto_a, -onto_b]);
        for lane in 0..LANES {
            solver_bodies[a[lane] as usize].lose_2d(lanes, rows[lane]);
            solver_bodies[b[lane] as usize].gain_2d(lanes, rows[lane].swap_last());
        }
    } else {
        let ([impulses, onto_a], [_, onto_b]) = (onto_a, onto_b);
        let (impulses, onto_a, onto_b) = (Four::transpose(impulses), Four::transpose(onto_a), Four::transpose(onto_b));
        for lane in 0..LANES {
            solver_bodies[a[lane] as usize].lose_3d(lanes, impulses[lane], onto_a[lane]);
            solver_bodies[b[lane] as usize].gain_3d(lanes, impulses[lane], onto_b[lane]);
        }
    }
}

/// Applies impulses to the bodies b and their opposites to the bodies a, with the changes of spin that they make. A
/// body that is in several lanes must be immovable.
#[inline(always)]
pub(crate) fn apply_impulses_and_spins<D: Dim, S: Lanes>(
    lanes: S,
    solver_bodies: &mut [SolverBody<D>],
    [a, b]: [&[u32; LANES]; 2],
    impulse: D::FourVecs<S>,
    [spin_a, spin_b]: [D::FourSpins<S>; 2],
) {
    let ([low_a, high_a], [low_b, high_b]) = (D::columns(impulse, spin_a), D::columns(impulse, spin_b));
    let (low_a, low_b) = (Four::transpose(low_a), Four::transpose(low_b));
    if SolverBody::<D>::IN_PLANE {
        for lane in 0..LANES {
            let loser = &mut solver_bodies[a[lane] as usize];
            loser.halves[0] = (low_a[lane] * loser.masses(lanes)).minus_from(&loser.halves[0]).row();
            let winner = &mut solver_bodies[b[lane] as usize];
            winner.halves[0] = (low_b[lane] * winner.masses(lanes)).plus(&winner.halves[0]).row();
        }
        return;
    }
    let (high_a, high_b) = (Four::transpose(high_a), Four::transpose(high_b));
    for lane in 0..LANES {
        let [v, w] = &mut solver_bodies[a[lane] as usize].halves;
        *v = (low_a[lane] * Four::splat(lanes, v[LANES - 1])).minus_from(v).row();
        *w = high_a[lane].minus_from(w).row();
        let [v, w] = &mut solver_bodies[b[lane] as usize].halves;
        *v = (low_b[lane] * Four::splat(lanes, v[LANES - 1])).plus(v).row();
        *w = high_b[lane].plus(w).row();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use crate::lane::{InLanes, in_lanes};

    struct Push<D: Dim>([SolverBody<D>; 8], Row, Row);
    impl<D: Dim> InLanes for Push<D> {
        type Output = [SolverBody<D>; 8];
        #[inline(always)]
        fn run<S: Lanes>(self, lanes: S) -> Self::Output {
            let Push(mut solver_bodies, impulse, torque) = self;
            let (a, b) = ([0, 1, 2, 3], [7, 6, 5, 4]);
            let all = [impulse, torque].map(|row| Four::load(lanes, &row));
            let [r, t] = all;
            let columns = if D::DIMENSION == 2 { [[r, r, t, t]; 2] } else { [[r; 4], [t; 4]] };
            let FourBodies { v, w, .. } = D::from_columns(columns);
            apply_impulses::<D, S>(lanes, &mut solver_bodies, [&a, &b], [&[2.0; LANES], &[3.0; LANES]], v, w);
            solver_bodies
        }
    }

    fn a_push_changes_motion_and_nothing_else<D: Dim>() {
        let solver_bodies: [SolverBody<D>; 8] = std::array::from_fn(|k| {
            let twist = Twist {
                v: D::Vec::from_fn(|axis| (10 * k + axis) as f64),
                w: D::Spin::from_fn(|axis| -((10 * k + axis) as f64)),
            };
            SolverBody::new(&twist, &Inertia::isotropic(2.0, 4.0))
        });
        assert_eq!((solver_bodies[1].inv_m(), solver_bodies[1].inv_i()), (0.5, 0.25));
        let pushed = in_lanes(Push(solver_bodies, [2.0, 4.0, 6.0, 8.0], [4.0, 8.0, 12.0, 16.0]));
        for lane in 0..LANES {
            // r/m = lane + 1, l t/I = l (lane + 1)
            let change = (lane + 1) as f64;
            for (k, side, lever) in [(lane, -1.0, 2.0), (7 - lane, 1.0, 3.0)] {
                let (before, after) = (solver_bodies[k].twist(), pushed[k].twist());
                assert_eq!(after.v, before.v + D::Vec::from_fn(|_| side * change));
                assert_eq!(after.w, before.w - D::Spin::from_fn(|_| lever * change));
                assert_eq!((pushed[k].inv_m(), pushed[k].inv_i()), (0.5, 0.25));
            }
        }
        assert_eq!(std::mem::size_of::<SolverBody<D>>(), 64);
    }

    #[test]
    fn a_solver_body_is_a_cache_line_and_takes_a_push() {
        a_push_changes_motion_and_nothing_else::<D2>();
        a_push_changes_motion_and_nothing_else::<D3>();
    }
}
