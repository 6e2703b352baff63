//! A link: all that a sweep needs of a contact, in one stream.

use crate::body::Twist;
use crate::dim::{Dim, Vector};
use crate::law::RoundContact;
use crate::method::cd::order::by_colour;
use crate::world::World;

/// A contact between round bodies with its impulse. The arms are `lever[0]` n and -`lever[1]` n.
#[derive(Clone, Copy, Debug)]
pub struct Link<D: Dim> {
    /// Index of body a.
    pub a: u32,
    /// Index of body b.
    pub b: u32,
    /// Index of the contact in the network.
    pub index: u32,
    /// The local problem.
    pub contact: RoundContact<D>,
    /// One over the masses of a and b [1/kg].
    pub inv_m: [f64; 2],
    /// Distances of the contact from the centres [m].
    pub lever: [f64; 2],
    /// Lever over moment of inertia [1/(kg m)].
    pub turn: [f64; 2],
    /// Impulse on b [N s].
    pub impulse: D::Vec,
    /// Impulse before the last sweep, for the accelerator.
    pub previous: D::Vec,
}

impl<D: Dim> Link<D> {
    /// Velocity of b relative to a at the contact: v_b - v_a - (l_a w_a + l_b w_b) x n.
    #[inline]
    pub fn velocity(&self, twist: &[Twist<D>]) -> D::Vec {
        let (a, b) = (&twist[self.a as usize], &twist[self.b as usize]);
        b.v - a.v - D::swing(a.w * self.lever[0] + b.w * self.lever[1], self.contact.normal)
    }

    /// Applies an impulse to b and its negative to a: V += M^-1 H r. Immovable bodies are not written to.
    #[inline]
    pub fn push(&self, impulse: D::Vec, twist: &mut [Twist<D>]) {
        let spin = D::torque(self.contact.normal, impulse);
        if self.inv_m[0] > 0.0 {
            let a = &mut twist[self.a as usize];
            a.v -= impulse * self.inv_m[0];
            a.w -= spin * self.turn[0];
        }
        if self.inv_m[1] > 0.0 {
            let b = &mut twist[self.b as usize];
            b.v += impulse * self.inv_m[1];
            b.w -= spin * self.turn[1];
        }
    }
}

/// Makes the links of all contacts of the world in the order of the sweep, with the impulses that the network remembers.
pub fn build<D: Dim>(links: &mut Vec<Link<D>>, world: &World<D>, dt: f64) {
    let bodies = &world.bodies;
    let network = &world.network;
    let pairs: Vec<(u32, u32)> = network.contacts.iter().map(|contact| (contact.key.a, contact.key.b)).collect();
    let order = by_colour(&pairs, |body| bodies.inertia[body as usize].is_movable(), bodies.len());
    links.clear();
    links.extend(order.into_iter().map(|index| {
        let (contact, memory) = (&network.contacts[index as usize], &network.memory[index as usize]);
        let pair = [contact.key.a as usize, contact.key.b as usize];
        let inertia = pair.map(|k| bodies.inertia[k]);
        let lever = [contact.arm_a.dot(contact.normal), -contact.arm_b.dot(contact.normal)];
        let turn = [lever[0] * inertia[0].round_inv_i(), lever[1] * inertia[1].round_inv_i()];
        let inv_mass_n = inertia[0].inv_m + inertia[1].inv_m;
        let inv_mass_t = inv_mass_n + lever[0] * turn[0] + lever[1] * turn[1];
        Link {
            a: contact.key.a,
            b: contact.key.b,
            index,
            contact: RoundContact {
                normal: contact.normal,
                bias: contact.gap.max(0.0) / dt,
                mass_n: 1.0 / inv_mass_n,
                mass_t: 1.0 / inv_mass_t,
                friction: world.laws.between(bodies.material[pair[0]], bodies.material[pair[1]]).friction,
            },
            inv_m: inertia.map(|inertia| inertia.inv_m),
            lever,
            turn,
            impulse: memory.impulse,
            previous: memory.impulse,
        }
    }));
}
