//! Contacts of plain laws, four at a time in lanes: most contacts, and all the time.
//!
//! Groups of four go through the law in batches, stage by stage: a stage is done for all groups of a batch before the
//! next, so that no group waits for the roots and quotients of its own. The last group is filled up with copies of its
//! last pair, which count for nothing, and so do pairs that turn out not to touch.

use super::patch::{Patch, Place};
use super::scene::Scene;
use super::store::Slots;
use super::unit::{Outcome, Seats, Taken};
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};
use crate::lane::{Four, FourVector, InLanes, LANES, Lanes, Row, each_lane};
use crate::law::soft::PlainLaw;
use crate::method::cd::line;

/// Groups in a batch.
const BATCH: usize = 8;

/// A grain that touches a wall.
#[derive(Clone, Copy, Debug)]
pub struct AtWall<D: Dim> {
    /// Slot of the pair in the unit.
    pub slot: u32,
    /// Seat of the wall.
    pub wall: u32,
    /// Seat of the grain.
    pub grain: u32,
    /// Unit normal into the grain.
    pub normal: D::Vec,
    /// Overlap [m].
    pub overlap: f64,
    /// From the axis of the wall to its surface [m].
    pub lever: f64,
}

/// Pairs of one law, of one kind.
#[derive(Clone, Copy, Debug)]
pub enum Near<'t, D: Dim> {
    /// Pairs of grains.
    Grains {
        /// Pairs of the unit.
        pairs: &'t [Seats],
        /// Slots of those that may touch.
        awake: &'t [u32],
    },
    /// Grains that touch walls.
    Walls(&'t [AtWall<D>]),
}

impl<D: Dim> Near<'_, D> {
    fn len(&self) -> usize {
        match self {
            Near::Grains { awake, .. } => awake.len(),
            Near::Walls(met) => met.len(),
        }
    }
}

/// Works off pairs of one law.
pub struct Fours<'t, 's, D: Dim> {
    /// The scene.
    pub scene: &'t Scene<'t, D>,
    /// Their law.
    pub law: PlainLaw,
    /// The pairs.
    pub near: Near<'t, D>,
    /// What the pairs of the unit remember.
    pub slots: &'t mut Slots<'s, D>,
    /// The bodies, and the forces on them.
    pub patch: &'t mut Patch<D>,
}

/// Four pairs on their way through the stages.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct Group<D: Dim> {
    normal: D::Rows,
    u: D::Rows,
    spring: D::Rows,
    /// What springs and dashpots would bear, then what they do.
    across: D::Rows,
    overlap: Row,
    arms: [Row; 2],
    inv_m: Row,
    approach: Row,
    force: Row,
    shear: Row,
    drag: Row,
    limit: Row,
    /// Whether grains have one centre.
    coincides: bool,
    /// Seats of the bodies.
    seats: [[u32; LANES]; 2],
    slots: [u32; LANES],
    count: usize,
}

/// Sums over all groups.
struct Sums<S: Lanes> {
    /// Energy taken in per time [W], pair after pair: which pairs were looked at in vain does not change a bit of it.
    taken: Taken,
    /// Deepest overlap, and the smaller radius there.
    deepest: [Four<S>; 2],
}

impl<D: Dim> InLanes for Fours<'_, '_, D> {
    type Output = Outcome;

    #[inline(always)]
    fn run<S: Lanes>(mut self, lanes: S) -> Outcome {
        let (zero, one) = (Four::splat(lanes, 0.0), Four::splat(lanes, 1.0));
        let mut sums = Sums { taken: Taken::default(), deepest: [zero, one] };
        let mut outcome = Outcome::default();
        let mut groups = [Group::<D>::default(); BATCH];
        let total = self.near.len();
        for start in (0..total).step_by(BATCH * LANES) {
            let batch = &mut groups[..(total - start).div_ceil(LANES).min(BATCH)];
            for (k, group) in batch.iter_mut().enumerate() {
                let from = start + k * LANES;
                group.count = LANES.min(total - from);
                match self.near {
                    Near::Grains { pairs, awake } => self.meet(lanes, group, pairs, &awake[from..]),
                    Near::Walls(met) => self.meet_walls(lanes, group, &met[from..]),
                }
            }
            if self.scene.growth != 0.0 {
                batch.iter_mut().for_each(|group| self.swell(group));
            }
            for group in batch.iter_mut() {
                self.note(group, &mut outcome);
                self.press(lanes, group);
            }
            for group in batch.iter_mut() {
                self.wind(lanes, group);
            }
            for group in batch.iter_mut() {
                self.slide(lanes, group, &mut sums);
                self.scatter(lanes, group);
            }
            if self.scene.growth != 0.0 {
                for group in &*batch {
                    (0..group.count)
                        .for_each(|lane| outcome.swelling += group.force[lane] * self.swelling(group, lane));
                }
            }
        }
        let [overlap, radius] = sums.deepest.map(Four::row);
        outcome.taken = sums.taken;
        outcome.deepest = (0..LANES).map(|lane| overlap[lane] / radius[lane]).fold(0.0, f64::max);
        outcome
    }
}

impl<D: Dim> Fours<'_, '_, D> {
    /// Where the grains are and how they move at the contact.
    #[inline(always)]
    fn meet<S: Lanes>(&self, lanes: S, group: &mut Group<D>, pairs: &[Seats], slots: &[u32]) {
        let (zero, one) = (Four::splat(lanes, 0.0), Four::splat(lanes, 1.0));
        group.slots = match slots.first_chunk() {
            Some(four) => *four,
            None => std::array::from_fn(|k| slots[k.min(group.count - 1)]),
        };
        let pairs = group.slots.map(|slot| pairs[slot as usize]);
        let (a, b) = (pairs.map(Seats::first), pairs.map(Seats::second));
        let ((xa, ra), (xb, rb)) = (places(lanes, &self.patch.place, &a), places(lanes, &self.patch.place, &b));
        let (ba, bb) = (line::gather(lanes, &self.patch.motion, &a), line::gather(lanes, &self.patch.motion, &b));
        let apart = xb - xa;
        let distance = apart.dot(apart).sqrt();
        let (normal, overlap) = (apart * (one / distance), ra + rb - distance);
        let u = bb.v - ba.v - D::four_swings(bb.w * rb + ba.w * ra, normal); // u = H^T V [Brendel eq. 1.14]
        group.seats = [a, b];
        (group.normal, group.u) = (normal.rows(), u.rows());
        (group.overlap, group.arms) = (overlap.row(), [ra.row(), rb.row()]);
        (group.inv_m, group.approach) = ((ba.inv_m + bb.inv_m).row(), (zero - u.dot(normal)).row());
        group.coincides = Four::splat(lanes, f64::MIN_POSITIVE).any_greater(distance);
    }

    /// The same at walls, where overlaps and normals are known.
    #[inline(always)]
    fn meet_walls<S: Lanes>(&self, lanes: S, group: &mut Group<D>, met: &[AtWall<D>]) {
        let zero = Four::splat(lanes, 0.0);
        let four: [AtWall<D>; LANES] = std::array::from_fn(|k| met[k.min(group.count - 1)]);
        group.slots = four.map(|met| met.slot);
        let (a, b) = (four.map(|met| met.wall), four.map(|met| met.grain));
        let levers = four.map(|met| met.lever);
        let (ra, (_, rb)) = (Four::load(lanes, &levers), places(lanes, &self.patch.place, &b));
        let (ba, bb) = (line::gather(lanes, &self.patch.motion, &a), line::gather(lanes, &self.patch.motion, &b));
        for (axis, row) in group.normal.as_mut().iter_mut().enumerate() {
            *row = four.map(|met| met.normal.get(axis));
        }
        let normal = D::FourVecs::<S>::load(lanes, &group.normal);
        let u = bb.v - ba.v - D::four_swings(bb.w * rb + ba.w * ra, normal);
        group.seats = [a, b];
        (group.u, group.overlap) = (u.rows(), four.map(|met| met.overlap));
        group.arms = [levers, rb.row()];
        (group.inv_m, group.approach) = ((ba.inv_m + bb.inv_m).row(), (zero - u.dot(normal)).row());
    }

    /// Adds to the relative velocities what surfaces come nearer because grains grow.
    fn swell(&self, group: &mut Group<D>) {
        for lane in 0..LANES {
            let swelling = self.swelling(group, lane);
            group.approach[lane] += swelling;
            for (u, normal) in group.u.as_mut().iter_mut().zip(group.normal.as_ref()) {
                u[lane] -= normal[lane] * swelling;
            }
        }
    }

    /// How fast surfaces come nearer because grains that can move grow [m/s].
    fn swelling(&self, group: &Group<D>, lane: usize) -> f64 {
        let grows = |end: usize| self.patch.motion[group.seats[end][lane] as usize].inv_m() > 0.0;
        let first = if grows(0) && matches!(self.near, Near::Grains { .. }) { group.arms[0][lane] } else { 0.0 };
        let second = if grows(1) { group.arms[1][lane] } else { 0.0 };
        self.scene.growth * (first + second)
    }

    /// Pairs that do not touch forget, and are left alone until they may.
    #[inline(always)]
    fn note(&mut self, group: &Group<D>, outcome: &mut Outcome) {
        if matches!(self.near, Near::Walls(..)) {
            outcome.touching += group.count;
            return;
        }
        each_lane(group.count, |lane| {
            let slot = group.slots[lane] as usize;
            match group.overlap[lane] > 0.0 {
                true => {
                    self.slots.touch(slot);
                    outcome.touching += 1;
                }
                false => self.slots.rest(slot, self.scene.gone, -group.overlap[lane]),
            }
        });
        if group.coincides {
            let one = (0..LANES).find(|lane| group.overlap[*lane] == group.arms[0][*lane] + group.arms[1][*lane]);
            let pair = one.map(|lane| group.seats.map(|seats| seats[lane] as usize));
            outcome.coincident = pair.map(|[a, b]| Coincident { a, b }).or(outcome.coincident);
        }
    }

    /// Normal forces, and what the tangential law takes from them.
    #[inline(always)]
    fn press<S: Lanes>(&self, lanes: S, group: &mut Group<D>) {
        let zero = Four::splat(lanes, 0.0);
        let [overlap, ra, rb, inv_m, approach] =
            [&group.overlap, &group.arms[0], &group.arms[1], &group.inv_m, &group.approach]
                .map(|row| Four::load(lanes, row));
        let radius = match self.near {
            Near::Grains { .. } => ra * rb / (ra + rb),
            Near::Walls(..) => rb,
        };
        let push = self.law.push(lanes, (inv_m, radius), overlap.max(zero), approach);
        group.force = overlap.choose_greater(zero, push.force, zero).row();
        group.limit = overlap.choose_greater(zero, push.limit, zero).row();
        (group.shear, group.drag) = (push.shear.row(), push.drag.row());
    }

    /// The tangential springs, turned with the contact and wound on by its slip, and what they and the dashpots would bear.
    #[inline(always)]
    fn wind<S: Lanes>(&self, lanes: S, group: &mut Group<D>) {
        let [zero, one, dt] = [0.0, 1.0, self.scene.dt].map(|number| Four::splat(lanes, number));
        let [approach, shear, drag, limit] =
            [&group.approach, &group.shear, &group.drag, &group.limit].map(|row| Four::load(lanes, row));
        let [normal, u] = [&group.normal, &group.u].map(|rows| D::FourVecs::load(lanes, rows));
        let kept = D::FourVecs::<S>::load(lanes, &rows::<D>(self.slots.springs, &group.slots));
        let turned = kept - normal * kept.dot(normal);
        let (long, short) = (kept.dot(kept), turned.dot(turned));
        let turned = turned * short.choose_greater(zero, (long / short).sqrt(), one);
        let slip = u + normal * approach;
        let wound = turned + slip * dt;
        let spring = match self.law.yields_alone {
            true => {
                let square = wound.dot(wound) * (shear * shear);
                bounded::<D, S>(wound, square, limit)
            }
            false => wound,
        };
        group.spring = spring.rows();
        group.across = (spring * (zero - shear) + slip * (zero - drag)).rows();
    }

    /// Coulomb's bound, and the books.
    #[inline(always)]
    fn slide<S: Lanes>(&mut self, lanes: S, group: &mut Group<D>, sums: &mut Sums<S>) {
        let (zero, one) = (Four::splat(lanes, 0.0), Four::splat(lanes, 1.0));
        let [limit, shear, drag, approach, force] =
            [&group.limit, &group.shear, &group.drag, &group.approach, &group.force].map(|row| Four::load(lanes, row));
        let [normal, u, spring, trial] =
            [&group.normal, &group.u, &group.spring, &group.across].map(|rows| D::FourVecs::load(lanes, rows));
        let square = trial.dot(trial);
        let slides = square - limit * limit;
        let across = bounded::<D, S>(trial, square, limit);
        // a spring that slides with its dashpot yields until both bear what friction bears
        let kept = match self.law.yields_alone || !slides.any_greater(zero) {
            true => spring,
            false => {
                let dashpot = (u + normal * approach) * (zero - drag);
                D::FourVecs::<S>::choose(slides, zero, (dashpot - across) * (one / shear), spring)
            }
        };
        let [overlap, ra, rb] = [&group.overlap, &group.arms[0], &group.arms[1]].map(|row| Four::load(lanes, row));
        let none = D::FourVecs::<S>::load(lanes, &D::Rows::default());
        keep::<D>(self.slots.springs, &group.slots, &D::FourVecs::<S>::choose(overlap, zero, kept, none).rows());
        group.across = across.rows();
        let (pressed, rubbed) = ((force * approach).row(), across.dot(u).row());
        each_lane(group.count, |lane| {
            sums.taken[0] += pressed[lane];
            sums.taken[1] -= rubbed[lane];
        });
        let radius = match self.near {
            Near::Grains { .. } => ra.choose_greater(rb, rb, ra),
            Near::Walls(..) => rb,
        };
        let [deepest, there] = sums.deepest;
        let (this, that) = (overlap * there, deepest * radius);
        sums.deepest = [this.choose_greater(that, overlap, deepest), this.choose_greater(that, radius, there)];
    }

    /// Forces and torques on the grains.
    #[inline(always)]
    fn scatter<S: Lanes>(&mut self, lanes: S, group: &Group<D>) {
        let zero = Four::splat(lanes, 0.0);
        let [push, ra, rb] = [&group.force, &group.arms[0], &group.arms[1]].map(|row| Four::load(lanes, row));
        let [normal, across] = [&group.normal, &group.across].map(|rows| D::FourVecs::load(lanes, rows));
        let force = normal * push + across;
        let turn = D::four_torques(normal, across);
        let (from_a, onto_b) = ((force, turn * ra), (force, turn * (zero - rb)));
        let [a, b] = &group.seats;
        line::add::<D, S>([from_a, onto_b], &mut self.patch.wrench, [a, b], group.count);
    }
}

/// Vectors shortened so that what has this square is no longer than its limit. Roots are taken only where one is.
#[inline(always)]
fn bounded<D: Dim, S: Lanes>(vectors: D::FourVecs<S>, square: Four<S>, limit: Four<S>) -> D::FourVecs<S> {
    let (zero, beyond) = (limit.zero(), square - limit * limit);
    match beyond.any_greater(zero) {
        true => vectors * beyond.choose_greater(zero, limit / square.sqrt(), limit.one()),
        false => vectors,
    }
}

/// Centres and radii of four bodies.
#[inline(always)]
fn places<D: Dim, S: Lanes>(lanes: S, place: &[Place<D>], at: &[u32; LANES]) -> (D::FourVecs<S>, Four<S>) {
    let [x, y, z, radius] = Four::transpose(at.map(|k| Four::load(lanes, place[k as usize].row())));
    (D::from_columns([[x, y, z, radius]; 2]).v, radius)
}

/// Four vectors as rows.
#[inline(always)]
fn rows<D: Dim>(vectors: &[D::Vec], at: &[u32; LANES]) -> D::Rows {
    let four = at.map(|k| vectors[k as usize]);
    let mut rows = D::Rows::default();
    for (axis, row) in rows.as_mut().iter_mut().enumerate() {
        *row = four.map(|vector| vector.get(axis));
    }
    rows
}

/// Puts four vectors back.
#[inline(always)]
fn keep<D: Dim>(vectors: &mut [D::Vec], at: &[u32; LANES], rows: &D::Rows) {
    for (lane, k) in at.iter().enumerate() {
        vectors[*k as usize] = D::Vec::from_fn(|axis| rows.as_ref()[axis][lane]);
    }
}
