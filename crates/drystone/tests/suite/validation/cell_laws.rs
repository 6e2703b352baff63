//! Cohesion, rolling and torsion friction in a cell that follows a stress.
//!
//! A lattice of grains that hold each other with F_C bears a tension of F_C over the area of a grain's share of a face,
//! and no more; beyond it the cell opens as Newton says, and has done E_C for every bond when it breaks. Grains of a
//! column that turn against each other are slowed down by the torques that the stress allows. Rigid powder has no force
//! of its own but F_C: its course depends on F_C over the pressure alone.

use drystone::body::Inertia;
use drystone::cell::{Cell, CellShear, StressControl};
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::law::Laws;
use drystone::method::cd::Scheme;
use drystone::method::md::{self, SoftParticles};
use drystone::method::{Kind, Method};
use drystone::world::World;
use glam::{DVec2, DVec3};

use super::expect::expect;
use super::soft::pair;
use super::stage::{Random, Stage, along, upward};

const F_C: f64 = 2.0;
const D_C: f64 = 0.125;
const DT: f64 = 1e-3;
const SCHEMES: [Scheme; 2] = [Scheme::Euler, Scheme::Midpoint];

/// Gives a world a cell from the origin on that follows this stress along all axes of `follows`.
fn press<D: Dim>(world: &mut World<D>, lengths: D::Vec, stress: D::Vec, follows: [bool; 3], mass: f64) {
    let cell = Cell::new(D::Vec::ZERO, lengths, [true, true, D::DIMENSION == 3]);
    world.cell = Some(Cell { press: Some(StressControl { mass, stress, shear: None, follows, depth: 1.0 }), ..cell });
}

fn cell<D: Dim>(stage: &Stage<D>) -> &Cell<D> {
    stage.world.cell.as_ref().expect("a cell")
}

/// Energy of grains and cell, with what was lost and without what was put in [J].
fn books<D: Dim>(world: &World<D>) -> f64 {
    let of_cell = world.cell.as_ref().map_or(0.0, |cell| cell.kinetic_energy());
    let kinetic: f64 = world.grains().map(|k| world.home_kinetic_energy(k)).sum();
    kinetic + of_cell + world.ledger().dissipated - world.ledger().wall_work - world.border_work()
}

/// Grains of diameter 1 and mass 1 on a square or cubic lattice of `edge` grains, which bind each other, under a
/// tension along some axes that is this part of F_C over the area 1 of a grain.
fn pulled<D: Dim>(edge: usize, part: f64, follows: [bool; 3], scheme: Scheme) -> Stage<D> {
    let law =
        format!("{{ friction = 0.5, rolling = {{ ratio = 0.1 }}, cohesion = {{ force = {F_C}, range = {D_C} }} }}");
    let mut stage = Stage::<D>::with_law(&law, scheme, DT, 1e-13);
    for k in 0..edge.pow(D::DIMENSION as u32) {
        let place = [k % edge, k / edge % edge, k / (edge * edge)];
        stage.grain(D::Vec::from_fn(|axis| place[axis] as f64 + 0.5), 0.5, 1.0);
    }
    let (lengths, stress) = (D::Vec::from_fn(|_| edge as f64), D::Vec::from_fn(|_| -part * F_C));
    press(&mut stage.world, lengths, stress, follows, 3.0);
    stage
}

fn lattice_ruptures<D: Dim>(edge: usize) {
    let case = "cohesive lattice under tension";
    let face = (edge as f64).powi(D::DIMENSION as i32 - 1);
    for scheme in SCHEMES {
        let of = |what: &str| format!("{}D, {}: {what}", D::DIMENSION, scheme.name());
        let mut stage = pulled::<D>(edge, 0.999, [true; 3], scheme);
        stage.run(200);
        let grown = (cell(&stage).lengths.get(0) - edge as f64) / edge as f64;
        expect(case, Kind::Cd, of("growth at 0.999 F_C"), grown, 0.0).within(1e-13, "it holds: rounding");
        let pull: f64 = stage.contacts().map(|(contact, memory)| memory.impulse.dot(contact.normal)).sum();
        let bonds = stage.contacts().count() as f64;
        assert_eq!(
            bonds,
            D::DIMENSION as f64 * face * edge as f64,
            "every grain touches its neighbours, across borders too"
        );
        expect(case, Kind::Cd, of("mean pull at 0.999 F_C"), -pull / bonds / DT, 0.999 * F_C)
            .within(1e-11, "all rows bear the same: rounding");

        // 3 kg against (1.25 - 1) F_C on every grain of a face; the bonds across the border give way
        for axis in 0..D::DIMENSION {
            let of = |what: &str| of(&format!("along {}: {what}", D::AXES[axis]));
            let mut stage = pulled::<D>(edge, 1.25, std::array::from_fn(|k| k == axis), scheme);
            let (start, steps) = (books(&stage.world), 50);
            stage.run(steps);
            let speed = 0.25 * F_C * face * (steps as f64 * DT) / 3.0;
            expect(case, Kind::Cd, of("speed at 1.25 F_C"), cell(&stage).stretching.get(axis), speed)
                .within(1e-10, "constant forces");
            // all bonds that opened break together, after d_C
            let bound = |stage: &Stage<D>| stage.contacts().filter(|(_, memory)| memory.bond.is_some()).count();
            let all = bound(&stage);
            let steps = (0..10_000)
                .take_while(|_| {
                    stage.step();
                    bound(&stage) == all
                })
                .count();
            assert!(steps < 10_000 && bound(&stage) == all - face as usize, "it breaks across the border");
            let (energy, expected) = (cell(&stage).kinetic_energy(), 0.25 * F_C * face * D_C);
            expect(case, Kind::Cd, of("energy of the length at rupture"), energy, expected).within(
                1.25 * F_C * face * cell(&stage).stretching.get(axis) * DT / expected,
                "what is done in a step",
            );
            let work = stage.world.ledger().wall_work;
            expect(case, Kind::Cd, of("energy not accounted for"), (books(&stage.world) - start) / work, 0.0)
                .within(1e-11, "rounding: the lengths are part of the solve");
            expect(case, Kind::Cd, of("energy lost"), stage.world.ledger().dissipated, face * F_C * D_C)
                .within(1e-9, "E_C for every bond across the border");
        }
    }
}

#[test]
fn a_cohesive_lattice_bears_the_pull_of_its_bonds_and_no_more() {
    lattice_ruptures::<D2>(4);
    lattice_ruptures::<D3>(3);
}

/// Soft grains that attract each other with F_C: the lattice comes to rest under half of it, and breaks under more.
#[test]
fn a_soft_cohesive_lattice_bears_the_pull_of_its_bonds_and_no_more() {
    let law = format!(
        "friction = 0.5, restitution = 0.3, cohesion = {{ force = {F_C}, range = {D_C} }}, md = {{ normal = {{ law = \"hooke\", \
         stiffness = 1e4 }}, tangential = {{ law = \"cundall_strack\", stiffness_ratio = 0.5 }} }}"
    );
    let run = |part: f64| {
        let mut world = pulled::<D2>(4, part, [true; 3], Scheme::Euler).world;
        // grains that touch and do not overlap are not bound yet
        world.cell.as_mut().expect("a cell").lengths = DVec2::splat(4.0 - 1e-6);
        world.grains().for_each(|k| world.bodies.pose[k].x *= 1.0 - 0.25e-6);
        let law = pair(&law);
        world.setup.laws = Laws::new(1, |_, _| law.clone());
        let mut method = SoftParticles::new(md::MdOptions::with_time_step(2e-4), &world);
        (0..20_000).for_each(|_| _ = method.step(&mut world).unwrap_or_else(|error| panic!("{error}")));
        method.publish(&mut world);
        world
    };
    let world = run(0.5);
    let contacts = world.network().contacts.iter().zip(&world.network().memory);
    let pulls: Vec<f64> = contacts.map(|(contact, memory)| -memory.impulse.dot(contact.normal) / 2e-4).collect();
    let case = "cohesive lattice under tension";
    assert_eq!(pulls.len(), 32);
    let mean = pulls.iter().sum::<f64>() / 32.0;
    expect(case, Kind::Md, "mean pull at 0.5 F_C", mean, 0.5 * F_C)
        .within(2e-3, "what still moves, and lengths that give");
    let length = run(1.25).cell.as_ref().expect("a cell").lengths.x;
    assert!(length > 4.0 + 4.0 * D_C, "it breaks: {length}");
}

/// A column of four grains across the border, aligned with the lattice, which leans by `tilt` along the first axis;
/// neighbours turn against each other, about `axis`. Only the length along the column follows.
fn gears<D: Dim>(law: &str, axis: D::Spin, tilt: f64, scheme: Scheme) -> (Stage<D>, f64) {
    let mut stage = Stage::<D>::with_law(&format!("{{ friction = 0.5, {law} }}"), scheme, DT, 1e-13);
    let up = D::DIMENSION - 1;
    let height = (16.0 - tilt * tilt).sqrt();
    for k in 0..4 {
        let at = k as f64 + 0.5;
        let x = D::Vec::from_fn(|axis| if axis == up { at * height / 4.0 } else { 1.5 });
        let grain = stage.grain(x + along::<D>(0) * (at * tilt / 4.0), 0.5, 1.0);
        stage.twist(grain).w = axis * if k % 2 == 0 { 3.0 } else { -3.0 };
    }
    let lengths = D::Vec::from_fn(|axis| if axis == up { height } else { 5.0 });
    let mut follows = [false; 3];
    follows[up] = true;
    press(&mut stage.world, lengths, upward::<D>() * 2.0, follows, 0.75);
    let cell = stage.world.cell.as_mut().expect("a cell");
    (cell.shear, cell.tilt) = (Some(CellShear { along: 0, across: up }), tilt);
    // sigma A = F cos, as the force is along the column
    let force = 2.0 * 5.0_f64.powi(D::DIMENSION as i32 - 1) * 4.0 / height;
    (stage, force)
}

/// I dw/dt = - 2 lever F: two contacts a grain, and the same for the one across the border.
fn gears_slow_down<D: Dim>(name: &str, law: &str, axis: impl Fn(f64) -> D::Spin, tilts: &[f64], cohesion: f64) {
    let case = "grains that turn against each other in a pressed cell";
    for (tilt, scheme) in tilts.iter().flat_map(|tilt| SCHEMES.map(|scheme| (*tilt, scheme))) {
        let (mut stage, force) = gears::<D>(law, axis(tilt), tilt, scheme);
        let of = |what: &str| format!("{}D, {name}, tilt {tilt}, {}: {what}", D::DIMENSION, scheme.name());
        let start = books(&stage.world);
        let time = 3.0 * stage.moment(0) / (2.0 * 0.02 * (force + cohesion));
        let steps = (0.5 * time / DT) as usize;
        stage.run(steps);
        let expected = 3.0 * (1.0 - steps as f64 * DT / time);
        for k in 0..4 {
            expect(case, Kind::Cd, of(&format!("spin of grain {k}")), stage.twist(k).w.norm(), expected)
                .within(1e-9, "constant torques: what the solve leaves of 1e-13 in each step");
        }
        expect(case, Kind::Cd, of("energy not accounted for"), (books(&stage.world) - start) / start, 0.0)
            .within(1e-11, "rounding");
        stage.run(steps + 20);
        expect(case, Kind::Cd, of("spin after the stop"), stage.twist(0).w.norm() / 3.0, 0.0).within(1e-12, "it holds");
    }
}

#[test]
fn rolling_and_torsion_friction_act_across_the_border_of_a_pressed_cell() {
    let bound = "cohesion = { force = 7, range = 0.1 }";
    let across = |_: f64| 1.0;
    gears_slow_down::<D2>("rolling", "rolling = { length = 0.02 }", across, &[0.0, 0.5, -2.0], 0.0);
    let law = format!("rolling = {{ length = 0.02 }}, {bound}");
    gears_slow_down::<D2>("rolling and cohesion", &law, across, &[0.0, 0.5, -2.0], 7.0);
    let across = |_: f64| DVec3::Y;
    gears_slow_down::<D3>("rolling", "rolling = { length = 0.02 }", across, &[0.0, 0.5, -2.0], 0.0);
    let about = |tilt: f64| DVec3::new(tilt, 0.0, (16.0 - tilt * tilt).sqrt()) / 4.0;
    gears_slow_down::<D3>("torsion", "torsion = { length = 0.02 }", about, &[0.0, 0.5, -2.0], 0.0);
    let law = format!("torsion = {{ length = 0.02 }}, {bound}");
    gears_slow_down::<D3>("torsion and cohesion", &law, about, &[0.0, 0.5, -2.0], 7.0);
}

/// Disks of diameter 1 and mass 1 that fill 0.4 of a cell, which is pressed.
fn powder(count: usize, pressure: f64, pull: f64, dt: f64) -> Stage<D2> {
    let law =
        format!("{{ friction = 0.3, rolling = {{ ratio = 0.1 }}, cohesion = {{ force = {pull}, range = 0.015625 }} }}");
    let mut stage = Stage::<D2>::with_law(&law, Scheme::Euler, dt, 1e-6);
    let (random, side) = (&mut Random::new(17), (count as f64 * D2::ball_volume(0.5, 1.0) / 0.4).sqrt());
    let lattice = Cell::<D2>::new(DVec2::ZERO, DVec2::splat(side), [true, true, false]);
    while stage.world.bodies.len() < count {
        let x = DVec2::new(random.between(0.0, side), random.between(0.0, side));
        let clear = |k: usize| {
            let apart = stage.x(k) - x;
            (apart + lattice.shift(lattice.nearest(apart))).length() > 1.0
        };
        if stage.world.grains().all(clear) {
            stage.grain(x, 0.5, 1.0);
        }
    }
    press(&mut stage.world, DVec2::splat(side), DVec2::splat(pressure), [true; 3], 40.0);
    stage
}

fn places(stage: &Stage<D2>) -> Vec<[u64; 2]> {
    stage.world.grains().map(|k| stage.x(k).to_array().map(f64::to_bits)).collect()
}

/// Forces four times as large, at half the time step: the same powder twice as fast, bit for bit. With cohesion it
/// keeps pores that loose grains do not.
#[test]
fn pressed_powder_goes_by_cohesion_over_pressure_alone() {
    let steps = 2500;
    let run = |pressure: f64, pull: f64, dt: f64| {
        let mut stage = powder(100, pressure, pull, dt);
        let start = books(&stage.world);
        for _ in 0..steps {
            stage.step_or_warn();
        }
        let porosity = 1.0 - 100.0 * D2::ball_volume(0.5, 1.0) / cell(&stage).volume();
        let missing = (books(&stage.world) - start) / stage.world.ledger().wall_work;
        (places(&stage), porosity, missing)
    };
    let (one, pores, missing) = run(1.0, 64.0, 1.0 / 64.0);
    let (four, ..) = run(4.0, 256.0, 1.0 / 128.0);
    assert!(one == four, "the same places, bit for bit");
    let case = "cohesive powder in a pressed cell";
    expect(case, Kind::Cd, "energy not accounted for", missing, 0.0).within(1e-11, "rounding");
    let (_, dense, _) = run(1.0, 0.015625, 1.0 / 64.0);
    println!("porosity {pores} with F_C = 64 p d, {dense} with 1/64 of p d");
    assert!(pores > dense + 0.05, "cohesion keeps pores open: {pores} and {dense}");
}

/// Disks, and spheres with the moments of disks in a cell one deep, step by step from the same state.
#[test]
fn a_pressed_cell_in_space_held_in_a_plane_is_that_of_the_plane() {
    let mut flat = powder(60, 1.0, 1.0, 1.0 / 64.0);
    let mut space = Stage::<D3>::with_law("{ friction = 0.3 }", Scheme::Euler, 1.0 / 64.0, 1e-6);
    space.world.setup.laws = flat.world.setup.laws.clone();
    for k in flat.world.grains() {
        let body = space.grain(flat.x(k).extend(0.0), 0.5, 1.0);
        let disk = flat.world.bodies.inertia[k];
        space.world.bodies.inertia[body] = Inertia { inv_m: disk.inv_m, inv_i: DVec3::splat(disk.inv_i) };
    }
    let lengths = cell(&flat).lengths.extend(1.0);
    press(&mut space.world, lengths, DVec3::new(1.0, 1.0, 0.0), [true, true, false], 40.0);
    space.world.cell.as_mut().expect("a cell").is_periodic[2] = false;
    let (mut apart, mut cells, mut missed, mut bound) = (0.0_f64, 0.0_f64, 0, 0);
    for _ in 0..600 {
        for k in flat.world.grains() {
            space.world.bodies.pose[k].x = flat.x(k).extend(0.0);
            let twist = *flat.twist(k);
            (space.twist(k).v, space.twist(k).w) = (twist.v.extend(0.0), DVec3::Z * twist.w);
        }
        let to = space.world.cell.as_mut().expect("a cell");
        (to.lengths, to.stretching) = (cell(&flat).lengths.extend(1.0), cell(&flat).stretching.extend(0.0));
        let (known, twins) = (&flat.world.network(), space.world.network_mut());
        assert!(known.contacts.iter().map(|contact| contact.key).eq(twins.contacts.iter().map(|contact| contact.key)));
        for (one, other) in known.memory.iter().zip(&mut twins.memory) {
            (other.impulse, other.torque, other.bond) = (one.impulse.extend(0.0), DVec3::Z * one.torque, one.bond);
        }
        let reports = [flat.step_or_warn(), space.step_or_warn()];
        if reports.iter().any(|report| !report.converged) {
            missed += 1;
            continue;
        }
        bound = bound.max(flat.contacts().filter(|(_, memory)| memory.bond.is_some()).count());
        for k in flat.world.grains() {
            apart = apart.max((flat.twist(k).v - space.twist(k).v.truncate()).length());
        }
        cells = cells.max((cell(&flat).stretching - cell(&space).stretching.truncate()).length());
    }
    assert!(bound > 60, "grains are bound: {bound}");
    assert!(missed <= 30, "{missed} steps missed their accuracy");
    let case = "pressed cell in space held in a plane";
    let why = "both are solved to 1e-6 of forces p d, which change a velocity by p d dt / m in a step";
    expect(case, Kind::Cd, "largest difference of velocities over p d dt / m", apart * 64.0, 0.0).within(1e-3, why);
    expect(case, Kind::Cd, "of the speeds of the lengths", cells * 64.0, 0.0).within(1e-3, why);
}
