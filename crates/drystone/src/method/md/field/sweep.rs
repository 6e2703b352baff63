//! A sweep over all units: forces, then what they do to the grains.
//!
//! Units come in waves, as many as the threads can have in their caches at a time. In a wave all units find the forces of
//! their pairs first, from bodies that nobody moves meanwhile; then each moves its own grains: no unit behind its wave
//! pushes them or wants to see them. So all that a grain needs in a step comes from memory once. How many units a wave has
//! does not change a bit.

use std::ops::Range;

use super::Field;
use super::clumps::load_clumps;
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::{D2, Dim};
use crate::lane::in_lanes;
use crate::method::cd::line::Line;
use crate::method::cd::threads;
use crate::method::md::integrator::along;
use crate::method::md::list::List;
use crate::method::md::motion::{Landing, Rest, Speeds};
use crate::method::md::patch::Patch;
use crate::method::md::scene::Scene;
use crate::method::md::seen::Seen;
use crate::method::md::share::Share;
use crate::method::md::store::{Slots, Store};
use crate::method::md::unit::{Outcome, Unit};
use crate::wall::{Stand, Surface};
use crate::world::World;

/// Units of a wave for every thread, if there are several: fewer, and threads wait for each other; more, and a unit's data
/// leave the cache before its grains are moved.
const WAVE: usize = 8;

/// How a sweep looks at the bodies.
struct Sight<D: Dim> {
    /// Time since the last look [s].
    dt: f64,
    /// Time over which the grains leap before [s], if they do.
    leap: Option<f64>,
    is_watched: bool,
    /// How the walls stand and move.
    stands: Vec<Stand<D>>,
    wall_motion: Vec<Line<D>>,
}

/// What units work with, away from the field for a sweep.
struct Crew<D: Dim> {
    units: Vec<Unit<D>>,
    patches: Vec<Patch<D>>,
    at_walls: Store<D>,
    between: Store<D>,
}

impl<D: Dim> Field<D> {
    /// Finds the forces `dt` after the last look, and what accelerations they give to the bodies, which leap before, or are
    /// where they are.
    pub(super) fn sweep(&mut self, world: &mut World<D>, dt: f64, leap: Option<f64>) -> Result<(), Coincident> {
        self.accel.resize(world.bodies.len(), Twist::default()); // an integrator may have taken them
        let sight = self.sight(world, (dt, leap, false));
        let mut load = vec![Twist::default(); self.beads.as_ref().map_or(0, |_| world.bodies.len())];
        let mut crew = self.call_up();
        let mut slots = [crew.at_walls.slots(), crew.between.slots()];
        let mut speeds = Speeds::default();
        for wave in self.waves(crew.units.len()) {
            let patches = &mut crew.patches[..wave.len()];
            press(&self.scene(world, &sight), &mut crew.units[wave.clone()], patches, &mut slots);
            match &self.beads {
                Some(beads) => {
                    let shares = crew.units[wave].iter().zip(&*patches);
                    shares.for_each(|share| load_clumps(&mut load, beads, &self.list.images, share));
                }
                None => speeds = speeds.and(self.land(world, (&crew.units, wave), patches, leap)),
            }
        }
        self.dismiss(crew);
        if leap.is_some() {
            std::mem::swap(&mut world.before, &mut world.bodies.twist);
            let walls = 0..world.walls.len();
            world.bodies.twist[walls.clone()].copy_from_slice(&world.before[walls]); // they are kicked later
        }
        self.speeds = leap.map(|_| speeds);
        if self.beads.is_some() {
            self.accelerate_clumps(world, &load);
        }
        self.sum_up(world)
    }

    /// What all contacts do, in the order of the units. Nothing is remembered.
    pub(super) fn glance(&mut self, world: &World<D>) -> Vec<Seen<D>> {
        let sight = self.sight(world, (0.0, None, true));
        let mut crew = self.call_up();
        let known = crew.at_walls.clone(); // faces hand their memories over
        let mut slots = [crew.at_walls.slots(), crew.between.slots()];
        let mut seen = Vec::new();
        for wave in self.waves(crew.units.len()) {
            let patches = &mut crew.patches[..wave.len()];
            press(&self.scene(world, &sight), &mut crew.units[wave.clone()], patches, &mut slots);
            crew.units[wave].iter_mut().for_each(|unit| seen.extend(std::mem::take(&mut unit.seen)));
        }
        self.dismiss(Crew { at_walls: known, ..crew });
        seen
    }

    fn call_up(&mut self) -> Crew<D> {
        let (wave, List { units, at_walls, between, .. }) = (self.wave(), &mut self.list);
        let mut patches = std::mem::take(&mut self.patches);
        patches.resize_with(wave, Patch::default);
        let [at_walls, between] = [at_walls, between].map(std::mem::take);
        Crew { units: std::mem::take(units), patches, at_walls, between }
    }

    fn dismiss(&mut self, crew: Crew<D>) {
        (self.list.units, self.patches) = (crew.units, crew.patches);
        (self.list.at_walls, self.list.between) = (crew.at_walls, crew.between);
    }

    /// Units in a wave.
    fn wave(&self) -> usize {
        match threads::at_hand(self.pairs()) {
            1 => 1,
            many => WAVE * many,
        }
    }

    fn waves(&self, units: usize) -> impl Iterator<Item = Range<usize>> + use<D> {
        let wave = self.wave();
        (0..units).step_by(wave).map(move |first| first..(first + wave).min(units))
    }

    /// How bodies are to be seen: where walls are, and how they move when the forces act.
    fn sight(&self, world: &World<D>, (dt, leap, is_watched): (f64, Option<f64>, bool)) -> Sight<D> {
        let bodies = Self::seen_bodies(&self.beads, world);
        let motion = |wall: usize| {
            let kicked = |twist: Twist<D>| leap.map_or(twist, |dt| along(&twist, &self.accel[wall], 0.5 * dt));
            Line::new(&kicked(kicked(bodies.twist[wall])), &world.bodies.inertia[wall])
        };
        let walls = 0..world.walls.len();
        let stands = walls.clone().map(|wall| world.bodies.stand(wall)).collect();
        Sight { dt, leap, is_watched, stands, wall_motion: walls.map(motion).collect() }
    }

    fn scene<'s>(&'s self, world: &'s World<D>, sight: &'s Sight<D>) -> Scene<'s, D> {
        let cores = self.beads.as_ref().map_or(&[][..], |beads| &beads.cores);
        Scene {
            bodies: Self::seen_bodies(&self.beads, world),
            bulk: &self.bulk,
            leap: sight.leap.map(|dt| (dt, &self.accel[..])),
            wall_motion: &sight.wall_motion,
            images: &self.list.images,
            cores,
            has_offsets: !cores.is_empty() || world.surfaces.iter().any(Surface::is_aside),
            skin: self.list.slack,
            stands: &sight.stands,
            surfaces: &world.surfaces,
            walls: &self.list.walls,
            pairs: &self.list.pairs,
            rules: &self.rules,
            dt: sight.dt,
            gone: self.list.gone,
            growth: world.growth,
            depth: (D::DIMENSION == D2::DIMENSION).then_some(world.depth),
            is_watched: sight.is_watched,
        }
    }

    /// Gives the grains of a wave their accelerations, and moves them where the forces saw them if they leap.
    fn land(
        &mut self,
        world: &mut World<D>,
        (units, wave): (&[Unit<D>], Range<usize>),
        patches: &mut [Patch<D>],
        leap: Option<f64>,
    ) -> Speeds {
        let (gravity, loads, images) = (world.gravity, &world.loads, (&self.list.images, world.bodies.len()));
        let grains = || units[wave.clone()].iter().map(|unit| unit.grains.clone());
        let accels = threads::split(&mut self.accel, grains());
        let poses = threads::split(&mut world.bodies.pose, grains());
        // those who leap leave how they moved behind
        let mut after = threads::split(&mut world.before, grains().filter(|_| leap.is_some())).into_iter();
        let twists = grains().map(|grains| &world.bodies.twist[grains]);
        let moved =
            poses.into_iter().zip(twists).map(|(poses, twists)| (poses, twists, after.next().unwrap_or_default()));
        let parts = units[wave.clone()].iter().zip(patches).zip(accels).zip(moved).collect();
        let found = threads::map(parts, self.list.pairs.len(), |(((unit, patch), accels), moved)| {
            unit.gather(units, images, loads, &mut patch.wrench);
            let ((poses, twists, after), patch) = (moved, &*patch);
            match leap {
                Some(dt) => in_lanes(Landing { poses, twists, after, accels, patch, gravity, dt }),
                None => {
                    in_lanes(Rest { accels, patch, gravity });
                    Speeds::default()
                }
            }
        });
        found.into_iter().fold(Speeds::default(), Speeds::and)
    }

    /// Adds up what came out of all units.
    fn sum_up(&mut self, world: &World<D>) -> Result<(), Coincident> {
        self.on_walls = vec![Twist::default(); world.walls.len()];
        let mut sum = Outcome::default();
        for unit in &self.list.units {
            for (sum, part) in self.on_walls.iter_mut().zip(&unit.on_walls) {
                (sum.v, sum.w) = (sum.v + part.v, sum.w + part.w);
            }
            sum.enter(&unit.outcome);
        }
        (self.taken, self.swelling) = (sum.taken, sum.swelling);
        (self.touching, self.deepest) = (sum.touching, sum.deepest);
        let bodies = Self::seen_bodies(&self.beads, world).len();
        let body = |k: usize| self.list.images.body(k as u32, bodies) as usize;
        sum.coincident.map_or(Ok(()), |Coincident { a, b }| Err(Coincident { a, b: body(b) }))
    }
}

/// Lets units find the forces of their pairs.
fn press<D: Dim>(scene: &Scene<D>, units: &mut [Unit<D>], patches: &mut [Patch<D>], slots: &mut [Slots<'_, D>; 2]) {
    let [at_walls, between] = slots;
    let share = |(unit, patch): (_, _)| {
        let unit: &mut Unit<D> = unit;
        // slots leave the whole in the order of the units
        let (at_walls, between) = (at_walls.split_off(unit.walls.len()), between.split_off(unit.pairs.len()));
        Share { unit, patch, at_walls, between }
    };
    let shares = units.iter_mut().zip(patches).map(share).collect();
    threads::map(shares, scene.pairs.len(), |mut share: Share<'_, D>| share.run(scene));
}
