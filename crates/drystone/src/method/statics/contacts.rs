//! Bodies that must be held, contacts that may bear forces, and forces that hold them.

use crate::dim::{Dim, Vector};
use crate::world::World;

/// A body that forces must hold.
#[derive(Clone, Copy, Debug)]
pub struct SupportedBody<D: Dim> {
    /// Mass [kg].
    pub mass: f64,
    /// Length by which torques are counted as forces [m]; zero for a body that does not turn.
    pub radius: f64,
    /// The only direction in which it moves, if it is a piston.
    pub axis: Option<D::Vec>,
    /// Acceleration that its loads give it [m/s2].
    pub pull: D::Vec,
}

impl<D: Dim> SupportedBody<D> {
    /// The body of a world under an acceleration; `None` for one that cannot be moved.
    pub fn of(world: &World<D>, body: usize, pull: D::Vec) -> Option<SupportedBody<D>> {
        let inertia = &world.bodies.inertia[body];
        let axis = if body < world.setup.walls.len() { world.wall_axis(body) } else { None };
        let turns = axis.is_none() && inertia.round_inv_i() > 0.0;
        let radius = if turns { world.bodies.shape[body].radius() } else { 0.0 };
        inertia.is_movable().then(|| SupportedBody { mass: inertia.mass(), radius, axis, pull })
    }

    /// Conditions that it makes: forces along every axis, torques about every axis.
    pub(super) fn rows(&self) -> usize {
        match (self.axis, self.radius > 0.0) {
            (Some(_), _) => 1,
            (None, false) => D::Vec::LEN,
            (None, true) => D::Vec::LEN + D::Spin::LEN,
        }
    }

    /// A force at the end of an arm as entries of its conditions, divided by mass and radius.
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

/// A contact that may bear a force.
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
    /// How it yields, if it is elastic.
    pub spring: Option<ContactSpring>,
}

/// How an elastic contact yields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSpring {
    /// Normal force over overlap [N/m].
    pub stiffness: f64,
    /// Overlap where the bodies are [m]; negative for a gap.
    pub overlap: f64,
}

/// Forces that hold all bodies.
#[derive(Clone, Debug)]
pub struct EquilibriumForces<D: Dim> {
    /// Force on b of every contact [N].
    pub forces: Vec<D::Vec>,
    /// How every body must move for the overlaps to make these forces [m]; zero for rigid bodies.
    pub moves: Vec<D::Vec>,
    /// Part of the friction that these forces need at most.
    pub mobilised: f64,
    /// The contact that must press for the bodies not to roll away, if one must.
    pub pressed: Option<usize>,
}

/// What is known of the forces.
#[derive(Clone, Debug)]
pub enum Equilibrium<D: Dim> {
    /// They are found.
    Found(EquilibriumForces<D>),
    /// There are none, and this is proved.
    Impossible,
    /// None were found, and no proof that there are none. What is left of the balance over the loads.
    Unknown(f64),
}
