//! The field of forces: from places and motion of all bodies to their accelerations.

mod cell;
mod clumps;
mod growth;
mod sweep;
mod walls;

use super::beads::Beads;
use super::integrator::along;
use super::list::{Kept, List};
use super::motion::Speeds;
use super::patch::{Bulk, Patch};
use super::rules::Rules;
use super::seen::Seen;
use super::unit::Taken;
use crate::body::{Bodies, Twist};
use crate::cell::Cell;
use crate::contact::{Coincident, ContactKey};
use crate::dim::{Dim, Vector};
use crate::law::soft::SoftLaw;
use crate::world::World;

/// Forces on all bodies, and the pairs that they come from.
#[derive(Debug, Default)]
pub struct Field<D: Dim> {
    rules: Rules,
    /// Number of bodies that all is made for.
    bodies: usize,
    beads: Option<Beads<D>>,
    bulk: Vec<Bulk>,
    /// The periodic cell as forces see it: velocities are those of their time.
    cell: Option<Cell<D>>,
    /// Patches of the units at work.
    patches: Vec<Patch<D>>,
    /// The pairs, and what they remember.
    pub list: List<D>,
    /// Accelerations at the last look: linear [m/s2] and angular [rad/s2].
    pub accel: Vec<Twist<D>>,
    /// Forces [N] and torques [N m] of the grains on the walls at the last look.
    pub on_walls: Vec<Twist<D>>,
    /// Energy that contacts took in per time at the last look [W].
    pub taken: Taken,
    /// Power of the growth of grains at the last look [W].
    swelling: f64,
    /// Energy that they took in during the step [J]: forces of a look act over the time since the one before.
    pub worked: Taken,
    /// Work that the motion of images did during the step: a grain is pushed in its own place [J].
    pub image_work: f64,
    /// Work that the growth of grains did at contacts during the step [J].
    pub swell_work: f64,
    /// Work that the walls did on the grains during the step, as they are driven [J].
    pub wall_work: Vec<f64>,
    /// Contacts at the last look.
    pub touching: usize,
    /// Deepest overlap at the last look over the smaller radius.
    pub deepest: f64,
    /// Greatest speeds after the last leap.
    speeds: Option<Speeds>,
}

/// Speeds that are found in two ways may differ by a few roundings.
const ROUNDED: f64 = 1.0 + 1e-14;

/// How far a body goes [m].
type Way<'w> = &'w dyn Fn(usize) -> f64;

impl<D: Dim> Field<D> {
    /// The field of a world, whose pairs of materials obey soft laws.
    pub fn new(world: &World<D>) -> Field<D> {
        Field { rules: Rules::of(world), ..Field::default() }
    }

    /// Pairs in the list.
    pub fn pairs(&self) -> usize {
        self.list.pairs.len()
    }

    /// Laws, a table over materials.
    pub fn laws(&self) -> &[SoftLaw] {
        &self.rules.laws
    }

    /// Makes the list anew, with the memories of a stored network if there are any.
    pub fn open(&mut self, world: &World<D>, dt: f64, mut kept: Kept<D>) {
        self.follow(world);
        (self.list, self.speeds) = (List::default(), None);
        self.remake_list(world, dt, &|_| 0.0);
        if let Some(beads) = &self.beads {
            kept.iter_mut().for_each(|(key, _)| *key = beads.inner(*key));
        }
        self.list.restore(kept);
    }

    /// All that touching pairs remember, by the keys of their bodies.
    pub fn kept(&self) -> Kept<D> {
        let mut kept = self.list.kept();
        if let Some(beads) = &self.beads {
            kept.iter_mut().for_each(|(key, _)| *key = beads.outer(*key));
        }
        kept
    }

    fn size(&mut self, world: &World<D>) {
        if self.bodies != world.bodies.len() {
            self.bodies = world.bodies.len();
            self.beads = Beads::of(world);
            self.bulk = Bulk::of(Self::seen_bodies(&self.beads, world));
        }
    }

    /// Begins a step: nothing has been taken in or pressed yet.
    pub fn begin(&mut self, world: &World<D>) {
        self.worked = Taken::default();
        (self.image_work, self.swell_work) = (0.0, 0.0);
        self.wall_work = vec![0.0; world.walls.len()];
    }

    /// Takes over where all bodies are, and how they move.
    pub fn follow(&mut self, world: &World<D>) {
        self.size(world);
        if let Some(beads) = &mut self.beads {
            beads.follow(&world.bodies, &world.bodies.twist);
        }
        self.cell.clone_from(&world.cell);
        self.list.images.follow(self.cell.as_ref());
    }

    /// The bodies of the force loop: those of the world, or balls of its clumps.
    fn seen_bodies<'b>(beads: &'b Option<Beads<D>>, world: &'b World<D>) -> &'b Bodies<D> {
        beads.as_ref().map_or(&world.bodies, |beads| &beads.bodies)
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

    /// Finds the accelerations of all bodies as they are, `dt` after the last look. No body went further than `way` since
    /// then; `step` is the length of a step.
    pub fn look(&mut self, world: &mut World<D>, dt: f64, step: f64, way: f64) -> Result<(), Coincident> {
        self.keep_list(world, (dt, step), way, None);
        self.speeds = None;
        self.sweep(world, dt, None)?;
        self.keep_books(world, dt);
        self.accelerate_walls(world, step, None);
        self.press_cell(world, 0.0);
        Ok(())
    }

    /// Moves all bodies over `dt` by velocity Verlet: half a kick by the accelerations that they have, drift, forces as
    /// they move half a kick further, and half a kick by the new accelerations. `step` is the length of a step.
    ///
    /// # Panics
    /// If grains were made faster since the leap before, by others, so that they leave the list of neighbours.
    pub fn leap(&mut self, world: &mut World<D>, dt: f64, step: f64) -> Result<(), Coincident> {
        self.size(world);
        if self.beads.is_some() {
            return self.leap_clumps(world, dt, step);
        }
        world.before.resize(world.bodies.len(), Twist::default());
        let ahead = |world: &World<D>, accel: &[Twist<D>], k: usize| {
            along(&world.bodies.twist[k], &accel[k], 0.5 * dt).v.norm() * dt.abs()
        };
        let walls = (0..world.walls.len()).map(|wall| ahead(world, &self.accel, wall)).fold(0.0, f64::max);
        let way = walls.max(self.speeds(world).ahead(dt) * dt.abs());
        let accel = std::mem::take(&mut self.accel);
        self.keep_list(world, (dt, step), way, Some(&|k| ahead(world, &accel, k)));
        self.accel = accel;
        self.drift_walls(world, dt);
        self.drift_cell(world, dt);
        self.sweep(world, dt, Some(dt))?;
        let leapt = self.speeds(world).leapt() * dt.abs();
        self.list.gone += (leapt - way).max(0.0);
        let is_as_told = leapt <= ROUNDED * way || self.list.gone < self.list.slack;
        assert!(is_as_told, "grains got faster between two steps");
        self.keep_books(world, dt);
        self.accelerate_walls(world, step, Some(0.5 * dt));
        self.press_cell(world, 0.5 * dt);
        Ok(())
    }

    /// Makes the list anew if it may lack a pair, as the bodies go over `dt` and none goes further than `way`: they are
    /// there already, or each still has to go its way.
    fn keep_list(&mut self, world: &World<D>, (dt, step): (f64, f64), way: f64, ahead: Option<Way<'_>>) {
        // images move on their own, half of it for each of a pair
        let by_images = 0.5 * self.list.images.pace() * dt.abs();
        let swing = (0..world.walls.len()).map(|wall| world.swing_travel(wall, step)).fold(0.0, f64::max);
        let (way, bodies) = (way + by_images + swing, Self::seen_bodies(&self.beads, world));
        let to_go = |k: usize| ahead.map_or(0.0, |ahead| ahead(k) + by_images + world.swing_travel(k, step));
        if !self.list.serves(world, bodies, way, to_go) {
            self.remake_list(world, step, ahead.unwrap_or(&|_| 0.0));
            self.list.gone = if ahead.is_some() { way } else { 0.0 };
        }
    }

    fn remake_list(&mut self, world: &World<D>, step: f64, ahead: Way<'_>) {
        let bodies = Self::seen_bodies(&self.beads, world);
        let way = |k: usize| ahead(k).max(bodies.twist[k].v.norm() * step) + world.swing_travel(k, step);
        self.list.rebuild(world, self.beads.as_ref(), &self.rules, (step, way));
        self.list.images.follow(self.cell.as_ref());
    }

    /// The greatest speeds of grains, as they move now.
    pub fn speeds(&self, world: &World<D>) -> Speeds {
        self.speeds.unwrap_or_else(|| {
            let mut speeds = Speeds::default();
            let rate = |k: usize| self.accel.get(k).copied().unwrap_or_default();
            let bodies = &world.bodies;
            world.grains().for_each(|k| speeds.note(&bodies.twist[k], &rate(k), bodies.shape[k].radius()));
            speeds
        })
    }

    /// What all contacts do, as the bodies are and move now, sorted by key. Nothing is remembered.
    pub fn watch(&mut self, world: &World<D>) -> Vec<Seen<D>> {
        self.follow(world);
        let mut seen = self.glance(world);
        let count = Self::seen_bodies(&self.beads, world).len();
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
        seen.sort_unstable_by_key(|seen| seen.key);
        seen
    }
}
