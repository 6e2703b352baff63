//! The residual of plain sweeps in every order, in a packing with friction. [Brendel section 1.5]

use drystone::dim::D2;
use drystone::internals::System;
use drystone::method::cd::{Accelerator, CdOptions, ContactDynamics, Order};
use drystone::study::packing::{PressedPacking, time_step};
use drystone::study::trace::trace;

use super::desk::Desk;
use crate::Failure;
use crate::picture::plot::{Axis, Hand, Plot};

pub(super) fn perform(desk: &mut Desk) -> Result<(), Failure> {
    let (columns, sweeps) = if desk.quick { (10, 300) } else { (20, 1000) };
    let packing = PressedPacking::<D2>::compacted(columns, 1, |part| desk.progress("compacting", part))?;
    let title = format!("One step of {} disks from zero forces, plain sweeps", columns * columns);
    let mut residual = Plot::new(&title, Axis::log("Sweeps"), Axis::log("Residual"));
    let mut size = Plot::new(&title, Axis::log("Sweeps"), Axis::log("Size of the forces over that after a sweep"));
    let mut rows = Vec::new();
    for (number, order) in Order::ALL.iter().enumerate() {
        desk.progress(order.name(), number as f64 / Order::ALL.len() as f64);
        let points = follow(&packing, *order, sweeps)?;
        rows.extend(points.iter().map(|[sweeps, residual, size]| vec![number as f64, *sweeps, *residual, *size]));
        if let Some([_, residual, size]) = points.last() {
            desk.found(format!("residual after {sweeps} sweeps, order {}", order.name()), *residual);
            desk.found(format!("size of the forces after {sweeps} sweeps, order {}", order.name()), *size);
        }
        residual.curve(order.name(), Hand::Line, points.iter().map(|point| (point[0], point[1])).collect());
        let early = points.iter().filter(|point| point[0] <= 100.0); // unlimited growth would hide the rest
        size.curve(order.name(), Hand::Line, early.map(|point| (point[0], point[2])).collect());
    }
    let names: Vec<&str> = Order::ALL.iter().map(|order| order.name()).collect();
    desk.table("orders", &format!("order ({}),sweeps,residual,size", names.join(" ")), rows.into_iter())?;
    desk.plot("residual", &residual)?;
    desk.plot("size", &size)
}

/// Sweeps, residual eps_nat, and size of all impulses over that after the first sweep, at sweeps that grow by a few
/// percent.
fn follow(packing: &PressedPacking<D2>, order: Order, sweeps: u64) -> Result<Vec<[f64; 3]>, Failure> {
    let mut packing = packing.clone();
    packing.press();
    let options = CdOptions { order, ..CdOptions::with_time_step(time_step()) };
    let mut method = ContactDynamics::<D2>::new(options);
    let (mut points, mut next, mut first) = (Vec::new(), 1, f64::NAN);
    trace(method.prepare_step(&mut packing.world)?, Accelerator::None, |done, grains| {
        if done >= next {
            let misfit = grains.misfit();
            if done == 1 {
                first = misfit.all;
            }
            points.push([done as f64, misfit.ratio(), (misfit.all / first).sqrt()]);
            next = done + 1 + done / 20;
        }
        done < sweeps
    });
    Ok(points)
}
