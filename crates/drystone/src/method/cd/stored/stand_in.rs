//! Stands in for `law::general` until it is there: exact where W_cc is diagonal with equal tangential parts.

use super::super::problem::Block;

#[derive(Clone, Copy, Debug)]
pub struct General<const N: usize> {
    pub w: Block<N>,
    pub friction: f64,
}

impl<const N: usize> General<N> {
    pub fn impulse(&self, q: [f64; N]) -> [f64; N] {
        let mut r: [f64; N] = std::array::from_fn(|k| -q[k] / self.w[k][k]);
        r[0] = r[0].max(0.0);
        let (norm, limit) = (tangent(&r), self.friction * r[0]);
        if norm > limit {
            r[1..].iter_mut().for_each(|r| *r *= limit / norm);
        }
        r
    }

    pub fn natural_map(&self, r: [f64; N], u: [f64; N]) -> [f64; N] {
        let (mu, rho) = (self.friction, 1.0 / self.largest_eigenvalue());
        let mut p: [f64; N] = std::array::from_fn(|k| r[k] - rho * u[k]);
        p[0] -= rho * mu * tangent(&u);
        let norm = tangent(&p);
        if mu * norm <= -p[0] {
            p = [0.0; N];
        } else if norm > mu * p[0] {
            let p_n = (p[0] + mu * norm) / (1.0 + mu * mu);
            p[1..].iter_mut().for_each(|p| *p *= mu * p_n / norm);
            p[0] = p_n;
        }
        std::array::from_fn(|k| r[k] - p[k])
    }

    pub fn largest_eigenvalue(&self) -> f64 {
        (0..N).map(|k| self.w[k][k]).fold(0.0, f64::max)
    }

    pub fn is_painleve(&self) -> bool {
        self.friction * tangent(&self.w[0]) >= self.w[0][0]
    }
}

fn tangent<const N: usize>(v: &[f64; N]) -> f64 {
    v[1..].iter().map(|x| x * x).sum::<f64>().sqrt()
}
