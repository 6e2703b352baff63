//! A round grain on an incline rolls if and only if mu >= m_t tan(theta), with m_t = 1/3 (disk) or 2/7 (sphere).
//!
//! Rolling, a = (1 - m_t) g sin(theta); sliding, a = g (sin(theta) - mu cos(theta)). The step is implicit Euler, whose
//! velocity is exact under constant acceleration. Gravity is tilted instead of the plane.

use drystone::contact::Regime;
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::stage::{G, Stage, along, upward};

const DT: f64 = 1e-3;
const STEPS: usize = 1000;
const WHY: &str = "implicit Euler is exact for constant acceleration: rounding of 1000 steps";

/// A grain at rest on a floor, gravity tilted towards `downhill` by `theta`.
fn on_incline<D: Dim>(theta: f64, friction: f64, downhill: D::Vec) -> (Stage<D>, usize) {
    let mut stage = Stage::<D>::new(friction, DT, 1e-12);
    stage.world.gravity = downhill * (G * theta.sin()) - upward::<D>() * (G * theta.cos());
    stage.plane("incline", D::Vec::ZERO, upward::<D>());
    let grain = stage.grain(upward::<D>() * 0.5, 0.5, 3.0);
    (stage, grain)
}

fn rolls_or_slides<D: Dim>(mass_t: f64, moment: f64, downhill: D::Vec) {
    for degrees in [5.0_f64, 30.0, 60.0] {
        let (theta, time) = (degrees.to_radians(), DT * STEPS as f64);
        let critical = mass_t * theta.tan();
        for factor in [0.0, 0.5, 0.999, 1.001, 2.0] {
            let friction = factor * critical;
            let (mut stage, grain) = on_incline::<D>(theta, friction, downhill);
            stage.run(STEPS);
            let (a, turning) = if factor > 1.0 {
                ((1.0 - mass_t) * G * theta.sin(), (1.0 - mass_t) * G * theta.sin() / 0.5)
            } else {
                (G * (theta.sin() - friction * theta.cos()), friction * G * theta.cos() / (moment * 0.5))
            };
            let about = D::torque(upward::<D>(), downhill);
            let twist = *stage.twist(grain);
            let named = |what: &str| format!("{what} of a {} at {degrees} deg, {factor} mu_c", D::ROUND);
            let case = "incline";
            expect(case, Kind::Cd, named("acceleration"), twist.v.dot(downhill) / time, a).within(1e-12, WHY);
            expect(case, Kind::Cd, named("angular acceleration"), twist.w.dot(about) / time, turning)
                .within(1e-12, WHY);
            // x = a t^2 / 2, and the surplus a t dt / 2 of a position that moves with the new velocity
            let path = 0.5 * a * time * (time + DT);
            expect(case, Kind::Cd, named("path"), stage.x(grain).dot(downhill), path).within(1e-12, WHY);
        }
    }
}

#[test]
fn a_grain_on_an_incline_rolls_or_slides() {
    rolls_or_slides::<D2>(1.0 / 3.0, 0.5, along::<D2>(0));
    rolls_or_slides::<D3>(2.0 / 7.0, 0.4, along::<D3>(0) * 0.6 - along::<D3>(1) * 0.8);
}

/// A grain that starts with v0 without spin slides until t = m_t v0 / (mu g), then rolls with (1 - m_t) v0 for ever.
fn from_sliding_to_rolling<D: Dim>(mass_t: f64) {
    let (friction, v0, forward) = (0.3, 2.0, along::<D>(0));
    let (mut stage, grain) = on_incline::<D>(0.0, friction, forward);
    stage.twist(grain).v = forward * v0;
    let mut last_slide = 0.0;
    for _ in 0..STEPS {
        let report = stage.step();
        if stage.world.network().memory[0].regime == Regime::Slide {
            last_slide = report.time;
        }
    }
    let until = mass_t * v0 / (friction * G);
    let twist = *stage.twist(grain);
    let named = |what: &str| format!("{what} of a {}", D::ROUND);
    let case = "from sliding to rolling";
    expect(case, Kind::Cd, named("end of sliding"), last_slide, until).within(DT / until, "within one step");
    expect(case, Kind::Cd, named("final velocity"), twist.v.dot(forward), (1.0 - mass_t) * v0)
        .within(1e-12, "angular momentum about the contact is kept exactly: rounding");
    let rim = twist.w.dot(D::torque(upward::<D>(), forward)) * 0.5;
    expect(case, Kind::Cd, named("final velocity of the rim"), rim, (1.0 - mass_t) * v0).within(1e-12, "it rolls");
}

#[test]
fn a_sliding_grain_comes_to_roll() {
    from_sliding_to_rolling::<D2>(1.0 / 3.0);
    from_sliding_to_rolling::<D3>(2.0 / 7.0);
}
