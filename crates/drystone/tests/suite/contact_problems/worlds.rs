//! Problems made from worlds: solving one and making the step agree in what is unique.

use std::path::{Path, PathBuf};

use drystone::method::cd::problem::AnyProblem;
use drystone::method::cd::stored::Goal;
use drystone::method::cd::{Accuracy, ContactDynamics};
use drystone::prelude::*;
use drystone::record::{RunFolder, frame_files};
use drystone::scenario::Scenario;
use drystone::sim::{self, Simulation};
use drystone::world::World;

const SCENARIOS: &str = "../../scenarios";
const MAX_SWEEPS: u64 = 2000;

fn scenario(name: &str, settings: &[&str]) -> AnyScenario {
    let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
    let path = Path::new(SCENARIOS).join(format!("{name}.toml"));
    AnyScenario::read(&path, &settings).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// A world after some steps, and its method with a given accuracy.
fn after<D: Dim>(scenario: &Scenario<D>, steps: usize, accuracy: f64) -> (World<D>, ContactDynamics<D>) {
    let mut simulation = Simulation::new(scenario, Path::new(SCENARIOS)).unwrap();
    for _ in 0..steps {
        simulation.advance().unwrap();
    }
    let mut method = ContactDynamics::new(scenario.method.cd.clone().unwrap());
    method.options.accuracy = Accuracy::Residual(accuracy);
    method.options.max_sweeps = MAX_SWEEPS;
    (simulation.world().clone(), method)
}

/// Makes the step of a world, and solves its problem on its own: contact velocities, the motion of the grains and the
/// force on all walls are the same. False if one of them does not get to 1e-10, as some instants of a flow do not: then
/// there is nothing to compare.
fn compare<D: Dim>(scenario: &Scenario<D>, steps: usize) -> bool {
    let (mut world, mut method) = after(scenario, steps, 1e-10);
    let dt = method.time_step();
    let problem = sim::next_problem(&world, &mut method).unwrap().unwrap();
    let solution = problem.solve(Goal::residual(1e-10, MAX_SWEEPS), |_, _| ());
    let momentum = |world: &World<D>| {
        let bodies = &world.bodies;
        world
            .grains()
            .filter(|k| bodies.inertia[*k].is_movable())
            .fold(D::Vec::ZERO, |sum, k| sum + bodies.twist[k].v * bodies.inertia[k].mass())
    };
    let weight: f64 =
        world.grains().map(|k| world.bodies.inertia[k]).filter(|i| i.is_movable()).map(|i| i.mass()).sum();
    let before = momentum(&world);
    let step = method.step(&mut world).unwrap();
    if !(step.converged && solution.converged) {
        return false;
    }
    let contacts = &world.network().contacts;
    assert_eq!(problem.contacts(), contacts.len());

    let scale = world.gravity.norm() * dt;
    let mut reaction = D::Vec::ZERO;
    for (k, contact) in contacts.iter().enumerate() {
        let mut frame = vec![contact.normal];
        frame.extend(D::tangents(contact.normal));
        let stepped = contact.velocity(&world.bodies.twist);
        for (axis, direction) in frame.iter().enumerate() {
            let bias = if axis == 0 { contact.gap.max(0.0) / dt } else { 0.0 };
            let (mine, theirs) = (solution.velocities[D::DIMENSION * k + axis], stepped.dot(*direction) + bias);
            // colliding grains pass on some 100 m g dt: with a residual of 1e-10 and a condition of 1e5 that is 1e-3 g
            // dt
            assert!(
                (mine - theirs).abs() < 1e-3 * scale,
                "contact {k}, axis {axis}: {mine} and {theirs}, g dt = {scale}"
            );
            // between two grains that move the impulse takes from one what it gives to the other
            let moves = |body: u32| f64::from(u8::from(world.bodies.inertia[body as usize].is_movable()));
            let given = moves(contact.key.b) - moves(contact.key.a);
            reaction += *direction * (solution.impulses[D::DIMENSION * k + axis] * given);
        }
    }
    let gained = momentum(&world) - before - world.gravity * (weight * dt);
    assert!((reaction - gained).norm() < 1e-4 * weight * scale, "{reaction:?} and {gained:?}");
    true
}

#[test]
fn a_step_and_its_problem_agree_in_the_plane() {
    // little friction: with 0.3 step and problem of one instant both got to 1e-10 and differed by 0.08 g dt, so it
    // seems to have two solutions
    let settings =
        ["grains.0.count=150", "grains.0.place.max=[0.04,0.06]", "wall.0.max=[0.04,0.1]", "contact.0.friction=0.1"];
    let AnyScenario::Plane(scenario) = scenario("drop", &settings) else { panic!("drop is in the plane") };
    let compared = [80, 100, 120, 150, 180].into_iter().filter(|steps| compare(&scenario, *steps)).count();
    assert!(compared >= 3, "{compared} instants");
}

#[test]
fn a_step_and_its_problem_agree_in_space() {
    let settings =
        ["grains.1.count=200", "grains.1.place.min=[-0.006,-0.006,0.003]", "grains.1.place.max=[0.006,0.006,0.035]"];
    let AnyScenario::Space(scenario) = scenario("heap3d", &settings) else { panic!("heap3d is in space") };
    let compared = [60, 80, 100, 120].into_iter().filter(|steps| compare(&scenario, *steps)).count();
    assert!(compared >= 2, "{compared} instants");
}

/// The folder of a run of the shaker, short and with few grains, and the worlds at its frames.
fn shaken(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contact_problems").join(name);
    let settings = [
        "grains.0.count=80",
        "grains.0.place.max=[0.03,0.06]",
        "wall.1.point=[0.03,0]",
        "stage.0.limit=0.06",
        "stage.1.limit=0.037",
        "stage.2.limit=0.02",
        "output.frames=0.01",
    ];
    let mut run = sim::start(&scenario("shaker", &settings), Path::new(SCENARIOS), &folder, true).unwrap();
    while run.advance().unwrap().is_some() {}
    folder
}

#[test]
fn a_frame_gives_the_problem_of_the_world_it_shows() {
    let folder = RunFolder::open(&shaken("shaken")).unwrap();
    let AnyScenario::Plane(scenario) = AnyScenario::read(&folder.scenario(), &[]).unwrap() else { panic!() };
    let numbers = frame_files::numbers(&folder.frames()).unwrap();
    assert!(numbers.len() >= 11, "{numbers:?}");
    let mut compared = 0;
    for number in numbers {
        let frame = frame_files::read(&folder.frames(), number).unwrap();
        let (mut world, mut method) =
            after(&scenario, frame.step as usize, scenario.method.cd.as_ref().unwrap().accuracy.residual());
        assert_eq!(world.clock.time, frame.time);
        *world.network_mut() = Default::default(); // a frame remembers no impulses
        let live = sim::next_problem(&world, &mut method).unwrap();
        let stored = sim::problem_after(&folder, number).unwrap();
        let (Some(AnyProblem::Plane(live)), Some(AnyProblem::Plane(stored))) = (&live, &stored) else {
            assert_eq!(live, stored, "frame {number}");
            continue;
        };
        // walls that moved are back at their place up to rounding: so are gaps, and the speeds that close them
        assert_eq!((live.contacts(), live.block_count()), (stored.contacts(), stored.block_count()), "frame {number}");
        assert_eq!(live.friction(), stored.friction());
        let rounding = 1e-15 * 0.06 / method.time_step() * 100.0;
        for (mine, theirs) in live.free().as_flattened().iter().zip(stored.free().as_flattened()) {
            assert!((mine - theirs).abs() <= rounding, "frame {number}: {mine} {theirs}");
        }
        compared += 1;
    }
    assert!(compared >= 8, "{compared} frames have contacts");
    assert!(sim::problem_after(&folder, 99).is_err());
}
