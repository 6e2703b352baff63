//! Stress of Love and Weber, from the forces of contacts.
//!
//! S = 1/V sum over grains p, sum over contacts c of p, of f_c (x_p - x_c), where f_c acts on p at x_c; compression
//! is positive [RadjaiDubois, ch. 1]. A contact of two such grains adds f (x_b - x_a). Fixed grains and walls belong
//! to the boundary and have no stress.

use super::tensor::Tensor;
use crate::dim::{Dim, in_space};
use crate::world::World;

/// A contact that carries a force: the grains that it joins, and where its force acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// Number of the contact.
    pub contact: usize,
    /// Grain a; none if it is a wall.
    pub a: Option<usize>,
    /// Grain b.
    pub b: usize,
    /// From the centre of a to where the force acts [m]; zero for a wall.
    pub arm_a: [f64; 3],
    /// From the centre of b to where the force acts [m].
    pub arm_b: [f64; 3],
    /// Force on b [N].
    pub force: [f64; 3],
}

/// Mean forces of the contacts over the last step of a world; grains are numbers of bodies. None before the first step.
pub(crate) fn contact_forces<D: Dim>(world: &World<D>) -> Vec<ContactForce> {
    let (network, dt) = (world.network(), world.scratch.time_step);
    if dt == 0.0 {
        return Vec::new();
    }
    let forces = network.contacts.iter().zip(&network.memory).enumerate().map(|(number, (contact, memory))| {
        let a = Some(contact.key.a as usize).filter(|a| world.grains().contains(a));
        ContactForce {
            contact: number,
            a,
            b: contact.key.b as usize,
            arm_a: a.map_or([0.0; 3], |_| in_space(contact.arm_a)),
            arm_b: in_space(contact.arm_b),
            force: in_space(memory.impulse * (1.0 / dt)),
        }
    });
    forces.filter(|contact| contact.force != [0.0; 3]).collect()
}

/// Sum over the contacts of every grain of f (x_p - x_c) [N m].
pub(crate) fn moments(grains: usize, forces: &[ContactForce]) -> Vec<Tensor> {
    let mut moments = vec![Tensor::default(); grains];
    for contact in forces {
        moments[contact.b].add_dyad(-1.0, contact.force, contact.arm_b);
        if let Some(a) = contact.a {
            moments[a].add_dyad(1.0, contact.force, contact.arm_a);
        }
    }
    moments
}

/// Stress of some grains that stand in a volume [Pa], from the moments of all.
pub(crate) fn stress(moments: &[Tensor], grains: &[usize], volume: f64) -> Tensor {
    let sum = grains.iter().fold(Tensor::default(), |sum, k| sum.plus(&moments[*k]));
    sum.times(1.0 / volume)
}
