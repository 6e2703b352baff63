//! Validation of differential-algebraic mechanics: rods, joints and static friction as constraints. [Chen]
//!
//! As in `validation`, each test states one physical claim with a value that was derived on paper or by another
//! program, and every comparison leaves a row in `validation.csv` of the target directory.

use crate::validation::expect;

mod constrained;

mod cannonballs;
mod double_pendulum;
mod dry_oscillator;
mod event_table;
mod pendulum;
mod slope_block;
mod standing_heaps;
mod turning_heaps;
mod who_sticks;
