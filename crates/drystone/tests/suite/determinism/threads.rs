//! The same bits on any number of threads.

/// Hashes of the same run on one thread and on `numbers` of them must be equal.
fn assert_same_bits<Hash: PartialEq + std::fmt::Debug + Send>(numbers: &[usize], run: impl Fn() -> Hash + Sync) {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
        pool.install(&run)
    };
    let alone = on(1);
    for threads in numbers {
        assert_eq!(on(*threads), alone, "{threads} threads");
    }
}

/// A bed of spheres that slumps in a box, large enough that threads share its sweeps.
fn slumping_bed() -> drystone::d3::World {
    use drystone::input::quantity::Components;
    let mut world =
        drystone::d3::World::new(drystone::law::Laws::new(1, |_, _| drystone::law::Pair::with_friction(0.4)));
    world.gravity = [1.0, 0.5, -9.81].into();
    let (r, side) = (1e-3, 12);
    let wide = (2 * side + 1) as f64 * r;
    let walls =
        drystone::wall::Cuboid { min: Components([0.0, 0.0, 0.0].into()), max: Components([wide, wide, 1.0].into()) };
    world.push_wall("box", drystone::wall::Surface::Cuboid(walls), 0, drystone::drive::Drive::FIXED, None);
    for k in 0..side * side * 14 {
        let (layer, site) = (k / (side * side), k % (side * side));
        let shift = if layer % 2 == 1 { r } else { 0.0 };
        let x = |n: usize| r + shift + 2.0 * r * n as f64;
        let up = r + layer as f64 * r * 2f64.sqrt();
        world.bodies.push_round([x(site % side), x(site / side), up].into(), r, 2500.0, 1.0, k as u32);
    }
    world
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    use drystone::prelude::*;
    assert_same_bits(&[2, 4, 8], || {
        let mut world = slumping_bed();
        let options = CdOptions { max_sweeps: 60, ..CdOptions::with_time_step(2e-4) };
        let mut method = drystone::d3::ContactDynamics::new(options);
        for _ in 0..4 {
            let report = method.step(&mut world).expect("a possible step");
            assert!(report.contacts > 5000, "enough contacts to share: {}", report.contacts);
        }
        world.hash()
    });
}

/// A wall of loose bricks that slumps, so large that threads share its sweeps.
fn slumping_stones() -> drystone::d2::World {
    use drystone::input::quantity::Components;
    use drystone::shape::Polygon;
    let mut world =
        drystone::d2::World::new(drystone::law::Laws::new(1, |_, _| drystone::law::Pair::with_friction(0.3)));
    world.gravity = [2.0, -9.81].into();
    let walls = drystone::wall::Cuboid { min: Components([0.0, 0.0].into()), max: Components([2.0, 1.0].into()) };
    world.push_wall("box", drystone::wall::Surface::Cuboid(walls), 0, drystone::drive::Drive::FIXED, None);
    let brick = Polygon::rectangle(0.0195, 0.0175).unwrap();
    for k in 0..3000_u32 {
        let (row, place) = (k / 98, k % 98);
        let x = [0.01 + 0.02 * f64::from(place) + 0.01 * f64::from(row % 2), 0.0175 * (f64::from(row) + 0.5)];
        world.bodies.push_polygon(x.into(), &brick, 2500.0, 1.0, k);
    }
    world
}

#[test]
fn any_number_of_threads_gives_the_same_bits_for_stones() {
    use drystone::prelude::*;
    assert_same_bits(&[2, 4], || {
        let mut world = slumping_stones();
        let mut method =
            drystone::d2::ContactDynamics::new(CdOptions { max_sweeps: 60, ..CdOptions::with_time_step(2e-3) });
        for _ in 0..10 {
            method.step(&mut world).expect("a possible step");
        }
        assert!(world.network().closed().count() > 2000, "enough contacts: {}", world.network().closed().count());
        world.hash()
    });
}

/// A block of loose bricks that slumps, so large that threads share its sweeps.
fn slumping_solids() -> drystone::d3::World {
    use drystone::input::quantity::Components;
    use drystone::shape::Polyhedron;
    let mut world =
        drystone::d3::World::new(drystone::law::Laws::new(1, |_, _| drystone::law::Pair::with_friction(0.3)));
    world.gravity = [2.0, 1.0, -9.81].into();
    let walls =
        drystone::wall::Cuboid { min: Components([0.0, 0.0, 0.0].into()), max: Components([0.3, 0.2, 1.0].into()) };
    world.push_wall("box", drystone::wall::Surface::Cuboid(walls), 0, drystone::drive::Drive::FIXED, None);
    let brick = Polyhedron::cuboid([0.0195, 0.0185, 0.0175].into()).unwrap();
    for k in 0..1000_u32 {
        let (row, place) = (k / 126, k % 126);
        let (along, across) = (place % 14, place / 14);
        let x = 0.01 + 0.02 * f64::from(along) + 0.01 * f64::from(row % 2);
        let y = 0.01 + 0.02 * f64::from(across);
        world.bodies.push_polyhedron([x, y, 0.0175 * (f64::from(row) + 0.5)].into(), &brick, 2500.0, k);
    }
    world
}

#[test]
fn any_number_of_threads_gives_the_same_bits_for_polyhedra() {
    use drystone::prelude::*;
    assert_same_bits(&[2, 4], || {
        let mut world = slumping_solids();
        let mut method =
            drystone::d3::ContactDynamics::new(CdOptions { max_sweeps: 30, ..CdOptions::with_time_step(2e-3) });
        for _ in 0..4 {
            method.step(&mut world).expect("a possible step");
        }
        assert!(world.network().closed().count() > 2000, "enough contacts: {}", world.network().closed().count());
        world.hash()
    });
}

/// Dimers and capsules in a heap that slumps, so large that threads share its sweeps and forces.
fn slumping_clumps() -> drystone::d3::World {
    use drystone::input::quantity::Components;
    use drystone::shape::Clump;
    use glam::DVec3;
    let law = "{ friction = 0.3, md = { normal = { law = \"hooke\", stiffness = 1e4, restitution = 0.3 }, tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8 } } }";
    let pair = crate::validation::stage::read::<drystone::law::Pair>(law);
    let mut world = drystone::d3::World::new(drystone::law::Laws::new(1, |_, _| pair.clone()));
    world.gravity = [2.0, 1.0, -9.81].into();
    let walls =
        drystone::wall::Cuboid { min: Components([0.0, 0.0, 0.0].into()), max: Components([0.3, 0.2, 1.0].into()) };
    world.push_wall("box", drystone::wall::Surface::Cuboid(walls), 0, drystone::drive::Drive::FIXED, None);
    let dimer = Clump::new::<drystone::dim::D3>(&[(DVec3::X * -0.004, 0.0058), (DVec3::X * 0.004, 0.0058)]).unwrap();
    let capsule = Clump::capsule::<drystone::dim::D3>(0.008, 0.0058);
    for k in 0..1500_u32 {
        let (row, place) = (k / 196, k % 196);
        let (along, across) = (place % 14, place / 14);
        let x = 0.011 + 0.0202 * f64::from(along);
        let at = DVec3::new(x, 0.007 + 0.0122 * f64::from(across), 0.0058 + 0.0116 * f64::from(row));
        world.bodies.push_clump(at, if k % 2 == 0 { &dimer } else { &capsule }, 2500.0, 1.0, k);
    }
    world
}

#[test]
fn any_number_of_threads_gives_the_same_bits_for_clumps() {
    use drystone::method::md;
    use drystone::prelude::*;
    assert_same_bits(&[2, 4], || {
        let mut world = slumping_clumps();
        let mut method =
            drystone::d3::ContactDynamics::new(CdOptions { max_sweeps: 30, ..CdOptions::with_time_step(2e-3) });
        for _ in 0..4 {
            method.step(&mut world).expect("a possible step");
        }
        assert!(world.network().closed().count() > 2000, "enough contacts: {}", world.network().closed().count());
        let mut soft = slumping_clumps();
        let mut method = md::SoftParticles::new(md::MdOptions::with_time_step(2e-5), &soft);
        for _ in 0..200 {
            method.step(&mut soft).expect("a possible step");
        }
        method.publish(&mut soft);
        assert!(soft.network().closed().count() > 500, "enough contacts: {}", soft.network().closed().count());
        [world.hash(), soft.hash()]
    });
}

/// Disks in a cell that is sheared, so many that threads share them.
fn sheared_disks() -> drystone::d2::World {
    use drystone::cell::{Cell, CellShear};
    use drystone::law::{Laws, Pair};
    let mut world = drystone::d2::World::new(Laws::new(1, |_, _| Pair::with_friction(0.3)));
    let (edge, r) = (80, 0.01);
    let (side, pitch) = (2.02 * r * f64::from(edge), 2.02 * r);
    for k in 0..edge * edge {
        let at = [f64::from(k % edge) + 0.5, f64::from(k / edge) + 0.5].map(|n| n * pitch);
        let body = world.bodies.push_round(at.into(), r, 2500.0, 1.0, k as u32);
        let thrown = [(f64::from(k) * 12.9898).sin(), (f64::from(k) * 78.233).sin()].map(|s| 0.2 * s);
        world.bodies.twist[body].v = thrown.into();
    }
    let cell = Cell::new([0.0, 0.0].into(), [side, side].into(), [true, true, false]);
    world.cell = Some(Cell { shear: Some(CellShear { along: 0, across: 1 }), rate: 0.1 / side, ..cell });
    world
}

#[test]
fn any_number_of_threads_gives_the_same_bits_in_a_cell() {
    use drystone::prelude::*;
    assert_same_bits(&[2, 4, 8], || {
        let mut world = sheared_disks();
        let options = CdOptions { max_sweeps: 60, ..CdOptions::with_time_step(2e-3) };
        let mut method = drystone::d2::ContactDynamics::new(options);
        for _ in 0..5 {
            let report = method.step(&mut world).expect("a possible step");
            assert!(report.contacts > 3000, "enough contacts to share: {}", report.contacts);
        }
        let across = world.network().contacts.iter().filter(|contact| contact.image_velocity.x != 0.0);
        assert!(across.count() > 20, "contacts across the border that moves");
        world.hash()
    });
}
