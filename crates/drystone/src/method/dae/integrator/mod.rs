//! Integrators: how a step is made of evaluations of the accelerations. One file and one list line each.

pub(crate) mod gear;
pub(crate) mod rk4;

pub(crate) use gear::DaeGear;
pub(crate) use rk4::Rk4;

use super::field::DaeField;
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::Dim;
use crate::list::list;
use crate::world::World;

/// The world, field and times of a step.
pub struct DaeStepContext<'w, D: Dim> {
    /// The world.
    pub world: &'w mut World<D>,
    /// Its accelerations.
    pub field: &'w mut DaeField<D>,
    /// Derivatives that the integrator carries: the first one of all bodies, then the second one ...
    pub carried: &'w mut Vec<Twist<D>>,
    /// Length of the step [s].
    pub dt: f64,
    /// Time at its start [s].
    pub time: f64,
}

/// How a step is made. The active set is found before the step, and does not change within it.
pub trait DaeIntegrator<D: Dim>: Sync {
    /// Number of derivatives that it carries for every body.
    fn carries(&self) -> usize;
    /// Advances the world by a step. Walls move with the velocities that they have.
    fn step(&self, context: &mut DaeStepContext<'_, D>) -> Result<(), Coincident>;
    /// Drops the derivatives of bodies whose forces have jumped.
    fn forget(&self, _carried: &mut [Twist<D>], _count: usize, _bodies: &[usize]) {}
}

list! {
    /// How a step is made.
    pub enum DaeIntegrators by name as DaeIntegrator {
        /// The classical Runge-Kutta method: four evaluations per step, fourth order.
        "rk4" => Rk4,
        /// Gear's predictor and corrector with five derivatives: one evaluation per step, and memory of earlier steps.
        "gear" => DaeGear,
    }
}
