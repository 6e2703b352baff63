//! Rigid grains carry a push at once: with end force F, every grain of a touching chain has a = F / (N m) in the same
//! step. [Brendel, section 1.5]

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::stage::{Stage, along};

/// A push F during dt is a momentum F dt = m V of the first grain: after the step all move with V / N.
fn push<D: Dim>(count: usize) {
    let mut stage = Stage::<D>::new(0.0, 1e-3, 1e-12);
    let axis = along::<D>(0);
    for k in 0..count {
        stage.grain(axis * (k as f64), 0.5, 2.0);
    }
    stage.twist(0).v = axis;
    stage.step();
    let share = 1.0 / count as f64;
    let wrong = (0..count).map(|k| (stage.twist(k).v - axis * share).norm() / share).fold(0.0, f64::max);
    let quantity = format!("{}D: largest deviation from V / N, N = {count}", D::DIMENSION);
    let why = "residual 1e-12 times the condition number of a chain, about N^2";
    expect("infinite speed of sound", Kind::Cd, quantity, wrong, 0.0).within(1e-8, why);
}

#[test]
fn a_push_reaches_the_far_end_in_the_same_step() {
    for count in [2, 10, 50] {
        push::<D2>(count);
        push::<D3>(count);
    }
}
