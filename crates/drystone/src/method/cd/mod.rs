//! Contact Dynamics: rigid grains, exact Signorini and Coulomb laws, implicit steps. [Brendel], [solver notes in the book]

pub mod accelerate;
pub mod line;
pub mod link;
pub mod options;
pub mod order;
pub mod residual;
pub mod sweep;

pub use options::{Accelerator, Accuracy, Ladder, Options, Unconverged};

use std::time::{Duration, Instant};

use crate::body::Twist;
use crate::contact::Regime;
use crate::dim::{Dim, Vector};
use crate::law::RoundContact;
use crate::method::{Method, StepError, StepReport, Terms, check_state};
use crate::world::World;

use accelerate::Momentum;
use line::Line;
use link::Link;

/// Whether the residual is looked at after so many sweeps. A look costs about as much as a sweep: every tenth is
/// enough; the first ones spare sweeps where few contacts or a good start make the solve short.
fn is_looked_at(sweeps: u64) -> bool {
    sweeps.is_multiple_of(10) || matches!(sweeps, 1 | 3 | 6)
}

/// Residual at which a look for missed contacts pays: velocities are known to a few percent then.
const ROUGH: f64 = 1e-2;

/// What a step has taken so far.
#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    sweeps: u64,
    rounds: u32,
    residual: f64,
    sensing: Duration,
    solving: Duration,
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
    fn solve(&mut self, wanted: f64, effort: &mut Effort) {
        self.restore();
        let Options { min_sweeps, accelerator, .. } = self.options;
        let max_sweeps = self.options.max_sweeps.saturating_sub(effort.sweeps);
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
        effort.sweeps += sweeps;
        effort.residual = residual;
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
fn keep_books<D: Dim>(world: &mut World<D>) {
    let (before, after) = (&world.before, &world.bodies.twist);
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

    fn terms(&self) -> Vec<Terms<D>> {
        let mut terms = vec![Terms::default(); self.links.len()];
        for (link, &index) in self.links.iter().zip(&self.order) {
            let RoundContact { normal, bias, friction, .. } = link.contact;
            terms[index as usize] = Terms { friction, bias: normal * bias, torque: D::Spin::ZERO };
        }
        terms
    }

    fn step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        let dt = self.time_step();
        let mut effort = Effort::default();
        world.begin_step(dt);
        self.fly_freely(world, dt);
        self.sense(world, dt, &mut effort)?;
        self.find_forces(world, dt, &mut effort)?;
        keep_books(world);
        let report = self.report(world, dt, &effort);
        world.advance(dt);
        check_state(world)?;
        if !report.converged && self.options.unconverged == Unconverged::Fail {
            let StepReport { step, residual, sweeps, .. } = report;
            return Err(StepError::Unconverged { step, residual, wanted: self.options.accuracy.residual(), sweeps });
        }
        Ok(report)
    }
}

impl<D: Dim> ContactDynamics<D> {
    /// Finds the contacts of the step: pairs that can close their gap by their velocities and by gravity, or nearly
    /// touch.
    fn sense(&self, world: &mut World<D>, dt: f64, effort: &mut Effort) -> Result<(), StepError> {
        let start = Instant::now();
        let (fall, near) = (world.gravity.norm() * dt, near(world));
        let v: Vec<D::Vec> = world.bodies.twist.iter().map(|twist| twist.v).collect();
        let travel: Vec<f64> = v.iter().zip(&near).map(|(v, near)| (v.norm() + fall) * dt + near).collect();
        let reach = |a: usize, b: usize| ((v[b] - v[a]).norm() + 2.0 * fall) * dt + near[a] + near[b];
        world.sense(&travel, reach).map_err(|pair| StepError::coincident(world, pair))?;
        if !self.options.warm_start {
            world.network.memory.fill(Default::default());
        }
        effort.sensing += start.elapsed();
        Ok(())
    }

    /// Solves roughly first, to learn who meets whom, then to the accuracy asked for; each time pairs that were
    /// missed join in, until none is.
    fn find_forces(&mut self, world: &mut World<D>, dt: f64, effort: &mut Effort) -> Result<(), StepError> {
        let accuracy = self.options.accuracy.residual();
        let (mut wanted, mut changed) = (accuracy.max(ROUGH), true);
        loop {
            let start = Instant::now();
            if changed {
                link::build(world, dt, &mut self.links, &mut self.order);
            }
            self.solve(wanted, effort);
            self.give_back(world);
            effort.solving += start.elapsed();
            let start = Instant::now();
            let missed = world.missed(dt).map_err(|pair| StepError::coincident(world, pair))?;
            effort.sensing += start.elapsed();
            changed = !missed.is_empty();
            if changed {
                effort.rounds += 1;
                world.network.insert(missed);
            } else if effort.residual > accuracy && wanted > accuracy {
                wanted = accuracy;
            } else {
                return Ok(());
            }
        }
    }

    fn report(&self, world: &World<D>, dt: f64, effort: &Effort) -> StepReport {
        StepReport {
            step: world.clock.step + 1,
            time: world.clock.time + dt,
            contacts: self.links.len(),
            closed: world.network.memory.iter().filter(|memory| memory.regime != Regime::Open).count(),
            sweeps: effort.sweeps,
            residual: effort.residual,
            converged: effort.residual <= self.options.accuracy.residual(),
            rounds: effort.rounds,
            max_overlap: world.max_overlap(),
            max_travel: max_travel(world, dt),
            sensing: effort.sensing,
            solving: effort.solving,
        }
    }
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
