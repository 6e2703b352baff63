//! Why stones overlap: which part of an overlap comes from the curved paths of corners, from corners that were not
//! watched, and from what the solve left.

use std::collections::BTreeMap;

use drystone::body::{Bodies, Twist};
use drystone::contact::ContactKey;
use drystone::dim::{Dim, Vector};
use drystone::method::Kind;
use drystone::method::cd::{Accuracy, Limits};
use drystone::world::World;

use super::expect::expect;
use super::stage::Stage;

/// Deepest growth of an overlap in one step over the inner radius, by its cause.
#[derive(Clone, Copy, Debug, Default)]
struct Causes {
    /// The contact was solved for, and its gap at the end is not what its velocity and time make of it.
    curved: f64,
    /// Its pair was solved for, but at other corners.
    elsewhere: f64,
    /// Its pair was not solved for at all.
    unseen: f64,
    /// The velocity is more than closes the gap in the step: the solve left it.
    unsolved: f64,
    /// Deepest overlap of all.
    overlap: f64,
    /// Largest w dt of a body, squared: what its path leaves the tangent by, over the arm.
    turned: f64,
}

impl Causes {
    fn text(&self) -> String {
        let Causes { curved, elsewhere, unseen, unsolved, overlap, turned } = self;
        format!(
            "overlap {overlap:.1e}: curved {curved:.1e} (w dt)^2 {turned:.1e}, elsewhere {elsewhere:.1e}, unseen {unseen:.1e}, unsolved {unsolved:.1e}"
        )
    }
}

/// The motion that the solve found: a polyhedron that tumbles has another angular velocity at the end of the step.
fn solved<D: Dim>(world: &World<D>, dt: f64) -> Vec<Twist<D>> {
    let Bodies { pose, twist, inertia, .. } = &world.bodies;
    let mut solved = twist.clone();
    for ((pose, twist), inertia) in pose.iter().zip(&mut solved).zip(inertia) {
        if !D::is_isotropic(inertia.inv_i) {
            twist.w = D::tumble(pose.q, inertia.inv_i, twist.w, -dt).1;
        }
    }
    solved
}

/// Steps a world, and tells overlaps that are new at the end of each step apart.
fn watch<D: Dim>(stage: &mut Stage<D>, steps: usize) -> Causes {
    let (mut causes, dt) = (Causes::default(), stage.dt());
    let mut before: BTreeMap<ContactKey, f64> = BTreeMap::new();
    for _ in 0..steps {
        stage.step_or_warn();
        let twist = solved(&stage.world, dt);
        let predicted: BTreeMap<ContactKey, f64> = stage
            .world
            .network()
            .contacts
            .iter()
            .map(|contact| (contact.key, contact.gap.max(0.0) + contact.velocity(&twist).dot(contact.normal) * dt))
            .collect();
        causes.turned = twist.iter().map(|twist| (twist.w.norm() * dt).powi(2)).fold(causes.turned, f64::max);
        let mut end: World<D> = stage.world.clone();
        end.sense(&vec![0.0; end.bodies.len()], |_, _| 0.0).unwrap();
        let mut now = BTreeMap::new();
        for contact in &end.network().contacts {
            let inner = end.smaller_radius(contact);
            let depth = -contact.gap / inner;
            now.insert(contact.key, depth);
            causes.overlap = causes.overlap.max(depth);
            let old = before.get(&contact.key).copied().unwrap_or(0.0);
            if depth <= old {
                continue;
            }
            let pair = |key: &ContactKey| (key.a, key.b) == (contact.key.a, contact.key.b);
            match predicted.get(&contact.key) {
                Some(gap) => {
                    let left = (-gap / inner).max(0.0);
                    causes.unsolved = causes.unsolved.max(left);
                    causes.curved = causes.curved.max(depth - old - left);
                }
                None if predicted.keys().any(pair) => causes.elsewhere = causes.elsewhere.max(depth - old),
                None => causes.unseen = causes.unseen.max(depth - old),
            }
        }
        before = now;
    }
    causes
}

/// Length of a stone over its inner radius: stones of elongation 0.7 are at least 2 / 0.7 long, so the bound is strict.
const LENGTH: f64 = 3.0;

/// Growth of an overlap over the inner radius that a step may leave.
const GROWTH: f64 = 1e-4;

/// The scenario `name`, with changes.
fn stage<D: Dim>(build: impl Fn(&str) -> World<D>, name: &str, dt: f64) -> Stage<D> {
    let mut stage = Stage::<D>::new(0.5, dt, 1e-6);
    let limits =
        Limits { residual: 1e-6, force_error: f64::INFINITY, velocity_error: f64::INFINITY, overlap_growth: GROWTH };
    stage.method.options.accuracy = Accuracy::Limits(limits);
    stage.world = build(name);
    stage.method.options.max_sweeps = 20_000;
    stage
}

fn scenario(name: &str, changes: &[&str]) -> drystone::scenario::AnyScenario {
    use drystone::input::Reader;
    let text = drystone::scenario::template::Template::find(name).unwrap().text;
    let changes: Vec<String> = changes.iter().map(|change| (*change).to_string()).collect();
    drystone::scenario::AnyScenario::parse(name, text, &changes, Reader::default()).unwrap()
}

fn polygons(name: &str) -> World<drystone::dim::D2> {
    let changes = ["grains.0.count=80", "grains.0.place.max=[0.09, 0.18]", "wall.0.max=[0.09, 0.3]"];
    match scenario(name, &changes) {
        drystone::scenario::AnyScenario::Plane(scenario) => scenario.build(std::path::Path::new(".")).unwrap(),
        drystone::scenario::AnyScenario::Space(_) => panic!("in the plane"),
    }
}

fn polyhedra(name: &str) -> World<drystone::dim::D3> {
    let changes = ["grains.0.count=40", "grains.0.place.max=[0.05, 0.05, 0.07]", "wall.0.max=[0.05, 0.05, 0.2]"];
    match scenario(name, &changes) {
        drystone::scenario::AnyScenario::Space(scenario) => scenario.build(std::path::Path::new(".")).unwrap(),
        drystone::scenario::AnyScenario::Plane(_) => panic!("in space"),
    }
}

/// No pair is missed, and the solve leaves what it may. Normals are constant in a step, while bodies turn: what that
/// makes is of third order in the step where contacts are known, since those that would sink are held as they are at its
/// end, and of second order in the turn where the same stones meet at another place.
///
/// The growth of overlaps is asked for beside the residual, as every named accuracy does: a residual weighs impulses,
/// not ways.
#[test]
fn stones_overlap_little_although_they_turn_within_a_step() {
    let case = "overlap of stones";
    let of_polygons = [1e-3, 2.5e-4].map(|dt| watch(&mut stage(polygons, "stones", dt), (0.25 / dt) as usize));
    let of_polyhedra = [1e-3, 2.5e-4].map(|dt| watch(&mut stage(polyhedra, "stones3d", dt), (0.2 / dt) as usize));
    for (name, [long, short]) in [("polygons", of_polygons), ("polyhedra", of_polyhedra)] {
        println!("{name}, 1 ms: {}", long.text());
        println!("{name}, 0.25 ms: {}", short.text());
        assert!(long.turned > 1e-3, "stones turn: {}", long.text());
        for causes in [&long, &short] {
            expect(case, Kind::Cd, format!("{name}: of pairs that were not seen"), causes.unseen, 0.0)
                .within(0.0, "whoever can touch in a step is looked at");
            expect(case, Kind::Cd, format!("{name}: what the solve leaves"), causes.unsolved, 0.0)
                .within(GROWTH, "asked for");
        }
        for (causes, dt) in [(&long, 1e-3), (&short, 2.5e-4)] {
            let bound = LENGTH * causes.turned / 2.0;
            expect(case, Kind::Cd, format!("{name}: deepest overlap, steps of {dt} s"), causes.overlap, 0.0)
                .within(bound.min(0.02), "sinks by (w dt)^2 / 2 of its distance while the stone turns about a contact");
        }
    }
}

/// Two cubes on each other at 0.98 of the cone of friction: eight contacts that share their forces in many ways, and
/// sweeps that go down to rounding all the same.
#[test]
fn sweeps_near_the_edge_of_the_cone_reach_rounding() {
    use drystone::dim::D3;
    use drystone::method::cd::Solver;
    use drystone::shape::Polyhedron;
    use glam::DVec3;
    let ratio = 0.98;
    for solver in [Solver::Sweeps, Solver::Newton] {
        let mut stage = Stage::<D3>::new(0.3, 1e-3, 1e-13);
        let slope = (ratio * 0.3_f64).atan();
        stage.world.gravity = DVec3::new(slope.sin() * 0.995, slope.sin() * 0.1, -slope.cos()) * 9.81;
        stage.plane("floor", DVec3::ZERO, DVec3::Z);
        let cube = Polyhedron::cuboid(DVec3::ONE).unwrap();
        stage.world.bodies.push_polyhedron(DVec3::new(0.0, 0.0, 0.5), &cube, 2500.0, 0);
        stage.world.bodies.push_polyhedron(DVec3::new(0.1, 0.05, 1.5), &cube, 2500.0, 1);
        stage.method.options.solver = solver;
        stage.method.options.max_sweeps = 20_000;
        let mut worst = (0.0_f64, 0);
        for _ in 0..20 {
            let report = stage.step_or_warn();
            worst = (worst.0.max(report.residual), worst.1.max(report.sweeps));
        }
        println!("cubes at {ratio} of the cone by {solver:?}: {:.1e} after {} sweeps", worst.0, worst.1);
        expect("stacked cubes", Kind::Cd, format!("residual by {solver:?}"), worst.0, 0.0)
            .within(1e-13, "asked for: nothing stalls");
    }
}
