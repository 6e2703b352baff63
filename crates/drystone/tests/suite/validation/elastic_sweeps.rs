//! A fixed number N_I of sweeps a step makes a chain of rigid grains elastic: s^2 + D k^2 s + D k^2/dt = 0 with
//! D = q N_I d^2/dt, so c = (d/dt) sqrt(q N_I) and the damping is D k^2/2. [Brendel section 1.7, Unger et al. 2002]

use drystone::method::Kind;
use drystone::study::chain::{expected_wave, front, standing_wave};

use super::expect::expect;

/// Diffusion factor of random sweeps.
const Q: f64 = 0.7993;

#[test]
fn a_push_runs_with_the_speed_of_pseudo_sound() {
    for (sweeps, expected) in [(4, 1.788), (10, 2.827), (25, 4.470), (50, 6.322)] {
        let front = front(sweeps, Q).expect("a possible step");
        let quantity = format!("front speed in d/dt, {sweeps} sweeps a step");
        expect("pseudo-elastic front", Kind::Cd, quantity, front.speed, expected)
            .within(0.03, "random orders and the width of the front");
    }
}

#[test]
fn a_chain_rings_and_is_damped() {
    for (grains, sweeps, frequency, damping) in [(30, 10, 0.2928, 0.0438), (60, 10, 0.1476, 0.01096)] {
        let wave = standing_wave(grains, sweeps, Q).expect("a possible step");
        let case = "pseudo-elastic ringing";
        let of = format!("in 1/dt, {grains} grains, {sweeps} sweeps a step");
        expect(case, Kind::Cd, format!("frequency {of}"), wave.frequency, frequency).within(0.03, "random orders");
        expect(case, Kind::Cd, format!("damping {of}"), wave.damping, damping).within(0.05, "random orders");
        let formula = expected_wave(grains, sweeps, Q);
        assert!((formula.0 / frequency - 1.0).abs() < 1e-3 && (formula.1 / damping - 1.0).abs() < 2e-3, "{formula:?}");
    }
}
