//! Prediction of contacts at the end of the step, for bodies other than disks and spheres.
//!
//! Which corners and edges of two polygons or polyhedra face each other changes while they move, and so do their
//! normals: a corner that slides along a turning face penetrates it. The contacts of a step are those of its start.
//! Here the bodies are moved to where their velocities lead, and every overlap there becomes a contact with its normal
//! there. Bodies can always rest against each other at the contacts of the end, so these can be satisfied.

use glam::DQuat;

use super::{NearestImage, Scratch, Setup, State, World, nearest_image};
use crate::body::{Bodies, Pose};
use crate::contact::narrow::find_contacts_cached;
use crate::contact::rotated::in_space3;
use crate::contact::search::PairPart;
use crate::contact::{Coincident, Contact, PairCache, PairQuery};
use crate::dim::{Dim, Vector};
use crate::threads;

/// Pairs that move against each other by less than this fraction of their radius are left out: in a hundred steps they
/// penetrate by less than the resolution of contacts between polyhedra.
const STILL: f64 = 1e-8;

/// A contact that is predicted for the end of the step.
#[derive(Clone, Copy, Debug)]
pub struct PredictedContact<D: Dim> {
    /// The contact in the configuration of the start: with the normal of the end, at the points of both bodies that
    /// touch there, and with the gap that the motion closes to that of the end.
    pub contact: Contact<D>,
    /// Gap at the end [m].
    pub gap: f64,
}

impl<D: Dim> World<D> {
    /// Contacts where the bodies, with their present velocities, will overlap after `dt`, for all pairs with a body
    /// that is not a disk or sphere.
    ///
    /// It uses the neighbour list of the last contact search.
    pub fn predicted(&mut self, dt: f64) -> Result<Vec<PredictedContact<D>>, Coincident> {
        if self.bodies.outlines.is_empty() {
            return Ok(Vec::new());
        }
        let start = (self.bodies.pose.clone(), self.bodies.twist.clone(), self.cell.clone());
        let rim: Vec<f64> = (0..self.bodies.len()).map(|body| self.rim_travel(body, dt)).collect();
        self.drift(dt);
        let met = self.overlaps(&rim, dt);
        let end = std::mem::replace(&mut self.bodies.pose, start.0);
        (self.bodies.twist, self.cell) = (start.1, start.2);
        let brought =
            |contact: Contact<D>| PredictedContact { gap: contact.gap, contact: self.brought_back(contact, &end, dt) };
        Ok(met?.into_iter().map(brought).collect())
    }

    /// Contacts that overlap at the present positions, for all pairs with a body that is not a disk or sphere; `rim` is
    /// how far the corners of each body travelled because it turned [m].
    fn overlaps(&mut self, rim: &[f64], dt: f64) -> Result<Vec<Contact<D>>, Coincident> {
        let World { state: State { bodies, cell, .. }, setup, scratch: Scratch { neighbours, hulls, .. } } = self;
        let (Setup { surfaces, walls, .. }, pairs) = (setup, neighbours.pairs.len());
        let find = |part: PairPart<D>| {
            let mut met = Vec::new();
            part.hulls.begin(bodies);
            for (&(a, b), separating) in part.pairs.iter().zip(part.hints) {
                let (a, b) = (a as usize, b as usize);
                if [a, b].iter().all(|body| bodies.shape[*body].outline().is_none()) {
                    continue;
                }
                let NearestImage { shift, velocity: image_velocity } = nearest_image(cell, bodies, walls.len(), a, b);
                let way = (bodies.twist[b].v - bodies.twist[a].v + image_velocity).norm() * dt + rim[a] + rim[b];
                if way < STILL * bodies.inner_radius(a).min(bodies.inner_radius(b)) {
                    continue;
                }
                let query = PairQuery { a, b, shift, reach: 0.0 };
                let cache = PairCache { hulls: part.hulls, separating };
                find_contacts_cached(bodies, surfaces, &query, cache, |contact| met.push(contact))?;
            }
            Ok(met)
        };
        let found = threads::map(neighbours.parts(hulls), pairs, find);
        Ok(found.into_iter().collect::<Result<Vec<_>, Coincident>>()?.concat())
    }

    /// Converts a contact of the end of the step to the configuration of its start. The force acts on both bodies at
    /// one point, half-way between the points that will touch.
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
        let NearestImage { shift, velocity: image_velocity } = self.nearest_image(a, b);
        let (arm_a, arm_b) = match self.setup.surfaces.get(a) {
            Some(surface) => (surface.arm(pose[a].x, pose[b].x + foot, contact.normal), foot),
            None => {
                let apart = pose[b].x + shift - pose[a].x;
                let point = (back(a, contact.arm_a - half) + apart + foot) * 0.5;
                (point, point - apart)
            }
        };
        let held = Contact { arm_a, arm_b, image_velocity, ..contact };
        Contact { gap: contact.gap - held.velocity(twist).dot(held.normal) * dt, ..held }
    }
}
