//! Forces, torques and blows on single grains, against what Newton's and Coulomb's laws make of them.

use std::path::Path;

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::scenario::Scenario;
use drystone::sim::Simulation;

use super::expect::expect;

/// Runs a scenario without gravity, of steel with friction 0.5, unless it says otherwise.
fn run<D: Dim>(method: &str, end: f64, text: &str) -> Simulation<D> {
    let zeros = vec!["0"; D::DIMENSION].join(", ");
    let gravity = if text.contains("gravity") { String::new() } else { format!("gravity = [{zeros}]\n") };
    let text = format!(
        "dimension = {}\nstop = {{ at = {end} }}\nmethod = {method}\n{gravity}{text}
        [[material]]
        name = \"steel\"
        density = 1000
        [[contact]]
        between = \"any\"
        friction = 0.5
        md.normal = {{ law = \"hooke\", stiffness = 1e6, restitution = 0.5 }}
        md.tangential = {{ law = \"cundall_strack\", stiffness_ratio = 0.5 }}",
        D::DIMENSION
    );
    let scenario = Scenario::<D>::parse(&text).unwrap_or_else(|mistakes| panic!("{mistakes}\n{text}"));
    let again = Scenario::<D>::parse(&scenario.to_toml()).unwrap(); // as a run that is taken up again reads it
    let mut run = Simulation::new(&again, Path::new(".")).unwrap();
    run.run().unwrap();
    run
}

/// A disk of 0.1 m at a place.
fn disk(name: &str, x: f64, more: &str) -> String {
    format!(
        "[[grains]]\nname = \"{name}\"\nmaterial = \"steel\"\nshape = {{ kind = \"disk\", radius = 0.1 }}\n\
         place = {{ how = \"at\", points = [[{x}, 0.1]] }}\n{more}\n"
    )
}

const FLOOR: &str =
    "[[wall]]\nname = \"floor\"\nkind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\nmaterial = \"steel\"\n";

/// Mass of the disk: density times area [kg].
fn mass() -> f64 {
    1000.0 * std::f64::consts::PI * 0.01
}

/// Kinetic energy gained beyond the work of loads and what contacts took, over the work.
fn open_ledger<D: Dim>(run: &mut Simulation<D>) -> f64 {
    let world = run.world();
    let (ledger, kinetic) = (*world.ledger(), world.kinetic_energy());
    (kinetic + ledger.elastic + ledger.dissipated - ledger.wall_work).abs() / ledger.wall_work.abs()
}

/// F = A sin(2 pi f t + p) from rest: v = A (cos p - cos(2 pi f t + p)) / (2 pi f m).
#[test]
fn a_free_grain_follows_a_sine_in_the_order_of_its_method() {
    let error = |method: &str, dt: f64| {
        let text = disk("bob", 0.0, "")
            + "[[load]]\ngrain = \"bob\"\nforce = { sine = { amplitude = [40, 20], frequency = 2, phase = 0.3 } }";
        let mut run = run::<D2>(&method.replace("DT", &dt.to_string()), 0.3, &text);
        let rate = 4.0 * std::f64::consts::PI;
        let speed = 40.0 * (0.3_f64.cos() - (rate * 0.3 + 0.3_f64).cos()) / (rate * mass());
        let v = run.world().bodies.twist[0].v;
        assert!((v.x - 2.0 * v.y).abs() < 1e-12 * speed, "the force has one direction");
        ((v.x - speed).abs() / speed, open_ledger(&mut run))
    };
    let (wrong, open) = error("{ cd = { time_step = DT } }", 0.01);
    expect("loads", Kind::Cd, "velocity under a sine, error", wrong, 0.0)
        .within(1e-13, "the mean of the step is exact");
    expect("loads", Kind::Cd, "ledger under a sine", open, 0.0).within(1e-12, "rounding");
    for (kind, name, method, order, closes) in [
        (Kind::Md, "verlet", "{ use = \"md\", md = { time_step = DT } }", 2, 2e-3),
        (Kind::Md, "leapfrog", "{ use = \"md\", md = { time_step = DT, integrator = \"leapfrog\" } }", 2, 1e-2),
        (
            Kind::Md,
            "suzuki_trotter",
            "{ use = \"md\", md = { time_step = DT, integrator = \"suzuki_trotter\" } }",
            4,
            1e-5,
        ),
        (Kind::Md, "gear", "{ use = \"md\", md = { time_step = DT, integrator = \"gear\" } }", 4, 1e-5),
        (Kind::Dae, "rk4", "{ use = \"dae\", dae = { time_step = DT } }", 4, 1e-6),
        // its first step knows no higher derivatives
        (Kind::Dae, "dae gear", "{ use = \"dae\", dae = { time_step = DT, integrator = \"gear\" } }", 2, 1e-5),
    ] {
        let [(coarse, open), (fine, _)] = [0.01, 0.005].map(|dt| error(method, dt));
        let found = (coarse / fine).log2();
        assert!(found > f64::from(order) - 0.25, "{name}: errors {coarse:e} and {fine:e}, order {found}");
        let quantity = format!("{name}: ledger under a sine");
        expect("loads", kind, quantity, open, 0.0)
            .within(closes, "mean force and that of the integrator; Verlet's differ by (2 pi f dt)^2 / 12 = 1.3e-3");
    }
}

/// Below mu N nothing moves; above it a = (F - mu N) / m.
#[test]
fn a_push_beyond_friction_accelerates_by_the_rest() {
    let weight = 10.0 * mass();
    for (kind, method, still, creep) in [
        (Kind::Cd, "{ cd = { time_step = 1e-3, accuracy = 1e-10 } }", 0.45, 1e-9),
        // a spring of 5e5 N/m gives by the push over its stiffness, and swings to twice that
        (Kind::Md, "{ use = \"md\", md = { time_step = 2e-5 } }", 0.2, 2.0 * 0.2 * weight / 5e5),
        (Kind::Dae, "{ use = \"dae\", dae = { time_step = 1e-4 } }", 0.45, 1e-9),
    ] {
        // a soft block starts as deep as its weight presses it
        let floor = if kind == Kind::Cd { 0.0 } else { weight / 1e6 };
        let push = |share: f64, end: f64| {
            let floor = FLOOR.replace("[0, 0]", &format!("[0, {floor:?}]"));
            let text = format!("gravity = [0, -10]\n{floor}{}", disk("block", 0.0, "rotates = false\noverlap = 0.01"))
                + &format!("[[load]]\ngrain = \"block\"\nforce = [{:?}, 0]", share * weight);
            let mut run = run::<D2>(method, end, &text);
            let world = run.world();
            (world.bodies.twist[1].v.x, world.bodies.pose[1].x.x)
        };
        let (_, x) = push(still, 0.2);
        assert!(x.abs() < 1.001 * creep, "{kind:?}: pushed below mu N it moves by {x}");
        // what a spring takes to grow is over by 0.1 s
        let gained = push(0.8, 0.2).0 - push(0.8, 0.1).0;
        expect("loads", kind, "gain of speed in 0.1 s under 0.8 of the weight, friction 0.5", gained, 0.3 * 10.0 * 0.1)
            .within(1e-6, "the residual of rigid steps; the last oscillation of soft ones");
    }
}

/// w = T t / I, with I = m r^2 / 2 of a disk and 2/5 m r^2 of a sphere.
#[test]
fn a_torque_spins_a_grain_up() {
    for (kind, method) in [
        (Kind::Cd, "{ cd = { time_step = 1e-3 } }"),
        (Kind::Md, "{ use = \"md\", md = { time_step = 1e-3 } }"),
        (Kind::Dae, "{ use = \"dae\", dae = { time_step = 1e-3 } }"),
    ] {
        let text = disk("top", 0.0, "") + "[[load]]\ngrain = \"top\"\ntorque = \"-0.2 N m\"";
        let mut flat = run::<D2>(method, 0.5, &text);
        let w = flat.world().bodies.twist[0].w;
        let expected = -0.2 * 0.5 / (0.5 * mass() * 0.01);
        expect("loads", kind, "spin of a disk", w, expected).within(1e-12, "rounding");
        assert!(open_ledger(&mut flat) < 1e-12, "{kind:?}: the ledger");
        let text = "[[grains]]\nname = \"top\"\nmaterial = \"steel\"\nshape = { kind = \"sphere\", radius = 0.1 }\n\
            place = { how = \"at\", points = [[0, 0, 0]] }\n[[load]]\ngrain = \"top\"\ntorque = [0, 0.3, -0.4]";
        let mut solid = run::<D3>(method, 0.5, text);
        let moment = 0.4 * 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.001 * 0.01;
        let w = solid.world().bodies.twist[0].w;
        let wrong = (w - D3::spin_of([0.0, 0.15, -0.2]) * (1.0 / moment)).norm() * moment / 0.25;
        expect("loads", kind, "spin of a sphere, error", wrong, 0.0).within(1e-12, "rounding");
        assert!(open_ledger(&mut solid) < 1e-12, "{kind:?}: the ledger");
    }
}

/// A blow J along a chain of three that touch, without restitution: all move on with J / 3m. Soft grains share the
/// momentum J in the end, whatever happens in between.
#[test]
fn a_blow_goes_through_a_chain() {
    let chain = disk("a", 0.0, "") + &disk("b", 0.2, "") + &disk("c", 0.4, "overlap = 1e-6");
    let blow = "[[load]]\ngrain = \"a\"\nimpulse = [\"6 N s\", 0]\nat = 0.0105";
    let mut rigid = run::<D2>("{ cd = { time_step = 1e-3, accuracy = 1e-12 } }", 0.02, &(chain.clone() + blow));
    for body in 0..3 {
        let v = rigid.world().bodies.twist[body].v.x;
        expect("loads", Kind::Cd, format!("disk {body} of a chain after a blow"), v, 2.0 / mass())
            .within(1e-10, "the residual");
    }
    assert!(open_ledger(&mut rigid) < 1e-9);
    for (kind, method) in [
        (Kind::Md, "{ use = \"md\", md = { time_step = 1e-5 } }"),
        (Kind::Md, "{ use = \"md\", md = { time_step = 1e-5, integrator = \"leapfrog\" } }"),
        (Kind::Dae, "{ use = \"dae\", dae = { time_step = 1e-5 } }"),
    ] {
        let mut soft = run::<D2>(method, 0.1, &(chain.clone() + blow));
        let momentum: f64 = (0..3).map(|body| soft.world().bodies.twist[body].v.x * mass()).sum();
        expect("loads", kind, "momentum of a chain after a blow", momentum, 6.0).within(1e-12, "rounding");
        let far = soft.world().bodies.twist[2].v.x * mass();
        assert!(far > 2.0, "{kind:?}: the blow reaches the last disk, which has {far} N s");
        assert!(open_ledger(&mut soft) < 1e-2, "{kind:?}: {}", open_ledger(&mut soft));
    }
}

/// A blow before its time, and at the very end of a step: it comes once, in the step that holds its time.
#[test]
fn a_blow_comes_once_and_in_its_step() {
    for (kind, method) in [
        (Kind::Cd, "{ cd = { time_step = 0.125 } }"),
        (Kind::Md, "{ use = \"md\", md = { time_step = 0.125 } }"),
        (Kind::Dae, "{ use = \"dae\", dae = { time_step = 0.125 } }"),
    ] {
        // steps of 1/8 s: the blow at 0.25 s belongs to the third
        for (end, expected) in [(0.25, 0.0), (0.375, 1.0), (1.0, 1.0)] {
            let text = disk("a", 0.0, "") + "[[load]]\ngrain = \"a\"\nimpulse = [0, 5]\nat = 0.25";
            let mut run = run::<D2>(method, end, &text);
            let found = run.world().bodies.twist[0].v.y * mass() / 5.0;
            assert!((found - expected).abs() < 1e-12, "{kind:?}: {found} of the impulse at {end} s");
        }
    }
}

/// A rod takes what of a blow is along it; the rest makes the bob swing. Static friction lets go: the block slides over
/// v^2 / (2 mu g).
#[test]
fn a_blow_passes_rods_and_loosens_static_friction() {
    let method = "{ use = \"dae\", dae = { time_step = 1e-4 } }";
    let text = disk("bob", 0.0, "")
        + "[[constraint]]\nkind = \"distance\"\nbetween = [\"bob\", [0, 1.1]]\n\
           [[load]]\ngrain = \"bob\"\nimpulse = [3, -7]\nat = 0.01";
    let mut pendulum = run::<D2>(method, 0.0101, &text);
    let v = pendulum.world().bodies.twist[0].v;
    expect("loads", Kind::Dae, "bob after a blow", v.norm(), 3.0 / mass()).within(1e-6, "one step later");
    assert!(open_ledger(&mut pendulum) < 1e-9, "a rod does no work");
    let text = format!("gravity = [0, -10]\n{FLOOR}{}", disk("block", 0.0, "rotates = false"))
        + "[[load]]\ngrain = \"block\"\nimpulse = [15, 0]\nat = 0.2";
    let mut block = run::<D2>(method, 0.6, &text);
    let (speed, world) = (15.0 / mass(), block.world());
    assert!(world.bodies.twist[1].v.x.abs() < 1e-9, "it stops");
    expect("loads", Kind::Dae, "way after a blow", world.bodies.pose[1].x.x, speed * speed / (2.0 * 0.5 * 10.0))
        .within(5e-2, "the soft block still bounces a little when it is struck");
}
