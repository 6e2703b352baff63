//! A world built by hand: two disks meet, and the impulse of their contact is printed.
//!
//! `cargo run --release -p drystone --example two_grains`

use drystone::d2::{ContactDynamics, World};
use drystone::law::{Laws, Pair};
use drystone::prelude::*;

fn main() -> Result<(), StepError> {
    // one material, number 0, with friction 0.3 against itself
    let laws = Laws::new(1, |_, _| Pair::with_friction(0.3));
    let mut world = World::new(laws);

    // radius 10 mm, 2650 kg/m3; their surfaces are 1 mm apart
    let a = world.bodies.push_round([0.0, 0.0].into(), 0.01, 2650.0, 1.0, 0);
    let b = world.bodies.push_round([0.021, 0.0].into(), 0.01, 2650.0, 1.0, 1);
    world.bodies.twist[a].v = [0.5, 0.0].into();
    world.bodies.twist[b].v = [-0.5, 0.2].into();

    let mut method = ContactDynamics::new(Options::with_time_step(0.5e-3));
    for _ in 0..4 {
        let report = method.step(&mut world)?;
        println!("step {}: {} contacts, {} sweeps", report.step, report.contacts, report.sweeps);
        for (contact, memory) in world.network().closed() {
            let normal = memory.impulse.dot(contact.normal);
            let tangential = memory.impulse.tangent_to(contact.normal).norm();
            let opening = contact.velocity(&world.bodies.twist).dot(contact.normal);
            println!("  {:?}: normal {normal:.6} N s, tangential {tangential:.6} N s", memory.regime);
            println!("  gap before {:.2e} m, velocity after {opening:.2e} m/s", contact.gap);
        }
    }
    println!("dissipated: {:.6} J", world.ledger().dissipated);
    Ok(())
}
