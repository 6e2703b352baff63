//! The strain of grains that deform: symmetric tensors, and those of all bodies.

use super::Bodies;
use crate::dim::{Dim, Vector};
use crate::shape::Shape;

/// A symmetric tensor of second rank: the strain of a grain, or its rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SymmetricTensor<D: Dim> {
    /// The diagonal.
    pub diagonal: D::Vec,
    /// The other entries: xy in the plane; yz, xz and xy in space.
    pub shear: D::Spin,
}

/// One number for changes of shape and one for changes of volume: what multiplies the deviator and the mean diagonal of
/// a tensor. Tensors of an isotropic elastic body are made of these two parts, which do not mix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IsotropicFactors {
    /// That of the deviator.
    pub shape: f64,
    /// That of the mean diagonal.
    pub volume: f64,
}

impl IsotropicFactors {
    /// The same function of both numbers.
    pub fn map(self, of: impl Fn(f64) -> f64) -> IsotropicFactors {
        IsotropicFactors { shape: of(self.shape), volume: of(self.volume) }
    }
}

impl<D: Dim> SymmetricTensor<D> {
    const N: usize = D::DIMENSION;

    /// The tensor whose entries are all zero.
    pub fn zero() -> Self {
        SymmetricTensor { diagonal: D::Vec::ZERO, shear: D::Spin::ZERO }
    }

    /// The tensor with these entries; (i, j) with i <= j are asked for.
    pub fn from_entries(entry: impl Fn(usize, usize) -> f64) -> Self {
        let shear = |k: usize| if Self::N == 2 { entry(0, 1) } else { entry([1, 0, 0][k], [2, 2, 1][k]) };
        SymmetricTensor { diagonal: D::Vec::from_fn(|i| entry(i, i)), shear: D::Spin::from_fn(shear) }
    }

    /// The entry (i, j).
    #[inline]
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        match i == j {
            true => self.diagonal.get(i),
            false => self.shear.get(if Self::N == 2 { 0 } else { 3 - i - j }),
        }
    }

    /// The symmetric part of the dyad a b.
    #[inline]
    pub fn dyad(a: D::Vec, b: D::Vec) -> Self {
        Self::from_entries(|i, j| 0.5 * (a.get(i) * b.get(j) + a.get(j) * b.get(i)))
    }

    /// The tensor applied to a vector.
    #[inline]
    pub fn along(&self, vector: D::Vec) -> D::Vec {
        D::Vec::from_fn(|i| (0..Self::N).map(|j| self.entry(i, j) * vector.get(j)).sum())
    }

    /// Sum of two tensors.
    #[inline]
    pub fn plus(&self, other: &Self) -> Self {
        SymmetricTensor { diagonal: self.diagonal + other.diagonal, shear: self.shear + other.shear }
    }

    /// The tensor times a number.
    #[inline]
    pub fn times(&self, factor: f64) -> Self {
        SymmetricTensor { diagonal: self.diagonal * factor, shear: self.shear * factor }
    }

    /// Its deviator and its mean diagonal, each times its factor.
    #[inline]
    pub fn scaled(&self, factors: IsotropicFactors) -> Self {
        let mean = self.trace() / Self::N as f64 * (factors.volume - factors.shape);
        let diagonal = self.diagonal * factors.shape + D::Vec::from_fn(|_| mean);
        SymmetricTensor { diagonal, shear: self.shear * factors.shape }
    }

    /// Sum of the diagonal.
    #[inline]
    pub fn trace(&self) -> f64 {
        (0..Self::N).map(|i| self.diagonal.get(i)).sum()
    }

    /// Sum of the products of all entries of two tensors.
    #[inline]
    pub fn contract(&self, other: &Self) -> f64 {
        self.diagonal.dot(other.diagonal) + 2.0 * self.shear.dot(other.shear)
    }

    /// Root of the sum of the squares of all entries: no less than the largest stretch in any direction.
    pub fn norm(&self) -> f64 {
        self.contract(self).sqrt()
    }

    /// The tensor after turning with an angular velocity for `dt`: R E R^T.
    pub fn turned(&self, spin: D::Spin, dt: f64) -> Self {
        let turn = D::rotation(D::turn(D::UPRIGHT, spin, dt));
        let axis = |j: usize| D::Vec::from_fn(|i| if i == j { 1.0 } else { 0.0 });
        let column = |j: usize| if j < Self::N { axis(j) } else { D::Vec::ZERO };
        let axes: [D::Vec; 3] = std::array::from_fn(|j| turn(column(j)));
        let columns: [D::Vec; 3] = std::array::from_fn(|j| turn(self.along(column(j))));
        Self::from_entries(|i, k| (0..Self::N).map(|j| columns[j].get(i) * axes[j].get(k)).sum())
    }

    /// Whether no entry is infinite or not a number.
    pub fn is_finite(&self) -> bool {
        self.diagonal.is_finite() && self.shear.is_finite()
    }

    /// The tensor with the entries of [`SymmetricTensor::in_space`].
    pub fn of_space([xx, yy, zz, xy, yz, xz]: [f64; 6]) -> Self {
        let entries = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        Self::from_entries(|i, j| entries[i][j])
    }

    /// Entries in space: xx, yy, zz, xy, yz, xz, the order of VTK. In the plane those with z are zero.
    pub fn in_space(&self) -> [f64; 6] {
        [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)].map(|(i, j)| if j < Self::N { self.entry(i, j) } else { 0.0 })
    }
}

/// Strains of all bodies, and their rates. Both turn with the grain. Walls and rigid grains keep zeros.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strains<D: Dim> {
    /// Strain, which is zero for a grain as it was placed.
    pub strain: Vec<SymmetricTensor<D>>,
    /// Rate of the strain [1/s].
    pub rate: Vec<SymmetricTensor<D>>,
}

impl<D: Dim> Strains<D> {
    /// Those of bodies that have not been loaded.
    pub fn none(bodies: usize) -> Strains<D> {
        Strains { strain: vec![SymmetricTensor::zero(); bodies], rate: vec![SymmetricTensor::zero(); bodies] }
    }

    /// Adds a body that has not been loaded.
    pub fn push(&mut self) {
        self.strain.push(SymmetricTensor::zero());
        self.rate.push(SymmetricTensor::zero());
    }
}

impl<D: Dim> Bodies<D> {
    /// Radius of a round body as it was placed; zero for others, which do not deform [m].
    pub fn round_radius(&self, body: usize) -> f64 {
        match self.shape[body] {
            Shape::Round(round) => round.radius,
            _ => 0.0,
        }
    }

    /// Distance of the surface of a round grain from its centre along a unit vector, to first order in the strain
    /// [m]: r (1 + n . E n).
    pub fn radius_along(&self, body: usize, direction: D::Vec) -> f64 {
        let radius = self.round_radius(body);
        match &self.strains {
            Some(strains) => radius * (1.0 + direction.dot(strains.strain[body].along(direction))),
            None => radius,
        }
    }

    /// How far the surface of a body may stand out beyond its radius because it is deformed [m].
    pub fn bulge(&self, body: usize) -> f64 {
        self.strains.as_ref().map_or(0.0, |strains| self.round_radius(body) * strains.strain[body].norm())
    }

    /// How far the surface of a body may move within `dt` because its strain changes [m].
    pub fn bulge_travel(&self, body: usize, dt: f64) -> f64 {
        self.strains.as_ref().map_or(0.0, |strains| self.round_radius(body) * strains.rate[body].norm() * dt)
    }

    /// Moment of inertia against a uniform rate of strain [kg m2]: the kinetic energy is J E' : E' / 2 with J = m r^2/4
    /// for a disk and m r^2/5 for a sphere, half of the moment of inertia. [int x x dm = J 1]
    pub fn strain_inertia(&self, body: usize) -> f64 {
        0.5 * D::BALL_INERTIA * self.inertia[body].mass() * self.round_radius(body).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::{D2, D3};
    use glam::{DMat3, DQuat, DVec2, DVec3};

    #[test]
    fn a_tensor_turns_as_a_matrix_does() {
        let entries = [[0.1, -0.2, 0.3], [-0.2, 0.5, 0.7], [0.3, 0.7, -0.4]];
        let tensor = SymmetricTensor::<D3>::from_entries(|i, j| entries[i][j]);
        let spin = DVec3::new(0.3, -1.1, 0.4);
        let r = DMat3::from_quat(DQuat::from_scaled_axis(spin * 0.5));
        let expected = r * DMat3::from_cols_array_2d(&entries) * r.transpose();
        let turned = tensor.turned(spin, 0.5);
        for (i, j) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)] {
            assert!((turned.entry(i, j) - expected.col(j)[i]).abs() < 1e-15, "{i} {j}");
            assert_eq!(turned.entry(i, j), turned.entry(j, i));
        }
        // a quarter turn exchanges x and y and reverses the sign of xy
        let flat = SymmetricTensor::<D2>::from_entries(|i, j| [[0.1, -0.2], [-0.2, 0.5]][i][j]);
        let turned = flat.turned(std::f64::consts::FRAC_PI_2, 1.0);
        assert!((turned.diagonal - DVec2::new(0.5, 0.1)).length() + (turned.shear - 0.2).abs() < 1e-15, "{turned:?}");
    }

    #[test]
    fn deviator_and_mean_are_scaled_apart() {
        let tensor = SymmetricTensor::<D2>::from_entries(|i, j| [[3.0, 0.5], [0.5, 1.0]][i][j]);
        // mean 2, deviator (1, -1, 0.5): 10 x the deviator and 3 x the mean
        let scaled = tensor.scaled(IsotropicFactors { shape: 10.0, volume: 3.0 });
        assert_eq!(scaled.diagonal, DVec2::new(16.0, -4.0));
        assert_eq!((scaled.shear, tensor.trace(), tensor.contract(&tensor)), (5.0, 4.0, 10.5));
        assert_eq!(tensor.along(DVec2::new(1.0, 2.0)), DVec2::new(4.0, 2.5));
    }
}
