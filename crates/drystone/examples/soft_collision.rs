//! Soft grains: two spheres meet head-on and part with the restitution that was asked for.
//!
//! `cargo run --release -p drystone --example soft_collision`

use drystone::d3::{SoftParticles, World};
use drystone::law::soft::normal::Hooke;
use drystone::law::soft::{NormalChoice, Soft};
use drystone::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (radius, speed, restitution) = (0.005, 0.2, 0.8);
    let soft = Soft::new(NormalChoice::Hooke(Hooke::new(1e5)));
    let mut world = World::builder()
        .material("glass", 2500.0)
        .contact("glass", "glass", Pair::with_friction(0.0).with_restitution(restitution).with_soft(soft))
        .grain(Grain::sphere(radius).at([0.0, 0.0, 0.0]).velocity([speed, 0.0, 0.0]))
        .grain(Grain::sphere(radius).at([2.001 * radius, 0.0, 0.0]))
        .build()?;

    let mut method = SoftParticles::new(MdOptions::default(), &world); // a fiftieth of the collision
    println!("time step {:.2e} s", method.time_step());
    let mut deepest = 0.0_f64;
    for _ in 0..200 {
        deepest = deepest.max(method.step(&mut world)?.max_overlap);
    }
    let rebound = world.bodies.twist[1].v.x - world.bodies.twist[0].v.x;
    println!("restitution {:.4}, deepest overlap {:.2} % of the radius", rebound / speed, 100.0 * deepest);
    assert!((rebound / speed - restitution).abs() < 1e-3, "to the accuracy of the time step");

    // contacts and the energy balance of soft grains are worked out on request
    method.publish(&mut world);
    let reduced_mass = 0.5 * world.bodies.inertia[0].mass();
    let lost = 0.5 * reduced_mass * speed * speed * (1.0 - restitution * restitution);
    assert!((world.ledger().dissipated / lost - 1.0).abs() < 1e-2);
    Ok(())
}
