//! Johnson, Kendall and Roberts.

use std::f64::consts::PI;

use super::{Attract, Couple, Pull, SurfaceEnergy};
use crate::input::value::POSITIVE;
use crate::list::record;

record! {
    /// The elastic contact of sticky spheres of patch radius a: f = 4 E* a^3 / (3 r*) - sqrt(8 pi w E* a^3) at the
    /// overlap xi = a^2 / r* - sqrt(2 pi w a / E*). [JKR71], [Johnson]
    ///
    /// It begins where the surfaces touch and ends at a negative overlap: approach and parting differ. The normal law
    /// must be a Hertz law, whose elastic force it replaces.
    pub struct Jkr {
        /// Work of adhesion w: energy that separating the surfaces takes, per area.
        work: SurfaceEnergy where POSITIVE,
    }
}

impl Jkr {
    /// Patch radius at the end, where the overlap is least: d xi/da = 0 gives a^3 = pi w r*^2 / (8 E*).
    fn last_patch(&self, couple: Couple, modulus: f64) -> f64 {
        libm::cbrt(PI * *self.work * couple.radius * couple.radius / (8.0 * modulus))
    }

    fn overlap(&self, couple: Couple, modulus: f64, a: f64) -> f64 {
        a * a / couple.radius - (2.0 * PI * *self.work * a / modulus).sqrt()
    }

    /// The stable patch radius at an overlap: Newton from above, where the function is convex.
    fn patch(&self, couple: Couple, overlap: f64, modulus: f64) -> f64 {
        let last = self.last_patch(couple, modulus);
        let sticky = (2.0 * PI * *self.work / modulus).sqrt();
        let mut a = (couple.radius * overlap.max(0.0)).sqrt() + 3.0 * last;
        for _ in 0..50 {
            let miss = a * a / couple.radius - sticky * a.sqrt() - overlap;
            let slope = 2.0 * a / couple.radius - 0.5 * sticky / a.sqrt();
            let next = (a - miss / slope).max(last);
            if (next - a).abs() <= 4.0 * f64::EPSILON * a {
                return next;
            }
            a = next;
        }
        a
    }

    /// The largest pull 3/2 pi w r* [N].
    pub fn pull_off(&self, couple: Couple) -> f64 {
        1.5 * PI * *self.work * couple.radius
    }
}

impl Attract for Jkr {
    /// The pull of the contact beyond the force of Hertz. The friction limit follows the load plus twice the pull-off
    /// force. [Thornton91]
    fn pull(&self, couple: Couple, overlap: f64, modulus: f64) -> Pull {
        let a = self.patch(couple, overlap, modulus);
        let cube = a * a * a;
        let force = 4.0 / 3.0 * modulus * cube / couple.radius - (8.0 * PI * *self.work * modulus * cube).sqrt();
        let depth = overlap.max(0.0);
        let hertz = 4.0 / 3.0 * modulus * (couple.radius * depth).sqrt() * depth;
        let pull = hertz - force;
        Pull { force: pull, press: 2.0 * self.pull_off(couple) - pull }
    }

    /// Gap at which the contact breaks [m].
    fn range(&self, couple: Couple, modulus: f64) -> f64 {
        -self.overlap(couple, modulus, self.last_patch(couple, modulus))
    }

    /// Elastic and surface energy beyond that of Hertz, zero where the contact breaks: the integral of minus the pull,
    /// by Simpson's rule over the patch radius [J].
    fn stored(&self, couple: Couple, overlap: f64, modulus: f64) -> f64 {
        let (from, to) = (-self.range(couple, modulus), overlap);
        let panels = 64;
        let step = (to - from) / f64::from(panels);
        let pull = |k: i32| self.pull(couple, from + step * f64::from(k), modulus).force;
        let sum: f64 = (0..=panels)
            .map(|k| {
                pull(k)
                    * if k % panels == 0 {
                        1.0
                    } else if k % 2 == 1 {
                        4.0
                    } else {
                        2.0
                    }
            })
            .sum();
        -sum * step / 3.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::quantity::Quantity;

    #[test]
    fn pull_off_patch_and_jump_are_those_of_the_theory() {
        let law = Jkr { work: Quantity(0.1) };
        let (couple, modulus) = (Couple { mass: 1.0, radius: 1e-3 }, 1e7);
        // at no load a0^3 = 9 pi w r*^2 / (2 E*) and xi = a0^2 / (3 r*)
        let a0 = libm::cbrt(4.5 * PI * 0.1 * 1e-6 / modulus);
        let overlap = a0 * a0 / 3e-3;
        assert!((law.patch(couple, overlap, modulus) / a0 - 1.0).abs() < 1e-12);
        let hertz = 4.0 / 3.0 * modulus * (1e-3 * overlap).sqrt() * overlap;
        assert!((law.pull(couple, overlap, modulus).force / hertz - 1.0).abs() < 1e-12);
        // the largest pull is 3/2 pi w r*, at a^3 = a0^3 / 4
        let a = a0 / libm::cbrt(4.0);
        let at = law.overlap(couple, modulus, a);
        assert!((law.pull(couple, at, modulus).force / law.pull_off(couple) - 1.0).abs() < 1e-9);
        assert!(law.range(couple, modulus) > -at, "it lets go beyond the largest pull");
    }
}
