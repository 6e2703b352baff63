//! A contact at one instant: its normal force, its slip, and its rows of G.

use crate::body::Bodies;
use crate::contact::Contact;
use crate::dim::{Dim, Vector};
use crate::law::soft::normal::Squeeze;
use crate::law::soft::tangential::Grip;
use crate::law::soft::{Couple, NormalLaw};
use crate::link::{ConstraintRow, RowPart};
use crate::world::World;

/// Normal law and friction of a pair of materials, with their coefficients computed.
#[derive(Clone, Debug)]
pub struct PairLaw {
    /// Normal law.
    pub normal: NormalLaw,
    /// Friction.
    pub grip: Grip,
}

impl PairLaw {
    /// The laws of a world, a table over materials. Pairs that cannot meet have none.
    pub fn table<D: Dim>(world: &World<D>) -> Vec<Option<PairLaw>> {
        let materials = world.setup.laws.materials();
        let of = |k: usize| {
            let (a, b) = ((k / materials) as u16, (k % materials) as u16);
            let pair = world.setup.laws.between(a, b);
            let preset = pair.md.as_ref().and_then(|soft| soft.preset);
            let friction = preset.map(|preset| crate::law::Friction::constant(preset.measured().friction.0));
            let grip = Grip::of(friction.as_ref().unwrap_or(&pair.friction));
            Some(PairLaw { normal: world.setup.laws.soft(a, b)?.normal, grip })
        };
        (0..materials * materials).map(of).collect()
    }
}

/// A contact at one instant.
#[derive(Clone, Copy, Debug)]
pub struct SoftContact<D: Dim> {
    /// Its geometry.
    pub contact: Contact<D>,
    /// Normal force on b [N]; negative only without the cut.
    pub press: f64,
    /// Elastic energy [J].
    pub stored: f64,
    /// Deepest overlap so far [m].
    pub deepest: f64,
    /// Velocity of b relative to a at the contact [m/s].
    pub velocity: D::Vec,
    /// Its tangential part [m/s].
    pub slip: D::Vec,
    /// Friction.
    pub grip: Grip,
}

impl<D: Dim> SoftContact<D> {
    /// A contact under a law, with its deepest overlap so far.
    pub fn new(contact: Contact<D>, bodies: &Bodies<D>, law: &PairLaw, mut deepest: f64) -> SoftContact<D> {
        let velocity = contact.velocity(&bodies.twist);
        let rate = velocity.dot(contact.normal);
        let couple = couple(&contact, bodies);
        let push = law.normal.push(couple, Squeeze { overlap: -contact.gap, rate: -rate }, &mut deepest);
        SoftContact {
            contact,
            press: push.force,
            stored: law.normal.stored(couple, -contact.gap, deepest),
            deepest,
            velocity,
            slip: velocity - contact.normal * rate,
            grip: law.grip,
        }
    }

    /// Largest friction of a contact that does not slide [N].
    pub fn limit(&self) -> f64 {
        (self.grip.r#static * self.press).max(0.0)
    }

    /// Friction on b while the surfaces slip in this direction [N].
    pub fn sliding(&self, slip_direction: D::Vec) -> D::Vec {
        slip_direction * -(self.grip.sliding(self.slip.norm()) * self.press.max(0.0))
    }

    /// Rows of G for the slip: one in the plane, two in space. `wall_accel` are the accelerations of driven walls.
    ///
    /// G v is the slip. Without accelerations its rate comes from the rotation of the normal: the slip loses u_n dn/dt,
    /// and the arms -r_b n and r_a n rotate with n. [Chen eq. 42, 43, with rotation] Both arms grow by half of what the
    /// overlap loses.
    pub fn rows(&self, bodies: &Bodies<D>, wall_accel: &[D::Vec]) -> impl Iterator<Item = ConstraintRow<D>> + use<D> {
        let Contact { key, normal, gap, arm_a, arm_b, .. } = self.contact;
        let (a, b) = (key.a as usize, key.b as usize);
        let turning = match bodies.shape[a] {
            crate::shape::Shape::Wall => D::Vec::ZERO,
            _ => {
                let distance = bodies.shape[a].radius() + bodies.shape[b].radius() + gap;
                (bodies.twist[b].v - bodies.twist[a].v).tangent_to(normal) * (1.0 / distance)
            }
        };
        let (ra, rb) = (arm_a.dot(normal), -arm_b.dot(normal));
        let mut bend = -(turning * self.velocity.dot(normal));
        bend -= D::swing(bodies.twist[b].w, turning * rb) + D::swing(bodies.twist[a].w, turning * ra);
        bend -= D::swing(bodies.twist[b].w + bodies.twist[a].w, normal * (0.5 * self.velocity.dot(normal)));
        if let Some(wall_accel) = wall_accel.get(a) {
            bend -= *wall_accel;
        }
        D::tangents(normal).into_iter().map(move |tangent| ConstraintRow {
            parts: [Some(RowPart::new(a, arm_a, -tangent)), Some(RowPart::new(b, arm_b, tangent))],
            miss: 0.0,
            bend: bend.dot(tangent),
        })
    }
}

/// The contact of two round grains, or of one at a wall, with arms to the middle of the overlap: the force acts on both
/// at one point, so that a pair keeps its angular momentum. [Luding08]
pub(crate) fn in_the_middle<D: Dim>(contact: Contact<D>, bodies: &Bodies<D>) -> Contact<D> {
    let (a, b, half) = (contact.key.a as usize, contact.key.b as usize, contact.normal * (0.5 * contact.gap));
    let arm_b = contact.normal * -bodies.shape[b].radius() - half;
    let arm_a = match bodies.shape[a] {
        crate::shape::Shape::Wall => contact.arm_a + half,
        shape => contact.normal * shape.radius() + half,
    };
    Contact { arm_a, arm_b, ..contact }
}

/// Reduced mass and radius of a pair; those of the grain at a wall.
pub(super) fn couple<D: Dim>(contact: &Contact<D>, bodies: &Bodies<D>) -> Couple {
    let [a, b] = [contact.key.a, contact.key.b].map(|body| body as usize);
    let mass = 1.0 / (bodies.inertia[a].inv_m + bodies.inertia[b].inv_m);
    let radius = match bodies.shape[a] {
        crate::shape::Shape::Wall => bodies.shape[b].radius(),
        _ => 1.0 / (1.0 / bodies.shape[a].radius() + 1.0 / bodies.shape[b].radius()),
    };
    Couple { mass, radius }
}
