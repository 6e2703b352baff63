//! Attraction of soft grains. One file and one entry of the list each.

pub(crate) mod constant;
pub(crate) mod dmt;
pub(crate) mod jkr;

pub(crate) use constant::Constant;
pub(crate) use dmt::Dmt;
pub(crate) use jkr::Jkr;

use super::Couple;
use crate::input::quantity::Quantity;
use crate::list::list;

/// Energy per area [J/m2].
pub(crate) type SurfaceEnergy = Quantity<1, 0, -2, 0>;

list! {
    /// Attraction of soft grains.
    pub enum Attraction by "law" as Attract {
        /// A constant pull F_C from the first touch up to a distance of the surfaces: `cohesion` of soft grains.
        "constant" => Constant(Constant),
        /// A constant pull 2 pi w r* while the surfaces touch: stiff, small grains.
        "dmt" => Dmt(Dmt),
        /// The contact of Johnson, Kendall and Roberts, which breaks at a larger distance than it forms: soft, large
        /// grains.
        "jkr" => Jkr(Jkr),
    }
}

/// The result of an attraction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pull {
    /// Force that draws the grains together, added to the normal law [N].
    pub force: f64,
    /// What it adds to the normal force in the friction limit [N].
    pub press: f64,
}

/// An attraction between surfaces that touched.
pub trait Attract {
    /// The pull at an overlap, negative for a gap; `modulus` is E* of the normal law.
    fn pull(&self, couple: Couple, overlap: f64, modulus: f64) -> Pull;
    /// Energy at an overlap, zero where the attraction ends [J].
    fn stored(&self, couple: Couple, overlap: f64, modulus: f64) -> f64;
    /// Gap up to which surfaces that touched are held [m].
    fn range(&self, _couple: Couple, _modulus: f64) -> f64 {
        0.0
    }
}

impl Attraction {
    /// The pull at an overlap, negative for a gap; `is_bound` says whether the surfaces have touched, and is updated
    /// here. `modulus` is E* of the normal law, for laws that need it.
    pub fn pull(&self, couple: Couple, overlap: f64, modulus: f64, is_bound: &mut bool) -> Pull {
        *is_bound |= overlap > 0.0;
        if overlap < -self.range(couple, modulus) {
            *is_bound = false;
        }
        if !*is_bound {
            return Pull::default();
        }
        self.as_dyn().pull(couple, overlap, modulus)
    }

    /// Energy of the attraction at an overlap, zero where it ends [J].
    pub fn stored(&self, couple: Couple, overlap: f64, modulus: f64, is_bound: bool) -> f64 {
        if is_bound { self.as_dyn().stored(couple, overlap, modulus) } else { 0.0 }
    }

    /// Gap up to which surfaces that touched are held [m].
    pub fn range(&self, couple: Couple, modulus: f64) -> f64 {
        self.as_dyn().range(couple, modulus)
    }
}
