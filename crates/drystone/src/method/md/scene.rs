//! What the force loop reads: where bodies are, how they move, who may touch whom, and by which laws.

use std::marker::PhantomData;

use crate::contact::ContactKey;
use crate::dim::{Dim, Vector};
use crate::lane::Row;
use crate::law::soft::{PlainLaw, SoftLaw};
use crate::method::cd::line::Line;
use crate::wall::{Stand, Surface};

/// Where a body is and how large: all that a distance test reads, in half a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Place<D: Dim> {
    /// Centre, and the radius at the end.
    row: Row,
    dimension: PhantomData<D>,
}

impl<D: Dim> Place<D> {
    /// The place of a body with this centre and radius [m]; the radius of a wall is zero.
    pub fn new(x: D::Vec, radius: f64) -> Place<D> {
        let mut place = Place { row: [0.0, 0.0, 0.0, radius], dimension: PhantomData };
        place.set_x(x);
        place
    }

    /// Centre [m].
    #[inline(always)]
    pub fn x(&self) -> D::Vec {
        D::Vec::from_fn(|axis| self.row[axis])
    }

    /// Moves the centre.
    #[inline(always)]
    pub fn set_x(&mut self, x: D::Vec) {
        (0..D::DIMENSION).for_each(|axis| self.row[axis] = x.get(axis));
    }

    /// Radius [m]; zero for a wall.
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.row[3]
    }

    /// All as one row.
    #[inline(always)]
    pub fn row(&self) -> &Row {
        &self.row
    }
}

/// What every unit reads.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'s, D: Dim> {
    /// Where bodies are.
    pub place: &'s [Place<D>],
    /// How they move.
    pub motion: &'s [Line<D>],
    /// Halves of the segments of capsules, and radii about them [m]; empty if all are balls.
    pub cores: &'s [(D::Vec, f64)],
    /// What they are made of.
    pub material: &'s [u16],
    /// Whether contacts stand beside the lines of centres: of capsules, and of walls that spin as bodies.
    pub has_offsets: bool,
    /// How far apart surfaces may attract each other, at most [m].
    pub range: f64,
    /// Gap up to which grains are seen coming towards a wall [m].
    pub skin: f64,
    /// How the walls stand.
    pub stands: &'s [Stand<D>],
    /// Surfaces of the walls.
    pub surfaces: &'s [Surface<D>],
    /// Faces and grains that may touch.
    pub walls: &'s [ContactKey],
    /// Grains that may touch.
    pub pairs: &'s [[u32; 2]],
    /// Where in its unit the force on the second grain of a pair adds up.
    pub ends: &'s [u32],
    /// Laws, a table over materials.
    pub laws: &'s [SoftLaw],
    /// The same in their plain forms, if all have one; empty otherwise.
    pub plain: &'s [PlainLaw],
    /// Number of materials.
    pub materials: usize,
    /// Time since the last look [s].
    pub dt: f64,
    /// Way that no grain went beyond since the list was made [m].
    pub gone: f64,
    /// Length of 2D bodies in the third direction [m]; `None` in space.
    pub depth: Option<f64>,
    /// Whether somebody wants to see the contacts.
    pub is_watched: bool,
}

impl<D: Dim> Scene<'_, D> {
    /// Halves of the segments of two bodies, and the radii about them [m].
    pub fn cores(&self, a: u32, b: u32) -> ([D::Vec; 2], [f64; 2]) {
        let [(h, ra), (g, rb)] = [a, b].map(|body| self.cores[body as usize]);
        ([h, g], [ra, rb])
    }

    /// Number of the law between two bodies.
    #[inline(always)]
    pub fn law(&self, pair: [u32; 2]) -> usize {
        if self.laws.len() == 1 {
            return 0;
        }
        let [a, b] = pair.map(|body| usize::from(self.material[body as usize]));
        a * self.materials + b
    }
}
