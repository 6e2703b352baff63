//! Broad phase: the list of pairs that may touch soon, from grids of cells.
//!
//! Every body has a halo: until the body leaves it, the list contains all its partners. A halo is a skin, the same for
//! all, plus the path of the next few steps, so that one fast grain does not make all lists long. Bodies of similar
//! extent (radius + halo) share a grid. Each body is tested against its own grid and all coarser ones, so that one
//! boulder among fine sand does not make the cells of the sand large.

use glam::DQuat;

use super::RotatedHulls;
use crate::body::Bodies;
use crate::cell::Cell;
use crate::dim::{Dim, Vector};
use crate::shape::Shape;
use crate::threads;
use crate::wall::Surface;

/// Skin over the mean radius of the grains: a larger one means a longer list and fewer rebuilds. At 0.1 the list of a
/// settled bed is built once, and has a fifth more pairs than touch.
const SKIN: f64 = 0.1;
/// Number of steps of a fast grain's path that its halo covers.
const STEPS_AHEAD: f64 = 4.0;
/// Extents within this ratio share a grid; beyond it cells would hold too many small bodies.
const LEVEL_RATIO: f64 = 3.0;

/// Pairs that may touch, complete until a body leaves its halo.
#[derive(Clone, Debug, Default)]
pub struct Neighbours<D: Dim> {
    /// Pairs (a, b) with a < b, sorted.
    pub pairs: Vec<(u32, u32)>,
    /// For every pair a direction that separated it at the last check; zero for none.
    pub hints: Vec<D::Vec>,
    at: Vec<D::Vec>,
    halo: Vec<f64>,
    /// The periodic cell when the list was built.
    cell: Option<Cell<D>>,
    /// Walls that spin as bodies: index, orientation when the list was built, and how far from the axis they reach [m].
    turning: Vec<(usize, DQuat, f64)>,
    /// Fraction by which radii have grown since the list was built.
    grown: f64,
    /// How often the list was built.
    pub rebuilds: u64,
}

/// Some of the pairs, with what a thread keeps for them.
pub(crate) struct PairPart<'n, D: Dim> {
    /// Pairs (a, b) with a < b, sorted.
    pub pairs: &'n [(u32, u32)],
    /// Directions that separated them.
    pub hints: &'n mut [D::Vec],
    /// Their polyhedra.
    pub hulls: &'n mut RotatedHulls,
}

impl<D: Dim> Neighbours<D> {
    /// The pairs in parts, one for each thread; none is empty.
    pub(crate) fn parts<'n>(&'n mut self, hulls: &'n mut Vec<RotatedHulls>) -> Vec<PairPart<'n, D>> {
        let ranges = threads::chunks(self.pairs.len(), self.pairs.len());
        hulls.resize_with(hulls.len().max(ranges.len()), RotatedHulls::default);
        let hints = threads::split(&mut self.hints, ranges.iter().cloned());
        let parts = ranges.into_iter().zip(hints).zip(hulls);
        parts.map(|((range, hints), hulls)| PairPart { pairs: &self.pairs[range], hints, hulls }).collect()
    }

    /// Whether the list contains all pairs that can touch while each body travels `travel` from its present position.
    ///
    /// In a cell that is strained, displacements are relative to the affine motion of the cell; the strain itself also
    /// brings bodies nearer to each other.
    pub fn covers(&self, bodies: &Bodies<D>, cell: Option<&Cell<D>>, travel: impl Fn(usize) -> f64 + Sync) -> bool {
        let grown = |k: usize| match self.grown > 0.0 {
            true => bodies.shape[k].radius() * (self.grown / (1.0 + self.grown)),
            false => 0.0,
        };
        if let (Some(now), Some(then)) = (cell, &self.cell)
            && now != then
        {
            let strain = now.strain_since(then);
            return self.at.len() == bodies.len()
                && threads::all(0..bodies.len(), |k| {
                    let lost = strain * (bodies.shape[k].radius() + self.halo[k]) + grown(k);
                    let left = self.halo[k] - travel(k) - lost;
                    let from = match bodies.shape[k] {
                        Shape::Wall => self.at[k], // walls do not move with the cell
                        _ => now.carried(then, self.at[k]),
                    };
                    left >= 0.0 && (bodies.pose[k].x - from).norm_squared() <= left * left
                });
        }
        self.at.len() == bodies.len()
            && threads::all(0..bodies.len(), |k| {
                let left = self.halo[k] - travel(k) - grown(k);
                left >= 0.0 && (bodies.pose[k].x - self.at[k]).norm_squared() <= left * left
            })
            && self.turning.iter().all(|&(k, then, reach)| {
                let swung = 2.0 * reach * (then.conjugate() * turn(bodies, k)).xyz().length(); // 2 r sin(angle / 2)
                (bodies.pose[k].x - self.at[k]).norm() + swung <= self.halo[k] - travel(k)
            })
    }

    /// Hands the pairs over to the caller.
    pub fn take_pairs(&mut self) -> Vec<(u32, u32)> {
        std::mem::take(&mut self.pairs)
    }

    /// Records that radii have grown by `factor`.
    pub fn swell(&mut self, factor: f64) {
        self.grown = (1.0 + self.grown) * factor - 1.0;
    }

    /// Invalidates the list: it is rebuilt before the next use.
    pub fn forget(&mut self) {
        self.at.clear();
    }

    /// Rebuilds the list for bodies that travel `travel` in a step, with all their images. Open walls have no
    /// neighbours.
    pub fn rebuild(
        &mut self,
        bodies: &Bodies<D>,
        surfaces: &[Surface<D>],
        is_open: &[bool],
        cell: Option<&Cell<D>>,
        travel: &[f64],
    ) {
        let grains = surfaces.len()..bodies.len();
        let mean_radius = grains.clone().map(|k| bodies.shape[k].radius()).sum::<f64>() / grains.len().max(1) as f64;
        self.at = bodies.pose.iter().map(|pose| pose.x).collect();
        self.halo = travel.iter().map(|travel| SKIN * mean_radius + STEPS_AHEAD * travel).collect();
        self.cell = cell.cloned();
        let turning = surfaces.iter().enumerate().map(|(wall, surface)| (wall, turn(bodies, wall), surface.sweep()));
        self.turning = turning.filter(|(_, _, reach)| *reach > 0.0).collect();
        self.grown = 0.0;
        self.rebuilds += 1;
        self.pairs.clear();
        self.pair_walls(bodies, surfaces, is_open);
        self.pair_grains(bodies, surfaces.len());
        self.hints.clear();
    }

    /// Gives every pair a separating direction, zero if it has none yet.
    pub fn make_hints(&mut self) {
        self.hints.resize(self.pairs.len(), D::Vec::ZERO);
    }

    fn pair_walls(&mut self, bodies: &Bodies<D>, surfaces: &[Surface<D>], is_open: &[bool]) {
        for (wall, surface) in surfaces.iter().enumerate().filter(|(wall, _)| !is_open[*wall]) {
            for grain in surfaces.len()..bodies.len() {
                let reach = bodies.shape[grain].radius() + self.halo[wall] + self.halo[grain];
                let mut near = false;
                surface.near(bodies.wall_pose(wall), self.at[grain], reach, &mut |_, _, _| near = true);
                if near && (bodies.inertia[grain].is_movable() || bodies.inertia[wall].is_movable()) {
                    self.pairs.push((wall as u32, grain as u32));
                }
            }
        }
    }

    fn pair_grains(&mut self, bodies: &Bodies<D>, first: usize) {
        let extent = |k: usize| bodies.shape[k].radius() + self.halo[k];
        let mut spots: Vec<Spot<D>> = (0..bodies.len())
            .map(|k| Spot { x: self.at[k], extent: extent(k), body: k as u32, image: false })
            .collect();
        if let Some(cell) = &self.cell {
            add_images(cell, &mut spots, first);
        }
        let is_movable = |body: u32| bodies.inertia[body as usize].is_movable();
        let grids =
            levels(&spots, first).into_iter().map(|members| Grid::new(&spots, is_movable, members)).collect::<Vec<_>>();
        drop(spots); // its memory is needed for the pairs
        let from = self.pairs.len();
        let mut meet = |here: &Member<D>, there: &Member<D>| {
            let is_new = !(here.image && there.image) && here.body != there.body;
            if (here.movable || there.movable) && is_new {
                self.pairs.push((here.body.min(there.body), here.body.max(there.body)));
            }
        };
        for (level, grid) in grids.iter().enumerate() {
            grid.pair_up(&mut meet);
            for coarser in &grids[level + 1..] {
                grid.entries.iter().for_each(|here| coarser.visit(here, |there| meet(here, there)));
            }
        }
        drop(grids);
        sort_pairs(&mut self.pairs[from..], bodies.len());
        if self.cell.is_some() {
            self.pairs.dedup(); // across a border both meet the image of the other
        }
    }
}

/// A body or an image of it, before it is sorted into the grids.
#[derive(Clone, Copy, Debug)]
struct Spot<D: Dim> {
    x: D::Vec,
    extent: f64,
    body: u32,
    image: bool,
}

/// Wraps all bodies into the cell, and adds those of their images that bodies in the cell may touch.
fn add_images<D: Dim>(cell: &Cell<D>, spots: &mut Vec<Spot<D>>, first: usize) {
    let margin = 2.0 * spots[first..].iter().map(|spot| spot.extent).fold(0.0, f64::max);
    for k in first..spots.len() {
        let home = Spot { x: cell.wrap(spots[k].x), ..spots[k] };
        spots[k] = home;
        cell.around(home.x, margin, |_, x| spots.push(Spot { x, image: true, ..home }));
    }
}

/// Orientation of a body.
fn turn<D: Dim>(bodies: &Bodies<D>, body: usize) -> DQuat {
    DQuat::from_array(D::quaternion(bodies.pose[body].q))
}

/// Sorts pairs by a (counting), then by b.
fn sort_pairs(pairs: &mut [(u32, u32)], bodies: usize) {
    let mut next = vec![0u32; bodies + 1];
    for (a, _) in pairs.iter() {
        next[*a as usize + 1] += 1;
    }
    for k in 1..next.len() {
        next[k] += next[k - 1];
    }
    let unsorted = pairs.to_vec();
    for pair in unsorted {
        let place = &mut next[pair.0 as usize];
        pairs[*place as usize] = pair;
        *place += 1;
    }
    pairs.chunk_by_mut(|p, q| p.0 == q.0).for_each(<[_]>::sort_unstable);
}

/// Splits the grains into groups of similar extent, small ones first.
fn levels<D: Dim>(spots: &[Spot<D>], first: usize) -> Vec<Vec<u32>> {
    let all: Vec<u32> = (first as u32..spots.len() as u32).collect();
    let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
    for &k in &all {
        low = low.min(spots[k as usize].extent);
        high = high.max(spots[k as usize].extent);
    }
    if high <= LEVEL_RATIO * low {
        return vec![all];
    }
    let level_of = |k: u32| libm::log2(spots[k as usize].extent / low).floor() as usize;
    let mut groups = vec![Vec::new(); libm::log2(high / low).floor() as usize + 1];
    for &k in &all {
        groups[level_of(k)].push(k);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// A body in a grid, with all that a distance test needs, stored in the order of the cells.
#[derive(Clone, Copy, Debug)]
struct Member<D: Dim> {
    x: D::Vec,
    extent: f64,
    body: u32,
    movable: bool,
    image: bool,
}

/// A grid wrapped around a torus: far cells may share a slot, which costs a distance test but no correctness.
struct Grid<D: Dim> {
    cells_per_metre: f64,
    /// Slots along each axis less one; their number is a power of two, so that a mask wraps a cell.
    wrap: [i64; 3],
    starts: Vec<u32>,
    entries: Vec<Member<D>>,
}

impl<D: Dim> Grid<D> {
    fn new(spots: &[Spot<D>], is_movable: impl Fn(u32) -> bool, members: Vec<u32>) -> Grid<D> {
        let cell = 2.0 * members.iter().map(|k| spots[*k as usize].extent).fold(0.0, f64::max);
        let mut slots = [1u64; 3];
        for (axis, slot) in slots.iter_mut().enumerate().take(D::DIMENSION) {
            let along = members.iter().map(|k| spots[*k as usize].x.get(axis));
            let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            *slot = (((high - low) / cell).min(1e9) as u64 + 2).max(4).next_power_of_two();
        }
        // a few grains far away must not make the grid large: wrap the longest axis, but keep three cells apart
        while slots.iter().copied().map(u128::from).product::<u128>() > 4 * members.len() as u128 + 64 {
            let longest = (0..D::DIMENSION).max_by_key(|axis| slots[*axis]).unwrap_or(0);
            if slots[longest] <= 4 {
                break;
            }
            slots[longest] /= 2;
        }
        let wrap = slots.map(|slots| slots as i64 - 1);
        let mut grid = Grid { cells_per_metre: 1.0 / cell, wrap, starts: Vec::new(), entries: Vec::new() };
        let slot_of: Vec<u32> = members.iter().map(|k| grid.slot(grid.cell_of(spots[*k as usize].x))).collect();
        let mut starts = vec![0u32; slots.iter().product::<u64>() as usize + 1];
        for slot in &slot_of {
            starts[*slot as usize + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        let mut next = starts.clone();
        let blank = Member { x: D::Vec::ZERO, extent: 0.0, body: 0, movable: false, image: false };
        grid.entries = vec![blank; members.len()];
        for (&k, slot) in members.iter().zip(&slot_of) {
            let Spot { x, extent, body, image } = spots[k as usize];
            let place = &mut next[*slot as usize];
            grid.entries[*place as usize] = Member { x, extent, body, movable: is_movable(body), image };
            *place += 1;
        }
        grid.starts = starts;
        grid
    }

    fn cell_of(&self, x: D::Vec) -> [i64; 3] {
        let floor = |t: f64| (t as i64).wrapping_sub(i64::from(t < t as i64 as f64)); // cells wrap anyway
        std::array::from_fn(|axis| if axis < D::DIMENSION { floor(x.get(axis) * self.cells_per_metre) } else { 0 })
    }

    fn slot(&self, cell: [i64; 3]) -> u32 {
        let [x, y, z] = std::array::from_fn(|axis| cell[axis] & self.wrap[axis]);
        ((z * (self.wrap[1] + 1) + y) * (self.wrap[0] + 1) + x) as u32
    }

    /// Calls `meet` once for every pair of members whose extents overlap.
    ///
    /// Extents are at most half a cell: partners are in the same or the next cell. Each pair of cells is checked from
    /// one of them: along x the next cell, then all three of the next row, and all nine of the next layer.
    fn pair_up(&self, meet: &mut impl FnMut(&Member<D>, &Member<D>)) {
        let [nx, ny, nz] = self.wrap.map(|wrap| wrap + 1);
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    let own = self.cells([x, y, z], 1);
                    if own.is_empty() {
                        continue;
                    }
                    for (k, here) in own.iter().enumerate() {
                        near(here, &own[k + 1..], meet);
                        near(here, self.cells([x + 1, y, z], 1), meet);
                        self.row(here, [x, y + 1, z], meet);
                        if D::DIMENSION == 3 {
                            (-1..=1).for_each(|dy| self.row(here, [x, y + dy, z + 1], meet));
                        }
                    }
                }
            }
        }
    }

    /// Calls `meet` for every member whose extent overlaps that of `here`, which is not in this grid but in a finer
    /// one.
    fn visit(&self, here: &Member<D>, mut meet: impl FnMut(&Member<D>)) {
        let [x, y, z] = self.cell_of(here.x);
        let depth = if D::DIMENSION == 3 { 1 } else { 0 };
        let mut meet = |_: &Member<D>, there: &Member<D>| meet(there);
        for dz in -depth..=depth {
            (-1..=1).for_each(|dy| self.row(here, [x, y.wrapping_add(dy), z.wrapping_add(dz)], &mut meet));
        }
    }

    /// Tests `here` against the three cells of a row around the cell in its middle.
    #[inline]
    fn row(&self, here: &Member<D>, [x, y, z]: [i64; 3], meet: &mut impl FnMut(&Member<D>, &Member<D>)) {
        let first = x.wrapping_sub(1) & self.wrap[0];
        if first + 2 <= self.wrap[0] {
            near(here, self.cells([first, y, z], 3), meet);
        } else {
            (-1..=1).for_each(|dx| near(here, self.cells([x.wrapping_add(dx), y, z], 1), meet));
        }
    }

    /// Members of `count` cells in a row along x, which must not cross the edge of the torus.
    #[inline]
    fn cells(&self, cell: [i64; 3], count: u32) -> &[Member<D>] {
        let slot = self.slot(cell);
        &self.entries[self.starts[slot as usize] as usize..self.starts[(slot + count) as usize] as usize]
    }
}

/// Calls `meet` for the members whose extents overlap that of `here`.
#[inline]
fn near<D: Dim>(here: &Member<D>, others: &[Member<D>], meet: &mut impl FnMut(&Member<D>, &Member<D>)) {
    for there in others {
        let touching = here.extent + there.extent;
        if (there.x - here.x).norm_squared() < touching * touching {
            meet(here, there);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::Rng;

    /// Bodies at random places with radii spread over the given ratio, some far away.
    fn scatter<D: Dim>(count: usize, ratio: f64, seed: u64) -> Bodies<D> {
        let mut rng = Pcg64::new(u128::from(seed), 1);
        let mut unit = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let mut bodies = Bodies::default();
        for id in 0..count {
            let far = if id % 50 == 0 { 1000.0 } else { 1.0 };
            let x = D::Vec::from_fn(|_| (unit() - 0.5) * far);
            bodies.push_round(x, 0.02 * ratio.powf(unit()), 1.0, 1.0, id as u32);
        }
        bodies
    }

    fn agrees_with_all_pairs<D: Dim>(ratio: f64) {
        let bodies = scatter::<D>(400, ratio, 3);
        let travel: Vec<f64> = (0..bodies.len()).map(|k| if k % 20 == 0 { 0.05 } else { 0.001 }).collect();
        let mut list = Neighbours::default();
        list.rebuild(&bodies, &[], &[], None, &travel);
        let mut expected = Vec::new();
        for a in 0..bodies.len() {
            for b in a + 1..bodies.len() {
                let reach = bodies.shape[a].radius() + bodies.shape[b].radius() + list.halo[a] + list.halo[b];
                if (bodies.pose[a].x - bodies.pose[b].x).norm() < reach {
                    expected.push((a as u32, b as u32));
                }
            }
        }
        assert_eq!(list.pairs, expected);
        assert!(expected.len() > 100);
    }

    #[test]
    fn finds_exactly_the_pairs_that_a_search_over_all_pairs_finds() {
        for ratio in [1.0, 2.0, 10.0, 40.0] {
            agrees_with_all_pairs::<D2>(ratio);
            agrees_with_all_pairs::<D3>(ratio);
        }
    }

    /// A solver that diverges puts bodies anywhere: the grid wraps, and still finds those that are near each other.
    #[test]
    fn places_beyond_all_cells_are_listed() {
        let mut bodies = scatter::<D3>(50, 1.0, 5);
        for (k, far) in [-1e300, 1e300, -1e18, 1e18].into_iter().enumerate() {
            bodies.pose[k].x = glam::DVec3::splat(far);
        }
        bodies.pose[4].x = bodies.pose[0].x;
        let mut list = Neighbours::default();
        list.rebuild(&bodies, &[], &[], None, &vec![0.0; 50]);
        assert!(list.pairs.contains(&(0, 4)));
    }

    #[test]
    fn the_list_serves_until_a_body_leaves_its_halo() {
        let mut bodies = scatter::<D2>(50, 1.0, 5);
        let travel = vec![0.0; 50];
        let mut list = Neighbours::default();
        assert!(!list.covers(&bodies, None, |body| travel[body]));
        list.rebuild(&bodies, &[], &[], None, &travel);
        assert!(list.covers(&bodies, None, |body| travel[body]));
        bodies.pose[7].x += glam::DVec2::new(0.09 * 0.02, 0.0);
        assert!(list.covers(&bodies, None, |body| travel[body]));
        bodies.pose[7].x += glam::DVec2::new(0.02 * 0.02, 0.0);
        assert!(!list.covers(&bodies, None, |body| travel[body]));
    }
}
