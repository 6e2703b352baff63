//! A space-filling curve: bodies that are neighbours in space become neighbours in memory. [Morton 1966]

use crate::dim::{Dim, Vector};
use crate::threads;

/// Cells along the longest side: a body fills many of them in any packing that fits the memory of a computer.
const CELLS: usize = 1 << 16;
/// Bits of the cells that are interleaved at once.
const BITS: usize = 8;

/// Lower and upper corner of the box around points.
pub(crate) fn corners<D: Dim>(points: &[D::Vec]) -> [D::Vec; 2] {
    let furthest =
        |axis: usize, sign: f64| threads::largest(0..points.len(), f64::NEG_INFINITY, |k| sign * points[k].get(axis));
    [D::Vec::from_fn(|axis| -furthest(axis, -1.0)), D::Vec::from_fn(|axis| furthest(axis, 1.0))]
}

/// Positions of points along the space-filling curve of the box around them.
pub fn along_curve<D: Dim>(points: &[D::Vec]) -> Vec<u64> {
    let [low, high] = corners::<D>(points);
    let widest = (0..D::DIMENSION).map(|axis| high.get(axis) - low.get(axis)).fold(0.0, f64::max);
    let scale = (CELLS - 1) as f64 / if widest > 0.0 { widest } else { 1.0 };
    let spread: [u64; 1 << BITS] =
        std::array::from_fn(|byte| (0..BITS).map(|bit| (byte as u64 >> bit & 1) << (D::DIMENSION * bit)).sum());
    let mask = (1 << BITS) - 1;
    let code = |x: &D::Vec| {
        let along = |axis: usize| {
            let cell = ((x.get(axis) - low.get(axis)) * scale) as usize;
            (spread[cell >> BITS] << (D::DIMENSION * BITS) | spread[cell & mask]) << axis
        };
        (0..D::DIMENSION).map(along).sum()
    };
    threads::table(points.len(), |k| code(&points[k]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::D2;

    #[test]
    fn the_curve_keeps_quarters_together() {
        let points = [(0.0, 0.0), (0.9, 0.9), (0.1, 0.1), (1.0, 1.0), (0.9, 0.0)].map(|(x, y)| glam::DVec2::new(x, y));
        let codes = along_curve::<D2>(&points);
        assert!(codes[0] < codes[2] && codes[2] < codes[4] && codes[4] < codes[1] && codes[1] < codes[3]);
    }
}
