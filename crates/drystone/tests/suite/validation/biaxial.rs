//! Geotechnical tests as they come out of the box: strains count from their stage, and the shear is quasi-static.

use std::fs;
use std::path::Path;

use drystone::input::Reader;
use drystone::measure::Measures;
use drystone::measure::frame::{FrameView, MeasureOptions};
use drystone::method::Kind;
use drystone::record::{RunFolder, frame_files};
use drystone::scenario::AnyScenario;
use drystone::scenario::template::Template;
use drystone::sim::{self, Run};

use super::expect::expect;
use super::stored::column;

fn start(name: &str, settings: &[&str]) -> (Box<dyn Run>, std::path::PathBuf) {
    let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
    let text = Template::find("biaxial").unwrap().text;
    let scenario = AnyScenario::parse("biaxial", text, &settings, Reader::new(".".into()));
    let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("biaxial").join(name);
    (sim::start(&scenario, Path::new("."), &out, true).unwrap_or_else(|error| panic!("{error}")), out)
}

fn finish(mut run: Box<dyn Run>) {
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
}

/// A sample of half the height and width, whose lid comes down half as fast.
const SMALL: [&str; 4] = [
    "grains.0.count=200",
    "grains.0.place.max=[\"27.5 mm\", \"55 mm\"]",
    "stage.1.drive={ lid = { velocity = [0, \"-2 mm/s\"] } }",
    "wall.2.point=[\"27.5 mm\", 0]",
];

/// The template, with a quarter of its grains: inertia is nothing, and a dense sample has a peak and swells.
#[test]
fn the_biaxial_test_is_quasi_static_and_its_dense_sample_swells_at_a_peak() {
    let (run, out) = start("small", &[&SMALL[..], &["wall.3.point=[0, \"55 mm\"]"]].concat());
    finish(run);
    let (case, of) = ("biaxial test of 200 disks", |name: &str| column(&out, name));
    let (axial, volumetric) = (of("axial_strain"), of("volumetric_strain"));
    let sheared = axial.iter().position(|strain| strain.is_finite()).expect("it is sheared");
    assert!(sheared > 5 && axial[sheared..].windows(2).all(|pair| pair[0] < pair[1]), "strain grows from its stage on");
    expect(case, Kind::Cd, "axial strain at the end", *axial.last().unwrap(), 0.2).within(1e-3, "a step is 1e-4");
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    // jerks of so few grains are larger than those of the whole sample, which stays below 1e-3 in every row
    let number = mean(&of("inertial_number")[sheared..]);
    assert!((1e-5..1e-3).contains(&number), "quasi-static: {number:.2e}");
    let ratio = &of("stress_ratio")[sheared..];
    let strain = &axial[sheared..];
    let part = |low: f64, high: f64| -> Vec<f64> {
        strain.iter().zip(ratio).filter(|(strain, _)| (low..high).contains(*strain)).map(|(_, ratio)| *ratio).collect()
    };
    let (peak, late) = (mean(&part(0.005, 0.04)), mean(&part(0.1, 0.2)));
    assert!(peak > 1.15 * late, "a dense sample has a peak: {peak} then {late}");
    // sin phi = q / 2 p
    expect(case, Kind::Cd, "sin phi at strains from 0.1 on", 0.5 * late, 0.31)
        .within(0.25, "0.25 to 0.42 with friction 0.5; samples of 800 scatter by 0.015, smaller ones by more");
    let last = *volumetric.last().unwrap();
    assert!((-0.08..-0.01).contains(&last), "a dense sample swells: {last}");
    let void_ratio = of("void_ratio");
    let swollen = (1.0 + void_ratio[void_ratio.len() - 1]) / (1.0 + void_ratio[sheared]) - 1.0;
    // the void ratio is of the box around the grains, the strain of the plates: they touch
    expect(case, Kind::Cd, "swelling from the void ratio", swollen, -last).within(0.25, "overlaps, and gaps at plates");
}

/// Strains of the series are those of frames since the same stage, and a resumed run writes the same bytes.
#[test]
fn strains_count_from_their_stage_also_in_frames_and_in_a_resumed_run() {
    let quick =
        ["stage.0.until={ after = \"20 ms\" }", "stage.1.until={ after = \"60 ms\" }", "output.frames=\"20 ms\""];
    let series = "output.series=[{ strain = { since = \"shear\" } }, { affine_strain = { since = \"shear\" } }, \
                  { energy_balance = { since = \"shear\" } }]";
    let settings =
        [&SMALL[..], &quick, &["wall.3.point=[0, \"55 mm\"]", series, "output.series_every=\"5 ms\""]].concat();
    let (run, whole) = start("whole", &settings);
    finish(run);
    let axial = column(&whole, "axial_strain");
    assert!(axial[..4].iter().all(|strain| strain.is_nan()), "the stage has not begun: {axial:?}");

    let folder = RunFolder::open(&whole).unwrap();
    let scenario = AnyScenario::read(&folder.scenario(), &[]).unwrap();
    let first = sim::beginning_of(&folder, &scenario, "shear").unwrap();
    let number = *frame_files::numbers(&folder.frames()).unwrap().last().unwrap();
    let frame = frame_files::read(&folder.frames(), number).unwrap();
    let (setting, options) = (scenario.setting(), MeasureOptions::default());
    let view = FrameView { first: Some(&first), ..FrameView::whole(&frame, &setting, &options) };
    for measure in ["strain", "affine_strain", "energy_balance"] {
        let measure = Measures::ALL.iter().find(|known| known.name() == measure).unwrap().of_frame().unwrap();
        let row = measure.rows(&view).unwrap().remove(0);
        for (name, found) in measure.columns(&view).iter().map(|column| column.name.as_str()).zip(row) {
            assert_eq!(*column(&whole, name).last().unwrap(), found, "{name}");
            assert!(found != 0.0, "{name} is zero");
        }
    }
    let error = sim::beginning_of(&folder, &scenario, "sher").unwrap_err().to_string();
    assert!(error.contains("did you mean `shear`"), "{error}");

    let (mut run, parts) = start("parts", &settings);
    while run.advance().unwrap().expect("it goes on").time < 0.05 {}
    run.interrupt().unwrap();
    drop(run);
    finish(sim::resume(RunFolder::open(&parts).unwrap()).unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(fs::read(parts.join("series.csv")).unwrap(), fs::read(whole.join("series.csv")).unwrap());
}
