//! Equilibrium start: initial overlaps at which elastic forces and friction balance all loads.
//!
//! Grains that are placed without overlaps sink in and oscillate, which mobilises friction. Here they are moved, by
//! about an overlap, to positions at which the normal forces of their laws and an admissible friction balance; the
//! first step itself finds that friction.

use super::Dae;
use super::field::EvaluationTime;
use super::soft_contact::{PairLaw, couple};
use crate::contact::{Coincident, Contact};
use crate::dim::{Dim, Vector};
use crate::law::soft::Couple;
use crate::law::soft::normal::Squeeze;
use crate::method::Alarm;
use crate::method::statics::{
    ContactSpring, Equilibrium, SupportContact, SupportedBody, alarm, find_equilibrium, update_equilibrium,
};
use crate::world::World;

/// Largest number of rounds of balancing and moving: each leaves an error of about the square of the rotation of the
/// normals.
const ROUNDS: usize = 12;
/// Displacements below this share of the radius count as rounding errors.
const STILL: f64 = 1e-14;
/// Largest gap, over the radii, across which two grains are pressed together, however soft they are.
const NEAR: f64 = 0.05;

impl<D: Dim> Dae<D> {
    /// Moves the bodies to where elastic forces balance all loads; warns if no such positions were found.
    pub(super) fn start_in_equilibrium(&mut self, world: &mut World<D>) -> Result<Option<Alarm>, Coincident> {
        let time = world.clock.time;
        let load =
            self.field.weights(world, EvaluationTime { ahead: 0.0, weight: 0.0, time, step: self.dt, now: time });
        let pull = |body: usize| load[body].force * world.bodies.inertia[body].inv_m;
        let held: Vec<Option<SupportedBody<D>>> =
            (0..world.bodies.len()).map(|body| SupportedBody::of(world, body, pull(body))).collect();
        let total: f64 = load.iter().map(|load| load.force.norm()).sum();
        let contacts = self.near(world, total)?;
        let even = total / contacts.len().max(1) as f64;
        let start: Vec<SupportContact<D>> = contacts.iter().map(|contact| self.bearing(world, contact, even)).collect();
        let mut found = match find_equilibrium(&held, &start) {
            Equilibrium::Found(found) => found,
            answer => return Ok(alarm(&answer)),
        };
        let places: Vec<D::Vec> = world.bodies.pose.iter().map(|pose| pose.x).collect();
        for _ in 0..ROUNDS {
            let moved = self.shift(world, &found.moves);
            let now = self.near(world, total)?;
            let again = |(old, force): (&Contact<D>, &D::Vec)| {
                let place = now.binary_search_by_key(&old.key, |contact| contact.key);
                let contact = place.map_or(old, |k| &now[k]);
                self.bearing(world, contact, force.dot(contact.normal))
            };
            let bearings: Vec<SupportContact<D>> = contacts.iter().zip(&found.forces).map(again).collect();
            if moved <= STILL {
                break;
            }
            found = match update_equilibrium(&held, &bearings, &found) {
                Some(found) => found,
                None => break, // the remaining error is of the order of the last displacement, and decays in oscillations
            };
        }
        for (body, place) in places.into_iter().enumerate().filter(|(body, _)| held[*body].is_some()) {
            // moving the grains does work on them
            world.ledger.wall_work -= load[body].force.dot(world.bodies.pose[body].x - place);
        }
        Ok(None)
    }

    /// Moves bodies; returns the largest displacement over the radius.
    fn shift(&self, world: &mut World<D>, moves: &[D::Vec]) -> f64 {
        let mut largest: f64 = 0.0;
        for (body, step) in moves.iter().enumerate() {
            world.bodies.pose[body].x += *step;
            let radius = world.bodies.shape[body].radius();
            largest = largest.max(if radius > 0.0 { step.norm() / radius } else { 0.0 });
        }
        largest
    }

    /// Contacts that may carry a force after the grains have moved: gaps below the overlap under all weights together.
    fn near(&self, world: &mut World<D>, total: f64) -> Result<Vec<Contact<D>>, Coincident> {
        let radius: Vec<f64> = world.bodies.shape.iter().map(|shape| shape.radius()).collect();
        let travel: Vec<f64> = radius.iter().map(|radius| NEAR * radius).collect();
        world.sense(&travel, |a, b| travel[a] + travel[b])?;
        let is_near = |contact: &&Contact<D>| match self.field.law(contact, &world.bodies) {
            Some(law) => contact.gap <= overlap_under(law, couple(contact, &world.bodies), total),
            None => false,
        };
        let can_move = |contact: &&Contact<D>| {
            [contact.key.a, contact.key.b].iter().any(|body| world.bodies.inertia[*body as usize].is_movable())
        };
        Ok(world.network.contacts.iter().filter(can_move).filter(is_near).copied().collect())
    }

    /// A contact for the search of admissible forces, with its stiffness under the force `press`.
    fn bearing(&self, world: &World<D>, contact: &Contact<D>, press: f64) -> SupportContact<D> {
        let law = self.field.law(contact, &world.bodies).expect("contacts without a law are left out");
        let press = if press > 0.0 { press } else { f64::MIN_POSITIVE.sqrt() };
        let overlap = overlap_under(law, couple(contact, &world.bodies), press);
        SupportContact {
            bodies: [contact.key.a, contact.key.b].map(|body| body as usize),
            normal: contact.normal,
            arms: [contact.arm_a, contact.arm_b],
            friction: law.grip.r#static,
            pull: 0.0,
            spring: Some(ContactSpring { stiffness: press / overlap, overlap: -contact.gap }),
        }
    }
}

/// The static overlap at which a law gives this force: bisection, after doubling the upper bound as often as needed.
fn overlap_under(law: &PairLaw, couple: Couple, force: f64) -> f64 {
    let press = |overlap: f64| law.normal.push(couple, Squeeze { overlap, rate: 0.0 }, &mut 0.0).force;
    let (mut low, mut high) = (0.0, couple.radius);
    while press(high) < force && high.is_finite() {
        (low, high) = (high, 2.0 * high);
    }
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if press(middle) < force { low = middle } else { high = middle }
    }
}
