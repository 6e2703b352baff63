//! Grains that grow: the motion of their surfaces, and the energy of the mass that they gain.

use super::World;
use super::deformation::with_surfaces;
use crate::body::{Bodies, Inertia};
use crate::contact::Contact;
use crate::dim::Dim;
use crate::shape::{Round, Shape};

/// Radius of a body that grows, which is a disk or sphere that can move; zero for others [m].
fn growing<D: Dim>(bodies: &Bodies<D>, body: usize) -> f64 {
    match bodies.shape[body] {
        Shape::Round(round) if bodies.inertia[body].is_movable() => round.radius,
        _ => 0.0,
    }
}

/// A contact with the velocity of its image, to which the approach of the surfaces of bodies that grow or deform is added:
/// radii grow by the fraction `growth` in a second.
#[inline]
pub(super) fn swelling<D: Dim>(
    contact: Contact<D>,
    image_velocity: D::Vec,
    growth: f64,
    bodies: &Bodies<D>,
) -> Contact<D> {
    if growth == 0.0 {
        return with_surfaces(Contact { image_velocity, ..contact }, bodies);
    }
    let sum = growing(bodies, contact.key.a as usize) + growing(bodies, contact.key.b as usize);
    Contact { image_velocity: image_velocity - contact.normal * (growth * sum), ..contact }
}

impl<D: Dim> World<D> {
    /// Grows the grains for `dt`: radii by the fraction `growth` dt, masses and moments of inertia at constant density.
    /// Velocities stay the same. The energy of the added mass counts as external work.
    pub fn grow(&mut self, dt: f64) {
        if self.setup.growth == 0.0 {
            return;
        }
        let factor = 1.0 + self.setup.growth * dt;
        let lighter = 1.0 / (factor * factor * if D::DIMENSION == 3 { factor } else { 1.0 });
        for body in self.grains() {
            let radius = growing(&self.bodies, body);
            if radius > 0.0 {
                let before = self.brought(body);
                let Inertia { inv_m, inv_i } = self.bodies.inertia[body];
                let inv_i = inv_i * (lighter / (factor * factor));
                self.bodies.inertia[body] = Inertia { inv_m: inv_m * lighter, inv_i };
                self.bodies.shape[body] = Shape::Round(Round { radius: radius * factor });
                self.ledger.wall_work += self.brought(body) - before;
            }
        }
        self.scratch.neighbours.swell(factor);
    }

    /// How far the surface of a body moves within `dt` because it grows [m].
    #[inline]
    pub fn swell_travel(&self, body: usize, dt: f64) -> f64 {
        if self.setup.growth == 0.0 { 0.0 } else { self.setup.growth * growing(&self.bodies, body) * dt }
    }

    /// Whether growth, which is along the normal, is the only motion of surfaces at contacts besides that of the
    /// bodies.
    #[inline]
    pub fn only_grows(&self) -> bool {
        self.setup.growth != 0.0 && !self.cell.as_ref().is_some_and(|cell| cell.is_moving())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use glam::DVec3;

    #[test]
    fn mass_and_inertia_follow_the_radius_and_velocities_stay() {
        let mut world = World::<D3>::default();
        world.set_gravity(DVec3::new(0.0, 0.0, -10.0));
        world.setup.growth = 0.5;
        let ball = world.bodies.push_round(DVec3::new(0.0, 0.0, 2.0), 0.5, 6.0 / std::f64::consts::PI, 1.0, 0);
        (world.bodies.twist[ball].v, world.bodies.twist[ball].w) = (DVec3::X * 3.0, DVec3::Y * 2.0);
        world.grow(2.0); // twice the radius: eight times the mass of 1 kg, 32 times the moment of 0.1 kg m2
        let inertia = world.bodies.inertia[ball];
        assert_eq!(world.bodies.shape[ball].radius(), 1.0);
        assert!((inertia.mass() - 8.0).abs() < 1e-14 && (1.0 / inertia.round_inv_i() - 3.2).abs() < 1e-14);
        assert_eq!(world.bodies.twist[ball].v, DVec3::X * 3.0);
        // 7 kg more at 3 m/s and 2 m, and 3.1 kg m2 more at 2 1/s
        assert!((world.ledger.wall_work - (31.5 + 140.0 + 6.2)).abs() < 1e-12, "{}", world.ledger.wall_work);
    }

    #[test]
    fn a_grain_that_is_held_in_place_keeps_its_size() {
        let mut world = World::<D2>::default();
        world.setup.growth = 0.5;
        world.bodies.push_round([0.0, 0.0].into(), 0.5, 1.0, 1.0, 0);
        world.bodies.inertia[0] = Inertia::IMMOVABLE;
        world.grow(2.0);
        assert_eq!((world.bodies.shape[0].radius(), world.swell_travel(0, 1.0)), (0.5, 0.0));
    }
}
