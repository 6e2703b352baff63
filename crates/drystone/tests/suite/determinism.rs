//! The same bits on every run, and after every interruption: of the state, of the series, of the frames.

use std::fs;
use std::path::{Path, PathBuf};

use drystone::input::Reader;
use drystone::record::RunFolder;
use drystone::scenario::AnyScenario;
use drystone::scenario::template::Template;
use drystone::sim::{self, Run};

/// A template made small by settings, as `--set` does.
fn scenario(template: &str, settings: &[&str]) -> AnyScenario {
    let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
    let text = Template::find(template).unwrap().text;
    AnyScenario::parse(template, text, &settings, Reader::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn small_drop() -> AnyScenario {
    scenario(
        "drop",
        &["grains.0.count=80", "grains.0.place.max=[0.03, 0.04]", "wall.0.max=[0.03, 0.1]", "output.frames=10 ms"],
    )
}

fn small_heap() -> AnyScenario {
    scenario(
        "heap3d",
        &[
            "grains.0.place.min=[-0.008, -0.008, 0]",
            "grains.0.place.max=[0.008, 0.008, 0.002]",
            "grains.1.count=80",
            "grains.1.place.min=[-0.006, -0.006, 0.003]",
            "grains.1.place.max=[0.006, 0.006, 0.016]",
            "wall.0.min=[-0.008, -0.008, 0]",
            "wall.0.max=[0.008, 0.008, 0.03]",
            "output.frames=10 ms",
        ],
    )
}

/// Stages, driven walls and rules of rest: everything that progress keeps beside the world.
fn small_shaker() -> AnyScenario {
    scenario(
        "shaker",
        &[
            "grains.0.count=60",
            "grains.0.place.max=[0.06, 0.03]",
            "stage.0.limit=20 ms",
            "stage.1.limit=30 ms",
            "stage.2.limit=10 ms",
            "output.frames=7 ms",
        ],
    )
}

/// A floor that is a piston in the second stage: its mass, velocity and drive must survive.
fn small_press() -> AnyScenario {
    scenario(
        "shaker",
        &[
            "grains.0.count=60",
            "grains.0.place.max=[0.06, 0.03]",
            "wall.2.mass=0.5 kg",
            "stage.0.limit=20 ms",
            "stage.1.limit=22 ms",
            "stage.1.drive.floor={ pressure = { value = \"300 Pa\", between = [\"left\", \"right\"] } }",
            "stage.2.limit=8 ms",
            "output.frames=7 ms",
        ],
    )
}

/// Stages that change laws, gravity and the time step, take grains away, and end by rules that remember.
fn small_changes(method: &str) -> AnyScenario {
    let text = format!(
        r#"
        dimension = 2
        seed      = 8
        gravity   = [0, -9.81]
        material  = [{{ name = "sand", density = 2650 }}]
        [[contact]]
        between  = ["sand", "sand"]
        friction = 0
        md = {{ normal = {{ law = "hooke", stiffness = "1e5 N/m", restitution = 0.3 }}, tangential = {{ law = "cundall_strack", stiffness_ratio = 0.8, damping = "10 N s/m" }} }}
        [[grains]]
        material = "sand"
        shape    = {{ kind = "disk", radius = "1 mm" }}
        count    = 80
        place    = {{ how = "hexagonal", min = [0, 0], max = [0.03, 0.02] }}
        overlap  = 1e-6
        [[wall]]
        name = "box"
        kind = "box"
        min = [0, 0]
        max = [0.03, 0.1]
        material = "sand"
        [[stage]]
        name  = "smooth"
        until = {{ all = [{{ unbalanced = {{ below = 1e9, for = "5 us" }} }}, {{ after = "30 us" }}] }}
        limit = "1 s"
        [[stage]]
        name   = "rough"
        set    = {{ gravity = [2, -9.81], contact = [{{ friction = 0.5, md = {{ normal = {{ law = "hooke", stiffness = "2e5 N/m", restitution = 0.3 }} }} }}], method = {{ cd = {{ time_step = "0.3 ms", accuracy = "flow" }}, md = {{ time_step = "3 us" }} }} }}
        remove = {{ outside = {{ min = [0, 0], max = [0.03, 0.0095] }} }}
        until  = {{ flow_stopped = {{ axis = "y", level = 0.005, for = "60 us" }} }}
        limit  = "1 s"
        [[stage]]
        name   = "bear"
        remove = {{ rattlers = 1 }}
        limit  = "1 s"
        [method]
        use = "{method}"
        cd = {{ time_step = "1 ms" }}
        md = {{ time_step = "2 us" }}
        [output]
        frames = "7 ms"
        "#
    );
    AnyScenario::parse("changes", &text, &[], Reader::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Contacts that stick and slip, with what Gear's method carries from step to step.
fn small_stack() -> AnyScenario {
    scenario("cannonballs6", &["output.frames=1 ms"])
}

/// A rod, whose ends have names.
fn small_pendulum() -> AnyScenario {
    scenario("pendulum", &["output.frames=0.2 s"])
}

/// Steps that are cut at events, with a table of them. Slips turn at pi, the 63rd step.
fn small_oscillator() -> AnyScenario {
    scenario("dry_oscillator", &["method.dae.time_step=50 ms", "output.frames=0.5 s"])
}

/// Ground that tilts: gravity turns with time.
fn small_tilt() -> AnyScenario {
    scenario("tilting_blocks", &["tilt.angle.ramp.over=2 s", "output.frames=20 ms"])
}

/// Stones that meet: contacts named by corners, outlines of their own.
fn small_stones() -> AnyScenario {
    scenario(
        "stones",
        &[
            "grains.0.count=30",
            "grains.0.place.max=[0.06, 0.12]",
            "wall.0.max=[0.06, 0.2]",
            "method.cd.time_step=1 ms",
            "output.frames=10 ms",
        ],
    )
}

/// Polyhedra that meet: contacts named by corners and edges, faces, orientations that tumble.
fn small_solids() -> AnyScenario {
    scenario(
        "stones3d",
        &[
            "grains.0.count=30",
            "grains.0.place.max=[0.04, 0.04, 0.08]",
            "wall.0.max=[0.04, 0.04, 0.2]",
            "method.cd.time_step=1 ms",
            "output.frames=10 ms",
        ],
    )
}

/// Clumps that meet: contacts named by balls, outlines with radii.
fn small_clumps(method: &str) -> AnyScenario {
    scenario(
        "clumps3d",
        &[
            "grains.0.count=15",
            "grains.1.count=15",
            "grains.0.place.max=[0.04, 0.04, 0.05]",
            "grains.1.place.min=[0, 0, 0.05]",
            "grains.1.place.max=[0.04, 0.04, 0.12]",
            "wall.0.max=[0.04, 0.04, 0.2]",
            "method.cd.time_step=1 ms",
            "output.frames=10 ms",
            &format!("method.use={method}"),
            "method.md={ time_step = \"0.05 ms\" }",
            "grains.0.velocity=[0.3, 0, -5]",
            "grains.1.velocity=[0, 0.3, -5]",
        ],
    )
}

/// Capsules that meet: contacts named by ends.
fn small_capsules(method: &str) -> AnyScenario {
    scenario(
        "capsules",
        &[
            "grains.0.count=25",
            "grains.0.place.max=[0.06, 0.06, 0.1]",
            "wall.0.max=[0.06, 0.06, 0.2]",
            "method.cd.time_step=1 ms",
            "output.frames=10 ms",
            &format!("method.use={method}"),
            "method.md={ time_step = \"0.05 ms\" }",
            "grains.0.velocity=[0.3, 0, -5]",
        ],
    )
}

const PRESSED: &str = "cell.stress={ normal = [20, 20], mass = 0.5, follow = [\"x\", \"y\"] }";

/// Disks in a cell that is sheared; grains cross its border, and touch across it.
fn small_cell(method: &str, settings: &[&str]) -> AnyScenario {
    let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
    let text = format!(
        r#"
        title     = "cell of {method}"
        dimension = 2
        seed      = 9
        gravity   = [0, 0]
        material  = [{{ name = "sand", density = 2650 }}]
        stop      = {{ at = 10 }}
        output    = {{ frames = "10 ms", series = ["energy", "momentum", "contacts", "stress", "packing"] }}
        [cell]
        periodic = ["x", "y"]
        min      = [0, 0]
        max      = ["40 mm", "40 mm"]
        shear    = {{ along = "x", across = "y", rate = "20 1/s" }}
        [[contact]]
        between  = ["sand", "sand"]
        friction = 0.3
        md       = {{ normal = {{ law = "hooke", stiffness = "1e4 N/m", restitution = 0.5 }}, tangential = {{ law = "cundall_strack", stiffness_ratio = 0.8 }} }}
        [[grains]]
        material = "sand"
        shape    = {{ kind = "disk", radius = {{ uniform = ["0.8 mm", "1.2 mm"] }} }}
        fraction = 0.5
        place    = {{ how = "random", min = [0, 0], max = ["40 mm", "40 mm"] }}
        [method]
        use = "{method}"
        cd  = {{ time_step = "1 ms" }}
        md  = {{ time_step = "0.2 ms" }}
        "#
    );
    AnyScenario::parse("cell", &text, &settings, Reader::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Grains that a turning mesh catches: what it is turned by is part of the state.
fn small_mixer(method: &str) -> AnyScenario {
    scenario(
        "mixer",
        &[
            "grains.0.count=60",
            "grains.0.place.min=[-0.02, -0.02, 0.0242]",
            "grains.0.place.max=[0.02, 0.02, 0.034]",
            "grains.0.velocity=[0, 0, -1]",
            "stage.0.limit=0.5 ms",
            "output.frames=0.5 ms",
            &format!("method.use={method}"),
            "method.md={ time_step = \"0.02 ms\" }",
        ],
    )
}

/// A sample whose mould gives way to a membrane.
fn small_triaxial(method: &str) -> AnyScenario {
    scenario(
        "triaxial",
        &[
            "grains.0.count=150",
            "grains.0.place.max=[\"10 mm\", \"10 mm\", \"12 mm\"]",
            "wall.1.point=[0, 0, \"12 mm\"]",
            "stage.0.limit=0.1 ms",
            "stage.1.limit=0.1 ms",
            "output.frames=0.1 ms",
            &format!("method.use={method}"),
            "method.md={ time_step = \"0.005 ms\" }",
        ],
    )
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("determinism").join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    path
}

fn hash(run: &dyn Run) -> String {
    run.summary()["hash"].as_str().unwrap().to_string()
}

fn advance(run: &mut dyn Run, steps: u64) {
    for _ in 0..steps {
        run.advance().unwrap_or_else(|error| panic!("{error}"));
    }
}

fn resume(path: &Path) -> Box<dyn Run> {
    sim::resume(RunFolder::open(path).unwrap()).unwrap_or_else(|error| panic!("{error}"))
}

fn start(scenario: &AnyScenario, path: &Path) -> Box<dyn Run> {
    sim::start(scenario, Path::new("."), path, false).unwrap_or_else(|error| panic!("{error}"))
}

/// Names and bytes of what a run leaves for its users.
fn results(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![path.join("series.csv"), path.join("frames.pvd"), path.join("scenario.toml")];
    files.extend([path.join("events.csv")].into_iter().filter(|events| events.exists()));
    files.extend(fs::read_dir(path.join("frames")).unwrap().map(|entry| entry.unwrap().path()));
    files.sort();
    files.iter().map(|file| (file.strip_prefix(path).unwrap().display().to_string(), fs::read(file).unwrap())).collect()
}

fn assert_same_results(one: &Path, other: &Path) {
    let (one, other) = (results(one), results(other));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    for ((name, bytes), (_, others)) in one.iter().zip(&other) {
        assert!(bytes == others, "{name} differs");
    }
}

#[test]
fn two_runs_have_the_same_bits() {
    for scenario in [small_drop(), small_heap(), small_shaker(), small_stones(), small_solids()] {
        let hashes = [(); 2].map(|()| {
            let mut run = sim::open(&scenario, Path::new(".")).unwrap();
            advance(run.as_mut(), 100);
            assert!(run.summary()["contacts"].as_u64().unwrap() > 10, "{}: too few contacts", scenario.title());
            hash(run.as_ref())
        });
        assert_eq!(hashes[0], hashes[1], "{}", scenario.title());
    }
}

#[test]
fn an_interrupted_run_has_the_same_bits() {
    let scenarios = [
        ("drop", small_drop()),
        ("heap", small_heap()),
        ("shaker", small_shaker()),
        ("press", small_press()),
        ("changes", small_changes("cd")),
        ("soft changes", small_changes("md")),
        ("stack", small_stack()),
        ("pendulum", small_pendulum()),
        ("oscillator", small_oscillator()),
        ("tilt", small_tilt()),
        ("stones", small_stones()),
        ("solids", small_solids()),
        ("clumps", small_clumps("cd")),
        ("soft-clumps", small_clumps("md")),
        ("capsules", small_capsules("cd")),
        ("soft-capsules", small_capsules("md")),
        ("cell", small_cell("cd", &[])),
        ("soft-cell", small_cell("md", &[])),
        ("pressed-cell", small_cell("cd", &[PRESSED])),
        ("pressed-soft-cell", small_cell("md", &[PRESSED])),
        ("mixer", small_mixer("cd")),
        ("soft-mixer", small_mixer("md")),
        ("triaxial", small_triaxial("cd")),
        ("soft-triaxial", small_triaxial("md")),
    ];
    for (name, scenario) in scenarios {
        let (whole, parts) = (folder(&format!("{name}-whole")), folder(&format!("{name}-parts")));
        let mut run = start(&scenario, &whole);
        advance(run.as_mut(), 100);
        run.interrupt().unwrap();
        let expected = hash(run.as_ref());

        let mut run = start(&scenario, &parts);
        for steps in [1, 12, 40, 0, 47] {
            advance(run.as_mut(), steps);
            run.interrupt().unwrap();
            run = resume(&parts);
        }
        assert_eq!(run.report().steps, 100);
        assert_eq!(hash(run.as_ref()), expected, "{name}");
        assert_same_results(&whole, &parts);
    }
}

/// A kill leaves rows and frames behind that the checkpoint knows nothing of, and half-written files.
#[test]
fn a_killed_run_has_the_same_bits() {
    for (name, scenario) in [("drop", small_drop()), ("shaker", small_shaker()), ("oscillator", small_oscillator())] {
        let (whole, killed) = (folder(&format!("{name}-alive")), folder(&format!("{name}-killed")));
        let mut run = start(&scenario, &whole);
        advance(run.as_mut(), 100);
        run.interrupt().unwrap();

        let mut run = start(&scenario, &killed);
        advance(run.as_mut(), 33);
        run.interrupt().unwrap();
        advance(run.as_mut(), 61);
        drop(run); // nothing is saved from here on, as after SIGKILL
        if name == "oscillator" {
            let events = fs::read_to_string(killed.join("events.csv")).unwrap();
            assert!(events.lines().count() > 3, "events past the checkpoint stand in the table: {events}");
        }
        let frames = killed.join("frames");
        let last = fs::read_dir(&frames)
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with("grains_"));
        assert!(last.count() > 3, "frames past the checkpoint exist");
        let series = fs::read_to_string(killed.join("series.csv")).unwrap();
        fs::write(killed.join("series.csv"), format!("{series}0.05,1")).unwrap();
        for part in ["checkpoint.npz.part", "frames/grains_000004.vtp.part", "frames.pvd.part"] {
            fs::write(killed.join(part), "half of").unwrap();
        }

        let mut again = resume(&killed);
        assert_eq!(again.report().steps, 33);
        advance(again.as_mut(), 67);
        again.interrupt().unwrap();
        fs::remove_file(killed.join("frames/grains_000004.vtp.part")).ok();
        assert_same_results(&whole, &killed);
    }
}

/// Frames that the checkpoint knows nothing of are gone after a resume, also from the list that ParaView opens.
#[test]
fn the_collection_names_only_frames_that_exist() {
    let path = folder("collection");
    let mut run = start(&small_drop(), &path);
    advance(run.as_mut(), 85);
    drop(run);
    fs::write(path.join("report.json"), "of an earlier moment").unwrap();
    drop(resume(&path));
    assert!(!path.join("report.json").exists());
    let collection = fs::read_to_string(path.join("frames.pvd")).unwrap();
    let named: Vec<&str> = collection.split("file=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(named.len(), 3, "the frame of the start");
    assert!(named.iter().all(|file| path.join(file).is_file()), "{named:?}");
}

/// A run killed between its last checkpoint and its report has the report after a resume.
#[test]
fn a_finished_run_gets_its_report() {
    let path = folder("finished");
    let scenario = scenario("collision", &["stop.at=5 ms"]);
    let mut run = start(&scenario, &path);
    while run.advance().unwrap().is_some() {}
    let report = fs::read(path.join("report.json")).unwrap();
    fs::remove_file(path.join("report.json")).unwrap();
    assert!(resume(&path).advance().unwrap().is_none());
    assert_eq!(fs::read(path.join("report.json")).unwrap(), report);
}

#[test]
fn a_damaged_checkpoint_is_an_error_and_never_a_panic() {
    let path = folder("damaged");
    let mut run = start(&small_drop(), &path);
    advance(run.as_mut(), 60);
    run.interrupt().unwrap();
    let saved = hash(run.as_ref());
    let file = path.join("checkpoint.npz");
    let whole = fs::read(&file).unwrap();
    let refused = |bytes: &[u8], what: &str| {
        fs::write(&file, bytes).unwrap();
        let Err(error) = sim::resume(RunFolder::open(&path).unwrap()) else { panic!("{what} was accepted") };
        let message = error.to_string();
        assert!(message.contains("cannot read") && message.contains("checkpoint.npz"), "{what}: {message}");
    };
    refused(b"", "an empty file");
    for part in 1..24 {
        refused(&whole[..whole.len() * part / 24], "a truncated file");
    }
    for k in (0..whole.len()).step_by(whole.len() / 200) {
        let mut bytes = whole.clone();
        bytes[k] ^= 0x55;
        fs::write(&file, &bytes).unwrap();
        match sim::resume(RunFolder::open(&path).unwrap()) {
            // some bytes of an archive carry no meaning, such as the times of its files
            Ok(run) => assert_eq!(hash(run.as_ref()), saved, "byte {k} of {}", whole.len()),
            Err(error) => assert!(error.to_string().contains("checkpoint.npz"), "{error}"),
        }
    }
    fs::remove_file(&file).unwrap();
    let Err(error) = sim::resume(RunFolder::open(&path).unwrap()) else { panic!("no file was accepted") };
    assert!(error.to_string().contains("checkpoint.npz"), "{error}");
}

/// A bed of spheres that slumps in a box, large enough that threads share its sweeps.
fn slumping_bed() -> drystone::d3::World {
    use drystone::input::quantity::Components;
    let mut world = drystone::d3::World {
        gravity: [1.0, 0.5, -9.81].into(),
        laws: drystone::law::Laws::new(1, |_, _| drystone::law::Pair::with_friction(0.4)),
        ..Default::default()
    };
    let (r, side) = (1e-3, 12);
    let wide = (2 * side + 1) as f64 * r;
    let walls = drystone::wall::Cuboid {
        min: Components([0.0, 0.0, 0.0].into()),
        max: Components([wide, wide, 1.0].into()),
        span: Default::default(),
    };
    world.push_wall("box", drystone::wall::Surface::Cuboid(walls), 0, drystone::drive::Drive::FIXED, None);
    for k in 0..side * side * 14 {
        let (layer, site) = (k / (side * side), k % (side * side));
        let shift = if layer % 2 == 1 { r } else { 0.0 };
        let x = |n: usize| r + shift + 2.0 * r * n as f64;
        let up = r + layer as f64 * r * 2f64.sqrt();
        world.bodies.push_round([x(site % side), x(site / side), up].into(), r, 2500.0, 1.0, k as u32);
    }
    world
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    use drystone::prelude::*;
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
        pool.install(|| {
            let mut world = slumping_bed();
            let options = Options { max_sweeps: 60, ..Options::with_time_step(2e-4) };
            let mut method = drystone::d3::ContactDynamics::new(options);
            for _ in 0..4 {
                let report = method.step(&mut world).expect("a possible step");
                assert!(report.contacts > 5000, "enough contacts to share: {}", report.contacts);
            }
            world.hash()
        })
    };
    let alone = hash(1);
    for threads in [2, 4, 8] {
        assert_eq!(hash(threads), alone, "{threads} threads");
    }
}

/// A wall of loose bricks that slumps, so large that threads share its sweeps.
fn slumping_stones() -> drystone::d2::World {
    use drystone::input::quantity::Components;
    use drystone::shape::Polygon;
    let mut world = drystone::d2::World {
        gravity: [2.0, -9.81].into(),
        laws: drystone::law::Laws::new(1, |_, _| drystone::law::Pair::with_friction(0.3)),
        ..Default::default()
    };
    let walls = drystone::wall::Cuboid {
        min: Components([0.0, 0.0].into()),
        max: Components([2.0, 1.0].into()),
        span: Default::default(),
    };
    world.push_wall("box", drystone::wall::Surface::Cuboid(walls), 0, drystone::drive::Drive::FIXED, None);
    let brick = Polygon::rectangle(0.0195, 0.0175).unwrap();
    for k in 0..3000_u32 {
        let (row, place) = (k / 98, k % 98);
        let x = [0.01 + 0.02 * f64::from(place) + 0.01 * f64::from(row % 2), 0.0175 * (f64::from(row) + 0.5)];
        world.bodies.push_polygon(x.into(), &brick, 2500.0, 1.0, k);
    }
    world
}

#[test]
fn any_number_of_threads_gives_the_same_bits_for_stones() {
    use drystone::prelude::*;
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
        pool.install(|| {
            let mut world = slumping_stones();
            let mut method =
                drystone::d2::ContactDynamics::new(Options { max_sweeps: 60, ..Options::with_time_step(2e-3) });
            for _ in 0..10 {
                method.step(&mut world).expect("a possible step");
            }
            assert!(world.network.closed().count() > 2000, "enough contacts: {}", world.network.closed().count());
            world.hash()
        })
    };
    let alone = hash(1);
    for threads in [2, 4] {
        assert_eq!(hash(threads), alone, "{threads} threads");
    }
}

/// A block of loose bricks that slumps, so large that threads share its sweeps.
fn slumping_solids() -> drystone::d3::World {
    use drystone::input::quantity::Components;
    use drystone::shape::Polyhedron;
    let mut world = drystone::d3::World {
        gravity: [2.0, 1.0, -9.81].into(),
        laws: drystone::law::Laws::new(1, |_, _| drystone::law::Pair::with_friction(0.3)),
        ..Default::default()
    };
    let walls = drystone::wall::Cuboid {
        min: Components([0.0, 0.0, 0.0].into()),
        max: Components([0.3, 0.2, 1.0].into()),
        span: Default::default(),
    };
    world.push_wall("box", drystone::wall::Surface::Cuboid(walls), 0, drystone::drive::Drive::FIXED, None);
    let brick = Polyhedron::cuboid([0.0195, 0.0185, 0.0175].into()).unwrap();
    for k in 0..1000_u32 {
        let (row, place) = (k / 126, k % 126);
        let (along, across) = (place % 14, place / 14);
        let x = 0.01 + 0.02 * f64::from(along) + 0.01 * f64::from(row % 2);
        let y = 0.01 + 0.02 * f64::from(across);
        world.bodies.push_polyhedron([x, y, 0.0175 * (f64::from(row) + 0.5)].into(), &brick, 2500.0, k);
    }
    world
}

#[test]
fn any_number_of_threads_gives_the_same_bits_for_polyhedra() {
    use drystone::prelude::*;
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
        pool.install(|| {
            let mut world = slumping_solids();
            let mut method =
                drystone::d3::ContactDynamics::new(Options { max_sweeps: 30, ..Options::with_time_step(2e-3) });
            for _ in 0..4 {
                method.step(&mut world).expect("a possible step");
            }
            assert!(world.network.closed().count() > 2000, "enough contacts: {}", world.network.closed().count());
            world.hash()
        })
    };
    let alone = hash(1);
    for threads in [2, 4] {
        assert_eq!(hash(threads), alone, "{threads} threads");
    }
}

/// Dimers and capsules in a heap that slumps, so large that threads share its sweeps and forces.
fn slumping_clumps() -> drystone::d3::World {
    use drystone::input::quantity::Components;
    use drystone::shape::Clump;
    use glam::DVec3;
    let law = "{ friction = 0.3, md = { normal = { law = \"hooke\", stiffness = 1e4, restitution = 0.3 }, tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8 } } }";
    let pair = super::validation::stage::read::<drystone::law::Pair>(law);
    let mut world = drystone::d3::World {
        gravity: [2.0, 1.0, -9.81].into(),
        laws: drystone::law::Laws::new(1, |_, _| pair.clone()),
        depth: 1.0,
        ..Default::default()
    };
    let walls = drystone::wall::Cuboid {
        min: Components([0.0, 0.0, 0.0].into()),
        max: Components([0.3, 0.2, 1.0].into()),
        span: Default::default(),
    };
    world.push_wall("box", drystone::wall::Surface::Cuboid(walls), 0, drystone::drive::Drive::FIXED, None);
    let dimer = Clump::new::<drystone::dim::D3>(&[(DVec3::X * -0.004, 0.0058), (DVec3::X * 0.004, 0.0058)]).unwrap();
    let capsule = Clump::capsule::<drystone::dim::D3>(0.008, 0.0058);
    for k in 0..1500_u32 {
        let (row, place) = (k / 196, k % 196);
        let (along, across) = (place % 14, place / 14);
        let x = 0.011 + 0.0202 * f64::from(along);
        let at = DVec3::new(x, 0.007 + 0.0122 * f64::from(across), 0.0058 + 0.0116 * f64::from(row));
        world.bodies.push_clump(at, if k % 2 == 0 { &dimer } else { &capsule }, 2500.0, 1.0, k);
    }
    world
}

#[test]
fn any_number_of_threads_gives_the_same_bits_for_clumps() {
    use drystone::method::md;
    use drystone::prelude::*;
    let hashes = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
        pool.install(|| {
            let mut world = slumping_clumps();
            let mut method =
                drystone::d3::ContactDynamics::new(Options { max_sweeps: 30, ..Options::with_time_step(2e-3) });
            for _ in 0..4 {
                method.step(&mut world).expect("a possible step");
            }
            assert!(world.network.closed().count() > 2000, "enough contacts: {}", world.network.closed().count());
            let mut soft = slumping_clumps();
            let mut method = md::SoftParticles::new(md::Options::with_time_step(2e-5), &soft);
            for _ in 0..200 {
                method.step(&mut soft).expect("a possible step");
            }
            method.publish(&mut soft);
            assert!(soft.network.closed().count() > 500, "enough contacts: {}", soft.network.closed().count());
            [world.hash(), soft.hash()]
        })
    };
    let alone = hashes(1);
    for threads in [2, 4] {
        assert_eq!(hashes(threads), alone, "{threads} threads");
    }
}

/// Disks in a cell that is sheared, so many that threads share them.
fn sheared_disks() -> drystone::d2::World {
    use drystone::cell::{Cell, Shear};
    use drystone::law::{Laws, Pair};
    let mut world = drystone::d2::World {
        laws: Laws::new(1, |_, _| Pair::with_friction(0.3)),
        depth: 1.0,
        ..drystone::d2::World::default()
    };
    let (edge, r) = (80, 0.01);
    let (side, pitch) = (2.02 * r * f64::from(edge), 2.02 * r);
    for k in 0..edge * edge {
        let at = [f64::from(k % edge) + 0.5, f64::from(k / edge) + 0.5].map(|n| n * pitch);
        let body = world.bodies.push_round(at.into(), r, 2500.0, 1.0, k as u32);
        let thrown = [(f64::from(k) * 12.9898).sin(), (f64::from(k) * 78.233).sin()].map(|s| 0.2 * s);
        world.bodies.twist[body].v = thrown.into();
    }
    let cell = Cell::new([0.0, 0.0].into(), [side, side].into(), [true, true, false]);
    world.cell = Some(Cell { shear: Some(Shear { along: 0, across: 1 }), rate: 0.1 / side, ..cell });
    world
}

#[test]
fn any_number_of_threads_gives_the_same_bits_in_a_cell() {
    use drystone::prelude::*;
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
        pool.install(|| {
            let mut world = sheared_disks();
            let options = Options { max_sweeps: 60, ..Options::with_time_step(2e-3) };
            let mut method = drystone::d2::ContactDynamics::new(options);
            for _ in 0..5 {
                let report = method.step(&mut world).expect("a possible step");
                assert!(report.contacts > 3000, "enough contacts to share: {}", report.contacts);
            }
            let across = world.network.contacts.iter().filter(|contact| contact.jump.x != 0.0);
            assert!(across.count() > 20, "contacts across the border that moves");
            world.hash()
        })
    };
    let alone = hash(1);
    for threads in [2, 4, 8] {
        assert_eq!(hash(threads), alone, "{threads} threads");
    }
}
