//! The compliance of a stress-controlled cell at a contact across its border.

use super::space::{Vec3, dot, norm, scale, sub};

/// A symmetric matrix.
type Matrix = [Vec3; 3];

/// S = diag(along), in the frame of a contact.
pub(crate) struct Give {
    /// Velocity of the image along each axis under a unit impulse [1/kg].
    pub along: Vec3,
    /// Unit normal of the contact.
    pub normal: Vec3,
}

impl Give {
    /// S n.
    fn pushed(&self) -> Vec3 {
        [0, 1, 2].map(|k| self.along[k] * self.normal[k])
    }

    /// Size of the velocity across under a unit impulse along the normal.
    fn coupling(&self) -> f64 {
        let pushed = self.pushed();
        norm(sub(pushed, scale(self.normal, dot(pushed, self.normal))))
    }

    /// The compliance along the normal for laws that solve normal and tangent one after the other [1/kg].
    pub(crate) fn normal(&self) -> f64 {
        dot(self.pushed(), self.normal) + self.coupling()
    }

    /// The same across the normal.
    pub(crate) fn across(&self) -> f64 {
        let (n, pushed) = (self.normal, self.pushed());
        let own = dot(pushed, n);
        let part = |i: usize, j: usize| {
            let entry = if i == j { self.along[i] } else { 0.0 };
            entry - n[i] * pushed[j] - pushed[i] * n[j] + own * n[i] * n[j]
        };
        largest_eigenvalue([0, 1, 2].map(|i| [0, 1, 2].map(|j| part(i, j)))) + self.coupling()
    }

    /// Largest eigenvalue of W, where the bodies themselves have the mobility `w_n` along the normal and `w_t` across
    /// it [1/kg].
    pub(crate) fn stiffest(&self, w_n: f64, w_t: f64) -> f64 {
        let n = self.normal;
        let part = |i: usize, j: usize| {
            let entry = if i == j { self.along[i] + w_t } else { 0.0 };
            entry + (w_n - w_t) * n[i] * n[j]
        };
        largest_eigenvalue([0, 1, 2].map(|i| [0, 1, 2].map(|j| part(i, j))))
    }
}

/// By Jacobi's rotations, which lose no digits where eigenvalues are equal. Three sweeps square what is off the
/// diagonal three times; five leave rounding.
fn largest_eigenvalue(mut w: Matrix) -> f64 {
    for (p, q) in [(0, 1), (0, 2), (1, 2)].into_iter().cycle().take(15) {
        if w[p][q] == 0.0 {
            continue;
        }
        let half_cot = 0.5 * (w[q][q] - w[p][p]) / w[p][q];
        let tan = 1.0_f64.copysign(half_cot) / (half_cot.abs() + half_cot.hypot(1.0));
        let (cos, r) = (1.0 / tan.hypot(1.0), 3 - p - q);
        let (sin, moved) = (tan * cos, tan * w[p][q]);
        (w[p][p], w[q][q]) = (w[p][p] - moved, w[q][q] + moved);
        (w[p][q], w[q][p]) = (0.0, 0.0);
        let (one, other) = (cos * w[r][p] - sin * w[r][q], sin * w[r][p] + cos * w[r][q]);
        (w[r][p], w[p][r], w[r][q], w[q][r]) = (one, one, other, other);
    }
    w[0][0].max(w[1][1]).max(w[2][2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_of_matrices_that_are_known() {
        assert!(
            (largest_eigenvalue([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]]) - 2.0 - 2f64.sqrt()).abs()
                < 1e-15
        );
        assert!((largest_eigenvalue([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]) - 3.0).abs() < 1e-15);
        assert_eq!(largest_eigenvalue([[-1.0, 0.0, 0.0], [0.0, -3.0, 0.0], [0.0, 0.0, -2.0]]), -1.0);
    }

    #[test]
    fn along_an_axis_nothing_is_coupled() {
        let give = Give { along: [0.5, 0.0, 0.0], normal: [1.0, 0.0, 0.0] };
        assert_eq!((give.normal(), give.across(), give.stiffest(2.0, 3.0)), (0.5, 0.0, 3.0));
        // at 45 degrees 0.25 each way, and as much across: W = [[2.25, 0.25], [0.25, 3.25]]
        let give = Give { along: [0.5, 0.0, 0.0], normal: [0.5f64.sqrt(), 0.5f64.sqrt(), 0.0] };
        assert!((give.normal() - 0.5).abs() < 1e-15 && (give.across() - 0.5).abs() < 1e-15);
        assert!((give.stiffest(2.0, 3.0) - 2.75 - 0.3125f64.sqrt()).abs() < 1e-15);
    }
}
