//! Tests of the parts on worlds made by hand.

use std::sync::Arc;

use glam::{DVec2, DVec3};

use super::*;
use crate::body::Inertia;
use crate::dim::{D2, D3};
use crate::drive::Drive;
use crate::input::quantity::{Components, UnitVector};
use crate::input::{Node, Reader, Text, Value};
use crate::law::{Laws, Pair};
use crate::link::{Anchor, Constraint, ConstraintRow};
use crate::shape::{Round, Shape};
use crate::wall::{Plane, Surface};
use contact_history::FrictionMode;
use mobility::Mobility;
use multipliers::{Multipliers, push, row_rate};

fn read<T: Value>(text: &str) -> T {
    let text = Arc::new(Text { name: "test".into(), text: format!("value = {text}") });
    let (tree, reader) = (Node::parse(&text).0, Reader::default());
    let value = T::read(tree.get("value").expect("the key is there"), &reader);
    value.unwrap_or_else(|| panic!("{}", reader.finish()))
}

/// A world of one material under its law.
fn world<D: Dim>(law: &str) -> World<D> {
    let pair: Pair = read(&format!("{{ {law} }}"));
    World::new(Laws::new(1, |_, _| pair.clone()))
}

const LAW: &str = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e4, damping = 10 } }";

fn floor<D: Dim>(world: &mut World<D>) {
    let up = D::Vec::from_fn(|axis| if axis + 1 == D::DIMENSION { 1.0 } else { 0.0 });
    let plane = Plane { point: Components(D::Vec::ZERO), normal: UnitVector(up), rough: None };
    world.push_wall("floor", Surface::Plane(plane), 0, Drive::FIXED, None);
}

fn grain<D: Dim>(world: &mut World<D>, x: D::Vec, turns: bool) -> usize {
    let id = world.bodies.len() as u32;
    let inertia = if turns { Inertia::isotropic(1.0, D::BALL_INERTIA * 0.25) } else { Inertia::unturnable(1.0) };
    world.bodies.push(x, inertia, Shape::Round(Round { radius: 0.5 }), 0, id)
}

/// Three grains in a triangle on a floor, a little pressed together, moving and spinning.
fn heap<D: Dim>() -> (World<D>, DaeField<D>) {
    let mut world = world::<D>(LAW);
    floor(&mut world);
    let place = |x: f64, height: f64| {
        D::Vec::from_fn(|axis| match axis {
            0 => x,
            last if last + 1 == D::DIMENSION => height,
            _ => 0.0,
        })
    };
    for (x, height) in [(0.0, 0.499), (0.998, 0.4985), (0.5, 1.3635)] {
        grain(&mut world, place(x, height), true);
    }
    for k in 1..4 {
        world.bodies.twist[k].v = D::Vec::from_fn(|axis| 0.1 * ((3 * k + axis) as f64).sin());
        world.bodies.twist[k].w = D::Spin::from_fn(|axis| 0.3 * ((5 * k + axis) as f64).cos());
    }
    let field = DaeField::new(&DaeOptions::with_time_step(1e-3), &world);
    (world, field)
}

/// The rows of all contacts give the slip, and its rate while nothing accelerates; translation of all bodies is no
/// slip.
fn rows_are_the_slip<D: Dim>() {
    let (mut world, field) = heap::<D>();
    let soft_contacts = field.find_contacts(&mut world).expect("contacts");
    assert_eq!(soft_contacts.len(), 5);
    let h = 1e-6;
    let mut later = world.clone();
    later.drift(h);
    let after = field.find_contacts(&mut later).expect("contacts");
    for (soft_contact, after) in soft_contacts.iter().zip(&after) {
        let tangents = D::tangents(soft_contact.contact.normal);
        for (row, tangent) in soft_contact.rows(&world.bodies, &[]).zip(&tangents) {
            assert!((row.rate(&world.bodies.twist) - soft_contact.slip.dot(*tangent)).abs() < 1e-15);
            // the slip stays in the tangent plane of its own instant: to first order the tangent does not matter
            let rate = (after.slip - soft_contact.slip).dot(*tangent) / h;
            let turned = (after.contact.normal - soft_contact.contact.normal).dot(*tangent) / h;
            assert!((row.bend - rate).abs() < 1e-5, "{} {rate} {turned}", row.bend);
            let together: Vec<Twist<D>> =
                world.bodies.twist.iter().map(|_| Twist { v: *tangent, w: D::Spin::ZERO }).collect();
            assert!(row.rate(&together).abs() < 1e-15);
        }
    }
}

#[test]
fn rows_of_contacts_are_the_slip_and_its_rate() {
    rows_are_the_slip::<D2>();
    rows_are_the_slip::<D3>();
}

/// Block elimination gives what the whole saddle-point system of eq. 18 gives, solved by sparse LU.
#[test]
fn multipliers_solve_the_saddle_point_system() {
    use faer::prelude::Solve;
    use faer::sparse::{SparseColMat, Triplet};
    let mut world = world::<D2>(LAW);
    world.gravity = DVec2::new(0.3, -9.81);
    let one = grain(&mut world, DVec2::new(1.0, 0.0), true);
    let two = grain(&mut world, DVec2::new(1.5, 1.2), true);
    world.bodies.twist[one] = Twist { v: DVec2::new(0.0, 0.7), w: 0.4 };
    world.bodies.twist[two] = Twist { v: DVec2::new(-0.5, 0.2), w: -1.1 };
    let between = [Anchor::Fixed(DVec2::ZERO), Anchor::centre(one)];
    world.setup.links.constraints.push(Constraint::distance("rod", between, 1.0));
    let arms =
        [Anchor::Body { body: one, arm: DVec2::new(0.2, 0.5) }, Anchor::Body { body: two, arm: DVec2::X * -0.3 }];
    world.setup.links.constraints.push(Constraint::joint("hinge", arms));
    let rows: Vec<ConstraintRow<D2>> =
        world.setup.links.constraints.iter().flat_map(|c| c.rows(&world.bodies)).collect();
    let mut field = DaeField::new(&DaeOptions::with_time_step(1e-3), &world);
    let instant = EvaluationTime { ahead: 0.0, weight: 0.0, time: 0.0, step: 1e-3, now: 0.0 };
    let evaluation = field.evaluate(&mut world, instant).expect("an evaluation");

    let (instant, columns) = (D2::BALL_INERTIA * 0.25, 6);
    let size = columns + rows.len();
    let mut entries = Vec::new();
    let mut right = faer::Col::<f64>::zeros(size);
    for body in [one, two] {
        for (k, mass) in [1.0, 1.0, instant].into_iter().enumerate() {
            entries.push(Triplet::new(3 * body + k, 3 * body + k, mass));
        }
        (right[3 * body], right[3 * body + 1]) = (world.gravity.x, world.gravity.y);
    }
    for (k, row) in rows.iter().enumerate() {
        for part in row.parts() {
            for (n, number) in [part.along.x, part.along.y, part.about].into_iter().enumerate() {
                entries.push(Triplet::new(columns + k, 3 * part.body + n, number));
                entries.push(Triplet::new(3 * part.body + n, columns + k, number));
            }
        }
        right[columns + k] = -row.bend;
    }
    let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(size, size, &entries).expect("a matrix");
    let found = matrix.sp_lu().expect("a regular matrix").solve(&right);
    for body in [one, two] {
        let Twist { v, w } = evaluation.accel[body];
        for (k, number) in [v.x, v.y, w].into_iter().enumerate() {
            assert!((number - found[3 * body + k]).abs() < 1e-12, "{number} {}", found[3 * body + k]);
        }
    }
}

/// Twice the same rod: the forces of both add up to that of one, and least norm shares it evenly.
#[test]
fn redundant_constraints_share_the_force() {
    let mut world = world::<D3>(LAW);
    world.gravity = DVec3::NEG_Z * 9.81;
    let bob = grain(&mut world, DVec3::new(0.0, 0.0, -1.0), false);
    let rod = Constraint::distance("rod", [Anchor::Fixed(DVec3::ZERO), Anchor::centre(bob)], 1.0);
    world.setup.links.constraints = vec![rod.clone(), rod];
    let rows: Vec<ConstraintRow<D3>> =
        world.setup.links.constraints.iter().flat_map(|c| c.rows(&world.bodies)).collect();
    let mut field = DaeField::new(&DaeOptions::with_time_step(1e-3), &world);
    let instant = EvaluationTime { ahead: 0.0, weight: 0.0, time: 0.0, step: 1e-3, now: 0.0 };
    let load = field.applied_forces(&mut world, instant, |_| false).expect("a scene").load;
    let (found, accel) = field.accelerate(&world, &rows, &load);
    // the share of each is known to eps over the part that is added to the diagonal, 2e-7; their sum to rounding
    assert!(found.iter().all(|l| (l - 4.905).abs() < 1e-6 * 4.905), "{found:?}");
    assert!(accel[bob].v.length() < 1e-14, "{:?}", accel[bob]);
}

/// A ring of grains that all touch: more slips than degrees of freedom. The multipliers hold all slips nevertheless.
#[test]
fn more_sticking_contacts_than_ways_to_move_are_held() {
    let (mut world, field) = heap::<D2>();
    world.bodies.inertia.iter_mut().skip(1).for_each(|inertia| *inertia = Inertia::unturnable(1.0));
    // three rows between three bodies that only translate, two at the floor: five rows on six coordinates, each twice
    let mut rows: Vec<ConstraintRow<D2>> = Vec::new();
    for soft_contact in field.find_contacts(&mut world).expect("contacts") {
        rows.extend(soft_contact.rows(&world.bodies, &[]));
        rows.extend(soft_contact.rows(&world.bodies, &[]));
    }
    let mobility = Mobility::all(&world);
    let right: Vec<f64> = rows.iter().map(|row| row.rate(&world.bodies.twist)).collect();
    let mut multipliers = Multipliers::default();
    assert!(multipliers.factorise(&rows, &mobility));
    let found = multipliers.solve(&rows, &mobility, &right);
    let pushed = push(&rows, &mobility, &found);
    for (row, right) in rows.iter().zip(&right) {
        assert!((row_rate(row, &pushed, &mobility) - right).abs() < 1e-14);
    }
    assert!(multipliers.factorise(&rows, &mobility));
    assert_eq!((multipliers.analysed, multipliers.factorised), (1, 2), "the pattern is analysed once");
}

/// A law without the cut pulls when a grain leaves: then a slip could start in either direction, and the contact is
/// named.
#[test]
fn a_pulling_contact_is_a_paradox_and_no_crash() {
    let law = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e4, damping = 100, cut = false } }";
    let mut world = world::<D2>(law);
    floor(&mut world);
    let block = grain(&mut world, DVec2::new(0.0, 0.4999), false);
    world.bodies.twist[block].v = DVec2::new(0.0, 1.0);
    let mut method = Dae::new(DaeOptions::with_time_step(1e-5), &world);
    method.step(&mut world).expect("a step");
    let alarms = method.alarms();
    assert!(alarms.iter().any(|alarm| alarm.code == "W131" && alarm.message.contains("wall `floor` and grain 1")));
}

/// A grain between two floors, neither of which could hold it alone, is held by both; it is released when both together
/// are too weak.
#[test]
fn contacts_help_each_other_at_their_limits() {
    for (friction, sticks) in [(0.3, true), (0.2, false)] {
        let mut world = world::<D2>(&LAW.replace("0.5", &friction.to_string()));
        for (normal, point) in [(DVec2::Y, DVec2::ZERO), (DVec2::NEG_Y, DVec2::Y * 0.998)] {
            let plane = Plane { point: Components(point), normal: UnitVector(normal), rough: None };
            world.push_wall("jaw", Surface::Plane(plane), 0, Drive::FIXED, None);
        }
        let block = grain(&mut world, DVec2::new(0.0, 0.499), false);
        // each jaw presses with 10 N: 6 N or 4 N of friction against 5 N
        world.gravity = DVec2::X * 5.0;
        let mut method = Dae::new(DaeOptions::with_time_step(1e-4), &world);
        for _ in 0..100 {
            method.step(&mut world).expect("a step");
        }
        let holds = method.field.histories.iter().all(|history| history.mode == FrictionMode::Stick);
        let v = world.bodies.twist[block].v.x;
        assert_eq!((holds, v == 0.0), (sticks, sticks), "{friction}: {v}");
        if !sticks {
            assert!((v - 0.01).abs() < 1e-12, "(5 - 4) N for 10 ms: {v}");
        }
    }
}

/// More grains than the limit on events meet the floor within one step, one after the other: a warning says so.
#[test]
fn too_many_events_in_a_step_are_told() {
    for (count, is_told) in [(events::MOST - 1, false), (events::MOST + 1, true)] {
        let mut world = world::<D2>(LAW);
        floor(&mut world);
        for k in 0..count {
            let gap = 1e-4 * (k + 1) as f64 / (count + 1) as f64;
            let body = grain(&mut world, DVec2::new(2.0 * k as f64, 0.5 + gap), false);
            world.bodies.twist[body].v = DVec2::new(0.0, -1.0);
        }
        let mut method = Dae::new(DaeOptions { events: true, ..DaeOptions::with_time_step(1e-4) }, &world);
        method.step(&mut world).expect("a step");
        let told: Vec<&str> = method.alarms().iter().map(|alarm| alarm.code).collect();
        assert_eq!(told, if is_told { vec!["W133"] } else { vec![] }, "{count}");
        assert_eq!(method.happened.len(), count.min(events::MOST), "every meeting is located once");
    }
}
