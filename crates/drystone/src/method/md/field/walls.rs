//! Walls under the forces of soft grains: how they move, and what work they do.

use super::Field;
use crate::body::Twist;
use crate::dim::{Dim, Vector};
use crate::method::md::integrator::{along, drift};
use crate::world::World;

impl<D: Dim> Field<D> {
    /// Moves the walls over `dt` as they move after half a kick.
    pub(super) fn drift_walls(&self, world: &mut World<D>, dt: f64) {
        let walls = world.bodies.pose.iter_mut().zip(&world.bodies.twist).zip(&self.accel);
        for ((pose, twist), rate) in walls.take(world.walls.len()) {
            drift(pose, &along(twist, rate, 0.5 * dt), dt);
        }
    }

    /// Enters what contacts took in since the look `dt` before, and what the motion of walls and images put in.
    pub(super) fn keep_books(&mut self, world: &World<D>, dt: f64) {
        self.worked.iter_mut().zip(self.taken).for_each(|(sum, rate)| *sum += rate * dt);
        self.image_work += self.image_power() * dt;
        self.swell_work += self.swelling * dt;
        let loads = self.wall_work.iter_mut().zip(&self.on_walls).zip(&world.bodies.twist);
        for (wall, ((sum, load), twist)) in loads.enumerate() {
            let Twist { v: mut force, w: torque } = *load;
            if let (true, Some(axis)) = (world.bodies.inertia[wall].is_movable(), world.wall_axis(wall)) {
                force = force.tangent_to(axis); // along its normal a piston is pushed by its own drive
            }
            *sum -= (force.dot(twist.v) + torque.dot(twist.w)) * dt;
        }
    }

    /// Pistons move along their normals only. They are kicked by the accelerations before and by the new ones, if at all.
    pub(super) fn accelerate_walls(&mut self, world: &mut World<D>, step: f64, kick: Option<f64>) {
        let now = world.clock.time;
        for wall in 0..world.walls.len() {
            let twist = world.bodies.twist[wall];
            let halfway = kick.map_or(twist, |kick| along(&twist, &self.accel[wall], kick));
            let drive = world.piston_force(wall, now, now + step);
            self.accel[wall] = match (drive, world.wall_axis(wall)) {
                (Some(force), Some(axis)) => {
                    let force = force + self.on_walls[wall].v.dot(axis);
                    Twist {
                        v: axis * (world.gravity.dot(axis) + force * world.bodies.inertia[wall].inv_m),
                        w: D::Spin::ZERO,
                    }
                }
                _ => Twist::default(),
            };
            world.bodies.twist[wall] = along(&halfway, &self.accel[wall], kick.unwrap_or_default());
        }
    }
}
