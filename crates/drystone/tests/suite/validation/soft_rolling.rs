//! Rolling and torsion laws of soft grains in a run: how far a rolling grain gets, and how long one spins.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::soft::Soft;
use super::stage::{G, along, upward};

const STIFFNESS: f64 = 1e6;
const RADIUS: f64 = 0.1;
const DT: f64 = 5e-5;

/// A grain of mass 1 at rest on a floor, in the balance of its weight.
fn on_floor<D: Dim>(rest: &str) -> (Soft<D>, usize) {
    let text = format!(
        "friction = 0.5, {rest} normal = {{ law = \"hooke\", stiffness = {STIFFNESS:e}, restitution = 0.5 }}, \
         tangential = {{ law = \"cundall_strack\", stiffness_ratio = 0.8, damping = 200 }} }}"
    );
    let mut soft = Soft::<D>::new(&text, DT);
    let up = upward::<D>();
    soft.world.gravity = up * -G;
    soft.plane(up * 0.0, up);
    let grain = soft.grain(up * (RADIUS - G / STIFFNESS), RADIUS, 1.0);
    (soft, grain)
}

/// Path [m] of a grain that starts rolling with `speed`, until it turns back or goes slower than `end`.
fn path<D: Dim>(rest: &str, speed: f64, end: f64) -> f64 {
    let (mut soft, grain) = on_floor::<D>(rest);
    let (along, up) = (along::<D>(0), upward::<D>());
    // v + w x arm = 0 at the floor
    soft.twist(grain).v = along * speed;
    soft.twist(grain).w = D::torque(up, along) * (speed / (RADIUS * (1.0 - G / STIFFNESS / RADIUS)));
    let start = soft.x(grain);
    while soft.twist(grain).v.dot(along) > end {
        soft.step();
        assert!(soft.world.clock.time < 10.0, "it rolls on and on");
    }
    (soft.x(grain) - start).dot(along)
}

/// m a (1 + I / (m r^2)) = resisting torque / r, or the force of Kondic's law: 7/5 m for spheres and 3/2 m for discs.
fn rolls<D: Dim>(inertia: f64) {
    let case = "rolling laws of soft grains";
    let named = |what: &str| format!("{}: path of {what}", D::ROUND);
    let (speed, lever) = (0.2, 1e-3);
    let exact = speed * speed * inertia * RADIUS / (2.0 * lever * G);
    let why = "the contact lags by its spring, v sqrt(m / k)";
    let zhou = format!("rolling = {{ length = {lever} }}, md = {{ rolling = {{ law = \"zhou\" }},");
    expect(case, Kind::Md, named("Zhou's torque"), path::<D>(&zhou, speed, 0.0), exact).within(1e-3, why);
    let part = lever / RADIUS;
    let kondic = format!("md = {{ rolling = {{ law = \"kondic\", coefficient = {part} }},");
    expect(case, Kind::Md, named("Kondic's force"), path::<D>(&kondic, speed, 0.0), exact).within(1e-3, why);
    // Zhu and Yu: constant down to the spin mu_R f_n / c, where viscous resistance takes over: v falls exponentially,
    // with c / (inertia m r^2), until a quarter of it is left
    let damping = 0.01;
    let last = lever * G / damping * RADIUS;
    assert!(0.25 * speed < last && last < 0.75 * speed, "both parts count");
    let decay = damping / (inertia * RADIUS * RADIUS);
    let both = exact * (1.0 - (last / speed).powi(2)) + 0.75 * last / decay;
    let zhu_yu =
        format!("rolling = {{ length = {lever} }}, md = {{ rolling = {{ law = \"zhu_yu\", damping = {damping} }},");
    expect(case, Kind::Md, named("Zhu and Yu's torque"), path::<D>(&zhu_yu, speed, 0.25 * last), both)
        .within(1e-3, why);
}

#[test]
fn rolling_grains_stop_where_they_should() {
    rolls::<D3>(1.4);
    rolls::<D2>(1.5);
}

/// A sphere that spins about the normal: the spring winds up to its limit within a fraction of a turn, then the spin
/// falls evenly: I w / (mu_n m g) = 2 r^2 w / (5 mu_n g).
#[test]
fn a_spinning_sphere_stops_when_it_should() {
    let case = "torsion laws of soft grains";
    let (lever, spin) = (1e-3, 5.0);
    let exact = 0.4 * RADIUS * RADIUS * spin / (lever * G);
    let laws =
        [("elastic-plastic spring", ""), ("Zhu and Yu's torque", "torsion = { law = \"zhu_yu\", damping = 1 }, ")];
    for (name, law) in laws {
        let (mut soft, grain) = on_floor::<D3>(&format!("torsion = {{ length = {lever} }}, md = {{ {law}"));
        soft.twist(grain).w = upward::<D3>() * spin;
        while soft.twist(grain).w.get(2) > 1e-3 * spin {
            soft.step();
            assert!(soft.world.clock.time < 10.0, "it spins on and on");
        }
        let found = soft.world.clock.time;
        expect(case, Kind::Md, format!("{name}: time until it stands"), found, exact)
            .within(5e-3, "a thousandth of the spin is left; the spring winds up first");
        assert!(soft.twist(grain).w.tangent_to(upward::<D3>()).norm() < 1e-9 && soft.twist(grain).v.norm() < 1e-6);
    }
}
