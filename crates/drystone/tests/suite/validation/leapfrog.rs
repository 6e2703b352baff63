//! How exact the leapfrog is: velocity after an elastic linear collision, A4.1. [Wolf section 2.1]

use drystone::dim::{D3, Vector};
use drystone::method::Kind;
use drystone::method::md::integrator::Integrators;

use super::expect::expect;
use super::soft::Soft;
use super::stage::along;

/// |e - 1| of a grain with m = k = v = 1 that starts in touch with a wall, by so many steps a collision.
fn error(steps: f64) -> f64 {
    let text = "friction = 0, md = { normal = { law = \"hooke\", stiffness = 1, damping = 0 } }";
    let mut grain = Soft::<D3>::new(text, std::f64::consts::PI / steps).by(Integrators::Leapfrog);
    let (x, radius) = (along::<D3>(0), 100.0);
    grain.plane(x * 0.0, x);
    let body = grain.grain(x * radius, radius, 1.0);
    grain.twist(body).v = -x;
    grain.collide();
    (grain.twist(body).v.get(0) - 1.0).abs()
}

/// A table of the reference: "errors of 1e-4 with tau / 100" is said of the whole path; at the exit they are smaller.
#[test]
fn a_leapfrog_of_a_hundred_steps_errs_by_two_millionths() {
    for (steps, expected) in [(10.0, 2.0e-3), (20.0, 2.5e-4), (50.0, 1.6e-5), (100.0, 2.0e-6_f64)] {
        let quantity = format!("log10 |e - 1| with tau / dt = {steps}");
        let (found, expected) = (error(steps).log10(), expected.log10());
        let tolerance = 3.0_f64.log10() / expected.abs();
        expect("leapfrog, elastic collision", Kind::Md, quantity, found, expected)
            .within(tolerance, "a factor of 3: it depends on where a step ends");
    }
}
