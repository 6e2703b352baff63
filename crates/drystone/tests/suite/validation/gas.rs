//! Energy of bouncing grains never grows for e <= 1.
//!
//! A theorem for one contact of round bodies and any e_n, |e_t| <= 1: both parts of the impulse are at most (1 + e) m u
//! and opposed to u. A theorem for any number of contacts if all have the same e along the normal and the surface:
//! K+ - K- = r . u_mean - (1 - e) / (2 (1 + e)) r W r, where the laws make the first term <= 0. With different e at contacts
//! that bounce at the same time it is none (Kane's paradox); in a thin gas nearly all collisions are those of pairs.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::method::cd::Scheme;

use super::expect::expect;
use super::stage::{Random, Stage, along};

/// 50 grains in a box; the largest growth of the kinetic energy in a step, and what is left of it, over the first one.
fn gas<D: Dim>(law: &str) -> (f64, f64) {
    let mut stage = Stage::<D>::with_law(law, Scheme::Midpoint, 1e-3, 1e-12);
    for axis in 0..D::DIMENSION {
        let normal = along::<D>(axis);
        stage.plane("low", D::Vec::ZERO, normal);
        stage.plane("high", normal * 0.3, -normal);
    }
    let mut random = Random::new(31);
    for k in 0..50 {
        let places = [k % 7, k / 7, k % 5];
        let x = D::Vec::from_fn(|axis| 0.03 + 0.035 * places[axis] as f64);
        let r = random.between(0.006, 0.01);
        let grain = stage.grain(x, r, 2600.0 * D::ball_volume(r, 0.01));
        stage.twist(grain).v = random.vector::<D>(1.0);
    }
    let start = stage.kinetic_energy();
    let (mut before, mut growth) = (start, 0.0_f64);
    for _ in 0..2000 {
        stage.step();
        let after = stage.kinetic_energy();
        growth = growth.max((after - before) / start);
        before = after;
    }
    (growth, before / start)
}

fn check<D: Dim>() {
    let case = "energy of a bouncing gas";
    let rounding = "rounding of the sum";
    let paradox = "no theorem: several contacts that bounce at once with different e";
    for (name, law, tolerance, why) in [
        ("e = 0.9, smooth", "{ friction = 0, restitution = 0.9 }", 1e-12, rounding),
        ("e_n = e_t", "{ friction = 0.3, restitution = { normal = 0.8, tangential = 0.8 } }", 1e-12, rounding),
        ("e_n = 0.9, e_t = 0", "{ friction = 0.3, restitution = 0.9 }", 0.05, paradox),
        ("e_n = 1, e_t = -0.5", "{ friction = 0.3, restitution = { normal = 1, tangential = -0.5 } }", 0.05, paradox),
    ] {
        let (growth, left) = gas::<D>(law);
        assert!(left < 0.95, "{name}: collisions happen, {left} is left");
        let quantity = format!("{}D, {name}: largest growth in a step", D::DIMENSION);
        expect(case, Kind::Cd, quantity, growth, 0.0).within(tolerance, why);
    }
    let (growth, left) = gas::<D>("{ friction = 0, restitution = 1 }");
    let quantity = |what: &str| format!("{}D, e = 1, smooth: {what}", D::DIMENSION);
    expect(case, Kind::Cd, quantity("largest growth in a step"), growth, 0.0).within(1e-12, rounding);
    expect(case, Kind::Cd, quantity("what is left"), left, 1.0)
        .within(1e-10, "residual 1e-12 in hundreds of collisions");
}

#[test]
fn collisions_with_restitution_never_create_energy() {
    check::<D2>();
    check::<D3>();
}
