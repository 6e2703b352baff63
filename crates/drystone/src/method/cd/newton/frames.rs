//! The matrix W of grains, each contact in a frame of its own.

use crate::body::Twist;
use crate::dim::{Dim, Vector};
use crate::method::cd::problem::{ContactProblem, DelassusBlock, Flaw, Rows};
use crate::method::cd::scalar::ScalarContact;
use crate::method::cd::scalar_round::Load;
use crate::method::common::solver_body::SolverBody;

/// A contact problem and the frames (n, t) or (n, t1, t2) that its components count in.
pub(super) struct Frames<D: Dim, const N: usize> {
    /// W, q and mu.
    pub problem: ContactProblem<N>,
    axes: Vec<[D::Vec; N]>,
}

impl<D: Dim, const N: usize> Frames<D, N> {
    /// The problem of all contacts, between bodies that move with `free` without them.
    ///
    /// A block of W is what a unit impulse at one contact does to the velocity at another that shares a body. q holds
    /// the biases of gaps and restitution.
    pub(super) fn of(contacts: &[ScalarContact<D>], free: &[SolverBody<D>]) -> Result<Self, Flaw> {
        let axes: Vec<[D::Vec; N]> = contacts.iter().map(|scalar| frame::<D, N>(scalar.normal())).collect();
        let is_movable = |body: &u32| free[*body as usize].inv_m() > 0.0;
        let mut of_body = vec![Vec::new(); free.len()];
        for (contact, scalar) in contacts.iter().enumerate() {
            scalar
                .bodies()
                .iter()
                .filter(|body| is_movable(body))
                .for_each(|body| of_body[*body as usize].push(contact));
        }
        let mut solver_bodies: Vec<SolverBody<D>> = free.to_vec();
        solver_bodies.iter_mut().for_each(|solver_body| solver_body.set_twist(&Twist::default()));
        let mut rows = Rows::default();
        for (contact, scalar) in contacts.iter().enumerate() {
            let pair = scalar.bodies();
            let bodies = pair.iter().filter(|body| is_movable(body));
            let mut others: Vec<usize> = bodies.flat_map(|body| &of_body[*body as usize]).copied().collect();
            others.sort_unstable();
            others.dedup();
            let mut blocks = vec![[[0.0; N]; N]; others.len()];
            for k in 0..N {
                scalar.apply(&Load { impulse: axes[contact][k], torque: D::Spin::ZERO }, &mut solver_bodies);
                for (other, block) in others.iter().zip(&mut blocks) {
                    let u = contacts[*other].own_velocity(&solver_bodies);
                    let block: &mut DelassusBlock<N> = block;
                    block[k] = axes[*other].map(|axis| axis.dot(u)); // W is symmetric: its row is its column
                }
                pair.iter().for_each(|body| solver_bodies[*body as usize].set_twist(&Twist::default()));
            }
            others.iter().zip(blocks).for_each(|(other, block)| rows.push(*other as u32, block));
            rows.skip_to(contact + 1);
        }
        let q = |(scalar, axes): (&ScalarContact<D>, &[D::Vec; N])| {
            let u = scalar.biased_velocity(free);
            axes.map(|axis| axis.dot(u))
        };
        let free = contacts.iter().zip(&axes).map(q).collect();
        let friction = contacts.iter().map(ScalarContact::friction).collect();
        Ok(Frames { problem: ContactProblem::new(rows, free, friction)?, axes })
    }

    /// The impulses of contacts in their frames.
    pub(super) fn components(&self, contacts: &[ScalarContact<D>]) -> Vec<[f64; N]> {
        contacts.iter().zip(&self.axes).map(|(scalar, axes)| axes.map(|axis| axis.dot(scalar.load().impulse))).collect()
    }

    /// The impulse of a contact with these components.
    pub(super) fn vector(&self, contact: usize, components: &[f64; N]) -> D::Vec {
        let parts = self.axes[contact].iter().zip(components);
        parts.fold(D::Vec::ZERO, |sum, (axis, component)| sum + *axis * *component)
    }
}

fn frame<D: Dim, const N: usize>(normal: D::Vec) -> [D::Vec; N] {
    let tangents = D::tangents(normal);
    std::array::from_fn(|k| if k == 0 { normal } else { tangents[k - 1] })
}
