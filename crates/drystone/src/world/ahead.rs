//! Contacts of bodies that are no single balls, as they will be at the end of the step.
//!
//! Which corners and edges of two stones face each other changes while they move. The contacts of a step are those of its
//! start; here the bodies go to where their motion leads them, and what overlaps there is held, too. All contacts of the
//! end allow bodies to rest against each other, so what is held can be fulfilled.

use glam::DQuat;

use super::{World, across};
use crate::body::{Bodies, Pose};
use crate::contact::shelf::in_space3;
use crate::contact::touch::touch_again;
use crate::contact::{Coincident, Contact, Shelf};
use crate::dim::{Dim, Vector};

impl<D: Dim> World<D> {
    /// Contacts that the network lacks, although the bodies, moving as they do now, will overlap there after `dt`: with the
    /// normals that they have then, at the points of both bodies that meet then, and with gaps from which this motion leads
    /// to the overlaps of then.
    ///
    /// The neighbours are those of the last look for contacts.
    pub fn ahead(&mut self, dt: f64) -> Result<Vec<Contact<D>>, Coincident> {
        if self.bodies.outlines.is_empty() {
            return Ok(Vec::new());
        }
        let start = (self.bodies.pose.clone(), self.bodies.twist.clone(), self.cell.clone());
        self.drift(dt);
        let met = self.overlaps();
        let end = std::mem::replace(&mut self.bodies.pose, start.0);
        (self.bodies.twist, self.cell) = (start.1, start.2);
        let known = |contact: &Contact<D>| self.network.contacts.binary_search_by_key(&contact.key, |c| c.key).is_ok();
        let brought =
            met?.into_iter().filter(|contact| !known(contact)).map(|contact| self.brought_back(contact, &end, dt));
        Ok(brought.collect())
    }

    /// Contacts that overlap where the bodies are, of all pairs with a body that is no single ball.
    fn overlaps(&mut self) -> Result<Vec<Contact<D>>, Coincident> {
        let (mut shelf, mut met) = (Shelf::default(), Vec::new());
        let World { bodies, surfaces, neighbours, cell, walls, .. } = self;
        for (&(a, b), hint) in neighbours.pairs.iter().zip(&mut neighbours.hints) {
            let (a, b) = (a as usize, b as usize);
            if [a, b].iter().all(|body| bodies.shape[*body].outline().is_none()) {
                continue;
            }
            let (shift, _) = across(cell, bodies, walls.len(), (a, b));
            touch_again(bodies, surfaces, (a, b), (shift, 0.0), (&mut shelf, hint), |contact| met.push(contact))?;
        }
        Ok(met)
    }

    /// A contact of the end of the step as one of its start. Both bodies feel the force at one point, half-way between
    /// where the points were that meet.
    fn brought_back(&self, contact: Contact<D>, end: &[Pose<D>], dt: f64) -> Contact<D> {
        let (a, b) = (contact.key.a as usize, contact.key.b as usize);
        let Bodies { pose, twist, .. } = &self.bodies;
        let back = |body: usize, arm: D::Vec| {
            let turned = |pose: &Pose<D>| DQuat::from_array(D::quaternion(pose.q));
            let arm = turned(&pose[body]) * (turned(&end[body]).conjugate() * in_space3(arm));
            D::Vec::from_fn(|axis| arm[axis])
        };
        let half = contact.normal * (0.5 * contact.gap);
        let foot = back(b, contact.arm_b + half);
        let (shift, jump) = self.nearest_image(a, b);
        let (arm_a, arm_b) = match self.surfaces.get(a) {
            Some(surface) => (surface.arm(pose[a].x, pose[b].x + foot, contact.normal), foot),
            None => {
                let apart = pose[b].x + shift - pose[a].x;
                let point = (back(a, contact.arm_a - half) + apart + foot) * 0.5;
                (point, point - apart)
            }
        };
        let held = Contact { arm_a, arm_b, jump, ..contact };
        Contact { gap: contact.gap - held.velocity(twist).dot(held.normal) * dt, ..held }
    }
}
