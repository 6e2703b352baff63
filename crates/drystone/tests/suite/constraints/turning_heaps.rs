//! P13 with rotation: heaps of six and ten turning disks stand where an equilibrium exists, if they start in it.
//!
//! The critical friction is the least for which forces within all cones balance the weights, by linear programming over
//! all contacts: 0.433987 and 0.472960. A heap that is put down without forces finds other ones. What the tests do here
//! is to find forces within the cones first, with a margin, and to start from them: elastic disks with the overlaps
//! that make these normal forces, rigid disks with these impulses.

use drystone::contact::Regime;
use drystone::dim::D2;
use drystone::drive::Drive;
use drystone::method::{Kind, Method};
use faer::prelude::Solve;
use faer::{Col, Mat};
use glam::DVec2;

use super::constrained::Constrained;
use super::expect::expect;

const G: f64 = 9.81;
const CASE: &str = "heaps of turning disks";
const STIFFNESS: f64 = 1e5;
/// Rows, the friction from which on an equilibrium exists, and the neighbours in a row (counted from 1, from below)
/// that press on each other in an equilibrium of equal elastic disks; all other neighbours have a gap there.
const CRITICAL: [(usize, f64, [usize; 2]); 2] = [(3, 0.433_987, [4, 5]), (4, 0.472_960, [2, 3])];
/// What friction leaves over in the equilibrium that a heap starts from [m g].
const MARGIN: f64 = 0.008;
/// A top that sinks so far has fallen, over the diameter.
const FALLEN: f64 = 0.3;

/// A contact of a heap: bodies (0 is the floor), normal from the first to the second, and its forces on the second [m
/// g]. An open one has a gap, which is its negative `press` times m g over the stiffness.
#[derive(Clone, Copy, Debug)]
struct Touch {
    bodies: [usize; 2],
    normal: DVec2,
    is_open: bool,
    press: f64,
    friction: f64,
}

/// Centres of disks of diameter 1 in rows, each one shorter than the one below and in its dents.
fn centres(rows: usize) -> Vec<DVec2> {
    let place =
        |row: usize, k: usize| DVec2::new(k as f64 - 0.5 * (rows - row - 1) as f64, 0.5 + row as f64 * 0.75_f64.sqrt());
    (0..rows).flat_map(|row| (0..rows - row).map(move |k| place(row, k))).collect()
}

/// The contacts of a heap, without forces.
fn touches(places: &[DVec2], is_open: impl Fn([usize; 2]) -> bool) -> Vec<Touch> {
    let touch = |bodies, normal: DVec2| {
        let is_open = normal.y.abs() < 1e-9 && is_open(bodies);
        Touch { bodies, normal, is_open, press: 0.0, friction: 0.0 }
    };
    let mut all = Vec::new();
    for (b, x) in places.iter().enumerate() {
        if x.y < 0.6 {
            all.push(touch([0, b + 1], DVec2::Y));
        }
        let near = places[..b].iter().enumerate().filter(|(_, y)| (x.distance(**y) - 1.0).abs() < 1e-9);
        all.extend(near.map(|(a, y)| touch([a + 1, b + 1], *x - *y)));
    }
    all
}

/// Bodies of a contact that move, with the sign of its force on them.
fn ends(touch: &Touch) -> impl Iterator<Item = (usize, f64)> + use<> {
    touch.bodies.into_iter().zip([-1.0, 1.0]).filter(|(body, _)| *body > 0).map(|(body, sign)| (body - 1, sign))
}

/// Linear conditions A x = b on x = all normal forces, all friction, and all displacements times the stiffness.
///
/// Forces and torques on all disks balance, friction of open contacts is zero, and if the disks are elastic every
/// normal force, or gap, is that of the displacements.
fn conditions(count: usize, touches: &[Touch], is_elastic: bool) -> (Mat<f64>, Col<f64>) {
    let contacts = touches.len();
    let open = touches.iter().enumerate().filter(|(_, touch)| touch.is_open).map(|(k, _)| k);
    let zero: Vec<usize> = open.map(|k| contacts + k).collect();
    let first = 3 * count + zero.len();
    let rows = first + if is_elastic { contacts } else { 0 };
    let mut matrix = Mat::zeros(rows, 2 * contacts + 2 * count);
    zero.iter().enumerate().for_each(|(k, column)| matrix[(3 * count + k, *column)] = 1.0);
    for (k, touch) in touches.iter().enumerate() {
        for (body, sign) in ends(touch) {
            for (column, along) in [(k, touch.normal), (contacts + k, touch.normal.perp())] {
                let force = if touch.is_open { DVec2::ZERO } else { along * sign };
                let arm = touch.normal * (-0.5 * sign);
                matrix[(3 * body, column)] = force.x;
                matrix[(3 * body + 1, column)] = force.y;
                matrix[(3 * body + 2, column)] = arm.perp_dot(force);
            }
            if is_elastic {
                matrix[(first + k, 2 * contacts + 2 * body)] = sign * touch.normal.x;
                matrix[(first + k, 2 * contacts + 2 * body + 1)] = sign * touch.normal.y;
            }
        }
        if is_elastic {
            matrix[(first + k, k)] = 1.0;
        }
    }
    (matrix, Col::from_fn(rows, |k| if k < 3 * count && k % 3 == 1 { 1.0 } else { 0.0 }))
}

/// Forces in balance that leave the margin to the cones of this friction, and displacements: found by projecting onto
/// the conditions and the cones by turns, which ends where both meet if they do.
fn equilibrium(places: &[DVec2], mut found: Vec<Touch>, friction: f64, is_elastic: bool) -> (Vec<Touch>, Vec<DVec2>) {
    let (matrix, right) = conditions(places.len(), &found, is_elastic);
    let inverse = (&matrix * matrix.transpose()).partial_piv_lu();
    let count = found.len();
    let mut x = Col::<f64>::zeros(matrix.ncols());
    for _ in 0..1_000_000 {
        let miss = &right - &matrix * &x;
        x += matrix.transpose() * inverse.solve(&miss);
        let lack = |k: usize| match found[k].is_open {
            true => x[k] + MARGIN,
            false => x[count + k].abs() - friction * x[k] + MARGIN,
        };
        let lacking: Vec<(usize, f64)> = (0..count).map(|k| (k, lack(k))).filter(|(_, lack)| *lack > 0.0).collect();
        // the way to a margin has no end, the way to half of it has
        if lacking.iter().all(|(_, lack)| *lack < 0.5 * MARGIN) {
            for (k, touch) in found.iter_mut().enumerate() {
                (touch.press, touch.friction) = (x[k], x[count + k]);
            }
            let at = |k: usize| DVec2::new(x[2 * count + 2 * k], x[2 * count + 2 * k + 1]) * (G / STIFFNESS);
            return (found, places.iter().enumerate().map(|(k, place)| *place + at(k)).collect());
        }
        for (k, lack) in lacking {
            if found[k].is_open {
                x[k] -= lack;
            } else {
                // the nearest point of the cone whose tip is at the margin
                let (side, n, t) = (x[count + k].signum(), x[k] - MARGIN / friction, x[count + k].abs());
                let along = ((n + friction * t) / (1.0 + friction * friction)).max(0.0);
                (x[k], x[count + k]) = (along + MARGIN / friction, side * friction * along);
            }
        }
    }
    panic!("no equilibrium at a friction of {friction}");
}

fn stage(places: &[DVec2], friction: f64) -> Constrained<D2> {
    let law = format!(
        "friction = {friction}, md = {{ normal = {{ law = \"hooke\", stiffness = {STIFFNESS}, damping = 300 }} }}"
    );
    let mut stage = Constrained::<D2>::new(&law, "time_step = \"auto\", integrator = \"gear\"");
    stage.world.gravity = DVec2::new(0.0, -G);
    stage.plane(DVec2::ZERO, DVec2::Y, Drive::FIXED);
    for place in places {
        stage.grain(*place, 0.5, 1.0);
    }
    stage
}

/// How far the top sinks within a time, until it has fallen, and the energy over m g d then.
fn sinking(mut stage: Constrained<D2>, time: f64) -> (f64, f64) {
    let top = stage.world.bodies.len() - 1;
    let before = stage.x(top).y;
    let steps = (time / stage.method().time_step()) as usize;
    for _ in 0..steps {
        stage.step();
        if before - stage.x(top).y > FALLEN {
            break;
        }
    }
    (before - stage.x(top).y, stage.kinetic_energy() / G)
}

#[test]
fn elastic_disks_that_start_in_equilibrium_stand_where_one_exists() {
    for (rows, critical, pressed) in CRITICAL {
        let places = centres(rows);
        let name = format!("{} disks", places.len());
        let friction = 1.10 * critical;
        let start = equilibrium(&places, touches(&places, |pair| pair != pressed), friction, true).1;
        let (sunk, energy) = sinking(stage(&start, friction), 3.0);
        assert!(energy < 1e-12, "{name}: at rest");
        expect(CASE, Kind::Dae, format!("{name}: sinking at 1.10 of the critical friction"), sunk, 0.0)
            .within(G / STIFFNESS, "overlaps of one weight; forces were balanced before disks were pressed in");
        let fallen = sinking(stage(&start, 0.95 * critical), 6.0).0;
        expect(CASE, Kind::Dae, format!("{name}: sinking at 0.95 of it"), fallen, FALLEN)
            .within(0.05, "stopped when it has fallen so far");
        // the same heap put down without forces
        assert!(sinking(stage(&places, friction), 6.0).0 > FALLEN, "{name}: other forces, other fate");
    }
}

/// Rigid disks: the sinking of the top within 6 s, and the energy over m g d after the first step. `start` are the
/// forces that the first step begins with. Every step satisfies all laws to 1e-10.
fn rigid(rows: usize, friction: f64, start: &[Touch]) -> (f64, f64) {
    use drystone::method::cd::{Accuracy, CdOptions, ContactDynamics};
    let mut stage = stage(&centres(rows), friction);
    let (dt, top) = (5e-3, stage.world.bodies.len() - 1);
    let still = vec![0.0; top + 1];
    stage.world.sense(&still, |_, _| 1e-6).expect("contacts");
    let network = stage.world.network_mut();
    for (contact, memory) in network.contacts.iter().zip(&mut network.memory) {
        let bodies = [contact.key.a as usize, contact.key.b as usize];
        if let Some(touch) = start.iter().find(|touch| touch.bodies == bodies) {
            memory.impulse = (touch.normal * touch.press + touch.normal.perp() * touch.friction) * (G * dt);
            memory.regime = Regime::Stick;
        }
    }
    let options = CdOptions { accuracy: Accuracy::Residual(1e-10), ..CdOptions::with_time_step(dt) };
    let mut method = ContactDynamics::<D2>::new(options);
    let (before, mut first) = (stage.x(top).y, None);
    for _ in 0..1200 {
        let report = method.step(&mut stage.world).expect("a possible step");
        assert!(report.residual <= 1e-10, "{rows} rows: {:e}", report.residual);
        first.get_or_insert(stage.kinetic_energy() / G);
    }
    (before - stage.x(top).y, first.expect("a first step"))
}

/// At 1.10 of the critical friction one step of a rigid heap has at least two solutions: it stands, and it begins to
/// fall. Both satisfy all contact laws; which one is found depends on the forces that the search starts from.
#[test]
fn rigid_disks_stand_or_fall_at_the_same_friction() {
    for (rows, critical, _) in CRITICAL {
        let places = centres(rows);
        let name = format!("{} disks", places.len());
        let found = equilibrium(&places, touches(&places, |_| false), 1.10 * critical, false).0;
        let (sunk, energy) = rigid(rows, 1.10 * critical, &found);
        assert!(energy < 1e-28, "{name}: {energy:e}");
        expect(CASE, Kind::Cd, format!("{name}: sinking at 1.10 of the critical friction"), sunk, 0.0)
            .within(1e-9, "1200 steps of a residual of 1e-10");
        let (sunk, energy) = rigid(rows, 1.10 * critical, &[]);
        assert!(energy > 1e-7 && sunk > FALLEN, "{name} without forces: {energy:e}, {sunk}");
        let (sunk, _) = rigid(rows, 0.95 * critical, &found);
        assert!(sunk > FALLEN, "{name} at 0.95: {sunk}");
    }
}
