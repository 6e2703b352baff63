//! A unit of the force loop: a run of grains along the curve, with the pairs that they own.
//!
//! Units are the same whatever the number of threads, and so is the order in which forces add up: within a unit in the
//! order of its pairs, across units by the sums that each unit keeps for grains beyond it, in the order of the units.
//! Contacts of plain laws go through [`super::fours`]; others, and all that are watched, through [`super::batch`].

use std::ops::Range;

use super::batch::{Batch, Touching};
use super::beads::nearest;
use super::fours::{AtWall, Fours, Near, Outcome, find_awake, wakes_at};
use super::scene::{Place, Scene};
use super::seen::Seen;
use super::store::Slots;
use crate::contact::{Coincident, ContactKey};
use crate::dim::{Dim, Vector};
use crate::lane::in_lanes;
use crate::law::soft::Couple;
use crate::method::cd::line::Line;

/// A contact with a wall.
fn at_wall<D: Dim>(scene: &Scene<D>, key: &ContactKey, slot: usize, normal: D::Vec, overlap: f64) -> Touching<D> {
    let (wall, grain) = (key.a as usize, key.b as usize);
    let (x, radius) = (scene.place[grain].x(), scene.place[grain].radius());
    let surface = &scene.surfaces[wall];
    let lever = surface.as_dyn().lever();
    let foot = x - normal * (radius - overlap);
    let aside =
        if scene.has_offsets { surface.arm(scene.stands[wall].x, foot, normal) - normal * lever } else { D::Vec::ZERO };
    Touching {
        slot,
        a: key.a,
        b: key.b,
        feature: key.feature,
        normal,
        overlap,
        arms: [lever, radius],
        offsets: [aside, D::Vec::ZERO],
        couple: Couple { mass: 1.0 / (scene.motion[wall].inv_m() + scene.motion[grain].inv_m()), radius },
        u: D::Vec::ZERO,
    }
}

/// Energy that contacts took in, by normal, tangential and rolling resistance [J] (or its rate [W]).
pub type Taken = [f64; 3];

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
    /// Forces [N] and torques [N m] on its grains, then on those beyond, then on the walls.
    pub wrench: Vec<Line<D>>,
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

impl<D: Dim> Unit<D> {
    /// Enters what came out of pairs into the sums.
    fn enter(&mut self, outcome: &Outcome) {
        let Outcome { taken, deepest, touching, coincident } = *outcome;
        self.taken.iter_mut().zip(taken).for_each(|(sum, part)| *sum += part);
        self.deepest = self.deepest.max(deepest);
        self.touching += touching;
        self.coincident = coincident.or(self.coincident);
    }

    /// Forces on the walls, and torques.
    pub fn on_walls(&self) -> &[Line<D>] {
        &self.wrench[self.grains.len() + self.beyond.len()..]
    }
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

impl<D: Dim> Share<'_, D> {
    /// Forces of all pairs of the unit.
    pub fn run(&mut self, scene: &Scene<D>) {
        let unit = &mut *self.unit;
        unit.wrench.fill(Line::default());
        unit.seen.clear();
        (unit.taken, unit.touching, unit.deepest, unit.coincident) = ([0.0; 3], 0, 0.0, None);
        let is_plain = !scene.plain.is_empty() && !scene.is_watched;
        let mut batch = Batch::default();
        match is_plain && !scene.has_offsets {
            true => self.visit_plain_walls(scene),
            false => self.visit_walls(scene, &mut batch),
        }
        match is_plain {
            true => self.visit_plain_pairs(scene),
            false => self.visit_pairs(scene, &mut batch),
        }
    }

    /// Forces of all walls on grains, whose laws are plain.
    fn visit_plain_walls(&mut self, scene: &Scene<D>) {
        let mut met = Vec::with_capacity(self.unit.walls.len());
        self.meet_walls(scene, |share, slot, key, normal, overlap| {
            met.push(AtWall { slot: slot as u32, wall: key.a, grain: key.b, normal, overlap });
            share.at_walls.note(slot, true);
        });
        let law = |met: &AtWall<D>| scene.law([met.wall, met.grain]);
        if scene.plain.len() > 1 {
            met.sort_by_key(law);
        }
        let unit = &mut *self.unit;
        let walls = (unit.grains.len() + unit.beyond.len()) as u32;
        let Slots { touched, springs, wake, .. } = &mut self.at_walls;
        for met in met.chunk_by(|one, other| law(one) == law(other)) {
            let law = scene.plain[law(&met[0])];
            let (first, near) = (unit.grains.start as u32, Near::Walls(met, walls));
            let wrench = &mut unit.wrench;
            let outcome = in_lanes(Fours { scene, law, first, near, touched, wake, springs, wrench });
            unit.enter(&outcome);
        }
    }

    /// Forces of all pairs of grains, whose laws are plain.
    fn visit_plain_pairs(&mut self, scene: &Scene<D>) {
        let unit = &mut *self.unit;
        let (pairs, ends) = (&scene.pairs[unit.pairs.clone()], &scene.ends[unit.pairs.clone()]);
        let Slots { touched, springs, wake, .. } = &mut self.between;
        let mut awake = find_awake(wake, scene.gone);
        let law = |slot: &u32| scene.law(pairs[*slot as usize]);
        if scene.plain.len() > 1 {
            awake.sort_by_key(law);
        }
        let first = unit.grains.start as u32;
        for awake in awake.chunk_by(|one, other| law(one) == law(other)) {
            let (law, near) = (scene.plain[law(&awake[0])], Near::Grains { pairs, ends, awake });
            let wrench = &mut unit.wrench;
            let outcome = in_lanes(Fours { scene, law, first, near, touched, wake, springs, wrench });
            unit.enter(&outcome);
        }
    }

    /// Calls `each` with the slot, the key, the normal and the overlap of every grain and face of a wall that touch or are
    /// bound. Grains that are away from a wall are left alone until they may touch it.
    fn meet_walls(&mut self, scene: &Scene<D>, mut each: impl FnMut(&mut Self, usize, &ContactKey, D::Vec, f64)) {
        let (mut first, mut met) = (0, Vec::new());
        for run in scene.walls[self.unit.walls.clone()].chunk_by(|one, other| (one.b, one.a) == (other.b, other.a)) {
            let slots = first..first + run.len();
            first = slots.end;
            let sleeps = self.at_walls.wake.get(slots.clone());
            if sleeps.is_some_and(|wake| wake.iter().all(|at| f64::from(*at) > scene.gone)) {
                continue;
            }
            let (wall, grain) = (run[0].a as usize, run[0].b as usize);
            let (x, radius) = (scene.place[grain].x(), scene.place[grain].radius());
            met.clear();
            let reach = scene.range + scene.skin;
            let mut gap = reach;
            scene.surfaces[wall].near(scene.stands[wall], x, radius + reach, &mut |face, normal, distance| {
                gap = gap.min(distance - radius);
                if distance < radius + scene.range {
                    met.push((face, normal, radius - distance));
                }
            });
            self.hand_over(scene, run, slots.start, &met);
            for (slot, key) in slots.clone().zip(run) {
                let found = met.iter().find(|(face, ..)| *face == key.feature);
                match found {
                    Some((_, normal, overlap)) if *overlap > 0.0 || self.at_walls.is_bound(slot) => {
                        each(self, slot, key, *normal, *overlap);
                    }
                    _ => self.at_walls.note(slot, false),
                }
            }
            if let Some(wake) = self.at_walls.wake.get_mut(slots).filter(|_| gap > 0.0) {
                wake.fill(wakes_at(scene.gone, gap));
            }
        }
    }

    fn visit_walls(&mut self, scene: &Scene<D>, batch: &mut Batch<D>) {
        self.meet_walls(scene, |share, slot, key, normal, overlap| {
            share.take(scene, batch, at_wall(scene, key, slot, normal, overlap), true);
        });
        self.flush(scene, batch, true);
    }

    /// A grain that rolls from one face of a wall to the next keeps its contact: the face that it came to takes over what
    /// the one that it left remembers.
    fn hand_over(&mut self, scene: &Scene<D>, run: &[ContactKey], first: usize, met: &[(u32, D::Vec, f64)]) {
        let is_met = |key: &ContactKey| met.iter().any(|(face, ..)| *face == key.feature);
        let overlaps = |key: &ContactKey| met.iter().any(|(face, _, overlap)| *face == key.feature && *overlap > 0.0);
        let is_left = |(k, key): &(usize, &ContactKey)| self.at_walls.touched[first + k] && !is_met(key);
        let left: Vec<(usize, u32)> = run.iter().enumerate().filter(is_left).map(|(k, key)| (k, key.feature)).collect();
        for (from, feature) in left {
            let comes = |(k, key): &(usize, &ContactKey)| {
                !self.at_walls.touched[first + k]
                    && overlaps(key)
                    && scene.surfaces[key.a as usize].as_dyn().adjoin(feature, key.feature)
            };
            if let Some((to, _)) = run.iter().enumerate().find(comes) {
                self.at_walls.pass(first + from, first + to);
            }
        }
    }

    fn visit_pairs(&mut self, scene: &Scene<D>, batch: &mut Batch<D>) {
        let mut here = (u32::MAX, Place::default());
        for (slot, &[a, b]) in scene.pairs[self.unit.pairs.clone()].iter().enumerate() {
            if a != here.0 {
                here = (a, scene.place[a as usize]);
            }
            let (one, other) = (here.1, scene.place[b as usize]);
            let (offsets, [ra, rb]) = match scene.cores.is_empty() {
                true => ([D::Vec::ZERO; 2], [one.radius(), other.radius()]),
                false => {
                    let ([h, g], radii) = scene.cores(a, b);
                    (nearest::<D>([one.x(), other.x()], [h, g]), radii)
                }
            };
            let (apart, touching) = (other.x() - one.x() + (offsets[1] - offsets[0]), ra + rb);
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
            let radius = ra * rb / touching;
            let mass = 1.0 / (scene.motion[a as usize].inv_m() + scene.motion[b as usize].inv_m());
            let contact = Touching {
                slot,
                a,
                b,
                feature: 0,
                normal: apart * (1.0 / distance),
                overlap: touching - distance,
                arms: [ra, rb],
                offsets,
                couple: Couple { mass, radius },
                u: D::Vec::ZERO,
            };
            self.take(scene, batch, contact, false);
        }
        self.flush(scene, batch, false);
    }
}
