//! Differential-algebraic mechanics: elastic grains, with static friction, rods and joints as constraints. [Chen]
//!
//! A step: walls are driven, [`hold`] decides who sticks, an [`integrator`] moves the bodies by looks at the [`field`],
//! whose [`multipliers`] keep the constraints, and [`project`] takes the drift away. [`events`] cuts steps where contacts
//! change, so that their times are exact.

mod descent;
pub mod events;
pub mod field;
pub mod hold;
pub mod integrator;
pub mod meeting;
pub mod mobility;
pub mod multipliers;
pub mod options;
pub mod project;
pub mod regime;
#[cfg(test)]
mod tests;
pub mod tie;

pub use options::{Options, Projection, Statics};

use std::time::Instant;

use crate::body::Twist;
use crate::contact::{Coincident, Contact, Memory, Network, Regime};
use crate::dim::{Dim, Vector};
use crate::method::{
    Alarm, ContactTerms, Event, Method, RUNAWAY, StepError, StepReport, carried_numbers, check_state, keep_soft_books,
    md, open_soft_books,
};
use crate::world::World;
use events::Happening;
use field::{Field, Look, Moment};
use hold::Verdict;
use integrator::Course;
use tie::Tie;

/// What this method warns of.
pub const CODES: [&str; 3] = ["W131", "W132", "W133"];

/// The method, with what it keeps from step to step.
pub struct Dae<D: Dim> {
    /// Parameters.
    pub options: Options,
    dt: f64,
    /// Accelerations, and what contacts remember.
    pub field: Field<D>,
    carried: Vec<Twist<D>>,
    terms: Vec<ContactTerms<D>>,
    alarms: Vec<Alarm>,
    /// What happened when, if events are located; whoever reads it takes it away.
    pub happened: Vec<Happening>,
    is_open: bool,
    rounds: u64,
}

impl<D: Dim> Dae<D> {
    /// The method for a world, whose materials must have soft laws.
    pub fn new(options: Options, world: &World<D>) -> Self {
        let (dt, _) = md::time_step(world, &options.pace());
        let field = Field::new(&options, world);
        let (carried, terms, alarms) = (Vec::new(), Vec::new(), Vec::new());
        Dae { options, dt, field, carried, terms, alarms, happened: Vec::new(), is_open: false, rounds: 0 }
    }

    /// Takes over what a stored world remembers, or begins.
    fn open(&mut self, world: &mut World<D>) -> Result<(), StepError> {
        let Network { contacts, history, .. } = &world.network;
        let width = Tie::<D>::WIDTH;
        if history.len() == width * contacts.len() {
            let ties = contacts.iter().zip(history.chunks_exact(width));
            self.field.ties = ties.map(|(contact, numbers)| Tie::from_numbers(contact.key, numbers)).collect();
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
            self.begin(world).map_err(|pair| StepError::coincident(world, pair))?;
        }
        self.is_open = true;
        Ok(())
    }

    /// At the start: who sticks, the first accelerations, and the energy that is stored.
    fn begin(&mut self, world: &mut World<D>) -> Result<(), Coincident> {
        self.field.begin(world.walls.len());
        let moment = Moment { ahead: 0.0, weight: 0.0, time: world.clock.time, step: self.dt };
        self.field.settle(world, moment)?;
        let look = self.field.look(world, moment)?;
        if !self.carried.is_empty() {
            self.carried[..look.accel.len()].copy_from_slice(&look.accel);
        }
        let stored: f64 = look.scene.meetings.iter().map(|meeting| meeting.stored).sum();
        open_soft_books(world, [stored, 0.0, look.scene.stored]);
        Ok(())
    }

    /// Decides who sticks; those that begin to are stopped.
    pub(super) fn settle(&mut self, world: &mut World<D>, time: f64, step: f64) -> Result<Verdict, Coincident> {
        let moment = Moment { ahead: 0.0, weight: 0.0, time, step };
        let verdict = self.field.settle(world, moment)?;
        self.rounds += verdict.rounds;
        if verdict.captured > 0 && self.options.projection != Projection::Nothing {
            self.field.project_velocities(world)?;
        }
        self.field.ties.iter_mut().for_each(|tie| tie.is_halted = false);
        let count = world.bodies.len();
        let touched: Vec<usize> = (verdict.changed.iter())
            .flat_map(|k| [world.network.contacts[*k].key.a, world.network.contacts[*k].key.b])
            .map(|body| body as usize)
            .collect();
        self.options.integrator.as_dyn::<D>().forget(&mut self.carried, count, &touched);
        self.warn(world, &verdict);
        Ok(verdict)
    }

    fn warn(&mut self, world: &World<D>, verdict: &Verdict) {
        let step = world.clock.step + 1;
        for contact in &verdict.paradoxes {
            let key = world.network.contacts[*contact].key;
            let [a, b] = [key.a, key.b].map(|body| world.name(body as usize));
            let message =
                format!("step {step}: {a} and {b} could slip in both directions, for their normal force pulls");
            self.alarms.push(Alarm { code: "W131", message });
        }
        if let Some(off) = verdict.undecided {
            let message = format!(
                "step {step}: who sticks was not found in {} rounds, slips or directions are off by {off:.1e}",
                verdict.rounds
            );
            self.alarms.push(Alarm { code: "W132", message });
        }
    }

    /// A step of this length with the sticking contacts that there are, and the projection after it.
    pub(super) fn stride(&mut self, world: &mut World<D>, time: f64, dt: f64) -> Result<(), Coincident> {
        let Dae { options, field, carried, .. } = self;
        options.integrator.as_dyn::<D>().step(&mut Course { world, field, carried, dt, time })?;
        if options.projection == Projection::Full {
            field.project_places(world);
        }
        if options.projection != Projection::Nothing {
            field.project_velocities(world)?;
        }
        for tie in &mut field.ties {
            tie.spring += tie.slip[1];
        }
        Ok(())
    }

    fn advance(&mut self, world: &mut World<D>) -> Result<(), Coincident> {
        let (time, dt) = (world.clock.time, self.dt);
        self.field.begin(world.walls.len());
        match self.options.events {
            true => self.march(world, time, dt),
            false => {
                self.settle(world, time, dt)?;
                self.stride(world, time, dt)
            }
        }
    }

    fn check(&self, world: &World<D>, report: &StepReport) -> Result<(), StepError> {
        check_state(world)?;
        let bodies = &world.bodies;
        let travel = |k: &usize| bodies.twist[*k].v.norm() * self.dt / bodies.shape[*k].radius();
        let key = |tie: &Tie<D>| [tie.key.a as usize, tie.key.b as usize];
        let mut touching = self.field.ties.iter().map(|tie| tie.key.b as usize);
        let Some(body) = touching.find(|k| travel(k) > RUNAWAY) else { return Ok(()) };
        let contacts = self.field.ties.iter().map(key).filter(|pair| pair.contains(&body));
        let contacts = contacts.map(|[a, b]| world.name(if a == body { b } else { a })).collect();
        let cause = "the time step is too long for the collisions, or grains overlapped deeply when they met".into();
        let speed = bodies.twist[body].v.norm();
        Err(StepError::Runaway { body: world.name(body), step: report.step, speed, contacts, cause })
    }

    fn instant(&mut self, world: &mut World<D>) -> Option<Look<D>> {
        let moment = Moment { ahead: 0.0, weight: 0.0, time: world.clock.time, step: self.dt };
        let springs = self.field.ties.clone();
        let look = self.field.look(world, moment).ok();
        self.field.ties = springs;
        look
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
        let (start, dt) = (Instant::now(), self.dt);
        let is_first = world.clock.step == 0;
        let walls = world.walls.len();
        let before: Vec<D::Vec> = world.bodies.twist[..walls].iter().map(|twist| twist.v).collect();
        world.begin_step(dt);
        world.remember_twists();
        let driven = world.bodies.twist[..walls].iter().zip(&before);
        self.field.rush =
            driven.map(|(now, before)| if is_first { D::Vec::ZERO } else { (now.v - *before) * (1.0 / dt) }).collect();
        if !self.is_open {
            self.open(world)?;
        }
        let (rounds, spent) = (self.rounds, self.field.multipliers.spent);
        self.advance(world).map_err(|pair| StepError::coincident(world, pair))?;
        keep_soft_books(world, dt, self.field.worked, &self.field.wall_work);
        world.tick(dt);
        let bodies = &world.bodies;
        let radius = |k: usize| bodies.shape[k].radius();
        let speed = |k: usize| bodies.twist[k].v.norm().max(bodies.twist[k].w.norm() * radius(k));
        let report = StepReport {
            step: world.clock.step,
            time: world.clock.time,
            contacts: self.field.ties.len(),
            closed: self.field.ties.len(),
            sweeps: self.rounds - rounds,
            converged: true,
            is_soft: true,
            max_overlap: world.max_overlap(),
            // bodies that touch nothing may fly as far as they like
            max_travel: (self.field.ties.iter())
                .map(|tie| tie.key.b as usize)
                .map(|k| bodies.twist[k].v.norm() * dt / radius(k))
                .fold(0.0, f64::max),
            max_speed: world.grains().map(speed).fold(0.0, f64::max),
            sensing: start.elapsed().saturating_sub(self.field.multipliers.spent - spent),
            solving: self.field.multipliers.spent - spent,
            ..StepReport::default()
        };
        self.check(world, &report)?;
        Ok(report)
    }

    fn events(&mut self, world: &World<D>) -> Vec<Event> {
        let event = |Happening { time, contact, what }| {
            let between = [contact.a, contact.b].map(|body| world.name(body as usize));
            Event { time, what: what.name(), between }
        };
        std::mem::take(&mut self.happened).into_iter().map(event).collect()
    }

    fn alarms(&mut self) -> Vec<Alarm> {
        std::mem::take(&mut self.alarms)
    }

    fn publish(&mut self, world: &mut World<D>) {
        if !self.is_open {
            return;
        }
        let Some(look) = self.instant(world) else { return };
        let dt = self.dt;
        let mut network = Network::default();
        self.terms.clear();
        for ((meeting, friction), held) in look.scene.meetings.iter().zip(&look.friction).zip(&look.held) {
            let contact: Contact<D> = meeting.contact;
            let force = contact.normal * meeting.press + *friction;
            let regime = match (force == D::Vec::ZERO, held) {
                (true, _) => Regime::Open,
                (false, true) => Regime::Stick,
                (false, false) => Regime::Slide,
            };
            let tie = tie::find(&self.field.ties, contact.key).map(|k| self.field.ties[k]);
            tie.unwrap_or_else(|| Tie::new(contact.key, meeting.slip)).numbers(&mut network.history);
            network.contacts.push(contact);
            network.memory.push(Memory { impulse: force * dt, torque: D::Spin::ZERO, regime, bond: None });
            let friction = meeting.grip.r#static;
            self.terms.push(ContactTerms { friction, bias: D::Vec::ZERO, torque: D::Spin::ZERO });
        }
        world.network = network;
        world.carried = carried_numbers(&self.carried);
        world.ledger.elastic = look.scene.meetings.iter().map(|m| m.stored).sum::<f64>() + look.scene.stored;
        world.ledger.dissipated = world.ledger.taken.iter().sum::<f64>() - world.ledger.elastic;
        world.note_pushes(dt);
    }
}
