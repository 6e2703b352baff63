//! Builders that lay blocks as arches, walls, towers and rows. In space the blocks are prisms across the plane of x and
//! z.

use std::f64::consts::PI;

use glam::DVec2;

use crate::dim::Dim;
use crate::input::quantity::{Angle, Length, Number, Point, Quantity};
use crate::input::value::{NOT_NEGATIVE, POSITIVE};
use crate::input::{Placed, Reader, Span};
use crate::list::{list, record};
use crate::scenario::pack::vaults::Dome;
use crate::shape::Polygon;

list! {
    /// A structure of blocks.
    pub enum Build<D> by "what" {
        /// A circular arch of equal voussoirs with radial joints, which springs from two level points.
        "arch" => Arch(Arch<D>),
        /// A wall of bricks in courses.
        "wall" => Wall(Courses<D>),
        /// Blocks on top of each other.
        "stack" => Stack(Stack<D>),
        /// A tower that gets narrower from block to block.
        "tower" => Tower(Tower<D>),
        /// Slabs on end in a row.
        "dominoes" => Dominoes(Dominoes<D>),
        /// Cards that lean against each other in storeys, with a level card under each storey but the first.
        "cards" => Cards(Cards<D>),
        /// A dome of rings of voussoirs (3D).
        "dome" => Dome(Dome<D>),
    }
}

record! {
    /// A circular arch.
    pub struct Arch<D> at span {
        /// Name that loads and `output.track` refer to; the voussoirs are "name.0", "name.1" ...
        name: Option<Placed<String>>,
        /// Material of the voussoirs.
        material: Placed<String>,
        /// Distance of the springings, at the middle of the thickness.
        width: Length where POSITIVE,
        /// Height of the crown above the springings, at the middle of the thickness; half the width if not given.
        rise: Option<Placed<Length>> where POSITIVE,
        /// Instead of `rise`: angle between the springing joints.
        angle: Option<Placed<Angle>> where POSITIVE,
        /// Thickness of the ring.
        thickness: Placed<Length> where POSITIVE,
        /// Number of voussoirs.
        voussoirs: Placed<u64> where POSITIVE,
        /// Middle of the springing line.
        at: Point<D>,
        /// Length of the blocks along y, in space; there z is up.
        across: Option<Placed<Length>> where POSITIVE,
    }
}

record! {
    /// A wall of bricks.
    pub struct Courses<D> at span {
        /// Name that loads and `output.track` refer to; the bricks are "name.0", "name.1" ...
        name: Option<Placed<String>>,
        /// Material of the bricks.
        material: Placed<String>,
        /// Length of a brick.
        brick: Length where POSITIVE,
        /// Height of a course.
        height: Length where POSITIVE,
        /// Length of the wall.
        length: Placed<Length> where POSITIVE,
        /// Number of courses.
        courses: u64 where POSITIVE,
        /// How far every second course is shifted, over the length of a brick; bricks at the ends are cut.
        bond: Placed<Number> where NOT_NEGATIVE = Placed { value: Quantity(0.5), at: Default::default() },
        /// Rectangles that stay free of bricks, as corners [[low, high], ...]; bricks are cut to them.
        openings: Vec<[Point<D>; 2]> = Vec::new(),
        /// Lower left corner.
        at: Point<D>,
        /// Length of the blocks along y, in space; there z is up.
        across: Option<Placed<Length>> where POSITIVE,
    }
}

record! {
    /// Blocks on top of each other.
    pub struct Stack<D> at span {
        /// Name that loads and `output.track` refer to; the blocks are "name.0", "name.1" ...
        name: Option<Placed<String>>,
        /// Material of the blocks.
        material: Placed<String>,
        /// Width of a block.
        width: Length where POSITIVE,
        /// Height of a block.
        height: Length where POSITIVE,
        /// Number of blocks.
        count: u64 where POSITIVE,
        /// How far every block is shifted against the one below.
        overhang: Length = Quantity(0.0),
        /// Middle of the base.
        at: Point<D>,
        /// Length of the blocks along y, in space; there z is up.
        across: Option<Placed<Length>> where POSITIVE,
    }
}

record! {
    /// A tower that gets narrower from block to block.
    pub struct Tower<D> at span {
        /// Name that loads and `output.track` refer to; the blocks are "name.0", "name.1" ...
        name: Option<Placed<String>>,
        /// Material of the blocks.
        material: Placed<String>,
        /// Width of the lowest block.
        width: Length where POSITIVE,
        /// Width of a block over that of the one below.
        taper: Placed<Number> where POSITIVE = Placed { value: Quantity(1.0), at: Default::default() },
        /// Height of a block.
        height: Length where POSITIVE,
        /// Number of blocks.
        count: u64 where POSITIVE,
        /// Middle of the base.
        at: Point<D>,
        /// Length of the blocks along y, in space; there z is up.
        across: Option<Placed<Length>> where POSITIVE,
    }
}

record! {
    /// Slabs on end in a row.
    pub struct Dominoes<D> at span {
        /// Name that loads and `output.track` refer to; the slabs are "name.0", "name.1" ...
        name: Option<Placed<String>>,
        /// Material of the slabs.
        material: Placed<String>,
        /// Width of a slab, along the row.
        width: Length where POSITIVE,
        /// Height of a slab.
        height: Length where POSITIVE,
        /// Distance from slab to slab, from middle to middle.
        spacing: Placed<Length> where POSITIVE,
        /// Number of slabs.
        count: u64 where POSITIVE,
        /// Lean of the first one, towards the row: it stands on its lower corner.
        lean: Angle where NOT_NEGATIVE = Quantity(0.0),
        /// Middle of the base of the first slab.
        at: Point<D>,
        /// Length of the blocks along y, in space; there z is up.
        across: Option<Placed<Length>> where POSITIVE,
    }
}

record! {
    /// A house of cards: every storey has a pair of leaning cards less than the one below.
    pub struct Cards<D> at span {
        /// Name that loads and `output.track` refer to; the cards are "name.0", "name.1" ...
        name: Option<Placed<String>>,
        /// Material of the cards.
        material: Placed<String>,
        /// Length of a card.
        length: Length where POSITIVE,
        /// Thickness of a card.
        thickness: Length where POSITIVE,
        /// Angle of a leaning card against the vertical.
        lean: Placed<Angle> where POSITIVE,
        /// Number of storeys.
        storeys: u64 where POSITIVE,
        /// Middle of the base.
        at: Point<D>,
    }
}

/// A block: corners in the world, counter-clockwise.
pub(crate) type BlockOutline = Vec<DVec2>;

impl<D: Dim> Build<D> {
    /// Its place in the scenario.
    pub fn span(&self) -> &Span {
        match self {
            Build::Arch(arch) => &arch.span,
            Build::Wall(wall) => &wall.span,
            Build::Stack(stack) => &stack.span,
            Build::Tower(tower) => &tower.span,
            Build::Dominoes(row) => &row.span,
            Build::Cards(cards) => &cards.span,
            Build::Dome(dome) => &dome.span,
        }
    }

    /// Material of its blocks.
    pub fn material(&self) -> &Placed<String> {
        match self {
            Build::Arch(arch) => &arch.material,
            Build::Wall(wall) => &wall.material,
            Build::Stack(stack) => &stack.material,
            Build::Tower(tower) => &tower.material,
            Build::Dominoes(row) => &row.material,
            Build::Cards(cards) => &cards.material,
            Build::Dome(dome) => &dome.material,
        }
    }

    /// Its name, if it has one.
    pub fn name(&self) -> Option<&Placed<String>> {
        match self {
            Build::Arch(arch) => arch.name.as_ref(),
            Build::Wall(wall) => wall.name.as_ref(),
            Build::Stack(stack) => stack.name.as_ref(),
            Build::Tower(tower) => tower.name.as_ref(),
            Build::Dominoes(row) => row.name.as_ref(),
            Build::Cards(cards) => cards.name.as_ref(),
            Build::Dome(dome) => dome.name.as_ref(),
        }
    }

    /// The blocks in the plane of the building, from below or from the left; reports mistakes.
    pub fn blocks(&self, reader: &Reader) -> Option<Vec<BlockOutline>> {
        let blocks = match self {
            Build::Arch(arch) => arch.blocks(reader)?,
            Build::Wall(wall) => wall.blocks(reader)?,
            Build::Stack(stack) => stack.blocks(),
            Build::Tower(tower) => tower.blocks(),
            Build::Dominoes(row) => row.blocks(reader)?,
            Build::Cards(cards) => cards.blocks(reader)?,
            Build::Dome(_) => {
                let message = "a dome stands in space";
                return reader.mistake("E015", self.span(), message, "write dimension = 3, or what = \"arch\"");
            }
        };
        match blocks.iter().find_map(|block| Polygon::new(block).err()) {
            Some(flaw) => reader.mistake("E021", self.span(), flaw.to_string(), "its lengths make no block"),
            None => Some(blocks),
        }
    }
}

fn point<D: Dim>(at: &Point<D>) -> DVec2 {
    use crate::dim::Vector;
    DVec2::new(at.0.get(0), at.0.get(D::DIMENSION - 1))
}

fn rectangle(low: DVec2, high: DVec2) -> BlockOutline {
    vec![low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)]
}

/// A rectangle turned by an angle about its lower left corner, which is at `foot`.
fn leaning(foot: DVec2, width: f64, height: f64, angle: f64) -> BlockOutline {
    let turn = DVec2::new(libm::cos(angle), libm::sin(angle));
    rectangle(DVec2::ZERO, DVec2::new(width, height)).into_iter().map(|corner| foot + turn.rotate(corner)).collect()
}

impl<D: Dim> Arch<D> {
    /// Mean radius and half the angle between the springings.
    pub fn circle(&self) -> (f64, f64) {
        let half = 0.5 * *self.width;
        match (&self.rise, &self.angle) {
            (_, Some(angle)) => (half / libm::sin(0.5 * ***angle), 0.5 * ***angle),
            (Some(rise), None) => {
                let rise = ***rise;
                let radius = 0.5 * (half * half + rise * rise) / rise;
                (radius, libm::atan2(half, radius - rise))
            }
            (None, None) => (half, 0.5 * PI),
        }
    }

    fn blocks(&self, reader: &Reader) -> Option<Vec<BlockOutline>> {
        if let (Some(_), Some(angle)) = (&self.rise, &self.angle) {
            let message = "`rise` and `angle` exclude each other";
            return reader.mistake("E015", &angle.at, message, "leave one of them out");
        }
        let (radius, half) = self.circle();
        let (count, thickness) = (self.voussoirs.value, **self.thickness);
        if !(half < PI && radius > 0.0) {
            let at = self.angle.as_ref().map_or(&self.span, |angle| &angle.at);
            return reader.mistake("E007", at, "an arch turns by less than 360 degrees", "write angle = \"180 deg\"");
        }
        if thickness >= 2.0 * radius {
            let message = format!("the ring is thicker than its radius of {radius} m allows");
            return reader.mistake("E007", &self.thickness.at, message, "make `thickness` smaller");
        }
        if count as f64 * PI <= 2.0 * half {
            let message = "a voussoir turns by less than 180 degrees";
            return reader.mistake("E007", &self.voussoirs.at, message, "take more voussoirs");
        }
        let (inner, outer) = (radius - 0.5 * thickness, radius + 0.5 * thickness);
        let centre = point(&self.at) - DVec2::new(0.0, radius * libm::cos(half));
        let joint = |k: u64, r: f64| {
            // from the right springing to the left one; the keystone of an odd number lies exactly above the centre
            let angle = half * (1.0 - 2.0 * k as f64 / count as f64);
            centre + DVec2::new(r * libm::sin(angle), r * libm::cos(angle))
        };
        let voussoir = |k: u64| vec![joint(k, inner), joint(k, outer), joint(k + 1, outer), joint(k + 1, inner)];
        Some((0..count).map(voussoir).collect())
    }
}

impl<D: Dim> Courses<D> {
    fn blocks(&self, reader: &Reader) -> Option<Vec<BlockOutline>> {
        let (brick, height, length) = (*self.brick, *self.height, **self.length);
        if **self.bond >= 1.0 {
            let message = "`bond` shifts a course by less than a brick";
            return reader.mistake("E007", &self.bond.at, message, "write bond = 0.5");
        }
        let start = point(&self.at);
        let mut blocks = Vec::new();
        for course in 0..self.courses {
            let shift = if course % 2 == 1 { **self.bond * brick } else { 0.0 };
            let low = height * course as f64;
            // joints along the course; a sliver at the end is no brick
            let mut joints = vec![0.0];
            let first = if shift > 0.0 { shift } else { brick };
            let mut next = first;
            while next < length * (1.0 - 1e-9) {
                joints.push(next);
                next += brick;
            }
            joints.push(length);
            for pair in joints.windows(2) {
                let (from, to) = (start + DVec2::new(pair[0], low), start + DVec2::new(pair[1], low + height));
                blocks.extend(self.cut(from, to).into_iter().map(|(from, to)| rectangle(from, to)));
            }
        }
        Some(blocks)
    }

    /// The pieces of a brick to the left and right of the openings.
    fn cut(&self, from: DVec2, to: DVec2) -> Vec<(DVec2, DVec2)> {
        let mut pieces = vec![(from, to)];
        for [low, high] in &self.openings {
            let (low, high) = (point(low), point(high));
            pieces = pieces
                .into_iter()
                .flat_map(|(from, to)| {
                    let apart = to.y <= low.y || from.y >= high.y || to.x <= low.x || from.x >= high.x;
                    if apart {
                        return vec![(from, to)];
                    }
                    let left = (from.x < low.x).then(|| (from, DVec2::new(low.x, to.y)));
                    let right = (to.x > high.x).then(|| (DVec2::new(high.x, from.y), to));
                    left.into_iter().chain(right).collect()
                })
                .collect();
        }
        pieces
    }
}

impl<D: Dim> Stack<D> {
    fn blocks(&self) -> Vec<BlockOutline> {
        let block = |k: u64| {
            let middle = point(&self.at) + DVec2::new(*self.overhang, *self.height) * k as f64;
            let half = DVec2::new(0.5 * *self.width, 0.0);
            rectangle(middle - half, middle + half + DVec2::new(0.0, *self.height))
        };
        (0..self.count).map(block).collect()
    }
}

impl<D: Dim> Tower<D> {
    fn blocks(&self) -> Vec<BlockOutline> {
        let mut width = *self.width;
        let block = |k: u64| {
            let middle = point(&self.at) + DVec2::new(0.0, *self.height) * k as f64;
            let half = DVec2::new(0.5 * width, 0.0);
            width *= **self.taper;
            rectangle(middle - half, middle + half + DVec2::new(0.0, *self.height))
        };
        (0..self.count).map(block).collect()
    }
}

impl<D: Dim> Dominoes<D> {
    fn blocks(&self, reader: &Reader) -> Option<Vec<BlockOutline>> {
        if **self.spacing < *self.width {
            let message = format!("slabs of {} m do not stand {} m apart", *self.width, **self.spacing);
            return reader.mistake("E007", &self.spacing.at, message, "make `spacing` wider than `width`");
        }
        let foot = |k: u64| point(&self.at) + DVec2::new(**self.spacing * k as f64 - 0.5 * *self.width, 0.0);
        let upright = (1..self.count).map(|k| leaning(foot(k), *self.width, *self.height, 0.0));
        // the first leans about its lower right corner
        let pivot = foot(0) + DVec2::new(*self.width, 0.0);
        let turn = DVec2::new(libm::cos(*self.lean), -libm::sin(*self.lean));
        let first = rectangle(DVec2::new(-*self.width, 0.0), DVec2::new(0.0, *self.height));
        let first = first.into_iter().map(|corner| pivot + turn.rotate(corner)).collect();
        Some(std::iter::once(first).chain(upright).collect())
    }
}

impl<D: Dim> Cards<D> {
    /// A card is cut level at its foot and its head, and upright where it leans on its partner.
    fn blocks(&self, reader: &Reader) -> Option<Vec<BlockOutline>> {
        let (lean, thickness) = (**self.lean, *self.thickness);
        let (slope, high) = (libm::tan(lean), *self.length * libm::cos(lean));
        let foot = thickness / libm::cos(lean); // along the ground
        let upright = 0.5 * foot / slope;
        if !(lean < 0.5 * PI && upright < high) {
            let message = "cards of this thickness do not lean on each other at this angle";
            return reader.mistake("E007", &self.lean.at, message, "write lean = \"20 deg\", or take thinner cards");
        }
        let (head, wide) = (high * slope, high * slope + 0.5 * foot);
        let card = [(0.0, 0.0), (foot, 0.0), (wide, high - upright), (wide, high), (head, high)];
        let mut blocks = Vec::new();
        for storey in 0..self.storeys {
            let pairs = self.storeys - storey;
            let low = point(&self.at) + DVec2::new(-wide * pairs as f64, (high + thickness) * storey as f64);
            for pair in 0..pairs {
                let left = low + DVec2::new(2.0 * wide * pair as f64, 0.0);
                let right = left + DVec2::new(2.0 * wide, 0.0);
                blocks.push(card.map(|(x, y)| left + DVec2::new(x, y)).to_vec());
                blocks.push(card.iter().rev().map(|(x, y)| right + DVec2::new(-x, *y)).collect());
            }
            if pairs > 1 {
                let from = low + DVec2::new(head, high);
                let to = low + DVec2::new(2.0 * wide * pairs as f64 - head, high + thickness);
                blocks.push(rectangle(from, to));
            }
        }
        Some(blocks)
    }
}
