//! Free flight: the midpoint scheme is exact for a constant acceleration [Radjai eq. 42, 45]; implicit Euler is ahead
//! by a t dt / 2. [Brendel eq. 1.1, 1.2]

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;
use drystone::method::cd::Scheme;

use super::expect::expect;
use super::stage::Stage;

fn flight<D: Dim>() {
    for (scheme, surplus) in [(Scheme::Midpoint, 0.0), (Scheme::Euler, 0.5)] {
        let (dt, steps) = (0.01, 1000);
        let mut stage = Stage::<D>::with_law("{ friction = 0 }", scheme, dt, 1e-12);
        stage.world.gravity = D::Vec::from_fn(|axis| 0.3 - axis as f64);
        let v0 = D::Vec::from_fn(|axis| 1.0 + axis as f64);
        let grain = stage.grain(D::Vec::ZERO, 0.1, 2.0);
        stage.twist(grain).v = v0;
        stage.run(steps);
        let t = dt * steps as f64;
        let x = v0 * t + stage.world.gravity * (0.5 * t * t + surplus * t * dt);
        let wrong = (stage.x(grain) - x).norm() / x.norm();
        let quantity = format!("{}D, {}: distance from the exact place", D::DIMENSION, scheme.name());
        expect("free flight", Kind::Cd, quantity, wrong, 0.0).within(1e-12, "rounding of 1000 steps");
    }
}

#[test]
fn a_grain_flies_as_its_scheme_says() {
    flight::<D2>();
    flight::<D3>();
}
