//! A unit of the force loop: a run of grains along the curve, with the pairs that they own.
//!
//! Units are the same whatever the number of threads, and so is the order in which forces add up: within a unit in the
//! order of its pairs, across units by the sums that each unit keeps for grains beyond it, in the order of the units.
//! Contacts of plain laws go through [`super::fours`]; others, and all that are watched, through [`super::batch`].

use std::ops::Range;

use super::batch::{Batch, Touching};
use super::beads::nearest;
use super::fours::{Fours, Outcome, find_awake};
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
    /// Forces and torques on its grains, and then on those beyond.
    pub wrench: Vec<Line<D>>,
    /// Pairs that may touch, if they are worked off in lanes.
    pub slots: Vec<u32>,
    /// Forces [N] and torques [N m] on the walls.
    pub on_walls: Vec<Line<D>>,
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

impl<D: Dim> Share<'_, D> {
    /// Forces of all pairs of the unit.
    pub fn run(&mut self, scene: &Scene<D>) {
        let unit = &mut *self.unit;
        unit.wrench.fill(Line::default());
        unit.seen.clear();
        unit.on_walls.clear();
        unit.on_walls.resize(scene.surfaces.len(), Line::default());
        (unit.taken, unit.touching, unit.deepest, unit.coincident) = ([0.0; 3], 0, 0.0, None);
        let mut batch = Batch::default();
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
        let mut slot = 0;
        let mut met = Vec::new();
        for run in scene.walls[self.unit.walls.clone()].chunk_by(|one, other| (one.b, one.a) == (other.b, other.a)) {
            let (wall, grain) = (run[0].a as usize, run[0].b as usize);
            let (x, radius) = (scene.place[grain].x(), scene.place[grain].radius());
            met.clear();
            scene.surfaces[wall].near(scene.stands[wall], x, radius + scene.range, &mut |face, normal, distance| {
                met.push((face, normal, radius - distance));
            });
            self.hand_over(scene, run, slot, &met);
            for key in run {
                let found = met.iter().find(|(face, ..)| *face == key.feature);
                let is_bound = self.at_walls.is_bound(slot);
                match found {
                    Some((_, normal, overlap)) if *overlap > 0.0 || is_bound => {
                        self.take(scene, batch, at_wall(scene, key, slot, *normal, *overlap), true);
                    }
                    _ => self.at_walls.note(slot, false),
                }
                slot += 1;
            }
        }
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
