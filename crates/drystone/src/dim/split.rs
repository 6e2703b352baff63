//! Vectors split at a unit normal, for one contact or for four at once.

use crate::lane::{Number, NumberArray, NumberVector};

/// A vector of the plane or of space, or one in every lane, that may be a unit normal.
pub trait Split: NumberVector {
    /// The part of a vector across the normal: a number in the plane, a vector in space.
    type Across: TangentialPart<Number = Self::Number>;
    /// The part of `of` across this normal; its part along the normal is `along`.
    fn across(self, of: Self, along: Self::Number) -> Self::Across;
    /// The vector of a part across this normal.
    fn vector_across(self, across: Self::Across) -> Self;
}

/// A part across a normal.
pub trait TangentialPart: NumberVector {
    /// Shortened to the limit where it is longer.
    fn bounded(self, limit: Self::Number) -> Self;
}

impl<X: Number> Split for NumberArray<X, 2> {
    type Across = NumberArray<X, 1>;
    /// n x v, a number; the part along the normal is not needed.
    #[inline(always)]
    fn across(self, NumberArray([x, y]): Self, _: X) -> NumberArray<X, 1> {
        let NumberArray([nx, ny]) = self;
        NumberArray([nx * y - ny * x])
    }
    #[inline(always)]
    fn vector_across(self, NumberArray([across]): NumberArray<X, 1>) -> Self {
        let NumberArray([nx, ny]) = self;
        NumberArray([across.negated() * ny, across * nx])
    }
}

impl<X: Number> TangentialPart for NumberArray<X, 1> {
    #[inline(always)]
    fn bounded(self, limit: X) -> Self {
        NumberArray([self.0[0].min(limit).max(limit.negated())])
    }
}

impl<X: Number> Split for NumberArray<X, 3> {
    type Across = Self;
    #[inline(always)]
    fn across(self, of: Self, along: X) -> Self {
        of - self * along
    }
    #[inline(always)]
    fn vector_across(self, across: Self) -> Self {
        across
    }
}

impl<X: Number> TangentialPart for NumberArray<X, 3> {
    #[inline(always)]
    fn bounded(self, limit: X) -> Self {
        let squared = self.dot(self);
        let share = limit / squared.sqrt();
        self * squared.choose_greater(limit * limit, share, share.one())
    }
}
