//! Making samples: grains of an earlier run, grains that come later, grains that are taken away, ballistic deposits.

use std::fs;
use std::path::{Path, PathBuf};

use drystone::input::Reader;
use drystone::method::Kind;
use drystone::record::{Frame, RunFolder, frame_files};
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run};

use super::expect::expect;

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("samples").join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

/// Runs a scenario to its end in a folder.
fn run(text: &str, path: &Path) -> Box<dyn Run> {
    let scenario = AnyScenario::parse("samples", text, &[], Reader::default());
    let scenario = scenario.unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let mut run = sim::start(&scenario, Path::new("."), path, true).unwrap_or_else(|error| panic!("{error}"));
    while run.advance().unwrap().is_some() {}
    run
}

fn refused(text: &str) -> String {
    let scenario = match AnyScenario::parse("samples", text, &[], Reader::default()) {
        Ok(scenario) => scenario,
        Err(mistakes) => return mistakes.to_string(),
    };
    let Err(mistakes) = sim::open(&scenario, Path::new(".")) else { panic!("nothing is wrong") };
    mistakes.to_string()
}

fn last_frame(path: &Path) -> Frame {
    let frames = RunFolder::open(path).unwrap().frames();
    let number = *frame_files::numbers(&frames).unwrap().last().unwrap();
    frame_files::read(&frames, number).unwrap()
}

/// A box of sand and its laws; `method` is "cd" or "md".
fn sand(method: &str) -> String {
    format!(
        r#"
        dimension = 2
        seed      = 4
        depth     = "10 mm"
        gravity   = [0, -9.81]
        material  = [{{ name = "sand", density = 2650 }}, {{ name = "wall", density = 2650 }}]
        [[contact]]
        between = ["sand", "sand"]
        friction = 0.5
        md = {{ normal = {{ law = "hooke", stiffness = "1e4 N/m", restitution = 0.3 }}, tangential = {{ law = "cundall_strack", stiffness_ratio = 0.8, damping = "1 N s/m" }} }}
        [[contact]]
        between = ["sand", "wall"]
        friction = 0.3
        md = {{ normal = {{ law = "hooke", stiffness = "1e4 N/m", restitution = 0.3 }}, tangential = {{ law = "cundall_strack", stiffness_ratio = 0.8, damping = "1 N s/m" }} }}
        [[wall]]
        name = "lid"
        kind = "plane"
        point = [0, 0.2]
        normal = [0, -1]
        material = "wall"
        [[wall]]
        name = "box"
        kind = "box"
        min = [0, 0]
        max = [0.03, 0.3]
        material = "wall"
        [method]
        use = "{method}"
        cd = {{ time_step = "0.5 ms" }}
        md = {{ time_step = "5 us" }}
        "#
    )
}

const GRAINS: &str = r#"
        [[grains]]
        material = "sand"
        shape = { kind = "disk", radius = { uniform = ["0.8 mm", "1.2 mm"] } }
        count = 100
        place = { how = "random", min = [0, 0], max = [0.03, 0.04] }
"#;

/// A run that starts at the end of a stage goes on as if it had never stopped: the same bits.
#[test]
fn a_run_that_starts_from_a_stage_goes_on_as_the_run_itself() {
    let fill = r#"
        [[stage]]
        name = "fill"
        limit = "60 ms"
    "#;
    let more = r#"
        [[stage]]
        name = "more"
        limit = "40 ms"
    "#;
    let (whole, second, third) = (folder("whole"), folder("second"), folder("third"));
    run(&format!("{}{GRAINS}{fill}{more}", sand("cd")), &whole);
    let start = format!("start = {{ from = \"{}@fill\" }}", whole.display());
    run(&format!("{start}\n{}{more}", sand("cd")), &second);
    let (one, other) = (last_frame(&whole), last_frame(&second));
    assert!(one.contacts.a.len() > 100, "nothing rests on anything");
    assert_eq!(one.grains.id, other.grains.id);
    assert_eq!(one.grains.position, other.grains.position);
    assert_eq!(one.grains.velocity, other.grains.velocity);
    assert_eq!(one.contacts.normal_force, other.contacts.normal_force);
    // from a frame places are those of the frame, at rest if so wanted; the folder stands by itself
    let start = format!("start = {{ from = \"{}@first\", moving = false }}", second.display());
    run(&format!("{start}\n{}{more}", sand("cd")), &third);
    let frames = RunFolder::open(&third).unwrap().frames();
    let (first, source) = (
        frame_files::read(&frames, 0).unwrap(),
        frame_files::read(&RunFolder::open(&second).unwrap().frames(), 0).unwrap(),
    );
    assert_eq!(first.grains.position, source.grains.position);
    assert!(
        first.grains.velocity.iter().all(|v| *v == [0.0; 3]) && source.grains.velocity.iter().any(|v| *v != [0.0; 3])
    );
    let fourth = folder("fourth");
    run(&format!("start = {{ from = \"{}@last\" }}\n{}{more}", whole.display(), sand("cd")), &fourth);
    let begin = frame_files::read(&RunFolder::open(&fourth).unwrap().frames(), 0).unwrap();
    assert_eq!(begin.grains.position, one.grains.position);
    assert_ne!(begin.grains.position, source.grains.position, "the last frame is not the first");
    fs::remove_dir_all(&whole).unwrap();
    fs::remove_dir_all(&second).unwrap();
    sim::resume(RunFolder::open(&third).unwrap()).unwrap_or_else(|error| panic!("{error}"));
}

/// Soft grains keep their springs, and a wall of the same name and surface stands where it stood.
#[test]
fn soft_grains_and_walls_are_taken_over() {
    let press = r#"
        [[stage]]
        name = "press"
        drive = { lid = { velocity = [0, "-1 m/s"] } }
        limit = "100 ms"
    "#;
    let rest = r#"
        [[stage]]
        name = "rest"
        until = { at_rest = { speed = "1 mm/s", for = "5 ms" } }
        limit = "400 ms"
    "#;
    let (first, second) = (folder("soft"), folder("soft-again"));
    run(&format!("{}{GRAINS}{press}", sand("md")), &first);
    let again = run(&format!("start = {{ from = \"{}\" }}\n{}{rest}", first.display(), sand("md")), &second);
    let (frames, end) = (RunFolder::open(&second).unwrap().frames(), last_frame(&first));
    let begin = frame_files::read(&frames, 0).unwrap();
    assert_eq!(begin.grains.position, end.grains.position);
    let lid = begin.wall_states.displacement[0][1];
    expect("samples", Kind::Md, "place of a lid that was driven in the run before", lid, -0.1)
        .within(1e-9, "rounding of 20 000 steps");
    assert_eq!(again.report().ended[0].rule, "at_rest", "{}", again.report().ended[0].why);
}

/// What does not fit is refused, with what to write instead.
#[test]
fn what_does_not_fit_is_refused() {
    let path = folder("source");
    run(&format!("{}{GRAINS}[[stage]]\nname = \"fill\"\nlimit = \"2 ms\"\n", sand("cd")), &path);
    let stop = "[[stage]]\nname = \"more\"\nlimit = \"2 ms\"\n";
    let from = |moment: &str| format!("start = {{ from = \"{}{moment}\" }}\n", path.display());
    let cases = [
        (format!("{}{}{stop}", from("@fil"), sand("cd")), "the run has no stage `fil`"),
        (format!("{}{}{stop}", from("@77"), sand("cd")), "77"),
        (
            format!("{}{}{}remove = {{ rattlers = 2 }}\n", from("@last"), sand("cd"), stop),
            "every grain would count as a rattler",
        ),
        (format!("{}{}{stop}", from("x"), sand("cd")), "holds no run"),
        (
            format!(
                "{}{}{stop}",
                from(""),
                sand("cd").replace("name = \"sand\", density = 2650", "name = \"sand\", density = 2500")
            ),
            "2650",
        ),
        (format!("{}{}{stop}", from(""), sand("cd").replace("\"sand\"", "\"salt\"")), "has grains of \"sand\""),
        (
            format!("{}{}{stop}", from(""), sand("cd").replace("max = [0.03, 0.3]", "max = [0.02, 0.3]")),
            "is behind wall `box`",
        ),
    ];
    for (text, message) in cases {
        let told = refused(&text);
        assert!(told.contains(message), "{message}: {told}");
    }
}

/// Grains come at their rate; what they bring along is on the books; and all of them are the same after a resume.
#[test]
fn grains_come_at_their_rate() {
    let rain = r#"
        [[grains]]
        material = "sand"
        shape = { kind = "disk", radius = { uniform = ["0.8 mm", "1.2 mm"] } }
        count = 40
        pour = { rate = "500 1/s", start = "10 ms" }
        place = { how = "random", min = [0, 0.06], max = [0.03, 0.09] }
        velocity = [0.1, -0.5]
        [stop]
        at = "70 ms"
        [output]
        frames = "5 ms"
    "#;
    for (method, kind, tolerance) in [("cd", Kind::Cd, 2e-2), ("md", Kind::Md, 1e-3)] {
        let path = folder(&format!("rain-{method}"));
        let text = format!("{}{GRAINS}{rain}", sand(method))
            .replace("\"0.5 ms\"", "\"0.1 ms\", scheme = \"midpoint\"")
            .replace("\"5 us\"", "\"2 us\"");
        let whole = run(&text, &path);
        let frames = RunFolder::open(&path).unwrap().frames();
        for (number, time) in [(1, 5e-3), (4, 20e-3), (13, 65e-3)] {
            let frame = frame_files::read(&frames, number).unwrap();
            // the first comes at 10 ms; the one that is due at the very time of a frame comes in the step after it
            let due = if time < 0.01 { 0.0 } else { ((time - 0.01) * 500.0_f64).round() };
            let come = frame.grains.id.len() as f64 - 100.0;
            expect("samples", kind, format!("grains that came until {time} s"), come - due, 0.0)
                .within(1.0, "the one that is due at this very time");
        }
        let ledger = ledger(&path);
        expect("samples", kind, "energy unaccounted for while grains come, over what they brought", ledger, 0.0)
            .within(tolerance, "the scheme's own error in collisions and sliding, as without grains that come");
        let parts = folder(&format!("rain-{method}-parts"));
        let scenario = AnyScenario::parse("samples", &text, &[], Reader::default()).unwrap_or_else(|m| panic!("{m}"));
        let mut again = sim::start(&scenario, Path::new("."), &parts, true).unwrap();
        let steps = whole.report().steps;
        for _ in 0..4 {
            for _ in 0..steps / 4 {
                again.advance().unwrap();
            }
            again.interrupt().unwrap();
            drop(again); // it holds the folder
            again = sim::resume(RunFolder::open(&parts).unwrap()).unwrap();
        }
        while again.advance().unwrap().is_some() {}
        assert_eq!(again.summary()["hash"], whole.summary()["hash"], "{method}");
    }
}

/// Change of all energies over the largest work from outside.
fn ledger(path: &Path) -> f64 {
    let series = fs::read_to_string(path.join("series.csv")).unwrap();
    let mut lines = series.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().unwrap().split(',').map(|name| name.split(' ').next().unwrap()).collect();
    let rows: Vec<Vec<f64>> = lines.map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    let value = |row: &[f64], name: &str| row[columns.iter().position(|column| *column == name).unwrap()];
    let total = |row: &[f64]| {
        let kept = ["kinetic_energy", "potential_energy", "elastic_energy", "dissipated_energy"];
        kept.iter().filter(|name| columns.contains(name)).map(|name| value(row, name)).sum::<f64>()
            - value(row, "wall_work")
    };
    let work = rows.iter().map(|row| value(row, "wall_work").abs()).fold(0.0, f64::max);
    (total(&rows[rows.len() - 1]) - total(&rows[0])) / work
}

/// A sample is cut out, and then freed of what rattles: what stays lies inside, and bears.
#[test]
fn a_sample_is_cut_out_and_freed_of_rattlers() {
    let stages = r#"
        [[stage]]
        name = "fill"
        limit = "150 ms"
        [[stage]]
        name = "cut"
        remove = { outside = { min = [0, 0], max = [0.03, 0.008] } }
        limit = "100 ms"
        [[stage]]
        name = "bear"
        remove = { rattlers = 2 }
        limit = "0.5 ms"
    "#;
    let path = folder("cut");
    run(&format!("{}{GRAINS}{stages}\n[output]\nframes = \"0.5 ms\"\n", sand("cd")), &path);
    let frames = RunFolder::open(&path).unwrap().frames();
    let count = |number: usize| frame_files::read(&frames, number).unwrap().grains.id.len();
    let (whole, cut, bearing) = (count(300), count(302), last_frame(&path));
    assert!(whole == 100 && cut < 90 && cut > 40, "{whole}, {cut}");
    let cut = frame_files::read(&frames, 302).unwrap();
    let highest = cut.grains.position.iter().map(|x| x[1]).fold(0.0, f64::max);
    assert!(highest <= 0.008 + 1e-5, "{highest}");
    let settled = frame_files::read(&frames, 500).unwrap();
    let touching = |frame: &Frame, id: u32| {
        (0..frame.contacts.a.len())
            .filter(|k| {
                frame.contacts.regime[*k] != 0
                    && (frame.contacts.a[*k] == id as i32 || frame.contacts.b[*k] == id as i32)
            })
            .count()
    };
    let removed: Vec<u32> = settled.grains.id.iter().copied().filter(|id| !bearing.grains.id.contains(id)).collect();
    let alone = settled.grains.id.iter().filter(|id| touching(&settled, **id) < 2).count();
    assert!(removed.len() >= alone, "{alone} rattle, {} were removed", removed.len());
    // in the stored contacts among those that stayed, everyone has two
    let stayed = |end: i32| end < 0 || bearing.grains.id.contains(&(end as u32));
    for id in &bearing.grains.id {
        let own = (0..settled.contacts.a.len()).filter(|k| {
            let (a, b) = (settled.contacts.a[*k], settled.contacts.b[*k]);
            settled.contacts.regime[*k] != 0 && (a == *id as i32 || b == *id as i32) && stayed(a) && stayed(b)
        });
        assert!(own.count() >= 2, "grain {id}");
    }
}

/// Grains that stick where they touch first: in space the solid fraction is 0.15 and a grain has two neighbours
/// [Lubachevsky, Privman and Roy 1992]; each is held by one thing exactly.
#[test]
fn sticking_deposits_are_loose_and_rolling_ones_are_held_twice() {
    let text = |dimension: usize, shape: &str, count: usize, sticks: bool, min: &str, max: &str, gravity: &str| {
        format!(
            r#"
            dimension = {dimension}
            seed = 3
            gravity = {gravity}
            material = [{{ name = "m", density = 1000 }}]
            contact = [{{ between = ["m", "m"], friction = 0.5 }}]
            stop = {{ at = 1 }}
            method = {{ cd = {{ time_step = 1e-3 }} }}
            [[grains]]
            material = "m"
            shape = {{ kind = "{shape}", radius = 0.5 }}
            count = {count}
            place = {{ how = "ballistic", min = {min}, max = {max}, sticks = {sticks} }}
            "#
        )
    };
    let first = |text: &str, name: &str| {
        let path = folder(name);
        let scenario = AnyScenario::parse("samples", text, &[], Reader::default()).unwrap_or_else(|m| panic!("{m}"));
        drop(sim::start(&scenario, Path::new("."), &path, true).unwrap_or_else(|error| panic!("{error}")));
        frame_files::read(&RunFolder::open(&path).unwrap().frames(), 0).unwrap()
    };
    let touching = |frame: &Frame, k: usize, upto: usize, floor: f64| {
        let x = &frame.grains.position;
        let apart = |j: usize| (0..3).map(|axis| (x[k][axis] - x[j][axis]).powi(2)).sum::<f64>().sqrt();
        let grains = (0..upto).filter(|j| *j != k && (apart(*j) - 1.0).abs() < 1e-9).count();
        grains + usize::from((x[k][frame.dimension - 1] - 0.5 - floor).abs() < 1e-9)
    };
    let loose = first(&text(3, "sphere", 20_000, true, "[0, 0, 0]", "[40, 40, 400]", "[0, 0, -10]"), "sticks");
    assert!((0..3000).all(|k| touching(&loose, k, k, 0.0) == 1), "each is held by one thing");
    // away from the rim and the top, and from the floor, above which the fraction falls to that of the bulk by a power
    let inside = |x: &[f64; 3]| x[..2].iter().all(|x| (4.0..36.0).contains(x)) && x[2] > 20.0 && x[2] < 35.0;
    let count = loose.grains.position.iter().filter(|x| inside(x)).count() as f64;
    let fraction = count * std::f64::consts::PI / 6.0 / (32.0 * 32.0 * 15.0);
    expect("ballistic", Kind::Cd, "solid fraction of spheres that stick", fraction, 0.15).within(
        0.07,
        "the literature says about 0.15 [Lubachevsky92]; the bulk is not quite reached, and 5000 spheres scatter",
    );
    let held = first(&text(2, "disk", 1500, false, "[0, 0]", "[40, 200]", "[0, -10]"), "rolls");
    let supports = |k: usize| {
        let x = held.grains.position[k][0];
        let sides = usize::from((x - 0.5).abs() < 1e-9) + usize::from((x - 39.5).abs() < 1e-9);
        let floor = usize::from((held.grains.position[k][1] - 0.5).abs() < 1e-9);
        touching(&held, k, k, 0.0) + sides + floor
    };
    assert!((0..1500).all(|k| supports(k) >= 2), "each is held twice, or by the floor");
    let inside = |x: &[f64; 3]| x[0] > 4.0 && x[0] < 36.0 && x[1] > 4.0 && x[1] < 28.0;
    let count = held.grains.position.iter().filter(|x| inside(x)).count() as f64;
    let fraction = count * std::f64::consts::PI / 4.0 / (32.0 * 24.0);
    expect("ballistic", Kind::Cd, "solid fraction of disks that roll to two supports", fraction, 0.82)
        .within(0.025, "some 800 disks in the region [VisscherBolsterli72]");
    let held = first(&text(3, "sphere", 4000, false, "[0, 0, 0]", "[13, 13, 60]", "[0, 0, -10]"), "rolls3");
    let supports = |k: usize| {
        let x = held.grains.position[k];
        let at = |axis: usize| usize::from((x[axis] - 0.5).abs() < 1e-7) + usize::from((x[axis] - 12.5).abs() < 1e-7);
        touching(&held, k, k, 0.0) + at(0) + at(1)
    };
    let lies = |k: usize| (held.grains.position[k][2] - 0.5).abs() < 1e-9;
    assert!((0..4000).all(|k| lies(k) || supports(k) >= 3), "each is held three times, or by the floor");
    let inside = |x: &[f64; 3]| x[..2].iter().all(|x| (3.0..10.0).contains(x)) && x[2] > 4.0 && x[2] < 18.0;
    let count = held.grains.position.iter().filter(|x| inside(x)).count() as f64;
    let fraction = count * std::f64::consts::PI / 6.0 / (7.0 * 7.0 * 14.0);
    expect("ballistic", Kind::Cd, "solid fraction of spheres that roll until they are held", fraction, 0.582)
        .within(0.025, "some 760 spheres in the region, of which those at its sides are cut [VisscherBolsterli72]");
}
