//! Newton's cradle by Moreau's rule with e = 0: N equal touching balls, the first with v = 1, all go on with
//! (1 + e) / N = 1 / N. [Radjai eq. 7 in several contacts]

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use crate::expect::expect;
use crate::stage::{Stage, along};

const WHY: &str = "residual 1e-14, few contacts";

/// Balls of radius 1 with the same gap between neighbours, after some steps.
fn cradle<D: Dim>(count: usize, gap: f64, steps: usize) -> Vec<f64> {
    let mut stage = Stage::<D>::new(0.0, 0.01, 1e-14);
    for k in 0..count {
        stage.grain(along::<D>(0) * ((2.0 + gap) * k as f64), 1.0, 1.0);
    }
    stage.twist(0).v = along::<D>(0);
    stage.run(steps);
    (0..count).map(|k| stage.twist(k).v.get(0)).collect()
}

fn check<D: Dim>() {
    for count in [3, 5] {
        for (gap, steps, how) in [(0.0, 1, "touching, one step"), (0.03, 200, "gaps of three steps, at the end")] {
            for (k, v) in cradle::<D>(count, gap, steps).into_iter().enumerate() {
                let quantity = format!("{}D: velocity of ball {} of {count}, {how}", D::DIMENSION, k + 1);
                expect("Newton's cradle, e = 0", Kind::Cd, quantity, v, 1.0 / count as f64).within(1e-12, WHY);
            }
        }
    }
}

#[test]
fn the_momentum_is_shared_by_all_balls() {
    check::<D2>();
    check::<D3>();
}
