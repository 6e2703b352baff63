//! Designs: points that fill a cube of several dimensions evenly.
//!
//! A **Latin hypercube** of n points has one in each of n equal parts of every axis. [McKay]
//!
//! A **Sobol sequence** goes on without end: 2^k points from its beginning have one in each of 2^k parts of every axis,
//! and pairs of axes are filled evenly, too. Direction numbers of new-joe-kuo-6.21201 [JoeKuo], in the order of Gray
//! codes; the origin is its first point.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Bits of a coordinate.
const BITS: u32 = 32;

/// A polynomial over the integers modulo 2 and the first direction numbers of its axis.
struct Direction {
    degree: u32,
    /// Coefficients between the first and the last, which are 1.
    inner: u32,
    numbers: &'static [u32],
}

const fn direction(degree: u32, inner: u32, numbers: &'static [u32]) -> Direction {
    Direction { degree, inner, numbers }
}

/// Axes behind the first, which is the sequence of van der Corput.
const DIRECTIONS: [Direction; 20] = [
    direction(1, 0, &[1]),
    direction(2, 1, &[1, 3]),
    direction(3, 1, &[1, 3, 1]),
    direction(3, 2, &[1, 1, 1]),
    direction(4, 1, &[1, 1, 3, 3]),
    direction(4, 4, &[1, 3, 5, 13]),
    direction(5, 2, &[1, 1, 5, 5, 17]),
    direction(5, 4, &[1, 1, 5, 5, 5]),
    direction(5, 7, &[1, 1, 7, 11, 19]),
    direction(5, 11, &[1, 1, 5, 1, 1]),
    direction(5, 13, &[1, 1, 1, 3, 11]),
    direction(5, 14, &[1, 3, 5, 5, 31]),
    direction(6, 1, &[1, 3, 3, 9, 7, 49]),
    direction(6, 13, &[1, 1, 1, 15, 21, 21]),
    direction(6, 16, &[1, 3, 1, 13, 27, 49]),
    direction(6, 19, &[1, 1, 1, 15, 7, 5]),
    direction(6, 22, &[1, 3, 1, 15, 13, 25]),
    direction(6, 25, &[1, 1, 5, 5, 19, 61]),
    direction(7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    direction(7, 4, &[1, 3, 7, 13, 13, 15, 69]),
];

/// Axes of a Sobol sequence at most.
pub(super) const MOST_AXES: usize = DIRECTIONS.len() + 1;

/// The first points of the Sobol sequence, each with so many coordinates from 0 to 1.
pub(super) fn sobol(count: usize, axes: usize) -> Vec<Vec<f64>> {
    let columns: Vec<[u32; BITS as usize]> = (0..axes).map(column).collect();
    let mut bits = vec![0u32; axes];
    (0..count)
        .map(|k| {
            if k > 0 {
                // Gray codes of k - 1 and k differ in the bit of the lowest zero of k - 1
                let changed = (k - 1).trailing_ones() as usize;
                bits.iter_mut().zip(&columns).for_each(|(bits, column)| *bits ^= column[changed]);
            }
            bits.iter().map(|bits| f64::from(*bits) / 2f64.powi(BITS as i32)).collect()
        })
        .collect()
}

/// The direction numbers of an axis, v_k = m_k / 2^k, as bits.
fn column(axis: usize) -> [u32; BITS as usize] {
    let mut v = [0u32; BITS as usize];
    let Some(Direction { degree, inner, numbers }) = axis.checked_sub(1).map(|k| &DIRECTIONS[k]) else {
        return std::array::from_fn(|k| 1 << (BITS - 1 - k as u32));
    };
    let degree = *degree as usize;
    for k in 0..BITS as usize {
        v[k] = match numbers.get(k) {
            Some(m) => m << (BITS - 1 - k as u32),
            None => {
                let taken = |j: usize| (inner >> (degree - 1 - j)) & 1 == 1;
                let others = (1..degree).filter(|j| taken(*j)).map(|j| v[k - j]);
                others.fold(v[k - degree] ^ (v[k - degree] >> degree), |sum, other| sum ^ other)
            }
        };
    }
    v
}

/// A Latin hypercube: the same seed gives the same points.
pub(super) fn latin(count: usize, axes: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Pcg64::new(u128::from(seed), 1);
    let mut unit = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let mut points = vec![vec![0.0; axes]; count];
    for axis in 0..axes {
        let mut places: Vec<usize> = (0..count).collect();
        // every order is as likely [Fisher and Yates]
        for k in (1..count).rev() {
            places.swap(k, (unit() * (k + 1) as f64) as usize);
        }
        for (point, place) in points.iter_mut().zip(places) {
            point[axis] = (place as f64 + unit()) / count as f64;
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many points lie in each of so many equal parts of an axis.
    fn parts(points: &[Vec<f64>], axis: usize, parts: usize) -> Vec<usize> {
        let mut counts = vec![0; parts];
        points.iter().for_each(|point| counts[(point[axis] * parts as f64) as usize] += 1);
        counts
    }

    /// The points that every text on the sequence begins with. [JoeKuo]
    #[test]
    fn the_sobol_sequence_begins_as_in_the_literature() {
        let points = sobol(8, 3);
        let known = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25],
            [0.25, 0.75, 0.75],
            [0.375, 0.375, 0.625],
            [0.875, 0.875, 0.125],
            [0.625, 0.125, 0.875],
            [0.125, 0.625, 0.375],
        ];
        assert_eq!(points, known);
    }

    /// A wrong direction number, or an even one, would put two points of an axis into one part.
    #[test]
    fn a_sobol_sequence_fills_every_part_of_every_axis_once() {
        for count in [1, 2, 16, 256, 1024] {
            let points = sobol(count, MOST_AXES);
            for axis in 0..MOST_AXES {
                assert_eq!(parts(&points, axis, count), vec![1; count], "axis {axis} of {count} points");
            }
        }
    }

    /// Property A' of Sobol in the first axes: each quarter of a square has a quarter of the points.
    #[test]
    fn pairs_of_neighbouring_axes_are_filled_evenly() {
        let points = sobol(64, 6);
        for axis in 0..5 {
            let mut counts = [0; 4];
            for point in &points {
                counts[2 * (point[axis] >= 0.5) as usize + (point[axis + 1] >= 0.5) as usize] += 1;
            }
            assert_eq!(counts, [16; 4], "axes {axis} and {}", axis + 1);
        }
    }

    #[test]
    fn a_latin_hypercube_has_one_point_in_each_part_of_every_axis() {
        for count in [1, 7, 64] {
            let points = latin(count, 5, 3);
            for axis in 0..5 {
                assert_eq!(parts(&points, axis, count), vec![1; count], "axis {axis} of {count} points");
            }
        }
        assert_eq!(latin(64, 5, 3), latin(64, 5, 3));
        assert_ne!(latin(64, 5, 3), latin(64, 5, 4));
    }
}
