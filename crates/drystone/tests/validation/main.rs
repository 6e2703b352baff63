//! Validation: each test states one physical claim with a value that was derived on paper, not by this program.
//!
//! Every comparison leaves a row in `validation.csv` of the target directory; see [`expect`].

mod expect;
mod stage;

mod column;
mod cradle;
mod elastic_sweeps;
mod force_diffusion;
mod incline;
mod inelastic;
mod invariants;
mod ledger;
mod momentum;
mod one_contact;
mod parallel_update;
mod plane_in_space;
mod pyramid;
mod reduced_mass;
mod scaling;
mod sound;
mod stick_slide;
