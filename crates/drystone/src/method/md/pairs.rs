//! The pair list: a half list with a skin, distributed over blocks, and the history of each pair beside it.

use super::beads::Beads;
use super::block::{GrainBlock, LocalPair, distribute};
use super::history::History;
use super::images::Images;
use super::law_table::LawTable;
use crate::body::Bodies;
use crate::contact::{ContactKey, Neighbours};
use crate::dim::Dim;
use crate::law::soft::SoftMemory;
use crate::world::World;

/// Path of a fast grain that its halo covers beyond the skin, in multiples of the four steps of the search.
const STEPS_AHEAD: f64 = 8.0;

/// The pairs of a world that may touch soon.
#[derive(Clone, Debug, Default)]
pub struct PairList<D: Dim> {
    /// Faces of walls and grains, sorted by grain, wall and face.
    pub walls: Vec<ContactKey>,
    /// Pairs of grains a < b, sorted, by their local indices in the block of a.
    pub pairs: Vec<LocalPair>,
    /// Blocks that own them.
    pub blocks: Vec<GrainBlock<D>>,
    /// Images that are the second of pairs across the border of a periodic cell.
    pub images: Images<D>,
    /// History of the pairs with walls.
    pub at_walls: History<D>,
    /// History of the pairs of grains.
    pub between: History<D>,
    neighbours: Neighbours<D>,
    /// Number of bodies.
    bodies: usize,
    /// Distance that no body has exceeded since the list was built [m].
    pub travelled: f64,
    /// Distance that every body may move before the list must be checked [m].
    pub slack: f64,
    /// Half the range of attraction of a pair at rest [m].
    still: f64,
    is_open: Vec<bool>,
}

/// Keys of contacts with their memories.
pub(crate) type StoredMemories<D> = Vec<(ContactKey, SoftMemory<D>)>;

impl<D: Dim> PairList<D> {
    /// How often the list was built.
    pub fn rebuilds(&self) -> u64 {
        self.neighbours.rebuilds
    }

    /// Whether the list contains all pairs that can touch after a step in which no body moves further than `way`;
    /// bodies that have not moved yet will move by `ahead`.
    pub fn covers_step(
        &mut self,
        world: &World<D>,
        bodies: &Bodies<D>,
        way: f64,
        ahead: impl Fn(usize) -> f64 + Sync,
    ) -> bool {
        self.travelled += way;
        let is_open = world.setup.walls.iter().map(|wall| wall.drive.is_open());
        if !is_open.eq(self.is_open.iter().copied()) {
            return false;
        }
        self.travelled < self.slack
            || self.neighbours.covers(bodies, world.cell.as_ref(), |body| self.still + ahead(body))
    }

    /// Records that radii have grown by `factor`, and that no surface moved further than `way` by that.
    pub fn swell(&mut self, factor: f64, way: f64, law_table: &LawTable) {
        self.neighbours.swell(factor);
        self.travelled += way;
        self.still = 0.5 * law_table.range;
    }

    /// Rebuilds the list for bodies, or balls of clumps, that move by `way` in a step of `dt`; pairs that touch keep
    /// their memories.
    pub fn rebuild(
        &mut self,
        world: &World<D>,
        beads: Option<&Beads<D>>,
        law_table: &LawTable,
        dt: f64,
        way: impl Fn(usize) -> f64,
    ) {
        let bodies = beads.map_or(&world.bodies, |beads| &beads.bodies);
        let still = 0.5 * law_table.range + world.image_travel(dt * STEPS_AHEAD);
        let travel: Vec<f64> = (0..bodies.len()).map(|body| way(body) * STEPS_AHEAD + still).collect();
        self.is_open = world.setup.walls.iter().map(|wall| wall.drive.is_open()).collect();
        let walls = world.setup.walls.len();
        self.neighbours.rebuild(bodies, &world.setup.surfaces, &self.is_open, world.cell.as_ref(), &travel);
        let mut near = self.neighbours.take_pairs();
        if let Some(beads) = beads {
            near.retain(|(a, b)| beads.may_touch(*a, *b, &world.setup.surfaces));
        }
        self.still = 0.5 * law_table.range;
        let grains = walls..bodies.len();
        let radii = grains.clone().map(|k| bodies.shape[k].radius());
        let mean = radii.sum::<f64>() / grains.len().max(1) as f64;
        (self.travelled, self.slack) = (0.0, 0.1 * mean); // the skin of the search
        let first = near.partition_point(|(a, _)| (*a as usize) < walls);
        let mut at_walls = Vec::new();
        for &(a, b) in &near[..first] {
            let (wall, grain) = (a as usize, b as usize);
            // both halos, as in the search
            let reach = bodies.shape[grain].radius() + 2.0 * self.slack + 4.0 * (travel[wall] + travel[grain]);
            let surface = &world.setup.surfaces[wall];
            surface.may_meet(bodies.wall_pose(wall), bodies.pose[grain].x, reach, &mut |feature| {
                if beads.is_none_or(|beads| beads.may_meet(grain, surface, feature)) {
                    at_walls.push(ContactKey { a, b, feature });
                }
            });
        }
        drop(travel);
        at_walls.sort_unstable_by_key(by_grain);
        at_walls.shrink_to_fit();
        self.remember(&at_walls, &near[first..], law_table.keeps_whole_memories);
        self.walls = at_walls;
        self.bodies = bodies.len();
        self.images = Images::of(world.cell.as_ref(), bodies, &mut near[first..]);
        (self.blocks, self.pairs) = (GrainBlock::of(grains), Vec::new());
        self.pairs = distribute(&mut self.blocks, &self.walls, &near[first..], &self.images, self.bodies);
    }

    /// Makes the history of the new pairs; those that touch keep their old memories.
    fn remember(&mut self, walls: &[ContactKey], pairs: &[(u32, u32)], keeps_whole_memories: bool) {
        let mut at_walls = History::new(walls.len(), keeps_whole_memories);
        let (before, after) = (self.walls.iter().map(by_grain), walls.iter().map(by_grain));
        for_each_common(before, after, |from, index| at_walls.copy_from(index, &self.at_walls, from));
        self.at_walls = at_walls;
        let mut between = History::new(pairs.len(), keeps_whole_memories);
        for_each_common(self.body_pairs(), pairs.iter().copied(), |from, index| {
            between.copy_from(index, &self.between, from)
        });
        self.between = between;
    }

    /// The bodies of all pairs, in their order.
    fn body_pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let of_unit = |block: &'_ GrainBlock<D>| {
            self.pairs[block.pairs.clone()].iter().map(|pair| self.bodies_of(block, *pair)).collect::<Vec<_>>()
        };
        self.blocks.iter().flat_map(of_unit)
    }

    fn bodies_of(&self, block: &GrainBlock<D>, pair: LocalPair) -> (u32, u32) {
        (block.body(pair.first()), self.images.body(block.body(pair.second()), self.bodies))
    }

    /// Memories of all touching pairs.
    pub fn memories(&self) -> StoredMemories<D> {
        let walls = self.walls.iter().enumerate();
        let walls = walls.filter_map(|(index, key)| Some((*key, self.at_walls.get(index)?)));
        let pairs = self.body_pairs().enumerate();
        let pairs =
            pairs.filter_map(|(index, (a, b))| Some((ContactKey { a, b, feature: 0 }, self.between.get(index)?)));
        walls.chain(pairs).collect()
    }

    /// Gives pairs of the list their stored memories.
    pub fn restore(&mut self, memories: StoredMemories<D>) {
        for (key, memory) in memories {
            if let Some(index) = self.index_of(key.a, key.b) {
                self.between.set(index, memory);
            } else if let Ok(index) = self.walls.binary_search_by_key(&by_grain(&key), by_grain) {
                self.at_walls.set(index, memory);
            }
        }
    }

    /// Index of the pair of bodies a and b.
    fn index_of(&self, a: u32, b: u32) -> Option<usize> {
        let block = self.blocks.get(self.blocks.partition_point(|block| block.grains.end <= a as usize))?;
        let own = &self.pairs[block.pairs.clone()];
        let found = own.binary_search_by_key(&(a, b), |pair| self.bodies_of(block, *pair));
        found.ok().map(|index| block.pairs.start + index)
    }
}

/// Sorting key of the pairs with walls.
fn by_grain(key: &ContactKey) -> (u32, u32, u32) {
    (key.b, key.a, key.feature)
}

/// Calls `both` with the indices of keys that are in both sorted lists.
fn for_each_common<K: Ord>(
    before: impl Iterator<Item = K>,
    after: impl Iterator<Item = K>,
    mut both: impl FnMut(usize, usize),
) {
    let mut before = before.enumerate().peekable();
    for (index, wanted) in after.enumerate() {
        while before.next_if(|(_, key)| *key < wanted).is_some() {}
        if let Some((from, _)) = before.next_if(|(_, key)| *key == wanted) {
            both(from, index);
        }
    }
}
