//! Incrementally slipping friction.

use super::shear::Springs;
use super::{Grip, Shear, Slip, TangentialForce, TangentialLaw, TangentialRecord};
use crate::dim::{Dim, Vector};
use crate::input::Flat;
use crate::law::soft::SoftMemory;
use crate::list::record;

record! {
    /// df = K du with K = k0 [1 - s (f - f*) / (mu f_n - s f*)]^(1/3): s = +-1 is the direction of slip along the
    /// force, f* the force at its last reversal, which grows with the normal force. [WaltonBraun86], [Wassgren09
    /// corrected]
    ///
    /// In space, slip across the force meets the spring k0. [Walton93]
    pub struct WaltonBraunTangential {
        /// Stiffness k0 before any slip.
        shear: Flat<Shear>,
    }
}

/// The law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WaltonBraunTangentialLaw {
    /// Stiffness k0.
    pub springs: Springs,
    /// Friction.
    pub grip: Grip,
}

impl TangentialRecord for WaltonBraunTangential {
    fn law(&self, grip: Grip, _: Option<f64>) -> TangentialLaw {
        TangentialLaw::new(WaltonBraunTangentialLaw { springs: self.shear.springs(), grip })
    }
}

fn unit<V: Vector>(vector: V) -> Option<V> {
    let norm = vector.norm();
    (norm > 0.0).then(|| vector * (1.0 / norm))
}

/// A branch of the loop of force over slip.
#[derive(Clone, Copy)]
struct Branch {
    /// Force f* at its beginning [N].
    turn: f64,
    /// Direction s of slip along the force: 1 or -1.
    sense: f64,
}

impl WaltonBraunTangentialLaw {
    /// Force after a slip along a branch over which a spring k0 would add `pull`. It is exact while the normal force
    /// stays: 1 - s (f - f*) / room falls so that its power 2/3 falls by 2/3 of the pull over the room.
    fn wind(&self, force: f64, branch: Branch, press: f64, pull: f64) -> f64 {
        let Branch { turn, sense } = branch;
        let room = self.grip.r#static * press - sense * turn;
        if room <= 0.0 {
            return sense * self.grip.r#static * press;
        }
        let left = libm::cbrt((1.0 - sense * (force - turn) / room).max(0.0));
        let after = (left * left - 2.0 / 3.0 * pull / room).max(0.0);
        turn + sense * room * (1.0 - after * after.sqrt())
    }

    /// The force along the slip, the negative of that on b, after the surfaces have slipped for `time`; a negative time
    /// goes back along the branch.
    fn wound<D: Dim>(&self, slip: &Slip<D>, k0: f64, time: f64, memory: &mut SoftMemory<D>) -> D::Vec {
        let held = memory.spring; // the force along the slip: the negative of that on b
        let Some(axis) = unit(held).or_else(|| unit(memory.heading)).or_else(|| unit(slip.velocity)) else {
            return held;
        };
        let step = slip.velocity * time;
        let (along, mut turn) = (step.dot(axis), memory.reversal.dot(axis));
        let (force, heading) = (held.dot(axis), memory.heading.dot(axis));
        if time < 0.0 {
            let back = self.wind(force, Branch { turn, sense: heading }, slip.press, k0 * along * heading);
            return if memory.slides { held } else { axis * back + (step - axis * along) * k0 };
        }
        let sense = if along == 0.0 { heading } else { along.signum() };
        if heading * along < 0.0 {
            turn = force;
        }
        memory.heading = axis * if sense == 0.0 { heading } else { sense.signum() };
        memory.reversal = axis * turn;
        let wound =
            if along == 0.0 { force } else { self.wind(force, Branch { turn, sense }, slip.press, k0 * along.abs()) };
        axis * wound + (step - axis * along) * k0
    }
}

impl<D: Dim> TangentialForce<D> for WaltonBraunTangentialLaw {
    fn force(&self, slip: &Slip<D>, memory: &mut SoftMemory<D>) -> D::Vec {
        let k0 = self.springs.at(slip.stiffness);
        if memory.press > 0.0 {
            memory.reversal = memory.reversal * (slip.press / memory.press);
        }
        memory.press = slip.press;
        let trial = self.wound(slip, k0, slip.dt, memory);
        let force = self.grip.hold(trial, slip.press, slip.velocity, memory);
        memory.spring = force;
        memory.spring = self.wound(slip, k0, slip.ahead, memory);
        -force
    }
    fn stored(&self, slip: &Slip<D>, memory: &SoftMemory<D>) -> f64 {
        0.5 * memory.spring.norm_squared() / self.springs.at(slip.stiffness)
    }
    fn grip(&self) -> Option<Grip> {
        Some(self.grip)
    }
    fn remembers_more(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use crate::law::soft::tests::csv;

    /// Force along the slip at the points of the reference loop, with `steps` steps between them: their number does not
    /// matter, because a step along a branch is exact.
    fn follows_the_loop<D: Dim>(axis: usize, steps: u32) {
        let law = WaltonBraunTangentialLaw { springs: Springs { own: 1.0, ratio: 0.0 }, grip: Grip::constant(0.25) };
        let tangent = D::Vec::from_fn(|k| if k == axis { 1.0 } else { 0.0 });
        let normal = D::Vec::from_fn(|k| if k == (axis + 1) % D::DIMENSION { 1.0 } else { 0.0 });
        let mut memory = SoftMemory::<D>::default();
        let mut place = 0.0;
        for row in csv("walton_braun_loop.csv") {
            let (target, expected) = (row[0], row[1]);
            let mut force = 0.0;
            for _ in 0..steps {
                let velocity = tangent * ((target - place) / f64::from(steps));
                let slip = Slip {
                    normal,
                    velocity,
                    press: 1.0,
                    stiffness: 0.0,
                    damping: 0.0,
                    dt: 1.0,
                    ahead: 0.0,
                    brake: f64::INFINITY,
                };
                force = -law.force(&slip, &mut memory).dot(tangent);
            }
            place = target;
            assert!((force - expected).abs() < 1e-8, "at {target}: {force} {expected}"); // eight digits of the table
        }
    }

    #[test]
    fn the_loop_is_that_of_the_exact_branches() {
        follows_the_loop::<D2>(0, 1);
        follows_the_loop::<D3>(1, 7);
    }

    #[test]
    fn five_turning_points() {
        let law = WaltonBraunTangentialLaw { springs: Springs { own: 1.0, ratio: 0.0 }, grip: Grip::constant(0.25) };
        let mut memory = SoftMemory::<D2>::default();
        let mut place = 0.0;
        let expected = [(0.15, 0.133810), (-0.2, -0.155779), (0.3, 0.219389), (-0.4, -0.249793), (0.5, 0.25)];
        for (target, force) in expected {
            let steps = 3;
            let mut found = 0.0;
            for _ in 0..steps {
                let velocity = glam::DVec2::X * ((target - place) / f64::from(steps));
                let slip = Slip {
                    normal: glam::DVec2::Y,
                    velocity,
                    press: 1.0,
                    stiffness: 0.0,
                    damping: 0.0,
                    dt: 1.0,
                    ahead: 0.0,
                    brake: f64::INFINITY,
                };
                found = -law.force(&slip, &mut memory).x;
            }
            place = target;
            assert!((found - force).abs() < 1e-6, "{target}: {found} {force}"); // six digits
        }
    }
}
