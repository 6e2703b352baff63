//! From a scenario to a world.

pub(crate) mod from;
mod heat;
mod moment;
pub(crate) mod resolve;

use std::path::Path;

use crate::body::Inertia;
use crate::contact::curve::along_curve;
use crate::dim::{D2, D3, Dim, Vector, in_space};
use crate::input::{Mistakes, Reader, Span};
use crate::law::{Laws, Pair};
use crate::method::common::compiled::made_once;
use crate::scenario::Scenario;
use crate::scenario::build::from::Taken;
use crate::scenario::pack::fill::{GrainSite, Room, fill};
use crate::scenario::pack::vaults::Laid;
use crate::scenario::schema::grains::GrainGroup;
use crate::scenario::schema::motion::{InitialSpin, InitialVelocity};
use crate::scenario::schema::sizes::PortableRandom;
use crate::shape::{Polygon, Polyhedron};
use crate::world::World;

/// Number of the material of a grain, and its id.
#[derive(Clone, Copy)]
struct Grain {
    material: usize,
    id: u32,
}

impl<D: Dim> Scenario<D> {
    /// The world without its grains: walls, laws, gravity.
    pub fn stage_world(&self) -> World<D> {
        let number = |name: &str| self.material_number(name).unwrap_or(0) as u16;
        let mut world = World::new(self.laws());
        world.gravity = self.gravity.0;
        (world.setup.depth, world.setup.seed) = (*self.depth, self.seed);
        if let Some(tilt) = &self.tilt {
            world.setup.tilt = Some((tilt.clone(), self.gravity.0));
            world.gravity = tilt.lean(self.gravity.0, 0.0, 0.0);
        }
        world.cell = self.cell.as_ref().map(|spec| spec.cell(*self.depth));
        for wall in &self.wall {
            let (surface, mass) = (wall.surface.0.clone(), wall.mass.map(|mass| *mass));
            world.push_wall(&wall.name, surface, number(&wall.material), wall.drive.clone(), mass);
        }
        world.set_elasticity(self.material.iter().map(|material| material.elastic.clone()).collect());
        world
    }

    /// The laws between the materials.
    pub fn laws(&self) -> Laws {
        Laws::new(self.material.len(), |a, b| self.pair(a, b))
    }

    /// The world at the start. File paths are relative to `folder`.
    pub fn build(&self, folder: &Path) -> Result<World<D>, Mistakes> {
        made_once!(Scenario::build_at, self, folder)
    }

    fn build_at(&self, folder: &Path) -> Result<World<D>, Mistakes> {
        let reader = Reader::new(folder.to_path_buf());
        let world = self.build_with(&reader);
        reader.finish().into_result(world)
    }

    fn pair(&self, a: usize, b: usize) -> Pair {
        let (a, b) = (&self.material[a].name.value, &self.material[b].name.value);
        let law = self.contact.iter().find(|law| {
            let [one, other] = &*law.between;
            (&one.value, &other.value) == (a, b) || (&one.value, &other.value) == (b, a)
        });
        // pairs that cannot meet have no law and never ask for it
        law.map_or(Pair::default(), |law| law.law.0.clone())
    }

    fn build_with(&self, reader: &Reader) -> Option<World<D>> {
        let mut world = self.stage_world();
        let taken = match &self.start {
            Some(start) => Some(self.take_over(&mut world, start, reader)?),
            None => None,
        };
        self.check_growth(&world, reader);
        if let Some(spec) = &self.cell {
            let smallest =
                self.grains.iter().filter_map(|group| Some(group.shape.range()?.0)).fold(f64::INFINITY, f64::min);
            if !spec.is_resolved_by(smallest, reader) {
                return None;
            }
        }
        let present = Self::seats_of(&world);
        let (mut seats, mut group_of) = (Vec::new(), Vec::new());
        for (k, group) in self.grains.iter().enumerate() {
            if group.pour.is_some() {
                group.check(reader);
                continue;
            }
            if self.gives_way() {
                continue;
            }
            let mut random = PortableRandom::new(self.seed, k as u64);
            let around: Vec<GrainSite<D>> = present.iter().chain(&seats).copied().collect();
            let names = world.setup.walls.iter().map(|wall| wall.name.as_str()).collect();
            let room = Room { taken: &around, names, surfaces: &world.setup.surfaces, cell: world.cell.as_ref() };
            let Some(placed) = fill(group, &mut random, &room, reader) else { continue };
            group_of.extend(std::iter::repeat_n(k, placed.len()));
            seats.extend(placed);
        }
        let mut blocks: Vec<Laid> = Vec::new();
        for (k, build) in self.build.iter().enumerate().filter(|_| !self.gives_way()) {
            let Some(laid) = build.laid(reader) else { continue };
            group_of.extend(std::iter::repeat_n(self.grains.len() + k, laid.len()));
            for block in laid {
                let (centre, radius) = match &block {
                    Laid::Flat(polygon) => (polygon.centre.extend(0.0), polygon.outline.radius()),
                    Laid::Solid(polyhedron) => (polyhedron.centre, polyhedron.outline.radius()),
                };
                seats.push(GrainSite { x: D::Vec::from_fn(|axis| centre[axis]), radius });
                blocks.push(block);
            }
        }
        if !reader.is_clean() {
            return None;
        }
        if let Some(spec) = &self.cell {
            let poured = self.poured().filter_map(|(_, group, _)| Some(group.shape.range()?.1));
            let radii = seats.iter().chain(&present).map(|seat| seat.radius);
            spec.check_size(radii.chain(poured).fold(0.0, f64::max), reader);
            if !reader.is_clean() {
                return None; // a cell that is too small would have endlessly many images
            }
        }
        let placed = seats.len() - blocks.len();
        let mut order: Vec<usize> = (0..seats.len()).collect();
        let codes = along_curve::<D>(&seats.iter().map(|seat| seat.x).collect::<Vec<_>>());
        order.sort_by_key(|id| codes[*id]);
        let ids = taken.as_ref().map_or(0, |taken| taken.ids);
        let first = world.bodies.len();
        for k in order {
            let id = ids + k as u32;
            match k.checked_sub(placed) {
                None => self.push_grain(&mut world, group_of[k], &seats[k], id),
                Some(block) => self.push_block(&mut world, group_of[k] - self.grains.len(), &blocks[block], id),
            }
        }
        self.heat(&mut world, &group_of[..placed], ids, reader);
        self.move_as_filed(&mut world, &group_of[..placed], ids, reader);
        if let Some(spec) = &self.cell {
            spec.set_in_motion(&mut world, first);
        }
        self.check_start(&mut world, &Origin { group_of: &group_of, taken: taken.as_ref() }, reader);
        let kept = taken.map_or_else(Vec::new, |taken| taken.names);
        world.setup.names = self.name_grains(kept, &group_of, ids, reader);
        self.fasten(&mut world, reader);
        world.setup.loads = self.put_loads(&world, reader);
        self.check_track(&world, reader);
        reader.is_clean().then_some(world)
    }

    pub(in crate::scenario) fn push_grain(&self, world: &mut World<D>, group: usize, seat: &GrainSite<D>, id: u32) {
        let group = &self.grains[group];
        let material = self.material_number(&group.material).unwrap_or(0);
        let mut random = PortableRandom::new(self.seed, STONES + u64::from(id));
        let k = if let Some(clump) = group.shape.clump::<D>(seat.radius) {
            // a checked shape is a clump
            let Ok(clump) = clump else { return };
            let density = *self.material[material].density;
            let k = world.bodies.push_clump(seat.x, &clump, density, *self.depth, id);
            world.bodies.material[k] = material as u16;
            if let Some(turn) = &group.orientation {
                world.bodies.pose[k].q = D::rot_of((turn.value.draw(&mut random) * clump.axes).to_array());
            }
            k
        } else {
            let Some(k) = self.push_solid(world, group, seat, Grain { material, id }, &mut random) else { return };
            k
        };
        if let Some(angle) = &group.angle {
            world.bodies.pose[k].q = D::turn(D::UPRIGHT, D::Spin::from_fn(|_| angle.value.draw(&mut random)), 1.0);
        }
        world.bodies.pose[k].x = seat.x;
        if group.fixed {
            world.bodies.inertia[k] = Inertia::IMMOVABLE;
        } else if !group.rotates {
            world.bodies.inertia[k].inv_i = D::Moments::ZERO;
        }
        if let (Some(InitialVelocity::Constant(velocity)), false) = (group.velocity.as_deref(), group.fixed) {
            world.bodies.twist[k].v = velocity.0;
        }
        if let Some(InitialSpin::Constant(spin)) = group.spin.as_deref() {
            world.bodies.twist[k].w = spin.0;
        }
    }

    /// Adds a stone or a round grain at rest, and returns its index.
    fn push_solid(
        &self,
        world: &mut World<D>,
        group: &GrainGroup<D>,
        seat: &GrainSite<D>,
        grain: Grain,
        random: &mut PortableRandom,
    ) -> Option<usize> {
        Some(match (group.shape.polygon(seat.radius, random), group.shape.polyhedron(seat.radius, random)) {
            (Some(polygon), _) => {
                // a checked shape is a polygon
                let polygon = polygon.ok()?;
                self.push_polygon(world, &polygon, grain)
            }
            (None, Some(polyhedron)) => {
                // a checked shape is a polyhedron
                let polyhedron = polyhedron.ok()?;
                let turn = group.orientation.as_ref().map(|turn| turn.value.draw(random));
                self.push_polyhedron(world, &polyhedron, turn.unwrap_or_default(), grain)
            }
            (None, None) => {
                let density = *self.material[grain.material].density;
                let body = world.bodies.push_round(seat.x, seat.radius, density, *self.depth, grain.id);
                world.bodies.material[body] = grain.material as u16;
                body
            }
        })
    }

    /// Reports names of tracked grains that no grain has.
    fn check_track(&self, world: &World<D>, reader: &Reader) {
        let directory = self.directory(world, reader);
        for name in &self.output.track {
            directory.body(name, " to track");
        }
    }

    fn push_block(&self, world: &mut World<D>, build: usize, block: &Laid, id: u32) {
        let material = self.material_number(self.build[build].material()).unwrap_or(0);
        let grain = Grain { material, id };
        match block {
            Laid::Flat(polygon) => self.push_polygon(world, polygon, grain),
            Laid::Solid(polyhedron) => self.push_polyhedron(world, polyhedron, glam::DQuat::IDENTITY, grain),
        };
    }

    /// Adds a polyhedron at rest, with the centre of its points and turned by `turn`, and returns its index.
    fn push_polyhedron(&self, world: &mut World<D>, polyhedron: &Polyhedron, turn: glam::DQuat, grain: Grain) -> usize {
        let centre = D::Vec::from_fn(|axis| polyhedron.centre[axis]);
        let density = *self.material[grain.material].density;
        let body = world.bodies.push_polyhedron(centre, polyhedron, density, grain.id);
        world.bodies.material[body] = grain.material as u16;
        world.bodies.pose[body].q = D::rot_of((turn * polyhedron.axes).to_array());
        body
    }

    /// Adds a polygon at rest, where its corners were given, and returns its index.
    fn push_polygon(&self, world: &mut World<D>, polygon: &Polygon, grain: Grain) -> usize {
        let centre = D::Vec::from_fn(|axis| [polygon.centre.x, polygon.centre.y, 0.0][axis]);
        let density = *self.material[grain.material].density;
        let body = world.bodies.push_polygon(centre, polygon, density, *self.depth, grain.id);
        world.bodies.material[body] = grain.material as u16;
        body
    }

    /// Reports the deepest overlap of two grains and the deepest of a grain with a wall, if they exceed what is
    /// accepted.
    fn check_start(&self, world: &mut World<D>, origin: &Origin, reader: &Reader) {
        let remembered = std::mem::take(&mut world.network);
        self.check_overlaps(world, origin, reader);
        if !remembered.contacts.is_empty() {
            world.network = remembered;
        }
    }

    /// Reports grains that are too far away, too light or too heavy to compute with. Returns whether there are none.
    fn check_range(&self, world: &World<D>, origin: &Origin, reader: &Reader) -> bool {
        let bodies = &world.bodies;
        let is_heavy = |k: usize| bodies.inertia[k].is_movable() && !bodies.inertia[k].mass().is_normal();
        let Some(body) = world.out_of_range().or_else(|| world.grains().find(|k| is_heavy(*k))) else { return true };
        let message = match is_heavy(body) {
            true => format!("{} has a mass of {} kg", world.name(body), bodies.inertia[body].mass()),
            false => format!("{} is too far from the origin for its radius", place(world, body)),
        };
        let help = "numbers have 16 digits: place grains nearer to the origin, or take larger ones";
        reader.mistake::<()>("E264", &self.grain_span(world, body, origin), message, help);
        false
    }

    fn check_overlaps(&self, world: &mut World<D>, origin: &Origin, reader: &Reader) {
        if !self.check_range(world, origin, reader) {
            return;
        }
        let still = vec![0.0; world.bodies.len()];
        if let Err(pair) = world.sense(&still, |_, _| 0.0) {
            let message = format!("{} and {} have the same centre", place(world, pair.a), world.name(pair.b));
            reader.mistake::<()>("E008", &self.grain_span(world, pair.b, origin), message, "move one of them");
            return;
        }
        let walls = world.setup.walls.len();
        let accepted = |body: usize| match body < walls {
            true => 0.0,
            false => match origin.group(world, body) {
                Some(group) => self.accepted_overlap(group),
                None => origin.taken.map_or(0.0, |taken| taken.overlap),
            },
        };
        // grains that come from the same earlier run keep their overlaps
        let is_old = |body: usize| match (origin.taken, body < walls) {
            (Some(taken), true) => taken.walls[body],
            (Some(_), false) => origin.group(world, body).is_none(),
            (None, _) => false,
        };
        let mut worst: [Option<(f64, usize, usize)>; 2] = [None, None];
        for contact in &world.network.contacts {
            let (a, b) = (contact.key.a as usize, contact.key.b as usize);
            let overlap = world.relative_overlap(contact);
            let worst = &mut worst[usize::from(a < walls)];
            let is_accepted = overlap <= accepted(a).max(accepted(b)) || is_old(a) && is_old(b);
            if !is_accepted && worst.is_none_or(|(deepest, ..)| overlap > deepest) {
                *worst = Some((overlap, a, b));
            }
        }
        if let Some((overlap, a, b)) = worst[0] {
            let (a, b_name) = (place(world, a), place(world, b));
            let message = format!("{a} and {b_name} overlap by {} of the smaller radius", percent(overlap));
            let help = match overlap < ACCEPTABLE {
                true => format!("move them apart, or accept it: overlap = {:.1e}", 1.1 * overlap),
                false => "move them apart: rigid grains do not overlap".into(),
            };
            reader.mistake::<()>("E008", &self.grain_span(world, b, origin), message, help);
        }
        if let Some((overlap, wall, grain)) = worst[1] {
            let (grain_name, wall) = (place(world, grain), world.name(wall));
            let message = match overlap < 1.0 {
                true => format!("{grain_name} reaches into {wall} by {} of its radius", percent(overlap)),
                false => format!("{grain_name} is behind {wall}"),
            };
            let help = "place the grains inside the walls; the normal of a plane points to the free side";
            reader.mistake::<()>("E009", &self.grain_span(world, grain, origin), message, help);
        }
    }

    /// Largest accepted overlap of a group of grains at the start; for blocks it covers the rounding of their corners.
    fn accepted_overlap(&self, group: usize) -> f64 {
        self.grains.get(group).map_or(BLOCKS, |grains| *grains.overlap)
    }

    fn grain_span(&self, world: &World<D>, body: usize, origin: &Origin) -> Span {
        match origin.group(world, body) {
            Some(group) => match self.grains.get(group) {
                Some(grains) => grains.place.span().clone(),
                None => self.build[group - self.grains.len()].span().clone(),
            },
            None => self.start.as_ref().map_or_else(Span::default, |start| start.from.at.clone()),
        }
    }
}

/// Where the grains of a world come from.
struct Origin<'o> {
    /// Group of every grain that this scenario placed.
    group_of: &'o [usize],
    /// Grains of an earlier run.
    taken: Option<&'o Taken>,
}

impl Origin<'_> {
    /// The group of a grain; `None` for one of an earlier run.
    fn group<D: Dim>(&self, world: &World<D>, body: usize) -> Option<usize> {
        let first = self.taken.map_or(0, |taken| taken.ids);
        self.group_of.get(world.bodies.id[body].checked_sub(first)? as usize).copied()
    }
}

/// Relative overlap of blocks at the start that rounding explains: joints of an arch that is 10^3 blocks away from the
/// origin.
const BLOCKS: f64 = 1e-12;

/// Random streams with this number and above belong to single stones, those below it to groups of grains.
pub(in crate::scenario) const STONES: u64 = 1 << 32;

/// Overlaps of soft packings are below this share of the radius. Larger ones are mistakes, and the message does not
/// offer to accept them.
const ACCEPTABLE: f64 = 0.1;

/// Name and position of a body, for messages.
fn place<D: Dim>(world: &World<D>, body: usize) -> String {
    // five digits find a grain; a number that needs fewer is shown with fewer
    let short = |x: f64| format!("{x:.4e}").parse().unwrap_or(x);
    let x = in_space(world.bodies.pose[body].x).map(short);
    format!("{} at {:?} m", world.name(body), &x[..D::DIMENSION])
}

fn percent(ratio: f64) -> String {
    if ratio < 1e-3 { format!("{:.1e} %", 100.0 * ratio) } else { format!("{:.1} %", 100.0 * ratio) }
}
