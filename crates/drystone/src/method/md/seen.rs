//! What contacts did, for those who look at the network.

use super::batch::{Touching, rolls, slip};
use super::patch::Patch;
use super::scene::Scene;
use crate::contact::ContactKey;
use crate::dim::{Dim, Vector};
use crate::law::soft::normal::{NormalForce, Push};
use crate::law::soft::{Memory, SoftLaw};

/// What a contact did, for those who look at the network.
#[derive(Clone, Copy, Debug)]
pub struct Seen<D: Dim> {
    /// Identity.
    pub key: ContactKey,
    /// Unit normal from a to b.
    pub normal: D::Vec,
    /// Gap [m].
    pub gap: f64,
    /// Distances of the contact from the centres [m].
    pub arms: [f64; 2],
    /// From the centres of the bodies to those of the balls that touch [m]; zero for grains that are balls.
    pub offsets: [D::Vec; 2],
    /// How much faster than b itself the image of b moves that touches [m/s].
    pub jump: D::Vec,
    /// Force on b [N].
    pub force: D::Vec,
    /// Torque on b by rolling and torsion [N m].
    pub torque: D::Spin,
    /// Whether friction is used up.
    pub slides: bool,
    /// Elastic energy [J].
    pub stored: f64,
    /// Coefficient of friction.
    pub friction: f64,
}

/// What is to be seen of a contact, without its forces.
pub fn see<D: Dim>(
    law: &SoftLaw,
    at: (&Scene<D>, &Patch<D>),
    (key, contact): (ContactKey, &Touching<D>),
    (push, grip): (&Push, f64),
    memory: &Memory<D>,
) -> Seen<D> {
    let couple = contact.couple;
    let roll = rolls(at, contact, push, grip);
    let mut stored = law
        .attraction
        .as_ref()
        .map_or(0.0, |attraction| attraction.stored(couple, contact.overlap, law.modulus, memory.is_bound));
    if contact.overlap > 0.0 {
        stored += law.normal.stored(couple, contact.overlap, memory.deepest);
        stored += law.tangential.stored(&slip(contact, push, grip, 0.0), memory);
        stored += law.rolling.as_ref().map_or(0.0, |(rolling, _)| rolling.stored(&roll, memory));
        stored += law.torsion.as_ref().map_or(0.0, |(torsion, _)| torsion.stored(&roll, memory));
    }
    Seen {
        key,
        normal: contact.normal,
        gap: -contact.overlap,
        arms: contact.arms,
        offsets: contact.offsets,
        jump: D::Vec::ZERO,
        force: D::Vec::ZERO,
        torque: D::Spin::ZERO,
        slides: memory.slides,
        stored,
        friction: law.tangential.grip().map_or(0.0, |grip| grip.r#static),
    }
}
