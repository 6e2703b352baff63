//! A patch: what the force loop needs of the grains of a unit and of those beyond that they touch, side by side.
//!
//! Patches are made anew for every look, a few at a time: they stay in the cache, and no column of all grains is kept for
//! what can be found from the bodies themselves.

use std::marker::PhantomData;
use std::ops::Range;

use super::integrator::along;
use super::scene::Scene;
use super::unit::Unit;
use crate::body::{Bodies, Inertia, Twist};
use crate::dim::{Dim, Vector};
use crate::lane::{InLanes, Lanes, Row};
use crate::method::cd::line::Line;
use crate::shape::Shape;

/// Where a body is and how large: all that a distance test reads, in half a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub struct Place<D: Dim> {
    /// Centre, and the radius at the end.
    row: Row,
    dimension: PhantomData<D>,
}

impl<D: Dim> Place<D> {
    /// The place of a body with this centre and radius [m]; the radius of a wall is zero.
    #[inline(always)]
    pub fn new(x: D::Vec, radius: f64) -> Place<D> {
        let mut row = [0.0, 0.0, 0.0, radius];
        (0..D::DIMENSION).for_each(|axis| row[axis] = x.get(axis));
        Place { row, dimension: PhantomData }
    }

    /// Centre [m].
    #[inline(always)]
    pub fn x(&self) -> D::Vec {
        D::Vec::from_fn(|axis| self.row[axis])
    }

    /// Radius [m]; zero for a wall.
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.row[3]
    }

    /// All as one row.
    #[inline(always)]
    pub fn row(&self) -> &Row {
        &self.row
    }
}

/// What of a body stays, or changes only as it grows, as far as its contacts are concerned.
#[derive(Clone, Copy, Debug)]
pub struct Bulk {
    radius: f64,
    inv_m: f64,
    inv_i: f64,
}

impl Bulk {
    /// All bodies.
    pub fn of<D: Dim>(bodies: &Bodies<D>) -> Vec<Bulk> {
        let bulk = |(shape, inertia): (&Shape, &Inertia<D>)| Bulk {
            radius: shape.radius(),
            inv_m: inertia.inv_m,
            inv_i: inertia.round_inv_i(),
        };
        bodies.shape.iter().zip(&bodies.inertia).map(bulk).collect()
    }
}

/// Columns over the seats of a unit: its own grains, those beyond, and the walls.
#[derive(Clone, Debug, Default)]
pub struct Patch<D: Dim> {
    /// Where the bodies are.
    pub place: Vec<Place<D>>,
    /// How they move.
    pub motion: Vec<Line<D>>,
    /// Forces [N] and torques [N m] on them.
    pub wrench: Vec<Line<D>>,
    /// What they are made of; empty if there is one law for all.
    pub material: Vec<u16>,
    /// Halves of the segments of capsules, and radii about them [m]; empty if all are balls.
    pub cores: Vec<(D::Vec, f64)>,
    /// Pairs that may touch, in the order in which they are worked off.
    pub awake: Vec<u32>,
}

impl<D: Dim> Patch<D> {
    /// Number of the law between two seats.
    #[inline(always)]
    pub fn law(&self, scene: &Scene<D>, pair: [u32; 2]) -> usize {
        match scene.rules.is_one() {
            true => 0,
            false => scene.rules.between(pair.map(|seat| self.material[seat as usize])),
        }
    }

    /// Reduced mass of the bodies on two seats [kg].
    pub fn reduced_mass(&self, pair: [u32; 2]) -> f64 {
        let [a, b] = pair.map(|seat| self.motion[seat as usize].inv_m());
        1.0 / (a + b)
    }

    /// The columns that only some worlds need.
    pub fn fill_rare(&mut self, scene: &Scene<D>, unit: &Unit<D>) {
        let bodies = scene.bodies.len();
        let seated = || unit.bodies().map(|body| scene.images.body(body, bodies) as usize);
        self.material.clear();
        if !scene.rules.is_one() {
            self.material.extend(seated().chain(0..scene.stands.len()).map(|body| scene.bodies.material[body]));
        }
        self.cores.clear();
        if !scene.cores.is_empty() {
            self.cores.extend(seated().map(|body| scene.cores[body]));
        }
    }
}

/// Fills a patch with the bodies as the forces see them.
pub struct Fill<'f, D: Dim> {
    /// The patch.
    pub patch: &'f mut Patch<D>,
    /// The scene.
    pub scene: &'f Scene<'f, D>,
    /// The unit.
    pub unit: &'f Unit<D>,
}

impl<D: Dim> InLanes for Fill<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes>(self, _: S) {
        let Fill { patch, scene, unit } = self;
        let (own, walls) = (unit.grains.len(), scene.wall_motion);
        let seats = own + unit.beyond.len() + walls.len();
        patch.place.resize(seats, Place::default());
        patch.motion.resize(seats, Line::default());
        patch.wrench.clear();
        patch.wrench.resize(seats, Line::default());
        let (places, motions) = (&mut patch.place[..], &mut patch.motion[..]);
        let own = places[..own].iter_mut().zip(&mut motions[..own]);
        let Range { start, end } = unit.grains;
        let (poses, twists) = (&scene.bodies.pose[start..end], &scene.bodies.twist[start..end]);
        let bodies = poses.iter().zip(twists).zip(&scene.bulk[start..end]);
        match scene.leap {
            Some((dt, rates)) => {
                for (((place, motion), ((pose, twist), bulk)), rate) in own.zip(bodies).zip(&rates[start..end]) {
                    (*place, *motion) = seen(pose.x, twist, bulk, Some((dt, rate)));
                }
            }
            None => {
                for ((place, motion), ((pose, twist), bulk)) in own.zip(bodies) {
                    (*place, *motion) = seen(pose.x, twist, bulk, None);
                }
            }
        }
        let beyond = unit.seats_beyond();
        let guests = places[beyond.clone()].iter_mut().zip(&mut motions[beyond.clone()]);
        for (&k, (place, motion)) in unit.beyond.iter().zip(guests) {
            match (k as usize) < scene.bodies.len() {
                true => (*place, *motion) = sight(scene, k as usize),
                false => (*place, *motion) = image(scene, k),
            }
        }
        motions[beyond.end..].copy_from_slice(walls);
    }
}

/// Where a body is and how it moves when the forces act.
#[inline(always)]
fn sight<D: Dim>(scene: &Scene<D>, k: usize) -> (Place<D>, Line<D>) {
    let leap = scene.leap.map(|(dt, rates)| (dt, &rates[k]));
    seen(scene.bodies.pose[k].x, &scene.bodies.twist[k], &scene.bulk[k], leap)
}

/// The same of its parts: half a kick beyond its drift, if it leaps.
#[inline(always)]
fn seen<D: Dim>(x: D::Vec, twist: &Twist<D>, bulk: &Bulk, leap: Option<(f64, &Twist<D>)>) -> (Place<D>, Line<D>) {
    let (mut x, mut twist) = (x, *twist);
    if let Some((dt, rate)) = leap {
        let moving = along(&twist, rate, 0.5 * dt);
        x += moving.v * dt;
        twist = along(&moving, rate, 0.5 * dt);
    }
    (Place::new(x, bulk.radius), Line::of(&twist, bulk.inv_m, bulk.inv_i))
}

/// The same for an image.
#[inline(never)]
fn image<D: Dim>(scene: &Scene<D>, k: u32) -> (Place<D>, Line<D>) {
    let bodies = scene.bodies.len();
    let owner = scene.images.body(k, bodies) as usize;
    let (place, mut line) = sight(scene, owner);
    let Twist { v, w } = line.twist();
    line.set_twist(&Twist { v: v + scene.images.jump(k, bodies), w });
    (Place::new(place.x() + scene.images.shift(k, bodies), place.radius()), line)
}
