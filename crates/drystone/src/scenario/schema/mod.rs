//! Tables of a scenario: keys, units and defaults. Scenario, materials and walls are in the parent module.

pub mod between;
pub(crate) mod cell;
pub(crate) mod cell_drive;
pub(crate) mod change;
pub(crate) mod clumps;
pub mod grains;
pub(crate) mod grow;
pub mod links;
pub mod loads;
pub(crate) mod mesh_points;
pub(crate) mod motion;
pub(crate) mod names;
pub(crate) mod pour;
pub mod reference;
pub(crate) mod remove;
pub mod row_spacing;
pub(crate) mod sizes;
pub(crate) mod solids;
pub(crate) mod stage;
pub(crate) mod stones;
pub(crate) mod until;
