//! The laws of Signorini and Coulomb as an equation F(r, u) = 0, and its slope.

use crate::method::cd::problem::DelassusBlock;

/// One contact's equation. [Alart and Curnier 1991]
///
/// With z_n = r_n - rho_n u_n and z_t = r_t - rho_t u_t:
/// F_n = r_n - max(0, z_n), and F_t = r_t - the nearest to z_t of all vectors no longer than mu max(0, z_n).
/// It is zero exactly where the natural map of De Saxce is zero, whatever rho > 0 is, but it is piecewise linear where
/// that one is curved: in the plane Newton steps end at the solution once they know which contacts slide.
#[derive(Clone, Copy, Debug)]
pub(super) struct AlartCurnier<const N: usize> {
    /// One over W_nn [kg].
    rho_n: f64,
    /// One over the largest eigenvalue of W_tt [kg].
    rho_t: f64,
    friction: f64,
}

/// How F of a contact that is not open changes with its impulse and its velocity: dF = by_r dr + by_u du.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slope<const N: usize> {
    /// dF/dr, without unit.
    pub by_r: DelassusBlock<N>,
    /// dF/du [kg].
    pub by_u: DelassusBlock<N>,
}

impl<const N: usize> AlartCurnier<N> {
    /// The equation of a contact with its own block of W.
    pub(super) fn new(w: &DelassusBlock<N>, friction: f64) -> AlartCurnier<N> {
        let (first, last) = (w[1][1], w[N - 1][N - 1]);
        let across = if N == 2 { 0.0 } else { 0.5 * (w[1][N - 1] + w[N - 1][1]) };
        let largest = 0.5 * (first + last) + (0.5 * (first - last)).hypot(across);
        AlartCurnier { rho_n: 1.0 / w[0][0], rho_t: 1.0 / largest, friction }
    }

    /// The larger of W_nn and W_tt [1/kg]: what the square of an impulse counts in sums over contacts.
    pub(super) fn weight(&self) -> f64 {
        1.0 / self.rho_n.min(self.rho_t)
    }

    /// F.
    pub(super) fn value(&self, r: &[f64; N], u: &[f64; N]) -> [f64; N] {
        let Trial { press, side, length } = self.trial(r, u);
        let limit = self.friction * press;
        let kept = if length <= limit { 1.0 } else { limit / length };
        std::array::from_fn(|k| if k == 0 { r[0] - press } else { r[k] - side[k] * kept })
    }

    /// The slope of F, or `None` if the contact is open: F = r then.
    pub(super) fn slope(&self, r: &[f64; N], u: &[f64; N]) -> Option<Slope<N>> {
        let Trial { press, side, length } = self.trial(r, u);
        if press == 0.0 {
            return None;
        }
        let limit = self.friction * press;
        let mut slope = Slope { by_r: [[0.0; N]; N], by_u: [[0.0; N]; N] };
        slope.by_u[0][0] = self.rho_n;
        if length < limit {
            (1..N).for_each(|k| slope.by_u[k][k] = self.rho_t);
            return Some(slope);
        }
        let kept = if length > 0.0 { limit / length } else { 0.0 };
        let along = side.map(|component| if length > 0.0 { component / length } else { 0.0 });
        for k in 1..N {
            slope.by_r[k][0] = -self.friction * along[k];
            slope.by_u[k][0] = self.friction * self.rho_n * along[k];
            for l in 1..N {
                let same = if k == l { 1.0 } else { 0.0 };
                let turned = kept * (same - along[k] * along[l]);
                slope.by_r[k][l] = same - turned;
                slope.by_u[k][l] = self.rho_t * turned;
            }
        }
        Some(slope)
    }

    fn trial(&self, r: &[f64; N], u: &[f64; N]) -> Trial<N> {
        let side: [f64; N] = std::array::from_fn(|k| if k == 0 { 0.0 } else { r[k] - self.rho_t * u[k] });
        let length = side.iter().map(|component| component * component).sum::<f64>().sqrt();
        Trial { press: (r[0] - self.rho_n * u[0]).max(0.0), side, length }
    }
}

/// z: max(0, z_n), z_t with a zero in front, and the length of z_t.
struct Trial<const N: usize> {
    press: f64,
    side: [f64; N],
    length: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const W: DelassusBlock<3> = [[2.0, 0.3, -0.2], [0.3, 3.0, 0.4], [-0.2, 0.4, 2.5]];

    #[test]
    fn a_contact_that_obeys_the_laws_gives_zero() {
        let laws = AlartCurnier::new(&W, 0.5);
        let open = laws.value(&[0.0; 3], &[0.1, 3.0, -1.0]);
        let stick = laws.value(&[2.0, 0.6, -0.7], &[0.0; 3]);
        let slide = laws.value(&[2.0, 0.6, 0.8], &[0.0, -1.2, -1.6]);
        for f in [open, stick, slide] {
            assert!(f.iter().all(|f| f.abs() < 1e-15), "{f:?}");
        }
        // pulling, sliding along the force, opening under pressure
        assert!(laws.value(&[-1.0, 0.0, 0.0], &[0.0; 3])[0] < -0.9);
        assert!(laws.value(&[2.0, 0.6, 0.8], &[0.0, 1.2, 1.6])[1] > 0.1);
        assert!(laws.value(&[2.0, 0.0, 0.0], &[0.1, 0.0, 0.0])[0] > 0.01);
    }

    #[test]
    fn the_slope_is_the_difference_quotient() {
        let laws = AlartCurnier::new(&W, 0.4);
        let states = [([1.0, 0.1, 0.2], [-0.1, 0.2, 0.1]), ([1.0, 0.5, 0.7], [-0.1, -0.9, 0.4])];
        for (r, u) in states {
            let slope = laws.slope(&r, &u).expect("both press");
            for l in 0..3 {
                let step = 1e-6;
                let (mut r_up, mut r_down, mut u_up, mut u_down) = (r, r, u, u);
                (r_up[l], r_down[l], u_up[l], u_down[l]) = (r[l] + step, r[l] - step, u[l] + step, u[l] - step);
                let by_r = [laws.value(&r_up, &u), laws.value(&r_down, &u)];
                let by_u = [laws.value(&r, &u_up), laws.value(&r, &u_down)];
                for k in 0..3 {
                    assert!(((by_r[0][k] - by_r[1][k]) / (2.0 * step) - slope.by_r[k][l]).abs() < 1e-8, "{k} {l}");
                    assert!(((by_u[0][k] - by_u[1][k]) / (2.0 * step) - slope.by_u[k][l]).abs() < 1e-8, "{k} {l}");
                }
            }
        }
        assert!(laws.slope(&[0.1, 0.0, 0.0], &[1.0, 0.0, 0.0]).is_none());
    }

    #[test]
    fn without_friction_nothing_holds_a_contact_along_the_surface() {
        let slope =
            AlartCurnier::new(&[[1.0, 0.0], [0.0, 3.0]], 0.0).slope(&[1.0, 0.0], &[0.0, 0.0]).expect("it presses");
        assert_eq!((slope.by_r, slope.by_u), ([[0.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]]));
    }
}
