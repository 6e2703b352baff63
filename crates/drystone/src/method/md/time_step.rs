//! The automatic time step: a fraction of the shortest collision that can happen.

use super::options::MdOptions;
use crate::dim::{Dim, Vector};
use crate::law::soft::Couple;
use crate::law::soft::collision::head_on;
use crate::method::TimeStepChoice;
use crate::world::World;

/// Shortest collision of a world [s]: of the lightest and smallest grains of every pair of materials, with damping and
/// cut, at the largest velocity to expect. [Wolf eq. 12, 15; corrected: with the cut damping shortens it]
pub fn shortest_collision<D: Dim>(world: &World<D>, speed: Option<f64>) -> f64 {
    let speed = speed.unwrap_or_else(|| largest_speed(world));
    let bodies = &world.bodies;
    let mut shortest = f64::INFINITY;
    let materials = world.setup.laws.materials();
    for k in 0..materials * materials {
        let (one, other) = (k / materials, k % materials);
        let Some(law) = world.setup.laws.soft(one as u16, other as u16) else { continue };
        let lightest = |material: usize| {
            let own = world.grains().filter(|k| usize::from(bodies.material[*k]) == material);
            own.fold((f64::INFINITY, f64::INFINITY), |(mass, radius), k| {
                let (inertia, shape) = (&bodies.inertia[k], &bodies.shape[k]);
                // a ball of a clump turns away when it is hit: its inverse effective mass is 1/m + r^2 / I
                let inner = bodies.inner_radius(k);
                let arm = shape.radius() - inner;
                let inv_i = (0..D::Moments::LEN).map(|axis| inertia.inv_i.get(axis)).fold(0.0, f64::max);
                let resists = 1.0 / (inertia.inv_m + arm * arm * inv_i);
                (mass.min(resists), radius.min(inner))
            })
        };
        let ((m1, r1), (m2, r2)) = (lightest(one), lightest(other));
        let (mass, radius) = (1.0 / (1.0 / m1 + 1.0 / m2), 1.0 / (1.0 / r1 + 1.0 / r2));
        if mass.is_finite() && radius.is_finite() {
            shortest = shortest.min(head_on(&*law.normal, Couple { mass, radius }, speed).duration);
        }
    }
    shortest
}

/// Twice the fastest initial speed of grains or walls, plus the speed of a fall through all grains [m/s]; 1 m/s if both
/// are zero.
pub fn largest_speed<D: Dim>(world: &World<D>) -> f64 {
    let bodies = &world.bodies;
    let grains = bodies.twist.iter().map(|twist| twist.v.norm());
    let fastest = grains.chain(world.setup.walls.iter().map(|wall| wall.drive.fastest())).fold(0.0, f64::max);
    let sum = 2.0 * fastest + falling_speed(world, world.gravity);
    if sum > 0.0 { sum } else { 1.0 }
}

/// Speed of a fall through all grains [m/s].
pub fn falling_speed<D: Dim>(world: &World<D>, gravity: D::Vec) -> f64 {
    let bodies = &world.bodies;
    let (low, high) = world.grains().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), k| {
        let (head, radius) = (-bodies.pose[k].x.dot(gravity), bodies.shape[k].radius() * gravity.norm());
        (low.min(head - radius), high.max(head + radius))
    });
    if high > low { (2.0 * (high - low)).sqrt() } else { 0.0 }
}

/// The time step, and the longest advisable one [s].
pub fn time_step<D: Dim>(world: &World<D>, options: &MdOptions) -> (f64, f64) {
    let advisable = *options.fraction * shortest_collision(world, options.speed.map(|speed| *speed));
    match options.time_step {
        TimeStepChoice::Auto => (advisable, advisable),
        TimeStepChoice::Given(dt) => (dt, advisable),
    }
}
