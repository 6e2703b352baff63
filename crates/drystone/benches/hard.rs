//! Packings in which sweeps creep: how many sweeps they need, and what they miss.
//!
//! `cargo bench -p drystone --bench hard` prints a table; a word after `--` chooses scenes with it (`problem`, `shear`,
//! `drop`). Stored problems (FCLIB) are read from the folder that DRYSTONE_PROBLEMS names. Nothing depends on the load
//! of the machine. Single solves are chaotic: every problem is also solved with its free velocities changed in the
//! seventh digit, every packing is made from several seeds.

mod common;

use common::{Table, on_threads, world_in_box};
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::drive::{Drive, Signal};
use drystone::input::quantity::Components;
use drystone::law::{CoupledLaw, ExactLaw, Pair};
use drystone::method::cd::problem::{AnyProblem, ContactProblem};
use drystone::method::cd::stored::Goal;
use drystone::method::cd::{Accuracy, CdOptions, ContactDynamics, Ladder, Limits};
use drystone::method::{Method, StepReport};
use drystone::record::fclib;
use drystone::study::packing::{PressedPacking, inertial_time};
use drystone::world::World;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Part by which free velocities are changed.
const NOISE: f64 = 1e-7;
/// Changed copies of every problem.
const COPIES: u64 = 4;
/// Residual to reach, and sweeps after which a solve of a stored problem ends.
const RESIDUAL: f64 = 1e-6;
const MOST: u64 = 40_000;
/// Strain in an inertial time, steps over it, and their number.
const INERTIAL_NUMBER: f64 = 1e-4;
const TIME_STEP: f64 = 0.5;
const STEPS: usize = 60;

/// A number in -1..1.
fn noise(random: &mut Pcg64) -> f64 {
    2.0 * (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64 - 1.0
}

fn changed(problem: &AnyProblem, seed: u64) -> AnyProblem {
    match problem {
        AnyProblem::Plane(problem) => AnyProblem::Plane(changed_in(problem, seed)),
        AnyProblem::Space(problem) => AnyProblem::Space(changed_in(problem, seed)),
    }
}

fn changed_in<const N: usize>(problem: &ContactProblem<N>, seed: u64) -> ContactProblem<N>
where
    CoupledLaw<N>: ExactLaw<N>,
{
    let mut random = Pcg64::new(u128::from(seed), 7);
    let numbers = |c: usize| {
        let of_block = move |d: usize, block: &[[f64; N]; N]| {
            (0..N * N).map(|k| (N * c + k / N, N * d + k % N, block[k / N][k % N])).collect::<Vec<_>>()
        };
        problem.row(c).flat_map(move |(d, block)| of_block(d, block))
    };
    let entries: Vec<(usize, usize, f64)> = (0..problem.contacts()).flat_map(numbers).collect();
    let free: Vec<f64> = problem.free().as_flattened().iter().map(|q| q * (1.0 + NOISE * noise(&mut random))).collect();
    ContactProblem::from_entries(entries, &free, problem.friction().to_vec()).expect("the same problem")
}

/// Stored problems, from zero impulses to 1e-6.
fn problems(table: &Table) {
    let Ok(folder) = std::env::var("DRYSTONE_PROBLEMS") else { return };
    let files = std::fs::read_dir(folder).expect("a folder of problems");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|kind| kind == "hdf5")) {
        let name = format!("problem {}", file.file_stem().unwrap_or_default().to_string_lossy());
        if !table.wants(&name) {
            continue;
        }
        let problem = fclib::read(file).expect("a problem");
        for copy in 0..=COPIES {
            let solution = match copy {
                0 => problem.solve(Goal::residual(RESIDUAL, MOST), |_, _| ()),
                _ => changed(&problem, copy).solve(Goal::residual(RESIDUAL, MOST), |_, _| ()),
            };
            let reached = solution.certificate.residual / RESIDUAL;
            table.row(&name, &format!("to 1e-6, copy {copy}"), solution.sweeps as f64, "sweeps", Some(reached));
        }
    }
}

/// What steps miss of their accuracy.
#[derive(Default)]
struct Missed {
    steps: f64,
    sweeps: f64,
    laws: f64,
    motion: f64,
    forces: f64,
    overlap: f64,
    velocity_error: f64,
    overlap_growth: f64,
}

impl Missed {
    fn add(&mut self, step: &StepReport, limits: &Limits) {
        let count = |is_missed: bool| f64::from(u8::from(is_missed));
        self.steps += 1.0;
        self.sweeps += step.sweeps as f64;
        self.velocity_error += step.velocity_error;
        self.overlap_growth += step.overlap_growth;
        self.laws += count(step.residual > limits.residual);
        self.motion += count(step.velocity_error > limits.velocity_error);
        self.forces += count(step.force_error > limits.force_error);
        self.overlap += count(step.overlap_growth > limits.overlap_growth);
    }

    fn tell(&self, table: &Table, scene: &str, accuracy: &str) {
        let rows = [("laws", self.laws), ("motion", self.motion), ("forces", self.forces), ("overlap", self.overlap)];
        table.row(scene, &format!("{accuracy}: sweeps a step"), self.sweeps / self.steps, "sweeps", None);
        table.row(scene, &format!("{accuracy}: mean velocity error"), self.velocity_error / self.steps, "", None);
        table.row(
            scene,
            &format!("{accuracy}: mean growth of overlap"),
            self.overlap_growth / self.steps,
            "radii",
            None,
        );
        for (what, missed) in rows {
            let what = format!("{accuracy}: {what} missed, of {}", self.steps);
            table.row(scene, &what, missed, "steps", Some(missed / self.steps));
        }
    }
}

/// Slow shear between pistons.
fn shear<D: Dim>(table: &Table, columns: usize, seeds: std::ops::Range<u64>) {
    let [flow, standard] = [Ladder::Flow, Ladder::Standard].map(Accuracy::Named);
    let cases = [("flow", flow), ("standard", standard), ("residual 1e-6", Accuracy::Residual(1e-6))];
    for seed in seeds {
        let scene = format!("shear {}D {} seed {seed}", D::DIMENSION, columns.pow(D::DIMENSION as u32));
        if !table.wants(&scene) {
            continue;
        }
        let packing = PressedPacking::<D>::compacted(columns, seed, |_| ()).expect("a packing");
        for (name, accuracy) in cases {
            let mut packing = packing.clone();
            let mut method = ContactDynamics::<D>::new(CdOptions {
                accuracy,
                ..CdOptions::with_time_step(TIME_STEP * inertial_time())
            });
            let mut missed = Missed::default();
            for _ in 0..STEPS {
                packing.press();
                let (up, axis) = (2 * D::DIMENSION - 1, D::DIMENSION - 1);
                let height = packing.size().get(axis);
                let speed = INERTIAL_NUMBER / inertial_time() * height;
                let down = D::Vec::from_fn(|k| if k == axis { -speed } else { 0.0 });
                let now = packing.world.clock.time;
                packing.world.set_drive(up, Drive::Velocity(Signal::Constant(Components(down))), now);
                missed.add(&method.step(&mut packing.world).expect("a step"), &accuracy.limits());
            }
            missed.tell(table, &scene, name);
        }
    }
}

/// 2,500 disks dropped into a box, to standard accuracy.
fn drop_disks(table: &Table, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let scene = format!("drop seed {seed}");
        if !table.wants(&scene) {
            continue;
        }
        let r = 5e-3;
        let mut world: World<D2> = world_in_box::<D2>(120.0 * r, &Pair::with_friction(0.3));
        let mut random = Pcg64::new(u128::from(seed), 3);
        for k in 0..2500u32 {
            let size = r * (0.7 + 0.6 * (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64);
            let (column, row) = (k % 45, k / 45);
            let x = [2.65 * r * (f64::from(column) + 0.52), 2.65 * r * (f64::from(row) + 0.55)];
            world.bodies.push_round(x.into(), size, 2500.0, 1.0, k);
        }
        let mut method = ContactDynamics::new(CdOptions::with_time_step(1e-3));
        let mut missed = Missed::default();
        for _ in 0..1000 {
            missed.add(&method.step(&mut world).expect("a step"), &method.options.accuracy.limits());
        }
        missed.tell(table, &scene, "standard");
    }
}

fn main() {
    let table = Table::begin();
    on_threads(1, || {
        problems(&table);
        shear::<D2>(&table, 20, 1..4);
        shear::<D2>(&table, 30, 1..3);
        shear::<D3>(&table, 6, 1..4);
        drop_disks(&table, 3..6);
    });
}
