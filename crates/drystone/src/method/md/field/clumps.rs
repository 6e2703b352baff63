//! Clumps in the field of forces: the forces on their balls act on them.

use super::ForceField;
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};
use crate::method::md::beads::Beads;
use crate::method::md::block::GrainBlock;
use crate::method::md::force_schedule::ForceSchedule;
use crate::method::md::images::Images;
use crate::method::md::integrator::{drift_body, kicked};
use crate::method::md::local_bodies::LocalBodies;
use crate::world::World;

impl<D: Dim> ForceField<D> {
    /// [`ForceField::kick_drift_kick`] for clumps, with both kicks and the drift in one place. A body with unequal
    /// principal moments keeps its angular momentum while it drifts, so the first half kick and the drift are done
    /// before the forces are evaluated.
    pub(super) fn kick_drift_kick_clumps(
        &mut self,
        world: &mut World<D>,
        schedule: ForceSchedule,
        step: f64,
    ) -> Result<(), Coincident> {
        let dt = schedule.since;
        world.remember_twists();
        let mut predicted = Vec::with_capacity(self.accel.len());
        let mut fastest = 0.0_f64;
        for (k, rate) in self.accel.iter().enumerate() {
            let mut twist = kicked(&world.bodies.twist[k], rate, 0.5 * dt);
            drift_body(&mut world.state.bodies.pose[k], &mut twist, &world.state.bodies.inertia[k], dt);
            world.bodies.twist[k] = twist;
            predicted.push(kicked(&twist, rate, 0.5 * dt));
            fastest = fastest.max(twist.v.norm() + twist.w.norm() * world.bodies.shape[k].radius());
        }
        if let Some(beads) = &mut self.beads {
            beads.follow(&world.bodies, &predicted);
        }
        self.cell.clone_from(&world.cell);
        self.drift_cell(world, dt);
        self.evaluate(world, schedule, step, fastest * dt.abs())?;
        for (twist, accel) in world.bodies.twist.iter_mut().zip(&self.accel) {
            *twist = kicked(twist, accel, 0.5 * dt);
        }
        if let Some(cell) = &mut world.cell {
            cell.set_motion(&cell.motion().plus(&cell.urge, 0.5 * dt));
        }
        Ok(())
    }

    /// a = g + sum f / m, I^-1 sum (t + r x f), with the loads of all balls.
    pub(super) fn accelerate_clumps(&mut self, world: &World<D>, load: &[Twist<D>]) {
        for k in world.grains() {
            let inv_m = world.bodies.inertia[k].inv_m;
            self.accel[k] = match inv_m > 0.0 {
                true => Twist {
                    v: world.pull(k) + load[k].v * inv_m,
                    w: D::spin(
                        &world.bodies.inverse_inertia(k),
                        load[k].w + world.scratch.loads.get(k).map_or(D::Spin::ZERO, |load| load.w),
                    ),
                },
                false => Twist::default(),
            };
        }
    }
}

/// Adds the forces of the pairs of a block to the loads of the clumps.
pub(super) fn load_clumps<D: Dim>(
    load: &mut [Twist<D>],
    beads: &Beads<D>,
    images: &Images<D>,
    block: &GrainBlock<D>,
    local: &LocalBodies<D>,
) {
    for (bead, wrench) in block.bodies().zip(&local.wrench) {
        let bead = images.body(bead, beads.bodies.len()) as usize;
        let (sum, Twist { v, w }) = (&mut load[beads.owner[bead] as usize], wrench.twist());
        (sum.v, sum.w) = (sum.v + v, sum.w + w + D::torque(beads.turned[bead], v));
    }
}
