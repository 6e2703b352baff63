//! The certificate of a run holds as the run wrote it, and breaks when a number in a frame is altered.

mod altered;
mod kinds;
mod stones;

use std::fs;
use std::path::{Path, PathBuf};

use drystone::input::Reader;
use drystone::record::{Frame, RunFolder, frame_files};
use drystone::scenario::AnyScenario;
use drystone::scenario::template::Template;
use drystone::sim;
use drystone_certify::{Certificate, Check, certify};

/// Runs a template made small by settings.
fn run(name: &str, template: &str, settings: &[&str]) -> RunFolder {
    run_text(name, Template::find(template).unwrap().text, settings)
}

fn run_text(name: &str, text: &str, settings: &[&str]) -> RunFolder {
    let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
    let scenario = AnyScenario::parse(name, text, &settings, Reader::default());
    let path: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("certify").join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let mut run = sim::start(&scenario, Path::new("."), &path, false).unwrap_or_else(|error| panic!("{error}"));
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
    RunFolder::open(&path).unwrap()
}

/// Runs whose certificates once contradicted them without a reason: a cell that is sheared, contacts that are nothing
/// but rounding, forces of cohesion that cancel, contacts that are elastic on purpose, a collision of soft grains.
#[test]
fn honest_runs_hold() {
    let runs: [(&str, &[&str]); 5] = [
        ("lees_edwards", &["stop.at=0.2", "output.frames=20 ms"]),
        ("sedimented_monolayer", &[]),
        ("powder_cell", &["stage.1.limit=5 ms", "output.frames=5 ms"]),
        ("sound", &[]),
        ("soft_bounce", &["output.frames=0.5 ms"]),
    ];
    for (template, settings) in runs {
        let certificate = certified(&run(&format!("honest_{template}"), template, settings));
        assert!(certificate.holds(), "{template}: {:?}", broken(&certificate));
    }
}

const DROP: [&str; 5] = [
    "grains.0.count=40",
    "grains.0.place.max=[0.02, 0.04]",
    "wall.0.max=[0.02, 0.1]",
    "stop.at=0.1",
    "output.frames=50 ms",
];

fn drop(name: &str) -> RunFolder {
    run(name, "drop", &DROP)
}

fn certified(folder: &RunFolder) -> Certificate {
    certify(folder, &mut |_, _| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// What does not hold by mechanics: that altered files have other digests is another test.
fn broken(certificate: &Certificate) -> Vec<Check> {
    let is_broken = |check: &Check| *check != Check::Files;
    certificate.sheets.iter().filter(|sheet| sheet.broken > 0).map(|sheet| sheet.check).filter(is_broken).collect()
}

/// The certificate after a frame was altered; the frame is put back.
fn tampered(folder: &RunFolder, number: usize, alter: impl FnOnce(&mut Frame)) -> Certificate {
    let original = frame_files::read(&folder.frames(), number).unwrap();
    let mut frame = original.clone();
    alter(&mut frame);
    assert_ne!(frame, original, "something was altered");
    frame_files::write(&folder.frames(), number, frame.clone(), true).unwrap();
    let certificate = certified(folder);
    frame_files::write(&folder.frames(), number, original.clone(), true).unwrap();
    certificate
}

/// Alters a frame; the check must break and name that frame.
fn breaks(folder: &RunFolder, number: usize, check: Check, what: &str, alter: impl FnOnce(&mut Frame)) {
    let certificate = tampered(folder, number, alter);
    assert!(!certificate.holds_by_mechanics(), "{what} went unnoticed");
    let sheet = certificate.sheets.iter().find(|sheet| sheet.check == check && sheet.broken > 0);
    let sheet = sheet.unwrap_or_else(|| panic!("{what} broke {:?}, not {check:?}", broken(&certificate)));
    let is_there = |reading: &drystone_certify::Reading| reading.frame.is_none_or(|frame| frame == number);
    assert!(sheet.first.iter().all(is_there), "{what}: {:?}", sheet.first);
    assert!(sheet.first.iter().any(|reading| reading.frame == Some(number)), "{what}: {:?}", sheet.first);
}

#[test]
fn runs_of_both_dimensions_hold() {
    let heap = [
        "grains.0.place.min=[-0.008, -0.008, 0]",
        "grains.0.place.max=[0.008, 0.008, 0.002]",
        "grains.1.count=80",
        "grains.1.place.min=[-0.006, -0.006, 0.003]",
        "grains.1.place.max=[0.006, 0.006, 0.016]",
        "wall.0.min=[-0.008, -0.008, 0]",
        "wall.0.max=[0.008, 0.008, 0.03]",
        "stop.at=0.1",
    ];
    let shaker = ["grains.0.count=60", "grains.0.place.max=[0.06, 0.03]", "stage.0.limit=50 ms", "stage.1.limit=60 ms"];
    let measures = "output.series=[\"energy\", \"momentum\", \"contacts\", \"overlap\"]";
    let blocks = ["method.use=cd", "stop.at=0.1", "output.series_every=1 ms", measures];
    let unconverged = [&DROP[..], &["method.cd.max_sweeps=3"]].concat();
    for (name, template, settings) in [
        ("heap", "heap3d", &heap[..]),
        ("shaker", "shaker", &shaker[..]),
        ("drop", "drop", &DROP[..]),
        ("collision", "collision", &[]),
        ("rough", "drop", &unconverged[..]),
        ("blocks", "cannonballs6", &blocks[..]),
    ] {
        let certificate = certified(&run(name, template, settings));
        for sheet in &certificate.sheets {
            assert_eq!((sheet.broken, sheet.left_out.len()), (0, 0), "{name}: {sheet:?}");
            assert!(sheet.judged > 0, "{name}: {} was never asked", sheet.name());
        }
        assert!(name != "rough" || !certificate.unconverged.is_empty(), "three sweeps are not enough");
    }
}

/// Thin walls and membranes: what is judged holds, and contacts are judged where the geometry is known.
#[test]
fn thin_walls_hold() {
    let silo = [
        "grains.0.count=150",
        "grains.0.place.min=[-0.012, -0.012, 0.02]",
        "grains.0.place.max=[0.012, 0.012, 0.06]",
        "stage.0.limit=80 ms",
        "stage.1.limit=20 ms",
        "output.frames=5 ms",
    ];
    let mixer = [
        "grains.0.count=150",
        "grains.0.place.min=[-0.02, -0.02, 0.026]",
        "grains.0.place.max=[0.02, 0.02, 0.06]",
        "stage.0.limit=50 ms",
        "stage.1.limit=50 ms",
        "output.frames=5 ms",
    ];
    let still = [&mixer[..], &["stage.1.drive={}"]].concat();
    let triaxial = [
        "grains.0.count=150",
        "grains.0.place.max=[\"10 mm\", \"10 mm\", \"12 mm\"]",
        "wall.1.point=[0, 0, \"12 mm\"]",
        "method.use=cd",
        "stage.0.limit=12 ms",
        "stage.1.limit=10 ms",
        "stage.2.limit=5 ms",
        "stage.3.limit=2 ms",
    ];
    for (name, template, settings) in [
        ("silo3d", "silo3d", &silo[..]),
        ("mixer", "mixer", &mixer[..]),
        ("still mixer", "mixer", &still[..]),
        ("triaxial in a membrane", "triaxial_membrane", &triaxial[..]),
    ] {
        let certificate = certified(&run(name, template, settings));
        for sheet in &certificate.sheets {
            assert_eq!(sheet.broken, 0, "{name}: {sheet:?}");
        }
        assert!(certificate.sheets.iter().any(|sheet| sheet.name() == "geometry" && sheet.judged > 100), "{name}");
    }
}

/// Bumps of floors and of pistons that slide, in the plane and in space: residual and overlap are judged, too.
#[test]
fn rough_walls_hold() {
    let shear = ["stop.at=0.2", "grains.0.count=60", "cell.max=[0.016, 0]", "grains.0.place.max=[0.016, 0.03]"];
    let shear = [&shear[..], &["wall.1.point=[0, 0.031]", "output.frames=20 ms"]].concat();
    let rough = "rough={ radius = \"4 mm\", spacing = \"9 mm\" }";
    let measures = "output.series=[\"energy\", \"momentum\", \"contacts\", \"overlap\"]";
    let [floor, lid] = [2, 5].map(|wall| format!("wall.{wall}.{rough}"));
    let press = ["grains.0.count=45", "grains.0.place.max=[0.05, 0.05, 0.05]", "contact.0.friction=0.4", "stop.at=0.3"];
    let press =
        [&press[..], &["wall.3.point=[0.05, 0, 0]", "wall.4.point=[0, 0.05, 0]", "wall.5.point=[0, 0, 0.06]"]].concat();
    let press = [&press[..], &["grains.0.place.min=[0, 0, 0.005]", "output.frames=20 ms", &floor, &lid]].concat();
    for (name, template, settings) in [("rough shear", "plane_shear", &shear), ("rough press", "jammed3d", &press)] {
        let folder = run(name, template, &[&settings[..], &[measures]].concat());
        let certificate = certified(&folder);
        for sheet in &certificate.sheets {
            assert_eq!((sheet.broken, sheet.left_out.len()), (0, 0), "{name}: {sheet:?}");
            assert!(sheet.judged > 0, "{name}: {} was never asked", sheet.name());
        }
        let frames = frame_files::numbers(&folder.frames()).unwrap();
        let touched_aside = frames.iter().map(|number| {
            let contacts = frame_files::read(&folder.frames(), *number).unwrap().contacts;
            let is_aside =
                |k: &usize| contacts.a[*k] < 0 && contacts.normal[*k].iter().all(|part| part.abs() < 1.0 - 1e-9);
            (0..contacts.a.len()).filter(is_aside).count()
        });
        assert!(touched_aside.sum::<usize>() > 3, "{name}: bumps are touched aside");
        let last = *frames.last().unwrap();
        breaks(&folder, last, Check::Residual, "a residual", |frame| frame.residual *= 1.0 + 1e-3);
        breaks(&folder, last, Check::Overlap, "growth of an overlap", |frame| frame.overlap_growth += 1e-6);
    }
}

#[test]
fn an_altered_force_is_found_whichever_it_is() {
    let folder = drop("forces");
    let contacts = frame_files::read(&folder.frames(), 2).unwrap().contacts;
    assert!(contacts.a.len() > 40, "{} contacts", contacts.a.len());
    // a millionth of the mean force: contacts that carry nearly nothing have no digits to spare
    let change = 1e-6 * contacts.normal_force.iter().sum::<f64>() / contacts.a.len() as f64;
    for k in 0..contacts.a.len() {
        breaks(&folder, 2, Check::Force, &format!("normal force {k}"), |f| f.contacts.normal_force[k] += change);
        let friction = contacts.tangential_force[k].iter().map(|t| t.abs()).fold(0.0, f64::max);
        if 1e-6 * friction > 1e-3 * change {
            breaks(&folder, 2, Check::Force, &format!("tangential force {k}"), |f| {
                f.contacts.tangential_force[k] = f.contacts.tangential_force[k].map(|t| t * (1.0 + 1e-6));
            });
        }
    }
    assert!(certified(&folder).holds(), "everything was put back");
}

#[test]
fn every_altered_column_is_found() {
    let folder = run(
        "columns",
        "shaker",
        &[
            "grains.0.count=60",
            "grains.0.place.max=[0.06, 0.03]",
            "stage.0.limit=50 ms",
            "stage.1.limit=60 ms",
            "stage.2.limit=20 ms",
        ],
    );
    let number = 3; // the floor shakes
    let frame = frame_files::read(&folder.frames(), number).unwrap();
    assert!(frame.wall_states.velocity[2][1].abs() > 1e-3, "{:?}", frame.wall_states);
    // a contact of two grains, and where its second grain stands
    let k = (0..frame.contacts.a.len()).find(|k| frame.contacts.a[*k] >= 0).unwrap();
    let b = frame.grains.id.iter().position(|id| *id as i32 == frame.contacts.b[k]).unwrap();
    let on_floor = frame.contacts.a.iter().position(|a| *a == -3).unwrap();
    let radius = frame.grains.radius[b];
    let breaks = |check, what, alter: &dyn Fn(&mut Frame)| breaks(&folder, number, check, what, alter);

    breaks(Check::Geometry, "a position", &|f| f.grains.position[b][0] += 1e-6 * radius);
    breaks(Check::Energy, "a height", &|f| f.grains.position[b][1] += 1e-6 * radius);
    breaks(Check::Force, "a velocity", &|f| f.grains.velocity[b][0] *= 1.0 + 1e-6);
    breaks(Check::Energy, "a speed", &|f| f.grains.velocity[b][1] *= 1.0 + 1e-6);
    breaks(Check::Momentum, "a velocity", &|f| f.grains.velocity[b][0] *= 1.0 + 1e-6);
    breaks(Check::Force, "a velocity before", &|f| f.grains.previous_velocity[b][1] *= 1.0 + 1e-6);
    breaks(Check::Torque, "a spin", &|f| f.grains.angular_velocity[b][2] *= 1.0 + 1e-6);
    breaks(Check::Torque, "a spin before", &|f| f.grains.previous_angular_velocity[b][2] += 1e-6);
    breaks(Check::Grains, "a mass", &|f| f.grains.mass[b] *= 1.0 + 1e-6);
    breaks(Check::Grains, "a radius", &|f| f.grains.radius[b] *= 1.0 + 1e-6);
    breaks(Check::Grains, "a material", &|f| f.grains.material[b] += 1);
    breaks(Check::Grains, "an orientation", &|f| f.grains.orientation[b][3] += 1e-6);
    breaks(Check::Force, "not a number", &|f| f.grains.velocity[b][0] = f64::NAN);

    breaks(Check::Geometry, "a normal", &|f| f.contacts.normal[k][0] += 1e-6);
    breaks(Check::Geometry, "a gap", &|f| f.contacts.gap[k] += 1e-6 * radius);
    breaks(Check::Geometry, "an end", &|f| f.contacts.to[k][1] += 1e-6 * radius);
    breaks(Check::Geometry, "a partner", &|f| f.contacts.a[k] = 9999);
    breaks(Check::Terms, "a friction", &|f| f.contacts.friction[k] += 1e-6);
    breaks(Check::Terms, "a bias", &|f| f.contacts.bias[k][0] += 1e-6);
    breaks(Check::Torque, "a torque", &|f| f.contacts.torque[k][2] += 1e-6 * radius * f.contacts.normal_force[k]);
    breaks(Check::Regime, "a regime", &|f| f.contacts.regime[k] = 3 - f.contacts.regime[k]);
    breaks(Check::Cone, "a force that pulls", &|f| f.contacts.normal_force[k] *= -1.0);
    breaks(Check::Force, "a contact taken away", &|f| remove_contact(f, k));
    breaks(Check::Global, "a contact of the floor taken away", &|f| remove_contact(f, on_floor));
    breaks(Check::Geometry, "a contact doubled", &|f| double_contact(f, k));

    breaks(Check::Global, "the force on a wall", &|f| f.wall_states.force[2][1] *= 1.0 + 1e-6);
    breaks(Check::Residual, "the velocity of a wall", &|f| f.wall_states.velocity[2][1] *= 1.0 + 1e-3);
    breaks(Check::Geometry, "the place of a wall", &|f| f.wall_states.displacement[2][1] += 1e-6 * radius);
    breaks(Check::Residual, "the residual", &|f| f.residual *= 1.0 + 1e-6);
    breaks(Check::Residual, "the verdict", &|f| f.converged = !f.converged);
    breaks(Check::Overlap, "the growth of overlaps", &|f| f.overlap_growth += 1e-9);
    breaks(Check::Ledger, "the dissipation", &|f| f.dissipated *= 1.0 + 1e-6);
    breaks(Check::Ledger, "the work of walls", &|f| f.wall_work *= 1.0 + 1e-6);
    breaks(Check::Frames, "the time step", &|f| f.time_step *= 1.0 + 1e-6);
    breaks(Check::Frames, "the time", &|f| f.time *= 1.0 + 1e-6);
    breaks(Check::Frames, "the step", &|f| f.step += 1);
    assert!(certified(&folder).holds(), "everything was put back");
}

/// Does something to every column of contacts.
macro_rules! columns {
    ($contacts:expr, |$column:ident| $change:expr) => {
        columns!(@ $contacts, $column, $change; from to a b normal normal_force tangential_force torque friction bias gap regime)
    };
    (@ $contacts:expr, $column:ident, $change:expr; $($name:ident)+) => {
        $({
            let $column = &mut $contacts.$name;
            $change;
        })+
    };
}

fn remove_contact(frame: &mut Frame, k: usize) {
    columns!(frame.contacts, |column| column.remove(k));
}

/// Two contacts that carry half of the force each: all balances hold.
fn double_contact(frame: &mut Frame, k: usize) {
    frame.contacts.normal_force[k] *= 0.5;
    frame.contacts.tangential_force[k] = frame.contacts.tangential_force[k].map(|t| 0.5 * t);
    columns!(frame.contacts, |column| column.push(column[k]));
}

#[test]
fn altered_files_beside_the_frames_are_found() {
    let folder = drop("beside");
    let altered = |path: PathBuf, from: &str, to: &str| {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from} in {}", path.display());
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let found = broken(&certified(&folder));
        fs::write(&path, text).unwrap();
        found
    };
    let friction = altered(folder.scenario(), "friction = 0.", "friction = 1.");
    assert!(friction.contains(&Check::Terms), "{friction:?}");
    let gravity = altered(folder.scenario(), "-9.81", "-9.80");
    assert!(gravity.contains(&Check::Force) && gravity.contains(&Check::Ledger), "{gravity:?}");
    let overlap = altered(folder.report(), "\"worst_overlap\": ", "\"worst_overlap\": 1e-9, \"true_overlap\": ");
    assert_eq!(overlap, [Check::Overlap]);
    let series = fs::read_to_string(folder.series()).unwrap();
    let row = series.lines().last().unwrap();
    let energy = row.split(',').nth(4).unwrap();
    assert_eq!(altered(folder.series(), energy, &format!("1{energy}")), [Check::Energy]);
    // frames taken away
    let frame = frame_files::read(&folder.frames(), 2).unwrap();
    frame_files::remove_from(&folder.frames(), 2).unwrap();
    assert_eq!(broken(&certified(&folder)), [Check::Frames]);
    frame_files::write(&folder.frames(), 2, frame.clone(), true).unwrap();
    assert!(certified(&folder).holds());
    fs::remove_file(folder.frames().join("contacts_000001.vtp")).unwrap();
    let error = certify(&folder, &mut |_, _| {}).unwrap_err().to_string();
    assert!(error.contains("contacts_000001.vtp"), "{error}");
}

/// Disks under a lid of 0.5 kg that a pressure drives.
const PISTON: &str = r#"
    dimension = 2
    seed = 3
    gravity = [0, -9.81]
    stop.at = 0.15
    output.frames = 0.05
    method.cd.time_step = 5e-4
    material = [{ name = "sand", density = 2650 }]
    contact = [{ between = ["sand", "sand"], friction = 0.4 }]
    grains = [{ material = "sand", shape = { kind = "disk", radius = { uniform = [1e-3, 1.5e-3] } }, count = 60,
                place = { how = "random", min = [0, 0], max = [0.03, 0.04] } }]
    wall = [{ name = "left", kind = "plane", point = [0, 0], normal = [1, 0], material = "sand" },
            { name = "right", kind = "plane", point = [0.03, 0], normal = [-1, 0], material = "sand" },
            { name = "floor", kind = "plane", point = [0, 0], normal = [0, 1], material = "sand" },
            { name = "lid", kind = "plane", point = [0, 0.045], normal = [0, -1], material = "sand", mass = 0.5,
              drive = { pressure = { value = 1e3, between = ["left", "right"] } } }]
"#;

#[test]
fn a_piston_obeys_newton_too() {
    for (name, scheme) in [("piston", "euler"), ("piston-midpoint", "midpoint")] {
        let folder = run_text(name, PISTON, &[&format!("method.cd.scheme={scheme}")]);
        let certificate = certified(&folder);
        assert!(certificate.holds(), "{scheme}: {:?}", broken(&certificate));
        assert!(certificate.sheets.iter().all(|sheet| sheet.left_out.is_empty()), "{scheme}");
        let breaks = |check, what, alter: &dyn Fn(&mut Frame)| breaks(&folder, 2, check, what, alter);
        let force = frame_files::read(&folder.frames(), 2).unwrap().wall_states.force[3][1];
        assert!(force > 1.0, "the lid rests on grains: {force} N");
        breaks(Check::Force, "the driving force", &|f| f.wall_states.drive[3][1] *= 1.0 + 1e-6);
        breaks(Check::Force, "the mass of the lid", &|f| f.wall_states.mass[3] *= 1.0 + 1e-6);
        breaks(Check::Force, "its velocity before", &|f| f.wall_states.previous_velocity[3][1] += 1e-6);
        breaks(Check::Ledger, "its place", &|f| f.wall_states.displacement[3][1] += 1e-6);
    }
}

/// Every law, each alone and all together: the run holds, and an altered torque or bias does not.
#[test]
fn all_laws_are_known() {
    let bounce = "contact.0.restitution={ normal = { below_yield = 0.8, yield_velocity = 0.1 }, tangential = 0.3 }";
    let weaker = "contact.0.friction={ static = 0.5, dynamic = 0.3, decay = 0.05 }";
    let roll = "contact.0.rolling={ hysteresis = { loss = 0.2, modulus = 1e6 } }";
    let glue = "contact.0.cohesion={ force = 1, range = 1e-5 }";
    let midpoint = "method.cd.scheme=midpoint";
    for (name, laws) in [
        ("bounce", &[bounce][..]),
        ("weaker", &[weaker]),
        ("roll", &[roll]),
        ("midpoint", &[midpoint, bounce]),
        ("all", &[bounce, weaker, roll, glue]),
    ] {
        let folder = run(name, "drop", &[&DROP[..], laws].concat());
        let certificate = certified(&folder);
        assert!(certificate.holds(), "{name}: {:?}", broken(&certificate));
        for sheet in &certificate.sheets {
            let left_out = name == "all" && [Check::Regime, Check::Residual].contains(&sheet.check);
            assert_eq!(!sheet.left_out.is_empty(), left_out, "{name}: {:?}", sheet.left_out);
        }
        let contacts = frame_files::read(&folder.frames(), 2).unwrap().contacts;
        assert!(contacts.a.len() > 10, "{name}: {} contacts", contacts.a.len());
        breaks(&folder, 2, Check::Terms, "a bias", |f| f.contacts.bias[3][1] += 1e-4);
        breaks(&folder, 2, Check::Terms, "a friction", |f| f.contacts.friction[3] += 1e-6);
        breaks(&folder, 2, Check::Force, "a force", |f| f.contacts.normal_force[3] *= 1.0 + 1e-6);
        if laws.contains(&roll) {
            let k = (0..contacts.a.len()).find(|k| contacts.torque[*k][2] != 0.0).unwrap();
            breaks(&folder, 2, Check::Torque, "a torque", |f| f.contacts.torque[k][2] *= 1.0 + 1e-6);
            breaks(&folder, 2, Check::Cone, "a large torque", |f| f.contacts.torque[k][2] *= 1e3);
        }
    }
}

/// A run that was stopped has no verdict on overlaps to compare with, and says so.
#[test]
fn what_is_not_judged_is_said() {
    let folder = drop("open");
    fs::remove_file(folder.report()).unwrap();
    let certificate = certified(&folder);
    assert!(certificate.holds_by_mechanics());
    let sheet = |check: Check| certificate.sheets.iter().find(|sheet| sheet.check == check).unwrap();
    assert!(sheet(Check::Overlap).left_out[0].contains("report.json"));
    assert!(sheet(Check::Files).first[0].place.contains("report.json is missing"), "the run was over");
}

/// Soft grains: what holds for them is checked, what does not is left out, and altered numbers are found.
#[test]
fn runs_of_soft_grains_hold_and_altered_ones_do_not() {
    let folder = run("soft", "oblique", &[]);
    let certificate = certified(&folder);
    assert!(certificate.holds(), "{:?}", broken(&certificate));
    let judged = |check: Check| certificate.sheets.iter().any(|sheet| sheet.check == check && sheet.judged > 0);
    assert!([Check::Geometry, Check::Global, Check::Overlap, Check::Ledger, Check::Series].into_iter().all(judged));
    assert!(!judged(Check::Force) && !judged(Check::Residual), "forces of soft grains act at instants");
    // frame 2 is in the middle of the collision
    breaks(&folder, 2, Check::Geometry, "a position", |frame| frame.grains.position[0][2] += 1e-9);
    breaks(&folder, 2, Check::Energy, "a velocity", |frame| frame.grains.velocity[0][0] *= 1.01);
    breaks(&folder, 2, Check::Global, "a force on a wall", |frame| frame.wall_states.force[0][2] *= 1.01);
    breaks(&folder, 8, Check::Ledger, "a loss", |frame| frame.dissipated += 1e-6);
}

/// Contacts of grains that grow act on the sizes of the start of a step, which follow from those of its end.
#[test]
fn stages_in_which_grains_grow_hold_and_altered_ones_do_not() {
    let small = |until: &'static str, method: &'static str| {
        [
            "grains.0.count=40",
            "grains.1.count=40",
            "grains.0.place.max=[0.152, 0.152]",
            "grains.1.place.max=[0.152, 0.152]",
            "cell.max=[0.152, 0.152]",
            "contact.0.friction=0.3",
            until,
            method,
        ]
    };
    let folder = run("grown", "grown", &small("stage.0.until={solid_fraction=0.7}", "method.use=cd"));
    let certificate = certified(&folder);
    assert!(certificate.holds(), "{:?}", certificate.sheets);
    for check in [Check::Geometry, Check::Terms, Check::Residual, Check::Force, Check::Torque, Check::Overlap] {
        let sheet = certificate.sheets.iter().find(|sheet| sheet.check == check).expect("a sheet");
        assert!(sheet.judged > 10 && sheet.left_out.is_empty(), "{sheet:?}");
    }
    let last = certificate.frames - 1;
    breaks(&folder, last, Check::Geometry, "a radius", |frame| frame.grains.radius[3] *= 1.0 + 1e-6);
    breaks(&folder, last, Check::Force, "a mass", |frame| {
        let busy = frame.contacts.b[0];
        let grain = frame.grains.id.iter().position(|id| i64::from(*id) == i64::from(busy)).expect("a grain");
        frame.grains.mass[grain] *= 1.0 + 1e-6;
    });
    breaks(&folder, last, Check::Terms, "a closing velocity", |frame| frame.contacts.bias[0][0] += 1e-6);
    breaks(&folder, last, Check::Overlap, "growth of an overlap", |frame| frame.overlap_growth += 1e-6);
    let soft = certified(&run("soft grown", "grown", &small("stage.0.until={solid_fraction=0.5}", "method.use=md")));
    assert!(soft.holds(), "{:?}", soft.sheets);
}

/// Hard grains: what is between collisions is judged, and altered numbers are found.
#[test]
fn runs_of_hard_grains_hold_and_alterations_break() {
    let settings = [
        "grains.0.count=200",
        "grains.0.place.max=[0.06, 0.06]",
        "cell.max=[0.06, 0.06]",
        "stop.at=1",
        "output.frames=100 ms",
        "output.series=[\"energy\", \"momentum\", \"overlap\"]",
    ];
    let folder = run("hard_grains", "rapid_gas", &settings);
    let certificate = certified(&folder);
    assert!(certificate.holds(), "{:?}", broken(&certificate));
    for check in [Check::Ledger, Check::Energy, Check::Momentum, Check::Overlap] {
        let sheet = certificate.sheets.iter().find(|sheet| sheet.check == check);
        assert!(sheet.is_some_and(|sheet| sheet.judged > 5), "{check:?} is judged");
    }
    // of grains in a cell the energy is that of the grain itself, not of the image that is shown
    let faster = |frame: &mut Frame| frame.grains.own_velocity[7][0] *= 1.001;
    breaks(&folder, 5, Check::Energy, "a faster grain", faster);
    breaks(&folder, 5, Check::Ledger, "energy that collisions took", |frame| frame.dissipated *= 1.0 + 1e-6);
    breaks(&folder, 5, Check::Overlap, "a grain within another", |frame| {
        let [x, y, z] = frame.grains.own_position[8];
        frame.grains.own_position[7] = [x + 1.9e-3, y, z];
    });
}
