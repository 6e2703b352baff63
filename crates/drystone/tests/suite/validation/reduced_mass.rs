//! Reduced masses: 1/m_n = 1/m_1 + 1/m_2 and 1/m_t = 1/m_n + l_1^2/I_1 + l_2^2/I_2. [Brendel eqs 1.20, 1.21]
//!
//! l^2/I = 5/(2m) for a solid sphere and 2/m for a disk, so m_t = (2/7) m_n and (1/3) m_n whatever the radii.

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::stage::{Stage, upward};

const WHY: &str = "an equation of numbers: rounding";

/// m_n and m_t that the method used in a collision of two grains, or of a grain with a plane if `other` is infinite.
fn masses<D: Dim>(mass: f64, radius: f64, other: f64) -> [f64; 2] {
    let mut stage = Stage::<D>::new(0.5, 0.01, 1e-12);
    if other.is_infinite() {
        stage.plane("floor", D::Vec::ZERO, upward::<D>());
    } else {
        stage.grain(upward::<D>() * -2.0, 2.0, other);
    }
    let grain = stage.grain(upward::<D>() * radius, radius, mass);
    stage.twist(grain).v = -upward::<D>();
    stage.step();
    let system = stage.method.system();
    let masses = |index| system.plain(index).map(|contact| [contact.mass_n, contact.mass_t]);
    let [Some(one)] = (0..system.len()).map(masses).collect::<Vec<_>>()[..] else { panic!("one contact") };
    one
}

fn check<D: Dim>(grain: &str, ratio: f64) {
    let pairs = [("equal masses", 3.0, 1.5), ("masses 3 and 6", 6.0, 2.0), ("on a plane", f64::INFINITY, 3.0)];
    for (what, other, reduced) in pairs {
        let [mass_n, mass_t] = masses::<D>(3.0, 0.7, other);
        expect("reduced masses", Kind::Cd, format!("m_n of {grain}s, {what}"), mass_n, reduced).within(1e-14, WHY);
        let of = format!("m_t of {grain}s, {what}");
        expect("reduced masses", Kind::Cd, of, mass_t, ratio * reduced).within(1e-14, WHY);
    }
}

#[test]
fn reduced_masses_of_round_bodies() {
    check::<D2>("disk", 1.0 / 3.0);
    check::<D3>("sphere", 2.0 / 7.0);
}
