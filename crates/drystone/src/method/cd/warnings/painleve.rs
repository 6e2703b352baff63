//! Sliding contacts that jam: Painleve's paradox (W131).

use crate::contact::Regime;
use crate::dim::{Dim, Vector};
use crate::method::Alarm;
use crate::method::cd::contact_system::ContactSystem;
use crate::world::World;

/// Names the first contact that slid, more than it closed, into Painleve's paradox: the step ends its slip by an
/// impulse, or continues with one of two solutions. Contacts that stuck before do not slide, whatever rounding
/// suggests.
pub(crate) fn check<D: Dim>(system: &ContactSystem<D>, world: &World<D>) -> Option<Alarm> {
    let (network, step) = (&world.network, world.clock.step + 1);
    let mut alarm = None;
    system.each_scalar(|scalar, _| {
        let (contact, memory) = (&network.contacts[scalar.index()], &network.memory[scalar.index()]);
        if memory.impulse == D::Vec::ZERO || memory.regime == Regime::Stick || alarm.is_some() {
            return;
        }
        let velocity = world.velocity_before(contact);
        let closing = contact.normal * velocity.dot(contact.normal);
        let slip = velocity - closing;
        if slip.norm() > closing.norm() && scalar.jams(slip) {
            let [a, b] = [contact.key.a, contact.key.b].map(|body| world.name(body as usize));
            let (speed, friction) = (slip.norm(), scalar.friction());
            let message = format!(
                "step {step}: {a} and {b} slide with {speed:.1e} m/s and jam, for a friction of {friction} presses them into each other"
            );
            alarm = Some(Alarm::new("W131", message));
        }
    });
    alarm
}
