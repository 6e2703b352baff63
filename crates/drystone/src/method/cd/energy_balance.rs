//! Energy and momentum balance of a step: the work of contacts, walls and drives.
//!
//! Contacts take energy out of the free flight: K_free - K = - sum r . (u_free + u) / 2, where every term is the work
//! done against one contact, with walls and images in their prescribed motion. Moreover no law does work at the
//! velocities that it imposes: r . (u + b) <= 0, with the bias b that the law adds for gaps and bounces. Both sums are
//! taken over every group of bodies that contacts join, so that a loss in one group does not hide a gain in another. If
//! one of the sums is positive, energy was created: either the step is not solved, or bounces with friction met a case
//! in which Newton's law of restitution creates energy.

use super::contact_groups::ContactGroups;
use super::residual::ROUNDING;
use crate::body::{SymmetricTensor, Twist};
use crate::cell::CellMotion;
use crate::contact::{Contact, ContactMemory, Network};
use crate::dim::{Dim, Vector};
use crate::method::ContactTerms;
use crate::threads;
use crate::world::World;

/// Momentum and energy of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Balance {
    /// Residual of the momentum balance: wall reactions and applied loads against the change of momentum, over the sum
    /// of their magnitudes, a ratio.
    pub momentum: f64,
    /// Energy turned over at contacts [J]: the sum of the magnitudes of their work. Contacts at rest turn over none.
    pub turned_over: f64,
}

/// Part of the energy turned over at its contacts that a group of bodies may gain in a step without a report. The
/// velocities of bodies at rest are known to a hundredth of the fall unless better is asked for, and the energy turned
/// over includes the fall: a hundredth of it is explained by the coarsest accuracy.
pub(crate) const CREATED: f64 = 1e-2;

/// Energy that contacts gave, summed over each group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ContactWork {
    /// Energy created in the groups that gained more than [`CREATED`] of their impulses times the velocities at their
    /// contacts, at least the fall [J].
    pub created: f64,
    /// The largest gain of a group over what its contacts turned over, a ratio.
    pub worst: f64,
}

/// How bodies and the lattice of a cell would have moved without contacts.
pub(crate) struct Flight<'f, D: Dim> {
    /// Twists of all bodies.
    pub twist: &'f [Twist<D>],
    /// Rates of strain of grains that deform; empty if all are rigid.
    pub strain_rates: Vec<SymmetricTensor<D>>,
    /// Motion of a lattice that follows a stress.
    pub lattice: Option<CellMotion<D>>,
    /// Velocity that external forces give to all bodies together [m/s].
    pub fall: f64,
    /// The terms of the laws of the contacts.
    pub terms: Vec<ContactTerms<D>>,
}

/// Adds the work of the contacts, r . (u- + u+) / 2, and the work that drives the walls to the energy balance of the
/// world, whose bodies already have their new velocities.
pub(crate) fn record<D: Dim>(world: &mut World<D>, dt: f64) -> Balance {
    let (before, after) = (&world.scratch.before, &world.bodies.twist);
    let is_movable = |body: u32| world.bodies.inertia[body as usize].is_movable();
    let (contacts, memory) = (&world.network.contacts, &world.network.memory);
    let is_idle = |memory: &ContactMemory<D>| memory.impulse == D::Vec::ZERO && memory.torque == D::Spin::ZERO;
    let works = threads::table(contacts.len(), |k| {
        let (contact, memory) = (&contacts[k], &memory[k]);
        if is_idle(memory) {
            return 0.0;
        }
        let (a, b) = (contact.key.a, contact.key.b);
        let mean = (world.velocity_before(contact) + contact.velocity(after)) * 0.5;
        let turning = |twist: &[Twist<D>]| twist[b as usize].w - twist[a as usize].w;
        memory.impulse.dot(mean) + memory.torque.dot((turning(before) + turning(after)) * 0.5)
    });
    let (lost, turned_over) =
        works.iter().fold((0.0, 0.0), |(lost, turned_over), work| (lost - work, turned_over + work.abs()));
    let (mut put_in, mut reactions) = (0.0, Sum::<D>::default());
    for k in (0..where_work_may_enter(world)).filter(|k| !is_idle(&memory[*k])) {
        let (contact, memory) = (&contacts[k], &memory[k]);
        let (a, b) = (contact.key.a, contact.key.b);
        // images move, and b is pushed in its own place; what follows a stress is pushed, too
        let mut free = match (world.share(contact), &world.cell) {
            (Some(share), Some(cell)) => share.velocity(&cell.motion()),
            _ => D::Vec::ZERO,
        };
        if world.bodies.strains.is_some() {
            free += world.present_strain_velocity(contact);
        }
        put_in -= memory.impulse.dot(contact.image_velocity - free);
        if !is_movable(a) {
            let wall = &after[a as usize];
            put_in += memory.impulse.dot(wall.v + D::swing(wall.w, contact.arm_a)) + memory.torque.dot(wall.w);
        }
        let is_piston = (a as usize) < world.setup.walls.len() && is_movable(a);
        if let Some(axis) = is_piston.then(|| world.wall_axis(a as usize)).flatten() {
            // one that slides is held to its speed
            put_in += memory.impulse.dot(after[a as usize].v.tangent_to(axis));
        }
        if (a as usize) < world.setup.walls.len() || !is_movable(a) {
            reactions.add(memory.impulse);
        } else if !is_movable(b) {
            reactions.add(-memory.impulse);
        }
    }
    put_in += piston_work(world, dt) + world.press_work(dt) + world.load_work(dt);
    let momentum = reactions.balance(world, dt);
    world.ledger.dissipated += lost;
    world.ledger.wall_work += put_in;
    Balance { momentum, turned_over }
}

/// Number of contacts, in their order, at which work may be put in or momentum taken out: those of walls, which come
/// first, unless other bodies are held in place or images and surfaces move.
fn where_work_may_enter<D: Dim>(world: &World<D>) -> usize {
    let (contacts, walls) = (&world.network.contacts, world.setup.walls.len());
    let moves = world.cell.is_some() || world.bodies.strains.is_some() || world.setup.growth != 0.0;
    match !moves && threads::all(world.grains(), |grain| world.bodies.inertia[grain].is_movable()) {
        true => contacts.partition_point(|contact| (contact.key.a as usize) < walls),
        false => contacts.len(),
    }
}

/// Work of the contacts of one group: against the free flight, at the velocities that their laws impose, and its
/// magnitude.
#[derive(Clone, Copy, Default)]
struct GroupWork {
    against_flight: f64,
    against_laws: f64,
    turned_over: f64,
    /// Part explained by the rounding of velocities.
    rounding: f64,
}

impl GroupWork {
    fn add(&mut self, contact: &GroupWork) {
        self.against_flight += contact.against_flight;
        self.against_laws += contact.against_laws;
        self.turned_over += contact.turned_over;
        self.rounding += contact.rounding;
    }

    fn created(&self) -> f64 {
        (self.against_flight.max(self.against_laws) - self.rounding).max(0.0)
    }
}

/// The energy that contacts gave in a step, given the new velocities of the bodies and the impulses of the contacts.
pub(crate) fn contact_work<D: Dim>(world: &World<D>, flight: &Flight<D>) -> ContactWork {
    let bodies = &world.bodies;
    let is_movable = |body: u32| bodies.inertia[body as usize].is_movable();
    let pairs = world.network.contacts.iter().map(|contact| [contact.key.a, contact.key.b]);
    let mut groups = ContactGroups::of(bodies.len(), pairs.filter(|pair| pair.iter().all(|body| is_movable(*body))));
    let Network { contacts, memory, .. } = &world.network;
    let work_at = |k: usize| {
        let (contact, memory, term) = (&contacts[k], &memory[k], &flight.terms[k]);
        if memory.impulse == D::Vec::ZERO && memory.torque == D::Spin::ZERO {
            return GroupWork::default();
        }
        let (a, b) = (contact.key.a, contact.key.b);
        let turning = |twist: &[Twist<D>]| twist[b as usize].w - twist[a as usize].w;
        let parts = [
            memory.impulse.dot(flight.velocity(world, contact)),
            memory.impulse.dot(contact.velocity(&bodies.twist)),
            memory.torque.dot(turning(flight.twist)),
            memory.torque.dot(turning(&bodies.twist)),
        ];
        let impulse = memory.impulse.norm();
        let speed = |body: u32| flight.twist[body as usize].v.norm() + bodies.twist[body as usize].v.norm();
        GroupWork {
            against_flight: 0.5 * parts.iter().sum::<f64>(),
            against_laws: parts[1] + parts[3] + memory.impulse.dot(term.bias),
            turned_over: 0.5 * parts.iter().map(|part| part.abs()).sum::<f64>() + impulse * flight.fall,
            rounding: ROUNDING * impulse * (speed(a) + speed(b)),
        }
    };
    let mut works = vec![GroupWork::default(); bodies.len()];
    let solved = contacts.len().min(flight.terms.len());
    for (contact, work) in contacts.iter().zip(threads::table(solved, work_at)) {
        let (a, b) = (contact.key.a, contact.key.b);
        // a lattice that follows a stress joins all
        let group = if flight.lattice.is_some() { 0 } else { groups.root(if is_movable(b) { b } else { a }) };
        works[group as usize].add(&work);
    }
    let mut sum = ContactWork::default();
    for work in works.iter().filter(|work| work.created() > 0.0) {
        sum.worst = sum.worst.max(work.created() / work.turned_over);
        if work.created() > CREATED * work.turned_over {
            sum.created += work.created();
        }
    }
    sum
}

impl<D: Dim> Flight<'_, D> {
    /// Velocity of b relative to a at a contact.
    fn velocity(&self, world: &World<D>, contact: &Contact<D>) -> D::Vec {
        let mut velocity = contact.velocity(self.twist);
        if world.bodies.strains.is_some() {
            velocity =
                velocity - world.present_strain_velocity(contact) + world.strain_velocity(contact, &self.strain_rates);
        }
        match (world.share(contact), &world.cell, &self.lattice) {
            (Some(share), Some(cell), Some(lattice)) => velocity - share.velocity(&cell.motion().plus(lattice, -1.0)),
            _ => velocity,
        }
    }
}

/// Work of the forces that drive pistons.
fn piston_work<D: Dim>(world: &World<D>, dt: f64) -> f64 {
    let now = world.clock.time;
    let work = |wall: usize| {
        let force = world.piston_force(wall, now, now + dt)?;
        let mean = (world.scratch.before[wall].v + world.bodies.twist[wall].v) * 0.5;
        Some(force * mean.dot(world.wall_axis(wall)?) * dt)
    };
    (0..world.setup.walls.len()).filter_map(work).sum()
}

/// A sum of impulses on the grains, and of their magnitudes.
#[derive(Clone, Copy, Debug, Default)]
struct Sum<D: Dim> {
    total: D::Vec,
    size: f64,
}

impl<D: Dim> Sum<D> {
    fn add(&mut self, impulse: D::Vec) {
        self.add_sized(impulse, impulse.norm());
    }

    fn add_sized(&mut self, impulse: D::Vec, size: f64) {
        self.total += impulse;
        self.size += size;
    }

    /// What remains of reactions and weights after subtracting the change of momentum, over the sum of all magnitudes.
    fn balance(mut self, world: &World<D>, dt: f64) -> f64 {
        let (bodies, first) = (&world.bodies, world.grains().start);
        let changes = threads::table(world.grains().len(), |grain| {
            let inertia = &bodies.inertia[first + grain];
            if !inertia.is_movable() {
                return [(D::Vec::ZERO, 0.0); 2];
            }
            let mass = inertia.mass();
            let lost = (world.scratch.before[first + grain].v - bodies.twist[first + grain].v) * mass;
            [world.pull(first + grain) * (mass * dt), lost].map(|impulse| (impulse, impulse.norm()))
        });
        changes.into_iter().flatten().for_each(|(impulse, size)| self.add_sized(impulse, size));
        if self.size == 0.0 { 0.0 } else { self.total.norm() / self.size }
    }
}
