//! Tables of a scenario: keys, units and defaults. Scenario, materials and walls are in the parent module.

pub mod cell;
pub mod cell_drive;
pub mod change;
pub mod clumps;
pub mod grains;
pub mod grow;
pub mod links;
pub mod mesh_points;
pub mod motion;
pub mod pour;
pub mod reference;
pub mod remove;
pub mod sizes;
pub mod solids;
pub mod stage;
pub mod stones;
pub mod until;
