//! Images of a periodic cell: which of them touch, which lie in the cell, and what moves with the lattice.

use super::World;
use super::growth::swelling;
use crate::body::Bodies;
use crate::cell::{Cell, CellMotion, Image, SELF, Share};
use crate::contact::Contact;
use crate::dim::{Dim, Vector};

impl<D: Dim> World<D> {
    /// The image of b that is nearest to a; b itself without a cell.
    #[inline]
    pub fn nearest_image(&self, a: usize, b: usize) -> NearestImage<D> {
        nearest_image(&self.cell, &self.bodies, self.setup.walls.len(), a, b)
    }

    /// How the velocity at a contact depends on the lattice lengths that follow a stress; `None` for a contact that
    /// does not reach across the border of such a cell.
    #[inline]
    pub fn share(&self, contact: &Contact<D>) -> Option<Share<D>> {
        let (a, b) = (contact.key.a as usize, contact.key.b as usize);
        let cell = self.cell.as_ref().filter(|cell| cell.press.is_some() && a >= self.setup.walls.len())?;
        cell.share(cell.nearest(self.bodies.pose[b].x - self.bodies.pose[a].x))
    }

    /// Velocity of b relative to a at a contact at the start of the step.
    #[inline]
    pub fn velocity_before(&self, contact: &Contact<D>) -> D::Vec {
        let mut velocity = contact.velocity(&self.scratch.before);
        if self.bodies.strains.is_some() {
            velocity = velocity - self.present_strain_velocity(contact)
                + self.strain_velocity(contact, &self.scratch.strain_rates_before);
        }
        match (self.share(contact), &self.cell) {
            (Some(share), Some(cell)) => {
                velocity - share.velocity(&cell.motion().plus(&self.scratch.cell_before, -1.0))
            }
            _ => velocity,
        }
    }

    /// Velocity of the image of b that touches, relative to b itself, without the part of the lattice motion that
    /// follows a stress [m/s].
    pub fn forced_image_velocity(&self, contact: &Contact<D>) -> D::Vec {
        let NearestImage { velocity: image_velocity, .. } =
            self.nearest_image(contact.key.a as usize, contact.key.b as usize);
        match (self.share(contact), &self.cell) {
            (Some(share), Some(cell)) => image_velocity - share.velocity(&cell.motion()),
            _ => image_velocity,
        }
    }

    /// Sets the motion of the lattice, and with it the velocities of the images at contacts.
    pub fn set_cell_motion(&mut self, motion: &CellMotion<D>) {
        let Some(cell) = &mut self.cell else { return };
        cell.set_motion(motion);
        let walls = self.setup.walls.len();
        for contact in self.state.network.contacts.iter_mut().filter(|contact| contact.key.a as usize >= walls) {
            let [a, b] = [contact.key.a, contact.key.b].map(|body| body as usize);
            let image_velocity = nearest_image(&self.state.cell, &self.state.bodies, walls, a, b).velocity;
            *contact = swelling(*contact, image_velocity, self.setup.growth, &self.state.bodies);
        }
    }

    /// Work of the stress that a cell follows, in a step of `dt` [J]; its lengths are those of the start.
    pub fn press_work(&self, dt: f64) -> f64 {
        let mean = |cell: &Cell<D>| cell.motion().plus(&self.scratch.cell_before, 1.0).times(0.5);
        self.cell.as_ref().map_or(0.0, |cell| cell.pull().dot(&mean(cell)) * dt)
    }

    /// Which image of a body lies in the cell; the body itself for walls, and without a cell.
    #[inline]
    pub fn home(&self, body: usize) -> Image {
        match &self.cell {
            Some(cell) if body >= self.setup.walls.len() => cell.home(self.bodies.pose[body].x),
            _ => SELF,
        }
    }

    /// Position of the image of a body that lies in the cell [m]; of the body itself without a cell.
    #[inline]
    pub fn home_place(&self, body: usize) -> D::Vec {
        let x = self.bodies.pose[body].x;
        self.cell.as_ref().map_or(x, |cell| x + cell.shift(self.home(body)))
    }

    /// Velocity of the image of a body that lies in the cell [m/s]; of the body itself without a cell.
    pub fn home_velocity(&self, body: usize) -> D::Vec {
        let v = self.bodies.twist[body].v;
        self.cell.as_ref().map_or(v, |cell| v + cell.image_velocity(self.home(body)))
    }

    /// Kinetic energy of the image of a body that lies in the cell [J]; of the body itself without a cell.
    pub fn home_kinetic_energy(&self, body: usize) -> f64 {
        let own = self.bodies.kinetic_energy(body);
        match &self.cell {
            Some(cell) if cell.is_moving() && self.bodies.inertia[body].is_movable() => {
                let (v, home) = (self.bodies.twist[body].v, self.home_velocity(body));
                own + 0.5 * self.bodies.inertia[body].mass() * (home.norm_squared() - v.norm_squared())
            }
            _ => own,
        }
    }

    /// Energy that grains gained where they crossed the border of a cell that is sheared or strained [J]: work of the
    /// cell.
    pub fn border_work(&self) -> f64 {
        match &self.cell {
            Some(cell) if cell.is_moving() => {
                self.movable().map(|k| self.home_kinetic_energy(k) - self.bodies.kinetic_energy(k)).sum()
            }
            _ => 0.0,
        }
    }

    /// Energy put in by walls, and by a cell that is sheared or strained, since the start [J].
    pub fn total_wall_work(&self) -> f64 {
        self.ledger().wall_work + self.border_work()
    }

    /// Half the distance that neighbouring images move relative to each other within `dt`, without the motion of the
    /// bodies themselves [m].
    pub fn image_travel(&self, dt: f64) -> f64 {
        self.cell.as_ref().map_or(0.0, |cell| 0.5 * cell.pace() * dt)
    }
}

/// The image of body b that is nearest to body a, relative to b itself.
#[derive(Clone, Copy, Debug)]
pub struct NearestImage<D: Dim> {
    /// Its position [m].
    pub shift: D::Vec,
    /// Its velocity [m/s].
    pub velocity: D::Vec,
}

/// The image of b that is nearest to a; b itself without a cell, and if a is a wall.
#[inline]
pub(super) fn nearest_image<D: Dim>(
    cell: &Option<Cell<D>>,
    bodies: &Bodies<D>,
    walls: usize,
    a: usize,
    b: usize,
) -> NearestImage<D> {
    match cell {
        Some(cell) if a >= walls => {
            let image = cell.nearest(bodies.pose[b].x - bodies.pose[a].x);
            NearestImage { shift: cell.shift(image), velocity: cell.image_velocity(image) }
        }
        _ => NearestImage { shift: D::Vec::ZERO, velocity: D::Vec::ZERO },
    }
}
