//! Groups of grains: what they are, how many, and where they start.

use crate::input::Placed;
use crate::input::value::{Length, NOT_NEGATIVE, Number, POSITIVE, Point, Quantity, Velocity};
use crate::list::{list, record};

use super::sizes::Sizes;

record! {
    /// A group of grains.
    pub struct Grains<D> {
        /// Their material.
        material: Placed<String>,
        /// Their shape.
        shape: GrainShape,
        /// How many. With neither `count` nor `fraction` a lattice or file is used up.
        count: Option<u64> where POSITIVE,
        /// Instead of `count`: fill the region to this solid fraction.
        fraction: Option<Number> where POSITIVE,
        /// Where they start.
        place: Place<D>,
        /// Their velocity at the start.
        velocity: Option<Velocity<D>>,
        /// Whether they are held in place for ever: a rough floor, an obstacle.
        fixed: bool = false,
        /// Largest overlap accepted at the start, over the smaller radius.
        overlap: Number where NOT_NEGATIVE = Quantity(1e-9),
    }
}

list! {
    /// The shapes of grains.
    pub enum GrainShape by "kind" {
        /// A disk (2D): a cylinder of the scenario's depth.
        "disk" => Disk(RoundSpec),
        /// A sphere (3D).
        "sphere" => Sphere(RoundSpec),
    }
}

record! {
    /// A round grain.
    pub struct RoundSpec {
        /// Its radius: a length, or how the radii are distributed. A file of grains may bring its own.
        radius: Option<Placed<Sizes>>,
    }
}

impl GrainShape {
    /// How the radii are distributed.
    pub fn sizes(&self) -> Option<&Placed<Sizes>> {
        let (GrainShape::Disk(round) | GrainShape::Sphere(round)) = self;
        round.radius.as_ref()
    }

    /// The word that scenarios use.
    pub fn name(&self) -> &'static str {
        match self {
            GrainShape::Disk(_) => "disk",
            GrainShape::Sphere(_) => "sphere",
        }
    }
}

list! {
    /// How grains are placed at the start.
    pub enum Place<D> by "how" {
        /// At random in a region, without overlap.
        "random" => Random(Region<D>),
        /// On a square lattice (2D), row by row from below.
        "square" => Square(Lattice<D>),
        /// On a hexagonal lattice (2D), row by row from below.
        "hexagonal" => Hexagonal(Lattice<D>),
        /// On a simple cubic lattice (3D), layer by layer from below.
        "cubic" => Cubic(Lattice<D>),
        /// On a face-centred cubic lattice (3D), layer by layer from below.
        "fcc" => Fcc(Lattice<D>),
        /// Where a CSV file says: columns x, y[, z], r.
        "file" => File(FromFile),
    }
}

record! {
    /// An axis-parallel region that holds the grains whole.
    pub struct Region<D> {
        /// Corner with the smallest coordinates.
        min: Point<D>,
        /// Corner with the largest coordinates.
        max: Point<D>,
    }
}

record! {
    /// A lattice in a region that holds the grains whole.
    pub struct Lattice<D> {
        /// Corner with the smallest coordinates.
        min: Point<D>,
        /// Corner with the largest coordinates.
        max: Point<D>,
        /// Distance of nearest neighbours; twice the largest radius if not given.
        spacing: Option<Length> where POSITIVE,
    }
}

record! {
    /// A file of grains.
    pub struct FromFile {
        /// Name of the CSV file, counted from the folder of the scenario.
        file: Placed<String>,
    }
}
