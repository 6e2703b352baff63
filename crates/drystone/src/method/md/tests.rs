//! Tests of the method as a whole: order of integrators, energy balance, threads, scaling, resuming.

use glam::{DVec2, DVec3};

use super::*;
use crate::dim::{D2, D3};
use crate::drive::Drive;
use crate::input::quantity::{Components, Quantity, UnitVector};
use crate::law::{Laws, Pair};
use crate::method::md::integrator::Integrators;
use crate::wall::{Plane, Surface};

/// Reads the parameters of a pair of materials as a [[contact]] of a scenario gives them.
fn pair(text: &str) -> Pair {
    use crate::input::{Node, Reader, Text, Value};
    let text = std::sync::Arc::new(Text { name: "test".into(), text: format!("pair = {{ {text} }}") });
    let (tree, reader) = (Node::parse(&text).0, Reader::default());
    let pair = Pair::read(tree.get("pair").unwrap(), &reader);
    pair.unwrap_or_else(|| panic!("{}", reader.finish()))
}

fn floor<D: Dim>(world: &mut World<D>) {
    let up = D::Vec::from_fn(|axis| if axis + 1 == D::DIMENSION { 1.0 } else { 0.0 });
    let plane = Plane { point: Components(D::Vec::ZERO), normal: UnitVector(up), rough: None };
    world.push_wall("floor", Surface::Plane(plane), 0, Drive::FIXED, None);
}

/// A disk of mass 1 that swings on an elastic floor without leaving it: x'' = -k x - g.
fn swinging(dt: f64, integrator: Integrators) -> f64 {
    let law = pair("friction = 0, md = { normal = { law = \"hooke\", stiffness = 100, damping = 0 } }");
    let mut world = World::<D2>::new(Laws::new(1, |_, _| law.clone()));
    world.gravity = DVec2::new(0.0, -10.0);
    floor(&mut world);
    // rests at 0.9; starts in the middle of a swing of 0.05
    let phase = 0.7_f64;
    let start = 0.9 + 0.05 * libm::cos(phase);
    let grain = world.bodies.push_round(DVec2::new(0.0, start), 1.0, 1.0 / std::f64::consts::PI, 1.0, 0);
    world.bodies.twist[grain].v.y = -0.5 * libm::sin(phase);
    let options = MdOptions { integrator, ..MdOptions::with_time_step(dt) };
    let mut method = SoftParticles::new(options, &world);
    let steps = (1.6 / dt).round() as u64;
    for _ in 0..steps {
        method.step(&mut world).unwrap();
    }
    let exact = 0.9 + 0.05 * libm::cos(10.0 * steps as f64 * dt + phase);
    (world.bodies.pose[grain].x.y - exact).abs()
}

#[test]
fn integrators_have_their_orders() {
    for (integrator, order) in Integrators::ALL.iter().zip([2.0, 2.0, 5.0, 4.0]) {
        let errors = [0.02, 0.01, 0.005].map(|dt| swinging(dt, *integrator));
        let found = libm::log2(errors[1] / errors[2]);
        assert!(found > order - 0.1, "{integrator:?}: {errors:?} {found}");
    }
}

/// Spheres in crooked columns that fall over on a floor.
fn pile(count: usize, text: &str) -> World<D3> {
    let law = pair(text);
    let mut world = World::<D3>::new(Laws::new(1, |_, _| law.clone()));
    world.gravity = DVec3::new(0.0, 0.0, -9.81);
    floor(&mut world);
    for id in 0..count {
        let [x, y, z] = [id % 6, id / 6 % 6, id / 36].map(|k| k as f64);
        let sway = 1e-3 * libm::sin(7.0 * id as f64);
        let at = DVec3::new(0.0125 * x + sway, 0.0125 * y - sway, 0.0051 + 0.0101 * z);
        let radius = 0.0045 + 0.0005 * libm::sin(id as f64).abs();
        world.bodies.push_round(at, radius, 2500.0, 1.0, id as u32);
    }
    world
}

const HERTZ: &str = "friction = 0.5, md = { normal = { law = \"hertz_tsuji\", young = 1e7, poisson = 0.3, \
                     restitution = 0.5 }, tangential = { law = \"mindlin\" } }";
const HOOKE: &str = "friction = { static = 0.5, dynamic = 0.3 }, rolling = { length = 1e-4 }, torsion = { length = 1e-4 }, \
                     md = { normal = { law = \"hooke\", stiffness = 1e4, restitution = 0.5 }, \
                     tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8 }, turning = \"rotation\" }";

fn energy(world: &World<D3>) -> f64 {
    let bodies = &world.bodies;
    let potential = |k: usize| -bodies.inertia[k].mass() * world.gravity.dot(bodies.pose[k].x);
    world.movable().map(|k| bodies.kinetic_energy(k) + potential(k)).sum()
}

#[test]
fn the_books_close() {
    let cases = Integrators::ALL.iter().flat_map(|integrator| [(*integrator, HERTZ), (*integrator, HOOKE)]);
    for (integrator, text) in cases {
        let mut world = pile(200, text);
        // backward steps are less accurate where friction slides: twice as many steps
        let finer = if integrator == Integrators::SuzukiTrotter { 2.0 } else { 1.0 };
        let options = MdOptions { integrator, fraction: Quantity(0.02 / finer), ..MdOptions::default() };
        let mut method = SoftParticles::new(options, &world);
        let start = energy(&world);
        for _ in 0..3000 * finer as u32 {
            method.step(&mut world).unwrap();
        }
        method.publish(&mut world);
        let ledger = &world.ledger;
        let lost = start - energy(&world);
        let books = ledger.elastic + ledger.dissipated - ledger.wall_work;
        assert!(lost > 1e-3 * start && ledger.dissipated > 0.0 && ledger.elastic > 0.0, "{integrator:?} {ledger:?}");
        assert!((books - lost).abs() < 1e-3 * lost, "{integrator:?} {books} {lost}: {ledger:?}");
    }
}

#[test]
fn contacts_in_lanes_push_like_contacts_one_at_a_time() {
    let plain = "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e4, restitution = 0.5 }, \
                 tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8, damping = 0.1 } }";
    for text in [HERTZ, plain] {
        let mut world = pile(700, text);
        for (k, pose) in world.state.bodies.pose.iter_mut().enumerate().skip(1) {
            pose.x *= DVec3::new(0.75, 0.75, 0.92); // pressed together
            world.state.bodies.twist[k].w = DVec3::new(libm::sin(k as f64), 1.0, libm::cos(k as f64)) * 10.0;
        }
        let mut method = SoftParticles::new(MdOptions::default(), &world);
        (0..20).for_each(|_| assert!(method.step(&mut world).is_ok()));
        let field = &mut method.field;
        field.follow(&world);
        field.evaluate(&mut world, force_schedule::ForceSchedule::first(method.dt), method.dt, 0.0).unwrap();
        let mut wrench = vec![Twist::<D3>::default(); world.bodies.len()];
        for contact in field.report_contacts(&world) {
            let ContactReport { key, normal, force, .. } = contact;
            let arms = contact.arms();
            let [a, b] = [key.a as usize, key.b as usize];
            wrench[a].v -= force;
            wrench[b].v += force;
            wrench[a].w -= normal.cross(force) * arms[0];
            wrench[b].w -= normal.cross(force) * arms[1];
        }
        for k in world.grains() {
            let (inertia, Twist { v, w }) = (&world.bodies.inertia[k], wrench[k]);
            let (linear, angular) = (v * inertia.inv_m + world.gravity, w * inertia.round_inv_i());
            assert!((field.accel[k].v - linear).length() < 1e-9 * (1.0 + linear.length()), "{k}");
            assert!((field.accel[k].w - angular).length() < 1e-9 * (1.0 + angular.length()), "{k}");
        }
        assert!(field.touching > 500, "{}", field.touching);
    }
}

/// Laws with a plain form: with every dashpot, and without one; with restitution, whose dashpot acts at once when a
/// contact begins.
const PLAIN: [&str; 6] = [
    HERTZ,
    "friction = 0.3, md = { normal = { law = \"hertz_viscoelastic\", young = 1e7, poisson = 0.3, dissipation = 1e-5 }, \
     tangential = { law = \"mindlin\", damping_ratio = 0.5, reset = \"with_dashpot\" } }",
    "friction = 0.5, md = { normal = { law = \"hooke\", stiffness = 1e4, damping = 0.3 }, \
     tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8, damping = 0.1 } }",
    "friction = 0.2, md = { normal = { law = \"hooke\", stiffness = 1e4, damping = 0.2, cut = false }, \
     tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8, damping = 0.05, reset = \"with_dashpot\" } }",
    "friction = 0.3, md = { normal = { law = \"hooke\", stiffness = 1e4, restitution = 0.6 }, \
     tangential = { law = \"cundall_strack\", stiffness_ratio = 0.8 } }",
    "friction = 0.3, md = { normal = { law = \"hertz_viscoelastic\", young = 1e7, poisson = 0.3, dissipation = 1e-5 }, \
     tangential = { law = \"mindlin\", damping_ratio = 0 } }",
];

/// Grains at random places above a floor, many of them pressed together, moving and spinning at random.
fn random_heap<D: Dim>(text: &str) -> World<D> {
    use crate::law::rigid::random::Random;
    let law = pair(text);
    let mut world = World::<D>::new(Laws::new(1, |_, _| law.clone()));
    world.gravity = D::Vec::from_fn(|axis| if axis + 1 == D::DIMENSION { -9.81 } else { 0.0 });
    floor(&mut world);
    let (mut random, row) = (Random::new(41), 7);
    for id in 0..210 {
        let place = [id % row, if D::DIMENSION == 2 { id / row } else { id / row % row }, id / (row * row)];
        let at = D::Vec::from_fn(|axis| 0.0094 * place[axis] as f64 + random.uniform(0.0, 6e-4) + 0.0046);
        let grain = world.bodies.push_round(at, 0.0045 + random.uniform(0.0, 5e-4), 2500.0, 1.0, id as u32);
        world.state.bodies.twist[grain] = Twist {
            v: D::Vec::from_fn(|_| random.uniform(-0.3, 0.3)),
            w: D::Spin::from_fn(|_| random.uniform(-40.0, 40.0)),
        };
    }
    world
}

fn lanes_equal_one_by_one<D: Dim>(text: &str) {
    let (mut together, mut alone) = (random_heap::<D>(text), random_heap::<D>(text));
    let mut methods = [&together, &alone].map(|world| SoftParticles::new(MdOptions::default(), world));
    let [lanes, general] = &mut methods;
    general.field.leave_lanes();
    let (mut touching, mut regimes) = (0, [0; 3]);
    for step in 0..300 {
        lanes.step(&mut together).unwrap();
        general.step(&mut alone).unwrap();
        assert_eq!(lanes.field.touching, general.field.touching, "{text}, step {step}");
        touching += lanes.field.touching;
        let numbers = |twist: &Twist<D>| {
            let v = (0..D::DIMENSION).map(|axis| twist.v.get(axis));
            v.chain((0..D::Spin::LEN).map(|axis| twist.w.get(axis))).map(f64::to_bits).collect::<Vec<u64>>()
        };
        for (k, (one, other)) in together.bodies.twist.iter().zip(&alone.bodies.twist).enumerate() {
            assert_eq!(numbers(one), numbers(other), "{text}, step {step}: body {k}, {one:?} and {other:?}");
        }
        if step % 20 == 10 {
            lanes.publish(&mut together);
            together.network.memory.iter().for_each(|memory| regimes[memory.regime as usize] += 1);
        }
    }
    assert!(touching > 300 * 50, "{touching}");
    assert!(regimes[Regime::Stick as usize] > 20 && regimes[Regime::Slide as usize] > 20, "{text}: {regimes:?}");
}

/// Fails if a formula changes in `force_x4.rs` or `law/soft/plain.rs` and not in `force_general.rs` and the laws, or
/// the other way round.
#[test]
fn four_pairs_at_once_push_to_the_bit_as_one_at_a_time() {
    for text in PLAIN {
        lanes_equal_one_by_one::<D2>(text);
        lanes_equal_one_by_one::<D3>(text);
    }
}

#[test]
fn an_unusual_pair_of_materials_takes_only_its_own_contacts_off_the_lanes() {
    let latching = HERTZ.replace("\"hertz_tsuji\", young = 1e7, poisson = 0.3", "\"walton_braun\", stiffness = 1e4");
    let latching = latching.replace("\"mindlin\"", "\"mindlin\", poisson = 0.3");
    let [usual, unusual] = [pair(HERTZ), pair(&latching)];
    for has_unusual in [false, true] {
        let mut world = pile(700, HERTZ);
        let is_unusual = |a: usize, b: usize| has_unusual && a + b == 2; // both are of the second material
        world.setup.laws = Laws::new(2, |a, b| if is_unusual(a, b) { unusual.clone() } else { usual.clone() });
        for (k, pose) in world.state.bodies.pose.iter_mut().enumerate().skip(1) {
            pose.x *= DVec3::new(0.75, 0.75, 0.92); // pressed together
            world.state.bodies.material[k] = u16::from(k % 3 == 0);
        }
        let mut method = SoftParticles::new(MdOptions::default(), &world);
        (0..20).for_each(|_| assert!(method.step(&mut world).is_ok()));
        let field = &mut method.field;
        field.follow(&world);
        field.evaluate(&mut world, force_schedule::ForceSchedule::first(method.dt), method.dt, 0.0).unwrap();
        let in_fours: usize = field.list.blocks.iter().map(|block| block.totals.in_fours).sum();
        let material = |body: u32| usize::from(world.bodies.material[body as usize]);
        let reports = field.report_contacts(&world);
        let others = reports.iter().filter(|report| is_unusual(material(report.key.a), material(report.key.b))).count();
        assert_eq!(in_fours + others, field.touching);
        assert!(in_fours > 500 && (others > 50) == has_unusual, "{in_fours} and {others}");
    }
}

#[test]
#[should_panic(expected = "grains got faster between two steps")]
fn grains_that_others_throw_out_of_the_list_do_not_pass_in_silence() {
    let mut world = pile(100, HERTZ);
    let mut method = SoftParticles::new(MdOptions::default(), &world);
    method.step(&mut world).unwrap();
    world.bodies.twist[50].v.x = 0.002 / method.dt; // four skins in a step
    let _ = method.step(&mut world);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for text in [HERTZ, HOOKE] {
        let hashes = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut world = pile(2000, text);
                let mut method = SoftParticles::new(MdOptions::default(), &world);
                for _ in 0..60 {
                    method.step(&mut world).unwrap();
                }
                method.publish(&mut world);
                world.hash()
            })
        });
        assert_eq!(hashes, [hashes[0]; 3]);
    }
}

#[test]
fn a_run_taken_up_again_gives_the_same_bits() {
    for integrator in Integrators::ALL {
        for text in [HERTZ, HOOKE] {
            let mut world = pile(150, text);
            let (dt, _) = time_step(&world, &MdOptions::default());
            let options = MdOptions { integrator: *integrator, ..MdOptions::with_time_step(dt) };
            let mut method = SoftParticles::new(options.clone(), &world);
            (0..700).for_each(|_| assert!(method.step(&mut world).is_ok()));
            method.publish(&mut world);
            let mut again = world.clone();
            let mut other = SoftParticles::new(options, &again);
            for _ in 0..300 {
                method.step(&mut world).unwrap();
                other.step(&mut again).unwrap();
            }
            method.publish(&mut world);
            other.publish(&mut again);
            assert_eq!(world.hash(), again.hash(), "{integrator:?}");
            assert_eq!(world.ledger, again.ledger);
        }
    }
}

#[test]
fn scaling_forces_by_four_halves_the_time_to_the_last_bit() {
    // Bagnold: g -> 4 g, k -> 4 k, gamma -> 2 gamma, dt -> dt / 2. [Wolf section 1.3]
    let run = |scale: f64, dt: f64| {
        let text = format!(
            "friction = 0.5, md = {{ normal = {{ law = \"hooke\", stiffness = {}, damping = {} }}, \
             tangential = {{ law = \"cundall_strack\", stiffness_ratio = 0.5 }} }}",
            1e4 * scale,
            0.5 * scale.sqrt()
        );
        let mut world = pile(100, &text);
        world.gravity *= scale;
        let mut method = SoftParticles::new(MdOptions::with_time_step(dt), &world);
        (0..2000).for_each(|_| assert!(method.step(&mut world).is_ok()));
        world.bodies.pose.iter().map(|pose| pose.x).collect::<Vec<_>>()
    };
    assert_eq!(run(1.0, 2e-5), run(4.0, 1e-5));
}

#[test]
fn a_step_that_is_too_long_names_the_grain_and_the_cause() {
    let mut world = pile(100, HERTZ);
    let mut method = SoftParticles::new(MdOptions::with_time_step(3e-3), &world);
    let error = (0..10_000).find_map(|_| method.step(&mut world).err()).expect("it cannot go well");
    assert_eq!(error.code(), "E207", "{error}");
    assert!(error.to_string().contains("too long"), "{error}");
}
