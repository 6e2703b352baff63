//! Tangential stiffness, stated in one of three ways.

use crate::input::quantity::{Number, Stiffness};
use crate::input::value::POSITIVE;
use crate::law::soft::normal::hertz::POISSON;
use crate::list::{list, record};

list! {
    /// Stiffness of the tangential spring.
    pub enum Shear by leading key {
        /// The stiffness itself.
        "stiffness" => Stiffness(Given),
        /// A part of the normal stiffness.
        "stiffness_ratio" => Ratio(Ratio),
        /// Mindlin's part of the normal stiffness: (1 - nu) / (1 - nu / 2).
        "poisson" => Poisson(Poisson),
    }
}

record! {
    /// The stiffness itself.
    pub struct Given {
        /// Tangential stiffness k_S.
        stiffness: Stiffness where POSITIVE,
    }
}

record! {
    /// A part of the normal stiffness.
    pub struct Ratio {
        /// k_S over the slope of the normal force.
        stiffness_ratio: Number where POSITIVE,
    }
}

record! {
    /// Mindlin's part of the normal stiffness.
    pub struct Poisson {
        /// Poisson's ratio nu of both grains.
        poisson: Number where POISSON,
    }
}

/// A stiffness of its own, or a part of the normal one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Springs {
    /// Own stiffness [N/m].
    pub own: f64,
    /// Part of the slope of the normal force.
    pub ratio: f64,
}

impl Springs {
    /// The stiffness at a contact whose normal force has this slope [N/m].
    #[inline]
    pub fn at(&self, normal: f64) -> f64 {
        self.own + self.ratio * normal
    }
}

impl Shear {
    /// Its numbers.
    pub fn springs(&self) -> Springs {
        match self {
            Shear::Stiffness(given) => Springs { own: *given.stiffness, ratio: 0.0 },
            Shear::Ratio(given) => Springs { own: 0.0, ratio: *given.stiffness_ratio },
            Shear::Poisson(given) => Springs { own: 0.0, ratio: mindlin_ratio(*given.poisson) },
        }
    }
}

/// k_S / k_N of two grains of the same material that do not slip: (1 - nu) / (1 - nu / 2). [Mindlin49], [Wassgren09]
///
/// It is also 8 G* a over 2 E* a, Tsuji's stiffness over the slope of Hertz, in the corrected form
/// k_S = sqrt(2 R) E sqrt(xi) / ((2 - nu) (1 + nu)).
pub(crate) fn mindlin_ratio(poisson: f64) -> f64 {
    (1.0 - poisson) / (1.0 - 0.5 * poisson)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_mindlins_and_gives_tsujis_stiffness() {
        for (nu, ratio) in [(0.0, 1.0), (0.3, 14.0 / 17.0), (0.5, 2.0 / 3.0)] {
            assert!((mindlin_ratio(nu) - ratio).abs() < 1e-15, "{nu}");
            let (young, radius, overlap): (f64, f64, f64) = (7.0, 3.0, 0.01); // equal spheres: r* = R / 2
            let slope = 2.0 * young / (2.0 * (1.0 - nu * nu)) * (0.5 * radius * overlap).sqrt();
            let tsuji = (2.0 * radius).sqrt() * young * overlap.sqrt() / ((2.0 - nu) * (1.0 + nu));
            assert!((mindlin_ratio(nu) * slope / tsuji - 1.0).abs() < 1e-14, "{nu}");
        }
    }
}
