//! A contact patch between rough surfaces.

use super::PressedContact;
use crate::input::quantity::{Length, Number};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::list::record;

record! {
    /// A patch whose size roughness sets: a = sqrt(xi r*), whatever the force. [Brendel, after eq. 1.45]
    pub struct Roughness {
        /// Amplitude xi of the roughness, small against the radii.
        amplitude: Length where POSITIVE,
        /// Torque over force and size of the contact area.
        loss: Number where NOT_NEGATIVE,
    }
}

impl Roughness {
    /// loss sqrt(xi r*) [m].
    pub fn length(&self, touch: &PressedContact) -> f64 {
        *self.loss * (*self.amplitude * touch.reduced_radius).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::super::Lever;
    use super::*;

    #[test]
    fn the_patch_is_the_geometric_mean_of_roughness_and_radius() {
        let lever = read::<Lever>("{ roughness = { amplitude = \"1 um\", loss = 0.1 } }");
        let touch = PressedContact { reduced_radius: 1e-2, normal_force: 1.0, depth: Some(1.0) };
        // sqrt(1e-6 1e-2) = 1e-4
        assert!((lever.length(&touch) - 1e-5).abs() < 1e-19);
        assert_eq!(lever.length(&touch), lever.length(&PressedContact { normal_force: 9.0, ..touch }));
    }
}
