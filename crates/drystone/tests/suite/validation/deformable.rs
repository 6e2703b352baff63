//! Grains that deform against what follows from the model by hand.

use std::f64::consts::PI;

use drystone::body::SymmetricTensor;
use drystone::cell::Cell;
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::input::quantity::Quantity;
use drystone::law::{Elasticity, Pair};
use drystone::method::Method;
use drystone::method::cd::{Accuracy, CdOptions, ContactDynamics, Ladder};
use drystone::world::{Grain, Wall, World, WorldBuilder};
use glam::DVec2;

/// Density [kg/m3], Young's modulus [Pa] and radius [m] of all grains here.
const DENSITY: f64 = 1000.0;
const YOUNG: f64 = 1e6;
const RADIUS: f64 = 0.5;

fn builder<D: Dim>(friction: f64) -> WorldBuilder<D> {
    World::builder().material("rubber", DENSITY).contact("rubber", "rubber", Pair::with_friction(friction))
}

fn built<D: Dim>(builder: WorldBuilder<D>, poisson: f64) -> World<D> {
    let mut world = builder.build().unwrap_or_else(|error| panic!("{error}"));
    let elastic = Elasticity { young: Quantity(YOUNG), poisson: Quantity(poisson), retardation: Quantity(0.0) };
    world.set_elasticity(vec![Some(elastic)]);
    world
}

fn axis<D: Dim>(k: usize, length: f64) -> D::Vec {
    D::Vec::from_fn(|axis| if axis == k { length } else { 0.0 })
}

/// Makes steps, all of which must converge.
fn advance<D: Dim>(world: &mut World<D>, dt: f64, steps: usize) {
    let options = CdOptions { accuracy: Accuracy::Named(Ladder::Reference), ..CdOptions::with_time_step(dt) };
    let mut method = ContactDynamics::new(options);
    for _ in 0..steps {
        let report = method.step(world).unwrap_or_else(|error| panic!("{error}"));
        assert!(report.converged, "{report:?}");
    }
}

/// Normal forces of the last step [N].
fn forces<D: Dim>(world: &World<D>, dt: f64) -> Vec<f64> {
    let network = world.network();
    let force = |k: usize| network.memory[k].impulse.dot(network.contacts[k].normal) / dt;
    (0..network.contacts.len()).map(force).filter(|force| *force != 0.0).collect()
}

fn assert_near(got: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((got / expected - 1.0).abs() <= tolerance, "{what}: {got} and not {expected}");
}

fn energy<D: Dim>(world: &World<D>) -> f64 {
    world.kinetic_energy() + world.ledger().elastic + world.ledger().dissipated
}

/// Between two plates the strain across is free and V sigma = 2 r F: F = pi/2 r L Y / (1 - nu^2) e, whatever the step.
/// With a step near the period of the grain, inertia adds some percent, because the lid moves.
#[test]
fn a_disk_between_plates_is_a_linear_spring_for_any_time_step() {
    for dt in [1.0, 0.05] {
        let lid = Wall::plane("lid", [0.0, 2.0 * RADIUS], [0.0, -1.0]).velocity([0.0, -0.002 / dt]);
        let floor = Wall::plane("floor", [0.0, 0.0], [0.0, 1.0]);
        let disk = Grain::disk(RADIUS).at([0.3, RADIUS]);
        let mut world = built::<D2>(builder(0.0).wall(floor).wall(lid).grain(disk), 0.3);
        advance(&mut world, dt, 5);
        let strain = 0.01; // the lid has come down by 10 mm of 1 m
        let expected = 0.5 * PI * RADIUS * YOUNG / (1.0 - 0.3_f64.powi(2)) * strain;
        let found = forces(&world, dt);
        assert_eq!(found.len(), 2);
        found.iter().for_each(|force| assert_near(*force, expected, if dt < 1.0 { 0.05 } else { 2e-4 }, "force"));
        let tensor = world.bodies.strains.as_ref().unwrap().strain[2];
        assert_near(tensor.entry(1, 1), -strain, 1e-5, "strain along");
        assert_near(tensor.entry(0, 0), strain * 0.3 / 0.7, if dt < 1.0 { 0.05 } else { 1e-3 }, "strain across");
    }
}

/// Nine disks in a square: V C E = -r sum sym(n R) gives F = pi/2 r L e Y / ((1 + nu) (1 - 2 nu)) in plane strain.
#[test]
fn a_square_packing_has_the_bulk_modulus_of_the_model() {
    let (side, push) = (6.0 * RADIUS, 0.006);
    let mut plates = builder(0.0)
        .wall(Wall::plane("left", [0.0, 0.0], [1.0, 0.0]))
        .wall(Wall::plane("floor", [0.0, 0.0], [0.0, 1.0]))
        .wall(Wall::plane("right", [side, 0.0], [-1.0, 0.0]).velocity([-push, 0.0]))
        .wall(Wall::plane("lid", [0.0, side], [0.0, -1.0]).velocity([0.0, -push]));
    for k in 0..9 {
        let place = |number: usize| RADIUS * (1.0 + 2.0 * number as f64);
        plates = plates.grain(Grain::disk(RADIUS).at([place(k % 3), place(k / 3)]));
    }
    let mut world = built::<D2>(plates, 0.3);
    advance(&mut world, 1.0, 5); // 30 mm of 3 m: one percent
    let expected = 0.5 * PI * RADIUS * 0.01 * YOUNG / (1.3 * 0.4);
    let found = forces(&world, 1.0);
    assert_eq!(found.len(), 24);
    found.iter().for_each(|force| assert_near(*force, expected, 1e-3, "force"));
}

/// A triangular packing in a periodic cell, pressed along y by the strain e while the cell keeps its length along x: the
/// normal forces along the rows and between them over r L e.
///
/// Contacts have normals at 0 and 60 degrees, n.E n of grains and lattice agree where they press, and V C E is the sum of
/// r f n n. If all press, grains are strained like the lattice, and what a piece of the material bears, they bear:
/// f_60 = pi/3 (lambda + 2 mu) and f_0 = pi/3 (lambda - mu). So rows part for nu < 1/4; then the stress along x is a
/// third of that along y, E_xx / E_yy = (mu - lambda) / (lambda + 3 mu), and E_xx + 3 E_yy = 3 e.
fn pressed_rows(lame: f64, shear: f64) -> [f64; 2] {
    if lame >= shear {
        return [PI / 3.0 * (lame - shear), PI / 3.0 * (lame + 2.0 * shear)];
    }
    let ratio = (shear - lame) / (lame + 3.0 * shear);
    let along = 3.0 / (3.0 + ratio);
    [0.0, PI / 3.0 * (lame * ratio + lame + 2.0 * shear) * along]
}

#[test]
fn a_triangular_packing_is_as_stiff_as_its_material_until_rows_part() {
    for poisson in [0.45, 0.3, 0.2, 0.0] {
        let (rows, height, strain, steps) = (6, 3.0_f64.sqrt() * RADIUS, 1e-3, 4);
        let lengths = DVec2::new(2.0 * RADIUS * rows as f64, height * rows as f64);
        let mut cell = Cell::new(DVec2::ZERO, lengths, [true, true, false]);
        cell.stretching = DVec2::new(0.0, -strain * lengths.y / steps as f64);
        let place = |k: usize| {
            let shift = if k / rows % 2 == 1 { RADIUS } else { 0.0 };
            [2.0 * RADIUS * (k % rows) as f64 + shift, height * (k / rows) as f64]
        };
        let grains = (0..rows * rows).map(|k| Grain::disk(RADIUS).at(place(k)));
        let mut world = built::<D2>(builder(0.0).cell(cell).grains(grains), poisson);
        advance(&mut world, 1.0, steps);
        let (lame, shear) =
            (YOUNG * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), 0.5 * YOUNG / (1.0 + poisson));
        let expected = pressed_rows(lame, shear).map(|force| force * RADIUS * strain);
        let network = world.network();
        let mut seen = [0; 2];
        for (contact, memory) in network.contacts.iter().zip(&network.memory) {
            let is_between = contact.normal.y.abs() > 0.5;
            let force = memory.impulse.dot(contact.normal);
            let off = (force - expected[usize::from(is_between)]).abs();
            assert!(off < 3.0 * strain * expected[1], "nu = {poisson}: {force} and not {expected:?}");
            seen[usize::from(is_between)] += usize::from(force > 0.0);
        }
        let expected = [if poisson > 0.25 { rows * rows } else { 0 }, 2 * rows * rows];
        assert_eq!(seen, expected, "nu = {poisson}: contacts that press, in rows and between them");
    }
}

/// J w^2 = V C with J = m r^2/4 (disk) or m r^2/5 (sphere); an implicit step takes the part (w dt)^2 of the energy.
fn a_free_grain_vibrates<D: Dim>(volumetric: bool, frequency: f64) {
    let mut world = built::<D>(builder(0.0).grain(Grain::round(RADIUS).at(D::Vec::ZERO)), 0.3);
    let start = match volumetric {
        true => SymmetricTensor::<D>::from_entries(|i, j| if i == j { 0.01 } else { 0.0 }),
        false => SymmetricTensor::dyad(axis::<D>(0, 0.02), axis::<D>(1, 1.0)),
    };
    world.bodies.strains.as_mut().unwrap().strain[0] = start;
    let stored = world.strain_energy(0, &start);
    let (quarter, steps) = (0.5 * PI / frequency, 500);
    let dt = quarter / f64::from(steps);
    advance(&mut world, dt, steps as usize);
    let strains = world.bodies.strains.as_ref().unwrap();
    assert!(strains.strain[0].norm() < 1e-4 * start.norm(), "a quarter of a period: {:?}", strains.strain[0]);
    assert_near(strains.rate[0].norm(), frequency * start.norm(), 3e-3, "rate");
    assert_near(1.0 - world.kinetic_energy() / stored, f64::from(steps) * (frequency * dt).powi(2), 1e-2, "loss");
    assert_near(energy(&world), stored, 1e-12, "balance");
}

#[test]
fn a_free_grain_vibrates_with_the_frequencies_of_its_affine_modes() {
    let (lame, shear) = (YOUNG * 0.3 / (1.3 * 0.4), YOUNG / 2.6);
    let of_disk = |modulus: f64| (4.0 * modulus / DENSITY).sqrt() / RADIUS;
    let of_sphere = |modulus: f64| (5.0 * modulus / DENSITY).sqrt() / RADIUS;
    a_free_grain_vibrates::<D2>(true, of_disk(2.0 * shear + 2.0 * lame));
    a_free_grain_vibrates::<D2>(false, of_disk(2.0 * shear));
    a_free_grain_vibrates::<D3>(true, of_sphere(2.0 * shear + 3.0 * lame));
    a_free_grain_vibrates::<D3>(false, of_sphere(2.0 * shear));
}

/// Without Poisson's effect the strain along the normal is a mode of its own. While the contact lasts, x = r (1 + E_nn) and
/// (m r^2 + J) E'' = -V Y E: it starts with the momentum m r v and ends when the force, m r E'', does. So the grain
/// leaves with m r^2 / (m r^2 + J) of its speed: 4/5 for a disk, 5/6 for a sphere, and keeps the rest as a vibration.
fn a_grain_hits_a_wall<D: Dim>(expected: f64, inertia: f64) {
    let up = D::DIMENSION - 1;
    let floor = Wall::plane("floor", D::Vec::ZERO, axis::<D>(up, 1.0));
    let grain = Grain::round(RADIUS).at(axis::<D>(up, RADIUS)).velocity(axis::<D>(up, -0.1));
    let mut world = built::<D>(builder(0.4).wall(floor).grain(grain), 0.0);
    let lasts = PI * RADIUS * ((1.0 + inertia) * DENSITY / YOUNG).sqrt();
    let start = world.kinetic_energy();
    advance(&mut world, lasts / 2000.0, 2200);
    assert!(forces(&world, 1.0).is_empty(), "it has left");
    assert_near(world.bodies.twist[1].v.get(up), 0.1 * expected, 5e-3, "speed");
    assert_near(energy(&world), start, 1e-10, "balance");
}

#[test]
fn a_bounce_keeps_the_momentum_that_does_not_go_into_vibrations() {
    a_grain_hits_a_wall::<D2>(4.0 / 5.0, 0.25);
    a_grain_hits_a_wall::<D3>(5.0 / 6.0, 0.2);
}

/// Two spinning spheres meet off centre, with friction: momentum, angular momentum and energy are kept to rounding.
#[test]
fn an_oblique_collision_keeps_momentum_and_the_energy_balance() {
    let one = Grain::round(RADIUS).at([0.0, 0.0, 0.0]).velocity([1.0, 0.2, 0.0]).angular_velocity([0.0, 3.0, 1.0]);
    let other = Grain::round(RADIUS).at([0.9, 0.5, 0.3]).velocity([-1.0, 0.0, 0.1]);
    let mut world = built::<D3>(builder(0.5).grain(one).grain(other), 0.3);
    let momentum = |world: &World<D3>| world.bodies.twist[0].v + world.bodies.twist[1].v;
    let turning = |world: &World<D3>| world.bodies.angular_momentum(0) + world.bodies.angular_momentum(1);
    let before = (momentum(&world), turning(&world), energy(&world));
    advance(&mut world, 2e-4, 600);
    let spins = world.bodies.twist[1].w.length();
    assert!(spins > 0.1 && forces(&world, 1.0).is_empty(), "they met and parted: {spins}");
    assert!((momentum(&world) - before.0).length() < 1e-12);
    assert!((turning(&world) - before.1).length() < 1e-10 * before.1.length());
    assert_near(energy(&world), before.2, 1e-10, "balance");
    assert!(world.ledger().dissipated > 0.0);
}
