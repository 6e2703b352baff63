//! The loops over the grains of a block once the forces on them are known. The compiler vectorises them.

use super::integrator::kicked;
use super::local_bodies::LocalBodies;
use crate::body::{Pose, Twist};
use crate::dim::{Dim, Vector};
use crate::lane::{EACH, InLanes, LANES, Lanes, MapInlined};
use crate::method::common::solver_body::SolverBody;

/// Speed of a centre over the radius, as two squares.
#[derive(Clone, Copy, Debug)]
struct SpeedForSize {
    /// Square of the speed [m2/s2].
    centre: f64,
    /// Square of the radius [m2].
    size: f64,
}

/// Greatest speeds of grains; infinite if one is not a number.
#[derive(Clone, Copy, Debug)]
pub struct GreatestSpeeds {
    /// Square of that of centres and surfaces [m2/s2].
    speed: f64,
    /// The grain whose centre is fastest for its size.
    swiftest: SpeedForSize,
    /// Square of the speed of a centre [m2/s2].
    centre: f64,
    /// Square of the acceleration of a centre [m2/s4].
    urge: f64,
    /// Square of the speed of a centre during the last drift [m2/s2].
    drifted: f64,
}

impl Default for GreatestSpeeds {
    /// All grains at rest.
    fn default() -> GreatestSpeeds {
        GreatestSpeeds {
            speed: 0.0,
            swiftest: SpeedForSize { centre: 0.0, size: 1.0 },
            centre: 0.0,
            urge: 0.0,
            drifted: 0.0,
        }
    }
}

impl GreatestSpeeds {
    /// Speed of centres and surfaces [m/s].
    pub fn speed(&self) -> f64 {
        self.speed.sqrt()
    }

    /// Speed of a centre over its radius [1/s].
    pub fn pace(&self) -> f64 {
        let SpeedForSize { centre, size } = self.swiftest;
        (centre / size).sqrt()
    }

    /// Upper bound of the speed of a centre during a drift over `dt` [m/s].
    pub fn ahead(&self, dt: f64) -> f64 {
        self.centre.sqrt() + self.urge.sqrt() * (0.5 * dt.abs())
    }

    /// Greatest speed of a centre during the last drift [m/s].
    pub fn drifted(&self) -> f64 {
        self.drifted.sqrt()
    }

    /// Takes a grain with this motion, acceleration and radius [m] into account.
    #[inline(always)]
    pub fn note<D: Dim>(&mut self, twist: &Twist<D>, rate: &Twist<D>, radius: f64) {
        let (centre, size) = (twist.v.norm_squared(), radius * radius);
        let centre = if centre.is_nan() { f64::INFINITY } else { centre };
        self.centre = greater(self.centre, centre);
        self.urge = greater(self.urge, rate.v.norm_squared());
        self.speed = greater(self.speed, greater(twist.w.norm_squared() * size, centre));
        self.swiftest = swifter(self.swiftest, SpeedForSize { centre, size });
    }

    /// The greater of both, speed by speed.
    pub fn and(self, other: GreatestSpeeds) -> GreatestSpeeds {
        GreatestSpeeds {
            speed: self.speed.max(other.speed),
            swiftest: swifter(self.swiftest, other.swiftest),
            centre: self.centre.max(other.centre),
            urge: self.urge.max(other.urge),
            drifted: self.drifted.max(other.drifted),
        }
    }
}

/// The greater one; the first if the second is not a number. One instruction, where `f64::max` takes three.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The greater quotient, without dividing.
#[inline(always)]
fn swifter(a: SpeedForSize, b: SpeedForSize) -> SpeedForSize {
    let is_b = b.centre * a.size > a.centre * b.size;
    SpeedForSize { centre: if is_b { b.centre } else { a.centre }, size: if is_b { b.size } else { a.size } }
}

/// a = g + f / m, and the angular one t / I; immovable bodies have none.
#[inline(always)]
fn acceleration<D: Dim>(wrench: &SolverBody<D>, line: &SolverBody<D>, gravity: D::Vec) -> Twist<D> {
    let Twist { v, w } = wrench.twist();
    match line.inv_m() > 0.0 {
        true => Twist { v: gravity + v * line.inv_m(), w: w * line.inv_i() },
        false => Twist::default(),
    }
}

/// Finds the accelerations of grains.
pub(crate) struct FindAccelerations<'g, D: Dim> {
    /// Their accelerations.
    pub accels: &'g mut [Twist<D>],
    /// Their local copy, with all forces on them.
    pub local: &'g LocalBodies<D>,
    /// Gravity [m/s2].
    pub gravity: D::Vec,
}

impl<D: Dim> InLanes for FindAccelerations<'_, D> {
    type Output = ();
    #[inline(always)]
    fn run<S: Lanes>(self, _: S) {
        let known = self.local.wrench.iter().zip(&self.local.motion);
        for (accel, (wrench, line)) in self.accels.iter_mut().zip(known) {
            *accel = acceleration(wrench, line, self.gravity);
        }
    }
}

/// The end of a Verlet step: moves grains to where the forces acted, and kicks their velocities by half with the old
/// accelerations and by half with the new ones. Returns the greatest speeds afterwards.
///
/// The first half kick is repeated here because [`FillLocalBodies`](super::local_bodies::FillLocalBodies) did it in a
/// local copy only.
pub(crate) struct FinishStep<'g, D: Dim> {
    /// Poses of the grains.
    pub poses: &'g mut [Pose<D>],
    /// Their velocities before the step.
    pub twists: &'g [Twist<D>],
    /// Their velocities after the step.
    pub after: &'g mut [Twist<D>],
    /// Their accelerations.
    pub accels: &'g mut [Twist<D>],
    /// Their local copy, with all forces on them.
    pub local: &'g LocalBodies<D>,
    /// Gravity [m/s2].
    pub gravity: D::Vec,
    /// Time [s].
    pub dt: f64,
}

impl<D: Dim> InLanes for FinishStep<'_, D> {
    type Output = GreatestSpeeds;
    #[inline(always)]
    fn run<S: Lanes>(mut self, lanes: S) -> GreatestSpeeds {
        self.turn(lanes);
        let FinishStep { poses, twists, after, accels, local, gravity, dt } = self;
        let (mut speeds, kick) = (GreatestSpeeds::default(), 0.5 * dt);
        let known = local.wrench.iter().zip(&local.motion).zip(&local.sphere);
        let grains = poses.iter_mut().zip(twists).zip(after).zip(accels);
        for ((((pose, twist), after), accel), ((wrench, line), sphere)) in grains.zip(known) {
            let halfway = kicked(twist, accel, kick);
            pose.x = sphere.x();
            *accel = acceleration(wrench, line, gravity);
            *after = kicked(&halfway, accel, kick);
            speeds.note(after, accel, sphere.radius());
            speeds.drifted = greater(speeds.drifted, halfway.v.norm_squared());
        }
        speeds
    }
}

impl<D: Dim> FinishStep<'_, D> {
    /// Turns the grains, four at a time.
    #[inline(always)]
    fn turn<S: Lanes>(&mut self, lanes: S) {
        let spin = |twist: &Twist<D>, accel: &Twist<D>| twist.w + accel.w * (0.5 * self.dt);
        let (fours, others) = self.poses.as_chunks_mut::<LANES>();
        let ((twists, last_twists), (accels, last_accels)) =
            (self.twists.as_chunks::<LANES>(), self.accels.as_chunks::<LANES>());
        for ((four, twists), accels) in fours.iter_mut().zip(twists).zip(accels) {
            let spins = EACH.map_inlined(|lane| spin(&twists[lane], &accels[lane]));
            let turned = D::turn_four(lanes, EACH.map_inlined(|lane| four[lane].q), spins, self.dt);
            four.iter_mut().zip(turned).for_each(|(pose, q)| pose.q = q);
        }
        for ((pose, twist), accel) in others.iter_mut().zip(last_twists).zip(last_accels) {
            pose.q = D::turn_little(pose.q, spin(twist, accel), self.dt);
        }
    }
}
