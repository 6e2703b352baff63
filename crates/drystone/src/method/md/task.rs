//! The forces of a block. A task takes the block, its pairs and their history, and works on a local copy of the bodies.
//!
//! Contacts of plain laws go through [`super::force_x4`]; those of other laws, and all that are to be reported, through
//! [`super::force_general`].

use super::beads::{Core, nearest};
use super::block::{GrainBlock, PairTotals};
use super::force_general::{Batch, BatchContact};
use super::force_input::ForceInput;
use super::force_x4::{ForceX4, PairSource, WallContact};
use super::history::HistorySlice;
use super::local_bodies::{FillLocalBodies, LocalBodies, Sphere};
use crate::contact::narrow::mesh::rims_at_rod;
use crate::contact::{Coincident, ContactKey};
use crate::dim::{Dim, Vector};
use crate::lane::{MapInlined, in_lanes};
use crate::law::soft::Couple;
use crate::wall::Surface;

/// A face of a wall that a grain touches or nearly touches.
#[derive(Clone, Copy, Debug)]
struct NearFace<D: Dim> {
    face: u32,
    normal: D::Vec,
    overlap: f64,
    /// From the middle of a capsule to the point of its segment that touches [m]; zero for balls.
    offset: D::Vec,
}

/// The force computation of one block.
pub(crate) struct Task<'s, D: Dim> {
    /// The block.
    pub block: &'s mut GrainBlock<D>,
    /// Local copy of its bodies.
    pub local: &'s mut LocalBodies<D>,
    /// History of its pairs with walls.
    pub at_walls: HistorySlice<'s, D>,
    /// History of its pairs of grains.
    pub between: HistorySlice<'s, D>,
}

impl<D: Dim> Task<'_, D> {
    /// Forces of all pairs of the block.
    pub(crate) fn run(&mut self, input: &ForceInput<D>) {
        in_lanes(FillLocalBodies { local: &mut *self.local, input, block: &*self.block });
        self.local.fill_rare(input, self.block);
        self.block.reports = Vec::with_capacity(if input.is_report { self.block.totals.touching } else { 0 });
        self.block.totals = PairTotals::default();
        match input.takes_fours() && !input.has_offsets {
            true => self.visit_walls_by_law(input),
            false => self.visit_walls(input),
        }
        match input.takes_fours() {
            true => self.visit_pairs_by_law(input),
            false => self.visit_pairs(input, 0..self.block.pairs.len()),
        }
        let (block, wrench) = (&mut *self.block, &self.local.wrench);
        let ghosts = block.ghost_range();
        block.on_walls = wrench[ghosts.end..].iter().map(|wrench| wrench.twist()).collect();
        block.on_ghosts.iter_mut().zip(&wrench[ghosts]).for_each(|(sum, wrench)| *sum = wrench.twist());
    }

    /// Forces of all walls on grains, law by law: four at a time where the law is plain.
    fn visit_walls_by_law(&mut self, input: &ForceInput<D>) {
        let law_table = input.law_table;
        let mut met = Vec::with_capacity(self.block.walls.len());
        let (first, first_wall) = (self.block.grains.start as u32, self.block.first_wall());
        self.find_wall_contacts(input, |task, index, key, NearFace { normal, overlap, .. }| {
            let (wall, grain) = (first_wall + key.a, key.b - first);
            let lever = input.surfaces[key.a as usize].as_dyn().lever();
            let is_new = !task.at_walls.touches(index);
            met.push(WallContact { index: index as u32, wall, grain, normal, overlap, lever, is_new });
            if law_table.plain[task.local.law(input, [wall, grain])].is_some() {
                task.at_walls.touch(index);
            }
        });
        let law = |local: &LocalBodies<D>, met: &WallContact<D>| local.law(input, [met.wall, met.grain]);
        if !law_table.has_one_law() {
            met.sort_by_key(|met| law(self.local, met));
        }
        let mut rest = &met[..];
        while let Some(one) = rest.first() {
            let number = law(self.local, one);
            let (same, others) = rest.split_at(rest.partition_point(|met| law(self.local, met) <= number));
            rest = others;
            let general = law_table.laws.get(number).filter(|_| !law_table.has_plain_laws_only());
            let Some(law) = law_table.plain[number] else {
                self.visit_met_walls(input, same);
                continue;
            };
            let (pairs, history, local) = (PairSource::Walls(same), &mut self.at_walls, &mut *self.local);
            self.block.totals.add(&in_lanes(ForceX4 { input, law, general, pairs, history, local }));
        }
    }

    /// Forces of walls on grains, of a law that is not plain.
    fn visit_met_walls(&mut self, input: &ForceInput<D>, met: &[WallContact<D>]) {
        let (keys, mut batch) = (&input.walls[self.block.walls.clone()], Batch::default());
        for &WallContact { index, normal, overlap, .. } in met {
            let key = &keys[index as usize];
            let near = NearFace { face: key.feature, normal, overlap, offset: D::Vec::ZERO };
            let contact = self.at_wall(input, key, index as usize, near);
            self.take(input, &mut batch, contact, true);
        }
        self.run_batch(input, &mut batch, true);
    }

    /// Forces of all pairs of grains, law by law: four at a time where the law is plain.
    fn visit_pairs_by_law(&mut self, input: &ForceInput<D>) {
        let law_table = input.law_table;
        let pairs = &input.pairs[self.block.pairs.clone()];
        let mut awake = std::mem::take(&mut self.local.awake);
        self.between.find_awake(input.travelled, &mut awake);
        let law = |local: &LocalBodies<D>, index: u32| {
            let seats = pairs[index as usize];
            local.law(input, [seats.first(), seats.second()])
        };
        if !law_table.has_one_law() {
            awake.sort_by_key(|index| law(self.local, *index));
        }
        let mut rest = &awake[..];
        while let Some(one) = rest.first() {
            let number = law(self.local, *one);
            let (same, others) = match law_table.has_one_law() {
                true => (rest, &[][..]),
                false => rest.split_at(rest.partition_point(|index| law(self.local, *index) <= number)),
            };
            rest = others;
            let general = law_table.laws.get(number).filter(|_| !law_table.has_plain_laws_only());
            let Some(law) = law_table.plain[number] else {
                self.visit_pairs(input, same.iter().map(|index| *index as usize));
                continue;
            };
            let (pairs, history, local) =
                (PairSource::Grains { pairs, awake: same }, &mut self.between, &mut *self.local);
            let totals = self.block.with_bodies(in_lanes(ForceX4 { input, law, general, pairs, history, local }));
            self.block.totals.add(&totals);
        }
        self.local.awake = awake;
    }

    /// Calls `each` with the index, the key and the geometry of every pair of grain and wall face that touch or are
    /// bound. Grains away from a wall sleep until they may touch it.
    fn find_wall_contacts(
        &mut self,
        input: &ForceInput<D>,
        mut each: impl FnMut(&mut Self, usize, &ContactKey, NearFace<D>),
    ) {
        let (mut first, mut met) = (0, Vec::new());
        for run in input.walls[self.block.walls.clone()].chunk_by(|one, other| (one.b, one.a) == (other.b, other.a)) {
            let indices = first..first + run.len();
            first = indices.end;
            if indices.clone().all(|index| self.at_walls.sleeps(index, input.travelled)) {
                continue;
            }
            let (wall, range) = (run[0].a as usize, input.law_table.range);
            let seat = run[0].b as usize - self.block.grains.start;
            let sphere = self.local.sphere[seat];
            let (x, radius) = (sphere.x(), sphere.radius());
            met.clear();
            let mut gap = range + input.skin;
            let rod = self.local.cores.get(seat).filter(|core| core.half != D::Vec::ZERO);
            match (rod, &input.surfaces[wall]) {
                (Some(&Core { half, radius }), surface @ Surface::Mesh(mesh)) => {
                    gap = 0.0; // another edge may become the nearest one, so it is searched every time
                    let (stand, ends) = (input.stands[wall], [x - half, x + half]);
                    rims_at_rod(surface, mesh, stand, ends, radius + range, &mut |face, normal, distance, offset| {
                        met.push(NearFace { face, normal, overlap: radius - distance, offset });
                    });
                }
                (_, surface) => surface.near(input.stands[wall], x, radius + gap, &mut |face, normal, distance| {
                    gap = gap.min(distance - radius);
                    if distance < radius + range {
                        met.push(NearFace { face, normal, overlap: radius - distance, offset: D::Vec::ZERO });
                    }
                }),
            }
            if run.len() > 1 {
                self.hand_over_faces(input, run, indices.start, &met);
            }
            for (index, key) in indices.clone().zip(run) {
                let found = met.iter().find(|met| met.face == key.feature);
                match found {
                    Some(met) if met.overlap > 0.0 || self.at_walls.is_bound(index) => each(self, index, key, *met),
                    _ => self.at_walls.forget(index),
                }
            }
            // pairs that may be bound to each other do not sleep
            let law = || self.local.law(input, [self.block.first_wall() + run[0].a, seat as u32]);
            if gap > 0.0 && (!input.law_table.keeps_whole_memories || input.law_table.plain[law()].is_some()) {
                indices.for_each(|index| self.at_walls.sleep(index, input.travelled, gap));
            }
        }
    }

    /// Forces of all walls on grains, in the order of the list.
    fn visit_walls(&mut self, input: &ForceInput<D>) {
        let mut batch = Batch::default();
        self.find_wall_contacts(input, |task, index, key, met| {
            let contact = task.at_wall(input, key, index, met);
            task.take(input, &mut batch, contact, true);
        });
        self.run_batch(input, &mut batch, true);
    }

    /// A contact with a wall.
    fn at_wall(&self, input: &ForceInput<D>, key: &ContactKey, index: usize, met: NearFace<D>) -> BatchContact<D> {
        let NearFace { normal, overlap, offset, .. } = met;
        let wall = key.a as usize;
        let (a, b) = (self.block.first_wall() + key.a, key.b - self.block.grains.start as u32);
        let sphere = self.local.sphere[b as usize];
        let (x, radius) =
            (sphere.x() + offset, self.local.cores.get(b as usize).map_or(sphere.radius(), |core| core.radius));
        let surface = &input.surfaces[wall];
        let lever = surface.as_dyn().lever();
        let foot = x - normal * (radius - overlap);
        let aside = match input.has_offsets {
            true => surface.arm(input.stands[wall].x, foot, normal) - normal * lever,
            false => D::Vec::ZERO,
        };
        BatchContact {
            index,
            a,
            b,
            feature: key.feature,
            normal,
            overlap,
            radii: [lever, radius],
            offsets: [aside, offset],
            couple: Couple { mass: self.local.reduced_mass([a, b]), radius },
            ..BatchContact::default()
        }
    }

    /// A grain that rolls from one face of a wall to the next keeps its contact: the new face takes over the memory of
    /// the old one.
    fn hand_over_faces(&mut self, input: &ForceInput<D>, run: &[ContactKey], first: usize, met: &[NearFace<D>]) {
        let is_met = |key: &ContactKey| met.iter().any(|met| met.face == key.feature);
        let overlaps = |key: &ContactKey| met.iter().any(|met| met.face == key.feature && met.overlap > 0.0);
        let is_left = |(k, key): &(usize, &ContactKey)| self.at_walls.touches(first + k) && !is_met(key);
        let left: Vec<(usize, u32)> = run.iter().enumerate().filter(is_left).map(|(k, key)| (k, key.feature)).collect();
        for (from, feature) in left {
            let comes = |(k, key): &(usize, &ContactKey)| {
                !self.at_walls.touches(first + k)
                    && overlaps(key)
                    && input.surfaces[key.a as usize].as_dyn().adjoin(feature, key.feature)
            };
            if let Some((to, _)) = run.iter().enumerate().find(comes) {
                self.at_walls.transfer(first + from, first + to);
            }
        }
    }

    /// Forces of these pairs of grains, in their order.
    fn visit_pairs(&mut self, input: &ForceInput<D>, indices: impl Iterator<Item = usize>) {
        let (pairs, mut batch) = (&input.pairs[self.block.pairs.clone()], Batch::default());
        let mut here = (u32::MAX, Sphere::default());
        for index in indices {
            let seats = pairs[index];
            let (a, b) = (seats.first(), seats.second());
            if a != here.0 {
                here = (a, self.local.sphere[a as usize]);
            }
            let (one, other) = (here.1, self.local.sphere[b as usize]);
            let (offsets, [ra, rb]) = match input.cores.is_empty() {
                true => ([D::Vec::ZERO; 2], [one.radius(), other.radius()]),
                false => {
                    let [p, q] = [a, b].map_inlined(|seat| self.local.cores[seat as usize]);
                    (nearest::<D>([one.x(), other.x()], [p.half, q.half]), [p.radius, q.radius])
                }
            };
            let (apart, touching) = (other.x() - one.x() + (offsets[1] - offsets[0]), ra + rb);
            let square = apart.norm_squared();
            if square >= touching * touching && !self.between.is_bound(index) {
                if !input.is_report {
                    self.between.forget(index);
                }
                continue;
            }
            let distance = square.sqrt();
            if distance == 0.0 {
                let [a, b] = [a, b].map(|seat| self.block.body(seat) as usize);
                self.block.totals.coincident = Some(Coincident { a, b });
                continue;
            }
            let contact = BatchContact {
                index,
                a,
                b,
                feature: 0,
                normal: apart * (1.0 / distance),
                overlap: touching - distance,
                radii: [ra, rb],
                offsets,
                couple: Couple { mass: self.local.reduced_mass([a, b]), radius: ra * rb / touching },
                ..BatchContact::default()
            };
            self.take(input, &mut batch, contact, false);
        }
        self.run_batch(input, &mut batch, false);
    }
}
