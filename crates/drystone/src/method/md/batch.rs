//! Contacts in batches of one combination of laws: each law runs over the batch by itself, and is chosen once a batch.

use super::patch::Patch;
use super::scene::Scene;
use super::seen::{Seen, see};
use super::share::Share;
use crate::body::Twist;
use crate::contact::ContactKey;
use crate::dim::{Dim, Vector};
use crate::law::soft::normal::{NormalForce, Push, Squeeze, with_normal};
use crate::law::soft::rolling::{Resistance, Roll};
use crate::law::soft::tangential::{Slip, TangentialForce, with_tangential};
use crate::law::soft::{Couple, Memory, SoftLaw};
use crate::method::cd::line::Line;

/// Contacts in a batch: what a batch needs stays in the first cache.
const BATCH: usize = 32;

/// A contact of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Touching<D: Dim> {
    /// Its slot in the unit's share of the memories.
    pub slot: usize,
    /// Seat of the first body, or wall.
    pub a: u32,
    /// Seat of the second body.
    pub b: u32,
    /// Face of the wall.
    pub feature: u32,
    /// Unit normal from a to b.
    pub normal: D::Vec,
    /// Overlap [m].
    pub overlap: f64,
    /// Distances of the contact from the centres [m].
    pub arms: [f64; 2],
    /// From the middles of capsules to where they touch, or from the axis of a wall [m]; zero for balls.
    pub offsets: [D::Vec; 2],
    /// Reduced mass and radius.
    pub couple: Couple,
    /// Velocity of b relative to a at the contact [m/s].
    pub u: D::Vec,
}

/// Contacts that obey the same laws.
#[derive(Debug)]
pub struct Batch<D: Dim> {
    law: usize,
    count: usize,
    contacts: [Touching<D>; BATCH],
}

impl<D: Dim> Default for Batch<D> {
    fn default() -> Self {
        Batch { law: 0, count: 0, contacts: [Touching::default(); BATCH] }
    }
}

impl<D: Dim> Share<'_, D> {
    /// Adds a contact to the batch, which is worked off first if it is full or of other laws.
    #[inline(always)]
    pub(super) fn take(&mut self, scene: &Scene<D>, batch: &mut Batch<D>, mut contact: Touching<D>, at_wall: bool) {
        let [a, b] = motions(scene, self.patch, &contact);
        let law = self.patch.law(scene, [contact.a, contact.b]);
        if batch.count == BATCH || law != batch.law {
            self.flush(scene, batch, at_wall);
            batch.law = law;
        }
        let [ra, rb] = contact.arms;
        contact.u = b.v - a.v - D::swing(b.w * rb + a.w * ra, contact.normal); // u = H^T V [Brendel eq. 1.14]
        if scene.growth != 0.0 {
            contact.u -= contact.normal * self.swelling(scene, &contact, at_wall);
        }
        batch.contacts[batch.count] = contact;
        batch.count += 1;
    }

    /// Works off the batch: normal law, attraction, tangential law, rolling, and the forces on the bodies.
    pub(super) fn flush(&mut self, scene: &Scene<D>, batch: &mut Batch<D>, at_wall: bool) {
        let contacts = &batch.contacts[..batch.count];
        batch.count = 0;
        if contacts.is_empty() {
            return;
        }
        let law = &scene.rules.laws[batch.law];
        if !law.remembers_more() && !scene.is_watched {
            return self.flush_plain(scene, law, contacts, at_wall);
        }
        let slots = if at_wall { &mut self.at_walls } else { &mut self.between };
        let mut push = [Push::default(); BATCH];
        let mut tangential = [D::Vec::ZERO; BATCH];
        let mut resistance = [Resistance::<D>::default(); BATCH];
        let mut memories = [Memory::<D>::default(); BATCH];
        for (contact, memory) in contacts.iter().zip(&mut memories) {
            *memory = slots.recall(contact.slot, law.turning, contact.normal);
        }
        with_normal!(&law.normal, normal => press(normal, contacts, &mut push, &mut memories));
        let mut grip = [0.0; BATCH];
        for k in 0..contacts.len() {
            grip[k] = push[k].force.max(0.0);
        }
        if let Some(attraction) = &law.attraction {
            for (k, contact) in contacts.iter().enumerate() {
                let pull = attraction.pull(contact.couple, contact.overlap, law.modulus, &mut memories[k].is_bound);
                grip[k] = (grip[k] + pull.press).max(0.0);
                push[k].force -= pull.force;
            }
        }
        let dt = scene.dt;
        with_tangential!(&law.tangential, tangent => {
            slide(tangent, contacts, (&push, &grip, dt), &mut memories, &mut tangential);
        });
        if law.rolling.is_some() || law.torsion.is_some() {
            roll(law, (scene, self.patch), contacts, (&push, &grip), &mut memories, &mut resistance);
        }
        for (k, contact) in contacts.iter().enumerate().filter(|_| !scene.is_watched) {
            match contact.overlap > 0.0 || memories[k].is_bound {
                true => {
                    slots.touch(contact.slot);
                    slots.keep(contact.slot, &memories[k]);
                }
                false => slots.part(contact.slot),
            }
        }
        for (k, contact) in contacts.iter().enumerate() {
            self.scatter(scene, contact, (push[k].force, tangential[k], &resistance[k]), at_wall);
        }
        if scene.is_watched {
            for (k, contact) in contacts.iter().enumerate() {
                let a = if at_wall { contact.a - self.unit.first_wall() } else { self.unit.body(contact.a) };
                let key = ContactKey { a, b: self.unit.body(contact.b), feature: contact.feature };
                let seen = see(law, (scene, self.patch), (key, contact), (&push[k], grip[k]), &memories[k]);
                let force = contact.normal * push[k].force + tangential[k] + resistance[k].force;
                self.unit.seen.push(Seen { force, torque: resistance[k].torques[1], ..seen });
            }
        }
    }

    /// Works off a batch of contacts that remember a spring and nothing else: most contacts, and all the time.
    fn flush_plain(&mut self, scene: &Scene<D>, law: &SoftLaw, contacts: &[Touching<D>], at_wall: bool) {
        let slots = if at_wall { &mut self.at_walls } else { &mut self.between };
        let mut push = [Push::default(); BATCH];
        let mut tangential = [D::Vec::ZERO; BATCH];
        with_normal!(&law.normal, normal => {
            for (contact, push) in contacts.iter().zip(&mut push) {
                let squeeze = Squeeze { overlap: contact.overlap, rate: -contact.u.dot(contact.normal) };
                *push = normal.push(contact.couple, squeeze, &mut 0.0);
            }
        });
        with_tangential!(&law.tangential, tangent => {
            for (k, contact) in contacts.iter().enumerate() {
                let mut memory = slots.recall_spring(contact.slot, law.turning, contact.normal);
                let slip = slip(contact, &push[k], push[k].force.max(0.0), scene.dt);
                tangential[k] = tangent.force(&slip, &mut memory);
                slots.touch(contact.slot);
                slots.keep_spring(contact.slot, memory.spring);
            }
        });
        for (k, contact) in contacts.iter().enumerate() {
            self.scatter(scene, contact, (push[k].force, tangential[k], &Resistance::default()), at_wall);
        }
    }

    /// How fast surfaces come nearer because grains that can move grow [m/s].
    fn swelling(&self, scene: &Scene<D>, contact: &Touching<D>, at_wall: bool) -> f64 {
        let [a, b] = [contact.a, contact.b].map(|seat| self.patch.motion[seat as usize].inv_m() > 0.0);
        let [ra, rb] = contact.arms;
        scene.growth * (if a && !at_wall { ra } else { 0.0 } + if b { rb } else { 0.0 })
    }

    /// Adds the forces of a contact to its bodies, and enters it in the books.
    #[inline(always)]
    fn scatter(
        &mut self,
        scene: &Scene<D>,
        contact: &Touching<D>,
        (push, tangential, resistance): (f64, D::Vec, &Resistance<D>),
        at_wall: bool,
    ) {
        let outcome = &mut self.unit.outcome;
        outcome.touching += 1;
        let [ra, rb] = contact.arms;
        let smaller = if at_wall { rb } else { ra.min(rb) };
        outcome.deepest = outcome.deepest.max(contact.overlap / smaller);
        let force = contact.normal * push + tangential + resistance.force; // the last acts at the centres
        let turn = D::torque(contact.normal, tangential);
        let [mut ta, mut tb] = resistance.torques;
        outcome.taken[0] -= push * contact.u.dot(contact.normal);
        outcome.taken[1] -= tangential.dot(contact.u);
        if *resistance != Resistance::default() {
            let [a, b] = motions(scene, self.patch, contact);
            outcome.taken[2] -= resistance.force.dot(b.v - a.v) + ta.dot(a.w) + tb.dot(b.w);
        }
        if scene.growth != 0.0 {
            let swelling = self.swelling(scene, contact, at_wall);
            self.unit.outcome.swelling += push * swelling;
        }
        if scene.has_offsets {
            ta -= D::torque(contact.offsets[0], force);
            tb += D::torque(contact.offsets[1], force);
        }
        add(&mut self.patch.wrench[contact.a as usize], -force, ta - turn * ra);
        add(&mut self.patch.wrench[contact.b as usize], force, tb - turn * rb);
    }
}

/// How the two bodies of a contact move: capsules at the point of their segment that is nearest.
#[inline(always)]
fn motions<D: Dim>(scene: &Scene<D>, patch: &Patch<D>, contact: &Touching<D>) -> [Twist<D>; 2] {
    let [a, b] = [contact.a, contact.b].map(|seat| patch.motion[seat as usize].twist());
    if !scene.has_offsets {
        return [a, b];
    }
    let [p, q] = contact.offsets;
    [Twist { v: a.v + D::swing(a.w, p), w: a.w }, Twist { v: b.v + D::swing(b.w, q), w: b.w }]
}

/// Adds a force and a torque.
#[inline(always)]
fn add<D: Dim>(wrench: &mut Line<D>, force: D::Vec, torque: D::Spin) {
    let Twist { v, w } = wrench.twist();
    wrench.set_twist(&Twist { v: v + force, w: w + torque });
}

#[inline]
fn press<D: Dim, L: NormalForce>(law: &L, contacts: &[Touching<D>], push: &mut [Push], memories: &mut [Memory<D>]) {
    for ((contact, push), memory) in contacts.iter().zip(push).zip(memories) {
        if contact.overlap > 0.0 {
            let squeeze = Squeeze { overlap: contact.overlap, rate: -contact.u.dot(contact.normal) };
            *push = law.push(contact.couple, squeeze, &mut memory.deepest);
        }
    }
}

#[inline]
fn slide<D: Dim, L: TangentialForce>(
    law: &L,
    contacts: &[Touching<D>],
    (push, grip, dt): (&[Push], &[f64], f64),
    memories: &mut [Memory<D>],
    force: &mut [D::Vec],
) {
    for (k, contact) in contacts.iter().enumerate() {
        if contact.overlap > 0.0 {
            let slip = slip(contact, &push[k], grip[k], dt);
            force[k] = law.force(&slip, &mut memories[k]);
        }
    }
}

/// How the surfaces of a contact slide.
#[inline]
pub fn slip<D: Dim>(contact: &Touching<D>, push: &Push, press: f64, dt: f64) -> Slip<D> {
    let Push { stiffness, damping, .. } = *push;
    Slip { normal: contact.normal, velocity: contact.u.tangent_to(contact.normal), press, stiffness, damping, dt }
}

/// The rolling motion of a contact; its limit is still open.
pub fn rolls<D: Dim>(
    (scene, patch): (&Scene<D>, &Patch<D>),
    contact: &Touching<D>,
    push: &Push,
    press: f64,
) -> Roll<D> {
    let [a, b] = motions(scene, patch, contact);
    Roll {
        normal: contact.normal,
        spins: [a.w, b.w],
        velocity: b.v - a.v,
        press,
        limit: 0.0,
        stiffness: push.stiffness,
        couple: contact.couple,
        dt: scene.dt,
    }
}

fn roll<D: Dim>(
    law: &SoftLaw,
    (scene, patch): (&Scene<D>, &Patch<D>),
    contacts: &[Touching<D>],
    (push, grip): (&[Push], &[f64]),
    memories: &mut [Memory<D>],
    resistance: &mut [Resistance<D>],
) {
    for (k, contact) in contacts.iter().enumerate().filter(|(_, contact)| contact.overlap > 0.0) {
        let mut roll = rolls((scene, patch), contact, &push[k], grip[k]);
        if let Some((rolling, lever)) = &law.rolling {
            roll.limit = SoftLaw::limit(lever, roll.couple, grip[k], scene.depth);
            resistance[k] = rolling.resist(&roll, &mut memories[k]);
        }
        if let Some((torsion, lever)) = &law.torsion {
            roll.limit = SoftLaw::limit(lever, roll.couple, grip[k], scene.depth);
            let torque = torsion.resist(&roll, &mut memories[k]);
            let [a, b] = &mut resistance[k].torques;
            *a -= torque;
            *b += torque;
        }
    }
}
