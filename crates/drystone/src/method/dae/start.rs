//! The overlaps that the first step starts from: such that elastic forces and friction balance all loads.
//!
//! Grains that are put down without overlaps sink in and swing, and friction is used up on the way. Here they are moved, by
//! about an overlap, to where the normal forces of their laws can be held by friction that every contact bears; which friction
//! that is, the first step finds by itself.

use super::Dae;
use super::field::EvaluationTime;
use super::soft_contact::{PairLaw, couple};
use crate::contact::{Coincident, Contact};
use crate::dim::{Dim, Vector};
use crate::law::soft::Couple;
use crate::law::soft::normal::{NormalForce, Squeeze};
use crate::method::Alarm;
use crate::method::statics::{
    ContactSpring, Equilibrium, SupportContact, SupportedBody, alarm, find_equilibrium, update_equilibrium,
};
use crate::world::World;

/// Rounds of moving and balancing anew: each leaves about the square of what normals turn by.
const ROUNDS: usize = 12;
/// Moves below this part of the radius are rounding.
const STILL: f64 = 1e-14;
/// Part of their radii that two grains may be apart and still be pressed in, however soft they are.
const NEAR: f64 = 0.05;

impl<D: Dim> Dae<D> {
    /// Moves the bodies to where elastic forces balance all loads; says so if that was not found.
    pub(super) fn start_in_equilibrium(&mut self, world: &mut World<D>) -> Result<Option<Alarm>, Coincident> {
        let time = world.clock.time;
        let load = self.field.weights(world, EvaluationTime { ahead: 0.0, weight: 0.0, time, step: self.dt });
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
                None => break, // what is left is of the order of the last move, and swings out
            };
        }
        for (body, place) in places.into_iter().enumerate().filter(|(body, _)| held[*body].is_some()) {
            // whoever moves grains does work on them
            world.ledger.wall_work -= load[body].force.dot(world.bodies.pose[body].x - place);
        }
        Ok(None)
    }

    /// Moves bodies; the largest move over the radius.
    fn shift(&self, world: &mut World<D>, moves: &[D::Vec]) -> f64 {
        let mut largest: f64 = 0.0;
        for (body, step) in moves.iter().enumerate() {
            world.bodies.pose[body].x += *step;
            let radius = world.bodies.shape[body].radius();
            largest = largest.max(if radius > 0.0 { step.norm() / radius } else { 0.0 });
        }
        largest
    }

    /// Contacts that may press when all weights have moved the grains: gaps below the overlap under all of them.
    fn near(&self, world: &mut World<D>, total: f64) -> Result<Vec<Contact<D>>, Coincident> {
        let radius: Vec<f64> = world.bodies.shape.iter().map(|shape| shape.radius()).collect();
        let travel: Vec<f64> = radius.iter().map(|radius| NEAR * radius).collect();
        world.sense(&travel, |a, b| travel[a] + travel[b])?;
        let is_near = |contact: &&Contact<D>| match self.field.law(contact, &world.bodies) {
            Some(law) => contact.gap <= overlap_under(&law, couple(contact, &world.bodies), total),
            None => false,
        };
        let can_move = |contact: &&Contact<D>| {
            [contact.key.a, contact.key.b].iter().any(|body| world.bodies.inertia[*body as usize].is_movable())
        };
        Ok(world.network.contacts.iter().filter(can_move).filter(is_near).copied().collect())
    }

    /// A contact as one that may bear a force, with the stiffness that it has under `press`.
    fn bearing(&self, world: &World<D>, contact: &Contact<D>, press: f64) -> SupportContact<D> {
        let law = self.field.law(contact, &world.bodies).expect("contacts without a law are left out");
        let press = if press > 0.0 { press } else { f64::MIN_POSITIVE.sqrt() };
        let overlap = overlap_under(&law, couple(contact, &world.bodies), press);
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

/// The overlap at which a law presses with a force, at rest: bisection between bounds that are doubled first.
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
