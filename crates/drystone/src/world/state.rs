//! The state: what a step changes, and what a checkpoint holds.

use crate::body::Bodies;
use crate::cell::Cell;
use crate::contact::Network;
use crate::dim::Dim;

/// How far the simulation has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Time [s].
    pub time: f64,
    /// Number of steps made.
    pub step: u64,
}

/// Energy that left or entered through contacts since the start [J].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Taken out by contacts.
    pub dissipated: f64,
    /// Put in by moving walls.
    pub wall_work: f64,
    /// Stored in soft contacts now.
    pub elastic: f64,
    /// Energy taken in by soft contacts along the normal, across it, and by rolling: the part that is not stored is
    /// dissipated.
    pub taken: [f64; 3],
}

/// Everything from which a run goes on with the same bits, given its setup.
#[derive(Clone, Debug, Default)]
pub struct State<D: Dim> {
    /// Time and number of steps.
    pub clock: Clock,
    /// Acceleration that acts on every grain [m/s2]; on ground that tilts, its mean over the last step.
    pub gravity: D::Vec,
    /// Walls and grains. Grains that leave a periodic cell keep their own positions and velocities.
    pub bodies: Bodies<D>,
    /// The periodic cell, if there is one.
    pub cell: Option<Cell<D>>,
    /// Contacts. Soft methods report them on request only: read them by [`World::network`](super::World::network).
    pub(crate) network: Network<D>,
    /// Energy that went through contacts: read it by [`World::ledger`](super::World::ledger).
    pub(crate) ledger: Ledger,
    /// The numbers that the method carries from step to step besides poses and twists: equally many for each body, or
    /// none.
    pub carried: Vec<f64>,
}
