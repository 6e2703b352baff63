//! Random contacts for the tests of the laws.

use glam::{DQuat, DVec2, DVec3};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::coupled::{CoupledLaw, mobility};
use crate::dim::{D2, D3, Dim};

/// Random numbers.
pub(crate) struct Random(Pcg64);

impl Random {
    pub(crate) fn new(seed: u128) -> Random {
        Random(Pcg64::new(seed, 7))
    }

    pub(crate) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// From 10^-decades to 10^decades, all decades alike.
    pub(crate) fn magnitude(&mut self, decades: f64) -> f64 {
        libm::exp10(self.uniform(-decades, decades))
    }

    pub(crate) fn sign(&mut self) -> f64 {
        if self.uniform(-1.0, 1.0) < 0.0 { -1.0 } else { 1.0 }
    }

    pub(crate) fn direction(&mut self) -> DVec3 {
        let (z, angle) = (self.uniform(-1.0, 1.0), self.uniform(0.0, std::f64::consts::TAU));
        let ring = (1.0 - z * z).sqrt();
        DVec3::new(ring * libm::cos(angle), ring * libm::sin(angle), z)
    }

    /// A velocity with components between -1 and 1.
    pub(crate) fn velocity<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.uniform(-1.0, 1.0))
    }

    /// Mobility of a body in the plane, as of a polygon that touches with a corner.
    fn body2(&mut self) -> [[f64; 2]; 2] {
        let (mass, size) = (self.magnitude(1.0), self.magnitude(1.0));
        let inverse = 1.0 / (mass * size * size * self.uniform(0.05, 0.5));
        let (angle, length) = (self.uniform(0.0, std::f64::consts::TAU), size * self.uniform(0.2, 1.0));
        let arm = DVec2::new(libm::cos(angle), libm::sin(angle)) * length;
        mobility::<D2, 2>(&[DVec2::Y, D2::tangents(DVec2::Y)[0]], arm, 1.0 / mass, |momentum| momentum * inverse)
    }

    /// Mobility of a body in space, with any moments of inertia that a body can have, turned in any way.
    fn body3(&mut self) -> [[f64; 3]; 3] {
        let (mass, size) = (self.magnitude(1.0), self.magnitude(1.0));
        let spread = DVec3::new(self.uniform(0.02, 0.3), self.uniform(0.02, 0.3), self.uniform(0.02, 0.3));
        let moments = (DVec3::splat(spread.element_sum()) - spread) * (mass * size * size);
        let turn = DQuat::from_axis_angle(self.direction(), self.uniform(0.0, std::f64::consts::PI));
        let arm = self.direction() * (size * self.uniform(0.2, 1.0));
        let tangents = D3::tangents(DVec3::Y);
        mobility::<D3, 3>(&[DVec3::Y, tangents[0], tangents[1]], arm, 1.0 / mass, |momentum| {
            turn * ((turn.inverse() * momentum) / moments)
        })
    }

    /// A contact in the plane between two bodies, or in one case of four on a floor.
    pub(crate) fn contact2(&mut self) -> CoupledLaw<2> {
        let floor = self.uniform(0.0, 1.0) < 0.25;
        CoupledLaw::between(if floor { [[0.0; 2]; 2] } else { self.body2() }, self.body2(), self.uniform(0.0, 1.2))
    }

    /// A contact in space between two bodies, or in one case of four on a floor.
    pub(crate) fn contact3(&mut self) -> CoupledLaw<3> {
        let floor = self.uniform(0.0, 1.0) < 0.25;
        CoupledLaw::between(if floor { [[0.0; 3]; 3] } else { self.body3() }, self.body3(), self.uniform(0.0, 1.2))
    }
}
