//! Contact Dynamics: rigid grains, exact contact laws, implicit steps. [Brendel], [Radjai], [solver notes in the book]
//!
//! A step: walls are driven, bodies fly freely, contacts are sensed, and sweeps over them find the impulses that
//! satisfy every law. [`terms`] turns laws into numbers, [`deal`] deals contacts out into [`group`]s of four and
//! [`lone`] ones ([`single`]s of round grains, [`corner`]s of stones), [`grains`] sweeps over them, [`solve`] decides
//! when to stop, [`residual`] judges.

pub mod accelerate;
mod assemble;
pub mod books;
pub mod corner;
pub mod corners;
pub mod crowd;
pub mod deal;
pub mod grains;
pub mod group;
pub mod line;
pub mod lone;
pub mod newton;
pub mod options;
pub mod order;
pub mod problem;
pub mod residual;
mod run;
pub mod single;
pub mod solve;
pub mod squeeze;
pub mod stored;
pub mod stretch;
pub mod sweep;
pub mod terms;
pub mod threads;

pub use options::{Accelerator, Accuracy, Criterion, Ladder, Limits, Options, Order, Scheme, Solver, Unconverged};

use std::time::{Duration, Instant};

use crate::body::{Inertia, Twist};
use crate::contact::{Coincident, Contact, Regime};
use crate::dim::{Dim, Vector};
use crate::law::RoundContact;
use crate::method::{Alarm, ContactTerms, Method, StepError, StepReport, check_state};
use crate::world::{Ahead, World};

use grains::Grains;
use line::Line;
use solve::{Course, Rules, System, Verdict};
use terms::Terms;

/// Residual at which a look for missed contacts pays: velocities are known to a few percent then.
const ROUGH: f64 = 1e-2;

/// How much smaller a residual is tried when an overlap grows too much.
const TIGHTER: f64 = 0.3;

/// Gaps below this part of the radii are looked at from the start, whether the bodies move or not: a push through
/// grains at rest then finds them all at once. Pairs beyond it that do meet are found all the same, a round later.
const NEAR: f64 = 1e-3;

/// Overlap over the radius that may come about because bodies turn within a step; less, if less growth is asked for.
const SLACK: f64 = 1e-3;

/// Part of that by which a deeper overlap may still grow in a step: what slides and turns on and on must not sink in.
const STEADY: f64 = 0.1;

/// How much deeper than the contacts of a pair another corner of it may be, over the radius: so little that a stone does not
/// notice it, and more than residuals leave in a step.
const SUNK: f64 = 1e-6;

/// How often a step is solved anew at most because of contacts of its end. Each time the motion that led there was off by less:
/// three or four times are enough, unless two normals take turns. What is left then is an overlap, and is told as one.
const LOOKS: u32 = 12;

/// What a step has taken so far.
#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    verdict: Verdict,
    /// Growth of overlaps, if the forces were accepted by it.
    overlap_growth: Option<f64>,
    rounds: u32,
    sensing: Duration,
    solving: Duration,
}

/// The method, with the buffers that it keeps from step to step.
#[derive(Debug)]
pub struct ContactDynamics<D: Dim> {
    /// Parameters.
    pub options: Options,
    grains: Grains<D>,
    /// Normal velocities of surfaces that grow, which plain contacts have in their bias [m/s]; empty if nothing grows.
    swelling: Vec<f64>,
    alarms: Vec<Alarm>,
}

impl<D: Dim> ContactDynamics<D> {
    /// The method with these parameters.
    pub fn new(options: Options) -> Self {
        ContactDynamics { options, grains: Grains::default(), swelling: Vec::new(), alarms: Vec::new() }
    }

    /// The system of the last solve.
    pub fn grains(&self) -> &Grains<D> {
        &self.grains
    }

    /// Opens a step and makes no sweep: bodies and contacts are taken, for those who want to watch single sweeps of
    /// the system that is returned. The bodies of the world stay where they are.
    pub fn open(&mut self, world: &mut World<D>) -> Result<&mut Grains<D>, StepError> {
        let dt = self.time_step();
        world.begin_step(dt);
        world.remember_twists();
        self.sense(world, dt, &mut Effort::default())?;
        self.take(world, dt);
        self.grains.restore();
        self.grains.halt();
        Ok(&mut self.grains)
    }
}

impl<D: Dim> Method<D> for ContactDynamics<D> {
    fn time_step(&self) -> f64 {
        *self.options.time_step
    }

    fn terms(&self) -> Vec<ContactTerms<D>> {
        let mut terms = vec![ContactTerms::default(); self.grains.len()];
        self.grains.each_plain(|index, RoundContact { normal, bias, friction, .. }, _| {
            let bias = normal * (bias - self.swelling.get(index).copied().unwrap_or_default());
            terms[index] = ContactTerms { friction, bias, torque: D::Spin::ZERO };
        });
        self.grains.each_single(|single, _| {
            let (friction, bias, torque) = (single.friction(), single.bias(), single.load().torque);
            terms[single.index()] = ContactTerms { friction, bias, torque };
        });
        terms
    }

    fn step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        let dt = self.time_step();
        let mut effort = Effort::default();
        world.begin_step(dt);
        world.remember_twists();
        self.sense(world, dt, &mut effort)?;
        threads::inside(world.network.contacts.len(), || self.find_forces(world, dt, &mut effort))?;
        self.swelling.clear();
        if world.only_grows() {
            self.swelling.extend(world.network.contacts.iter().map(|contact| contact.jump.dot(contact.normal)));
        }
        world.note_pushes(dt);
        let balance = books::keep(world, dt);
        self.watch_jams(world);
        self.alarms.extend(crowd::crowded(world, dt).or_else(|| squeeze::squeezed(world, dt)));
        self.remember(world);
        let report = self.report(world, dt, &effort, balance);
        world.drift(self.share_after() * dt);
        world.tick(dt);
        check_state(world)?;
        if !report.converged && self.options.unconverged == Unconverged::Fail {
            let StepReport { step, residual, sweeps, .. } = report;
            return Err(StepError::Unconverged { step, residual, wanted: self.options.accuracy.residual(), sweeps });
        }
        Ok(report)
    }

    fn alarms(&mut self) -> Vec<Alarm> {
        std::mem::take(&mut self.alarms)
    }
}

impl<D: Dim> ContactDynamics<D> {
    /// Names contacts that slid, more than they closed, into Painleve's paradox: the step ends their slip by an impulse, or
    /// goes on with one of two solutions. Those that stuck before do not slide, whatever rounding says.
    fn watch_jams(&mut self, world: &World<D>) {
        let (network, step) = (&world.network, world.clock.step + 1);
        let ContactDynamics { grains, alarms, .. } = self;
        grains.each_single(|single, _| {
            let (contact, memory) = (&network.contacts[single.index()], &network.memory[single.index()]);
            if memory.impulse == D::Vec::ZERO || memory.regime == Regime::Stick || !alarms.is_empty() {
                return;
            }
            let velocity = world.velocity_before(contact);
            let closing = contact.normal * velocity.dot(contact.normal);
            let slip = velocity - closing;
            if slip.norm() > closing.norm() && single.jams(slip) {
                let [a, b] = [contact.key.a, contact.key.b].map(|body| world.name(body as usize));
                let (speed, friction) = (slip.norm(), single.friction());
                let message = format!(
                    "step {step}: {a} and {b} slide with {speed:.1e} m/s and jam, for a friction of {friction} presses them into each other"
                );
                alarms.push(Alarm { code: "W131", message });
            }
        });
    }

    /// Part of the step that bodies move with their new velocities. The midpoint scheme has moved half of it with
    /// the old ones, before the contacts are sensed. [Radjai eq. 42, 45]
    fn share_after(&self) -> f64 {
        match self.options.scheme {
            Scheme::Euler => 1.0,
            Scheme::Midpoint => 0.5,
        }
    }

    /// Finds the contacts of the step.
    fn sense(&self, world: &mut World<D>, dt: f64, effort: &mut Effort) -> Result<(), StepError> {
        let start = Instant::now();
        match self.options.scheme {
            Scheme::Euler => sense_soon(world, dt),
            Scheme::Midpoint => {
                world.drift(0.5 * dt);
                world.before.clone_from(&world.bodies.twist); // stones that tumble turn otherwise now
                sense_closed(world, dt)
            }
        }
        .map_err(|pair| StepError::coincident(world, pair))?;
        if !self.options.warm_start {
            for memory in &mut world.network.memory {
                (memory.impulse, memory.torque) = (D::Vec::ZERO, D::Spin::ZERO);
            }
        }
        effort.sensing += start.elapsed();
        Ok(())
    }

    /// Takes bodies as they fly freely, and contacts as they are sensed.
    fn take(&mut self, world: &World<D>, dt: f64) {
        let free = free_flight(world, dt);
        self.grains.take_bodies(world, self.options.order, |body| free[body], cell_flight(world, dt));
        self.grains.take_contacts(&Terms { world, dt, scheme: self.options.scheme });
    }

    /// Solves roughly first, to learn who meets whom, then to the accuracy asked for; each time pairs that were
    /// missed join in, until none is. Where an overlap still grows too much, a smaller residual is asked for.
    fn find_forces(&mut self, world: &mut World<D>, dt: f64, effort: &mut Effort) -> Result<(), StepError> {
        let start = Instant::now();
        self.take(world, dt);
        effort.solving += start.elapsed();
        let limits = self.options.accuracy.limits();
        let mut asked = limits.loosened(ROUGH);
        let (mut course, mut spent) = (None, 0);
        loop {
            let start = Instant::now();
            let verdict = self.go_on(&mut course, world, &self.rules(asked, spent))?;
            effort.verdict = self.options.judge(Verdict { sweeps: spent + verdict.sweeps, ..verdict });
            if course.is_none() {
                spent = effort.verdict.sweeps; // Newton steps start anew every time
            }
            self.give_back(world);
            effort.solving += start.elapsed();
            let start = Instant::now();
            let joined = match self.options.scheme {
                Scheme::Euler => {
                    let is_found = effort.verdict.converged || self.options.fixed_sweeps.is_some();
                    let looks = is_found && effort.rounds < LOOKS;
                    self.join(world, dt, looks).map_err(|pair| StepError::coincident(world, pair))?
                }
                Scheme::Midpoint => false, // contacts are those that are closed
            };
            effort.sensing += start.elapsed();
            let is_spent = effort.verdict.sweeps >= self.options.max_sweeps;
            if joined {
                effort.rounds += 1;
                let start = Instant::now();
                self.grains.take_contacts(&Terms { world, dt, scheme: self.options.scheme });
                (course, spent) = (None, effort.verdict.sweeps);
                effort.solving += start.elapsed();
            } else if self.options.fixed_sweeps.is_some() || is_spent {
                return Ok(());
            } else if !effort.verdict.converged && self.options.solver == Solver::Newton && asked == limits {
                return Ok(()); // it ends only where it gets no further
            } else if !effort.verdict.converged {
                asked = limits;
            } else {
                let overlap_growth = books::overlap_growth(world, dt);
                if overlap_growth <= limits.overlap_growth {
                    effort.overlap_growth = Some(overlap_growth);
                    return Ok(());
                }
                asked.residual = TIGHTER * asked.residual.min(limits.residual);
            }
        }
    }

    /// Lets contacts join in that the motion found so far shows to be missed: of pairs that will meet, and, where there are
    /// none and it `looks` ahead, of corners and edges of stones as they will be at the end: in place of those of the start that
    /// sink because they turn, or beside them. It does so only with motions that are found to the accuracy asked for: contacts
    /// too many, which a rough motion would show, cost sweeps. Tells whether there are any.
    fn join(&self, world: &mut World<D>, dt: f64, looks: bool) -> Result<bool, Coincident> {
        let missed = world.missed(dt)?;
        if !missed.is_empty() {
            world.network.insert(missed);
            return Ok(true);
        }
        if !looks {
            return Ok(false);
        }
        let slack = self.options.accuracy.limits().overlap_growth.min(SLACK);
        let mut ahead = world.ahead(dt)?;
        ahead.retain(|ahead| match world.network.position(ahead.contact.key) {
            Some(known) => turns_in(world, &world.network.contacts[known], ahead, slack, dt),
            None => sinks(world, ahead, slack, dt),
        });
        let is_any = !ahead.is_empty();
        if is_any {
            let contacts = ahead.into_iter().map(|ahead| ahead.contact).collect();
            world.network.insert_ahead(contacts, &world.bodies.twist);
        }
        Ok(is_any)
    }

    /// When a solve ends that is asked for these limits, after so many sweeps of the step.
    fn rules(&self, asked: Limits, spent: u64) -> Rules {
        let Options { criterion, min_sweeps, max_sweeps, .. } = self.options;
        match self.options.fixed_sweeps {
            Some(sweeps) => {
                Rules { limits: asked, criterion: Criterion::Natural, min_sweeps: sweeps, max_sweeps: sweeps }
            }
            None => Rules { limits: asked, criterion, min_sweeps, max_sweeps: max_sweeps.saturating_sub(spent) },
        }
    }

    /// Solves by sweeps, which go on in their course, or by Newton steps.
    fn go_on(&mut self, course: &mut Option<Course>, world: &World<D>, rules: &Rules) -> Result<Verdict, StepError> {
        let accelerator = self.options.accelerator;
        match self.options.solver {
            Solver::Sweeps => {
                let course = course.get_or_insert_with(|| Course::start(&mut self.grains, accelerator));
                Ok(course.run(&mut self.grains, rules, |_, _| ()))
            }
            Solver::Newton => newton::solve(&mut self.grains, accelerator, rules, |_, _| ())
                .map_err(|strange| StepError::unknown_law(world, strange.contact)),
        }
    }

    /// Gives motion and impulses back to the world.
    fn give_back(&self, world: &mut World<D>) {
        for (body, twist) in world.bodies.twist.iter_mut().enumerate() {
            *twist = self.grains.line(body).twist();
        }
        if let Some(line) = self.grains.cell() {
            world.set_cell_motion(&stretch::lattice_motion(line));
        }
        let memory = &mut world.network.memory;
        self.grains.each_plain(|index, _, impulse| memory[index].impulse = without_dust(impulse));
        self.grains.each_single(|single, _| {
            let (memory, load) = (&mut memory[single.index()], single.load());
            (memory.impulse, memory.torque) = (without_dust(load.impulse), without_dust(load.torque));
        });
    }

    /// Contacts remember what they did and how far they have opened, once the step is solved: until then the laws go by
    /// what they did in the step before. Cohesive surfaces that were pressed together are bound from now on.
    fn remember(&self, world: &mut World<D>) {
        let World { network, bodies, laws, .. } = world;
        let (contacts, memory) = (&network.contacts, &mut network.memory);
        self.grains.each_plain(|index, contact: RoundContact<D>, _| {
            memory[index].regime = contact.regime(memory[index].impulse, contacts[index].velocity(&bodies.twist));
        });
        self.grains.each_single(|single, lines| {
            let memory = &mut memory[single.index()];
            memory.regime = single.regime(lines);
            memory.bond = single.opening(lines);
        });
        for (contact, memory) in contacts.iter().zip(memory) {
            let material = |body: u32| bodies.material[body as usize];
            let is_pressed = memory.impulse.dot(contact.normal) > 0.0;
            if is_pressed && laws.between(material(contact.key.a), material(contact.key.b)).cohesion.is_some() {
                memory.bond = Some(0.0);
            }
        }
    }

    fn report(&self, world: &World<D>, dt: f64, effort: &Effort, balance: f64) -> StepReport {
        let verdict = &effort.verdict;
        let overlap_growth = effort.overlap_growth.unwrap_or_else(|| books::overlap_growth(world, dt));
        StepReport {
            step: world.clock.step + 1,
            time: world.clock.time + dt,
            contacts: self.grains.len(),
            closed: world.network.memory.iter().filter(|memory| memory.regime != Regime::Open).count(),
            sweeps: verdict.sweeps,
            residual: verdict.residual,
            force_error: verdict.force_error,
            overlap_growth,
            balance,
            converged: verdict.converged
                && (overlap_growth <= self.options.accuracy.limits().overlap_growth
                    || self.options.fixed_sweeps.is_some()),
            rounds: effort.rounds,
            is_soft: false,
            max_overlap: world.max_overlap(),
            max_travel: max_travel(world, dt),
            max_speed: max_speed(world),
            sensing: effort.sensing,
            solving: effort.solving,
        }
    }
}

/// Whether a contact that is known is deeper at the end than its law lets it be, because normal and point turn: by more than
/// `slack`, or a tenth of it, if the overlap is more than that.
fn turns_in<D: Dim>(world: &World<D>, known: &Contact<D>, ahead: &Ahead<D>, slack: f64, dt: f64) -> bool {
    let foreseen = known.gap + known.velocity(&world.bodies.twist).dot(known.normal) * dt;
    let radius = world.smaller_radius(known);
    let growth = (known.gap.min(foreseen).min(0.0) - ahead.gap) / radius;
    growth > slack || (growth > STEADY * slack && -ahead.gap > slack * radius)
}

/// Whether a contact that is not known must join in: it sinks by more than `slack`, or less, but deeper than all others of the
/// pair.
fn sinks<D: Dim>(world: &World<D>, Ahead { contact, gap }: &Ahead<D>, slack: f64, dt: f64) -> bool {
    let growth = books::growth(world, contact, contact.velocity(&world.bodies.twist), dt);
    let deeper = -gap - world.network.overlap(contact.key);
    growth > slack || (growth > 0.0 && deeper > SUNK * world.smaller_radius(contact))
}

/// Fastest grain, moving or turning.
fn max_speed<D: Dim>(world: &World<D>) -> f64 {
    let bodies = &world.bodies;
    let speed = |k: usize| bodies.twist[k].v.norm().max(bodies.twist[k].w.norm() * bodies.shape[k].radius());
    world.grains().map(speed).fold(0.0, f64::max)
}

/// Zero for what is so small that its square is no normal number: such numbers slow processors down.
fn without_dust<V: Vector>(load: V) -> V {
    if load.dot(load) < f64::MIN_POSITIVE { V::ZERO } else { load }
}

/// V_free = V + M^-1 F_ext dt. [Brendel eq. 1.23] A piston moves along its normal only.
fn free_flight<D: Dim>(world: &World<D>, dt: f64) -> Vec<Line<D>> {
    let inertia = &world.bodies.inertia;
    let now = world.clock.time;
    let fly = |(body, twist): (usize, &Twist<D>)| {
        let mut twist = *twist;
        if inertia[body].is_movable() {
            let axis = if body < world.walls.len() { world.wall_axis(body) } else { None };
            twist.v += match axis {
                None => world.pull(body) * dt,
                Some(axis) => {
                    let force = world.piston_force(body, now, now + dt).unwrap_or(0.0);
                    axis * ((world.gravity.dot(axis) + force * inertia[body].inv_m) * dt)
                }
            };
        }
        Line::new(&twist, &inertia[body])
    };
    world.before.iter().enumerate().map(fly).collect()
}

/// The lattice of a cell that follows a stress, as it would change without contacts.
fn cell_flight<D: Dim>(world: &World<D>, dt: f64) -> Option<Line<D>> {
    let cell = world.cell.as_ref()?;
    let inv_m = 1.0 / cell.press.as_ref()?.mass;
    let motion = world.cell_before.plus(&cell.pull(), inv_m * dt);
    Some(Line::new(&stretch::lattice_twist(&motion), &Inertia { inv_m, inv_i: D::Moments::ZERO }))
}

/// Contacts of the Euler scheme: pairs that can close their gap by their velocities and by gravity, or nearly touch,
/// or may be held by cohesion.
fn sense_soon<D: Dim>(world: &mut World<D>, dt: f64) -> Result<(), crate::contact::Coincident> {
    let pulled = world.grains().map(|k| world.pull(k).norm()).fold(world.gravity.norm(), f64::max);
    let (fall, range) = (pulled * dt, world.laws.longest_range());
    let near: Vec<f64> = world.bodies.shape.iter().map(|shape| NEAR * shape.radius() + 0.5 * range).collect();
    let v: Vec<D::Vec> = world.bodies.twist.iter().map(|twist| twist.v).collect();
    let by_images = world.image_travel(dt);
    let way = |k: usize| {
        (v[k].norm() + fall) * dt + near[k] + world.swing_travel(k, dt) + world.swell_travel(k, dt) + by_images
    };
    let travel: Vec<f64> = (0..v.len()).map(way).collect();
    let rim: Vec<f64> = (0..v.len()).map(|body| world.rim_travel(body, dt)).collect();
    let reach = |a: usize, b: usize, jump: D::Vec| {
        ((v[b] - v[a] + jump).norm() + 2.0 * fall) * dt + near[a] + near[b] + (rim[a] + rim[b])
    };
    world.sense_images(&travel, reach)
}

/// Contacts of the midpoint scheme: pairs that touch, up to the rounding of their positions, or are held by cohesion.
///
/// A bond counts its opening up to the start of the step; in the middle the gap is wider by half the way of the step.
fn sense_closed<D: Dim>(world: &mut World<D>, dt: f64) -> Result<(), crate::contact::Coincident> {
    let range = world.laws.longest_range();
    let is_cohesive = range > 0.0;
    let bodies = &world.bodies;
    let touching: Vec<f64> = bodies
        .pose
        .iter()
        .zip(&bodies.shape)
        .map(|(pose, shape)| terms::CLOSED * (pose.x.norm() + shape.radius()))
        .collect();
    let by_images = world.image_travel(0.5 * dt);
    let half_way = |k: usize| if is_cohesive { bodies.twist[k].v.norm() * 0.5 * dt + by_images } else { 0.0 };
    let travel: Vec<f64> =
        touching.iter().enumerate().map(|(k, touching)| touching + 0.5 * range + half_way(k)).collect();
    world.sense(&travel, |a, b| travel[a] + travel[b])?;
    world.network.retain(|contact, memory| {
        let rounding = touching[contact.key.a as usize] + touching[contact.key.b as usize];
        contact.gap <= rounding || memory.bond.is_some()
    });
    Ok(())
}

/// Longest path of a grain in the step over its radius.
fn max_travel<D: Dim>(world: &World<D>, dt: f64) -> f64 {
    let bodies = &world.bodies;
    world.grains().map(|k| bodies.twist[k].v.norm() * dt / bodies.shape[k].radius()).fold(0.0, f64::max)
}
