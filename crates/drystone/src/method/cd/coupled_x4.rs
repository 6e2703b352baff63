//! Four contacts of one colour with full blocks of W, solved at once in lanes.
//!
//! Each stands in the frame of its normal and the two tangents along which S = W_tt - W_tn W_nt / W_nn is diagonal:
//! then sticking takes a quotient a tangent, and sliding one scalar equation, which all lanes solve together
//! ([`local`]).

mod local;
mod sweeps;

pub(crate) use sweeps::{ApplyCoupled, JudgeCoupled, SweepCoupled};

use super::coupled::CoupledContact;
use crate::dim::{Dim, Vector};
use crate::lane::MapInlined;
use crate::lane::{Four, FourVector, LANES, Lanes, NumberVector, Row};
use crate::method::common::solver_body::{SolverBody, apply_impulses_and_spins, gather};

/// Four contacts that share no movable body, with their impulses.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct CoupledContactX4<D: Dim> {
    /// Indices of the bodies a.
    pub a: [u32; LANES],
    /// Indices of the bodies b.
    pub b: [u32; LANES],
    /// Normals from a to b, then the tangents; the third vector is used in 3D only.
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
    /// beta of the last sliding solution, between 0 and 1, from which the next search starts; zero if there was none.
    beta: Row,
    /// Along the frame, as all that follow.
    bias: [Row; 3],
    impulse: [Row; 3],
    previous: [Row; 3],
}

impl<D: Dim> CoupledContactX4<D> {
    /// Number of tangents.
    const ACROSS: usize = D::DIMENSION - 1;

    /// Four empty lanes at an index that holds no body: open contacts.
    pub(crate) fn empty(nowhere: u32) -> CoupledContactX4<D> {
        let zeros = [[0.0; LANES]; 3];
        CoupledContactX4 {
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

    /// Puts a contact into a lane.
    pub(crate) fn set(&mut self, lane: usize, contact: &CoupledContact<D>) {
        let [a, b] = contact.bodies;
        (self.a[lane], self.b[lane]) = (a, b);
        let [[nn, n1, n2], [_, w_11, w_12], [_, _, w_22]] = contact.w;
        let (mut frame, mut w_nt, mut s) = (contact.frame, [n1, n2], [w_11 - n1 * n1 / nn, w_11 - n1 * n1 / nn]);
        if Self::ACROSS == 2 {
            let (s_12, s_22) = (w_12 - n1 * n2 / nn, w_22 - n2 * n2 / nn);
            let (cos, sin) = diagonal_frame(s[0], s_12, s_22);
            let [_, t1, t2] = contact.frame;
            (frame[1], frame[2]) = (t1 * cos + t2 * sin, t2 * cos - t1 * sin);
            w_nt = [n1 * cos + n2 * sin, n2 * cos - n1 * sin];
            let mixed = 2.0 * cos * sin * s_12;
            s = [s[0] * cos * cos + mixed + s_22 * sin * sin, s[0] * sin * sin - mixed + s_22 * cos * cos];
        }
        put_vectors::<D, 3>(&mut self.frame, lane, frame);
        put_vectors::<D, 2>(&mut self.arm, lane, contact.arm);
        for (rows, inv_i) in self.inv_i.iter_mut().zip(&contact.inv_i) {
            D::put_sym(rows, lane, inv_i);
        }
        (self.w_nn[lane], self.inv_nn[lane]) = (nn, 1.0 / nn);
        (0..2).for_each(|k| (self.w_nt[k][lane], self.s[k][lane]) = (w_nt[k], s[k]));
        (self.friction[lane], self.mass[lane], self.beta[lane]) = (contact.friction, contact.mass, 0.0);
        self.put(lane, |four| &mut four.bias, contact.bias);
        self.put(lane, |four| &mut four.impulse, contact.impulse);
        self.put(lane, |four| &mut four.previous, contact.previous);
    }

    /// The contact in a lane by itself, between these bodies.
    pub(crate) fn scalar(&self, lane: usize, index: usize, solver_bodies: &[SolverBody<D>]) -> CoupledContact<D> {
        let bodies = [self.a[lane], self.b[lane]];
        let (nn, [n1, n2]) = (self.w_nn[lane], self.w_nt.map_inlined(|row| row[lane]));
        let tangent = |k: usize, n: f64| self.s[k][lane] + n * n / nn;
        let cross = n1 * n2 / nn;
        CoupledContact {
            bodies,
            index: index as u32,
            frame: [0, 1, 2].map_inlined(|k| self.axis(k, lane)),
            arm: self.arm.each_ref().map_inlined(|rows| D::Vec::from_fn(|axis| rows.as_ref()[axis][lane])),
            image_velocity: D::Vec::ZERO,
            cell_coupling: None,
            inv_m_t: bodies.map_inlined(|body| solver_bodies[body as usize].inv_m()),
            guide: None,
            inv_i: self.inv_i.each_ref().map_inlined(|rows| D::get_sym(rows, lane)),
            w: [[nn, n1, n2], [n1, tangent(0, n1), cross], [n2, cross, tangent(1, n2)]],
            mass: self.mass[lane],
            friction: self.friction[lane],
            bias: self.vector(&self.bias, lane),
            impulse: self.impulse(lane),
            previous: self.previous(lane),
        }
    }

    /// Impulse of the contact in a lane [N s].
    pub(crate) fn impulse(&self, lane: usize) -> D::Vec {
        self.vector(&self.impulse, lane)
    }

    /// Impulse before the last sweep.
    pub(crate) fn previous(&self, lane: usize) -> D::Vec {
        self.vector(&self.previous, lane)
    }

    /// Changes the impulse of the contact in a lane, without momentum.
    pub(crate) fn set_impulse(&mut self, lane: usize, impulse: D::Vec) {
        self.put(lane, |four| &mut four.impulse, impulse);
        self.put(lane, |four| &mut four.previous, impulse);
    }

    /// Forgets the last change of the impulses: no momentum.
    pub(crate) fn drop_momentum(&mut self) {
        self.previous = self.impulse;
    }

    /// Appends the impulses of all lanes.
    pub(crate) fn read(&self, into: &mut Vec<f64>) {
        into.extend(self.impulse[..D::DIMENSION].iter().flatten());
    }

    /// Takes impulses in the order of [`CoupledContactX4::read`].
    pub(crate) fn write(&mut self, numbers: &mut impl Iterator<Item = f64>) {
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
        let along = [0, 1, 2].map_inlined(|k| self.axis(k, lane).dot(vector));
        rows(self).iter_mut().zip(along).for_each(|(row, number)| row[lane] = number);
    }

    /// The present impulses, moved on by `momentum` times their last change.
    #[inline(always)]
    fn start<S: Lanes>(&self, lanes: S, momentum: Four<S>) -> [Four<S>; 3] {
        let mut start = [Four::splat(lanes, 0.0); 3];
        for (k, start) in start.iter_mut().enumerate().take(D::DIMENSION) {
            let before = Four::load(lanes, &self.impulse[k]);
            *start = before + (before - Four::load(lanes, &self.previous[k])) * momentum;
        }
        start
    }

    /// Velocities of b relative to a along the frame, with the bias added.
    #[inline(always)]
    fn velocity<S: Lanes>(&self, lanes: S, solver_bodies: &[SolverBody<D>]) -> [Four<S>; 3] {
        let [arm_a, arm_b] = self.arms(lanes);
        let (a, b) = (gather(lanes, solver_bodies, &self.a), gather(lanes, solver_bodies, &self.b));
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
    fn apply<S: Lanes>(&self, lanes: S, along: [Four<S>; 3], solver_bodies: &mut [SolverBody<D>]) {
        let mut impulse = D::FourVecs::load(lanes, &self.frame[0]) * along[0];
        for (axis, along) in self.frame.iter().zip(along).take(D::DIMENSION).skip(1) {
            impulse = impulse + D::FourVecs::load(lanes, axis) * along;
        }
        let [arm_a, arm_b] = self.arms(lanes);
        let spin_a = D::four_spins(lanes, &self.inv_i[0], D::four_torques(arm_a, impulse));
        let spin_b = D::four_spins(lanes, &self.inv_i[1], D::four_torques(arm_b, impulse));
        apply_impulses_and_spins(lanes, solver_bodies, [&self.a, &self.b], impulse, [spin_a, spin_b]);
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

#[cfg(test)]
mod tests;
