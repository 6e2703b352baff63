//! What is too much is refused at once or stops the run with a name; what is enough is built as before.

use std::path::Path;
use std::time::Instant;

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::input::Reader;
use drystone::scenario::AnyScenario;
use drystone::sim::{Run, RunError, Simulation, open};

fn head(dimension: usize, rest: &str) -> String {
    let gravity = if dimension == 2 { "[0, -9.81]" } else { "[0, 0, -9.81]" };
    format!(
        "dimension = {dimension}\ngravity = {gravity}\nstop = {{ at = 1 }}\nmethod.cd.time_step = 1e-3\n\
         [[material]]\nname = \"m\"\ndensity = 2500\n[[contact]]\nbetween = [\"m\", \"m\"]\nfriction = 0.3\n{rest}"
    )
}

fn read(text: &str, settings: &[&str]) -> AnyScenario {
    let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
    let scenario = AnyScenario::parse("test", text, &settings, Reader::default());
    scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

const ONE: &str = "[[grains]]\nname = \"pebble\"\nmaterial = \"m\"\nshape = { kind = \"disk\", radius = 0.01 }\n\
                   place = { how = \"at\", points = [[0, 0]] }\n";

fn code(error: &RunError) -> &'static str {
    match error {
        RunError::Step(error) => error.code(),
        other => panic!("{other}"),
    }
}

/// Gravity of 1e9 m/s2 makes a velocity of 1e6 m/s of a grain in a step, and a way of 1000 m: a place that is a number.
/// In the next step the grain would move by 1e5 of its radii.
#[test]
fn a_grain_that_becomes_too_fast_is_named() {
    let scenario = read(&head(2, ONE), &["gravity=[0, -1e9]"]);
    let mut run = open(&scenario, Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let error = (0..10).find_map(|_| run.advance().err()).expect("it cannot be followed");
    assert_eq!(code(&error), "E263");
    assert!(error.to_string().contains("grain `pebble`"), "{error}");
}

/// A cloud in which every grain may meet every other one within a step has no neighbours: 10,000 grains would be 5e7
/// pairs.
#[test]
fn a_cloud_in_which_all_meet_all_is_refused() {
    let cloud = "[[grains]]\nmaterial = \"m\"\nshape = { kind = \"disk\", radius = 0.01 }\nvelocity = [1000, 0]\n\
                 place = { how = \"square\", min = [0, 0], max = [3, 3], spacing = 0.03 }\n";
    let since = Instant::now();
    let mistakes = open(&read(&head(2, cloud), &[]), Path::new(".")).err().expect("a hundred radii in a step");
    assert_eq!(mistakes.0[0].code, "E263", "{mistakes}");
    assert!(since.elapsed().as_secs_f64() < 5.0);
    // one such grain in a bed at rest meets what is on its way, and no more
    let bullet = format!("{}{ONE}", cloud.replace("velocity = [1000, 0]\n", ""));
    let bullet = head(2, &bullet.replace("points = [[0, 0]] }", "points = [[-1, 1]] }\nvelocity = [1000, 0]"));
    assert!(open(&read(&bullet, &[]), Path::new(".")).is_ok());
}

#[test]
fn an_energy_that_is_not_a_number_is_not_written() {
    let folder = std::env::temp_dir().join(format!("drystone_bounds_{}", std::process::id()));
    let AnyScenario::Plane(scenario) = read(&head(2, ONE), &["output.series_every=step"]) else { panic!("a plane") };
    let mut simulation =
        Simulation::<D2>::new(&scenario, Path::new(".")).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    simulation.record(&folder, true, Path::new(".")).unwrap_or_else(|error| panic!("{error}"));
    simulation.advance().unwrap_or_else(|error| panic!("{error}"));
    simulation.change(|world| world.ledger_mut().wall_work = f64::NAN);
    let error = simulation.advance().expect_err("no number");
    assert_eq!(code(&error), "E265");
    assert!(error.to_string().contains("wall_work [J]"), "{error}");
    let series = std::fs::read_to_string(folder.join("series.csv")).unwrap();
    assert!(series.lines().count() == 3 && !series.contains("NaN"), "{series}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Places of the grains of a lattice, in the order of their ids.
fn places<D: Dim>(simulation: &mut Simulation<D>) -> Vec<Vec<f64>> {
    let world = simulation.world();
    let place = |k: usize| (0..D::DIMENSION).map(|axis| world.bodies.pose[k].x.get(axis)).collect();
    let mut places: Vec<(u32, Vec<f64>)> = world.grains().map(|k| (world.bodies.id[k], place(k))).collect();
    places.sort_by_key(|(id, _)| *id);
    places.into_iter().map(|(_, place)| place).collect()
}

/// A lattice is filled from below: a region without end has the same lowest sites as one that ends above them.
#[test]
fn a_lattice_in_a_tall_region_is_filled_from_below_at_once() {
    for (dimension, how) in [(2, "square"), (2, "hexagonal"), (3, "cubic"), (3, "fcc")] {
        let (shape, low, side) =
            if dimension == 2 { ("disk", "0, 0", "0.1") } else { ("sphere", "0, 0, 0", "0.1, 0.1") };
        let build = |height: f64| {
            let grains = format!(
                "[[grains]]\nmaterial = \"m\"\nshape = {{ kind = \"{shape}\", radius = 0.01 }}\ncount = 57\n\
                 place = {{ how = \"{how}\", min = [{low}], max = [{side}, {height:e}] }}\n"
            );
            let since = Instant::now();
            let built = match read(&head(dimension, &grains), &[]) {
                AnyScenario::Plane(scenario) => places(&mut Simulation::<D2>::new(&scenario, Path::new(".")).unwrap()),
                AnyScenario::Space(scenario) => places(&mut Simulation::<D3>::new(&scenario, Path::new(".")).unwrap()),
            };
            assert!(since.elapsed().as_secs_f64() < 5.0);
            built
        };
        let (low, tall) = (build(1.0), build(1e12));
        assert_eq!(low.len(), 57);
        assert_eq!(low, tall, "{how}");
    }
}

/// A region as wide as one grain holds one row, up to rounding: a lattice that never ends is refused all the same.
#[test]
fn a_lattice_without_end_is_refused_at_once() {
    let grains = "[[grains]]\nmaterial = \"m\"\nshape = { kind = \"sphere\", radius = \"5 mm\" }\n\
                  place = { how = \"cubic\", min = [\"-60 mm\", 0, 0], max = [\"-50 mm\", \"10 mm\", \"1e16 mm\"] }\n";
    let since = Instant::now();
    let refused = AnyScenario::parse("tall", &head(3, grains), &[], Reader::default());
    assert!(refused.expect_err("1e15 grains").to_string().contains("E261"));
    assert!(since.elapsed().as_secs_f64() < 5.0);
}

/// What damaged scenarios found: each is refused or stops by a code, and none hangs.
#[test]
fn numbers_without_measure_are_refused() {
    let since = Instant::now();
    let rough = "friction = 1e49\n";
    let refused = AnyScenario::parse("rough", &head(2, ONE).replace("friction = 0.3\n", rough), &[], Reader::default());
    assert!(refused.expect_err("a cone that is none").to_string().contains("from 0 to 1e8"));
    let long = "[cell]\nperiodic = [\"y\"]\nmin = [0, 0]\nmax = [1, 1e46]\n";
    let mistakes = open(&read(&head(2, &format!("{ONE}{long}")), &[]), Path::new(".")).err().expect("too long a cell");
    assert_eq!(mistakes.0[0].code, "E264", "{mistakes}");
    let heavy = open(&read(&head(2, ONE), &["gravity=[0, -1e20]"]), Path::new("."));
    let mut heavy = heavy.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(code(&heavy.advance().expect_err("5e16 m/s after a step")), "E263");
    assert!(since.elapsed().as_secs_f64() < 5.0);
}

/// Disks at random fill at most 0.547 of a region; who asks for more is told within seconds, however many they are.
#[test]
fn a_region_that_is_asked_for_too_much_is_refused_soon() {
    let dense = "[[grains]]\nmaterial = \"m\"\nshape = { kind = \"disk\", radius = 0.01 }\nfraction = 0.85\n\
                 place = { how = \"random\", min = [0, 0], max = [6, 6] }\n";
    let since = Instant::now();
    let mistakes = open(&read(&head(2, dense), &[]), Path::new(".")).err().expect("it does not fit");
    assert!(mistakes.0[0].code == "E011" && mistakes.to_string().contains("at random"), "{mistakes}");
    assert!(since.elapsed().as_secs_f64() < 10.0, "{} s", since.elapsed().as_secs_f64());
}
