//! A measure of one's own, as a column of the series and for an observer: the height of the centre of mass.
//!
//! `cargo run --release -p drystone --example own_measure`

use drystone::d2::{Scenario, Simulation};
use drystone::dim::{Dim, Vector};
use drystone::measure::{Column, Measure};
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

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut simulation = Simulation::new(&Scenario::parse(SCENARIO)?, ".".as_ref())?;
    simulation.measure(Height); // a column of series.csv, once the run is recorded
    simulation.observe(50, |world, step| {
        println!("t = {:.3} s, height = {:.3} mm", step.time, 1e3 * Height.sample(world)[0]);
    });
    simulation.run()?;
    let height = Height.sample(simulation.world())[0];
    // 50 disks with an area of pi mm2 each in a box of 20 mm, with a solid fraction of 0.7 to 0.9, lie 8.7 to 11.2 mm
    // high
    assert!((4.3e-3..5.7e-3).contains(&height), "half of that: {height}");
    Ok(())
}
