//! Local copies: what the force loop needs of the grains of a block, of its ghosts and of the walls, side by side.
//!
//! They are refilled for every force evaluation, a few blocks at a time, so that they stay in the cache; no column over
//! all grains is kept for what can be computed from the bodies themselves.
//!
//! With velocity Verlet the copy holds the bodies after the first half kick and the drift: see `predict`.

use std::marker::PhantomData;
use std::ops::Range;

use super::beads::Core;
use super::block::GrainBlock;
use super::force_input::{Drift, ForceInput};
use super::integrator::kicked;
use crate::body::{Bodies, Inertia, Twist};
use crate::dim::{Dim, Vector};
use crate::lane::MapInlined;
use crate::lane::{InLanes, Lanes, Row};
use crate::method::common::solver_body::SolverBody;
use crate::shape::Shape;

/// Centre and radius of a body: all that a distance test reads, in half a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Sphere<D: Dim> {
    /// Centre, and the radius at the end.
    row: Row,
    dimension: PhantomData<D>,
}

impl<D: Dim> Sphere<D> {
    /// The sphere of a body with this centre and radius [m]; the radius of a wall is zero.
    #[inline(always)]
    pub(crate) fn new(x: D::Vec, radius: f64) -> Sphere<D> {
        let mut row = [0.0, 0.0, 0.0, radius];
        (0..D::DIMENSION).for_each(|axis| row[axis] = x.get(axis));
        Sphere { row, dimension: PhantomData }
    }

    /// Centre [m].
    #[inline(always)]
    pub(crate) fn x(&self) -> D::Vec {
        D::Vec::from_fn(|axis| self.row[axis])
    }

    /// Radius [m]; zero for a wall.
    #[inline(always)]
    pub(crate) fn radius(&self) -> f64 {
        self.row[3]
    }

    /// All as one row.
    #[inline(always)]
    pub(crate) fn row(&self) -> &Row {
        &self.row
    }
}

/// Radius and inverse inertia of a body: constant unless it grows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundBody {
    radius: f64,
    inv_m: f64,
    inv_i: f64,
}

impl RoundBody {
    /// All bodies.
    pub(crate) fn of<D: Dim>(bodies: &Bodies<D>) -> Vec<RoundBody> {
        let round = |(shape, inertia): (&Shape, &Inertia<D>)| RoundBody {
            radius: shape.radius(),
            inv_m: inertia.inv_m,
            inv_i: inertia.round_inv_i(),
        };
        bodies.shape.iter().zip(&bodies.inertia).map(round).collect()
    }
}

/// Columns over the local indices of a block: its own grains, its ghosts, and the walls.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocalBodies<D: Dim> {
    /// Centres and radii.
    pub sphere: Vec<Sphere<D>>,
    /// Velocities and inverse inertia.
    pub motion: Vec<SolverBody<D>>,
    /// Forces [N] and torques [N m] on them.
    pub wrench: Vec<SolverBody<D>>,
    /// Materials; empty if there is one law for all.
    pub material: Vec<u16>,
    /// Cores of capsules; empty if all are balls.
    pub cores: Vec<Core<D>>,
    /// Indices of the pairs that may touch, in the order in which they are processed.
    pub awake: Vec<u32>,
}

impl<D: Dim> LocalBodies<D> {
    /// Number of the law between two bodies, by local indices.
    #[inline(always)]
    pub(crate) fn law(&self, input: &ForceInput<D>, pair: [u32; 2]) -> usize {
        match input.law_table.has_one_law() {
            true => 0,
            false => input.law_table.between(pair.map_inlined(|body| self.material[body as usize])),
        }
    }

    /// Reduced mass of two bodies, by local indices [kg].
    pub(crate) fn reduced_mass(&self, pair: [u32; 2]) -> f64 {
        let [a, b] = pair.map_inlined(|body| self.motion[body as usize].inv_m());
        1.0 / (a + b)
    }

    /// Fills the columns that only some worlds need.
    pub(crate) fn fill_rare(&mut self, input: &ForceInput<D>, block: &GrainBlock<D>) {
        let bodies = input.bodies.len();
        let owners = || block.bodies().map(|body| input.images.body(body, bodies) as usize);
        self.material.clear();
        if !input.law_table.has_one_law() {
            self.material.extend(owners().chain(0..input.stands.len()).map(|body| input.bodies.material[body]));
        }
        self.cores.clear();
        if !input.cores.is_empty() {
            self.cores.extend(owners().map(|body| input.cores[body]));
        }
    }
}

/// Fills the local copy with the bodies at the time at which the forces act: unchanged, or after the first half kick
/// and the drift of velocity Verlet.
pub(crate) struct FillLocalBodies<'f, D: Dim> {
    /// The local copy.
    pub local: &'f mut LocalBodies<D>,
    /// The input.
    pub input: &'f ForceInput<'f, D>,
    /// The block.
    pub block: &'f GrainBlock<D>,
}

impl<D: Dim> InLanes for FillLocalBodies<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes>(self, _: S) {
        let FillLocalBodies { local, input, block } = self;
        let (own, walls) = (block.grains.len(), input.wall_motion);
        let count = own + block.ghosts.len() + walls.len();
        local.sphere.resize(count, Sphere::default());
        local.motion.resize(count, SolverBody::default());
        local.wrench.clear();
        local.wrench.resize(count, SolverBody::default());
        let (spheres, motions) = (&mut local.sphere[..], &mut local.motion[..]);
        let own = spheres[..own].iter_mut().zip(&mut motions[..own]);
        let Range { start, end } = block.grains;
        let (poses, twists) = (&input.bodies.pose[start..end], &input.bodies.twist[start..end]);
        let bodies = poses.iter().zip(twists).zip(&input.round[start..end]);
        match input.drift {
            Some(Drift { dt, accel }) => {
                for (((sphere, motion), ((pose, twist), round)), rate) in own.zip(bodies).zip(&accel[start..end]) {
                    (*sphere, *motion) = predict(pose.x, twist, round, Some((dt, rate)));
                }
            }
            None => {
                for ((sphere, motion), ((pose, twist), round)) in own.zip(bodies) {
                    (*sphere, *motion) = predict(pose.x, twist, round, None);
                }
            }
        }
        let range = block.ghost_range();
        let ghosts = spheres[range.clone()].iter_mut().zip(&mut motions[range.clone()]);
        for (&k, (sphere, motion)) in block.ghosts.iter().zip(ghosts) {
            match (k as usize) < input.bodies.len() {
                true => (*sphere, *motion) = predicted_body(input, k as usize),
                false => (*sphere, *motion) = image(input, k),
            }
        }
        motions[range.end..].copy_from_slice(walls);
    }
}

/// Centre, radius and motion of a body when the forces act.
#[inline(always)]
fn predicted_body<D: Dim>(input: &ForceInput<D>, k: usize) -> (Sphere<D>, SolverBody<D>) {
    let drift = input.drift.map(|Drift { dt, accel }| (dt, &accel[k]));
    predict(input.bodies.pose[k].x, &input.bodies.twist[k], &input.round[k], drift)
}

/// First half kick and drift of velocity Verlet, v += a dt/2, x += v dt, and the velocity predicted for the end of the
/// step, v + a dt/2 with the old a, for forces that depend on velocities. Without `drift`, the time and acceleration of
/// that, the body is unchanged.
#[inline(always)]
fn predict<D: Dim>(
    x: D::Vec,
    twist: &Twist<D>,
    round: &RoundBody,
    drift: Option<(f64, &Twist<D>)>,
) -> (Sphere<D>, SolverBody<D>) {
    let (mut x, mut twist) = (x, *twist);
    if let Some((dt, rate)) = drift {
        let moving = kicked(&twist, rate, 0.5 * dt);
        x += moving.v * dt;
        twist = kicked(&moving, rate, 0.5 * dt);
    }
    (Sphere::new(x, round.radius), SolverBody::of(&twist, round.inv_m, round.inv_i))
}

/// As [`predicted_body`], for a periodic image.
#[inline(never)]
fn image<D: Dim>(input: &ForceInput<D>, k: u32) -> (Sphere<D>, SolverBody<D>) {
    let bodies = input.bodies.len();
    let owner = input.images.body(k, bodies) as usize;
    let (sphere, mut line) = predicted_body(input, owner);
    let Twist { v, w } = line.twist();
    line.set_twist(&Twist { v: v + input.images.image_velocity(k, bodies), w });
    (Sphere::new(sphere.x() + input.images.shift(k, bodies), sphere.radius()), line)
}
