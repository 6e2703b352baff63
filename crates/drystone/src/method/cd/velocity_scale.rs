//! Reference motions: the speeds that errors of velocities are compared with.
//!
//! A contact law that is missed by F is an exact law for velocities that differ by F / m_t (see [`super::residual`]).
//! This file says how large F / m_t may be: a part of the reference speed of the slower of the two bodies. The speed of
//! a body is that of its kinetic energy, s = (2 K / m)^1/2, the larger one of the start and the end of the step. The
//! reference speed is that speed, but not less than the part [`SLOW`] of the mean speed of all bodies, and not less
//! than the reference of bodies at rest: the whole of the motion that walls, cells and growing grains impose, or, where
//! nothing is imposed, the part [`SLOW`] of the fall, the velocity that all external forces together give to all bodies
//! together in the step. So bodies at rest are compared with the fall, and a driven flow, however slow, with its drive.
//!
//! Errors of contacts in a row add up: a column moves by the sum of the velocities by which its contacts miss their
//! laws. By the principle of virtual work the impulses r of a step weight them as they add up. If all contacts of a bed
//! gave way by d = F / m_t, the sum of r . d would be that of p . v over all bodies, where p is the impulse of the
//! contacts on a body and v the error of its velocity. So the sum of |r| |F| / m_t over that of |p| is the mean error
//! of the velocities. Impulses from two opposite sides cancel in p: there a row carries its impulse from end to end,
//! and |p| is at least the sum of |r| over the number of contacts in a row. This error is compared with the mean speed,
//! or with the reference of bodies at rest if that is larger.
//!
//! Means are weighted by mass, so that a light and fast grain does not hide how a heavy and slow one moves.

use super::residual::Misfit;
use crate::contact::Contact;
use crate::dim::{Dim, Vector};
use crate::method::common::solver_body::SolverBody;
use crate::threads;
use crate::world::World;

/// Part of the mean motion and of the fall that is the reference of slower bodies. At the default accuracy velocities
/// of grains at rest are then known to a thousandth of what they would gain in a step without contacts: overlaps by
/// noise stay below those that the limit of their growth allows.
pub(crate) const SLOW: f64 = 1e-2;

/// Speeds of all bodies before the step, and the reference of slow ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct VelocityScale {
    /// Squares of the speeds before the step, in the order of the slabs [m2/s2].
    before: Vec<f64>,
    /// Sum of the sizes of the external impulses over the sum of the masses [m/s].
    fall: f64,
    /// Sum of the masses that can move [kg].
    mass: f64,
    /// The fastest motion that is imposed, if any is [m/s].
    imposed: Option<f64>,
    /// Contacts in a row, at most.
    row: f64,
}

impl VelocityScale {
    /// Takes all bodies before the step, and with their free motion.
    pub(crate) fn set_bodies<D: Dim>(&mut self, before: &[SolverBody<D>], free: &[SolverBody<D>]) {
        threads::fill(&mut self.before, before.len(), |k| speed_squared(&before[k]));
        let parts = threads::table(free.len(), |k| {
            let mass = mass(&free[k]);
            [mass * (free[k].twist().v - before[k].twist().v).norm(), mass]
        });
        let [impulses, masses] = sums(&parts);
        self.fall = if masses > 0.0 { impulses / masses } else { 0.0 };
        self.mass = masses;
    }

    /// Whether a motion is imposed.
    pub(crate) fn is_driven(&self) -> bool {
        self.imposed.is_some()
    }

    /// The fall [m/s].
    pub(crate) fn fall(&self) -> f64 {
        self.fall
    }

    /// Energy of all bodies if they moved with the fall, or with the fastest motion that is imposed [J].
    pub(crate) fn energy(&self) -> f64 {
        self.mass * self.fall.max(self.imposed.unwrap_or(0.0)).powi(2)
    }

    /// Finds the motions that are imposed: of walls and of surfaces that grow, and at the contacts of walls that spin
    /// and of images.
    pub(crate) fn set_contacts<D: Dim>(&mut self, world: &World<D>) {
        let bodies = &world.bodies;
        let held = || (0..world.setup.walls.len()).filter(|wall| !bodies.inertia[*wall].is_movable());
        let walls = held().map(|wall| bodies.twist[wall].v.norm()).fold(0.0, f64::max);
        let growth = world.setup.growth.abs() * threads::largest(world.grains(), 0.0, |k| bodies.shape[k].radius());
        let mut fastest = walls.max(growth);
        if held().any(|wall| bodies.twist[wall].w != D::Spin::ZERO) || world.cell.is_some() {
            let imposed = |contact: &Contact<D>| {
                let a = contact.key.a as usize;
                let rim =
                    if a < world.setup.walls.len() { D::swing(bodies.twist[a].w, contact.arm_a) } else { D::Vec::ZERO };
                rim.norm().max(world.forced_image_velocity(contact).norm())
            };
            fastest = world.network.contacts.iter().map(imposed).fold(fastest, f64::max);
        }
        self.imposed = (fastest > 0.0).then_some(fastest);
        self.row = longest_row(world);
    }

    /// One over the square of the reference speed of each body [s2/m2]; zero for immovable ones.
    pub(crate) fn inverse_squares<D: Dim>(&self, solver_bodies: &[SolverBody<D>]) -> Vec<f64> {
        let after = threads::table(solver_bodies.len(), |k| speed_squared(&solver_bodies[k]));
        let least = (SLOW * mean_speed(solver_bodies, &after)).max(self.at_rest()).powi(2);
        threads::table(after.len(), |k| match solver_bodies[k].inv_m() > 0.0 {
            true => 1.0 / after[k].max(self.before[k]).max(least),
            false => 0.0,
        })
    }

    /// Error of the velocities from contacts in a row, over the mean motion.
    pub(crate) fn error_in_a_row<D: Dim>(
        &self,
        misfit: &Misfit,
        solver_bodies: &[SolverBody<D>],
        free: &[SolverBody<D>],
    ) -> f64 {
        if misfit.virtual_work == 0.0 {
            return 0.0;
        }
        let given = threads::table(solver_bodies.len(), |k| match solver_bodies[k].inv_m() > 0.0 {
            true => (solver_bodies[k].twist().v - free[k].twist().v).norm() / solver_bodies[k].inv_m(),
            false => 0.0,
        });
        let given: f64 = given.into_iter().sum();
        let carried = misfit.impulses / self.row;
        let after = threads::table(solver_bodies.len(), |k| speed_squared(&solver_bodies[k]));
        let mean = mean_speed(solver_bodies, &after).max(mean_speed(solver_bodies, &self.before)).max(self.at_rest());
        misfit.virtual_work / given.max(carried) / mean
    }

    /// Reference speed of bodies at rest [m/s].
    fn at_rest(&self) -> f64 {
        self.imposed.unwrap_or(SLOW * self.fall)
    }
}

/// Mean over all bodies that can move, by their masses.
fn mean_speed<D: Dim>(solver_bodies: &[SolverBody<D>], squares: &[f64]) -> f64 {
    let parts = threads::table(solver_bodies.len(), |k| match solver_bodies[k].inv_m() > 0.0 {
        true => [squares[k].sqrt() / solver_bodies[k].inv_m(), 1.0 / solver_bodies[k].inv_m()],
        false => [0.0; 2],
    });
    let [momenta, masses] = sums(&parts);
    if masses > 0.0 { momenta / masses } else { 0.0 }
}

/// Mass of a body; zero if it cannot move [kg].
fn mass<D: Dim>(solver_body: &SolverBody<D>) -> f64 {
    if solver_body.inv_m() > 0.0 { 1.0 / solver_body.inv_m() } else { 0.0 }
}

/// Both sums, in the order of the bodies: the same on any number of threads.
fn sums(parts: &[[f64; 2]]) -> [f64; 2] {
    parts.iter().fold([0.0; 2], |[one, other], part| [one + part[0], other + part[1]])
}

/// The longest side of the box around all grains, or of the cell where it repeats, over their mean diameter.
fn longest_row<D: Dim>(world: &World<D>) -> f64 {
    let bodies = &world.bodies;
    let side = |axis: usize| {
        if let Some(cell) = world.cell.as_ref().filter(|cell| cell.is_periodic[axis]) {
            return cell.lengths.get(axis);
        }
        let end = |k: usize, sign: f64| sign * bodies.pose[k].x.get(axis) + bodies.shape[k].radius();
        let furthest = |sign: f64| threads::largest(world.grains(), f64::NEG_INFINITY, |k| end(k, sign));
        furthest(1.0) + furthest(-1.0)
    };
    let diameters: f64 = world.grains().map(|k| 2.0 * bodies.shape[k].radius()).sum();
    let longest = (0..D::DIMENSION).map(side).fold(0.0, f64::max);
    if diameters > 0.0 { longest * world.grains().len() as f64 / diameters } else { 1.0 }
}

/// 2 K / m: v^2 + (I/m) w^2.
fn speed_squared<D: Dim>(solver_body: &SolverBody<D>) -> f64 {
    let twist = solver_body.twist();
    let turning = if solver_body.inv_i() > 0.0 {
        solver_body.inv_m() / solver_body.inv_i() * twist.w.norm_squared()
    } else {
        0.0
    };
    twist.v.norm_squared() + turning
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Twist;
    use crate::dim::D2;
    use glam::DVec2;

    /// Every contact of a column of ten gives way by `d`: the kth grain sinks by k d, and the mean of that, weighted by
    /// what contacts give to each, is what the virtual work says.
    #[test]
    fn errors_in_a_row_add_up() {
        let (grains, mass, fall, d) = (10, 2.0, 1.0, 1e-3);
        let solver_body = |v: f64| SolverBody::<D2>::of(&Twist { v: DVec2::new(0.0, v), w: 0.0 }, 1.0 / mass, 0.0);
        let free = vec![solver_body(-fall); grains];
        let solver_bodies: Vec<_> = (1..=grains).map(|k| solver_body(-(k as f64) * d)).collect();
        let given = |k: usize| mass * (fall - (k as f64) * d);
        let impulse = |k: usize| (k..=grains).map(given).sum::<f64>(); // carried by the contact below the kth
        let misfit = Misfit {
            impulses: (1..=grains).map(impulse).sum(),
            virtual_work: (1..=grains).map(|k| impulse(k) * d).sum(),
            ..Misfit::default()
        };
        let mut scale = VelocityScale { row: grains as f64, ..VelocityScale::default() };
        scale.set_bodies(&vec![solver_body(0.0); grains], &free);
        let sum = |of: &dyn Fn(usize) -> f64| (1..=grains).map(of).sum::<f64>();
        let mean_error = sum(&|k| given(k) * k as f64 * d) / sum(&given);
        let mean_speed = sum(&|k| k as f64 * d) / grains as f64;
        let found = scale.error_in_a_row(&misfit, &solver_bodies, &free);
        let expected = mean_error / mean_speed.max(SLOW * fall);
        assert!((found - expected).abs() < 1e-12 * expected, "{found} {expected}");
    }
}
