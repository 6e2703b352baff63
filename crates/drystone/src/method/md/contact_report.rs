//! Reports of contacts, for readers of the contact network and for monitors.

use super::force_general::{BatchContact, arms, slip};
use crate::contact::ContactKey;
use crate::dim::{Dim, Vector};
use crate::law::soft::normal::Push;
use crate::law::soft::rolling::Roll;
use crate::law::soft::{SoftLaw, SoftMemory};

/// Geometry, force and energy of a contact at one instant.
#[derive(Clone, Copy, Debug)]
pub struct ContactReport<D: Dim> {
    /// Identity.
    pub key: ContactKey,
    /// Unit normal from a to b.
    pub normal: D::Vec,
    /// Gap [m].
    pub gap: f64,
    /// From the centres to the surfaces, along the normal; of a wall from its axis [m].
    pub radii: [f64; 2],
    /// From the centres of the bodies to those of the balls that touch [m]; zero for grains that are balls.
    pub offsets: [D::Vec; 2],
    /// Velocity of the touching image of b relative to b itself [m/s].
    pub image_velocity: D::Vec,
    /// Force on b [N].
    pub force: D::Vec,
    /// Torque on b by rolling and torsion [N m].
    pub torque: D::Spin,
    /// Whether friction is fully mobilised.
    pub slides: bool,
    /// Elastic energy [J].
    pub stored: f64,
    /// Coefficient of friction.
    pub friction: f64,
}

impl<D: Dim> ContactReport<D> {
    /// From the centres to the contact, along the normal [m].
    pub fn arms(&self) -> [f64; 2] {
        arms(self.radii, -self.gap)
    }

    /// From the centres of the bodies to the contact [m]; for a ball of a clump, from the centre of the clump.
    pub fn body_arms(&self) -> [D::Vec; 2] {
        let [ra, rb] = self.arms();
        [self.offsets[0] + self.normal * ra, self.offsets[1] - self.normal * rb]
    }
}

/// Report of a contact, without its forces.
pub(crate) fn report<D: Dim>(
    law: &SoftLaw,
    key: ContactKey,
    contact: &BatchContact<D>,
    push: &Push,
    roll: &Roll<D>,
    memory: &SoftMemory<D>,
) -> ContactReport<D> {
    let couple = contact.couple;
    let mut stored = law
        .attraction
        .as_ref()
        .map_or(0.0, |attraction| attraction.stored(couple, contact.overlap, law.modulus, memory.is_bound));
    if contact.overlap > 0.0 {
        stored += law.normal.stored(couple, contact.overlap, memory.deepest);
        stored += law.tangential.of::<D>().stored(&slip(contact, push, roll.press, 0.0), memory);
        stored += law.rolling.as_ref().map_or(0.0, |(rolling, _)| rolling.as_dyn::<D>().stored(roll, memory));
        stored += law.torsion.as_ref().map_or(0.0, |(torsion, _)| torsion.as_dyn::<D>().stored(roll, memory));
    }
    ContactReport {
        key,
        normal: contact.normal,
        gap: -contact.overlap,
        radii: contact.radii,
        offsets: contact.offsets,
        image_velocity: D::Vec::ZERO,
        force: D::Vec::ZERO,
        torque: D::Spin::ZERO,
        slides: memory.slides,
        stored,
        friction: law.tangential.grip().map_or(0.0, |grip| grip.r#static),
    }
}
