//! Levers: the largest contact torque over the normal force, a length. Rolling and torsion friction each have one.

pub(crate) mod hysteresis;
pub(crate) mod roughness;

pub(crate) use hysteresis::Hysteresis;
pub(crate) use roughness::Roughness;

use crate::input::quantity::{Length, Number};
use crate::list::list;

/// What a lever may depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PressedContact {
    /// r* = r_1 r_2 / (r_1 + r_2) [m]; the radius of the grain at a flat wall. [Brendel eq. 1.42]
    pub reduced_radius: f64,
    /// Normal force that presses the surfaces together, zero or more [N].
    pub normal_force: f64,
    /// Length of 2D bodies in the third direction [m]; `None` in space.
    pub depth: Option<f64>,
}

list! {
    /// Largest contact torque over the normal force: |T| <= lever R_n. [Brendel eq. 1.40]
    pub enum Lever by key {
        /// The length itself.
        "length" => Length(Length),
        /// A number times the reduced radius r* = r1 r2 / (r1 + r2) of the pair.
        "ratio" => Ratio(Number),
        /// A constant contact area between rough surfaces: loss sqrt(amplitude r*).
        "roughness" => Roughness(Roughness),
        /// Elastic energy lost in Hertz's contact area, which grows with the normal force: loss a(R_n).
        "hysteresis" => Hysteresis(Hysteresis),
    }
}

impl Lever {
    /// Limit on torque over normal force [m].
    pub fn length(&self, touch: &PressedContact) -> f64 {
        match self {
            Lever::Length(length) => **length,
            Lever::Ratio(ratio) => **ratio * touch.reduced_radius, // 1.41
            Lever::Roughness(roughness) => roughness.length(touch),
            Lever::Hysteresis(hysteresis) => hysteresis.length(touch),
        }
    }

    /// Whether the length changes with the normal force, so that the solver must find both together.
    pub fn depends_on_force(&self) -> bool {
        matches!(self, Lever::Hysteresis(_))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{mistakes, read};
    use super::*;

    #[test]
    fn a_length_is_itself_and_a_ratio_goes_with_the_reduced_radius() {
        // radii 2 mm and 6 mm: r* = 12/8 mm
        let touch = PressedContact { reduced_radius: 1.5e-3, normal_force: 4.0, depth: None };
        assert_eq!(read::<Lever>("{ length = \"0.1 mm\" }").length(&touch), 1e-4);
        assert!((read::<Lever>("{ ratio = 0.05 }").length(&touch) - 7.5e-5).abs() < 1e-19);
        assert!(!read::<Lever>("{ ratio = 0.05 }").depends_on_force());
    }

    #[test]
    fn wrong_forms_are_named() {
        assert_eq!(mistakes::<Lever>("0.05"), ["E003"]);
        assert_eq!(mistakes::<Lever>("{ ratio = 0.05, length = 1 }"), ["E015"]);
        assert_eq!(mistakes::<Lever>("{ ration = 0.05 }"), ["E002"]);
        assert_eq!(mistakes::<Lever>("{ roughness = { amplitude = \"1 um\" } }"), ["E005"]);
        assert_eq!(mistakes::<Lever>("{ hysteresis = { loss = 0.1, modulus = \"1 N\" } }"), ["E004"]);
    }
}
