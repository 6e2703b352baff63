//! The residual of plain sweeps in every order, in a packing with friction. [Brendel section 1.5]

use drystone::dim::D2;
use drystone::method::cd::solve::System;
use drystone::method::cd::{Accelerator, ContactDynamics, Options, Order};
use drystone::study::packing::{Packing, time_step};
use drystone::study::trace::trace;

use super::desk::Desk;
use crate::Failure;
use crate::picture::plot::{Count, Hand, Plot};

pub fn perform(desk: &mut Desk) -> Result<(), Failure> {
    let (columns, sweeps) = if desk.quick { (10, 300) } else { (20, 1000) };
    let packing = Packing::compacted(columns, 1, |part| desk.progress("compacting", part))?;
    let mut plot = Plot::new(
        &format!("One step of {} disks from zero forces, plain sweeps", columns * columns),
        ("sweeps", Count::Log),
        ("residual", Count::Log),
    );
    let (mut rows, mut last) = (Vec::new(), Vec::new());
    for (number, order) in Order::ALL.iter().enumerate() {
        desk.progress(order.name(), number as f64 / Order::ALL.len() as f64);
        let residuals = residuals(&packing, *order, sweeps)?;
        rows.extend(residuals.iter().map(|(sweeps, residual)| vec![number as f64, *sweeps, *residual]));
        let end = residuals.last().map_or(f64::NAN, |(_, residual)| *residual);
        desk.found(format!("residual after {sweeps} sweeps, order {}", order.name()), end);
        last.push((*order, end));
        plot.curve(order.name(), Hand::Line, residuals);
    }
    let names: Vec<&str> = Order::ALL.iter().map(|order| order.name()).collect();
    desk.table("residuals", &format!("order ({}),sweeps,residual", names.join(" ")), rows.into_iter())?;
    desk.plot("residuals", &plot)
}

/// Residuals eps_nat after the sweeps of one step, at sweeps that grow by a few percent.
fn residuals(packing: &Packing, order: Order, sweeps: u64) -> Result<Vec<(f64, f64)>, Failure> {
    let mut packing = packing.clone();
    packing.press();
    let options = Options { order, ..Options::with_time_step(time_step()) };
    let mut method = ContactDynamics::<D2>::new(options);
    let (mut points, mut next) = (Vec::new(), 1);
    trace(method.open(&mut packing.world)?, Accelerator::None, |done, grains| {
        if done >= next {
            points.push((done as f64, grains.misfit().ratio()));
            next = done + 1 + done / 20;
        }
        done < sweeps
    });
    Ok(points)
}
