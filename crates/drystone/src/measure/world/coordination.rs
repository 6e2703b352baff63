//! Coordination number.

use super::{Column, Measure};
use crate::contact::ContactKey;
use crate::dim::Dim;
use crate::world::World;

/// Mean number of force-carrying contacts of a grain, with walls and fixed grains as partners.
///
/// A rattler takes no part in the force network: it has fewer than two contacts once other rattlers are gone
/// (one contact cannot hold a grain, two can when there is friction).
pub struct Coordination;

impl<D: Dim> Measure<D> for Coordination {
    fn columns(&self) -> Vec<Column> {
        ["coordination", "coordination_without_rattlers", "rattlers"].map(|name| Column::new(name, "1")).into()
    }

    fn is_in_default_series(&self) -> bool {
        true
    }

    fn sample(&self, world: &World<D>) -> Vec<f64> {
        let keys: Vec<ContactKey> = world.network.closed().map(|(contact, _)| contact.key).collect();
        // a piston is guided: a single contact can hold it, so it is no rattler
        let movable =
            |body: u32| world.grains().contains(&(body as usize)) && world.bodies.inertia[body as usize].is_movable();
        let degrees = count(&keys, world.bodies.len());
        let grains: Vec<usize> = world.grains().filter(|k| world.bodies.inertia[*k].is_movable()).collect();
        let all: u32 = grains.iter().map(|k| degrees[*k]).sum();

        let degrees = without_rattlers(keys, degrees, movable);
        let (mut carriers, mut carried) = (0, 0);
        for k in &grains {
            if degrees[*k] > 0 {
                carriers += 1;
                carried += degrees[*k];
            }
        }
        let mean = |sum: u32, count: usize| if count == 0 { 0.0 } else { f64::from(sum) / count as f64 };
        vec![mean(all, grains.len()), mean(carried, carriers), (grains.len() - carriers) as f64]
    }
}

fn count(keys: &[ContactKey], bodies: usize) -> Vec<u32> {
    let mut degrees = vec![0; bodies];
    for key in keys {
        degrees[key.a as usize] += 1;
        degrees[key.b as usize] += 1;
    }
    degrees
}

/// Takes away the contacts of movable bodies with a single contact until none is left.
fn without_rattlers(mut keys: Vec<ContactKey>, mut degrees: Vec<u32>, movable: impl Fn(u32) -> bool) -> Vec<u32> {
    loop {
        let before = keys.len();
        keys.retain(|key| [key.a, key.b].iter().all(|body| !movable(*body) || degrees[*body as usize] >= 2));
        degrees = count(&keys, degrees.len());
        if keys.len() == before {
            return degrees;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Contact, Memory, Regime};
    use crate::dim::D2;
    use glam::DVec2;

    #[test]
    fn a_triangle_with_a_tail_has_two_rattlers() {
        let mut world = World::<D2>::default();
        for id in 0..6 {
            world.bodies.push_round(DVec2::ZERO, 1.0, 1.0, 1.0, id);
        }
        // grains 0, 1, 2 touch each other; 3 hangs on 2, 4 on 3; 5 is alone
        for (a, b) in [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4)] {
            let key = ContactKey { a, b, feature: 0 };
            let contact = Contact {
                key,
                normal: DVec2::X,
                gap: 0.0,
                arm_a: DVec2::X,
                arm_b: -DVec2::X,
                image_velocity: DVec2::ZERO,
            };
            world.network.contacts.push(contact);
            world.network.memory.push(Memory { regime: Regime::Stick, ..Memory::default() });
        }
        assert_eq!(Coordination.sample(&world), [10.0 / 6.0, 2.0, 3.0]);
    }
}
