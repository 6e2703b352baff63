//! A block of the force loop: a run of grains along the space-filling curve, with the pairs that they own.
//!
//! Blocks do not depend on the number of threads, nor does the order in which forces add up: within a block in the
//! order of its pairs, across blocks by the sums that each block keeps for its ghosts, in the order of the blocks.
//!
//! Local indices of a block count its own grains first, then its ghosts (grains of later blocks and periodic images
//! that its pairs push), then the walls.

use std::ops::Range;

use super::contact_report::ContactReport;
use super::images::Images;
use crate::body::Twist;
use crate::contact::{Coincident, ContactKey};
use crate::dim::Dim;
use crate::method::common::solver_body::SolverBody;

/// Blocks of a world: enough to give every thread several.
const BLOCKS: usize = 16;
/// Grains of a block. Larger blocks have fewer ghosts; a block of this size still fits into the second-level cache with
/// all its data.
const BLOCK_SIZE: std::ops::RangeInclusive<usize> = 256..=2048;

/// Energy that contacts took in, by normal, tangential and rolling resistance [J] (or its rate [W]).
pub(crate) type Taken = [f64; 3];

/// Two grains that may touch, by their local indices in the block of the first.
#[derive(Clone, Copy, Debug)]
pub struct LocalPair(u32);

impl LocalPair {
    /// Bits of the first index, which is that of one of the block's own grains; the other bits are those of the second.
    const FIRST_BITS: u32 = BLOCK_SIZE.end().ilog2();

    fn new(first: usize, second: usize) -> LocalPair {
        assert!(second < 1 << (u32::BITS - LocalPair::FIRST_BITS), "a block has some two million neighbours at most");
        LocalPair(first as u32 | (second as u32) << LocalPair::FIRST_BITS)
    }

    /// Local index of the first grain.
    #[inline(always)]
    pub fn first(self) -> u32 {
        self.0 & ((1 << LocalPair::FIRST_BITS) - 1)
    }

    /// Local index of the second grain.
    #[inline(always)]
    pub fn second(self) -> u32 {
        self.0 >> LocalPair::FIRST_BITS
    }
}

/// Sums over pairs in a force evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairTotals {
    /// Energy taken in per time [W].
    pub taken: Taken,
    /// Power of the growth of grains [W].
    pub swelling: f64,
    /// Deepest overlap over the smaller radius.
    pub deepest: f64,
    /// Pairs that touch.
    pub touching: usize,
    /// Two grains whose centres coincide, if there are any.
    pub coincident: Option<Coincident>,
    /// Pairs that touch and went through the law four at a time.
    #[cfg(test)]
    pub in_fours: usize,
}

impl PairTotals {
    /// Adds the sums over other pairs.
    pub fn add(&mut self, other: &PairTotals) {
        self.taken.iter_mut().zip(other.taken).for_each(|(sum, part)| *sum += part);
        self.swelling += other.swelling;
        self.deepest = self.deepest.max(other.deepest);
        self.touching += other.touching;
        self.coincident = self.coincident.or(other.coincident);
        #[cfg(test)]
        (self.in_fours += other.in_fours);
    }
}

/// A block that pushes grains of another block.
#[derive(Clone, Debug)]
pub struct SourceBlock {
    /// Number of the pushing block.
    block: u32,
    /// Which of its ghosts are the pushed grains.
    ghosts: Range<u32>,
}

impl SourceBlock {
    fn range(&self) -> Range<usize> {
        self.ghosts.start as usize..self.ghosts.end as usize
    }
}

/// A run of grains with the pairs that they own, and the results of the last force evaluation.
#[derive(Clone, Debug, Default)]
pub struct GrainBlock<D: Dim> {
    /// Its grains.
    pub grains: Range<usize>,
    /// Its pairs with walls.
    pub walls: Range<usize>,
    /// Its pairs of grains: those whose first grain is one of its own.
    pub pairs: Range<usize>,
    /// Grains of later blocks that its pairs push, and images, sorted.
    pub ghosts: Vec<u32>,
    /// Earlier blocks whose pairs act on its grains.
    pub sources: Vec<SourceBlock>,
    /// Blocks up to and including this one whose pairs push images of its grains.
    pub image_sources: Vec<SourceBlock>,
    /// Forces [N] and torques [N m] on the ghosts.
    pub on_ghosts: Vec<Twist<D>>,
    /// The same on the walls.
    pub on_walls: Vec<Twist<D>>,
    /// Sums over its pairs.
    pub totals: PairTotals,
    /// Its contacts, if reports are asked for.
    pub reports: Vec<ContactReport<D>>,
}

impl<D: Dim> GrainBlock<D> {
    /// Cuts grains into blocks.
    pub fn of(grains: Range<usize>) -> Vec<GrainBlock<D>> {
        let size = (grains.len() / BLOCKS).clamp(*BLOCK_SIZE.start(), *BLOCK_SIZE.end());
        let starts = grains.clone().step_by(size);
        starts
            .map(|start| GrainBlock { grains: start..(start + size).min(grains.end), ..GrainBlock::default() })
            .collect()
    }

    /// Its bodies in the order of local indices, without the walls; images are numbered behind all bodies.
    pub fn bodies(&self) -> impl Iterator<Item = u32> {
        (self.grains.start as u32..self.grains.end as u32).chain(self.ghosts.iter().copied())
    }

    /// The body, or image, with a local index.
    pub fn body(&self, local: u32) -> u32 {
        match (local as usize).checked_sub(self.grains.len()) {
            None => self.grains.start as u32 + local,
            Some(ghost) => self.ghosts[ghost],
        }
    }

    /// Sums over pairs, with body numbers in place of local indices.
    pub fn with_bodies(&self, totals: PairTotals) -> PairTotals {
        let body = |local: usize| self.body(local as u32) as usize;
        let coincident = totals.coincident.map(|Coincident { a, b }| Coincident { a: body(a), b: body(b) });
        PairTotals { coincident, ..totals }
    }

    /// Local indices of the ghosts.
    pub fn ghost_range(&self) -> Range<usize> {
        self.grains.len()..self.grains.len() + self.ghosts.len()
    }

    /// Local index of the first wall.
    pub fn first_wall(&self) -> u32 {
        self.ghost_range().end as u32
    }

    /// Adds to the forces on its own grains those of other blocks, of membranes and loads, and of pairs across the
    /// border of a cell.
    pub fn gather(
        &self,
        blocks: &[GrainBlock<D>],
        images: &Images<D>,
        bodies: usize,
        loads: &[Twist<D>],
        wrench: &mut [SolverBody<D>],
    ) {
        let mut push = |body: usize, Twist { v, w }: Twist<D>| {
            let line = &mut wrench[body - self.grains.start];
            let sum = line.twist();
            line.set_twist(&Twist { v: sum.v + v, w: sum.w + w });
        };
        let pushed = |source: &SourceBlock| {
            let (source, part) = (&blocks[source.block as usize], source.range());
            source.ghosts[part.clone()].iter().zip(&source.on_ghosts[part])
        };
        for source in &self.sources {
            pushed(source).for_each(|(body, force)| push(*body as usize, *force));
        }
        for (body, load) in self.grains.clone().zip(loads.get(self.grains.clone()).unwrap_or_default()) {
            push(body, *load);
        }
        for (image, force) in self.image_sources.iter().flat_map(pushed) {
            push(images.body(*image, bodies) as usize, *force);
        }
    }

    /// Takes its own part of all pairs, which are sorted by their first bodies, and finds its ghosts.
    fn take_pairs(&mut self, walls: &[ContactKey], pairs: &[(u32, u32)]) {
        let grains = self.grains.clone();
        let from = |at: usize| walls.partition_point(|key| (key.b as usize) < at);
        self.walls = from(grains.start)..from(grains.end);
        let from = |at: usize| pairs.partition_point(|pair| (pair.0 as usize) < at);
        self.pairs = from(grains.start)..from(grains.end);
        let others = pairs[self.pairs.clone()].iter().map(|(_, b)| *b);
        let mut ghosts: Vec<u32> = others.filter(|b| *b as usize >= grains.end).collect();
        ghosts.sort_unstable();
        ghosts.dedup();
        ghosts.shrink_to_fit();
        self.on_ghosts = vec![Twist::default(); ghosts.len()];
        (self.ghosts, self.sources, self.image_sources) = (ghosts, Vec::new(), Vec::new());
    }

    fn local_pair(&self, a: u32, b: u32) -> LocalPair {
        let own = |body: u32| body as usize - self.grains.start;
        let second = self.ghosts.binary_search(&b).map_or_else(|_| own(b), |ghost| self.grains.len() + ghost);
        LocalPair::new(own(a), second)
    }
}

/// Distributes the pairs over the blocks, and finds which block pushes whose grains. Returns the pairs by local
/// indices.
pub(crate) fn distribute<D: Dim>(
    blocks: &mut [GrainBlock<D>],
    walls: &[ContactKey],
    pairs: &[(u32, u32)],
    images: &Images<D>,
    bodies: usize,
) -> Vec<LocalPair> {
    let mut local_pairs = Vec::with_capacity(pairs.len());
    for block in blocks.iter_mut() {
        block.take_pairs(walls, pairs);
        local_pairs.extend(pairs[block.pairs.clone()].iter().map(|(a, b)| block.local_pair(*a, *b)));
    }
    let Some(Range { start, end }) = blocks.first().map(|block| block.grains.clone()) else { return local_pairs };
    let home = |body: u32| (images.body(body, bodies) as usize - start) / (end - start);
    for k in 0..blocks.len() {
        let ghosts = std::mem::take(&mut blocks[k].ghosts);
        let is_image = |body: u32| body as usize >= bodies;
        let mut from = 0;
        for part in ghosts.chunk_by(|one, other| (is_image(*one), home(*one)) == (is_image(*other), home(*other))) {
            let to = from + part.len() as u32;
            let target = &mut blocks[home(part[0])];
            let sources = if is_image(part[0]) { &mut target.image_sources } else { &mut target.sources };
            sources.push(SourceBlock { block: k as u32, ghosts: from..to });
            from = to;
        }
        blocks[k].ghosts = ghosts;
    }
    local_pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D3;

    #[test]
    fn pairs_come_back_from_their_local_indices_and_every_push_reaches_its_grain() {
        let (first, count) = (3, 9000);
        let mut pairs: Vec<(u32, u32)> =
            (first..count).flat_map(|a| [1, 7, 1500].map(|on| (a, a + on))).filter(|(_, b)| *b < count).collect();
        pairs.sort_unstable();
        let mut blocks = GrainBlock::<D3>::of(first as usize..count as usize);
        let local_pairs = distribute(&mut blocks, &[], &pairs, &Images::default(), count as usize);
        let mut known = pairs.iter();
        for block in &blocks {
            for pair in &local_pairs[block.pairs.clone()] {
                assert_eq!(known.next(), Some(&(block.body(pair.first()), block.body(pair.second()))));
                assert!((pair.first() as usize) < block.grains.len());
            }
        }
        assert_eq!(known.next(), None);
        let pushed = blocks.iter().flat_map(|block| block.sources.iter().map(move |source| (block, source)));
        let mut all = 0;
        for (block, source) in pushed {
            let ghosts = &blocks[source.block as usize].ghosts[source.range()];
            assert!(ghosts.iter().all(|body| block.grains.contains(&(*body as usize))));
            all += ghosts.len();
        }
        assert_eq!(all, blocks.iter().map(|block| block.ghosts.len()).sum::<usize>());
        assert!(blocks.len() > 10 && all > 1000);
    }
}
