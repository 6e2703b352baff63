//! One contact: V_new = max(-g / dt, V_free) and R = max(0, -M / dt (g / dt + V_free)). [Brendel eqs 1.10, 1.11]
//!
//! With an overlap, g is replaced by g_pos = max(g, 0), as recommended after eq. 1.29.

use drystone::contact::ContactMemory;
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::stage::{Random, Stage};

const CASES: usize = 2000;

/// Largest deviations of the velocity and of the force from eqs 1.10 and 1.11, and how many contacts closed.
#[derive(Default)]
struct Worst {
    velocity: f64,
    force: f64,
    closed: usize,
}

impl Worst {
    /// Compares the state after a step: `reduced` mass M, `gap` and `free` velocity before it, velocity `new` after.
    fn compare<D: Dim>(&mut self, stage: &Stage<D>, reduced: f64, gap: f64, free: f64, new: f64) {
        let dt = stage.dt();
        let closing = gap.max(0.0) / dt;
        // the terms that are rounded: positions of about 1 m over dt, and velocities of both bodies, gravity included
        let scale = 1.0 / dt + free.abs() + stage.world.gravity.norm() * dt;
        let force: f64 = stage.contacts().map(|(c, m): (_, &ContactMemory<D>)| m.impulse.dot(c.normal) / dt).sum();
        let expected = (-reduced / dt * (closing + free)).max(0.0);
        self.velocity = self.velocity.max((new - free.max(-closing)).abs() / scale);
        self.force = self.force.max((force - expected).abs() / (reduced / dt * scale));
        self.closed += usize::from(expected > 0.0);
    }

    fn judge(self, case: &'static str, dimension: usize) {
        let share = self.closed as f64 / CASES as f64;
        assert!((0.3..0.9).contains(&share), "both branches are met: {share}");
        let of = |what: &str| format!("{dimension}D: largest deviation of {what} from its equation");
        expect(case, Kind::Cd, of("V_new"), self.velocity, 0.0)
            .within(1e-13, "one contact is solved exactly: rounding");
        expect(case, Kind::Cd, of("R_new"), self.force, 0.0).within(1e-13, "one contact is solved exactly: rounding");
    }
}

/// Two equal grains. Gravity is the same force on both; where F1 and F2 differ they enter only through
/// V_free = V + (F2 - F1) dt / m (eq. 1.9), which random velocities cover.
fn two_grains<D: Dim>() {
    let (mut random, mut worst) = (Random::new(1), Worst::default());
    for _ in 0..CASES {
        let (mass, dt) = (random.between(0.1, 10.0), random.between(0.1, 2.0));
        let mut stage = Stage::<D>::new(random.between(0.0, 1.0), dt, 1e-12);
        stage.world.gravity = random.vector::<D>(10.0);
        let (gap, normal, middle) = (random.between(-0.05, 0.5), random.direction::<D>(), random.vector::<D>(1.0));
        let (a, b) = (stage.grain(middle, 0.5, mass), stage.grain(middle + normal * (1.0 + gap), 0.5, mass));
        stage.twist(a).v = random.vector::<D>(1.0);
        stage.twist(b).v = random.vector::<D>(1.0);
        let free = (stage.twist(b).v - stage.twist(a).v).dot(normal);
        stage.step();
        let new = (stage.twist(b).v - stage.twist(a).v).dot(normal);
        worst.compare(&stage, 0.5 * mass, gap, free, new);
    }
    worst.judge("one contact, two grains", D::DIMENSION);
}

/// A grain over a fixed plane: F acts on one side only, V_free = V + F dt / m, and M = m.
fn grain_and_plane<D: Dim>() {
    let (mut random, mut worst) = (Random::new(2), Worst::default());
    for _ in 0..CASES {
        let (mass, dt) = (random.between(0.1, 10.0), random.between(0.1, 2.0));
        let mut stage = Stage::<D>::new(random.between(0.0, 1.0), dt, 1e-12);
        stage.world.gravity = random.vector::<D>(1.0);
        let (gap, normal, foot) = (random.between(-0.05, 0.5), random.direction::<D>(), random.vector::<D>(1.0));
        stage.plane("plane", foot, normal);
        let grain = stage.grain(foot + normal * (0.5 + gap), 0.5, mass);
        stage.twist(grain).v = random.vector::<D>(1.0);
        let free = (stage.twist(grain).v + stage.world.gravity * dt).dot(normal);
        stage.step();
        let new = stage.twist(grain).v.dot(normal);
        worst.compare(&stage, mass, gap, free, new);
    }
    worst.judge("one contact, grain and plane", D::DIMENSION);
}

#[test]
fn two_equal_grains_meet_by_the_signorini_graph() {
    two_grains::<D2>();
    two_grains::<D3>();
}

#[test]
fn a_grain_meets_a_plane_by_the_signorini_graph() {
    grain_and_plane::<D2>();
    grain_and_plane::<D3>();
}
