//! Experiments of the laboratory, made small: the scenarios that ship, and what is known of them.

use std::fs;
use std::path::{Path, PathBuf};

use drystone::input::Reader;
use drystone::method::Kind;
use drystone::record::Frame;
use drystone::scenario::AnyScenario;
use drystone::scenario::template::Template;
use drystone::sim;

use super::expect::expect;
use super::stage::G;
use super::stored::{column, frames};

/// Runs a template with settings to its end, in a folder of this name.
fn run(template: &str, name: &str, settings: &[String]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("experiments").join(name);
    let _ = fs::remove_dir_all(&path);
    let text = Template::find(template).unwrap().text;
    let scenario = AnyScenario::parse(template, text, settings, Reader::default()).unwrap_or_else(|m| panic!("{m}"));
    let mut run = sim::start(&scenario, Path::new("."), &path, true).unwrap_or_else(|error| panic!("{error}"));
    while run.advance().unwrap_or_else(|error| panic!("{template}: {error}")).is_some() {}
    path
}

fn settings(list: &[&str]) -> Vec<String> {
    list.iter().map(|setting| setting.to_string()).collect()
}

/// The contact below grain k from above carries k weights and the force of the piston.
#[test]
fn a_standing_chain_adds_one_weight_a_grain() {
    let path = run("chain", "chain", &[]);
    let last = frames(&path).pop().unwrap();
    let (force, piston) = (1.0, 0.01 * G);
    let weight = 7850.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.005_f64.powi(3) * G;
    let mut forces: Vec<f64> = last.contacts.normal_force.clone();
    forces.sort_by(f64::total_cmp);
    assert_eq!(forces.len(), 41);
    let off = |(k, found): (usize, &f64)| (found / (force + piston + k as f64 * weight) - 1.0).abs();
    let worst = forces.iter().enumerate().map(off).fold(0.0, f64::max);
    expect("chain", Kind::Cd, "largest deviation from F + k m g over it, 41 contacts", worst, 0.0)
        .within(1e-5, "residual 1e-10 times the condition number of a chain, about N^2");
}

/// A push runs through a row of rigid grains with c = (d / dt) sqrt(q N), q = 0.8 for random sweeps. [Brendel section
/// 1.7]
#[test]
fn sound_has_the_speed_of_its_sweeps() {
    let path = run("sound", "sound", &[]);
    let time = column(&path, "time");
    let arrival = |grain: usize| {
        let speed = column(&path, &format!("row.{grain}_vx"));
        time[speed.iter().position(|v| *v > 0.005).unwrap()] // half the speed of the hammer
    };
    let speed = 80.0 / ((arrival(100) - arrival(20)) / 1e-3);
    expect("sound", Kind::Cd, "front of a push, d a step, 10 random sweeps", speed, 8.0_f64.sqrt())
        .within(0.05, "arrivals count in whole steps: one of 28; q is 0.8 within 1 %");
}

/// The energy of a gas falls as (1 + t / tau)^-2 with Haff's tau for the fraction 0.1 and e = 0.9.
#[test]
fn a_granular_gas_cools_as_haff_says() {
    let path = run("granular_gas", "gas", &settings(&["stop.at=0.3", "output.frames=1 s"]));
    let (time, energy) = (column(&path, "time"), column(&path, "kinetic_energy"));
    let (temperature, diameter) = ((0.25 + 0.0225) / 2.0_f64, 2e-3);
    let rate = 0.025310 * temperature.sqrt() / diameter; // of the table of reference values, for T = m = d = 1
    let end = time.len() - 1;
    let expected = (1.0 + time[end] * rate).powi(-2);
    expect("granular gas", Kind::Cd, "energy left after 0.3 s", energy[end] / energy[0], expected)
        .within(0.12, "400 disks that start in four beams, between walls that take 2 % of the room");
}

/// Janssen: walls carry most of a tall column while its floor gives way; K of the fit lies between 0.3 and 1.
#[test]
fn walls_carry_a_tall_column() {
    let ratios: Vec<f64> = (3..=7).map(janssen_ratio).collect();
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    expect("janssen", Kind::Cd, "ratio K of wall to vertical pressure, mean of five columns", mean, 0.65)
        .within(0.54, "the band of the literature, 0.3 to 1.0, in which the angle of friction lets it vary");
}

/// K of a column of 300 disks: floor / weight = (lambda / H) (1 - exp(-H / lambda)) with lambda = width / (2 mu K).
fn janssen_ratio(seed: u64) -> f64 {
    let seed = format!("seed={seed}");
    let small = ["grains.0.count=300", "grains.0.place.max=[0.03, 0.5]", "wall.1.point=[0.03, 0]", seed.as_str()];
    let path = run("janssen", &format!("janssen_{seed}"), &settings(&small));
    let frames: Vec<Frame> =
        frames(&path).into_iter().filter(|frame| frame.wall_states.displacement[2][1] < -1e-3).collect();
    assert!(frames.len() > 10);
    let mean = |value: &dyn Fn(&Frame) -> f64| frames.iter().map(value).sum::<f64>() / frames.len() as f64;
    let floor = mean(&|frame| -frame.wall_states.force[2][1]);
    let weight = mean(&|frame| frame.grains.mass.iter().sum::<f64>() * G);
    assert!(floor < 0.8 * weight, "the walls carry {} of the weight", 1.0 - floor / weight);
    // twice the height of the centre of mass over the floor
    let height = mean(&|frame| {
        let sum: f64 = frame.grains.position.iter().map(|x| x[1]).sum();
        2.0 * (sum / frame.grains.position.len() as f64 - frame.wall_states.displacement[2][1])
    });
    let share = |lambda: f64| lambda / height * (1.0 - libm::exp(-height / lambda));
    let (mut low, mut high) = (1e-3 * height, 1e3 * height);
    for _ in 0..100 {
        let middle = (low * high).sqrt();
        if share(middle) < floor / weight { low = middle } else { high = middle }
    }
    0.03 / (2.0 * 0.3 * low)
}

/// Porosity of a cohesive powder is a function of F_C / (p d) alone, and rolling friction keeps pores open.
#[test]
fn porosity_follows_cohesion_over_pressure() {
    let press = |name: &str, cohesion: f64, pressure: f64, rolling: f64| {
        let path = run(
            "compaction",
            name,
            &[
                format!("contact.0.cohesion.force=\"{cohesion} mN\""),
                format!("stage.0.drive.piston.pressure.value.ramp.to=\"{pressure} Pa\""),
                format!("stage.1.drive.piston.pressure.value.ramp.from=\"{pressure} Pa\""),
                format!("stage.1.drive.piston.pressure.value.ramp.to=\"{} Pa\"", 10.0 * pressure),
                format!("contact.0.rolling.ratio={rolling}"),
                "seed=2".into(),
                "grains.0.count=150".into(),
                "grains.0.place.max=[\"24 mm\", \"150 mm\"]".into(),
                "wall.1.point=[\"24 mm\", 0]".into(),
                "output.frames=1 s".into(),
            ],
        );
        let last = frames(&path).pop().unwrap();
        let room = 0.024 * (0.09 + last.wall_states.displacement[3][1]);
        let filled: f64 = last.grains.radius.iter().map(|r| std::f64::consts::PI * r * r).sum();
        1.0 - filled / room
    };
    let (one, four) = (press("powder", 10.0, 500.0, 0.1), press("powder-4", 40.0, 2000.0, 0.1));
    let (weak, smooth) = (press("powder-weak", 1.0, 500.0, 0.1), press("powder-smooth", 10.0, 500.0, 0.0));
    expect("compaction", Kind::Cd, "porosity at four times cohesion and pressure", four, one)
        .within(0.03 / one, "3 % porosity: 150 grains rearrange in other ways when they move faster");
    assert!(weak < one - 0.03, "a tenth of the cohesion: {weak}, {one}");
    assert!(smooth < one, "without rolling friction: {smooth}, {one}");
}

/// The curves of the book: force over overlap of a linear spring and of JKR, and a sphere that rolls until it stands.
#[test]
fn soft_laws_are_seen_in_their_scenarios() {
    let law = |law: &str| format!("contact.glass-glass.md.{law}");
    let case = "head_on";
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-9;
    let path = run(case, "head_on_spring", &[law("normal.restitution=1")]);
    let force = column(&path, "plate_force_z");
    let largest = force.iter().copied().fold(0.0, f64::max);
    expect(case, Kind::Md, "largest force of an elastic bounce at 1 m/s [N]", largest, (1e5 * mass).sqrt())
        .within(1e-5, "the largest of 200 rows of a bounce; second order");
    let overlap = column(&path, "max_overlap");
    let off = |(force, overlap): (&f64, f64)| (force - 1e5 * 1e-3 * overlap).abs() / largest;
    let worst = force.iter().zip(overlap).map(off).fold(0.0, f64::max);
    expect(case, Kind::Md, "largest deviation from k xi over the largest force", worst, 0.0).within(1e-12, "rounding");

    let settings = [
        law("normal={ law = \"hertz\", modulus = \"10 MPa\" }"),
        law("attraction={ law = \"jkr\", work = \"50 mJ/m2\" }"),
        "grains.ball.velocity=[0, 0, 0.015]".to_string(),
        "stop.at=0.65 ms".to_string(),
    ];
    let path = run(case, "head_on_jkr", &settings);
    let pull = column(&path, "plate_force_z").into_iter().fold(0.0, f64::min);
    expect(case, Kind::Md, "largest pull of JKR [N]", pull, -1.5 * std::f64::consts::PI * 0.05 * 1e-3)
        .within(1e-3, "the largest pull lies between two rows");

    let path = run("roll_out", "roll_out", &[]);
    let stands = column(&path, "ball_vx").iter().position(|speed| *speed < 1e-5).expect("it stops");
    let expected = 0.05 / (5.0 / 7.0 * 2e-4 * G / 0.01);
    expect("roll_out", Kind::Md, "time until it stands [s]", column(&path, "time")[stands], expected)
        .within(3e-3, "rows are a millisecond apart");
}
