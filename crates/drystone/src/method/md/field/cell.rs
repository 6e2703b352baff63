//! A periodic cell under the forces of soft grains: motion and work of its lattice.

use super::ForceField;
use crate::body::Twist;
use crate::dim::{Dim, Vector};
use crate::world::World;

impl<D: Dim> ForceField<D> {
    /// Moves the lattice of images, and the images with it: half a kick, then the drift.
    pub fn drift_cell(&mut self, world: &mut World<D>, dt: f64) {
        if let Some(cell) = &mut world.cell {
            cell.set_motion(&cell.motion().plus(&cell.urge, 0.5 * dt));
            cell.drift(dt);
            // forces act at the velocities predicted for their own time
            let mut predicted = cell.clone();
            predicted.set_motion(&cell.motion().plus(&cell.urge, 0.5 * dt));
            self.cell = Some(predicted);
            self.list.images.follow(self.cell.as_ref());
        }
    }

    /// Calls `push` with the images and the forces and torques on them.
    fn each_image(&self, bodies: usize, mut push: impl FnMut(u32, &Twist<D>)) {
        for block in self.list.blocks.iter().filter(|_| !self.list.images.is_empty()) {
            let first = block.ghosts.partition_point(|body| (*body as usize) < bodies);
            block.ghosts[first..]
                .iter()
                .zip(&block.on_ghosts[first..])
                .for_each(|(image, wrench)| push(*image, wrench));
        }
    }

    /// Accelerates the lengths and the shear of a stress-controlled cell: see [`crate::cell::StressControl`].
    pub(super) fn press_cell(&self, world: &mut World<D>, kick: f64) {
        let bodies = Self::force_bodies(&self.beads, world).len();
        let Some(cell) = world.cell.as_mut().filter(|cell| cell.press.is_some()) else { return };
        let mut pull = cell.pull();
        self.each_image(bodies, |image, wrench| {
            pull = pull.plus(&self.list.images.share(image, bodies).load(wrench.v), 1.0);
        });
        if let Some(press) = &cell.press {
            cell.urge = pull.times(1.0 / press.mass);
            cell.set_motion(&cell.motion().plus(&cell.urge, kick));
        }
    }

    /// Power of the relative motion of images [W]: the force on an image acts on b, which moves without the image
    /// velocity.
    pub(super) fn image_power(&self) -> f64 {
        let bodies = self.beads.as_ref().map_or(self.bodies, |beads| beads.bodies.len());
        let mut power = 0.0;
        self.each_image(bodies, |image, wrench| power -= wrench.v.dot(self.list.images.forced(image, bodies)));
        power
    }
}
