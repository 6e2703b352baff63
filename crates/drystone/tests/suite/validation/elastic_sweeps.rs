//! A fixed number N_I of sweeps a step makes a chain of rigid grains elastic: s^2 + D k^2 s + D k^2/dt = 0 with
//! D = q N_I d^2/dt, so c = (d/dt) sqrt(q N_I) and the damping is D k^2/2. [Brendel section 1.7, Unger et al. 2002]

use drystone::dim::D2;
use drystone::method::Kind;
use drystone::method::cd::Accelerator;
use drystone::study::chain::{Pressed, Response, expected_wave, front, standing_wave};
use glam::DVec2;

use super::expect::expect;
use super::stage::Stage;

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

/// A chain that starts with overlaps everywhere, between end forces that grow by half: fronts run in from both ends,
/// and it rings in its slowest mode. Every step makes exactly the sweeps that are asked for.
#[test]
fn a_pressed_chain_rings_whatever_its_overlap() {
    const SEEDS: u64 = 4;
    for (grains, sweeps) in [(36, 4), (36, 10), (60, 10), (60, 25), (120, 17), (120, 50), (240, 10), (240, 50)] {
        for overlap in [0.02, 0.06, 0.2] {
            let runs: Vec<Response> = (0..SEEDS)
                .map(|seed| Pressed { grains, overlap, sweeps, seed }.respond(Q).expect("a possible step"))
                .collect();
            assert!(runs.iter().all(|run| run.sweeps == [sweeps; 2]), "exactly {sweeps} sweeps: {runs:?}");
            assert!(runs.iter().all(|run| run.least_force > 0.5), "all contacts stay pressed: {runs:?}");
            let mean = |of: fn(&Response) -> f64| runs.iter().map(of).sum::<f64>() / SEEDS as f64;
            let (frequency, damping) = expected_wave(grains, sweeps, Q);
            let speed = (Q * sweeps as f64).sqrt();
            let case = "pressed pseudo-elastic chain";
            let of = format!("over theory, {grains} grains, {sweeps} sweeps a step, overlap {overlap} d");
            let why = "random orders, mean of four seeds";
            let see = |what: &str, found: f64, part: f64| {
                expect(case, Kind::Cd, format!("{what} {of}"), found, 1.0).within(part, why);
            };
            see("frequency", mean(|run| run.frequency) / frequency, 0.03);
            see("damping", mean(|run| run.damping) / damping, 0.06);
            // fronts are sqrt(q N_I) grains wide, and run through a third of the chain
            if speed < 0.1 * (grains / 3) as f64 {
                see("front speed", mean(|run| run.front) / speed, 0.03);
            }
        }
    }
}

/// Grains that were thrown apart meet again: pairs that are out of reach at the start of a step, and that only the
/// sweeps bring together, join in, and still every step makes exactly the sweeps that are asked for.
#[test]
fn a_fixed_number_of_sweeps_is_exact_where_gaps_open_and_close() {
    const SWEEPS: u64 = 17;
    let mut stage = Stage::<D2>::new(0.0, 1e-3, 1e-6);
    stage.method.options.fixed_sweeps = Some(SWEEPS);
    stage.method.options.accelerator = Accelerator::None;
    // gaps of a hundredth of the diameter, which the first grain, far faster than any other, closes one after the other
    for k in 0..30 {
        stage.grain(DVec2::new(1.01 * f64::from(k), 0.0), 0.5, 1.0);
    }
    stage.twist(0).v = DVec2::new(60.0, 0.0);
    let start = stage.twist(0).v.x;
    let mut rounds = 0;
    for step in 0..40 {
        let report = stage.step_or_warn();
        assert_eq!(report.sweeps, SWEEPS, "step {step}, {} rounds", report.rounds);
        rounds += report.rounds;
    }
    assert!(rounds > 3, "pairs were missed at first, or this says nothing: {rounds}");
    let momentum: f64 = (0..30).map(|k| stage.twist(k).v.x).sum();
    assert!((momentum / start - 1.0).abs() < 1e-12);
}

/// An impulse that few sweeps leave on a contact that opens is still its first guess in the next step, however wide the
/// gap.
#[test]
fn an_open_contact_keeps_its_warm_start() {
    let mut stage = Stage::<D2>::new(0.0, 1e-3, 1e-6);
    stage.method.options.fixed_sweeps = Some(1);
    stage.method.options.accelerator = Accelerator::None;
    let (a, b) = (stage.grain(DVec2::ZERO, 0.5, 1.0), stage.grain(DVec2::new(1.0, 0.0), 0.5, 1.0));
    stage.step_or_warn();
    let gap = 0.02; // ten times as far as anybody looks for bodies at rest
    stage.world.network_mut().contacts[0].gap = gap;
    stage.world.network_mut().memory[0].impulse = DVec2::new(0.3, 0.0);
    stage.world.bodies.pose[b].x.x += gap;
    stage.step_or_warn();
    let known = stage.contacts().any(|(contact, _)| (contact.key.a, contact.key.b) == (a as u32, b as u32));
    assert!(known, "the pair is still a contact");
    // the sweep takes the impulse back, for it holds nothing: free of it the grains do not approach
    assert_eq!(stage.twist(b).v.x, 0.0);
}
