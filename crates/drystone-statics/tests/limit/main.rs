//! Limit loads that can be found by hand, from the literature, or by a dynamic run.

mod drawn;
mod runs;

use drystone::d2::World;
use drystone::input::Reader;
use drystone::prelude::*;
use drystone::scenario::Scenario;
use drystone::shape::Polygon;
use drystone::world::WorldBuilder;
use drystone_statics::limit::assembly::GAP;
use drystone_statics::limit::multiplier::stands;
use drystone_statics::limit::{Assembly, ContactMotion, Limit, LiveLoad, Mechanism};

const GRAVITY: f64 = 9.81;
const DENSITY: f64 = 2000.0;

/// An empty world of one material, with a floor.
fn ground(friction: f64) -> WorldBuilder<D2> {
    World::builder()
        .gravity([0.0, -GRAVITY])
        .material("stone", DENSITY)
        .contact("stone", "stone", Pair::with_friction(friction))
        .wall(Wall::plane("floor", [0.0, 0.0], [0.0, 1.0]))
}

fn block(width: f64, height: f64, centre: [f64; 2]) -> Grain<D2> {
    Grain::polygon(Polygon::rectangle(width, height).expect("a rectangle")).at(centre)
}

/// Blocks on top of each other, from the lowest one: widths and heights.
fn column(sizes: &[[f64; 2]], friction: f64) -> World {
    let (mut builder, mut top) = (ground(friction), 0.0);
    for [width, height] in sizes {
        builder = builder.grain(block(*width, *height, [0.0, top + 0.5 * height]));
        top += height;
    }
    builder.build().expect("a world")
}

fn assembly<D: Dim>(world: &drystone::world::World<D>, load: &str) -> Assembly<D> {
    let load = LiveLoad::parse(load).expect("a load");
    Assembly::of(world, &load, GAP).expect("an assembly")
}

fn limit<D: Dim>(world: &drystone::world::World<D>, load: &str) -> Limit {
    Limit::of(&assembly(world, load), |_| {}).expect("a solved programme")
}

/// Associated and corrected multiplier, which must have converged.
fn multipliers<D: Dim>(world: &drystone::world::World<D>, load: &str) -> [f64; 2] {
    match limit(world, load) {
        Limit::At { associated, corrected, .. } => {
            assert!(
                corrected.converged,
                "not converged: {} against {}",
                corrected.collapse.multiplier, associated.multiplier
            );
            [associated.multiplier, corrected.collapse.multiplier]
        }
        other => panic!("no limit: {other:?}"),
    }
}

fn assert_both<D: Dim>(world: &drystone::world::World<D>, load: &str, expected: f64) {
    for found in multipliers(world, load) {
        assert!((found - expected).abs() < 1e-5 * expected.abs(), "{load}: {found} instead of {expected}");
    }
}

/// The world of a scenario that is written in place.
fn written(text: &str) -> World {
    match AnyScenario::parse("test", text, &[], Reader::default()) {
        Ok(AnyScenario::Plane(scenario)) => in_first_stage(&scenario),
        Ok(AnyScenario::Space(_)) => panic!("a scenario in the plane"),
        Err(mistakes) => panic!("{mistakes}"),
    }
}

fn in_first_stage<D: Dim>(scenario: &Scenario<D>) -> drystone::world::World<D> {
    let mut simulation = drystone::sim::Simulation::new(scenario, std::path::Path::new("."))
        .unwrap_or_else(|mistakes| panic!("{mistakes}"));
    simulation.world().clone()
}

/// A scenario of the repository with settings.
fn shipped(name: &str, settings: &[String]) -> AnyScenario {
    let path = format!("{}/../../scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    AnyScenario::read(path.as_ref(), settings).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// A block a x h on the floor: it slides at mu if that is below a / h, and topples at a / h otherwise.
#[test]
fn a_block_slides_or_topples() {
    assert_both(&column(&[[0.4, 0.2]], 0.5), "gravity.x", 0.5);
    assert_both(&column(&[[0.2, 0.8]], 0.5), "gravity.x", 0.25);
    assert_both(&column(&[[0.2, 0.8]], 0.5), "gravity.-x", 0.25);
    // the same in space
    let text = "dimension = 3\ngravity = [0, 0, -9.81]\n[[material]]\nname = \"s\"\ndensity = 2000\n[[contact]]\nbetween = [\"s\", \"s\"]\n\
        friction = 0.5\n[[grains]]\nmaterial = \"s\"\nshape = { kind = \"box\", size = [0.2, 0.6, 0.8] }\n\
        place = { how = \"at\", points = [[0, 0, 0.4]] }\n[[wall]]\nname = \"floor\"\nkind = \"plane\"\npoint = [0, 0, 0]\n\
        normal = [0, 0, 1]\nmaterial = \"s\"\n[stop]\nat = 1\n[method]\nuse = \"cd\"\n[method.cd]\ntime_step = 0.001\n";
    match AnyScenario::parse("test", text, &[], Reader::default()) {
        Ok(AnyScenario::Space(scenario)) => {
            let world = in_first_stage(&scenario);
            assert_both(&world, "gravity.x", 0.25); // topples about its short side
            assert_both(&world, "gravity.y", 0.5); // slides along the long one
        }
        Ok(AnyScenario::Plane(_)) => panic!("a scenario in space"),
        Err(mistakes) => panic!("{mistakes}"),
    }
}

/// A column of n equal blocks turns about its toe at a / (n h); narrow blocks on a wide one turn about theirs.
#[test]
fn columns_topple_where_they_are_weakest() {
    assert_both(&column(&[[0.4, 0.2]; 4], 0.8), "gravity.x", 0.4 / (4.0 * 0.2));
    assert_both(&column(&[[1.0, 0.2], [0.3, 0.2], [0.3, 0.2]], 0.9), "gravity.x", 0.3 / 0.4);
    // a horizontal force F on the top block at its centre, height 0.5: F 0.5 = W a / 2 with W of three blocks
    let world = column(&[[0.4, 0.2]; 3], 2.0);
    let weight = 3.0 * DENSITY * 0.08 * GRAVITY;
    assert_both(&world, "grain.2.force.x", weight * 0.2 / 0.5);
}

/// A dry stone wall 30 cm thick and five courses of 15 cm high: pushed across it turns over its edge at t / h = 0.4, and
/// along it slides on the floor at mu = 0.6.
#[test]
fn a_wall_of_stones_turns_over_its_edge() {
    let settings = ["build.0.length=1.6", "build.0.courses=5"].map(String::from);
    let AnyScenario::Space(scenario) = shipped("dry_stone_wall", &settings) else { panic!("in space") };
    let world = in_first_stage(&scenario);
    assert_both(&world, "gravity.y", 0.3 / 0.75);
    assert_both(&world, "gravity.x", 0.6);
}

/// Two slender blocks turn about their toe as one; a flat block slides, and only friction that dilates opens its joint.
#[test]
fn the_mechanism_says_what_slides_and_what_turns() {
    let slender = column(&[[0.2, 0.4], [0.2, 0.4]], 0.9);
    let assembly = assembly(&slender, "gravity.x");
    let Ok(Limit::At { corrected, .. }) = Limit::of(&assembly, |_| {}) else { panic!("a limit") };
    let mechanism = Mechanism::of(&assembly, &corrected.collapse);
    let count = |motion| mechanism.count(motion);
    assert_eq!((count(ContactMotion::Turns), count(ContactMotion::Slides), count(ContactMotion::Rests)), (1, 0, 1));
    // both turn about the toe at (0.1, 0): v = w x r, clockwise
    let [low, high] = [1, 2].map(|body| mechanism.twists[body]);
    assert!(low.w < 0.0 && (low.w - high.w).abs() < 1e-5 * low.w.abs());
    let at_toe = [low.v.x - low.w * (0.0 - 0.2), low.v.y + low.w * 0.1];
    assert!(at_toe.iter().all(|v| v.abs() < 1e-4), "the toe stays: {at_toe:?}");

    let flat = column(&[[0.6, 0.2], [0.4, 0.1]], 0.3);
    let assembly = self::assembly(&flat, "gravity.x");
    let Ok(Limit::At { associated, corrected, .. }) = Limit::of(&assembly, |_| {}) else { panic!("a limit") };
    assert!((corrected.collapse.multiplier - 0.3).abs() < 1e-5);
    let opening = |collapse| Mechanism::of(&assembly, collapse).slips.iter().map(|[n, _]| *n).fold(0.0, f64::max);
    assert!(opening(&associated) > 0.05, "sliding that dilates opens");
    assert!(opening(&corrected.collapse) < 1e-4, "real friction does not open: {}", opening(&corrected.collapse));
}

/// Upwards a block flies at 1 g; downwards nothing moves; on a slope beyond mu it does not stand at all.
#[test]
fn no_limit_and_no_stand_are_told() {
    let world = column(&[[0.4, 0.2]], 0.5);
    assert_both(&world, "gravity.y", 1.0);
    assert!(matches!(limit(&world, "gravity.-y"), Limit::Unbounded));
    let mut slope = column(&[[0.4, 0.1]], 0.5);
    for (tangent, falls) in [(0.49, false), (0.51, true)] {
        slope.gravity = [tangent * GRAVITY, -GRAVITY].into();
        assert_eq!(matches!(limit(&slope, "gravity.x"), Limit::Falls), falls, "tan = {tangent}");
    }
    let text =
        |world: &World, load: &str| Assembly::of(world, &LiveLoad::parse(load).unwrap(), GAP).err().expect("refused");
    assert!(text(&world, "wall.top.force").contains("walls: floor"));
    assert!(text(&world, "wall.floor.force").contains("no force moves"));
    assert!(text(&world, "grain.7.force.x").contains("no grain `7`"));
    assert!(text(&world, "gravity.z").contains("axes x and y"));
    assert!(text(&world, "load.0").contains("no [[load]]"));
    let flying = ground(0.5).grain(block(0.4, 0.2, [0.0, 0.1])).grain(block(0.4, 0.2, [0.0, 1.0])).build().unwrap();
    assert!(text(&flying, "gravity.x").contains("touches nothing"));
    let gluey = Pair::with_friction(0.5).with_rolling(0.01);
    let rolling = World::builder().gravity([0.0, -GRAVITY]).material("stone", DENSITY).contact("stone", "stone", gluey);
    let rolling = rolling.grain(Grain::disk(0.1)).build().unwrap();
    assert!(text(&rolling, "gravity.x").contains("rolling"));
}

/// A smooth piston pushes a block of weight W: it slides at mu W. The weight on a block that the scenario loads with F
/// downwards: horizontal gravity must overcome mu (W + F).
#[test]
fn pistons_and_loads_of_the_scenario() {
    let text = |load: &str| {
        format!(
            "dimension = 2\ngravity = [0, -9.81]\n[[material]]\nname = \"s\"\ndensity = 2000\n[[material]]\nname = \"smooth\"\n\
        density = 2000\n[[contact]]\nbetween = [\"s\", \"s\"]\nfriction = 0.4\n[[contact]]\nbetween = [\"s\", \"smooth\"]\n\
        friction = 0\n[[grains]]\nname = \"block\"\nmaterial = \"s\"\nshape = {{ kind = \"rectangle\", width = 1, height = 0.2 }}\n\
        place = {{ how = \"at\", points = [[0.5, 0.1]] }}\n{load}[[wall]]\nname = \"floor\"\nkind = \"plane\"\npoint = [0, 0]\n\
        normal = [0, 1]\nmaterial = \"s\"\n[[wall]]\nname = \"push\"\nkind = \"plane\"\npoint = [0, 0]\nnormal = [1, 0]\n\
        material = \"smooth\"\nmass = 10\ndrive = {{ force = 0 }}\n[stop]\nat = 1\n[method]\nuse = \"cd\"\n[method.cd]\n\
        time_step = 0.001\n"
        )
    };
    let weight = DENSITY * 0.2 * GRAVITY;
    assert_both(&written(&text("")), "wall.push.force", 0.4 * weight);
    let pressed = written(&text("[[load]]\ngrain = \"block\"\nforce = [0, -1000]\n"));
    assert_both(&pressed, "wall.push.force", 0.4 * (weight + 1000.0));
    // a pull to the right of 500 N: it slides at mu W / 500
    let pulled = written(&text("[[load]]\ngrain = \"block\"\nforce = [500, 0]\n"));
    assert_both(&pulled, "load.block", 0.4 * weight / 500.0);
}

/// Least thickness of a semicircular arch of n voussoirs over its mean radius, for friction that keeps joints from
/// sliding: by an independent linear programme for the line of thrust; 0.1075 for n to infinity (Milankovitch 1907).
#[test]
fn arches_stand_above_their_least_thickness_and_not_below() {
    for (voussoirs, least) in [(10, 0.10745972), (16, 0.1072369), (20, 0.10745972), (40, 0.10745972)] {
        for (factor, expected) in [(1.05, true), (0.95, false)] {
            let thickness = 2.0 * least * factor; // the mean radius is 2 m
            let settings = [
                format!("build.0.voussoirs={voussoirs}"),
                format!("build.0.thickness={thickness}"),
                "contact.0.friction=0.8".to_string(),
            ];
            let AnyScenario::Plane(scenario) = shipped("arch", &settings) else { panic!("in the plane") };
            let found = stands(&assembly(&in_first_stage(&scenario), "gravity.x"));
            assert_eq!(found, Ok(expected), "{voussoirs} voussoirs, {factor} of the least thickness");
        }
    }
}

/// Least friction of heaps of n rows of disks, with and without rotation: by an independent linear programme; that of
/// three disks that turn is tan 15 degrees.
#[test]
fn heaps_stand_above_their_critical_friction_and_not_below() {
    let turning = [(2, 15f64.to_radians().tan()), (3, 0.43398743), (4, 0.47295992)].map(|(rows, mu)| (rows, mu, true));
    let still = [(2, 0.13629388), (3, 0.17998183), (4, 0.20181014)].map(|(rows, mu)| (rows, mu, false));
    for (rows, critical, turns) in turning.into_iter().chain(still) {
        for (factor, expected) in [(1.001, true), (0.999, false)] {
            let (radius, mut builder) = (0.1, ground(critical * factor));
            for row in 0..rows {
                for k in 0..rows - row {
                    let x = (2 * k + row) as f64 * radius;
                    let disk = Grain::disk(radius).at([x, radius + row as f64 * 3f64.sqrt() * radius]);
                    builder = builder.grain(if turns { disk } else { disk.without_turning() });
                }
            }
            let found = stands(&assembly(&builder.build().unwrap(), "gravity.x"));
            assert_eq!(found, Ok(expected), "{rows} rows, {factor} of {critical}, turns: {turns}");
        }
    }
}

/// A block of weight W on a slope, held by a smooth stop that is a fixed grain: the stop must push with at least
/// W (sin - mu cos), and with W (sin + mu cos) it pushes the block up. On level ground it may let go.
#[test]
fn a_support_has_a_least_and_a_largest_force() {
    let (friction, weight) = (0.3, DENSITY * 0.08 * GRAVITY);
    for degrees in [0.0_f64, 30.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let text = format!(
            "dimension = 2\ngravity = [{}, {}]\n[[material]]\nname = \"s\"\ndensity = 2000\n[[material]]\nname = \"smooth\"\n\
            density = 2000\n[[contact]]\nbetween = [\"s\", \"s\"]\nfriction = {friction}\n[[contact]]\nbetween = \"any\"\n\
            friction = 0\n[[grains]]\nmaterial = \"s\"\nshape = {{ kind = \"rectangle\", width = 0.4, height = 0.2 }}\n\
            place = {{ how = \"at\", points = [[0, 0.1]] }}\n[[grains]]\nname = \"stop\"\nmaterial = \"smooth\"\nfixed = true\n\
            shape = {{ kind = \"rectangle\", width = 0.1, height = 0.1 }}\nplace = {{ how = \"at\", points = [[0.25, 0.1]] }}\n\
            [[wall]]\nname = \"floor\"\nkind = \"plane\"\npoint = [0, 0]\nnormal = [0, 1]\nmaterial = \"s\"\n[stop]\nat = 1\n\
            [method]\nuse = \"cd\"\n[method.cd]\ntime_step = 0.001\n",
            GRAVITY * sin,
            -GRAVITY * cos
        );
        let world = written(&text);
        for (load, expected) in [
            ("support.stop.-x", weight * (sin + friction * cos)),
            ("support.stop.x", -weight * (sin - friction * cos).max(0.0)),
        ] {
            for found in multipliers(&world, load) {
                assert!((found - expected).abs() < 1e-5 * weight, "{load}, {degrees}: {found} instead of {expected}");
            }
        }
    }
}

/// Ferris and Tin-Loi's first wall: six courses of five bricks 0.4 x 0.175 in running bond, mu = 0.65. They give a
/// multiplier of about 0.64 without dilatancy; numbers of others are in the book.
#[test]
fn a_wall_of_ferris_and_tin_loi() {
    let mut builder = ground(0.65);
    for course in 0..6 {
        let widths = if course % 2 == 0 { vec![0.2, 0.4, 0.4, 0.4, 0.4, 0.2] } else { vec![0.4; 5] };
        let mut x = 0.0;
        for width in widths {
            builder = builder.grain(block(width, 0.175, [x + 0.5 * width, 0.175 * (course as f64 + 0.5)]));
            x += width;
        }
    }
    let [associated, corrected] = multipliers(&builder.build().unwrap(), "gravity.x");
    assert!(corrected <= associated && (corrected - 0.64).abs() < 0.005, "{associated} {corrected}");
}

/// A disk that does not turn, in a groove whose walls stand at 30 degrees to the vertical: without friction it stands while gravity points
/// between the walls, up to the tangent of 60 degrees, and with friction longer. A block on the floor needs friction.
#[test]
fn what_stands_without_friction_is_certain() {
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    let groove = World::builder()
        .gravity([0.0, -GRAVITY])
        .material("stone", DENSITY)
        .contact("stone", "stone", Pair::with_friction(0.2))
        .wall(Wall::plane("left", [0.0, 0.0], [cos, sin]))
        .wall(Wall::plane("right", [0.0, 0.0], [-cos, sin]))
        .grain(Grain::disk(0.1).at([0.0, 0.1 / sin]).without_turning())
        .build()
        .expect("a world");
    let Limit::At { frictionless: Some(certain), associated, .. } = limit(&groove, "gravity.x") else {
        panic!("it stands without friction")
    };
    assert!((certain - cos / sin).abs() < 1e-5, "{certain}");
    assert!(associated.multiplier > 1.1 * certain, "{} above {certain}", associated.multiplier);
    let Limit::At { frictionless, .. } = limit(&column(&[[0.4, 0.2]], 0.5), "gravity.x") else { panic!("a limit") };
    assert!(frictionless.is_some_and(|certain| certain < 1e-6), "{frictionless:?}");
}
