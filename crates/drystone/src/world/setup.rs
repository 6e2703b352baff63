//! The setup: what a scenario says, and what its stages change.

use super::DrivenWall;
use crate::dim::Dim;
use crate::drive::{GrainLoad, Tilt};
use crate::law::{Elasticity, Laws};
use crate::link::Links;
use crate::wall::Surface;

/// What the state was set up with. A checkpoint does not hold it, because it follows from the scenario and the stage.
#[derive(Clone, Debug, Default)]
pub struct Setup<D: Dim> {
    /// How the ground tilts, and gravity on level ground [m/s2].
    pub tilt: Option<(Tilt<D>, D::Vec)>,
    /// Length of 2D bodies in the third direction [m]; without meaning in 3D.
    pub depth: f64,
    /// Seed of the random numbers that are drawn during a run.
    pub seed: u64,
    /// Relative growth rate of the radii of grains [1/s]; zero for grains that keep their size.
    pub growth: f64,
    /// Names and drives of the walls.
    pub walls: Vec<DrivenWall<D>>,
    /// Surfaces of the walls.
    pub surfaces: Vec<Surface<D>>,
    /// Contact laws between materials.
    pub laws: Laws,
    /// Elasticity of the materials of grains that deform, by their numbers; `None` for rigid ones.
    pub elasticity: Vec<Option<Elasticity>>,
    /// Rods, joints and springs.
    pub links: Links<D>,
    /// Forces, torques and blows on single grains.
    pub loads: Vec<GrainLoad<D>>,
    /// Grains that the scenario names: their ids, in ascending order, and names.
    pub names: Vec<(u32, String)>,
}
