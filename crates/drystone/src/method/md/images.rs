//! Images of grains beyond the border of a periodic cell, as the force loop sees them: places and motions of their own, so
//! that the loop need not know of any border.

use super::scene::Place;
use crate::body::{Bodies, Twist};
use crate::cell::{Cell, Image, SELF, Share};
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
    /// How much they take part in what follows a stress.
    share: Vec<Share<D>>,
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

    /// How fast an image is moved by shear and growth that follow no stress [m/s]; zero for a body.
    pub fn forced(&self, k: u32, bodies: usize) -> D::Vec {
        (k as usize).checked_sub(bodies).map_or(D::Vec::default(), |image| self.forced[image])
    }

    /// How much an image takes part in what follows a stress.
    pub fn share(&self, k: u32, bodies: usize) -> Share<D> {
        (k as usize).checked_sub(bodies).map_or(Share::default(), |image| self.share[image])
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
        self.share.clear();
        let Some(cell) = cell else { return };
        for (owner, image) in self.owner.iter().zip(&self.image) {
            let (mut at, mut line) = (place[*owner as usize], motion[*owner as usize]);
            let (jump, Twist { v, w }) = (cell.jump(*image), line.twist());
            at.set_x(at.x() + cell.shift(*image));
            line.set_twist(&Twist { v: v + jump, w });
            place.push(at);
            motion.push(line);
            self.jump.push(jump);
            let share = cell.share(*image).unwrap_or_default();
            self.forced.push(jump - share.velocity(&cell.motion()));
            self.share.push(share);
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
