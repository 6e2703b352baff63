//! Measures of stored frames: a lattice between pistons has the stress that they press with, whatever the method.

use std::fs;
use std::path::{Path, PathBuf};

use drystone::input::Reader;
use drystone::measure::Measures;
use drystone::measure::frame::{FrameView, MeasureOptions};
use drystone::method::Kind;
use drystone::record::{Frame, RunFolder, frame_files};
use drystone::scenario::AnyScenario;
use drystone::sim::{self, Run};

use super::expect::expect;

/// Grains a side.
const COUNT: usize = 5;
/// Radius [m].
const RADIUS: f64 = 0.01;
/// Forces of the pistons along the axes [N].
const FORCES: [f64; 3] = [300.0, 500.0, 400.0];

/// A square or cubic lattice between smooth fixed walls at 0 and smooth pistons at the other end of every axis. With
/// friction the walls along an axis would carry part of the load, and the grains would not have the stress of the
/// piston.
fn scenario(dimension: usize, method: &str, series: &str) -> String {
    let side = 2.0 * RADIUS * COUNT as f64;
    let list = |of: &dyn Fn(usize) -> f64| {
        format!("[{}]", (0..dimension).map(|k| of(k).to_string()).collect::<Vec<_>>().join(", "))
    };
    let (shape, how) = if dimension == 2 { ("disk", "square") } else { ("sphere", "cubic") };
    let (zero, corner) = (list(&|_| 0.0), list(&|_| side));
    let mut text = format!(
        r#"
        title     = "lattice"
        dimension = {dimension}
        depth     = 0.5
        gravity   = {zero}
        material  = [{{ name = "stone", density = 2500 }}, {{ name = "plate", density = 2500 }}]
        stop      = {{ at = "0.4 s" }}
        [[contact]]
        between  = ["stone", "stone"]
        friction = 0.3
        [contact.md]
        normal     = {{ law = "hooke", stiffness = 1e6, restitution = 0.1 }}
        tangential = {{ law = "cundall_strack", stiffness_ratio = 0.8, damping = 100 }}
        [[contact]]
        between  = ["stone", "plate"]
        friction = 0
        [contact.md]
        normal = {{ law = "hooke", stiffness = 1e6, restitution = 0.1 }}
        [method]
        use = "{method}"
        [method.cd]
        time_step = "1 ms"
        accuracy  = 1e-12
        [method.md]
        time_step = "auto"
        [output]
        series       = [{series}]
        series_every = "10 ms"
        [[grains]]
        material = "stone"
        shape    = {{ kind = "{shape}", radius = {RADIUS} }}
        place    = {{ how = "{how}", min = {zero}, max = {corner} }}
        "#
    );
    for (axis, force) in FORCES.iter().enumerate().take(dimension) {
        let unit = |sign: f64| list(&|k| if k == axis { sign } else { 0.0 });
        text += &format!(
            r#"
            [[wall]]
            name = "low{axis}"
            kind = "plane"
            point = {zero}
            normal = {}
            material = "plate"
            [[wall]]
            name = "high{axis}"
            kind = "plane"
            point = {corner}
            normal = {}
            material = "plate"
            mass = 5
            drive = {{ force = {force} }}
            "#,
            unit(1.0),
            unit(-1.0),
        );
    }
    text
}

fn place(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("frames").join(name);
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    path
}

fn start(text: &str, out: &Path) -> (AnyScenario, Box<dyn Run>) {
    let reader = Reader::new(".".into());
    let scenario = AnyScenario::parse("lattice", text, &[], reader).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let run = sim::start(&scenario, Path::new("."), out, false).unwrap_or_else(|error| panic!("{error}"));
    (scenario, run)
}

fn finish(mut run: Box<dyn Run>) {
    while run.advance().unwrap_or_else(|error| panic!("{error}")).is_some() {}
}

/// The first and the last frame of a run.
fn frames(out: &Path) -> [Frame; 2] {
    let folder = RunFolder::open(out).unwrap().frames();
    let last = *frame_files::numbers(&folder).unwrap().last().unwrap();
    [0, last].map(|number| frame_files::read(&folder, number).unwrap())
}

fn lattice(dimension: usize, kind: Kind) {
    let out = place(&format!("{}{dimension}", kind.name()));
    let (scenario, run) = start(&scenario(dimension, kind.name(), "\"energy\""), &out);
    finish(run);
    let [first, last] = frames(&out);
    let setting = scenario.setting();
    // the box between the walls, where the pistons stand now
    let side = 2.0 * RADIUS * COUNT as f64;
    let lengths: Vec<f64> =
        (0..dimension).map(|axis| side + last.wall_states.displacement[2 * axis + 1][axis]).collect();
    let mut options = MeasureOptions::default();
    (0..dimension).for_each(|axis| options.region[axis] = [Some(0.0), Some(lengths[axis])]);
    let view = FrameView { first: Some(&first), ..FrameView::whole(&last, &setting, &options) };
    let number = |measure: &str, column: &str| {
        let measure = Measures::ALL.iter().find(|known| known.name() == measure).unwrap().of_frame().unwrap();
        let at = measure.columns(&view).iter().position(|known| known.name == column).unwrap();
        measure.rows(&view).unwrap_or_else(|nothing| panic!("{nothing}"))[0][at]
    };
    let case = "a lattice between pistons, from its frame";
    let of = |what: &str| format!("{dimension}D: {what}");
    let (tolerance, why) = match kind {
        Kind::Md => (1e-9, "what is left of the swinging after 0.4 s"),
        _ => (1e-8, "residual 1e-12 times 500, a piston's mass over a grain's, times 5, grains in a row"),
    };
    let depth = if dimension == 2 { 0.5 } else { 1.0 };
    let volume = lengths.iter().product::<f64>() * depth;
    let mut pressure = 0.0;
    for axis in 0..dimension {
        let name = ["x", "y", "z"][axis];
        let stress = FORCES[axis] * lengths[axis] / volume;
        pressure += stress / dimension as f64;
        let column = format!("stress_{name}{name}");
        expect(case, kind, of(&column), number("stress", &column), stress).within(tolerance, why);
        let column = format!("high{axis}_force_{name}");
        expect(case, kind, of(&column), number("walls", &column), FORCES[axis]).within(tolerance, why);
        let column = format!("force_fabric_{name}{name}");
        let share = FORCES[axis] / FORCES[..dimension].iter().sum::<f64>();
        expect(case, kind, of(&column), number("fabric", &column), share).within(tolerance, why);
    }
    expect(case, kind, of("pressure"), number("stress", "pressure"), pressure).within(tolerance, why);
    expect(case, kind, of("pressure beside porosity"), number("porosity", "bulk_pressure"), pressure)
        .within(tolerance, why);
    let count = COUNT.pow(dimension as u32) as f64;
    let grain = match dimension {
        2 => std::f64::consts::PI * RADIUS * RADIUS * depth,
        _ => 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3),
    };
    // overlapping soft grains reach beyond the walls by their overlap, and are cut there
    let cut = if kind == Kind::Md { 1e-3 } else { 1e-9 };
    expect(case, kind, of("solid fraction"), number("solid_fraction", "solid_fraction"), count * grain / volume)
        .within(cut, "grains touch; soft ones overlap walls by up to 2e-3 of the radius");
    expect(case, kind, of("coordination"), number("coordination", "coordination"), 2.0 * dimension as f64)
        .within(1e-12, "counted");
    let strain: f64 = lengths.iter().map(|length| length / side).product::<f64>() - 1.0;
    // walls meet grains with one spring, grains each other with half of it: the ends of the box give way differently
    expect(case, kind, of("change of volume"), number("affine_strain", "affine_volume_change") - strain, 0.0).within(
        if kind == Kind::Md { 2e-3 } else { 1e-9 },
        "overlaps with walls are half of those of grains, 1e-2 of the radius",
    );
    let stresses: Vec<f64> = (0..dimension).map(|axis| FORCES[axis] * lengths[axis] / volume).collect();
    expect_path(case, kind, &stresses, &|column| number("stress_path", column), tolerance, why);
    let void_ratio = volume / (count * grain) - 1.0;
    expect(case, kind, of("void ratio"), number("stress_path", "void_ratio"), void_ratio)
        .within(5.0 * cut, "as the solid fraction, over the share of voids");
    // the distances of the walls themselves
    expect(case, kind, of("volumetric strain"), number("strain", "volumetric_strain"), -strain)
        .within(1e-12, "rounding");
    let axial = 1.0 - lengths[dimension - 1] / side;
    expect(case, kind, of("axial strain"), number("strain", "axial_strain"), axial).within(1e-12, "rounding");
    let energy = FORCES[0] * RADIUS;
    expect(case, kind, of("unaccounted energy over F r"), number("energy_balance", "unaccounted_energy") / energy, 0.0)
        .within(if kind == Kind::Md { 1e-5 } else { 1e-9 }, "the integrator's second order in the time step");
}

/// p, q and q/p of principal stresses: q is their difference in the plane, (3/2 s : s)^1/2 in space.
fn expect_path(
    case: &'static str,
    kind: Kind,
    stresses: &[f64],
    number: &dyn Fn(&str) -> f64,
    tolerance: f64,
    why: &'static str,
) {
    let p = stresses.iter().sum::<f64>() / stresses.len() as f64;
    let squares: f64 = stresses.iter().map(|stress| (stress - p).powi(2)).sum();
    let q = match stresses {
        [one, other] => (one - other).abs(),
        _ => (1.5 * squares).sqrt(),
    };
    for (column, expected) in [("mean_stress", p), ("deviator_stress", q), ("stress_ratio", q / p)] {
        let name = format!("{}D: {column}", stresses.len());
        match column {
            "mean_stress" => expect(case, kind, name, number(column), expected).within(5.0 * tolerance, why),
            // friction leaves rigid lattices a shear stress of their own, which enters by its square
            _ => expect(case, kind, name, number(column), expected).within(tolerance.max(1e-3), "shear of the lattice"),
        }
    }
}

/// The lattice without walls: the lengths of a periodic cell follow unequal stresses.
fn pressed_cell(dimension: usize, kind: Kind) {
    let side = 2.0 * RADIUS * COUNT as f64;
    let list = |of: &dyn Fn(usize) -> String| format!("[{}]", (0..dimension).map(of).collect::<Vec<_>>().join(", "));
    let stresses: Vec<f64> = [3e3, 5e3, 4e3][..dimension].to_vec();
    let walls = scenario(dimension, kind.name(), "\"stress_path\", \"strain\"");
    let (text, _) = walls.split_once("[[wall]]").unwrap();
    let text = format!(
        "{text}\n[cell]\nperiodic = {}\nmin = {}\nmax = {}\nstress = {{ normal = {}, mass = 5, follow = {} }}\n",
        list(&|axis| format!("\"{}\"", ["x", "y", "z"][axis])),
        list(&|_| "0".into()),
        list(&|_| side.to_string()),
        list(&|axis| stresses[axis].to_string()),
        list(&|axis| format!("\"{}\"", ["x", "y", "z"][axis])),
    );
    let out = place(&format!("cell-{}{dimension}", kind.name()));
    let (_, run) = start(&text, &out);
    finish(run);
    let case = "a lattice in a cell that follows stresses, from its series";
    let (tolerance, why) = match kind {
        Kind::Md => (1e-6, "what is left of the swinging after 0.4 s"),
        _ => (1e-5, "the lengths still swing a little after 400 steps"),
    };
    let last = |column: &str| *super::stored::column(&out, column).last().unwrap();
    expect_path(case, kind, &stresses, &last, tolerance, why);
    let cell = frames(&out)[1].cell.clone().expect("it is periodic");
    let axial = 1.0 - cell.lengths[dimension - 1] / side;
    let volume = 1.0 - (0..dimension).map(|axis| cell.lengths[axis] / side).product::<f64>();
    let of = |what: &str| format!("{dimension}D: {what}");
    expect(case, kind, of("axial strain"), last("axial_strain"), axial).within(1e-12, "rounding");
    expect(case, kind, of("volumetric strain"), last("volumetric_strain"), volume).within(1e-12, "rounding");
}

#[test]
fn a_lattice_has_the_stress_that_its_cell_follows_rigid_or_soft() {
    for kind in [Kind::Cd, Kind::Md] {
        pressed_cell(2, kind);
        pressed_cell(3, kind);
    }
}

#[test]
fn a_lattice_has_the_stress_of_its_pistons_rigid_or_soft() {
    for kind in [Kind::Cd, Kind::Md] {
        lattice(2, kind);
        lattice(3, kind);
    }
}

/// A row of the series is what is measured of the frame of the same instant, and a resumed run writes the same bytes.
#[test]
fn series_and_frames_agree_and_a_resumed_run_writes_the_same_rows() {
    let series =
        "\"coordination\", \"stress\", \"strain\", \"affine_strain\", \"energy_balance\", \"network\", \"walls\"";
    let text = scenario(2, "md", series).replace("0.4 s", "0.05 s");
    let whole = place("whole");
    let (scenario, run) = start(&text, &whole);
    finish(run);
    let rows = fs::read_to_string(whole.join("series.csv")).unwrap();
    let header: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
    let last: Vec<f64> = rows.lines().last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    let [first, frame] = frames(&whole);
    let (setting, options) = (scenario.setting(), MeasureOptions::default());
    let view = FrameView { first: Some(&first), ..FrameView::whole(&frame, &setting, &options) };
    let mut compared = 0;
    for measure in Measures::ALL.iter().filter(|measure| series.contains(&format!("\"{}\"", measure.name()))) {
        let measure = measure.of_frame().unwrap();
        let row = measure.rows(&view).unwrap().remove(0);
        for (column, value) in measure.columns(&view).iter().zip(row) {
            let at = header.iter().position(|name| *name == column.header()).unwrap();
            assert!(
                last[at] == value || (last[at].is_nan() && value.is_nan()),
                "{}: {} {value}",
                column.name,
                last[at]
            );
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");

    let parts = place("parts");
    let (_, mut run) = start(&text, &parts);
    for _ in 0..500 {
        run.advance().unwrap_or_else(|error| panic!("{error}")).expect("the run has more than 500 steps");
    }
    run.interrupt().unwrap();
    drop(run);
    finish(sim::resume(RunFolder::open(&parts).unwrap()).unwrap_or_else(|error| panic!("{error}")));
    assert_eq!(fs::read_to_string(parts.join("series.csv")).unwrap(), rows);
}
