//! Restitution of one contact: u_n+ = -e_n u_n-, and u_t+ = -e_t u_t- where friction holds. [Radjai eq. 7, 10]

use drystone::contact::Regime;
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::method::cd::Scheme;

use super::expect::expect;
use super::stage::{G, Random, Stage, along, upward};

const EXACT: &str = "one contact is solved exactly: rounding";

/// Two grains of any masses meet along any direction, touching or from a gap of up to six steps.
fn pairs<D: Dim>() {
    let (mut random, mut worst) = (Random::new(21), [0.0_f64; 2]);
    for case in 0..500 {
        let e = if case % 10 == 0 { 1.0 } else { random.between(0.0, 1.0) };
        let dt = 10.0_f64.powf(random.between(-6.0, -1.0));
        let law = format!("{{ friction = 0.5, restitution = {e} }}");
        let mut stage = Stage::<D>::with_law(&law, Scheme::Midpoint, dt, 1e-13);
        let (normal, speed) = (random.direction::<D>(), random.between(0.1, 2.0));
        let gap = if case % 2 == 0 { 0.0 } else { random.between(0.0, 6.0) * speed * dt };
        let a = stage.grain(random.vector::<D>(0.1), 0.5, random.between(0.1, 10.0));
        let b = stage.grain(stage.x(a) + normal * (1.0 + gap), 0.5, random.between(0.1, 10.0));
        let common = random.vector::<D>(0.5);
        stage.twist(a).v = common;
        stage.twist(b).v = common - normal * speed;
        stage.run(10);
        let u = (stage.twist(b).v - stage.twist(a).v).dot(normal);
        worst[case % 2] = worst[case % 2].max((u / speed - e).abs());
    }
    for (how, worst) in ["touching", "from a gap"].into_iter().zip(worst) {
        let quantity = format!("{}D: largest deviation of u+/u- from -e, {how}", D::DIMENSION);
        // the direction is that of the centres, which rounding and the path turn by 1e-16 over dt at most
        expect("bounce of a pair", Kind::Cd, quantity, worst, 0.0).within(1e-12, EXACT);
    }
}

#[test]
fn a_pair_bounces_with_its_restitution_at_any_time_step() {
    pairs::<D2>();
    pairs::<D3>();
}

/// Masses 2 and 3 kg, pressed together by 5 and 1 N, meet with 4 m/s; e = 0.3, dt = 0.01 s. With W_nn = 5/6 the force
/// is 1.2 1.3 4 / 0.01 + (3 5 + 2 1) / 5 = 627.4 N. From rest both go on with 0.01 (5 - 1) / 5. [Radjai eq. 36 to 38]
///
/// The first body is a piston: gravity gives -1 N to the grain and -2/3 N to the piston, its drive the rest.
fn pressed_pair<D: Dim>() {
    for (speed, force, first) in [(4.0, 627.4, None), (0.0, 3.4, Some(0.008))] {
        let law = "{ friction = 0, restitution = 0.3 }";
        let mut stage = Stage::<D>::with_law(law, Scheme::Midpoint, 0.01, 1e-14);
        let x = along::<D>(0);
        stage.world.gravity = x * (-1.0 / 3.0);
        stage.piston("piston", D::Vec::ZERO, x, 2.0, &format!("{{ force = {} }}", 5.0 + 2.0 / 3.0));
        let grain = stage.grain(x, 1.0, 3.0);
        stage.twist(grain).v = x * -speed;
        stage.step();
        let named = |what: &str| format!("{}D, met with {speed} m/s: {what}", D::DIMENSION);
        let case = "pair of 2 and 3 kg under forces";
        expect(case, Kind::Cd, named("contact force"), stage.force_on(grain).get(0), force).within(1e-13, EXACT);
        let [v1, v2] = [0, grain].map(|body| stage.twist(body).v.get(0));
        match first {
            None => expect(case, Kind::Cd, named("relative velocity"), v2 - v1, 1.2).within(1e-13, EXACT),
            Some(v) => {
                expect(case, Kind::Cd, named("velocity of the first"), v1, v).within(1e-13, EXACT);
                expect(case, Kind::Cd, named("velocity of the second"), v2, v).within(1e-13, EXACT);
            }
        }
    }
}

#[test]
fn a_pressed_pair_carries_627_newton() {
    pressed_pair::<D2>();
    pressed_pair::<D3>();
}

/// A grain of unit mass and radius thrown on a floor with u = (u_t, -1). It sticks if m_t (1 + e_t) u_t <= mu (1 + e_n)
/// and leaves with u_t+ = -e_t u_t; else u_t+ = u_t - mu (1 + e_n) / m_t.
fn thrown<D: Dim>(mass_t: f64) {
    for e_t in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        for (mu, e_n, u_t) in [(2.0, 0.0, 0.7), (2.0, 0.5, 0.7), (0.1, 0.5, 2.0), (0.1, 1.0, 0.3)] {
            let law = format!("{{ friction = {mu}, restitution = {{ normal = {e_n}, tangential = {e_t} }} }}");
            let mut stage = Stage::<D>::with_law(&law, Scheme::Midpoint, 1e-3, 1e-13);
            stage.plane("floor", D::Vec::ZERO, upward::<D>());
            let grain = stage.grain(upward::<D>(), 1.0, 1.0);
            stage.twist(grain).v = along::<D>(0) * u_t - upward::<D>();
            stage.step();
            let u = stage.world.network().contacts[0].velocity(&stage.world.bodies.twist);
            let sticks = mass_t * (1.0 + e_t) * u_t <= mu * (1.0 + e_n);
            let expected = if sticks { -e_t * u_t } else { u_t - mu * (1.0 + e_n) / mass_t };
            let of = |part: &str| format!("{}: u_{part} for mu = {mu}, e_n = {e_n}, e_t = {e_t}", D::ROUND);
            let case = "tangential restitution";
            expect(case, Kind::Cd, of("t"), u.get(0), expected).within(1e-12, EXACT);
            expect(case, Kind::Cd, of("n"), u.dot(upward::<D>()), e_n).within(1e-12, EXACT);
        }
    }
}

#[test]
fn the_tangential_velocity_comes_back_where_friction_holds() {
    thrown::<D2>(1.0 / 3.0);
    thrown::<D3>(2.0 / 7.0);
}

#[test]
fn bodies_that_yield_bounce_less() {
    // 16 times the yield velocity: e = 0.9 / 2; at the yield velocity 0.9
    for (speed, e) in [(0.1, 0.9), (1.6, 0.45)] {
        let law = "{ friction = 0, restitution = { normal = { below_yield = 0.9, yield_velocity = 0.1 } } }";
        let mut stage = Stage::<D3>::with_law(law, Scheme::Midpoint, 1e-3, 1e-13);
        stage.plane("floor", upward::<D3>() * 0.0, upward::<D3>());
        let grain = stage.grain(upward::<D3>(), 1.0, 1.0);
        stage.twist(grain).v = upward::<D3>() * -speed;
        stage.step();
        let v = stage.twist(grain).v.get(2);
        let quantity = format!("u+/u- at {speed} m/s");
        expect("restitution falls with the speed", Kind::Cd, quantity, v / speed, e).within(1e-14, EXACT);
    }
}

/// A ball dropped from 0.1 m: with e > 0 every closed contact bounces, none stays; with e = 0 the first one stays.
fn dropped<D: Dim>(e: f64) -> (usize, f64) {
    let law = format!("{{ friction = 0.5, restitution = {e} }}");
    let mut stage = Stage::<D>::with_law(&law, Scheme::Midpoint, 1e-3, 1e-13);
    stage.world.gravity = upward::<D>() * -G;
    stage.plane("floor", D::Vec::ZERO, upward::<D>());
    let grain = stage.grain(upward::<D>() * 0.11, 0.01, 1.0);
    let (mut bounces, mut worst) = (0, 0.0_f64);
    for _ in 0..2000 {
        let before = stage.twist(grain).v.dot(upward::<D>());
        stage.step();
        if stage.world.network().memory.iter().any(|memory| memory.regime != Regime::Open) {
            bounces += 1;
            let after = stage.twist(grain).v.dot(upward::<D>());
            if before < 0.0 {
                // u+ is what is left of the velocity that gravity gives in a step: slow bounces have its rounding
                worst = worst.max((after + e * before).abs() / before.abs().max(G * stage.dt()));
            }
        }
    }
    (bounces, worst)
}

#[test]
fn a_bouncing_ball_never_stays_and_a_dead_one_does_at_once() {
    let case = "dropped ball";
    let (bounces, worst) = dropped::<D2>(0.5);
    assert!(bounces > 10, "{bounces}");
    expect(case, Kind::Cd, "e = 1/2: largest deviation of u+/u- from -1/2", worst, 0.0).within(1e-13, EXACT);
    // it falls for 0.1428 s; every later step has a closed contact at rest
    let (closed, worst) = dropped::<D2>(0.0);
    expect(case, Kind::Cd, "e = 0: largest velocity of a closed contact", worst, 0.0).within(1e-14, EXACT);
    expect(case, Kind::Cd, "e = 0: steps in contact", closed as f64, 2000.0 - 142.8).within(1e-3, "a step");
}
