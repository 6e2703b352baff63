//! The step of a frame, solved again from random forces.

mod settled;

use drystone::measure::frame::{FrameView, MeasureOptions, Nothing, Setting};
use drystone::method::cd::stored::Goal;
use drystone::record::Frame;
use drystone_statics::{AdmissibleForces, Balance, Ensemble, FrameStep, Interval, Member, Motion, NullSpace};
use settled::{crystal, groove, settled, weight};

const GOAL: f64 = 1e-10;

/// Some solves of the step of a frame, and its balance.
fn solves(frame: &Frame, motion: Motion, count: u64) -> (Balance, Vec<Member>) {
    let (setting, options) = (Setting { depth: 1.0, ..Setting::default() }, MeasureOptions::default());
    let view = FrameView::whole(frame, &setting, &options);
    let balance = Balance::of(&view, motion).unwrap();
    let step = FrameStep::of(&view, &balance).unwrap();
    let solve = |seed| step.solve(seed, Goal::residual(GOAL, 100_000)).unwrap();
    let members: Vec<Member> = (0..count).map(solve).collect();
    assert!(members.iter().all(|member| member.converged));
    (balance, members)
}

/// Largest difference between two members, in units of the mean force.
fn spread(members: &[Member]) -> f64 {
    let of = |unknown: usize| {
        let forces = members.iter().map(|member| member.forces[unknown]);
        forces.clone().fold(f64::NEG_INFINITY, f64::max) - forces.fold(f64::INFINITY, f64::min)
    };
    (0..members[0].forces.len()).map(of).fold(0.0, f64::max)
}

/// Normal force of a contact, in units of the mean force.
fn normal(balance: &Balance, member: &Member, contact: usize) -> f64 {
    member.forces[balance.contacts[contact].first]
}

/// By how much the members leave the exact intervals, in units of the mean force.
fn excess(balance: &Balance, members: &[Member]) -> f64 {
    let set = AdmissibleForces::of(balance);
    let all: Vec<usize> = (0..balance.contacts.len()).collect();
    let intervals: Vec<Interval> = set.intervals(&all).into_iter().map(Result::unwrap).collect();
    let beyond = |member: &Member| {
        let pairs = intervals.iter().enumerate().map(|(k, interval)| (normal(balance, member, k), interval));
        pairs.map(|(f, i)| (i.low / balance.unit - f).max(f - i.high / balance.unit)).fold(0.0, f64::max)
    };
    members.iter().map(beyond).fold(0.0, f64::max)
}

#[test]
fn a_disk_in_a_groove_takes_forces_from_all_of_its_interval() {
    let (half_angle, friction) = (30.0_f64, 0.3);
    let (balance, members) = solves(&groove(half_angle, friction), Motion::AtRest, 40);
    assert!(excess(&balance, &members) < 1e-6);
    // by hand: 2 N (sin a + c cos a) = W with the mobilised friction c from -mu to mu
    let (sin, cos) = half_angle.to_radians().sin_cos();
    let bound = |mobilised: f64| weight(0.1) / (2.0 * (sin + mobilised * cos)) / balance.unit;
    let forces: Vec<f64> = members.iter().map(|member| normal(&balance, member, 0)).collect();
    let (low, high) = forces.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), f| (l.min(*f), h.max(*f)));
    let (from, to) = (bound(friction), bound(-friction));
    assert!(low >= from - 1e-6 && high <= to + 1e-6, "{low}..{high} in {from}..{to}");
    assert!(high - low > 0.3 * (to - from), "starts reach much of the interval: {low}..{high} of {from}..{to}");
    // the torque about the centre is zero and the weight is borne: both walls press alike
    assert!(members.iter().all(|member| (normal(&balance, member, 0) - normal(&balance, member, 1)).abs() < 1e-6));
}

#[test]
fn forces_that_balance_determines_do_not_depend_on_the_start() {
    let (_, members) = solves(&groove(30.0, 0.0), Motion::Same, 10);
    // N = W / 2 sin 30 degrees = W, the mean force
    for force in members.iter().flat_map(|member| &member.forces) {
        assert!((force - 1.0).abs() < 1e-7, "{force}");
    }
    // a second disk leans on the right wall and on the first: four contacts, four equations
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    let (low, along) = ([0.0, 0.1 / sin], [0.2 * sin, 0.2 * cos]);
    let disks = [(low, 0.1), ([low[0] + along[0], low[1] + along[1]], 0.1)];
    let walls = [([0.0, 0.0], [cos, sin]), ([0.0, 0.0], [-cos, sin])];
    let (balance, members) = solves(&settled(&disks, &walls, 0.0, 20), Motion::Same, 10);
    assert_eq!((balance.contacts.len(), NullSpace::of(&balance).unwrap().degree), (4, 0));
    assert!(spread(&members) < 1e-6, "{:e}", spread(&members));
    let space = NullSpace::of(&balance).unwrap();
    let ensemble = Ensemble::of(members.clone(), &balance, Some(&space));
    assert_eq!(ensemble.undetermined(), 0.0, "what they differ by is error");
    // the disks press each other by W cos a, the part of the weight along the wall
    let between = balance.contacts.iter().position(|contact| contact.wall.is_none()).unwrap();
    let force = normal(&balance, &members[0], between) * balance.unit;
    assert!((force / (weight(0.1) * cos) - 1.0).abs() < 1e-6, "{force}");
}

#[test]
fn solves_of_a_crystal_differ_and_stay_in_the_exact_intervals() {
    for friction in [0.0, 0.4] {
        let (balance, members) = solves(&crystal(5, friction), Motion::AtRest, 12);
        let space = NullSpace::of(&balance).unwrap();
        assert!(space.degree > 0);
        // what members differ by is a self-stress, but for the error of the solves
        for member in &members {
            let change: Vec<f64> = member.forces.iter().zip(&balance.forces).map(|(new, old)| new - old).collect();
            let part = space.part_of(&change);
            let rest = change.iter().zip(&part).map(|(all, part)| (all - part).abs()).fold(0.0, f64::max);
            assert!(rest < 1e-6, "friction {friction}: {rest:e} is no self-stress");
        }
        assert!(spread(&members) > 0.05, "friction {friction}: {:e}", spread(&members));
        let ensemble = Ensemble::of(members.clone(), &balance, Some(&space));
        let determined = (0..balance.contacts.len()).filter(|contact| space.determines(*contact)).count();
        let expected = 1.0 - determined as f64 / balance.contacts.len() as f64;
        assert!(ensemble.undetermined() > 0.5 * expected && ensemble.undetermined() <= expected, "of {expected}");
        let beyond = excess(&balance, &members);
        assert!(beyond < 1e-6, "friction {friction}: outside by {beyond:e}");
    }
}

/// A disk that slides down a slope has one force, W cos a, whatever it starts from.
#[test]
fn a_contact_that_slides_keeps_its_motion() {
    let angle = 40.0_f64.to_radians();
    let upwards = [-angle.sin(), angle.cos()];
    let frame = settled(&[([-0.1 * angle.sin(), 0.1 * angle.cos()], 0.1)], &[([0.0, 0.0], upwards)], 0.1, 20);
    assert_eq!(frame.contacts.regime, [2], "tan 40 degrees is more than three times 0.1: it slides");
    let (balance, members) = solves(&frame, Motion::Same, 5);
    assert!((balance.unit / (weight(0.1) * angle.cos()) - 1.0).abs() < 1e-9);
    assert!(members.iter().all(|member| (normal(&balance, member, 0) - 1.0).abs() < 1e-8));
}

#[test]
fn frames_of_the_start_have_no_step() {
    let mut frame = groove(30.0, 0.3);
    frame.time_step = 0.0;
    let (setting, options) = (Setting { depth: 1.0, ..Setting::default() }, MeasureOptions::default());
    let view = FrameView::whole(&frame, &setting, &options);
    let balance = Balance::of(&view, Motion::Same).unwrap();
    assert!(matches!(FrameStep::of(&view, &balance), Err(Nothing::Lacks(why)) if why.contains("no step")));
}
