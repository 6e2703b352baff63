//! Images of grains beyond the border of a periodic cell, as the force loop sees them: places and motions of their own, so
//! that the loop need not know of any border.

use super::scene::Place;
use crate::body::{Bodies, Twist};
use crate::cell::{Cell, Image, SELF};
use crate::dim::{Dim, Vector};
use crate::method::cd::line::Line;

/// Images that are the second of a pair. They stand behind all bodies in the columns of the force loop.
#[derive(Clone, Debug, Default)]
pub struct Images<D: Dim> {
    /// The bodies that they are images of.
    pub owner: Vec<u32>,
    image: Vec<Image>,
    jump: Vec<D::Vec>,
    /// How fast the images are moved, without what follows a stress.
    forced: Vec<D::Vec>,
    /// How much they take part in a growth of lengths that follow a stress.
    arm: Vec<D::Vec>,
    pairs: Vec<[u32; 2]>,
}

impl<D: Dim> Images<D> {
    /// The images that pairs (a, b) of bodies need.
    pub fn of(cell: Option<&Cell<D>>, bodies: &Bodies<D>, pairs: &[[u32; 2]]) -> Images<D> {
        let Some(cell) = cell else { return Images::default() };
        let nearest = |[a, b]: &[u32; 2]| cell.nearest(bodies.pose[*b as usize].x - bodies.pose[*a as usize].x);
        let wanted: Vec<(u32, Image)> = pairs.iter().map(|pair| (pair[1], nearest(pair))).collect();
        let mut all: Vec<(u32, Image)> = wanted.iter().copied().filter(|(_, image)| *image != SELF).collect();
        all.sort_unstable();
        all.dedup();
        if all.is_empty() {
            return Images::default();
        }
        let seat = |(k, one): (usize, &(u32, Image))| match all.binary_search(one) {
            Ok(found) => [pairs[k][0], (bodies.len() + found) as u32],
            Err(_) => pairs[k],
        };
        let pairs = wanted.iter().enumerate().map(seat).collect();
        let (owner, image) = all.into_iter().unzip();
        Images { owner, image, pairs, ..Images::default() }
    }

    /// Pairs of bodies as the force loop reads them: the second may be an image.
    pub fn seen<'p>(&'p self, pairs: &'p [[u32; 2]]) -> &'p [[u32; 2]] {
        if self.is_empty() { pairs } else { &self.pairs }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.owner.is_empty()
    }

    /// A body, or the body that it is an image of.
    pub fn body(&self, k: u32, bodies: usize) -> u32 {
        (k as usize).checked_sub(bodies).map_or(k, |image| self.owner[image])
    }

    /// How fast an image is moved by the shear [m/s]; zero for a body.
    pub fn forced(&self, k: u32, bodies: usize) -> D::Vec {
        (k as usize).checked_sub(bodies).map_or(D::Vec::default(), |image| self.forced[image])
    }

    /// How much an image takes part in a growth of lengths that follow a stress.
    pub fn arm(&self, k: u32, bodies: usize) -> D::Vec {
        (k as usize).checked_sub(bodies).map_or(D::Vec::default(), |image| self.arm[image])
    }

    /// How much faster an image moves than its body [m/s]; zero for a body.
    pub fn jump(&self, k: u32, bodies: usize) -> D::Vec {
        (k as usize).checked_sub(bodies).map_or(D::Vec::default(), |image| self.jump[image])
    }

    /// Puts the images behind the bodies in the columns, as the bodies and the lattice are now.
    pub fn follow(
        &mut self,
        cell: Option<&Cell<D>>,
        bodies: usize,
        place: &mut Vec<Place<D>>,
        motion: &mut Vec<Line<D>>,
    ) {
        place.truncate(bodies);
        motion.truncate(bodies);
        self.jump.clear();
        self.forced.clear();
        self.arm.clear();
        let Some(cell) = cell else { return };
        for (owner, image) in self.owner.iter().zip(&self.image) {
            let (mut at, mut line) = (place[*owner as usize], motion[*owner as usize]);
            let (jump, Twist { v, w }) = (cell.jump(*image), line.twist());
            at.set_x(at.x() + cell.shift(*image));
            line.set_twist(&Twist { v: v + jump, w });
            place.push(at);
            motion.push(line);
            self.jump.push(jump);
            self.forced.push(cell.shear_jump(*image));
            self.arm.push(cell.free_arm(*image).unwrap_or_default());
        }
    }

    /// Greatest speed of an image beside that of its body [m/s].
    pub fn pace(&self) -> f64 {
        self.jump.iter().map(|jump| jump.norm()).fold(0.0, f64::max)
    }

    /// A column of the bodies with entries for the images.
    pub fn column<T: Copy>(&self, of_bodies: &[T]) -> Vec<T> {
        of_bodies.iter().copied().chain(self.owner.iter().map(|owner| of_bodies[*owner as usize])).collect()
    }
}
