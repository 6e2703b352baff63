//! Shapes of bodies.

pub mod clump;
pub mod facing;
pub mod hull;
pub mod outline;
pub mod polygon;
pub mod polyhedron;
pub mod round;
pub mod shared;
pub mod solid;
pub mod union;

pub use clump::Clump;
pub use outline::{Edge, Outline, Size};
pub use polygon::{Polygon, PolygonFlaw};
pub use polyhedron::Polyhedron;
pub use round::Round;

/// The shape of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A disk or a sphere.
    Round(Round),
    /// A body with flat faces.
    Stone(Stone),
    /// Balls that are one body, or a capsule.
    Clump(Stone),
    /// A wall: its surface stands in the world's list of walls, under the body's number.
    Wall,
}

/// A body that is not one ball: its outline stands in the list of outlines of the bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, packed(4))] // with the number of its kind before it a shape has 16 bytes
pub struct Stone {
    /// Number of its outline.
    pub outline: u32,
    /// Radius of the smallest ball around the centre of mass that holds it [m].
    pub radius: f64,
}

/// Every grain has one: what only some need stands beside the outlines.
const _: () = assert!(size_of::<Shape>() == 16);

impl Shape {
    /// Radius of the smallest ball around the body's centre that holds it; zero for a wall, which has no centre.
    pub fn radius(&self) -> f64 {
        match self {
            Shape::Round(round) => round.radius,
            Shape::Stone(stone) | Shape::Clump(stone) => stone.radius,
            Shape::Wall => 0.0,
        }
    }

    /// Whether the body has flat faces.
    pub fn is_stone(&self) -> bool {
        matches!(self, Shape::Stone(_))
    }

    /// The outline of a body that is not one ball: normals of its contacts may miss its centre.
    pub fn outline(&self) -> Option<u32> {
        match self {
            Shape::Stone(stone) | Shape::Clump(stone) => Some(stone.outline),
            Shape::Round(_) | Shape::Wall => None,
        }
    }
}
