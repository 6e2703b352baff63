//! Static friction as a constraint: a block on a slope stays where it is, and slides with the acceleration of the
//! textbook once the slope is too steep.
//!
//! `cargo run --release -p drystone --example static_friction`

use drystone::d2::{Dae, World};
use drystone::law::soft::normal::Hooke;
use drystone::law::soft::{NormalChoice, Soft};
use drystone::prelude::*;

/// How far a block slides in a second on a slope of so many degrees, with a friction of 0.5 [m].
fn slide(degrees: f64) -> Result<f64, Box<dyn std::error::Error>> {
    let (sin, cos) = f64::to_radians(degrees).sin_cos();
    let (stiffness, radius) = (1e6, 0.05);
    let soft = Soft::new(NormalChoice::Hooke(Hooke::new(stiffness)));
    let mass = 2000.0 * std::f64::consts::PI * radius * radius;
    let overlap = mass * 9.81 * cos / stiffness; // it lies as its weight presses it in
    let mut world = World::builder()
        .gravity([9.81 * sin, -9.81 * cos])
        .material("stone", 2000.0)
        .contact("stone", "stone", Pair::with_friction(0.5).with_restitution(0.5).with_soft(soft))
        .wall(Wall::plane("slope", [0.0, 0.0], [0.0, 1.0]))
        .grain(Grain::disk(radius).at([0.0, radius - overlap]).without_turning().named("block"))
        .build()?;
    let block = world.body_of_name("block").expect("it was built");
    let mut method = Dae::new(DaeOptions::with_time_step(1e-3), &world);
    for _ in 0..1000 {
        method.step(&mut world)?;
    }
    println!("{degrees} degrees: {:.3e} m in {} s", world.bodies.pose[block].x.x, world.clock.time);
    Ok(world.bodies.pose[block].x.x)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    assert!(slide(20.0)?.abs() < 1e-12, "tan 20 < 0.5: friction holds, without creep");
    let (sin, cos) = f64::to_radians(40.0).sin_cos();
    let expected = 0.5 * 9.81 * (sin - 0.5 * cos);
    assert!((slide(40.0)? / expected - 1.0).abs() < 1e-3, "tan 40 > 0.5: g (sin - mu cos) t^2 / 2");
    Ok(())
}
