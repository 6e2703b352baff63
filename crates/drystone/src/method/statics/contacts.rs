//! Bodies that must be supported, contacts that may carry forces, and equilibrium forces.

use crate::dim::{Dim, Vector};
use crate::world::World;

/// A body that contact forces must support.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SupportedBody<D: Dim> {
    /// Mass [kg].
    pub mass: f64,
    /// Length by which torques are divided to compare them with forces [m]; zero for a body that does not turn.
    pub radius: f64,
    /// The only direction in which it moves, if it is a piston.
    pub axis: Option<D::Vec>,
    /// Acceleration by its loads [m/s2].
    pub pull: D::Vec,
}

impl<D: Dim> SupportedBody<D> {
    /// The body of a world under an acceleration; `None` for one that cannot be moved.
    pub(crate) fn of(world: &World<D>, body: usize, pull: D::Vec) -> Option<SupportedBody<D>> {
        let inertia = &world.bodies.inertia[body];
        let axis = if body < world.setup.walls.len() { world.wall_axis(body) } else { None };
        let turns = axis.is_none() && inertia.round_inv_i() > 0.0;
        let radius = if turns { world.bodies.shape[body].radius() } else { 0.0 };
        inertia.is_movable().then(|| SupportedBody { mass: inertia.mass(), radius, axis, pull })
    }

    /// Number of its equations of balance: forces along every axis, torques about every axis.
    pub(super) fn rows(&self) -> usize {
        match (self.axis, self.radius > 0.0) {
            (Some(_), _) => 1,
            (None, false) => D::Vec::LEN,
            (None, true) => D::Vec::LEN + D::Spin::LEN,
        }
    }

    /// Entries of a force at the end of an arm in its equations of balance, divided by mass and radius.
    pub(super) fn entries(&self, force: D::Vec, arm: D::Vec) -> Vec<f64> {
        if let Some(axis) = self.axis {
            return vec![force.dot(axis) / self.mass];
        }
        let mut entries: Vec<f64> = (0..D::Vec::LEN).map(|axis| force.get(axis) / self.mass).collect();
        if self.radius > 0.0 {
            let torque = D::torque(arm, force) * (1.0 / (self.mass * self.radius));
            entries.extend((0..D::Spin::LEN).map(|axis| torque.get(axis)));
        }
        entries
    }
}

/// A contact that may carry a force.
#[derive(Clone, Copy, Debug)]
pub struct SupportContact<D: Dim> {
    /// The bodies a and b.
    pub bodies: [usize; 2],
    /// From a to b.
    pub normal: D::Vec,
    /// From the centres to the contact [m].
    pub arms: [D::Vec; 2],
    /// Coefficient of static friction.
    pub friction: f64,
    /// Largest pull of a bond [N].
    pub pull: f64,
    /// Its stiffness and overlap, if it is elastic.
    pub spring: Option<ContactSpring>,
}

/// Stiffness and overlap of an elastic contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSpring {
    /// Normal force over overlap [N/m].
    pub stiffness: f64,
    /// Overlap at the present positions [m]; negative for a gap.
    pub overlap: f64,
}

/// Forces that support all bodies.
#[derive(Clone, Debug)]
pub(crate) struct EquilibriumForces<D: Dim> {
    /// Force on b of every contact [N].
    pub forces: Vec<D::Vec>,
    /// Displacement of every body at which the overlaps make these forces [m]; zero for rigid bodies.
    pub moves: Vec<D::Vec>,
    /// Largest ratio of tangential to admissible force: the mobilised share of friction.
    pub mobilised: f64,
    /// The contact that must carry a force lest the bodies roll away, if there is one.
    pub pressed: Option<usize>,
}

/// Result of the search.
#[derive(Clone, Debug)]
pub(crate) enum Equilibrium<D: Dim> {
    /// Forces were found.
    Found(EquilibriumForces<D>),
    /// There are none, with proof.
    Impossible,
    /// None were found, without a proof that there are none. The number is the remaining imbalance over the loads.
    Unknown(f64),
}
