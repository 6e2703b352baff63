//! The force loop over all blocks: forces first, then accelerations and motion of the grains.
//!
//! Blocks are processed in chunks, as many blocks as the threads can have in their caches at a time. First all blocks
//! of a chunk find the forces of their pairs, from bodies that nobody moves meanwhile. Then each block moves its own
//! grains: no later block pushes or reads them. So all that a grain needs in a step comes from memory once. The number
//! of blocks in a chunk does not change a bit of the result.

use std::ops::Range;

use super::ForceField;
use super::clumps::load_clumps;
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::{D2, Dim};
use crate::lane::in_lanes;
use crate::method::common::solver_body::SolverBody;
use crate::method::md::block::{GrainBlock, PairTotals};
use crate::method::md::contact_report::ContactReport;
use crate::method::md::force_input::{Drift, ForceInput};
use crate::method::md::force_schedule::ForceSchedule;
use crate::method::md::history::{History, HistorySlice};
use crate::method::md::integrator::kicked;
use crate::method::md::local_bodies::LocalBodies;
use crate::method::md::motion::{FindAccelerations, FinishStep, GreatestSpeeds};
use crate::method::md::pairs::PairList;
use crate::method::md::task::Task;
use crate::threads;
use crate::wall::{Surface, WallPose};
use crate::world::World;

/// Blocks of a chunk for every thread, if there are several threads. With fewer, threads wait for each other; with
/// more, a block's data leave the cache before its grains are moved.
const CHUNK: usize = 8;

/// Input of the force loop: its times, and the walls at the instant of the forces.
struct LoopInput<D: Dim> {
    /// Times before and after this evaluation.
    schedule: ForceSchedule,
    /// Time over which the grains drift before the forces act [s], if they do.
    drift_time: Option<f64>,
    is_report: bool,
    /// Poses and velocities of the walls.
    stands: Vec<WallPose<D>>,
    wall_motion: Vec<SolverBody<D>>,
}

/// What the blocks write to, taken out of the field during the force loop.
struct WorkSet<D: Dim> {
    blocks: Vec<GrainBlock<D>>,
    locals: Vec<LocalBodies<D>>,
    at_walls: History<D>,
    between: History<D>,
}

impl<D: Dim> ForceField<D> {
    /// Finds the forces and the accelerations. With `drift_time` the bodies get their first half kick and drift before
    /// the forces act, and get their second half kick afterwards; without it they stay where they are.
    pub(super) fn run_force_loop(
        &mut self,
        world: &mut World<D>,
        schedule: ForceSchedule,
        drift_time: Option<f64>,
    ) -> Result<(), Coincident> {
        self.accel.resize(world.bodies.len(), Twist::default()); // an integrator may have taken them
        world.set_loads(self.now, self.now);
        let at = self.loop_input(world, schedule, drift_time);
        let mut load = vec![Twist::default(); self.beads.as_ref().map_or(0, |_| world.bodies.len())];
        let mut work = self.take_work_set();
        let mut histories = [work.at_walls.slice(), work.between.slice()];
        let mut speeds = GreatestSpeeds::default();
        for chunk in self.chunks(work.blocks.len()) {
            let locals = &mut work.locals[..chunk.len()];
            find_forces(&self.force_input(world, &at), &mut work.blocks[chunk.clone()], locals, &mut histories);
            match &self.beads {
                Some(beads) => {
                    let parts = work.blocks[chunk].iter().zip(&*locals);
                    parts.for_each(|(block, local)| load_clumps(&mut load, beads, &self.list.images, block, local));
                }
                None => speeds = speeds.and(self.apply_forces(world, &work.blocks, chunk, locals, drift_time)),
            }
        }
        self.return_work_set(work);
        (self.ahead, self.lag) = (0.5 * schedule.until, 0.0);
        if drift_time.is_some() {
            std::mem::swap(&mut world.scratch.before, &mut world.state.bodies.twist);
            let walls = 0..world.setup.walls.len();
            world.state.bodies.twist[walls.clone()].copy_from_slice(&world.scratch.before[walls]); // they are kicked later
        }
        self.speeds = drift_time.map(|_| speeds);
        if self.beads.is_some() {
            self.accelerate_clumps(world, &load);
        }
        self.sum_up(world)
    }

    /// Reports of all contacts: first of those with walls, then of those between grains, block by block. Their history
    /// stays as it is.
    pub(super) fn collect_reports(&mut self, world: &World<D>) -> Vec<Vec<ContactReport<D>>> {
        let schedule = ForceSchedule { since: self.lag, ..ForceSchedule::default() };
        let at = LoopInput { is_report: true, ..self.loop_input(world, schedule, None) };
        let mut work = self.take_work_set();
        let known = work.at_walls.clone(); // contacts that roll from face to face move their memories
        let mut histories = [work.at_walls.slice(), work.between.slice()];
        let walls = world.setup.walls.len();
        let mut reports = vec![Vec::new()];
        for chunk in self.chunks(work.blocks.len()) {
            let locals = &mut work.locals[..chunk.len()];
            find_forces(&self.force_input(world, &at), &mut work.blocks[chunk.clone()], locals, &mut histories);
            for block in &mut work.blocks[chunk] {
                let mut found = std::mem::take(&mut block.reports);
                let first = found.partition_point(|report| (report.key.a as usize) < walls);
                reports[0].extend(found.drain(..first));
                reports.push(found);
            }
        }
        self.return_work_set(WorkSet { at_walls: known, ..work });
        reports
    }

    fn take_work_set(&mut self) -> WorkSet<D> {
        let (chunk, PairList { blocks, at_walls, between, .. }) = (self.chunk(), &mut self.list);
        let mut locals = std::mem::take(&mut self.locals);
        locals.resize_with(chunk, LocalBodies::default);
        let [at_walls, between] = [at_walls, between].map(std::mem::take);
        WorkSet { blocks: std::mem::take(blocks), locals, at_walls, between }
    }

    fn return_work_set(&mut self, work: WorkSet<D>) {
        (self.list.blocks, self.locals) = (work.blocks, work.locals);
        (self.list.at_walls, self.list.between) = (work.at_walls, work.between);
    }

    /// Blocks in a chunk.
    fn chunk(&self) -> usize {
        match threads::at_hand(self.pairs()) {
            1 => 1,
            many => CHUNK * many,
        }
    }

    fn chunks(&self, blocks: usize) -> impl Iterator<Item = Range<usize>> + use<D> {
        let chunk = self.chunk();
        (0..blocks).step_by(chunk).map(move |first| first..(first + chunk).min(blocks))
    }

    /// Poses and velocities of the walls when the forces act.
    fn loop_input(&self, world: &World<D>, schedule: ForceSchedule, drift_time: Option<f64>) -> LoopInput<D> {
        let bodies = Self::force_bodies(&self.beads, world);
        let motion = |wall: usize| {
            let kicked = |twist: Twist<D>| drift_time.map_or(twist, |dt| kicked(&twist, &self.accel[wall], 0.5 * dt));
            SolverBody::new(&kicked(kicked(bodies.twist[wall])), &world.bodies.inertia[wall])
        };
        let walls = 0..world.setup.walls.len();
        let stands = walls.clone().map(|wall| world.bodies.wall_pose(wall)).collect();
        LoopInput { schedule, drift_time, is_report: false, stands, wall_motion: walls.map(motion).collect() }
    }

    fn force_input<'s>(&'s self, world: &'s World<D>, at: &'s LoopInput<D>) -> ForceInput<'s, D> {
        let cores = self.beads.as_ref().map_or(&[][..], |beads| &beads.cores);
        ForceInput {
            bodies: Self::force_bodies(&self.beads, world),
            round: &self.round,
            drift: at.drift_time.map(|dt| Drift { dt, accel: &self.accel }),
            wall_motion: &at.wall_motion,
            images: &self.list.images,
            cores,
            has_offsets: !cores.is_empty() || world.setup.surfaces.iter().any(Surface::is_aside),
            skin: self.list.slack,
            stands: &at.stands,
            surfaces: &world.setup.surfaces,
            walls: &self.list.walls,
            pairs: &self.list.pairs,
            law_table: &self.law_table,
            schedule: at.schedule,
            span: if at.is_report { 2.0 * self.ahead } else { at.schedule.span() },
            slip_time: at.schedule.since - self.ahead,
            ahead: 0.5 * at.schedule.until,
            travelled: self.list.travelled,
            growth: world.setup.growth,
            depth: (D::DIMENSION == D2::DIMENSION).then_some(world.setup.depth),
            is_report: at.is_report,
        }
    }

    /// Finds the accelerations of the grains of a chunk. With `drift_time` it also moves them to where the forces
    /// acted, and gives them both half kicks: see [`FinishStep`].
    fn apply_forces(
        &mut self,
        world: &mut World<D>,
        blocks: &[GrainBlock<D>],
        chunk: Range<usize>,
        locals: &mut [LocalBodies<D>],
        drift_time: Option<f64>,
    ) -> GreatestSpeeds {
        let (gravity, loads) = (world.state.gravity, &world.scratch.loads);
        let (images, bodies) = (&self.list.images, world.state.bodies.len());
        let grains = || blocks[chunk.clone()].iter().map(|block| block.grains.clone());
        let accels = threads::split(&mut self.accel, grains());
        let poses = threads::split(&mut world.state.bodies.pose, grains());
        // grains that drift write their new velocities beside the old ones
        let mut after =
            threads::split(&mut world.scratch.before, grains().filter(|_| drift_time.is_some())).into_iter();
        let twists = grains().map(|grains| &world.state.bodies.twist[grains]);
        let moved =
            poses.into_iter().zip(twists).map(|(poses, twists)| (poses, twists, after.next().unwrap_or_default()));
        let parts = blocks[chunk.clone()].iter().zip(locals).zip(accels).zip(moved).collect();
        let found = threads::map(parts, self.list.pairs.len(), |(((block, local), accels), moved)| {
            block.gather(blocks, images, bodies, loads, &mut local.wrench);
            let ((poses, twists, after), local) = (moved, &*local);
            match drift_time {
                Some(dt) => in_lanes(FinishStep { poses, twists, after, accels, local, gravity, dt }),
                None => {
                    in_lanes(FindAccelerations { accels, local, gravity });
                    GreatestSpeeds::default()
                }
            }
        });
        found.into_iter().fold(GreatestSpeeds::default(), GreatestSpeeds::and)
    }

    /// Adds up the results of all blocks.
    fn sum_up(&mut self, world: &World<D>) -> Result<(), Coincident> {
        self.on_walls = vec![Twist::default(); world.setup.walls.len()];
        let mut sum = PairTotals::default();
        for block in &self.list.blocks {
            for (sum, part) in self.on_walls.iter_mut().zip(&block.on_walls) {
                (sum.v, sum.w) = (sum.v + part.v, sum.w + part.w);
            }
            sum.add(&block.totals);
        }
        (self.taken, self.swelling) = (sum.taken, sum.swelling);
        (self.touching, self.deepest) = (sum.touching, sum.deepest);
        let bodies = Self::force_bodies(&self.beads, world).len();
        let body = |k: usize| self.list.images.body(k as u32, bodies) as usize;
        sum.coincident.map_or(Ok(()), |Coincident { a, b }| Err(Coincident { a, b: body(b) }))
    }
}

/// Finds the forces of the pairs of all given blocks.
fn find_forces<D: Dim>(
    input: &ForceInput<D>,
    blocks: &mut [GrainBlock<D>],
    locals: &mut [LocalBodies<D>],
    histories: &mut [HistorySlice<'_, D>; 2],
) {
    let [at_walls, between] = histories;
    let task = |(block, local): (_, _)| {
        let block: &mut GrainBlock<D> = block;
        // histories are split off in the order of the blocks
        let (at_walls, between) = (at_walls.split_off(block.walls.len()), between.split_off(block.pairs.len()));
        Task { block, local, at_walls, between }
    };
    let tasks = blocks.iter_mut().zip(locals).map(task).collect();
    threads::map(tasks, input.pairs.len(), |mut task: Task<'_, D>| task.run(input));
}
