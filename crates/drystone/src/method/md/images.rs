//! Periodic images of grains as bodies of their own, so that the force loop needs no border.

use crate::body::Bodies;
use crate::cell::{Cell, Image, SELF, Share};
use crate::dim::{Dim, Vector};

/// Images that are the second of a pair. Their numbers follow those of all bodies, in the order of their owners.
#[derive(Clone, Debug, Default)]
pub struct Images<D: Dim> {
    /// The bodies that they are images of.
    pub owner: Vec<u32>,
    image: Vec<Image>,
    shift: Vec<D::Vec>,
    image_velocity: Vec<D::Vec>,
    /// Velocities of the images, without the lattice motion that follows a stress.
    forced: Vec<D::Vec>,
    /// How their velocities depend on lengths and shear that follow a stress.
    share: Vec<Share<D>>,
}

impl<D: Dim> Images<D> {
    /// The images that pairs (a, b) of bodies need; each replaces b in its pair.
    pub fn of(cell: Option<&Cell<D>>, bodies: &Bodies<D>, pairs: &mut [(u32, u32)]) -> Images<D> {
        let Some(cell) = cell else { return Images::default() };
        let nearest = |(a, b): &(u32, u32)| cell.nearest(bodies.pose[*b as usize].x - bodies.pose[*a as usize].x);
        let wanted: Vec<(u32, Image)> = pairs.iter().map(|pair| (pair.1, nearest(pair))).collect();
        let mut all: Vec<(u32, Image)> = wanted.iter().copied().filter(|(_, image)| *image != SELF).collect();
        all.sort_unstable();
        all.dedup();
        for (pair, one) in pairs.iter_mut().zip(&wanted) {
            if let Ok(found) = all.binary_search(one) {
                pair.1 = (bodies.len() + found) as u32;
            }
        }
        let (owner, image) = all.into_iter().unzip();
        Images { owner, image, ..Images::default() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.owner.is_empty()
    }

    /// A body, or the body that it is an image of.
    pub fn body(&self, k: u32, bodies: usize) -> u32 {
        (k as usize).checked_sub(bodies).map_or(k, |image| self.owner[image])
    }

    /// Velocity of an image by shear and strain that follow no stress [m/s]; zero for a body.
    pub fn forced(&self, k: u32, bodies: usize) -> D::Vec {
        (k as usize).checked_sub(bodies).map_or(D::Vec::default(), |image| self.forced[image])
    }

    /// How the velocity of an image depends on lengths and shear that follow a stress.
    pub fn share(&self, k: u32, bodies: usize) -> Share<D> {
        (k as usize).checked_sub(bodies).map_or(Share::default(), |image| self.share[image])
    }

    /// Velocity of an image relative to its body [m/s]; zero for a body.
    pub fn image_velocity(&self, k: u32, bodies: usize) -> D::Vec {
        (k as usize).checked_sub(bodies).map_or(D::Vec::default(), |image| self.image_velocity[image])
    }

    /// How far an image is from its body [m]; zero for a body.
    pub fn shift(&self, k: u32, bodies: usize) -> D::Vec {
        (k as usize).checked_sub(bodies).map_or(D::Vec::default(), |image| self.shift[image])
    }

    /// Moves the images with the lattice.
    pub fn follow(&mut self, cell: Option<&Cell<D>>) {
        let Some(cell) = cell else { return };
        let all = || self.image.iter().copied();
        self.shift = all().map(|image| cell.shift(image)).collect();
        self.image_velocity = all().map(|image| cell.image_velocity(image)).collect();
        self.share = all().map(|image| cell.share(image).unwrap_or_default()).collect();
        let followed = self.share.iter().map(|share| share.velocity(&cell.motion()));
        self.forced = self
            .image_velocity
            .iter()
            .zip(followed)
            .map(|(image_velocity, followed)| *image_velocity - followed)
            .collect();
    }

    /// Greatest speed of an image relative to its body [m/s].
    pub fn pace(&self) -> f64 {
        self.image_velocity.iter().map(|image_velocity| image_velocity.norm()).fold(0.0, f64::max)
    }
}
