//! Growth of overlaps in a step.

use crate::contact::Contact;
use crate::dim::{Dim, Vector};
use crate::threads;
use crate::world::World;

/// Largest growth of an overlap in the step over the smaller radius, a ratio, with the present velocities of the
/// bodies.
pub(crate) fn largest_growth<D: Dim>(world: &World<D>, dt: f64) -> f64 {
    let twist = &world.bodies.twist;
    let contacts = &world.network.contacts;
    threads::largest(0..contacts.len(), 0.0, |k| growth(world, &contacts[k], contacts[k].velocity(twist), dt))
}

/// How much deeper a contact that moves with u overlaps after the step [m]; negative if it does not.
#[inline]
pub(super) fn closing<D: Dim>(contact: &Contact<D>, u: D::Vec, dt: f64) -> f64 {
    -(contact.gap.max(0.0) + u.dot(contact.normal) * dt)
}

/// How much deeper a contact that moves with u overlaps after the step, over the smaller radius; zero if it does not.
///
/// Restitution may throw closed bodies that separate back with up to e_n u-: this is no error.
#[inline]
pub(crate) fn growth<D: Dim>(world: &World<D>, contact: &Contact<D>, u: D::Vec, dt: f64) -> f64 {
    let mut closing = closing(contact, u, dt);
    if closing <= 0.0 {
        return 0.0;
    }
    if contact.gap <= 0.0 {
        let [a, b] = [contact.key.a, contact.key.b].map(|body| world.bodies.material[body as usize]);
        let restitution = &world.setup.laws.between(a, b).restitution;
        if !restitution.is_none() {
            let parting = world.velocity_before(contact).dot(contact.normal).max(0.0);
            closing -= restitution.normal(parting) * parting * dt;
        }
    }
    closing / world.smaller_radius(contact)
}
