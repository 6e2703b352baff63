//! Contacts of bodies that are no single balls, as they will be at the end of the step.
//!
//! Which corners and edges of two stones face each other changes while they move, and so do their normals: a corner that
//! slides along a face that turns sinks into it. The contacts of a step are those of its start; here the bodies go to where
//! their motion leads them, and what overlaps there is held as it is there. All contacts of the end allow bodies to rest
//! against each other, so what is held can be fulfilled.

use glam::DQuat;

use super::{World, across};
use crate::body::{Bodies, Pose};
use crate::contact::shelf::in_space3;
use crate::contact::touch::touch_again;
use crate::contact::{Coincident, Contact, Shelf};
use crate::dim::{Dim, Vector};

/// Pairs that move against each other by less than this part of their radius are not looked at: in a hundred steps they sink by
/// less than what a stone notices.
const STILL: f64 = 1e-8;

/// A contact of the end of the step.
#[derive(Clone, Copy, Debug)]
pub struct Ahead<D: Dim> {
    /// As one of the start: with the normal of the end, at the points of both bodies that meet then, and with a gap from which
    /// the motion leads to that of the end.
    pub contact: Contact<D>,
    /// Gap at the end [m].
    pub gap: f64,
}

impl<D: Dim> World<D> {
    /// Contacts where the bodies, moving as they do now, will overlap after `dt`, of all pairs with a body that is no single
    /// ball.
    ///
    /// The neighbours are those of the last look for contacts.
    pub fn ahead(&mut self, dt: f64) -> Result<Vec<Ahead<D>>, Coincident> {
        if self.bodies.outlines.is_empty() {
            return Ok(Vec::new());
        }
        let start = (self.bodies.pose.clone(), self.bodies.twist.clone(), self.cell.clone());
        let rim: Vec<f64> = (0..self.bodies.len()).map(|body| self.rim_travel(body, dt)).collect();
        self.drift(dt);
        let met = self.overlaps(&rim, dt);
        let end = std::mem::replace(&mut self.bodies.pose, start.0);
        (self.bodies.twist, self.cell) = (start.1, start.2);
        let brought = |contact: Contact<D>| Ahead { gap: contact.gap, contact: self.brought_back(contact, &end, dt) };
        Ok(met?.into_iter().map(brought).collect())
    }

    /// Contacts that overlap where the bodies are, of all pairs with a body that is no single ball and that came here with their
    /// velocities and with such travels of their rims.
    fn overlaps(&mut self, rim: &[f64], dt: f64) -> Result<Vec<Contact<D>>, Coincident> {
        let (mut shelf, mut met) = (Shelf::default(), Vec::new());
        let World { bodies, surfaces, neighbours, cell, walls, .. } = self;
        for (&(a, b), hint) in neighbours.pairs.iter().zip(&mut neighbours.hints) {
            let (a, b) = (a as usize, b as usize);
            if [a, b].iter().all(|body| bodies.shape[*body].outline().is_none()) {
                continue;
            }
            let (shift, jump) = across(cell, bodies, walls.len(), (a, b));
            let way = (bodies.twist[b].v - bodies.twist[a].v + jump).norm() * dt + rim[a] + rim[b];
            if way < STILL * bodies.inner_radius(a).min(bodies.inner_radius(b)) {
                continue;
            }
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
