//! The contact problem of a step: W, q and mu from the contacts of a world.

use super::problem::{AnyProblem, ContactProblem, DelassusBlock, Flaw, Rows};
use crate::contact::{Contact, ContactMemory};
use crate::dim::{Dim, Vector};
use crate::world::World;

impl AnyProblem {
    /// The problem that a step of length `dt` solves, from the world at its start with its contacts sensed and its
    /// walls given their velocities.
    pub fn of<D: Dim>(world: &World<D>, dt: f64) -> Result<AnyProblem, Flaw> {
        match D::DIMENSION {
            2 => ContactProblem::of(world, dt).map(AnyProblem::Plane),
            _ => ContactProblem::of(world, dt).map(AnyProblem::Space),
        }
    }
}

impl<const N: usize> ContactProblem<N> {
    /// As [`AnyProblem::of`], for a world of N dimensions: W = H^T M^-1 H and q = H^T (V + g dt) + max(gap, 0) / dt.
    pub fn of<D: Dim>(world: &World<D>, dt: f64) -> Result<ContactProblem<N>, Flaw> {
        assert_eq!(N, D::DIMENSION, "a contact has as many components as space has dimensions");
        let contacts = &world.network.contacts;
        let sides: Vec<[Side<D, N>; 2]> = contacts.iter().map(sides).collect();
        let mut of_body = vec![Vec::new(); world.bodies.len()];
        for (contact, pair) in sides.iter().enumerate() {
            for (end, side) in pair.iter().enumerate().filter(|(_, side)| is_movable(world, side.body)) {
                of_body[side.body].push((contact, end));
            }
        }
        let mut rows = Rows::default();
        for (contact, pair) in sides.iter().enumerate() {
            let mut row: Vec<(usize, DelassusBlock<N>)> = Vec::new();
            for side in pair {
                row.extend(
                    of_body[side.body].iter().map(|&(other, end)| (other, side.with(&sides[other][end], world))),
                );
            }
            row.sort_by_key(|(other, _)| *other); // stable: the sums below have one order
            for same in row.chunk_by(|one, next| one.0 == next.0) {
                rows.push(same[0].0 as u32, same.iter().fold([[0.0; N]; N], |sum, (_, block)| plus(sum, block)));
            }
            rows.skip_to(contact + 1);
        }
        let friction = |(contact, memory): (&Contact<D>, &ContactMemory<D>)| {
            let [a, b] = [contact.key.a, contact.key.b].map(|body| world.bodies.material[body as usize]);
            let slip = contact.velocity(&world.bodies.twist).tangent_to(contact.normal).norm();
            world.setup.laws.between(a, b).friction.coefficient(memory.regime, slip)
        };
        let free = contacts.iter().zip(&sides).map(|(contact, pair)| free(contact, pair, world, dt)).collect();
        ContactProblem::new(rows, free, contacts.iter().zip(&world.network.memory).map(friction).collect())
    }
}

/// One of the two bodies of a contact: a column of H for each component.
#[derive(Clone, Copy, Debug)]
struct Side<D: Dim, const N: usize> {
    body: usize,
    /// Force on the body by a unit of each component: minus on a, plus on b.
    force: [D::Vec; N],
    /// Torque on the body by a unit of each component.
    torque: [D::Spin; N],
}

fn sides<D: Dim, const N: usize>(contact: &Contact<D>) -> [Side<D, N>; 2] {
    let tangents = D::tangents(contact.normal);
    let frame: [D::Vec; N] = std::array::from_fn(|k| if k == 0 { contact.normal } else { tangents[k - 1] });
    let side = |body: u32, arm: D::Vec, sign: f64| {
        let force = frame.map(|axis| axis * sign);
        Side { body: body as usize, force, torque: force.map(|force| D::torque(arm, force)) }
    };
    [side(contact.key.a, contact.arm_a, -1.0), side(contact.key.b, contact.arm_b, 1.0)]
}

impl<D: Dim, const N: usize> Side<D, N> {
    /// What an impulse at another contact of the body does to the velocity here: H_c^T M^-1 H_d.
    fn with(&self, other: &Side<D, N>, world: &World<D>) -> DelassusBlock<N> {
        let (inv_m, inverse) = (world.bodies.inertia[self.body].inv_m, world.bodies.inverse_inertia(self.body));
        let turned = other.torque.map(|torque| D::spin(&inverse, torque));
        let entry = |k: usize, l: usize| self.force[k].dot(other.force[l]) * inv_m + self.torque[k].dot(turned[l]);
        std::array::from_fn(|k| std::array::from_fn(|l| entry(k, l)))
    }
}

/// q: velocities without impulses, with the speed that just closes the gap. [Brendel eq. 1.23, 1.24]
fn free<D: Dim, const N: usize>(contact: &Contact<D>, pair: &[Side<D, N>; 2], world: &World<D>, dt: f64) -> [f64; N] {
    let mut q = [0.0; N];
    q[0] = contact.gap.max(0.0) / dt;
    for (q, along) in q.iter_mut().zip(pair[1].force) {
        *q += along.dot(contact.image_velocity);
    }
    for side in pair {
        let twist = &world.bodies.twist[side.body];
        let fall = if is_movable(world, side.body) { world.pull(side.body) * dt } else { D::Vec::ZERO };
        let turning = world.angular_pull(side.body).map_or(twist.w, |turning| twist.w + turning * dt);
        for (k, q) in q.iter_mut().enumerate() {
            *q += side.force[k].dot(twist.v + fall) + side.torque[k].dot(turning);
        }
    }
    q
}

fn is_movable<D: Dim>(world: &World<D>, body: usize) -> bool {
    world.bodies.inertia[body].is_movable()
}

fn plus<const N: usize>(mut sum: DelassusBlock<N>, block: &DelassusBlock<N>) -> DelassusBlock<N> {
    sum.as_flattened_mut().iter_mut().zip(block.as_flattened()).for_each(|(sum, number)| *sum += number);
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ContactKey;
    use crate::dim::D2;
    use crate::drive::Drive;
    use crate::input::quantity::{Components, UnitVector};
    use crate::law::{Laws, Pair};
    use crate::wall::{Plane, Surface};
    use glam::DVec2;

    /// Disks of mass 1 and radius 1: two on a floor, side by side, a gap of 0.1 between them.
    fn two_on_a_floor() -> World<D2> {
        let laws = Laws::new(1, |_, _| Pair::with_friction(0.4));
        let mut world = World::<D2>::new(laws);
        world.gravity = DVec2::new(0.0, -10.0);
        let floor = Plane { point: Components(DVec2::ZERO), normal: UnitVector(DVec2::Y), rough: None };
        world.push_wall("floor", Surface::Plane(floor), 0, Drive::FIXED, None);
        for (k, x) in [0.0, 2.1].into_iter().enumerate() {
            world.bodies.push_round(DVec2::new(x, 1.0), 1.0, 1.0 / std::f64::consts::PI, 1.0, k as u32);
        }
        world.sense(&[0.0, 1.0, 1.0], |_, _| 1.0).unwrap();
        world
    }

    #[test]
    fn blocks_are_the_reduced_masses_of_disks() {
        let mut world = two_on_a_floor();
        world.bodies.twist[1].v = DVec2::new(0.5, 0.0);
        world.bodies.twist[1].w = 2.0;
        let keys: Vec<ContactKey> = world.network.contacts.iter().map(|contact| contact.key).collect();
        assert_eq!(keys.iter().map(|key| (key.a, key.b)).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
        let problem = ContactProblem::<2>::of(&world, 0.01).unwrap();
        let close = |q: [f64; 2], expected: [f64; 2]| q.iter().zip(expected).all(|(q, e)| (q - e).abs() < 1e-12);
        // 1/m = 1, r^2/I = 2: floor contacts (1, 3); the pair meets in the middle of its gap, at arms of 1.05: (2, 2 +
        // 4 x 1.05^2)
        assert_eq!(problem.diagonal(0), &[[1.0, 0.0], [0.0, 3.0]]);
        let [n, t] = *problem.diagonal(2);
        assert!(close(n, [2.0, 0.0]) && close(t, [0.0, 6.41]), "{n:?} {t:?}");
        // the two floor contacts share only the floor, which does not move
        assert_eq!(problem.block_count(), 7);
        // floor-1: n = y, t = -x; 1-2: n = x, t = y, and 1 is the body a: an impulse (n, t) = (1, 0) pushes 1 to -x.
        // (0, 1) pushes 1 down and, at the arm 1.05 x, turns it by -2.1; its lowest point then moves by -2.1 in x, +2.1
        // in t
        let row: Vec<_> = problem.row(0).collect();
        let (column, [n, t]) = (row[1].0, *row[1].1);
        assert!(column == 2 && close(n, [0.0, -1.0]) && close(t, [1.0, 2.1]), "{n:?} {t:?}");
        assert_eq!(problem.asymmetry().blocks, 0);
        // the lowest point of 1 moves with 0.5 + 2 to the right: -2.5 along t; it falls by 0.1
        assert!(close(problem.free()[0], [-0.1, -2.5]), "{:?}", problem.free());
        assert!(close(problem.free()[1], [-0.1, 0.0]));
        // the gap of 0.1 takes 10 m/s to close in the step; 1 comes with 0.5, and the point of contact moves up with
        // 2.1
        assert!(close(problem.free()[2], [10.0 - 0.5, -2.1]), "{:?}", problem.free());
        assert_eq!(problem.friction(), [0.4; 3]);
    }
}
