//! The double pendulum as two constraints, beside its Hamiltonian formulation. [Chen end of section 2]
//!
//! Equal masses m and rods l, angles t1 and t2 from the vertical, momenta p1 and p2 conjugate to them:
//! dt1/dt = (p1 - p2 cos d) / (m l^2 (1 + sin^2 d)), dt2/dt = (2 p2 - p1 cos d) / (m l^2 (1 + sin^2 d)), d = t1 - t2,
//! dp1/dt = -2 m g l sin t1 - C, dp2/dt = -m g l sin t2 + C, with C = A - B sin 2d,
//! A = p1 p2 sin d / (m l^2 (1 + sin^2 d)), B = (p1^2 + 2 p2^2 - 2 p1 p2 cos d) / (2 m l^2 (1 + sin^2 d)^2).

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::link::Anchor;
use drystone::method::Kind;

use super::constrained::{Constrained, SMOOTH, along, upward};
use super::expect::expect;

/// m = l = g = 1.
fn hamilton([t1, t2, p1, p2]: [f64; 4]) -> [f64; 4] {
    let d = t1 - t2;
    let (sine, cosine) = (d.sin(), d.cos());
    let mass = 1.0 + sine * sine;
    let a = p1 * p2 * sine / mass;
    let b = (p1 * p1 + 2.0 * p2 * p2 - 2.0 * p1 * p2 * cosine) / (2.0 * mass * mass);
    let c = a - b * (2.0 * d).sin();
    [(p1 - p2 * cosine) / mass, (2.0 * p2 - p1 * cosine) / mass, -2.0 * t1.sin() - c, -t2.sin() + c]
}

/// Angles and energy after `time`, from rest at these angles.
fn reference(start: [f64; 2], time: f64, steps: usize) -> ([f64; 2], f64) {
    let h = time / steps as f64;
    let plus = |y: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|n| y[n] + h * k[n]);
    let mut y = [start[0], start[1], 0.0, 0.0];
    for _ in 0..steps {
        let k1 = hamilton(y);
        let k2 = hamilton(plus(y, k1, 0.5 * h));
        let k3 = hamilton(plus(y, k2, 0.5 * h));
        let k4 = hamilton(plus(y, k3, h));
        y = std::array::from_fn(|n| y[n] + h / 6.0 * (k1[n] + 2.0 * k2[n] + 2.0 * k3[n] + k4[n]));
    }
    let [t1, t2, p1, p2] = y;
    let d = t1 - t2;
    let kinetic = (p1 * p1 + 2.0 * p2 * p2 - 2.0 * p1 * p2 * d.cos()) / (2.0 * (1.0 + d.sin() * d.sin()));
    ([t1, t2], kinetic - 2.0 * t1.cos() - t2.cos())
}

/// The bobs, their places expected from the angles, and the energy.
fn constrained<D: Dim>(start: [f64; 2], time: f64, dt: f64, rest: &str) -> ([D::Vec; 2], f64) {
    let mut stage = Constrained::<D>::new(SMOOTH, &format!("time_step = {dt}, {rest}"));
    stage.world.gravity = -upward::<D>();
    let [one, two] = places::<D>(start);
    let bobs = [stage.grain(one, 0.01, 1.0), stage.grain(two, 0.01, 1.0)];
    stage.rod([Anchor::Fixed(D::Vec::ZERO), Anchor::centre(bobs[0])]);
    stage.rod(bobs.map(Anchor::centre));
    stage.run(time);
    let height: f64 = bobs.iter().map(|bob| stage.x(*bob).dot(upward::<D>())).sum();
    (bobs.map(|bob| stage.x(bob)), stage.kinetic_energy() + height)
}

fn places<D: Dim>([t1, t2]: [f64; 2]) -> [D::Vec; 2] {
    let arm = |t: f64| along::<D>(0) * t.sin() - upward::<D>() * t.cos();
    [arm(t1), arm(t1) + arm(t2)]
}

const START: [f64; 2] = [1.2, 2.0];

fn follows<D: Dim>() {
    let case = "double pendulum";
    let ([t1, t2], energy) = reference(START, 6.0, 60_000);
    let exact = places::<D>([t1, t2]);
    let before = reference(START, 0.0, 1).1;
    assert!((energy - before).abs() < 1e-11, "the reference keeps its energy: {energy} {before}");
    // the reference with half the steps is the same: it has converged
    let again = reference(START, 6.0, 30_000).0;
    assert!((again[0] - t1).abs() + (again[1] - t2).abs() < 1e-9);
    for (rest, tolerance) in [("integrator = \"rk4\"", 1e-6), ("integrator = \"gear\"", 1e-4)] {
        let (found, kept) = constrained::<D>(START, 6.0, 1e-3, rest);
        for k in [0, 1] {
            let off = (found[k] - exact[k]).norm();
            expect(case, Kind::Dae, format!("{}D, {rest}: bob {} after 6 s", D::DIMENSION, k + 1), off, 0.0)
                .within(tolerance, "the error of 6000 steps, grown by the chaos of the pendulum");
        }
        let drift = (kept - before).abs();
        expect(case, Kind::Dae, format!("{}D, {rest}: drift of the energy", D::DIMENSION), drift, 0.0)
            .within(tolerance, "the order of the integrator");
    }
}

#[test]
fn it_follows_hamiltons_equations() {
    follows::<D2>();
    follows::<D3>();
}

#[test]
fn projection_is_better_than_none_and_worse_than_hamilton() {
    let before = reference(START, 0.0, 1).1;
    let drift = |rest: &str| (constrained::<D2>(START, 6.0, 0.01, rest).1 - before).abs();
    let [none, full] = ["projection = \"none\"", "projection = \"full\""].map(drift);
    let hamilton = (reference(START, 6.0, 600).1 - before).abs();
    assert!(full < none, "{full:e} {none:e}");
    // Chen: "even with stabilization, the accuracy was considerably worse than for the Hamiltonian formulation"
    assert!(hamilton < 0.1 * full, "{hamilton:e} {full:e}");
}
