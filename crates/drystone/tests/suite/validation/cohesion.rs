//! Cohesion with a force F_C and an energy E_C. [Brendel section 1.8, Fig. 1.9]
//!
//! A bound pair parts if its relative kinetic energy is more than E_C, and keeps the rest; whatever the time step.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::method::cd::Scheme;

use super::expect::expect;
use super::stage::{G, Stage, along, upward};

const F_C: f64 = 2.0;
const D_C: f64 = 0.5; // E_C = 1 J
const LAW: &str = "{ friction = 0.5, cohesion = { force = 2, energy = 1 } }";
const SCHEMES: [Scheme; 2] = [Scheme::Euler, Scheme::Midpoint];

/// Two bound grains of 1 and 3 kg (reduced 3/4 kg) that move apart with `u`, or that a kick moves so.
fn bound_pair<D: Dim>(law: &str, scheme: Scheme, dt: f64, u: f64) -> Stage<D> {
    let mut stage = Stage::<D>::with_law(law, scheme, dt, 1e-13);
    let (a, b) = (stage.grain(along::<D>(0) * -1.0, 1.0, 1.0), stage.grain(along::<D>(0), 1.0, 3.0));
    stage.step(); // they touch at rest, and are bound
    stage.twist(a).v = along::<D>(0) * (-0.75 * u);
    stage.twist(b).v = along::<D>(0) * (0.25 * u);
    stage
}

/// Speed at which a pair moves apart.
fn opening<D: Dim>(stage: &mut Stage<D>) -> f64 {
    (stage.twist(1).v - stage.twist(0).v).get(0)
}

fn is_bound<D: Dim>(stage: &Stage<D>) -> bool {
    stage.world.network().memory.iter().any(|memory| memory.bond.is_some())
}

fn parts_or_not<D: Dim>() {
    let case = "rupture of a cohesive pair";
    for scheme in SCHEMES {
        for dt in [1e-4, 1e-3, 1e-2, 0.1, 1.0] {
            let of = |what: &str| format!("{}D, {}, dt = {dt} s: {what}", D::DIMENSION, scheme.name());
            // 1.5 J, 1.01 J: parts with 0.5 J, 0.01 J
            for energy in [1.5_f64, 1.01] {
                let mut stage = bound_pair::<D>(LAW, scheme, dt, (energy / 0.375).sqrt());
                let steps = (0..100_000)
                    .take_while(|_| {
                        stage.step();
                        is_bound(&stage)
                    })
                    .count();
                assert!(steps < 100_000, "{} J part", energy);
                stage.run(10);
                let left = 0.375 * opening(&mut stage).powi(2);
                let quantity = of(&format!("energy left of {energy} J"));
                expect(case, Kind::Cd, quantity, left, energy - 1.0).within(1e-9, "exact work at rupture: rounding");
            }
            // 0.99 J do not part it: it stops after 0.99 J / F_C, weakened, and is not pulled back
            let mut stage = bound_pair::<D>(LAW, scheme, dt, (0.99_f64 / 0.375).sqrt());
            stage.run(100 + (2.0 / dt) as usize);
            let stop = stage.x(1) - stage.x(0);
            let still = opening(&mut stage).abs() / 1.6;
            expect(case, Kind::Cd, of("speed of 0.99 J in the end"), still, 0.0).within(1e-13, "it holds");
            stage.run(100);
            let moved = ((stage.x(1) - stage.x(0)) - stop).norm();
            expect(case, Kind::Cd, of("path of a weakened pair"), moved, 0.0).within(1e-12, "not pulled back");
            if dt <= 1e-3 {
                let gap = stop.norm() - 2.0;
                expect(case, Kind::Cd, of("gap of a weakened pair"), gap, 0.99 / F_C).within(4.0 * dt, "a step");
            }
        }
    }
}

#[test]
fn a_pair_parts_if_its_energy_is_above_the_bond_whatever_the_step() {
    parts_or_not::<D2>();
    parts_or_not::<D3>();
}

/// A grain of weight F hangs under a ceiling. F < F_C holds for ever; F > F_C leaves with (F - F_C) d_C at rupture.
fn hangs<D: Dim>() {
    let case = "a grain hangs";
    for scheme in SCHEMES {
        for (weight, dt) in [(1.999, 1e-3), (2.5, 1e-4), (2.5, 1e-3), (2.5, 1e-2), (4.0, 1e-3)] {
            let mut stage = Stage::<D>::with_law(LAW, scheme, dt, 1e-13);
            stage.plane("ceiling", D::Vec::ZERO, -upward::<D>());
            let grain = stage.grain(-upward::<D>(), 1.0, weight / G);
            stage.step();
            stage.world.gravity = upward::<D>() * -G;
            let fall = |stage: &Stage<D>| -1.0 - stage.x(grain).dot(upward::<D>());
            let of = |what: &str| format!("{}D, {}, {weight} N, dt = {dt} s: {what}", D::DIMENSION, scheme.name());
            if weight < F_C {
                stage.run(1000);
                expect(case, Kind::Cd, of("path"), fall(&stage), 0.0).within(1e-13, "it holds: rounding");
                expect(case, Kind::Cd, of("pull"), stage.force_on(grain).norm(), weight).within(1e-11, "its weight");
                continue;
            }
            let steps = (0..100_000)
                .take_while(|_| {
                    stage.step();
                    is_bound(&stage)
                })
                .count();
            assert!(steps < 100_000);
            let energy = stage.kinetic_energy();
            let expected = (weight - F_C) * D_C;
            let v = (2.0 * expected * G / weight).sqrt();
            expect(case, Kind::Cd, of("energy at rupture"), energy, expected)
                .within(weight * v * dt / expected, "what falls in a step: F v dt");
            if scheme == Scheme::Midpoint {
                let balance = weight * fall(&stage) - F_C * D_C;
                expect(case, Kind::Cd, of("energy by the path"), energy, balance).within(1e-9, "m g x - E_C exactly");
            }
        }
    }
}

#[test]
fn a_grain_hangs_if_its_weight_is_below_the_force() {
    hangs::<D2>();
    hangs::<D3>();
}

/// At a vertical wall nothing but cohesion presses: a block stays iff its weight is at most mu F_C, and else slides
/// down with g - mu F_C / m.
fn at_a_wall<D: Dim>() {
    let case = "a block at a vertical wall";
    for (factor, scheme) in [(0.999, SCHEMES[0]), (0.999, SCHEMES[1]), (1.5, SCHEMES[0]), (1.5, SCHEMES[1])] {
        let law = "{ friction = 0.5, rolling = { length = \"1 km\" }, cohesion = { force = 2, range = 0.1 } }";
        let mut stage = Stage::<D>::with_law(law, scheme, 1e-3, 1e-13);
        let mass = factor * 0.5 * F_C / G;
        stage.plane("wall", D::Vec::ZERO, along::<D>(0));
        let grain = stage.grain(along::<D>(0), 1.0, mass);
        stage.step();
        stage.world.gravity = upward::<D>() * -G;
        stage.run(500);
        let v = -stage.twist(grain).v.dot(upward::<D>());
        let expected = if factor < 1.0 { 0.0 } else { (G - 0.5 * F_C / mass) * 0.5 };
        let quantity = format!("{}D, {}: speed at {factor} mu F_C after 0.5 s", D::DIMENSION, scheme.name());
        expect(case, Kind::Cd, quantity, v, expected).within(1e-11, "constant forces: rounding");
        let off = stage.twist(grain).v.get(0).abs();
        assert!(off < 1e-13, "it stays at the wall: {off}");
    }
}

#[test]
fn cohesion_presses_for_friction() {
    at_a_wall::<D2>();
    at_a_wall::<D3>();
}

/// Without range a shock p on one of two equal grains opens the contact iff p / (2 dt) > F_C: the step is physics.
fn zero_range<D: Dim>() {
    let case = "cohesion without range";
    for (dt, opens) in [(1e-3, true), (0.1, true), (0.4, false), (1.0, false)] {
        let law = "{ friction = 0, cohesion = { zero_range = 2 } }";
        let mut stage = Stage::<D>::with_law(law, Scheme::Euler, dt, 1e-13);
        let (a, b) = (stage.grain(along::<D>(0) * -1.0, 1.0, 1.0), stage.grain(along::<D>(0), 1.0, 1.0));
        stage.step();
        stage.twist(b).v = along::<D>(0); // p = 1 N s: p / (2 dt) = F_C at dt = 0.25 s
        stage.step();
        let u = (stage.twist(b).v - stage.twist(a).v).get(0);
        let expected = if opens { 1.0 - 2.0 * F_C * dt } else { 0.0 };
        let quantity = format!("{}D: speed apart after the same shock, dt = {dt} s", D::DIMENSION);
        expect(case, Kind::Cd, quantity, u, expected).within(1e-13, "one contact: rounding");
        assert_eq!(is_bound(&stage), !opens, "dt = {dt}");
    }
}

#[test]
fn without_range_the_time_step_decides() {
    zero_range::<D2>();
    zero_range::<D3>();
}
