//! Energy lost in the elastic contact patch.

use super::PressedContact;
use crate::input::quantity::{Number, Pressure};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::list::record;

record! {
    /// Hysteretic losses in a Hertz patch: |T| <= loss a R_n, with a patch that grows with the force. [Brendel eq.
    /// 1.43]
    pub struct Hysteresis {
        /// Torque over force and size of the contact area: half the width for disks, the radius for spheres.
        loss: Number where NOT_NEGATIVE,
        /// Effective modulus E* of the pair: 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2.
        modulus: Pressure where POSITIVE,
    }
}

impl Hysteresis {
    /// loss a [m].
    pub fn length(&self, touch: &PressedContact) -> f64 {
        *self.loss * self.patch(touch)
    }

    /// Size of the Hertz patch [m] [Johnson eq. 4.22, 4.43].
    ///
    /// Disks: half width a = sqrt(4 F' r* / (pi E*)) with the force F' per depth, eq. 1.44; spheres: radius
    /// a = (3 F r* / (4 E*))^(1/3), eq. 1.45.
    fn patch(&self, touch: &PressedContact) -> f64 {
        let softness = touch.normal_force * touch.reduced_radius / *self.modulus;
        match touch.depth {
            Some(depth) => (4.0 / std::f64::consts::PI * softness / depth).sqrt(),
            None => libm::cbrt(0.75 * softness),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::super::Lever;
    use super::*;

    #[test]
    fn the_patch_is_that_of_hertz() {
        let lever = read::<Lever>("{ hysteresis = { loss = 0.1, modulus = \"30 GPa\" } }");
        assert!(lever.depends_on_force());
        // spheres: 3 40 1e-3 / (4 3e10) = 1e-12 m3, so a = 0.1 mm
        let spheres = PressedContact { reduced_radius: 1e-3, normal_force: 40.0, depth: None };
        assert!((lever.length(&spheres) - 1e-5).abs() < 1e-19);
        // disks 2 m deep: 4 (30 pi / 2) 2e-3 / (pi 3e10) = 4e-12 m2, so a = 2 um
        let force = 30.0 * std::f64::consts::PI;
        let disks = PressedContact { reduced_radius: 2e-3, normal_force: force, depth: Some(2.0) };
        assert!((lever.length(&disks) - 2e-7).abs() < 1e-20);
    }

    #[test]
    fn it_grows_with_the_force_as_the_paper_says_and_vanishes_without() {
        let lever = read::<Lever>("{ hysteresis = { loss = 0.1, modulus = \"1 MPa\" } }");
        let touch = PressedContact { reduced_radius: 1e-2, normal_force: 1.0, depth: None };
        let ratio = |touch: PressedContact| {
            lever.length(&PressedContact { normal_force: 64.0, ..touch }) / lever.length(&touch)
        };
        assert!(
            (ratio(touch) - 4.0).abs() < 1e-14
                && (ratio(PressedContact { depth: Some(0.1), ..touch }) - 8.0).abs() < 1e-14
        );
        assert_eq!(lever.length(&PressedContact { normal_force: 0.0, ..touch }), 0.0);
    }
}
