//! Incrementally slipping friction.

use super::shear::Springs;
use super::{Grip, Shear, Slip, TangentialForce};
use crate::dim::{Dim, Vector};
use crate::input::Flat;
use crate::law::soft::Memory;
use crate::list::record;

record! {
    /// df = K du with K = k0 [1 - s (f - f*) / (mu f_n - s f*)]^(1/3): s = +-1 is the direction of slip along the
    /// force, f* the force at its last reversal, which grows with the normal force. [WaltonBraun86], [Wassgren09 corrected]
    ///
    /// In space, slip across the force meets the spring k0. [Walton93]
    pub struct WaltonBraun {
        /// Stiffness k0 before any slip.
        shear: Flat<Shear>,
    }
}

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// Stiffness k0.
    pub springs: Springs,
    /// Friction.
    pub grip: Grip,
}

impl WaltonBraun {
    /// The law with its numbers.
    pub fn law(&self, grip: Grip) -> Law {
        Law { springs: self.shear.springs(), grip }
    }
}

fn unit<V: Vector>(vector: V) -> Option<V> {
    let norm = vector.norm();
    (norm > 0.0).then(|| vector * (1.0 / norm))
}

impl TangentialForce for Law {
    const REMEMBERS_MORE: bool = true;
    fn force<D: Dim>(&self, slip: &Slip<D>, memory: &mut Memory<D>) -> D::Vec {
        let k0 = self.springs.at(slip.stiffness);
        if memory.press > 0.0 {
            memory.reversal = memory.reversal * (slip.press / memory.press);
        }
        memory.press = slip.press;
        let held = memory.spring; // the force along the slip: minus what acts on b
        let Some(axis) = unit(held).or_else(|| unit(memory.heading)).or_else(|| unit(slip.velocity)) else {
            return D::Vec::ZERO;
        };
        let step = slip.velocity * slip.dt;
        let (along, mut turn) = (step.dot(axis), memory.reversal.dot(axis));
        let (force, heading) = (held.dot(axis), memory.heading.dot(axis));
        let sense = if along == 0.0 { heading } else { along.signum() };
        if heading * along < 0.0 {
            turn = force;
        }
        let room = (self.grip.r#static * slip.press - sense * turn).max(f64::MIN_POSITIVE);
        let left = (1.0 - sense * (force - turn) / room).max(0.0);
        let stiffness = k0 * libm::cbrt(left);
        memory.heading = axis * if sense == 0.0 { heading } else { sense.signum() };
        memory.reversal = axis * turn;
        let trial = axis * (force + stiffness * along) + (step - axis * along) * k0;
        memory.spring = self.grip.hold(trial, slip.press, slip.velocity, memory);
        -memory.spring
    }
    fn stored<D: Dim>(&self, slip: &Slip<D>, memory: &Memory<D>) -> f64 {
        0.5 * memory.spring.norm_squared() / self.springs.at(slip.stiffness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use crate::law::soft::tests::csv;

    /// Force along the slip at the points of the reference loop, by so many steps between them.
    fn follows_the_loop<D: Dim>(axis: usize, steps: u32) {
        let law = Law { springs: Springs { own: 1.0, ratio: 0.0 }, grip: Grip::constant(0.25) };
        let tangent = D::Vec::from_fn(|k| if k == axis { 1.0 } else { 0.0 });
        let normal = D::Vec::from_fn(|k| if k == (axis + 1) % D::DIMENSION { 1.0 } else { 0.0 });
        let mut memory = Memory::<D>::default();
        let mut place = 0.0;
        for row in csv("walton_braun_loop.csv") {
            let (target, expected) = (row[0], row[1]);
            let mut force = 0.0;
            for _ in 0..steps {
                let velocity = tangent * ((target - place) / f64::from(steps));
                let slip = Slip { normal, velocity, press: 1.0, stiffness: 0.0, damping: 0.0, dt: 1.0 };
                force = -law.force(&slip, &mut memory).dot(tangent);
            }
            place = target;
            // first order in the step: 200 steps of 1/70 of the sliding distance each
            assert!((force - expected).abs() < 2e-4, "at {target}: {force} {expected}");
        }
    }

    #[test]
    fn the_loop_is_that_of_the_exact_branches() {
        follows_the_loop::<D2>(0, 200);
        follows_the_loop::<D3>(1, 200);
    }

    #[test]
    fn five_turning_points() {
        let law = Law { springs: Springs { own: 1.0, ratio: 0.0 }, grip: Grip::constant(0.25) };
        let mut memory = Memory::<D2>::default();
        let mut place = 0.0;
        let expected = [(0.15, 0.133810), (-0.2, -0.155779), (0.3, 0.219389), (-0.4, -0.249793), (0.5, 0.25)];
        for (target, force) in expected {
            let steps = 100_000;
            let mut found = 0.0;
            for _ in 0..steps {
                let velocity = glam::DVec2::X * ((target - place) / f64::from(steps));
                let slip = Slip { normal: glam::DVec2::Y, velocity, press: 1.0, stiffness: 0.0, damping: 0.0, dt: 1.0 };
                found = -law.force(&slip, &mut memory).x;
            }
            place = target;
            assert!((found - force).abs() < 1e-5, "{target}: {found} {force}");
        }
    }
}
