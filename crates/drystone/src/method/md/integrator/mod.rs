//! Integrators: how a step is made of force evaluations. One file and one list line each.
//!
//! Which function executes what:
//!
//! | integrator        | kicks                                            | drift               | forces              |
//! |-------------------|--------------------------------------------------|---------------------|---------------------|
//! | [`Verlet`]        | first [`FillLocalBodies`], then [`FinishStep`]   | with the first half | [`kick_drift_kick`] |
//! | [`SuzukiTrotter`] | as Verlet, five times                            | as Verlet           | [`kick_drift_kick`] |
//! | [`Leapfrog`]      | [`kicked`], in its own `step`                    | [`drift_body`]      | [`evaluate`]        |
//! | [`Gear`]          | none: [`predict_body`], [`correct_body`]         | [`predict_body`]    | [`evaluate`]        |
//!
//! With Verlet, walls are moved by `ForceField::drift_walls` and kicked by `ForceField::accelerate_walls`; clumps are
//! kicked and moved in `ForceField::kick_drift_kick_clumps`.
//!
//! [`FillLocalBodies`]: super::local_bodies::FillLocalBodies
//! [`FinishStep`]: super::motion::FinishStep
//! [`kick_drift_kick`]: super::field::ForceField::kick_drift_kick
//! [`evaluate`]: super::field::ForceField::evaluate
//! [`predict_body`]: crate::method::common::taylor::predict_body
//! [`correct_body`]: crate::method::common::taylor::correct_body

pub(crate) mod gear;
pub(crate) mod leapfrog;
pub(crate) mod suzuki_trotter;
pub(crate) mod verlet;

use gear::Gear;
use leapfrog::Leapfrog;
use suzuki_trotter::SuzukiTrotter;
use verlet::Verlet;

use super::field::ForceField;
use crate::body::{Inertia, Pose, Twist};
use crate::contact::Coincident;
use crate::dim::Dim;
use crate::list::list;
use crate::world::World;

/// How a step is made. An integrator carries [`Integrator::carries`] twists per body from step to step.
pub trait Integrator<D: Dim>: Sync {
    /// Twists that it carries for every body.
    fn carries(&self) -> usize;
    /// Time from the last force evaluation of a step of length `dt` to the first one of the next [s].
    fn until(&self, dt: f64) -> f64 {
        dt
    }
    /// Finds what is carried, at the start of a run.
    fn start(&self, context: &mut StepContext<'_, D>) -> Result<(), Coincident>;
    /// Takes account of a jump of the velocity of a body between two steps.
    fn jump(&self, _carried: &mut [Twist<D>], _body: usize, _jump: D::Vec) {}
    /// Advances the world by a step. Walls move with the velocities that they have.
    fn step(&self, context: &mut StepContext<'_, D>) -> Result<(), Coincident>;
}

list! {
    /// How a step is made.
    pub enum Integrators by name as Integrator {
        /// Velocity Verlet: half a kick, drift, forces, half a kick. Second order.
        "verlet" => Verlet,
        /// Leapfrog as in Wolf's lecture, eq. 7 to 9: velocities are those half-way between the steps. Second order.
        "leapfrog" => Leapfrog,
        /// Gear's predictor and corrector with five derivatives; one force evaluation per step. Needs smooth forces.
        "gear" => Gear,
        /// Suzuki's composition of five Verlet steps, one of them backwards: fourth order for forces without friction.
        "suzuki_trotter" => SuzukiTrotter,
    }
}

/// What an integrator works on during a step.
pub struct StepContext<'w, D: Dim> {
    /// The world.
    pub world: &'w mut World<D>,
    /// Its forces.
    pub field: &'w mut ForceField<D>,
    /// What the integrator carries: all of the first twist, then all of the second ...
    pub carried: &'w mut Vec<Twist<D>>,
    /// Length of the step [s].
    pub dt: f64,
}

/// Moves a body with a twist.
#[inline(always)]
pub fn drift<D: Dim>(pose: &mut Pose<D>, twist: &Twist<D>, dt: f64) {
    pose.x += twist.v * dt;
    pose.q = D::turn_little(pose.q, twist.w, dt);
}

/// Moves a body with a twist; one whose moments of inertia differ keeps its angular momentum, and its spin follows.
#[inline]
pub fn drift_body<D: Dim>(pose: &mut Pose<D>, twist: &mut Twist<D>, inertia: &Inertia<D>, dt: f64) {
    if D::is_isotropic(inertia.inv_i) {
        return drift(pose, twist, dt);
    }
    pose.x += twist.v * dt;
    (pose.q, twist.w) = D::tumble(pose.q, inertia.inv_i, twist.w, dt);
}

/// A kick: twist + rate dt.
#[inline(always)]
pub fn kicked<D: Dim>(twist: &Twist<D>, rate: &Twist<D>, dt: f64) -> Twist<D> {
    Twist { v: twist.v + rate.v * dt, w: twist.w + rate.w * dt }
}
