//! Cases of the MFIX-DEM verification manual, P26: bounces, a squeezed pair, a ball that slips.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::soft::Soft;
use super::stage::{G, along, upward};

/// A ball on a linear spring and dashpot under gravity, from the first touch: height above the touch and velocity.
fn in_contact(omega: f64, zeta: f64, speed: f64, t: f64) -> (f64, f64) {
    let (beta, wd) = (zeta * omega, omega * (1.0 - zeta * zeta).sqrt());
    let sag = G / (omega * omega);
    let (a, b) = (sag, (beta * sag - speed) / wd);
    let (sin, cos) = (wd * t).sin_cos();
    let fade = (-beta * t).exp();
    (fade * (a * cos + b * sin) - sag, fade * ((b * wd - beta * a) * cos - (a * wd + beta * b) * sin))
}

/// DEM01: a ball falls, is in contact, and rises: three stages with known solutions. The dashpot is not cut, as in the
/// manual.
#[test]
fn a_ball_falls_and_rebounds() {
    let case = "MFIX DEM01: a ball falls and rebounds";
    let (radius, drop, mass, k) = (0.1, 0.5, 10.0, 5e4_f64);
    for e in [0.5_f64, 0.8, 1.0] {
        let zeta = -e.ln() / (std::f64::consts::PI.powi(2) + e.ln().powi(2)).sqrt();
        let text = format!(
            "friction = 0, md = {{ normal = {{ law = \"hooke\", stiffness = {k}, damping = {}, cut = false }} }}",
            2.0 * zeta * (k * mass).sqrt()
        );
        let dt = 1e-5;
        let mut ball = Soft::<D3>::new(&text, dt);
        let up = upward::<D3>();
        ball.world.gravity = up * -G;
        ball.plane(up * 0.0, up);
        let grain = ball.grain(up * (drop + radius), radius, mass);
        let (fall, speed, omega) = ((2.0 * drop / G).sqrt(), (2.0 * drop * G).sqrt(), (k / mass).sqrt());
        // the contact ends where the height is zero again: between half a swing and a whole one
        let (mut low, mut high) = (2.0 / omega, 6.0 / omega);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if in_contact(omega, zeta, speed, middle).0 < 0.0 { low = middle } else { high = middle }
        }
        let leaves = in_contact(omega, zeta, speed, low).1;
        let exact = |t: f64| match t - fall {
            before if before <= 0.0 => drop - 0.5 * G * t * t,
            inside if inside <= low => in_contact(omega, zeta, speed, inside).0,
            after => leaves * (after - low) - 0.5 * G * (after - low).powi(2),
        };
        let stages = [
            ("falling", 0.5 * fall),
            ("deepest", fall + 0.4 * low),
            ("parting", fall + 0.9 * low),
            ("at the top", fall + low + leaves / G),
        ];
        for (name, time) in stages {
            while ball.world.clock.time < time {
                ball.step();
            }
            let (found, expected) = (ball.x(grain).get(2) - radius, exact(ball.world.clock.time));
            // heights over the drop, overlaps over the static one of speed sqrt(m / k)
            let scale = if expected < 0.0 { speed / omega } else { drop };
            let quantity = format!("e = {e}, {name}: height less the exact one, over the scale of the stage");
            expect(case, Kind::Md, quantity, (found - expected) / scale, 0.0)
                .within(1e-4, "the dashpot starts within a step of 1/4000 of the contact");
        }
    }
}

/// DEM05: spheres of aluminium oxide meet a plate of glass with 3.9 m/s at an angle, as Kharaz measured it: spin after
/// the collision. Linear springs as in the manual, k_t/k_n = 2/7, and Hertz springs with Mindlin's, whose ratio is the
/// material's.
#[test]
fn oblique_impact_as_it_was_measured() {
    let case = "MFIX DEM05: oblique impact (Kharaz)";
    let (radius, mu, e, speed) = (0.0025, 0.092, 0.98, 3.9);
    let mass = 4000.0 * 4.0 / 3.0 * std::f64::consts::PI * f64::powi(radius, 3);
    let linear = "normal = { law = \"hooke\", stiffness = 1e7 }, \
                  tangential = { law = \"cundall_strack\", stiffness_ratio = 0.2857142857 }";
    let hertz =
        "normal = { law = \"hertz_tsuji\", young = 7.6e11, poisson = 0.23 }, tangential = { law = \"mindlin\" }";
    for (name, laws) in [("linear", linear), ("Hertz and Mindlin", hertz)] {
        let text = format!("friction = {mu}, restitution = {e}, md = {{ {laws} }}");
        for (degrees, measured) in [(21.1_f64, 573.7), (31.1, 612.0), (50.2, 449.5), (70.0, 243.0)] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let mut ball = Soft::<D3>::new(&text, 3e-9);
            let up = upward::<D3>();
            ball.plane(up * 0.0, up);
            let grain = ball.grain(up * radius, radius, mass);
            ball.twist(grain).v = along::<D3>(0) * (speed * sin) - up * (speed * cos);
            ball.collide();
            let spin = ball.twist(grain).w.get(1);
            // sticking is a matter of the tangential law: linear springs of 2/7 are off by 15 % at 21 degrees, as other
            // codes are
            let tolerance = match (name, degrees < 30.0) {
                ("linear", true) => continue,
                (_, true) => 0.1,
                _ => 0.02,
            };
            let quantity = format!("{name} springs, {degrees} degrees: spin");
            expect(case, Kind::Md, quantity, spin, measured).within(tolerance, "a measurement; sticking at 21 degrees");
        }
    }
}

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

/// DEM04: a round grain set down with u0 slips for c u0 / (mu g) and rolls on with (1 - c) u0; c = 2/7 for spheres and
/// 1/3 for discs.
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
