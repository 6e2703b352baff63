//! The detachment effect: N soft grains in a row hit a wall, P22. Contact Dynamics has no such clusters.

use drystone::dim::{D3, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::soft::Soft;
use super::stage::along;

/// sqrt(E / E0) of N grains with m = k = v = 1 and gaps s0, hooke springs with the cut and the restitution e.
fn rebound(e: f64, count: usize, gap: f64) -> f64 {
    let text = format!("friction = 0, restitution = {e}, md = {{ normal = {{ law = \"hooke\", stiffness = 1 }} }}");
    let mut row = Soft::<D3>::new(&text, 0.02);
    let (x, radius) = (along::<D3>(0), 500.0); // far larger than all overlaps
    row.plane(x * 0.0, x);
    for k in 0..count {
        let body = row.grain(x * (radius + gap + k as f64 * (2.0 * radius + gap)), radius, 1.0);
        row.twist(body).v = -x;
    }
    let start = row.kinetic_energy();
    loop {
        let touching = (0..200).map(|_| row.step().0).last();
        let v: Vec<f64> = row.world.grains().map(|k| row.world.bodies.twist[k].v.get(0)).collect();
        if touching == Some(0) && v[0] >= 0.0 && v.windows(2).all(|pair| pair[0] <= pair[1]) {
            return (row.kinetic_energy() / start).sqrt();
        }
        assert!(row.world.clock.time < 1e5, "they keep meeting: {v:?}");
    }
}

#[test]
fn grains_that_touch_lose_less_than_grains_apart() {
    let case = "detachment effect";
    for (e, count, table) in [
        (0.98, 5, [0.99040, 0.98155, 0.93796, 0.90395]),
        (0.9, 5, [0.95439, 0.92003, 0.77245, 0.58685]),
        (0.9, 10, [0.96439, 0.91069, 0.69004, 0.32889]),
    ] {
        for (gap, expected) in [0.0, 0.3, 1.0, 10.0].into_iter().zip(table) {
            let quantity = format!("sqrt(E/E0) of {count} grains, e = {e}, gaps {gap} v sqrt(m/k)");
            expect(case, Kind::Md, quantity, rebound(e, count, gap), expected).within(0.01, "tolerance of the table");
        }
    }
}
