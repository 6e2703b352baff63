//! Restitution: how much of the approach speed comes back.

use crate::input::quantity::{Number, Quantity, Speed};
use crate::input::value::{FROM_0_TO_1, FROM_MINUS_1_TO_1, NOT_NEGATIVE, POSITIVE};
use crate::list::{list, record};

list! {
    /// Coefficients of restitution: how much of the approach speed comes back.
    pub enum Restitution by leading key or Constant(Number) {
        /// Restitution along the normal, and along the surfaces where they stick.
        "normal" => Both(Both),
    }
}

record! {
    /// Restitution along the normal and along the surfaces.
    pub struct Both {
        /// Fraction of the normal approach speed that comes back.
        normal: NormalRestitution where FROM_0_TO_1,
        /// Fraction of the tangential speed that is reversed where friction does not slip; negative if it keeps its
        /// direction.
        tangential: Number where FROM_MINUS_1_TO_1 = Quantity(0.0),
    }
}

list! {
    /// Normal restitution: a number, or one that falls with the approach speed.
    pub enum NormalRestitution by leading key or Constant(Number) {
        /// Plastic impact: constant up to the yield velocity, falling as a power of the approach speed beyond.
        "below_yield" => Plastic(Plastic),
    }
}

record! {
    /// Restitution of bodies that yield: e_n = e_0 (v / v_y)^-p for v > v_y. [Johnson, chapter 11: p = 1/4]
    pub struct Plastic {
        /// Restitution up to the yield velocity.
        below_yield: Number where FROM_0_TO_1,
        /// Approach speed from which the bodies yield.
        yield_velocity: Speed where POSITIVE,
        /// Power of the decrease.
        exponent: Number where NOT_NEGATIVE = Quantity(0.25),
    }
}

impl Restitution {
    /// No bounce.
    pub const NONE: Restitution = Restitution::Constant(Quantity(0.0));

    /// Normal restitution e_n at an approach speed [m/s].
    pub fn normal(&self, approach_speed: f64) -> f64 {
        match self {
            Restitution::Constant(e_n) => **e_n,
            Restitution::Both(both) => match &both.normal {
                NormalRestitution::Constant(e_n) => **e_n,
                NormalRestitution::Plastic(plastic) => plastic.at(approach_speed),
            },
        }
    }

    /// Tangential restitution e_t.
    pub fn tangential(&self) -> f64 {
        match self {
            Restitution::Constant(_) => 0.0,
            Restitution::Both(both) => *both.tangential,
        }
    }

    /// Whether nothing ever bounces.
    pub fn is_none(&self) -> bool {
        // e_n is largest at small approach speeds
        self.normal(0.0) == 0.0 && self.tangential() == 0.0
    }
}

impl Plastic {
    fn at(&self, approach_speed: f64) -> f64 {
        let ratio = approach_speed / *self.yield_velocity;
        if ratio <= 1.0 { *self.below_yield } else { *self.below_yield * libm::pow(ratio, -*self.exponent) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{mistakes, read};
    use super::*;

    #[test]
    fn a_number_is_the_normal_restitution() {
        let restitution = read::<Restitution>("0.8");
        assert_eq!((restitution.normal(0.1), restitution.normal(10.0), restitution.tangential()), (0.8, 0.8, 0.0));
        assert!(!restitution.is_none() && Restitution::NONE.is_none() && read::<Restitution>("0").is_none());
    }

    #[test]
    fn both_directions_have_their_own() {
        let restitution = read::<Restitution>("{ normal = 0.8, tangential = -0.2 }");
        assert_eq!((restitution.normal(1.0), restitution.tangential()), (0.8, -0.2));
        assert_eq!(read::<Restitution>("{ normal = 0.8 }").tangential(), 0.0);
        assert!(!read::<Restitution>("{ normal = 0, tangential = 0.1 }").is_none());
    }

    #[test]
    fn bodies_that_yield_bounce_less_the_faster_they_meet() {
        let restitution = read::<Restitution>("{ normal = { below_yield = 0.9, yield_velocity = \"0.1 m/s\" } }");
        assert_eq!((restitution.normal(0.05), restitution.normal(0.1)), (0.9, 0.9));
        // sixteen times the yield velocity: half; 10^4 times: a tenth
        assert!((restitution.normal(1.6) - 0.45).abs() < 1e-15 && (restitution.normal(1000.0) - 0.09).abs() < 1e-15);
        let steeper = "{ normal = { below_yield = 0.9, yield_velocity = \"0.1 m/s\", exponent = 0.5 } }";
        assert!((read::<Restitution>(steeper).normal(1.6) - 0.225).abs() < 1e-15);
    }

    #[test]
    fn wrong_forms_are_named() {
        assert_eq!(mistakes::<Restitution>("{ normal = 1.1 }"), ["E007"]);
        assert_eq!(mistakes::<Restitution>("{ normal = 0.5, tangential = -1.1 }"), ["E007"]);
        assert_eq!(mistakes::<Restitution>("{ tangential = 0.1 }"), ["E005"]);
        assert_eq!(mistakes::<Restitution>("{ normal = { below_yield = 0.9 } }"), ["E005"]);
    }
}
