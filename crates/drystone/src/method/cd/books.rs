//! The books of a step: energy that went through contacts, growth of overlaps, balance of forces.

use crate::body::Twist;
use crate::contact::Contact;
use crate::dim::{Dim, Vector};
use crate::world::World;

/// Enters the work of the contacts, r . (u- + u+) / 2, and of what moves the walls into the ledger of the world, whose
/// bodies move with their new velocities. Returns the balance: all wall reactions and applied loads against the change of
/// momentum, over the sum of their sizes, a ratio.
pub fn keep<D: Dim>(world: &mut World<D>, dt: f64) -> f64 {
    let (before, after) = (&world.before, &world.bodies.twist);
    let is_movable = |body: u32| world.bodies.inertia[body as usize].is_movable();
    let (mut lost, mut put_in) = (0.0, 0.0);
    let mut reactions = Sum::<D>::default();
    for (contact, memory) in world.network.contacts.iter().zip(&world.network.memory) {
        if memory.impulse == D::Vec::ZERO && memory.torque == D::Spin::ZERO {
            continue;
        }
        let u = contact.velocity(after);
        let (a, b) = (contact.key.a, contact.key.b);
        let mean = (world.velocity_before(contact) + u) * 0.5;
        let turning = |twist: &[Twist<D>]| twist[b as usize].w - twist[a as usize].w;
        lost -= memory.impulse.dot(mean) + memory.torque.dot((turning(before) + turning(after)) * 0.5);
        // images move, and b is pushed in its own place; what follows a stress is pushed, too
        let free = match (world.share(contact), &world.cell) {
            (Some(share), Some(cell)) => share.velocity(&cell.motion()),
            _ => D::Vec::ZERO,
        };
        put_in -= memory.impulse.dot(contact.jump - free);
        if !is_movable(a) {
            let wall = &after[a as usize];
            put_in += memory.impulse.dot(wall.v + D::swing(wall.w, contact.arm_a)) + memory.torque.dot(wall.w);
        }
        let is_piston = (a as usize) < world.walls.len() && is_movable(a);
        if let Some(axis) = is_piston.then(|| world.wall_axis(a as usize)).flatten() {
            // one that slides is held to its speed
            put_in += memory.impulse.dot(after[a as usize].v.tangent_to(axis));
        }
        if (a as usize) < world.walls.len() || !is_movable(a) {
            reactions.add(memory.impulse);
        } else if !is_movable(b) {
            reactions.add(-memory.impulse);
        }
    }
    put_in += piston_work(world, dt) + world.press_work(dt) + world.membrane_work(dt);
    let balance = reactions.balance(world, dt);
    world.ledger.dissipated += lost;
    world.ledger.wall_work += put_in;
    balance
}

/// Largest growth of an overlap in the step over the smaller radius, a ratio, with the velocities that the bodies have now.
pub fn overlap_growth<D: Dim>(world: &World<D>, dt: f64) -> f64 {
    let twist = &world.bodies.twist;
    world.network.contacts.iter().fold(0.0, |worst, contact| {
        let u = contact.velocity(twist);
        // restitution makes it less: most contacts are known to be harmless without it
        match closing(contact, u, dt) / world.smaller_radius(contact) > worst {
            true => worst.max(growth(world, contact, u, dt)),
            false => worst,
        }
    })
}

/// How much deeper a contact that moves with u overlaps after the step [m]; negative if it does not.
pub(super) fn closing<D: Dim>(contact: &Contact<D>, u: D::Vec, dt: f64) -> f64 {
    -(contact.gap.max(0.0) + u.dot(contact.normal) * dt)
}

/// How much deeper a contact that moves with u overlaps after the step, over the smaller radius; zero if it does not.
///
/// Restitution lets closed bodies that part be thrown back with up to e_n u-: this is no error.
pub fn growth<D: Dim>(world: &World<D>, contact: &Contact<D>, u: D::Vec, dt: f64) -> f64 {
    let mut closing = closing(contact, u, dt);
    if closing <= 0.0 {
        return 0.0;
    }
    if contact.gap <= 0.0 {
        let [a, b] = [contact.key.a, contact.key.b].map(|body| world.bodies.material[body as usize]);
        let parting = world.velocity_before(contact).dot(contact.normal).max(0.0);
        closing -= world.laws.between(a, b).restitution.normal(parting) * parting * dt;
    }
    closing / world.smaller_radius(contact)
}

/// Work of the forces that drive pistons.
fn piston_work<D: Dim>(world: &World<D>, dt: f64) -> f64 {
    let now = world.clock.time;
    let work = |wall: usize| {
        let force = world.piston_force(wall, now, now + dt)?;
        let mean = (world.before[wall].v + world.bodies.twist[wall].v) * 0.5;
        Some(force * mean.dot(world.wall_axis(wall)?) * dt)
    };
    (0..world.walls.len()).filter_map(work).sum()
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
            self.add((world.before[k].v - bodies.twist[k].v) * mass);
        }
        if self.size == 0.0 { 0.0 } else { self.total.norm() / self.size }
    }
}
