//! Shapes of bodies.

pub(crate) mod clump;
pub(crate) mod facing;
pub(crate) mod hull;
pub(crate) mod outline;
pub(crate) mod polygon;
pub(crate) mod polyhedron;
pub(crate) mod round;
pub(crate) mod shared;
pub(crate) mod solid;
pub(crate) mod union;

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
    /// A wall: its surface is in the world's list of walls, under the body's number.
    Wall,
}

/// A body that is not round: its outline is in the list of outlines of the bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, packed(4))] // so that a shape, with its tag, has 16 bytes
pub struct Stone {
    /// Number of its outline.
    pub outline: u32,
    /// Radius of the smallest ball around the centre of mass that contains it [m].
    pub radius: f64,
}

/// Every grain has a shape: data that only some need are kept with the outlines.
const _: () = assert!(size_of::<Shape>() == 16);

impl Shape {
    /// Radius of the smallest ball around the body's centre that contains it; zero for a wall, which has no centre.
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

    /// The outline of a body that is not round: normals of its contacts may miss its centre.
    pub fn outline(&self) -> Option<u32> {
        match self {
            Shape::Stone(stone) | Shape::Clump(stone) => Some(stone.outline),
            Shape::Round(_) | Shape::Wall => None,
        }
    }
}
