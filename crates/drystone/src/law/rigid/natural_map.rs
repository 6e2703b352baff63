//! The natural map of a contact with Signorini's condition and Coulomb's friction: how far it is from both laws.

use crate::lane::{NumberVector, Real};

/// A contact with its motion and its impulse, split at the normal: one contact, or four at once in lanes.
#[derive(Clone, Copy)]
pub struct LoadedContact<T: NumberVector> {
    /// Mass rho by which velocities become impulses: one over the largest eigenvalue of W [kg].
    pub mass: T::Number,
    /// Coefficient of friction.
    pub friction: T::Number,
    /// Normal velocity, with its bias [m/s].
    pub u_n: T::Number,
    /// Tangential velocity, with its bias [m/s].
    pub u_t: T,
    /// Normal impulse [N s].
    pub r_n: T::Number,
    /// Tangential impulse [N s].
    pub r_t: T,
}

/// F of a contact: zero exactly where it obeys its laws.
#[derive(Clone, Copy)]
pub struct NaturalMap<T: NumberVector> {
    /// Along the normal [N s].
    pub f_n: T::Number,
    /// Across it [N s].
    pub f_t: T,
}

impl<T: NumberVector> LoadedContact<T> {
    /// F = r - P_K(r - rho û) with û = (u_n + mu |u_t|, u_t) and the Coulomb cone K: |r_t| <= mu r_n. [De Saxce]
    #[inline(always)]
    pub fn natural_map(&self) -> NaturalMap<T> {
        let LoadedContact { mass, friction: mu, u_n, u_t, r_n, r_t } = *self;
        let (zero, one) = (mass.zero(), mass.one());
        let (y_n, y_t) = (r_n - mass * (u_n + mu * u_t.norm()), r_t - u_t * mass);
        let norm = y_t.norm();
        // on the mantle: p_n = (y_n + mu |y_t|) / (1 + mu^2) and p_t = mu p_n y_t / |y_t|, by one division
        let (reach, share) = (mu * norm + y_n, one / ((one + mu * mu) * norm));
        let inside = |mantle: T::Number, within: T::Number| norm.choose_greater(mu * y_n, mantle, within);
        let is_apex = |apex: T::Number, other: T::Number| reach.choose_greater(zero, other, apex);
        let p_n = is_apex(zero, inside(reach * norm * share, y_n));
        let shrink = is_apex(zero, inside(mu * reach * share, one));
        NaturalMap { f_n: r_n - p_n, f_t: r_t - y_t * shrink }
    }
}

impl<T: NumberVector> NaturalMap<T> {
    /// |F|^2.
    #[inline(always)]
    pub fn squared(&self) -> T::Number {
        self.f_n * self.f_n + self.f_t.dot(self.f_t)
    }
}
