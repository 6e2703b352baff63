//! A soft law of the program's own: two spheres meet head-on under f = k xi^2, and part as energy says.
//!
//! `cargo run --release -p drystone --example own_law`

use drystone::d3::{SoftParticles, World};
use drystone::law::soft::normal::{Push, Squeeze};
use drystone::law::soft::{Couple, NormalForce, SoftLaw};
use drystone::prelude::*;

/// f = k xi^2, without losses.
#[derive(Debug)]
struct Quadratic {
    /// k [N/m2].
    stiffness: f64,
}

impl NormalForce for Quadratic {
    fn push(&self, _: Couple, Squeeze { overlap, .. }: Squeeze, _: &mut f64) -> Push {
        let slope = self.stiffness * overlap;
        Push { force: slope * overlap, stiffness: 2.0 * slope, damping: 0.0 }
    }
    fn stored(&self, _: Couple, overlap: f64, _: f64) -> f64 {
        self.stiffness * overlap.powi(3) / 3.0
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (k, speed, radius) = (1e9, 1.0, 0.01);
    let (a, b) = (0, 1);
    let mut world = World::builder()
        .material("rubber", 2500.0)
        .contact("rubber", "rubber", Pair::with_friction(0.0))
        .grain(Grain::sphere(radius).velocity([0.5 * speed, 0.0, 0.0]))
        .grain(Grain::sphere(radius).at([2.001 * radius, 0.0, 0.0]).velocity([-0.5 * speed, 0.0, 0.0]))
        .build()?;
    world.setup.laws.set_soft(0, 0, SoftLaw::smooth(Quadratic { stiffness: k }));

    let mut method = SoftParticles::new(MdOptions::with_time_step(1e-7), &world);
    let apart = |world: &World| world.bodies.pose[b].x.x - world.bodies.pose[a].x.x;
    let mut deepest: f64 = 0.0;
    while deepest == 0.0 || apart(&world) < 2.0 * radius {
        method.step(&mut world)?;
        deepest = deepest.max(2.0 * radius - apart(&world));
    }
    let rebound = world.bodies.twist[b].v.x - world.bodies.twist[a].v.x;

    // 1/2 m* v^2 = 1/3 k xi^3 where the spheres turn back
    let reduced_mass = 0.5 * world.bodies.inertia[a].mass();
    let expected = (1.5 * reduced_mass * speed * speed / k).cbrt();
    println!("rebound {rebound:.9} m/s after {speed} m/s; deepest overlap {deepest:.6e} m, by energy {expected:.6e} m");
    assert!((rebound / speed - 1.0).abs() < 1e-6, "a law without losses gives the speed back");
    assert!((deepest / expected - 1.0).abs() < 1e-3, "the overlap is that of the energy integral");
    Ok(())
}
