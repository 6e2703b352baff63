//! One collision of two grains: what comes out of it, and how long it takes.

use super::Couple;
use super::normal::{NormalForce, Squeeze};

/// Runge-Kutta steps in a unit of time, which is the largest overlap over the velocity: about 1/6000 of a collision.
const STEPS: f64 = 2000.0;
/// Collisions that are not over after so many units of time are not over ever: overdamped without the cut.
const PATIENCE: f64 = 50.0;

/// A head-on collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadOn {
    /// Velocity after over velocity before.
    pub restitution: f64,
    /// Time from the first touch until the force ends [s].
    pub duration: f64,
    /// Deepest overlap [m].
    pub overlap: f64,
    /// Largest force [N].
    pub force: f64,
}

/// Two grains meet head-on with the relative velocity `speed`. Fourth-order Runge-Kutta.
pub fn head_on(law: &impl NormalForce, couple: Couple, speed: f64) -> HeadOn {
    let unit = depth_of(law, couple, 0.5 * couple.mass * speed * speed) / speed;
    let dt = unit / STEPS;
    let mut outcome = HeadOn { restitution: 0.0, duration: f64::INFINITY, overlap: 0.0, force: 0.0 };
    let (mut x, mut v, mut deepest) = (0.0_f64, speed, 0.0);
    let push = |x: f64, v: f64, mut deepest: f64| match x > 0.0 {
        true => law.push(couple, Squeeze { overlap: x, rate: v }, &mut deepest).force / couple.mass,
        false => 0.0,
    };
    // the dashpot acts at once: the start is just inside
    let inside = |x: f64| x.max(f64::MIN_POSITIVE);
    for step in 0..(PATIENCE * STEPS) as u64 {
        let a1 = push(inside(x), v, deepest);
        let (x2, v2) = (x + 0.5 * dt * v, v - 0.5 * dt * a1);
        let a2 = push(x2, v2, deepest);
        let (x3, v3) = (x + 0.5 * dt * v2, v - 0.5 * dt * a2);
        let a3 = push(x3, v3, deepest);
        let (x4, v4) = (x + dt * v3, v - dt * a3);
        let a4 = push(x4, v4, deepest);
        let before = (x, v, a1);
        x += dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v -= dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        outcome.overlap = outcome.overlap.max(x);
        outcome.force = outcome.force.max(a1 * couple.mass);
        if x > 0.0 {
            law.push(couple, Squeeze { overlap: x, rate: v }, &mut deepest);
        }
        let after = push(x, v, deepest);
        let ends = after <= 0.0 && before.2 > 0.0 && v < 0.0 && law_is_done(law, couple, (x, v), deepest);
        if ends {
            // the part of the step before the end, by the straight line to zero of force or overlap
            let part = if x <= 0.0 { before.0 / (before.0 - x) } else { 1.0 };
            outcome.duration = (step as f64 + part) * dt;
        }
        if x <= 0.0 {
            let part = before.0 / (before.0 - x);
            let at_exit = before.1 + part * (v - before.1);
            outcome.restitution = -at_exit / speed;
            outcome.duration = outcome.duration.min((step as f64 + part) * dt);
            return outcome;
        }
        if outcome.duration.is_finite() && ends {
            outcome.restitution = -v / speed; // nothing acts any more
            return outcome;
        }
    }
    outcome
}

/// Whether grains that part with no force stay without one: not so where an uncut force only passes zero.
fn law_is_done(law: &impl NormalForce, couple: Couple, (x, v): (f64, f64), deepest: f64) -> bool {
    let mut memory = deepest;
    x <= 0.0 || law.push(couple, Squeeze { overlap: 0.5 * x, rate: v }, &mut memory).force == 0.0
}

/// Overlap whose elastic energy is `energy` [m].
fn depth_of(law: &impl NormalForce, couple: Couple, energy: f64) -> f64 {
    let stored = |depth: f64| {
        let mut deepest = 0.0;
        law.push(couple, Squeeze { overlap: depth, rate: 0.0 }, &mut deepest);
        law.stored(couple, depth, deepest)
    };
    let mut depth = couple.radius;
    while stored(depth) > energy {
        depth *= 0.5;
    }
    while stored(depth) < energy {
        depth *= 1.25; // within a quarter is good enough for a unit
    }
    depth
}
