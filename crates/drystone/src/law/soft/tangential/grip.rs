//! The limit of friction.

use crate::contact::Regime;
use crate::dim::{Dim, Vector};
use crate::law::Friction;
use crate::law::soft::SoftMemory;

/// Coefficients of friction: a static one until the contact slides, a dynamic one while it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// Coefficient of a contact that does not slide.
    pub r#static: f64,
    /// Coefficient of a contact that slides fast.
    pub dynamic: f64,
    /// Slip speed over which the coefficient falls from one to the other [m/s]; zero: at once.
    pub decay: f64,
}

impl Grip {
    /// The same coefficient whatever the contact does.
    pub const fn constant(mu: f64) -> Grip {
        Grip { r#static: mu, dynamic: mu, decay: 0.0 }
    }

    /// The coefficients of a friction law as a scenario states it.
    pub fn of(friction: &Friction) -> Grip {
        let r#static = friction.coefficient(Regime::Stick, 0.0);
        match friction {
            Friction::Constant(_) => Grip::constant(r#static),
            Friction::Weakening(law) => {
                Grip { r#static, dynamic: *law.dynamic, decay: law.decay.map_or(0.0, |decay| *decay) }
            }
        }
    }

    /// Whether sliding weakens it, so that the contact must remember whether it slid.
    pub fn weakens(&self) -> bool {
        self.dynamic < self.r#static
    }

    /// Coefficient while sliding with this speed.
    #[inline]
    pub fn sliding(&self, speed: f64) -> f64 {
        match self.decay > 0.0 {
            true => self.dynamic + (self.r#static - self.dynamic) * libm::exp(-speed / self.decay),
            false => self.dynamic,
        }
    }

    /// Coefficient of a contact that slides or not.
    #[inline(always)]
    pub fn coefficient<V: Vector>(&self, slides: bool, velocity: V) -> f64 {
        if slides && self.weakens() { self.sliding(velocity.norm()) } else { self.r#static }
    }

    /// The force, shortened to what friction bears. The memory notes whether the contact slides.
    #[inline(always)]
    pub fn hold<D: Dim>(&self, trial: D::Vec, press: f64, velocity: D::Vec, memory: &mut SoftMemory<D>) -> D::Vec {
        let square = trial.norm_squared();
        let mut limit = self.coefficient(memory.slides, velocity) * press;
        if square <= limit * limit {
            memory.slides = false;
            return trial;
        }
        memory.slides = true;
        if self.weakens() {
            limit = self.coefficient(true, velocity) * press;
        }
        trial * (limit / square.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;
    use glam::DVec2;

    #[test]
    fn it_lets_go_at_the_static_limit_and_holds_again_below_the_dynamic_one() {
        let grip = Grip { r#static: 0.5, dynamic: 0.3, decay: 0.0 };
        let mut memory = SoftMemory::<D2>::default();
        let mut hold = |trial: f64| grip.hold(DVec2::X * trial, 10.0, DVec2::X, &mut memory).x;
        assert_eq!((hold(4.9), hold(5.1), hold(4.0)), (4.9, 3.0, 3.0));
        assert_eq!((hold(2.9), hold(4.0)), (2.9, 4.0));
    }
}
