//! Elasticity of the material of grains that deform.

use crate::body::IsotropicFactors;
use crate::dim::Dim;
use crate::input::quantity::{Number, Pressure, Quantity, Time};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::list::record;

record! {
    /// Linear elasticity of the whole grain, which is strained uniformly; a disk does not change its length (plane
    /// strain).
    pub struct Elasticity {
        /// Young's modulus.
        young: Pressure where POSITIVE,
        /// Ratio of Poisson, between -1 and 0.5.
        poisson: Number,
        /// Retardation time: the material is viscous as well, with stress C : (E + time dE/dt).
        retardation: Time where NOT_NEGATIVE = Quantity(0.0),
    }
}

impl Elasticity {
    /// Whether the material resists changes of shape and of volume, and has no infinite modulus.
    pub fn is_stable(&self) -> bool {
        *self.poisson > -1.0 && *self.poisson < 0.5
    }

    /// Stress over strain [Pa]: 2 mu for changes of shape and 2 mu + d lambda for changes of volume, with Lame's
    /// constants. In the plane (d = 2) this is plane strain.
    pub fn moduli<D: Dim>(&self) -> IsotropicFactors {
        let (young, poisson) = (*self.young, *self.poisson);
        let shape = young / (1.0 + poisson);
        let lambda = shape * poisson / (1.0 - 2.0 * poisson);
        IsotropicFactors { shape, volume: shape + D::DIMENSION as f64 * lambda }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};

    /// 3 K = E / (1 - 2 nu) in space; in plane strain the pressure over the strain of the area is K + mu / 3.
    #[test]
    fn the_moduli_are_those_of_bulk_and_shear() {
        let elastic = Elasticity { young: Quantity(3.0), poisson: Quantity(0.25), retardation: Quantity(0.0) };
        let (bulk, shear) = (3.0 / (3.0 * (1.0 - 0.5)), 3.0 / 2.5);
        let close = |moduli: IsotropicFactors, volume: f64| {
            assert!((moduli.shape - 2.0 * shear).abs() + (moduli.volume - volume).abs() < 1e-14, "{moduli:?}");
        };
        close(elastic.moduli::<D3>(), 3.0 * bulk);
        close(elastic.moduli::<D2>(), 2.0 * (bulk + shear / 3.0));
    }
}
