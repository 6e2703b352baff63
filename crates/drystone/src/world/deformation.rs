//! Grains that deform: their elasticity, the motion of their surfaces at contacts, and their energy.

use super::World;
use super::growth::swelling;
use super::images::nearest_image;
use crate::body::{Bodies, Strains, SymmetricTensor};
use crate::contact::Contact;
use crate::dim::{Dim, Vector};
use crate::law::Elasticity;

/// Velocity of the surface of b relative to that of a at a contact, due to these rates of strain [m/s]: at the arms r_a
/// n and -r_b n it is -(r_a E_a' + r_b E_b') n.
pub(super) fn surface_velocity<D: Dim>(
    contact: &Contact<D>,
    bodies: &Bodies<D>,
    rates: &[SymmetricTensor<D>],
) -> D::Vec {
    let [a, b] = [contact.key.a, contact.key.b].map(|body| body as usize);
    let of = |body: usize| rates[body].along(contact.normal) * bodies.round_radius(body);
    -(of(a) + of(b))
}

/// A contact with the velocities of its image and of its strained surfaces.
#[inline]
pub(super) fn with_surfaces<D: Dim>(contact: Contact<D>, bodies: &Bodies<D>) -> Contact<D> {
    match &bodies.strains {
        Some(strains) => {
            let image_velocity = contact.image_velocity + surface_velocity(&contact, bodies, &strains.rate);
            Contact { image_velocity, ..contact }
        }
        None => contact,
    }
}

impl<D: Dim> World<D> {
    /// Gives materials their elasticity, by their numbers: grains of the others are rigid.
    pub fn set_elasticity(&mut self, elasticity: Vec<Option<Elasticity>>) {
        if elasticity.iter().any(Option::is_some) {
            self.bodies.strains = Some(Strains::none(self.bodies.len()));
        }
        self.setup.elasticity = elasticity;
    }

    /// Elasticity of a body; `None` for rigid ones: walls, grains of rigid materials, and grains that are held in place.
    #[inline]
    pub fn elasticity(&self, body: usize) -> Option<&Elasticity> {
        let is_free_grain = body >= self.setup.walls.len() && self.bodies.inertia[body].is_movable();
        let of_material = self.setup.elasticity.get(self.bodies.material[body] as usize);
        of_material.filter(|_| is_free_grain).and_then(Option::as_ref)
    }

    /// Whether a body of a contact deforms.
    #[inline]
    pub fn deforms(&self, contact: &Contact<D>) -> bool {
        [contact.key.a, contact.key.b].iter().any(|body| self.elasticity(*body as usize).is_some())
    }

    /// The part of the velocity of a contact that comes from rates of strain [m/s].
    pub fn strain_velocity(&self, contact: &Contact<D>, rates: &[SymmetricTensor<D>]) -> D::Vec {
        match rates {
            [] => D::Vec::ZERO,
            rates => surface_velocity(contact, &self.bodies, rates),
        }
    }

    /// The same, from the rates that the bodies have.
    pub fn present_strain_velocity(&self, contact: &Contact<D>) -> D::Vec {
        let rates = self.bodies.strains.as_ref().map_or(&[][..], |strains| &strains.rate);
        self.strain_velocity(contact, rates)
    }

    /// Sets the rates of all strains, and with them the velocities of the surfaces at contacts.
    pub fn set_strain_rates(&mut self, rates: Vec<SymmetricTensor<D>>) {
        let Some(strains) = &mut self.bodies.strains else { return };
        strains.rate = rates;
        let walls = self.setup.walls.len();
        for contact in &mut self.state.network.contacts {
            let [a, b] = [contact.key.a, contact.key.b].map(|body| body as usize);
            let image_velocity = nearest_image(&self.state.cell, &self.state.bodies, walls, a, b).velocity;
            *contact = swelling(*contact, image_velocity, self.setup.growth, &self.state.bodies);
        }
    }

    /// Volume of a grain [m3] as it was placed.
    pub fn grain_volume(&self, body: usize) -> f64 {
        self.bodies.volume(body, self.setup.depth)
    }

    /// Elastic energy of a grain with this strain [J]: V E : C E / 2.
    pub fn strain_energy(&self, body: usize, strain: &SymmetricTensor<D>) -> f64 {
        self.elasticity(body).map_or(0.0, |elastic| {
            0.5 * self.grain_volume(body) * strain.contract(&strain.scaled(elastic.moduli::<D>()))
        })
    }

    /// Elastic energy that a grain has now [J].
    pub fn present_strain_energy(&self, body: usize) -> f64 {
        let strain = self.bodies.strains.as_ref().map(|strains| strains.strain[body]);
        strain.map_or(0.0, |strain| self.strain_energy(body, &strain))
    }

    /// Moves the strains on with their rates, and turns both with the grains. A turn changes no energy.
    pub(super) fn drift_strains(&mut self, dt: f64) {
        let Bodies { strains: Some(Strains { strain, rate }), twist, .. } = &mut self.bodies else { return };
        for ((strain, rate), twist) in strain.iter_mut().zip(rate).zip(twist) {
            if *strain != SymmetricTensor::zero() || *rate != SymmetricTensor::zero() {
                *strain = strain.plus(&rate.times(dt)).turned(twist.w, dt);
                *rate = rate.turned(twist.w, dt);
            }
        }
    }
}
