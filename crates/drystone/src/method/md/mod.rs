//! Soft-particle molecular dynamics: overlaps make forces, and Newton's equations are integrated. [Wolf], [Wassgren09]
//!
//! A step with velocity Verlet; the other integrators are in [`integrator`]:
//!
//! ```text
//! SoftParticles::step
//!  |- ForceField::kick_drift_kick          field/mod.rs
//!  |   |- keep_list                   rebuilds the pair list if it may lack a pair: pairs.rs, block.rs, images.rs
//!  |   |- drift_walls, drift_cell     field/{walls, cell}.rs
//!  |   |- run_force_loop              field/force_loop.rs: blocks, chunk by chunk, on all threads
//!  |   |   |- Task::run               task.rs: the forces of the pairs of one block
//!  |   |   |   |- FillLocalBodies     local_bodies.rs: FIRST HALF KICK AND DRIFT, into a local copy
//!  |   |   |   |- ForceX4             force_x4.rs: plain laws, four pairs at a time, or
//!  |   |   |   `- Task::run_batch     force_general.rs: all other laws, and contact reports
//!  |   |   `- apply_forces            GrainBlock::gather adds the forces of other blocks, then
//!  |   |       `- FinishStep          motion.rs: moves the bodies, BOTH HALF KICKS
//!  |   `- add_to_energy_balance, accelerate_walls, press_cell    field/{walls, cell}.rs
//!  `- check, Monitors::inspect        monitor/: warnings
//! ```
//!
//! One pair of grains in its representations, and who owns them:
//!
//! ```text
//! (a, b) of Neighbours      found by the broad phase, bodies by their numbers           PairList of the ForceField
//!   |  Images::of           b is replaced by its periodic image where that is nearer
//! LocalPair                 the same pair by indices into the LocalBodies of its block   PairList of the ForceField
//!   |                       + one entry of History: spring, or the whole SoftMemory     PairList of the ForceField
//! lane of PairX4            plain laws         or   BatchContact   other laws           one thread, for a batch
//!   |                                               |
//! wrench of LocalBodies     forces and torques      ContactReport  only if asked for    one thread, for a block
//! ```
//!
//! Threads share blocks: a block owns the pairs whose first grain is its own, and writes to its own grains only:
//!
//! ```text
//! grains    [ block 0 ][ block 1 ][ block 2 ]     pair (0, 1) is found by block 0
//! ghosts             \_ on_ghosts: forces of block 0 on grains of later blocks, which add them up in order of blocks
//! ```
//!
//! Pairs with walls are `ContactKey`s in place of `LocalPair`s. Balls of clumps are bodies of their own: [`beads`]. The
//! network of the world is not used: `publish` writes it, by the general path. The laws are in [`crate::law::soft`].

pub(crate) mod beads;
pub(crate) mod block;
pub(crate) mod contact_report;
pub(crate) mod field;
pub(crate) mod force_general;
pub(crate) mod force_input;
pub(crate) mod force_schedule;
pub(crate) mod force_x4;
pub(crate) mod history;
pub(crate) mod images;
pub mod integrator;
pub(crate) mod law_table;
pub(crate) mod local_bodies;
pub(crate) mod monitor;
pub(crate) mod motion;
pub(crate) mod options;
pub(crate) mod pairs;
pub(crate) mod task;
#[cfg(test)]
mod tests;
pub(crate) mod time_step;

pub use options::MdOptions;
pub use time_step::{falling_speed, largest_speed, shortest_collision, time_step};

use std::time::Instant;

use crate::body::Twist;
use crate::contact::{Contact, ContactMemory, Network, Regime};
use crate::dim::{D2, D3, Dim, Vector};
use crate::law::soft;
use crate::method::common::compiled::compiled_once;
use crate::method::common::passing::{Passing, check_depth};
use crate::method::{
    Alarm, ContactTerms, Method, RUNAWAY, StepError, StepReport, carried_numbers, check_pace, check_pace_with,
    check_state, open_soft_energy_balance, record_soft_work,
};
use crate::world::World;

use contact_report::ContactReport;
use field::ForceField;
use integrator::StepContext;
use monitor::{Monitors, StepSummary};

/// Steps between searches for grains behind walls: they get there through many steps of deep overlap.
const LOST_EVERY: u64 = 100;

/// The method, with the pair list and the contact history that it keeps from step to step. Between steps no other code
/// may move grains or make them much faster: after such a change, make a new `SoftParticles`.
pub struct SoftParticles<D: Dim> {
    /// Parameters.
    pub options: MdOptions,
    dt: f64,
    field: ForceField<D>,
    carried: Vec<Twist<D>>,
    terms: Vec<ContactTerms<D>>,
    monitors: Monitors<D>,
    alarms: Vec<Alarm>,
    passing: Passing<D>,
    /// Deepest overlap over the smaller radius at the end of the last step; infinite before the first.
    depth: f64,
    is_open: bool,
}

impl<D: Dim> SoftParticles<D> {
    /// The method for a world, which must have soft laws.
    pub fn new(options: MdOptions, world: &World<D>) -> Self {
        let (dt, advisable) = time_step(world, &options);
        let monitors = Monitors::new(advisable / *options.fraction);
        let (carried, terms, alarms) = (Vec::new(), Vec::new(), Vec::new());
        let (field, passing, depth) = (ForceField::new(world), Passing::default(), f64::INFINITY);
        SoftParticles { options, dt, field, carried, terms, monitors, alarms, passing, depth, is_open: false }
    }

    /// How often the pair list was built.
    pub fn rebuilds(&self) -> u64 {
        self.field.list.rebuilds()
    }

    /// Takes over the contact history of the network and what the integrator carried, or starts both afresh.
    fn open(&mut self, world: &mut World<D>) -> Result<(), StepError> {
        let width = soft::SoftMemory::<D>::WIDTH;
        let Network { contacts, history, .. } = &world.network;
        let numbers = history.chunks_exact(width);
        let memories = match history.len() == width * contacts.len() {
            true => contacts.iter().zip(numbers).map(|(c, n)| (c.key, soft::SoftMemory::from_numbers(n))).collect(),
            false => Vec::new(),
        };
        let integrator = self.options.integrator.as_dyn::<D>();
        self.field.open(world, self.dt, memories, 0.5 * integrator.until(self.dt));
        let count = integrator.carries() * world.bodies.len();
        let numbers = D::Vec::LEN + D::Spin::LEN;
        self.carried = vec![Twist::default(); count];
        if world.carried.len() == count * numbers {
            for (twist, numbers) in self.carried.iter_mut().zip(world.carried.chunks_exact(numbers)) {
                *twist = Twist {
                    v: D::Vec::from_fn(|axis| numbers[axis]),
                    w: D::Spin::from_fn(|axis| numbers[D::Vec::LEN + axis]),
                };
            }
        } else {
            let mut context = StepContext { world, field: &mut self.field, carried: &mut self.carried, dt: self.dt };
            integrator.start(&mut context).map_err(|pair| StepError::coincident(world, pair))?;
            let stored = self.stored(world);
            open_soft_energy_balance(world, [stored, 0.0, 0.0]);
        }
        self.is_open = true;
        Ok(())
    }

    /// Refuses a first step in which what the integrator carries makes a body too fast to be followed.
    fn check_carried(&self, world: &World<D>) -> Result<(), StepError> {
        let (count, carried, dt) = (world.bodies.len(), &self.carried, self.dt);
        let gain = |body: usize| {
            let rates = carried.iter().skip(body).step_by(count.max(1)); // a, a', a'', ...
            rates.zip(1..).map(|(rate, order)| rate.v.norm() * dt.powi(order)).sum::<f64>()
        };
        check_pace_with(world, 0..count, self.dt, gain)
    }

    /// Elastic energy of all contacts [J].
    fn stored(&mut self, world: &World<D>) -> f64 {
        self.field.report_contacts(world).iter().map(|contact| contact.stored).sum()
    }

    /// Refuses a world in which a grain is behind a wall, went through a wall or another grain, or has a speed that no
    /// collision gives.
    fn check(&mut self, world: &World<D>, report: &StepReport) -> Result<(), StepError> {
        let is_deep = report.max_overlap >= 1.0;
        if is_deep || report.step.is_multiple_of(LOST_EVERY) {
            check_state(world)?;
        }
        self.passing.end(world)?;
        if is_deep {
            let depth = |contact: &ContactReport<D>| {
                let pair = [contact.key.a as usize, contact.key.b as usize];
                let [ra, rb] = pair.map(|body| world.bodies.inner_radius(body));
                (pair, -contact.gap / ra.min(rb))
            };
            check_depth(world, self.field.report_contacts(world).iter().map(depth))?;
        }
        if report.max_travel <= RUNAWAY {
            return Ok(());
        }
        let bodies = &world.bodies;
        let travel = |k: &usize| bodies.twist[*k].v.norm() * self.dt / bodies.shape[*k].radius();
        let Some(body) = world.grains().find(|k| travel(k).is_nan() || travel(k) > RUNAWAY) else {
            return check_state(world);
        };
        let speed = bodies.twist[body].v.norm();
        let partner = |contact: &ContactReport<D>| match [contact.key.a as usize, contact.key.b as usize] {
            [a, b] if a == body => Some(world.name(b)),
            [a, b] if b == body => Some(world.name(a)),
            _ => None,
        };
        let contacts = self.field.report_contacts(world).iter().filter_map(partner).collect();
        let shortest = shortest_collision(world, None);
        let cause = match self.dt > 0.1 * shortest {
            true => format!(
                "the time step {:.2e} s is too long for collisions of {shortest:.2e} s: time_step = \"auto\" is shorter",
                self.dt
            ),
            false => "grains overlapped at the start, or a wall or drive pushes them into each other".into(),
        };
        Err(StepError::Runaway { body: world.name(body), step: report.step, speed, contacts, cause })
    }
}

impl<D: Dim> SoftParticles<D> {
    /// One step.
    fn make_step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        let dt = self.dt;
        if !self.is_open {
            check_pace(world, world.grains(), dt)?; // later steps have passed the check at the end of the previous one
            world.find_loads(dt); // the first forces are those of the start
            self.field.now = world.clock.time;
            self.open(world)?;
            self.check_carried(world)?; // in later steps the velocities have already been checked
        }
        let start = Instant::now();
        world.begin_step(dt);
        check_pace(world, 0..world.setup.walls.len(), dt)?;
        self.strike(world)?;
        match self.passing.is_near(world, dt, self.depth) {
            true => self.passing.begin(world),
            false => self.passing.rest(),
        }
        self.field.begin(world);
        self.field.grow(world, dt);
        let integrator = self.options.integrator.as_dyn::<D>();
        let pairs = self.field.pairs();
        let mut context = StepContext { world, field: &mut self.field, carried: &mut self.carried, dt };
        crate::threads::inside(pairs, || integrator.step(&mut context))
            .map_err(|pair| StepError::coincident(world, pair))?;
        world.set_loads(world.clock.time, world.clock.time + dt); // their work is counted over the whole step
        record_soft_work(world, dt, self.field.worked, &self.field.wall_work);
        let pistons = (0..world.setup.walls.len()).filter(|wall| world.bodies.inertia[*wall].is_movable());
        let slides: f64 = pistons.map(|wall| self.field.wall_work[wall]).sum();
        world.ledger.wall_work += self.field.image_work + self.field.swell_work + slides + world.press_work(dt);
        world.tick(dt);
        world.scratch.is_network_stale = true;
        (world.network, self.terms) = (Network::default(), Vec::new()); // of an earlier step
        let speeds = self.field.speeds(world);
        let report = StepReport {
            step: world.clock.step,
            time: world.clock.time,
            contacts: self.field.touching,
            closed: self.field.touching,
            converged: true,
            is_soft: true,
            max_overlap: self.field.deepest,
            max_travel: speeds.pace() * dt,
            max_speed: speeds.speed(),
            solving: start.elapsed(),
            ..StepReport::default()
        };
        self.depth = report.max_overlap;
        self.check(world, &report)?;
        if self.monitors.is_due(report.step, report.max_overlap) {
            let contacts = self.field.report_contacts(world);
            let summary = StepSummary { dt, deepest: report.max_overlap };
            self.alarms.extend(self.monitors.inspect(world, &contacts, summary));
        }
        Ok(report)
    }

    /// Gives grains the blows of this step, at its start, and enters their work into the energy balance.
    fn strike(&mut self, world: &mut World<D>) -> Result<(), StepError> {
        let blows = world.blows(self.dt);
        if blows.is_empty() {
            return Ok(());
        }
        let work = world.strike(&blows);
        world.ledger.wall_work += work;
        for (body, impulse) in blows {
            let jump = impulse * world.bodies.inertia[body].inv_m;
            self.options.integrator.as_dyn::<D>().jump(&mut self.carried, body, jump);
        }
        self.field.forget_speeds();
        check_pace(world, world.grains(), self.dt)
    }

    /// Brings contacts and energy balance of the world up to date.
    fn report_contacts(&mut self, world: &mut World<D>) {
        if !self.is_open || !world.scratch.is_network_stale {
            return;
        }
        world.network = Network::default(); // before new contacts need its place
        let (parts, dt) = (self.field.report_in_parts(world), self.dt);
        let count = parts.iter().map(Vec::len).sum();
        let mut network = Network::default();
        network.contacts.reserve_exact(count);
        network.memory.reserve_exact(count);
        self.terms = Vec::with_capacity(count);
        let (mut stored, mut power) = (-0.0, -0.0); // sums of no numbers
        // a part is dropped once it is entered
        for contact in parts.into_iter().flatten() {
            let ContactReport { key, normal, gap, force, torque, slides, friction, image_velocity, .. } = contact;
            let [arm_a, arm_b] = contact.body_arms();
            network.contacts.push(Contact { key, normal, gap, arm_a, arm_b, image_velocity });
            let regime = match (force == D::Vec::ZERO, slides) {
                (true, _) => Regime::Open,
                (false, true) => Regime::Slide,
                (false, false) => Regime::Stick,
            };
            network.memory.push(ContactMemory { impulse: force * dt, torque: torque * dt, regime, bond: None });
            self.terms.push(ContactTerms { friction, bias: D::Vec::ZERO, torque: torque * dt });
            stored += contact.stored;
            power += contact_power(world, &contact);
        }
        world.network = network;
        world.scratch.is_network_stale = false;
        world.scratch.lacks_history = true;
        world.ledger.elastic = stored;
        // the forces of this instant act for another half step, and the energy that they take in then is already
        // entered
        let to_come = self.field.ahead * power;
        world.ledger.dissipated = world.ledger.taken.iter().sum::<f64>() - to_come - world.ledger.elastic;
        world.note_pushes(dt);
    }

    /// Brings everything up to date: contacts with their history, and what the integrator carries.
    fn report_state(&mut self, world: &mut World<D>) {
        self.report_contacts(world);
        if !self.is_open || !world.scratch.lacks_history {
            return;
        }
        let mut memories = self.field.memories();
        memories.sort_unstable_by_key(|(key, _)| *key);
        let (mut memories, Network { contacts, history, .. }) = (memories.into_iter().peekable(), &mut world.network);
        history.reserve_exact(contacts.len() * soft::SoftMemory::<D>::WIDTH);
        for contact in contacts {
            while memories.next_if(|(key, _)| *key < contact.key).is_some() {}
            let memory = memories.peek().filter(|(key, _)| *key == contact.key);
            memory.map(|(_, memory)| *memory).unwrap_or_default().numbers(history);
        }
        world.scratch.lacks_history = false;
        world.carried = carried_numbers(&self.carried);
    }
}

/// Energy that a contact takes in per time from bodies that are free to move [W]. What walls and images put in by their
/// own motion is entered as work from outside for the same times, and cancels.
fn contact_power<D: Dim>(world: &World<D>, contact: &ContactReport<D>) -> f64 {
    let bodies = &world.bodies;
    let power = |body: u32, arm: D::Vec| match bodies.inertia[body as usize].is_movable() {
        true => {
            let Twist { v, w } = bodies.twist[body as usize];
            contact.force.dot(v + D::swing(w, arm)) + contact.torque.dot(w)
        }
        false => 0.0,
    };
    let [arm_a, arm_b] = contact.body_arms();
    power(contact.key.a, arm_a) - power(contact.key.b, arm_b)
}

impl<D: Dim> Method<D> for SoftParticles<D> {
    fn time_step(&self) -> f64 {
        self.dt
    }

    fn terms(&self) -> Vec<ContactTerms<D>> {
        self.terms.clone()
    }

    fn step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        compiled_once!(SoftParticles::make_step(self, world) -> Result<StepReport, StepError>)
    }

    fn alarms(&mut self) -> Vec<Alarm> {
        std::mem::take(&mut self.alarms)
    }

    fn counts(&self) -> Vec<(String, Vec<f64>)> {
        self.monitors.counts()
    }

    fn recall_counts(&mut self, counts: &[(String, Vec<f64>)]) {
        self.monitors.recall(counts);
    }

    fn publish(&mut self, world: &mut World<D>) {
        compiled_once!(SoftParticles::report_state(self, world) -> ())
    }

    fn publish_contacts(&mut self, world: &mut World<D>) {
        compiled_once!(SoftParticles::report_contacts(self, world) -> ())
    }
}
