//! A round grain of unit mass and radius dropped on a plane with V = (u, -1). [Brendel eq. 1.30]
//!
//! The plane takes out the unit normal momentum. Sticking needs the tangential impulse m_t u, which friction grants
//! if m_t u <= mu: then v = (1 - m_t) u and the grain rolls, w = v. Else v = u - mu and w = mu / I, with
//! m_t = 2/7, I = 2/5 for a sphere, m_t = 1/3, I = 1/2 for a disk.

use drystone::contact::Regime;
use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::stage::{Stage, along, upward};

/// Largest deviation of velocity and spin over all `u`, mu, dt and directions, for each regime.
fn drop_all<D: Dim>(mass_t: f64, moment: f64, directions: &[D::Vec]) {
    let mut worst = [0.0_f64; 2];
    let mut met = [0; 2];
    let speeds = [1e-3, 0.1, 0.35, 0.7, 1.0, 1.49, 1.76, 3.0, 50.0];
    for (mu, u, dt) in triples(&[0.05, 0.1, 0.3, 0.5, 1.0], &speeds, &[1e-6, 1e-3, 0.1, 10.0]) {
        for &forward in directions {
            let mut stage = Stage::<D>::new(mu, dt, 1e-12);
            stage.plane("floor", D::Vec::ZERO, upward::<D>());
            let grain = stage.grain(upward::<D>(), 1.0, 1.0);
            stage.twist(grain).v = forward * u - upward::<D>();
            stage.step();
            let sticks = mass_t * u <= mu;
            let (v, w) = if sticks { ((1.0 - mass_t) * u, (1.0 - mass_t) * u) } else { (u - mu, mu / moment) };
            // rolling along `forward` turns about up x forward
            let spin = D::torque(upward::<D>(), forward) * w;
            let after = *stage.twist(grain);
            let wrong = (after.v - forward * v).norm().max((after.w - spin).norm()) / u.max(1.0);
            worst[usize::from(sticks)] = worst[usize::from(sticks)].max(wrong);
            met[usize::from(sticks)] += 1;
            let regime = if sticks { Regime::Stick } else { Regime::Slide };
            assert_eq!(stage.world.network().memory[0].regime, regime, "mu = {mu}, u = {u}, dt = {dt}");
        }
    }
    assert!(met.iter().all(|count| *count > 20), "both regimes are met: {met:?}");
    for (regime, worst) in ["slides", "sticks"].into_iter().zip(worst) {
        let quantity = format!("largest deviation where the {} {regime}", D::ROUND);
        expect("stick or slide", Kind::Cd, quantity, worst, 0.0)
            .within(1e-12, "one contact is solved exactly: rounding");
    }
}

/// All triples of three lists.
fn triples<'l>(a: &'l [f64], b: &'l [f64], c: &'l [f64]) -> impl Iterator<Item = (f64, f64, f64)> + 'l {
    a.iter().flat_map(move |x| b.iter().flat_map(move |y| c.iter().map(move |z| (*x, *y, *z))))
}

#[test]
fn a_dropped_grain_sticks_or_slides() {
    let x = along::<D2>(0);
    drop_all::<D2>(1.0 / 3.0, 0.5, &[x, -x]);
    let (x, y) = (along::<D3>(0), along::<D3>(1));
    drop_all::<D3>(2.0 / 7.0, 0.4, &[x, -y, x * 0.6 + y * 0.8]);
}
