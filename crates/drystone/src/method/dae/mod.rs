//! Differential-algebraic mechanics: elastic grains, with static friction, rods and joints as constraints. [Chen]
//!
//! A step:
//!
//! ```text
//! Dae::step                               mod.rs
//!  |- World::begin_step                   drives the walls
//!  |- open                                first step only: history, start forces (start.rs), energy balance
//!  |- advance                             or step_with_events (events.rs): steps are cut where contacts change
//!  |   |- find_active_set                 active_set.rs: which contacts stick, by descent.rs and multipliers.rs
//!  |   `- substep
//!  |       |- DaeIntegrator::step         integrator/{rk4, gear}.rs: moves the bodies
//!  |       |   `- DaeField::evaluate      field.rs, four times (rk4) or once (gear)
//!  |       |       |- applied_forces      find_contacts (World::sense), weights, springs, sliding friction
//!  |       |       `- accelerate          multipliers.rs: static friction, rods, joints as constraint forces
//!  |       |- project_positions           project.rs: takes away the drift of rods and joints
//!  |       `- project_velocities          the same for velocities, and for contacts that stick
//!  |- record_soft_work                    method/mod.rs
//!  |- World::tick
//!  `- check
//! ```
//!
//! One contact in its representations:
//!
//! ```text
//! Contact           geometry, from World::sense
//! SoftContact       with normal force, slip and friction at one instant     soft_contact.rs
//! Candidate         one that may stick, while the active set is searched    active_set.rs
//! ConstraintRow     one (2D) or two (3D) rows of G, if it sticks
//! ContactHistory    what is kept until the next step                        contact_history.rs
//! ```

pub(crate) mod active_set;
pub(crate) mod contact_history;
mod descent;
pub(crate) mod events;
pub(crate) mod field;
pub(crate) mod integrator;
pub(crate) mod mobility;
pub(crate) mod multipliers;
pub(crate) mod options;
pub(crate) mod paradox;
pub(crate) mod project;
pub(crate) mod soft_contact;
mod start;
mod strike;
#[cfg(test)]
mod tests;

pub use options::{DaeOptions, Projection, Statics};

use std::time::Instant;

use crate::body::Twist;
use crate::contact::{Coincident, Contact, ContactMemory, Network, Regime};
use crate::dim::{D2, D3, Dim, Vector};
use crate::method::common::compiled::compiled_once;
use crate::method::common::passing::{Passing, check_crossed, check_depth};
use crate::method::statics::StartForces;
use crate::method::{
    Alarm, ContactTerms, Event, Method, RUNAWAY, StepError, StepReport, carried_numbers, check_state, md,
    open_soft_energy_balance, record_soft_work,
};
use crate::world::World;
use active_set::ActiveSetResult;
use contact_history::ContactHistory;
use events::ContactEvent;
use field::{DaeField, Evaluation, EvaluationTime};
use integrator::DaeStepContext;

/// Warnings of this method.
pub const CODES: [&str; 3] = ["W131", "W132", "W133"];

/// The method, with its data from step to step.
pub struct Dae<D: Dim> {
    /// Parameters.
    pub options: DaeOptions,
    dt: f64,
    /// Accelerations, and histories of contacts.
    pub field: DaeField<D>,
    carried: Vec<Twist<D>>,
    terms: Vec<ContactTerms<D>>,
    alarms: Vec<Alarm>,
    /// Located events; [`Method::events`] removes them.
    pub happened: Vec<ContactEvent>,
    passing: Passing<D>,
    is_open: bool,
    rounds: u64,
    /// Time reached within the step [s].
    now: f64,
}

impl<D: Dim> Dae<D> {
    /// The method for a world, whose materials must have soft laws.
    pub fn new(options: DaeOptions, world: &World<D>) -> Self {
        let (dt, _) = md::time_step(world, &options.pace());
        let field = DaeField::new(&options, world);
        let (carried, terms, alarms) = (Vec::new(), Vec::new(), Vec::new());
        Dae {
            options,
            dt,
            field,
            carried,
            terms,
            alarms,
            happened: Vec::new(),
            passing: Passing::default(),
            is_open: false,
            rounds: 0,
            now: 0.0,
        }
    }

    /// Takes histories from a stored world, or makes the first ones.
    fn open(&mut self, world: &mut World<D>) -> Result<(), StepError> {
        let Network { contacts, history, .. } = &world.network;
        let width = ContactHistory::<D>::WIDTH;
        if history.len() == width * contacts.len() {
            let histories = contacts.iter().zip(history.chunks_exact(width));
            self.field.histories =
                histories.map(|(contact, numbers)| ContactHistory::from_numbers(contact.key, numbers)).collect();
        }
        let count = self.options.integrator.as_dyn::<D>().carries() * world.bodies.len();
        let numbers = D::Vec::LEN + D::Spin::LEN;
        self.carried = vec![Twist::default(); count];
        let is_stored = world.clock.step > 0 && world.carried.len() == count * numbers;
        for (twist, numbers) in self.carried.iter_mut().zip(world.carried.chunks_exact(numbers)).filter(|_| is_stored) {
            *twist = Twist {
                v: D::Vec::from_fn(|axis| numbers[axis]),
                w: D::Spin::from_fn(|axis| numbers[D::Vec::LEN + axis]),
            };
        }
        if !is_stored {
            if world.clock.step == 0 && self.options.start_forces == StartForces::Equilibrium {
                let told = self.start_in_equilibrium(world).map_err(|pair| StepError::coincident(world, pair))?;
                self.alarms.extend(told);
            }
            self.find_first_forces(world).map_err(|pair| StepError::coincident(world, pair))?;
        }
        self.is_open = true;
        Ok(())
    }

    /// At the start: the active set, the first accelerations, and the stored energy.
    fn find_first_forces(&mut self, world: &mut World<D>) -> Result<(), Coincident> {
        self.field.begin(world.setup.walls.len());
        let time = world.clock.time;
        let instant = EvaluationTime { ahead: 0.0, weight: 0.0, time, step: self.dt, now: time };
        self.field.find_active_set(world, instant)?;
        let evaluation = self.field.evaluate(world, instant)?;
        if !self.carried.is_empty() {
            self.carried[..evaluation.accel.len()].copy_from_slice(&evaluation.accel);
        }
        let stored: f64 = evaluation.applied.soft_contacts.iter().map(|soft_contact| soft_contact.stored).sum();
        open_soft_energy_balance(world, [stored, 0.0, evaluation.applied.stored]);
        Ok(())
    }

    /// Finds the active set; the slip of contacts that begin to stick is set to zero.
    pub(super) fn find_active_set(
        &mut self,
        world: &mut World<D>,
        time: f64,
        step: f64,
    ) -> Result<ActiveSetResult, Coincident> {
        let instant = EvaluationTime { ahead: 0.0, weight: 0.0, time, step, now: time };
        let result = self.field.find_active_set(world, instant)?;
        self.rounds += result.rounds;
        if result.captured > 0 && self.options.projection != Projection::Nothing {
            self.field.project_velocities(world)?;
        }
        self.field.histories.iter_mut().for_each(|history| history.is_halted = false);
        let count = world.bodies.len();
        let touched: Vec<usize> = (result.changed.iter())
            .flat_map(|k| [world.network.contacts[*k].key.a, world.network.contacts[*k].key.b])
            .map(|body| body as usize)
            .collect();
        self.options.integrator.as_dyn::<D>().forget(&mut self.carried, count, &touched);
        self.warn(world, &result);
        Ok(result)
    }

    fn warn(&mut self, world: &World<D>, result: &ActiveSetResult) {
        let step = world.clock.step + 1;
        for contact in &result.paradoxes {
            let key = world.network.contacts[*contact].key;
            let [a, b] = [key.a, key.b].map(|body| world.name(body as usize));
            let message =
                format!("step {step}: {a} and {b} could slip in both directions, for their normal force pulls");
            self.alarms.push(Alarm::new("W131", message));
        }
        if let Some(off) = result.undecided {
            let message = format!(
                "step {step}: the sticking contacts were not found in {} rounds, slips or directions are off by {off:.1e}",
                result.rounds
            );
            self.alarms.push(Alarm { code: "W132", message, size: off });
        }
    }

    /// A step of this length with the present active set, followed by the projection.
    pub(super) fn substep(&mut self, world: &mut World<D>, time: f64, dt: f64) -> Result<(), Coincident> {
        let Dae { options, field, carried, .. } = self;
        options.integrator.as_dyn::<D>().step(&mut DaeStepContext { world, field, carried, dt, time })?;
        if options.projection == Projection::Full {
            field.project_positions(world);
        }
        if options.projection != Projection::Nothing {
            field.project_velocities(world)?;
        }
        for history in &mut field.histories {
            history.spring += history.path;
        }
        self.now = time + dt;
        Ok(())
    }

    fn advance(&mut self, world: &mut World<D>) -> Result<(), Coincident> {
        let (time, dt) = (world.clock.time, self.dt);
        self.now = time;
        self.field.begin(world.setup.walls.len());
        match self.options.events {
            true => self.step_with_events(world, time, dt),
            false => {
                self.find_active_set(world, time, dt)?;
                self.substep(world, time, dt)
            }
        }
    }

    fn check(&self, world: &World<D>, report: &StepReport) -> Result<(), StepError> {
        check_state(world)?;
        self.passing.end(world)?;
        let overlap =
            |contact: &Contact<D>| ([contact.key.a as usize, contact.key.b as usize], world.relative_overlap(contact));
        check_depth(world, world.network.contacts.iter().map(overlap))?;
        let bodies = &world.bodies;
        let travel = |k: &usize| bodies.twist[*k].v.norm() * self.dt / bodies.shape[*k].radius();
        let key = |history: &ContactHistory<D>| [history.key.a as usize, history.key.b as usize];
        let mut touching = self.field.histories.iter().map(|history| history.key.b as usize);
        let Some(body) = touching.find(|k| travel(k) > RUNAWAY) else { return Ok(()) };
        let contacts = self.field.histories.iter().map(key).filter(|pair| pair.contains(&body));
        let contacts = contacts.map(|[a, b]| world.name(if a == body { b } else { a })).collect();
        let cause = "the time step is too long for the collisions, or grains overlapped deeply when they met".into();
        let speed = bodies.twist[body].v.norm();
        Err(StepError::Runaway { body: world.name(body), step: report.step, speed, contacts, cause })
    }

    fn instant(&mut self, world: &mut World<D>) -> Option<Evaluation<D>> {
        let time = world.clock.time;
        let instant = EvaluationTime { ahead: 0.0, weight: 0.0, time, step: self.dt, now: time };
        let springs = self.field.histories.clone();
        let evaluation = self.field.evaluate(world, instant).ok();
        self.field.histories = springs;
        evaluation
    }
}

impl<D: Dim> Dae<D> {
    /// One step.
    fn make_step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        let (start, dt) = (Instant::now(), self.dt);
        let is_first = world.clock.step == 0;
        let walls = world.setup.walls.len();
        let before: Vec<D::Vec> = world.bodies.twist[..walls].iter().map(|twist| twist.v).collect();
        world.begin_step(dt);
        world.remember_twists();
        self.passing.begin(world);
        let places: Vec<D::Vec> = world.bodies.pose.iter().map(|pose| pose.x).collect();
        let driven = world.bodies.twist[..walls].iter().zip(&before);
        self.field.wall_accel =
            driven.map(|(now, before)| if is_first { D::Vec::ZERO } else { (now.v - *before) * (1.0 / dt) }).collect();
        if !self.is_open {
            self.open(world)?;
        }
        self.strike(world).map_err(|pair| StepError::coincident(world, pair))?;
        let (rounds, spent) = (self.rounds, self.field.multipliers.spent);
        self.advance(world).map_err(|pair| StepError::coincident(world, pair))?;
        record_soft_work(world, dt, self.field.worked, &self.field.wall_work);
        world.tick(dt);
        world.scratch.is_network_stale = true;
        let bodies = &world.bodies;
        let radius = |k: usize| bodies.shape[k].radius();
        let speed = |k: usize| bodies.twist[k].v.norm().max(bodies.twist[k].w.norm() * radius(k));
        let report = StepReport {
            step: world.clock.step,
            time: world.clock.time,
            contacts: self.field.histories.len(),
            closed: self.field.histories.len(),
            sweeps: self.rounds - rounds,
            converged: true,
            is_soft: true,
            max_overlap: world.max_overlap(),
            // bodies without contacts may move any distance
            max_travel: (self.field.histories.iter())
                .map(|history| history.key.b as usize)
                .map(|k| bodies.twist[k].v.norm() * dt / radius(k))
                .fold(0.0, f64::max),
            max_speed: world.grains().map(speed).fold(0.0, f64::max),
            sensing: start.elapsed().saturating_sub(self.field.multipliers.spent - spent),
            solving: self.field.multipliers.spent - spent,
            ..StepReport::default()
        };
        self.check(world, &report)?;
        check_crossed(world, &places)?;
        Ok(report)
    }

    /// Brings contacts and energy balance of the world up to date.
    fn report_state(&mut self, world: &mut World<D>) {
        if !self.is_open {
            return;
        }
        let Some(evaluation) = self.instant(world) else { return };
        let dt = self.dt;
        let mut network = Network::default();
        self.terms.clear();
        for ((soft_contact, friction), held) in
            evaluation.applied.soft_contacts.iter().zip(&evaluation.friction).zip(&evaluation.held)
        {
            let contact: Contact<D> = soft_contact.contact;
            let force = contact.normal * soft_contact.press + *friction;
            let regime = match (force == D::Vec::ZERO, held) {
                (true, _) => Regime::Open,
                (false, true) => Regime::Stick,
                (false, false) => Regime::Slide,
            };
            let history = contact_history::find(&self.field.histories, contact.key).map(|k| self.field.histories[k]);
            history
                .unwrap_or_else(|| ContactHistory::new(contact.key, soft_contact.slip))
                .numbers(&mut network.history);
            network.contacts.push(contact);
            network.memory.push(ContactMemory { impulse: force * dt, torque: D::Spin::ZERO, regime, bond: None });
            let friction = soft_contact.grip.r#static;
            self.terms.push(ContactTerms { friction, bias: D::Vec::ZERO, torque: D::Spin::ZERO });
        }
        world.network = network;
        world.scratch.is_network_stale = false;
        world.carried = carried_numbers(&self.carried);
        world.ledger.elastic =
            evaluation.applied.soft_contacts.iter().map(|m| m.stored).sum::<f64>() + evaluation.applied.stored;
        world.ledger.dissipated = world.ledger.taken.iter().sum::<f64>() - world.ledger.elastic;
        world.note_pushes(dt);
    }
}

impl<D: Dim> Method<D> for Dae<D> {
    fn time_step(&self) -> f64 {
        self.dt
    }

    fn terms(&self) -> Vec<ContactTerms<D>> {
        self.terms.clone()
    }

    fn step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        compiled_once!(Dae::make_step(self, world) -> Result<StepReport, StepError>)
    }

    fn events(&mut self, world: &World<D>) -> Vec<Event> {
        let event = |ContactEvent { time, contact, what }| {
            let between = [contact.a, contact.b].map(|body| world.name(body as usize));
            Event { time, what: what.name(), between }
        };
        std::mem::take(&mut self.happened).into_iter().map(event).collect()
    }

    fn alarms(&mut self) -> Vec<Alarm> {
        std::mem::take(&mut self.alarms)
    }

    fn publish(&mut self, world: &mut World<D>) {
        compiled_once!(Dae::report_state(self, world) -> ())
    }
}
