//! Contacts that are solved one at a time: round ones with special laws, and corners of stones.

use super::accelerate::Push;
use super::corner::Corner;
use super::line::Line;
use super::residual::Misfit;
use super::single::{Load, Single};
use super::sweep::Increment;
use crate::contact::Regime;
use crate::dim::{Dim, Vector};

/// A contact that is solved by itself.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // they stand side by side in memory, not behind pointers
pub enum Lone<D: Dim> {
    /// Between round bodies, or of one with a wall.
    Round(Single<D>),
    /// At the corner of a stone.
    Corner(Corner<D>),
}

impl<D: Dim> Lone<D> {
    /// Number of the contact in the network.
    pub fn index(&self) -> usize {
        match self {
            Lone::Round(single) => single.index as usize,
            Lone::Corner(corner) => corner.index as usize,
        }
    }

    /// Lines of the bodies a and b.
    pub fn bodies(&self) -> [u32; 2] {
        match self {
            Lone::Round(single) => single.bodies,
            Lone::Corner(corner) => corner.bodies,
        }
    }

    /// The same contact, with lines that count from an earlier one.
    pub fn shifted(mut self, by: u32) -> Lone<D> {
        let (Lone::Round(Single { bodies, .. }) | Lone::Corner(Corner { bodies, .. })) = &mut self;
        bodies.iter_mut().for_each(|body| *body += by);
        self
    }

    /// Normal from a to b.
    pub fn normal(&self) -> D::Vec {
        match self {
            Lone::Round(single) => single.contact.normal,
            Lone::Corner(corner) => corner.frame[0],
        }
    }

    /// Coefficient of friction.
    pub fn friction(&self) -> f64 {
        match self {
            Lone::Round(single) => single.contact.friction,
            Lone::Corner(corner) => corner.friction,
        }
    }

    /// What the laws add to the relative velocity [m/s].
    pub fn bias(&self) -> D::Vec {
        match self {
            Lone::Round(single) => single.contact.normal * single.contact.bias + single.slip_bias,
            Lone::Corner(corner) => corner.bias,
        }
    }

    /// Velocity of b relative to a with what the laws add to it [m/s].
    pub fn biased_velocity(&self, lines: &[Line<D>]) -> D::Vec {
        match self {
            Lone::Round(single) => {
                single.motion(lines).u + single.contact.normal * single.contact.bias + single.slip_bias
            }
            Lone::Corner(corner) => corner.velocity(lines) + corner.bias,
        }
    }

    /// Load of the contact.
    pub fn load(&self) -> Load<D> {
        match self {
            Lone::Round(single) => single.load,
            Lone::Corner(corner) => Load { impulse: corner.impulse, torque: D::Spin::ZERO },
        }
    }

    /// Impulse before the last sweep [N s].
    pub fn previous_impulse(&self) -> D::Vec {
        match self {
            Lone::Round(single) => single.previous.impulse,
            Lone::Corner(corner) => corner.previous,
        }
    }

    /// Gives the contact an impulse.
    pub fn set_impulse(&mut self, to: D::Vec) {
        let (Lone::Round(Single { load: Load { impulse, .. }, .. }) | Lone::Corner(Corner { impulse, .. })) = self;
        *impulse = to;
    }

    /// Forgets the last change.
    pub fn halt(&mut self) {
        match self {
            Lone::Round(single) => single.previous = single.load,
            Lone::Corner(corner) => corner.previous = corner.impulse,
        }
    }

    /// Whether only friction, gaps and bounces act: no cohesion, no torques.
    pub fn is_frictional(&self) -> bool {
        match self {
            Lone::Round(single) => single.bond.is_none() && single.turning.is_none(),
            Lone::Corner(_) => true,
        }
    }

    /// Whether friction against this slip presses the bodies into each other: never between round ones.
    pub fn jams(&self, slip: D::Vec) -> bool {
        match self {
            Lone::Round(_) => false,
            Lone::Corner(corner) => corner.jams(slip),
        }
    }

    /// Velocity of b itself relative to a at the contact [m/s], without the jump of its image.
    pub fn own_velocity(&self, lines: &[Line<D>]) -> D::Vec {
        match self {
            Lone::Round(single) => single.own_motion(lines).u,
            Lone::Corner(corner) => corner.own_velocity(lines),
        }
    }

    /// Applies a load to b and its negative to a.
    pub fn push(&self, load: &Load<D>, lines: &mut [Line<D>]) {
        match self {
            Lone::Round(single) => single.push(load, lines),
            Lone::Corner(corner) => corner.push(load.impulse, lines),
        }
    }

    /// Applies its own load.
    pub fn push_own(&self, lines: &mut [Line<D>]) {
        match self {
            Lone::Round(single) => single.push(&single.load, lines),
            Lone::Corner(corner) => corner.push(corner.impulse, lines),
        }
    }

    /// One step of a sweep, which starts from the load moved on by momentum and goes `push.stride` of the way.
    pub fn relax(&mut self, push: Push, lines: &mut [Line<D>]) -> Increment {
        match self {
            Lone::Round(single) => single.relax(push, lines),
            Lone::Corner(corner) => {
                let change = corner.change(push, lines);
                let increment = corner.take(change, push);
                corner.push(change, lines);
                increment
            }
        }
    }

    /// The change that a sweep makes, from the velocities in `lines`.
    pub fn change(&self, push: Push, lines: &[Line<D>]) -> Load<D> {
        match self {
            Lone::Round(single) => single.change(push, lines),
            Lone::Corner(corner) => Load { impulse: corner.change(push, lines), torque: D::Spin::ZERO },
        }
    }

    /// Adds a change to the load.
    pub fn take(&mut self, change: &Load<D>, push: Push) -> Increment {
        match self {
            Lone::Round(single) => single.take(change, push),
            Lone::Corner(corner) => corner.take(change.impulse, push),
        }
    }

    /// Looks whether a bond breaks.
    pub fn settle(&mut self, lines: &[Line<D>]) {
        if let Lone::Round(single) = self {
            single.settle(lines);
        }
    }

    /// How far the load is from the laws.
    pub fn misfit(&self, lines: &[Line<D>]) -> Misfit {
        match self {
            Lone::Round(single) => single.misfit(lines),
            Lone::Corner(corner) => corner.misfit(lines),
        }
    }

    /// What the contact does under its load.
    pub fn regime(&self, lines: &[Line<D>]) -> Regime {
        match self {
            Lone::Round(single) => single.regime(lines),
            Lone::Corner(corner) => corner.regime(lines),
        }
    }

    /// How far a cohesive contact has opened at the end of the step.
    pub fn opening(&self, lines: &[Line<D>]) -> Option<f64> {
        match self {
            Lone::Round(single) => single.opening(lines),
            Lone::Corner(_) => None,
        }
    }

    /// Appends the load as numbers of one unit.
    pub fn read(&self, into: &mut Vec<f64>) {
        match self {
            Lone::Round(single) => single.read(into),
            Lone::Corner(corner) => into.extend((0..D::DIMENSION).map(|k| corner.impulse.get(k))),
        }
    }

    /// Takes a load in the order of [`Lone::read`].
    pub fn write(&mut self, numbers: &mut impl Iterator<Item = f64>) {
        match self {
            Lone::Round(single) => single.write(numbers),
            Lone::Corner(corner) => {
                corner.impulse = D::Vec::from_fn(|_| numbers.next().expect("as many numbers as were read"));
            }
        }
    }
}
