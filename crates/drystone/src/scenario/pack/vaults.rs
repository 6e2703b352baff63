//! Builders in space: prisms over plane buildings, towers that taper on all sides, domes.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

use crate::dim::{Dim, Vector};
use crate::input::quantity::{Angle, Length, Point, Quantity};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Placed, Reader};
use crate::list::record;
use crate::scenario::pack::masonry::{Build, Tower};
use crate::shape::{Polygon, Polyhedron};

record! {
    /// A dome: part of a ball's shell, cut into rings by cones and into equal voussoirs by planes through its axis.
    pub struct Dome<D> at span {
        /// Name that loads and `output.track` refer to; the voussoirs are "name.0", "name.1" ...
        name: Option<Placed<String>>,
        /// Material of the voussoirs.
        material: Placed<String>,
        /// Diameter at the springing, at the middle of the thickness.
        width: Length where POSITIVE,
        /// Thickness of the shell.
        thickness: Placed<Length> where POSITIVE,
        /// Angle of the springing against the axis: 90 degrees for a hemisphere.
        springing: Placed<Angle> where POSITIVE = Placed { value: Quantity(0.5 * PI), at: Default::default() },
        /// Angle of the opening at the top against the axis.
        opening: Placed<Angle> where POSITIVE,
        /// Number of rings.
        rings: u64 where POSITIVE,
        /// Number of voussoirs in a ring.
        voussoirs: Placed<u64> where POSITIVE,
        /// How much narrower than its place a voussoir is along its ring, over its width: room for rounding.
        joint: Quantity<0, 0, 0, 0> where NOT_NEGATIVE = Quantity(0.0),
        /// Middle of the springing circle.
        at: Point<D>,
    }
}

/// A block that is laid.
#[derive(Clone, Debug)]
pub enum Laid {
    /// In the plane.
    Flat(Polygon),
    /// In space.
    Solid(Polyhedron),
}

impl<D: Dim> Build<D> {
    /// The blocks, from below or from the left; reports mistakes.
    pub fn laid(&self, reader: &Reader) -> Option<Vec<Laid>> {
        let across = self.across();
        if D::DIMENSION == 2 {
            if let Some(across) = across {
                let message = "`across` is a length in space: in the plane blocks are as long as `depth`";
                return reader.mistake("E015", &across.at, message, "leave it out");
            }
            // checked: the blocks are polygons
            return self.blocks(reader)?.iter().map(|block| Some(Laid::Flat(Polygon::new(block).ok()?))).collect();
        }
        let solids = match (self, across) {
            (Build::Dome(dome), _) => dome.blocks(reader)?,
            (Build::Cards(_), _) => {
                let message = "a house of cards stands in the plane";
                return reader.mistake("E015", self.span(), message, "write dimension = 2");
            }
            (_, None) => {
                let message = "a building of space has a length across: `across` is missing";
                return reader.mistake("E005", self.span(), message, "add across = \"10 cm\"");
            }
            (Build::Tower(tower), Some(across)) => tower.solids(***across),
            (_, Some(across)) => {
                self.blocks(reader)?.iter().map(|block| prism(block, self.depth_at(), ***across)).collect()
            }
        };
        let lay = |points: &Vec<DVec3>| match Polyhedron::new(points) {
            Ok(block) => Some(Laid::Solid(block)),
            Err(flaw) => reader.mistake("E025", self.span(), flaw.to_string(), "its lengths make no block"),
        };
        solids.iter().map(lay).collect()
    }

    fn across(&self) -> Option<&Placed<Length>> {
        match self {
            Build::Arch(arch) => arch.across.as_ref(),
            Build::Wall(wall) => wall.across.as_ref(),
            Build::Stack(stack) => stack.across.as_ref(),
            Build::Tower(tower) => tower.across.as_ref(),
            Build::Dominoes(row) => row.across.as_ref(),
            Build::Cards(_) | Build::Dome(_) => None,
        }
    }

    /// Position of the middle of the building along y.
    fn depth_at(&self) -> f64 {
        match self {
            Build::Arch(arch) => arch.at.0.get(1),
            Build::Wall(wall) => wall.at.0.get(1),
            Build::Stack(stack) => stack.at.0.get(1),
            Build::Tower(tower) => tower.at.0.get(1),
            Build::Dominoes(row) => row.at.0.get(1),
            Build::Cards(cards) => cards.at.0.get(1),
            Build::Dome(dome) => dome.at.0.get(1),
        }
    }
}

/// The corners of a prism over a block of the plane of x and z, half of it on either side of `y`.
fn prism(block: &[DVec2], y: f64, across: f64) -> Vec<DVec3> {
    let side = |sign: f64| block.iter().map(move |corner| DVec3::new(corner.x, y + 0.5 * sign * across, corner.y));
    side(-1.0).chain(side(1.0)).collect()
}

impl<D: Dim> Tower<D> {
    /// Blocks that narrow along x and y alike.
    fn solids(&self, across: f64) -> Vec<Vec<DVec3>> {
        let foot = DVec3::from_fn(|axis| self.at.0.get(axis));
        let mut half = DVec2::new(0.5 * *self.width, 0.5 * across);
        let block = |k: u64| {
            let low = *self.height * k as f64;
            let corner = |n: u32, sign: f64| if n & 1 == 0 { -sign } else { sign };
            let corners = (0..8).map(|n| {
                let high = if n >> 2 == 0 { low } else { low + *self.height };
                foot + DVec3::new(corner(n, half.x), corner(n >> 1, half.y), high)
            });
            let corners = corners.collect();
            half *= **self.taper;
            corners
        };
        (0..self.count).map(block).collect()
    }
}

impl<D: Dim> Dome<D> {
    fn blocks(&self, reader: &Reader) -> Option<Vec<Vec<DVec3>>> {
        let (springing, opening) = (**self.springing, **self.opening);
        if !(opening < springing && springing < PI) {
            let message = "the opening is narrower than the springing, which is below 180 degrees";
            return reader.mistake("E007", &self.opening.at, message, "write opening = \"10 deg\"");
        }
        if self.voussoirs.value < 3 {
            let message = "a ring has at least three voussoirs";
            return reader.mistake("E007", &self.voussoirs.at, message, "write voussoirs = 16");
        }
        let radius = 0.5 * *self.width / libm::sin(springing);
        if **self.thickness >= 2.0 * radius {
            let message = format!("the shell is thicker than its radius of {radius} m allows");
            return reader.mistake("E007", &self.thickness.at, message, "make `thickness` smaller");
        }
        let centre = DVec3::from_fn(|axis| self.at.0.get(axis)) - DVec3::Z * (radius * libm::cos(springing));
        let sector = 2.0 * PI / self.voussoirs.value as f64;
        let narrow = 0.5 * *self.joint * sector;
        let mut blocks = Vec::new();
        for ring in 0..self.rings {
            let cut = |k: u64| springing + (opening - springing) * k as f64 / self.rings as f64;
            for place in 0..self.voussoirs.value {
                let sides = [sector * place as f64 + narrow, sector * (place + 1) as f64 - narrow];
                let mut corners = Vec::new();
                for r in [radius - 0.5 * **self.thickness, radius + 0.5 * **self.thickness] {
                    for polar in [cut(ring), cut(ring + 1)] {
                        for side in sides {
                            let (out, up) = (r * libm::sin(polar), r * libm::cos(polar));
                            corners.push(centre + DVec3::new(out * libm::cos(side), out * libm::sin(side), up));
                        }
                    }
                }
                blocks.push(corners);
            }
        }
        Some(blocks)
    }
}
