//! Contacts in batches of one combination of laws: each law runs over the batch by itself, and is chosen once per
//! batch.
//!
//! Any law can be computed here, one contact at a time. All reports of contacts are made here. Contacts of plain laws
//! take the lanes of [`super::force_x4`] instead.

use super::contact_report::{ContactReport, report};
use super::force_input::ForceInput;
use super::local_bodies::LocalBodies;
use super::task::Task;
use crate::body::Twist;
use crate::contact::ContactKey;
use crate::dim::{Dim, Vector};
use crate::lane::MapInlined;
use crate::law::soft::normal::{Compression, Push, Squeeze};
use crate::law::soft::rolling::{Resistance, Roll};
use crate::law::soft::tangential::{BRAKING, Slip};
use crate::law::soft::{Couple, SoftLaw, SoftMemory};
use crate::method::common::solver_body::SolverBody;

/// Contacts in a batch: what a batch needs stays in the first cache.
const BATCH: usize = 32;

/// A contact of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BatchContact<D: Dim> {
    /// Its index among the pairs of the block.
    pub index: usize,
    /// Local index of the first body, or wall.
    pub a: u32,
    /// Local index of the second body.
    pub b: u32,
    /// Face of the wall.
    pub feature: u32,
    /// Unit normal from a to b.
    pub normal: D::Vec,
    /// Overlap [m].
    pub overlap: f64,
    /// From the centres to the surfaces, along the normal; of a wall from its axis [m].
    pub radii: [f64; 2],
    /// From the middles of capsules to where they touch, or from the axis of a wall [m]; zero for balls.
    pub offsets: [D::Vec; 2],
    /// Reduced mass and radius.
    pub couple: Couple,
    /// Velocity of b relative to a at the contact [m/s].
    pub u: D::Vec,
    /// Time over which slip stretches the springs, up to now [s].
    pub slip_time: f64,
    /// See [`first_kick_factor`](super::force_schedule::ForceSchedule::first_kick_factor) and
    /// [`last_kick_factor`](super::force_schedule::ForceSchedule::last_kick_factor): 1 except at the first and last
    /// evaluation.
    pub kick_factor: f64,
    /// Whether this is its first evaluation.
    pub is_new: bool,
    /// See [`Slip::brake`].
    pub brake: f64,
}

impl<D: Dim> BatchContact<D> {
    /// Overlap and its rate.
    #[inline(always)]
    fn squeeze(&self) -> Squeeze {
        Squeeze { overlap: self.overlap, rate: -self.u.dot(self.normal) }
    }

    /// From the centres to the contact, along the normal [m]: see [`arms`].
    #[inline(always)]
    pub(crate) fn arms(&self) -> [f64; 2] {
        arms(self.radii, self.overlap)
    }
}

/// From the centres to the contact, along the normal: the force acts on both bodies at one point, in the middle of the
/// overlap, so that a pair keeps its angular momentum. [Luding08]
#[inline(always)]
pub(crate) fn arms(radii: [f64; 2], overlap: f64) -> [f64; 2] {
    radii.map_inlined(|radius| radius - 0.5 * overlap)
}

/// What acts on b at a contact.
#[derive(Clone, Copy)]
struct ContactForces<D: Dim> {
    /// Normal force [N].
    push: f64,
    /// Tangential force [N].
    tangential: D::Vec,
    /// Resistance to rolling and torsion.
    resistance: Resistance<D>,
}

/// Contacts that obey the same laws.
#[derive(Debug)]
pub(crate) struct Batch<D: Dim> {
    law: usize,
    count: usize,
    contacts: [BatchContact<D>; BATCH],
}

impl<D: Dim> Default for Batch<D> {
    fn default() -> Self {
        Batch { law: 0, count: 0, contacts: [BatchContact::default(); BATCH] }
    }
}

impl<D: Dim> Task<'_, D> {
    /// Adds a contact to the batch, which is processed first if it is full or has other laws.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        input: &ForceInput<D>,
        batch: &mut Batch<D>,
        mut contact: BatchContact<D>,
        at_wall: bool,
    ) {
        let [a, b] = motions(input, self.local, &contact);
        let law = self.local.law(input, [contact.a, contact.b]);
        if batch.count == BATCH || law != batch.law {
            self.run_batch(input, batch, at_wall);
            batch.law = law;
        }
        let [ra, rb] = contact.arms();
        contact.u = b.v - a.v - D::swing(b.w * rb + a.w * ra, contact.normal); // u = H^T V [Brendel eq. 1.14]
        if input.growth != 0.0 {
            contact.u -= contact.normal * self.swelling(input, &contact, at_wall);
        }
        let history = if at_wall { &self.at_walls } else { &self.between };
        let approach = -contact.u.dot(contact.normal);
        contact.is_new = !history.touches(contact.index);
        (contact.slip_time, contact.kick_factor) = match contact.is_new {
            true => {
                let age = input.schedule.contact_age(contact.overlap, approach);
                (age, input.schedule.first_kick_factor(age))
            }
            false => (input.slip_time, input.schedule.last_kick_factor(contact.overlap, approach)),
        };
        contact.brake = BRAKING / (self.ease(&contact) * input.span.abs());
        batch.contacts[batch.count] = contact;
        batch.count += 1;
    }

    /// Processes the batch: normal law, attraction, tangential law, rolling, and the forces on the bodies.
    pub(super) fn run_batch(&mut self, input: &ForceInput<D>, batch: &mut Batch<D>, at_wall: bool) {
        let contacts = &batch.contacts[..batch.count];
        batch.count = 0;
        if contacts.is_empty() {
            return;
        }
        let law = &input.law_table.laws[batch.law];
        if !law.remembers_more() {
            return self.run_batch_of_springs(input, law, contacts, at_wall);
        }
        let history = if at_wall { &mut self.at_walls } else { &mut self.between };
        let mut push = [Push::default(); BATCH];
        let mut tangential = [D::Vec::ZERO; BATCH];
        let mut resistance = [Resistance::<D>::default(); BATCH];
        let mut memories = [SoftMemory::<D>::default(); BATCH];
        for (contact, memory) in contacts.iter().zip(&mut memories) {
            *memory = history.recall(contact.index, law.turning, contact.normal);
        }
        let mut deepest = [0.0; BATCH];
        deepest.iter_mut().zip(&memories).for_each(|(deepest, memory)| *deepest = memory.deepest);
        law.normal.push_all(&compressions(contacts)[..contacts.len()], &mut deepest, &mut push);
        deepest.iter().zip(&mut memories).for_each(|(deepest, memory)| memory.deepest = *deepest);
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
        let tangent = law.tangential.of::<D>();
        let mut slips = [Slip::<D>::default(); BATCH];
        for (k, contact) in contacts.iter().enumerate() {
            slips[k] = slip(contact, &push[k], grip[k], input.ahead);
        }
        if contacts.iter().all(|contact| contact.overlap > 0.0) {
            tangent.force_all(&slips[..contacts.len()], &mut memories, &mut tangential);
        } else {
            for (k, _) in contacts.iter().enumerate().filter(|(_, contact)| contact.overlap > 0.0) {
                tangential[k] = tangent.force(&slips[k], &mut memories[k]);
            }
        }
        if law.rolling.is_some() || law.torsion.is_some() {
            for (k, contact) in contacts.iter().enumerate().filter(|(_, contact)| contact.overlap > 0.0) {
                let roll = roll(input, self.local, contact, &push[k], grip[k]);
                resistance[k] = resist(law, roll, input.depth, &mut memories[k]);
            }
        }
        for (k, contact) in contacts.iter().enumerate().filter(|_| !input.is_report) {
            match contact.overlap > 0.0 || memories[k].is_bound {
                true => {
                    history.touch(contact.index);
                    history.store(contact.index, &memories[k]);
                }
                false => history.forget(contact.index),
            }
        }
        for (k, contact) in contacts.iter().enumerate() {
            let forces = ContactForces { push: push[k].force, tangential: tangential[k], resistance: resistance[k] };
            self.scatter(input, contact, over_the_kick(law, contact, forces), at_wall);
        }
        for (k, contact) in contacts.iter().enumerate().filter(|_| input.is_report) {
            let forces = ContactForces { push: push[k].force, tangential: tangential[k], resistance: resistance[k] };
            let roll = roll(input, self.local, contact, &push[k], grip[k]);
            self.report(law, contact, &push[k], &roll, &memories[k], forces);
        }
    }

    /// Reports a contact with these forces.
    fn report(
        &mut self,
        law: &SoftLaw,
        contact: &BatchContact<D>,
        push: &Push,
        roll: &Roll<D>,
        memory: &SoftMemory<D>,
        ContactForces { push: normal, tangential, resistance }: ContactForces<D>,
    ) {
        let wall = contact.a.checked_sub(self.block.first_wall());
        let a = wall.unwrap_or_else(|| self.block.body(contact.a));
        let key = ContactKey { a, b: self.block.body(contact.b), feature: contact.feature };
        let force = contact.normal * normal + tangential + resistance.force;
        let report = report(law, key, contact, push, roll, memory);
        self.block.reports.push(ContactReport { force, torque: resistance.torques[1], ..report });
    }

    /// Processes a batch of contacts whose only memory is a spring, which most contacts are.
    fn run_batch_of_springs(
        &mut self,
        input: &ForceInput<D>,
        law: &SoftLaw,
        contacts: &[BatchContact<D>],
        at_wall: bool,
    ) {
        let history = if at_wall { &mut self.at_walls } else { &mut self.between };
        let mut push = [Push::default(); BATCH];
        law.normal.push_all(&compressions(contacts)[..contacts.len()], &mut [0.0; BATCH], &mut push);
        let mut slips = [Slip::<D>::default(); BATCH];
        let mut memories = [SoftMemory::<D>::default(); BATCH];
        let mut tangential = [D::Vec::ZERO; BATCH];
        for (k, contact) in contacts.iter().enumerate() {
            memories[k] = history.recall_spring(contact.index, law.turning, contact.normal);
            slips[k] = slip(contact, &push[k], push[k].force.max(0.0), input.ahead);
        }
        law.tangential.of::<D>().force_all(&slips[..contacts.len()], &mut memories, &mut tangential);
        for (contact, memory) in contacts.iter().zip(&memories).filter(|_| !input.is_report) {
            history.touch(contact.index);
            history.store_spring(contact.index, memory.spring);
        }
        for (k, contact) in contacts.iter().enumerate() {
            let resistance = Resistance::default();
            let forces = ContactForces { push: push[k].force, tangential: tangential[k], resistance };
            self.scatter(input, contact, over_the_kick(law, contact, forces), at_wall);
            if input.is_report {
                let roll = roll(input, self.local, contact, &push[k], push[k].force.max(0.0));
                self.report(law, contact, &push[k], &roll, &memories[k], forces);
            }
        }
    }

    /// Slip velocity of balls per impulse at the contact [1/kg].
    fn ease(&self, contact: &BatchContact<D>) -> f64 {
        let of = |body: u32, arm: f64| {
            let line = &self.local.motion[body as usize];
            line.inv_m() + arm * arm * line.inv_i()
        };
        let [ra, rb] = contact.arms();
        of(contact.a, ra) + of(contact.b, rb)
    }

    /// How fast surfaces come nearer because grains that can move grow [m/s].
    fn swelling(&self, input: &ForceInput<D>, contact: &BatchContact<D>, at_wall: bool) -> f64 {
        let [a, b] = [contact.a, contact.b].map_inlined(|body| self.local.motion[body as usize].inv_m() > 0.0);
        let [ra, rb] = contact.radii;
        input.growth * (if a && !at_wall { ra } else { 0.0 } + if b { rb } else { 0.0 })
    }

    /// Adds the forces of a contact to its bodies, and its power to the energy balance.
    #[inline(always)]
    fn scatter(&mut self, input: &ForceInput<D>, contact: &BatchContact<D>, forces: ContactForces<D>, at_wall: bool) {
        let ContactForces { push, tangential, resistance } = forces;
        let totals = &mut self.block.totals;
        totals.touching += 1;
        let ([ra, rb], [radius, other]) = (contact.arms(), contact.radii);
        let smaller = if at_wall { other } else { radius.min(other) };
        totals.deepest = totals.deepest.max(contact.overlap / smaller);
        let force = contact.normal * push + tangential + resistance.force; // the last one acts at the centres
        let turn = D::torque(contact.normal, tangential);
        let [mut ta, mut tb] = resistance.torques;
        totals.taken[0] -= push * contact.u.dot(contact.normal);
        totals.taken[1] -= tangential.dot(contact.u);
        if resistance != Resistance::default() {
            let [a, b] = motions(input, self.local, contact);
            totals.taken[2] -= resistance.force.dot(b.v - a.v) + ta.dot(a.w) + tb.dot(b.w);
        }
        if input.growth != 0.0 {
            let swelling = self.swelling(input, contact, at_wall);
            self.block.totals.swelling += push * swelling;
        }
        if input.has_offsets {
            ta -= D::torque(contact.offsets[0], force);
            tb += D::torque(contact.offsets[1], force);
        }
        add(&mut self.local.wrench[contact.a as usize], -force, ta - turn * ra);
        add(&mut self.local.wrench[contact.b as usize], force, tb - turn * rb);
    }
}

/// Mean forces over the kick, which differ from the forces only if the contact begins or ends in it.
#[inline(always)]
fn over_the_kick<D: Dim>(law: &SoftLaw, contact: &BatchContact<D>, forces: ContactForces<D>) -> ContactForces<D> {
    if contact.kick_factor == 1.0 { forces } else { shared(law, contact, &forces) }
}

/// Mean forces over a kick in which a contact begins or ends: the jumps are weighted by the kick factor. Friction
/// follows the normal force when a contact begins; both vanish when it ends.
#[cold]
fn shared<D: Dim>(law: &SoftLaw, contact: &BatchContact<D>, forces: &ContactForces<D>) -> ContactForces<D> {
    let ContactForces { push, tangential, resistance } = forces;
    let BatchContact { couple, overlap, is_new, kick_factor, .. } = *contact;
    let mut jump = if overlap > 0.0 { law.normal.jump(couple, -contact.u.dot(contact.normal)) } else { 0.0 };
    if let (Some(attraction), true) = (&law.attraction, is_new) {
        jump -= attraction.pull(couple, f64::MIN_POSITIVE, law.modulus, &mut true).force;
    }
    let shared = push + (kick_factor - 1.0) * jump;
    let across = match (law.tangential.jumps(), is_new && *push > 0.0) {
        (true, _) => kick_factor,
        (false, true) => shared / push,
        (false, false) => 1.0,
    };
    ContactForces {
        push: shared,
        tangential: *tangential * across,
        resistance: resistance.times(if law.tangential.jumps() { 1.0 } else { across }),
    }
}

/// Motion of the two bodies of a contact; of capsules, that of the nearest point of their segment.
#[inline(always)]
fn motions<D: Dim>(input: &ForceInput<D>, local: &LocalBodies<D>, contact: &BatchContact<D>) -> [Twist<D>; 2] {
    let [a, b] = [contact.a, contact.b].map_inlined(|body| local.motion[body as usize].twist());
    if !input.has_offsets {
        return [a, b];
    }
    let [p, q] = contact.offsets;
    [Twist { v: a.v + D::swing(a.w, p), w: a.w }, Twist { v: b.v + D::swing(b.w, q), w: b.w }]
}

/// Adds a force and a torque.
#[inline(always)]
fn add<D: Dim>(wrench: &mut SolverBody<D>, force: D::Vec, torque: D::Spin) {
    let Twist { v, w } = wrench.twist();
    wrench.set_twist(&Twist { v: v + force, w: w + torque });
}

/// How the surfaces of a contact slide.
#[inline]
pub(crate) fn slip<D: Dim>(contact: &BatchContact<D>, push: &Push, press: f64, ahead: f64) -> Slip<D> {
    let (Push { stiffness, damping, .. }, normal, dt) = (*push, contact.normal, contact.slip_time);
    let (velocity, brake) = (contact.u.tangent_to(normal), contact.brake);
    Slip { normal, velocity, press, stiffness, damping, dt, brake, ahead }
}

/// Overlaps of the contacts of a batch, with the reduced mass and radius of each pair.
#[inline(always)]
fn compressions<D: Dim>(contacts: &[BatchContact<D>]) -> [Compression; BATCH] {
    let mut compressions = [Compression::default(); BATCH];
    for (contact, compression) in contacts.iter().zip(&mut compressions) {
        *compression = Compression { couple: contact.couple, squeeze: contact.squeeze() };
    }
    compressions
}

/// The rolling motion of a contact; its limit is set later, by [`resist`].
fn roll<D: Dim>(
    input: &ForceInput<D>,
    local: &LocalBodies<D>,
    contact: &BatchContact<D>,
    push: &Push,
    press: f64,
) -> Roll<D> {
    let [a, b] = motions(input, local, contact);
    Roll {
        normal: contact.normal,
        spins: [a.w, b.w],
        velocity: b.v - a.v,
        press,
        limit: 0.0,
        stiffness: push.stiffness,
        couple: contact.couple,
        dt: contact.slip_time,
        ahead: input.ahead,
    }
}

/// Resistance of the laws of rolling and torsion to the motion of a contact.
fn resist<D: Dim>(law: &SoftLaw, mut roll: Roll<D>, depth: Option<f64>, memory: &mut SoftMemory<D>) -> Resistance<D> {
    let mut resistance = Resistance::default();
    if let Some((rolling, lever)) = &law.rolling {
        roll.limit = SoftLaw::limit(lever, roll.couple, roll.press, depth);
        resistance = rolling.as_dyn::<D>().resist(&roll, memory);
    }
    if let Some((torsion, lever)) = &law.torsion {
        roll.limit = SoftLaw::limit(lever, roll.couple, roll.press, depth);
        let torque = torsion.as_dyn::<D>().resist(&roll, memory);
        let [a, b] = &mut resistance.torques;
        *a -= torque;
        *b += torque;
    }
    resistance
}
