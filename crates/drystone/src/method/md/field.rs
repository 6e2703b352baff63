//! The field of forces: from places and motion of all bodies to their accelerations.

use std::ops::Range;

use super::beads::Beads;
use super::integrator::{along, drift_body};
use super::list::{Kept, List};
use super::motion::{Drift, FirstKick, LastKick, Speeds};
use super::scene::{Place, Scene};
use super::seen::Seen;
use super::store::Slots;
use super::unit::{Share, Taken, Unit};
use crate::body::Twist;
use crate::cell::Cell;
use crate::contact::{Coincident, ContactKey};
use crate::dim::{D2, Dim, Vector};
use crate::lane::in_lanes;
use crate::law::soft::{PlainLaw, SoftLaw};
use crate::method::cd::line::Line;
use crate::method::cd::threads;
use crate::wall::{Stand, Surface};
use crate::world::World;

/// Units of a world: enough to give every thread several.
const UNITS: usize = 16;
/// Grains of a unit: the more, the fewer stand beyond it; so many still fit the second cache with all that they need.
const UNIT: std::ops::RangeInclusive<usize> = 256..=2048;

/// Forces on all bodies, and the pairs that they come from.
#[derive(Debug, Default)]
pub struct Field<D: Dim> {
    laws: Vec<SoftLaw>,
    plain: Vec<PlainLaw>,
    materials: usize,
    is_whole: bool,
    range: f64,
    /// Number of bodies that all is made for.
    bodies: usize,
    beads: Option<Beads<D>>,
    place: Vec<Place<D>>,
    motion: Vec<Line<D>>,
    units: Vec<Unit<D>>,
    ends: Vec<u32>,
    /// Materials and cores of bodies and images, if there are images.
    material: Vec<u16>,
    /// The periodic cell as forces see it: velocities are those of their time.
    cell: Option<Cell<D>>,
    cores: Vec<(D::Vec, f64)>,
    /// The pairs, and what they remember.
    pub list: List<D>,
    /// Accelerations at the last look: linear [m/s2] and angular [rad/s2].
    pub accel: Vec<Twist<D>>,
    /// Forces [N] and torques [N m] of the grains on the walls at the last look.
    pub on_walls: Vec<Line<D>>,
    /// Energy that contacts took in per time at the last look [W].
    pub taken: Taken,
    /// Energy that they took in during the step [J]: forces of a look act over the time since the one before.
    pub worked: Taken,
    /// Work that the motion of images did during the step: a grain is pushed in its own place [J].
    pub image_work: f64,
    /// Work that the walls did on the grains during the step, as they are driven [J].
    pub wall_work: Vec<f64>,
    /// Contacts at the last look.
    pub touching: usize,
    /// Deepest overlap at the last look over the smaller radius.
    pub deepest: f64,
    /// Greatest speeds after the last kick.
    speeds: Option<Speeds>,
}

impl<D: Dim> Field<D> {
    /// The field of a world whose pairs of materials obey these laws.
    pub fn new(world: &World<D>) -> Field<D> {
        let materials = world.laws.materials();
        let law = |k: usize| world.laws.between((k / materials) as u16, (k % materials) as u16);
        // pairs that cannot meet have no law and never ask for it
        let spare = world.laws.pairs().find_map(|pair| pair.md.as_ref().map(|soft| soft.law(pair)));
        let spare = spare.expect("a checked scenario has a soft law");
        let laws: Vec<SoftLaw> = (0..materials * materials)
            .map(|k| law(k).md.as_ref().map_or_else(|| spare.clone(), |soft| soft.law(law(k))))
            .collect();
        let radius = world.grains().map(|k| world.bodies.shape[k].radius()).fold(0.0, f64::max);
        let reach = |law: &SoftLaw| {
            let couple = crate::law::soft::Couple { mass: 1.0, radius };
            law.attraction.as_ref().map_or(0.0, |attraction| attraction.range(couple, law.modulus))
        };
        let range = laws.iter().map(reach).fold(0.0, f64::max);
        let is_whole = laws.iter().any(SoftLaw::remembers_more);
        let plain: Option<Vec<PlainLaw>> = laws.iter().map(PlainLaw::of).collect();
        let plain = plain.unwrap_or_default();
        Field { laws, plain, materials, is_whole, range, ..Field::default() }
    }

    /// Pairs in the list.
    pub fn pairs(&self) -> usize {
        self.list.pairs.len()
    }

    /// Laws, a table over materials.
    pub fn laws(&self) -> &[SoftLaw] {
        &self.laws
    }

    /// Makes the list anew, with the memories of a stored network if there are any.
    pub fn open(&mut self, world: &World<D>, dt: f64, mut kept: Kept<D>) {
        self.follow(world);
        self.list = List::default();
        self.list.rebuild(world, self.beads.as_ref(), dt, (self.range, self.is_whole));
        if let Some(beads) = &self.beads {
            kept.iter_mut().for_each(|(key, _)| *key = beads.inner(*key));
        }
        self.list.restore(kept);
        self.cut(world);
    }

    /// All that touching pairs remember, by the keys of their bodies.
    pub fn kept(&self) -> Kept<D> {
        let mut kept = self.list.kept();
        if let Some(beads) = &self.beads {
            kept.iter_mut().for_each(|(key, _)| *key = beads.outer(*key));
        }
        kept
    }

    /// Cuts the pairs into units, and finds who pushes whose grains and walls.
    fn cut(&mut self, world: &World<D>) {
        self.seat_images(world);
        let (walls, pairs) = (&self.list.walls, self.list.images.seen(&self.list.pairs));
        self.ends.clear();
        for unit in &mut self.units {
            let grains = unit.grains.clone();
            let from = |at: usize| walls.partition_point(|key| (key.b as usize) < at);
            unit.walls = from(grains.start)..from(grains.end);
            let from = |at: usize| pairs.partition_point(|pair| (pair[0] as usize) < at);
            unit.pairs = from(grains.start)..from(grains.end);
            let own = &pairs[unit.pairs.clone()];
            unit.beyond.clear();
            unit.beyond.extend(own.iter().map(|[_, b]| *b).filter(|b| *b as usize >= grains.end));
            unit.beyond.sort_unstable();
            unit.beyond.dedup();
            unit.beyond.shrink_to_fit();
            unit.wrench = vec![Line::default(); grains.len() + unit.beyond.len() + world.walls.len()];
            let end = |b: u32| match unit.beyond.binary_search(&b) {
                Ok(k) => grains.len() + k,
                Err(_) => b as usize - grains.start,
            };
            self.ends.extend(own.iter().map(|[_, b]| end(*b) as u32));
        }
        for k in 0..self.units.len() {
            let grains = self.units[k].grains.clone();
            let part = |unit: &Unit<D>| {
                let from = |at: usize| unit.beyond.partition_point(|body| (*body as usize) < at);
                from(grains.start)..from(grains.end)
            };
            let sources = self.units[..k].iter().map(part).enumerate().filter(|(_, part)| !part.is_empty());
            self.units[k].sources = sources.collect();
        }
    }

    /// Gives the images of a new list their seats behind the bodies.
    fn seat_images(&mut self, world: &World<D>) {
        let bodies = self.beads.as_ref().map_or(&world.bodies, |beads| &beads.bodies);
        let images = &self.list.images;
        let is_needed = !images.is_empty();
        let cores = self.beads.as_ref().map_or(&[][..], |beads| &beads.cores);
        self.material = if is_needed { images.column(&bodies.material) } else { Vec::new() };
        self.cores = if is_needed && !cores.is_empty() { images.column(cores) } else { Vec::new() };
        self.follow_images(world);
    }

    /// Brings the images where they are now.
    fn follow_images(&mut self, world: &World<D>) {
        let count = self.beads.as_ref().map_or(world.bodies.len(), |beads| beads.bodies.len());
        self.list.images.follow(self.cell.as_ref(), count, &mut self.place, &mut self.motion);
    }

    fn size(&mut self, world: &World<D>) {
        if self.bodies == world.bodies.len() && !self.units.is_empty() {
            return;
        }
        self.bodies = world.bodies.len();
        self.beads = Beads::of(world);
        let bodies = self.beads.as_ref().map_or(&world.bodies, |beads| &beads.bodies);
        let count = bodies.len();
        self.place = (0..count).map(|k| Place::new(bodies.pose[k].x, bodies.shape[k].radius())).collect();
        self.motion = (0..count).map(|k| Line::new(&bodies.twist[k], &bodies.inertia[k])).collect();
        let grains = world.walls.len()..count;
        let size = (grains.len() / UNITS).clamp(*UNIT.start(), *UNIT.end());
        let starts = grains.clone().step_by(size);
        self.units =
            starts.map(|start| Unit { grains: start..(start + size).min(grains.end), ..Unit::default() }).collect();
    }

    /// Begins a step: nothing has been taken in or pressed yet. Walls may have become pistons, or have stopped to be.
    pub fn begin(&mut self, world: &World<D>) {
        for (wall, line) in self.motion.iter_mut().enumerate().take(world.walls.len()) {
            *line = Line::new(&line.twist(), &world.bodies.inertia[wall]);
        }
        self.worked = Taken::default();
        self.image_work = 0.0;
        self.wall_work = vec![0.0; world.walls.len()];
    }

    /// Moves all bodies over `dt` as they move after half a kick by the carried accelerations, and lets the forces see how
    /// they move half a kick further. Gives the greatest speed of a body or ball [m/s].
    pub fn advance(&mut self, world: &mut World<D>, carried: &[Twist<D>], dt: f64) -> f64 {
        self.size(world);
        if self.beads.is_some() {
            return self.advance_clumps(world, carried, dt);
        }
        self.place.truncate(world.bodies.len());
        self.motion.truncate(world.bodies.len());
        let ranges = self.ranges(world);
        let poses = threads::split(&mut world.bodies.pose, ranges.iter().cloned());
        let twists = ranges.iter().map(|range| &world.bodies.twist[range.clone()]);
        let places = threads::split(&mut self.place, ranges.iter().cloned());
        let motions = threads::split(&mut self.motion, ranges.iter().cloned());
        let rates = ranges.iter().map(|range| &carried[range.clone()]);
        let seen = places.into_iter().zip(motions);
        let parts = poses.into_iter().zip(twists).zip(rates).zip(seen).collect();
        let fastest = threads::map(parts, self.list.pairs.len(), |(((poses, twists), rates), (places, motions))| {
            in_lanes(Drift { poses, twists, rates, places, motions, dt })
        });
        self.drift_cell(world, dt);
        fastest.into_iter().fold(0.0, f64::max).sqrt()
    }

    /// Lets the lattice of images move on, and the images with it.
    pub fn drift_cell(&mut self, world: &mut World<D>, dt: f64) {
        if let Some(cell) = &mut world.cell {
            cell.set_motion(&cell.motion().plus(&cell.urge, 0.5 * dt));
            cell.drift(dt);
            // forces see the velocities of their time
            let mut seen = cell.clone();
            seen.set_motion(&cell.motion().plus(&cell.urge, 0.5 * dt));
            self.cell = Some(seen);
            self.follow_images(world);
        }
    }

    /// The same where grains are clumps: a body whose moments differ keeps its angular momentum while it drifts, and the
    /// first half of the kick is done before.
    fn advance_clumps(&mut self, world: &mut World<D>, carried: &[Twist<D>], dt: f64) -> f64 {
        world.remember_twists();
        let mut seen = Vec::with_capacity(carried.len());
        let mut fastest = 0.0_f64;
        for (k, rate) in carried.iter().enumerate() {
            let mut twist = along(&world.bodies.twist[k], rate, 0.5 * dt);
            drift_body(&mut world.bodies.pose[k], &mut twist, &world.bodies.inertia[k], dt);
            world.bodies.twist[k] = twist;
            seen.push(along(&twist, rate, 0.5 * dt));
            fastest = fastest.max(twist.v.norm() + twist.w.norm() * world.bodies.shape[k].radius());
        }
        self.see(world, &seen);
        self.drift_cell(world, dt);
        fastest
    }

    /// Places and motions of bodies or balls, where bodies are seen to move like this.
    fn see(&mut self, world: &World<D>, seen: &[Twist<D>]) {
        let (bodies, twists) = match &mut self.beads {
            Some(beads) => {
                beads.follow(&world.bodies, seen);
                (&beads.bodies, &beads.bodies.twist[..])
            }
            None => (&world.bodies, seen),
        };
        let own = self.place.iter_mut().zip(&mut self.motion).take(bodies.len());
        for (k, (place, motion)) in own.enumerate() {
            place.set_x(bodies.pose[k].x);
            motion.set_twist(&twists[k]);
        }
        self.cell.clone_from(&world.cell);
        self.follow_images(world);
    }

    /// Takes over where all bodies are, and how they move.
    pub fn follow(&mut self, world: &World<D>) {
        self.size(world);
        self.see(world, &world.bodies.twist);
    }

    /// The greatest speed of a body [m/s], or of balls of clumps, at most.
    pub fn fastest(&self, world: &World<D>) -> f64 {
        let bodies = &world.bodies;
        let speed = |k: usize| {
            let turning = if self.beads.is_some() { bodies.twist[k].w.norm() * bodies.shape[k].radius() } else { 0.0 };
            bodies.twist[k].v.norm() + turning
        };
        (0..bodies.len()).map(speed).fold(0.0, f64::max)
    }

    /// The walls, and the grains of each unit.
    fn ranges(&self, world: &World<D>) -> Vec<Range<usize>> {
        let units = self.units.iter().map(|unit| unit.grains.clone());
        std::iter::once(0..world.walls.len()).chain(units).collect()
    }

    /// Finds the accelerations of all bodies as they are seen, `dt` after the last look, and adds the ones before and
    /// these to the velocities, each over the time `kick`, if there is one. No body went further than `way` since the last
    /// look; `step` is the length of a step.
    pub fn look(
        &mut self,
        world: &mut World<D>,
        (dt, step, way): (f64, f64, f64),
        kick: Option<f64>,
    ) -> Result<(), Coincident> {
        let bodies = self.beads.as_ref().map_or(&world.bodies, |beads| &beads.bodies);
        // images move on their own, half of it for each of a pair
        let way = way + 0.5 * self.list.images.pace() * dt.abs();
        let swing = (0..world.walls.len()).map(|wall| world.swing_travel(wall, step)).fold(0.0, f64::max);
        if !self.list.serves(world, bodies, way + swing) {
            self.list.rebuild(world, self.beads.as_ref(), step, (self.range, self.is_whole));
            self.cut(world);
        }
        self.run(world, dt, false)?;
        self.worked.iter_mut().zip(self.taken).for_each(|(sum, rate)| *sum += rate * dt);
        self.image_work += self.image_power() * dt;
        let loads = self.wall_work.iter_mut().zip(&self.on_walls).zip(&world.bodies.twist);
        for (wall, ((sum, load), twist)) in loads.enumerate() {
            let Twist { v: mut force, w: torque } = load.twist();
            if let (true, Some(axis)) = (world.bodies.inertia[wall].is_movable(), world.wall_axis(wall)) {
                force = force.tangent_to(axis); // along its normal a piston is pushed by its own drive
            }
            *sum -= (force.dot(twist.v) + torque.dot(twist.w)) * dt;
        }
        self.accelerate(world, step, kick);
        self.press_cell(world, kick.unwrap_or_default());
        Ok(())
    }

    /// The greatest speeds of grains, as they move now.
    pub fn speeds(&self, world: &World<D>) -> Speeds {
        self.speeds.unwrap_or_else(|| {
            let mut speeds = Speeds::default();
            world.grains().for_each(|k| speeds.note(&world.bodies.twist[k], world.bodies.shape[k].radius()));
            speeds
        })
    }

    /// What all contacts do, as the bodies are and move now, sorted by key. Nothing is remembered.
    pub fn watch(&mut self, world: &World<D>) -> Vec<Seen<D>> {
        self.follow(world);
        let (at_walls, between) = (self.list.at_walls.clone(), self.list.between.clone());
        let known = (self.touching, self.deepest, self.taken);
        // grains with one centre are named when forces are found
        let _ = self.run(world, 0.0, true);
        (self.touching, self.deepest, self.taken) = known;
        (self.list.at_walls, self.list.between) = (at_walls, between);
        let mut seen: Vec<Seen<D>> = self.units.iter_mut().flat_map(|unit| std::mem::take(&mut unit.seen)).collect();
        let count = self.beads.as_ref().map_or(world.bodies.len(), |beads| beads.bodies.len());
        for seen in &mut seen {
            seen.jump = self.list.images.jump(seen.key.b, count);
            seen.key.b = self.list.images.body(seen.key.b, count);
        }
        if let Some(beads) = &self.beads {
            for seen in &mut seen {
                let ContactKey { a, b, .. } = seen.key;
                let walls = world.walls.len();
                let arm = |k: u32| if (k as usize) < walls { D::Vec::ZERO } else { beads.turned[k as usize] };
                seen.offsets = [arm(a) + seen.offsets[0], arm(b) + seen.offsets[1]];
                seen.key = beads.outer(seen.key);
            }
        }
        seen.sort_by_key(|seen| seen.key);
        seen
    }

    fn run(&mut self, world: &World<D>, dt: f64, is_watched: bool) -> Result<(), Coincident> {
        // segments are no balls, which is all that the lanes know
        let has_capsules = self.beads.as_ref().is_some_and(|beads| !beads.cores.is_empty());
        let stands: Vec<Stand<D>> = (0..world.walls.len()).map(|wall| world.bodies.stand(wall)).collect();
        let turns = world.surfaces.iter().any(Surface::is_aside);
        let scene = Scene {
            has_offsets: has_capsules || turns,
            range: self.range,
            skin: self.list.slack,
            stands: &stands,
            place: &self.place,
            motion: &self.motion,
            cores: match self.cores.is_empty() {
                true => self.beads.as_ref().map_or(&[], |beads| &beads.cores),
                false => &self.cores,
            },
            material: match self.material.is_empty() {
                true => self.beads.as_ref().map_or(&world.bodies.material, |beads| &beads.bodies.material),
                false => &self.material,
            },
            surfaces: &world.surfaces,
            walls: &self.list.walls,
            pairs: self.list.images.seen(&self.list.pairs),
            ends: &self.ends,
            laws: &self.laws,
            plain: if has_capsules { &[] } else { &self.plain },
            materials: self.materials,
            dt,
            gone: self.list.gone,
            depth: (D::DIMENSION == D2::DIMENSION).then_some(world.depth),
            is_watched,
        };
        let walls = world.walls.len();
        let bodies = self.beads.as_ref().map_or(world.bodies.len(), |beads| beads.bodies.len());
        let mut at_walls = Some(self.list.at_walls.slots());
        let mut between = Some(self.list.between.slots());
        let mut shares = Vec::with_capacity(self.units.len());
        for unit in &mut self.units {
            let (at_wall, pair) = (unit.walls.len(), unit.pairs.len());
            // slots leave the whole in the order of the units
            let own = (cut_from(&mut at_walls, at_wall), cut_from(&mut between, pair));
            shares.push(Share { unit, at_walls: own.0, between: own.1 });
        }
        let pairs = self.list.pairs.len();
        threads::map(shares, pairs, |mut share: Share<'_, D>| share.run(&scene));
        self.on_walls = vec![Line::default(); walls];
        (self.taken, self.touching, self.deepest) = ([0.0; 3], 0, 0.0);
        for unit in &self.units {
            for (sum, part) in self.on_walls.iter_mut().zip(unit.on_walls()) {
                let (so_far, part) = (sum.twist(), part.twist());
                sum.set_twist(&Twist { v: so_far.v + part.v, w: so_far.w + part.w });
            }
            self.taken.iter_mut().zip(unit.taken).for_each(|(sum, part)| *sum += part);
            self.touching += unit.touching;
            self.deepest = self.deepest.max(unit.deepest);
            if let Some(Coincident { a, b }) = unit.coincident {
                let b = self.list.images.body(b as u32, bodies) as usize;
                return Err(Coincident { a, b });
            }
        }
        Ok(())
    }

    /// a = g + f / m, and the angular one t / I. Then v += (a_old + a) kick, if there is a kick.
    fn accelerate(&mut self, world: &mut World<D>, step: f64, kick: Option<f64>) {
        let count = world.bodies.len();
        self.accel.resize(count, Twist::default()); // an integrator may have taken them
        if kick.is_some() {
            world.before.resize(count, Twist::default());
        }
        self.speeds = None;
        self.accelerate_walls(world, step, kick);
        if self.beads.is_some() {
            return self.accelerate_clumps(world, kick);
        }
        let (gravity, loads) = (world.gravity, &world.loads);
        let across = self.pushes_on_images(count);
        let (units, motion, place) = (&self.units, &self.motion, &self.place);
        let grains = || units.iter().map(|unit| unit.grains.clone());
        let accels = threads::split(&mut self.accel, grains());
        let twists = threads::split(&mut world.bodies.twist, grains());
        let mut before = threads::split(&mut world.before, grains().filter(|_| kick.is_some())).into_iter();
        let moved = twists.into_iter().map(|twists| (twists, before.next().unwrap_or_default()));
        let parts = units.iter().zip(accels).zip(moved).collect();
        type Moved<'p, D> = (&'p mut [Twist<D>], &'p mut [Twist<D>]);
        type Part<'p, D> = ((&'p Unit<D>, &'p mut [Twist<D>]), Moved<'p, D>);
        let within = |grains: &Range<usize>| {
            let from = |at: usize| across.partition_point(|(body, _)| (*body as usize) < at);
            from(grains.start)..from(grains.end)
        };
        let found = threads::map(parts, self.list.pairs.len(), |((unit, accels), (twists, before)): Part<'_, D>| {
            if let Some(kick) = kick {
                in_lanes(FirstKick { twists, accels, before, kick });
            }
            let pushed = |(accel, wrench): (&mut Twist<D>, &Line<D>)| *accel = wrench.twist();
            accels.iter_mut().zip(&unit.wrench).for_each(pushed);
            for (source, part) in &unit.sources {
                let source = &units[*source];
                let wrenches = &source.wrench[source.grains.len()..][part.clone()];
                for (body, wrench) in source.beyond[part.clone()].iter().zip(wrenches) {
                    let (sum, Twist { v, w }) = (&mut accels[*body as usize - unit.grains.start], wrench.twist());
                    (sum.v, sum.w) = (sum.v + v, sum.w + w);
                }
            }
            if let Some(loads) = loads.get(unit.grains.clone()) {
                accels.iter_mut().zip(loads).for_each(|(accel, load)| accel.v += *load);
            }
            for (body, Twist { v, w }) in &across[within(&unit.grains)] {
                let sum = &mut accels[*body as usize - unit.grains.start];
                (sum.v, sum.w) = (sum.v + *v, sum.w + *w);
            }
            let (motions, places) = (&motion[unit.grains.clone()], &place[unit.grains.clone()]);
            in_lanes(LastKick { twists, accels, motions, places, gravity, kick })
        });
        self.speeds = kick.map(|_| found.into_iter().fold(Speeds::default(), Speeds::and));
    }

    /// Forces and torques on images, by the bodies that they are images of, in the order of bodies and units.
    fn pushes_on_images(&self, bodies: usize) -> Vec<(u32, Twist<D>)> {
        let mut pushes: Vec<(u32, Twist<D>)> = Vec::new();
        self.each_image(bodies, |image, wrench| pushes.push((self.list.images.body(image, bodies), wrench)));
        pushes.sort_by_key(|(body, _)| *body); // stable: units keep their order
        pushes
    }

    fn each_image(&self, bodies: usize, mut push: impl FnMut(u32, Twist<D>)) {
        for unit in self.units.iter().filter(|_| !self.list.images.is_empty()) {
            let first = unit.beyond.partition_point(|body| (*body as usize) < bodies);
            let wrenches = &unit.wrench[unit.grains.len() + first..];
            unit.beyond[first..].iter().zip(wrenches).for_each(|(image, wrench)| push(*image, wrench.twist()));
        }
    }

    /// Accelerates what of a cell follows a stress: see [`crate::cell::Press`].
    fn press_cell(&self, world: &mut World<D>, kick: f64) {
        let bodies = self.place.len() - self.list.images.owner.len();
        let Some(cell) = world.cell.as_mut().filter(|cell| cell.press.is_some()) else { return };
        let mut pull = cell.pull();
        self.each_image(bodies, |image, wrench| {
            pull = pull.plus(&self.list.images.share(image, bodies).load(wrench.v), 1.0);
        });
        if let Some(press) = &cell.press {
            cell.urge = pull.times(1.0 / press.mass);
            cell.set_motion(&cell.motion().plus(&cell.urge, kick));
        }
    }

    /// Power of the motion of images [W]: b takes the force on its image without the jump.
    fn image_power(&self) -> f64 {
        let bodies = self.place.len() - self.list.images.owner.len();
        let mut power = 0.0;
        self.each_image(bodies, |image, wrench| power -= wrench.v.dot(self.list.images.forced(image, bodies)));
        power
    }

    /// Pistons move along their normals only.
    fn accelerate_walls(&mut self, world: &mut World<D>, step: f64, kick: Option<f64>) {
        let now = world.clock.time;
        for wall in 0..world.walls.len() {
            let twist = world.bodies.twist[wall];
            let halfway = match kick {
                Some(kick) if self.beads.is_none() => {
                    world.before[wall] = twist;
                    along(&twist, &self.accel[wall], kick)
                }
                _ => twist,
            };
            let drive = world.piston_force(wall, now, now + step);
            self.accel[wall] = match (drive, world.wall_axis(wall)) {
                (Some(force), Some(axis)) => {
                    let force = force + self.on_walls[wall].twist().v.dot(axis);
                    Twist {
                        v: axis * (world.gravity.dot(axis) + force * world.bodies.inertia[wall].inv_m),
                        w: D::Spin::ZERO,
                    }
                }
                _ => Twist::default(),
            };
            world.bodies.twist[wall] = along(&halfway, &self.accel[wall], kick.unwrap_or_default());
        }
    }

    /// As [`Field::accelerate`], where the forces on balls act on their clumps: a = g + sum f / m, I^-1 sum (t + r x f).
    fn accelerate_clumps(&mut self, world: &mut World<D>, kick: Option<f64>) {
        let Some(beads) = &self.beads else { return };
        let mut load = vec![Twist::<D>::default(); world.bodies.len()];
        let mut push = |bead: usize, wrench: &Line<D>| {
            let bead = self.list.images.body(bead as u32, beads.bodies.len()) as usize;
            let (sum, Twist { v, w }) = (&mut load[beads.owner[bead] as usize], wrench.twist());
            (sum.v, sum.w) = (sum.v + v, sum.w + w + D::torque(beads.turned[bead], v));
        };
        for unit in &self.units {
            let (own, beyond) = unit.wrench.split_at(unit.grains.len()); // those on walls are behind those beyond
            unit.grains.clone().zip(own).for_each(|(bead, wrench)| push(bead, wrench));
            unit.beyond.iter().zip(beyond).for_each(|(bead, wrench)| push(*bead as usize, wrench));
        }
        for k in world.grains() {
            let inv_m = world.bodies.inertia[k].inv_m;
            self.accel[k] = match inv_m > 0.0 {
                true => Twist {
                    v: world.pull(k) + load[k].v * inv_m,
                    w: D::spin(&world.bodies.inverse_inertia(k), load[k].w),
                },
                false => Twist::default(),
            };
            world.bodies.twist[k] = along(&world.bodies.twist[k], &self.accel[k], kick.unwrap_or_default());
        }
    }
}

/// The first slots of what is left.
fn cut_from<'s, D: Dim>(slots: &mut Option<Slots<'s, D>>, count: usize) -> Slots<'s, D> {
    let (own, rest) = slots.take().expect("slots are there").split(count);
    *slots = Some(rest);
    own
}
