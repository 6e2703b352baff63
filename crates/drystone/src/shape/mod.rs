//! Shapes of bodies.

pub mod round;

pub use round::Round;

/// The shape of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A disk or a sphere.
    Round(Round),
    /// A wall: its surface stands in the world's list of walls, under the body's number.
    Wall,
}

impl Shape {
    /// Radius of the smallest ball around the body's centre that holds it; zero for a wall, which has no centre.
    pub fn radius(&self) -> f64 {
        match self {
            Shape::Round(round) => round.radius,
            Shape::Wall => 0.0,
        }
    }
}
