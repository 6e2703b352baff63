//! Energy of bouncing grains never grows for e <= 1.
//!
//! A theorem for one contact of round bodies and any e_n, |e_t| <= 1: both parts of the impulse are at most (1 + e) m u
//! and opposed to u. A theorem for any number of contacts if all have the same e along the normal and the surface: K+ -
//! K- = r . u_mean - (1 - e) / (2 (1 + e)) r W r, where the laws make the first term <= 0. With different e at contacts
//! that bounce at the same time it is none (Kane's paradox); in a thin gas nearly all collisions are those of pairs.

use std::f64::consts::PI;
use std::path::Path;

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::input::Reader;
use drystone::method::Kind;
use drystone::method::cd::Scheme;
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run};

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

/// A gas of grains of diameter and mass 1 in a periodic cell, with velocities along a few directions.
#[derive(Clone, Copy)]
struct Gas {
    dimension: usize,
    fraction: f64,
    grains: usize,
    until: f64,
}

fn cooling(gas: Gas, restitution: f64, scheme: &str) -> Box<dyn Run> {
    let Gas { dimension, fraction, grains, until } = gas;
    let ball = if dimension == 2 { PI / 4.0 } else { PI / 6.0 };
    let side = (grains as f64 * ball / fraction).powf(1.0 / dimension as f64);
    let corner = |x: f64| if dimension == 2 { format!("[{x}, {x}]") } else { format!("[{x}, {x}, {x}]") };
    let directions: &[&str] = match dimension {
        2 => &["[1, 0.3]", "[-1, -0.3]", "[-0.3, 1]", "[0.3, -1]"],
        _ => &["[1, 0.6, 0.3]", "[-1, -0.6, -0.3]", "[-0.3, 1, 0.6]", "[0.3, -1, -0.6]"],
    };
    let (min, max) = (corner(0.0), corner(side));
    let (shape, axes) = if dimension == 2 { ("disk", "\"x\", \"y\"") } else { ("sphere", "\"x\", \"y\", \"z\"") };
    let mut text = format!(
        "dimension = {dimension}\nseed = 7\ngravity = {}\ncell = {{ min = {min}, max = {max}, periodic = [{axes}] }}\n\
         material = [{{ name = \"m\", density = {} }}]\nstop = {{ at = {until} }}\n\
         contact = [{{ between = [\"m\", \"m\"], friction = 0, restitution = {restitution} }}]\n\
         method = {{ cd = {{ time_step = 0.02, scheme = \"{scheme}\" }} }}\n",
        corner(0.0),
        1.0 / ball
    );
    for velocity in directions {
        text += &format!(
            "[[grains]]\nmaterial = \"m\"\nshape = {{ kind = \"{shape}\", radius = 0.5 }}\ncount = {}\nvelocity = {velocity}\n\
             place = {{ how = \"random\", min = {min}, max = {max} }}\n",
            grains / directions.len()
        );
    }
    let scenario = AnyScenario::parse("gas", &text, &[], Reader::default()).unwrap_or_else(|m| panic!("{m}"));
    sim::open(&scenario, Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// What a run keeps of its kinetic energy.
fn kept(mut run: Box<dyn Run>) -> f64 {
    let start = run.kinetic_energy();
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    run.kinetic_energy() / start
}

/// With the scheme "euler" restitution counts as zero where round grains meet at an angle, and W241 says before the run
/// what a gas loses by that: Enskog's rate of collisions, and Haff's law without a bounce.
#[test]
fn what_a_gas_loses_by_the_scheme_is_told_before() {
    for (dimension, fraction, grains, until) in [(2, 0.1, 400, 10.0), (2, 0.02, 400, 50.0), (3, 0.05, 400, 10.0)] {
        let gas = Gas { dimension, fraction, grains, until };
        let run = |restitution: f64, scheme: &str| cooling(gas, restitution, scheme);
        let hints = run(1.0, "euler").hints();
        let (code, message) = hints.first().unwrap_or_else(|| panic!("{dimension}D, {fraction}: nothing is told"));
        assert!(*code == "W241" && message.contains("midpoint") && message.contains("would be 0 %"), "{message}");
        let told = message.split(" % of the kinetic energy").next().unwrap().rsplit(' ').next().unwrap();
        let told: f64 = told.parse::<f64>().unwrap() / 100.0;
        let [bounce, clay] = [1.0, 0.0].map(|restitution| 1.0 - kept(run(restitution, "euler")));
        let case = format!("{dimension}D, filled by {fraction}");
        expect("a gas under euler", Kind::Cd, format!("{case}: lost with e = 1, over lost with e = 0"), bounce, clay)
            .within(0.02, "other collisions after the first that bounces head-on");
        assert!(bounce > 0.5, "{case}: much is lost, {bounce}");
        expect("a gas under euler", Kind::Cd, format!("{case}: share of the energy that is lost"), told, bounce)
            .within(0.12, "mean-field rate: velocities at the start are not those of a gas, and clay makes clusters");
        let right = run(1.0, "midpoint");
        assert!(right.hints().is_empty());
        expect("a gas under midpoint", Kind::Cd, format!("{case}: kept with e = 1"), kept(right), 1.0)
            .within(1e-3, "residual of a solve at accuracy standard, in thousands of collisions");
    }
}
