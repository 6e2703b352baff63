//! The loops over all grains of a step: before the forces are known, and after. They run in wide registers as they are.

use super::integrator::{along, drift};
use super::scene::Place;
use crate::body::{Pose, Twist};
use crate::dim::{Dim, Vector};
use crate::lane::{InLanes, Lanes};
use crate::method::cd::line::Line;

/// Greatest speeds of grains; infinite if one is not a number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Speeds {
    /// Square of that of centres and surfaces [m2/s2].
    speed: f64,
    /// Square of the speed of a centre over its radius [1/s2].
    pace: f64,
}

impl Speeds {
    /// Speed of centres and surfaces [m/s].
    pub fn speed(&self) -> f64 {
        self.speed.sqrt()
    }

    /// Speed of a centre over its radius [1/s].
    pub fn pace(&self) -> f64 {
        self.pace.sqrt()
    }

    /// Takes a grain with this motion and radius [m] into account.
    #[inline(always)]
    pub fn note<D: Dim>(&mut self, twist: &Twist<D>, radius: f64) {
        let (centre, square) = (twist.v.norm_squared(), radius * radius);
        let centre = if centre.is_nan() { f64::INFINITY } else { centre };
        self.speed = self.speed.max(centre).max(twist.w.norm_squared() * square);
        self.pace = self.pace.max(centre / square);
    }

    /// The greater ones of both.
    pub fn and(self, other: Speeds) -> Speeds {
        Speeds { speed: self.speed.max(other.speed), pace: self.pace.max(other.pace) }
    }
}

/// Moves grains as they move after half a kick, and lets the forces see how they move half a kick further. Gives the
/// square of the greatest speed [m2/s2].
pub struct Drift<'g, D: Dim> {
    /// Where the grains are.
    pub poses: &'g mut [Pose<D>],
    /// How they move.
    pub twists: &'g [Twist<D>],
    /// Their accelerations.
    pub rates: &'g [Twist<D>],
    /// Where the forces see them.
    pub places: &'g mut [Place<D>],
    /// How the forces see them move.
    pub motions: &'g mut [Line<D>],
    /// Time [s].
    pub dt: f64,
}

impl<D: Dim> InLanes for Drift<'_, D> {
    type Output = f64;
    #[inline(always)]
    fn run<S: Lanes>(self, _: S) -> f64 {
        let Drift { poses, twists, rates, places, motions, dt } = self;
        let mut fastest = 0.0_f64;
        let bodies = poses.iter_mut().zip(twists).zip(rates);
        for (((pose, twist), rate), (place, motion)) in bodies.zip(places.iter_mut().zip(motions)) {
            let moving = along(twist, rate, 0.5 * dt);
            drift(pose, &moving, dt);
            motion.set_twist(&along(&moving, rate, 0.5 * dt));
            place.set_x(pose.x);
            fastest = fastest.max(moving.v.norm_squared());
        }
        fastest
    }
}

/// v += a kick with the accelerations before, and how grains moved is remembered.
pub struct FirstKick<'g, D: Dim> {
    /// How the grains move.
    pub twists: &'g mut [Twist<D>],
    /// Their accelerations.
    pub accels: &'g [Twist<D>],
    /// How they moved.
    pub before: &'g mut [Twist<D>],
    /// Time [s].
    pub kick: f64,
}

impl<D: Dim> InLanes for FirstKick<'_, D> {
    type Output = ();
    #[inline(always)]
    fn run<S: Lanes>(self, _: S) {
        for ((twist, accel), before) in self.twists.iter_mut().zip(self.accels).zip(self.before) {
            *before = *twist;
            *twist = along(twist, accel, self.kick);
        }
    }
}

/// a = g + f / m, and the angular one t / I; v += a kick, if there is a kick. Gives the greatest speeds then.
pub struct LastKick<'g, D: Dim> {
    /// How the grains move.
    pub twists: &'g mut [Twist<D>],
    /// Forces and torques on them, then their accelerations.
    pub accels: &'g mut [Twist<D>],
    /// One over their masses and moments of inertia.
    pub motions: &'g [Line<D>],
    /// Their radii.
    pub places: &'g [Place<D>],
    /// Gravity [m/s2].
    pub gravity: D::Vec,
    /// Time [s].
    pub kick: Option<f64>,
}

impl<D: Dim> InLanes for LastKick<'_, D> {
    type Output = Speeds;
    #[inline(always)]
    fn run<S: Lanes>(self, _: S) -> Speeds {
        let mut speeds = Speeds::default();
        let bodies = self.motions.iter().zip(self.places);
        for ((accel, (line, place)), twist) in self.accels.iter_mut().zip(bodies).zip(self.twists) {
            *accel = match line.inv_m() > 0.0 {
                true => Twist { v: self.gravity + accel.v * line.inv_m(), w: accel.w * line.inv_i() },
                false => Twist::default(),
            };
            if let Some(kick) = self.kick {
                *twist = along(twist, accel, kick);
                speeds.note(twist, place.radius());
            }
        }
        speeds
    }
}
