//! Links between bodies other than contacts: rigid [`Constraint`]s and elastic [`Spring`]s.
//!
//! Both act between two [`Anchor`]s: points of bodies or fixed points. A constraint is a few [`ConstraintRow`]s of the
//! matrix G(q) of differential-algebraic mechanics; contacts that stick give rows of the same kind.

pub(crate) mod anchor;
pub(crate) mod constraint;
pub(crate) mod row;
pub(crate) mod spring;

pub use anchor::Anchor;
pub use constraint::{Constraint, ConstraintEquation};
pub use row::{ConstraintRow, RowPart};
pub use spring::Spring;

use crate::dim::Dim;

/// All links of a world.
#[derive(Clone, Debug, Default)]
pub struct Links<D: Dim> {
    /// Rigid ones.
    pub constraints: Vec<Constraint<D>>,
    /// Elastic ones.
    pub springs: Vec<Spring<D>>,
}

impl<D: Dim> Links<D> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty() && self.springs.is_empty()
    }
}
