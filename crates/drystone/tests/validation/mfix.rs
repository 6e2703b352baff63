//! Cases of the MFIX-DEM verification manual, P26: bounces, a squeezed pair, a ball that slips.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use crate::expect::expect;
use crate::soft::Soft;
use crate::stage::{G, along, upward};

/// DEM02: heights of bounces (h - r) e^(2 k) + r, in the limit of hard grains.
#[test]
fn bounces_of_a_hard_ball() {
    let (e, radius, drop) = (0.8_f64, 0.1, 0.5);
    let text = format!("friction = 0, restitution = {e}, md = {{ normal = {{ law = \"hooke\", stiffness = 1e8 }} }}");
    let mut ball = Soft::<D3>::new(&text, 1e-6);
    let up = upward::<D3>();
    ball.world.gravity = up * -G;
    ball.plane(up * 0.0, up);
    let grain = ball.grain(up * (drop + radius), radius, 10.0);
    let mut bounce = 0;
    let mut before = 0.0;
    while bounce < 3 {
        ball.step();
        let v = ball.twist(grain).v.get(2);
        if before > 0.0 && v <= 0.0 {
            bounce += 1;
            let (height, exact) = (ball.x(grain).get(2) - radius, drop * e.powi(2 * bounce));
            let quantity = format!("height of bounce {bounce}");
            expect("MFIX DEM02: bounces", Kind::Md, quantity, height, exact)
                .within(5e-3, "gravity acts for g t_c / v = 3e-3 of a bounce");
        }
        before = v;
    }
}

/// DEM03: two equal spheres squeezed between planes 3.6 r apart, all in contact. They swing about their rest with
/// sqrt(3 k / m), and both about -m g / k with sqrt(k / m).
#[test]
fn a_squeezed_pair() {
    let (radius, k, mass) = (0.5, 1e3_f64, 1.0_f64);
    let mut pair =
        Soft::<D3>::new("friction = 0, md = { normal = { law = \"hooke\", stiffness = 1e3, damping = 0 } }", 1e-4);
    let up = upward::<D3>();
    let height = 3.6 * radius;
    pair.world.gravity = up * -G;
    pair.plane(up * 0.0, up);
    pair.plane(up * height, -up);
    let lower = pair.grain(up * (0.25 * height), radius, mass);
    let upper = pair.grain(up * (0.75 * height), radius, mass);
    let w = (k / mass).sqrt();
    let (rest, swing, sag) = (13.0 / 15.0 * radius, radius / 30.0, mass * G / k);
    for _ in 0..4000 {
        pair.step();
    }
    let t = pair.world.clock.time;
    let (apart, down) = (swing * (3.0_f64.sqrt() * w * t).cos(), sag * (1.0 - (w * t).cos()));
    let case = "MFIX DEM03: a squeezed pair";
    expect(case, Kind::Md, "lower sphere", pair.x(lower).get(2), rest + apart - down).within(1e-4, "steps of 1/2000");
    let exact = height - rest - apart - down;
    expect(case, Kind::Md, "upper sphere", pair.x(upper).get(2), exact).within(1e-4, "steps of 1/2000");
}

/// DEM04: a round grain set down with u0 slips for c u0 / (mu g) and rolls on with (1 - c) u0; c = 2/7 for spheres and 1/3
/// for discs.
fn slips<D: Dim>(part: f64) {
    let (mu, speed, radius, mass) = (0.3, 1.0, 0.1, 1.0);
    let text = format!(
        "friction = {mu}, restitution = 0.5, md = {{ normal = {{ law = \"hooke\", stiffness = 1e6 }}, \
         tangential = {{ law = \"cundall_strack\", stiffness_ratio = 0.8, damping = 100 }} }}"
    );
    let mut ball = Soft::<D>::new(&text, 2e-5);
    let up = upward::<D>();
    ball.world.gravity = up * -G;
    ball.plane(up * 0.0, up);
    let grain = ball.grain(up * (radius - mass * G / 1e6), radius, mass);
    ball.twist(grain).v = along::<D>(0) * speed;
    let slip_time = part * speed / (mu * G);
    let half = (0.5 * slip_time / 2e-5) as u64;
    let case = "MFIX DEM04: a ball that slips";
    let named = |what: &str| format!("{}: {what}", D::ROUND);
    for _ in 0..half {
        ball.step();
    }
    let slowed = speed - ball.twist(grain).v.get(0);
    let exact = mu * G * half as f64 * 2e-5;
    expect(case, Kind::Md, named("velocity lost while it slips"), slowed, exact)
        .within(2e-3, "a stretch of the spring");
    for _ in 0..2 * half {
        ball.step();
    }
    let v = ball.twist(grain).v.get(0);
    expect(case, Kind::Md, named("velocity once it rolls"), v, (1.0 - part) * speed).within(2e-3, "same");
}

#[test]
fn a_slipping_ball_ends_up_rolling() {
    slips::<D3>(2.0 / 7.0);
    slips::<D2>(1.0 / 3.0);
}
