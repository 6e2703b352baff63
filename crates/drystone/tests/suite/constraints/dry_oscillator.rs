//! P12: a block on a spring with dry friction, x'' = -x - 0.2 sign(v). [Chen eq. 32, fig. 7]
//!
//! From rest at x_0 the amplitude about +-0.2 falls by 0.4 in every half period pi, until it ends within |x| <= 0.2.
//! m = k = g = 1 and mu = 0.2.

use std::f64::consts::PI;

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::drive::Drive;
use drystone::method::Kind;

use super::constrained::{Constrained, along, read, upward};
use super::expect::expect;

const CASE: &str = "dry friction oscillator";

/// A block of 1 kg on a floor, on a spring of 1 N/m; the height of its centre is that of the spring's end.
fn oscillator<D: Dim>(friction: &str, damping: f64, x: f64, belt: f64, options: &str) -> (Constrained<D>, usize) {
    let law =
        format!("friction = {friction}, md = {{ normal = {{ law = \"hooke\", stiffness = 1024, damping = 30 }} }}");
    let mut stage = Constrained::<D>::new(&law, options);
    stage.world.gravity = -upward::<D>();
    let drive = match belt == 0.0 {
        true => Drive::FIXED,
        false if D::DIMENSION == 2 => read(&format!("{{ velocity = [{belt}, 0] }}")),
        false => read(&format!("{{ velocity = [{belt}, 0, 0] }}")),
    };
    stage.plane(D::Vec::ZERO, upward::<D>(), drive);
    let height = upward::<D>() * (0.5 - 1.0 / 1024.0);
    let block = stage.block(along::<D>(0) * x + height, 0.5, 1.0);
    stage.spring(height, block, 1.0, damping);
    (stage, block)
}

fn ends<D: Dim>() {
    // x_0, where it ends, and after how many half periods: on paper
    let table =
        [(0.15, 0.15, 0), (0.3, 0.1, 1), (0.5, -0.1, 1), (0.7, -0.1, 2), (1.1, 0.1, 3), (1.5, -0.1, 4), (2.3, -0.1, 6)];
    for (start, end, halves) in table {
        let (mut stage, block) = oscillator::<D>("0.2", 0.0, start, 0.0, "time_step = 0.01, events = true");
        stage.run(25.0);
        let of = |what: &str| format!("{}D, from {start}: {what}", D::DIMENSION);
        expect(CASE, Kind::Dae, of("end point"), stage.x(block).get(0), end)
            .within(1e-8, "Runge-Kutta steps of 0.01, halts located");
        let halts: Vec<f64> = stage.method().happened.iter().map(|event| event.time).collect();
        assert_eq!(halts.len(), halves, "{start}: {halts:?}");
        for (k, halt) in halts.iter().enumerate() {
            expect(CASE, Kind::Dae, of(&format!("halt {}", k + 1)), *halt, PI * (k + 1) as f64)
                .within(1e-9, "halts located");
        }
        assert_eq!(stage.twist(block).v.get(0), 0.0, "it stays");
    }
    let (mut stage, block) = oscillator::<D>("0.2", 0.0, 0.15, 0.0, "time_step = 0.01");
    stage.run(10.0);
    assert_eq!(stage.x(block).get(0), 0.15, "it never moves");
}

#[test]
fn it_ends_where_it_must() {
    ends::<D2>();
    ends::<D3>();
}

#[test]
fn from_one_and_two_it_ends_on_the_edge_and_in_the_middle() {
    for (start, ends) in [(1.0, [0.2, -0.2]), (2.0, [0.0, 0.0])] {
        let (mut stage, block) = oscillator::<D2>("0.2", 0.0, start, 0.0, "time_step = 0.01, events = true");
        stage.run(25.0);
        let x = stage.x(block).x;
        assert!(ends.iter().any(|end| (x - end).abs() < 1e-8), "from {start} to {x}");
    }
}

#[test]
fn with_fixed_steps_it_ends_within_a_step() {
    let (mut stage, block) = oscillator::<D2>("0.2", 0.0, 2.3, 0.0, "time_step = 0.001");
    stage.run(25.0);
    expect(CASE, Kind::Dae, "end from 2.3 with steps of 1 ms", stage.x(block).x, -0.1)
        .within(1e-4, "six halts, each passed by up to a dt^2 / 2");
    assert_eq!(stage.twist(block).v.x, 0.0);
}

#[test]
fn free_and_viscous_oscillators_are_exact() {
    let (mut free, block) = oscillator::<D2>("0", 0.0, 1.0, 0.0, "time_step = 0.01");
    free.run(20.0);
    expect(CASE, Kind::Dae, "free: x after 20", free.x(block).x, 20.0_f64.cos()).within(1e-8, "dt^4 t / 120");
    // x'' = -x - 0.8 v: exp(-0.4 t) (cos w t + 0.4 / w sin w t), w = sqrt(1 - 0.16)
    let (mut viscous, block) = oscillator::<D2>("0", 0.8, 1.0, 0.0, "time_step = 0.01");
    viscous.run(5.0);
    let w = 0.84_f64.sqrt();
    let exact = (-2.0_f64).exp() * ((5.0 * w).cos() + 0.4 / w * (5.0 * w).sin());
    expect(CASE, Kind::Dae, "viscous: x after 5", viscous.x(block).x, exact).within(1e-8, "dt^4 t");
}

/// On a belt of velocity V the block rides until k x = mu_s N, then slips about x = mu_d N / k: with the slip speed of
/// the belt it is caught again. x - x_d = (mu_s - mu_d) cos t + V sin t until x' = V again: t_slip = 2 pi - 2
/// atan((mu_s - mu_d) / V), and it rides for 2 (mu_s - mu_d) / V. (k = m = N = 1)
#[test]
fn on_a_belt_it_sticks_and_slips() {
    let (fast, mu_s, mu_d) = (0.1, 0.4, 0.25);
    let friction = format!("{{ static = {mu_s}, dynamic = {mu_d} }}");
    let (mut stage, block) = oscillator::<D2>(&friction, 0.0, 0.0, fast, "time_step = 0.01, events = true");
    stage.twist(block).v.x = fast;
    stage.run(40.0);
    let times: Vec<f64> = stage.method().happened.iter().map(|event| event.time).collect();
    let mut exact = vec![mu_s / fast];
    let slip = 2.0 * PI - 2.0 * ((mu_s - mu_d) / fast).atan();
    let ride = 2.0 * (mu_s - mu_d) / fast;
    while exact.len() < times.len() {
        exact.push(exact[exact.len() - 1] + if exact.len() % 2 == 1 { slip } else { ride });
    }
    assert!(times.len() > 6, "{times:?}");
    for (k, (time, exact)) in times.iter().zip(&exact).enumerate() {
        expect(CASE, Kind::Dae, format!("belt: change {}", k + 1), *time, *exact).within(1e-9, "events located");
    }
}
