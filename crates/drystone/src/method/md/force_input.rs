//! Input of the force loop, shared by all blocks: the bodies, the pairs that may touch, and their laws.

use super::beads::Core;
use super::block::LocalPair;
use super::force_schedule::ForceSchedule;
use super::images::Images;
use super::law_table::LawTable;
use super::local_bodies::RoundBody;
use crate::body::{Bodies, Twist};
use crate::contact::ContactKey;
use crate::dim::Dim;
use crate::method::common::solver_body::SolverBody;
use crate::wall::{Surface, WallPose};

/// Half kick and drift that are done before the forces are evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drift<'s, D: Dim> {
    /// Time of the drift [s].
    pub dt: f64,
    /// Accelerations of all bodies at its start.
    pub accel: &'s [Twist<D>],
}

/// Read-only input of all blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForceInput<'s, D: Dim> {
    /// Bodies, or balls of clumps: at the instant of the forces, or at the start of the drift.
    pub bodies: &'s Bodies<D>,
    /// Their radii and inverse inertia.
    pub round: &'s [RoundBody],
    /// Drift of the bodies before the forces are evaluated, if any.
    pub drift: Option<Drift<'s, D>>,
    /// Velocities and inverse inertia of the walls.
    pub wall_motion: &'s [SolverBody<D>],
    /// Images across the border of a periodic cell.
    pub images: &'s Images<D>,
    /// Cores of capsules; empty if all are balls.
    pub cores: &'s [Core<D>],
    /// Whether contacts may lie off the line of centres: those of capsules, and of walls that spin as bodies.
    pub has_offsets: bool,
    /// Gap up to which the distance of a grain from a wall is found [m].
    pub skin: f64,
    /// Poses of the walls.
    pub stands: &'s [WallPose<D>],
    /// Surfaces of the walls.
    pub surfaces: &'s [Surface<D>],
    /// Faces and grains that may touch.
    pub walls: &'s [ContactKey],
    /// Grains that may touch.
    pub pairs: &'s [LocalPair],
    /// The laws.
    pub law_table: &'s LawTable,
    /// Times before and after this force evaluation.
    pub schedule: ForceSchedule,
    /// Time for which the forces act [s].
    pub span: f64,
    /// Time over which slip stretches the springs of existing contacts, up to now [s].
    pub slip_time: f64,
    /// Time over which slip stretches the springs further once the forces are known [s].
    pub ahead: f64,
    /// Distance that no grain has exceeded since the pair list was built [m].
    pub travelled: f64,
    /// Relative growth rate of the radii of movable grains [1/s].
    pub growth: f64,
    /// Length of 2D bodies in the third direction [m]; `None` in 3D.
    pub depth: Option<f64>,
    /// Whether contacts are to be reported; their history then stays as it is.
    pub is_report: bool,
}

impl<D: Dim> ForceInput<'_, D> {
    /// Whether pairs of plain laws go four at a time: all bodies are balls, and no reports are asked for.
    pub(crate) fn takes_fours(&self) -> bool {
        self.law_table.has_plain_law() && self.cores.is_empty() && !self.is_report
    }
}
