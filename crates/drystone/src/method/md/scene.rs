//! What every unit of the force loop reads: the bodies, who may touch whom, and by which laws.

use super::images::Images;
use super::patch::Bulk;
use super::rules::Rules;
use super::unit::Seats;
use crate::body::{Bodies, Twist};
use crate::contact::ContactKey;
use crate::dim::Dim;
use crate::method::cd::line::Line;
use crate::wall::{Stand, Surface};

/// What every unit reads.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'s, D: Dim> {
    /// Bodies, or balls of clumps: as they are, or as they are before they leap.
    pub bodies: &'s Bodies<D>,
    /// What of them never changes.
    pub bulk: &'s [Bulk],
    /// Time over which they leap with their accelerations before the forces see them [s], if they do.
    pub leap: Option<(f64, &'s [Twist<D>])>,
    /// How the walls move.
    pub wall_motion: &'s [Line<D>],
    /// Images across the border of a periodic cell.
    pub images: &'s Images<D>,
    /// Halves of the segments of capsules, and radii about them [m]; empty if all are balls.
    pub cores: &'s [(D::Vec, f64)],
    /// Whether contacts stand beside the lines of centres: of capsules, and of walls that spin as bodies.
    pub has_offsets: bool,
    /// Gap up to which grains are seen coming towards a wall [m].
    pub skin: f64,
    /// How the walls stand.
    pub stands: &'s [Stand<D>],
    /// Surfaces of the walls.
    pub surfaces: &'s [Surface<D>],
    /// Faces and grains that may touch.
    pub walls: &'s [ContactKey],
    /// Grains that may touch.
    pub pairs: &'s [Seats],
    /// The laws.
    pub rules: &'s Rules,
    /// Time since the last look [s].
    pub dt: f64,
    /// Way that no grain went beyond since the list was made [m].
    pub gone: f64,
    /// How fast radii of grains that can move grow, over themselves [1/s].
    pub growth: f64,
    /// Length of 2D bodies in the third direction [m]; `None` in space.
    pub depth: Option<f64>,
    /// Whether somebody wants to see the contacts, which then remember nothing of it.
    pub is_watched: bool,
}

impl<D: Dim> Scene<'_, D> {
    /// Whether all laws are plain, and all pairs lie on their lines of centres.
    pub fn is_plain(&self) -> bool {
        !self.rules.plain.is_empty() && self.cores.is_empty() && !self.is_watched
    }
}
