//! Limit loads against runs.

use drystone::d2::{ContactDynamics, World};
use drystone::drive::{GrainLoad, Signal};
use drystone::input::quantity::Components;
use drystone::method::cd::Accuracy;
use drystone::prelude::*;
use drystone_statics::limit::Limit;

use crate::drawn::drawn_cases;
use crate::{GRAVITY, block, column, ground, in_first_stage, limit, shipped};

/// Time in which the load grows, and for which it stays then [s].
const GROWS: f64 = 0.5;
const STAYS: f64 = 1.0;
const TIME_STEP: f64 = 1e-3;
/// A body that has gone less than this, over the mean radius, stands: sums of residuals are far below. One that has
/// gone ten times as far falls.
const STANDS: f64 = 1e-3;

/// A world and the load that grows on it.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) world: World,
    pub(crate) load: RunLoad,
}

/// The load of a case.
#[derive(Clone, Copy)]
pub(crate) enum RunLoad {
    /// A part of gravity along x.
    Gravity,
    /// A force along x on the grain with this id [N].
    Force(u32),
}

impl RunLoad {
    /// As `drystone limit` reads it.
    pub(crate) fn text(self) -> String {
        match self {
            RunLoad::Gravity => "gravity.x".into(),
            RunLoad::Force(grain) => format!("grain.{grain}.force.x"),
        }
    }
}

impl Case {
    pub(crate) fn of(name: impl Into<String>, world: World) -> Case {
        Case { name: name.into(), world, load: RunLoad::Gravity }
    }

    /// How far the fastest body is, over the mean radius, after the load has grown and has stayed for a while.
    fn travel(&self, factor: f64) -> f64 {
        let (mut world, before) = (self.world.clone(), self.world.bodies.pose.clone());
        let [grows, all] = [GROWS, GROWS + STAYS].map(|time| (time / TIME_STEP).round());
        let accuracy = Accuracy::Residual(1e-6);
        let mut method = ContactDynamics::new(CdOptions { accuracy, ..CdOptions::with_time_step(TIME_STEP) });
        for step in 0..all as usize {
            let part = factor * (step as f64).min(grows) / grows;
            match self.load {
                RunLoad::Gravity => {
                    let level = self.world.gravity;
                    world.gravity = [level.x + part * GRAVITY, level.y].into();
                }
                RunLoad::Force(grain) => {
                    let force = Some(Signal::Constant(Components([part, 0.0].into())));
                    world.setup.loads = vec![GrainLoad { grain, force, torque: None, blow: None }];
                }
            }
            method.step(&mut world).expect("a step");
        }
        let grains = world.grains();
        let mean = grains.clone().map(|k| world.bodies.shape[k].radius()).sum::<f64>() / grains.len() as f64;
        grains.map(|k| (world.bodies.pose[k].x - before[k].x).length()).fold(0.0, f64::max) / mean
    }

    /// The load at which runs fall, between one at which they stand and one at which they fall, to 1 % of the second.
    fn falls_at(&self, mut stands: f64, mut falls: f64) -> f64 {
        let enough = 0.01 * falls;
        while falls - stands > enough {
            let middle = 0.5 * (stands + falls);
            if self.travel(middle) < STANDS { stands = middle } else { falls = middle }
        }
        falls
    }

    /// Whether it stands at 0.97 of the corrected multiplier and falls at 1.03 of it. Prints a row of the table, with
    /// the load at which runs fall if that is another one.
    fn agrees_with_runs(&self) -> bool {
        let found = limit(&self.world, &self.load.text());
        let Limit::At { associated, corrected, .. } = found else { panic!("{}: {found:?}", self.name) };
        let [upper, lowest] = [associated.multiplier, corrected.collapse.multiplier];
        let [below, above] = [0.97, 1.03].map(|factor| self.travel(factor * lowest));
        let [stands, falls] = [below < STANDS, above > 10.0 * STANDS];
        let verdict = match (corrected.converged, stands, falls) {
            (true, true, true) => "yes".to_string(),
            (true, true, false) => format!("falls at {:.3}", self.falls_at(1.03 * lowest, 1.03 * upper)),
            (false, ..) => format!("not converged, falls at {:.3}", self.falls_at(0.0, 1.03 * upper)),
            (true, false, _) => format!("FALLS BELOW, at {:.3}", self.falls_at(0.0, 0.97 * lowest)),
        };
        println!(
            "| {} | {upper:.4} | {:.4?} | {below:.1e} | {above:.1e} | {verdict} |",
            self.name, corrected.fixed_points
        );
        corrected.converged && stands && falls
    }
}

/// An arch of the repository, of these numbers.
fn arch(voussoirs: usize, thickness: f64, friction: f64) -> World {
    let settings = [
        format!("build.0.voussoirs={voussoirs}"),
        format!("build.0.thickness={thickness}"),
        format!("contact.0.friction={friction}"),
    ];
    let AnyScenario::Plane(scenario) = shipped("arch", &settings) else { panic!("in the plane") };
    in_first_stage(&scenario)
}

/// How the courses of a wall end where the joints are shifted.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Ends {
    /// With half a brick.
    Half,
    /// With a brick that hangs over by half.
    Overhang,
}

/// Bricks of 40 cm x 20 cm in running bond, `length` to a course; each course is shifted by `lean` against the last.
pub(crate) fn wall(courses: usize, length: usize, friction: f64, ends: Ends, lean: f64) -> World {
    let (size, mut builder) = ([0.4, 0.2], ground(friction));
    for course in 0..courses {
        let (y, odd) = ((course as f64 + 0.5) * size[1], course % 2 == 1);
        let half = if ends == Ends::Half { 0.5 } else { -0.5 }; // overhanging ends are those of the upper course, along x
        let shift = lean * course as f64 + if odd { half * size[0] } else { 0.0 };
        let halves = odd && ends == Ends::Half;
        for k in 0..length - usize::from(halves) {
            builder = builder.grain(block(size[0], size[1], [k as f64 * size[0] + shift, y]));
        }
        for x in [-0.75, length as f64 - 1.25].into_iter().filter(|_| halves) {
            builder = builder.grain(block(0.5 * size[0], size[1], [x * size[0] + shift, y]));
        }
    }
    builder.build().expect("a world")
}

/// A heap of rows of disks.
pub(crate) fn heap(rows: usize, friction: f64, turns: bool) -> World {
    let (radius, mut builder) = (0.1, ground(friction));
    for row in 0..rows {
        for k in 0..rows - row {
            let x = (2 * k + row) as f64 * radius;
            let disk = Grain::disk(radius).at([x, radius + row as f64 * 3f64.sqrt() * radius]);
            builder = builder.grain(if turns { disk } else { disk.without_turning() });
        }
    }
    builder.build().expect("a world")
}

#[test]
fn runs_stand_below_the_corrected_multiplier_and_fall_above() {
    for (name, world) in [
        ("column of 3", column(&[[0.4, 0.2]; 3], 0.8)),
        ("wall, 4 courses", wall(4, 3, 0.5, Ends::Half, 0.0)),
        ("arch of 10", arch(10, 0.4, 0.7)),
    ] {
        assert!(Case::of(name, world).agrees_with_runs(), "{name}");
    }
}

/// The first table of the book: cargo test --release -p drystone-statics --test limit twenty -- --ignored --nocapture
#[test]
#[ignore = "the twenty cases of the table in the book take minutes"]
fn twenty_cases_agree_with_runs() {
    let mut cases = vec![
        Case::of("block, slides", column(&[[0.4, 0.2]], 0.5)),
        Case::of("block, topples", column(&[[0.2, 0.8]], 0.5)),
        Case::of("column of 2, slides", column(&[[0.6, 0.2], [0.4, 0.1]], 0.3)),
        Case::of("column of 3, topples", column(&[[0.4, 0.2]; 3], 0.8)),
        Case::of("column of 5, topples", column(&[[0.4, 0.2]; 5], 0.8)),
        Case::of("two narrow blocks on a wide one", column(&[[1.0, 0.2], [0.3, 0.2], [0.3, 0.2]], 0.9)),
    ];
    for (courses, friction) in [(3, 0.4), (4, 0.5), (5, 0.6), (6, 0.7), (8, 0.6), (8, 0.75), (10, 0.6)] {
        let world = wall(courses, 3, friction, Ends::Half, 0.0);
        cases.push(Case::of(format!("wall of {courses} courses, mu = {friction}"), world));
    }
    for (voussoirs, thickness, friction) in
        [(6, 0.5, 0.7), (10, 0.3, 0.7), (10, 0.5, 0.6), (20, 0.3, 0.8), (20, 0.5, 0.5)]
    {
        let world = arch(voussoirs, thickness, friction);
        cases.push(Case::of(format!("arch of {voussoirs}, t = {thickness} m, mu = {friction}"), world));
    }
    for (rows, friction) in [(2, 0.4), (4, 0.6)] {
        let world = heap(rows, friction, false);
        cases.push(Case::of(format!("heap of {rows} rows that do not roll, mu = {friction}"), world));
    }
    assert_eq!(count(&cases), cases.len());
}

/// Kinds of the first list that did not agree: their limit is zero, as a push without self-stresses makes them fall.
#[test]
#[ignore = "a table of the book"]
fn hard_cases_against_runs() {
    let mut cases = Vec::new();
    for (courses, friction) in [(3, 0.4), (5, 0.6)] {
        let world = wall(courses, 3, friction, Ends::Overhang, 0.0);
        cases.push(Case::of(format!("overhanging wall of {courses} courses, mu = {friction}"), world));
    }
    for (rows, friction) in [(2, 0.4), (3, 0.6), (4, 0.6), (4, 0.9)] {
        cases.push(Case::of(format!("heap of {rows} rows that roll, mu = {friction}"), heap(rows, friction, true)));
    }
    count(&cases);
}

/// The second table of the book, of cases that were drawn: see [`drawn_cases`].
#[test]
#[ignore = "the drawn cases of the table in the book take minutes"]
fn drawn_cases_against_runs() {
    count(&drawn_cases());
}

/// Number of cases that agree.
fn count(cases: &[Case]) -> usize {
    let agree = cases.iter().filter(|case| case.agrees_with_runs()).count();
    println!("{agree} of {} agree", cases.len());
    agree
}
