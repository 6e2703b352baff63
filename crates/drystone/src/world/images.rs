//! Images of a periodic cell: which of them meet, where grains are at home, and what moves with the lattice.

use super::World;
use super::growth::swelling;
use crate::body::Bodies;
use crate::cell::{Cell, Image, Motion, SELF, Share};
use crate::contact::Contact;
use crate::dim::{Dim, Vector};

impl<D: Dim> World<D> {
    /// How far away from b, and how much faster, the image of b is that is nearest to a; zeros without a cell.
    pub fn nearest_image(&self, a: usize, b: usize) -> (D::Vec, D::Vec) {
        across(&self.cell, &self.bodies, self.walls.len(), (a, b))
    }

    /// The part that a contact takes in what of the cell follows a stress; `None` for one that does not reach across the
    /// border of such a cell.
    pub fn share(&self, contact: &Contact<D>) -> Option<Share<D>> {
        let (a, b) = (contact.key.a as usize, contact.key.b as usize);
        let cell = self.cell.as_ref().filter(|cell| cell.press.is_some() && a >= self.walls.len())?;
        cell.share(cell.nearest(self.bodies.pose[b].x - self.bodies.pose[a].x))
    }

    /// Velocity of b relative to a at a contact at the start of the step.
    pub fn velocity_before(&self, contact: &Contact<D>) -> D::Vec {
        let velocity = contact.velocity(&self.before);
        match (self.share(contact), &self.cell) {
            (Some(share), Some(cell)) => velocity - share.velocity(&cell.motion().plus(&self.cell_before, -1.0)),
            _ => velocity,
        }
    }

    /// How much faster the image of b that touches moves than b itself [m/s], as far as the lattice follows no stress.
    pub fn forced_jump(&self, contact: &Contact<D>) -> D::Vec {
        let (_, jump) = self.nearest_image(contact.key.a as usize, contact.key.b as usize);
        match (self.share(contact), &self.cell) {
            (Some(share), Some(cell)) => jump - share.velocity(&cell.motion()),
            _ => jump,
        }
    }

    /// Lets the lattice of the cell change otherwise, and the images at contacts move with it.
    pub fn set_cell_motion(&mut self, motion: &Motion<D>) {
        let Some(cell) = &mut self.cell else { return };
        cell.set_motion(motion);
        let walls = self.walls.len();
        for contact in self.network.contacts.iter_mut().filter(|contact| contact.key.a as usize >= walls) {
            let pair = (contact.key.a as usize, contact.key.b as usize);
            let jump = across(&self.cell, &self.bodies, walls, pair).1;
            *contact = swelling(*contact, jump, self.growth, &self.bodies);
        }
    }

    /// Work of the stress that a cell follows, in a step of `dt` [J]; its lengths are those of the start.
    pub fn press_work(&self, dt: f64) -> f64 {
        let mean = |cell: &Cell<D>| cell.motion().plus(&self.cell_before, 1.0).times(0.5);
        self.cell.as_ref().map_or(0.0, |cell| cell.pull().dot(&mean(cell)) * dt)
    }

    /// Which image of a body lies in the cell; the body itself without a cell, and a wall.
    pub fn home(&self, body: usize) -> Image {
        match &self.cell {
            Some(cell) if body >= self.walls.len() => cell.home(self.bodies.pose[body].x),
            _ => SELF,
        }
    }

    /// Where the image of a body is that lies in the cell [m]; the body itself without a cell.
    pub fn home_place(&self, body: usize) -> D::Vec {
        let x = self.bodies.pose[body].x;
        self.cell.as_ref().map_or(x, |cell| x + cell.shift(self.home(body)))
    }

    /// How the image of a body moves that lies in the cell [m/s]; the body itself without a cell.
    pub fn home_velocity(&self, body: usize) -> D::Vec {
        let v = self.bodies.twist[body].v;
        self.cell.as_ref().map_or(v, |cell| v + cell.jump(self.home(body)))
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

    /// Energy that grains gained where they crossed the border of a cell that is sheared or strained [J]: work of the cell.
    pub fn border_work(&self) -> f64 {
        match &self.cell {
            Some(cell) if cell.is_moving() => {
                self.movable().map(|k| self.home_kinetic_energy(k) - self.bodies.kinetic_energy(k)).sum()
            }
            _ => 0.0,
        }
    }

    /// Half the way that neighbouring images may go against each other within `dt`, beside the bodies [m].
    pub fn image_travel(&self, dt: f64) -> f64 {
        self.cell.as_ref().map_or(0.0, |cell| 0.5 * cell.pace() * dt)
    }
}

/// How far away from b, and how much faster, the image of b is that is nearest to a.
pub(super) fn across<D: Dim>(
    cell: &Option<Cell<D>>,
    bodies: &Bodies<D>,
    walls: usize,
    (a, b): (usize, usize),
) -> (D::Vec, D::Vec) {
    match cell {
        Some(cell) if a >= walls => {
            let image = cell.nearest(bodies.pose[b].x - bodies.pose[a].x);
            (cell.shift(image), cell.jump(image))
        }
        _ => (D::Vec::ZERO, D::Vec::ZERO),
    }
}
