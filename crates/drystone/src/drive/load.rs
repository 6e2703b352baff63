//! Loads: what pushes and turns a single grain from outside.

use crate::dim::{Dim, Vector};
use crate::drive::Signal;
use crate::input::quantity::{ForceVector, TorqueVector};

/// What acts on a grain from outside; time counts from the start of the run.
#[derive(Clone, Debug)]
pub struct GrainLoad<D: Dim> {
    /// Id of the grain.
    pub grain: u32,
    /// Force on its centre of mass.
    pub force: Option<Signal<ForceVector<D>>>,
    /// Torque about its centre of mass.
    pub torque: Option<Signal<TorqueVector<D>>>,
    /// A blow on its centre of mass: when it comes [s], and its impulse [N s].
    pub blow: Option<(f64, D::Vec)>,
}

impl<D: Dim> GrainLoad<D> {
    /// Mean force [N] and torque [N m] between two times, without the blow; at equal times those of the instant.
    pub fn mean(&self, from: f64, to: f64) -> (D::Vec, D::Spin) {
        let force = self.force.as_ref().map_or(D::Vec::ZERO, |signal| signal.mean(from, to));
        (force, self.torque.as_ref().map_or(D::Spin::ZERO, |signal| signal.mean(from, to)))
    }

    /// Impulse of the blow, if it comes in a step between two times [N s]. At the very end it belongs to the next step.
    pub fn impulse(&self, from: f64, to: f64) -> Option<D::Vec> {
        self.blow.filter(|(at, _)| (from..to).contains(at)).map(|(_, impulse)| impulse)
    }
}
