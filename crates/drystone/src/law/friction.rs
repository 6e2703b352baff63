//! Friction: the largest tangential force over the normal force.

use crate::contact::Regime;
use crate::input::quantity::{Number, Quantity, Speed};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Node, Reader};
use crate::list::{list, record};

list! {
    /// Coefficient of friction: largest tangential over normal force.
    pub enum Friction by leading key or Constant(Number) {
        /// A static coefficient until the contact slides, a dynamic one while it does.
        "static" => Weakening(Weakening),
    }
}

record! {
    /// Friction that is weaker while the contact slides.
    pub struct Weakening {
        /// Coefficient of a contact that did not slide in the step before.
        r#static: Number where NOT_NEGATIVE,
        /// Coefficient of a contact that slides, at most the static one; with `decay` its limit at high speed.
        dynamic: Number where NOT_NEGATIVE,
        /// Slip speed over which the coefficient falls from the static to the dynamic one.
        decay: Option<Speed> where POSITIVE,
    }
}

impl Friction {
    /// The same coefficient for sticking and sliding.
    pub const fn constant(mu: f64) -> Friction {
        Friction::Constant(Quantity(mu))
    }

    /// Whether it is the same whatever the contact does.
    pub fn is_constant(&self) -> bool {
        match self {
            Friction::Constant(_) => true,
            Friction::Weakening(law) => law.r#static == law.dynamic,
        }
    }

    /// The coefficient in this step, by what the contact did in the step before and how fast it slips [m/s].
    ///
    /// A contact that did not slide (or is new) has mu_s; one that slid has mu_d + (mu_s - mu_d) exp(-v / v_d),
    /// or mu_d if there is no decay speed v_d.
    pub fn coefficient(&self, before: Regime, slip_speed: f64) -> f64 {
        match self {
            Friction::Constant(mu) => **mu,
            Friction::Weakening(law) if before == Regime::Slide => law.while_sliding(slip_speed),
            Friction::Weakening(law) => *law.r#static,
        }
    }

    /// Reports a dynamic coefficient above the static one.
    pub(super) fn check(&self, node: &Node, reader: &Reader) {
        let Friction::Weakening(Weakening { r#static, dynamic, .. }) = self else { return };
        if dynamic > r#static {
            let message = format!("`{}.dynamic` is {}, above `static`, which is {}", node.path, dynamic.0, r#static.0);
            let help = "sliding weakens friction: write the larger coefficient as `static`";
            reader.mistake::<()>("E007", &node.get("dynamic").unwrap_or(node).at, message, help);
        }
    }
}

impl Weakening {
    fn while_sliding(&self, slip_speed: f64) -> f64 {
        let (mu_s, mu_d) = (*self.r#static, *self.dynamic);
        self.decay.map_or(mu_d, |decay| mu_d + (mu_s - mu_d) * libm::exp(-slip_speed / *decay))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{mistakes, read};
    use super::*;

    #[test]
    fn a_number_holds_always() {
        let friction = read::<Friction>("0.5");
        assert!(friction.is_constant());
        for regime in [Regime::Open, Regime::Stick, Regime::Slide] {
            assert_eq!(friction.coefficient(regime, 3.0), 0.5);
        }
    }

    #[test]
    fn sliding_weakens_it_at_once_or_over_a_speed() {
        let jump = read::<Friction>("{ static = 0.5, dynamic = 0.4 }");
        let decay = read::<Friction>("{ static = 0.5, dynamic = 0.4, decay = \"10 mm/s\" }");
        for friction in [&jump, &decay] {
            assert!(!friction.is_constant());
            assert_eq!(friction.coefficient(Regime::Open, 1.0), 0.5);
            assert_eq!(friction.coefficient(Regime::Stick, 1.0), 0.5);
        }
        assert_eq!(jump.coefficient(Regime::Slide, 0.0), 0.4);
        assert_eq!(decay.coefficient(Regime::Slide, 0.0), 0.5);
        // 0.4 + 0.1 / e at the decay speed, 0.4 + 0.1 / e^3 at three times it
        assert!((decay.coefficient(Regime::Slide, 0.01) - 0.436_787_944_117_144_2).abs() < 1e-15);
        assert!((decay.coefficient(Regime::Slide, 0.03) - 0.404_978_706_836_786_4).abs() < 1e-15);
    }

    #[test]
    fn wrong_forms_are_named() {
        assert_eq!(mistakes::<Friction>("{ static = 0.5 }"), ["E005"]);
        assert_eq!(mistakes::<Friction>("{ static = 0.5, dynamik = 0.4 }"), ["E002"]);
        assert_eq!(mistakes::<Friction>("{ static = 0.5, dynamic = -0.4 }"), ["E007"]);
        assert_eq!(mistakes::<Friction>("{ static = 0.5, dynamic = 0.4, decay = \"1 s\" }"), ["E004"]);
    }
}
