//! Mobility of bodies: the inverse of the mass matrix M.

use crate::body::Twist;
use crate::dim::{Dim, Vector};
use crate::link::{ConstraintRow, RowPart};
use crate::world::World;

/// Inverse mass and moment of inertia of a body; pistons move along their axis only.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mobility<D: Dim> {
    /// One over the mass [1/kg].
    pub inv_m: f64,
    /// One over the moment of inertia [1/(kg m2)].
    pub inv_i: f64,
    /// The only direction in which the body moves.
    pub axis: Option<D::Vec>,
}

impl<D: Dim> Mobility<D> {
    /// Mobilities of all bodies of a world; zero for fixed grains and for walls that are not pistons.
    pub fn all(world: &World<D>) -> Vec<Mobility<D>> {
        let of = |body: usize| {
            let inertia = &world.bodies.inertia[body];
            let axis = if body < world.setup.walls.len() { world.wall_axis(body) } else { None };
            Mobility { inv_m: inertia.inv_m, inv_i: inertia.round_inv_i(), axis }
        };
        (0..world.bodies.len()).map(of).collect()
    }

    /// M^-1 applied to a force and a torque.
    pub fn answer(&self, force: D::Vec, torque: D::Spin) -> Twist<D> {
        let v = match self.axis {
            Some(axis) => axis * (force.dot(axis) * self.inv_m),
            None => force * self.inv_m,
        };
        Twist { v, w: torque * self.inv_i }
    }

    /// Whether forces move the body at all.
    pub fn is_movable(&self) -> bool {
        self.inv_m > 0.0
    }
}

/// Sum of the squares of a row's entries over the inertia of its bodies: its entry on the diagonal of G M^-1 G^T.
pub(super) fn ease<D: Dim>(row: &ConstraintRow<D>, mobility: &[Mobility<D>]) -> f64 {
    row.parts().map(|part| part_ease(part, mobility)).sum()
}

/// The contribution of one body.
pub(super) fn part_ease<D: Dim>(part: &RowPart<D>, mobility: &[Mobility<D>]) -> f64 {
    let answer = mobility[part.body].answer(part.along, part.about);
    part.along.dot(answer.v) + part.about.dot(answer.w)
}
