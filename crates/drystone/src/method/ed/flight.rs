//! Free flight from collision to collision, until a horizon.

use std::ops::ControlFlow;

use super::faces::{WallFace, faces_of};
use super::flock::{Deflection, Flock, Partner, Plan};
use super::grid::{CellGrid, CellSide, Exit, Extent, FlightState};
use super::impact::{Collider, Encounter};
use super::queue::{Due, EventQueue};
use super::times::{Approach, Height};
use crate::dim::{Dim, Vector};
use crate::law::Laws;
use crate::world::World;

/// Cells that a grain of mean speed crosses until the grid is rebuilt: then rebuilding costs little.
const CELLS: f64 = 8.0;

/// Bins of the queue for each grain.
const BINS: usize = 4;

/// Largest overlap at the start over the radius: surfaces that touch may overlap by rounding.
const TOUCHING: f64 = 1e-9;

/// Part of a position that is rounding, with the operations of an advance.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Collisions in a row, each with no more than rounding as the way since the last one, after which a grain counts as
/// one whose collisions accumulate. In a chain of touching grains a blow passes every one of them a few times.
const REPEATS: u32 = 1000;

/// What happened in a flight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Collisions.
    pub collisions: u64,
    /// Collisions that were elastic because they followed another within the contact time.
    pub elastic: u64,
    /// Energy that collisions took [J].
    pub lost: f64,
    /// Work of moving walls [J].
    pub wall_work: f64,
    /// Sum of normal impulse times distance of the centres, over collisions of grains [J s].
    pub virial: f64,
    /// Deepest overlap at the start over the smaller radius.
    pub overlap: f64,
}

/// Two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BodyPair {
    /// The first.
    pub a: usize,
    /// The second.
    pub b: usize,
}

/// Why a flight ends before its horizon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Obstacle {
    /// These overlap at the start, by this part of the smaller radius.
    Overlap(BodyPair, f64),
    /// Collisions of these follow each other at one time [s].
    Accumulation(BodyPair, f64),
}

/// A flight in the making.
pub(super) struct FreeFlight<D: Dim> {
    flock: Flock<D>,
    grid: CellGrid<D>,
    queue: EventQueue,
    faces: Vec<WallFace<D>>,
    laws: Laws,
    contact_time: Option<f64>,
    tally: Tally,
    deepest: Option<BodyPair>,
    /// Length of the flight [s].
    pub horizon: f64,
}

/// A collision that may come next.
#[derive(Clone, Copy)]
struct Candidate {
    time: f64,
    partner: Partner,
}

impl<D: Dim> FreeFlight<D> {
    /// Gets ready for a flight of at most `longest`; `last` holds the times of the last collisions by body.
    pub(super) fn new(world: &World<D>, contact_time: Option<f64>, last: &[f64], longest: f64) -> Self {
        let places: Vec<D::Vec> = world.grains().map(|body| world.home_place(body)).collect();
        let radius = world.grains().map(|body| world.bodies.shape[body].radius()).fold(0.0, f64::max);
        let mut grid = CellGrid::new(&Extent { places: &places, radius, cell: world.cell.as_ref() });
        let square = world.grains().map(|body| world.bodies.twist[body].v.norm_squared()).sum::<f64>();
        // as fast as after a fall through a cell
        let speed = (square / places.len() as f64 + 2.0 * world.gravity.norm() * grid.pace()).sqrt();
        let horizon = longest.min(CELLS * grid.pace() / speed);
        let faces = faces_of(world);
        grid.find_walls(&faces, radius, horizon);
        let flock = Flock::of(world, &mut grid, last);
        let queue = EventQueue::new(flock.own.len(), BINS * flock.own.len(), horizon);
        let (laws, tally) = (world.setup.laws.clone(), Tally::default());
        FreeFlight { flock, grid, queue, faces, laws, contact_time, tally, deepest: None, horizon }
    }

    /// Flies to the horizon.
    pub(super) fn fly(&mut self) -> Result<Tally, Obstacle> {
        for grain in 0..self.flock.own.len() as u32 {
            self.look::<true>(grain, 0.0);
        }
        if let Some(pair) = self.deepest {
            return Err(Obstacle::Overlap(pair, self.tally.overlap));
        }
        while let Some(due) = self.queue.next() {
            if let ControlFlow::Break(obstacle) = self.happen(due) {
                return Err(obstacle);
            }
        }
        Ok(self.tally)
    }

    /// Writes the grains back as they are at the horizon; returns the times of the last collisions from then, by body.
    pub(super) fn land(&self, world: &mut World<D>) -> Vec<f64> {
        self.flock.land(world, self.horizon)
    }

    fn happen(&mut self, Due { time, grain }: Due) -> ControlFlow<Obstacle> {
        let plan = &self.flock.plans[grain as usize];
        if plan.leaves < self.flock.flyers[grain as usize].due {
            self.cross(grain, time);
            return ControlFlow::Continue(());
        }
        match plan.partner {
            Partner::Face(face) => self.hit_face(grain, face, time),
            Partner::Grain { number, hits } if self.flock.flyers[number as usize].hits == hits => {
                self.hit_grain(grain, number, time)
            }
            _ => {
                self.look::<false>(grain, time); // the partner has met another one
                ControlFlow::Continue(())
            }
        }
    }

    /// A grain enters the next cell.
    fn cross(&mut self, grain: u32, time: f64) {
        let k = grain as usize;
        let Plan { cell, exit: side, partner, .. } = self.flock.plans[k];
        let beyond = self.grid.beyond(cell, side);
        self.flock.enter(&mut self.grid, grain, beyond.cell);
        if beyond.turns != 0 {
            self.flock.flyers[k].x += beyond.shift;
            self.flock.own[k].image[side.axis()] += beyond.turns;
        }
        let known = Candidate { time: self.flock.flyers[k].due, partner };
        self.find::<false>(grain, time, Some(side), known);
    }

    /// Finds the next event of a grain, from all neighbours.
    fn look<const FIRST: bool>(&mut self, grain: u32, time: f64) {
        self.find::<FIRST>(grain, time, None, Candidate { time: f64::INFINITY, partner: Partner::Nobody });
    }

    fn find<const FIRST: bool>(&mut self, grain: u32, now: f64, beside: Option<CellSide>, known: Candidate) {
        let (k, gravity) = (grain as usize, self.flock.gravity);
        let (flyer, flyers, own) = (self.flock.flyers[k], &self.flock.flyers, &self.flock.own);
        let cell = self.flock.plans[k].cell;
        let (flight, mut best) = (flyer.at(now, gravity), known);
        let (mut overlap, mut deepest) = (0.0, None);
        self.grid.around(cell, beside, |grains, shift| {
            let (from, reach, mut first) = (flight, flyer.radius, best);
            for &number in grains {
                let other = &flyers[number as usize];
                let there = other.at(now, gravity);
                let apart = there.x + shift - from.x;
                // the grain itself is among them: it does not approach
                let approach = Approach { apart, velocity: there.v - from.v, reach: reach + other.radius };
                let time = now + approach.time();
                // one that has another collision before will look again by then
                if time < first.time && time <= other.due {
                    first = Candidate { time, partner: Partner::Grain { number, hits: other.hits } };
                }
                if FIRST && number != grain && apart.norm_squared() < approach.reach * approach.reach {
                    let depth = (approach.reach - apart.norm()) / reach.min(other.radius);
                    if depth > overlap {
                        (overlap, deepest) = (depth, Some(own[number as usize].body as usize));
                    }
                }
            }
            best = first;
        });
        if self.grid.is_near_wall[cell as usize] && own[k].inv_m > 0.0 {
            for (number, face) in self.faces.iter().enumerate() {
                let height = face.height(flight.x, now) - flyer.radius;
                let rate = (flight.v - face.velocity).dot(face.normal);
                let time = now + Height { height, rate, accel: gravity.dot(face.normal) }.time();
                if time < best.time {
                    best = Candidate { time, partner: Partner::Face(number as u32) };
                }
                if FIRST && -height > overlap * flyer.radius {
                    (overlap, deepest) = (-height / flyer.radius, Some(face.wall as usize));
                }
            }
        }
        if let Some(other) = deepest {
            self.note_overlap(BodyPair { a: self.flock.own[k].body as usize, b: other }, overlap, flight.x.norm());
        }
        self.set_next(grain, now, flight, best);
    }

    fn note_overlap(&mut self, pair: BodyPair, overlap: f64, far: f64) {
        let rounding = ROUNDING * far / self.flock.flyers[0].radius;
        if overlap > self.tally.overlap {
            self.tally.overlap = overlap;
            if overlap > TOUCHING + rounding {
                self.deepest = Some(pair);
            }
        }
    }

    fn set_next(&mut self, grain: u32, now: f64, flight: FlightState<D>, next: Candidate) {
        let k = grain as usize;
        let plan = &mut self.flock.plans[k];
        let Exit { after, side } = self.grid.exit(plan.cell, &flight);
        let leaves = now + after;
        (plan.partner, plan.leaves, plan.exit) = (next.partner, leaves, side);
        self.flock.flyers[k].due = next.time;
        self.queue.schedule(grain, leaves.min(next.time));
    }

    fn side(&self, grain: u32, v: D::Vec) -> Collider<D> {
        let own = &self.flock.own[grain as usize];
        let radius = self.flock.flyers[grain as usize].radius;
        Collider { inv_m: own.inv_m, inv_i: own.inv_i, v, w: own.w, radius }
    }

    fn hit_grain(&mut self, a: u32, b: u32, time: f64) -> ControlFlow<Obstacle> {
        let gravity = self.flock.gravity;
        let [at_a, at_b] = [a, b].map(|grain| self.flock.flyers[grain as usize].at(time, gravity));
        let apart = at_b.x - at_a.x;
        let apart = apart + self.grid.nearest(apart);
        let distance = apart.norm();
        let [one, other] = [a, b].map(|grain| &self.flock.own[grain as usize]);
        let law = self.laws.between(one.material, other.material);
        let last = one.last.max(other.last);
        let pair = BodyPair { a: one.body as usize, b: other.body as usize };
        let mut encounter =
            Encounter { a: self.side(a, at_a.v), b: self.side(b, at_b.v), normal: apart * (1.0 / distance) };
        let way = encounter.approach() * (time - last);
        let is_elastic = self.contact_time.is_some_and(|contact_time| time - last < contact_time);
        let impact = encounter.collide(if is_elastic { None } else { Some(law) });
        self.tally.collisions += 1;
        self.tally.elastic += u64::from(is_elastic);
        self.tally.lost += impact.lost;
        self.tally.virial += impact.impulse.dot(encounter.normal) * distance;
        let is_short = way <= ROUNDING * (at_a.x.norm() + at_b.x.norm() + distance);
        for (grain, at, side) in [(a, at_a, encounter.a), (b, at_b, encounter.b)] {
            self.flock.deflect(grain, Deflection { x: at.x, v: side.v, w: side.w, time, spins: impact.spins });
            self.flock.own[grain as usize].note_repeat(is_short);
        }
        if self.flock.own[a as usize].repeats.min(self.flock.own[b as usize].repeats) > REPEATS {
            return ControlFlow::Break(Obstacle::Accumulation(pair, time));
        }
        self.look::<false>(a, time);
        self.look::<false>(b, time);
        ControlFlow::Continue(())
    }

    fn hit_face(&mut self, grain: u32, face: u32, time: f64) -> ControlFlow<Obstacle> {
        let (k, face) = (grain as usize, self.faces[face as usize]);
        let at = self.flock.flyers[k].at(time, self.flock.gravity);
        let own = &self.flock.own[k];
        let law = self.laws.between(face.material, own.material);
        let wall = Collider { inv_m: 0.0, inv_i: 0.0, v: face.velocity, w: D::Spin::ZERO, radius: 0.0 };
        let mut encounter = Encounter { a: wall, b: self.side(grain, at.v), normal: face.normal };
        let (way, since) = (encounter.approach() * (time - own.last), time - own.last);
        let is_elastic = self.contact_time.is_some_and(|contact_time| since < contact_time);
        let impact = encounter.collide(if is_elastic { None } else { Some(law) });
        self.tally.collisions += 1;
        self.tally.elastic += u64::from(is_elastic);
        self.tally.lost += impact.lost;
        self.tally.wall_work += impact.impulse.dot(face.velocity);
        let side = encounter.b;
        let pair = BodyPair { a: own.body as usize, b: face.wall as usize };
        self.flock.deflect(grain, Deflection { x: at.x, v: side.v, w: side.w, time, spins: impact.spins });
        self.flock.own[k].note_repeat(way <= ROUNDING * (at.x.norm() + side.radius));
        if self.flock.own[k].repeats > REPEATS {
            return ControlFlow::Break(Obstacle::Accumulation(pair, time));
        }
        self.look::<false>(grain, time);
        ControlFlow::Continue(())
    }
}
