//! A collision of hard grains: one impulse, by the laws of rigid contacts.
//!
//! The relative velocity u of the surfaces at the contact changes by W r. Along the normal u+ = - e_n u; across it
//! u+ = - e_t u as long as Coulomb's law bears it, |r_t| <= mu r_n, and less if not. So the impulse is the one that
//! brings a contact with the velocity (1 + e) u to rest. [Brendel eq. 1.30 and section 1.7]

use crate::contact::Regime;
use crate::dim::{Dim, Vector};
use crate::law::{Pair, rigid::signorini_coulomb::RoundContact};

/// A grain or a wall at a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collider<D: Dim> {
    /// Inverse mass [1/kg]; zero for what cannot be moved.
    pub inv_m: f64,
    /// Inverse moment of inertia [1/(kg m2)].
    pub inv_i: f64,
    /// Velocity of its centre [m/s].
    pub v: D::Vec,
    /// Angular velocity [rad/s].
    pub w: D::Spin,
    /// Radius [m]; zero for a wall.
    pub radius: f64,
}

/// What a collision does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact<D: Dim> {
    /// Impulse on b [N s].
    pub impulse: D::Vec,
    /// Kinetic energy that is lost [J].
    pub lost: f64,
    /// Whether spins change.
    pub spins: bool,
}

/// Two that collide, with the normal from a to b.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encounter<D: Dim> {
    /// The first.
    pub a: Collider<D>,
    /// The second.
    pub b: Collider<D>,
    /// Unit vector from a to b.
    pub normal: D::Vec,
}

impl<D: Dim> Collider<D> {
    /// Changes its motion by an impulse at the end of an arm.
    pub(super) fn push(&mut self, impulse: D::Vec, arm: D::Vec) {
        self.v += impulse * self.inv_m;
        self.w += D::torque(arm, impulse) * self.inv_i;
    }
}

impl<D: Dim> Encounter<D> {
    /// From the centres to the contact [m].
    fn arms(&self) -> [D::Vec; 2] {
        [self.normal * self.a.radius, self.normal * -self.b.radius]
    }

    /// Velocity of the surface of b relative to that of a [m/s].
    fn velocity(&self) -> D::Vec {
        let ([of_a, of_b], Encounter { a, b, .. }) = (self.arms(), self);
        b.v + D::swing(b.w, of_b) - a.v - D::swing(a.w, of_a)
    }

    /// Speed at which the surfaces approach [m/s].
    pub(super) fn approach(&self) -> f64 {
        (self.a.v - self.b.v).dot(self.normal)
    }

    /// The collision by a law, or without one: elastic and smooth.
    pub(super) fn collide(&mut self, law: Option<&Pair>) -> Impact<D> {
        let (u, normal) = (self.velocity(), self.normal);
        let u_n = normal * u.dot(normal);
        let Encounter { a, b, .. } = *self;
        let (e_n, e_t, friction) = match law {
            Some(law) => (
                law.restitution.normal(self.approach()),
                law.restitution.tangential(),
                // a new contact does not slide yet
                law.friction.coefficient(Regime::Open, 0.0),
            ),
            None => (1.0, 0.0, 0.0),
        };
        let inv_n = a.inv_m + b.inv_m;
        let inv_t = inv_n + a.radius * a.radius * a.inv_i + b.radius * b.radius * b.inv_i;
        let contact = RoundContact::<D> { normal, bias: 0.0, mass_n: 1.0 / inv_n, mass_t: 1.0 / inv_t, friction };
        let impulse = contact.impulse(D::Vec::ZERO, u_n * (1.0 + e_n) + (u - u_n) * (1.0 + e_t));
        let spins = friction != 0.0 && inv_t != inv_n;
        let [of_a, of_b] = self.arms();
        self.a.push(-impulse, of_a);
        self.b.push(impulse, of_b);
        if !spins {
            (self.a.w, self.b.w) = (a.w, b.w);
        }
        Impact { impulse, lost: -0.5 * impulse.dot(u + self.velocity()), spins }
    }
}
