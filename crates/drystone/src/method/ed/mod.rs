//! Event-driven dynamics: hard disks and spheres fly freely, and collide at exact times. [Lubachevsky91]
//!
//! A step of the method is the time after which the state is looked at. Within it there are no steps, only events: a
//! grain meets another one or a wall, or enters another cell of the grid. Every grain has its own time, the one of its
//! last collision; all are brought to the same time at the end of the step. What comes next follows from that state
//! alone, so that a resumed run has the same bits.
//!
//! ```text
//! EventDriven::step      flights, one after the other, until the end of the step
//!   FreeFlight           grid, grains, queue; its loop of events             flight.rs
//!     CellGrid           cells, and when a grain leaves one                  grid.rs
//!     Flock              position, velocity and time of every grain          flock.rs
//!     EventQueue         the next event of every grain, in order             queue.rs
//!     WallFace           planes of the walls                                 faces.rs
//!     Approach, Height   times of collisions                                 times.rs
//!     Encounter          the law of a collision                              impact.rs
//! ```

mod faces;
mod flight;
mod flock;
mod grid;
mod impact;
pub(crate) mod options;
mod queue;
mod times;
mod unsupported;

pub use options::EdOptions;

use std::marker::PhantomData;
use std::time::Instant;

use crate::contact::Network;
use crate::dim::{D2, D3, Dim, Vector};
use crate::method::common::compiled::compiled_once;
use crate::method::{Alarm, ContactTerms, Method, StepError, StepReport, check_state};
use crate::world::{State, World};
use flight::{FreeFlight, Obstacle, Tally};
use unsupported::unsupported;

/// Code of the alarm that collisions were elastic because they followed others too soon.
pub const ELASTIC: &str = "W243";

/// The method.
pub struct EventDriven<D: Dim> {
    /// Parameters.
    pub options: EdOptions,
    alarms: Vec<Alarm>,
    dimension: PhantomData<D>,
}

impl<D: Dim> EventDriven<D> {
    /// The method with these parameters, whose time step must be given.
    pub fn new(options: EdOptions) -> EventDriven<D> {
        EventDriven { options, alarms: Vec::new(), dimension: PhantomData }
    }

    fn dt(&self) -> f64 {
        self.options.time_step.given().unwrap_or(f64::NAN)
    }

    /// One step.
    fn make_step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        let start = Instant::now();
        self.refuse(world)?;
        let before = world.state.clone();
        world.begin_step(self.dt());
        world.remember_twists();
        world.network = Network::default();
        let tally = match self.fly(world) {
            Ok(tally) => tally,
            Err(error) => {
                // the state before the step is one from which another method can go on
                world.state = before;
                return Err(error);
            }
        };
        Self::count(world, &tally);
        world.tick(self.dt());
        world.note_pushes(self.dt());
        check_state(world)?;
        self.warn(world);
        let bodies = &world.bodies;
        let speed = |k: usize| bodies.twist[k].v.norm().max(bodies.twist[k].w.norm() * bodies.shape[k].radius());
        Ok(StepReport {
            step: world.clock.step,
            time: world.clock.time,
            contacts: tally.collisions as usize,
            converged: true,
            max_overlap: tally.overlap,
            max_speed: world.grains().map(speed).fold(0.0, f64::max),
            solving: start.elapsed(),
            ..StepReport::default()
        })
    }

    /// Flights until the end of the step.
    fn fly(&self, world: &mut World<D>) -> Result<Tally, StepError> {
        let (dt, mut done, mut sum) = (self.dt(), 0.0, Tally::default());
        let contact_time = self.options.contact_time.map(|time| *time);
        while done < dt && !world.grains().is_empty() {
            let mut flight = FreeFlight::new(world, contact_time, &world.carried, dt - done);
            let tally = flight.fly().map_err(|obstacle| Self::tell(world, obstacle, done))?;
            let last = flight.land(world);
            if contact_time.is_some() {
                world.carried = last;
            }
            Self::move_walls(world, flight.horizon);
            // the last flight is as long as what is left
            done = if flight.horizon == dt - done { dt } else { done + flight.horizon };
            sum.add(&tally);
        }
        if world.grains().is_empty() {
            Self::move_walls(world, dt);
        }
        Ok(sum)
    }

    fn move_walls(world: &mut World<D>, time: f64) {
        let (walls, bodies) = (world.setup.walls.len(), &mut world.state.bodies);
        for (pose, twist) in bodies.pose.iter_mut().zip(&bodies.twist).take(walls) {
            pose.x += twist.v * time;
        }
    }

    fn count(world: &mut World<D>, tally: &Tally) {
        let State { ledger, collisions, .. } = &mut world.state;
        ledger.dissipated += tally.lost;
        ledger.wall_work += tally.wall_work;
        collisions.all += tally.collisions;
        collisions.elastic += tally.elastic;
        collisions.virial += tally.virial;
    }

    /// Refuses what a program may ask for although scenarios cannot.
    fn refuse(&self, world: &World<D>) -> Result<(), StepError> {
        let is_timed = self.options.time_step.given().is_some_and(|dt| dt > 0.0);
        let what =
            if is_timed { unsupported(world) } else { Some("time step without a scenario that it follows from") };
        what.map_or(Ok(()), |what| Err(StepError::Unsupported { what, step: world.clock.step + 1 }))
    }

    fn tell(world: &World<D>, obstacle: Obstacle, done: f64) -> StepError {
        let step = world.clock.step + 1;
        let name = |body: usize| world.name(body);
        match obstacle {
            Obstacle::Overlap(pair, overlap) => {
                StepError::Overlapping { a: name(pair.a), b: name(pair.b), step, overlap }
            }
            Obstacle::Accumulation(pair, time) => {
                let time = world.clock.time + done + time;
                StepError::Accumulation { a: name(pair.a), b: name(pair.b), step, time }
            }
        }
    }

    fn warn(&mut self, world: &World<D>) {
        let collisions = world.state.collisions;
        if collisions.elastic == 0 {
            return;
        }
        let share = 100.0 * collisions.elastic as f64 / collisions.all as f64;
        let message = format!(
            "{} of {} collisions ({share:.2} %) followed another within `contact_time` and were elastic and smooth: grains \
             rest on each other or gather in clusters, where use = \"cd\" is the method",
            collisions.elastic, collisions.all
        );
        self.alarms.push(Alarm { code: ELASTIC, message, size: collisions.elastic as f64 });
    }
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.collisions += other.collisions;
        self.elastic += other.elastic;
        self.lost += other.lost;
        self.wall_work += other.wall_work;
        self.virial += other.virial;
        self.overlap = self.overlap.max(other.overlap);
    }
}

impl<D: Dim> Method<D> for EventDriven<D> {
    fn time_step(&self) -> f64 {
        self.dt()
    }

    fn terms(&self) -> Vec<ContactTerms<D>> {
        Vec::new()
    }

    fn step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        compiled_once!(EventDriven::make_step(self, world) -> Result<StepReport, StepError>)
    }

    fn alarms(&mut self) -> Vec<Alarm> {
        std::mem::take(&mut self.alarms)
    }
}
