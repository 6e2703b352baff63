//! The grains during a step: each with its own time, at which its position and velocity hold.
//!
//! They are numbered by the cells of the grid, so that neighbours lie near each other in memory.

use super::grid::{CellGrid, CellSide, FlightState};
use crate::body::Bodies;
use crate::dim::{Dim, Vector};
use crate::world::World;

/// What other grains look at. A disk fills one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Flyer<D: Dim> {
    /// Position of the image in the cell at `since` [m].
    pub x: D::Vec,
    /// Velocity at `since` [m/s].
    pub v: D::Vec,
    /// Since when it flies freely [s].
    pub since: f64,
    /// Radius [m].
    pub radius: f64,
    /// Time of the next collision that is known of [s].
    pub due: f64,
    /// Collisions it has had since the start.
    pub hits: u32,
}

/// With whom the next collision is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Partner {
    /// With nobody: the grain looks for partners again.
    Nobody,
    /// With a grain, if that has had no other collision than these.
    Grain {
        /// Its number.
        number: u32,
        /// Collisions it has had.
        hits: u32,
    },
    /// With a face of a wall.
    Face(u32),
}

/// What a grain does next, and where it is in the grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// When it leaves its cell [s].
    pub leaves: f64,
    /// Partner of the next collision.
    pub partner: Partner,
    /// Cell of the grid.
    pub cell: u32,
    /// Through which side it leaves.
    pub exit: CellSide,
}

/// What only a collision of the grain needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own<D: Dim> {
    /// The body.
    pub body: u32,
    /// Its material.
    pub material: u16,
    /// Inverse mass [1/kg].
    pub inv_m: f64,
    /// Inverse moment of inertia [1/(kg m2)].
    pub inv_i: f64,
    /// Angular velocity [rad/s].
    pub w: D::Spin,
    /// Orientation at `turned`.
    pub q: D::Rot,
    /// When the orientation was found [s].
    pub turned: f64,
    /// Lengths of the periodic cell from the grain itself to its image in the cell.
    pub image: [i32; 3],
    /// Time of its last collision [s]: before the start, or minus infinity.
    pub last: f64,
    /// Collisions in a row that followed each other within rounding.
    pub repeats: u32,
}

/// The grains.
pub(super) struct Flock<D: Dim> {
    /// Acceleration of all that can move [m/s2].
    pub gravity: D::Vec,
    /// What others look at.
    pub flyers: Vec<Flyer<D>>,
    /// What they do next.
    pub plans: Vec<Plan>,
    /// What only collisions need.
    pub own: Vec<Own<D>>,
}

impl<D: Dim> Flyer<D> {
    /// Where it is at a time.
    #[inline(always)]
    pub(super) fn at(&self, time: f64, gravity: D::Vec) -> FlightState<D> {
        let t = time - self.since;
        FlightState { x: self.x + self.v * t + gravity * (0.5 * t * t), v: self.v + gravity * t, gravity }
    }
}

impl<D: Dim> Flock<D> {
    /// The grains of a world at the start, with the times of their last collisions by body, or none.
    pub(super) fn of(world: &World<D>, grid: &mut CellGrid<D>, last: &[f64]) -> Flock<D> {
        let bodies = &world.bodies;
        let mut order: Vec<u64> = Vec::with_capacity(world.grains().len());
        for body in world.grains() {
            order.push(u64::from(grid.cell_of(world.home_place(body))) << 32 | body as u64);
        }
        order.sort_unstable();
        let (mut flyers, mut own) = (Vec::with_capacity(order.len()), Vec::with_capacity(order.len()));
        let mut plans = Vec::with_capacity(order.len());
        for entry in order {
            let (cell, body) = ((entry >> 32) as u32, (entry & u64::from(u32::MAX)) as usize);
            grid.add(flyers.len() as u32, cell);
            flyers.push(Flyer {
                x: world.home_place(body),
                v: bodies.twist[body].v,
                since: 0.0,
                radius: bodies.shape[body].radius(),
                due: f64::INFINITY,
                hits: 0,
            });
            plans.push(Plan { leaves: f64::INFINITY, partner: Partner::Nobody, cell, exit: CellSide::default() });
            own.push(Own {
                body: body as u32,
                material: bodies.material[body],
                inv_m: bodies.inertia[body].inv_m,
                inv_i: bodies.inertia[body].round_inv_i(),
                w: bodies.twist[body].w,
                q: bodies.pose[body].q,
                turned: 0.0,
                image: world.home(body),
                last: last.get(body).copied().unwrap_or(f64::NEG_INFINITY),
                repeats: 0,
            });
        }
        Flock { gravity: world.gravity, flyers, plans, own }
    }

    /// Writes them back as they are at `end`, and returns the times of their last collisions from then, by body.
    pub(super) fn land(&self, world: &mut World<D>, end: f64) -> Vec<f64> {
        let mut last = vec![f64::NEG_INFINITY; world.bodies.len()];
        for (flyer, own) in self.flyers.iter().zip(&self.own) {
            let (body, flight) = (own.body as usize, flyer.at(end, self.gravity));
            let shift = world.cell.as_ref().map_or(D::Vec::ZERO, |cell| cell.shift(own.image));
            let Bodies { pose, twist, .. } = &mut world.state.bodies;
            pose[body].x = flight.x - shift;
            pose[body].q = own.orientation(end);
            (twist[body].v, twist[body].w) = (flight.v, own.w);
            last[body] = own.last - end;
        }
        last
    }

    /// Changes the motion of a grain.
    pub(super) fn deflect(&mut self, grain: u32, to: Deflection<D>) {
        let Deflection { x, v, w, time, spins } = to;
        let (flyer, own) = (&mut self.flyers[grain as usize], &mut self.own[grain as usize]);
        (flyer.x, flyer.v, flyer.since) = (x, v, time);
        if spins {
            (own.q, own.turned) = (own.orientation(time), time);
            own.w = w;
        }
        own.last = time;
        flyer.hits += 1;
    }

    /// Moves a grain from its cell to another.
    pub(super) fn enter(&mut self, grid: &mut CellGrid<D>, grain: u32, cell: u32) {
        let old = std::mem::replace(&mut self.plans[grain as usize].cell, cell);
        grid.take(grain, old);
        grid.add(grain, cell);
    }
}

/// How a grain flies on after a collision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deflection<D: Dim> {
    /// Where it is [m].
    pub x: D::Vec,
    /// Its new velocity [m/s].
    pub v: D::Vec,
    /// Its new angular velocity [rad/s].
    pub w: D::Spin,
    /// When [s].
    pub time: f64,
    /// Whether its angular velocity changes.
    pub spins: bool,
}

impl<D: Dim> Own<D> {
    /// Counts a collision after hardly any way since the last one; any other sets the count to zero.
    pub(super) fn note_repeat(&mut self, is_short: bool) {
        self.repeats = if is_short { self.repeats + 1 } else { 0 };
    }

    /// Orientation at a time: the angular velocity has not changed since `turned`.
    pub(super) fn orientation(&self, time: f64) -> D::Rot {
        if self.w == D::Spin::ZERO { self.q } else { D::turn(self.q, self.w, time - self.turned) }
    }
}
