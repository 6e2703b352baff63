//! A group: four contacts of one colour between round bodies, solved at once in lanes.
//!
//! These are the contacts that most grains have most of the time: Signorini and Coulomb, with a gap or a normal
//! restitution. All others are solved one at a time, as [`super::single::Single`].

use super::accelerate::Push;
use super::line::{Line, gather, push};
use super::single::{Load, Single};
use super::sweep::Increment;
use crate::dim::{Dim, FourBodies, Vector};
use crate::lane::{Four, FourVector, InLanes, LANES, Lanes, Row};
use crate::law::RoundContact;

/// Four contacts that share no movable body, with their impulses: 512 bytes in 3D, 416 in 2D.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Group<D: Dim> {
    /// Lines of the bodies a.
    pub a: [u32; LANES],
    /// Lines of the bodies b.
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

impl<D: Dim> Group<D> {
    /// Four empty lanes at a line that holds no body.
    pub fn empty(nowhere: u32) -> Group<D> {
        let mut normal = D::Rows::default();
        normal.as_mut()[0] = [1.0; LANES];
        Group {
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

    /// Puts a contact between two lines into a lane.
    pub fn set(&mut self, lane: usize, [a, b]: [u32; 2], contact: &RoundContact<D>, lever: [f64; 2], impulse: D::Vec) {
        (self.a[lane], self.b[lane]) = (a, b);
        (self.bias[lane], self.friction[lane]) = (contact.bias, contact.friction);
        (self.mass_n[lane], self.mass_t[lane]) = (contact.mass_n, contact.mass_t);
        (self.lever_a[lane], self.lever_b[lane]) = (lever[0], lever[1]);
        (0..D::DIMENSION).for_each(|k| self.normal.as_mut()[k][lane] = contact.normal.get(k));
        self.set_impulse(lane, impulse);
    }

    /// The local problem in a lane.
    pub fn contact(&self, lane: usize) -> RoundContact<D> {
        RoundContact {
            normal: D::Vec::from_fn(|k| self.normal.as_ref()[k][lane]),
            bias: self.bias[lane],
            mass_n: self.mass_n[lane],
            mass_t: self.mass_t[lane],
            friction: self.friction[lane],
        }
    }

    /// The contact in a lane by itself, between bodies of these lines.
    pub fn single(&self, lane: usize, index: usize, lines: &[Line<D>]) -> Single<D> {
        let bodies = [self.a[lane], self.b[lane]];
        let load = Load { impulse: self.impulse(lane), torque: D::Spin::ZERO };
        Single {
            bodies,
            index: index as u32,
            contact: self.contact(lane),
            lever: [self.lever_a[lane], self.lever_b[lane]],
            jump: D::Vec::ZERO,
            stretch: None,
            inv_m_t: bodies.map(|body| lines[body as usize].inv_m()),
            drag: D::Vec::ZERO,
            slip_bias: D::Vec::ZERO,
            bond: None,
            turning: None,
            load,
            previous: load,
        }
    }

    /// Impulse of the contact in a lane [N s].
    pub fn impulse(&self, lane: usize) -> D::Vec {
        D::Vec::from_fn(|k| self.impulse.as_ref()[k][lane])
    }

    /// Changes the impulse of the contact in a lane, without momentum.
    pub fn set_impulse(&mut self, lane: usize, impulse: D::Vec) {
        (0..D::DIMENSION).for_each(|k| {
            self.impulse.as_mut()[k][lane] = impulse.get(k);
            self.previous.as_mut()[k][lane] = impulse.get(k);
        });
    }

    /// Impulse before the last sweep.
    pub fn previous(&self, lane: usize) -> D::Vec {
        D::Vec::from_fn(|k| self.previous.as_ref()[k][lane])
    }

    /// Appends the impulses of all lanes.
    pub fn read(&self, into: &mut Vec<f64>) {
        into.extend_from_slice(self.impulse.as_ref().as_flattened());
    }

    /// Takes impulses in the order of [`Group::read`].
    pub fn write(&mut self, numbers: &mut impl Iterator<Item = f64>) {
        self.impulse.as_mut().iter_mut().flatten().zip(numbers).for_each(|(impulse, number)| *impulse = number);
    }

    /// Forgets the last change of the impulses: no momentum.
    pub fn halt(&mut self) {
        self.previous = self.impulse;
    }

    /// Applies impulses to the bodies b and their negatives to a: V += M^-1 H r.
    #[inline(always)]
    fn push<S: Lanes>(&self, lanes: S, impulse: D::FourVecs<S>, lines: &mut [Line<D>]) {
        let torque = D::four_torques(D::FourVecs::load(lanes, &self.normal), impulse);
        push(lanes, lines, [&self.a, &self.b], [&self.lever_a, &self.lever_b], impulse, torque);
    }
}

/// A group in registers, with its bodies.
struct Loaded<D: Dim, S: Lanes> {
    normal: D::FourVecs<S>,
    lever: [Four<S>; 2],
    bodies: [FourBodies<D, S>; 2],
}

impl<D: Dim, S: Lanes> Loaded<D, S> {
    #[inline(always)]
    fn new(lanes: S, group: &Group<D>, lines: &[Line<D>]) -> Self {
        Loaded {
            normal: D::FourVecs::load(lanes, &group.normal),
            lever: [Four::load(lanes, &group.lever_a), Four::load(lanes, &group.lever_b)],
            bodies: [gather(lanes, lines, &group.a), gather(lanes, lines, &group.b)],
        }
    }

    /// Velocity of b relative to a at the contact: v_b - v_a - (l_a w_a + l_b w_b) x n.
    #[inline(always)]
    fn velocity(&self) -> D::FourVecs<S> {
        let ([a, b], [la, lb]) = (&self.bodies, self.lever);
        b.v - a.v - D::four_swings(a.w * la + b.w * lb, self.normal)
    }
}

/// Local solutions of four contacts on their way: [Brendel eq. 1.30] in [`RoundContact::impulse`].
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct Trial<D: Dim> {
    start: D::Rows,
    r_n: Row,
    r_t: D::SpinRows,
    limit: Row,
}

impl<D: Dim> Trial<D> {
    /// The impulses that would bring the contacts to rest, from those of now moved on by `beta` of their last change.
    #[inline(always)]
    fn new<S: Lanes>(lanes: S, group: &Group<D>, lines: &[Line<D>], beta: Four<S>) -> Trial<D> {
        let loaded = Loaded::<D, S>::new(lanes, group, lines);
        let [bias, mass_n, mass_t, friction] =
            [&group.bias, &group.mass_n, &group.mass_t, &group.friction].map(|row| Four::load(lanes, row));
        let (normal, u) = (loaded.normal, loaded.velocity());
        let before = D::FourVecs::load(lanes, &group.impulse);
        let start = before + (before - D::FourVecs::load(lanes, &group.previous)) * beta;
        let (u_n, start_n) = (u.dot(normal), start.dot(normal));
        let r_n = (start_n - mass_n * (u_n + bias)).max(Four::splat(lanes, 0.0)); // 1.24, 1.27
        let stick = D::four_across(normal, start - u * mass_t, start_n - u_n * mass_t); // 1.27, tangential part
        let limit = friction * r_n;
        Trial { start: start.rows(), r_n: r_n.row(), r_t: stick.rows(), limit: limit.row() }
    }

    /// Coulomb's bound on the tangential part.
    #[inline(always)]
    fn bound<S: Lanes>(&mut self, lanes: S) {
        let stick = D::FourSpins::<S>::load(lanes, &self.r_t);
        self.r_t = D::four_bounded(stick, Four::load(lanes, &self.limit)).rows(); // 1.29
    }

    /// Change from the start to the local solution.
    #[inline(always)]
    fn change<S: Lanes>(&self, lanes: S, group: &Group<D>) -> D::FourVecs<S> {
        let (r_n, r_t) = (Four::load(lanes, &self.r_n), D::FourSpins::<S>::load(lanes, &self.r_t));
        let [normal, start] = [&group.normal, &self.start].map(|rows| D::FourVecs::load(lanes, rows));
        normal * r_n + D::four_from_across(normal, r_t) - start
    }
}

/// Groups of one colour that are solved together, at most. None of them waits for another, so the processor can work
/// on all at once: each stage of the solution is done for all groups before the next, with short waits in a stage.
pub const BATCH: usize = 8;

/// One sweep over groups; the lines are those of their unit.
pub struct Sweep<'a, D: Dim> {
    /// The groups.
    pub groups: &'a mut [Group<D>],
    /// How many of them are solved together, batch after batch.
    pub batches: &'a [u8],
    /// The lines that their indices count in.
    pub lines: &'a mut [Line<D>],
    /// How far impulses are pushed on first, and how far they go.
    pub push: Push,
}

impl<D: Dim> InLanes for Sweep<'_, D> {
    type Output = Increment;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Increment {
        let [beta, stride, zero] = [self.push.beta, self.push.stride, 0.0].map(|x| Four::splat(lanes, x));
        let (mut squared, mut along) = (zero, zero);
        let (mut rest, mut trials) = (self.groups, [Trial::<D>::default(); BATCH]);
        for count in self.batches {
            let (batch, after) = std::mem::take(&mut rest).split_at_mut(usize::from(*count));
            rest = after;
            for (group, trial) in batch.iter().zip(&mut trials) {
                *trial = Trial::new(lanes, group, self.lines, beta);
            }
            trials.iter_mut().take(batch.len()).for_each(|trial| trial.bound(lanes));
            for (group, trial) in batch.iter_mut().zip(&trials) {
                let change = trial.change(lanes, group) * stride;
                let before = D::FourVecs::<S>::load(lanes, &group.impulse);
                let new = D::FourVecs::load(lanes, &trial.start) + change;
                group.previous = before.rows();
                group.impulse = new.rows();
                squared = squared + change.dot(change);
                along = along + change.dot(new - before);
                group.push(lanes, change, self.lines);
            }
        }
        Increment { squared: sum(squared), along: sum(along) }
    }
}

/// V += M^-1 H r for all groups.
pub struct Restore<'a, D: Dim> {
    /// The groups.
    pub groups: &'a [Group<D>],
    /// The lines that their indices count in.
    pub lines: &'a mut [Line<D>],
}

impl<D: Dim> InLanes for Restore<'_, D> {
    type Output = ();
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) {
        for group in self.groups {
            group.push(lanes, D::FourVecs::load(lanes, &group.impulse), self.lines);
        }
    }
}

/// Judges the groups: see [`super::residual`].
pub struct Judge<'a, D: Dim> {
    /// The groups.
    pub groups: &'a [Group<D>],
    /// The lines that their indices count in.
    pub lines: &'a [Line<D>],
}

impl<D: Dim> InLanes for Judge<'_, D> {
    type Output = super::residual::Misfit;
    #[inline(always)]
    fn run<S: Lanes>(self, lanes: S) -> Self::Output {
        let zero = Four::splat(lanes, 0.0);
        let (mut wrong, mut all, mut sights) = (zero, zero, [Sight::<D>::default(); BATCH]);
        for batch in self.groups.chunks(BATCH) {
            for (group, sight) in batch.iter().zip(&mut sights) {
                *sight = Sight::new(lanes, group, self.lines);
            }
            for (group, sight) in batch.iter().zip(&sights) {
                let mass_t = Four::load(lanes, &group.mass_t);
                let weight = mass_t.choose_greater(zero, zero.one() / mass_t, zero); // empty lanes have no mass
                wrong = wrong + weight * sight.distance(lanes, group);
                all = all + weight * Four::load(lanes, &sight.size);
            }
        }
        super::residual::Misfit { wrong: sum(wrong), all: sum(all) }
    }
}

/// How four contacts move and what they carry. As in a sweep, all of a batch are seen before the first is judged: the roots
/// and quotients that follow then do not wait for each other.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct Sight<D: Dim> {
    u_n: Row,
    u_t: D::SpinRows,
    r_n: Row,
    r_t: D::SpinRows,
    size: Row,
    speed_squared: Row,
}

impl<D: Dim> Sight<D> {
    #[inline(always)]
    fn new<S: Lanes>(lanes: S, group: &Group<D>, lines: &[Line<D>]) -> Sight<D> {
        let loaded = Loaded::<D, S>::new(lanes, group, lines);
        let (normal, u, bias) = (loaded.normal, loaded.velocity(), Four::load(lanes, &group.bias));
        let r = D::FourVecs::load(lanes, &group.impulse);
        let (u_n, r_n) = (u.dot(normal), r.dot(normal));
        let ([a, b], [la, lb]) = (&loaded.bodies, loaded.lever);
        let speed_squared = a.v.dot(a.v) + b.v.dot(b.v) + la * la * a.w.dot(a.w) + lb * lb * b.w.dot(b.w) + bias * bias;
        Sight {
            u_n: (u_n + bias).row(),
            u_t: D::four_across(normal, u, u_n).rows(),
            r_n: r_n.row(),
            r_t: D::four_across(normal, r, r_n).rows(),
            size: r.dot(r).row(),
            speed_squared: speed_squared.row(),
        }
    }

    /// Squares of the natural map; what rounding of the velocities explains does not count.
    #[inline(always)]
    fn distance<S: Lanes>(&self, lanes: S, group: &Group<D>) -> Four<S> {
        let [u_n, r_n, speed_squared] = [&self.u_n, &self.r_n, &self.speed_squared].map(|row| Four::load(lanes, row));
        let [u_t, r_t] = [&self.u_t, &self.r_t].map(|rows| D::FourSpins::<S>::load(lanes, rows));
        let [mass_t, mu] = [&group.mass_t, &group.friction].map(|row| Four::load(lanes, row));
        let distance = off_the_laws((mass_t, mu), (u_n, u_t), (r_n, r_t));
        let excused = Four::splat(lanes, super::residual::ROUNDING) * mass_t;
        distance.choose_greater(excused * excused * speed_squared, distance, distance.zero())
    }
}

/// Squares of the natural map of [`RoundContact::natural_map`], branch by branch: of contacts with this mass and friction,
/// which move with u_n (biases added) and u_t under r_n and r_t.
#[inline(always)]
pub(super) fn off_the_laws<S: Lanes, V: FourVector<S>>(
    (mass, mu): (Four<S>, Four<S>),
    (u_n, u_t): (Four<S>, V),
    (r_n, r_t): (Four<S>, V),
) -> Four<S> {
    let (zero, one) = (mass.zero(), mass.one());
    let (y_n, y_t) = (r_n - mass * (u_n + mu * u_t.norm()), r_t - u_t * mass);
    let norm = y_t.norm();
    // on the mantle: p_n = (y_n + mu |y_t|) / (1 + mu^2) and p_t = mu p_n y_t / |y_t|, by one division
    let (reach, share) = (mu * norm + y_n, one / ((one + mu * mu) * norm));
    let inside = |mantle: Four<S>, within: Four<S>| norm.choose_greater(mu * y_n, mantle, within);
    let is_apex = |apex: Four<S>, other: Four<S>| reach.choose_greater(zero, other, apex);
    let p_n_cone = is_apex(zero, inside(reach * norm * share, y_n));
    let shrink = is_apex(zero, inside(mu * reach * share, one));
    let (f_n, f_t) = (r_n - p_n_cone, r_t - y_t * shrink);
    f_n * f_n + f_t.dot(f_t)
}

/// Sum over the lanes.
#[inline(always)]
pub(super) fn sum<S: Lanes>(four: Four<S>) -> f64 {
    let [a, b, c, d] = four.row();
    (a + b) + (c + d)
}
