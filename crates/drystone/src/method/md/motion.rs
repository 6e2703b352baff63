//! The loops over the grains of a unit once the forces on them are known. They run in wide registers as they are.

use super::integrator::along;
use super::patch::Patch;
use crate::body::{Pose, Twist};
use crate::dim::{Dim, Vector};
use crate::lane::{InLanes, LANES, Lanes};
use crate::method::cd::line::Line;

/// Greatest speeds of grains; infinite if one is not a number.
#[derive(Clone, Copy, Debug)]
pub struct Speeds {
    /// Square of that of centres and surfaces [m2/s2].
    speed: f64,
    /// The grain whose centre is fastest for its size: squares of its speed [m2/s2] and of its radius [m2].
    swiftest: (f64, f64),
    /// Square of the speed of a centre [m2/s2].
    centre: f64,
    /// Square of the acceleration of a centre [m2/s4].
    urge: f64,
    /// Square of the speed of a centre in the leap before [m2/s2].
    leapt: f64,
}

impl Default for Speeds {
    /// Nothing moves.
    fn default() -> Speeds {
        Speeds { speed: 0.0, swiftest: (0.0, 1.0), centre: 0.0, urge: 0.0, leapt: 0.0 }
    }
}

impl Speeds {
    /// Speed of centres and surfaces [m/s].
    pub fn speed(&self) -> f64 {
        self.speed.sqrt()
    }

    /// Speed of a centre over its radius [1/s].
    pub fn pace(&self) -> f64 {
        let (centre, square) = self.swiftest;
        (centre / square).sqrt()
    }

    /// How fast a centre moves at most when it leaps over `dt` [m/s].
    pub fn ahead(&self, dt: f64) -> f64 {
        self.centre.sqrt() + self.urge.sqrt() * (0.5 * dt.abs())
    }

    /// How fast a centre moved when it leapt [m/s].
    pub fn leapt(&self) -> f64 {
        self.leapt.sqrt()
    }

    /// Takes a grain with this motion, acceleration and radius [m] into account.
    #[inline(always)]
    pub fn note<D: Dim>(&mut self, twist: &Twist<D>, rate: &Twist<D>, radius: f64) {
        let (centre, square) = (twist.v.norm_squared(), radius * radius);
        let centre = if centre.is_nan() { f64::INFINITY } else { centre };
        self.centre = greater(self.centre, centre);
        self.urge = greater(self.urge, rate.v.norm_squared());
        self.speed = greater(self.speed, greater(twist.w.norm_squared() * square, centre));
        self.swiftest = swifter(self.swiftest, (centre, square));
    }

    /// The greater ones of both.
    pub fn and(self, other: Speeds) -> Speeds {
        Speeds {
            speed: self.speed.max(other.speed),
            swiftest: swifter(self.swiftest, other.swiftest),
            centre: self.centre.max(other.centre),
            urge: self.urge.max(other.urge),
            leapt: self.leapt.max(other.leapt),
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
fn swifter(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let is_b = b.0 * a.1 > a.0 * b.1;
    (if is_b { b.0 } else { a.0 }, if is_b { b.1 } else { a.1 })
}

/// a = g + f / m, and the angular one t / I; nothing moves what is immovable.
#[inline(always)]
fn acceleration<D: Dim>(wrench: &Line<D>, line: &Line<D>, gravity: D::Vec) -> Twist<D> {
    let Twist { v, w } = wrench.twist();
    match line.inv_m() > 0.0 {
        true => Twist { v: gravity + v * line.inv_m(), w: w * line.inv_i() },
        false => Twist::default(),
    }
}

/// Finds the accelerations of grains.
pub struct Rest<'g, D: Dim> {
    /// Their accelerations.
    pub accels: &'g mut [Twist<D>],
    /// Their patch, with all forces on them.
    pub patch: &'g Patch<D>,
    /// Gravity [m/s2].
    pub gravity: D::Vec,
}

impl<D: Dim> InLanes for Rest<'_, D> {
    type Output = ();
    #[inline(always)]
    fn run<S: Lanes>(self, _: S) {
        let known = self.patch.wrench.iter().zip(&self.patch.motion);
        for (accel, (wrench, line)) in self.accels.iter_mut().zip(known) {
            *accel = acceleration(wrench, line, self.gravity);
        }
    }
}

/// Moves grains where the forces saw them, with half a kick by the accelerations before and half a kick by those that the
/// forces give them. Gives the greatest speeds then.
pub struct Landing<'g, D: Dim> {
    /// Where the grains are.
    pub poses: &'g mut [Pose<D>],
    /// How they move.
    pub twists: &'g [Twist<D>],
    /// How they move then.
    pub after: &'g mut [Twist<D>],
    /// Their accelerations.
    pub accels: &'g mut [Twist<D>],
    /// Their patch, with all forces on them.
    pub patch: &'g Patch<D>,
    /// Gravity [m/s2].
    pub gravity: D::Vec,
    /// Time [s].
    pub dt: f64,
}

impl<D: Dim> InLanes for Landing<'_, D> {
    type Output = Speeds;
    #[inline(always)]
    fn run<S: Lanes>(mut self, lanes: S) -> Speeds {
        self.turn(lanes);
        let Landing { poses, twists, after, accels, patch, gravity, dt } = self;
        let (mut speeds, kick) = (Speeds::default(), 0.5 * dt);
        let known = patch.wrench.iter().zip(&patch.motion).zip(&patch.place);
        let grains = poses.iter_mut().zip(twists).zip(after).zip(accels);
        for ((((pose, twist), after), accel), ((wrench, line), place)) in grains.zip(known) {
            let halfway = along(twist, accel, kick);
            pose.x = place.x();
            *accel = acceleration(wrench, line, gravity);
            *after = along(&halfway, accel, kick);
            speeds.note(after, accel, place.radius());
            speeds.leapt = greater(speeds.leapt, halfway.v.norm_squared());
        }
        speeds
    }
}

impl<D: Dim> Landing<'_, D> {
    /// Turns the grains, four at a time.
    #[inline(always)]
    fn turn<S: Lanes>(&mut self, lanes: S) {
        let spin = |twist: &Twist<D>, accel: &Twist<D>| twist.w + accel.w * (0.5 * self.dt);
        let (fours, others) = self.poses.as_chunks_mut::<LANES>();
        let ((twists, last_twists), (accels, last_accels)) =
            (self.twists.as_chunks::<LANES>(), self.accels.as_chunks::<LANES>());
        for ((four, twists), accels) in fours.iter_mut().zip(twists).zip(accels) {
            let spins = std::array::from_fn(|lane| spin(&twists[lane], &accels[lane]));
            let turned = D::turn_four(lanes, four.each_ref().map(|pose| pose.q), spins, self.dt);
            four.iter_mut().zip(turned).for_each(|(pose, q)| pose.q = q);
        }
        for ((pose, twist), accel) in others.iter_mut().zip(last_twists).zip(last_accels) {
            pose.q = D::turn_little(pose.q, spin(twist, accel), self.dt);
        }
    }
}
