//! Contacts that are solved one at a time: round ones with special laws, and coupled ones.

use super::accelerate::Relaxation;
use super::coupled::CoupledContact;
use super::residual::Misfit;
use super::scalar_round::{Load, ScalarRound};
use super::solve::Increment;
use crate::contact::Regime;
use crate::dim::{Dim, Vector};
use crate::method::common::solver_body::SolverBody;

/// A contact that is solved by itself.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // they stand side by side in memory, not behind pointers
pub enum ScalarContact<D: Dim> {
    /// Between round bodies, or of one with a wall.
    Round(ScalarRound<D>),
    /// With a full block of W.
    Coupled(CoupledContact<D>),
}

impl<D: Dim> ScalarContact<D> {
    /// Number of the contact in the network.
    pub fn index(&self) -> usize {
        match self {
            ScalarContact::Round(round) => round.index as usize,
            ScalarContact::Coupled(coupled) => coupled.index as usize,
        }
    }

    /// Indices of the bodies a and b among the solver bodies.
    pub fn bodies(&self) -> [u32; 2] {
        match self {
            ScalarContact::Round(round) => round.bodies,
            ScalarContact::Coupled(coupled) => coupled.bodies,
        }
    }

    /// The same contact, with indices that count from an earlier body.
    pub fn shifted(mut self, by: u32) -> ScalarContact<D> {
        let (ScalarContact::Round(ScalarRound { bodies, .. }) | ScalarContact::Coupled(CoupledContact { bodies, .. })) =
            &mut self;
        bodies.iter_mut().for_each(|body| *body += by);
        self
    }

    /// Normal from a to b.
    pub fn normal(&self) -> D::Vec {
        match self {
            ScalarContact::Round(round) => round.local.normal,
            ScalarContact::Coupled(coupled) => coupled.frame[0],
        }
    }

    /// Coefficient of friction.
    pub fn friction(&self) -> f64 {
        match self {
            ScalarContact::Round(round) => round.local.friction,
            ScalarContact::Coupled(coupled) => coupled.friction,
        }
    }

    /// The bias that the laws add to the relative velocity [m/s].
    pub fn bias(&self) -> D::Vec {
        match self {
            ScalarContact::Round(round) => round.local.normal * round.local.bias + round.slip_bias,
            ScalarContact::Coupled(coupled) => coupled.bias,
        }
    }

    /// Velocity of b relative to a plus the bias of the laws [m/s].
    pub fn biased_velocity(&self, solver_bodies: &[SolverBody<D>]) -> D::Vec {
        match self {
            ScalarContact::Round(round) => {
                round.motion(solver_bodies).u + round.local.normal * round.local.bias + round.slip_bias
            }
            ScalarContact::Coupled(coupled) => coupled.velocity(solver_bodies) + coupled.bias,
        }
    }

    /// Load of the contact.
    pub fn load(&self) -> Load<D> {
        match self {
            ScalarContact::Round(round) => round.load,
            ScalarContact::Coupled(coupled) => Load { impulse: coupled.impulse, torque: D::Spin::ZERO },
        }
    }

    /// Impulse before the last sweep [N s].
    pub fn previous_impulse(&self) -> D::Vec {
        match self {
            ScalarContact::Round(round) => round.previous.impulse,
            ScalarContact::Coupled(coupled) => coupled.previous,
        }
    }

    /// Gives the contact an impulse.
    pub fn set_impulse(&mut self, to: D::Vec) {
        let (ScalarContact::Round(ScalarRound { load: Load { impulse, .. }, .. })
        | ScalarContact::Coupled(CoupledContact { impulse, .. })) = self;
        *impulse = to;
    }

    /// Forgets the last change.
    pub fn drop_momentum(&mut self) {
        match self {
            ScalarContact::Round(round) => round.previous = round.load,
            ScalarContact::Coupled(coupled) => coupled.previous = coupled.impulse,
        }
    }

    /// Whether only friction, gaps and bounces act: no cohesion, no torques.
    pub fn is_frictional(&self) -> bool {
        match self {
            ScalarContact::Round(round) => round.bond.is_none() && round.rotational_friction.is_none(),
            ScalarContact::Coupled(_) => true,
        }
    }

    /// Whether friction against this slip presses the bodies into each other: never between round ones.
    pub fn jams(&self, slip: D::Vec) -> bool {
        match self {
            ScalarContact::Round(_) => false,
            ScalarContact::Coupled(coupled) => coupled.jams(slip),
        }
    }

    /// Velocity of b itself relative to a at the contact [m/s], without the velocity of its periodic image.
    pub fn own_velocity(&self, solver_bodies: &[SolverBody<D>]) -> D::Vec {
        match self {
            ScalarContact::Round(round) => round.own_motion(solver_bodies).u,
            ScalarContact::Coupled(coupled) => coupled.own_velocity(solver_bodies),
        }
    }

    /// Applies a load to b and its negative to a.
    pub fn apply(&self, load: &Load<D>, solver_bodies: &mut [SolverBody<D>]) {
        match self {
            ScalarContact::Round(round) => round.apply(load, solver_bodies),
            ScalarContact::Coupled(coupled) => coupled.apply(load.impulse, solver_bodies),
        }
    }

    /// Applies its own load.
    pub fn apply_own(&self, solver_bodies: &mut [SolverBody<D>]) {
        match self {
            ScalarContact::Round(round) => round.apply(&round.load, solver_bodies),
            ScalarContact::Coupled(coupled) => coupled.apply(coupled.impulse, solver_bodies),
        }
    }

    /// One step of a sweep, which starts from the load moved on by momentum and goes `relaxation.factor` of the way.
    pub fn relax(&mut self, relaxation: Relaxation, solver_bodies: &mut [SolverBody<D>]) -> Increment {
        match self {
            ScalarContact::Round(round) => round.relax(relaxation, solver_bodies),
            ScalarContact::Coupled(coupled) => {
                let change = coupled.change(relaxation, solver_bodies);
                let increment = coupled.add_change(change, relaxation);
                coupled.apply(change, solver_bodies);
                increment
            }
        }
    }

    /// The change that a sweep makes, from the velocities in `solver_bodies`.
    pub fn change(&self, relaxation: Relaxation, solver_bodies: &[SolverBody<D>]) -> Load<D> {
        match self {
            ScalarContact::Round(round) => round.change(relaxation, solver_bodies),
            ScalarContact::Coupled(coupled) => {
                Load { impulse: coupled.change(relaxation, solver_bodies), torque: D::Spin::ZERO }
            }
        }
    }

    /// Adds a change to the load.
    pub fn add_change(&mut self, change: &Load<D>, relaxation: Relaxation) -> Increment {
        match self {
            ScalarContact::Round(round) => round.add_change(change, relaxation),
            ScalarContact::Coupled(coupled) => coupled.add_change(change.impulse, relaxation),
        }
    }

    /// Decides whether a bond breaks.
    pub fn update_bond(&mut self, solver_bodies: &[SolverBody<D>]) {
        if let ScalarContact::Round(round) = self {
            round.update_bond(solver_bodies);
        }
    }

    /// How far the load is from the laws.
    pub fn misfit(&self, solver_bodies: &[SolverBody<D>], judged_by: &[f64]) -> Misfit {
        match self {
            ScalarContact::Round(round) => round.misfit(solver_bodies, judged_by),
            ScalarContact::Coupled(coupled) => coupled.misfit(solver_bodies, judged_by),
        }
    }

    /// Regime of the contact under its load.
    pub fn regime(&self, solver_bodies: &[SolverBody<D>]) -> Regime {
        match self {
            ScalarContact::Round(round) => round.regime(solver_bodies),
            ScalarContact::Coupled(coupled) => coupled.regime(solver_bodies),
        }
    }

    /// How far a cohesive contact has opened at the end of the step.
    pub fn opening(&self, solver_bodies: &[SolverBody<D>]) -> Option<f64> {
        match self {
            ScalarContact::Round(round) => round.opening(solver_bodies),
            ScalarContact::Coupled(_) => None,
        }
    }

    /// Appends the load as numbers of one unit.
    pub fn read(&self, into: &mut Vec<f64>) {
        match self {
            ScalarContact::Round(round) => round.read(into),
            ScalarContact::Coupled(coupled) => into.extend((0..D::DIMENSION).map(|k| coupled.impulse.get(k))),
        }
    }

    /// Takes a load in the order of [`ScalarContact::read`].
    pub fn write(&mut self, numbers: &mut impl Iterator<Item = f64>) {
        match self {
            ScalarContact::Round(round) => round.write(numbers),
            ScalarContact::Coupled(coupled) => {
                coupled.impulse = D::Vec::from_fn(|_| numbers.next().expect("as many numbers as were read"));
            }
        }
    }
}
