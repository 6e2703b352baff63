//! Sets of admissible forces that can be found by hand, and what must hold for all of them.

mod settled;

use drystone::measure::Measures;
use drystone::measure::frame::{FrameView, MeasureOptions, Nothing, Setting};
use drystone::record::Frame;
use drystone_statics::{AdmissibleForces, Balance, Interval, Motion, NullSpace};
use settled::{crystal, groove, settled, weight};

fn balance(frame: &Frame, motion: Motion) -> Result<Balance, Nothing> {
    let (setting, options) = (Setting { depth: 1.0, ..Setting::default() }, MeasureOptions::default());
    Balance::of(&FrameView::whole(frame, &setting, &options), motion)
}

fn assert_near(found: Interval, low: f64, high: f64) {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs();
    assert!(near(found.low, low) && near(found.high, high), "{found:?} instead of {low}..{high}");
}

#[test]
fn a_disk_in_a_groove_has_the_interval_of_its_friction() {
    let (half_angle, friction) = (30.0_f64, 0.3);
    let frame = groove(half_angle, friction);
    let balance = balance(&frame, Motion::AtRest).unwrap();
    let space = NullSpace::of(&balance).unwrap();
    assert_eq!((space.degree, space.motions), (1, 0), "four components, three equations");
    // 2 N (sin a + c cos a) = W, where c is the mobilised friction, from -mu to mu
    let (sin, cos) = half_angle.to_radians().sin_cos();
    let normal = |mobilised: f64| weight(0.1) / (2.0 * (sin + mobilised * cos));
    let admissible = AdmissibleForces::of(&balance);
    for found in admissible.intervals(&[0, 1]) {
        assert_near(found.unwrap(), normal(friction), normal(-friction));
    }
}

#[test]
fn a_disk_in_a_groove_without_friction_has_one_force() {
    let balance = balance(&groove(30.0, 0.0), Motion::Same).unwrap();
    let space = NullSpace::of(&balance).unwrap();
    assert_eq!(space.degree, 0);
    assert!(space.determines(0) && space.determines(1));
    assert_near(AdmissibleForces::of(&balance).interval(&[1.0, 0.0]).unwrap(), weight(0.1), weight(0.1));
}

/// Two upright walls that a disk touches, held by friction alone: the walls can press without end.
#[test]
fn a_wedged_disk_has_no_highest_force() {
    let friction = 0.5;
    let mut frame = groove(30.0, friction);
    // the same frame with walls turned upright: forces that carry the weight by friction
    let carried = 0.5 * weight(0.1);
    for (k, sign) in [(0, 1.0), (1, -1.0)] {
        let contacts = &mut frame.contacts;
        contacts.normal[k] = [sign, 0.0, 0.0];
        contacts.normal_force[k] = 4.0 * carried;
        contacts.tangential_force[k] = [0.0, carried, 0.0];
        contacts.gap[k] = 0.0;
    }
    let balance = balance(&frame, Motion::AtRest).unwrap();
    let found = AdmissibleForces::of(&balance).interval(&AdmissibleForces::of(&balance).weights_of(0)).unwrap();
    assert!((found.low - carried / friction).abs() < 1e-6 * carried, "{found:?}");
    assert_eq!(found.high, f64::INFINITY);
}

#[test]
fn a_crystal_without_friction_has_a_self_stress_for_every_contact_beyond_two_a_disk() {
    let n = 6;
    let frame = crystal(n, 0.0);
    let balance = balance(&frame, Motion::Same).unwrap();
    let space = NullSpace::of(&balance).unwrap();
    let disks = n * (n + 1) / 2;
    assert_eq!(space.degree as i64 - space.motions as i64, balance.contacts.len() as i64 - 2 * disks as i64);
    assert!(space.degree > 0, "{} contacts of {disks} disks", balance.contacts.len());
    let sum: f64 = space.shares.iter().sum();
    assert!((sum - space.degree as f64).abs() < 1e-9);
}

#[test]
fn frictional_crystals_are_undetermined_and_intervals_hold_all_admissible_forces() {
    let frame = crystal(5, 0.4);
    let balance = balance(&frame, Motion::AtRest).unwrap();
    let space = NullSpace::of(&balance).unwrap();
    assert_eq!(space.degree + balance.rows - space.motions, 2 * balance.contacts.len());
    let admissible = AdmissibleForces::of(&balance);
    let all: Vec<usize> = (0..balance.contacts.len()).collect();
    let intervals: Vec<Interval> = admissible.intervals(&all).into_iter().map(Result::unwrap).collect();
    let right = balance.apply(&balance.forces);
    let mut widest = 0.0_f64;
    let mut members = vec![balance.forces.clone()];
    members.extend((0..6).map(|seed| admissible.draw(seed).unwrap()));
    for (number, forces) in members.iter().enumerate() {
        let missed = balance.apply(forces).iter().zip(&right).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(missed < 1e-6, "member {number} misses balance by {missed:e}");
        for (contact, interval) in balance.contacts.iter().zip(&intervals) {
            let force = forces[contact.first] * balance.unit;
            let slack = 1e-6 * balance.unit;
            assert!(force >= interval.low - slack && force <= interval.high + slack, "{force} not in {interval:?}");
            widest = widest.max(interval.width() / balance.unit);
        }
    }
    assert!(widest > 0.1, "a crystal with friction is far from determined: {widest}");
    // members differ, each within its interval
    let spread = (0..balance.forces.len()).map(|k| (members[1][k] - members[2][k]).abs()).fold(0.0, f64::max);
    assert!(spread > 1e-3, "{spread:e}");
}

#[test]
fn clusters_hold_every_undetermined_contact_once() {
    let balance = balance(&crystal(5, 0.4), Motion::AtRest).unwrap();
    let space = NullSpace::of(&balance).unwrap();
    let clusters = space.clusters(&balance);
    let mut found: Vec<usize> = clusters.concat();
    found.sort_unstable();
    let expected: Vec<usize> = (0..balance.contacts.len()).filter(|k| !space.determines(*k)).collect();
    assert_eq!(found, expected);
}

/// The measure of the library counts; the null space adds the motions that leave all contacts at rest, of which
/// settled packings have none. A disk in a groove: four components, three equations; without friction two and two.
#[test]
fn the_measure_counts_what_the_null_space_finds() {
    let counted = |frame: &Frame| -> Vec<f64> {
        let (setting, options) = (Setting { depth: 1.0, ..Setting::default() }, MeasureOptions::default());
        let measure = Measures::ALL.iter().find(|measure| measure.name() == "indeterminacy").unwrap();
        measure.of_frame().unwrap().rows(&FrameView::whole(frame, &setting, &options)).unwrap().remove(0)
    };
    assert_eq!(counted(&groove(30.0, 0.3)), [4.0, 3.0, 1.0, 0.5]);
    assert_eq!(counted(&groove(30.0, 0.0)), [2.0, 2.0, 0.0, 0.0]);
    for frame in [crystal(5, 0.4), crystal(6, 0.0)] {
        let balance = balance(&frame, Motion::Same).unwrap();
        let space = NullSpace::of(&balance).unwrap();
        let found = counted(&frame);
        assert_eq!(found[..2], [balance.columns.len() as f64, balance.rows as f64]);
        assert_eq!(found[2], space.degree as f64 - space.motions as f64);
        assert!(found[2] > 0.0);
    }
}

#[test]
fn frames_without_forces_are_refused() {
    let frame = settled(&[([0.0, 1.0], 0.1)], &[([0.0, 0.0], [0.0, 1.0])], 0.3, 1);
    assert_eq!(balance(&frame, Motion::Same).unwrap_err(), Nothing::Contacts);
}
