//! A world built by hand: two disks meet, and the impulse of their contact is printed.
//!
//! `cargo run --release -p drystone --example two_grains`

use drystone::dim::{D2, Vector};
use drystone::law::{Laws, Pair};
use drystone::method::Method;
use drystone::method::cd::{ContactDynamics, Options};
use drystone::world::World;

fn main() {
    // one material, number 0, with friction 0.3 against itself
    let laws = Laws::new(1, |_, _| Pair { friction: 0.3 });
    let mut world = World::<D2> { laws, depth: 1.0, ..World::default() };

    // radius 10 mm, 2650 kg/m3; their surfaces are 1 mm apart
    let point = |x: f64, y: f64| <D2 as drystone::dim::Dim>::Vec::from_fn(|axis| [x, y][axis]);
    let a = world.bodies.push_round(point(0.0, 0.0), 0.01, 2650.0, world.depth, 0);
    let b = world.bodies.push_round(point(0.021, 0.0), 0.01, 2650.0, world.depth, 1);
    world.bodies.twist[a].v = point(0.5, 0.0);
    world.bodies.twist[b].v = point(-0.5, 0.2);

    let mut method = ContactDynamics::new(Options::with_time_step(0.5e-3));
    for _ in 0..4 {
        let report = method.step(&mut world).expect("two grains can always make a step");
        println!("step {}: {} contacts, {} sweeps", report.step, report.contacts, report.sweeps);
        for (contact, memory) in world.network.closed() {
            let normal = memory.impulse.dot(contact.normal);
            let tangential = memory.impulse.tangent_to(contact.normal).norm();
            let opening = contact.velocity(&world.bodies.twist).dot(contact.normal);
            println!("  {:?}: normal {normal:.6} N s, tangential {tangential:.6} N s", memory.regime);
            println!("  gap before {:.2e} m, velocity after {opening:.2e} m/s", contact.gap);
        }
    }
    println!("dissipated: {:.6} J", world.ledger.dissipated);
}
