//! A contact problem as a matrix: u = W r + q, with Signorini's and Coulomb's laws at every contact.
//!
//! A block on a slope is one contact in the plane, with W = 1/m in both directions and q the change of velocity by
//! gravity. `cargo run --release -p drystone --example contact_problem`

use drystone::method::cd::problem::ContactProblem;
use drystone::method::cd::stored::Goal;

/// Normal and tangential impulse on a block of 2 kg on a slope, in a step of 1 ms and with a friction of 0.5.
fn impulses(degrees: f64) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let (mass, momentum) = (2.0, 9.81e-3);
    let (sin, cos) = f64::to_radians(degrees).sin_cos();
    let w = vec![(0, 0, 1.0 / mass), (1, 1, 1.0 / mass)]; // row, column, number
    let problem = ContactProblem::<2>::from_entries(w, &[-momentum * cos, momentum * sin], vec![0.5])?;
    let solution = problem.solve(Goal::residual(1e-12, 1000), |_, _| ());
    let certificate = &solution.certificate;
    println!(
        "{degrees} degrees: {} stick, {} slide, residual {:e}",
        certificate.stick, certificate.slide, certificate.residual
    );
    assert!(solution.converged);
    Ok([solution.impulses[0], solution.impulses[1]])
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let weight = 2.0 * 9.81e-3;
    let [_, friction] = impulses(20.0)?; // tan 20 < 0.5: it stays, held by all of the pull down the slope
    assert!((friction + weight * f64::to_radians(20.0).sin()).abs() < 1e-15);
    let [normal, friction] = impulses(40.0)?; // tan 40 > 0.5: it slides, and friction is all that it can be
    assert!((friction + 0.5 * normal).abs() < 1e-15 && (normal - weight * f64::to_radians(40.0).cos()).abs() < 1e-15);
    Ok(())
}
