//! Attractions of soft grains in a run: a grain is pulled off a wall ever harder, slowly, until it lets go.

use drystone::dim::{D3, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::soft::Soft;
use super::stage::upward;

const MASS: f64 = 1e-5;
const RADIUS: f64 = 1e-3;
const DT: f64 = 2e-6; // 300 steps a swing of the contact
const STEPS: u32 = 200_000;
const FIRST: u32 = 40_000;

/// The pull at which a grain leaves [N]; it is raised to 0.9 of `expected` over a hundred swings, and slowly to 1.1 of
/// it.
fn pull_off(attraction: &str, normal: &str, expected: f64) -> f64 {
    let text =
        format!("friction = 0, restitution = 0.3, md = {{ normal = {{ {normal} }}, attraction = {{ {attraction} }} }}");
    let mut soft = Soft::<D3>::new(&text, DT);
    let up = upward::<D3>();
    soft.plane(up * 0.0, up);
    let grain = soft.grain(up * (RADIUS * (1.0 - 1e-3)), RADIUS, MASS);
    // it comes to rest without a pull first
    (0..20_000).for_each(|_| {
        soft.step();
    });
    assert!(soft.x(grain).get(2) < RADIUS, "the surfaces touch");
    for k in 0..FIRST + STEPS {
        let part = match k.checked_sub(FIRST) {
            None => 0.9 * f64::from(k) / f64::from(FIRST),
            Some(slow) => 0.9 + 0.2 * f64::from(slow) / f64::from(STEPS),
        };
        let pull = expected * part;
        soft.world.gravity = up * (pull / MASS);
        if soft.step().0 == 0 {
            return pull;
        }
    }
    panic!("it never lets go");
}

/// With w the work of adhesion, which is 2 gamma for equal surfaces, and r* = r at a flat wall: F_C, 2 pi w r*, 3/2 pi
/// w r*.
#[test]
fn a_grain_lets_go_at_the_pull_off_force() {
    let work = 0.1;
    let hertz = "law = \"hertz_tsuji\", modulus = 1e7";
    for (name, attraction, normal, expected) in [
        (
            "constant",
            "law = \"constant\", force = 1e-3, range = 1e-7".to_string(),
            "law = \"hooke\", stiffness = 1e3",
            1e-3,
        ),
        ("dmt", format!("law = \"dmt\", work = {work}"), hertz, 2.0 * std::f64::consts::PI * work * RADIUS),
        ("jkr", format!("law = \"jkr\", work = {work}"), hertz, 1.5 * std::f64::consts::PI * work * RADIUS),
    ] {
        let found = pull_off(&attraction, normal, expected);
        expect("attraction: pull-off force", Kind::Md, name, found, expected)
            .within(1e-2, "leaving takes a few swings of 1/600 of the time in which the pull grows by a fifth");
    }
}
