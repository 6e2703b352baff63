//! Clumps in the field of forces: the forces on their balls act on them.

use super::Field;
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::{Dim, Vector};
use crate::method::md::beads::Beads;
use crate::method::md::images::Images;
use crate::method::md::integrator::{along, drift_body};
use crate::method::md::patch::Patch;
use crate::method::md::unit::Unit;
use crate::world::World;

impl<D: Dim> Field<D> {
    /// As [`Field::leap`]: a body whose moments differ keeps its angular momentum while it drifts, and the first half of
    /// the kick is done before.
    pub(super) fn leap_clumps(&mut self, world: &mut World<D>, dt: f64, step: f64) -> Result<(), Coincident> {
        world.remember_twists();
        let mut seen = Vec::with_capacity(self.accel.len());
        let mut fastest = 0.0_f64;
        for (k, rate) in self.accel.iter().enumerate() {
            let mut twist = along(&world.bodies.twist[k], rate, 0.5 * dt);
            drift_body(&mut world.bodies.pose[k], &mut twist, &world.bodies.inertia[k], dt);
            world.bodies.twist[k] = twist;
            seen.push(along(&twist, rate, 0.5 * dt));
            fastest = fastest.max(twist.v.norm() + twist.w.norm() * world.bodies.shape[k].radius());
        }
        if let Some(beads) = &mut self.beads {
            beads.follow(&world.bodies, &seen);
        }
        self.cell.clone_from(&world.cell);
        self.drift_cell(world, dt);
        self.look(world, dt, step, fastest * dt.abs())?;
        for (twist, accel) in world.bodies.twist.iter_mut().zip(&self.accel) {
            *twist = along(twist, accel, 0.5 * dt);
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
                    w: D::spin(&world.bodies.inverse_inertia(k), load[k].w),
                },
                false => Twist::default(),
            };
        }
    }
}

/// Adds the forces of the pairs of a unit to the loads of the clumps.
pub(super) fn load_clumps<D: Dim>(
    load: &mut [Twist<D>],
    beads: &Beads<D>,
    images: &Images<D>,
    (unit, patch): (&Unit<D>, &Patch<D>),
) {
    for (bead, wrench) in unit.bodies().zip(&patch.wrench) {
        let bead = images.body(bead, beads.bodies.len()) as usize;
        let (sum, Twist { v, w }) = (&mut load[beads.owner[bead] as usize], wrench.twist());
        (sum.v, sum.w) = (sum.v + v, sum.w + w + D::torque(beads.turned[bead], v));
    }
}
