//! The sweeps of one solve, one by one.

use crate::dim::{Dim, Vector};
use crate::method::cd::Accelerator;
use crate::method::cd::contact_system::ContactSystem;
use crate::method::cd::solve::System;

/// Normal impulses of all contacts, in the order of the network [N s].
pub fn normal_impulses<D: Dim>(system: &ContactSystem<D>) -> Vec<f64> {
    let mut impulses = vec![0.0; system.len()];
    system.each_plain(|index, contact, impulse| impulses[index] = impulse.dot(contact.normal));
    system.each_scalar(|contact, _| impulses[contact.index()] = contact.load().impulse.dot(contact.normal()));
    impulses
}

/// Makes sweeps until `look` returns false, which is called with their number and the system after each.
///
/// The accelerator gets the residual as often as in a solve, every 20 sweeps. With `none` all sweeps are plain; a solve
/// would shorten them after a thousand sweeps without progress.
pub fn trace<S: System>(system: &mut S, accelerator: Accelerator, mut look: impl FnMut(u64, &S) -> bool) {
    const WATCH: u64 = 20;
    let mut impulses = Vec::new();
    system.read(&mut impulses);
    let mut accelerate = accelerator.start(&impulses);
    for sweeps in 1.. {
        let increment = system.sweep(accelerate.relaxation());
        if !look(sweeps, system) {
            return;
        }
        if accelerator == Accelerator::None {
            continue;
        }
        let residual = sweeps.is_multiple_of(WATCH).then(|| system.misfit().ratio());
        accelerate.learn(system, increment, residual);
    }
}
