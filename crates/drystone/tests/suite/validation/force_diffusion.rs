//! Forces diffuse through a chain from sweep to sweep: the slowest mode decays by q (pi/(N+1))^2 a sweep, and the
//! number of sweeps to a given error grows like the square of the length. [Brendel eq. 1.32 to 1.34]

use drystone::method::Kind;
use drystone::method::cd::Order;
use drystone::study::chain::{diffusion_factor, relaxation, sweeps_to_balance};
use drystone::study::exponent;

use super::expect::expect;

/// q from the second and third third of the sweeps of 60 contacts.
fn factor(order: Order) -> f64 {
    let (contacts, sweeps) = (60, 2400);
    diffusion_factor(contacts, &relaxation(contacts, order, sweeps).expect("a possible step"))
}

#[test]
fn the_order_of_the_sweep_sets_the_speed_of_diffusion() {
    // Jacobi: the eigenvalue is cos k, so q = 1/2; Gauss-Seidel: cos^2 k, so q = 1. Up to k^2 = (pi/61)^2 = 0.003.
    for (order, q) in [(Order::Parallel, 0.5), (Order::Fixed, 1.0)] {
        let why = "the next term of the series in k = pi/61";
        expect("diffusion of forces", Kind::Cd, format!("q, order {}", order.name()), factor(order), q)
            .within(2e-3, why);
    }
    let why = "random orders; 0.7993 +- 0.01 in the reference computation";
    expect("diffusion of forces", Kind::Cd, "q, order random_sweep", factor(Order::RandomSweep), 0.7993)
        .within(0.0125, why);
}

#[test]
fn sweeps_grow_like_the_square_of_the_length() {
    let case = "sweeps in a chain";
    let mut points = Vec::new();
    for row in include_str!("../../data/cd_chain_iterations.csv").lines().skip(1) {
        let (contacts, rest) = row.split_once(',').expect("three columns");
        let reference: f64 = rest.split(',').next().and_then(|cell| cell.parse().ok()).expect("a number of sweeps");
        let contacts: usize = contacts.parse().expect("a number of contacts");
        let sweeps = sweeps_to_balance(contacts, Order::RandomSweep, 1e-3).expect("a possible step") as f64;
        let quantity = format!("sweeps until max |R - F| < 1e-3 F, {contacts} contacts");
        expect(case, Kind::Cd, quantity, sweeps, reference).within(0.05, "random orders");
        points.push(((contacts + 1) as f64, sweeps));
    }
    assert_eq!(points.len(), 4);
    let power = exponent(points.into_iter());
    expect(case, Kind::Cd, "exponent of the number of grains", power, 2.0).within(0.025, "random orders");
}
