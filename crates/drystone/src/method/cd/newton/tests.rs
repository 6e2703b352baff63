//! Problems on which sweeps creep: piles that lock, large mass ratios, walls of disks and of bricks, settled packings.

use glam::DVec2;

use super::*;
use crate::dim::{D2, Vector};
use crate::drive::{Drive, Signal};
use crate::input::quantity::{Components, Quantity, UnitVector};
use crate::law::cohesion::ZeroRange;
use crate::law::{Cohesion, Laws, Pair};
use crate::method::cd::stored::{Goal, Solution};
use crate::method::cd::{Accelerator, Accuracy, CdOptions, ContactDynamics, Solver};
use crate::method::{Method, StepError, StepReport};
use crate::wall::{Plane, Surface};
use crate::world::World;

const DT: f64 = 1e-3;
const GRAVITY: f64 = 10.0;

/// A world of one material with walls; gravity acts along the last axis.
fn world<D: Dim>(friction: f64, walls: &[(D::Vec, D::Vec)]) -> World<D> {
    let gravity = D::Vec::from_fn(|axis| if axis + 1 == D::DIMENSION { -GRAVITY } else { 0.0 });
    let laws = Laws::new(1, |_, _| Pair::with_friction(friction));
    let mut world = World::<D>::new(laws);
    world.gravity = gravity;
    walls.iter().for_each(|(point, normal)| world.push_wall("wall", plane(*point, *normal), 0, Drive::FIXED, None));
    world
}

fn plane<D: Dim>(point: D::Vec, normal: D::Vec) -> Surface<D> {
    Surface::Plane(Plane { point: Components(point), normal: UnitVector(normal), rough: None })
}

fn put<D: Dim>(world: &mut World<D>, x: D::Vec, radius: f64, density: f64) {
    let id = world.bodies.len() as u32;
    world.bodies.push_round(x, radius, density, 1.0, id);
}

/// One step without warm start.
fn step<D: Dim>(world: &World<D>, solver: Solver, residual: f64, max_sweeps: u64) -> (World<D>, StepReport) {
    let mut options = CdOptions::with_time_step(DT);
    (options.solver, options.accuracy) = (solver, Accuracy::Residual(residual));
    (options.max_sweeps, options.warm_start) = (max_sweeps, false);
    let mut world = world.clone();
    let report = ContactDynamics::new(options).step(&mut world).expect("a step");
    (world, report)
}

/// Newton steps reach 1e-10 within `most` sweeps and steps. Returns by how much bodies move otherwise than after
/// sweeps.
fn reaches<D: Dim>(name: &str, world: &World<D>, most: u64) -> f64 {
    let (new, newton) = step(world, Solver::Newton, 1e-10, 5000);
    let (old, sweeps) = step(world, Solver::Sweeps, 1e-10, 50_000);
    let ratio = newton.solving.as_secs_f64() / sweeps.solving.as_secs_f64();
    println!(
        "{name}: {} contacts, newton {} ({:.1e}, force error {:.0e}), sweeps {} ({:.1e}), time {ratio:.2}",
        newton.contacts, newton.sweeps, newton.residual, newton.force_error, sweeps.sweeps, sweeps.residual
    );
    assert!(newton.converged && newton.residual <= 1e-10, "{name}: {newton:?}");
    assert!(newton.sweeps <= most, "{name}: {} steps", newton.sweeps);
    assert!(newton.balance < 1e-9, "{name}: {newton:?}");
    // what the step does to a body, in units of what gravity does
    let fastest = |world: &World<D>| world.grains().map(|k| world.bodies.twist[k].v.norm()).fold(0.0, f64::max);
    println!("    fastest {:.1e} and {:.1e} of g dt", fastest(&new) / (GRAVITY * DT), fastest(&old) / (GRAVITY * DT));
    let apart = |k: usize| (new.bodies.twist[k].v - old.bodies.twist[k].v).norm() / (GRAVITY * DT);
    let worst = world.grains().map(apart).fold(0.0, f64::max);
    println!("    velocities differ by {worst:e}");
    worst
}

/// As [`reaches`], and bodies move as after sweeps.
fn agrees<D: Dim>(name: &str, world: &World<D>, most: u64) {
    let apart = reaches(name, world, most);
    assert!(apart <= 1e-5, "{name}: velocities differ by {apart:e}");
}

/// A triangle of equal disks on a floor; side by side and one on two they lock.
fn pyramid(layers: usize, friction: f64, walls: &[(DVec2, DVec2)]) -> World<D2> {
    let mut pile = world::<D2>(friction, walls);
    for layer in 0..layers {
        for k in 0..layers - layer {
            put(&mut pile, DVec2::new((2 * k + layer) as f64, 1.0 + layer as f64 * 3f64.sqrt()), 1.0, 1.0);
        }
    }
    pile
}

const FLOOR: [(DVec2, DVec2); 1] = [(DVec2::ZERO, DVec2::Y)];

#[test]
fn pyramids_of_disks() {
    for (layers, friction) in [(10, 0.5), (16, 0.5), (20, 0.3)] {
        let ends = [(DVec2::NEG_X, DVec2::X), (DVec2::new(2.0 * layers as f64 - 1.0, 0.0), DVec2::NEG_X)];
        let held = pyramid(layers, friction, &[FLOOR[0], ends[0], ends[1]]);
        agrees(&format!("pyramid of {layers} layers between walls, friction {friction}"), &held, 500);
    }
    // it falls apart, and how is not unique: sweeps in another order move bodies by other tenths of g dt
    reaches("pyramid of 10 layers", &pyramid(10, 0.5, &FLOOR), 500);
}

#[test]
fn a_pyramid_that_slides_apart() {
    let (_, report) = step(&pyramid(14, 0.1, &FLOOR), Solver::Newton, 1e-10, 5000);
    println!("sliding pyramid: {} ({:.1e})", report.sweeps, report.residual);
    assert!(report.converged && report.balance < 1e-9, "{report:?}");
}

#[test]
fn a_wall_of_disks() {
    let sides = [(DVec2::ZERO, DVec2::Y), (DVec2::new(-1.0, 0.0), DVec2::X), (DVec2::new(20.0, 0.0), DVec2::NEG_X)];
    let mut wall = world::<D2>(0.3, &sides);
    for row in 0..10 {
        for k in 0..10 {
            put(&mut wall, DVec2::new((2 * k + row % 2) as f64, 1.0 + row as f64 * 3f64.sqrt()), 1.0, 1.0);
        }
    }
    agrees("wall of 100 disks", &wall, 500);
}

#[test]
fn a_disk_in_a_groove_and_a_heavy_disk_on_a_column() {
    let mut groove =
        world::<D2>(0.5, &[(DVec2::ZERO, DVec2::ONE.normalize()), (DVec2::ZERO, DVec2::new(-1.0, 1.0).normalize())]);
    put(&mut groove, DVec2::new(0.0, 2f64.sqrt()), 1.0, 1.0);
    agrees("groove", &groove, 60);
    let mut column = world::<D2>(0.5, &[(DVec2::ZERO, DVec2::Y)]);
    (0..20).for_each(|k| put(&mut column, DVec2::new(0.0, 1.0 + 2.0 * k as f64), 1.0, if k == 19 { 1e4 } else { 1.0 }));
    reaches("column, mass ratio 1e4", &column, 200);
    let (world, _) = step(&column, Solver::Newton, 1e-10, 5000);
    let weight = std::f64::consts::PI * (19.0 + 1e4) * GRAVITY * DT;
    // the residual is weighed by the light disks: 1e-10 leaves 1e-10 * 1e4 * 20 of the weight of the heavy one
    assert!((world.network.memory[0].impulse.y / weight - 1.0).abs() < 2e-5, "{:?}", world.network.memory[0]);
}

/// Grains on a lattice of `cells`, a little beside its points, with radii between 0.3 and 0.45 cells, after they have
/// fallen.
fn settled<D: Dim>(mut world: World<D>, cells: &[usize], steps: usize) -> World<D> {
    let mut number = 1u64;
    let mut random = || {
        number = number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (number >> 40) as f64 / (1u64 << 24) as f64
    };
    for k in 0..cells.iter().product::<usize>() {
        let mut rest = k;
        let x = D::Vec::from_fn(|axis| {
            let cell = rest % cells[axis];
            rest /= cells[axis];
            cell as f64 + 0.45 + 0.1 * random()
        });
        put(&mut world, x, 0.3 + 0.15 * random(), 1.0);
    }
    // plain sweeps, so that where grains come to rest does not depend on how sweeps are hurried
    let plain = CdOptions { accelerator: Accelerator::None, ..CdOptions::with_time_step(5.0 * DT) };
    let mut fall = ContactDynamics::new(plain);
    (0..steps).for_each(|_| fall.step(&mut world).map(|_| ()).expect("a step"));
    world
}

#[test]
fn a_box_of_disks_under_a_piston() {
    let sides = [(DVec2::ZERO, DVec2::Y), (DVec2::ZERO, DVec2::X), (DVec2::new(12.0, 0.0), DVec2::NEG_X)];
    let mut empty = world::<D2>(0.3, &sides);
    let press = Drive::Force(Signal::Constant(Quantity(500.0)));
    empty.push_wall("lid", plane(DVec2::new(0.0, 10.5), DVec2::NEG_Y), 0, press, Some(5.0));
    reaches("120 disks under a piston", &settled(empty, &[12, 10], 600), 5000); // sweeps stall at 2e-6
}

/// Bricks of 2 x 1 in courses that are shifted by half a brick, each touched in two points by those below.
fn masonry(courses: usize, wide: usize, friction: f64) -> ContactProblem<2> {
    let (mass, inertia) = (2.0, 2.0 * (4.0 + 1.0) / 12.0);
    let brick = |course: usize, k: usize| DVec2::new((2 * k + course % 2) as f64, 0.5 + course as f64);
    // (below, above, where): normals point up
    let mut contacts: Vec<(Option<usize>, usize, DVec2)> = Vec::new();
    for course in 0..courses {
        for k in 0..wide {
            let x = brick(course, k);
            let ends = |lower: usize| {
                let below = brick(course - 1, lower);
                let (left, right) = ((below.x - 1.0).max(x.x - 1.0), (below.x + 1.0).min(x.x + 1.0));
                (left < right).then_some([left, right])
            };
            let spans: Vec<(Option<usize>, [f64; 2])> = match course {
                0 => vec![(None, [x.x - 1.0, x.x + 1.0])],
                _ => (0..wide).filter_map(|l| ends(l).map(|span| (Some((course - 1) * wide + l), span))).collect(),
            };
            for (below, span) in spans {
                span.iter().for_each(|x| contacts.push((below, course * wide + k, DVec2::new(*x, course as f64))));
            }
        }
    }
    let column = |(below, above, at): (Option<usize>, usize, DVec2), axis: DVec2| {
        let end =
            |body: usize, sign: f64| (body, axis * sign, (at - brick(body / wide, body % wide)).perp_dot(axis) * sign);
        [below.map(|body| end(body, -1.0)), Some(end(above, 1.0))]
    };
    let h: Vec<_> =
        contacts.iter().flat_map(|contact| [DVec2::Y, DVec2::NEG_X].map(|axis| column(*contact, axis))).collect();
    let mut entries = Vec::new();
    for (i, row) in h.iter().enumerate() {
        for (j, other) in h.iter().enumerate() {
            let pairs = row.iter().flatten().flat_map(|a| other.iter().flatten().map(move |b| (a, b)));
            let shared: Vec<_> = pairs.filter(|(a, b)| a.0 == b.0).collect();
            let number = shared.iter().map(|(a, b)| a.1.dot(b.1) / mass + a.2 * b.2 / inertia).sum::<f64>();
            entries.extend((!shared.is_empty()).then_some((i, j, number)));
        }
    }
    let fall = DVec2::new(0.3, -1.0) * GRAVITY * DT; // the ground is tilted
    let q: Vec<f64> = h.iter().map(|row| row.iter().flatten().map(|(_, force, _)| force.dot(fall)).sum()).collect();
    ContactProblem::from_entries(entries, &q, vec![friction; contacts.len()]).expect("a problem")
}

#[test]
fn masonry_on_tilted_ground() {
    for (courses, friction) in [(6, 0.6), (12, 0.6), (6, 0.2)] {
        let problem = masonry(courses, 6, friction);
        let solve = |solver, max_sweeps| problem.solve(Goal { solver, ..Goal::residual(1e-10, max_sweeps) }, |_, _| ());
        let (newton, sweeps) = (solve(Solver::Newton, 2000), solve(Solver::Sweeps, 50_000));
        let told = |solution: &Solution| (solution.sweeps, solution.certificate.residual);
        println!("{courses} courses, friction {friction}: newton {:?}, sweeps {:?}", told(&newton), told(&sweeps));
        assert!(newton.converged, "{:?}", newton.certificate);
        let apart = newton.velocities.iter().zip(&sweeps.velocities).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart <= (1e-5_f64).max(1e3 * sweeps.certificate.residual) * GRAVITY * DT, "{apart:e}");
    }
}

#[test]
fn a_law_that_newton_steps_do_not_know_is_refused() {
    let mut pile = pyramid(2, 0.5, &FLOOR);
    let pull = ZeroRange { zero_range: Quantity(1.0) };
    pile.setup.laws =
        Laws::new(1, |_, _| Pair { cohesion: Some(Cohesion::ZeroRange(pull.clone())), ..Pair::with_friction(0.5) });
    let options = CdOptions { solver: Solver::Newton, ..CdOptions::with_time_step(DT) };
    let error = ContactDynamics::new(options).step(&mut pile).expect_err("cohesion");
    assert!(matches!(error, StepError::UnknownLaw { .. }) && error.code() == "E206", "{error}");
}

#[test]
fn what_newton_steps_cannot_improve_stays() {
    let problem = masonry(6, 6, 0.6);
    let mut stored = Stored::new(&problem);
    let rules = |residual: f64, max_sweeps: u64| Rules {
        limits: Accuracy::Residual(residual).limits(),
        criterion: Criterion::Natural,
        min_sweeps: 0,
        max_sweeps,
    };
    let good = solve_stored(&mut stored, Accelerator::Momentum, &rules(1e-8, 1000), |_, _| ());
    assert!(good.converged, "{good:?}");
    for max_sweeps in [1, 3, 51, 53] {
        let after = solve_stored(&mut stored, Accelerator::Momentum, &rules(1e-300, max_sweeps), |_, _| ());
        assert!(!after.converged && after.residual <= good.residual, "{max_sweeps}: {after:?}");
        assert_eq!(after.residual, stored.misfit().ratio());
    }
}
