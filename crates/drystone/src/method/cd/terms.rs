//! From the laws of a pair to the local problem of one contact in one step.

use super::single::{Arm, Load, Single, Turning};
use super::{Scheme, line::Line};
use crate::contact::{Contact, Memory};
use crate::dim::{Dim, Vector};
use crate::law::bond::Bond;
use crate::law::{Lever, Pair, RoundContact, Touch};
use crate::world::World;

/// What the local problems of a step are made from.
pub struct Terms<'w, D: Dim> {
    /// Bodies, contacts, laws, and the motion at the start of the step.
    pub world: &'w World<D>,
    /// Length of the step [s].
    pub dt: f64,
    /// How gaps enter.
    pub scheme: Scheme,
}

/// A gap that the rounding of the positions explains is closed: so many units in the last place of the distance.
pub const CLOSED: f64 = 16.0 * f64::EPSILON;

impl<D: Dim> Terms<'_, D> {
    /// The local problem of a contact of the network, between the lines `bodies`.
    pub fn of(&self, index: usize, bodies: [u32; 2]) -> Single<D> {
        let network = &self.world.network;
        let (contact, memory) = (&network.contacts[index], &network.memory[index]);
        let pair = self.pair(contact);
        let u = contact.velocity(&self.world.before);
        let u_n = u.dot(contact.normal);
        let slip = u - contact.normal * u_n;
        let lever = [contact.arm_a.dot(contact.normal), -contact.arm_b.dot(contact.normal)];
        let inertia = [contact.key.a, contact.key.b].map(|body| &self.world.bodies.inertia[body as usize]);
        let inv_m = inertia.map(|inertia| inertia.inv_m);
        // a piston has a mass but no moment of inertia: its guide takes what acts across
        let inv_i = inertia.map(|inertia| inertia.round_inv_i());
        let inv_m_t = std::array::from_fn(|k| if inv_i[k] > 0.0 { inv_m[k] } else { 0.0 });
        let turn = lever[0] * lever[0] * inv_i[0] + lever[1] * lever[1] * inv_i[1];
        let w_t = inv_m_t[0] + inv_m_t[1] + turn;
        let mass_n = 1.0 / (inv_m[0] + inv_m[1]);
        let is_closed = self.is_closed(contact);
        // also where bodies part: only one rule for all closed contacts keeps energy from growing [Radjai eq. 7]
        let bounce = if is_closed { pair.restitution.normal(u_n.abs()) * u_n } else { 0.0 };
        let rebound = if is_closed { pair.restitution.tangential() } else { 0.0 };
        let load = Load { impulse: memory.impulse, torque: memory.torque };
        Single {
            bodies,
            index: index as u32,
            contact: RoundContact {
                normal: contact.normal,
                bias: bounce + self.gap_bias(contact),
                mass_n,
                // a piston on a grain that is held in place does not slide: there any mass gives no friction
                mass_t: if w_t > 0.0 { 1.0 / w_t } else { mass_n },
                friction: pair.friction.coefficient(memory.regime, slip.norm()),
            },
            lever,
            inv_m_t,
            slip_bias: slip * rebound,
            bond: self.bond(memory, pair, u_n, is_closed),
            turning: self.turning(contact, pair, lever, inv_i),
            load,
            previous: load,
        }
    }

    fn pair(&self, contact: &Contact<D>) -> &Pair {
        let material = |body: u32| self.world.bodies.material[body as usize];
        self.world.laws.between(material(contact.key.a), material(contact.key.b))
    }

    /// g_pos / dt for incipient contacts; the midpoint scheme knows closed contacts only.
    fn gap_bias(&self, contact: &Contact<D>) -> f64 {
        match self.scheme {
            Scheme::Euler if !self.is_closed(contact) => contact.gap.max(0.0) / self.dt,
            _ => 0.0,
        }
    }

    /// Whether the bodies touch, up to the rounding of their positions.
    fn is_closed(&self, contact: &Contact<D>) -> bool {
        let pose = &self.world.bodies.pose;
        let size = |body: u32| pose[body as usize].x.norm();
        let distance = size(contact.key.a) + size(contact.key.b) + contact.arm_a.norm() + contact.arm_b.norm();
        contact.gap <= CLOSED * distance
    }

    /// The bond of surfaces that were pressed together and have not come apart since, or that touch and do not part.
    ///
    /// A bond that broke while the bodies still overlap is not made anew until they are pressed again.
    fn bond(&self, memory: &Memory<D>, pair: &Pair, u_n: f64, is_closed: bool) -> Option<Bond> {
        let cohesion = pair.cohesion.as_ref()?;
        let opening = memory.bond.or((is_closed && u_n <= 0.0).then_some(0.0))?;
        let range = (cohesion.range() > 0.0).then(|| cohesion.range());
        Some(Bond { pull: cohesion.force() * self.dt, opening, range, before: u_n, dt: self.dt })
    }

    fn turning(&self, contact: &Contact<D>, pair: &Pair, lever: [f64; 2], inv_i: [f64; 2]) -> Option<Turning> {
        let can_turn = inv_i[0] + inv_i[1] > 0.0;
        if !can_turn || (pair.rolling.is_none() && pair.torsion.is_none()) {
            return None;
        }
        let radius = [contact.key.a, contact.key.b].map(|body| self.world.bodies.shape[body as usize].radius());
        let curvature = |r: f64| if r > 0.0 { 1.0 / r } else { 0.0 }; // walls are flat
        let touch = Touch {
            reduced_radius: 1.0 / (curvature(radius[0]) + curvature(radius[1])),
            normal_force: 0.0,
            depth: (D::DIMENSION == 2).then_some(self.world.depth),
        };
        let arm = |lever: &Option<Lever>| match lever {
            None => Arm::Fixed(0.0),
            Some(lever) if lever.depends_on_force() => Arm::ByForce(lever.clone(), touch),
            Some(lever) => Arm::Fixed(lever.length(&touch)),
        };
        Some(Turning {
            rolling: arm(&pair.rolling),
            torsion: arm(&pair.torsion),
            inv_i: inv_i[0] + inv_i[1],
            coupling: lever[0] * inv_i[0] - lever[1] * inv_i[1],
            dt: self.dt,
        })
    }
}

impl<D: Dim> Single<D> {
    /// Whether four of its kind can be solved at once, as a [`super::group::Group`]: round bodies with friction.
    pub fn is_plain(&self, lines: &[Line<D>]) -> bool {
        let free = |k: usize| self.inv_m_t[k] == lines[self.bodies[k] as usize].inv_m();
        self.bond.is_none() && self.turning.is_none() && self.slip_bias == D::Vec::ZERO && free(0) && free(1)
    }
}
