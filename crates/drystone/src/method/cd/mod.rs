//! Contact Dynamics: rigid grains, exact Signorini and Coulomb laws, implicit steps. [Brendel], [solver notes in the book]

pub mod accelerate;
pub mod line;
pub mod link;
pub mod order;
pub mod residual;
pub mod sweep;

use std::time::{Duration, Instant};

use crate::body::Twist;
use crate::contact::Regime;
use crate::dim::{Dim, Vector};
use crate::input::quantity::{Number, Time};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Node, Raw, Reader, Value};
use crate::list::{list, record};
use crate::method::{Method, StepError, StepReport, check_state};
use crate::world::World;

use accelerate::Momentum;
use line::Line;
use link::Link;

list! {
    /// Steps of accuracy.
    pub enum Ladder by name {
        /// 1e-3: to look at, not to measure.
        "preview" => Preview,
        /// 1e-4: statistics of flows.
        "flow" => Flow,
        /// 1e-5: the usual choice.
        "standard" => Standard,
        /// 1e-6: force distributions and statics.
        "forces" => Forces,
        /// 1e-10: small systems, to compare with.
        "reference" => Reference,
    }
}

/// How small the residual eps_nat must be: a step of the ladder, or a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Accuracy {
    /// A step of the ladder.
    Named(Ladder),
    /// The residual itself.
    Residual(f64),
}

impl Accuracy {
    /// The residual that is asked for.
    pub fn residual(self) -> f64 {
        match self {
            Accuracy::Named(Ladder::Preview) => 1e-3,
            Accuracy::Named(Ladder::Flow) => 1e-4,
            Accuracy::Named(Ladder::Standard) => 1e-5,
            Accuracy::Named(Ladder::Forces) => 1e-6,
            Accuracy::Named(Ladder::Reference) => 1e-10,
            Accuracy::Residual(residual) => residual,
        }
    }
}

impl Value for Accuracy {
    fn read(node: &Node, reader: &Reader) -> Option<Self> {
        match node.value {
            Raw::Number(_) => Number::read(node, reader).map(|number| Accuracy::Residual(number.0)),
            _ => Ladder::read(node, reader).map(Accuracy::Named),
        }
    }
    fn write(&self) -> toml::Value {
        match self {
            Accuracy::Named(step) => step.write(),
            Accuracy::Residual(residual) => (*residual).into(),
        }
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({"oneOf": [Ladder::schema(), {"type": "number", "exclusiveMinimum": 0}]})
    }
    fn example() -> String {
        Ladder::example()
    }
    fn numbers(&self, check: &mut dyn FnMut(f64)) {
        check(self.residual());
    }
}

list! {
    /// What to do when a step does not reach its accuracy.
    pub enum Unconverged by name {
        /// Count it, say so, go on.
        "warn" => Warn,
        /// Stop the run.
        "fail" => Fail,
    }
}

list! {
    /// How sweeps are accelerated.
    pub enum Accelerator by name {
        /// Capped Nesterov momentum: 5 to 30 times fewer sweeps.
        "momentum" => Momentum,
        /// Plain Gauss-Seidel sweeps.
        "none" => None,
    }
}

record! {
    /// Contact Dynamics.
    pub struct Options {
        /// Length of a step. A grain should move a fraction of its radius in it.
        time_step: Time where POSITIVE,
        /// How exactly the contact laws are solved: a step of the ladder, or the residual eps_nat as a number.
        accuracy: Accuracy where POSITIVE = Accuracy::Named(Ladder::Standard),
        /// Sweeps after which a step is given up as not converged.
        max_sweeps: u64 where POSITIVE = 5000,
        /// Sweeps that are made at least.
        min_sweeps: u64 where NOT_NEGATIVE = 0,
        /// How sweeps are accelerated.
        accelerator: Accelerator = Accelerator::Momentum,
        /// Whether a solve starts from the impulses of the step before.
        warm_start: bool = true,
        /// What to do when a step does not reach its accuracy.
        unconverged: Unconverged = Unconverged::Warn,
    }
}

impl Options {
    /// The defaults with this time step.
    pub fn with_time_step(time_step: f64) -> Options {
        Options {
            time_step: crate::input::quantity::Quantity(time_step),
            accuracy: Accuracy::Named(Ladder::Standard),
            max_sweeps: 5000,
            min_sweeps: 0,
            accelerator: Accelerator::Momentum,
            warm_start: true,
            unconverged: Unconverged::Warn,
            span: Default::default(),
        }
    }
}

/// Whether the residual is looked at after so many sweeps. A look costs about as much as a sweep: every tenth is
/// enough; the first ones spare sweeps where few contacts or a good start make the solve short.
fn is_looked_at(sweeps: u64) -> bool {
    sweeps.is_multiple_of(10) || matches!(sweeps, 1 | 3 | 6)
}

/// Residual at which a look for missed contacts pays: velocities are known to a few percent then.
const ROUGH: f64 = 1e-2;

/// What solving a step has taken so far.
#[derive(Clone, Copy, Debug, Default)]
struct Solved {
    sweeps: u64,
    rounds: u32,
    residual: f64,
}

/// The method, with the buffers that it keeps from step to step.
#[derive(Debug)]
pub struct ContactDynamics<D: Dim> {
    /// Parameters.
    pub options: Options,
    links: Vec<Link<D>>,
    /// Which contact of the network each link is.
    order: Vec<u32>,
    lines: Vec<Line<D>>,
    free: Vec<Line<D>>,
    previous: Vec<Twist<D>>,
}

impl<D: Dim> ContactDynamics<D> {
    /// The method with these parameters.
    pub fn new(options: Options) -> Self {
        ContactDynamics {
            options,
            links: Vec::new(),
            order: Vec::new(),
            lines: Vec::new(),
            free: Vec::new(),
            previous: Vec::new(),
        }
    }

    /// The contacts of the last solve.
    pub fn links(&self) -> &[Link<D>] {
        &self.links
    }

    /// Finds the impulses that satisfy all contact laws, starting from what the network remembers.
    fn solve(&mut self, wanted: f64, solved: &mut Solved) {
        self.restore();
        let Options { min_sweeps, accelerator, .. } = self.options;
        let max_sweeps = self.options.max_sweeps - solved.sweeps.min(self.options.max_sweeps);
        let mut residual = residual::eps_nat(&self.links, &self.lines);
        let mut sweeps = 0;
        let mut momentum = Momentum::new(accelerator);
        self.previous.clear();
        self.previous.extend(self.lines.iter().map(Line::twist));
        self.links.iter_mut().for_each(|link| link.previous = link.impulse);
        while sweeps < max_sweeps && (residual > wanted || sweeps < min_sweeps) {
            momentum.extrapolate(&mut self.lines, &mut self.previous);
            let increment = sweep::sweep(&mut self.links, &mut self.lines, &momentum);
            sweeps += 1;
            // a solve ends with a look: a sweep can make a residual worse that was small enough before
            let may_end = residual <= wanted && sweeps >= min_sweeps;
            let look = is_looked_at(sweeps) || may_end || sweeps == max_sweeps;
            if look {
                residual = residual::eps_nat(&self.links, &self.lines);
                if residual <= wanted {
                    // rounding has crept into the motion: it is made anew from the impulses, and judged again
                    self.restore();
                    residual = residual::eps_nat(&self.links, &self.lines);
                }
            }
            momentum.adapt(increment, look.then_some(residual));
        }
        if residual > wanted {
            self.restore();
            residual = residual::eps_nat(&self.links, &self.lines);
        }
        solved.sweeps += sweeps;
        solved.residual = residual;
    }

    /// V = V_free + M^-1 H r.
    fn restore(&mut self) {
        self.lines.clone_from(&self.free);
        self.links.iter().for_each(|link| link.push(link.impulse, &mut self.lines));
    }

    /// Gives motion, impulses and regimes back to the world.
    fn give_back(&self, world: &mut World<D>) {
        for (twist, line) in world.bodies.twist.iter_mut().zip(&self.lines) {
            *twist = line.twist();
        }
        for (link, &index) in self.links.iter().zip(&self.order) {
            let memory = &mut world.network.memory[index as usize];
            memory.impulse = link.impulse;
            memory.regime = link.contact.regime(link.impulse, link.velocity(&self.lines));
        }
    }

    /// V_free = V + M^-1 F_ext dt. [Brendel eq. 1.23]
    fn fly_freely(&mut self, world: &World<D>, dt: f64) {
        line::lines(&world.bodies, &mut self.free);
        for line in self.free.iter_mut().filter(|line| line.inv_m > 0.0) {
            line.v += world.gravity * dt;
        }
    }
}

/// Enters the work of the contacts, sum of r . (u- + u+) / 2, and of the walls that move.
fn keep_books<D: Dim>(world: &mut World<D>, before: &[Twist<D>]) {
    let after = &world.bodies.twist;
    for (contact, memory) in world.network.closed() {
        let mean = (contact.velocity(before) + contact.velocity(after)) * 0.5;
        world.ledger.dissipated -= memory.impulse.dot(mean);
        if let Some(wall) = after[..world.walls.len()].get(contact.key.a as usize) {
            world.ledger.wall_work += memory.impulse.dot(wall.v);
        }
    }
}

impl<D: Dim> Method<D> for ContactDynamics<D> {
    fn time_step(&self) -> f64 {
        *self.options.time_step
    }

    fn step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        let dt = self.time_step();
        let start = Instant::now();
        world.drive_walls(dt);
        let before = world.bodies.twist.clone();
        self.fly_freely(world, dt);
        let travel = travel(world, &before, dt);
        let (fall, near) = (world.gravity.norm() * dt, near(world));
        let reach = |a: usize, b: usize| ((before[b].v - before[a].v).norm() + 2.0 * fall) * dt + near[a] + near[b];
        world.sense(&travel, reach).map_err(|pair| StepError::coincident(world, pair))?;
        if !self.options.warm_start {
            world.network.memory.fill(Default::default());
        }
        let mut sensing = start.elapsed();

        // first roughly, to learn who meets whom; then to the accuracy asked for; each time with all that were missed
        let accuracy = self.options.accuracy.residual();
        let mut solved = Solved::default();
        let (mut solving, mut wanted) = (Duration::ZERO, accuracy.max(ROUGH));
        let mut changed = true;
        loop {
            let start = Instant::now();
            if changed {
                link::build(world, dt, &mut self.links, &mut self.order);
            }
            self.solve(wanted, &mut solved);
            self.give_back(world);
            solving += start.elapsed();
            let start = Instant::now();
            let missed = world.missed(dt).map_err(|pair| StepError::coincident(world, pair))?;
            sensing += start.elapsed();
            changed = !missed.is_empty();
            if changed {
                solved.rounds += 1;
                world.network.insert(missed);
            } else if solved.residual > accuracy && wanted > accuracy {
                wanted = accuracy;
            } else {
                break;
            }
        }
        let Solved { sweeps, rounds, residual } = solved;
        keep_books(world, &before);
        let report = StepReport {
            step: world.clock.step + 1,
            time: world.clock.time + dt,
            contacts: self.links.len(),
            closed: world.network.memory.iter().filter(|memory| memory.regime != Regime::Open).count(),
            sweeps,
            residual,
            converged: residual <= accuracy,
            rounds,
            max_overlap: world.max_overlap(),
            max_travel: max_travel(world, dt),
            sensing,
            solving,
        };
        world.advance(dt);
        check_state(world)?;
        if !report.converged && self.options.unconverged == Unconverged::Fail {
            return Err(StepError::Unconverged { step: report.step, residual, wanted: accuracy, sweeps });
        }
        Ok(report)
    }
}

/// How far each body can get in the step at most, as long as nothing pushes it, and how near it looks.
fn travel<D: Dim>(world: &World<D>, before: &[Twist<D>], dt: f64) -> Vec<f64> {
    let fall = world.gravity.norm() * dt;
    before.iter().zip(near(world)).map(|(twist, near)| (twist.v.norm() + fall) * dt + near).collect()
}

/// Gaps below this part of the radii are looked at from the start, whether the bodies move or not: a push through
/// grains at rest then finds them all at once. Pairs beyond it that do meet are found all the same, a round later.
const NEAR: f64 = 1e-3;

fn near<D: Dim>(world: &World<D>) -> Vec<f64> {
    world.bodies.shape.iter().map(|shape| NEAR * shape.radius()).collect()
}

/// Longest path of a grain in the step over its radius.
fn max_travel<D: Dim>(world: &World<D>, dt: f64) -> f64 {
    let bodies = &world.bodies;
    world.grains().map(|k| bodies.twist[k].v.norm() * dt / bodies.shape[k].radius()).fold(0.0, f64::max)
}
