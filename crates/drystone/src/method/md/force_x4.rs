//! Contacts of plain laws, four at a time in lanes. Most contacts are computed here.
//!
//! The laws are those of [`super::force_general`] in the form of [`PlainLaw`], with the same rounding (a test compares
//! the bits). Two cases agree up to rounding only: sliding springs without a dashpot, whose length is set from the
//! force that they bear, and the first kick of Hooke's law with a restitution.
//!
//! Groups of four go through the law in batches, stage by stage: a stage is done for all groups of a batch before the
//! next, so that no group waits for its own roots and divisions. The last group is filled up with copies of its last
//! pair. These copies, and pairs that turn out not to touch, contribute nothing.

use super::block::{LocalPair, PairTotals, Taken};
use super::force_input::ForceInput;
use super::history::HistorySlice;
use super::local_bodies::{LocalBodies, Sphere};
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};
use crate::lane::{EACH, Four, FourVector, InLanes, LANES, Lanes, MapInlined, NumberVector, Real, Row, each_lane};
use crate::law::soft::normal::Squeeze;
use crate::law::soft::{Couple, PlainLaw, SoftLaw};
use crate::method::common::solver_body;

/// Groups in a batch.
const BATCH: usize = 8;

/// A grain that touches a wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallContact<D: Dim> {
    /// Index of the pair among those of the block.
    pub index: u32,
    /// Local index of the wall.
    pub wall: u32,
    /// Local index of the grain.
    pub grain: u32,
    /// Unit normal into the grain.
    pub normal: D::Vec,
    /// Overlap [m].
    pub overlap: f64,
    /// From the axis of the wall to its surface [m].
    pub lever: f64,
    /// Whether they did not touch at the last evaluation.
    pub is_new: bool,
}

/// Pairs of one law, of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PairSource<'t, D: Dim> {
    /// Pairs of grains.
    Grains {
        /// Pairs of the block.
        pairs: &'t [LocalPair],
        /// Indices of those that may touch.
        awake: &'t [u32],
    },
    /// Grains that touch walls.
    Walls(&'t [WallContact<D>]),
}

impl<D: Dim> PairSource<'_, D> {
    fn len(&self) -> usize {
        match self {
            PairSource::Grains { awake, .. } => awake.len(),
            PairSource::Walls(met) => met.len(),
        }
    }
}

/// Computes the forces of pairs of one law, four at a time.
pub(crate) struct ForceX4<'t, 's, D: Dim> {
    /// The input.
    pub input: &'t ForceInput<'t, D>,
    /// Their law.
    pub law: PlainLaw,
    /// The same law in its general form, if some laws of the world are not plain: jumps are then computed with it, and
    /// have the same bits on both paths.
    pub general: Option<&'t SoftLaw>,
    /// The pairs.
    pub pairs: PairSource<'t, D>,
    /// History of the pairs of the block.
    pub history: &'t mut HistorySlice<'s, D>,
    /// The bodies, and the forces on them.
    pub local: &'t mut LocalBodies<D>,
}

/// Four pairs between the stages of the force loop.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct PairX4<D: Dim> {
    normal: D::Rows,
    u: D::Rows,
    spring: D::Rows,
    /// Tangential force of spring and dashpot: first without Coulomb's bound, then with it.
    across: D::Rows,
    overlap: Row,
    radii: [Row; 2],
    inv_m: Row,
    approach: Row,
    force: Row,
    shear: Row,
    drag: Row,
    limit: Row,
    /// Time over which springs are stretched up to now [s].
    slip_time: Row,
    /// What jumps at the first or last evaluation add to the normal forces [N], and the factor that they give to
    /// friction.
    jump: [Row; 2],
    /// Whether there are such jumps.
    jumps: bool,
    /// Whether the contact with a wall is new.
    is_new: [bool; LANES],
    /// Whether the centres of two grains coincide.
    coincides: bool,
    /// Local indices of the bodies.
    bodies: [[u32; LANES]; 2],
    indices: [u32; LANES],
    count: usize,
}

/// Sums over all groups.
struct Sums<S: Lanes> {
    /// Energy taken in per time [W], added up pair by pair, so that pairs that do not touch do not change its bits.
    taken: Taken,
    /// Deepest overlap, and the smaller radius there.
    deepest: [Four<S>; 2],
}

impl<D: Dim> InLanes for ForceX4<'_, '_, D> {
    type Output = PairTotals;

    #[inline(always)]
    fn run<S: Lanes>(mut self, lanes: S) -> PairTotals {
        let (zero, one) = (Four::splat(lanes, 0.0), Four::splat(lanes, 1.0));
        let mut sums = Sums { taken: Taken::default(), deepest: [zero, one] };
        let mut totals = PairTotals::default();
        let mut groups = [PairX4::<D>::default(); BATCH];
        let total = self.pairs.len();
        for start in (0..total).step_by(BATCH * LANES) {
            let batch = &mut groups[..(total - start).div_ceil(LANES).min(BATCH)];
            for (k, group) in batch.iter_mut().enumerate() {
                let from = start + k * LANES;
                group.count = LANES.min(total - from);
                match self.pairs {
                    PairSource::Grains { pairs, awake } => self.find_contacts(lanes, group, pairs, &awake[from..]),
                    PairSource::Walls(met) => self.find_wall_contacts(lanes, group, &met[from..]),
                }
            }
            if self.input.growth != 0.0 {
                batch.iter_mut().for_each(|group| self.swell(group));
            }
            for group in batch.iter_mut() {
                self.note(group, &mut totals);
                self.press(lanes, group);
            }
            for group in batch.iter_mut() {
                self.stretch_springs(lanes, group);
            }
            for group in batch.iter_mut() {
                self.slide(lanes, group, &mut sums);
                self.scatter(lanes, group);
            }
            if self.input.growth != 0.0 {
                for group in &*batch {
                    (0..group.count).for_each(|lane| totals.swelling += group.force[lane] * self.swelling(group, lane));
                }
            }
        }
        let [overlap, radius] = sums.deepest.map_inlined(Four::row);
        totals.taken = sums.taken;
        #[cfg(test)]
        (totals.in_fours = totals.touching);
        totals.deepest = (0..LANES).map(|lane| overlap[lane] / radius[lane]).fold(0.0, f64::max);
        totals
    }
}

impl<D: Dim> ForceX4<'_, '_, D> {
    /// Finds the normals, overlaps and relative velocities of four pairs of grains.
    #[inline(always)]
    fn find_contacts<S: Lanes>(&self, lanes: S, group: &mut PairX4<D>, pairs: &[LocalPair], indices: &[u32]) {
        let (zero, one) = (Four::splat(lanes, 0.0), Four::splat(lanes, 1.0));
        group.indices = match indices.first_chunk() {
            Some(four) => *four,
            None => EACH.map_inlined(|k| indices[k.min(group.count - 1)]),
        };
        let pairs = group.indices.map_inlined(|index| pairs[index as usize]);
        let (a, b) = (pairs.map_inlined(LocalPair::first), pairs.map_inlined(LocalPair::second));
        let ((xa, ra), (xb, rb)) = (spheres(lanes, &self.local.sphere, &a), spheres(lanes, &self.local.sphere, &b));
        let (ba, bb) =
            (solver_body::gather(lanes, &self.local.motion, &a), solver_body::gather(lanes, &self.local.motion, &b));
        let apart = xb - xa;
        let distance = apart.dot(apart).sqrt();
        let (normal, overlap) = (apart * (one / distance), ra + rb - distance);
        let [arm_a, arm_b] = arms(lanes, [ra, rb], overlap);
        let u = bb.v - ba.v - D::four_swings(bb.w * arm_b + ba.w * arm_a, normal); // u = H^T V [Brendel eq. 1.14]
        group.bodies = [a, b];
        (group.normal, group.u) = (normal.rows(), u.rows());
        (group.overlap, group.radii) = (overlap.row(), [ra.row(), rb.row()]);
        (group.inv_m, group.approach) = ((ba.inv_m + bb.inv_m).row(), (zero - u.dot(normal)).row());
        group.coincides = Four::splat(lanes, f64::MIN_POSITIVE).any_greater(distance);
    }

    /// The same at walls, where overlaps and normals are known.
    #[inline(always)]
    fn find_wall_contacts<S: Lanes>(&self, lanes: S, group: &mut PairX4<D>, met: &[WallContact<D>]) {
        let zero = Four::splat(lanes, 0.0);
        let four: [WallContact<D>; LANES] = EACH.map_inlined(|k| met[k.min(group.count - 1)]);
        group.indices = four.map_inlined(|met| met.index);
        let (a, b) = (four.map_inlined(|met| met.wall), four.map_inlined(|met| met.grain));
        let levers = four.map_inlined(|met| met.lever);
        group.is_new = four.map_inlined(|met| met.is_new);
        let (ra, (_, rb)) = (Four::load(lanes, &levers), spheres(lanes, &self.local.sphere, &b));
        let (ba, bb) =
            (solver_body::gather(lanes, &self.local.motion, &a), solver_body::gather(lanes, &self.local.motion, &b));
        for (axis, row) in group.normal.as_mut().iter_mut().enumerate() {
            *row = four.map_inlined(|met| met.normal.get(axis));
        }
        let normal = D::FourVecs::<S>::load(lanes, &group.normal);
        let overlaps = four.map_inlined(|met| met.overlap);
        let [arm_a, arm_b] = arms(lanes, [ra, rb], Four::load(lanes, &overlaps));
        let u = bb.v - ba.v - D::four_swings(bb.w * arm_b + ba.w * arm_a, normal);
        group.bodies = [a, b];
        (group.u, group.overlap, group.radii) = (u.rows(), overlaps, [levers, rb.row()]);
        (group.inv_m, group.approach) = ((ba.inv_m + bb.inv_m).row(), (zero - u.dot(normal)).row());
    }

    /// Adds to the relative velocities the approach of the surfaces by the growth of grains.
    fn swell(&self, group: &mut PairX4<D>) {
        for lane in 0..LANES {
            let swelling = self.swelling(group, lane);
            group.approach[lane] += swelling;
            for (u, normal) in group.u.as_mut().iter_mut().zip(group.normal.as_ref()) {
                u[lane] -= normal[lane] * swelling;
            }
        }
    }

    /// How fast surfaces come nearer because grains that can move grow [m/s].
    fn swelling(&self, group: &PairX4<D>, lane: usize) -> f64 {
        let grows = |end: usize| self.local.motion[group.bodies[end][lane] as usize].inv_m() > 0.0;
        let first =
            if grows(0) && matches!(self.pairs, PairSource::Grains { .. }) { group.radii[0][lane] } else { 0.0 };
        let second = if grows(1) { group.radii[1][lane] } else { 0.0 };
        self.input.growth * (first + second)
    }

    /// Begins new contacts, and lets pairs that do not touch sleep until they may.
    #[inline(always)]
    fn note(&mut self, group: &mut PairX4<D>, totals: &mut PairTotals) {
        (group.slip_time, group.jumps) = ([self.input.slip_time; LANES], false);
        if matches!(self.pairs, PairSource::Walls(..)) {
            totals.touching += group.count;
            let is_new = group.is_new;
            (0..LANES).filter(|lane| is_new[*lane]).for_each(|lane| self.begin(group, lane));
            return;
        }
        each_lane(group.count, |lane| {
            let index = group.indices[lane] as usize;
            match group.overlap[lane] > 0.0 {
                true => {
                    if !self.history.touches(index) {
                        self.history.touch(index);
                        self.begin(group, lane);
                    }
                    totals.touching += 1;
                }
                false => self.history.sleep(index, self.input.travelled, -group.overlap[lane]),
            }
        });
        if group.jumps {
            let last = group.count - 1; // the copies are like the last pair
            (group.count..LANES).for_each(|lane| group.slip_time[lane] = group.slip_time[last]);
        }
        if group.coincides {
            let one = (0..LANES).find(|lane| group.overlap[*lane] == group.radii[0][*lane] + group.radii[1][*lane]);
            let pair = one.map(|lane| group.bodies.map_inlined(|bodies| bodies[lane] as usize));
            totals.coincident = pair.map(|[a, b]| Coincident { a, b }).or(totals.coincident);
        }
    }

    /// Initialises a new contact: see [`super::force_schedule`].
    #[cold]
    fn begin(&self, group: &mut PairX4<D>, lane: usize) {
        group.slip_time[lane] = self.input.schedule.contact_age(group.overlap[lane], group.approach[lane]);
        let factor = self.input.schedule.first_kick_factor(group.slip_time[lane]);
        self.weigh(group, lane, factor, true);
    }

    /// Applies the kick factor if this is the last evaluation of a contact: see [`super::force_schedule`].
    fn end(&self, group: &mut PairX4<D>, lane: usize) {
        let factor = self.input.schedule.last_kick_factor(group.overlap[lane], group.approach[lane]);
        if factor != 1.0 && group.overlap[lane] > 0.0 {
            self.weigh(group, lane, factor, false);
        }
    }

    /// Records the jump of a contact that begins or ends, weighted by its kick factor.
    #[cold]
    fn weigh(&self, group: &mut PairX4<D>, lane: usize, factor: f64, is_new: bool) {
        if !group.jumps {
            (group.jumps, group.jump) = (true, [[0.0; LANES]; 2]);
        }
        let couple = Couple { mass: 1.0 / group.inv_m[lane], radius: self.radius(group, lane) };
        let jump = match self.general {
            None => self.law.jump(couple, group.approach[lane]),
            Some(law) => law.normal.jump(couple, group.approach[lane]),
        };
        group.jump[0][lane] = (factor - 1.0) * jump;
        group.jump[1][lane] = f64::from(u8::from(is_new)); // friction follows the force of a contact that begins
    }

    /// Reduced radius of a pair [m].
    fn radius(&self, group: &PairX4<D>, lane: usize) -> f64 {
        let [ra, rb] = group.radii.map_inlined(|radii| radii[lane]);
        match self.pairs {
            PairSource::Grains { .. } => ra * rb / (ra + rb),
            PairSource::Walls(..) => rb,
        }
    }

    /// Adds the jumps to the normal forces.
    #[cold]
    fn jump(&self, group: &mut PairX4<D>) {
        for lane in 0..LANES {
            let (force, jump) = (group.force[lane], group.jump[0][lane]);
            let follows = group.jump[1][lane] != 0.0 && force > 0.0;
            group.jump[1][lane] = if follows { (force + jump) / force } else { 1.0 };
            group.force[lane] += jump;
        }
    }

    /// Normal forces, and the limit, stiffness and damping of the tangential law that go with them.
    #[inline(always)]
    fn press<S: Lanes>(&self, lanes: S, group: &mut PairX4<D>) {
        let zero = Four::splat(lanes, 0.0);
        let [overlap, ra, rb, inv_m, approach] =
            [&group.overlap, &group.radii[0], &group.radii[1], &group.inv_m, &group.approach]
                .map_inlined(|row| Four::load(lanes, row));
        let radius = match self.pairs {
            PairSource::Grains { .. } => ra * rb / (ra + rb),
            PairSource::Walls(..) => rb,
        };
        let couples = Couple { mass: zero.one() / inv_m, radius };
        let push = self.law.push(couples, Squeeze { overlap: overlap.max(zero), rate: approach });
        group.force = overlap.choose_greater(zero, push.force, zero).row();
        group.limit = overlap.choose_greater(zero, push.limit, zero).row();
        (group.shear, group.drag) = (push.shear.row(), push.drag.row());
        if self.law.ends_with_a_jump() {
            (0..LANES).for_each(|lane| self.end(group, lane));
        }
        if group.jumps {
            self.jump(group);
        }
    }

    /// The tangential springs, turned with the contact and stretched by its slip; the force limits of springs and
    /// dashpots; and the springs that are stored, stretched ahead.
    #[inline(always)]
    fn stretch_springs<S: Lanes>(&self, lanes: S, group: &mut PairX4<D>) {
        let [zero, one, ahead] = [0.0, 1.0, self.input.ahead].map_inlined(|number| Four::splat(lanes, number));
        let [approach, shear, drag, limit, slip_time] =
            [&group.approach, &group.shear, &group.drag, &group.limit, &group.slip_time]
                .map_inlined(|row| Four::load(lanes, row));
        let [normal, u] = [&group.normal, &group.u].map_inlined(|rows| D::FourVecs::load(lanes, rows));
        let kept = D::FourVecs::<S>::load(lanes, &rows::<D>(self.history.springs, &group.indices));
        let turned = kept - normal * kept.dot(normal);
        let (long, short) = (kept.dot(kept), turned.dot(turned));
        let turned = turned * short.choose_greater(zero, (long / short).sqrt(), one);
        let slip = u + normal * approach;
        let stretched = turned + slip * slip_time;
        let spring = match self.law.yields_alone {
            true => {
                let square = stretched.dot(stretched) * (shear * shear);
                bounded::<D, S>(stretched, square, limit)
            }
            false => stretched,
        };
        group.spring = (spring + slip * ahead).rows();
        group.across = (spring * (zero - shear) + slip * (zero - drag)).rows();
    }

    /// Coulomb's bound, the springs that are stored, and the energy balance.
    #[inline(always)]
    fn slide<S: Lanes>(&mut self, lanes: S, group: &mut PairX4<D>, sums: &mut Sums<S>) {
        let (zero, one) = (Four::splat(lanes, 0.0), Four::splat(lanes, 1.0));
        let [limit, shear, drag, approach, force] =
            [&group.limit, &group.shear, &group.drag, &group.approach, &group.force]
                .map_inlined(|row| Four::load(lanes, row));
        let [normal, u, spring, trial] =
            [&group.normal, &group.u, &group.spring, &group.across].map_inlined(|rows| D::FourVecs::load(lanes, rows));
        let square = trial.dot(trial);
        let slides = square - limit * limit;
        let across = bounded::<D, S>(trial, square, limit);
        // a spring that slides with its dashpot is shortened until both together bear what friction bears
        let kept = match self.law.yields_alone || !slides.any_greater(zero) {
            true => spring,
            false => {
                let (slip, ahead) = (u + normal * approach, Four::splat(lanes, self.input.ahead));
                let yielded = (slip * (zero - drag) - across) * (one / shear);
                D::FourVecs::<S>::choose(slides, zero, yielded + slip * ahead, spring)
            }
        };
        let [overlap, ra, rb] =
            [&group.overlap, &group.radii[0], &group.radii[1]].map_inlined(|row| Four::load(lanes, row));
        let none = D::FourVecs::<S>::load(lanes, &D::Rows::default());
        store::<D>(self.history.springs, &group.indices, &D::FourVecs::<S>::choose(overlap, zero, kept, none).rows());
        let across = if group.jumps { across * Four::load(lanes, &group.jump[1]) } else { across };
        group.across = across.rows();
        let (pressed, rubbed) = ((force * approach).row(), across.dot(u).row());
        each_lane(group.count, |lane| {
            sums.taken[0] += pressed[lane];
            sums.taken[1] -= rubbed[lane];
        });
        let radius = match self.pairs {
            PairSource::Grains { .. } => ra.choose_greater(rb, rb, ra),
            PairSource::Walls(..) => rb,
        };
        let [deepest, there] = sums.deepest;
        let (this, that) = (overlap * there, deepest * radius);
        sums.deepest = [this.choose_greater(that, overlap, deepest), this.choose_greater(that, radius, there)];
    }

    /// Forces and torques on the grains.
    #[inline(always)]
    fn scatter<S: Lanes>(&mut self, lanes: S, group: &PairX4<D>) {
        let zero = Four::splat(lanes, 0.0);
        let [push, overlap, ra, rb] =
            [&group.force, &group.overlap, &group.radii[0], &group.radii[1]].map_inlined(|row| Four::load(lanes, row));
        let [arm_a, arm_b] = arms(lanes, [ra, rb], overlap);
        let [normal, across] = [&group.normal, &group.across].map_inlined(|rows| D::FourVecs::load(lanes, rows));
        let force = normal * push + across;
        let turn = D::four_torques(normal, across);
        let (from_a, onto_b) = ((force, turn * arm_a), (force, turn * (zero - arm_b)));
        let [a, b] = &group.bodies;
        solver_body::add::<D, S>([from_a, onto_b], &mut self.local.wrench, [a, b], group.count);
    }
}

/// As [`super::force_general::arms`], of four pairs.
#[inline(always)]
fn arms<S: Lanes>(lanes: S, radii: [Four<S>; 2], overlap: Four<S>) -> [Four<S>; 2] {
    let half = overlap * Four::splat(lanes, 0.5);
    radii.map_inlined(|radius| radius - half)
}

/// Scales four vectors down where `square`, the square of a force that belongs to each, exceeds that of `limit`. Roots
/// are taken only if one exceeds it.
#[inline(always)]
fn bounded<D: Dim, S: Lanes>(vectors: D::FourVecs<S>, square: Four<S>, limit: Four<S>) -> D::FourVecs<S> {
    let (zero, excess) = (limit.zero(), square - limit * limit);
    match excess.any_greater(zero) {
        true => vectors * excess.choose_greater(zero, limit / square.sqrt(), limit.one()),
        false => vectors,
    }
}

/// Centres and radii of four bodies.
#[inline(always)]
fn spheres<D: Dim, S: Lanes>(lanes: S, sphere: &[Sphere<D>], at: &[u32; LANES]) -> (D::FourVecs<S>, Four<S>) {
    let [x, y, z, radius] = Four::transpose(at.map_inlined(|k| Four::load(lanes, sphere[k as usize].row())));
    (D::from_columns([[x, y, z, radius]; 2]).v, radius)
}

/// Four vectors as rows.
#[inline(always)]
fn rows<D: Dim>(vectors: &[D::Vec], at: &[u32; LANES]) -> D::Rows {
    let four = at.map_inlined(|k| vectors[k as usize]);
    let mut rows = D::Rows::default();
    for (axis, row) in rows.as_mut().iter_mut().enumerate() {
        *row = four.map_inlined(|vector| vector.get(axis));
    }
    rows
}

/// Writes four vectors back.
#[inline(always)]
fn store<D: Dim>(vectors: &mut [D::Vec], at: &[u32; LANES], rows: &D::Rows) {
    for (lane, k) in at.iter().enumerate() {
        vectors[*k as usize] = D::Vec::from_fn(|axis| rows.as_ref()[axis][lane]);
    }
}
