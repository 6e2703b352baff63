//! Contact Dynamics: rigid grains, exact contact laws, implicit steps. [Brendel], [Radjai], [solver notes in the book]
//!
//! One step ([`ContactDynamics::step`]):
//!
//! ```text
//!   begin_step       walls are driven
//!   sense            contacts that are closed or may close in the step             candidates.rs
//!   find_forces      V_free = V + M^-1 F dt, then until all is accurate enough:
//!      set_up           laws -> local problems -> lanes                            local_problem.rs, partition.rs
//!      iterate          sweeps with momentum, or Newton steps                      solve.rs, accelerate/, newton/
//!         sweep            chunks on threads | borders between them | the rest     sweep.rs, chunk.rs
//!         misfit           how far impulses are from the laws                      residual.rs, velocity_scale.rs
//!      add_missed       contacts that the motion found so far shows to be missed
//!   record           energy and momentum balance, warnings                         energy_balance.rs, warnings/
//!   drift            bodies move with their new velocities
//! ```
//!
//! The representations of one contact, from the world to the registers, and who owns them:
//!
//! ```text
//!   Contact + ContactMemory    geometry and history: world.network       the world    contact/
//!      |  LocalProblems           the laws of the pair become numbers     set_up       local_problem.rs
//!      +- PlainContact -------- RoundContactX4           round bodies: four lanes      round_x4.rs
//!      +- CoupledContact --+--- CoupledContactX4         full block of W: four lanes   coupled_x4.rs
//!      |                   +--- ScalarContact::Coupled   few of a colour, pistons ...  coupled.rs
//!      +- ScalarRound --------- ScalarContact::Round     cohesion, rolling, images ... scalar_round.rs
//!                               `-- owned by a Subdomain of the Partition, or by its rest
//!   RoundLaw, CoupledLaw, LoadedContact                  the laws, in registers        law/rigid/
//! ```
//!
//! All of them read and write two [`SolverBody`]s of one array of the [`ContactSystem`]: the velocities V. After the
//! last sweep impulses go back to `ContactMemory`, velocities to the world. How threads share a sweep (slabs in
//! [`partition`]):
//!
//! ```text
//!   thread 0                      thread 1                     then
//!   [ A ][ B ] seam ab            [ C ][ D ] seam cd           border bc, in parallel with others; the rest, by one
//! ```

pub(crate) mod accelerate;
mod assemble;
mod candidates;
pub(crate) mod cell_coupling;
mod chunk;
pub(crate) mod contact_groups;
pub(crate) mod contact_system;
pub(crate) mod coupled;
pub(crate) mod coupled_x4;
pub(crate) mod deformable;
pub(crate) mod energy_balance;
mod initial_forces;
pub(crate) mod local_problem;
pub(crate) mod newton;
pub(crate) mod options;
pub(crate) mod order;
pub(crate) mod overlap;
pub(crate) mod partition;
pub mod problem;
pub(crate) mod residual;
pub(crate) mod round_x4;
pub(crate) mod scalar;
pub(crate) mod scalar_round;
pub(crate) mod solve;
pub mod stored;
mod sweep;
pub(crate) mod velocity_scale;
pub(crate) mod warnings;

pub use accelerate::Accelerator;
use energy_balance::{Balance, ContactWork, Flight};
pub use options::{Accuracy, CdOptions, Criterion, Ladder, Limits, Order, Scheme, Solver, Unconverged};
use velocity_scale::SLOW;

use std::time::{Duration, Instant};

use crate::body::{Inertia, SymmetricTensor, Twist};
use crate::contact::{Coincident, Contact, Regime};
use crate::dim::{D2, D3, Dim, Vector};
use crate::law::RoundContact;
use crate::method::common::compiled::compiled_once;
use crate::method::common::passing::{Passing, check_depth};
use crate::method::common::solver_body::SolverBody;
use crate::method::statics::StartForces;
use crate::method::{
    Alarm, ContactTerms, ForceDeterminacy, Method, StepError, StepReport, check_pace, check_pace_with, check_state,
};
use crate::threads;
use crate::world::{PredictedContact, Setup, State, World};

use candidates::{sense_closed, sense_incipient};
use contact_system::ContactSystem;
use deformable::StrainFlight;
use local_problem::LocalProblems;
use solve::{Iteration, Rules, System, Verdict};

/// Residual below which it pays to search for missed contacts: velocities are then known to a few percent.
const ROUGH: f64 = 1e-2;

/// Factor by which the residual is tightened when an overlap grows too much, or a group of bodies gains energy.
const TIGHTER: f64 = 0.3;

/// Overlap over the radius that may result from rotation of the bodies within a step; less, if less growth is asked
/// for.
const SLACK: f64 = 1e-3;

/// Part of [`SLACK`] by which an overlap above it may still grow in a step: contacts that slide and turn persistently
/// must not sink in.
const STEADY: f64 = 0.1;

/// How much deeper than the known contacts of a pair another corner of it may be, over the radius: too little to matter
/// to a stone, and more than residuals leave in a step.
const SUNK: f64 = 1e-6;

/// How often at most a step is solved again because of contacts at its end. The error of the motion that led there
/// shrinks each time: three or four times are enough, unless two normals alternate. What remains then is an overlap,
/// and is reported as one.
const LOOKS: u32 = 12;

/// Code of the warning that the scheme will cool a gas.
pub const COOLING: &str = "W241";

/// What a step has taken so far.
#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    verdict: Verdict,
    /// Growth of overlaps, if it was computed to accept the forces.
    overlap_growth: Option<f64>,
    /// Energy that contacts gave, if it was computed to accept the forces.
    work: Option<ContactWork>,
    rounds: u32,
    /// Whether contacts were still missed after the most rounds.
    is_cut: bool,
    sensing: Duration,
    solving: Duration,
}

/// The method, with the buffers that it keeps from step to step.
#[derive(Debug)]
pub struct ContactDynamics<D: Dim> {
    /// Parameters.
    pub options: CdOptions,
    system: ContactSystem<D>,
    /// Normal velocities of growing surfaces, which are part of the bias of plain contacts [m/s]; empty if nothing
    /// grows.
    swelling: Vec<f64>,
    alarms: Vec<Alarm>,
    passing: Passing<D>,
}

impl<D: Dim> ContactDynamics<D> {
    /// The method with these parameters.
    pub fn new(options: CdOptions) -> Self {
        let (swelling, alarms, passing) = (Vec::new(), Vec::new(), Passing::default());
        ContactDynamics { options, system: ContactSystem::default(), swelling, alarms, passing }
    }

    /// The system of the last solve.
    pub fn system(&self) -> &ContactSystem<D> {
        &self.system
    }

    /// Prepares a step without making a sweep. Returns the system of its bodies and contacts, for example to watch
    /// single sweeps. The bodies of the world stay where they are.
    pub fn prepare_step(&mut self, world: &mut World<D>) -> Result<&mut ContactSystem<D>, StepError> {
        let dt = self.time_step();
        world.begin_step(dt);
        world.spread_blows(dt);
        world.remember_twists();
        self.sense(world, dt, &mut Effort::default())?;
        self.set_up(world, dt);
        self.system.recompute_velocities();
        self.system.drop_momentum();
        Ok(&mut self.system)
    }
}

impl<D: Dim> ContactDynamics<D> {
    /// One step, with all threads awake if there is enough to do for them.
    fn make_step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        threads::inside(world.network.contacts.len(), || self.step_awake(world))
    }

    fn step_awake(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        let dt = self.time_step();
        let mut effort = Effort::default();
        world.begin_step(dt);
        world.spread_blows(dt);
        let (fall, walls) = (world.largest_pull() * dt, world.setup.walls.len());
        check_pace_with(world, 0..world.bodies.len(), dt, |body| if body < walls { 0.0 } else { fall })?;
        world.remember_twists();
        self.passing.begin(world);
        self.sense(world, dt, &mut effort)?;
        if world.clock.step == 0 && self.options.start_forces == StartForces::Equilibrium {
            self.start_in_equilibrium(world, dt);
        }
        self.find_forces(world, dt, &mut effort)?;
        self.note_swelling(world);
        world.note_pushes(dt);
        let balance = energy_balance::record(world, dt);
        deformable::record(world, dt);
        let work = effort.work.unwrap_or_else(|| self.contact_work(world, dt));
        if self.alarms.is_empty() {
            self.alarms.extend(warnings::painleve::check(&self.system, world));
        }
        self.alarms.extend(warnings::growth::check(world, dt).or_else(|| warnings::squeeze::check(world, dt)));
        self.remember(world);
        let report = self.report(world, dt, &effort, balance, work);
        let deep = self.too_deep(world, &report, dt);
        world.drift(self.share_after() * dt);
        world.tick(dt);
        check_state(world)?;
        if self.passing.is_near(world, dt, report.max_travel + report.max_overlap + report.overlap_growth) {
            self.passing.end(world)?;
        }
        check_depth(world, deep.into_iter())?;
        if !report.converged && self.options.unconverged == Unconverged::Fail {
            let StepReport { step, residual, sweeps, .. } = report;
            return Err(StepError::Unconverged { step, residual, wanted: self.options.accuracy.residual(), sweeps });
        }
        Ok(report)
    }
}

impl<D: Dim> Method<D> for ContactDynamics<D> {
    fn time_step(&self) -> f64 {
        self.options.time_step.given().expect("a time step \"auto\" is found before the first step")
    }

    fn terms(&self) -> Vec<ContactTerms<D>> {
        let of_plain = |index: usize| match self.system.plain(index) {
            Some(RoundContact { normal, bias, friction, .. }) => {
                let bias = normal * (bias - self.swelling.get(index).copied().unwrap_or_default());
                ContactTerms { friction, bias, torque: D::Spin::ZERO }
            }
            None => ContactTerms::default(),
        };
        let mut terms = threads::table(self.system.len(), of_plain);
        self.system.each_scalar(|scalar, _| {
            let (friction, bias, torque) = (scalar.friction(), scalar.bias(), scalar.load().torque);
            terms[scalar.index()] = ContactTerms { friction, bias, torque };
        });
        terms
    }

    fn step(&mut self, world: &mut World<D>) -> Result<StepReport, StepError> {
        compiled_once!(ContactDynamics::make_step(self, world) -> Result<StepReport, StepError>)
    }

    fn alarms(&mut self) -> Vec<Alarm> {
        std::mem::take(&mut self.alarms)
    }
}

/// Most rounds in which contacts are added in a step. Ordinary steps need a few; where bodies turn several times in a
/// step every motion shows other contacts, and the step counts as not converged.
const MOST_ROUNDS: u32 = 1000;

impl<D: Dim> ContactDynamics<D> {
    /// Stores the velocities of growing surfaces at every contact: they are part of the bias of the laws.
    fn note_swelling(&mut self, world: &World<D>) {
        self.swelling.clear();
        if world.only_grows() {
            let growing = world.network.contacts.iter().map(|contact| contact.image_velocity.dot(contact.normal));
            self.swelling.extend(growing);
        }
    }

    /// Energy that contacts gave in the step, from the motion and the impulses that the world has.
    fn contact_work(&self, world: &World<D>, dt: f64) -> ContactWork {
        if self.options.fixed_sweeps.is_some() {
            return ContactWork::default(); // contacts store energy then, on purpose
        }
        let twist = threads::table(world.bodies.len(), |body| self.system.free_body(body).twist());
        let lattice = cell_flight(world, dt).map(|solver_body| cell_coupling::lattice_motion(&solver_body));
        let strain_rates = StrainFlight::of(world, dt).map_or_else(Vec::new, |flight| flight.free_rate);
        let flight = Flight { twist: &twist, strain_rates, lattice, fall: self.system.fall(), terms: self.terms() };
        energy_balance::contact_work(world, &flight)
    }

    /// Grains that overlap by their radius or more at the end of the step, and by which part of it.
    fn too_deep(&self, world: &World<D>, report: &StepReport, dt: f64) -> Option<([usize; 2], f64)> {
        if report.max_overlap + report.overlap_growth < 1.0 {
            return None;
        }
        let overlap = |contact: &Contact<D>| {
            let growth = overlap::growth(world, contact, contact.velocity(&world.bodies.twist), dt);
            ([contact.key.a as usize, contact.key.b as usize], world.relative_overlap(contact).max(0.0) + growth)
        };
        let of_grains = |(pair, overlap): &([usize; 2], f64)| pair[0] >= world.setup.walls.len() && *overlap >= 1.0;
        world.network.contacts.iter().map(overlap).find(of_grains)
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
            Scheme::Euler => sense_incipient(world, dt, self.options.fixed_sweeps.is_some()),
            Scheme::Midpoint => {
                world.drift(0.5 * dt);
                world.scratch.before.clone_from(&world.state.bodies.twist); // stones that tumble turn otherwise now
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

    /// Weakens the impulses of the previous step where starting from them would add energy, as it would after an
    /// impact. With impulses t r the work of the contacts is t r . (u_free + bias) + t^2 (r W r) / 2; t is chosen so
    /// that it is least.
    fn weaken_warm_start(&mut self, world: &mut World<D>, dt: f64) {
        let is_given = self.options.warm_start && self.options.fixed_sweeps.is_none();
        // what is driven gains energy by the drive
        if !is_given || self.system.is_driven() || !self.system.starts_faster_than_free() {
            return;
        }
        let terms = self.terms();
        let [free, warm]: [Vec<Twist<D>>; 2] = {
            let bodies = world.bodies.len();
            let free = threads::table(bodies, |body| self.system.free_body(body).twist());
            [free, threads::table(bodies, |body| self.system.solver_body(body).twist())]
        };
        let free_rates = StrainFlight::of(world, dt).map_or_else(Vec::new, |flight| flight.free_rate);
        let warm_rates = if free_rates.is_empty() { Vec::new() } else { self.strain_rates(world, dt) };
        // contacts have the present rates of strain
        let strained = |contact: &Contact<D>, rates: &[SymmetricTensor<D>]| match rates {
            [] => D::Vec::ZERO,
            _ => world.strain_velocity(contact, rates) - world.present_strain_velocity(contact),
        };
        let network = &world.network;
        let works = threads::table(network.contacts.len(), |k| {
            let (contact, impulse) = (&network.contacts[k], network.memory[k].impulse);
            let of_free = contact.velocity(&free) + strained(contact, &free_rates);
            let of_warm = contact.velocity(&warm) + strained(contact, &warm_rates);
            [of_free, of_warm].map(|velocity| impulse.dot(velocity + terms[k].bias))
        });
        let (at_zero, at_one) = works.iter().fold((0.0, 0.0), |(zero, one), work| (zero + work[0], one + work[1]));
        if at_zero + at_one <= 0.0 {
            return;
        }
        let part = (-at_zero / (at_one - at_zero)).max(0.0);
        for memory in &mut world.network.memory {
            (memory.impulse, memory.torque) = (memory.impulse * part, memory.torque * part);
        }
        self.system.set_contacts(&LocalProblems { world, dt, scheme: self.options.scheme });
    }

    /// Takes the bodies with their free motion, and the contacts that were sensed.
    fn set_up(&mut self, world: &World<D>, dt: f64) {
        self.system.set_bodies(world, self.options.order, |body| free_flight(world, body, dt), cell_flight(world, dt));
        if let Some(strains) = StrainFlight::of(world, dt) {
            self.system.set_strains(&strains);
        }
        self.system.set_contacts(&LocalProblems { world, dt, scheme: self.options.scheme });
    }

    /// Solves roughly first, to find which bodies meet, then to the accuracy asked for; missed pairs are added each
    /// time, until there are none. Where an overlap still grows too much, or a group of bodies gains energy, a smaller
    /// residual is asked for.
    ///
    /// A fixed number of sweeps is made over one set of contacts: if a pair was missed, the sweeps so far only showed
    /// which bodies meet, and all of them are repeated from the impulses at the start of the step, which the contacts
    /// keep until its end.
    fn find_forces(&mut self, world: &mut World<D>, dt: f64, effort: &mut Effort) -> Result<(), StepError> {
        let start = Instant::now();
        self.set_up(world, dt);
        self.weaken_warm_start(world, dt);
        effort.solving += start.elapsed();
        let limits = self.options.accuracy.limits();
        let mut asked = limits.loosened(ROUGH);
        let (mut iteration, mut spent) = (None, 0);
        loop {
            let start = Instant::now();
            let verdict = self.iterate(&mut iteration, world, &self.rules(asked, spent))?;
            effort.verdict = self.options.judge(Verdict { sweeps: spent + verdict.sweeps, ..verdict });
            if iteration.is_none() {
                spent = effort.verdict.sweeps; // Newton steps start again every time
            }
            self.give_motion(world, dt);
            if self.options.fixed_sweeps.is_none() {
                self.give_impulses(world);
            }
            effort.solving += start.elapsed();
            let start = Instant::now();
            check_pace(world, 0..world.bodies.len(), dt)?; // what may be met is listed by it
            let has_more = match self.options.scheme {
                Scheme::Euler => {
                    let is_found = effort.verdict.converged || self.options.fixed_sweeps.is_some();
                    let looks = is_found && effort.rounds < LOOKS;
                    self.add_missed(world, dt, looks).map_err(|pair| StepError::coincident(world, pair))?
                }
                Scheme::Midpoint => false, // contacts are those that are closed
            };
            effort.sensing += start.elapsed();
            let is_spent = effort.verdict.sweeps >= self.options.max_sweeps;
            if has_more && effort.rounds >= MOST_ROUNDS {
                effort.is_cut = true;
                return Ok(());
            }
            if has_more {
                effort.rounds += 1;
                let start = Instant::now();
                if self.options.fixed_sweeps.is_some() {
                    self.set_up(world, dt); // all sweeps again, from the impulses of the step before, over all contacts
                } else {
                    self.system.set_contacts(&LocalProblems { world, dt, scheme: self.options.scheme });
                    spent = effort.verdict.sweeps;
                }
                iteration = None;
                effort.solving += start.elapsed();
            } else if self.options.fixed_sweeps.is_some() {
                self.give_impulses(world);
                return Ok(());
            } else if is_spent {
                return Ok(());
            } else if !effort.verdict.converged && self.options.solver == Solver::Newton && asked == limits {
                return Ok(()); // it ends only where it gets no further
            } else if !effort.verdict.converged {
                asked = limits;
            } else {
                let overlap_growth = overlap::largest_growth(world, dt);
                self.note_swelling(world);
                let work = self.contact_work(world, dt);
                // velocities a hundred times better than asked for: then the laws themselves give it, as bounces may
                let gains = work.worst > limits.energy_gain() && asked.velocity_error > SLOW * limits.velocity_error;
                if overlap_growth <= limits.overlap_growth && !gains {
                    (effort.overlap_growth, effort.work) = (Some(overlap_growth), Some(work));
                    return Ok(());
                }
                if overlap_growth > limits.overlap_growth {
                    asked.residual = TIGHTER * asked.residual.min(limits.residual);
                }
                if gains {
                    let reached = effort.verdict.velocity_error.max(SLOW * limits.velocity_error);
                    asked.velocity_error = TIGHTER * asked.velocity_error.min(limits.velocity_error).min(reached);
                }
            }
        }
    }

    /// Adds contacts that the motion found so far shows to be missed: first of pairs that will meet. If there are none
    /// and `looks` is set, also corners and edges of stones as they will be at the end of the step, in place of those
    /// of the start that sink because they turn, or beside them. The latter needs a motion of the accuracy asked for: a
    /// rough one would add contacts that are not needed and cost sweeps. Returns whether there are any.
    fn add_missed(&self, world: &mut World<D>, dt: f64, looks: bool) -> Result<bool, Coincident> {
        let missed = world.missed(dt)?;
        if !missed.is_empty() {
            world.network.insert(missed);
            return Ok(true);
        }
        if !looks {
            return Ok(false);
        }
        let slack = self.options.accuracy.limits().overlap_growth.min(SLACK);
        let mut ahead = world.predicted(dt)?;
        ahead.retain(|ahead| match world.network.position(ahead.contact.key) {
            Some(known) => turns_in(world, &world.network.contacts[known], ahead, slack, dt),
            None => sinks(world, ahead, slack, dt),
        });
        let is_any = !ahead.is_empty();
        if is_any {
            let contacts = ahead.into_iter().map(|ahead| ahead.contact).collect();
            world.state.network.insert_predicted(contacts, &world.state.bodies.twist);
        }
        Ok(is_any)
    }

    /// The rules by which a solve for these limits ends, after `spent` sweeps of the step.
    fn rules(&self, asked: Limits, spent: u64) -> Rules {
        let CdOptions { criterion, min_sweeps, max_sweeps, .. } = self.options;
        match self.options.fixed_sweeps {
            Some(sweeps) => {
                Rules { limits: asked, criterion: Criterion::Natural, min_sweeps: sweeps, max_sweeps: sweeps }
            }
            None => Rules { limits: asked, criterion, min_sweeps, max_sweeps: max_sweeps.saturating_sub(spent) },
        }
    }

    /// Solves by sweeps, which continue their iteration, or by Newton steps.
    fn iterate(
        &mut self,
        iteration: &mut Option<Iteration>,
        world: &World<D>,
        rules: &Rules,
    ) -> Result<Verdict, StepError> {
        let accelerator = self.options.accelerator;
        match self.options.solver {
            Solver::Sweeps => {
                let iteration = iteration.get_or_insert_with(|| Iteration::start(&mut self.system, accelerator));
                Ok(iteration.run(&mut self.system, rules, |_, _| ()))
            }
            Solver::Newton => newton::solve(&mut self.system, accelerator, rules, |_, _| ())
                .map_err(|strange| StepError::unknown_law(world, strange.contact)),
        }
    }

    /// Gives the motion back to the world.
    fn give_motion(&self, world: &mut World<D>, dt: f64) {
        threads::each(&mut world.bodies.twist, |body, twist| *twist = self.system.solver_body(body).twist());
        if world.bodies.strains.is_some() {
            world.set_strain_rates(self.strain_rates(world, dt));
        }
        if let Some(solver_body) = self.system.cell() {
            world.set_cell_motion(&cell_coupling::lattice_motion(solver_body));
        }
    }

    /// The rates of strain of the last sweep.
    fn strain_rates(&self, world: &World<D>, dt: f64) -> Vec<SymmetricTensor<D>> {
        let rate = |body: usize| {
            let strain = self.system.strain(body);
            strain.map_or(SymmetricTensor::zero(), |strain| deformable::rate_of(world, body, dt, strain))
        };
        (0..world.bodies.len()).map(rate).collect()
    }

    /// Gives the impulses back to the contacts.
    fn give_impulses(&self, world: &mut World<D>) {
        let memory = &mut world.network.memory;
        threads::each(memory, |index, memory| {
            if let Some(impulse) = self.system.plain_impulse(index) {
                memory.impulse = without_dust(impulse);
            }
        });
        self.system.each_scalar(|scalar, _| {
            let (memory, load) = (&mut memory[scalar.index()], scalar.load());
            (memory.impulse, memory.torque) = (without_dust(load.impulse), without_dust(load.torque));
        });
    }

    /// Stores regimes and openings of the contacts once the step is solved; until then the laws use those of the
    /// previous step. Cohesive surfaces that were pressed together are bound from now on.
    fn remember(&self, world: &mut World<D>) {
        let World { state: State { network, bodies, .. }, setup: Setup { laws, .. }, .. } = world;
        let (contacts, memory) = (&network.contacts, &mut network.memory);
        threads::each(memory, |index, memory| {
            if let Some(contact) = self.system.plain(index) {
                memory.regime = contact.regime(memory.impulse, contacts[index].velocity(&bodies.twist));
            }
        });
        self.system.each_scalar(|scalar, solver_bodies| {
            let memory = &mut memory[scalar.index()];
            let is_dust = memory.impulse == D::Vec::ZERO && scalar.load().impulse != D::Vec::ZERO;
            memory.regime = if is_dust { Regime::Open } else { scalar.regime(solver_bodies) };
            memory.bond = scalar.opening(solver_bodies);
        });
        if laws.pairs().all(|pair| pair.cohesion.is_none()) {
            return;
        }
        for (contact, memory) in contacts.iter().zip(memory) {
            let material = |body: u32| bodies.material[body as usize];
            let is_pressed = memory.impulse.dot(contact.normal) > 0.0;
            if is_pressed && laws.between(material(contact.key.a), material(contact.key.b)).cohesion.is_some() {
                memory.bond = Some(0.0);
            }
        }
    }

    fn report(&self, world: &World<D>, dt: f64, effort: &Effort, balance: Balance, work: ContactWork) -> StepReport {
        let (verdict, limits) = (&effort.verdict, self.options.accuracy.limits());
        let overlap_growth = effort.overlap_growth.unwrap_or_else(|| overlap::largest_growth(world, dt));
        StepReport {
            step: world.clock.step + 1,
            time: world.clock.after(dt).time,
            contacts: self.system.len(),
            closed: threads::count(world.network.memory.len(), |k| world.network.memory[k].regime != Regime::Open),
            sweeps: verdict.sweeps,
            residual: verdict.residual,
            force_error: verdict.force_error,
            velocity_error: verdict.velocity_error,
            overlap_growth,
            balance: balance.momentum,
            created: work.created,
            turned_over: balance.turned_over,
            energy_scale: world.kinetic_energy() + self.system.energy_scale(),
            converged: self.options.fixed_sweeps.is_some()
                || verdict.holds(&limits) && overlap_growth <= limits.overlap_growth && !effort.is_cut,
            forces: if self.options.fixed_sweeps.is_some() { ForceDeterminacy::Known } else { verdict.forces(&limits) },
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

/// Whether a known contact is deeper at the end than its law allows, because normal and point turn: by more than
/// `slack`, or by a tenth of it if the overlap is more than that.
fn turns_in<D: Dim>(world: &World<D>, known: &Contact<D>, ahead: &PredictedContact<D>, slack: f64, dt: f64) -> bool {
    let expected = known.gap + known.velocity(&world.bodies.twist).dot(known.normal) * dt;
    let radius = world.smaller_radius(known);
    let growth = (known.gap.min(expected).min(0.0) - ahead.gap) / radius;
    growth > slack || (growth > STEADY * slack && -ahead.gap > slack * radius)
}

/// Whether an unknown contact must be added: it sinks by more than `slack`, or by less but deeper than all others of
/// the pair.
fn sinks<D: Dim>(
    world: &World<D>,
    PredictedContact { contact, gap }: &PredictedContact<D>,
    slack: f64,
    dt: f64,
) -> bool {
    let growth = overlap::growth(world, contact, contact.velocity(&world.bodies.twist), dt);
    let deeper = -gap - world.network.overlap(contact.key);
    growth > slack || (growth > 0.0 && deeper > SUNK * world.smaller_radius(contact))
}

/// Fastest grain, moving or turning.
fn max_speed<D: Dim>(world: &World<D>) -> f64 {
    let bodies = &world.bodies;
    let speed = |k: usize| bodies.twist[k].v.norm().max(bodies.twist[k].w.norm() * bodies.shape[k].radius());
    threads::largest(world.grains(), 0.0, speed)
}

/// Zero for a load so small that its square is subnormal: such numbers slow processors down.
fn without_dust<V: Vector>(load: V) -> V {
    if load.dot(load) < f64::MIN_POSITIVE { V::ZERO } else { load }
}

/// V_free = V + M^-1 F_ext dt. [Brendel eq. 1.23] A piston moves along its normal only.
fn free_flight<D: Dim>(world: &World<D>, body: usize, dt: f64) -> SolverBody<D> {
    let (inertia, now) = (&world.bodies.inertia[body], world.clock.time);
    let mut twist = world.scratch.before[body];
    if inertia.is_movable() {
        let axis = if body < world.setup.walls.len() { world.wall_axis(body) } else { None };
        twist.v += match axis {
            None => world.pull(body) * dt,
            Some(axis) => {
                let force = world.piston_force(body, now, now + dt).unwrap_or(0.0);
                axis * ((world.gravity.dot(axis) + force * inertia.inv_m) * dt)
            }
        };
    }
    if let Some(turning) = world.angular_pull(body) {
        twist.w += turning * dt;
    }
    SolverBody::new(&twist, inertia)
}

/// The lattice of a stress-controlled cell, as it would change without contacts.
fn cell_flight<D: Dim>(world: &World<D>, dt: f64) -> Option<SolverBody<D>> {
    let cell = world.cell.as_ref()?;
    let inv_m = 1.0 / cell.press.as_ref()?.mass;
    let motion = world.scratch.cell_before.plus(&cell.pull(), inv_m * dt);
    Some(SolverBody::new(&cell_coupling::lattice_twist(&motion), &Inertia { inv_m, inv_i: D::Moments::ZERO }))
}

/// Longest path of a grain in the step over its radius.
fn max_travel<D: Dim>(world: &World<D>, dt: f64) -> f64 {
    let bodies = &world.bodies;
    threads::largest(world.grains(), 0.0, |k| bodies.twist[k].v.norm() * dt / bodies.shape[k].radius())
}
