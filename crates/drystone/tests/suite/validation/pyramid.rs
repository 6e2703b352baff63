//! Three equal disks, two on the floor that touch, one on top: they stand if and only if mu >= tan 15 deg.
//!
//! A lower disk is turned by the friction of two contacts only, so these are equal; with the balance of forces the
//! force at the upper contact bisects the angle of 30 deg between its normal and the vertical.

use drystone::dim::D2;
use drystone::method::Kind;
use glam::DVec2;

use super::expect::expect;
use super::stage::{G, Stage};

/// How far the top disk sinks within ten seconds, over its radius (1 m).
fn sinking(friction: f64) -> f64 {
    let mut stage = Stage::<D2>::new(friction, 0.005, 1e-10);
    stage.world.gravity = DVec2::new(0.0, -G);
    stage.plane("floor", DVec2::ZERO, DVec2::Y);
    stage.grain(DVec2::new(-1.0, 1.0), 1.0, 1.0);
    stage.grain(DVec2::new(1.0, 1.0), 1.0, 1.0);
    let top = stage.grain(DVec2::new(0.0, 1.0 + 3.0_f64.sqrt()), 1.0, 1.0);
    let before = stage.x(top).y;
    stage.run(2000);
    before - stage.x(top).y
}

#[test]
fn three_disks_stand_or_fall_by_friction() {
    let critical = 15.0_f64.to_radians().tan();
    let stands = sinking(1.10 * critical);
    expect("pyramid of three disks", Kind::Cd, "sinking at 1.10 mu_c over the radius", stands, 0.0)
        .within(1e-6, "static friction is a constraint, not a spring; residual 1e-10 of 2000 steps");
    let falls = sinking(0.95 * critical);
    expect("pyramid of three disks", Kind::Cd, "sinking at 0.95 mu_c over the radius", falls, 3.0_f64.sqrt())
        .within(1e-6, "the top disk ends on the floor");
}
