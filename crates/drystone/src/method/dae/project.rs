//! Lubich's projection onto the constraints, which removes the drift of the integrator. [Chen eq. 22 to 25]

use super::contact_history::{FrictionMode, find};
use super::field::DaeField;
use super::mobility::Mobility;
use super::multipliers::push;
use crate::body::Twist;
use crate::contact::Coincident;
use crate::dim::Dim;
use crate::link::ConstraintRow;
use crate::world::World;

/// Largest number of rounds of a projection; each squares the error, down to rounding.
const ROUNDS: usize = 12;

impl<D: Dim> DaeField<D> {
    /// Moves the bodies back onto the constraints of rods and joints: M (q - q~) + G^T(q~) m = 0, g(q) = 0. [Chen eq.
    /// 22, 23]
    pub fn project_positions(&mut self, world: &mut World<D>) {
        if world.setup.links.constraints.is_empty() {
            return;
        }
        let mobility = Mobility::all(world);
        let rows = |world: &World<D>| -> Vec<ConstraintRow<D>> {
            world.setup.links.constraints.iter().flat_map(|constraint| constraint.rows(&world.bodies)).collect()
        };
        let start = rows(world);
        if !self.multipliers.factorise(&start, &mobility) {
            return;
        }
        let mut size = f64::INFINITY;
        for _ in 0..ROUNDS {
            let miss: Vec<f64> = rows(world).iter().map(|row| row.miss).collect();
            let largest = miss.iter().fold(0.0_f64, |most, miss| most.max(miss.abs()));
            if largest == 0.0 || largest >= size {
                break;
            }
            size = largest;
            let found = self.multipliers.solve(&start, &mobility, &miss);
            for (pose, Twist { v, w }) in world.bodies.pose.iter_mut().zip(push(&start, &mobility, &found)) {
                pose.x -= v;
                pose.q = D::turn(pose.q, -w, 1.0);
            }
        }
    }

    /// Removes from the velocities what violates constraints: M (u - u~) + G^T(q) m = 0, G(q) u = 0. [Chen eq. 24, 25]
    ///
    /// Contacts that stick are constraints on velocities alone: their slip is zero.
    pub fn project_velocities(&mut self, world: &mut World<D>) -> Result<(), Coincident> {
        let mut rows: Vec<ConstraintRow<D>> =
            world.setup.links.constraints.iter().flat_map(|constraint| constraint.rows(&world.bodies)).collect();
        let sticks: Vec<_> = self
            .histories
            .iter()
            .filter(|history| history.mode == FrictionMode::Stick || history.is_halted)
            .copied()
            .collect();
        if !sticks.is_empty() {
            for soft_contact in self.find_contacts(world)? {
                if find(&sticks, soft_contact.contact.key).is_some() {
                    rows.extend(soft_contact.rows(&world.bodies, &[]));
                }
            }
        }
        if rows.is_empty() {
            return Ok(());
        }
        let before = world.kinetic_energy();
        if self.project_onto(&rows, world) {
            let after = world.kinetic_energy();
            self.worked[1] += before - after;
        }
        Ok(())
    }

    /// Removes from the velocities what violates rows of constraints. Returns whether there are any.
    pub(super) fn project_onto(&mut self, rows: &[ConstraintRow<D>], world: &mut World<D>) -> bool {
        let mobility = Mobility::all(world);
        if rows.is_empty() || !self.multipliers.factorise(rows, &mobility) {
            return false;
        }
        let mut size = f64::INFINITY;
        for _ in 0..ROUNDS {
            let rates: Vec<f64> = rows.iter().map(|row| row.rate(&world.bodies.twist)).collect();
            let largest = rates.iter().fold(0.0_f64, |most, rate| most.max(rate.abs()));
            if largest == 0.0 || largest >= size {
                break;
            }
            size = largest;
            let found = self.multipliers.solve(rows, &mobility, &rates);
            for (twist, Twist { v, w }) in world.bodies.twist.iter_mut().zip(push(rows, &mobility, &found)) {
                (twist.v, twist.w) = (twist.v - v, twist.w - w);
            }
        }
        true
    }
}
