//! A unit of the force loop: a run of grains along the curve, with the pairs that they own.
//!
//! Units are the same whatever the number of threads, and so is the order in which forces add up: within a unit in the
//! order of its pairs, across units by the sums that each unit keeps for grains beyond it, in the order of the units.
//! Contacts of plain laws go through [`super::fours`]; others, and all that are watched, are gathered in batches of one
//! combination of laws: each law then runs over the batch by itself, so that laws are chosen once a batch.

use std::marker::PhantomData;
use std::ops::Range;

use super::fours::{Fours, Outcome, find_awake};
use super::store::Slots;
use crate::body::Twist;
use crate::contact::{Coincident, ContactKey};
use crate::dim::{Dim, Vector};
use crate::lane::{Row, in_lanes};
use crate::law::soft::normal::{NormalForce, Push, Squeeze, with_normal};
use crate::law::soft::rolling::{Resistance, Roll};
use crate::law::soft::tangential::{Slip, TangentialForce, with_tangential};
use crate::law::soft::{Couple, Memory, PlainLaw, SoftLaw};
use crate::method::cd::line::Line;
use crate::wall::Surface;

/// Contacts in a batch: what a batch needs stays in the first cache.
const BATCH: usize = 32;

/// Where a body is and how large: all that a distance test reads, in half a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Place<D: Dim> {
    /// Centre, and the radius at the end.
    row: Row,
    dimension: PhantomData<D>,
}

impl<D: Dim> Place<D> {
    /// The place of a body with this centre and radius [m]; the radius of a wall is zero.
    pub fn new(x: D::Vec, radius: f64) -> Place<D> {
        let mut place = Place { row: [0.0, 0.0, 0.0, radius], dimension: PhantomData };
        place.set_x(x);
        place
    }

    /// Centre [m].
    #[inline(always)]
    pub fn x(&self) -> D::Vec {
        D::Vec::from_fn(|axis| self.row[axis])
    }

    /// Moves the centre.
    #[inline(always)]
    pub fn set_x(&mut self, x: D::Vec) {
        (0..D::DIMENSION).for_each(|axis| self.row[axis] = x.get(axis));
    }

    /// Radius [m]; zero for a wall.
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.row[3]
    }

    /// All as one row.
    #[inline(always)]
    pub fn row(&self) -> &Row {
        &self.row
    }
}

/// Energy that contacts took in, by normal, tangential and rolling resistance [J] (or its rate [W]).
pub type Taken = [f64; 3];

/// What a contact did, for those who look at the network.
#[derive(Clone, Copy, Debug)]
pub struct Seen<D: Dim> {
    /// Identity.
    pub key: ContactKey,
    /// Unit normal from a to b.
    pub normal: D::Vec,
    /// Gap [m].
    pub gap: f64,
    /// Distances of the contact from the centres [m].
    pub arms: [f64; 2],
    /// Force on b [N].
    pub force: D::Vec,
    /// Torque on b by rolling and torsion [N m].
    pub torque: D::Spin,
    /// Whether friction is used up.
    pub slides: bool,
    /// Elastic energy [J].
    pub stored: f64,
    /// Coefficient of friction.
    pub friction: f64,
}

/// What every unit reads.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'s, D: Dim> {
    /// Where bodies are.
    pub place: &'s [Place<D>],
    /// How they move.
    pub motion: &'s [Line<D>],
    /// What they are made of.
    pub material: &'s [u16],
    /// Surfaces of the walls.
    pub surfaces: &'s [Surface<D>],
    /// Faces and grains that may touch.
    pub walls: &'s [ContactKey],
    /// Grains that may touch.
    pub pairs: &'s [[u32; 2]],
    /// Where in its unit the force on the second grain of a pair adds up.
    pub ends: &'s [u32],
    /// Laws, a table over materials.
    pub laws: &'s [SoftLaw],
    /// The same in their plain forms, if all have one; empty otherwise.
    pub plain: &'s [PlainLaw],
    /// Number of materials.
    pub materials: usize,
    /// Time since the last look [s].
    pub dt: f64,
    /// Way that no grain went beyond since the list was made [m].
    pub gone: f64,
    /// Length of 2D bodies in the third direction [m]; `None` in space.
    pub depth: Option<f64>,
    /// Whether somebody wants to see the contacts.
    pub is_watched: bool,
}

impl<D: Dim> Scene<'_, D> {
    /// Number of the law between two bodies.
    #[inline(always)]
    pub fn law(&self, pair: [u32; 2]) -> usize {
        if self.laws.len() == 1 {
            return 0;
        }
        let [a, b] = pair.map(|body| usize::from(self.material[body as usize]));
        a * self.materials + b
    }
}

/// A run of grains with the pairs that they own, and what came out of them at the last look.
#[derive(Clone, Debug, Default)]
pub struct Unit<D: Dim> {
    /// Its grains.
    pub grains: Range<usize>,
    /// Its pairs with walls.
    pub walls: Range<usize>,
    /// Its pairs of grains: those whose first grain is one of its own.
    pub pairs: Range<usize>,
    /// Grains of later units that its pairs push, sorted.
    pub beyond: Vec<u32>,
    /// Units before it whose pairs push its grains: their numbers, and which of the grains beyond them these are.
    pub sources: Vec<(usize, Range<usize>)>,
    /// Forces and torques on its grains, and then on those beyond.
    pub wrench: Vec<Line<D>>,
    /// Pairs that may touch, if they are worked off in lanes.
    pub slots: Vec<u32>,
    /// Forces on the walls [N].
    pub on_walls: Vec<D::Vec>,
    /// Energy that its contacts took in per time [W].
    pub taken: Taken,
    /// Contacts.
    pub touching: usize,
    /// Deepest overlap over the smaller radius.
    pub deepest: f64,
    /// Grains with one centre.
    pub coincident: Option<Coincident>,
    /// What the contacts did, if the scene is watched.
    pub seen: Vec<Seen<D>>,
}

/// Slots that belong to a unit.
pub struct Share<'s, D: Dim> {
    /// The unit.
    pub unit: &'s mut Unit<D>,
    /// What its pairs with walls remember.
    pub at_walls: Slots<'s, D>,
    /// What its pairs of grains remember.
    pub between: Slots<'s, D>,
}

/// A contact of a batch.
#[derive(Clone, Copy, Debug, Default)]
struct Touching<D: Dim> {
    slot: usize,
    a: u32,
    b: u32,
    feature: u32,
    normal: D::Vec,
    overlap: f64,
    arms: [f64; 2],
    couple: Couple,
    u: D::Vec,
}

struct Batch<D: Dim> {
    law: usize,
    count: usize,
    contacts: [Touching<D>; BATCH],
}

impl<D: Dim> Share<'_, D> {
    /// Forces of all pairs of the unit.
    pub fn run(&mut self, scene: &Scene<D>) {
        let unit = &mut *self.unit;
        unit.wrench.fill(Line::default());
        unit.seen.clear();
        unit.on_walls.clear();
        unit.on_walls.resize(scene.surfaces.len(), D::Vec::ZERO);
        (unit.taken, unit.touching, unit.deepest, unit.coincident) = ([0.0; 3], 0, 0.0, None);
        let mut batch = Batch { law: 0, count: 0, contacts: [Touching::default(); BATCH] };
        self.visit_walls(scene, &mut batch);
        match scene.plain.is_empty() || scene.is_watched {
            true => self.visit_pairs(scene, &mut batch),
            false => self.visit_plain_pairs(scene),
        }
    }

    /// Forces of all pairs of grains, whose laws are plain.
    fn visit_plain_pairs(&mut self, scene: &Scene<D>) {
        let unit = &mut *self.unit;
        let (pairs, ends) = (&scene.pairs[unit.pairs.clone()], &scene.ends[unit.pairs.clone()]);
        let Slots { touched, springs, wake, .. } = &mut self.between;
        unit.slots.resize(pairs.len(), 0);
        let count = find_awake(wake, scene.gone, &mut unit.slots);
        let law = |slot: &u32| scene.law(pairs[*slot as usize]);
        let awake = &mut unit.slots[..count];
        if scene.plain.len() > 1 {
            awake.sort_by_key(law);
        }
        let first = unit.grains.start as u32;
        for awake in awake.chunk_by(|one, other| law(one) == law(other)) {
            let law = scene.plain[law(&awake[0])];
            let Outcome { taken, deepest, touching, coincident } = in_lanes(Fours {
                scene,
                law,
                first,
                pairs,
                ends,
                awake,
                touched,
                wake,
                springs,
                wrench: &mut unit.wrench,
            });
            unit.taken.iter_mut().zip(taken).for_each(|(sum, part)| *sum += part);
            unit.deepest = unit.deepest.max(deepest);
            unit.touching += touching;
            unit.coincident = coincident.or(unit.coincident);
        }
    }

    fn visit_walls(&mut self, scene: &Scene<D>, batch: &mut Batch<D>) {
        for (slot, key) in scene.walls[self.unit.walls.clone()].iter().enumerate() {
            let (wall, grain) = (key.a as usize, key.b as usize);
            let (x, radius) = (scene.place[grain].x(), scene.place[grain].radius());
            let mut met = None;
            scene.surfaces[wall].as_dyn().near(
                x - scene.place[wall].x(),
                f64::INFINITY,
                &mut |face, normal, distance| {
                    if face == key.feature {
                        met = Some((normal, radius - distance));
                    }
                },
            );
            let Some((normal, overlap)) = met else { continue };
            let bound = overlap <= 0.0 && self.at_walls.is_bound(slot);
            if overlap <= 0.0 && !bound {
                self.at_walls.note(slot, false);
                continue;
            }
            let couple = Couple { mass: 1.0 / (scene.motion[wall].inv_m() + scene.motion[grain].inv_m()), radius };
            let contact = Touching {
                slot,
                a: key.a,
                b: key.b,
                feature: key.feature,
                normal,
                overlap,
                arms: [0.0, radius],
                couple,
                u: D::Vec::ZERO,
            };
            self.take(scene, batch, contact, true);
        }
        self.flush(scene, batch, true);
    }

    fn visit_pairs(&mut self, scene: &Scene<D>, batch: &mut Batch<D>) {
        let mut here = (u32::MAX, Place::default());
        for (slot, &[a, b]) in scene.pairs[self.unit.pairs.clone()].iter().enumerate() {
            if a != here.0 {
                here = (a, scene.place[a as usize]);
            }
            let (one, other) = (here.1, scene.place[b as usize]);
            let (apart, touching) = (other.x() - one.x(), one.radius() + other.radius());
            let square = apart.norm_squared();
            if square >= touching * touching && !self.between.is_bound(slot) {
                self.between.note(slot, false);
                continue;
            }
            let distance = square.sqrt();
            if distance == 0.0 {
                self.unit.coincident = Some(Coincident { a: a as usize, b: b as usize });
                continue;
            }
            let radius = one.radius() * other.radius() / touching;
            let mass = 1.0 / (scene.motion[a as usize].inv_m() + scene.motion[b as usize].inv_m());
            let contact = Touching {
                slot,
                a,
                b,
                feature: 0,
                normal: apart * (1.0 / distance),
                overlap: touching - distance,
                arms: [one.radius(), other.radius()],
                couple: Couple { mass, radius },
                u: D::Vec::ZERO,
            };
            self.take(scene, batch, contact, false);
        }
        self.flush(scene, batch, false);
    }

    /// Adds a contact to the batch, which is worked off first if it is full or of other laws.
    #[inline(always)]
    fn take(&mut self, scene: &Scene<D>, batch: &mut Batch<D>, mut contact: Touching<D>, at_wall: bool) {
        let [a, b] = [contact.a, contact.b].map(|body| scene.motion[body as usize].twist());
        let law = scene.law([contact.a, contact.b]);
        if batch.count == BATCH || law != batch.law {
            self.flush(scene, batch, at_wall);
            batch.law = law;
        }
        let [ra, rb] = contact.arms;
        contact.u = b.v - a.v - D::swing(b.w * rb + a.w * ra, contact.normal); // u = H^T V [Brendel eq. 1.14]
        batch.contacts[batch.count] = contact;
        batch.count += 1;
    }

    /// Works off the batch: normal law, attraction, tangential law, rolling, and the forces on the bodies.
    fn flush(&mut self, scene: &Scene<D>, batch: &mut Batch<D>, at_wall: bool) {
        let contacts = &batch.contacts[..batch.count];
        batch.count = 0;
        if contacts.is_empty() {
            return;
        }
        let law = &scene.laws[batch.law];
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
            roll(law, scene, contacts, (&push, &grip), &mut memories, &mut resistance);
        }
        for (k, contact) in contacts.iter().enumerate() {
            slots.note(contact.slot, contact.overlap > 0.0 || memories[k].is_bound);
            if contact.overlap > 0.0 || memories[k].is_bound {
                slots.keep(contact.slot, &memories[k]);
            }
        }
        for (k, contact) in contacts.iter().enumerate() {
            self.scatter(scene, contact, (push[k].force, tangential[k], &resistance[k]), at_wall);
        }
        if scene.is_watched {
            for (k, contact) in contacts.iter().enumerate() {
                let seen = see(law, scene, contact, (&push[k], grip[k]), &memories[k]);
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
                slots.keep_spring(contact.slot, memory.spring);
            }
        });
        for (k, contact) in contacts.iter().enumerate() {
            self.scatter(scene, contact, (push[k].force, tangential[k], &Resistance::default()), at_wall);
        }
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
        self.unit.touching += 1;
        let [ra, rb] = contact.arms;
        let smaller = if ra > 0.0 { ra.min(rb) } else { rb };
        self.unit.deepest = self.unit.deepest.max(contact.overlap / smaller);
        let force = contact.normal * push + tangential + resistance.force; // the last acts at the centres
        let turn = D::torque(contact.normal, tangential);
        let [ta, tb] = resistance.torques;
        self.unit.taken[0] -= push * contact.u.dot(contact.normal);
        self.unit.taken[1] -= tangential.dot(contact.u);
        if *resistance != Resistance::default() {
            let [a, b] = [contact.a, contact.b].map(|body| scene.motion[body as usize].twist());
            self.unit.taken[2] -= resistance.force.dot(b.v - a.v) + ta.dot(a.w) + tb.dot(b.w);
        }
        let first = self.unit.grains.start;
        let end = match at_wall {
            true => contact.b as usize - first,
            false => scene.ends[self.unit.pairs.start + contact.slot] as usize,
        };
        match at_wall {
            true => self.unit.on_walls[contact.a as usize] -= force,
            false => add(&mut self.unit.wrench[contact.a as usize - first], -force, ta - turn * ra),
        }
        add(&mut self.unit.wrench[end], force, tb - turn * rb);
    }
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

#[inline]
fn slip<D: Dim>(contact: &Touching<D>, push: &Push, press: f64, dt: f64) -> Slip<D> {
    let Push { stiffness, damping, .. } = *push;
    Slip { normal: contact.normal, velocity: contact.u.tangent_to(contact.normal), press, stiffness, damping, dt }
}

/// The rolling motion of a contact; its limit is still open.
fn rolls<D: Dim>(scene: &Scene<D>, contact: &Touching<D>, push: &Push, press: f64) -> Roll<D> {
    let [a, b] = [contact.a, contact.b].map(|body| scene.motion[body as usize].twist());
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
    scene: &Scene<D>,
    contacts: &[Touching<D>],
    (push, grip): (&[Push], &[f64]),
    memories: &mut [Memory<D>],
    resistance: &mut [Resistance<D>],
) {
    for (k, contact) in contacts.iter().enumerate().filter(|(_, contact)| contact.overlap > 0.0) {
        let mut roll = rolls(scene, contact, &push[k], grip[k]);
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

/// What is to be seen of a contact, without its forces.
fn see<D: Dim>(
    law: &SoftLaw,
    scene: &Scene<D>,
    contact: &Touching<D>,
    (push, grip): (&Push, f64),
    memory: &Memory<D>,
) -> Seen<D> {
    let couple = contact.couple;
    let roll = rolls(scene, contact, push, grip);
    let mut stored = law
        .attraction
        .as_ref()
        .map_or(0.0, |attraction| attraction.stored(couple, contact.overlap, law.modulus, memory.is_bound));
    if contact.overlap > 0.0 {
        stored += law.normal.stored(couple, contact.overlap, memory.deepest);
        stored += law.tangential.stored(&slip(contact, push, grip, 0.0), memory);
        stored += law.rolling.as_ref().map_or(0.0, |(rolling, _)| rolling.stored(&roll, memory));
        stored += law.torsion.as_ref().map_or(0.0, |(torsion, _)| torsion.stored(&roll, memory));
    }
    Seen {
        key: ContactKey { a: contact.a, b: contact.b, feature: contact.feature },
        normal: contact.normal,
        gap: -contact.overlap,
        arms: contact.arms,
        force: D::Vec::ZERO,
        torque: D::Spin::ZERO,
        slides: memory.slides,
        stored,
        friction: law.tangential.grip().map_or(0.0, |grip| grip.r#static),
    }
}
