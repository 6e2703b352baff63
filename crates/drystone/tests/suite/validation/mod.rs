//! Validation: each test states one physical claim with a value that was derived on paper, not by this program.
//!
//! Every comparison leaves a row in `validation.csv` of the target directory; see [`expect`].

pub mod expect;
mod soft;
pub mod stage;

mod bounce;
mod brake_failure;
mod chung_ooi;
mod clumps;
mod cohesion;
mod column;
mod containers;
mod cradle;
mod detachment;
mod elastic_sweeps;
mod experiments;
mod flight;
mod force_diffusion;
mod frames;
mod gas;
mod haff;
mod incline;
mod inelastic;
mod invariants;
mod jammed;
mod leapfrog;
mod ledger;
mod membrane;
mod meshes;
mod mfix;
mod momentum;
mod one_contact;
mod parallel_update;
mod pistons;
mod plane_in_space;
mod pyramid;
mod reduced_mass;
mod revolutions;
mod rolling;
mod samples;
mod scaling;
mod soft_attraction;
mod soft_bed;
mod soft_collision;
mod soft_impact;
mod soft_rolling;
mod soft_walls;
mod solids;
mod sound;
mod stages;
mod static_friction;
mod stick_slide;
mod stone_steps;
mod stones;
mod tilt;
mod turning;
