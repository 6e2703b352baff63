//! The judge: how far impulses and twists are from the contact laws. It judges every solver and belongs to none.

/// Rounding of a relative velocity over the velocities that it is the difference of.
pub const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Sums over contacts from which eps_nat is made: of w |F|^2 and of w |r|^2, with the natural map F and w = 1/m_t.
///
/// An F that the rounding of the velocities explains does not count. Else grains that move on together, whose
/// impulses are nothing but rounding, would never be solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Misfit {
    /// Sum of w |F|^2: zero exactly when every contact obeys its laws up to rounding.
    pub wrong: f64,
    /// Sum of w |r|^2.
    pub all: f64,
}

impl std::iter::Sum for Misfit {
    fn sum<I: Iterator<Item = Misfit>>(parts: I) -> Misfit {
        parts.fold(Misfit::default(), |sum, part| Misfit { wrong: sum.wrong + part.wrong, all: sum.all + part.all })
    }
}

impl Misfit {
    /// eps_nat = sqrt(sum w |F|^2) / sqrt(sum w |r|^2), a ratio without unit.
    pub fn ratio(self) -> f64 {
        match (self.wrong, self.all) {
            (0.0, _) => 0.0,
            (_, 0.0) => f64::INFINITY,
            (wrong, all) => (wrong / all).sqrt(),
        }
    }
}
