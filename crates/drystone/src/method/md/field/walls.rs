//! Walls under the forces of soft grains: their motion and work.

use super::ForceField;
use crate::body::Twist;
use crate::dim::{Dim, Vector};
use crate::method::md::integrator::{drift, kicked};
use crate::world::World;

impl<D: Dim> ForceField<D> {
    /// Moves the walls over `dt` with their velocities after half a kick.
    pub(super) fn drift_walls(&self, world: &mut World<D>, dt: f64) {
        let walls = world.state.bodies.pose.iter_mut().zip(&world.state.bodies.twist).zip(&self.accel);
        for ((pose, twist), rate) in walls.take(world.setup.walls.len()) {
            drift(pose, &kicked(twist, rate, 0.5 * dt), dt);
        }
    }

    /// Adds to the energy balance of the step what contacts took in while the forces act, for `dt`, and the work of
    /// moving walls and images.
    pub(super) fn add_to_energy_balance(&mut self, world: &World<D>, dt: f64) {
        self.worked.iter_mut().zip(self.taken).for_each(|(sum, rate)| *sum += rate * dt);
        self.image_work += self.image_power() * dt;
        self.swell_work += self.swelling * dt;
        let loads = self.wall_work.iter_mut().zip(&self.on_walls).zip(&world.bodies.twist);
        for (wall, ((sum, load), twist)) in loads.enumerate() {
            let Twist { v: mut force, w: torque } = *load;
            if let (true, Some(axis)) = (world.bodies.inertia[wall].is_movable(), world.wall_axis(wall)) {
                force = force.tangent_to(axis); // along its normal a piston is moved by its own drive
            }
            *sum -= (force.dot(twist.v) + torque.dot(twist.w)) * dt;
        }
    }

    /// Finds the accelerations of pistons, which move along their normals only. With `kick`, half a step, velocities get
    /// both half kicks of velocity Verlet: the first by the old accelerations, the second by the new ones.
    pub(super) fn accelerate_walls(&mut self, world: &mut World<D>, step: f64, kick: Option<f64>) {
        let now = world.clock.time;
        for wall in 0..world.setup.walls.len() {
            let twist = world.bodies.twist[wall];
            let halfway = kick.map_or(twist, |kick| kicked(&twist, &self.accel[wall], kick));
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
            world.bodies.twist[wall] = kicked(&halfway, &self.accel[wall], kick.unwrap_or_default());
        }
    }
}
