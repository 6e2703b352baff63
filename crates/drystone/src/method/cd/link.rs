//! A link: all that a sweep needs of a contact, in one stream.

use super::line::Line;
use super::order::by_colour;
use crate::dim::{Dim, Vector};
use crate::law::RoundContact;
use crate::world::World;

/// A contact between round bodies with its impulse: 128 bytes in 3D. The arms are `lever[0]` n and -`lever[1]` n.
#[derive(Clone, Copy, Debug)]
pub struct Link<D: Dim> {
    /// Index of body a.
    pub a: u32,
    /// Index of body b.
    pub b: u32,
    /// The local problem.
    pub contact: RoundContact<D>,
    /// Distances of the contact from the centres [m].
    pub lever: [f64; 2],
    /// Impulse on b [N s].
    pub impulse: D::Vec,
    /// Impulse before the last sweep, for the accelerator.
    pub previous: D::Vec,
}

impl<D: Dim> Link<D> {
    /// Velocity of b relative to a at the contact: v_b - v_a - (l_a w_a + l_b w_b) x n.
    #[inline]
    pub fn velocity(&self, lines: &[Line<D>]) -> D::Vec {
        let (a, b) = (&lines[self.a as usize], &lines[self.b as usize]);
        b.v - a.v - D::swing(a.w * self.lever[0] + b.w * self.lever[1], self.contact.normal)
    }

    /// Applies an impulse to b and its negative to a: V += M^-1 H r. Immovable bodies are not written to.
    #[inline]
    pub fn push(&self, impulse: D::Vec, lines: &mut [Line<D>]) {
        let spin = D::torque(self.contact.normal, impulse);
        let a = &mut lines[self.a as usize];
        if a.inv_m > 0.0 {
            a.v -= impulse * a.inv_m;
            a.w -= spin * (self.lever[0] * a.inv_i);
        }
        let b = &mut lines[self.b as usize];
        if b.inv_m > 0.0 {
            b.v += impulse * b.inv_m;
            b.w -= spin * (self.lever[1] * b.inv_i);
        }
    }
}

/// Makes the links of all contacts of the world in the order of the sweep, with the impulses that the network
/// remembers, and notes which contact each of them is.
pub fn build<D: Dim>(world: &World<D>, dt: f64, links: &mut Vec<Link<D>>, order: &mut Vec<u32>) {
    let (bodies, network) = (&world.bodies, &world.network);
    let pairs: Vec<(u32, u32)> = network.contacts.iter().map(|contact| (contact.key.a, contact.key.b)).collect();
    *order = by_colour(&pairs, |body| bodies.inertia[body as usize].is_movable(), bodies.len());
    links.clear();
    links.extend(order.iter().map(|&index| {
        let (contact, memory) = (&network.contacts[index as usize], &network.memory[index as usize]);
        let pair = [contact.key.a as usize, contact.key.b as usize];
        let [a, b] = pair.map(|k| bodies.inertia[k]);
        let lever = [contact.arm_a.dot(contact.normal), -contact.arm_b.dot(contact.normal)];
        let inv_mass_n = a.inv_m + b.inv_m;
        let inv_mass_t = inv_mass_n + lever[0] * lever[0] * a.round_inv_i() + lever[1] * lever[1] * b.round_inv_i();
        Link {
            a: contact.key.a,
            b: contact.key.b,
            contact: RoundContact {
                normal: contact.normal,
                bias: contact.gap.max(0.0) / dt,
                mass_n: 1.0 / inv_mass_n,
                mass_t: 1.0 / inv_mass_t,
                friction: world
                    .laws
                    .between(bodies.material[pair[0]], bodies.material[pair[1]])
                    .friction
                    .coefficient(memory.regime, 0.0),
            },
            lever,
            impulse: memory.impulse,
            previous: memory.impulse,
        }
    }));
}
