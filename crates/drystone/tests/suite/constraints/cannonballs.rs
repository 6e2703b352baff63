//! P13: cannonballs, three, six and ten disks in a heap, stand if and only if friction suffices. [Chen figs 10, 13]
//!
//! The critical coefficients, one for all contacts, are those at which an equilibrium exists at all: by linear
//! programming over all forces within their cones. For three disks that turn it is tan 15 deg.

use drystone::dim::D2;
use drystone::drive::Drive;
use drystone::method::{Kind, Method};
use glam::DVec2;

use super::constrained::Constrained;
use super::expect::expect;

const G: f64 = 9.81;
const CASE: &str = "cannonballs";
/// Stiffness and damping of the contacts; disks of 1 kg and diameter 1 m.
const SOFT: &str = "md = { normal = { law = \"hooke\", stiffness = 1e5, damping = 300 } }";

/// A heap with so many disks in its lowest row, each pressed in a little.
fn stack(rows: usize, friction: f64, turns: bool, options: &str) -> (Constrained<D2>, usize) {
    stack_of(rows, &format!("friction = {friction}, {SOFT}"), turns, options)
}

fn stack_of(rows: usize, law: &str, turns: bool, options: &str) -> (Constrained<D2>, usize) {
    let mut stage = Constrained::<D2>::new(law, options);
    stage.world.gravity = DVec2::new(0.0, -G);
    stage.plane(DVec2::ZERO, DVec2::Y, Drive::FIXED);
    let mut top = 0;
    for row in 0..rows {
        for k in 0..rows - row {
            let x = k as f64 - 0.5 * (rows - row - 1) as f64;
            let at = DVec2::new(x, 0.5 + row as f64 * 0.75_f64.sqrt());
            top = if turns { stage.grain(at, 0.5, 1.0) } else { stage.block(at, 0.5, 1.0) };
        }
    }
    (stage, top)
}

/// How far the top sinks within a time; no further than to 0.3 m, where it has fallen. And the energy over m g d then.
fn sinking(mut stage: Constrained<D2>, top: usize, time: f64) -> (f64, f64) {
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

/// A top that sinks so far has fallen, over the diameter.
const FALLEN: f64 = 0.3;
/// Contacts give way by less than this: ten times the weight over the stiffness.
const GIVEN_WAY: f64 = 2e-3;
const GEAR: &str = "time_step = \"auto\", integrator = \"gear\"";

/// Rows of the heap, critical friction, and whether the disks turn.
const CRITICAL: [(usize, f64, bool); 4] =
    [(2, 0.136_294, false), (3, 0.179_982, false), (4, 0.201_810, false), (2, 0.267_949, true)];

#[test]
fn they_stand_above_the_critical_friction_and_fall_below() {
    for (rows, critical, turns) in CRITICAL {
        let name = format!("{} disks, {}", rows * (rows + 1) / 2, if turns { "turning" } else { "not turning" });
        let (stage, top) = stack(rows, 1.10 * critical, turns, GEAR);
        let (sunk, energy) = sinking(stage, top, 3.0);
        assert!(energy < 1e-12, "{name}: at rest");
        expect(CASE, Kind::Dae, format!("{name}: sinking at 1.10 of the critical friction"), sunk, 0.0)
            .within(GIVEN_WAY, "elastic contacts");
        let (stage, top) = stack(rows, 0.95 * critical, turns, GEAR);
        let fallen = sinking(stage, top, 6.0).0;
        expect(CASE, Kind::Dae, format!("{name}: sinking at 0.95 of it"), fallen, FALLEN)
            .within(0.05, "stopped when it has fallen so far");
    }
}

#[test]
fn contact_dynamics_agrees() {
    use drystone::method::cd::{Accuracy, CdOptions, ContactDynamics};
    for (rows, critical, turns) in CRITICAL {
        for (part, falls) in [(1.10, false), (0.95, true)] {
            let (mut stage, top) = stack(rows, part * critical, turns, GEAR);
            let options = CdOptions { accuracy: Accuracy::Residual(1e-10), ..CdOptions::with_time_step(5e-3) };
            let mut method = ContactDynamics::<D2>::new(options);
            let before = stage.x(top).y;
            for _ in 0..1200 {
                method.step(&mut stage.world).expect("a possible step");
            }
            let sunk = before - stage.x(top).y;
            assert_eq!(sunk > FALLEN, falls, "{rows} rows, turning {turns}, at {part}: {sunk}");
            assert!(falls || sunk < 1e-3, "{rows} rows, turning {turns}: {sunk}");
        }
    }
}

/// That an equilibrium exists is necessary, not sufficient: elastic disks have the normal forces that their overlaps
/// give them. Six and ten turning disks have an equilibrium from 0.433987 and 0.472960 on, and below it they fall. Put
/// down without forces they still fall at 1.10 of it; they stand at 1.4 and at 2.2 times the critical friction. Those
/// that start in their equilibrium are in `turning_heaps`.
#[test]
fn heaps_of_turning_disks_need_more_than_an_equilibrium() {
    for (rows, critical, enough) in [(3, 0.433_987, 1.4), (4, 0.472_960, 2.2)] {
        for part in [0.95, 1.10] {
            let (stage, top) = stack(rows, part * critical, true, GEAR);
            assert!(sinking(stage, top, 6.0).0 > FALLEN, "{rows} rows at {part}");
        }
        let (stage, top) = stack(rows, enough * critical, true, GEAR);
        let (sunk, energy) = sinking(stage, top, 3.0);
        assert!(sunk < GIVEN_WAY && energy < 1e-12, "{rows} rows at {enough}: {sunk} {energy:e}");
    }
}

/// With projection a heap comes to rest, without it ends on a plateau: what slips when a contact begins to stick stays.
#[test]
fn projection_brings_the_heap_to_rest() {
    // a velocity below half a bit of the place in a step moves nothing, and nothing takes it away: the longer the step,
    // the less is left. Soft contacts bear long steps; Gear's method does not, it needs steps of 0.02 of a collision
    let law = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e3, damping = 40 } }";
    for rows in [2, 3, 4] {
        let energy = |projection: &str| {
            let options = format!("time_step = 0.01, projection = \"{projection}\"");
            let (mut stage, _) = stack_of(rows, law, false, &options);
            stage.run(4.0);
            stage.kinetic_energy() / G
        };
        let rest = energy("full");
        let name = format!("{} disks", rows * (rows + 1) / 2);
        expect(CASE, Kind::Dae, format!("{name}: kinetic energy over m g d, projected"), rest, 0.0)
            .within(1e-28, "rounding of places");
        let plateau = energy("none");
        assert!(
            plateau > 1e-20 && plateau > 1e6 * rest,
            "{name}: what slipped when contacts began to stick stays: {plateau:e}"
        );
    }
}
