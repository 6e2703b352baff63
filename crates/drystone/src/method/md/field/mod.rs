//! The force field: from positions and velocities of all bodies to their accelerations.

mod cell;
mod clumps;
mod force_loop;
mod growth;
mod walls;

use super::beads::Beads;
use super::block::Taken;
use super::contact_report::ContactReport;
use super::force_schedule::ForceSchedule;
use super::integrator::kicked;
use super::law_table::LawTable;
use super::local_bodies::{LocalBodies, RoundBody};
use super::motion::GreatestSpeeds;
use super::pairs::{PairList, StoredMemories};
use crate::body::{Bodies, Twist};
use crate::cell::Cell;
use crate::contact::{Coincident, ContactKey};
use crate::dim::{Dim, Vector};
use crate::law::soft::SoftLaw;
use crate::threads;
use crate::world::World;

/// Forces on all bodies, and the pairs that they come from.
#[derive(Debug, Default)]
pub struct ForceField<D: Dim> {
    law_table: LawTable,
    /// Number of bodies that the columns are made for.
    bodies: usize,
    beads: Option<Beads<D>>,
    round: Vec<RoundBody>,
    /// The periodic cell in the force loop: with the velocities at the time at which the forces act.
    cell: Option<Cell<D>>,
    /// Local copies for the blocks of a chunk.
    locals: Vec<LocalBodies<D>>,
    /// The pairs, and their history.
    pub list: PairList<D>,
    /// Accelerations at the last evaluation: linear [m/s2] and angular [rad/s2].
    pub accel: Vec<Twist<D>>,
    /// Forces [N] and torques [N m] of the grains on the walls at the last evaluation.
    pub on_walls: Vec<Twist<D>>,
    /// Energy that contacts took in per time at the last evaluation [W].
    pub taken: Taken,
    /// Power of the growth of grains at the last evaluation [W].
    swelling: f64,
    /// Energy that contacts took in during the step [J].
    pub worked: Taken,
    /// Work that the motion of images did during the step [J]: the force on an image acts on the grain itself.
    pub image_work: f64,
    /// Work that the growth of grains did at contacts during the step [J].
    pub swell_work: f64,
    /// Work that the driven walls did on the grains during the step [J].
    pub wall_work: Vec<f64>,
    /// Contacts at the last evaluation.
    pub touching: usize,
    /// Deepest overlap at the last evaluation over the smaller radius.
    pub deepest: f64,
    /// Greatest speeds after the last Verlet step.
    speeds: Option<GreatestSpeeds>,
    /// How far the contact history is ahead of the last evaluation [s].
    pub ahead: f64,
    /// Time over which the bodies have moved since the last evaluation [s].
    pub lag: f64,
    /// Time on the clock at which the forces act: loads change with it [s].
    pub now: f64,
}

/// Speeds that are computed in two ways may differ by a few roundings.
const ROUNDED: f64 = 1.0 + 1e-14;

/// Times of a motion between two force evaluations.
#[derive(Clone, Copy, Debug)]
struct Times {
    /// Time since the previous evaluation [s].
    since: f64,
    /// Length of a whole step [s].
    step: f64,
}

/// Path of a body in a step [m].
type Way<'w> = &'w (dyn Fn(usize) -> f64 + Sync);

impl<D: Dim> ForceField<D> {
    /// The field of a world, whose pairs of materials obey soft laws.
    pub fn new(world: &World<D>) -> ForceField<D> {
        ForceField { law_table: LawTable::of(world), ..ForceField::default() }
    }

    /// Sends all pairs over the general path, one at a time, to compare it with lanes.
    #[cfg(test)]
    pub(super) fn leave_lanes(&mut self) {
        self.law_table.plain.clear();
    }

    /// Pairs in the list.
    pub fn pairs(&self) -> usize {
        self.list.pairs.len()
    }

    /// Laws, a table over materials.
    pub fn laws(&self) -> &[SoftLaw] {
        &self.law_table.laws
    }

    /// Rebuilds the pair list. Contacts get the memories of a stored network, if there is one; these are ahead of their
    /// evaluation by the time `ahead` [s].
    pub fn open(&mut self, world: &World<D>, dt: f64, mut memories: StoredMemories<D>, ahead: f64) {
        self.follow(world);
        (self.list, self.speeds, self.ahead, self.lag) = (PairList::default(), None, ahead, 0.0);
        self.remake_list(world, dt, &|_| 0.0);
        if let Some(beads) = &self.beads {
            memories.iter_mut().for_each(|(key, _)| *key = beads.inner(*key));
        }
        self.list.restore(memories);
    }

    /// Memories of all touching pairs, by the keys of their bodies.
    pub fn memories(&self) -> StoredMemories<D> {
        let mut memories = self.list.memories();
        if let Some(beads) = &self.beads {
            memories.iter_mut().for_each(|(key, _)| *key = beads.outer(*key));
        }
        memories
    }

    fn size(&mut self, world: &World<D>) {
        if self.bodies != world.bodies.len() {
            self.bodies = world.bodies.len();
            self.beads = Beads::of(world);
            self.round = RoundBody::of(Self::force_bodies(&self.beads, world));
        }
    }

    /// Begins a step: sets all work of the step to zero.
    pub fn begin(&mut self, world: &World<D>) {
        self.now = world.clock.time;
        self.worked = Taken::default();
        (self.image_work, self.swell_work) = (0.0, 0.0);
        self.wall_work = vec![0.0; world.setup.walls.len()];
    }

    /// Discards the greatest speeds, after the velocities were changed from outside.
    pub fn forget_speeds(&mut self) {
        self.speeds = None;
    }

    /// Takes over positions and velocities of all bodies.
    pub fn follow(&mut self, world: &World<D>) {
        self.size(world);
        if let Some(beads) = &mut self.beads {
            beads.follow(&world.bodies, &world.bodies.twist);
        }
        self.cell.clone_from(&world.cell);
        self.list.images.follow(self.cell.as_ref());
    }

    /// The bodies of the force loop: those of the world, or balls of its clumps.
    fn force_bodies<'b>(beads: &'b Option<Beads<D>>, world: &'b World<D>) -> &'b Bodies<D> {
        beads.as_ref().map_or(&world.bodies, |beads| &beads.bodies)
    }

    /// Upper bound of the speed of bodies, or of balls of clumps [m/s].
    pub fn fastest(&self, world: &World<D>) -> f64 {
        let bodies = &world.bodies;
        let speed = |k: usize| {
            let turning = if self.beads.is_some() { bodies.twist[k].w.norm() * bodies.shape[k].radius() } else { 0.0 };
            bodies.twist[k].v.norm() + turning
        };
        (0..bodies.len()).map(speed).fold(0.0, f64::max)
    }

    /// Evaluates the forces at the present positions, and finds the accelerations of all bodies. No body has moved
    /// further than `way` since the last evaluation; `step` is the length of a step.
    pub fn evaluate(
        &mut self,
        world: &mut World<D>,
        schedule: ForceSchedule,
        step: f64,
        way: f64,
    ) -> Result<(), Coincident> {
        self.keep_list(world, Times { since: schedule.since, step }, way, None);
        self.speeds = None;
        self.run_force_loop(world, schedule, None)?;
        self.add_to_energy_balance(world, schedule.span());
        self.accelerate_walls(world, step, None);
        self.press_cell(world, 0.0);
        Ok(())
    }

    /// Velocity Verlet over `schedule.since`, fused into one pass over the bodies; `step` is the length of a whole
    /// step.
    ///
    /// 1. First half kick and drift: grains in a local copy by [`FillLocalBodies`], walls by `drift_walls`, the cell by
    ///    [`ForceField::drift_cell`].
    /// 2. Forces at the new positions and predicted velocities: [`Task::run`].
    /// 3. Second half kick, by the new accelerations: grains by [`FinishStep`], walls by `accelerate_walls`, the cell
    ///    by `press_cell`.
    ///
    /// Neither the local copy nor `drift_walls` stores the first half kick; [`FinishStep`] and `accelerate_walls` repeat
    /// it.
    ///
    /// Clumps do all of it in `kick_drift_kick_clumps`.
    ///
    /// [`FillLocalBodies`]: super::local_bodies::FillLocalBodies
    /// [`Task::run`]: super::task::Task::run
    /// [`FinishStep`]: super::motion::FinishStep
    ///
    /// # Panics
    /// If a caller made grains faster since the previous step, so fast that the pair list no longer covers them.
    pub fn kick_drift_kick(
        &mut self,
        world: &mut World<D>,
        schedule: ForceSchedule,
        step: f64,
    ) -> Result<(), Coincident> {
        self.size(world);
        self.now += schedule.since;
        if self.beads.is_some() {
            return self.kick_drift_kick_clumps(world, schedule, step);
        }
        let dt = schedule.since;
        world.scratch.before.resize(world.bodies.len(), Twist::default());
        let ahead = |world: &World<D>, accel: &[Twist<D>], k: usize| {
            kicked(&world.bodies.twist[k], &accel[k], 0.5 * dt).v.norm() * dt.abs()
        };
        let walls = (0..world.setup.walls.len()).map(|wall| ahead(world, &self.accel, wall)).fold(0.0, f64::max);
        let way = walls.max(self.speeds(world).ahead(dt) * dt.abs());
        let accel = std::mem::take(&mut self.accel);
        self.keep_list(world, Times { since: dt, step }, way, Some(&|k| ahead(world, &accel, k)));
        self.accel = accel;
        self.drift_walls(world, dt);
        self.drift_cell(world, dt);
        self.run_force_loop(world, schedule, Some(dt))?;
        let drifted = self.speeds(world).drifted() * dt.abs();
        self.list.travelled += (drifted - way).max(0.0);
        let is_as_predicted = drifted <= ROUNDED * way || self.list.travelled < self.list.slack;
        assert!(is_as_predicted, "grains got faster between two steps");
        self.add_to_energy_balance(world, schedule.span());
        self.accelerate_walls(world, step, Some(0.5 * dt));
        self.press_cell(world, 0.5 * dt);
        Ok(())
    }

    /// Rebuilds the pair list if it may lack a pair after a motion in which no body moves further than `way`. The
    /// bodies have already made that motion, or each still has to move by `ahead`.
    fn keep_list(&mut self, world: &World<D>, times: Times, way: f64, ahead: Option<Way<'_>>) {
        let Times { since: dt, step } = times;
        // images also move with the lattice: half of it for each body of a pair
        let by_images = 0.5 * self.list.images.pace() * dt.abs();
        let swing = (0..world.setup.walls.len()).map(|wall| world.swing_travel(wall, step)).fold(0.0, f64::max);
        let (way, bodies) = (way + by_images + swing, Self::force_bodies(&self.beads, world));
        let to_go = |k: usize| ahead.map_or(0.0, |ahead| ahead(k) + by_images + world.swing_travel(k, step));
        if !self.list.covers_step(world, bodies, way, to_go) {
            self.remake_list(world, step, ahead.unwrap_or(&|_| 0.0));
            self.list.travelled = if ahead.is_some() { way } else { 0.0 };
        }
    }

    fn remake_list(&mut self, world: &World<D>, step: f64, ahead: Way<'_>) {
        let bodies = Self::force_bodies(&self.beads, world);
        let way = |k: usize| ahead(k).max(bodies.twist[k].v.norm() * step) + world.swing_travel(k, step);
        self.list.rebuild(world, self.beads.as_ref(), &self.law_table, step, way);
        self.list.images.follow(self.cell.as_ref());
    }

    /// The greatest speeds of grains, as they move now.
    pub fn speeds(&self, world: &World<D>) -> GreatestSpeeds {
        self.speeds.unwrap_or_else(|| {
            let mut speeds = GreatestSpeeds::default();
            let rate = |k: usize| self.accel.get(k).copied().unwrap_or_default();
            let bodies = &world.bodies;
            world.grains().for_each(|k| speeds.note(&bodies.twist[k], &rate(k), bodies.shape[k].radius()));
            speeds
        })
    }

    /// Reports of all contacts for the present positions and velocities, sorted by key. Their history stays as it is.
    pub fn report_contacts(&mut self, world: &World<D>) -> Vec<ContactReport<D>> {
        self.report_in_parts(world).into_iter().flatten().collect()
    }

    /// The same in parts that are sorted one after the other.
    pub fn report_in_parts(&mut self, world: &World<D>) -> Vec<Vec<ContactReport<D>>> {
        self.follow(world);
        let pairs = self.pairs();
        let mut parts = threads::inside(pairs, || self.collect_reports(world));
        let count = Self::force_bodies(&self.beads, world).len();
        for report in parts.iter_mut().flatten() {
            report.image_velocity = self.list.images.image_velocity(report.key.b, count);
            report.key.b = self.list.images.body(report.key.b, count);
        }
        if let Some(beads) = &self.beads {
            let walls = world.setup.walls.len();
            let arm = |k: u32| if (k as usize) < walls { D::Vec::ZERO } else { beads.turned[k as usize] };
            for report in parts.iter_mut().flatten() {
                let ContactKey { a, b, .. } = report.key;
                report.offsets = [arm(a) + report.offsets[0], arm(b) + report.offsets[1]];
                report.key = beads.outer(report.key);
            }
        }
        parts[0].sort_unstable_by_key(|report| report.key); // with walls
        if !parts[1..].iter().flatten().is_sorted_by_key(|report| report.key) {
            let mut between: Vec<_> = parts.drain(1..).flatten().collect();
            between.sort_unstable_by_key(|report| report.key);
            parts.push(between);
        }
        parts
    }
}
