//! The forces of a unit: its share of the pairs and memories, worked off in its patch.
//!
//! Contacts of plain laws go through [`super::fours`]; others, and all that are watched, through [`super::batch`].

use super::batch::{Batch, Touching};
use super::beads::nearest;
use super::fours::{AtWall, Fours, Near};
use super::patch::{Fill, Patch, Place};
use super::scene::Scene;
use super::store::Slots;
use super::unit::{Outcome, Unit};
use crate::contact::at_mesh::rims_at_rod;
use crate::contact::{Coincident, ContactKey};
use crate::dim::{Dim, Vector};
use crate::lane::in_lanes;
use crate::law::soft::Couple;
use crate::wall::Surface;

/// A face of a wall that a grain touches or is near.
#[derive(Clone, Copy, Debug)]
struct Met<D: Dim> {
    face: u32,
    normal: D::Vec,
    overlap: f64,
    /// From the middle of a capsule to the point of its segment that touches [m]; zero for balls.
    offset: D::Vec,
}

/// A unit at work.
pub struct Share<'s, D: Dim> {
    /// The unit.
    pub unit: &'s mut Unit<D>,
    /// Its patch.
    pub patch: &'s mut Patch<D>,
    /// What its pairs with walls remember.
    pub at_walls: Slots<'s, D>,
    /// What its pairs of grains remember.
    pub between: Slots<'s, D>,
}

impl<D: Dim> Share<'_, D> {
    /// Forces of all pairs of the unit.
    pub fn run(&mut self, scene: &Scene<D>) {
        in_lanes(Fill { patch: &mut *self.patch, scene, unit: &*self.unit });
        self.patch.fill_rare(scene, self.unit);
        self.unit.seen.clear();
        self.unit.outcome = Outcome::default();
        match scene.is_plain() && !scene.has_offsets {
            true => self.visit_plain_walls(scene),
            false => self.visit_walls(scene, &mut Batch::default()),
        }
        match scene.is_plain() {
            true => self.visit_plain_pairs(scene),
            false => self.visit_pairs(scene, &mut Batch::default()),
        }
        let (unit, wrench) = (&mut *self.unit, &self.patch.wrench);
        let beyond = unit.seats_beyond();
        unit.on_walls = wrench[beyond.end..].iter().map(|wrench| wrench.twist()).collect();
        unit.pushes.iter_mut().zip(&wrench[beyond]).for_each(|(push, wrench)| *push = wrench.twist());
    }

    /// Forces of all walls on grains, whose laws are plain.
    fn visit_plain_walls(&mut self, scene: &Scene<D>) {
        let mut met = Vec::with_capacity(self.unit.walls.len());
        let (first, first_wall) = (self.unit.grains.start as u32, self.unit.first_wall());
        self.meet_walls(scene, |share, slot, key, Met { normal, overlap, .. }| {
            let (wall, grain) = (first_wall + key.a, key.b - first);
            let lever = scene.surfaces[key.a as usize].as_dyn().lever();
            met.push(AtWall { slot: slot as u32, wall, grain, normal, overlap, lever });
            share.at_walls.touch(slot);
        });
        let patch = &mut *self.patch;
        if !scene.rules.is_one() {
            met.sort_by_key(|met| patch.law(scene, [met.wall, met.grain]));
        }
        let law = |patch: &Patch<D>, met: &AtWall<D>| patch.law(scene, [met.wall, met.grain]);
        let mut rest = &met[..];
        while let Some(one) = rest.first() {
            let number = law(patch, one);
            let (same, others) = rest.split_at(rest.partition_point(|met| law(patch, met) <= number));
            rest = others;
            let work = Fours {
                scene,
                law: scene.rules.plain[number],
                near: Near::Walls(same),
                slots: &mut self.at_walls,
                patch,
            };
            self.unit.outcome.enter(&in_lanes(work));
        }
    }

    /// Forces of all pairs of grains, whose laws are plain.
    fn visit_plain_pairs(&mut self, scene: &Scene<D>) {
        let pairs = &scene.pairs[self.unit.pairs.clone()];
        let patch = &mut *self.patch;
        let mut awake = std::mem::take(&mut patch.awake);
        self.between.find_awake(scene.gone, &mut awake);
        let law = |patch: &Patch<D>, slot: u32| {
            let seats = pairs[slot as usize];
            patch.law(scene, [seats.first(), seats.second()])
        };
        if !scene.rules.is_one() {
            awake.sort_by_key(|slot| law(patch, *slot));
        }
        let mut rest = &awake[..];
        while let Some(one) = rest.first() {
            let number = law(patch, *one);
            let (same, others) = match scene.rules.is_one() {
                true => (rest, &[][..]),
                false => rest.split_at(rest.partition_point(|slot| law(patch, *slot) <= number)),
            };
            rest = others;
            let near = Near::Grains { pairs, awake: same };
            let work = Fours { scene, law: scene.rules.plain[number], near, slots: &mut self.between, patch };
            let outcome = self.unit.named(in_lanes(work));
            self.unit.outcome.enter(&outcome);
        }
        patch.awake = awake;
    }

    /// Calls `each` with the slot, the key and the place of every grain and face of a wall that touch or are bound. Grains that
    /// are away from a wall are left alone until they may touch it.
    fn meet_walls(&mut self, scene: &Scene<D>, mut each: impl FnMut(&mut Self, usize, &ContactKey, Met<D>)) {
        let (mut first, mut met) = (0, Vec::new());
        for run in scene.walls[self.unit.walls.clone()].chunk_by(|one, other| (one.b, one.a) == (other.b, other.a)) {
            let slots = first..first + run.len();
            first = slots.end;
            if slots.clone().all(|slot| self.at_walls.sleeps(slot, scene.gone)) {
                continue;
            }
            let (wall, range) = (run[0].a as usize, scene.rules.range);
            let seat = run[0].b as usize - self.unit.grains.start;
            let place = self.patch.place[seat];
            let (x, radius) = (place.x(), place.radius());
            met.clear();
            let mut gap = range + scene.skin;
            let rod = self.patch.cores.get(seat).filter(|(half, _)| *half != D::Vec::ZERO);
            match (rod, &scene.surfaces[wall]) {
                (Some(&(half, radius)), surface @ Surface::Mesh(mesh)) => {
                    gap = 0.0; // another edge may come as near as its ends are: it is looked at every time
                    let (stand, ends) = (scene.stands[wall], [x - half, x + half]);
                    rims_at_rod((surface, mesh), stand, ends, radius + range, &mut |face, normal, distance, offset| {
                        met.push(Met { face, normal, overlap: radius - distance, offset });
                    });
                }
                (_, surface) => surface.near(scene.stands[wall], x, radius + gap, &mut |face, normal, distance| {
                    gap = gap.min(distance - radius);
                    if distance < radius + range {
                        met.push(Met { face, normal, overlap: radius - distance, offset: D::Vec::ZERO });
                    }
                }),
            }
            if run.len() > 1 {
                self.hand_over(scene, run, slots.start, &met);
            }
            for (slot, key) in slots.clone().zip(run) {
                let found = met.iter().find(|met| met.face == key.feature);
                match found {
                    Some(met) if met.overlap > 0.0 || self.at_walls.is_bound(slot) => each(self, slot, key, *met),
                    _ => self.at_walls.part(slot),
                }
            }
            if gap > 0.0 && self.at_walls.may_rest() {
                slots.for_each(|slot| self.at_walls.rest(slot, scene.gone, gap));
            }
        }
    }

    fn visit_walls(&mut self, scene: &Scene<D>, batch: &mut Batch<D>) {
        self.meet_walls(scene, |share, slot, key, met| {
            let contact = share.at_wall(scene, key, slot, met);
            share.take(scene, batch, contact, true);
        });
        self.flush(scene, batch, true);
    }

    /// A contact with a wall.
    fn at_wall(&self, scene: &Scene<D>, key: &ContactKey, slot: usize, met: Met<D>) -> Touching<D> {
        let Met { normal, overlap, offset, .. } = met;
        let wall = key.a as usize;
        let (a, b) = (self.unit.first_wall() + key.a, key.b - self.unit.grains.start as u32);
        let place = self.patch.place[b as usize];
        let (x, radius) = (place.x() + offset, self.patch.cores.get(b as usize).map_or(place.radius(), |core| core.1));
        let surface = &scene.surfaces[wall];
        let lever = surface.as_dyn().lever();
        let foot = x - normal * (radius - overlap);
        let aside = match scene.has_offsets {
            true => surface.arm(scene.stands[wall].x, foot, normal) - normal * lever,
            false => D::Vec::ZERO,
        };
        Touching {
            slot,
            a,
            b,
            feature: key.feature,
            normal,
            overlap,
            arms: [lever, radius],
            offsets: [aside, offset],
            couple: Couple { mass: self.patch.reduced_mass([a, b]), radius },
            u: D::Vec::ZERO,
        }
    }

    /// A grain that rolls from one face of a wall to the next keeps its contact: the face that it came to takes over what
    /// the one that it left remembers.
    fn hand_over(&mut self, scene: &Scene<D>, run: &[ContactKey], first: usize, met: &[Met<D>]) {
        let is_met = |key: &ContactKey| met.iter().any(|met| met.face == key.feature);
        let overlaps = |key: &ContactKey| met.iter().any(|met| met.face == key.feature && met.overlap > 0.0);
        let is_left = |(k, key): &(usize, &ContactKey)| self.at_walls.touches(first + k) && !is_met(key);
        let left: Vec<(usize, u32)> = run.iter().enumerate().filter(is_left).map(|(k, key)| (k, key.feature)).collect();
        for (from, feature) in left {
            let comes = |(k, key): &(usize, &ContactKey)| {
                !self.at_walls.touches(first + k)
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
        for (slot, seats) in scene.pairs[self.unit.pairs.clone()].iter().enumerate() {
            let (a, b) = (seats.first(), seats.second());
            if a != here.0 {
                here = (a, self.patch.place[a as usize]);
            }
            let (one, other) = (here.1, self.patch.place[b as usize]);
            let (offsets, [ra, rb]) = match scene.cores.is_empty() {
                true => ([D::Vec::ZERO; 2], [one.radius(), other.radius()]),
                false => {
                    let [(h, ra), (g, rb)] = [a, b].map(|seat| self.patch.cores[seat as usize]);
                    (nearest::<D>([one.x(), other.x()], [h, g]), [ra, rb])
                }
            };
            let (apart, touching) = (other.x() - one.x() + (offsets[1] - offsets[0]), ra + rb);
            let square = apart.norm_squared();
            if square >= touching * touching && !self.between.is_bound(slot) {
                if !scene.is_watched {
                    self.between.part(slot);
                }
                continue;
            }
            let distance = square.sqrt();
            if distance == 0.0 {
                let [a, b] = [a, b].map(|seat| self.unit.body(seat) as usize);
                self.unit.outcome.coincident = Some(Coincident { a, b });
                continue;
            }
            let contact = Touching {
                slot,
                a,
                b,
                feature: 0,
                normal: apart * (1.0 / distance),
                overlap: touching - distance,
                arms: [ra, rb],
                offsets,
                couple: Couple { mass: self.patch.reduced_mass([a, b]), radius: ra * rb / touching },
                u: D::Vec::ZERO,
            };
            self.take(scene, batch, contact, false);
        }
        self.flush(scene, batch, false);
    }
}
