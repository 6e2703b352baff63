//! Who may touch whom: a half list with a skin, dealt out among units, and what each pair remembers beside it.

use super::beads::Beads;
use super::images::Images;
use super::rules::Rules;
use super::store::Store;
use super::unit::{Seats, Unit, deal};
use crate::body::Bodies;
use crate::contact::{ContactKey, Neighbours};
use crate::dim::Dim;
use crate::law::soft::Memory;
use crate::world::World;

/// Steps of a fast grain's path that its halo holds beyond the skin, in units of the search's own four.
const STEPS_AHEAD: f64 = 8.0;

/// The pairs of a world that may touch soon.
#[derive(Clone, Debug, Default)]
pub struct List<D: Dim> {
    /// Faces of walls and grains, sorted by grain, wall and face.
    pub walls: Vec<ContactKey>,
    /// Grains a < b, sorted, by their seats in the unit of a.
    pub pairs: Vec<Seats>,
    /// Who works off which of them.
    pub units: Vec<Unit<D>>,
    /// Images that are the second of pairs across the border of a periodic cell.
    pub images: Images<D>,
    /// What the walls' pairs remember.
    pub at_walls: Store<D>,
    /// What the grains' pairs remember.
    pub between: Store<D>,
    neighbours: Neighbours<D>,
    /// Number of bodies.
    bodies: usize,
    /// Way that no body went beyond since the list was made [m].
    pub gone: f64,
    /// Way that every body may go before the list must be looked at [m].
    pub slack: f64,
    /// Way over which a pair at rest may begin to attract, for each of its bodies [m].
    still: f64,
    is_open: Vec<bool>,
}

/// A contact by its key, and what it remembers.
pub type Kept<D> = Vec<(ContactKey, Memory<D>)>;

impl<D: Dim> List<D> {
    /// How often the list was made.
    pub fn rebuilds(&self) -> u64 {
        self.neighbours.rebuilds
    }

    /// Whether all pairs that can touch are in it, after a step in which no body goes further than `way`; those that have
    /// not gone yet will go `ahead`.
    pub fn serves(&mut self, world: &World<D>, bodies: &Bodies<D>, way: f64, ahead: impl Fn(usize) -> f64) -> bool {
        self.gone += way;
        let is_open = world.walls.iter().map(|wall| wall.drive.is_open());
        if !is_open.eq(self.is_open.iter().copied()) {
            return false;
        }
        self.gone < self.slack || self.neighbours.covers(bodies, world.cell.as_ref(), |body| self.still + ahead(body))
    }

    /// Notes that radii have become `factor` times what they were, and no surface went further than `way` by that.
    pub fn swell(&mut self, factor: f64, way: f64, rules: &Rules) {
        self.neighbours.swell(factor);
        self.gone += way;
        self.still = 0.5 * rules.range;
    }

    /// Makes the list anew for bodies, or balls of clumps, that go `way` in a step of `dt`; pairs that touch keep what they
    /// remember.
    pub fn rebuild(
        &mut self,
        world: &World<D>,
        beads: Option<&Beads<D>>,
        rules: &Rules,
        (dt, way): (f64, impl Fn(usize) -> f64),
    ) {
        let bodies = beads.map_or(&world.bodies, |beads| &beads.bodies);
        let still = 0.5 * rules.range + world.image_travel(dt * STEPS_AHEAD);
        let travel: Vec<f64> = (0..bodies.len()).map(|body| way(body) * STEPS_AHEAD + still).collect();
        self.is_open = world.walls.iter().map(|wall| wall.drive.is_open()).collect();
        let walls = world.walls.len();
        self.neighbours.rebuild(bodies, (&world.surfaces, &self.is_open), world.cell.as_ref(), &travel);
        let mut near = self.neighbours.take_pairs();
        if let Some(beads) = beads {
            near.retain(|pair| beads.may_touch(*pair, &world.surfaces));
        }
        self.still = 0.5 * rules.range;
        let grains = walls..bodies.len();
        let radii = grains.clone().map(|k| bodies.shape[k].radius());
        let mean = radii.sum::<f64>() / grains.len().max(1) as f64;
        (self.gone, self.slack) = (0.0, 0.1 * mean); // the skin of the search
        let first = near.partition_point(|(a, _)| (*a as usize) < walls);
        let mut at_walls = Vec::new();
        for &(a, b) in &near[..first] {
            let (wall, grain) = (a as usize, b as usize);
            // both halos, as the search made them
            let reach = bodies.shape[grain].radius() + 2.0 * self.slack + 4.0 * (travel[wall] + travel[grain]);
            let surface = &world.surfaces[wall];
            surface.may_meet(bodies.stand(wall), bodies.pose[grain].x, reach, &mut |feature| {
                if beads.is_none_or(|beads| beads.may_meet(grain, surface, feature)) {
                    at_walls.push(ContactKey { a, b, feature });
                }
            });
        }
        drop(travel);
        at_walls.sort_unstable_by_key(by_grain);
        at_walls.shrink_to_fit();
        self.remember(&at_walls, &near[first..], rules.is_whole);
        self.walls = at_walls;
        self.bodies = bodies.len();
        self.images = Images::of(world.cell.as_ref(), bodies, &mut near[first..]);
        (self.units, self.pairs) = (Unit::of(grains), Vec::new());
        self.pairs = deal(&mut self.units, &self.walls, &near[first..], &self.images, self.bodies);
    }

    /// Makes stores for new pairs; those that touch keep what the old ones remember.
    fn remember(&mut self, walls: &[ContactKey], pairs: &[(u32, u32)], is_whole: bool) {
        let mut at_walls = Store::new(walls.len(), is_whole);
        let (before, after) = (self.walls.iter().map(by_grain), walls.iter().map(by_grain));
        meet(before, after, |from, slot| at_walls.take_over(slot, &self.at_walls, from));
        self.at_walls = at_walls;
        let mut between = Store::new(pairs.len(), is_whole);
        meet(self.couples(), pairs.iter().copied(), |from, slot| between.take_over(slot, &self.between, from));
        self.between = between;
    }

    /// The bodies of all pairs, in their order.
    fn couples(&self) -> impl Iterator<Item = (u32, u32)> {
        let of_unit = |unit: &'_ Unit<D>| {
            self.pairs[unit.pairs.clone()].iter().map(|seats| self.bodies_of(unit, *seats)).collect::<Vec<_>>()
        };
        self.units.iter().flat_map(of_unit)
    }

    fn bodies_of(&self, unit: &Unit<D>, seats: Seats) -> (u32, u32) {
        (unit.body(seats.first()), self.images.body(unit.body(seats.second()), self.bodies))
    }

    /// All that touching pairs remember.
    pub fn kept(&self) -> Kept<D> {
        let walls = self.walls.iter().enumerate();
        let walls = walls.filter_map(|(slot, key)| Some((*key, self.at_walls.get(slot)?)));
        let pairs = self.couples().enumerate();
        let pairs = pairs.filter_map(|(slot, (a, b))| Some((ContactKey { a, b, feature: 0 }, self.between.get(slot)?)));
        walls.chain(pairs).collect()
    }

    /// Gives pairs of the list what they remembered.
    pub fn restore(&mut self, kept: Kept<D>) {
        for (key, memory) in kept {
            if let Some(slot) = self.slot((key.a, key.b)) {
                self.between.set(slot, memory);
            } else if let Ok(slot) = self.walls.binary_search_by_key(&by_grain(&key), by_grain) {
                self.at_walls.set(slot, memory);
            }
        }
    }

    /// Slot of a pair of bodies.
    fn slot(&self, pair: (u32, u32)) -> Option<usize> {
        let unit = self.units.get(self.units.partition_point(|unit| unit.grains.end <= pair.0 as usize))?;
        let own = &self.pairs[unit.pairs.clone()];
        let found = own.binary_search_by_key(&pair, |seats| self.bodies_of(unit, *seats));
        found.ok().map(|slot| unit.pairs.start + slot)
    }
}

/// Order of the walls' pairs.
fn by_grain(key: &ContactKey) -> (u32, u32, u32) {
    (key.b, key.a, key.feature)
}

/// Calls `both` with the indices of keys that stand in both lists, which are sorted.
fn meet<K: Ord>(before: impl Iterator<Item = K>, after: impl Iterator<Item = K>, mut both: impl FnMut(usize, usize)) {
    let mut before = before.enumerate().peekable();
    for (slot, wanted) in after.enumerate() {
        while before.next_if(|(_, key)| *key < wanted).is_some() {}
        if let Some((from, _)) = before.next_if(|(_, key)| *key == wanted) {
            both(from, slot);
        }
    }
}
