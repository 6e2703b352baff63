//! Four contacts of one colour between round bodies, solved at once in lanes.
//!
//! These are the contacts that most grains have most of the time: Signorini and Coulomb, with a gap or a normal
//! restitution. All others are solved one at a time, as [`super::scalar_round::ScalarRound`].

use super::accelerate::Relaxation;
use super::residual::{Judged, Misfit, allowance, four_judged_by, lane_sum};
use super::scalar_round::{Load, ScalarRound};
use super::solve::Increment;
use crate::dim::{Dim, FourBodies, Vector};
use crate::lane::MapInlined;
use crate::lane::{Four, FourVector, InLanes, LANES, Lanes, NumberVector, Real, Row};
use crate::law::{LoadedContact, RoundContact, RoundImpulse, RoundLaw};
use crate::method::common::solver_body::{SolverBody, apply_impulses, gather};

/// Four contacts that share no movable body, with their impulses: 512 bytes in 3D, 416 in 2D.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct RoundContactX4<D: Dim> {
    /// Indices of the bodies a.
    pub a: [u32; LANES],
    /// Indices of the bodies b.
    pub b: [u32; LANES],
    normal: D::Rows,
    bias: Row,
    mass_n: Row,
    mass_t: Row,
    friction: Row,
    lever_a: Row,
    lever_b: Row,
    impulse: D::Rows,
    previous: D::Rows,
}

impl<D: Dim> RoundContactX4<D> {
    /// Four empty lanes at an index that holds no body.
    pub(crate) fn empty(nowhere: u32) -> RoundContactX4<D> {
        let mut normal = D::Rows::default();
        normal.as_mut()[0] = [1.0; LANES];
        RoundContactX4 {
            a: [nowhere; LANES],
            b: [nowhere; LANES],
            normal,
            bias: [0.0; LANES],
            mass_n: [0.0; LANES],
            mass_t: [0.0; LANES],
            friction: [0.0; LANES],
            lever_a: [0.0; LANES],
            lever_b: [0.0; LANES],
            impulse: D::Rows::default(),
            previous: D::Rows::default(),
        }
    }

    /// Puts a contact between two bodies into a lane.
    pub(crate) fn set(
        &mut self,
        lane: usize,
        [a, b]: [u32; 2],
        contact: &RoundContact<D>,
        lever: [f64; 2],
        impulse: D::Vec,
    ) {
        (self.a[lane], self.b[lane]) = (a, b);
        (self.bias[lane], self.friction[lane]) = (contact.bias, contact.friction);
        (self.mass_n[lane], self.mass_t[lane]) = (contact.mass_n, contact.mass_t);
        (self.lever_a[lane], self.lever_b[lane]) = (lever[0], lever[1]);
        (0..D::DIMENSION).for_each(|k| self.normal.as_mut()[k][lane] = contact.normal.get(k));
        self.set_impulse(lane, impulse);
    }

    /// The local problem in a lane.
    pub(crate) fn contact(&self, lane: usize) -> RoundContact<D> {
        RoundContact {
            normal: D::Vec::from_fn(|k| self.normal.as_ref()[k][lane]),
            bias: self.bias[lane],
            mass_n: self.mass_n[lane],
            mass_t: self.mass_t[lane],
            friction: self.friction[lane],
        }
    }

    /// The contact in a lane by itself, between these bodies.
    pub(crate) fn scalar(&self, lane: usize, index: usize, solver_bodies: &[SolverBody<D>]) -> ScalarRound<D> {
        let bodies = [self.a[lane], self.b[lane]];
        let load = Load { impulse: self.impulse(lane), torque: D::Spin::ZERO };
        ScalarRound {
            bodies,
            index: index as u32,
            local: self.contact(lane),
            lever: [self.lever_a[lane], self.lever_b[lane]],
            image_velocity: D::Vec::ZERO,
            cell_coupling: None,
            strain_coupling: None,
            inv_m_t: bodies.map_inlined(|body| solver_bodies[body as usize].inv_m()),
            drag: D::Vec::ZERO,
            slip_bias: D::Vec::ZERO,
            bond: None,
            rotational_friction: None,
            load,
            previous: load,
        }
    }

    /// Impulse of the contact in a lane [N s].
    pub(crate) fn impulse(&self, lane: usize) -> D::Vec {
        D::Vec::from_fn(|k| self.impulse.as_ref()[k][lane])
    }

    /// Changes the impulse of the contact in a lane, without momentum.
    pub(crate) fn set_impulse(&mut self, lane: usize, impulse: D::Vec) {
        (0..D::DIMENSION).for_each(|k| {
            self.impulse.as_mut()[k][lane] = impulse.get(k);
            self.previous.as_mut()[k][lane] = impulse.get(k);
        });
    }

    /// Impulse before the last sweep.
    pub(crate) fn previous(&self, lane: usize) -> D::Vec {
        D::Vec::from_fn(|k| self.previous.as_ref()[k][lane])
    }

    /// Appends the impulses of all lanes.
    pub(crate) fn read(&self, into: &mut Vec<f64>) {
        into.extend_from_slice(self.impulse.as_ref().as_flattened());
    }

    /// Takes impulses in the order of [`RoundContactX4::read`].
    pub(crate) fn write(&mut self, numbers: &mut impl Iterator<Item = f64>) {
        self.impulse.as_mut().iter_mut().flatten().zip(numbers).for_each(|(impulse, number)| *impulse = number);
    }

    /// Forgets the last change of the impulses: no momentum.
    pub(crate) fn drop_momentum(&mut self) {
        self.previous = self.impulse;
    }

    /// The laws of the four contacts.
    #[inline(always)]
    fn law<S: Lanes>(&self, lanes: S) -> RoundLaw<D::FourVecs<S>> {
        RoundLaw {
            normal: D::FourVecs::load(lanes, &self.normal),
            bias: Four::load(lanes, &self.bias),
            mass_n: Four::load(lanes, &self.mass_n),
            mass_t: Four::load(lanes, &self.mass_t),
            friction: Four::load(lanes, &self.friction),
        }
    }

    /// Applies impulses to the bodies b and their negatives to a: V += M^-1 H r.
    #[inline(always)]
    fn apply<S: Lanes>(&self, lanes: S, impulse: D::FourVecs<S>, solver_bodies: &mut [SolverBody<D>]) {
        let torque = D::four_torques(D::FourVecs::load(lanes, &self.normal), impulse);
        apply_impulses(lanes, solver_bodies, [&self.a, &self.b], [&self.lever_a, &self.lever_b], impulse, torque);
    }
}

/// The bodies of four contacts in registers.
struct LoadedBodies<D: Dim, S: Lanes> {
    normal: D::FourVecs<S>,
    lever: [Four<S>; 2],
    bodies: [FourBodies<D, S>; 2],
}

impl<D: Dim, S: Lanes> LoadedBodies<D, S> {
    #[inline(always)]
    fn new(lanes: S, four: &RoundContactX4<D>, solver_bodies: &[SolverBody<D>]) -> Self {
        LoadedBodies {
            normal: D::FourVecs::load(lanes, &four.normal),
            lever: [Four::load(lanes, &four.lever_a), Four::load(lanes, &four.lever_b)],
            bodies: [gather(lanes, solver_bodies, &four.a), gather(lanes, solver_bodies, &four.b)],
        }
    }

    /// Velocity of b relative to a at the contact: v_b - v_a - (l_a w_a + l_b w_b) x n.
    #[inline(always)]
    fn velocity(&self) -> D::FourVecs<S> {
        let ([a, b], [la, lb]) = (&self.bodies, self.lever);
        b.v - a.v - D::four_swings(a.w * la + b.w * lb, self.normal)
    }
}

/// Local solutions of four contacts in progress, in memory between the stages of [`RoundLaw::impulse`].
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct RoundTrial<D: Dim> {
    start: D::Rows,
    r_n: Row,
    r_t: D::SpinRows,
    limit: Row,
}

impl<D: Dim> RoundTrial<D> {
    /// First stage: the impulses that would bring the contacts to rest, starting from the present ones moved on by
    /// `momentum` times their last change.
    #[inline(always)]
    fn new<S: Lanes>(
        lanes: S,
        four: &RoundContactX4<D>,
        solver_bodies: &[SolverBody<D>],
        momentum: Four<S>,
    ) -> RoundTrial<D> {
        let loaded = LoadedBodies::<D, S>::new(lanes, four, solver_bodies);
        let before = D::FourVecs::load(lanes, &four.impulse);
        let start = before + (before - D::FourVecs::load(lanes, &four.previous)) * momentum;
        let RoundImpulse { r_n, r_t, limit } = four.law(lanes).at_rest(start, loaded.velocity());
        RoundTrial { start: start.rows(), r_n: r_n.row(), r_t: r_t.rows(), limit: limit.row() }
    }

    #[inline(always)]
    fn load<S: Lanes>(&self, lanes: S) -> RoundImpulse<D::FourVecs<S>> {
        let [r_n, limit] = [&self.r_n, &self.limit].map_inlined(|row| Four::load(lanes, row));
        RoundImpulse { r_n, r_t: D::FourSpins::load(lanes, &self.r_t), limit }
    }

    /// Second stage: Coulomb's bound on the tangential part.
    #[inline(always)]
    fn bound<S: Lanes>(&mut self, lanes: S) {
        self.r_t = self.load(lanes).bounded().r_t.rows();
    }

    /// Third stage: change from the start to the local solution.
    #[inline(always)]
    fn change<S: Lanes>(&self, lanes: S, four: &RoundContactX4<D>) -> D::FourVecs<S> {
        let [normal, start] = [&four.normal, &self.start].map_inlined(|rows| D::FourVecs::load(lanes, rows));
        self.load(lanes).vector(normal) - start
    }
}

/// Most fours of one colour that are solved together. They are independent of each other, so each stage of the solution
/// is done for all of them before the next one begins: the processor works on all at once and hardly waits within a
/// stage.
pub(crate) const BATCH: usize = 8;

/// One sweep over fours; the bodies are those of their subdomain.
pub(crate) struct SweepRound<'a, D: Dim> {
    /// The fours.
    pub fours: &'a mut [RoundContactX4<D>],
    /// How many of them are solved together, batch after batch.
    pub batches: &'a [u8],
    /// The bodies that their indices refer to.
    pub solver_bodies: &'a mut [SolverBody<D>],
    /// How the sweep starts and how far it goes.
    pub relaxation: Relaxation,
}

impl<D: Dim> InLanes for SweepRound<'_, D> {
    type Output = Increment;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Increment {
        let [momentum, factor, zero] =
            [self.relaxation.momentum, self.relaxation.factor, 0.0].map_inlined(|x| Four::splat(lanes, x));
        let (mut squared, mut along) = (zero, zero);
        let (mut rest, mut trials) = (self.fours, [RoundTrial::<D>::default(); BATCH]);
        for count in self.batches {
            let (batch, after) = std::mem::take(&mut rest).split_at_mut(usize::from(*count));
            rest = after;
            for (four, trial) in batch.iter().zip(&mut trials) {
                *trial = RoundTrial::new(lanes, four, self.solver_bodies, momentum);
            }
            trials.iter_mut().take(batch.len()).for_each(|trial| trial.bound(lanes));
            for (four, trial) in batch.iter_mut().zip(&trials) {
                let change = trial.change(lanes, four) * factor;
                let before = D::FourVecs::<S>::load(lanes, &four.impulse);
                let new = D::FourVecs::load(lanes, &trial.start) + change;
                four.previous = before.rows();
                four.impulse = new.rows();
                squared = squared + change.dot(change);
                along = along + change.dot(new - before);
                four.apply(lanes, change, self.solver_bodies);
            }
        }
        Increment { squared: lane_sum(squared), along: lane_sum(along) }
    }
}

/// V += M^-1 H r for all fours.
pub(crate) struct ApplyRound<'a, D: Dim> {
    /// The fours.
    pub fours: &'a [RoundContactX4<D>],
    /// The bodies that their indices refer to.
    pub solver_bodies: &'a mut [SolverBody<D>],
}

impl<D: Dim> InLanes for ApplyRound<'_, D> {
    type Output = ();
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) {
        for four in self.fours {
            four.apply(lanes, D::FourVecs::load(lanes, &four.impulse), self.solver_bodies);
        }
    }
}

/// The residual of the fours: see [`super::residual`].
pub(crate) struct JudgeRound<'a, D: Dim> {
    /// The fours.
    pub fours: &'a [RoundContactX4<D>],
    /// The bodies that their indices refer to.
    pub solver_bodies: &'a [SolverBody<D>],
    /// One over the squares of the reference speeds of the bodies [s2/m2].
    pub judged_by: &'a [f64],
}

impl<D: Dim> InLanes for JudgeRound<'_, D> {
    type Output = Misfit;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Self::Output {
        let zero = Four::splat(lanes, 0.0);
        let (mut sums, mut states) = (Misfit::none(zero), [ContactState::<D>::default(); BATCH]);
        for batch in self.fours.chunks(BATCH) {
            for (four, state) in batch.iter().zip(&mut states) {
                *state = ContactState::new(lanes, four, self.solver_bodies);
            }
            for (four, state) in batch.iter().zip(&states) {
                let mass_t = Four::load(lanes, &four.mass_t);
                sums.add(Judged {
                    distance: state.loaded(lanes, four).natural_map().squared(),
                    allowance: allowance(mass_t, Four::load(lanes, &state.speed_squared)),
                    size: Four::load(lanes, &state.size),
                    weight: mass_t.choose_greater(zero, zero.one() / mass_t, zero), // empty lanes have no mass
                    inverse_square: four_judged_by(lanes, self.judged_by, [&four.a, &four.b]),
                });
            }
        }
        sums.sum()
    }
}

/// Velocities and impulses of four contacts. As in a sweep, all contacts of a batch are loaded before the residual of
/// the first is computed: the roots and quotients that follow then do not wait for each other.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct ContactState<D: Dim> {
    u_n: Row,
    u_t: D::SpinRows,
    r_n: Row,
    r_t: D::SpinRows,
    size: Row,
    speed_squared: Row,
}

impl<D: Dim> ContactState<D> {
    #[inline(always)]
    fn new<S: Lanes>(lanes: S, four: &RoundContactX4<D>, solver_bodies: &[SolverBody<D>]) -> ContactState<D> {
        let bodies = LoadedBodies::<D, S>::new(lanes, four, solver_bodies);
        let (law, r) = (four.law(lanes), D::FourVecs::load(lanes, &four.impulse));
        let LoadedContact { u_n, u_t, r_n, r_t, .. } = law.loaded(r, bodies.velocity());
        let ([a, b], [la, lb]) = (&bodies.bodies, bodies.lever);
        let speed_squared =
            a.v.dot(a.v) + b.v.dot(b.v) + la * la * a.w.dot(a.w) + lb * lb * b.w.dot(b.w) + law.bias * law.bias;
        ContactState {
            u_n: u_n.row(),
            u_t: u_t.rows(),
            r_n: r_n.row(),
            r_t: r_t.rows(),
            size: r.dot(r).row(),
            speed_squared: speed_squared.row(),
        }
    }

    /// The contacts in the form that the natural map takes.
    #[inline(always)]
    fn loaded<S: Lanes>(&self, lanes: S, four: &RoundContactX4<D>) -> LoadedContact<D::FourSpins<S>> {
        let [mass, friction, u_n, r_n] =
            [&four.mass_t, &four.friction, &self.u_n, &self.r_n].map_inlined(|row| Four::load(lanes, row));
        let [u_t, r_t] = [&self.u_t, &self.r_t].map_inlined(|rows| D::FourSpins::<S>::load(lanes, rows));
        LoadedContact { mass, friction, u_n, u_t, r_n, r_t }
    }
}

#[cfg(test)]
mod tests;
