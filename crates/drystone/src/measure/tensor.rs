//! Tensors of second rank in two or three dimensions.

use super::Column;
use super::vector::sub;

/// A tensor; in 2D the third row and column are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tensor(pub [[f64; 3]; 3]);

impl Tensor {
    /// Adds weight times the dyad of two vectors.
    pub fn add_dyad(&mut self, weight: f64, a: [f64; 3], b: [f64; 3]) {
        for (row, a) in self.0.iter_mut().zip(a) {
            row.iter_mut().zip(b).for_each(|(entry, b)| *entry += weight * a * b);
        }
    }

    /// Sum of two tensors.
    pub fn plus(&self, other: &Tensor) -> Tensor {
        Tensor(std::array::from_fn(|i| std::array::from_fn(|j| self.0[i][j] + other.0[i][j])))
    }

    /// Times a number.
    pub fn times(&self, by: f64) -> Tensor {
        Tensor(self.0.map(|row| row.map(|x| x * by)))
    }

    /// Product of two tensors.
    pub fn dot(&self, other: &Tensor) -> Tensor {
        let entry = |i: usize, j: usize| (0..3).map(|k| self.0[i][k] * other.0[k][j]).sum();
        Tensor(std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))))
    }

    /// Sum of the diagonal.
    pub fn trace(&self) -> f64 {
        self.0[0][0] + self.0[1][1] + self.0[2][2]
    }

    /// Mean of the tensor and its transpose.
    pub fn symmetric(&self) -> Tensor {
        Tensor(std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (self.0[i][j] + self.0[j][i]))))
    }

    /// The symmetric part without its mean diagonal.
    pub fn deviator(&self, dimension: usize) -> Tensor {
        let mut deviator = self.symmetric();
        let mean = self.trace() / dimension as f64;
        (0..dimension).for_each(|i| deviator.0[i][i] -= mean);
        deviator
    }

    /// Sum of products of all entries.
    pub fn contract(&self, other: &Tensor) -> f64 {
        (0..9).map(|k| self.0[k / 3][k % 3] * other.0[k / 3][k % 3]).sum()
    }

    /// Size of the deviator, (s : s / 2)^1/2: half the difference of the principal values in the plane.
    pub fn shear(&self, dimension: usize) -> f64 {
        let s = self.deviator(dimension);
        (0.5 * s.contract(&s)).sqrt()
    }

    /// Principal values of the symmetric part, largest first, by Jacobi rotations.
    pub fn principal(&self, dimension: usize) -> Vec<f64> {
        let mut a = self.symmetric().0;
        // a rotation annuls one entry; ten rounds reach rounding for 3 x 3
        for _ in 0..10 {
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                if a[p][q] == 0.0 {
                    continue;
                }
                let angle = 0.5 * (2.0 * a[p][q]).atan2(a[p][p] - a[q][q]);
                let (sin, cos) = angle.sin_cos();
                let turn = |x: f64, y: f64| (cos * x + sin * y, cos * y - sin * x);
                for row in &mut a {
                    (row[p], row[q]) = turn(row[p], row[q]);
                }
                let (one, other) = (a[p], a[q]);
                a[p] = std::array::from_fn(|k| turn(one[k], other[k]).0);
                a[q] = std::array::from_fn(|k| turn(one[k], other[k]).1);
            }
        }
        let mut values: Vec<f64> = (0..dimension).map(|i| a[i][i]).collect();
        values.sort_by(|x, y| y.total_cmp(x));
        values
    }

    /// Determinant in so many dimensions.
    pub fn determinant(&self, dimension: usize) -> f64 {
        let [a, b, c] = self.0;
        if dimension == 2 {
            return a[0] * b[1] - a[1] * b[0];
        }
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    }

    /// The inverse; none if the tensor has none.
    pub fn inverse(&self, dimension: usize) -> Option<Tensor> {
        let mut full = *self;
        if dimension == 2 {
            full.0[2][2] = 1.0;
        }
        let det = full.determinant(3);
        let m = full.0;
        let cofactor = |i: usize, j: usize| {
            let (p, q, r, s) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            m[p][r] * m[q][s] - m[p][s] * m[q][r]
        };
        let mut inverse = Tensor(std::array::from_fn(|i| std::array::from_fn(|j| cofactor(j, i) / det)));
        if dimension == 2 {
            inverse.0[2][2] = 0.0;
        }
        inverse.0.as_flattened().iter().all(|x| x.is_finite()).then_some(inverse)
    }

    /// Columns `name_xx`, `name_xy` .. of a tensor.
    pub fn columns(axes: &[&str], name: &str, unit: &'static str) -> Vec<Column> {
        let pairs = axes.iter().flat_map(|i| axes.iter().map(move |j| format!("{i}{j}")));
        pairs.map(|pair| Column::new(format!("{name}_{pair}"), unit)).collect()
    }

    /// Its entries, in the order of its columns.
    pub fn entries(&self, dimension: usize) -> Vec<f64> {
        (0..dimension * dimension).map(|k| self.0[k / dimension][k % dimension]).collect()
    }
}

/// A weight, a place and what a field is there.
pub(crate) type Sample = (f64, [f64; 3], [f64; 3]);

/// The gradient G of a linear field u = u0 + G (x - x0) that fits weighted samples best.
///
/// G = [sum w u' x'] [sum w x' x']^-1, with u' and x' counted from their weighted means. None if the places do not
/// span the space.
pub(crate) fn fit_gradient(samples: &[Sample], dimension: usize) -> Option<Tensor> {
    let total: f64 = samples.iter().map(|(weight, ..)| weight).sum();
    let mean = |of: fn(&Sample) -> [f64; 3]| {
        let sum = samples.iter().fold([0.0; 3], |sum, s| std::array::from_fn(|i| sum[i] + s.0 * of(s)[i]));
        sum.map(|x| x / total)
    };
    let (x0, u0) = (mean(|s| s.1), mean(|s| s.2));
    let (mut moment, mut spread) = (Tensor::default(), Tensor::default());
    for (weight, x, u) in samples {
        let (x, u) = (sub(*x, x0), sub(*u, u0));
        moment.add_dyad(*weight, u, x);
        spread.add_dyad(*weight, x, x);
    }
    if spread.trace() <= 0.0 {
        return None;
    }
    // places on a line, or on a plane in space, leave a principal value that is rounding
    let least = *spread.principal(dimension).last()?;
    (least > 1e-12 * spread.trace()).then(|| spread.inverse(dimension)).flatten().map(|inverse| moment.dot(&inverse))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_values_inverse_and_shear_of_a_known_tensor() {
        let t = Tensor([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 5.0]]);
        let p = t.principal(3);
        assert!((p[0] - 5.0).abs() < 1e-14 && (p[1] - 3.0).abs() < 1e-14 && (p[2] - 1.0).abs() < 1e-14, "{p:?}");
        let one = t.dot(&t.inverse(3).unwrap());
        assert!((one.trace() - 3.0).abs() < 1e-14 && one.0[0][1].abs() < 1e-15);
        let plane = Tensor([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0; 3]]);
        assert!((plane.shear(2) - 1.0).abs() < 1e-15);
        assert_eq!(plane.determinant(2), 3.0);
        assert!(Tensor([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0; 3]]).inverse(2).is_none());
    }

    #[test]
    fn a_linear_field_is_found_exactly_and_a_line_has_no_gradient() {
        let g = [[0.1, -0.2, 0.3], [0.0, 0.5, 0.25], [1.0, 0.0, -0.5]];
        let sample = |k: usize| {
            let x = [(k % 3) as f64, (k / 3 % 3) as f64, (k / 9) as f64];
            (1.0 + k as f64, x, std::array::from_fn(|i| 7.0 + (0..3).map(|j| g[i][j] * x[j]).sum::<f64>()))
        };
        let found = fit_gradient(&(0..27).map(sample).collect::<Vec<_>>(), 3).unwrap();
        for (a, b) in found.0.as_flattened().iter().zip(g.as_flattened()) {
            assert!((a - b).abs() < 1e-13);
        }
        assert!(fit_gradient(&(0..3).map(sample).collect::<Vec<_>>(), 2).is_none());
    }
}
