//! Conditions that every soft law of the lists must satisfy.

use glam::{DQuat, DVec2, DVec3};

use super::tangential::Slip;
use super::tests::UNIT;
use super::*;
use crate::dim::{D2, D3, Dim, Vector};
use crate::law::tests::read;
use normal::{Losses, Squeeze};

/// Examples of normal laws. For a kind that is not here, an example is made from its required keys.
const NORMAL: &[&str] = &[
    "{ law = \"hooke\", stiffness = 2, restitution = 0.6 }",
    "{ law = \"power\", stiffness = 2, exponent = 1.2, restitution = 0.6, at = 0.5 }",
    "{ law = \"hertz\", young = 2, poisson = 0.3 }",
    "{ law = \"hertz_viscoelastic\", young = 2, poisson = 0.3, restitution = 0.6, at = 0.5 }",
    "{ law = \"hertz_tsuji\", young = 2, poisson = 0.3, restitution = 0.6 }",
    "{ law = \"walton_braun\", stiffness = 2, restitution = 0.6 }",
];

/// Examples of tangential laws.
const TANGENTIAL: &[&str] = &[
    "{ law = \"coulomb\" }",
    "{ law = \"viscous\", damping = 0.1 }",
    "{ law = \"viscous_coulomb\", damping = 0.3 }",
    "{ law = \"cundall_strack\", stiffness_ratio = 0.8, damping = 0.1 }",
    "{ law = \"mindlin\", poisson = 0.3 }",
    "{ law = \"walton_braun\", poisson = 0.3 }",
];

const FRICTION: f64 = 0.4;

fn tangential() -> Vec<TangentialLaw> {
    let friction = Friction::constant(FRICTION);
    let law = |text: &String| read::<TangentialChoice>(text).law(&friction, Some(0.3));
    all(TANGENTIAL, &TangentialChoice::examples()).iter().map(law).collect()
}

/// The kind of an example.
fn kind(text: &str) -> &str {
    text.split('"').nth(1).unwrap_or_default()
}

/// The examples above, and those of all kinds that are not among them.
fn all(above: &[&str], made: &[String]) -> Vec<String> {
    let is_new = |text: &&String| !above.iter().any(|known| kind(known) == kind(text));
    above.iter().map(|text| text.to_string()).chain(made.iter().filter(is_new).cloned()).collect()
}

#[test]
fn every_kind_has_an_example() {
    let names = |texts: &[String]| texts.iter().map(|text| kind(text).to_string()).collect::<Vec<_>>();
    let kinds = |kinds: &[(&str, &str)]| kinds.iter().map(|(key, _)| key.to_string()).collect::<Vec<_>>();
    assert_eq!(names(&NormalChoice::examples()), kinds(NormalChoice::KINDS));
    assert_eq!(names(&TangentialChoice::examples()), kinds(TangentialChoice::KINDS));
    assert_eq!(all(NORMAL, &NormalChoice::examples()).len(), NormalChoice::KINDS.len(), "each is tried once");
    assert_eq!(all(TANGENTIAL, &TangentialChoice::examples()).len(), TangentialChoice::KINDS.len());
}

#[test]
fn normal_laws_push_give_the_restitution_asked_for_and_never_create_energy() {
    for text in all(NORMAL, &NormalChoice::examples()) {
        let record = read::<NormalChoice>(&text);
        let law = record.as_dyn().law(1.0);
        let e = collision::head_on(&*law, UNIT, 0.5).restitution;
        let expected = match record.as_dyn().losses() {
            Losses::Restitution(e) => e,
            _ if kind(&text) == "hertz" => 1.0,
            _ => e.min(1.0),
        };
        assert!((e - expected).abs() < 1e-4, "{text}: {e}"); // steps of 1/2000 of the unit of time
        for (overlap, rate) in [(1e-6, 1.0), (0.01, -5.0), (0.3, 0.0), (0.3, -0.1)] {
            let mut deepest = 0.0;
            let push = law.push(UNIT, Squeeze { overlap, rate }, &mut deepest);
            assert!(push.force >= 0.0 && push.stiffness > 0.0 && push.damping >= 0.0, "{text}: {push:?}");
            // the slope of the stored energy is the force without its dashpot
            let stored = |overlap: f64| law.stored(UNIT, overlap, deepest);
            let slope = (stored(overlap * 1.0001) - stored(overlap * 0.9999)) / (2e-4 * overlap);
            let elastic = law.push(UNIT, Squeeze { overlap, rate: 0.0 }, &mut deepest.clone()).force;
            let is_latched = law.remembers(); // loading stores less than it takes
            assert!(is_latched || (slope / elastic - 1.0).abs() < 1e-6, "{text}: {slope} {elastic}");
        }
    }
}

/// A slip path that turns back, stops, and moves sideways.
fn way(k: usize) -> DVec2 {
    let t = k as f64 * 0.05;
    DVec2::new(libm::sin(t), 0.5 * libm::sin(1.7 * t) + if k.is_multiple_of(40) { 0.0 } else { 0.1 })
}

fn forces<D: Dim>(law: &TangentialLaw, normal: D::Vec, velocity: impl Fn(DVec2) -> D::Vec) -> Vec<D::Vec> {
    let mut memory = SoftMemory::<D>::default();
    let force = |k: usize| {
        memory.turn(Turning::Projection, normal);
        let press = 1.0 + 0.5 * libm::cos(k as f64 * 0.03);
        let slip = Slip {
            normal,
            velocity: velocity(way(k)),
            press,
            stiffness: 2.0,
            damping: 0.2,
            dt: 0.01,
            ahead: 0.01,
            brake: f64::INFINITY,
        };
        let force = law.of::<D>().force(&slip, &mut memory);
        let is_limited = law.grip().is_some();
        assert!(!is_limited || force.norm() <= FRICTION * press * (1.0 + 1e-12), "{law:?}: {force:?}"); // roundings
        force
    };
    (0..400).map(force).collect()
}

#[test]
fn friction_is_bounded_and_rotating_the_frame_rotates_it() {
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.0, 2.0);
    for law in tangential() {
        let flat = forces::<D3>(&law, DVec3::Z, |way| DVec3::new(way.x, way.y, 0.0));
        let turned = forces::<D3>(&law, turn * DVec3::Z, |way| turn * DVec3::new(way.x, way.y, 0.0));
        for (one, other) in flat.iter().zip(&turned) {
            // rounding errors, which the cube root magnifies where the remaining friction vanishes
            assert!((turn * *one - *other).length() < 1e-6, "{law:?}: {one} {other}");
        }
    }
}

#[test]
fn space_held_in_a_plane_is_the_plane() {
    for law in tangential() {
        let plane = forces::<D2>(&law, DVec2::Y, |way| DVec2::new(way.x, 0.0));
        let space = forces::<D3>(&law, DVec3::Y, |way| DVec3::new(way.x, 0.0, 0.0));
        for (one, other) in plane.iter().zip(&space) {
            assert!((one.x - other.x).abs() < 1e-12 && other.z == 0.0, "{law:?}: {one} {other}");
        }
    }
}

#[test]
fn a_pair_that_turns_as_one_body_keeps_its_force() {
    for turning in Turning::ALL {
        let mut memory = SoftMemory::<D3> { spring: DVec3::X * 0.1, normal: DVec3::Z, ..SoftMemory::default() };
        let law = read::<TangentialChoice>(TANGENTIAL[3]).law(&Friction::constant(1e9), None);
        let steps = 1000;
        for k in 1..=steps {
            // the normal goes round in the plane of the spring
            let angle = f64::from(k) / f64::from(steps);
            let normal = DVec3::new(libm::sin(angle), 0.0, libm::cos(angle));
            memory.turn(*turning, normal);
            let slip = Slip {
                normal,
                velocity: DVec3::ZERO,
                press: 1.0,
                stiffness: 2.0,
                damping: 0.2,
                dt: 1e-3,
                ahead: 0.0,
                brake: f64::INFINITY,
            };
            let force = law.of::<D3>().force(&slip, &mut memory);
            let expected = DVec3::new(libm::cos(angle), 0.0, -libm::sin(angle)) * -0.16;
            assert!((force - expected).length() < 1e-12, "{turning:?}: {force} {expected}");
        }
    }
}
