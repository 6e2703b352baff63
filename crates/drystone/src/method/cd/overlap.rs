//! Growth of overlaps in a step.

use crate::contact::Contact;
use crate::dim::{Dim, Vector};
use crate::world::World;

/// Largest growth of an overlap in the step over the smaller radius, a ratio, with the present velocities of the
/// bodies.
pub(crate) fn largest_growth<D: Dim>(world: &World<D>, dt: f64) -> f64 {
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
/// Restitution may throw closed bodies that separate back with up to e_n u-: this is no error.
pub(crate) fn growth<D: Dim>(world: &World<D>, contact: &Contact<D>, u: D::Vec, dt: f64) -> f64 {
    let mut closing = closing(contact, u, dt);
    if closing <= 0.0 {
        return 0.0;
    }
    if contact.gap <= 0.0 {
        let [a, b] = [contact.key.a, contact.key.b].map(|body| world.bodies.material[body as usize]);
        let parting = world.velocity_before(contact).dot(contact.normal).max(0.0);
        closing -= world.setup.laws.between(a, b).restitution.normal(parting) * parting * dt;
    }
    closing / world.smaller_radius(contact)
}
