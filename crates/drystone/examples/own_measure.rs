//! A measure of one's own: the height of the centre of mass of a scenario that is stepped by hand.
//!
//! `cargo run --release -p drystone --example own_measure`

use std::path::Path;

use drystone::dim::{Dim, Vector};
use drystone::input::Reader;
use drystone::measure::{Column, Measure};
use drystone::scenario::AnyScenario;
use drystone::sim::{Run, Simulation};
use drystone::world::World;

const SCENARIO: &str = r#"
title     = "Fifty disks fall into a box"
dimension = 2
seed      = 1
gravity   = [0, "-9.81 m/s2"]
material  = [{ name = "sand", density = "2650 kg/m3" }]
contact   = [{ between = ["sand", "sand"], friction = 0.5 }]
grains    = [{ material = "sand", shape = { kind = "disk", radius = "1 mm" }, count = 50, place = { how = "random", min = [0, 0], max = ["20 mm", "40 mm"] } }]
wall      = [{ name = "box", material = "sand", kind = "box", min = [0, 0], max = ["20 mm", "50 mm"] }]
stop      = { at = "200 ms" }
method    = { use = "cd", cd = { time_step = "0.5 ms" } }
"#;

/// Height of the centre of mass over the origin. In the library it would be one file and one line in `Measures`.
struct Height;

impl<D: Dim> Measure<D> for Height {
    fn columns(&self) -> Vec<Column> {
        vec![Column::new("height", "m")]
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        let (mut moment, mut mass) = (0.0, 0.0);
        for k in world.grains().filter(|k| world.bodies.inertia[*k].is_movable()) {
            mass += world.bodies.inertia[k].mass();
            moment += world.bodies.inertia[k].mass() * world.bodies.pose[k].x.get(D::DIMENSION - 1);
        }
        vec![if mass > 0.0 { moment / mass } else { 0.0 }]
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let here = Path::new(".");
    let AnyScenario::Plane(scenario) = AnyScenario::parse("fall", SCENARIO, &[], Reader::new(here.into()))? else {
        unreachable!("the scenario is two-dimensional");
    };
    let mut simulation = Simulation::new(&scenario, here)?;
    while let Some(step) = simulation.advance()? {
        if step.step % 50 == 0 {
            println!("t = {:.3} s, height = {:.3} mm", step.time, 1e3 * Height.sample(simulation.world())[0]);
        }
    }
    Ok(())
}
