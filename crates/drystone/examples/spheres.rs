//! In space: a lattice of 216 spheres falls into a box and settles; every step says how exactly it was solved.
//!
//! `cargo run --release -p drystone --example spheres`

use drystone::d3::{ContactDynamics, World};
use drystone::law::Pair;
use drystone::measure::Measures;
use drystone::method::cd::{Accuracy, Ladder};
use drystone::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (radius, side) = (0.005, 6);
    let place = |k: usize| [k % side, k / side % side, k / (side * side)].map(|n| radius * (1.1 + 2.1 * n as f64));
    let mut world = World::builder()
        .gravity([0.0, 0.0, -9.81])
        .material("glass", 2500.0)
        .contact("glass", "glass", Pair::with_friction(0.4))
        .wall(Wall::cuboid("box", [0.0; 3], [0.07, 0.07, 0.2]))
        .grains((0..side.pow(3)).map(|k| Grain::sphere(radius).at(place(k))))
        .build()?;

    let options = CdOptions { accuracy: Accuracy::Named(Ladder::Flow), ..CdOptions::with_time_step(0.5e-3) };
    let mut method = ContactDynamics::new(options);
    for step in 1..=400 {
        let report = method.step(&mut world)?;
        assert!(report.converged, "step {step}: residual {:.1e}", report.residual);
        if step % 50 == 0 {
            let sample = |measure: Measures| measure.of_world().map_or(Vec::new(), |measure| measure.sample(&world));
            let (energy, contacts) = (sample(Measures::EnergyTerms)[0], sample(Measures::ContactCounts)[0]);
            println!("t = {:.3} s: kinetic energy {energy:.2e} J, {contacts} contacts carry a force", report.time);
        }
    }
    Ok(())
}
