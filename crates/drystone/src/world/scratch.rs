//! Scratch: what steps recompute from setup and state.

use super::Pushed;
use crate::body::{SymmetricTensor, Twist};
use crate::cell::CellMotion;
use crate::contact::carry_over::Spare;
use crate::contact::{Neighbours, RotatedHulls};
use crate::dim::Dim;

/// What every step recomputes. Throwing it away changes no result.
#[derive(Clone, Debug, Default)]
pub struct Scratch<D: Dim> {
    /// Twists at the start of the last step, those of walls as driven in it; empty before the first step.
    pub before: Vec<Twist<D>>,
    /// Rates of strain at the start of the last step [1/s]; empty if all bodies are rigid.
    pub strain_rates_before: Vec<SymmetricTensor<D>>,
    /// Length of the last step [s]; zero before the first.
    pub time_step: f64,
    /// How the lattice of the cell changed at the start of the last step.
    pub cell_before: CellMotion<D>,
    /// How every wall was driven in the last step; empty before the first.
    pub pushed: Vec<Pushed>,
    /// Forces [N] and torques [N m] of membranes and loads on all bodies in this step; empty without any.
    pub loads: Vec<Twist<D>>,
    /// Bodies with loads of their own, and the loads of membranes on them.
    pub loaded: Vec<(usize, Twist<D>)>,
    /// Pairs that may touch soon.
    pub neighbours: Neighbours<D>,
    /// Polyhedra in their present orientation, for each thread.
    pub(crate) hulls: Vec<RotatedHulls>,
    /// Contacts of the step before the last one, whose memory is used again.
    pub(crate) spare: Spare<D>,
    /// Whether a soft method has made steps since it last reported its contacts.
    pub(crate) is_network_stale: bool,
    /// Whether it then left out the history that it needs to go on from there.
    pub(crate) lacks_history: bool,
}
