//! Grains that grow where there is no room left (W134).

use crate::dim::{Dim, Vector};
use crate::method::Alarm;
use crate::method::cd::overlap::closing;
use crate::world::World;

/// Part of the growth at contacts that carry a force that may become overlap. Grains with room push each other aside,
/// and a solve leaves 1e-3 of it or less; jammed ones cannot move, and all of it is overlap.
const MOST: f64 = 0.5;

/// Codes of these warnings.
pub(crate) const CODES: [&str; 1] = ["W134"];

/// Detects grains that grow although they are jammed: no velocities solve such a step, and its forces depend on its
/// length.
pub(crate) fn check<D: Dim>(world: &World<D>, dt: f64) -> Option<Alarm> {
    if world.setup.growth == 0.0 {
        return None;
    }
    let (mut grown, mut sunk) = (0.0, 0.0);
    for (contact, memory) in world.network.contacts.iter().zip(&world.network.memory) {
        if memory.impulse != D::Vec::ZERO {
            grown += [contact.key.a, contact.key.b].iter().map(|k| world.swell_travel(*k as usize, dt)).sum::<f64>();
            sunk += closing(contact, contact.velocity(&world.bodies.twist), dt).max(0.0);
        }
    }
    let (part, step) = (100.0 * sunk / grown, world.clock.step + 1);
    let message = format!(
        "step {step}: {part:.0} % of what grains grow where they touch becomes overlap; they are jammed, and their forces depend on the time step"
    );
    (sunk > MOST * grown).then_some(Alarm { code: CODES[0], message, size: sunk / grown })
}
