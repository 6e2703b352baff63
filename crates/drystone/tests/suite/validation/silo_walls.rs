//! The walls of a silo carry the weight of what is in it: pressure and shear over their areas, from the shape of the
//! silo alone.

use std::path::Path;

use drystone::input::Reader;
use drystone::measure::FrameMeasure;
use drystone::measure::frame::wall_pressure::WallPressure;
use drystone::measure::frame::{FrameView, MeasureOptions};
use drystone::method::Kind;
use drystone::record::Frame;
use drystone::scenario::AnyScenario;
use drystone::scenario::template::Template;
use drystone::sim;

use super::expect::expect;
use super::stage::G;
use super::stored::frames;

/// Sides of a wall of the template, as its points say: where each begins, and unit vectors along it and to the grains.
fn sides(points: &[[f64; 2]], inwards: f64) -> Vec<([f64; 2], [f64; 2])> {
    let side = |ends: &[[f64; 2]]| {
        let way = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
        let length = way[0].hypot(way[1]);
        let along = way.map(|x| x / length);
        (along, [-along[1] * inwards, along[0] * inwards])
    };
    points.windows(2).map(side).collect()
}

/// Sum of pressure and shear times area over the strips of a wall, as a vector; and the sum over each of its sides.
fn carried(frame: &Frame, scenario: &AnyScenario, name: &str, sides: &[([f64; 2], [f64; 2])]) -> Vec<[f64; 2]> {
    let (setting, options) =
        (scenario.setting(), MeasureOptions { bins: 30, wall: Some(name.into()), ..MeasureOptions::default() });
    let rows =
        WallPressure.rows(&FrameView::whole(frame, &setting, &options)).unwrap_or_else(|nothing| panic!("{nothing}"));
    let mut sums = vec![[0.0; 2]; sides.len()];
    for row in rows {
        let (along, normal) = sides[row[0] as usize];
        let (pressure, shear, area) = (row[4], row[5], row[7]);
        for axis in 0..2 {
            sums[row[0] as usize][axis] += (shear * along[axis] - pressure * normal[axis]) * area;
        }
    }
    sums
}

/// 300 grains fill the template's hopper and a part of its shaft, and rest on the gate.
#[test]
fn the_walls_of_a_silo_carry_its_weight() {
    let settings = ["grains.0.count=300", "grains.0.place.max=[\"58 mm\", \"130 mm\"]", "seed=2", "stop.at=1 s"];
    let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
    let text = Template::find("silo").unwrap().text.replace("[[stage]]\nname  = \"flow\"", "[[rest]]");
    let text = text.split("[[rest]]").next().unwrap().to_string()
        + "[method]\nuse = \"cd\"\n[method.cd]\ntime_step = \"0.25 ms\"\n";
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("silo_walls");
    let _ = std::fs::remove_dir_all(&path);
    let scenario = AnyScenario::parse("silo", &text, &settings, Reader::default()).unwrap_or_else(|m| panic!("{m}"));
    let mut run = sim::start(&scenario, Path::new("."), &path, true).unwrap_or_else(|error| panic!("{error}"));
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    let last = frames(&path).pop().unwrap();
    let weight = last.grains.mass.iter().sum::<f64>() * G;
    let left = carried(&last, &scenario, "left", &sides(&[[-0.06, 0.4], [-0.06, 0.055], [-0.02, 0.0]], 1.0));
    let right = carried(&last, &scenario, "right", &sides(&[[0.06, 0.4], [0.06, 0.055], [0.02, 0.0]], -1.0));
    let gate = carried(&last, &scenario, "gate", &sides(&[[-0.02, 0.0], [0.02, 0.0]], 1.0));
    let sum = |axis: usize| left.iter().chain(&right).chain(&gate).map(|force| force[axis]).sum::<f64>();
    let case = "walls of a silo";
    expect(case, Kind::Cd, "weight that the walls carry, over the weight", -sum(1) / weight, 1.0)
        .within(0.01, "the case asks for 1 %");
    expect(case, Kind::Cd, "force sideways over the weight", sum(0) / weight, 0.0).within(0.01, "the same");
    // the hopper carries most of it: each of its walls as much as the frame says of the contacts below the shaft
    for (name, number, found) in [("left", 0, left[1]), ("right", 1, right[1])] {
        let contacts = &last.contacts;
        let below = |k: &usize| contacts.a[*k] == -1 - number && contacts.from[*k][1] < 0.055;
        let force = (0..contacts.a.len()).filter(below).map(|k| -contacts.force(k)[1]).sum::<f64>();
        assert!(-force > 0.1 * weight, "the hopper carries something: {force}");
        expect(case, Kind::Cd, format!("{name} wall of the hopper, over its contacts"), found[1] / force, 1.0)
            .within(0.01, "the case asks for 1 %");
    }
}
