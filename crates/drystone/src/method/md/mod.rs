//! Soft-particle molecular dynamics: overlaps make forces, and Newton's equations are integrated. [Wolf], [Wassgren09]
//!
//! A step: walls are driven, an [`integrator`] moves the bodies and looks at the [`field`] of forces, whose [`unit`]s run
//! over the [`list`] of pairs; the laws themselves are in [`crate::law::soft`].

pub mod batch;
pub mod beads;
pub mod field;
pub mod fours;
pub mod images;
pub mod integrator;
pub mod list;
pub mod motion;
pub mod options;
pub mod patch;
pub mod rules;
pub mod scene;
pub mod seen;
pub mod sentinel;
pub mod share;
pub mod store;
#[cfg(test)]
mod tests;
pub mod time_step;
pub mod unit;

pub use options::{Options, Pace};
pub use time_step::{largest_speed, shortest_collision, time_step};

use std::time::Instant;

use crate::body::Twist;
use crate::contact::{Contact, Memory, Network, Regime};
use crate::dim::{Dim, Vector};
use crate::law::soft;
use crate::method::{
    Alarm, ContactTerms, Method, RUNAWAY, StepError, StepReport, carried_numbers, check_state, keep_soft_books,
    open_soft_books,
};
use crate::world::World;

use field::Field;
use integrator::Course;
use seen::Seen;
use sentinel::Guard;

/// Steps between looks for grains behind walls: they get there through many steps of deep overlap.
const LOST_EVERY: u64 = 100;

/// The method, with the pairs and memories that it keeps from step to step. Grains belong to it meanwhile: who moves them, or
/// makes them much faster, makes a new one.
pub struct SoftParticles<D: Dim> {
    /// Parameters.
    pub options: Options,
    dt: f64,
    field: Field<D>,
    carried: Vec<Twist<D>>,
    terms: Vec<ContactTerms<D>>,
    guard: Guard<D>,
    alarms: Vec<Alarm>,
    is_open: bool,
}

impl<D: Dim> SoftParticles<D> {
    /// The method for a world, which must have soft laws.
    pub fn new(options: Options, world: &World<D>) -> Self {
        let (dt, advisable) = time_step(world, &options);
        let guard = Guard::new(advisable / *options.fraction);
        let (carried, terms, alarms) = (Vec::new(), Vec::new(), Vec::new());
        SoftParticles { options, dt, field: Field::new(world), carried, terms, guard, alarms, is_open: false }
    }

    /// How often the list of pairs was made.
    pub fn rebuilds(&self) -> u64 {
        self.field.list.rebuilds()
    }

    /// Takes over the memories of the network and what was carried, or makes them at the start of a run.
    fn open(&mut self, world: &mut World<D>) -> Result<(), StepError> {
        let width = soft::Memory::<D>::WIDTH;
        let Network { contacts, history, .. } = &world.network;
        let numbers = history.chunks_exact(width);
        let kept = match history.len() == width * contacts.len() {
            true => contacts.iter().zip(numbers).map(|(c, n)| (c.key, soft::Memory::from_numbers(n))).collect(),
            false => Vec::new(),
        };
        self.field.open(world, self.dt, kept);
        let integrator = self.options.integrator.as_dyn::<D>();
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
            let mut course = Course { world, field: &mut self.field, carried: &mut self.carried, dt: self.dt };
            integrator.start(&mut course).map_err(|pair| StepError::coincident(world, pair))?;
            let stored = self.stored(world);
            open_soft_books(world, [stored, 0.0, 0.0]);
        }
        self.is_open = true;
        Ok(())
    }

    /// Elastic energy of all contacts [J].
    fn stored(&mut self, world: &World<D>) -> f64 {
        self.field.watch(world).iter().map(|seen| seen.stored).sum()
    }

    /// Refuses a world in which a grain has gained a speed that no collision gives.
    fn check(&mut self, world: &World<D>, report: &StepReport) -> Result<(), StepError> {
        if report.step.is_multiple_of(LOST_EVERY) {
            check_state(world)?;
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
        let partner = |seen: &Seen<D>| match [seen.key.a as usize, seen.key.b as usize] {
            [a, b] if a == body => Some(world.name(b)),
            [a, b] if b == body => Some(world.name(a)),
            _ => None,
        };
        let contacts = self.field.watch(world).iter().filter_map(partner).collect();
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

impl<D: Dim> Method<D> for SoftParticles<D> {
    fn time_step(&self) -> f64 {
        self.dt
    }

    fn terms(&self) -> Vec<ContactTerms<D>> {
        self.terms.clone()
    }

    fn step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        let dt = self.dt;
        if !self.is_open {
            world.find_loads(dt); // the first forces are those of the start
            self.open(world)?;
        }
        let start = Instant::now();
        world.begin_step(dt);
        self.field.begin(world);
        self.field.grow(world, dt);
        let integrator = self.options.integrator.as_dyn::<D>();
        let pairs = self.field.pairs();
        let mut course = Course { world, field: &mut self.field, carried: &mut self.carried, dt };
        crate::method::cd::threads::inside(pairs, || integrator.step(&mut course))
            .map_err(|pair| StepError::coincident(world, pair))?;
        keep_soft_books(world, dt, self.field.worked, &self.field.wall_work);
        let pistons = (0..world.walls.len()).filter(|wall| world.bodies.inertia[*wall].is_movable());
        let slides: f64 = pistons.map(|wall| self.field.wall_work[wall]).sum();
        world.ledger.wall_work += self.field.image_work + self.field.swell_work + slides + world.press_work(dt);
        world.tick(dt);
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
        self.check(world, &report)?;
        if self.guard.is_due(report.step) {
            let seen = self.field.watch(world);
            self.alarms.extend(self.guard.glance(world, &seen, dt));
        }
        Ok(report)
    }

    fn alarms(&mut self) -> Vec<Alarm> {
        std::mem::take(&mut self.alarms)
    }

    fn publish(&mut self, world: &mut World<D>) {
        if !self.is_open {
            return;
        }
        let seen = self.field.watch(world);
        let dt = self.dt;
        let mut kept = self.field.kept();
        kept.sort_by_key(|(key, _)| *key);
        let mut network = Network::default();
        self.terms.clear();
        for seen in &seen {
            let Seen { key, normal, gap, arms: [ra, rb], offsets, force, torque, slides, friction, jump, .. } = *seen;
            let (arm_a, arm_b) = (offsets[0] + normal * ra, offsets[1] - normal * rb);
            network.contacts.push(Contact { key, normal, gap, arm_a, arm_b, jump });
            let regime = match (force == D::Vec::ZERO, slides) {
                (true, _) => Regime::Open,
                (false, true) => Regime::Slide,
                (false, false) => Regime::Stick,
            };
            network.memory.push(Memory { impulse: force * dt, torque: torque * dt, regime, bond: None });
            let memory = kept.binary_search_by_key(&key, |(key, _)| *key).ok().map(|k| kept[k].1);
            memory.unwrap_or_default().numbers(&mut network.history);
            self.terms.push(ContactTerms { friction, bias: D::Vec::ZERO, torque: torque * dt });
        }
        world.network = network;
        world.carried = carried_numbers(&self.carried);
        world.ledger.elastic = seen.iter().map(|seen| seen.stored).sum();
        world.ledger.dissipated = world.ledger.taken.iter().sum::<f64>() - world.ledger.elastic;
        world.note_pushes(dt);
    }
}
