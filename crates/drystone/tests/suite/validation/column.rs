//! A row of touching grains: every contact of a chain carries the end force, every contact of a column carries the
//! weight above it, R_i = sum over j >= i of m_j g. [Brendel eq. 1.31]

use drystone::dim::{D2, D3, Dim, Vector};
use drystone::method::Kind;

use super::expect::expect;
use super::stage::{G, Random, Stage, along, upward};

const N: usize = 20;
const ACCURACY: f64 = 1e-12;
const WHY: &str = "residual 1e-12 times the condition number of a row, about N^2";

/// Adds `N` grains of different radii and masses that touch in a row along `axis`, from a point of the row on.
fn row<D: Dim>(stage: &mut Stage<D>, axis: D::Vec) -> Vec<usize> {
    let (mut random, mut end) = (Random::new(4), 0.0);
    let mut grains = Vec::new();
    for _ in 0..N {
        let radius = random.between(0.5, 1.5);
        grains.push(stage.grain(axis * (end + radius), radius, random.between(0.5, 4.0)));
        end += 2.0 * radius;
    }
    grains
}

fn column<D: Dim>() {
    let dt = 0.01;
    let mut stage = Stage::<D>::new(0.3, dt, ACCURACY);
    stage.world.gravity = upward::<D>() * -G;
    stage.plane("floor", D::Vec::ZERO, upward::<D>());
    let grains = row(&mut stage, upward::<D>());
    for when in ["in the first step", "after 100 steps"] {
        let report = stage.step();
        assert_eq!(report.contacts, N, "the floor and N - 1 pairs");
        let weight_from =
            |first: usize| grains.iter().filter(|k| **k >= first).map(|k| stage.mass(*k) * G).sum::<f64>();
        let mut worst = 0.0_f64;
        for (contact, memory) in stage.contacts() {
            let above = weight_from(contact.key.b as usize);
            worst = worst.max((memory.impulse - contact.normal * (above * dt)).norm() / (weight_from(0) * dt));
        }
        let quantity =
            format!("{}D: largest deviation of R_i from the weight above, over the whole weight, {when}", D::DIMENSION);
        expect("column under gravity", Kind::Cd, quantity, worst, 0.0).within(1e-9, WHY);
        stage.run(98);
    }
}

/// End forces F during a step are momenta +F dt and -F dt of the end grains: all stop, and all contacts carry F dt.
fn chain<D: Dim>() {
    let push = 3.0;
    let mut stage = Stage::<D>::new(0.3, 0.01, ACCURACY);
    let grains = row(&mut stage, along::<D>(0));
    let (first, last) = (grains[0], grains[N - 1]);
    stage.twist(first).v = along::<D>(0) * (push / stage.mass(first));
    stage.twist(last).v = along::<D>(0) * (-push / stage.mass(last));
    stage.step();
    assert_eq!(stage.contacts().count(), N - 1);
    let worst = stage.contacts().map(|(c, m)| (m.impulse - c.normal * push).norm() / push).fold(0.0, f64::max);
    let quantity = format!("{}D: largest deviation of R_i from the end force", D::DIMENSION);
    expect("chain between end forces", Kind::Cd, quantity, worst, 0.0).within(1e-9, WHY);
}

#[test]
fn a_column_carries_the_weight_above() {
    column::<D2>();
    column::<D3>();
}

#[test]
fn a_chain_carries_the_end_force_everywhere() {
    chain::<D2>();
    chain::<D3>();
}
