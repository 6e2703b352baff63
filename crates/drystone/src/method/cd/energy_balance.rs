//! Energy and momentum balance of a step: the work of contacts, walls and drives.
//!
//! Contacts take energy out of the free flight: K_free - K = - sum r . (u_free + u) / 2, where every term is the work
//! of one contact against it, walls and images moving as they do. And no law does work at the velocities that it leads
//! to: r . (u + b) <= 0, with the velocity b that the law adds for gaps and bounces. If one of the sums is positive,
//! energy came from nothing: the step is not solved, or bounces with friction met in a way in which Newton's law of
//! restitution creates energy.

use crate::body::Twist;
use crate::cell::CellMotion;
use crate::contact::Contact;
use crate::dim::{Dim, Vector};
use crate::method::ContactTerms;
use crate::world::World;

/// Energy and momentum balance of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// All wall reactions and applied loads against the change of momentum, over the sum of their sizes, a ratio.
    pub momentum: f64,
    /// Energy that contacts gave, and that came from nothing [J].
    pub created: f64,
    /// Energy that they turned over [J]: impulses times the velocities that they met, the fall at least.
    pub turned_over: f64,
}

/// How bodies and the lattice of a cell would have moved without contacts.
pub struct Flight<'f, D: Dim> {
    /// Twists of all bodies.
    pub twist: &'f [Twist<D>],
    /// Motion of a lattice that follows a stress.
    pub lattice: Option<CellMotion<D>>,
    /// Velocity that external forces give to all bodies together [m/s].
    pub fall: f64,
    /// What the laws of the contacts were made of.
    pub terms: Vec<ContactTerms<D>>,
}

/// Enters the work of the contacts, r . (u- + u+) / 2, and of what moves the walls into the ledger of the world, whose
/// bodies move with their new velocities.
pub fn record<D: Dim>(world: &mut World<D>, dt: f64, flight: &Flight<D>) -> Balance {
    let (before, after) = (&world.scratch.before, &world.bodies.twist);
    let is_movable = |body: u32| world.bodies.inertia[body as usize].is_movable();
    let (mut lost, mut put_in) = (0.0, 0.0);
    let (mut against_flight, mut against_laws, mut turned_over) = (0.0, 0.0, 0.0);
    let mut reactions = Sum::<D>::default();
    for (index, (contact, memory)) in world.network.contacts.iter().zip(&world.network.memory).enumerate() {
        if memory.impulse == D::Vec::ZERO && memory.torque == D::Spin::ZERO {
            continue;
        }
        let u = contact.velocity(after);
        let (a, b) = (contact.key.a, contact.key.b);
        let mean = (world.velocity_before(contact) + u) * 0.5;
        let turning = |twist: &[Twist<D>]| twist[b as usize].w - twist[a as usize].w;
        lost -= memory.impulse.dot(mean) + memory.torque.dot((turning(before) + turning(after)) * 0.5);
        let u_free = flight.velocity(world, contact);
        let work = [
            memory.impulse.dot(u_free),
            memory.impulse.dot(u),
            memory.torque.dot(turning(flight.twist)),
            memory.torque.dot(turning(after)),
        ];
        against_flight += 0.5 * work.iter().sum::<f64>();
        against_laws += work[1] + work[3] + memory.impulse.dot(flight.terms[index].bias);
        turned_over += 0.5 * work.iter().map(|part| part.abs()).sum::<f64>() + memory.impulse.norm() * flight.fall;
        // images move, and b is pushed in its own place; what follows a stress is pushed, too
        let free = match (world.share(contact), &world.cell) {
            (Some(share), Some(cell)) => share.velocity(&cell.motion()),
            _ => D::Vec::ZERO,
        };
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
    put_in += piston_work(world, dt) + world.press_work(dt) + world.membrane_work(dt);
    let momentum = reactions.balance(world, dt);
    world.ledger.dissipated += lost;
    world.ledger.wall_work += put_in;
    Balance { momentum, created: against_flight.max(against_laws).max(0.0), turned_over }
}

impl<D: Dim> Flight<'_, D> {
    /// Velocity of b relative to a at a contact.
    fn velocity(&self, world: &World<D>, contact: &Contact<D>) -> D::Vec {
        let velocity = contact.velocity(self.twist);
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

/// A sum of impulses on the grains, and of their sizes.
#[derive(Clone, Copy, Debug, Default)]
struct Sum<D: Dim> {
    total: D::Vec,
    size: f64,
}

impl<D: Dim> Sum<D> {
    fn add(&mut self, impulse: D::Vec) {
        self.total += impulse;
        self.size += impulse.norm();
    }

    /// What is left of reactions and weights once the change of momentum is taken off, over the sum of all sizes.
    fn balance(mut self, world: &World<D>, dt: f64) -> f64 {
        let bodies = &world.bodies;
        for k in world.grains().filter(|k| bodies.inertia[*k].is_movable()) {
            let mass = bodies.inertia[k].mass();
            self.add(world.pull(k) * (mass * dt));
            self.add((world.scratch.before[k].v - bodies.twist[k].v) * mass);
        }
        if self.size == 0.0 { 0.0 } else { self.total.norm() / self.size }
    }
}
