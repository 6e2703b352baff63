//! The elastic-plastic rolling spring.

use super::{Resistance, Roll, RollingTorque, TorsionTorque};
use crate::dim::{Dim, Vector};
use crate::input::quantity::{Number, Quantity};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::law::soft::SoftMemory;
use crate::law::soft::memory::about;
use crate::list::record;

record! {
    /// T = -(k_r theta + c omega), at most the limit, with d theta/dt = omega: type C of the survey. [Ai11],
    /// [Iwashita98]
    pub struct ElasticPlastic {
        /// k_r over the normal stiffness df_n/dxi times r*^2.
        stiffness_ratio: Number where POSITIVE = Quantity(0.5),
        /// Dashpot over its critical value 2 sqrt(k_r m*) r*.
        damping_ratio: Number where NOT_NEGATIVE = Quantity(0.0),
    }
}

impl Default for ElasticPlastic {
    fn default() -> Self {
        ElasticPlastic { stiffness_ratio: Quantity(0.5), damping_ratio: Quantity(0.0) }
    }
}

impl ElasticPlastic {
    /// k_r [N m].
    pub fn stiffness_of<D: Dim>(&self, roll: &Roll<D>) -> f64 {
        *self.stiffness_ratio * roll.stiffness * roll.couple.radius * roll.couple.radius
    }

    /// Torque and the spring that is left, of an angle and its rate.
    fn yielding<D: Dim, V: Vector>(&self, roll: &Roll<D>, angle: V, rate: V) -> (V, V) {
        let k = self.stiffness_of(roll);
        let c = 2.0 * *self.damping_ratio * (k * roll.couple.mass).sqrt() * roll.couple.radius;
        let (angle, dashpot) = (angle + rate * roll.dt, rate * -c);
        let trial = angle * -k + dashpot;
        let torque = trial.clamp_norm(roll.limit);
        let left = if trial.norm() > roll.limit { (dashpot - torque) * (1.0 / k) } else { angle };
        (torque, left + rate * roll.ahead)
    }
}

impl<D: Dim> RollingTorque<D> for ElasticPlastic {
    fn resist(&self, roll: &Roll<D>, memory: &mut SoftMemory<D>) -> Resistance<D> {
        let (torque, left) = self.yielding(roll, memory.rolling, D::swing(roll.spin(), roll.normal));
        memory.rolling = left;
        Resistance::opposite(D::torque(roll.normal, torque))
    }
    fn stored(&self, roll: &Roll<D>, memory: &SoftMemory<D>) -> f64 {
        0.5 * self.stiffness_of(roll) * memory.rolling.norm_squared()
    }
}

impl<D: Dim> TorsionTorque<D> for ElasticPlastic {
    fn resist(&self, roll: &Roll<D>, memory: &mut SoftMemory<D>) -> D::Spin {
        let (torque, left) = self.yielding(roll, memory.torsion, about::<D>(roll.spin(), roll.normal));
        memory.torsion = left;
        torque
    }
    fn stored(&self, roll: &Roll<D>, memory: &SoftMemory<D>) -> f64 {
        0.5 * self.stiffness_of(roll) * memory.torsion.norm_squared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D3;
    use crate::law::soft::tests::UNIT;
    use glam::DVec3;

    #[test]
    fn it_winds_up_to_its_limit_and_gives_back_what_it_stored() {
        let law = ElasticPlastic::default();
        let mut memory = SoftMemory::<D3>::default();
        let roll = |spin: DVec3, memory: &mut SoftMemory<D3>| {
            let roll = Roll {
                normal: DVec3::Z,
                spins: [DVec3::ZERO, spin],
                velocity: DVec3::ZERO,
                press: 1.0,
                limit: 0.1,
                stiffness: 2.0,
                couple: UNIT,
                dt: 1.0,
                ahead: 0.0,
            };
            RollingTorque::resist(&law, &roll, memory).torques[1]
        };
        // k_r = 0.5 2 1 = 1: an angle of 0.05 gives 0.05, 0.25 the limit 0.1; back by 0.2 gives -0.1
        assert!((roll(DVec3::X * 0.05, &mut memory) + DVec3::X * 0.05).length() < 1e-16);
        assert!((roll(DVec3::X * 0.20, &mut memory) + DVec3::X * 0.1).length() < 1e-15);
        assert!((roll(DVec3::X * -0.15, &mut memory) - DVec3::X * 0.05).length() < 1e-15);
        let before = memory;
        assert_eq!(roll(DVec3::Z * 3.0, &mut memory), roll(DVec3::ZERO, &mut before.clone()), "torsion is not rolling");
    }
}
