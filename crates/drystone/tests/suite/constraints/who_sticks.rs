//! Who sticks is found in every step of heaps that are put down at once, when hundreds of contacts begin to slide.

use drystone::dim::{D2, D3, Dim};
use drystone::drive::Drive;
use drystone::method::Method;
use glam::{DVec2, DVec3};

use super::constrained::{Constrained, upward};

/// Steps of a heap whose diameters are 1 m. Gives the steps that do not say who sticks.
fn settle<D: Dim>(places: &[D::Vec], turns: bool, steps: usize) -> usize {
    let law = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e5, damping = 300 } }";
    let mut stage = Constrained::<D>::new(law, "time_step = \"auto\", integrator = \"gear\"");
    stage.world.gravity = upward::<D>() * -9.81;
    stage.plane(D::Vec::default(), upward::<D>(), Drive::FIXED);
    for place in places {
        if turns {
            stage.grain(*place, 0.5, 1.0)
        } else {
            stage.block(*place, 0.5, 1.0)
        };
    }
    let (mut most, mut undecided) = (0, 0);
    for step in 0..steps {
        let before = stage.method().field.multipliers.factorised;
        stage.step();
        let method = stage.method();
        let alarms = method.alarms();
        assert!(alarms.iter().all(|alarm| alarm.code == "W132"), "step {step}: {alarms:?}");
        undecided += alarms.len();
        alarms.iter().for_each(|alarm| println!("{}", alarm.message));
        most = most.max(method.field.multipliers.factorised - before);
    }
    println!("{} grains, turning {turns}: at most {most} factorisations, {undecided} steps undecided", places.len());
    undecided
}

#[test]
fn in_the_plane() {
    let place = |row: usize, k: usize| {
        DVec2::new((k as f64 + 0.5 * row as f64) * 0.9999, 0.4999 + row as f64 * 0.75_f64.sqrt() * 0.9999)
    };
    for (rows, steps) in [(10, 200), (25, 30)] {
        let places: Vec<DVec2> = (0..rows).flat_map(|row| (0..rows - row).map(move |k| place(row, k))).collect();
        for turns in [false, true] {
            assert_eq!(settle::<D2>(&places, turns, steps), 0);
        }
    }
}

#[test]
fn in_space() {
    let place = |layer: usize, i: usize, k: usize| {
        let at = |n: usize| (n as f64 + 0.5 * layer as f64) * 0.9999;
        DVec3::new(at(i), at(k), 0.4999 + layer as f64 * 0.5_f64.sqrt() * 0.9999)
    };
    for (layers, steps) in [(2, 200), (5, 60)] {
        let square = |layer: usize| {
            let side = layers - layer;
            (0..side * side).map(move |n| place(layer, n / side, n % side))
        };
        let places: Vec<DVec3> = (0..layers).flat_map(square).collect();
        for turns in [false, true] {
            assert_eq!(settle::<D3>(&places, turns, steps), 0);
        }
    }
}
