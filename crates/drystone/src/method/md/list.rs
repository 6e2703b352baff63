//! Who may touch whom: a half list with a skin, and what each pair remembers beside it.

use super::beads::Beads;
use super::images::Images;
use super::store::Store;
use crate::body::{Bodies, Twist};
use crate::contact::{ContactKey, Neighbours};
use crate::dim::{Dim, Vector};
use crate::law::soft::Memory;
use crate::world::World;

/// Steps of a fast grain's path that its halo holds beyond the skin, in units of the search's own four.
const STEPS_AHEAD: f64 = 8.0;

/// The pairs of a world that may touch soon.
#[derive(Clone, Debug, Default)]
pub struct List<D: Dim> {
    /// Faces of walls and grains, sorted by grain, wall and face.
    pub walls: Vec<ContactKey>,
    /// Grains a < b, sorted.
    pub pairs: Vec<[u32; 2]>,
    /// Images that are the second of pairs across the border of a periodic cell.
    pub images: Images<D>,
    /// What the walls' pairs remember.
    pub at_walls: Store<D>,
    /// What the grains' pairs remember.
    pub between: Store<D>,
    neighbours: Neighbours<D>,
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

    /// Whether all pairs that can touch are in it, after a step in which no body went further than `way`.
    pub fn serves(&mut self, world: &World<D>, bodies: &Bodies<D>, way: f64) -> bool {
        self.gone += way;
        let is_open = world.walls.iter().map(|wall| wall.drive.is_open());
        if !is_open.eq(self.is_open.iter().copied()) {
            return false;
        }
        self.gone < self.slack || self.neighbours.covers(bodies, world.cell.as_ref(), |_| self.still)
    }

    /// Makes the list anew; pairs that touch keep what they remember. `range` is that of the longest attraction. Balls of
    /// clumps are the bodies, if there are any.
    pub fn rebuild(&mut self, world: &World<D>, beads: Option<&Beads<D>>, dt: f64, (range, is_whole): (f64, bool)) {
        let bodies = beads.map_or(&world.bodies, |beads| &beads.bodies);
        let still = 0.5 * range + world.image_travel(dt * STEPS_AHEAD);
        let way = |k: usize, twist: &Twist<D>| twist.v.norm() * dt + world.swing_travel(k, dt);
        let travel: Vec<f64> =
            bodies.twist.iter().enumerate().map(|(k, twist)| way(k, twist) * STEPS_AHEAD + still).collect();
        self.is_open = world.walls.iter().map(|wall| wall.drive.is_open()).collect();
        let walls = world.walls.len();
        self.neighbours.rebuild(bodies, (&world.surfaces, &self.is_open), world.cell.as_ref(), &travel);
        let mut near = self.neighbours.take_pairs();
        if let Some(beads) = beads {
            near.retain(|pair| beads.may_touch(*pair, walls));
        }
        self.still = 0.5 * range;
        let grains = walls..bodies.len();
        let radii = grains.clone().map(|k| bodies.shape[k].radius());
        let mean = radii.sum::<f64>() / grains.len().max(1) as f64;
        (self.gone, self.slack) = (0.0, 0.1 * mean); // the skin of the search
        let first = near.partition_point(|(a, _)| (*a as usize) < walls);
        let (walls_before, pairs_before) = (std::mem::take(&mut self.walls), std::mem::take(&mut self.pairs));
        for &(a, b) in &near[..first] {
            let (wall, grain) = (a as usize, b as usize);
            // both halos, as the search made them
            let reach = bodies.shape[grain].radius() + 2.0 * self.slack + 4.0 * (travel[wall] + travel[grain]);
            world.surfaces[wall].may_meet(bodies.stand(wall), bodies.pose[grain].x, reach, &mut |feature| {
                self.walls.push(ContactKey { a, b, feature });
            });
        }
        self.walls.sort_unstable_by_key(by_grain);
        self.pairs = near[first..].iter().map(|(a, b)| [*a, *b]).collect();
        self.images = Images::of(world.cell.as_ref(), bodies, &self.pairs);
        let mut at_walls = Store::new(self.walls.len(), is_whole);
        meet(&walls_before, &self.walls, by_grain, |from, slot| at_walls.take_over(slot, &self.at_walls, from));
        let mut between = Store::new(self.pairs.len(), is_whole);
        meet(&pairs_before, &self.pairs, |pair| *pair, |from, slot| between.take_over(slot, &self.between, from));
        (self.at_walls, self.between) = (at_walls, between);
    }

    /// All that touching pairs remember.
    pub fn kept(&self) -> Kept<D> {
        let walls = self.walls.iter().enumerate().map(|(slot, key)| (&self.at_walls, slot, *key));
        let pairs = self.pairs.iter().enumerate();
        let pairs = pairs.map(|(slot, [a, b])| (&self.between, slot, ContactKey { a: *a, b: *b, feature: 0 }));
        let touching = walls.chain(pairs).filter(|(store, slot, _)| store.touched[*slot]);
        touching.map(|(store, slot, key)| (key, store.get(slot))).collect()
    }

    /// Gives pairs of the list what they remembered.
    pub fn restore(&mut self, kept: Kept<D>) {
        for (key, memory) in kept {
            if let Ok(slot) = self.pairs.binary_search(&[key.a, key.b]) {
                self.between.set(slot, memory);
            } else if let Ok(slot) = self.walls.binary_search_by_key(&by_grain(&key), by_grain) {
                self.at_walls.set(slot, memory);
            }
        }
    }
}

/// Order of the walls' pairs.
fn by_grain(key: &ContactKey) -> (u32, u32, u32) {
    (key.b, key.a, key.feature)
}

/// Calls `both` with the indices of items that stand in both lists, which are sorted by `key`.
fn meet<T, K: Ord>(before: &[T], after: &[T], key: impl Fn(&T) -> K, mut both: impl FnMut(usize, usize)) {
    let mut from = 0;
    for (slot, item) in after.iter().enumerate() {
        let wanted = key(item);
        while before.get(from).is_some_and(|item| key(item) < wanted) {
            from += 1;
        }
        if before.get(from).is_some_and(|item| key(item) == wanted) {
            both(from, slot);
        }
    }
}
