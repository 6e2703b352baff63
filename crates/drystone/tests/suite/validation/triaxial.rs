//! The triaxial test as it comes out of the box: isotropic at its start, quasi-static, with the stresses of its plates.

use std::path::Path;

use drystone::input::Reader;
use drystone::method::Kind;
use drystone::scenario::AnyScenario;
use drystone::scenario::template::Template;
use drystone::sim;

use super::expect::expect;
use super::stored::column;

/// A quarter of the grains, sheared to a third of the strain, as fast as the whole sample.
const SMALL: [&str; 8] = [
    "grains.0.count=250",
    "grains.0.place.max=[\"17 mm\", \"17 mm\", \"17 mm\"]",
    "wall.3.point=[\"17 mm\", 0, 0]",
    "wall.4.point=[0, \"17 mm\", 0]",
    "wall.5.point=[0, 0, \"17 mm\"]",
    "stage.1.drive={ top = { velocity = [0, 0, \"-3.8 mm/s\"] } }",
    "stage.1.until={ strain = { between = [\"bottom\", \"top\"], beyond = 0.06 } }",
    "output.frames=\"1 s\"",
];

fn mean(part: &[f64]) -> f64 {
    part.iter().sum::<f64>() / part.len() as f64
}

#[test]
fn the_triaxial_test_starts_isotropic_and_is_quasi_static() {
    let text = Template::find("triaxial").unwrap().text;
    let settings = SMALL.map(str::to_string);
    let scenario = AnyScenario::parse("triaxial", text, &settings, Reader::new(".".into()));
    let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("triaxial");
    let mut run = sim::start(&scenario, Path::new("."), &out, true).unwrap_or_else(|error| panic!("{error}"));
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    let (case, of) = ("triaxial test of 250 spheres", |name: &str| column(&out, name));
    let (axial, volumetric) = (of("axial_strain"), of("volumetric_strain"));
    let sheared = axial.iter().position(|strain| strain.is_finite()).expect("it is sheared");
    let [xx, yy, zz] = ["stress_xx", "stress_yy", "stress_zz"].map(&of);

    // three pistons of 10 kPa: the region of a stress ends where the grains end, which touch the plates
    let start = sheared - 1;
    for (name, stress) in [("xx", &xx), ("yy", &yy), ("zz", &zz)] {
        expect(case, Kind::Cd, format!("stress {name} at the start [Pa]"), stress[start], 10e3)
            .within(0.02, "what is left of the motion, and overlaps");
    }
    let deviator = xx[start].max(yy[start]).max(zz[start]) - xx[start].min(yy[start]).min(zz[start]);
    assert!(deviator < 0.05 * 10e3, "isotropic: normal stresses differ by {deviator} Pa");

    // the sides stay under their pressure while the top comes down
    for (name, stress) in [("xx", &xx), ("yy", &yy)] {
        expect(case, Kind::Cd, format!("lateral stress {name} in shear [Pa]"), mean(&stress[sheared..]), 10e3)
            .within(0.03, "pistons follow jerks of the grains");
    }
    expect(case, Kind::Cd, "axial strain at the end", *axial.last().unwrap(), 0.06).within(2e-3, "a step is 1e-4");
    // rate of shear 3^1/2 v / L over L = 10.4 mm, the height of 12.4 mm without the halves of grains that move with the plates,
    // times d (rho / p)^1/2 = 2 mm (2650 / 13e3)^1/2
    let number = &of("inertial_number")[sheared..];
    let expected = 3f64.sqrt() * (3.8 / 10.4) * 2e-3 * (2650.0_f64 / 13e3).sqrt();
    expect(case, Kind::Cd, "inertial number", mean(number), expected)
        .within(0.25, "jerks add to the rate: it is a norm");
    assert!(mean(number) < 1e-3, "quasi-static");

    // stress ratio: with s = tau / p = 0.38 of slow shear [Jop06] the same strength is 3^1/2 s = 0.66 by its invariants and
    // 6 s / (3 - s) = 0.87 by Mohr and Coulomb; a dense sample at its peak bears that or more
    let ratio = of("stress_ratio");
    let peak: Vec<f64> = (sheared..axial.len()).filter(|k| axial[*k] > 0.01).map(|k| ratio[k]).collect();
    assert!((0.66..1.1).contains(&mean(&peak)), "q/p of a dense sample at small strains: {}", mean(&peak));
    // swelling, from the plates and from the box around the grains
    let last = *volumetric.last().unwrap();
    assert!((-0.06..-0.01).contains(&last), "a dense sample swells: {last}");
    let void_ratio = of("void_ratio");
    let swollen = (1.0 + void_ratio[void_ratio.len() - 1]) / (1.0 + void_ratio[sheared]) - 1.0;
    expect(case, Kind::Cd, "swelling from the void ratio", swollen, -last).within(0.2, "overlaps, and gaps at plates");
}
