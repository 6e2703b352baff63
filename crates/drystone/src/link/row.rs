//! Rows of the constraint matrix G.

use crate::body::Twist;
use crate::dim::{Dim, Vector};

/// Entries of a row for one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowPart<D: Dim> {
    /// Index of the body.
    pub body: usize,
    /// Factor of its velocity.
    pub along: D::Vec,
    /// Factor of its spin [m].
    pub about: D::Spin,
}

impl<D: Dim> RowPart<D> {
    /// Entries for the velocity along a direction of the point at the end of an arm: d . (v + w x c) = d . v + (c x d)
    /// . w.
    pub fn new(body: usize, arm: D::Vec, direction: D::Vec) -> RowPart<D> {
        RowPart { body, along: direction, about: D::torque(arm, direction) }
    }
}

/// A row of G = dg/dq, with the terms of g that its multiplier needs. [Chen eq. 16 to 18]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintRow<D: Dim> {
    /// Entries, for one or two bodies.
    pub parts: [Option<RowPart<D>>; 2],
    /// g(q): violation of the constraint [m]; zero for a constraint on velocities.
    pub miss: f64,
    /// g_qq(q)(v, v): second derivative of g while nothing accelerates [m/s2].
    pub bend: f64,
}

impl<D: Dim> ConstraintRow<D> {
    /// The entries.
    pub fn parts(&self) -> impl Iterator<Item = &RowPart<D>> {
        self.parts.iter().flatten()
    }

    /// G v: rate of the violation [m/s]; with accelerations instead of twists G a [m/s2].
    pub fn rate(&self, twists: &[Twist<D>]) -> f64 {
        self.parts().map(|part| part.along.dot(twists[part.body].v) + part.about.dot(twists[part.body].w)).sum()
    }
}
