//! Newton's cradle by Moreau's rule: N equal touching balls, the first with v = 1. The first contact bounces, the
//! others stay closed: the first ball goes on with (1 - e (N - 1)) / N, all others with (1 + e) / N. [Radjai eq. 7]
//! With gaps the collisions follow one another, and for e = 1 the last ball takes all.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::method::cd::Scheme;

use super::expect::expect;
use super::stage::{Stage, along};

const WHY: &str = "residual 1e-14, few contacts";

/// Velocities of balls of radius 1 with the same gap between neighbours, after some steps.
fn cradle<D: Dim>(count: usize, e: f64, scheme: Scheme, gap: f64, steps: usize) -> Vec<f64> {
    let mut stage = Stage::<D>::with_law(&format!("{{ friction = 0, restitution = {e} }}"), scheme, 0.01, 1e-14);
    for k in 0..count {
        stage.grain(along::<D>(0) * ((2.0 + gap) * k as f64), 1.0, 1.0);
    }
    stage.twist(0).v = along::<D>(0);
    stage.run(steps);
    (0..count).map(|k| stage.twist(k).v.get(0)).collect()
}

fn touching<D: Dim>() {
    for (scheme, e) in [(Scheme::Euler, 0.0), (Scheme::Midpoint, 0.0), (Scheme::Midpoint, 0.5), (Scheme::Midpoint, 1.0)]
    {
        for count in [3, 5] {
            let n = count as f64;
            for (k, v) in cradle::<D>(count, e, scheme, 0.0, 1).into_iter().enumerate() {
                let expected = if k == 0 { (1.0 - e * (n - 1.0)) / n } else { (1.0 + e) / n };
                let quantity = format!("{}D, {}: e = {e}, ball {} of {count}", D::DIMENSION, scheme.name(), k + 1);
                expect("Newton's cradle, touching", Kind::Cd, quantity, v, expected).within(1e-12, WHY);
            }
        }
    }
}

fn with_gaps<D: Dim>() {
    for count in [3, 5] {
        for (e, scheme) in [(0.0, Scheme::Euler), (1.0, Scheme::Midpoint)] {
            for (k, v) in cradle::<D>(count, e, scheme, 0.03, 200).into_iter().enumerate() {
                let last = if k + 1 == count { 1.0 } else { 0.0 };
                let expected = if e == 0.0 { 1.0 / count as f64 } else { last };
                let quantity = format!("{}D, {}: e = {e}, ball {} of {count}", D::DIMENSION, scheme.name(), k + 1);
                expect("Newton's cradle, gaps of three steps", Kind::Cd, quantity, v, expected).within(1e-12, WHY);
            }
        }
    }
}

#[test]
fn touching_balls_share_the_momentum() {
    touching::<D2>();
    touching::<D3>();
}

#[test]
fn balls_with_gaps_pass_it_on() {
    with_gaps::<D2>();
    with_gaps::<D3>();
}
