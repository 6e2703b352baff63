//! Scenarios made small: one for everything that a run takes from step to step.

use drystone::input::Reader;
use drystone::scenario::AnyScenario;
use drystone::scenario::template::Template;

/// A template made small by settings, as `--set` does.
pub(super) fn scenario(template: &str, settings: &[&str]) -> AnyScenario {
    let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
    let text = Template::find(template).unwrap().text;
    AnyScenario::parse(template, text, &settings, Reader::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

pub(super) fn small_drop() -> AnyScenario {
    scenario(
        "drop",
        &["grains.0.count=80", "grains.0.place.max=[0.03, 0.04]", "wall.0.max=[0.03, 0.1]", "output.frames=10 ms"],
    )
}

/// Grains on a grid, so that the seed decides on nothing but the order of the sweeps, which are too few to forget it.
pub(super) fn small_drop_at_random(seed: u64) -> AnyScenario {
    let text = format!(
        "
        dimension = 2
        seed      = {seed}
        gravity   = [0, -9.81]
        material  = [{{ name = \"steel\", density = 7800 }}]
        contact   = [{{ between = [\"steel\", \"steel\"], friction = 0.3 }}]
        stop      = {{ at = 1 }}
        method    = {{ use = \"cd\", cd = {{ time_step = 0.0005, order = \"random_sweep\", fixed_sweeps = 10 }} }}
        output    = {{ frames = 0.01 }}
        [[grains]]
        material = \"steel\"
        shape    = {{ kind = \"disk\", radius = 0.001 }}
        place    = {{ how = \"square\", min = [0.0005, 0], max = [0.02, 0.02] }}
        [[wall]]
        name     = \"box\"
        kind     = \"box\"
        min      = [0, 0]
        max      = [0.022, 0.1]
        material = \"steel\"
        "
    );
    AnyScenario::parse("random", &text, &[], Reader::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// A push through a row that a fixed number of sweeps makes elastic, in random orders.
pub(super) fn small_sound() -> AnyScenario {
    scenario(
        "sound",
        &["stop.at=1 s", "grains.0.place.max=[0.3, 0.01]", "output.track=[\"row.0\"]", "output.frames=10 ms"],
    )
}

/// A grain under a force that changes, a torque and a blow.
pub(super) fn small_pull(method: &str, blow: &str) -> AnyScenario {
    let load = format!(
        "load=[{{ grain = \"anchor\", force = {{ sine = {{ amplitude = [1, 2], frequency = 300 }} }}, torque = 1e-3, \
         impulse = [0, 1e-3], at = \"{blow}\" }}]"
    );
    let region = "grains.1.place={ how = \"random\", min = [0, 0.003], max = [0.02, 0.03] }";
    let anchor = "grains.0.place.points=[[0.01, 0.04]]";
    let method = format!("method={{ use = \"{method}\", cd = {{ time_step = 5e-4 }}, md = {{}}, dae = {{}} }}");
    let settings =
        ["grains.1.count=40", region, anchor, "wall.0.max=[0.02, 0.1]", "output.frames=10 ms", &load, &method];
    scenario("pull_out", &settings)
}

pub(super) fn small_heap() -> AnyScenario {
    scenario(
        "heap3d",
        &[
            "grains.0.place.min=[-0.008, -0.008, 0]",
            "grains.0.place.max=[0.008, 0.008, 0.002]",
            "grains.1.count=80",
            "grains.1.place.min=[-0.006, -0.006, 0.003]",
            "grains.1.place.max=[0.006, 0.006, 0.016]",
            "wall.0.min=[-0.008, -0.008, 0]",
            "wall.0.max=[0.008, 0.008, 0.03]",
            "output.frames=10 ms",
        ],
    )
}

/// Stages, driven walls and rules of rest: everything that progress keeps beside the world.
pub(super) fn small_shaker() -> AnyScenario {
    scenario(
        "shaker",
        &[
            "grains.0.count=60",
            "grains.0.place.max=[0.06, 0.03]",
            "stage.0.limit=20 ms",
            "stage.1.limit=30 ms",
            "stage.2.limit=10 ms",
            "output.frames=7 ms",
        ],
    )
}

/// A floor that is a piston in the second stage: its mass, velocity and drive must survive.
pub(super) fn small_press() -> AnyScenario {
    scenario(
        "shaker",
        &[
            "grains.0.count=60",
            "grains.0.place.max=[0.06, 0.03]",
            "wall.2.mass=0.5 kg",
            "stage.0.limit=20 ms",
            "stage.1.limit=22 ms",
            "stage.1.drive.floor={ pressure = { value = \"300 Pa\", between = [\"left\", \"right\"] } }",
            "stage.2.limit=8 ms",
            "output.frames=7 ms",
        ],
    )
}

/// Grains that deform, already pressed by the lid, with friction.
pub(super) fn small_deforming() -> AnyScenario {
    scenario(
        "soft_oedometer",
        &[
            "grains.0.count=30",
            "contact.0.friction=0.3",
            "wall.1.point=[0.05, 0]",
            "grains.0.place={ how = \"random\", min = [0, 0], max = [0.05, 0.11] }",
            "wall.3.point=[0, 0.11]",
            "wall.3.drive.velocity=[0, -1]",
            "output.frames=10 ms",
        ],
    )
}

/// Stages that change laws, gravity and the time step, take grains away, and end by rules that remember.
pub(super) fn small_changes(method: &str) -> AnyScenario {
    let text = format!(
        r#"
        dimension = 2
        seed      = 8
        gravity   = [0, -9.81]
        material  = [{{ name = "sand", density = 2650 }}]
        [[contact]]
        between  = ["sand", "sand"]
        friction = 0
        md = {{ normal = {{ law = "hooke", stiffness = "1e5 N/m", restitution = 0.3 }}, tangential = {{ law = "cundall_strack", stiffness_ratio = 0.8, damping = "10 N s/m" }} }}
        [[grains]]
        material = "sand"
        shape    = {{ kind = "disk", radius = "1 mm" }}
        count    = 80
        place    = {{ how = "hexagonal", min = [0, 0], max = [0.03, 0.02] }}
        overlap  = 1e-6
        [[wall]]
        name = "box"
        kind = "box"
        min = [0, 0]
        max = [0.03, 0.1]
        material = "sand"
        [[stage]]
        name  = "smooth"
        until = {{ all = [{{ unbalanced = {{ below = 1e9, for = "5 us" }} }}, {{ after = "30 us" }}] }}
        limit = "1 s"
        [[stage]]
        name   = "rough"
        set    = {{ gravity = [2, -9.81], contact = [{{ friction = 0.5, md = {{ normal = {{ law = "hooke", stiffness = "2e5 N/m", restitution = 0.3 }} }} }}], method = {{ cd = {{ time_step = "0.3 ms", accuracy = "flow" }}, md = {{ time_step = "3 us" }} }} }}
        remove = {{ outside = {{ min = [0, 0], max = [0.03, 0.0095] }} }}
        until  = {{ flow_stopped = {{ axis = "y", level = 0.005, for = "60 us" }} }}
        limit  = "1 s"
        [[stage]]
        name   = "bear"
        remove = {{ rattlers = 1 }}
        limit  = "1 s"
        [method]
        use = "{method}"
        cd = {{ time_step = "1 ms" }}
        md = {{ time_step = "2 us" }}
        [output]
        frames = "7 ms"
        "#
    );
    AnyScenario::parse("changes", &text, &[], Reader::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Contacts that stick and slip, with what Gear's method carries from step to step.
pub(super) fn small_stack() -> AnyScenario {
    scenario("cannonballs6", &["output.frames=1 ms"])
}

/// A rod, whose ends have names.
pub(super) fn small_pendulum() -> AnyScenario {
    scenario("pendulum", &["output.frames=0.2 s"])
}

/// Steps that are cut at events, with a table of them. Slips turn at pi, the 63rd step.
pub(super) fn small_oscillator() -> AnyScenario {
    scenario("dry_oscillator", &["method.dae.time_step=50 ms", "output.frames=0.5 s"])
}

/// Ground that tilts: gravity turns with time.
pub(super) fn small_tilt() -> AnyScenario {
    scenario("tilting_blocks", &["tilt.angle.ramp.over=2 s", "output.frames=20 ms"])
}

/// Stones that meet: contacts named by corners, outlines of their own.
pub(super) fn small_stones() -> AnyScenario {
    scenario(
        "stones",
        &[
            "grains.0.count=30",
            "grains.0.place.max=[0.06, 0.12]",
            "wall.0.max=[0.06, 0.2]",
            "method.cd.time_step=1 ms",
            "output.frames=10 ms",
        ],
    )
}

/// Polyhedra that meet: contacts named by corners and edges, faces, orientations that tumble.
pub(super) fn small_solids() -> AnyScenario {
    scenario(
        "stones3d",
        &[
            "grains.0.count=30",
            "grains.0.place.max=[0.04, 0.04, 0.08]",
            "wall.0.max=[0.04, 0.04, 0.2]",
            "method.cd.time_step=1 ms",
            "output.frames=10 ms",
        ],
    )
}

/// Clumps that meet: contacts named by balls, outlines with radii.
pub(super) fn small_clumps(method: &str) -> AnyScenario {
    scenario(
        "clumps3d",
        &[
            "grains.0.count=15",
            "grains.1.count=15",
            "grains.0.place.max=[0.04, 0.04, 0.05]",
            "grains.1.place.min=[0, 0, 0.05]",
            "grains.1.place.max=[0.04, 0.04, 0.12]",
            "wall.0.max=[0.04, 0.04, 0.2]",
            "method.cd.time_step=1 ms",
            "output.frames=10 ms",
            &format!("method.use={method}"),
            "method.md={ time_step = \"0.05 ms\" }",
            "grains.0.velocity=[0.3, 0, -5]",
            "grains.1.velocity=[0, 0.3, -5]",
        ],
    )
}

/// Capsules that meet: contacts named by ends.
pub(super) fn small_capsules(method: &str) -> AnyScenario {
    scenario(
        "capsules",
        &[
            "grains.0.count=25",
            "grains.0.place.max=[0.06, 0.06, 0.1]",
            "wall.0.max=[0.06, 0.06, 0.2]",
            "method.cd.time_step=1 ms",
            "output.frames=10 ms",
            &format!("method.use={method}"),
            "method.md={ time_step = \"0.05 ms\" }",
            "grains.0.velocity=[0.3, 0, -5]",
        ],
    )
}

pub(super) const PRESSED: &str = "cell.stress={ normal = [20, 20], mass = 0.5, follow = [\"x\", \"y\"] }";

/// Disks in a cell that is sheared; grains cross its border, and touch across it.
pub(super) fn small_cell(method: &str, settings: &[&str]) -> AnyScenario {
    let settings: Vec<String> = settings.iter().map(|setting| setting.to_string()).collect();
    let text = format!(
        r#"
        title     = "cell of {method}"
        dimension = 2
        seed      = 9
        gravity   = [0, 0]
        material  = [{{ name = "sand", density = 2650 }}]
        stop      = {{ at = 10 }}
        output    = {{ frames = "10 ms", series = ["energy", "momentum", "contacts", "stress", "solid_fraction"] }}
        [cell]
        periodic = ["x", "y"]
        min      = [0, 0]
        max      = ["40 mm", "40 mm"]
        shear    = {{ along = "x", across = "y", rate = "20 1/s" }}
        [[contact]]
        between  = ["sand", "sand"]
        friction = 0.3
        md       = {{ normal = {{ law = "hooke", stiffness = "1e4 N/m", restitution = 0.5 }}, tangential = {{ law = "cundall_strack", stiffness_ratio = 0.8 }} }}
        [[grains]]
        material = "sand"
        shape    = {{ kind = "disk", radius = {{ uniform = ["0.8 mm", "1.2 mm"] }} }}
        fraction = 0.5
        place    = {{ how = "random", min = [0, 0], max = ["40 mm", "40 mm"] }}
        [method]
        use = "{method}"
        cd  = {{ time_step = "1 ms" }}
        md  = {{ time_step = "0.2 ms" }}
        "#
    );
    AnyScenario::parse("cell", &text, &settings, Reader::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Grains that a turning mesh catches: what it is turned by is part of the state.
pub(super) fn small_mixer(method: &str) -> AnyScenario {
    scenario(
        "mixer",
        &[
            "grains.0.count=60",
            "grains.0.place.min=[-0.02, -0.02, 0.0242]",
            "grains.0.place.max=[0.02, 0.02, 0.034]",
            "grains.0.velocity=[0, 0, -1]",
            "stage.0.limit=0.5 ms",
            "output.frames=0.5 ms",
            &format!("method.use={method}"),
            "method.md={ time_step = \"0.02 ms\" }",
        ],
    )
}

/// A sample whose mould gives way to a membrane.
pub(super) fn small_triaxial(method: &str) -> AnyScenario {
    scenario(
        "triaxial_membrane",
        &[
            "grains.0.count=150",
            "grains.0.place.max=[\"10 mm\", \"10 mm\", \"12 mm\"]",
            "wall.1.point=[0, 0, \"12 mm\"]",
            "stage.0.limit=0.1 ms",
            "stage.1.limit=0.1 ms",
            "output.frames=0.1 ms",
            &format!("method.use={method}"),
            "method.md={ time_step = \"0.005 ms\" }",
        ],
    )
}

/// Hard grains that fall, spin and collide in a box that a wall makes smaller, with a contact time.
pub(super) fn small_gas() -> AnyScenario {
    let text = "
        dimension = 3
        seed      = 4
        gravity   = [0, 0, -9.81]
        material  = [{ name = \"glass\", density = 2500 }]
        stop      = { at = 1 }
        method    = { use = \"ed\", ed = { time_step = \"2 ms\", contact_time = \"20 us\" } }
        output    = { frames = \"20 ms\", series = [\"energy\", \"collisions\"] }
        [[contact]]
        between     = [\"glass\", \"glass\"]
        friction    = 0.3
        restitution = { normal = 0.9, tangential = 0.2 }
        [[grains]]
        material = \"glass\"
        shape    = { kind = \"sphere\", radius = { uniform = [\"1 mm\", \"2 mm\"] } }
        count    = 60
        place    = { how = \"random\", min = [0, 0, 0], max = [0.03, 0.03, 0.05] }
        velocity = { thermal = 0.5 }
        [[wall]]
        name     = \"box\"
        kind     = \"box\"
        min      = [0, 0, 0]
        max      = [0.03, 0.03, 0.1]
        material = \"glass\"
        [[wall]]
        name     = \"lid\"
        kind     = \"plane\"
        point    = [0, 0, 0.08]
        normal   = [0, 0, -1]
        material = \"glass\"
        drive    = { velocity = [0, 0, -0.05] }
    ";
    AnyScenario::parse("gas", text, &[], Reader::default()).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}
