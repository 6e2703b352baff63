//! Douglas-Rachford splitting: finds a point that satisfies linear constraints and lies in a product of simple sets.
//!
//! With the projections P_A onto the constraints and P_C onto the sets, z moves by P_C(2 P_A z - z) - P_A z. If there
//! are common points, P_C(z) converges to one, in finitely many rounds if the sets are polyhedral. If there are none
//! and the sets are cones, the steps of z converge to the shortest vector v between the two. Then v = E^T y lies in the
//! dual cones and y . e < 0, which contradicts any common point: a proof that there is none. [LionsMercier79,
//! BauschkeMoursi17]

use super::constraints::{LinearConstraints, largest};

/// The sets in which the unknowns must lie.
pub(crate) trait Sets {
    /// Moves the unknowns to the nearest point of the sets.
    fn nearest(&self, z: &mut [f64]);
    /// If all sets are cones: the largest e for which some f of the sets has v . f < -e |f|; zero if v lies in the dual
    /// cones.
    fn dual_miss(&self, v: &[f64]) -> Option<f64>;
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// A point of the sets that satisfies the constraints up to rounding.
    Found(Vec<f64>),
    /// There is none: the multipliers y of the constraints prove it.
    Impossible(Vec<f64>),
    /// Undecided. The number is the violation of the constraints over their right-hand sides.
    Open(f64),
}

/// Constraints count as satisfied below this share of their right-hand sides: less than any accuracy of a step, more
/// than the rounding of sums over thousands of contacts.
const FULFILLED: f64 = 1e-12;
/// Constraints contradict each other if no point satisfies them to this share of their right-hand sides. It is larger
/// than the error of the projection, whose factorisation has a small share of the diagonal added.
const CONTRADICTION: f64 = 1e-6;
/// Rounds between checks, each of which costs about as much as a round.
const WATCH: usize = 20;
/// A proof is subject to rounding. It holds for all points whose unknowns sum to less than this many times the
/// right-hand sides: forces that large do not occur.
const BEYOND: f64 = 1e6;

/// Searches from `z` for at most `rounds` rounds, and leaves the last point of the search in `z`.
pub(crate) fn search(affine: &LinearConstraints, sets: &impl Sets, z: &mut [f64], rounds: usize) -> Outcome {
    let size = largest(affine.right());
    let mut off = f64::INFINITY;
    // contradicting constraints: the residual of the nearest point is the proof
    let rest = affine.miss(&affine.nearest(&vec![0.0; affine.unknowns()]));
    if largest(&rest) > CONTRADICTION * size {
        return Outcome::Impossible(rest);
    }
    for round in 1..=rounds {
        let on = affine.nearest(z);
        let mut found: Vec<f64> = on.iter().zip(&*z).map(|(on, z)| 2.0 * on - z).collect();
        sets.nearest(&mut found);
        let stride: Vec<f64> = found.iter().zip(&on).map(|(found, on)| found - on).collect();
        z.iter_mut().zip(&stride).for_each(|(z, stride)| *z += stride);
        if round % WATCH > 0 && round < rounds {
            continue;
        }
        off = largest(&affine.miss(&found)) / size;
        if off <= FULFILLED || size == 0.0 {
            return Outcome::Found(found);
        }
        if let Some(proof) = proof(affine, sets, &stride) {
            return Outcome::Impossible(proof);
        }
    }
    Outcome::Open(off)
}

/// The multipliers of a step, if they prove that there is no common point: every f of the sets has y . E f >= -e |f|,
/// and y . e is below that for all f that are not huge.
fn proof(affine: &LinearConstraints, sets: &impl Sets, stride: &[f64]) -> Option<Vec<f64>> {
    let y = affine.solve(&affine.apply(stride));
    let v = affine.spread(&y);
    let miss = sets.dual_miss(&v)?;
    let gap: f64 = -y.iter().zip(affine.right()).map(|(y, e)| y * e).sum::<f64>();
    let load: f64 = affine.right().iter().map(|e| e.abs()).sum();
    (gap > BEYOND * load * miss && gap > 0.0).then_some(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that are not negative.
    struct Positive;
    impl Sets for Positive {
        fn nearest(&self, z: &mut [f64]) {
            z.iter_mut().for_each(|z| *z = z.max(0.0));
        }
        fn dual_miss(&self, v: &[f64]) -> Option<f64> {
            Some(v.iter().fold(0.0, |most, v| (-v).max(most)))
        }
    }

    #[test]
    fn a_common_point_is_found_or_shown_not_to_be() {
        // x + y = 1 and x - y = s: x = (1 + s) / 2, y = (1 - s) / 2, which is negative for s > 1
        let of = |s: f64| {
            let affine =
                LinearConstraints::new(&[vec![(0, 1.0), (1, 1.0)], vec![(0, 1.0), (1, -1.0)]], vec![1.0, s]).unwrap();
            search(&affine, &Positive, &mut [0.0, 0.0], 1000)
        };
        let Outcome::Found(found) = of(0.5) else { panic!("there is one") };
        assert!((found[0] - 0.75).abs() < 1e-12 && (found[1] - 0.25).abs() < 1e-12);
        let Outcome::Impossible(y) = of(1.01) else { panic!("there is none: {:?}", of(1.01)) };
        // y . E >= 0 in every column and y . e < 0
        assert!(y[0] + y[1] >= -1e-9 && y[0] - y[1] >= -1e-9 && y[0] + 1.01 * y[1] < 0.0, "{y:?}");
    }
}
