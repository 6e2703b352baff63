//! Brake failure: what a soft grain loses that hits another at 45 degrees, P23.

use drystone::body::Inertia;
use drystone::dim::{D3, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::soft::Soft;
use super::stage::along;

/// Loss of velocity along the path, for k = m* = R = 1 and grains that do not turn.
fn loss(law: &str, speed: f64) -> f64 {
    let mut pair = Soft::<D3>::new(law, 5e-4 / speed.max(1.0)); // a path of 1/2000 of the radius at most
    let (x, y) = (along::<D3>(0), along::<D3>(1));
    pair.fixed(x * 0.0, 1.0);
    let side = 2.0_f64.sqrt();
    let heavy_to_turn = Inertia::isotropic(1.0, 1e30);
    let grain = pair.body(x * -(side + 1e-9) + y * side, 1.0, heavy_to_turn);
    pair.twist(grain).v = x * speed;
    pair.collide();
    speed - pair.twist(grain).v.get(0)
}

#[test]
fn fast_grains_are_braked_less_than_slow_ones() {
    let critical = 4.0 * 0.5_f64.sqrt() / std::f64::consts::PI; // V_c = 4 R cos 45 / tau
    let hooke = |damping: f64| format!("normal = {{ law = \"hooke\", stiffness = 1, damping = {damping} }}");
    let elastic = format!("friction = 0, md = {{ {} }}", hooke(0.0));
    let rough = format!("friction = 0.3, md = {{ {}, tangential = {{ law = \"coulomb\" }} }}", hooke(0.0));
    let damped = format!("friction = 0, md = {{ {} }}", hooke(0.2));
    for (name, law, table) in [
        ("elastic", elastic, [0.08088, 0.22752, 0.17572, 0.05539, 0.00935, 0.001_266_3, 0.000_161_50]),
        ("mu = 0.3", rough, [0.10964, 0.37461, 0.36885, 0.19418, 0.08742, 0.04178, 0.02062]),
        ("zeta = 0.1", damped, [0.07107, 0.21617, 0.20926, 0.13590, 0.09744, 0.08141, 0.07182]),
    ] {
        for (ratio, expected) in [0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0].into_iter().zip(table) {
            let quantity = format!("{name}: loss of velocity at {ratio} V_c");
            let found = loss(&law, ratio * critical);
            expect("brake failure", Kind::Md, quantity, found, expected).within(0.01, "tolerance of the table");
        }
    }
}
