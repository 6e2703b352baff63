//! Force diffusion in a row of grains. [Brendel eq. 1.32 to 1.34]

use drystone::method::cd::Order;
use drystone::study::chain::{diffusion_factor, relaxation, sweeps_to_balance};
use drystone::study::exponent;

use super::desk::Desk;
use crate::Failure;
use crate::picture::plot::{Axis, Hand, Plot};

/// Orders with the diffusion factor q that theory gives each.
const ORDERS: [(Order, f64); 3] = [(Order::Parallel, 0.5), (Order::RandomSweep, 0.8), (Order::Fixed, 1.0)];
/// Contacts of a chain, and sweeps until every force is known to 1e-3 (own reference computation, in random order).
const NEEDED: [(usize, f64); 4] = [(10, 111.0), (20, 399.0), (40, 1531.0), (80, 5958.0)];

pub(super) fn perform(desk: &mut Desk) -> Result<(), Failure> {
    decay(desk)?;
    sizes(desk)
}

/// How fast the slowest sine mode of the forces decays.
fn decay(desk: &mut Desk) -> Result<(), Failure> {
    let (contacts, sweeps) = (60, 2400);
    let mut plot =
        Plot::new("Slowest force mode of a chain of 60 contacts", Axis::linear("Sweeps"), Axis::log("Amplitude"));
    let mut columns = Vec::new();
    for (order, expected) in ORDERS {
        desk.progress(order.name(), 0.0);
        let amplitudes = relaxation(contacts, order, sweeps)?;
        let q = diffusion_factor(contacts, &amplitudes);
        desk.compare(format!("q, order {}", order.name()), q, expected, 0.01);
        let every = amplitudes.iter().enumerate().step_by(20);
        plot.curve(order.name(), Hand::Line, every.map(|(k, a)| (k as f64, *a)).collect());
        columns.push(amplitudes);
    }
    let rows = (0..columns[0].len()).map(|k| [k as f64].into_iter().chain(columns.iter().map(|c| c[k])).collect());
    desk.table("decay", "sweep,parallel,random_sweep,fixed", rows)?;
    desk.plot("decay", &plot)
}

/// How many sweeps chains of different lengths need.
fn sizes(desk: &mut Desk) -> Result<(), Failure> {
    let used = if desk.quick { &NEEDED[..3] } else { &NEEDED };
    let mut points = Vec::new();
    for (k, (contacts, expected)) in used.iter().enumerate() {
        desk.progress(&format!("{contacts} contacts"), k as f64 / used.len() as f64);
        let sweeps = sweeps_to_balance(*contacts, Order::RandomSweep, 1e-3)? as f64;
        desk.compare(format!("sweeps to 1e-3, {contacts} contacts"), sweeps, *expected, 0.05 * expected);
        points.push((*contacts as f64, sweeps));
    }
    let grains = points.iter().map(|(contacts, sweeps)| (contacts + 1.0, *sweeps));
    desk.compare("exponent of the number of grains", exponent(grains), 2.0, 0.05);
    let theory = |contacts: f64| {
        let relaxation = ((contacts + 1.0) / std::f64::consts::PI).powi(2) / 0.8;
        (contacts, (4e3 / std::f64::consts::PI).ln() * relaxation)
    };
    let mut plot = Plot::new("Sweeps until every force is known to 1e-3", Axis::log("Contacts"), Axis::log("Sweeps"));
    plot.curve("measured", Hand::Dots, points.clone());
    plot.curve("ln(4/(π ε)) ((N+1)/π)² / 0.8", Hand::Dashes, points.iter().map(|(x, _)| theory(*x)).collect());
    desk.table("sweeps", "contacts,sweeps", points.iter().map(|(x, y)| vec![*x, *y]))?;
    desk.plot("sweeps", &plot)
}
