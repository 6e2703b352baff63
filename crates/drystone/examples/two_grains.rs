//! Rigid grains: two disks meet, and the impulse of their contact is printed.
//!
//! `cargo run --release -p drystone --example two_grains`

use drystone::d2::{ContactDynamics, World};
use drystone::law::Pair;
use drystone::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // radius 10 mm, 2650 kg/m3; their surfaces are 1 mm apart
    let mut world = World::builder()
        .material("quartz", 2650.0)
        .contact("quartz", "quartz", Pair::with_friction(0.3))
        .grain(Grain::disk(0.01).at([0.0, 0.0]).velocity([0.5, 0.0]))
        .grain(Grain::disk(0.01).at([0.021, 0.0]).velocity([-0.5, 0.2]))
        .build()?;

    let mut method = ContactDynamics::new(CdOptions::with_time_step(0.5e-3));
    for _ in 0..4 {
        let report = method.step(&mut world)?;
        print!("t = {:.1} ms, {} sweeps:", 1e3 * report.time, report.sweeps);
        for (contact, memory) in world.network().contacts.iter().zip(&world.network().memory) {
            print!(" gap {:.3} mm, impulse ({:.3}, {:.3}) N s", 1e3 * contact.gap, memory.impulse.x, memory.impulse.y);
        }
        println!();
    }
    // without bounce they hardly approach each other any more, and no momentum is lost
    let [a, b] = [0, 1].map(|k| world.bodies.twist[k].v);
    assert!((a.x - b.x).abs() < 0.01 && (a.x + b.x).abs() < 1e-12 && (a.y + b.y - 0.2).abs() < 1e-12);
    Ok(())
}
