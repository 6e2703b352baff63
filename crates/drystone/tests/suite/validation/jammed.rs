//! Frictionless packings that are just rigid are isostatic: as many contacts as degrees of freedom.
//!
//! Grains without friction are in equilibrium by d equations each, and every piston adds one. If contact forces follow
//! from them alone, contacts = d N + pistons for the N grains that carry [OHern]. In the bulk that is z = 2d.

use std::fs;
use std::path::Path;

use drystone::input::Reader;
use drystone::method::Kind;
use drystone::record::{Frame, RunFolder, frame_files};
use drystone::scenario::AnyScenario;
use drystone::sim;

use super::expect::expect;

/// Contacts and grains that are left when grains with fewer than d + 1 contacts are taken away, again and again.
fn carrying(frame: &Frame) -> (usize, usize) {
    let count = frame.grains.id.len();
    let mut contacts: Vec<(i32, i32)> =
        frame.contacts.a.iter().copied().zip(frame.contacts.b.iter().copied()).collect();
    loop {
        let mut degrees = vec![0; count];
        for (a, b) in &contacts {
            [*a, *b].iter().filter(|id| **id >= 0).for_each(|id| degrees[*id as usize] += 1);
        }
        let before = contacts.len();
        let holds = |id: i32| id < 0 || degrees[id as usize] > frame.dimension;
        contacts.retain(|(a, b)| holds(*a) && holds(*b));
        if contacts.len() == before {
            return (before, degrees.iter().filter(|degree| **degree > 0).count());
        }
    }
}

fn jammed(name: &str, changes: &[(&str, &str)]) {
    let mut text = fs::read_to_string(format!("../../scenarios/{name}.toml")).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let reader = Reader::new(".".into());
    let scenario = AnyScenario::parse(name, &text, &[], reader).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut run = sim::start(&scenario, Path::new("."), &out, true).unwrap_or_else(|error| panic!("{error}"));
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    let frames = RunFolder::open(&out).unwrap().frames();
    let frame = frame_files::read(&frames, *frame_files::numbers(&frames).unwrap().last().unwrap()).unwrap();
    let (contacts, grains) = carrying(&frame);
    let (total, d) = (frame.grains.id.len(), frame.dimension);
    assert!(grains > total * 4 / 5, "{grains} of {total} grains carry");
    expect(
        "a frictionless packing",
        Kind::Cd,
        format!("{d}D: contacts - degrees of freedom"),
        contacts as f64,
        (d * grains + d) as f64,
    )
    .within(0.0, "counted");
}

#[test]
fn a_frictionless_packing_is_isostatic() {
    // so small a residual tells contacts that carry a millionth of the mean force from open ones
    let changes = [
        ("= 250", "= 60"),
        ("400 mm", "200 mm"),
        ("\"1 kg\"", "\"500 g\""),
        ("\"4 s\"", "\"3 s\""),
        ("\"forces\"", "1e-9"),
    ];
    jammed("jammed", &changes);
    let changes = [("= 2000", "= 100"), ("160 mm", "62 mm"), ("\"2 kg\"", "\"300 g\""), ("\"standard\"", "1e-8")];
    jammed("jammed3d", &changes);
}
