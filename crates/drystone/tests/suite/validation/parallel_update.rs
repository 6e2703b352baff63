//! All contacts at once, each from the old velocities: in a chain this is just stable, in a packing with friction the
//! forces grow without end, because a grain is pushed by all its contacts as if each were alone. [Brendel section 1.5]

use drystone::d2::ContactDynamics;
use drystone::dim::D2;
use drystone::internals::System;
use drystone::method::cd::{Accelerator, CdOptions, Order};
use drystone::study::packing::{PressedPacking, time_step};
use drystone::study::trace::trace;

/// Residual after some plain sweeps from zero forces, and growth of the forces from sweep 20 to the last.
fn sweep(packing: &PressedPacking<D2>, order: Order, sweeps: u64) -> (f64, f64) {
    let mut packing = packing.clone();
    packing.press();
    let mut method = ContactDynamics::new(CdOptions { order, ..CdOptions::with_time_step(time_step()) });
    let (mut residual, mut early, mut late) = (0.0, 0.0, 0.0);
    trace(method.prepare_step(&mut packing.world).expect("a possible step"), Accelerator::None, |done, grains| {
        let misfit = grains.misfit();
        (residual, late) = (misfit.ratio(), misfit.all.sqrt());
        if done == 20 {
            early = late;
        }
        done < sweeps
    });
    (residual, late / early)
}

#[test]
fn only_the_parallel_update_diverges_in_a_packing() {
    let packing = PressedPacking::compacted(12, 1, |_| ()).expect("possible steps");
    for order in [Order::Coloured, Order::Fixed, Order::RandomSweep] {
        let (residual, growth) = sweep(&packing, order, 200);
        assert!(residual < 1e-2, "order {}: residual {residual:e}", order.name());
        assert!(growth < 10.0, "order {}: forces grow by {growth:e}", order.name());
    }
    let (residual, growth) = sweep(&packing, Order::Parallel, 200);
    assert!(residual > 0.1, "the residual stays large, it is {residual:e}");
    // a disk with four contacts: the largest eigenvalue of D^-1 W is above 2, the forces grow by its excess each sweep
    assert!(growth > 1e6, "the forces grow by {growth:e}");
}
